//! The sentences of events about consumers, groups, transactions and a log's life.

use super::tell::client_name;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{DeleteReason, Event, EventKind, LeaveReason};
use crate::kafka::group::message::GroupState;
use crate::kafka::ids::{Boundary, ClientId, Tp};
use crate::text::offset_events as say;
use crate::view::Step;
use crate::view::ruler;
use crate::view::stage::clients::runs;
use crate::world::picture::{ClientKind, Life, Picture};

/// A state as Kafka's sentences write it.
fn state(of: GroupState) -> &'static str {
    match of {
        GroupState::Empty => "Empty",
        GroupState::PreparingRebalance => "PreparingRebalance",
        GroupState::CompletingRebalance => "CompletingRebalance",
        GroupState::Assigning => "Assigning",
        GroupState::Reconciling => "Reconciling",
        GroupState::Stable => "Stable",
        GroupState::Dead => "Dead",
    }
}

/// Partitions by name, in a row.
fn names(picture: &Picture, tps: &[Tp]) -> String {
    let mut out = String::new();
    for tp in tps {
        if !out.is_empty() {
            out.push_str(", ");
        }
        match picture.partitions.iter().find(|p| p.tp == *tp) {
            Some(p) => {
                out.push_str(&p.name.topic);
                out.push('-');
                out.push_str(&p.name.partition.to_string());
            }
            None => out.push('?'),
        }
    }
    out
}

/// An event on its own: none, one or two sentences with their weights.
pub fn one(step: &Step, event: &Event) -> Vec<(i32, String)> {
    use EventKind::*;
    let lang = step.lang;
    let name = |c: &ClientId| client_name(step.now, *c);
    let nothing = || say::nothing_saved(lang);
    let told = match &event.kind {
        CoordinatorFound { client, .. } if lacks_commit(step, *client) => {
            (72, say::no_offset(lang, &name(client)))
        }
        CoordinatorFound {
            client,
            key,
            broker,
        } => {
            // A second time is news: the first coordinator is gone.
            let known = |p: &Picture| p.groups.iter().any(|g| g.view.group == *key);
            let weight = if step.before.is_some_and(known) {
                66
            } else {
                40
            };
            (
                weight,
                say::coordinator_found(lang, &name(client), *broker, key),
            )
        }
        // Worth telling where a coordinator was lost, not where a group is new.
        CoordinatorLoaded { broker, .. } => (
            if loses(step) { 95 } else { 26 },
            say::coordinator_loaded(lang, *broker),
        ),
        CommitSent { client, offset, .. } => (28, say::commit_sent(lang, &name(client), *offset)),
        CommitDone {
            client,
            offset,
            error: None,
            ..
        } => (50, say::commit_done(lang, &name(client), *offset)),
        CommitDone {
            client,
            offset,
            error: Some(error),
            ..
        } => (84, say::commit_failed(lang, &name(client), *offset, *error)),
        // The reset itself says so.
        OffsetCommitted { group, tp, to, .. }
            if step.events.iter().any(|e| matches!(&e.kind, ResetPlanned { group: g, tp: t, to: until, executed: true, .. } if (g, t, until) == (group, tp, to))) =>
        {
            return Vec::new();
        }
        OffsetCommitted {
            group, from, to, ..
        } => (
            73,
            match from {
                None => say::committed_first(lang, group, *to),
                Some(from) if from == to => say::committed_same(lang, group, *to),
                Some(from) => say::committed(lang, group, *from, *to),
            },
        ),
        OffsetForgotten {
            group,
            offset,
            expired,
            ..
        } => match expired {
            true => (78, say::expired(lang, group, *offset)),
            false => (78, say::forgotten(lang, group, *offset)),
        },
        PositionRestored { client, to, .. } => (68, say::restored(lang, &name(client), *to)),
        GroupChanged {
            group,
            from,
            to,
            generation,
            ..
        } => match to {
            GroupState::Stable => (56, say::group_stable(lang, group, i64::from(*generation))),
            GroupState::PreparingRebalance => (54, say::group_rebalances(lang, group)),
            // A group that was made by a commit never had a member.
            GroupState::Empty if *from == GroupState::Dead || !leaves(step, group) => {
                return Vec::new();
            }
            GroupState::Empty => (58, say::group_empty(lang, group)),
            GroupState::Dead => (58, say::group_dead(lang, group)),
            to => (
                28,
                say::group_changed(lang, group, state(*from), state(*to)),
            ),
        },
        MemberJoined { client, group, .. } => (60, say::joined(lang, &name(client), group)),
        MemberLeft {
            client, group, why, ..
        } => {
            let (weight, words): (i32, fn(_, &str, &str) -> String) = match why {
                LeaveReason::Left => (64, say::left),
                LeaveReason::Session => (82, say::left_session),
                LeaveReason::PollInterval => (82, say::left_poll),
                LeaveReason::Rebalance => (76, say::left_rebalance),
                LeaveReason::Replaced => (76, say::left_replaced),
            };
            (weight, words(lang, &name(client), group))
        }
        Assigned { client, tps, .. } => match tps.as_slice() {
            [] => (57, say::assigned_none(lang, &name(client))),
            tps => (
                63,
                say::assigned(lang, &name(client), &names(step.now, tps)),
            ),
        },
        Revoked { tps, .. } if tps.is_empty() => return Vec::new(),
        Revoked {
            client, tps, lost, ..
        } => {
            let tps = names(step.now, tps);
            match lost {
                true => (72, say::lost_partitions(lang, &name(client), &tps)),
                false => (59, say::revoked(lang, &name(client), &tps)),
            }
        }
        ConsumerClosed { client } => (60, say::closed(lang, &name(client))),
        ConsumerCrashed { client } => (88, say::crashed(lang, &name(client))),
        Processed {
            client,
            tp,
            from,
            to,
            ..
        } => (64, processed(step, &name(client), *tp, *from, *to)),
        // Told in one sentence for a run of records.
        EffectRepeated { .. } => return Vec::new(),
        SavedOutside {
            client, from, to, ..
        } => (
            70,
            match from {
                None => say::saved_first(lang, &name(client), *to),
                Some(from) => say::saved(lang, &name(client), *from, *to),
            },
        ),
        TransactionBegun { client, id } => (60, say::txn_begun(lang, &name(client), id)),
        TransactionEnded {
            client,
            id,
            commit,
            error,
        } => match (error, commit) {
            (Some(error), _) => (84, say::txn_refused(lang, &name(client), id, *error)),
            (None, true) => (68, say::txn_committed(lang, &name(client), id)),
            (None, false) => (68, say::txn_aborted(lang, &name(client), id)),
        },
        TransactionChanged { id, from, to, .. } => {
            (45, say::txn_changed(lang, id, from.name(), to.name()))
        }
        MarkerAppended {
            broker,
            offset,
            commit,
            ..
        } => match commit {
            true => (61, say::marker_commit(lang, *broker, *offset)),
            false => (61, say::marker_abort(lang, *broker, *offset)),
        },
        LastStableMoved {
            broker, from, to, ..
        } => (72, say::stable_moved(lang, *broker, *from, *to)),
        SegmentRolled { broker, base, .. } => (40, say::rolled(lang, *broker, *base)),
        SegmentsDeleted {
            broker,
            from,
            to,
            why,
            ..
        } => {
            let words = match why {
                DeleteReason::LogStart => say::segments_start,
                DeleteReason::Size => say::segments_size,
                DeleteReason::Time => say::segments_time,
            };
            (76, words(lang, *broker, *from, *to))
        }
        Compacted {
            broker,
            to,
            removed,
            ..
        } => match removed.as_slice() {
            [] => (55, say::compacted_nothing(lang, *broker, *to)),
            some => (76, say::compacted(lang, *broker, *to, &runs(some))),
        },
        ResetPlanned {
            group,
            from,
            to,
            asked,
            executed,
            ..
        } => {
            let from = from.map_or_else(nothing, |b| b.to_string());
            match (executed, *asked) {
                (true, None) => (80, say::reset_done(lang, group, &from, *to)),
                (true, Some(asked)) => {
                    (80, say::reset_done_clamped(lang, group, &from, asked, *to))
                }
                (false, None) => (75, say::reset_planned(lang, group, &from, *to)),
                (false, Some(asked)) => (75, say::reset_clamped(lang, group, &from, asked, *to)),
            }
        }
        ResetRefused {
            group, state: of, ..
        } => (86, say::reset_refused(lang, group, state(*of))),
        _ => return Vec::new(),
    };
    vec![told]
}

/// Whether a member goes in this step.
fn leaves(step: &Step, of: &str) -> bool {
    let left = |e: &Event| matches!(&e.kind, EventKind::MemberLeft { group, .. } if **group == *of);
    step.events.iter().any(left)
}

/// Whether a consumer stands without a position because nothing is committed and
/// auto.offset.reset=none (R-RST-2).
pub fn lacks_commit(step: &Step, of: ClientId) -> bool {
    let name = client_name(step.now, of);
    step.now.partitions.iter().any(|p| {
        ruler::input(step.now, p.tp).is_some_and(|input| {
            input.readers.iter().any(|r| {
                *r.name == *name
                    && r.reset.as_deref() == Some("none")
                    && r.committed.is_none()
                    && r.position.is_none()
            })
        })
    })
}

/// Whether a broker is lost in this step.
fn loses(step: &Step) -> bool {
    let fenced = |e: &Event| matches!(e.kind, EventKind::FencedBroker { .. });
    step.events.iter().any(fenced)
}

/// Whether a consumer reads in this step.
pub fn hears(step: &Step, of: ClientId) -> bool {
    step.events.iter().any(|e| match e.kind {
        EventKind::Consumed { client, .. }
        | EventKind::PollEmpty { client, .. }
        | EventKind::CoordinatorFound { client, .. }
        | EventKind::ConsumeRefused { client, .. } => client == of,
        _ => false,
    })
}

/// What a consumer read: the records among the numbers that its position passed.
pub fn consumed(step: &Step, event: &Event) -> Vec<(i32, String)> {
    let EventKind::Consumed {
        client,
        broker,
        tp,
        from,
        to,
        values,
    } = &event.kind
    else {
        return Vec::new();
    };
    let (lang, name) = (step.lang, client_name(step.now, *client));
    if values.is_empty() {
        return vec![(67, say::passed(lang, &name, *from, *to))];
    }
    if values.len() as i64 == to.0 - from.0 {
        let text = crate::text::events::consumed(lang, &name, *broker, *from, *to);
        return vec![(67, text)];
    }
    let given = ruler::input(step.now, *tp).map(|input| {
        let reader = input.readers.iter().find(|r| *r.name == *name);
        input.given(reader.map(|r| r.isolation).unwrap_or_default(), *from, *to)
    });
    let given = given.unwrap_or_default();
    vec![(
        67,
        say::consumed_some(lang, &name, &runs(&given), *from, *to),
    )]
}

/// Why auto.offset.reset was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplaced {
    /// Its group has no commit (R-RST-1).
    NoCommit,
    /// Its position was outside the log (R-RST-4).
    OutOfRange(Boundary),
}

/// Why auto.offset.reset set a position, if it did.
pub fn by_policy(step: &Step, event: &Event) -> Option<Unplaced> {
    let EventKind::PositionReset {
        client,
        tp,
        from,
        to,
    } = event.kind
    else {
        return None;
    };
    let refused = step.events.iter().find_map(|e| match e.kind {
        EventKind::ConsumeRefused {
            client: of,
            tp: on,
            position,
            error: KafkaError::OffsetOutOfRange,
            ..
        } if (of, on) == (client, tp) && e.id < event.id => Some(position),
        _ => None,
    });
    let name = client_name(step.now, client);
    let input = ruler::input(step.now, tp)?;
    let reader = input.readers.iter().find(|r| *r.name == *name)?;
    let target = match reader.reset.as_deref() {
        Some("earliest") => Some(input.log_start),
        Some("latest") => Some(input.visible_end(reader.isolation)),
        _ => None,
    };
    if target != Some(to) {
        return None;
    }
    // A seek is the application's own and asks nobody; the policy is asked once the coordinator
    // has told that nothing is committed.
    let found = step.events.iter().any(|e| {
        e.id < event.id
            && matches!(e.kind, EventKind::CoordinatorFound { client: of, .. } if of == client)
    });
    let waited = step.before.is_some_and(|p| {
        let before = p.clients.iter().find(|c| c.id == client);
        before.is_some_and(|c| match &c.kind {
            ClientKind::Consumer {
                positions, member, ..
            } => member.life == Life::Running && positions.contains(&(tp, None)),
            _ => false,
        })
    });
    let asked = from.is_none() && (found || waited);
    match refused {
        Some(position) => Some(Unplaced::OutOfRange(position)),
        None if asked && reader.group.is_some() && reader.committed.is_none() => {
            Some(Unplaced::NoCommit)
        }
        None => None,
    }
}

/// A position that auto.offset.reset has set.
pub fn reset(step: &Step, event: &Event, client: ClientId, to: Boundary) -> Vec<(i32, String)> {
    let (lang, name) = (step.lang, client_name(step.now, client));
    let text = match by_policy(step, event) {
        Some(Unplaced::OutOfRange(from)) => say::reset_out_of_range(lang, &name, from, to),
        _ => say::reset_without_commit(lang, &name, to),
    };
    vec![(69, text)]
}

/// What an application processed: the numbers that were records, if there were others between.
fn processed(step: &Step, name: &str, tp: Tp, from: Boundary, to: Boundary) -> String {
    let given = ruler::input(step.now, tp)
        .map(|input| {
            let reader = input.readers.iter().find(|r| *r.name == *name);
            let isolation = reader.map(|r| r.isolation).unwrap_or_default();
            input.given(isolation, from, to)
        })
        .unwrap_or_default();
    if given.is_empty() || given.len() as i64 == to.0 - from.0 {
        return say::processed(step.lang, name, from, to);
    }
    say::processed_some(step.lang, name, &runs(&given), to)
}
