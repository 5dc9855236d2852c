//! Why: the rule behind an event, with its formula and the values it had.

use super::formula::{
    confirmed_formula, follower_formula, in_order, min_formula, one_copy, too_small, waits,
};
use super::offsets_read::read;
use super::offsets_why::numbered;
use super::tell::{about, alone};
use super::{Formula, Why};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{
    Event, EventKind, HwTerm, IsrMove, Outcome, StopKind, TermKind, TruncateReason,
};
use crate::kafka::ids::*;
use crate::kafka::message::{Acks, NodeId};
use crate::kafka::metadata::{ChangeReason, PartitionReg, Recovery};
use crate::text::rules;
use crate::view::Step;
use crate::world::command::Process;
use crate::world::picture::{LeaderPicture, ReplicaPicture, RolePicture};

fn plain(text: String, rules: &[&'static str]) -> Why {
    Why {
        text,
        rules: rules.to_vec(),
        formula: None,
        full: None,
    }
}

fn with(mut why: Why, formula: Option<Formula>) -> Why {
    why.formula = formula;
    why
}

/// The rule behind an event, if it has one worth telling.
pub fn why(step: &Step, tp: Option<Tp>, event: &Event) -> Option<Why> {
    use EventKind::*;
    let lang = step.lang;
    // In a log without other replicas the number is the matter, not the high watermark.
    let write = matches!(
        event.kind,
        Appended { .. }
            | HighWatermarkMoved { .. }
            | ProduceDone {
                outcome: Outcome::Confirmed(_),
                ..
            }
    );
    if write && alone(step, event) {
        return numbered(step, event, about(&event.kind)?);
    }
    if let Some(why) = read(step, event) {
        return Some(why);
    }
    Some(match &event.kind {
        HighWatermarkMoved {
            broker, to, terms, ..
        } => watermark(step, *broker, terms, *to),
        HighWatermarkHeld { isr, min_isr, .. } => with(
            plain(rules::hw_held(lang), &["R-HW-13"]),
            Some(too_small(*isr, *min_isr)),
        ),
        Appended { broker, tp, .. } => match leader(step, *broker, *tp) {
            Some((replica, picture)) if !picture.terms.is_empty() => {
                stands(step, *tp, replica, picture)
            }
            _ => plain(rules::pull(lang), &["R-REP-1"]),
        },
        Replicated { follower, .. } => {
            let tp = super::tell::about(&event.kind)?;
            let leader = crate::view::stage::row::reg(step.now, tp)?.leader?;
            let formula = self::leader(step, leader, tp)
                .filter(|(_, l)| l.terms.iter().any(|t| t.broker == *follower))
                .map(|(r, l)| min_formula(lang, &l.terms, r.high_watermark, None));
            with(plain(rules::leader_learns(lang), &["R-LDR-1"]), formula)
        }
        FetchHandled { .. } => plain(rules::leader_learns(lang), &["R-LDR-1"]),
        FetchSent { leader, .. } => {
            let up = step
                .now
                .broker(*leader)
                .is_none_or(|b| b.process == Process::Up);
            if up {
                plain(rules::pull(lang), &["R-REP-1"])
            } else {
                plain(rules::not_known_yet(lang), &["R-FEN-2"])
            }
        }
        FollowerHighWatermark {
            follower,
            tp,
            told,
            to,
            ..
        } => {
            let end = step.now.replica(*follower, *tp).map(|r| r.log_end);
            with(
                plain(rules::follower_learns(lang), &["R-REP-5", "R-HW-4"]),
                end.map(|end| follower_formula(*follower, *told, end, *to)),
            )
        }
        ProduceSent { attempt: 2.., .. } => return None,
        ProduceSent { .. } => plain(rules::writes_to_leader(lang), &["R-ACK-9", "R-REP-1"]),
        MetadataLearned { client, .. } if !sends_first(step, *client) => {
            plain(rules::metadata(lang), &["R-PRD-4"])
        }
        ProduceDone { acks, outcome, .. } => match outcome {
            Outcome::Failed(error) => refused(step, tp, *error)?,
            Outcome::Confirmed(at) => match acks {
                Acks::None => plain(rules::acks_none(lang), &["R-ACK-2"]),
                Acks::Leader => with(
                    plain(rules::acks_leader(lang), &["R-ACK-3"]),
                    tp.and_then(|tp| one_copy(step, tp)),
                ),
                Acks::All => with(
                    plain(rules::acks_all(lang), &["R-ACK-4"]),
                    at.and_then(|at| confirmed_formula(step, tp?, at)),
                ),
            },
        },
        ProduceRetry { error, .. } => refused(step, tp, *error)?,
        ProduceAnswered {
            result: Err(error), ..
        } => refused(step, tp, *error)?,
        ProduceWaits {
            broker, tp, until, ..
        } => with(
            plain(rules::acks_all(lang), &["R-ACK-4"]),
            step.now
                .replica(*broker, *tp)
                .map(|r| waits(*broker, r.high_watermark, *until)),
        ),
        DuplicateFound { .. } => plain(rules::idempotent(lang), &["R-IDM-1"]),
        ConsumeRefused { error, .. } => refused(step, tp, *error)?,
        DivergenceFound { .. } => plain(rules::truncation(lang), &["R-TRU-1"]),
        Truncated { reason, .. } => match reason {
            TruncateReason::Diverging { .. } => plain(
                format_two(rules::truncation(lang), rules::not_by_hw(lang)),
                &["R-TRU-1", "R-TRU-5"],
            ),
            TruncateReason::LeaderLogShorter | TruncateReason::LeaderLogStartsLater => {
                plain(rules::truncation_to_end(lang), &["R-TRU-7"])
            }
            TruncateReason::HighWatermark => plain(rules::truncation(lang), &["R-TRU-5"]),
            TruncateReason::DiskLoss => plain(rules::page_cache(lang), &["R-ACK-11"]),
        },
        Throttled { .. } => plain(rules::throttle(lang), &["R-REP-8"]),
        LogStartMoved { .. } => plain(rules::deleted(lang), &["R-DEL-1"]),
        PartitionChanged { old, new, why, .. } => changed(step, old.as_deref(), new, *why)?,
        FencedBroker { .. } => plain(rules::session(lang), &["R-FEN-1", "R-FEN-2"]),
        UnfencedBroker { .. } => Why {
            full: Some(rules::unfencing_full(lang)),
            ..plain(rules::unfencing(lang), &["R-FEN-6"])
        },
        Started { broker } | Registered { broker, .. } if left_elr(step, *broker) => {
            plain(rules::unclean_start(lang), &["R-FEN-8"])
        }
        Registered { .. } | RegistrationRefused { .. } => {
            plain(rules::starts_fenced(lang), &["R-FEN-5"])
        }
        Started { broker } => {
            // The preferred leader comes back and does not lead.
            let led = tp
                .and_then(|tp| crate::view::stage::row::reg(step.now, tp))
                .is_some_and(|r| r.leader != Some(*broker) && r.replicas.first() == Some(broker));
            if led {
                plain(rules::comes_back(lang), &["R-ZOM-1"])
            } else {
                plain(rules::starts_fenced(lang), &["R-FEN-5"])
            }
        }
        Stopped {
            how: StopKind::PowerLost,
            ..
        } => plain(rules::page_cache(lang), &["R-ACK-11"]),
        Stopped {
            how: StopKind::Killed,
            broker,
        }
        | Frozen { broker } => {
            let known = step.now.broker(*broker).and_then(|b| b.fenced);
            if known == Some(true) {
                plain(rules::session(lang), &["R-FEN-1", "R-FEN-2"])
            } else {
                plain(rules::not_known_yet(lang), &["R-FEN-2"])
            }
        }
        ShutdownAsked { .. }
        | ShutdownGranted { .. }
        | Stopped {
            how: StopKind::Clean,
            ..
        } => plain(rules::controlled(lang), &["R-CSD-1", "R-CSD-2"]),
        LinkCut { from, to } if [*from, *to].contains(&NodeId::Controller) => {
            plain(rules::cut_off(lang), &["R-FEN-7"])
        }
        IsrChangeAsked { what, .. } => match what {
            IsrMove::Expand(_) => plain(rules::expand(lang), &["R-ISR-3"]),
            IsrMove::Shrink(_) => plain(rules::shrink(lang), &["R-ISR-1"]),
        },
        IsrChangeRefused { .. } => plain(rules::alter_partition(lang), &["R-ALT-1"]),
        IsrLearned { .. } => plain(rules::alter_partition(lang), &["R-ALT-1"]),
        FetchRefused { error, .. } => refused(step, tp, *error)?,
        BecameLeader { .. } => plain(rules::new_leader_hw(lang), &["R-HW-17"]),
        BecameFollower { .. } => plain(rules::comes_back(lang), &["R-ZOM-1"]),
        ConfirmedLost { .. } => lost(step, tp),
        _ => return super::offsets_why::why(step, event),
    })
}

/// Two rules one after the other: each is whole in its language.
fn format_two(a: String, b: String) -> String {
    [a, b].join(" ")
}

fn leader<'a>(
    step: &Step<'a>,
    broker: BrokerId,
    tp: Tp,
) -> Option<(&'a ReplicaPicture, &'a LeaderPicture)> {
    let replica = step.now.replica(broker, tp)?;
    match &replica.role {
        RolePicture::Leader(l) => Some((replica, l)),
        _ => None,
    }
}

/// HW = min(...): the rule that fits the terms used, and the terms.
fn watermark(step: &Step, _leader: BrokerId, terms: &[HwTerm], hw: Boundary) -> Why {
    let lang = step.lang;
    let outsider = terms.iter().any(|t| t.kind == TermKind::CaughtUpOutsider);
    let joining = terms.iter().any(|t| t.kind == TermKind::Joining);
    // The follower whose fetch made the difference, if it is among the least.
    let mover = step.events.iter().rev().find_map(|e| match e.kind {
        EventKind::FetchHandled {
            follower,
            offset,
            before,
            ..
        } if before != Some(offset) => Some(follower),
        _ => None,
    });
    let (text, rules): (String, &[&'static str]) = if outsider {
        (rules::outsider_holds(lang), &["R-HW-10", "R-HW-11"])
    } else if joining {
        (rules::maximal_isr(lang), &["R-HW-10", "R-HW-12"])
    } else {
        (rules::hw_is_min(lang), &["R-HW-10"])
    };
    Why {
        text,
        rules: rules.to_vec(),
        formula: Some(min_formula(lang, terms, hw, mover)),
        full: Some(rules::hw_is_min_full(lang)),
    }
}

/// Why the high watermark stands where it stands, after an append.
fn stands(step: &Step, tp: Tp, replica: &ReplicaPicture, picture: &LeaderPicture) -> Why {
    let lang = step.lang;
    let min_isr = step
        .now
        .partitions
        .iter()
        .find(|p| p.tp == tp)
        .map_or(1, |p| p.min_isr);
    if picture.isr.len() < min_isr {
        return with(
            plain(rules::hw_held(lang), &["R-HW-13", "R-ACK-7"]),
            Some(too_small(picture.isr.len(), min_isr)),
        );
    }
    let mut why = watermark(step, BrokerId(0), &picture.terms, replica.high_watermark);
    why.rules.push("R-LDR-1");
    why
}

/// Whether a producer sends something for the first time in this step.
fn sends_first(step: &Step, of: ClientId) -> bool {
    step.events.iter().any(
        |e| matches!(e.kind, EventKind::ProduceSent { client, attempt: 1, .. } if client == of),
    )
}

/// A client that waits for the high watermark, with no event of its own: what it waits for.
pub fn still_waits(step: &Step, tp: Tp, client: ClientId) -> Option<(Boundary, Boundary, Why)> {
    let leader = crate::view::stage::row::reg(step.now, tp)?.leader?;
    let (replica, picture) = self::leader(step, leader, tp)?;
    let hw = replica.high_watermark;
    let until = picture.waiting.iter().find(|w| w.0 == client)?.1;
    let why = with(
        plain(rules::acks_all(step.lang), &["R-ACK-4"]),
        Some(waits(leader, hw, until)),
    );
    (hw < until).then_some((hw, until, why))
}

fn refused(step: &Step, tp: Option<Tp>, error: KafkaError) -> Option<Why> {
    use KafkaError::*;
    let lang = step.lang;
    let sizes = tp.and_then(|tp| {
        let p = step.now.partitions.iter().find(|p| p.tp == tp)?;
        Some(too_small(p.reg.isr.len(), p.min_isr))
    });
    Some(match error {
        NotEnoughReplicas => with(plain(rules::not_enough(lang), &["R-ACK-4"]), sizes),
        NotEnoughReplicasAfterAppend => plain(rules::not_enough_after(lang), &["R-ACK-5"]),
        RequestTimedOut | Timeout => plain(rules::timed_out(lang), &["R-ACK-5", "R-ACK-6"]),
        NotLeaderOrFollower | LeaderNotAvailable => {
            plain(rules::not_leader(lang), &["R-ACK-9", "R-ACK-10"])
        }
        NetworkException => plain(rules::disconnected(lang), &["R-PRD-3"]),
        OutOfOrderSequenceNumber => plain(rules::idempotent(lang), &["R-IDM-2"]),
        FencedLeaderEpoch | UnknownLeaderEpoch => plain(rules::epochs_fence(lang), &["R-EPO-3"]),
        OffsetOutOfRange => plain(rules::out_of_range(lang), &["R-READ-1"]),
        other => plain(rules::kafka_says(lang, other), &[]),
    })
}

/// A confirmed record is gone: which promise was too small.
fn lost(step: &Step, tp: Option<Tp>) -> Why {
    let lang = step.lang;
    let unclean = tp
        .and_then(|tp| crate::view::stage::row::reg(step.now, tp))
        .is_some_and(|r| r.recovery == Recovery::Recovering);
    let by_one = step.now.clients.iter().any(|c| match &c.kind {
        crate::world::picture::ClientKind::Producer { settings, .. } => {
            settings.acks == Acks::Leader
        }
        _ => false,
    });
    if unclean {
        plain(rules::unclean(lang), &["R-ELE-3"])
    } else if by_one {
        plain(rules::lost_one_copy(lang), &["R-ACK-3"])
    } else {
        plain(rules::logs_not_compared(lang), &["R-ELE-8"])
    }
}

fn changed(
    step: &Step,
    old: Option<&PartitionReg>,
    new: &PartitionReg,
    reason: ChangeReason,
) -> Option<Why> {
    let lang = step.lang;
    let Some(old) = old else {
        return Some(plain(rules::first_leader(lang), &["R-ELE-10"]));
    };
    if old.leader != new.leader {
        let Some(leader) = new.leader else {
            return Some(plain(rules::nobody(lang), &["R-ELE-6"]));
        };
        let unclean = new.recovery == Recovery::Recovering && old.recovery != new.recovery;
        let order = Some(in_order(step, old, new));
        if unclean && !old.last_known_elr.is_empty() && old.isr.is_empty() {
            return Some(plain(rules::last_known(lang), &["R-ELE-5"]));
        }
        if unclean {
            return Some(with(plain(rules::unclean(lang), &["R-ELE-3"]), order));
        }
        if old.elr.contains(leader) && !old.isr.contains(leader) {
            return Some(plain(rules::elr(lang), &["R-ELR-1", "R-ELR-3"]));
        }
        return Some(match reason {
            ChangeReason::ElectLeaders { .. } | ChangeReason::Balance => {
                with(plain(rules::preferred(lang), &["R-ELE-4"]), order)
            }
            ChangeReason::ControlledShutdown(_) => with(
                plain(rules::controlled(lang), &["R-CSD-2", "R-ELE-2"]),
                order,
            ),
            _ => with(plain(rules::election(lang), &["R-ELE-2"]), order),
        });
    }
    match reason {
        ChangeReason::AlterPartition { .. } if old.isr.is_subset(new.isr) && old.isr != new.isr => {
            Some(plain(rules::expand(lang), &["R-ISR-3"]))
        }
        ChangeReason::AlterPartition { .. } if old.isr != new.isr => {
            Some(plain(rules::shrink(lang), &["R-ISR-1"]))
        }
        ChangeReason::Fenced(_) => Some(plain(rules::fenced_leaves_isr(lang), &["R-FEN-3"])),
        ChangeReason::ControlledShutdown(_) => Some(plain(rules::controlled(lang), &["R-CSD-1"])),
        ChangeReason::UncleanRegistration(_) => {
            Some(plain(rules::unclean_start(lang), &["R-FEN-8"]))
        }
        _ if old.isr != new.isr => Some(plain(rules::isr_by_controller(lang), &["R-ISR-7"])),
        _ => None,
    }
}

/// Whether this broker's registration after a crash took it out of an ELR in this step.
fn left_elr(step: &Step, broker: BrokerId) -> bool {
    step.events.iter().any(|e| match &e.kind {
        EventKind::PartitionChanged {
            old: Some(old),
            new,
            why: ChangeReason::UncleanRegistration(who),
            ..
        } => *who == broker && old.elr != new.elr,
        _ => false,
    })
}
