//! O2, O3: where a log begins and ends, and what compaction leaves. The figures are those recorded
//! on Kafka 4.3.1 (runs o02b, o02c, o03, o03b), on each of three replicas.

use super::cluster::*;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset};
use highwater::kafka::event::{DeleteReason, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, Isolation, OffsetSpec};
use highwater::world::command::*;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// The runs' times are counted from here, so that they lie before the scenario's time 0.
const RECORDED: i64 = 1_796_050_490_000;

/// A cluster whose brokers look at their logs as often as the recorded one's.
fn cluster() -> Cluster {
    let server = [
        ("log.initial.task.delay.ms", "300"),
        ("log.retention.check.interval.ms", "400"),
        ("log.cleaner.backoff.ms", "300"),
    ];
    Cluster::new(1, &[[1, 2, 3]], &server)
}

fn alter(c: &mut Cluster, name: &str, value: &str) {
    c.run(Command::AlterTopicConfig {
        topic: "orders".into(),
        name: name.into(),
        value: Some(value.into()),
    });
}

fn record(key: Option<&str>, value: Option<&str>, timestamp: i64) -> NewRecord {
    NewRecord {
        key: key.map(Into::into),
        value: value.map(Into::into),
        timestamp: Ms(timestamp),
    }
}

fn write(c: &mut Cluster, client: &str, records: Vec<NewRecord>) -> Option<Reply> {
    let ticket = c.run(Command::Produce {
        client: client.into(),
        partition: partition(P0),
        records,
    });
    c.settle();
    c.world.reply(ticket).cloned()
}

/// Start and end of each replica.
fn bounds(c: &Cluster) -> Vec<(i64, i64)> {
    let one = |b| {
        let replica = c.replica(b);
        (replica.log_start.0, replica.log_end.0)
    };
    [1, 2, 3].map(one).to_vec()
}

/// The segments of every replica: where each begins, and its bytes.
fn segments(c: &Cluster) -> Vec<(i64, i64)> {
    let of = |b| -> Vec<(i64, i64)> {
        let segments = c.replica(b).segments;
        segments
            .iter()
            .map(|(base, bytes)| (base.0, *bytes))
            .collect()
    };
    assert_eq!(of(2), of(1), "the replicas have the same segments");
    assert_eq!(of(3), of(1), "the replicas have the same segments");
    of(1)
}

fn offsets(c: &Cluster) -> Vec<i64> {
    let of = |b| -> Vec<i64> { c.replica(b).records.iter().map(|r| r.offset.0).collect() };
    assert_eq!(of(2), of(1), "the replicas have the same records");
    assert_eq!(of(3), of(1), "the replicas have the same records");
    of(1)
}

fn list(c: &mut Cluster, spec: OffsetSpec) -> Option<i64> {
    let ticket = c.run(Command::ListOffsets {
        client: "asker".into(),
        partition: partition(P0),
        spec,
        isolation: Isolation::ReadUncommitted,
    });
    c.run(Command::Until {
        condition: Condition::Replied(ticket),
        limit: Ms(10_000),
    });
    match c.world.reply(ticket) {
        Some(Reply::Offset(found)) => found.map(|f| f.at.0),
        other => panic!("{other:?}"),
    }
}

fn reader(c: &mut Cluster, client: &str, from: i64, at_once: u32) {
    c.run(Command::Assign {
        client: client.into(),
        partitions: vec![partition(P0)],
        seek: Some(Boundary(from)),
        settings: ConsumerSettings {
            offset_reset: OffsetReset::None,
            max_poll_records: at_once,
            ..ConsumerSettings::default()
        },
    });
}

/// What a poll gives, and the position afterwards.
fn poll(c: &mut Cluster, client: &str) -> (Vec<i64>, Option<i64>) {
    let ticket = c.run(Command::Poll {
        client: client.into(),
        timeout: Ms(5_000),
    });
    c.run(Command::Until {
        condition: Condition::Replied(ticket),
        limit: Ms(10_000),
    });
    match c.world.reply(ticket) {
        Some(Reply::Polled {
            records, positions, ..
        }) => (
            records.iter().map(|(_, r)| r.offset.0).collect(),
            positions.first().and_then(|(_, at)| at.map(|b| b.0)),
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn o2_ten_records_end_at_10_and_begin_at_4_after_retention_by_size_r_ret_5() {
    let mut c = cluster();
    alter(&mut c, "retention.ms", "-1");
    alter(&mut c, "segment.ms", "3600000");
    c.settle();
    for n in 0..5 {
        let at = (n - 20) * 2 * HOUR;
        let value = |i: i64| format!("r{}", 2 * n + i);
        let pair = [0, 1].map(|i| record(None, Some(&value(i)), at));
        write(&mut c, "shop", pair.to_vec());
    }
    assert_eq!(bounds(&c), [(0, 10); 3], "records 0-9: the end is 10");
    let each = [0, 2, 4, 6, 8].map(|base| (base, 79));
    assert_eq!(segments(&c), each);
    // A byte more than four segments: without the oldest it would be less than that.
    alter(&mut c, "retention.bytes", "317");
    c.advance(2_000);
    assert_eq!(bounds(&c), [(0, 10); 3]);
    alter(&mut c, "retention.bytes", "238");
    c.advance(2_000);
    assert_eq!(bounds(&c), [(2, 10); 3]);
    alter(&mut c, "retention.bytes", "237");
    c.advance(2_000);
    assert_eq!(bounds(&c), [(4, 10); 3], "start 4, end 10");
    assert_eq!(segments(&c), each[2..]);
    assert_eq!(list(&mut c, OffsetSpec::Earliest), Some(4));
    assert_eq!(list(&mut c, OffsetSpec::Latest), Some(10));
    // 0 bytes: everything may go, also the active segment; a new one begins at the end first.
    alter(&mut c, "retention.bytes", "0");
    c.advance(2_000);
    assert_eq!(bounds(&c), [(10, 10); 3]);
    assert_eq!(segments(&c), [(10, 0)]);
    alter(&mut c, "retention.bytes", "-1");
    let next = write(&mut c, "shop", vec![record(None, Some("r10"), -HOUR)]);
    assert_eq!(next, Some(Reply::Produced(vec![Some(Offset(10))])));
    assert_eq!(segments(&c), [(10, 71)]);
    let why = |e: &EventKind| match e {
        EventKind::SegmentsDeleted {
            broker: BrokerId(1),
            from,
            to,
            why,
            ..
        } => Some((from.0, to.0, *why)),
        _ => None,
    };
    let told: Vec<_> = c.events.iter().filter_map(|e| why(&e.kind)).collect();
    assert_eq!(
        told,
        [(0, 2), (2, 4), (4, 10)].map(|(from, to)| (from, to, DeleteReason::Size))
    );
}

#[test]
fn o2_retention_by_time_stops_at_the_first_segment_with_a_young_record_r_ret_2_r_ret_4() {
    let mut c = cluster();
    alter(&mut c, "retention.ms", "-1");
    alter(&mut c, "segment.ms", "3600000");
    alter(&mut c, "segment.bytes", "1048576");
    c.settle();
    let large = "x".repeat(600_000);
    let days = |n: i64| -n * DAY;
    let small = |value: &str, at| record(None, Some(value), at);
    let big = |at| record(None, Some(&large), at);
    write(
        &mut c,
        "shop",
        vec![small("r0", days(12)), small("r1", days(12))],
    );
    write(
        &mut c,
        "shop",
        vec![small("r2", days(10)), small("r3", days(10))],
    );
    write(&mut c, "shop", vec![small("r4", days(9)), big(days(1))]);
    // A day newer than 4: a segment's age counts from the largest time of its first batch.
    write(&mut c, "shop", vec![small("r6", days(8))]);
    // It does not fit.
    write(&mut c, "shop", vec![big(days(8))]);
    write(&mut c, "shop", vec![small("r8", -1), small("r9", -1)]);
    let all = [(0, 79), (2, 79), (4, 600_155), (7, 600_072), (8, 79)];
    assert_eq!(segments(&c), all);
    alter(&mut c, "retention.ms", "604800000");
    c.advance(3_000);
    assert_eq!(bounds(&c), [(4, 10); 3]);
    assert_eq!(segments(&c), all[2..]);
    alter(&mut c, "retention.ms", "1000");
    c.advance(3_000);
    assert_eq!(bounds(&c), [(10, 10); 3], "also the active segment");
    assert_eq!(list(&mut c, OffsetSpec::MaxTimestamp), None);
    assert_eq!(list(&mut c, OffsetSpec::Timestamp(Ms(days(20)))), None);
    // The first check is log.initial.task.delay.ms after the start of a broker, each its own.
    assert_eq!(c.world.violations(), []);
}

#[test]
fn o3_offsets_4_8_9_are_left_and_a_read_from_5_returns_8_r_cmp_3_r_cmp_8() {
    let mut c = cluster();
    let settings = [
        ("retention.ms", "-1"),
        ("segment.ms", "86400000"),
        ("min.cleanable.dirty.ratio", "0.0"),
        ("delete.retention.ms", "3000"),
    ];
    for (name, value) in settings {
        alter(&mut c, name, value);
    }
    c.run(Command::Producer {
        client: "shop".into(),
        settings: highwater::kafka::client::settings::ProducerSettings {
            idempotent: false,
            ..Default::default()
        },
    });
    c.settle();
    let put = |c: &mut Cluster, list: &[(&str, Option<&str>, i64)]| {
        let one = |(k, v, at): &(&str, Option<&str>, i64)| record(Some(k), *v, at - RECORDED);
        write(c, "shop", list.iter().map(one).collect());
    };
    put(
        &mut c,
        &[
            ("a", Some("r0"), 1_793_491_200_000),
            ("b", Some("r1"), 1_793_494_800_000),
            ("c", Some("r2"), 1_793_498_400_000),
            ("a", Some("r3"), 1_793_502_000_000),
        ],
    );
    put(
        &mut c,
        &[
            ("a", Some("r4"), 1_793_678_400_000),
            ("b", Some("r5"), 1_793_682_000_000),
            ("c", Some("r6"), 1_793_685_600_000),
            ("b", Some("r7"), 1_793_689_200_000),
        ],
    );
    put(
        &mut c,
        &[
            ("b", Some("r8"), 1_793_865_600_000),
            ("c", Some("r9"), 1_793_869_200_000),
        ],
    );
    put(&mut c, &[("d", Some("r10"), 1_794_182_400_000)]);
    assert_eq!(segments(&c), [(0, 110), (4, 110), (8, 84), (10, 72)]);
    alter(&mut c, "cleanup.policy", "compact");
    for broker in [1, 2, 3] {
        let cleaned = Condition::CleanedTo(BrokerId(broker), partition(P0), Boundary(10));
        c.until(cleaned);
    }
    assert_eq!(offsets(&c), [4, 8, 9, 10]);
    assert_eq!(bounds(&c), [(0, 11); 3], "no boundary has moved");
    assert_eq!(segments(&c), [(0, 155), (10, 72)]);
    // By time: the first record that is left.
    let by_time = [
        1_793_491_200_000,
        1_793_682_000_000,
        1_793_689_200_000,
        1_793_869_200_000,
        1_794_268_800_000,
    ]
    .map(|at| list(&mut c, OffsetSpec::Timestamp(Ms(at - RECORDED))));
    assert_eq!(by_time, [Some(4), Some(8), Some(8), Some(9), None]);
    reader(&mut c, "reader", 5, 500);
    assert_eq!(poll(&mut c, "reader"), (vec![8, 9, 10], Some(11)));
    reader(&mut c, "one", 0, 1);
    assert_eq!(poll(&mut c, "one"), (vec![4], Some(5)));
    assert_eq!(poll(&mut c, "one"), (vec![8], Some(9)));
    assert_eq!(poll(&mut c, "one"), (vec![9], Some(10)));
    // A tombstone takes record 4 with it and stays itself until its horizon has passed.
    put(&mut c, &[("a", None, 1_794_528_000_000)]);
    // 10 is in a closed segment now: it was cleaned, and joined to its neighbour.
    assert_eq!(segments(&c), [(0, 227), (11, 69)]);
    put(&mut c, &[("e", Some("r12"), 1_794_700_800_000)]);
    assert_eq!(offsets(&c), [8, 9, 10, 11, 12]);
    assert_eq!(segments(&c), [(0, 229), (12, 72)]);
    // Without anything new to clean nothing happens, though the horizon has passed.
    c.advance(4_000);
    assert_eq!(offsets(&c), [8, 9, 10, 11, 12]);
    put(&mut c, &[("f", Some("r13"), 1_794_873_600_000)]);
    assert_eq!(offsets(&c), [8, 9, 10, 12, 13]);
    assert_eq!(segments(&c), [(0, 228), (13, 72)]);
    assert_eq!(c.lost(), [""; 0], "what was superseded is not lost");
    assert_eq!(c.world.violations(), []);
    // Whoever comes back cleans for itself; an empty disk is filled with what is left.
    c.kill(3);
    c.wait_isr(&[1, 2]);
    c.run(Command::NewDisk {
        broker: BrokerId(3),
    });
    c.start(3);
    c.wait_isr(&[1, 2, 3]);
    assert_eq!(offsets(&c), [8, 9, 10, 12, 13]);
    assert_eq!(c.world.violations(), []);
}

#[test]
fn o3_a_producers_last_batch_stays_though_nothing_is_left_in_it_r_cmp_7() {
    let mut c = cluster();
    for (name, value) in [
        ("retention.ms", "-1"),
        ("segment.ms", "86400000"),
        ("min.cleanable.dirty.ratio", "0.0"),
    ] {
        alter(&mut c, name, value);
    }
    c.producer("p1", Acks::All, 10);
    c.producer("p2", Acks::All, 10);
    c.settle();
    let at = |n: i64| 1_793_491_200_000 + n * 2 * DAY - RECORDED;
    let keyed = |k: &str, v: &str, n| record(Some(k), Some(v), at(n));
    write(&mut c, "p1", vec![keyed("a", "r0", 0), keyed("b", "r1", 0)]);
    write(&mut c, "p2", vec![keyed("a", "r2", 1), keyed("b", "r3", 1)]);
    write(&mut c, "p2", vec![keyed("c", "r4", 2)]);
    assert_eq!(segments(&c), [(0, 81), (2, 81), (4, 71)]);
    alter(&mut c, "cleanup.policy", "compact");
    c.settle();
    assert_eq!(offsets(&c), [2, 3, 4]);
    assert_eq!(segments(&c), [(0, 142), (4, 71)]);
    for broker in [1, 2, 3] {
        let replica = c.replica(broker);
        assert_eq!(replica.cleaned_to, Some(Boundary(4)));
        assert_eq!(replica.empty_batches, [(Offset(0), Offset(1))]);
    }
    reader(&mut c, "reader", 0, 1);
    assert_eq!(poll(&mut c, "reader"), (vec![2], Some(3)));
    let same_time = OffsetSpec::Timestamp(Ms(at(0)));
    assert_eq!(list(&mut c, same_time), Some(2));
}

#[test]
fn the_leaders_time_takes_the_place_of_the_producers_and_a_time_too_far_ahead_is_refused() {
    use highwater::kafka::error::KafkaError;
    let mut c = cluster();
    // Run o18: an hour ahead at most.
    let ahead = record(None, Some("future"), 2 * HOUR + c.world.now().0);
    let refused = write(&mut c, "shop", vec![ahead.clone()]);
    assert_eq!(
        refused,
        Some(Reply::Failed(KafkaError::InvalidTimestamp, None))
    );
    alter(&mut c, "message.timestamp.type", "LogAppendTime");
    c.settle();
    let taken = write(
        &mut c,
        "shop",
        vec![ahead.clone(), record(None, Some("b"), -5)],
    );
    assert!(matches!(taken, Some(Reply::Produced(_))), "{taken:?}");
    let times: Vec<Ms> = c.replica(2).records.iter().map(|r| r.timestamp).collect();
    assert_eq!(times[0], times[1], "all records of a batch get the same");
    assert!(times[0] < ahead.timestamp);
    assert_eq!(list(&mut c, OffsetSpec::MaxTimestamp), Some(0));
}

#[test]
fn looks_at_logs_that_change_nothing_do_not_keep_a_world_from_settling() {
    let mut c = cluster();
    alter(&mut c, "cleanup.policy", "compact");
    c.settle();
    let before = c.world.now();
    c.settle();
    assert_eq!(c.world.now().since(before), Ms(1_500));
}
