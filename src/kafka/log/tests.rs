use super::*;
use crate::kafka::batch::{Control, NewRecord, Stamp};
use crate::kafka::config::CleanupPolicy;
use crate::kafka::log_config::{LogDefaults, LogSettings};

fn plain(n: usize) -> NewBatch {
    NewBatch::plain((0..n).map(|i| NewRecord::value(&format!("v{i}"))))
}

fn stamped(producer_id: i64, epoch: i16, base_sequence: i32, n: usize) -> NewBatch {
    NewBatch {
        stamp: Some(Stamp {
            producer_id,
            epoch,
            base_sequence,
        }),
        ..plain(n)
    }
}

fn marker(producer_id: i64, epoch: i16, control: Control) -> NewBatch {
    NewBatch {
        stamp: Some(Stamp {
            producer_id,
            epoch,
            base_sequence: -1,
        }),
        control: Some(control),
        ..NewBatch::plain([])
    }
}

fn add(log: &mut Log, batch: &NewBatch, epoch: i32) -> Result<Append, KafkaError> {
    log.append_as_leader(batch, Epoch(epoch), Ms(0), AppendRules::default())
}

/// A log of one-record batches of these epochs, replicated to the end.
fn of_epochs(epochs: &[i32]) -> Log {
    let mut log = Log::new();
    for e in epochs {
        add(&mut log, &plain(1), *e).expect("a plain record is taken");
    }
    log.maybe_increment_high_watermark(log.end());
    log
}

#[test]
fn an_append_numbers_the_records_and_leaves_the_high_watermark_r_off_1_r_off_7() {
    let mut log = Log::new();
    add(&mut log, &plain(2), 0).expect("taken");
    let second = add(&mut log, &plain(3), 0).expect("taken");
    assert_eq!((second.base, second.last), (Offset(2), Offset(4)));
    assert_eq!(log.end(), Boundary(5));
    assert_eq!(log.high_watermark(), Boundary(0));
    assert_eq!(log.batches()[1].records[2].offset, Offset(4));
    assert_eq!(log.epochs().entries(), [(Epoch(0), Boundary(0))]);
}

#[test]
fn what_a_leader_refuses_changes_nothing_r_off_8() {
    let mut log = of_epochs(&[0]);
    let before = log.clone();
    let refuse = |log: &mut Log, batch: &NewBatch, rules| {
        log.append_as_leader(batch, Epoch(0), Ms(0), rules)
            .expect_err("refused")
    };
    let compacted = AppendRules {
        compacted: true,
        ..AppendRules::default()
    };
    let small = AppendRules {
        max_message_bytes: 60,
        ..AppendRules::default()
    };
    let short = AppendRules {
        segment_bytes: 60,
        ..AppendRules::default()
    };
    assert_eq!(
        refuse(&mut log, &plain(1), compacted),
        KafkaError::InvalidRecord
    );
    assert_eq!(
        refuse(&mut log, &plain(1), small),
        KafkaError::MessageTooLarge
    );
    assert_eq!(
        refuse(&mut log, &plain(1), short),
        KafkaError::RecordListTooLarge
    );
    assert_eq!(
        refuse(&mut log, &plain(0), AppendRules::default()),
        KafkaError::InvalidRecord
    );
    assert_eq!(log, before);
}

#[test]
fn a_follower_keeps_the_leaders_numbers_and_epochs_r_off_4_r_epc_4() {
    let leader = of_epochs(&[1, 1, 3]);
    let mut follower = Log::new();
    assert_eq!(
        follower.append_as_follower(leader.batches(), Epoch(3)),
        Ok(3)
    );
    assert_eq!(follower.batches(), leader.batches());
    assert_eq!(follower.epochs(), leader.epochs());
    assert_eq!(
        follower.append_as_follower(&leader.batches()[2..], Epoch(3)),
        Err(KafkaError::UnexpectedAppendOffset)
    );
    let mut gap = leader.batches()[2].clone();
    (gap.base, gap.last) = (Offset(7), Offset(7));
    let backwards = [gap.clone(), leader.batches()[1].clone()];
    assert_eq!(
        follower.append_as_follower(&backwards, Epoch(3)),
        Err(KafkaError::OffsetsOutOfOrder)
    );
    assert_eq!(follower.append_as_follower(&[gap], Epoch(3)), Ok(1));
    assert_eq!(follower.end(), Boundary(8));
}

#[test]
fn a_follower_leaves_batches_of_a_later_epoch_r_off_6() {
    let leader = of_epochs(&[3, 4, 5, 4]);
    let mut follower = Log::new();
    assert_eq!(
        follower.append_as_follower(leader.batches(), Epoch(4)),
        Ok(2)
    );
    assert_eq!(follower.end(), Boundary(2));
    assert_eq!(
        follower.append_as_follower(&leader.batches()[2..], Epoch(4)),
        Ok(0)
    );
}

#[test]
fn the_high_watermark_rises_on_a_leader_and_follows_on_a_follower_r_hw_3_r_hw_4() {
    let mut log = of_epochs(&[0, 0, 0]);
    assert_eq!(log.maybe_increment_high_watermark(Boundary(2)), None);
    assert_eq!(log.high_watermark(), Boundary(3));
    let moved = log.update_high_watermark(Boundary(1));
    assert_eq!(moved, Some((Boundary(3), Boundary(1))));
    let moved = log.update_high_watermark(Boundary(9));
    assert_eq!(
        moved,
        Some((Boundary(1), Boundary(3))),
        "not beyond its own end"
    );
    assert_eq!(log.update_high_watermark(Boundary(9)), None);
}

#[test]
fn reads_give_whole_batches_below_the_bound_r_read() {
    let mut log = Log::new();
    for n in [3, 2, 1] {
        add(&mut log, &plain(n), 0).expect("taken");
    }
    log.maybe_increment_high_watermark(Boundary(5));
    let bases = |from: i64, below: i64| -> Result<Vec<i64>, KafkaError> {
        let batches = log.read(Boundary(from), Boundary(below), 10)?;
        Ok(batches.iter().map(|b| b.base.0).collect())
    };
    assert_eq!(bases(1, 5), Ok(vec![0, 3]), "the asker drops record 0");
    assert_eq!(bases(4, 6), Ok(vec![3, 5]));
    assert_eq!(bases(5, 5), Ok(vec![]), "waits, no error");
    assert_eq!(bases(6, 5), Ok(vec![]), "between high watermark and end");
    assert_eq!(
        bases(0, 4),
        Ok(vec![0]),
        "a batch across the bound stays back"
    );
    assert_eq!(bases(7, 6), Err(KafkaError::OffsetOutOfRange));
    assert_eq!(
        log.read(Boundary(0), Boundary(6), 1).map(|b| b.len()),
        Ok(1)
    );
    log.maybe_increment_start(Boundary(4))
        .expect("below the high watermark");
    assert_eq!(
        log.read(Boundary(3), Boundary(6), 1),
        Err(KafkaError::OffsetOutOfRange)
    );
}

#[test]
fn the_start_never_passes_the_high_watermark_r_del_1() {
    let mut log = of_epochs(&[0, 0, 2, 2]);
    log.update_high_watermark(Boundary(3));
    assert_eq!(
        log.maybe_increment_start(Boundary(4)),
        Err(KafkaError::OffsetOutOfRange)
    );
    assert_eq!(log.maybe_increment_start(Boundary(3)), Ok(true));
    assert_eq!(log.maybe_increment_start(Boundary(3)), Ok(false));
    assert_eq!(log.epochs().entries(), [(Epoch(2), Boundary(3))]);
    assert_eq!(log.batches().len(), 4, "the files go later");
}

#[test]
fn cutting_inside_a_batch_ends_exactly_there_r_trc_1_r_hw_5() {
    let mut log = of_epochs(&[0, 1]);
    add(&mut log, &plain(3), 2).expect("taken");
    log.maybe_increment_high_watermark(Boundary(5));
    let cut = log.truncate_to(Boundary(4));
    assert_eq!(cut.len(), 1, "the batch that holds it goes whole");
    assert_eq!(log.end(), Boundary(4));
    assert_eq!(log.high_watermark(), Boundary(4));
    assert_eq!(
        log.latest_epoch(),
        Some(Epoch(2)),
        "began at 2, below the cut"
    );
    let next = add(&mut log, &plain(1), 5).expect("taken");
    assert_eq!(next.base, Offset(4));
}

#[test]
fn cutting_at_the_end_only_trims_epochs_r_trc_1() {
    let mut log = of_epochs(&[0, 1]);
    log.assign_epoch(Epoch(4), Boundary(2));
    assert!(log.truncate_to(Boundary(2)).is_empty());
    assert_eq!(log.latest_epoch(), Some(Epoch(1)));
    assert_eq!(log.end(), Boundary(2));
}

#[test]
fn cutting_below_the_start_lowers_it_and_below_the_files_empties_r_trc_1() {
    let mut log = Log::new();
    log.truncate_fully_and_start_at(Boundary(5), None);
    for _ in 0..4 {
        add(&mut log, &plain(1), 0).expect("taken");
    }
    log.maybe_increment_high_watermark(Boundary(9));
    log.maybe_increment_start(Boundary(8))
        .expect("below the high watermark");
    log.truncate_to(Boundary(6));
    assert_eq!((log.start(), log.end()), (Boundary(6), Boundary(6)));
    assert_eq!(log.truncate_to(Boundary(2)).len(), 1);
    assert_eq!((log.start(), log.end()), (Boundary(2), Boundary(2)));
    assert_eq!(log.high_watermark(), Boundary(2));
}

#[test]
fn a_start_of_the_broker_forgets_epochs_without_records_r_hw_2_r_epc_5() {
    let mut log = of_epochs(&[0, 0, 2]);
    log.assign_epoch(Epoch(7), Boundary(3));
    log.load(Boundary(1));
    assert_eq!(log.high_watermark(), Boundary(1));
    assert_eq!(log.latest_epoch(), Some(Epoch(2)));
    log.load(Boundary(44));
    assert_eq!(log.high_watermark(), Boundary(3));
    log.maybe_increment_start(Boundary(3))
        .expect("below the high watermark");
    assert_eq!(log.epochs().entries(), [(Epoch(2), Boundary(3))]);
    log.load(Boundary(0));
    assert!(log.epochs().entries().is_empty(), "nothing is left of any");
    assert_eq!(log.high_watermark(), Boundary(3), "not below the start");
}

#[test]
fn duplicates_gaps_and_old_epochs_r_idm_1_to_3_r_idm_7() {
    let mut log = Log::new();
    for seq in 0..6 {
        add(&mut log, &stamped(1, 0, seq, 1), 0).expect("in sequence");
    }
    let again = add(&mut log, &stamped(1, 0, 1, 1), 0).expect("remembered");
    assert_eq!((again.base, again.duplicate), (Offset(1), true));
    let out_of_order = Err(KafkaError::OutOfOrderSequenceNumber);
    assert_eq!(
        add(&mut log, &stamped(1, 0, 0, 1), 0),
        out_of_order,
        "too old"
    );
    assert_eq!(
        add(&mut log, &stamped(1, 0, 5, 2), 0),
        out_of_order,
        "overlap"
    );
    assert_eq!(add(&mut log, &stamped(1, 0, 7, 1), 0), out_of_order, "gap");
    assert_eq!(
        add(&mut log, &stamped(1, 1, 3, 1), 0),
        out_of_order,
        "new epoch"
    );
    assert!(add(&mut log, &stamped(1, 1, 0, 1), 0).is_ok());
    assert_eq!(
        add(&mut log, &stamped(1, 0, 6, 1), 0),
        Err(KafkaError::InvalidProducerEpoch)
    );
    assert!(
        add(&mut log, &stamped(2, 0, 41, 1), 0).is_ok(),
        "unknown: any"
    );
    assert_eq!(log.end(), Boundary(8));
}

#[test]
fn sequences_wrap_r_idm_2() {
    let mut log = Log::new();
    add(&mut log, &stamped(1, 0, i32::MAX - 1, 4), 0).expect("unknown: any");
    assert!(add(&mut log, &stamped(1, 0, 2, 1), 0).is_ok());
    let again = add(&mut log, &stamped(1, 0, i32::MAX - 1, 4), 0).expect("remembered");
    assert!(again.duplicate);
}

#[test]
fn a_follower_and_a_cut_log_know_duplicates_too_r_idm_4() {
    let mut leader = Log::new();
    for seq in 0..3 {
        add(&mut leader, &stamped(1, 0, seq, 1), 0).expect("in sequence");
    }
    let mut follower = Log::new();
    follower
        .append_as_follower(leader.batches(), Epoch(0))
        .expect("taken");
    assert_eq!(follower.producers(), leader.producers());
    follower.truncate_to(Boundary(2));
    let again = add(&mut follower, &stamped(1, 0, 1, 1), 1).expect("remembered");
    assert!(again.duplicate);
    let next = add(&mut follower, &stamped(1, 0, 2, 1), 1).expect("in sequence");
    assert_eq!(
        (next.base, next.duplicate),
        (Offset(2), false),
        "its record was cut"
    );
}

#[test]
fn producers_expire_unless_a_transaction_is_open_r_idm_4() {
    let mut log = Log::new();
    add(&mut log, &stamped(1, 0, 0, 1), 0).expect("taken");
    let open = NewBatch {
        transactional: true,
        ..stamped(2, 0, 0, 1)
    };
    add(&mut log, &open, 0).expect("taken");
    log.remove_expired_producers(Ms(99), Ms(100));
    assert!(log.producers().get(1).is_some());
    log.remove_expired_producers(Ms(100), Ms(100));
    assert!(log.producers().get(1).is_none());
    assert!(log.producers().get(2).is_some());
}

#[test]
fn an_open_transaction_holds_the_last_stable_offset_until_its_marker_is_replicated_r_lso() {
    let mut log = of_epochs(&[0]);
    let data = NewBatch {
        transactional: true,
        ..stamped(7, 0, 0, 2)
    };
    add(&mut log, &data, 0).expect("taken");
    add(&mut log, &plain(1), 0).expect("taken");
    log.maybe_increment_high_watermark(Boundary(4));
    assert_eq!(log.last_stable(), Boundary(1));
    let end = add(&mut log, &marker(7, 1, Control::Abort), 0).expect("taken");
    assert_eq!(
        (end.base, end.last),
        (Offset(4), Offset(4)),
        "one number (R-OFF-3)"
    );
    assert_eq!(
        log.last_stable(),
        Boundary(1),
        "marker not yet below the high watermark"
    );
    log.maybe_increment_high_watermark(Boundary(5));
    assert_eq!(log.last_stable(), Boundary(5));
    let aborted = log.producers().aborted()[0];
    assert_eq!((aborted.first, aborted.last), (Offset(1), Offset(4)));
    log.truncate_to(Boundary(4));
    assert_eq!(
        log.last_stable(),
        Boundary(1),
        "the marker was cut: open again"
    );
}

#[test]
fn times_are_looked_up_in_order_of_numbers_r_lst_2_r_lst_4() {
    let mut log = Log::new();
    for ms in [10, 50, 40, 60, 60] {
        let record = NewRecord {
            timestamp: Ms(ms),
            ..NewRecord::value("v")
        };
        add(&mut log, &NewBatch::plain([record]), 0).expect("taken");
    }
    log.maybe_increment_high_watermark(Boundary(5));
    let at = |log: &Log, ms, below| {
        log.lookup_timestamp(Ms(ms), Boundary(below))
            .map(|(at, time)| (at.0, time.0))
    };
    assert_eq!(at(&log, 20, 5), Some((1, 50)));
    assert_eq!(at(&log, 55, 3), None, "at the asker's bound");
    assert_eq!(at(&log, 61, 5), None);
    log.maybe_increment_start(Boundary(5))
        .expect("at the high watermark");
    assert_eq!(at(&log, 20, 5), None);
    assert_eq!(
        log.max_timestamp(),
        Some((Boundary(3), Ms(60))),
        "start is not asked"
    );
    log.truncate_fully_and_start_at(Boundary(5), None);
    assert_eq!(log.max_timestamp(), None);
}

#[test]
fn compaction_and_deletion_move_no_boundary_r_cmp_3_r_cmp_7_r_cmp_8_r_ret_6() {
    let keyed = |key: &str, stamp| NewBatch {
        stamp,
        ..NewBatch::plain([NewRecord {
            key: Some(key.into()),
            ..NewRecord::value("v")
        }])
    };
    let mut log = Log::new();
    let stamp = stamped(1, 0, 0, 1).stamp;
    for batch in [
        keyed("a", None),
        keyed("b", stamp),
        keyed("a", None),
        keyed("b", None),
    ] {
        add(&mut log, &batch, 0).expect("taken");
    }
    log.roll();
    add(&mut log, &keyed("a", None), 0).expect("taken");
    log.maybe_increment_high_watermark(Boundary(5));
    let cleaned = log.clean(&Cleaning {
        first_dirty: Boundary(0),
        first_uncleanable: log.active_base(),
        now: Ms(0),
        delete_retention: Ms(0),
        segment_bytes: 1 << 30,
        keys: 100,
    });
    assert_eq!(
        (cleaned.to, cleaned.removed),
        (Boundary(4), vec![Offset(0), Offset(1)])
    );
    let left: Vec<(i64, usize)> = log
        .batches()
        .iter()
        .map(|b| (b.base.0, b.records.len()))
        .collect();
    // The active segment neither loses its record nor supersedes older ones; 1 is its producer's last.
    assert_eq!(left, [(1, 0), (2, 1), (3, 1), (4, 1)]);
    assert_eq!((log.start(), log.end()), (Boundary(0), Boundary(5)));
    assert_eq!(log.high_watermark(), Boundary(5));
    let server = LogDefaults::default();
    let settings = LogSettings {
        server: &server,
        topic: None,
        policy: CleanupPolicy::Compact,
    };
    assert!(log.delete_old(Ms(0), &settings).is_empty());
    log.maybe_increment_start(Boundary(4))
        .expect("below the high watermark");
    let deleted = log.delete_old(Ms(0), &settings);
    assert_eq!(deleted.iter().map(|d| d.segments).sum::<u32>(), 1);
    assert_eq!(log.batches().len(), 1);
    assert_eq!((log.start(), log.end()), (Boundary(4), Boundary(5)));
}

#[test]
fn equal_logs_are_equal_however_they_came_about() {
    let mut a = of_epochs(&[0, 0, 0, 1]);
    a.truncate_to(Boundary(2));
    a.maybe_increment_high_watermark(Boundary(2));
    let b = of_epochs(&[0, 0]);
    assert_eq!(a, b);
    let hash = |log: &Log| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut h = DefaultHasher::new();
        log.hash(&mut h);
        h.finish()
    };
    assert_eq!(hash(&a), hash(&b));
}
