//! Transactions and cleaning on one log, with the figures of run o08 and of the sheet's account of
//! run o03c.

use super::*;
use crate::kafka::batch::{Control, NewRecord, Stamp};

fn stamp(producer_id: i64, epoch: i16, base_sequence: i32) -> Option<Stamp> {
    Some(Stamp {
        producer_id,
        epoch,
        base_sequence,
    })
}

/// A log of a leader that is alone in its ISR.
struct Alone(Log);

impl Alone {
    fn append(&mut self, batch: &NewBatch) -> Result<i64, KafkaError> {
        let rules = AppendRules::default();
        let done = self.0.append_as_leader(batch, Epoch(0), Ms(1_000), rules)?;
        self.0.maybe_increment_high_watermark(self.0.end());
        Ok(done.base.0)
    }

    fn write(&mut self, key: &str, stamp: Option<Stamp>) -> Result<i64, KafkaError> {
        let record = NewRecord {
            key: Some(key.into()),
            value: Some("v".into()),
            timestamp: Ms(0),
        };
        self.append(&NewBatch {
            stamp,
            transactional: stamp.is_some(),
            ..NewBatch::plain([record])
        })
    }

    fn end(&mut self, producer_id: i64, epoch: i16, control: Control) -> Result<i64, KafkaError> {
        self.append(&NewBatch {
            stamp: stamp(producer_id, epoch, -1),
            transactional: true,
            control: Some(control),
            ..NewBatch::plain([])
        })
    }

    fn lso(&self) -> i64 {
        self.0.last_stable().0
    }

    /// One round over everything below the active segment, and which records are left.
    fn clean(&mut self, now: i64) -> Vec<i64> {
        self.0.clean(&Cleaning {
            first_dirty: Boundary(0),
            first_uncleanable: self.0.active_base(),
            now: Ms(now),
            delete_retention: Ms(3_000),
            segment_bytes: 1 << 30,
            keys: 100,
        });
        let records = self.0.batches().iter().flat_map(|b| b.records.iter());
        records.map(|r| r.offset.0).collect()
    }
}

#[test]
fn the_last_stable_offset_goes_as_recorded_in_o08_r_lso_1_r_lso_4_r_txn_1() {
    let mut log = Alone(Log::new());
    for _ in 0..2 {
        log.write("k", None).expect("plain records are taken");
    }
    let (a, b) = (7, 8);
    log.write("a2", stamp(a, 0, 0)).expect("A's first");
    log.write("a3", stamp(a, 0, 1)).expect("A's second");
    log.write("r4", None).expect("a plain one behind it");
    assert_eq!((log.0.high_watermark().0, log.lso()), (5, 2));
    assert_eq!(log.end(a, 1, Control::Commit), Ok(5));
    assert_eq!(log.lso(), 6);
    // The marker has ended epoch 0: the producer goes on with 1, from sequence 0.
    let old = log.write("late", stamp(a, 0, 2));
    assert_eq!(old, Err(KafkaError::InvalidProducerEpoch));
    log.write("b6", stamp(b, 0, 0)).expect("B's first");
    log.write("b7", stamp(b, 0, 1)).expect("B's second");
    assert_eq!(log.lso(), 6);
    assert_eq!(log.end(b, 1, Control::Abort), Ok(8));
    assert_eq!(log.lso(), 9);
    assert_eq!(log.write("a9", stamp(a, 1, 0)), Ok(9));
    assert_eq!(log.write("b10", stamp(b, 1, 0)), Ok(10));
    assert_eq!(log.write("a11", stamp(a, 1, 1)), Ok(11));
    assert_eq!(log.write("r12", None), Ok(12));
    assert_eq!(log.end(b, 2, Control::Commit), Ok(13));
    assert_eq!(log.lso(), 9, "A is open in front");
    assert_eq!(log.end(a, 2, Control::Abort), Ok(14));
    assert_eq!(log.lso(), 15);
    let producers = log.0.producers();
    let between = |from, to| producers.aborted_between(Boundary(from), Boundary(to));
    assert_eq!(between(0, 15), [(b, Offset(6)), (a, Offset(9))]);
    assert_eq!(between(9, 15), [(a, Offset(9))]);
    assert_eq!(between(0, 6), []);
    // A broker that starts anew knows the same (the index is a file of its own).
    let mut loaded = log.0.clone();
    loaded.load(Boundary(15));
    assert_eq!(loaded, log.0);
}

#[test]
fn an_aborted_transaction_goes_in_three_rounds_r_cmp_6_r_cmp_7() {
    let mut log = Alone(Log::new());
    log.write("x", stamp(1, 0, 0)).expect("data");
    log.end(1, 1, Control::Abort).expect("its marker");
    log.write("y", stamp(2, 0, 0)).expect("data");
    log.end(2, 1, Control::Commit).expect("its marker");
    log.write("z", None).expect("a plain one");
    log.0.roll();
    log.write("w", None).expect("the active segment");
    // Round 1 drops the data; the marker still stands for it.
    assert_eq!(log.clean(10_000), [1, 2, 3, 4, 5]);
    assert_eq!(log.0.batches()[0].delete_horizon, None);
    // Round 2 finds no data left: the marker gets its horizon.
    assert_eq!(log.clean(11_000), [1, 2, 3, 4, 5]);
    assert_eq!(log.0.batches()[0].delete_horizon, Some(Ms(14_000)));
    assert_eq!(log.0.producers().aborted(), [], "the index is written anew");
    assert_eq!(log.clean(13_999), [1, 2, 3, 4, 5]);
    // Round 3, the horizon past: the marker goes. Its batch stays: it gave the producer its epoch.
    assert_eq!(log.clean(14_000), [2, 3, 4, 5]);
    let first = &log.0.batches()[0];
    assert_eq!(
        (first.base, first.last, first.records.len()),
        (Offset(1), Offset(1), 0)
    );
    // The commit marker stays as long as its data does.
    assert_eq!(log.clean(90_000), [2, 3, 4, 5]);
    assert_eq!((log.0.start(), log.0.end()), (Boundary(0), Boundary(6)));
}

#[test]
fn a_new_segment_begins_when_it_would_get_too_large_or_too_old_r_off_9() {
    let rules = AppendRules {
        segment_bytes: 150,
        segment_ms: Ms(1_000),
        ..AppendRules::default()
    };
    let mut log = Log::new();
    let mut put = |times: &[i64]| {
        let records = times.iter().map(|t| NewRecord {
            timestamp: Ms(*t),
            ..NewRecord::value("0123456789")
        });
        let batch = NewBatch::plain(records);
        log.append_as_leader(&batch, Epoch(0), Ms(0), rules)
            .expect("it fits a segment");
        log.segment_bases().map(|b| b.0).collect::<Vec<_>>()
    };
    // 78 bytes each: two do not fit into 150.
    assert_eq!(put(&[0]), [0]);
    assert_eq!(put(&[0]), [0, 1]);
    let roomy = AppendRules {
        segment_bytes: 10_000,
        ..rules
    };
    let mut log = Log::new();
    let mut put = |times: &[i64]| {
        let records = times.iter().map(|t| NewRecord {
            timestamp: Ms(*t),
            ..NewRecord::value("v")
        });
        let batch = NewBatch::plain(records);
        log.append_as_leader(&batch, Epoch(0), Ms(0), roomy)
            .expect("it fits a segment");
        log.segment_bases().map(|b| b.0).collect::<Vec<_>>()
    };
    // Age counts from the largest time of the first batch (500), not from its first record.
    assert_eq!(put(&[0, 500]), [0]);
    assert_eq!(put(&[1_500]), [0], "exactly segment.ms is not too old");
    assert_eq!(put(&[100]), [0]);
    assert_eq!(put(&[1_501]), [0, 4]);
}

#[test]
fn a_truncation_opens_the_segment_again_that_is_last_then_r_trc_1() {
    let mut log = Alone(Log::new());
    for n in 0..6 {
        if n % 2 == 0 {
            log.0.roll();
        }
        log.write("k", None).expect("taken");
    }
    let fresh: Vec<Segment> = log.0.segments().copied().collect();
    log.0.truncate_to(Boundary(3));
    let bases: Vec<i64> = log.0.segment_bases().map(|b| b.0).collect();
    assert_eq!(bases, [0, 2]);
    assert_eq!(
        log.0.segments().last().map(|s| s.bytes),
        Some(fresh[1].bytes / 2)
    );
    log.write("k", None).expect("taken");
    assert_eq!(log.0.segments().last(), Some(&fresh[1]));
}
