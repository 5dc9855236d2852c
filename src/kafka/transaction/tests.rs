//! The states of a transactional id, by rule.

use super::message::*;
use super::*;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;

const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
const OTHER: Tp = Tp {
    topic: TopicId(0),
    partition: 1,
};
const TIMEOUT: Ms = Ms(60_000);

fn producer(epoch: i16) -> ProducerRef {
    ProducerRef { id: 7, epoch }
}

fn settle(entry: &mut Entry, to: Metadata) {
    entry.pending = Some(to);
    entry.committed();
}

/// An id with this epoch and nothing open.
fn at_epoch(epoch: i16, version: u8) -> Entry {
    let mut entry = Entry::new(7, version);
    for _ in 0..=epoch {
        match entry.init(TIMEOUT, None, 7, version).unwrap() {
            Initialised::Given(to) => settle(&mut entry, to),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(entry.now.producer, producer(epoch));
    entry
}

fn open(epoch: i16, version: u8) -> Entry {
    let mut entry = at_epoch(epoch, version);
    let to = entry.add(producer(epoch), &[TP], Ms(100), version).unwrap();
    settle(&mut entry, to.unwrap());
    entry
}

fn decide(entry: &mut Entry, epoch: i16, commit: bool, version: u8) {
    match entry
        .end(producer(epoch), commit, Ms(200), version)
        .unwrap()
    {
        Ended::Prepare(to) => settle(entry, to),
        other => panic!("{other:?}"),
    }
}

#[test]
fn r_txn_1_the_epoch_rises_with_the_decision() {
    let mut entry = open(3, 2);
    decide(&mut entry, 3, true, 2);
    assert_eq!(entry.now.state, TransactionState::PrepareCommit);
    assert_eq!(entry.now.producer, producer(4), "the marker's epoch");
    assert!(entry.markers.contains(&TP));
    let to = entry.complete();
    settle(&mut entry, to);
    assert_eq!(entry.now.producer, producer(4), "the next transaction's");
    assert!(entry.now.partitions.is_empty());
    // The answer was lost: the same request again is answered the same.
    assert_eq!(
        entry.end(producer(3), true, Ms(300), 2),
        Ok(Ended::Again(producer(4)))
    );
    assert_eq!(
        entry.end(producer(3), false, Ms(300), 2),
        Err(KafkaError::InvalidTxnState)
    );
}

#[test]
fn r_txn_2_with_version_1_the_epoch_stays() {
    let mut entry = open(3, 1);
    decide(&mut entry, 3, true, 1);
    assert_eq!(entry.now.producer, producer(3));
    let to = entry.complete();
    settle(&mut entry, to);
    assert_eq!(
        entry.end(producer(3), true, Ms(300), 1),
        Ok(Ended::Again(producer(3)))
    );
}

#[test]
fn r_txn_3_over_an_open_transaction_the_epoch_rises_twice() {
    for version in [1, 2] {
        let mut entry = open(3, version);
        match entry.init(TIMEOUT, None, 7, version).unwrap() {
            Initialised::AbortFirst(to) => settle(&mut entry, to),
            other => panic!("{other:?}"),
        }
        assert_eq!(entry.now.state, TransactionState::PrepareAbort);
        assert_eq!(entry.now.producer, producer(4));
        let again = entry.init(TIMEOUT, None, 7, version);
        assert_eq!(again, Err(KafkaError::ConcurrentTransactions));
        let to = entry.complete();
        settle(&mut entry, to);
        match entry.init(TIMEOUT, None, 7, version).unwrap() {
            Initialised::Given(to) => assert_eq!(to.producer, producer(5)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn r_txn_5_after_a_timeout_the_abort_of_the_old_epoch_succeeds() {
    let mut entry = open(0, 2);
    assert!(!entry.is_timed_out(Ms(60_100)));
    assert!(entry.is_timed_out(Ms(60_101)));
    let to = entry.abort_and_fence(2);
    settle(&mut entry, to);
    let to = entry.complete();
    settle(&mut entry, to);
    assert!(!entry.is_timed_out(Ms(100_000)));
    assert_eq!(
        entry.end(producer(0), false, Ms(70_000), 2),
        Ok(Ended::Again(producer(1)))
    );
}

#[test]
fn r_txn_6_an_older_epoch_is_fenced() {
    let entry = at_epoch(5, 2);
    let fenced = Err(KafkaError::ProducerFenced);
    assert_eq!(entry.end(producer(3), false, Ms(0), 2), fenced);
    assert_eq!(
        entry.add(producer(3), &[TP], Ms(0), 2),
        Err(KafkaError::ProducerFenced)
    );
    let stranger = ProducerRef { id: 8, epoch: 5 };
    let unknown = Err(KafkaError::InvalidProducerIdMapping);
    assert_eq!(entry.add(stranger, &[TP], Ms(0), 2), unknown);
}

#[test]
fn partitions_are_added_once_and_nothing_overtakes_a_change_under_way() {
    let mut entry = open(0, 2);
    assert_eq!(entry.add(producer(0), &[TP], Ms(150), 2), Ok(None));
    let to = entry
        .add(producer(0), &[OTHER], Ms(150), 2)
        .unwrap()
        .unwrap();
    assert_eq!(to.started, Some(Ms(100)), "when the transaction began");
    entry.pending = Some(to);
    let busy = KafkaError::ConcurrentTransactions;
    assert_eq!(entry.add(producer(0), &[TP], Ms(150), 2), Err(busy));
    assert_eq!(entry.end(producer(0), true, Ms(150), 2), Err(busy));
    assert_eq!(entry.init(TIMEOUT, None, 7, 2), Err(busy));
    entry.committed();
    assert_eq!(entry.now.partitions.len(), 2);
}

#[test]
fn with_version_2_nothing_can_be_aborted_but_not_committed() {
    let mut entry = at_epoch(0, 2);
    let commit = entry.end(producer(0), true, Ms(0), 2);
    assert_eq!(commit, Err(KafkaError::InvalidTxnState));
    decide(&mut entry, 0, false, 2);
    assert_eq!(entry.now.producer, producer(1));
    assert!(entry.markers.is_empty());
}

struct Orders;

impl TopicNames for Orders {
    fn name(&self, tp: Tp) -> Option<String> {
        Some(format!("orders-{}", tp.partition))
    }
    fn tp(&self, name: &str) -> Option<Tp> {
        let partition = name.strip_prefix("orders-")?.parse().ok()?;
        Some(Tp { partition, ..TP })
    }
}

#[test]
fn what_is_written_is_read_back() {
    let mut entry = open(0, 2);
    let to = entry
        .add(producer(0), &[OTHER], Ms(150), 2)
        .unwrap()
        .unwrap();
    settle(&mut entry, to);
    let text = entry.now.text(&Orders);
    assert_eq!(
        text,
        "Ongoing producerId=7 epoch=0 timeout=60000 version=2 start=100 partitions=orders-0,orders-1"
    );
    assert_eq!(Metadata::parse(&text, &Orders), Some(entry.now.clone()));
    decide(&mut entry, 0, true, 2);
    let text = entry.now.text(&Orders);
    assert!(text.contains("lastEpoch=0"), "{text}");
    let read = Metadata::parse(&text, &Orders).unwrap();
    assert_eq!(
        Entry::read(read).markers,
        entry.markers,
        "what is still to be done"
    );
    for wrong in [
        "",
        "Open",
        "Ongoing epoch",
        "Ongoing epoch=x",
        "Ongoing who=1",
    ] {
        assert_eq!(Metadata::parse(wrong, &Orders), None, "{wrong}");
    }
}
