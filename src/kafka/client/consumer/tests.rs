use super::*;
use crate::kafka::batch::{Batch, Control, Record};
use crate::kafka::client::settings::OffsetReset;
use crate::kafka::client::testing::{TP, Wire, answer, image};
use crate::kafka::error::KafkaError;
use crate::kafka::message::{FetchPart, Fetched, FoundOffset, Isolation, OffsetSpec};

struct Talk {
    consumer: Consumer,
    wire: Wire,
}

fn settings(offset_reset: OffsetReset) -> ConsumerSettings {
    ConsumerSettings {
        offset_reset,
        ..ConsumerSettings::default()
    }
}

fn batch(base: i64, values: &[&str], epoch: i32) -> Batch {
    let last = Offset(base + values.len() as i64 - 1);
    Batch {
        base: Offset(base),
        last,
        epoch: Epoch(epoch),
        stamp: None,
        transactional: false,
        control: None,
        delete_horizon: None,
        records: (base..)
            .zip(values)
            .map(|(offset, value)| Record {
                offset: Offset(offset),
                timestamp: Ms(0),
                key: None,
                value: Some((*value).into()),
            })
            .collect(),
    }
}

fn data(batches: Vec<Batch>) -> Result<Fetched, KafkaError> {
    Ok(Fetched {
        high_watermark: batches.last().map_or(Boundary(0), Batch::end),
        last_stable: Boundary(0),
        log_start: Boundary(0),
        aborted: vec![],
        batches,
        diverging: None,
        preferred_read_replica: None,
    })
}

fn elsewhere(replica: u8) -> Result<Fetched, KafkaError> {
    data(vec![]).map(|f| Fetched {
        preferred_read_replica: Some(BrokerId(replica)),
        ..f
    })
}

impl Talk {
    /// A consumer of TP from a boundary that knows the leader, and has a poll of 1 s under way.
    fn polling(settings: ConsumerSettings, seek: Option<i64>, leader: (u8, i32)) -> Self {
        let brokers = [1, 2, 3].map(BrokerId).to_vec();
        let mut talk = Talk {
            consumer: Consumer::new(ClientId(0), settings, brokers),
            wire: Wire::new(),
        };
        talk.consumer
            .assign(&[TP], seek.map(Boundary), &mut talk.wire.out);
        talk.poll(0);
        talk.metadata(&[leader], &[]);
        talk
    }

    fn poll(&mut self, tag: u32) {
        self.consumer.poll(tag, Ms(1_000), &mut self.wire.out);
    }

    fn hear(&mut self, c: Correlation, from: BrokerId, body: Body) {
        self.consumer
            .handle(&answer(c, from, body), &mut self.wire.out);
    }

    fn metadata(&mut self, leaders: &[(u8, i32)], fenced: &[u8]) {
        let (c, b, body) = self.wire.sent();
        assert_eq!(body, Body::Metadata);
        self.hear(c, b, Body::MetadataAnswer(image(leaders, fenced)));
    }

    /// Answers the one fetch under way; returns whom and what it asked.
    fn fetch(&mut self, result: Result<Fetched, KafkaError>) -> (u8, FetchPart) {
        let (c, b, body) = self.wire.sent();
        let Body::Fetch(request) = body else {
            panic!("not a fetch: {body:?}");
        };
        let part = request.parts[0];
        let answer = FetchedPart {
            tp: part.tp,
            offset: part.offset,
            result,
        };
        self.hear(c, b, Body::FetchAnswer(vec![answer]));
        (b.0, part)
    }

    fn epoch_end(&mut self, result: Option<(i32, i64)>) -> (u8, Body) {
        let (c, b, body) = self.wire.sent();
        let result = Ok(result.map(|(e, o)| (Epoch(e), Boundary(o))));
        self.hear(c, b, Body::EpochEndAnswer { tp: TP, result });
        (b.0, body)
    }

    fn wake(&mut self, at: i64) {
        let out = self.wire.at(at);
        self.consumer.timer(&ClientTimer::Wake, out);
    }

    /// The one poll that ended.
    fn polled(&mut self) -> PollResult {
        let mut done = self.consumer.done();
        assert_eq!(done.len(), 1, "{done:?}");
        done.remove(0).1
    }

    fn position(&self) -> Option<Boundary> {
        self.consumer.positions()[0].1
    }

    /// A consumer that has read records 0 to 2 of epoch 0 from broker 1, which is gone; broker 2
    /// leads in epoch 2, and it has been polled again.
    fn after_election(offset_reset: OffsetReset) -> Self {
        let mut talk = Talk::polling(settings(offset_reset), Some(0), (1, 0));
        talk.fetch(data(vec![batch(0, &["a", "b", "c"], 0)]));
        talk.polled();
        talk.wire.at(10_000);
        talk.poll(1);
        let (c, b, _) = talk.wire.sent();
        talk.hear(c, b, Body::Disconnected);
        talk.metadata(&[(2, 2)], &[1]);
        talk
    }
}

#[test]
fn it_reads_from_where_it_was_put() {
    let mut talk = Talk::polling(settings(OffsetReset::Latest), Some(1), (1, 3));
    assert_eq!(talk.consumer.done(), vec![], "waits for records");
    let (broker, asked) = talk.fetch(data(vec![batch(0, &["a", "b", "c"], 3)]));
    assert_eq!((broker, asked.offset), (1, Boundary(1)));
    assert_eq!(asked.current_leader_epoch, Some(Epoch(3)));
    let polled = talk.polled();
    let offsets: Vec<i64> = polled.records.iter().map(|r| r.1.0).collect();
    assert_eq!(offsets, vec![1, 2], "R-READ-4: the batch's head is dropped");
    assert_eq!(polled.positions, vec![(TP, Some(Boundary(3)))], "R-CON-1");
    assert!(talk.wire.out.sends.is_empty(), "quiet between polls");
}

#[test]
fn a_poll_without_news_ends_in_time_and_then_it_is_quiet() {
    let mut talk = Talk::polling(settings(OffsetReset::Latest), Some(0), (1, 0));
    talk.fetch(data(vec![]));
    talk.wake(999);
    assert_eq!(talk.consumer.done(), vec![]);
    talk.wake(1_000);
    let polled = talk.polled();
    assert_eq!((polled.records.len(), polled.exception), (0, None));
    assert_eq!(talk.position(), Some(Boundary(0)));
    talk.wire.sent();
    talk.wire.out.timers.clear();
    talk.wake(60_000);
    assert_eq!(talk.wire.next_reminder(), None);
    assert!(talk.wire.out.sends.is_empty());
}

#[test]
fn what_comes_between_polls_is_returned_by_the_next() {
    let mut talk = Talk::polling(settings(OffsetReset::Latest), Some(0), (1, 0));
    talk.wake(1_000);
    talk.polled();
    talk.fetch(data(vec![batch(0, &["a"], 0)]));
    assert_eq!(
        talk.position(),
        Some(Boundary(0)),
        "R-CON-1: only poll moves it"
    );
    talk.poll(1);
    assert_eq!(talk.polled().records.len(), 1);
    assert!(talk.wire.out.sends.is_empty(), "R-CON-4");
}

#[test]
fn a_stale_answer_is_dropped() {
    // R-CON-3
    let mut talk = Talk::polling(settings(OffsetReset::None), Some(5), (1, 0));
    talk.consumer
        .assign(&[TP], Some(Boundary(2)), &mut talk.wire.out);
    talk.fetch(Err(KafkaError::OffsetOutOfRange));
    assert_eq!(talk.consumer.done(), vec![], "no exception");
    assert_eq!(talk.position(), Some(Boundary(2)));
}

#[test]
fn max_poll_records_limits_what_poll_returns() {
    // R-CON-4
    let mut talk = Talk::polling(
        ConsumerSettings {
            max_poll_records: 2,
            ..ConsumerSettings::default()
        },
        Some(0),
        (1, 0),
    );
    talk.fetch(data(vec![batch(0, &["a", "b", "c"], 0)]));
    assert_eq!(talk.polled().records.len(), 2);
    assert_eq!(talk.position(), Some(Boundary(2)));
    talk.poll(1);
    assert_eq!(talk.polled().records.len(), 1);
    assert!(talk.wire.out.sends.is_empty(), "nothing new was asked for");
}

#[test]
fn the_position_passes_markers_and_holes() {
    // R-CON-2
    let mut talk = Talk::polling(settings(OffsetReset::Latest), Some(0), (1, 0));
    let mut marker = batch(3, &["-"], 0);
    marker.control = Some(Control::Commit);
    let mut compacted = batch(0, &["a"], 0);
    compacted.last = Offset(2);
    talk.fetch(data(vec![compacted, marker]));
    let polled = talk.polled();
    assert_eq!(polled.records.len(), 1);
    assert_eq!(talk.position(), Some(Boundary(4)));
}

#[test]
fn a_first_position_comes_by_the_policy() {
    // R-RST-2
    for (policy, spec) in [
        (OffsetReset::Earliest, OffsetSpec::Earliest),
        (OffsetReset::Latest, OffsetSpec::Latest),
    ] {
        let mut talk = Talk::polling(settings(policy), None, (2, 1));
        assert_eq!(talk.position(), None);
        let (c, b, body) = talk.wire.sent();
        let asked = Body::ListOffsets {
            tp: TP,
            spec,
            isolation: Isolation::ReadUncommitted,
            current_leader_epoch: Some(Epoch(1)),
        };
        assert_eq!((b, body), (BrokerId(2), asked));
        let result = Ok(Some(FoundOffset::at(Boundary(7))));
        let found = Body::ListOffsetsAnswer {
            tp: TP,
            spec,
            result,
        };
        talk.hear(c, b, found);
        assert_eq!(talk.position(), Some(Boundary(7)));
        assert_eq!(talk.fetch(data(vec![])).1.offset, Boundary(7));
    }
}

#[test]
fn without_position_and_policy_poll_throws() {
    // R-RST-2
    let brokers = [1, 2, 3].map(BrokerId).to_vec();
    let mut consumer = Consumer::new(ClientId(0), settings(OffsetReset::None), brokers);
    let mut wire = Wire::new();
    consumer.assign(&[TP], None, &mut wire.out);
    consumer.poll(0, Ms(100), &mut wire.out);
    let done = consumer.done();
    assert_eq!(
        done[0].1.exception,
        Some(PollException::NoOffsetForPartition)
    );
}

#[test]
fn out_of_range_resets_or_throws() {
    // R-RST-4
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(9), (1, 0));
    talk.fetch(Err(KafkaError::OffsetOutOfRange));
    assert!(matches!(talk.wire.sent().2, Body::ListOffsets { .. }));
    let mut talk = Talk::polling(settings(OffsetReset::None), Some(9), (1, 0));
    talk.fetch(Err(KafkaError::OffsetOutOfRange));
    assert_eq!(
        talk.polled().exception,
        Some(PollException::OffsetOutOfRange)
    );
    assert_eq!(talk.position(), Some(Boundary(9)), "the position is kept");
}

#[test]
fn a_fetch_is_not_sent_before_the_position_is_validated() {
    // R-TRD-1
    let mut talk = Talk::after_election(OffsetReset::Earliest);
    let (broker, asked) = talk.epoch_end(Some((0, 3)));
    let expected = Body::EpochEnd {
        tp: TP,
        current_leader_epoch: Some(Epoch(2)),
        epoch: Epoch(0),
    };
    assert_eq!((broker, asked), (2, expected));
    let (broker, part) = talk.fetch(data(vec![batch(3, &["z"], 2)]));
    assert_eq!((broker, part.offset), (2, Boundary(3)), "it was valid");
    assert_eq!(talk.polled().records[0].2, Epoch(2));
}

#[test]
fn truncation_moves_the_position_to_where_the_logs_part() {
    // R-TRD-2, run r09
    let mut talk = Talk::after_election(OffsetReset::Earliest);
    talk.epoch_end(Some((0, 1)));
    let (_, part) = talk.fetch(data(vec![batch(1, &["z"], 2)]));
    assert_eq!(part.offset, Boundary(1), "not earliest");
    let polled = talk.polled();
    assert_eq!(polled.records.len(), 1);
    assert_eq!(polled.positions, vec![(TP, Some(Boundary(2)))]);
}

#[test]
fn truncation_without_a_policy_is_thrown() {
    // R-TRD-2, run r09d
    let mut talk = Talk::after_election(OffsetReset::None);
    talk.epoch_end(Some((0, 1)));
    let polled = talk.polled();
    assert_eq!(
        polled.exception,
        Some(PollException::LogTruncation(Some((Boundary(1), Epoch(0)))))
    );
    assert_eq!(polled.positions, vec![(TP, None)], "not settled");
    let mut talk = Talk::after_election(OffsetReset::None);
    talk.epoch_end(None);
    assert_eq!(
        talk.polled().exception,
        Some(PollException::LogTruncation(None))
    );
}

#[test]
fn an_unknown_epoch_resets_by_the_policy() {
    // R-TRD-2
    let mut talk = Talk::after_election(OffsetReset::Earliest);
    talk.epoch_end(None);
    assert!(matches!(
        talk.wire.sent().2,
        Body::ListOffsets {
            spec: OffsetSpec::Earliest,
            ..
        }
    ));
}

#[test]
fn leadership_errors_refresh_metadata_and_keep_the_position() {
    // R-TRD-3
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(4), (1, 0));
    talk.wire.at(500);
    talk.fetch(Err(KafkaError::NotLeaderOrFollower));
    talk.metadata(&[(2, 1)], &[]);
    let (broker, part) = talk.fetch(data(vec![]));
    assert_eq!((broker, part.offset), (2, Boundary(4)));
}

#[test]
fn an_epoch_the_leader_does_not_know_yet_is_only_waited_for() {
    // R-TRD-3
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(4), (1, 3));
    talk.fetch(Err(KafkaError::UnknownLeaderEpoch));
    assert!(talk.wire.out.sends.is_empty());
    talk.wake(100);
    assert_eq!(talk.fetch(data(vec![])).1.offset, Boundary(4));
}

#[test]
fn it_reads_from_the_replica_it_is_sent_to() {
    // R-FFR-2
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(0), (1, 0));
    assert_eq!(talk.fetch(elsewhere(3)).0, 1);
    assert_eq!(talk.fetch(data(vec![batch(0, &["a"], 0)])).0, 3);
    assert_eq!(talk.polled().preferred_read_replica, Some(BrokerId(3)));
}

#[test]
fn out_of_range_at_a_follower_is_no_reason_to_reset() {
    // R-FFR-3, R-RST-4
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(4), (1, 0));
    talk.fetch(elsewhere(3));
    talk.fetch(Err(KafkaError::OffsetOutOfRange));
    assert_eq!(talk.consumer.preferred_read_replica(), None);
    let (broker, part) = talk.fetch(data(vec![]));
    assert_eq!((broker, part.offset), (1, Boundary(4)));
}

#[test]
fn a_dead_replica_is_tried_again_and_again_until_it_is_fenced() {
    // R-FFR-6, run r18
    let mut talk = Talk::polling(settings(OffsetReset::Earliest), Some(0), (1, 0));
    talk.wire.at(200);
    talk.fetch(elsewhere(3));
    let (c, b, _) = talk.wire.sent();
    talk.hear(c, b, Body::Disconnected);
    let mut sent = talk.wire.all_sent();
    sent.sort_by_key(|(c, ..)| *c);
    let (c, b, body) = sent.remove(0);
    assert_eq!(body, Body::Metadata);
    talk.hear(c, b, Body::MetadataAnswer(image(&[(1, 0)], &[])));
    let (c, b, body) = sent.remove(0);
    assert!(matches!(body, Body::Fetch(_)) && b == BrokerId(1));
    let again = FetchedPart {
        tp: TP,
        offset: Boundary(0),
        result: elsewhere(3),
    };
    talk.hear(c, b, Body::FetchAnswer(vec![again]));
    assert!(
        talk.wire.out.sends.is_empty(),
        "it waits before it connects"
    );
    talk.wake(1_000);
    assert_eq!(talk.polled().preferred_read_replica, Some(BrokerId(3)));
}

#[test]
fn of_several_partitions_each_broker_gets_one_fetch() {
    // R-CON-4
    let other = Tp { partition: 1, ..TP };
    let brokers = [1, 2, 3].map(BrokerId).to_vec();
    let mut talk = Talk {
        consumer: Consumer::new(ClientId(0), settings(OffsetReset::Latest), brokers),
        wire: Wire::new(),
    };
    talk.consumer
        .assign(&[TP, other], Some(Boundary(0)), &mut talk.wire.out);
    talk.poll(0);
    talk.metadata(&[(1, 0), (1, 0)], &[]);
    let (_, _, body) = talk.wire.sent();
    assert!(matches!(body, Body::Fetch(f) if f.parts.len() == 2));
}

#[test]
fn a_read_committed_consumer_is_given_no_aborted_records_and_no_markers() {
    use crate::kafka::batch::Stamp;
    let of = |batch: Batch, producer_id: i64, control| Batch {
        stamp: Some(Stamp {
            producer_id,
            epoch: 0,
            base_sequence: 0,
        }),
        transactional: true,
        control,
        ..batch
    };
    let end = |base, producer, control| of(batch(base, &[""], 0), producer, Some(control));
    // Producer 7 aborts its records 1 and 3, and commits 6; producer 8 commits 2.
    let batches = vec![
        batch(0, &["plain"], 0),
        of(batch(1, &["a"], 0), 7, None),
        of(batch(2, &["b"], 0), 8, None),
        of(batch(3, &["a"], 0), 7, None),
        end(4, 7, Control::Abort),
        end(5, 8, Control::Commit),
        of(batch(6, &["c"], 0), 7, None),
        end(7, 7, Control::Commit),
    ];
    let read = |read_committed: bool| {
        let settings = ConsumerSettings {
            max_poll_records: 1,
            read_committed,
            ..settings(OffsetReset::None)
        };
        let mut talk = Talk::polling(settings, Some(0), (1, 0));
        let aborted = vec![(7, Offset(1))];
        let answer = data(batches.clone()).map(|f| Fetched { aborted, ..f });
        talk.fetch(answer);
        let mut given = Vec::new();
        while given.len() < 5 && talk.position() != Some(Boundary(8)) {
            let polled = talk.polled();
            let values = polled.records.iter().map(|(_, at, ..)| at.0);
            given.push((values.collect::<Vec<_>>(), talk.position().map(|p| p.0)));
            talk.poll(1);
        }
        given
    };
    // One record a poll: what was aborted is known anew each time.
    let committed = read(true);
    assert_eq!(committed[0], (vec![0], Some(1)));
    assert_eq!(committed[1], (vec![2], Some(3)));
    assert_eq!(committed[2].0, [6]);
    // read_uncommitted gets them all.
    let all: Vec<i64> = read(false).into_iter().flat_map(|(at, _)| at).collect();
    assert_eq!(all[..4], [0, 1, 2, 3]);
}
