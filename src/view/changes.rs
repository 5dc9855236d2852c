//! What differs between a step and the one before, in words.

use super::Step;
use super::ruler;
use super::stage::clients::runs;
use super::stage::row::{self, Facts};
use super::stage::{self, wire};
use super::tables::process;
use crate::kafka::event::EventKind;
use crate::kafka::ids::{Boundary, BrokerId, Tp};
use crate::text::{Lang, state, words};
use crate::world::picture::{ClientKind, ClientPicture, Life, Picture, RolePicture, SendPicture};

/// What differs between two pictures, about one partition.
pub fn changed(step: &Step, tp: Tp) -> Vec<String> {
    let Some(before) = step.before else {
        return Vec::new();
    };
    let mut all = registration(step, before, tp);
    all.extend(brokers(step, before));
    all.extend(logs(step, before, tp));
    clients(step, before, tp, &mut all);
    if let (Some(old), Some(new)) = (ruler::input(before, tp), ruler::input(step.now, tp)) {
        all.extend(ruler::changed(step.lang, &old, &new));
    }
    lines(step, before, tp, &mut all);
    for l in step.now.lost.iter().filter(|l| l.tp == tp) {
        if !before
            .lost
            .iter()
            .any(|o| o.tp == tp && o.offset == l.offset)
        {
            all.push(state::now_lost(step.lang, l.offset));
        }
    }
    all
}

/// What differs of a partition alone: who leads it, and its logs.
pub fn of_log(step: &Step, tp: Tp) -> Vec<String> {
    let Some(before) = step.before else {
        return Vec::new();
    };
    let mut all = registration(step, before, tp);
    all.extend(logs(step, before, tp));
    all
}

/// What the controller has changed of a partition.
fn registration(step: &Step, before: &Picture, tp: Tp) -> Vec<String> {
    let (lang, now) = (step.lang, step.now);
    let mut all = Vec::new();
    let leader = |b: Option<BrokerId>| b.map_or_else(|| words::none(lang), |b| b.to_string());
    if let (Some(old), Some(new)) = (row::reg(before, tp), row::reg(now, tp)) {
        if old.leader != new.leader {
            all.push(state::leader_changed(
                lang,
                &leader(old.leader),
                &leader(new.leader),
            ));
        }
        if old.leader_epoch != new.leader_epoch {
            all.push(state::epoch_changed(
                lang,
                old.leader_epoch,
                new.leader_epoch,
            ));
        }
        if old.isr != new.isr {
            all.push(state::isr_changed(lang, old.isr, new.isr));
        }
        if old.elr != new.elr {
            all.push(state::elr_changed(lang, old.elr, new.elr));
        }
    }
    all
}

/// What has become of the brokers themselves.
pub(super) fn brokers(step: &Step, before: &Picture) -> Vec<String> {
    let (lang, now) = (step.lang, step.now);
    let mut all = Vec::new();
    for b in &now.brokers {
        let Some(old) = before.broker(b.id) else {
            continue;
        };
        if old.process != b.process {
            all.push(state::process_changed(
                lang,
                b.id,
                &process(lang, old.process),
                &process(lang, b.process),
            ));
        }
        match (old.fenced, b.fenced) {
            (Some(false), Some(true)) => all.push(state::now_fenced(lang, b.id)),
            (Some(true) | None, Some(false)) => all.push(state::now_unfenced(lang, b.id)),
            _ => {}
        }
        match (old.cut_from_controller, b.cut_from_controller) {
            (false, true) => all.push(state::now_cut(lang, b.id)),
            (true, false) => all.push(state::now_joined(lang, b.id)),
            _ => {}
        }
    }
    all
}

/// What has become of the replicas: their parts, boundaries and records, and what they have told
/// each other.
pub(super) fn logs(step: &Step, before: &Picture, tp: Tp) -> Vec<String> {
    let (lang, now) = (step.lang, step.now);
    let old_step = Step {
        before: None,
        now: before,
        events: &[],
        lang,
    };
    let mut all = leaders_isr(step, before, tp);
    for b in &now.brokers {
        let Some(old) = before.broker(b.id) else {
            continue;
        };
        let role = |step: &Step, broker| row::role_words(&Facts::of(step, tp, broker)).1;
        let (was, is) = (role(&old_step, old), role(step, b));
        if was != is && old.process == b.process {
            all.push(state::process_changed(lang, b.id, &was, &is));
        }
        if let (Some(old), Some(new)) = (before.replica(b.id, tp), now.replica(b.id, tp)) {
            if old.log_start != new.log_start {
                all.push(state::start_changed(
                    lang,
                    b.id,
                    old.log_start,
                    new.log_start,
                ));
            }
            if old.log_end != new.log_end {
                all.push(state::leo_changed(lang, b.id, old.log_end, new.log_end));
            }
            if old.high_watermark != new.high_watermark {
                all.push(state::hw_changed(
                    lang,
                    b.id,
                    old.high_watermark,
                    new.high_watermark,
                ));
            }
            // Others in the place of those that were cut: the boundaries may stand where they stood.
            let other = new.records.iter().filter(|r| {
                let was = old.records.iter().find(|o| o.offset == r.offset);
                was.is_some_and(|o| (o.epoch, &o.value) != (r.epoch, &r.value))
            });
            let other: Vec<_> = other.map(|r| r.offset).collect();
            if !other.is_empty() {
                all.push(state::records_changed(lang, b.id, &runs(&other)));
            }
            // Compaction takes records away and moves no boundary.
            let gone = old.records.iter().filter(|o| {
                new.log_end.covers(o.offset)
                    && !new.log_start.covers(o.offset)
                    && !new.records.iter().any(|r| r.offset == o.offset)
            });
            let gone: Vec<_> = gone.map(|r| r.offset).collect();
            if !gone.is_empty() {
                all.push(state::records_gone(lang, b.id, &runs(&gone)));
            }
        }
    }
    all.extend(wire::captions(lang, &wire::exchanges(step, tp), i32::MAX));
    all
}

/// The ISR that a leader counts with, and the one it asks for, where either has changed.
fn leaders_isr(step: &Step, before: &Picture, tp: Tp) -> Vec<String> {
    let lang = step.lang;
    let held = |p: &Picture, b: BrokerId| match &p.replica(b, tp)?.role {
        RolePicture::Leader(l) => Some((l.isr, l.asked)),
        RolePicture::Follower(_) | RolePicture::Down => None,
    };
    step.now
        .brokers
        .iter()
        .filter_map(|b| {
            let (isr, asked) = held(step.now, b.id)?;
            (held(before, b.id)? != (isr, asked)).then(|| {
                let isr = match asked {
                    Some(asked) => state::isr_asked(lang, isr, asked),
                    None => isr.to_string(),
                };
                state::leaders_isr(lang, b.id, &isr)
            })
        })
        .collect()
}

fn clients(step: &Step, before: &Picture, tp: Tp, all: &mut Vec<String>) {
    let lang = step.lang;
    // The strip has room for two: who is not on it may be there all the same.
    let concerned = |step: &Step, client: Option<&ClientPicture>| {
        client.is_some_and(|c| stage::clients::told(step, tp, c).is_some())
    };
    let old_step = Step {
        before: None,
        now: before,
        events: &[],
        lang,
    };
    for client in &step.now.clients {
        let name = &*client.name;
        let old = before.clients.iter().find(|c| c.id == client.id);
        let life = life(step, old, client);
        let here = (concerned(&old_step, old), concerned(step, Some(client)));
        match (here, life) {
            ((true, _) | (_, true), Some(new)) => all.push(new.words(lang, name)),
            ((false, true), None) => all.push(state::client_came(lang, name)),
            ((true, false), None) => all.push(state::client_left(lang, name)),
            _ => {}
        }
        match &client.kind {
            ClientKind::Consumer {
                positions,
                received,
                ..
            } => {
                let (was, had) = match old.map(|o| &o.kind) {
                    Some(ClientKind::Consumer {
                        positions,
                        received,
                        ..
                    }) => (position(positions, tp), received.len()),
                    _ => (None, 0),
                };
                // A new process has read nothing yet.
                let had = if life == Some(NewLife::Restarted) {
                    0
                } else {
                    had
                };
                let more = received.get(had..).unwrap_or_default().iter();
                let more: Vec<_> = more.filter(|r| r.0 == tp).map(|r| r.1).collect();
                if !more.is_empty() {
                    all.push(state::received_changed(lang, name, &runs(&more)));
                }
                let is = position(positions, tp);
                if let Some(is) = is.filter(|_| is != was) {
                    all.push(state::position_changed(lang, name, is));
                }
            }
            ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } => {
                let were = match old.map(|o| &o.kind) {
                    Some(ClientKind::Producer { sends, .. } | ClientKind::Raw { sends }) => sends,
                    _ => &Vec::new(),
                };
                for (n, send) in sends.iter().enumerate().filter(|(_, s)| s.tp == tp) {
                    let same =
                        |w: &SendPicture| w.state == send.state && w.attempts == send.attempts;
                    if !were.get(n).is_some_and(same) {
                        let (_, _, words) = stage::clients::part(lang, send);
                        all.push(state::send_changed(lang, name, &words));
                    }
                }
            }
        }
    }
}

/// What became of a consumer's process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewLife {
    /// Another process has its name.
    Restarted,
    /// It ended in good order.
    Closed,
    /// It crashed.
    Crashed,
}

impl NewLife {
    fn words(self, lang: Lang, name: &str) -> String {
        match self {
            NewLife::Restarted => state::client_restarted(lang, name),
            NewLife::Closed => state::client_closed(lang, name),
            NewLife::Crashed => state::client_crashed(lang, name),
        }
    }
}

fn life(step: &Step, old: Option<&ClientPicture>, new: &ClientPicture) -> Option<NewLife> {
    let of = |client: &ClientPicture| match &client.kind {
        ClientKind::Consumer { member, .. } => Some(member.life),
        _ => None,
    };
    let ended = step.events.iter().any(|e| match e.kind {
        EventKind::ConsumerClosed { client } | EventKind::ConsumerCrashed { client } => {
            client == new.id
        }
        _ => false,
    });
    match (of(old?)?, of(new)?) {
        (Life::Running, Life::Running) if ended => Some(NewLife::Restarted),
        (Life::Closed | Life::Crashed, Life::Running) => Some(NewLife::Restarted),
        (Life::Running, Life::Closed) => Some(NewLife::Closed),
        (Life::Running, Life::Crashed) => Some(NewLife::Crashed),
        _ => None,
    }
}

/// Whatever else a client's line tells (a crash, what its application did) and nothing above has
/// said is told as it stands.
fn lines(step: &Step, before: &Picture, tp: Tp, all: &mut Vec<String>) {
    let old_step = Step {
        before: None,
        now: before,
        events: &[],
        lang: step.lang,
    };
    for client in &step.now.clients {
        // Of a process that is gone there is nothing new.
        if let ClientKind::Consumer { member, .. } = &client.kind
            && member.life != Life::Running
        {
            continue;
        }
        let name = &*client.name;
        let old = before.clients.iter().find(|c| c.id == client.id);
        let was = old.and_then(|c| stage::clients::told(&old_step, tp, c));
        let now = stage::clients::told(step, tp, client);
        let said = all.iter().any(|text| text.contains(name));
        if !said && now.is_some() && now != was {
            all.push(state::figure(step.lang, name, &now.unwrap_or_default()));
        }
    }
}

fn position(of: &[(Tp, Option<Boundary>)], tp: Tp) -> Option<Boundary> {
    of.iter().find(|p| p.0 == tp)?.1
}
