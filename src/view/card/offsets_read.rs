//! The rule behind what a consumer was given, or was not: the one that decided in that step.

use super::Why;
use super::formula::nothing_below;
use super::offsets::{Unplaced, by_policy};
use super::offsets_why::{given, named, plain};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Event, EventKind};
use crate::kafka::ids::{Boundary, ClientId, Tp};
use crate::text::{offset_rules as rules, rules as said};
use crate::view::Step;
use crate::view::ruler::{self, Isolation, Reader, RulerInput, Txn};
use crate::view::stage::row::reg;

/// The rule behind a read, if the event is one.
pub fn read(step: &Step, event: &Event) -> Option<Why> {
    let lang = step.lang;
    match &event.kind {
        EventKind::Consumed {
            client,
            tp,
            from,
            to,
            values,
            ..
        } => {
            let input = ruler::input(step.now, *tp)?;
            let some = values.len() as i64 == to.0 - from.0;
            let hole = |n| {
                input
                    .record(crate::kafka::ids::Offset(n))
                    .is_none_or(|r| r.removed)
            };
            if !some && (from.0.max(input.log_start.0)..to.0).any(hole) {
                let text = rules::next_existing(lang);
                return Some(plain(text, &["R-READ-5", "R-CON-2"], None));
            }
            given(step, *tp, *client).or_else(|| consumed(step, &input, *client, *tp, (*from, *to)))
        }
        EventKind::PollEmpty {
            client,
            tp,
            position,
        } => {
            if reg(step.now, *tp).is_some_and(|r| r.leader.is_none()) {
                return Some(plain(rules::asks_again(lang), &["R-TRD-3"], None));
            }
            given(step, *tp, *client).or_else(|| Some(empty(step, *tp, *position)))
        }
        EventKind::ConsumeRefused { error, .. } => match error {
            KafkaError::OffsetOutOfRange => {
                let text = rules::out_of_range(lang);
                Some(plain(text, &["R-READ-1", "R-RST-4"], None))
            }
            KafkaError::NotLeaderOrFollower
            | KafkaError::FencedLeaderEpoch
            | KafkaError::OffsetNotAvailable
            | KafkaError::ReplicaNotAvailable
            | KafkaError::UnknownTopicOrPartition
            | KafkaError::UnknownTopicId => {
                Some(plain(rules::asks_again(lang), &["R-TRD-3"], None))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What decided what a reader of `read_uncommitted` was given.
fn consumed(
    step: &Step,
    input: &RulerInput,
    client: ClientId,
    tp: Tp,
    (from, to): (Boundary, Boundary),
) -> Option<Why> {
    let lang = step.lang;
    let inside = |n: i64| n >= from.0 && n < to.0;
    let mut passed = input.records.iter().filter(|r| inside(r.offset.0));
    let of_transaction =
        passed.any(|r| r.control.is_some() || matches!(r.txn, Txn::Open | Txn::Aborted));
    if of_transaction {
        return Some(plain(rules::uncommitted_sees(lang), &["R-ISO-2"], None));
    }
    if let Some(why) = placed(step, client, tp) {
        return Some(why);
    }
    let reader = named(step.now, input, client);
    if by_watermark(step, input, reader, tp, to) {
        return Some(plain(said::reads_below_hw(lang), &["R-READ-3"], None));
    }
    let seen = reader.and_then(|r| r.seen).map(|s| s.high_watermark);
    Some(match seen {
        // The last fetch had more than the poll handed over.
        Some(end) if reader.and_then(|r| r.position) < Some(end) => {
            plain(rules::poll_is_limited(lang), &["R-CON-4"], None)
        }
        _ => plain(rules::position_moves(lang), &["R-CON-1"], None),
    })
}

/// Where the reader was placed in this step, if that decided.
fn placed(step: &Step, client: ClientId, tp: Tp) -> Option<Why> {
    let lang = step.lang;
    step.events.iter().find_map(|e| match e.kind {
        EventKind::PositionRestored {
            client: of, tp: on, ..
        } if (of, on) == (client, tp) => Some(plain(rules::commit_wins(lang), &["R-RST-1"], None)),
        EventKind::PositionReset {
            client: of, tp: on, ..
        } if (of, on) == (client, tp) => by_policy(step, e).map(|why| policy(step, why)),
        _ => None,
    })
}

/// Why auto.offset.reset was asked, and what it says.
pub fn policy(step: &Step, why: Unplaced) -> Why {
    match why {
        Unplaced::NoCommit => plain(
            rules::reset_policy(step.lang),
            &["R-RST-1", "R-RST-2"],
            None,
        ),
        Unplaced::OutOfRange(_) => plain(rules::out_of_range(step.lang), &["R-RST-4"], None),
    }
}

/// Whether the high watermark was the matter: it hides records now, it hid some of these at the
/// step before, or the scene is about copies and the reader is in no group.
fn by_watermark(
    step: &Step,
    input: &RulerInput,
    reader: Option<&Reader>,
    tp: Tp,
    to: Boundary,
) -> bool {
    let before = step.before.and_then(|p| ruler::input(p, tp));
    let copies = reg(step.now, tp).is_some_and(|r| r.replicas.len() > 1);
    input.high_watermark < input.log_end
        || before.is_some_and(|b| b.high_watermark < to && b.log_end >= to)
        || (copies && reader.is_none_or(|r| r.group.is_none()))
}

/// Why there was nothing to hand out.
fn empty(step: &Step, tp: Tp, position: Boundary) -> Why {
    let lang = step.lang;
    let formula = nothing_below(step, tp, position);
    let hidden = ruler::input(step.now, tp)
        .is_some_and(|i| i.visible_end(Isolation::Uncommitted) < i.log_end);
    match hidden || formula.is_none() {
        true => plain(said::reads_below_hw(lang), &["R-READ-3"], formula),
        false => plain(rules::empty_is_no_error(lang), &["R-READ-2"], formula),
    }
}
