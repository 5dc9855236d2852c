//! A member by the consumer protocol (KIP-848) against a coordinator whose words are written here.

use super::group_tests::{Talk, at, settings};
use super::*;
use crate::kafka::client::settings::GroupProtocol;
use crate::kafka::client::testing::TP;
use crate::kafka::group::message::{
    ConsumerBeat, ConsumerBeaten, GroupAnswer, GroupRequest, MemberRef,
};

const OTHER: Tp = Tp { partition: 1, ..TP };

fn modern() -> ConsumerSettings {
    ConsumerSettings {
        protocol: GroupProtocol::Consumer,
        ..settings()
    }
}

impl Talk {
    /// Subscribed, with a poll of 1 s under way, the leader and the coordinator known.
    fn joining(settings: ConsumerSettings) -> Self {
        let mut talk = Talk::new(settings);
        talk.consumer.subscribe(&[TP.topic], &mut talk.wire.out);
        assert!(talk.wire.out.sends.is_empty(), "only poll joins");
        talk.poll(0);
        talk.find();
        talk
    }

    fn take_beating(&mut self) -> (Correlation, BrokerId, ConsumerBeat) {
        self.take(|body| match body {
            Body::Group(GroupRequest::ConsumerBeat(beat)) => Some(beat.clone()),
            _ => None,
        })
    }

    fn tell(&mut self, epoch: i32, assignment: Option<&[Tp]>) -> ConsumerBeat {
        let (c, b, beat) = self.take_beating();
        let told = ConsumerBeaten {
            member: beat.member.clone(),
            epoch,
            interval: Ms(5_000),
            assignment: assignment.map(<[Tp]>::to_vec),
        };
        self.hear_group(c, b, GroupAnswer::ConsumerBeaten(Ok(told)));
        beat
    }

    fn tell_error(&mut self, error: KafkaError) {
        let (c, b, _) = self.take_beating();
        self.hear_group(c, b, GroupAnswer::ConsumerBeaten(Err(error)));
    }

    /// A member in epoch 2 that has these partitions, from 5 on, its poll over at 1 s.
    fn modern_member(settings: ConsumerSettings, tps: &[Tp]) -> Self {
        let mut talk = Talk::joining(settings);
        talk.tell(2, Some(tps));
        let beat = talk.tell(2, None);
        assert_eq!(beat.owned.as_deref(), Some(tps), "acknowledged at once");
        talk.committed(Some(at(5, None)));
        talk.wake(1_000);
        assert_eq!(talk.consumer.done().len(), 1);
        talk.wire.out.sends.clear();
        talk.wire.events();
        talk
    }

    fn given_up(&mut self) -> Vec<(Vec<Tp>, bool)> {
        let events = self.wire.events().into_iter();
        let revoked = events.filter_map(|e| match e {
            EventKind::Revoked { tps, lost, .. } => Some((tps, lost)),
            _ => None,
        });
        revoked.collect()
    }
}

#[test]
fn r_848_3_it_joins_with_epoch_0_and_an_id_of_its_own() {
    let mut talk = Talk::joining(modern());
    let beat = talk.tell(2, Some(&[TP]));
    assert_eq!((beat.member.as_ref(), beat.epoch), ("c-1", 0));
    assert_eq!(beat.topics, Some(vec![TP.topic]));
    assert_eq!(beat.owned, Some(vec![]));
    assert_eq!(beat.rebalance_timeout, Some(Ms(300_000)));
    assert_eq!(talk.consumer.assignment(), vec![TP]);
    let beat = talk.tell(2, None);
    assert_eq!((beat.epoch, beat.topics), (2, None), "only what is new");
    assert_eq!(beat.owned, Some(vec![TP]));
}

#[test]
fn r_848_2_it_gives_up_in_its_poll_and_then_says_so() {
    let mut talk = Talk::modern_member(modern(), &[TP, OTHER]);
    talk.consumer
        .seek(TP, SeekTo::Offset(Boundary(9)), &mut talk.wire.out);
    talk.wake(5_000);
    let beat = talk.tell(2, Some(&[TP]));
    assert_eq!(beat.owned, None, "nothing new");
    assert_eq!(
        talk.consumer.assignment(),
        vec![TP, OTHER],
        "not polled yet"
    );
    talk.poll(1);
    assert_eq!(talk.given_up(), vec![(vec![OTHER], false)]);
    let beat = talk.tell(3, None);
    assert_eq!((beat.epoch, beat.owned), (2, Some(vec![TP])));
    assert_eq!(talk.position(), Some(Boundary(9)), "R-REB-9");
    assert_eq!(talk.consumer.membership().generation, 3);
}

#[test]
fn r_com_3_it_commits_before_it_gives_up() {
    let automatic = ConsumerSettings {
        auto_commit: true,
        ..modern()
    };
    let mut talk = Talk::modern_member(automatic, &[TP]);
    talk.wake(5_000);
    talk.tell(2, Some(&[]));
    talk.wire.at(5_001);
    talk.consumer.poll(1, Ms(1_000), &mut talk.wire.out);
    assert_eq!(talk.given_up(), vec![]);
    let (member, offsets) = talk.answer_commit(Ok(()));
    assert_eq!((member.generation, offsets), (2, vec![at(5, None)]));
    assert_eq!(talk.given_up(), vec![(vec![TP], false)]);
}

#[test]
fn r_com_10_after_max_poll_interval_it_commits_as_a_stranger() {
    let slow = ConsumerSettings {
        max_poll_interval: Ms(2_000),
        ..modern()
    };
    let mut talk = Talk::modern_member(slow, &[TP]);
    talk.wake(3_000);
    let (_, _, beat) = talk.take_beating();
    assert_eq!(beat.epoch, -1);
    assert_eq!(talk.given_up(), vec![(vec![TP], true)]);
    talk.commit(1, 10, CommitMode::Sync);
    let (member, _) = talk.answer_commit(Ok(()));
    assert_eq!(member, MemberRef::none());
    talk.commit(2, 10, CommitMode::Sync);
    talk.answer_commit(Err(KafkaError::UnknownMemberId));
    let error = CommitException::CommitFailed(KafkaError::UnknownMemberId);
    let failed = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls()[1], (2, failed));
    talk.poll(1);
    assert_eq!(talk.take_beating().2.epoch, 0, "it rejoins");
}

#[test]
fn r_848_4_a_fenced_member_has_lost_its_partitions_and_rejoins() {
    let mut talk = Talk::modern_member(modern(), &[TP]);
    talk.wake(5_000);
    talk.tell_error(KafkaError::FencedMemberEpoch);
    assert_eq!(talk.given_up(), vec![(vec![TP], true)]);
    let (_, _, beat) = talk.take_beating();
    assert_eq!((beat.epoch, beat.owned), (0, Some(vec![])));
}

#[test]
fn r_848_5_a_name_that_is_taken_is_refused_for_good() {
    let pod = ConsumerSettings {
        instance: Some("pod-1".into()),
        ..modern()
    };
    let mut talk = Talk::joining(pod);
    talk.tell_error(KafkaError::UnreleasedInstanceId);
    let thrown = talk.consumer.done().remove(0).1.exception;
    let taken = PollException::Refused(KafkaError::UnreleasedInstanceId);
    assert_eq!(thrown, Some(taken));
    talk.wake(60_000);
    assert!(talk.wire.out.sends.is_empty());
}

#[test]
fn r_848_7_a_static_member_leaves_for_a_while() {
    for (instance, epoch) in [(None, -1), (Some("pod-1".into()), -2)] {
        let settings = ConsumerSettings {
            instance,
            ..modern()
        };
        let mut talk = Talk::modern_member(settings, &[TP]);
        talk.consumer.close(9, &mut talk.wire.out);
        assert_eq!(talk.given_up(), vec![(vec![TP], false)]);
        assert_eq!(talk.tell(epoch, None).epoch, epoch);
        assert_eq!(talk.consumer.calls(), vec![(9, CallResult::Closed)]);
    }
}

#[test]
fn r_com_9_a_stale_epoch_fails_commit_sync() {
    let mut talk = Talk::modern_member(modern(), &[TP]);
    talk.commit(1, 6, CommitMode::Sync);
    let (member, _) = talk.answer_commit(Err(KafkaError::StaleMemberEpoch));
    assert_eq!((member.id.as_ref(), member.generation), ("c-1", 2));
    let error = CommitException::CommitFailed(KafkaError::StaleMemberEpoch);
    let failed = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls(), vec![(1, failed)]);
}

#[test]
fn after_a_lost_heartbeat_it_says_everything_again() {
    let mut talk = Talk::modern_member(modern(), &[TP]);
    talk.wake(5_000);
    let (c, b, _) = talk.take_beating();
    talk.hear(c, b, Body::Disconnected);
    talk.wake(5_200);
    talk.wire
        .out
        .sends
        .retain(|s| matches!(s.3, Body::Group(_)));
    talk.find();
    let (_, _, beat) = talk.take_beating();
    assert_eq!(beat.topics, Some(vec![TP.topic]));
    assert_eq!((beat.epoch, beat.owned), (2, Some(vec![TP])));
}
