//! The same as the stage in words and tables, for those who read or hear instead of looking; and
//! what is said aloud at a step.

use super::Step;
use super::card::Card;
use super::changes::changed;
use super::ruler::{self, Isolation, RulerInput};
use super::stage::clients::runs;
use super::stage::row::{self, Facts};
use crate::kafka::ids::{Boundary, Offset, Tp};
use crate::text::{Lang, state, words};
use crate::world::command::Process;
use crate::world::picture::{RecordPicture, ReplicaPicture};

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

/// A step in words (ux.md 3.7), or a lane's part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The lane; empty where there are no lanes.
    pub heading: String,
    /// The state: of a partition its replicas, then each boundary with what lies on both sides.
    pub tables: Vec<Table>,
    /// What clients have sent and got.
    pub clients: Vec<String>,
    /// What differs from the step before.
    pub changed: Vec<String>,
}

/// A step in words.
pub fn described(step: &Step, tp: Tp) -> Described {
    Described {
        heading: String::new(),
        tables: vec![replicas(step, tp), boundaries(step, tp)],
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

/// The replicas of a partition, a row each.
pub(super) fn replicas(step: &Step, tp: Tp) -> Table {
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
                    records(step, tp, r),
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

/// The numbers of a replica's records, and which of them the leader does not have like that.
fn records(step: &Step, tp: Tp, of: &ReplicaPicture) -> String {
    let lang = step.lang;
    let all = runs(&ruler::log_of(of).kept());
    if all.is_empty() {
        return words::none(lang);
    }
    let leader = row::reg(step.now, tp)
        .and_then(|r| r.leader)
        .and_then(|leader| step.now.replica(leader, tp));
    let differs: Vec<Offset> = match leader {
        None => Vec::new(),
        Some(leader) => {
            let same = |r: &RecordPicture| {
                let is = |l: &RecordPicture| {
                    (l.offset, l.epoch, &l.value) == (r.offset, r.epoch, &r.value)
                };
                leader.log_start.covers(r.offset) || leader.records.iter().any(is)
            };
            let other = of.records.iter().filter(|r| !same(r));
            other.map(|r| r.offset).collect()
        }
    };
    let known = |at: &Offset| leader.is_some_and(|l| l.records.iter().any(|r| r.offset == *at));
    let (other, absent): (Vec<Offset>, Vec<Offset>) = differs.into_iter().partition(known);
    let mut said = all;
    if !other.is_empty() {
        said = state::records_other(lang, &said, &runs(&other));
    }
    if !absent.is_empty() {
        said = state::records_absent(lang, &said, &runs(&absent));
    }
    said
}

/// A high watermark in words: what lies on both sides of it. A number that has no record, or
/// none for an application, is not called visible.
pub fn high_watermark(lang: Lang, of: &RulerInput) -> String {
    let at = of.high_watermark;
    let seen = |level| of.given(level, of.log_start, of.visible_end(level));
    let all = seen(Isolation::Uncommitted);
    if all != seen(Isolation::Committed) {
        return state::hw_uncommitted(lang, at, &runs(&all));
    }
    match all.as_slice() {
        [] => state::hw_none(lang, at),
        [one] => state::hw_one(lang, at, *one),
        [first, .., last] if last.0 - first.0 == all.len() as i64 - 1 => {
            state::hw_many(lang, at, *first, *last)
        }
        some => state::hw_runs(lang, at, &runs(some)),
    }
}

/// A log end in words.
pub fn log_end(lang: Lang, of: &RulerInput) -> String {
    let at = of.log_end;
    match of.kept().as_slice() {
        [] => state::leo_none(lang, at),
        [one] => state::leo_one(lang, at, *one),
        all @ [first, .., last] if last.0 - first.0 == all.len() as i64 - 1 => {
            state::leo_many(lang, at, *first, *last)
        }
        some => state::leo_runs(lang, at, &runs(some)),
    }
}

/// A log start above 0 in words.
fn log_start(lang: Lang, of: &RulerInput) -> String {
    let at = of.log_start;
    match of.given(Isolation::Uncommitted, at, of.log_end).first() {
        None => state::log_start_bare(lang, at),
        Some(first) if first.0 == at.0 => state::log_start(lang, at),
        Some(first) => state::log_start_then(lang, at, *first),
    }
}

fn boundaries(step: &Step, tp: Tp) -> Table {
    let lang = step.lang;
    let mut rows = Vec::new();
    for f in facts(step, tp) {
        let Some(r) = f.replica else { continue };
        let log = ruler::log_of(r);
        let mut row = |name: String, at: Boundary, meaning: String| {
            rows.push(vec![
                state::of_broker(lang, &name, f.broker.id),
                at.to_string(),
                // A table has no code type.
                meaning.replace('`', ""),
            ]);
        };
        if r.log_start.0 > 0 {
            let name = words::log_start(lang, r.log_start);
            row(name, r.log_start, log_start(lang, &log));
        }
        // A follower at the bottom of its log has records that others can read: it is not told yet.
        let leader = f.reg.and_then(|reg| reg.leader);
        let leaders = leader.and_then(|leader| step.now.replica(leader, tp));
        let told = leaders.is_none_or(|l| l.high_watermark <= r.high_watermark);
        let hw = match told || r.high_watermark > r.log_start || r.log_end == r.log_start {
            true => high_watermark(lang, &log),
            false => state::hw_untold(lang, r.high_watermark),
        };
        row(words::head_hw(lang), r.high_watermark, hw);
        row(words::head_leo(lang), r.log_end, log_end(lang, &log));
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
    let heading = ended(spoken(&card.heading));
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

/// A heading as a sentence: one that asks keeps its question mark.
fn ended(heading: String) -> String {
    match heading.ends_with(['.', '?', '!']) {
        true => heading,
        false => heading + ".",
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
