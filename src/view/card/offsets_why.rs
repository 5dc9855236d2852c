//! The rules behind events about consumers, groups, transactions and a log's life, with the
//! subtractions they stand for.

use super::formula::{sign, token};
use super::offsets::{Unplaced, by_policy};
use super::{Formula, Token, TokenKind, Why};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Event, EventKind, LeaveReason};
use crate::kafka::group::message::GroupState;
use crate::kafka::ids::{Boundary, BrokerId, ClientId, Tp};
use crate::text::{offset_rules as rules, ruler as say, rules as said, words};
use crate::view::Step;
use crate::view::ruler::{self, Consequence, Reader, RulerInput, consequence};
use crate::world::picture::{ClientKind, Life, Picture};

pub fn plain(text: String, rules: &[&'static str], formula: Option<Formula>) -> Why {
    Why {
        text,
        rules: rules.to_vec(),
        formula,
        full: None,
    }
}

fn lines(lines: Vec<Vec<Token>>) -> Option<Formula> {
    let lines: Vec<Vec<Token>> = lines.into_iter().filter(|l| !l.is_empty()).collect();
    (!lines.is_empty()).then(|| Formula {
        lines,
        notes: Vec::new(),
    })
}

/// The rule behind an event, if it has one worth telling.
pub fn why(step: &Step, event: &Event) -> Option<Why> {
    use EventKind::*;
    let lang = step.lang;
    Some(match &event.kind {
        CoordinatorFound { client, .. } if super::offsets::lacks_commit(step, *client) => {
            super::offsets_read::policy(step, Unplaced::NoCommit)
        }
        CoordinatorFound { client, key, .. } => {
            // A transaction's coordinator is another matter.
            group_of(step.now, *client).filter(|group| **group == **key)?;
            plain(rules::coordinator_is(lang), &["R-GRP-1"], None)
        }
        GroupChanged { to, .. } => match to {
            GroupState::Empty => plain(rules::group_keeps(lang), &["R-GRP-2"], None),
            GroupState::Dead => return None,
            _ => plain(rules::members_change(lang), &["R-REB-1", "R-REB-2"], None),
        },
        MemberJoined { .. } => plain(rules::members_change(lang), &["R-REB-1"], None),
        Revoked { lost: true, .. } => plain(rules::lost_at_once(lang), &["R-REB-6"], None),
        Revoked { .. } => plain(rules::given_up_first(lang), &["R-REB-6"], None),
        TransactionBegun { .. } => plain(rules::begins_alone(lang), &["R-LSO-2"], None),
        CoordinatorLoaded { .. } => plain(rules::coordinator_loads(lang), &["R-GRP-5"], None),
        CommitSent { .. } => plain(rules::commit_is_next(lang), &["R-COM-1"], None),
        CommitDone {
            error: Some(error), ..
        } => match error {
            KafkaError::IllegalGeneration
            | KafkaError::UnknownMemberId
            | KafkaError::StaleMemberEpoch => {
                plain(rules::commit_refused(lang), &["R-COM-6", "R-COM-9"], None)
            }
            other => plain(said::kafka_says(lang, *other), &[], None),
        },
        CommitDone {
            group, tp, offset, ..
        } => commit(step, group, *tp, *offset),
        OffsetCommitted { group, tp, to, .. } => commit(step, group, *tp, *to),
        OffsetForgotten { expired: true, .. } => plain(rules::expiry(lang), &["R-EXP-1"], None),
        PositionRestored { .. } => plain(rules::commit_wins(lang), &["R-RST-1"], None),
        PositionReset { .. } => super::offsets_read::policy(step, by_policy(step, event)?),
        MemberLeft { group, why, .. } => match why {
            LeaveReason::Session => plain(rules::session(lang), &["R-REB-5"], None),
            LeaveReason::PollInterval => plain(rules::poll_interval(lang), &["R-REB-5"], None),
            LeaveReason::Left if empties(step, group) => {
                plain(rules::group_keeps(lang), &["R-GRP-2"], None)
            }
            LeaveReason::Left | LeaveReason::Rebalance => {
                plain(rules::members_change(lang), &["R-REB-1", "R-REB-2"], None)
            }
            LeaveReason::Replaced => plain(rules::one_owner(lang), &["R-REB-8"], None),
        },
        Assigned { .. } => {
            let taken = |e: &Event| matches!(e.kind, MemberLeft { .. } | Revoked { .. });
            match step.events.iter().any(taken) {
                true => plain(rules::new_owner(lang), &["R-REB-7"], None),
                false => plain(rules::one_owner(lang), &[], None),
            }
        }
        ConsumerCrashed { client } => plain(
            rules::position_is_not_commit(lang),
            &["R-COM-1", "R-COM-4"],
            step.before
                .and_then(|before| of_client(step, before, *client)),
        ),
        ConsumerClosed { client } => plain(
            rules::closing(lang),
            &["R-COM-3"],
            of_client(step, step.before.unwrap_or(step.now), *client),
        ),
        Processed { client, tp, .. } => {
            let input = ruler::input(step.now, *tp)?;
            let reader = named(step.now, &input, *client)?;
            plain(
                rules::processed_is_ours(lang),
                &["R-COM-4"],
                lines(vec![compared(step, &input, reader)]),
            )
        }
        EffectRepeated { client, .. } => match crashed(step.now, *client) {
            true => plain(rules::repeat_or_loss(lang), &["R-COM-4"], None),
            false => plain(rules::read_again(lang), &["R-COM-1", "R-RST-1"], None),
        },
        SavedOutside { .. } => plain(rules::outside(lang), &["R-RST-1", "R-LAG-2"], None),
        TransactionEnded { error: Some(e), .. } => plain(said::kafka_says(lang, *e), &[], None),
        TransactionEnded { .. } => ended(step)?,
        MarkerAppended { broker, tp, .. } => {
            let formula = stable(step, *broker, *tp, None);
            match formula {
                // The marker is there, and the boundary waits for its copies.
                Some(held) => plain(rules::stable_waits(lang), &["R-LSO-3"], Some(held)),
                None => plain(rules::marker(lang), &["R-OFF-3"], None),
            }
        }
        LastStableMoved { broker, tp, to, .. } => plain(
            rules::stable(lang),
            &["R-LSO-1"],
            stable(step, *broker, *tp, Some(*to)),
        ),
        SegmentRolled { .. } => plain(rules::segments(lang), &["R-OFF-9"], None),
        SegmentsDeleted { .. } => plain(rules::retention(lang), &["R-RET-2", "R-RET-6"], None),
        Compacted { .. } => plain(rules::compaction(lang), &["R-CMP-3", "R-CMP-8"], None),
        ResetPlanned { asked: Some(_), .. } => {
            plain(rules::reset_is_clamped(lang), &["R-RSO-4"], None)
        }
        ResetPlanned {
            executed: false, ..
        } => plain(rules::reset_is_a_plan(lang), &["R-RSO-2"], None),
        ResetPlanned { .. } | ResetRefused { .. } => {
            plain(rules::reset_needs_empty(lang), &["R-RSO-1"], None)
        }
        _ => return None,
    })
}

/// Why a write in a log without other replicas has its number; with an open transaction, why
/// the last stable offset stays.
pub fn numbered(step: &Step, event: &Event, tp: Tp) -> Option<Why> {
    let lang = step.lang;
    let broker = crate::view::stage::row::reg(step.now, tp)?.leader?;
    if let Some(held) = stable(step, broker, tp, None) {
        return Some(plain(rules::stable_blocks(lang), &["R-LSO-4"], Some(held)));
    }
    let new = super::offsets_log::appended(step, event);
    Some(new.unwrap_or_else(|| plain(rules::numbers(lang), &["R-OFF-1"], None)))
}

/// Whether a consumer's group, or it itself, has lost a process.
fn crashed(picture: &Picture, of: ClientId) -> bool {
    let group = group_of(picture, of);
    picture.clients.iter().any(|c| match &c.kind {
        ClientKind::Consumer { member, .. } => {
            let own = c.id == of || (group.is_some() && member.group.as_deref() == group);
            own && member.life == Life::Crashed
        }
        _ => false,
    })
}

/// Whether a group has no member left after this step.
fn empties(step: &Step, of: &str) -> bool {
    let empty = |e: &Event| matches!(&e.kind, EventKind::GroupChanged { group, to: GroupState::Empty, .. } if **group == *of);
    step.events.iter().any(empty)
}

/// The end of a transaction: what its markers do to the producer's epoch (R-TXN-1, R-TXN-2);
/// nothing where it wrote nothing (R-TXN-4).
fn ended(step: &Step) -> Option<Why> {
    let (broker, tp, offset) = step.events.iter().rev().find_map(|e| match e.kind {
        EventKind::MarkerAppended {
            broker, tp, offset, ..
        } => Some((broker, tp, offset)),
        _ => None,
    })?;
    let records = &step.now.replica(broker, tp)?.records;
    let marker = records.iter().find(|r| r.offset == offset)?.stamp?;
    let data = records.iter().rev().find_map(|r| {
        let stamp = r.stamp?;
        (r.offset < offset && r.control.is_none() && stamp.0 == marker.0).then_some(stamp)
    })?;
    Some(match marker.1 > data.1 {
        true => plain(rules::end_has_markers(step.lang), &["R-TXN-1"], None),
        false => plain(rules::end_keeps_epoch(step.lang), &["R-TXN-2"], None),
    })
}

/// What a consumer of `read_committed` is given.
pub fn given(step: &Step, tp: Tp, client: ClientId) -> Option<Why> {
    let broker = crate::view::stage::row::reg(step.now, tp)?.leader?;
    let input = ruler::input(step.now, tp)?;
    let reader = named(step.now, &input, client)?;
    if reader.isolation == ruler::Isolation::Uncommitted {
        return None;
    }
    Some(match stable(step, broker, tp, None) {
        Some(held) => plain(rules::stable_blocks(step.lang), &["R-LSO-4"], Some(held)),
        None => plain(rules::below_stable(step.lang), &["R-ISO-1"], None),
    })
}

/// Where a reader stands while nothing happens: its boundaries in a sentence, and its lags.
pub fn stands(step: &Step, tp: Tp, name: Option<&str>) -> Option<(String, Option<Why>)> {
    let lang = step.lang;
    let input = ruler::input(step.now, tp)?;
    let wanted = input.readers.iter().find(|r| Some(&*r.name) == name);
    let Some(reader) = wanted.or(input.readers.first()) else {
        let ends = [
            say::log_start(lang, input.log_start),
            words::leo(lang, input.log_end),
        ];
        let rule = super::offsets_log::stands(step, tp);
        return Some((rules::stand(lang, &ends.join(", ")), rule));
    };
    let mut ends = Vec::new();
    if input.log_start.0 > 0 {
        ends.push(say::log_start(lang, input.log_start));
    }
    ends.extend(reader.outside.map(|b| say::outside(lang, b)));
    ends.extend(reader.committed.map(|b| say::committed(lang, b)));
    ends.extend(reader.processed.map(|b| say::processed(lang, b)));
    ends.extend(reader.position.map(|b| say::position(lang, b)));
    ends.push(words::hw(lang, input.high_watermark));
    let distance = |name: String, lag: ruler::Lag| {
        let (Some(end), Some(from)) = (lag.end, lag.from) else {
            return Vec::new();
        };
        let mut text = name;
        text.push_str(" = ");
        text.push_str(&say::subtraction(end, from.0));
        vec![sign(&text)]
    };
    let lag = |kind| {
        ruler::lag(
            &input,
            reader,
            reader.isolation,
            ruler::Instrument::GroupTool,
            kind,
        )
    };
    let gone = reader.saved().filter(|b| *b < input.log_start);
    let all = match gone {
        Some(at) => vec![distance(
            rules::missing(lang),
            ruler::Lag {
                end: Some(input.log_start.0),
                from: Some(at),
            },
        )],
        None => vec![
            distance(say::lag_committed(lang), lag(ruler::LagKind::Committed)),
            distance(say::lag_fetch(lang), lag(ruler::LagKind::Fetch)),
            distance(rules::not_processed(lang), ruler::in_hand(reader)),
            distance(rules::not_saved(lang), ruler::unsaved(reader)),
        ],
    };
    let fetch = lag(ruler::LagKind::Fetch).end;
    let old = fetch.is_some_and(|end| end != input.visible_end(reader.isolation).0);
    let formula = lines(all);
    let rule = if gone.is_some() {
        Some(plain(rules::deleted_is_gone(lang), &["R-READ-1"], formula))
    } else if reader.committed.is_none() && reader.outside.is_some() {
        Some(plain(rules::outside(lang), &["R-RST-1", "R-LAG-2"], None))
    } else if reader.committed.is_none() && reader.group.is_some() {
        Some(super::offsets_read::policy(step, Unplaced::NoCommit))
    } else if reader.committed.is_none() && reader.processed.is_none() {
        reader
            .position
            .map(|at| position(step, &input, at, formula))
    } else if old {
        Some(plain(rules::metric_is_old(lang), &["R-LAG-1"], formula))
    } else {
        let ids: &[&'static str] = match fetch {
            Some(_) => &["R-LAG-1", "R-LAG-2"],
            None => &["R-LAG-2"],
        };
        formula.map(|formula| plain(rules::lag_has_two_ends(lang), ids, Some(formula)))
    };
    Some((rules::stand(lang, &ends.join(", ")), rule))
}

/// What a position is, with the holes around it if there are any.
fn position(step: &Step, input: &RulerInput, at: Boundary, formula: Option<Formula>) -> Why {
    let (lang, kept) = (step.lang, input.kept());
    match kept.len() as i64 == input.log_end.0 - input.log_start.0 || at == input.log_start {
        true => plain(rules::position_moves(lang), &["R-CON-1"], formula),
        false => plain(
            rules::position_passes(lang),
            &["R-CON-1", "R-CON-2"],
            formula,
        ),
    }
}

/// The group of a consumer.
pub fn group_of(picture: &Picture, of: ClientId) -> Option<&str> {
    match &picture.clients.iter().find(|c| c.id == of)?.kind {
        ClientKind::Consumer { member, .. } => member.group.as_deref(),
        _ => None,
    }
}

pub fn named<'a>(picture: &Picture, input: &'a RulerInput, client: ClientId) -> Option<&'a Reader> {
    let name = &picture.clients.iter().find(|c| c.id == client)?.name;
    input.readers.iter().find(|r| r.name == *name)
}

/// `committed 4 < processed 6`: what a crash would repeat or lose; nothing where it would not.
fn compared(step: &Step, input: &RulerInput, reader: &Reader) -> Vec<Token> {
    let lang = step.lang;
    let (Some(saved), Some(done)) = (reader.saved(), reader.processed) else {
        return Vec::new();
    };
    let saved_words = match reader.committed {
        Some(at) => say::committed(lang, at),
        None => say::outside(lang, saved),
    };
    let (between, kind) = match consequence(input, reader, reader.isolation) {
        Consequence::Loss(..) => (" > ", TokenKind::Alert),
        _ if saved < done => (" < ", TokenKind::Client),
        _ if saved > done => (" > ", TokenKind::Client),
        _ => (" = ", TokenKind::Client),
    };
    vec![
        token(saved_words, kind, None),
        sign(between),
        token(say::processed(lang, done), TokenKind::Client, None),
    ]
}

/// `committed lag = HW 12 − 4 = 8`: R-LAG-2.
fn tool_lag(step: &Step, input: &RulerInput, committed: Boundary) -> Vec<Token> {
    if input.leaderless {
        return Vec::new();
    }
    let mut head = rules::tool_lag(step.lang);
    head.push_str(" = ");
    let mut rest = String::from(" = ");
    rest.push_str(&say::signed(input.high_watermark.0 - committed.0));
    vec![
        sign(&head),
        token(
            words::hw(step.lang, input.high_watermark),
            TokenKind::Server,
            None,
        ),
        sign(" − "),
        token(committed.to_string(), TokenKind::Client, None),
        sign(&rest),
    ]
}

/// A commit: that it is a boundary, the lag from it, and what a crash would now do.
fn commit(step: &Step, group: &str, tp: Tp, at: Boundary) -> Why {
    // Among several brokers it is the matter that a commit is a record with copies.
    let (text, ids): (String, &[&'static str]) = match step.now.brokers.len() {
        ..=1 => (rules::commit_is_next(step.lang), &["R-COM-1", "R-LAG-2"]),
        _ => (
            rules::commit_is_a_record(step.lang),
            &["R-GRP-2", "R-GRP-3"],
        ),
    };
    let formula = ruler::input(step.now, tp).and_then(|input| {
        let reader = input
            .readers
            .iter()
            .find(|r| r.group.as_deref() == Some(group) && r.committed == Some(at));
        let compare = reader
            .map(|r| compared(step, &input, r))
            .unwrap_or_default();
        lines(vec![tool_lag(step, &input, at), compare])
    });
    plain(text, ids, formula)
}

/// What a client's partitions stand at when it goes.
fn of_client(step: &Step, picture: &Picture, client: ClientId) -> Option<Formula> {
    let all = picture.partitions.iter().filter_map(|p| {
        let input = ruler::input(picture, p.tp)?;
        let reader = named(picture, &input, client)?;
        Some(compared(step, &input, reader))
    });
    lines(all.take(2).collect())
}

/// `LSO = min(open from 5, HW 8) = 5`: R-LSO-1. `to`: where it moved; `None`: only if it is held.
fn stable(step: &Step, broker: BrokerId, tp: Tp, to: Option<Boundary>) -> Option<Formula> {
    let lang = step.lang;
    let replica = step.now.replica(broker, tp)?;
    let (at, hw) = (to.unwrap_or(replica.last_stable), replica.high_watermark);
    if at > hw || (to.is_none() && at == hw) {
        return None;
    }
    let server = |words: String| token(words, TokenKind::Server, None);
    let mut line = vec![server("LSO".into()), sign(" = min(")];
    if at < hw {
        let mut open = rules::first_open(lang);
        open.push_str(&at.to_string());
        line.push(token(open, TokenKind::Limiting, None));
    } else {
        line.push(sign(&rules::none_open(lang)));
    }
    line.push(sign(", "));
    line.push(server(words::hw(lang, hw)));
    line.push(sign(") = "));
    line.push(server(at.to_string()));
    lines(vec![line])
}
