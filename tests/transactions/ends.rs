//! Commit and abort: markers, epochs, the last stable offset.

use super::bench::Bench;
use highwater::kafka::error::KafkaError;
use highwater::kafka::transaction::message::TransactionState::*;
use highwater::world::command::TransactionException::{IllegalState, Kafka};

#[test]
fn r_txn_1_the_marker_has_the_next_epoch_and_so_has_the_next_transaction() {
    // The first steps of run o08.
    let mut b = Bench::one();
    b.producer("shop", None);
    b.ready("A", "A");
    assert_eq!(b.state("A"), (Empty, 0, vec![]));
    b.send("shop", "r0").unwrap();
    b.begin("A");
    assert_eq!(b.state("A").0, Empty, "nobody else knows of a beginning");
    assert_eq!(b.send("A", "a1"), Ok(1));
    assert_eq!(b.state("A"), (Ongoing, 0, vec!["orders-0".to_string()]));
    assert_eq!(b.send("shop", "r2"), Ok(2));
    assert_eq!(
        b.ends(),
        (3, 1),
        "R-LSO-4: one open transaction holds all behind it"
    );
    b.end("A", true).unwrap();
    b.settle();
    assert_eq!(b.log(0), ["r0", "a1@0", "r2", "COMMIT@1"]);
    assert_eq!(b.ends(), (4, 4));
    assert_eq!(b.state("A"), (CompleteCommit, 1, vec![]));
    b.begin("A");
    b.send("A", "a4").unwrap();
    b.end("A", false).unwrap();
    b.settle();
    assert_eq!(b.log(0)[4..], ["a4@1", "ABORT@2"]);
    assert_eq!(b.state("A"), (CompleteAbort, 2, vec![]));
    assert_eq!(b.ends(), (6, 6));
}

#[test]
fn r_txn_4_a_transaction_that_wrote_nothing_leaves_no_marker() {
    let mut b = Bench::one();
    b.ready("A", "A");
    b.begin("A");
    b.end("A", true).unwrap();
    b.settle();
    assert_eq!(b.log(0), Vec::<String>::new());
    assert_eq!(b.state("A"), (Empty, 0, vec![]));
}

#[test]
fn what_is_called_out_of_turn_is_refused() {
    let mut b = Bench::one();
    b.producer("plain", None);
    assert_eq!(b.init("plain"), Err(IllegalState), "no transactional.id");
    b.producer("A", Some("A"));
    assert_eq!(b.end("A", true), Err(IllegalState), "not initialised");
    assert_eq!(b.send("A", "x"), Err(KafkaError::InvalidTxnState));
    b.init("A").unwrap();
    assert_eq!(b.init("A"), Err(IllegalState), "twice");
    assert_eq!(b.end("A", false), Err(IllegalState), "none open");
    assert_eq!(b.log(0), Vec::<String>::new());
}

#[test]
fn r_txn_5_a_transaction_open_too_long_is_aborted_by_the_coordinator() {
    // Run o08b.
    let every = "transaction.abort.timed.out.transaction.cleanup.interval.ms";
    let mut b = Bench::new(1, &[&[1]], &[(every, "300")]);
    b.producer("shop", None);
    b.producer_with("A", Some("A"), 3_000);
    b.init("A").unwrap();
    b.begin("A");
    b.send("A", "a0").unwrap();
    b.send("shop", "r1").unwrap();
    assert_eq!(b.ends(), (2, 0));
    b.run(highwater::world::command::Command::Advance(
        highwater::kafka::ids::Ms(3_500),
    ));
    assert_eq!(b.log(0), ["a0@0", "r1", "ABORT@1"]);
    assert_eq!(b.ends(), (3, 3));
    assert_eq!(b.state("A"), (CompleteAbort, 1, vec![]));
    let old = KafkaError::InvalidProducerEpoch;
    assert_eq!(b.send("A", "a3"), Err(old));
    assert_eq!(b.end("A", true), Err(Kafka(old)));
    b.end("A", false).unwrap();
    b.begin("A");
    assert_eq!(b.send("A", "a3"), Ok(3));
    b.end("A", true).unwrap();
    b.settle();
    assert_eq!(b.log(0)[3..], ["a3@1", "COMMIT@2"]);
    assert_eq!(b.state("A"), (CompleteCommit, 2, vec![]));
    b.producer_with("Z", Some("Z"), 900_001);
    assert_eq!(
        b.init("Z"),
        Err(Kafka(KafkaError::InvalidTransactionTimeout))
    );
    let known = b.picture().transactions.len();
    assert_eq!(known, 1, "an id that was refused is not known");
}

#[test]
fn r_txn_3_and_6_a_second_process_takes_the_id_and_the_first_is_a_zombie() {
    // Run o14, steps 36 to 43: 3 -> 4 -> 5 there, 0 -> 1 -> 2 here.
    let mut b = Bench::one();
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
    assert_eq!(
        b.init("m"),
        Err(Kafka(KafkaError::ProducerFenced)),
        "for good"
    );
    b.begin("m2");
    assert_eq!(b.send("m2", "second"), Ok(2));
    b.end("m2", true).unwrap();
    b.settle();
    assert_eq!(b.log(0), ["open@0", "ABORT@1", "second@2", "COMMIT@3"]);
}
