//! A consumer with a group.id that takes its partitions by hand: commits and what it starts from.

use super::*;
use crate::kafka::client::testing::{TP, Wire, answer, image};
use crate::kafka::group::message::{Committed, GroupAnswer, GroupRequest, MemberRef};
use crate::kafka::message::OffsetSpec;

/// A consumer of group `g` and the brokers it talks to; broker 1 leads, broker 2 coordinates.
pub(super) struct Talk {
    pub consumer: Consumer,
    pub wire: Wire,
}

pub(super) fn settings() -> ConsumerSettings {
    ConsumerSettings {
        group: Some("g".into()),
        auto_commit: false,
        offset_reset: OffsetReset::Earliest,
        ..ConsumerSettings::default()
    }
}

pub(super) fn at(offset: i64, epoch: Option<i32>) -> Committed {
    Committed {
        leader_epoch: epoch.map(Epoch),
        ..Committed::at(Boundary(offset))
    }
}

impl Talk {
    pub fn new(settings: ConsumerSettings) -> Self {
        let brokers = [1, 2, 3].map(BrokerId).to_vec();
        let consumer = Consumer::new(ClientId(0), settings, brokers);
        Talk {
            consumer: consumer.named(&"c".into(), 0),
            wire: Wire::new(),
        }
    }

    /// Assigned to TP, with a poll of 1 s under way, the leader and the coordinator known.
    pub fn polling(settings: ConsumerSettings) -> Self {
        let mut talk = Talk::new(settings);
        talk.consumer.assign(&[TP], None, &mut talk.wire.out);
        talk.poll(0);
        talk.find();
        talk
    }

    pub fn poll(&mut self, tag: u32) {
        self.consumer.poll(tag, Ms(1_000), &mut self.wire.out);
    }

    pub fn hear(&mut self, c: Correlation, from: BrokerId, body: Body) {
        let message = answer(c, from, body);
        self.consumer.handle(&message, &mut self.wire.out);
    }

    pub fn hear_group(&mut self, c: Correlation, from: BrokerId, answer: GroupAnswer) {
        self.hear(c, from, Body::GroupAnswer(answer));
    }

    /// Answers metadata (broker 1 leads in epoch 3) and FindCoordinator (broker 2); the rest stays.
    pub fn find(&mut self) {
        for (c, b, body) in self.wire.all_sent() {
            match body {
                Body::Metadata => {
                    self.hear(c, b, Body::MetadataAnswer(image(&[(1, 3), (1, 3)], &[])));
                }
                Body::Group(GroupRequest::FindCoordinator(kind, key)) => {
                    let answer = GroupAnswer::Coordinator(kind, key, Ok(BrokerId(2)));
                    self.hear_group(c, b, answer);
                }
                other => panic!("not expected: {other:?}"),
            }
        }
    }

    /// The one request of a kind that was sent, taken out; others stay.
    pub fn take<T>(&mut self, pick: impl Fn(&Body) -> Option<T>) -> (Correlation, BrokerId, T) {
        let mut found = None;
        self.wire.out.sends.retain(|(c, _, to, body, _)| {
            let NodeId::Broker(to) = *to else { return true };
            match pick(body) {
                Some(picked) if found.is_none() => {
                    found = Some((*c, to, picked));
                    false
                }
                _ => true,
            }
        });
        found.unwrap_or_else(|| panic!("not among {:?}", self.wire.out.sends))
    }

    pub fn take_group(&mut self) -> (Correlation, BrokerId, GroupRequest) {
        self.take(|body| match body {
            Body::Group(request) => Some(request.clone()),
            _ => None,
        })
    }

    /// Answers the question where TP goes on.
    pub fn committed(&mut self, committed: Option<Committed>) {
        let (c, b, request) = self.take_group();
        let GroupRequest::Fetch {
            group,
            partitions,
            require_stable,
            ..
        } = request
        else {
            panic!("not OffsetFetch: {request:?}");
        };
        assert_eq!((group.as_ref(), require_stable), ("g", true), "R-GRP-4");
        let tps = partitions.expect("named partitions");
        let answers = tps.into_iter().map(|tp| (tp, Ok(committed.clone())));
        self.hear_group(c, b, GroupAnswer::Fetched(Ok(answers.collect())));
    }

    /// Answers the commit under way and tells what it was.
    pub fn answer_commit(&mut self, result: Result<(), KafkaError>) -> (MemberRef, Vec<Committed>) {
        let (c, b, request) = self.take_group();
        let GroupRequest::Commit {
            member, offsets, ..
        } = request
        else {
            panic!("not OffsetCommit: {request:?}");
        };
        let answers = offsets.iter().map(|(tp, _)| (*tp, result)).collect();
        self.hear_group(c, b, GroupAnswer::Committed(answers));
        (member, offsets.into_iter().map(|(_, o)| o).collect())
    }

    pub fn commit(&mut self, tag: u32, offset: i64, mode: CommitMode) {
        let offsets = Some(vec![(TP, at(offset, None))]);
        self.consumer.commit(tag, offsets, mode, &mut self.wire.out);
    }

    pub fn wake(&mut self, now: i64) {
        let out = self.wire.at(now);
        self.consumer.timer(&ClientTimer::Wake, out);
    }

    pub fn position(&self) -> Option<Boundary> {
        self.consumer.positions().first().and_then(|(_, at)| *at)
    }

    /// Nothing but the metadata and coordinator requests has been sent; a known position.
    fn ready() -> Self {
        let mut talk = Talk::polling(settings());
        talk.committed(Some(at(5, None)));
        talk.wire.out.sends.clear();
        talk
    }
}

#[test]
fn r_rst_1_it_goes_on_at_the_commit_whatever_the_policy() {
    let mut talk = Talk::polling(settings());
    assert_eq!(talk.position(), None, "not before the group was asked");
    talk.committed(Some(at(5, None)));
    assert_eq!(talk.position(), Some(Boundary(5)));
    let (_, broker, asked) = talk.take(|body| match body {
        Body::Fetch(request) => Some(request.parts[0].offset),
        _ => None,
    });
    assert_eq!((broker, asked), (BrokerId(1), Boundary(5)));
}

#[test]
fn r_rst_1_without_a_commit_the_policy_has_the_word() {
    let mut talk = Talk::polling(settings());
    talk.committed(None);
    let (_, _, spec) = talk.take(|body| match body {
        Body::ListOffsets { spec, .. } => Some(*spec),
        _ => None,
    });
    assert_eq!(spec, OffsetSpec::Earliest);
    let mut none = settings();
    none.offset_reset = OffsetReset::None;
    let mut talk = Talk::polling(none);
    talk.committed(None);
    let exception = talk.consumer.done().remove(0).1.exception;
    assert_eq!(exception, Some(PollException::NoOffsetForPartition));
}

#[test]
fn r_com_13_a_negative_commit_reads_as_none() {
    let mut talk = Talk::polling(settings());
    talk.committed(Some(at(-5, None)));
    assert!(matches!(talk.wire.sent().2, Body::ListOffsets { .. }));
}

#[test]
fn r_trd_1_a_commit_with_an_epoch_is_held_against_the_log_first() {
    let mut talk = Talk::polling(settings());
    talk.committed(Some(at(100, Some(2))));
    assert_eq!(talk.position(), None, "V-TD-08: awaits validation");
    let (_, _, epoch) = talk.take(|body| match body {
        Body::EpochEnd { epoch, .. } => Some(*epoch),
        _ => None,
    });
    assert_eq!(epoch, Epoch(2));
    let consumer = Consumer::new(ClientId(0), settings(), vec![BrokerId(1)]);
    let mut talk = Talk {
        consumer: consumer.detect_truncation(false),
        wire: Wire::new(),
    };
    talk.consumer.assign(&[TP], None, &mut talk.wire.out);
    talk.poll(0);
    talk.find();
    talk.committed(Some(at(100, Some(2))));
    assert_eq!(talk.position(), Some(Boundary(100)), "the switch is off");
}

#[test]
fn r_com_12_an_epoch_that_never_was_silences_the_reader() {
    let mut talk = Talk::polling(settings());
    talk.committed(Some(at(5, Some(9))));
    assert_eq!(talk.position(), Some(Boundary(5)), "position, no error");
    for now in [200, 400] {
        for (c, b, body) in talk.wire.all_sent() {
            assert_eq!(body, Body::Metadata, "nothing is fetched");
            talk.hear(c, b, Body::MetadataAnswer(image(&[(1, 3)], &[])));
        }
        talk.consumer
            .seek(TP, SeekTo::Offset(Boundary(5)), &mut talk.wire.out);
        talk.wake(now);
    }
    assert_eq!(talk.consumer.done(), vec![]);
}

#[test]
fn r_com_1_positions_are_committed_with_their_epoch() {
    let mut talk = Talk::ready();
    talk.consumer
        .commit(7, None, CommitMode::Sync, &mut talk.wire.out);
    let (member, offsets) = talk.answer_commit(Ok(()));
    assert_eq!(offsets, vec![at(5, None)], "a position by commit alone");
    assert_eq!(member, MemberRef::none(), "by hand: without member");
    let calls = talk.consumer.calls();
    assert_eq!(calls, vec![(7, CallResult::Committed(Ok(())))]);
    assert_eq!(talk.consumer.committed(), vec![(TP, at(5, None))]);
}

#[test]
fn r_com_2_a_negative_offset_is_refused_by_the_client() {
    let mut talk = Talk::ready();
    talk.commit(1, -1, CommitMode::Sync);
    let refused = CallResult::Committed(Err(CommitException::IllegalArgument));
    assert_eq!(talk.consumer.calls(), vec![(1, refused)]);
    assert!(talk.wire.out.sends.is_empty());
}

#[test]
fn r_com_5_sync_tries_again_and_async_does_not() {
    let mut talk = Talk::ready();
    talk.commit(1, 3, CommitMode::Sync);
    talk.answer_commit(Err(KafkaError::CoordinatorLoadInProgress));
    assert_eq!(talk.consumer.calls(), vec![]);
    talk.wake(100);
    talk.answer_commit(Ok(()));
    let done = CallResult::Committed(Ok(()));
    assert_eq!(talk.consumer.calls(), vec![(1, done)]);
    talk.commit(2, 4, CommitMode::Async);
    talk.answer_commit(Err(KafkaError::UnknownTopicOrPartition));
    let error = CommitException::Retriable(KafkaError::UnknownTopicOrPartition);
    let failed = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls(), vec![(2, failed)]);
}

#[test]
fn r_com_13_an_unknown_partition_is_tried_until_the_time_is_over() {
    let mut talk = Talk::ready();
    talk.commit(1, 3, CommitMode::Sync);
    for now in (100..60_000).step_by(100) {
        talk.answer_commit(Err(KafkaError::UnknownTopicOrPartition));
        talk.wake(now);
        talk.wire
            .out
            .sends
            .retain(|s| matches!(s.3, Body::Group(_)));
    }
    talk.answer_commit(Err(KafkaError::UnknownTopicOrPartition));
    talk.wake(60_000);
    let error = CommitException::Timeout(KafkaError::UnknownTopicOrPartition);
    let over = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls(), vec![(1, over)]);
}

#[test]
fn r_com_9_another_coordinator_is_looked_for() {
    let mut talk = Talk::ready();
    talk.commit(1, 3, CommitMode::Sync);
    talk.answer_commit(Err(KafkaError::NotCoordinator));
    talk.wake(100);
    let (c, b, request) = talk.take_group();
    let GroupRequest::FindCoordinator(kind, key) = request else {
        panic!("not FindCoordinator: {request:?}");
    };
    talk.hear_group(c, b, GroupAnswer::Coordinator(kind, key, Ok(BrokerId(3))));
    let (_, broker, _) = talk.take_group();
    assert_eq!(broker, BrokerId(3));
}

#[test]
fn r_com_14_commits_go_out_in_order_and_sync_comes_after_async() {
    let mut talk = Talk::ready();
    for (tag, offset) in [(1, 5), (2, 7), (3, 6)] {
        talk.commit(tag, offset, CommitMode::Async);
    }
    talk.commit(4, 9, CommitMode::Sync);
    let mut sent = Vec::new();
    for _ in 0..4 {
        sent.extend(talk.answer_commit(Ok(())).1.iter().map(|c| c.offset.0));
    }
    assert_eq!(sent, vec![5, 7, 6, 9]);
    let order: Vec<u32> = talk.consumer.calls().iter().map(|(tag, _)| *tag).collect();
    assert_eq!(order, vec![1, 2, 3, 4]);
}

#[test]
fn a_commit_without_a_group_is_refused_by_the_client() {
    let mut talk = Talk::new(ConsumerSettings::default());
    talk.commit(1, 1, CommitMode::Sync);
    let refused = CallResult::Committed(Err(CommitException::NoGroup));
    assert_eq!(talk.consumer.calls(), vec![(1, refused)]);
}

#[test]
fn r_com_3_auto_commit_saves_what_earlier_polls_returned() {
    let mut automatic = settings();
    automatic.auto_commit = true;
    let mut talk = Talk::polling(automatic);
    talk.committed(Some(at(5, None)));
    talk.wire.out.sends.clear();
    talk.wake(1_000);
    assert_eq!(talk.consumer.done().len(), 1);
    talk.wake(4_999);
    talk.wire.at(5_000);
    assert!(talk.wire.out.sends.is_empty(), "nothing between polls");
    talk.poll(1);
    assert_eq!(talk.answer_commit(Ok(())).1, vec![at(5, None)]);
    talk.wire.out.sends.clear();
    talk.wire.at(6_000);
    talk.poll(2);
    talk.wire
        .out
        .sends
        .retain(|s| matches!(s.3, Body::Group(_)));
    assert!(talk.wire.out.sends.is_empty(), "not before the interval");
    talk.consumer.close(9, &mut talk.wire.out);
    assert_eq!(talk.consumer.calls(), vec![], "close waits for its commit");
    talk.answer_commit(Ok(()));
    assert_eq!(talk.consumer.calls(), vec![(9, CallResult::Closed)]);
    assert!(talk.wire.events().contains(&EventKind::ConsumerClosed {
        client: ClientId(0)
    }));
}

#[test]
fn r_com_5_a_failed_auto_commit_does_not_wait_for_the_interval() {
    let mut automatic = settings();
    automatic.auto_commit = true;
    let mut talk = Talk::polling(automatic);
    talk.committed(Some(at(5, None)));
    talk.wire.out.sends.clear();
    talk.wire.at(5_000);
    talk.poll(1);
    talk.answer_commit(Err(KafkaError::CoordinatorLoadInProgress));
    talk.wake(5_100);
    talk.answer_commit(Ok(()));
}

#[test]
fn committed_is_asked_until_it_is_stable() {
    let mut talk = Talk::ready();
    talk.consumer.ask_committed(3, vec![TP], &mut talk.wire.out);
    let (c, b, _) = talk.take_group();
    let pending = vec![(TP, Err(KafkaError::UnstableOffsetCommit))];
    talk.hear_group(c, b, GroupAnswer::Fetched(Ok(pending)));
    assert_eq!(talk.consumer.calls(), vec![], "R-GRP-4");
    talk.wake(100);
    talk.committed(Some(at(10, None)));
    let found = CallResult::Offsets(Ok(vec![(TP, Some(at(10, None)))]));
    assert_eq!(talk.consumer.calls(), vec![(3, found)]);
}

#[test]
fn a_paused_partition_is_not_fetched_and_keeps_its_place() {
    let mut talk = Talk::polling(settings());
    talk.consumer.pause(&[TP], true);
    talk.committed(Some(at(5, None)));
    assert!(talk.wire.out.sends.is_empty());
    assert_eq!(talk.consumer.paused(), vec![TP]);
    talk.consumer.pause(&[TP], false);
    talk.wake(1);
    assert!(matches!(talk.wire.sent().2, Body::Fetch(_)));
}

#[test]
fn r_rst_3_a_duration_without_a_record_is_looked_up_again_later() {
    let mut young = settings();
    young.offset_reset = OffsetReset::ByDuration(Ms(60_000));
    young.request_timeout = Ms(5_000);
    let mut talk = Talk::polling(young);
    talk.committed(None);
    let nothing = |tp| Body::ListOffsetsAnswer {
        tp,
        spec: OffsetSpec::Timestamp(Ms(-60_000)),
        result: Ok(None),
    };
    let (c, b, body) = talk.wire.sent();
    let Body::ListOffsets { spec, .. } = body else {
        panic!("not ListOffsets: {body:?}");
    };
    assert_eq!(spec, OffsetSpec::Timestamp(Ms(-60_000)));
    talk.hear(c, b, nothing(TP));
    assert_eq!(talk.position(), None, "it does not fall back to the end");
    talk.wire.at(4_999);
    talk.poll(1);
    assert!(talk.wire.out.sends.is_empty());
    talk.wire.at(5_000);
    talk.poll(2);
    assert!(matches!(talk.wire.sent().2, Body::ListOffsets { .. }));
}

#[test]
fn seek_to_the_beginning_asks_whatever_the_policy() {
    let mut none = settings();
    none.offset_reset = OffsetReset::None;
    let mut talk = Talk::polling(none);
    talk.consumer.seek(TP, SeekTo::End, &mut talk.wire.out);
    talk.wake(1);
    let (_, _, spec) = talk.take(|body| match body {
        Body::ListOffsets { spec, .. } => Some(*spec),
        _ => None,
    });
    assert_eq!(spec, OffsetSpec::Latest);
    assert_eq!(talk.consumer.done(), vec![], "no exception");
    let elsewhere = Tp { partition: 1, ..TP };
    let to = SeekTo::Offset(Boundary(0));
    assert!(!talk.consumer.seek(elsewhere, to, &mut talk.wire.out));
}
