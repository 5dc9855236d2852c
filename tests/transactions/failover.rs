//! The coordinator, or the leader of a partition, changes in the middle of a transaction.

use super::bench::Bench;
use highwater::kafka::ids::*;
use highwater::kafka::message::NodeId;
use highwater::kafka::transaction::message::TransactionState::*;
use highwater::world::command::{Command, Keep};

/// Transactional id `C`: its partition of `__transaction_state` is 17, on brokers 2, 3 and 4 of
/// four. The topic is on broker 1 alone, or on 1 and 3.
fn four(orders: &[u8]) -> Bench {
    let mut b = Bench::new(4, &[orders], &[]);
    b.ready("p", "C");
    assert_eq!(b.coordinator("C"), 2);
    b
}

impl Bench {
    fn kill(&mut self, broker: u8) {
        self.run(Command::Kill {
            broker: BrokerId(broker),
            keep: Keep::Everything,
        });
        // The session runs out, a new leader is elected.
        self.run(Command::Advance(Ms(15_000)));
    }

    fn cut(&mut self, from: u8, to: u8) {
        let (from, to) = (NodeId::Broker(BrokerId(from)), NodeId::Broker(BrokerId(to)));
        self.run(Command::Cut { from, to });
    }
}

#[test]
fn an_id_without_a_transaction_survives_its_coordinator() {
    let mut b = four(&[1]);
    let given = b.describe("C").producer;
    b.kill(2);
    assert_eq!(b.coordinator("C"), 3);
    assert_eq!(b.state("C"), (Empty, 0, vec![]));
    assert_eq!(b.describe("C").producer, given);
    b.begin("p");
    b.send("p", "a").unwrap();
    b.end("p", true).unwrap();
    b.settle();
    assert_eq!(b.log(0), ["a@0", "COMMIT@1"]);
    // Another id gets another producer id, although another broker gives it.
    b.ready("q", "other");
    assert_ne!(b.describe("other").producer.id, given.id);
}

#[test]
fn an_open_transaction_goes_on_under_the_new_coordinator() {
    for commit in [true, false] {
        let mut b = four(&[1]);
        b.begin("p");
        b.send("p", "a").unwrap();
        b.kill(2);
        assert_eq!(b.state("C"), (Ongoing, 0, vec!["orders-0".to_string()]));
        b.send("p", "b").unwrap();
        b.end("p", commit).unwrap();
        b.settle();
        let marker = if commit { "COMMIT@1" } else { "ABORT@1" };
        assert_eq!(b.log(0), ["a@0", "b@0", marker]);
        assert_eq!(b.ends(), (3, 3));
    }
}

#[test]
fn an_open_transaction_that_nobody_ends_is_aborted_by_the_new_coordinator() {
    let mut b = four(&[1]);
    b.begin("p");
    b.send("p", "a").unwrap();
    b.kill(2);
    b.run(Command::Advance(Ms(60_000)));
    assert_eq!(b.log(0), ["a@0", "ABORT@1"]);
    assert_eq!(b.state("C").0, CompleteAbort);
}

#[test]
fn what_was_decided_is_carried_out_by_the_new_coordinator() {
    for commit in [true, false] {
        let mut b = four(&[1]);
        b.begin("p");
        b.send("p", "a").unwrap();
        b.cut(2, 1);
        // The decision is answered when it is committed, not when the markers are written.
        b.end("p", commit).unwrap();
        b.settle();
        let decided = if commit { PrepareCommit } else { PrepareAbort };
        assert_eq!(b.state("C").0, decided);
        assert_eq!(
            b.ends(),
            (1, 0),
            "no marker yet: it holds the last stable offset"
        );
        b.kill(2);
        assert_eq!(b.coordinator("C"), 3);
        let marker = if commit { "COMMIT@1" } else { "ABORT@1" };
        assert_eq!(b.log(0), ["a@0", marker]);
        assert_eq!(b.ends(), (2, 2));
        let complete = if commit {
            CompleteCommit
        } else {
            CompleteAbort
        };
        assert_eq!(b.state("C"), (complete, 1, vec![]));
        b.begin("p");
        assert_eq!(b.send("p", "b"), Ok(2), "the next one at the next epoch");
        b.end("p", true).unwrap();
        b.settle();
        assert_eq!(b.log(0)[2..], ["b@1", "COMMIT@2"]);
    }
}

#[test]
fn a_finished_transaction_is_finished_for_the_new_coordinator_too() {
    let mut b = four(&[1]);
    b.begin("p");
    b.send("p", "a").unwrap();
    b.end("p", true).unwrap();
    b.settle();
    b.kill(2);
    assert_eq!(b.state("C"), (CompleteCommit, 1, vec![]));
    b.begin("p");
    b.send("p", "b").unwrap();
    b.end("p", false).unwrap();
    b.settle();
    assert_eq!(b.log(0), ["a@0", "COMMIT@1", "b@1", "ABORT@2"]);
}

#[test]
fn a_marker_goes_to_whoever_leads_when_it_can_be_written() {
    // The leader dies between the decision and the marker.
    let mut b = four(&[1, 3]);
    b.begin("p");
    b.send("p", "a").unwrap();
    b.settle();
    b.cut(2, 1);
    b.end("p", true).unwrap();
    b.settle();
    assert_eq!(b.state("C").0, PrepareCommit);
    b.kill(1);
    // What was lost on the cut line is given up after 30 s.
    b.run(Command::Advance(Ms(40_000)));
    assert_eq!(b.log(0), ["a@0", "COMMIT@1"]);
    assert_eq!(b.ends(), (2, 2));
    assert_eq!(b.state("C"), (CompleteCommit, 1, vec![]));
    let states = b.states("C");
    assert_eq!(
        states,
        ["Empty", "Ongoing", "PrepareCommit", "CompleteCommit"]
    );
}

#[test]
fn a_producer_that_begins_again_before_the_markers_are_written_waits() {
    // CONCURRENT_TRANSACTIONS is tried again.
    let mut b = four(&[1, 3]);
    b.begin("p");
    b.send("p", "a").unwrap();
    b.cut(2, 1);
    b.end("p", true).unwrap();
    b.begin("p");
    let ticket = b.run(Command::Produce {
        client: "p".into(),
        partition: super::bench::partition(0),
        records: vec![highwater::kafka::batch::NewRecord::value("b")],
    });
    b.run(Command::Advance(Ms(1_000)));
    assert_eq!(b.world.reply(ticket), None);
    assert_eq!(b.log(0), ["a@0"]);
    let (from, to) = (NodeId::Broker(BrokerId(2)), NodeId::Broker(BrokerId(1)));
    b.run(Command::Heal { from, to });
    // The lost request is given up after 30 s.
    b.run(Command::Advance(Ms(40_000)));
    assert!(b.world.reply(ticket).is_some());
    assert_eq!(b.log(0), ["a@0", "COMMIT@1", "b@1"]);
}

#[test]
fn r_lso_3_a_marker_that_is_not_replicated_still_holds_the_last_stable_offset() {
    // Five brokers: the coordinator's partition is on 3, 4 and 5.
    let mut b = Bench::new(5, &[&[1, 2]], &[]);
    b.ready("p", "C");
    b.begin("p");
    b.send("p", "a").unwrap();
    b.settle();
    b.run(Command::Freeze {
        broker: BrokerId(2),
    });
    b.end("p", true).unwrap();
    b.run(Command::Advance(Ms(500)));
    assert_eq!(b.log(0), ["a@0", "COMMIT@1"]);
    assert_eq!(b.ends(), (1, 0));
    assert_eq!(
        b.state("C").0,
        PrepareCommit,
        "a leader answers when its marker is replicated"
    );
    b.run(Command::Thaw {
        broker: BrokerId(2),
    });
    b.settle();
    assert_eq!(b.ends(), (2, 2));
    assert_eq!(b.state("C").0, CompleteCommit);
}
