//! R4, R7-R11: the leader fails; what acks promise.

use super::cluster::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{EventKind, TruncateReason};
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::world::command::*;
use highwater::world::picture::RolePicture;

#[test]
fn r4_a_new_leader_is_elected_and_nothing_acknowledged_under_all_is_lost() {
    let mut c = Cluster::orders(2);
    c.producer("p", Acks::All, i32::MAX as u32);
    let first = c.produce("p", "a");
    c.until(Condition::Replied(first));
    c.kill(1);
    let killed = c.world.now();
    let second = c.produce("p", "b");
    c.until(Condition::Replied(second));
    assert_eq!(
        c.leader(),
        Some(2),
        "the first live ISR member in assignment order (R-ELE-2)"
    );
    let pause = c.world.now().since(killed).0;
    assert!(
        (7_000..=12_000).contains(&pause),
        "a crash costs the session timeout: {pause} ms (R-FEN-2)"
    );
    let learned = |e: &EventKind| {
        matches!(
            e,
            EventKind::MetadataLearned {
                leader: Some(BrokerId(2)),
                ..
            }
        )
    };
    assert!(c.at(learned).is_some(), "it refreshed its metadata");
    assert_eq!(
        c.world.reply(second),
        Some(&Reply::Produced(vec![Some(Offset(1))]))
    );
    assert_eq!([2, 3].map(|b| c.values(b)), [["a", "b"]; 2]);
    assert!(c.lost().is_empty());
}

#[test]
fn r4_a_controlled_shutdown_moves_the_leader_at_once() {
    let mut c = Cluster::orders(2);
    c.run(Command::Shutdown {
        broker: BrokerId(1),
    });
    let asked = c.world.now();
    c.wait_leader(2);
    assert!(
        c.world.now().since(asked).0 < 100,
        "no session has to run out (R-CSD-2)"
    );
}

#[test]
fn r7_the_old_leader_truncates_catches_up_and_does_not_lead() {
    let mut c = Cluster::orders(1);
    lose_order_created(&mut c);
    c.start(1);
    c.wait_isr(&[1, 2, 3]);
    c.settle();
    let cut = c.events.iter().find_map(|e| match &e.kind {
        EventKind::Truncated {
            broker: BrokerId(1),
            from,
            to,
            reason,
            ..
        } => Some((*from, *to, *reason)),
        _ => None,
    });
    let why = TruncateReason::Diverging {
        epoch: Epoch(0),
        end: Boundary(1),
    };
    assert_eq!(
        cut,
        Some((Boundary(2), Boundary(1), why)),
        "cut by epoch, not to a guess"
    );
    assert_eq!(c.values(1), ["OrderCreated 1", "OrderCreated 3"]);
    assert_eq!(c.leader(), Some(2));
    assert!(matches!(
        c.replica(1).role,
        RolePicture::Follower(Some(BrokerId(2)))
    ));
}

#[test]
fn r8_acks_0_never_notices_a_lost_write() {
    let mut c = Cluster::orders(1);
    c.producer("sensor", Acks::None, 0);
    let first = c.produce("sensor", "t=20.1");
    c.settle();
    // The next one is written to the socket; the leader dies before it has read it.
    let lost = c.produce("sensor", "t=20.2");
    c.until(Condition::Replied(lost));
    c.kill(1);
    c.wait_leader(2);
    c.settle();
    let third = c.produce("sensor", "t=20.3");
    c.settle();
    for sent in [first, lost, third] {
        let told = c.world.reply(sent);
        assert_eq!(
            told,
            Some(&Reply::Produced(vec![None])),
            "no number, ever (R-ACK-2)"
        );
    }
    assert_eq!(
        [2, 3].map(|b| c.values(b)),
        [["t=20.1", "t=20.3"]; 2],
        "a gap nobody was told of"
    );
    assert!(
        c.at(|e| matches!(e, EventKind::ProduceRetry { .. }))
            .is_none(),
        "nothing is retried"
    );
}

/// OrderCreated 2 is confirmed by the leader alone, which then dies; OrderCreated 3 takes its
/// number on the new leader.
fn lose_order_created(c: &mut Cluster) {
    c.producer("shop", Acks::All, 0);
    let first = c.produce("shop", "OrderCreated 1");
    c.until(Condition::Replied(first));
    c.settle();
    c.freeze(2);
    c.freeze(3);
    c.advance(600);
    c.producer("shop", Acks::Leader, 0);
    let second = c.produce("shop", "OrderCreated 2");
    c.until(Condition::Replied(second));
    assert_eq!(
        c.world.reply(second),
        Some(&Reply::Produced(vec![Some(Offset(1))])),
        "confirmed"
    );
    assert_eq!(
        c.replica(1).high_watermark,
        Boundary(1),
        "and on one broker alone"
    );
    c.kill(1);
    c.thaw(2);
    c.thaw(3);
    c.wait_leader(2);
    c.settle();
    c.producer("shop", Acks::All, 0);
    let third = c.produce("shop", "OrderCreated 3");
    c.until(Condition::Replied(third));
    assert_eq!(
        c.world.reply(third),
        Some(&Reply::Produced(vec![Some(Offset(1))])),
        "its number is used again"
    );
    c.settle();
}

#[test]
fn r9_acks_1_confirms_a_record_that_dies_with_the_leader() {
    let mut c = Cluster::orders(1);
    lose_order_created(&mut c);
    assert_eq!(
        c.lost(),
        ["OrderCreated 2"],
        "confirmed and gone: the mail is never sent"
    );
    assert_eq!(
        [2, 3].map(|b| c.values(b)),
        [["OrderCreated 1", "OrderCreated 3"]; 2]
    );
}

#[test]
fn r10_acks_all_confirms_what_survives_the_leader() {
    let mut c = Cluster::orders(2);
    c.producer("shop", Acks::All, 0);
    let paid = c.produce("shop", "paid 1");
    c.until(Condition::Replied(paid));
    c.kill(1);
    assert_eq!(
        [2, 3].map(|b| c.values(b)),
        [["paid 1"]; 2],
        "the current ISR held it at that moment"
    );
    c.wait_leader(2);
    c.settle();
    assert_eq!(c.replica(2).high_watermark, Boundary(1));
    assert!(c.lost().is_empty());
}

#[test]
fn r11_too_small_an_isr_refuses_the_write_and_the_outbox_sends_it_later() {
    let mut c = Cluster::orders(2);
    for broker in [2, 3] {
        c.run(Command::Shutdown {
            broker: BrokerId(broker),
        });
        c.until(Condition::Process(BrokerId(broker), Process::Stopped));
    }
    assert_eq!(c.isr(), set(&[1]));
    c.producer("shop", Acks::All, 0);
    let refused = c.produce("shop", "paid 7");
    c.until(Condition::Replied(refused));
    assert_eq!(
        c.world.reply(refused),
        Some(&Reply::Failed(KafkaError::NotEnoughReplicas, None))
    );
    assert_eq!(
        c.replica(1).log_end,
        Boundary(0),
        "1 < 2: nothing was written (R-ACK-4)"
    );
    for broker in [2, 3] {
        c.start(broker);
    }
    c.wait_isr(&[1, 2, 3]);
    let again = c.produce("shop", "paid 7");
    c.until(Condition::Replied(again));
    assert_eq!(
        c.world.reply(again),
        Some(&Reply::Produced(vec![Some(Offset(0))])),
        "late, not lost"
    );
    c.settle();
    assert_eq!([1, 2, 3].map(|b| c.values(b)), [["paid 7"]; 3]);
}
