//! The sentence of an event on its own.

use super::tell::{client_name, node_name, said};
use crate::kafka::event::{Event, EventKind, IsrMove, Outcome, StopKind, TruncateReason};
use crate::kafka::ids::{BrokerId, ClientId, Ms};
use crate::kafka::message::{Acks, NodeId};
use crate::kafka::metadata::{ChangeReason, PartitionReg, Recovery};
use crate::text::{Lang, events as say};
use crate::view::Step;
use crate::world::command::Process;

/// An event on its own: none, one or two sentences with their weights.
pub fn one(step: &Step, event: &Event) -> Vec<(i32, String)> {
    use EventKind::*;
    let lang = step.lang;
    let name = |c: &ClientId| client_name(step.now, *c);
    let node = |n: &NodeId| node_name(lang, step.now, *n);
    let told = match &event.kind {
        Started { broker } => (80, say::started(lang, *broker)),
        Stopped {
            broker,
            how: StopKind::Killed,
        } => (86, say::killed(lang, *broker)),
        Stopped {
            broker,
            how: StopKind::PowerLost,
        } => (86, say::power_lost(lang, *broker)),
        Stopped {
            broker,
            how: StopKind::Clean,
        } => (72, say::stopped(lang, *broker)),
        ShutdownAsked { broker } => (79, say::shutdown_asked(lang, *broker)),
        Frozen { broker } => (85, say::frozen(lang, *broker)),
        Thawed { broker } => (80, say::thawed(lang, *broker)),
        DiskReplaced { broker } => (80, say::disk_replaced(lang, *broker)),
        MessageLost { from, to, what } => {
            // What dies with a process is no news beside its death.
            let alive = |n: &NodeId| match n {
                NodeId::Broker(b) => step
                    .now
                    .broker(*b)
                    .is_some_and(|b| b.process == Process::Up),
                _ => true,
            };
            let weight = if alive(from) && alive(to) { 82 } else { 25 };
            (weight, lost(lang, what, &node(from), &node(to)))
        }
        ConfigChanged { what, name, value } => (
            80,
            match value {
                Some(value) => say::config_set(lang, what, name, value),
                None => say::config_unset(lang, what, name),
            },
        ),
        AdminRefused { what, error } => (80, say::admin_refused(lang, what, *error)),
        ProduceSent {
            client,
            broker,
            values,
            acks,
            attempt,
            ..
        } => {
            let values = said(lang, values);
            if *attempt > 1 {
                (
                    64,
                    say::produce_again(lang, &name(client), &values, *broker, *attempt),
                )
            } else {
                let text = say::produce_sent(lang, &name(client), &values, *broker, acks.as_str());
                // Under acks=0 the outcome, which comes at once, says the same.
                let weight = if *acks == Acks::None { 45 } else { 55 };
                (weight, text)
            }
        }
        ProduceDone {
            client,
            values,
            outcome,
            ..
        } => match outcome {
            Outcome::Confirmed(Some(at)) => (
                if one_of_many(step, event) { 20 } else { 72 },
                say::produce_confirmed(
                    lang,
                    &name(client),
                    at.before(),
                    at.before().plus(values.len().max(1) as i64),
                ),
            ),
            Outcome::Confirmed(None) => (
                71,
                say::produce_forgot(lang, &name(client), &said(lang, values)),
            ),
            Outcome::Failed(error) => (
                84,
                say::produce_failed(lang, &name(client), &said(lang, values), *error),
            ),
        },
        ProduceRetry {
            client,
            error,
            after,
            ..
        } => match after {
            Ms(0) => (66, say::produce_redirected(lang, &name(client), *error)),
            after => (66, say::produce_retry(lang, &name(client), *error, *after)),
        },
        MetadataLearned {
            client,
            from,
            leader,
            epoch,
            ..
        } => match leader {
            // Of a consumer that then read, this is beside the point.
            Some(_) if super::offsets::hears(step, *client) => return Vec::new(),
            Some(leader) => (
                60,
                say::metadata_leader(lang, &name(client), *from, *leader, *epoch),
            ),
            None => (47, say::metadata_no_leader(lang, &name(client), *from)),
        },
        Consumed { .. } => return super::offsets::consumed(step, event),
        ConsumeRefused {
            client,
            position,
            error,
            ..
        } => (
            70,
            say::consume_refused(lang, &name(client), *position, *error),
        ),
        PollEmpty {
            client,
            tp,
            position,
        } => {
            let led =
                crate::view::stage::row::reg(step.now, *tp).is_none_or(|r| r.leader.is_some());
            let words = match led {
                true => say::poll_empty,
                false => say::poll_leaderless,
            };
            (63, words(lang, &name(client), *position))
        }
        PositionReset { client, to, .. } if super::offsets::by_policy(step, event).is_some() => {
            return super::offsets::reset(step, event, *client, *to);
        }
        PositionReset { client, to, .. } => (50, say::position_reset(lang, &name(client), *to)),
        DuplicateFound { broker, base, .. } => (76, say::duplicate(lang, *broker, *base)),
        ProduceWaits { broker, until, .. } => (56, say::produce_waits(lang, *broker, *until)),
        ProduceAnswered { broker, result, .. } => match result {
            Ok(at) => (40, say::answered(lang, *broker, *at)),
            Err(error) => (64, say::refused(lang, *broker, *error)),
        },
        DivergenceFound {
            leader,
            follower,
            epoch,
            end,
            ..
        } => (69, say::divergence(lang, *leader, *follower, *epoch, *end)),
        FetchRefused {
            broker,
            asker,
            offset,
            error,
            ..
        } => (
            42,
            say::fetch_refused(lang, *broker, &node(asker), *offset, *error),
        ),
        HighWatermarkHeld {
            at, isr, min_isr, ..
        } => (61, say::hw_held(lang, *at, *isr, *min_isr)),
        IsrChangeAsked { leader, what, .. } => match what {
            IsrMove::Expand(broker) => (59, say::expand_asked(lang, *leader, *broker)),
            IsrMove::Shrink(out) => (59, say::shrink_asked(lang, *leader, *out)),
        },
        IsrChangeRefused { leader, error, .. } => (67, say::isr_refused(lang, *leader, *error)),
        IsrLearned { leader, to, .. } => (32, say::isr_learned(lang, *leader, *to)),
        // The deletion itself says so.
        LogStartMoved { broker, tp, to, .. }
            if step.events.iter().any(|e| matches!(&e.kind, SegmentsDeleted { broker: b, tp: t, to: until, .. } if (b, t, until) == (broker, tp, to))) =>
        {
            return Vec::new();
        }
        LogStartMoved { broker, to, .. } => (68, say::log_start_moved(lang, *broker, *to)),
        FollowerHighWatermark {
            follower, from, to, ..
        } if to < from => (60, say::follower_hw_down(lang, *follower, *from, *to)),
        Truncated {
            broker,
            from,
            to,
            reason: TruncateReason::DiskLoss,
            ..
        } => (
            87,
            say::disk_lost(lang, *broker, *from.min(to), *from.max(to)),
        ),
        Truncated {
            broker,
            from,
            to,
            values,
            ..
        } => (
            90,
            say::truncated(
                lang,
                *broker,
                *from.min(to),
                *from.max(to),
                &said(lang, values),
            ),
        ),
        Throttled { follower, .. } => (70, say::throttled(lang, *follower)),
        Registered {
            broker,
            epoch,
            unclean,
        } => (
            50,
            if *unclean {
                say::registered_unclean(lang, *broker, *epoch)
            } else {
                say::registered(lang, *broker, *epoch)
            },
        ),
        RegistrationRefused { broker, error } => {
            (55, say::registration_refused(lang, *broker, *error))
        }
        FencedBroker { broker, silent } => (78, say::fenced(lang, *broker, *silent)),
        UnfencedBroker { broker } => (60, say::unfenced(lang, *broker)),
        ShutdownGranted { broker } => (70, say::shutdown_granted(lang, *broker)),
        PartitionChanged { old, new, why, .. } => return changed(lang, old.as_deref(), new, *why),
        ElrCleared { .. } => (68, say::elr_cleared(lang)),
        MetadataApplied { broker, offset } => (5, say::metadata_applied(lang, *broker, *offset)),
        BecameLeader {
            broker,
            epoch,
            start,
            ..
        } => (45, say::became_leader(lang, *broker, *epoch, *start)),
        BecameFollower {
            broker,
            epoch,
            leader,
            ..
        } => match leader {
            Some(leader) => (35, say::became_follower(lang, *broker, *leader, *epoch)),
            None => (34, say::became_leaderless(lang, *broker)),
        },
        ReplicaDeleted { broker, .. } => (58, say::replica_deleted(lang, *broker)),
        ConfirmedLost { offset, value, .. } => (
            95,
            say::confirmed_lost(
                lang,
                *offset,
                &crate::text::number::value(lang, value.as_deref()),
            ),
        ),
        Violation { invariant, .. } => (100, say::violation(lang, invariant)),
        LinkCut { .. }
        | LinkHealed { .. }
        | LinkDelay { .. }
        | FetchSent { .. }
        | Appended { .. }
        | FetchHandled { .. }
        | HighWatermarkMoved { .. }
        | Replicated { .. }
        | FollowerHighWatermark { .. } => return Vec::new(),
        _ => return super::offsets::one(step, event),
    };
    vec![told]
}

/// Whether a confirmation is one of several of a log without other replicas: its append tells all.
fn one_of_many(step: &Step, event: &Event) -> bool {
    let confirmed = |e: &&Event| matches!(e.kind, EventKind::ProduceDone { .. });
    super::tell::alone(step, event) && step.events.iter().filter(confirmed).count() > 1
}

fn changed(
    lang: Lang,
    old: Option<&PartitionReg>,
    new: &PartitionReg,
    why: ChangeReason,
) -> Vec<(i32, String)> {
    let list = |ids: &[BrokerId]| {
        ids.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut all = Vec::new();
    let Some(old) = old else {
        return match new.leader {
            Some(leader) => vec![(60, say::created(lang, &list(&new.replicas), leader))],
            None => vec![(60, say::no_leader(lang, new.leader_epoch))],
        };
    };
    let unclean = new.recovery != old.recovery && new.recovery == Recovery::Recovering
        || matches!(
            why,
            ChangeReason::ElectLeaders { unclean: true } | ChangeReason::UncleanTask
        );
    match (old.leader, new.leader) {
        (a, Some(b)) if a != Some(b) && unclean => {
            all.push((89, say::elected_unclean(lang, b, new.leader_epoch)));
        }
        (a, Some(b)) if a != Some(b) => all.push((88, say::elected(lang, b, new.leader_epoch))),
        (Some(_), None) => all.push((89, say::no_leader(lang, new.leader_epoch))),
        (Some(_), Some(b)) if old.leader_epoch != new.leader_epoch => {
            all.push((52, say::re_elected(lang, b, new.leader_epoch)));
        }
        _ => {}
    }
    if old.replicas != new.replicas {
        all.push((70, say::reassigned(lang, &list(&new.replicas))));
    }
    if old.isr != new.isr {
        all.push((75, say::isr_changed(lang, old.isr, new.isr)));
    }
    if old.elr != new.elr && !new.elr.is_empty() {
        all.push((59, say::elr_changed(lang, new.elr)));
    } else if old.elr != new.elr {
        // Beside a change of the ISR it goes without saying (R-ELR-1).
        let weight = if old.isr == new.isr { 66 } else { 40 };
        all.push((weight, say::elr_emptied(lang, old.elr)));
    }
    all
}

/// A message that was lost, by the name of the request that it is or answers: Kafka's protocol has
/// no `ProduceAnswer`.
fn lost(lang: Lang, what: &str, from: &str, to: &str) -> String {
    match what.strip_suffix("Answer") {
        Some("Group" | "Transaction") => say::some_answer_lost(lang, from, to),
        Some(request) => say::answer_lost(lang, request, from, to),
        None => say::message_lost(lang, what, from, to),
    }
}
