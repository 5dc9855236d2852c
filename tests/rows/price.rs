//! R12: the three settings under one fault.

use super::cluster::*;
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::world::command::*;

struct Price {
    /// When the producer had its answer after the send, ms.
    answered: i64,
    reply: Reply,
    /// Whether the new leader holds the record in the end.
    kept: bool,
    lost: Vec<String>,
}

/// Records 0 to 2 are everywhere; record 3 is sent, and the leader dies before anybody copied it.
fn under(acks: Acks) -> Price {
    let mut c = Cluster::orders(2);
    c.producer("p", Acks::All, 0);
    for value in ["0", "1", "2"] {
        let sent = c.produce("p", value);
        c.until(Condition::Replied(sent));
    }
    c.settle();
    c.freeze(2);
    c.freeze(3);
    c.advance(600);
    let retries = if acks == Acks::All {
        i32::MAX as u32
    } else {
        0
    };
    c.producer("p", acks, retries);
    let began = c.world.now();
    let sent = c.produce("p", "3");
    c.until_event("appended", &[("broker", "1")]);
    c.advance(2);
    c.kill(1);
    c.thaw(2);
    c.thaw(3);
    c.until(Condition::Replied(sent));
    let answered = c
        .events
        .iter()
        .rev()
        .find(|e| {
            matches!(
                e.kind,
                highwater::kafka::event::EventKind::ProduceDone { .. }
            )
        })
        .map(|e| e.at.since(began).0)
        .expect("the producer had an outcome");
    let reply = c.world.reply(sent).expect("replied").clone();
    c.wait_leader(2);
    c.settle();
    let kept = c.values(2).contains(&"3".to_owned());
    Price {
        answered,
        reply,
        kept,
        lost: c.lost(),
    }
}

#[test]
fn r12_acks_0_1_and_all_pay_different_prices_for_one_fault() {
    let zero = under(Acks::None);
    let one = under(Acks::Leader);
    let all = under(Acks::All);
    assert_eq!(
        zero.reply,
        Reply::Produced(vec![None]),
        "confirmed by nobody"
    );
    assert!(!zero.kept);
    assert!(
        zero.lost.is_empty(),
        "nothing confirmed was lost: nothing was confirmed"
    );
    assert_eq!(one.reply, Reply::Produced(vec![Some(Offset(3))]));
    assert!(!one.kept);
    assert_eq!(one.lost, ["3"], "confirmed, and lost");
    assert_eq!(all.reply, Reply::Produced(vec![Some(Offset(3))]));
    assert!(all.kept);
    assert!(all.lost.is_empty());
    assert!(
        zero.answered <= one.answered && one.answered < 50,
        "{} {}",
        zero.answered,
        one.answered
    );
    assert!(
        (8_000..13_000).contains(&all.answered),
        "acks=all waits for a new leader: {} ms",
        all.answered
    );
}
