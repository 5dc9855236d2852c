//! transaction.version 1: the epoch does not rise with a transaction (R-TXN-2).

use super::bench::Bench;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::transaction::message::TransactionState::*;
use highwater::world::command::TransactionException::Kafka;

fn older() -> Bench {
    Bench::new(1, &[&[1]], &[("transaction.version", "1")])
}

#[test]
fn r_txn_2_data_and_marker_have_the_same_epoch() {
    let mut b = older();
    b.ready("A", "A");
    for value in ["a", "b"] {
        b.begin("A");
        b.send("A", value).unwrap();
        b.end("A", true).unwrap();
        b.settle();
    }
    assert_eq!(b.log(0), ["a@0", "COMMIT@0", "b@0", "COMMIT@0"]);
    assert_eq!(b.state("A"), (CompleteCommit, 0, vec![]));
    assert_eq!(b.ends(), (4, 4));
}

#[test]
fn r_txn_3_and_6_the_epoch_rises_twice_over_an_open_transaction() {
    let mut b = older();
    b.ready("m", "mailer");
    b.begin("m");
    b.send("m", "open").unwrap();
    b.ready("m2", "mailer");
    assert_eq!(b.log(0), ["open@0", "ABORT@1"]);
    assert_eq!(b.state("mailer"), (Empty, 2, vec![]));
    let old = KafkaError::InvalidProducerEpoch;
    assert_eq!(b.send("m", "zombie"), Err(old));
    assert_eq!(b.end("m", true), Err(Kafka(old)));
    assert_eq!(b.end("m", false), Err(Kafka(KafkaError::ProducerFenced)));
}

#[test]
fn an_aborted_batch_makes_the_producer_ask_for_a_higher_epoch() {
    let mut b = older();
    b.ready("A", "A");
    b.begin("A");
    // Too large for the topic: refused for good, so the transaction can only be aborted.
    let large = "x".repeat(1_100_000);
    assert_eq!(b.send("A", &large), Err(KafkaError::MessageTooLarge));
    let wrapped = highwater::world::command::TransactionException::InErrorState(
        highwater::world::command::ErrorCause::Kafka(KafkaError::MessageTooLarge),
    );
    assert_eq!(b.end("A", true), Err(wrapped));
    b.end("A", false).unwrap();
    assert_eq!(b.state("A").1, 1);
    let ended = |e: &&highwater::kafka::event::Event| {
        matches!(
            e.kind,
            EventKind::TransactionEnded {
                commit: false,
                error: None,
                ..
            }
        )
    };
    assert_eq!(b.events.iter().filter(ended).count(), 1);
    b.begin("A");
    b.send("A", "a").unwrap();
    b.end("A", true).unwrap();
    b.settle();
    assert_eq!(b.log(0).last().unwrap(), "COMMIT@1");
}
