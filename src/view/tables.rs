//! The same as the stage in words and tables, for those who read or hear instead of looking; and
//! what is said aloud at a step.

use super::Step;
use super::card::Card;
use super::ruler;
use super::stage::row::{self, Facts};
use crate::kafka::ids::{Boundary, BrokerId, Tp};
use crate::text::number::numbers;
use crate::text::{Lang, state, words};
use crate::world::command::Process;
use crate::world::picture::{ClientKind, Picture, RolePicture};

/// A table; the first cell of a row is its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// Headings of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// A step in words (ux.md 3.7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// Brokers × role, epoch, ISR, records, HW, LEO.
    pub state: Table,
    /// Each boundary with what lies on both sides.
    pub boundaries: Table,
    /// What clients have sent and got.
    pub clients: Vec<String>,
    /// What differs from the step before.
    pub changed: Vec<String>,
}

/// A step in words.
pub fn described(step: &Step, tp: Tp) -> Described {
    Described {
        state: replicas(step, tp),
        boundaries: boundaries(step, tp),
        clients: crate::view::stage::clients::lines(step, tp, 0, i32::MAX / 2, 0)
            .into_iter()
            .map(|line| {
                let parts: Vec<String> = line.parts.into_iter().map(|p| p.text).collect();
                parts.join("; ")
            })
            .collect(),
        changed: changed(step, tp),
    }
}

fn facts<'a>(step: &'a Step<'a>, tp: Tp) -> Vec<Facts<'a>> {
    step.now
        .brokers
        .iter()
        .map(|b| Facts::of(step, tp, b))
        .filter(|f| f.replica.is_some() || f.reg.is_some_and(|r| r.replicas.contains(&f.broker.id)))
        .collect()
}

/// The word of a process.
pub(super) fn process(lang: Lang, process: Process) -> String {
    match process {
        Process::Up => words::up(lang),
        Process::Stopping => words::stopping(lang),
        Process::Frozen => words::frozen(lang),
        Process::Killed => words::crashed(lang),
        Process::Stopped => words::stopped(lang),
    }
}

fn replicas(step: &Step, tp: Tp) -> Table {
    let lang = step.lang;
    let rows = facts(step, tp)
        .iter()
        .map(|f| {
            let mut role = row::role_words(f).1;
            if let Some((_, plight)) = row::plight(f) {
                role = state::role_and(lang, &role, &plight);
            }
            let isr = row::isr_words(f).map_or_else(|| words::none(lang), |(_, w)| w);
            let mut cells = vec![words::broker(lang, f.broker.id), role];
            match f.replica {
                Some(r) => cells.extend([
                    // Below 0: it has not heard of the partition since its start.
                    match r.leader_epoch.0 {
                        ..0 => words::none(lang),
                        epoch => epoch.to_string(),
                    },
                    isr,
                    match numbers(r.log_start, r.log_end) {
                        none if none.is_empty() => words::none(lang),
                        some => some,
                    },
                    r.high_watermark.to_string(),
                    r.log_end.to_string(),
                ]),
                None => {
                    let none = words::none(lang);
                    cells.extend([none.clone(), isr, none.clone(), none.clone(), none]);
                }
            }
            cells
        })
        .collect();
    Table {
        caption: state::replicas_caption(lang),
        head: vec![
            words::head_broker(lang),
            words::head_role(lang),
            words::head_epoch(lang),
            words::head_isr(lang),
            words::head_records(lang),
            words::head_hw(lang),
            words::head_leo(lang),
        ],
        rows,
    }
}

/// A high watermark in words: what lies on both sides of it.
pub fn high_watermark(lang: Lang, start: Boundary, at: Boundary) -> String {
    match at.0 - start.0 {
        ..=0 => state::hw_none(lang, at),
        1 => state::hw_one(lang, at),
        _ => state::hw_many(lang, at, start),
    }
}

/// A log end in words.
pub fn log_end(lang: Lang, start: Boundary, at: Boundary) -> String {
    match at.0 - start.0 {
        ..=0 => state::leo_none(lang, at),
        1 => state::leo_one(lang, at),
        _ => state::leo_many(lang, at, start),
    }
}

fn boundaries(step: &Step, tp: Tp) -> Table {
    let lang = step.lang;
    let mut rows = Vec::new();
    for f in facts(step, tp) {
        let Some(r) = f.replica else { continue };
        let mut row = |name: String, at: Boundary, meaning: String| {
            rows.push(vec![
                state::of_broker(lang, &name, f.broker.id),
                at.to_string(),
                meaning,
            ]);
        };
        if r.log_start.0 > 0 {
            let name = words::log_start(lang, r.log_start);
            row(name, r.log_start, state::log_start(lang, r.log_start));
        }
        row(
            words::head_hw(lang),
            r.high_watermark,
            high_watermark(lang, r.log_start, r.high_watermark),
        );
        row(
            words::head_leo(lang),
            r.log_end,
            log_end(lang, r.log_start, r.log_end),
        );
    }
    Table {
        caption: state::boundaries_caption(lang),
        head: vec![
            words::head_boundary(lang),
            words::head_value(lang),
            words::head_meaning(lang),
        ],
        rows,
    }
}

/// What differs between two pictures, about one partition.
fn changed(step: &Step, tp: Tp) -> Vec<String> {
    let lang = step.lang;
    let Some(before) = step.before else {
        return Vec::new();
    };
    let now = step.now;
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
    all.extend(leaders_isr(step, before, tp));
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
        }
    }
    clients(step, before, tp, &mut all);
    if let (Some(old), Some(new)) = (ruler::input(before, tp), ruler::input(now, tp)) {
        all.extend(ruler::changed(lang, &old, &new));
    }
    for l in now.lost.iter().filter(|l| l.tp == tp) {
        if !before
            .lost
            .iter()
            .any(|o| o.tp == tp && o.offset == l.offset)
        {
            all.push(state::now_lost(lang, l.offset));
        }
    }
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
    for client in &step.now.clients {
        let old = before.clients.iter().find(|c| c.id == client.id);
        let (ClientKind::Producer { sends, .. } | ClientKind::Raw { sends }) = &client.kind else {
            if let ClientKind::Consumer { positions, .. } = &client.kind {
                let was = old.and_then(|o| match &o.kind {
                    ClientKind::Consumer { positions, .. } => {
                        positions.iter().find(|p| p.0 == tp)?.1
                    }
                    _ => None,
                });
                let is = positions.iter().find(|p| p.0 == tp).and_then(|p| p.1);
                if let Some(is) = is.filter(|_| is != was) {
                    all.push(state::position_changed(lang, &client.name, is));
                }
            }
            continue;
        };
        let were = old.map_or(&[][..], |o| match &o.kind {
            ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } => sends,
            ClientKind::Consumer { .. } => &[],
        });
        for (n, send) in sends.iter().enumerate().filter(|(_, s)| s.tp == tp) {
            if were
                .get(n)
                .is_some_and(|w| w.state == send.state && w.attempts == send.attempts)
            {
                continue;
            }
            let (_, _, words) = crate::view::stage::clients::part(lang, send);
            all.push(state::send_changed(lang, &client.name, &words));
        }
    }
}

/// Which way the reader came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// From the step before.
    Next,
    /// From the step after.
    Back,
    /// From anywhere.
    Jump,
}

/// The longest that is said at once, in words.
const SPOKEN: usize = 25;

/// What is said aloud: at most 25 words. Next says the change and its reason, back the change.
pub fn narration(step: &Step, card: &Card, number: u32, of: u32, way: Way) -> String {
    let lang = step.lang;
    let heading = spoken(card.heading.trim_end_matches(['.', '?']));
    let said = match way {
        Way::Back => state::spoken_back(lang, number, &heading),
        Way::Next | Way::Jump => state::spoken_next(lang, number, of, &heading),
    };
    let count = |s: &str| s.split_whitespace().count();
    let reason = card.why.first().map(|w| spoken(&w.text));
    match reason.filter(|r| way == Way::Next && count(&said) + count(r) <= SPOKEN) {
        Some(reason) => format!("{said} {reason}"),
        None if count(&said) > SPOKEN => {
            let words: Vec<&str> = said.split_whitespace().take(SPOKEN).collect();
            format!("{}…", words.join(" ").trim_end_matches(['.', ',', ':']))
        }
        None => said,
    }
}

/// A sentence without the marks of code type.
fn spoken(text: &str) -> String {
    text.replace('`', "")
}

/// The `aria-valuetext` of the timeline: «шаг 9 из 18, лидер сменился».
pub fn value_text(step: &Step, heading: &str, number: u32, of: u32) -> String {
    state::slider(
        step.lang,
        number,
        of,
        &spoken(heading.trim_end_matches('.')),
    )
}
