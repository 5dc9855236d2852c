//! One replica's row: cells, boundaries, badges, words.

use super::geometry::Geometry;
use super::marks::{ghosts, marks};
use super::{Cell, CellKind, Fold, Frame, Row};
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::metadata::PartitionReg;
use crate::text::{Lang, words};
use crate::view::width::{badge_width, fit, telling, width};
use crate::view::{Anchor, Badge, Icon, Rect, Role, Step, Text};
use crate::world::command::Process;
use crate::world::picture::*;

/// What is known of one replica at a step.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The step.
    pub step: &'a Step<'a>,
    /// Which partition.
    pub tp: Tp,
    /// The partition as the controller has it.
    pub reg: Option<&'a PartitionReg>,
    /// The broker.
    pub broker: &'a BrokerPicture,
    /// Its replica.
    pub replica: Option<&'a ReplicaPicture>,
}

impl<'a> Facts<'a> {
    /// What is known of a broker's replica.
    pub fn of(step: &'a Step<'a>, tp: Tp, broker: &'a BrokerPicture) -> Facts<'a> {
        Facts {
            step,
            tp,
            reg: reg(step.now, tp),
            broker,
            replica: step.now.replica(broker.id, tp),
        }
    }

    /// Whether the process is gone or stands still.
    pub fn away(&self) -> bool {
        !matches!(self.broker.process, Process::Up | Process::Stopping)
    }

    /// The language of the step.
    pub fn lang(&self) -> Lang {
        self.step.lang
    }

    /// The replica at the step before.
    pub fn before(&self) -> Option<&'a ReplicaPicture> {
        self.step.before?.replica(self.broker.id, self.tp)
    }

    /// The replica of the leader that the controller names, if its broker runs.
    fn leader(&self) -> Option<&'a ReplicaPicture> {
        let id = self.reg?.leader?;
        let broker = self.step.now.broker(id)?;
        matches!(broker.process, Process::Up | Process::Stopping)
            .then(|| self.step.now.replica(id, self.tp))
            .flatten()
    }

    fn cut_now(&self) -> bool {
        self.step.events.iter().any(|e| {
            matches!(&e.kind, EventKind::Truncated { broker, tp, .. }
                if *broker == self.broker.id && *tp == self.tp)
        })
    }

    /// Numbers of confirmed records of which only lost copies are left, one of them here.
    fn lost(&self, offset: Offset) -> bool {
        self.step
            .now
            .lost
            .iter()
            .any(|l| l.tp == self.tp && l.offset == offset && l.still_on.contains(self.broker.id))
    }
}

/// The controller's registration of a partition in a picture.
pub fn reg(picture: &Picture, tp: Tp) -> Option<&PartitionReg> {
    picture
        .partitions
        .iter()
        .find(|p| p.tp == tp)
        .map(|p| &*p.reg)
}

/// The furthest boundary of a replica that a drawing has to show.
pub fn reach(replica: &ReplicaPicture, cut: bool) -> Boundary {
    let cut = replica.cut.last().filter(|_| cut).map(|r| r.offset.after());
    replica
        .log_end
        .max(replica.high_watermark)
        .max(cut.unwrap_or(Boundary(0)))
}

/// Draws a replica. `differs` tells which numbers hold different records on different replicas.
pub fn row(
    facts: &Facts,
    geometry: &Geometry,
    index: usize,
    differs: &dyn Fn(Offset) -> bool,
) -> Row {
    let g = geometry;
    let top = g.row_top(index);
    let muted = facts.away();
    let (name, badges) = heads(facts, g, index);
    let mut row = Row {
        broker: facts.broker.id,
        area: Rect {
            x: 0,
            y: top,
            w: g.width,
            h: g.row,
        },
        frame: if muted { Frame::Away } else { Frame::None },
        name,
        badges,
        cells: Vec::new(),
        fold: None,
        epochs: Vec::new(),
        ghosts: Vec::new(),
        marks: Vec::new(),
        notes: Vec::new(),
    };
    let Some(replica) = facts.replica else {
        return row;
    };
    row.cells = cells(facts, replica, g, index, differs);
    row.fold = fold(facts.lang(), replica, g, index);
    // Without names the rows stand close: the next row's flags are where the tabs would be.
    if g.named {
        row.epochs = epochs(facts.lang(), replica, g, index);
    }
    row.marks = marks(facts, replica, g, index);
    row.ghosts = ghosts(facts, replica, g, index);
    row.notes = notes(facts, replica, g, index);
    row
}

/// A text at a place.
pub fn text(x: i32, y: i32, anchor: Anchor, role: Role, text: String) -> Text {
    Text {
        x,
        y,
        anchor,
        role,
        text,
    }
}

/// The words of a replica's role: (sign, words).
pub fn role_words(facts: &Facts) -> (Icon, String) {
    let lang = facts.lang();
    let holds = facts.reg.is_some_and(|r| r.leader == Some(facts.broker.id));
    let epoch = facts.reg.map_or(Epoch(0), |r| r.leader_epoch);
    match (facts.broker.process, holds) {
        (Process::Killed, true) => return (Icon::Power, words::crashed_leader(lang)),
        (Process::Killed, false) => return (Icon::Power, words::crashed(lang)),
        (Process::Frozen, true) => return (Icon::Pause, words::frozen_leader(lang)),
        (Process::Frozen, false) => return (Icon::Pause, words::frozen(lang)),
        (Process::Stopped, _) => return (Icon::Power, words::stopped(lang)),
        (Process::Up | Process::Stopping, _) => {}
    }
    let Some(replica) = facts.replica else {
        return (Icon::Chevron, words::no_replica(lang));
    };
    match (&replica.role, holds) {
        (RolePicture::Leader(_), true) => (Icon::Star, words::leader_epoch(lang, epoch)),
        (RolePicture::Leader(_), false) => {
            (Icon::Star, words::stale_leader(lang, replica.leader_epoch))
        }
        (_, true) => (Icon::Up, words::elected(lang, epoch)),
        (RolePicture::Follower(None), false) => {
            let leader = facts.reg.and_then(|r| r.leader);
            let words = leaderless(lang, facts.broker.process, leader);
            (Icon::Chevron, words)
        }
        _ => (Icon::Chevron, words::follower(lang)),
    }
}

/// The role of a replica that follows nobody: on its way out it stays a follower, and it may not
/// have been told of a leader that there is.
pub fn leaderless(lang: Lang, process: Process, leader: Option<BrokerId>) -> String {
    match leader {
        _ if process == Process::Stopping => words::follower(lang),
        Some(_) => words::leader_unknown(lang),
        None => words::no_leader(lang),
    }
}

/// The words of a replica's membership: (sign, words); `None` if it is not assigned.
pub fn isr_words(facts: &Facts) -> Option<(Icon, String)> {
    let (lang, id) = (facts.lang(), facts.broker.id);
    let reg = facts.reg?;
    if reg.isr.contains(id) {
        Some((Icon::Tick, words::in_isr(lang)))
    } else if reg.elr.contains(id) {
        Some((Icon::Cross, words::in_elr(lang)))
    } else if reg.replicas.contains(&id) {
        Some((Icon::Cross, words::out_of_isr(lang)))
    } else {
        None
    }
}

/// What else a person should know of the broker: fenced though running, cut from the controller.
pub fn plight(facts: &Facts) -> Option<(Icon, String)> {
    let lang = facts.lang();
    if facts.away() {
        None
    } else if facts.broker.process == Process::Stopping {
        Some((Icon::Clock, words::stopping(lang)))
    } else if facts.broker.cut_from_controller {
        Some((Icon::CutLink, words::cut_off(lang)))
    } else if facts.broker.fenced == Some(true) {
        Some((Icon::Cross, words::fenced(lang)))
    } else {
        None
    }
}

fn heads(facts: &Facts, g: &Geometry, index: usize) -> (Text, Vec<Badge>) {
    if !g.named {
        let nothing = text(0, g.cell_y(index), Anchor::Start, Role::Name, String::new());
        return (nothing, Vec::new());
    }
    let name = words::broker(facts.lang(), facts.broker.id);
    let mut all = vec![role_words(facts)];
    all.extend(isr_words(facts));
    all.extend(plight(facts));
    let badge = |x, y, (icon, text): (Icon, String)| Badge {
        x,
        y,
        icon: Some(icon),
        role: Role::Muted,
        text,
    };
    if g.names_left {
        let first = g.cell_y(index) + if all.len() > 2 { -6 } else { 4 };
        let gap = if all.len() > 2 { 16 } else { 17 };
        let badges = all
            .into_iter()
            .zip(1..)
            .map(|(words, n)| badge(14, first + n * gap, words))
            .collect();
        return (text(14, first, Anchor::Start, Role::Name, name), badges);
    }
    // Names above the cells: the role behind the name, the ISR at the right. Where there is one
    // line only, a plight takes the ISR's place beside a leader, else the role's.
    let y = g.row_top(index) + 16;
    let after_name = 10 + width(&name, Role::Name) + 10;
    let at_right = |words: (Icon, String), y: i32| {
        let w = badge_width(true, &words.1, Role::Muted);
        badge(g.width - 8 - w, y, words)
    };
    let leads = matches!(facts.replica.map(|r| &r.role), Some(RolePicture::Leader(_)));
    let (role, isr) = (role_words(facts), isr_words(facts));
    let mut badges = Vec::new();
    match plight(facts) {
        Some(plight) if g.lane <= 40 => {
            if leads {
                badges.push(badge(after_name, y, (role.0, words::leader(facts.lang()))));
                badges.push(at_right(plight, y));
            } else {
                badges.push(badge(after_name, y, plight));
                badges.extend(isr.map(|words| at_right(words, y)));
            }
        }
        plight => {
            let end = after_name + badge_width(true, &role.1, Role::Muted);
            badges.push(badge(after_name, y, role));
            if g.lane <= 40 {
                // A leader is in its ISR: where both have no room, its role says enough.
                let isr = isr.map(|words| at_right(words, y));
                badges.extend(isr.filter(|isr| isr.x >= end + 8));
            } else {
                badges.extend(isr.map(|words| badge(10, y + 17, words)));
                badges.extend(plight.map(|words| at_right(words, y + 17)));
            }
        }
    }
    (text(10, y, Anchor::Start, Role::Name, name), badges)
}

fn cells(
    facts: &Facts,
    replica: &ReplicaPicture,
    g: &Geometry,
    index: usize,
    differs: &dyn Fn(Offset) -> bool,
) -> Vec<Cell> {
    let before = facts.before();
    let muted = facts.away();
    let make = |offset: Offset, kind: CellKind, record: Option<&RecordPicture>| {
        let rect = g.record(index, offset.0);
        let shown = match record.and_then(|r| r.control) {
            Some(crate::kafka::batch::Control::Commit) => "C".into(),
            Some(crate::kafka::batch::Control::Abort) => "A".into(),
            None => offset.to_string(),
        };
        let label = if width(&shown, g.digits) <= rect.w - 2 {
            shown
        } else {
            String::new()
        };
        let differs = record.is_some() && differs(offset);
        let value = record.filter(|_| differs).map(|r| {
            let value = r.value.as_deref().unwrap_or("∅");
            text(
                rect.x + rect.w / 2,
                rect.y + if rect.h >= 36 { 13 } else { 12 },
                Anchor::Middle,
                Role::Mono,
                telling(value, Role::Mono, rect.w),
            )
        });
        let foot = if kind.foot() > 0 { 3 } else { 0 };
        let base = match differs {
            // Value, number and hatch each have a line of their own.
            true if rect.h >= 36 => rect.y + rect.h - 8 - foot * 2 / 3,
            true => rect.y + rect.h / 2 + 11 - foot / 2,
            false => rect.y + rect.h / 2 + 5 - foot,
        };
        Cell {
            offset,
            rect,
            kind,
            label: text(rect.x + rect.w / 2, base, Anchor::Middle, g.digits, label),
            value,
            fresh: record.is_some_and(|r| {
                before.is_some_and(|b| !b.records.iter().any(|old| old == r))
                    && kind != CellKind::Cut
            }),
            muted,
        }
    };
    let mut all = Vec::new();
    // Places of records that are gone: below the log start, or compacted away.
    for n in g.base..replica.log_end.0 {
        let offset = Offset(n);
        let record = replica.records.iter().find(|r| r.offset == offset);
        let kind = match record {
            _ if !replica.log_start.covers(offset) && record.is_none() => CellKind::Ghost,
            _ if replica.log_start.covers(offset) => CellKind::Ghost,
            Some(r) if r.control.is_some() => CellKind::Control,
            Some(_) if facts.lost(offset) => CellKind::Lost,
            Some(_) if !replica.high_watermark.covers(offset) => CellKind::Hidden,
            _ => CellKind::Visible,
        };
        let record = record.filter(|_| kind != CellKind::Ghost);
        all.push(make(offset, kind, record));
    }
    if facts.cut_now() {
        for r in &replica.cut {
            if !replica.log_end.covers(r.offset) && r.offset.0 >= g.base {
                all.push(make(r.offset, CellKind::Cut, Some(r)));
            }
        }
    }
    all
}

fn fold(lang: Lang, replica: &ReplicaPicture, g: &Geometry, index: usize) -> Option<Fold> {
    let last = replica.log_end.0.min(g.base) - 1;
    if g.base == 0 || last < 0 {
        return None;
    }
    let rect = g.fold(index);
    let label = words::folded(lang, last);
    Some(Fold {
        rect,
        label: text(
            rect.x + rect.w / 2,
            rect.y + rect.h / 2 + 5,
            Anchor::Middle,
            Role::Mono,
            fit(&label, Role::Mono, rect.w),
        ),
    })
}

fn epochs(lang: Lang, replica: &ReplicaPicture, g: &Geometry, index: usize) -> Vec<Text> {
    let y = g.cell_y(index) + g.cell + 13;
    let end = replica.log_end;
    let mut last = i32::MIN;
    let mut all = Vec::new();
    for (n, (epoch, start)) in replica.epochs.iter().enumerate() {
        let until = replica.epochs.get(n + 1).map_or(end, |next| next.1);
        if until.0 <= g.base.max(start.0) || *start >= end {
            continue;
        }
        let x = g.record(index, start.0.max(g.base)).x;
        let words = words::epoch_tab(lang, *epoch);
        if x >= last {
            last = x + width(&words, Role::Epoch) + 2;
            all.push(text(x, y, Anchor::Start, Role::Epoch, words));
        }
    }
    all
}

fn notes(facts: &Facts, replica: &ReplicaPicture, g: &Geometry, index: usize) -> Vec<Badge> {
    let lang = facts.lang();
    let end = replica.log_end;
    let cut = facts.cut_now() && !replica.cut.is_empty();
    let run = |records: &[&RecordPicture]| -> Option<(Boundary, Boundary)> {
        let (first, last) = (records.first()?, records.last()?);
        Some((first.offset.before(), last.offset.after()))
    };
    let lost: Vec<&RecordPicture> = replica
        .records
        .iter()
        .filter(|r| facts.lost(r.offset))
        .collect();
    let doomed = doomed(facts, replica);
    let tail = replica.records.iter();
    let tail = tail.skip_while(|r| r.offset.0 < end.0 - doomed);
    let alone: Vec<&RecordPicture> = tail.filter(|r| !elsewhere(facts, r)).collect();
    let gone: Vec<&RecordPicture> = replica.cut.iter().collect();
    // The same said longer and shorter.
    let mut tried: Vec<(Role, Option<Icon>, String)> = Vec::new();
    let muted = |words: String| (Role::Muted, None, words);
    if let Some((from, to)) = run(&lost) {
        tried.push((Role::Alert, None, words::only_here(lang, from, to)));
    } else if let (true, Some((from, to))) = (cut, run(&gone)) {
        tried.push((
            Role::Plain,
            Some(Icon::Cross),
            words::was_cut(lang, from, to),
        ));
    } else if let Some((from, to)) = run(&alone) {
        // What nobody else has is not merely to be cut: it would be gone.
        tried.push(muted(words::only_here(lang, from, to)));
    } else if doomed > 0 {
        let said = match doomed {
            1 => [words::will_be_cut(lang), words::to_be_cut(lang)],
            _ => [words::will_be_cut_many(lang), words::to_be_cut_many(lang)],
        };
        tried.extend(said.map(muted));
    } else if let RolePicture::Leader(_) = replica.role {
        let short = words::replicas_only_short(lang);
        tried.extend(
            match end.0 - replica.high_watermark.0 {
                ..=0 => Vec::new(),
                1 => vec![words::replicas_only(lang), short, words::hidden_yet(lang)],
                _ => vec![
                    words::replicas_only_many(lang),
                    short,
                    words::hidden_yet_many(lang),
                ],
            }
            .into_iter()
            .map(muted),
        );
    } else if let Some(leader) = facts.leader().filter(|l| l.log_end > end && !facts.away()) {
        let said = [words::not_here_yet, words::not_here];
        tried.extend(said.map(|words| muted(words(lang, end, leader.log_end))));
    }
    // Behind the last cell or line; the flags are above, so only what stands in the row counts.
    let reach = g.x(reach(replica, facts.cut_now()));
    let left = reach + if g.names_left { 16 } else { 9 };
    let y = g.cell_y(index) + g.cell / 2 + 5;
    tried
        .into_iter()
        .find(|(role, icon, words)| left + badge_width(icon.is_some(), words, *role) <= g.width - 4)
        .map(|(role, icon, text)| Badge {
            x: left,
            y,
            icon,
            role,
            text,
        })
        .into_iter()
        .collect()
}

/// Whether another replica has a record: the same number of the same epoch, or what was sent
/// again and written anew.
fn elsewhere(facts: &Facts, record: &RecordPicture) -> bool {
    let others = facts.step.now.brokers.iter();
    let others = others.filter(|b| b.id != facts.broker.id);
    let replicas = others
        .flat_map(|b| &b.replicas)
        .filter(|r| r.tp == facts.tp);
    replicas.flat_map(|r| &r.records).any(|r| {
        (r.offset, r.epoch) == (record.offset, record.epoch)
            || (r.value.is_some() && (&r.key, &r.value) == (&record.key, &record.value))
    })
}

/// How many of a replica's last records the present leader does not have: they will be cut when
/// the replica asks it. Epochs tell, as in Kafka (R-TRU-1).
pub fn doomed(facts: &Facts, replica: &ReplicaPicture) -> i64 {
    let (Some(reg), Some(leader)) = (facts.reg, facts.leader()) else {
        return 0;
    };
    if reg.leader == Some(facts.broker.id) || replica.leader_epoch >= reg.leader_epoch {
        return 0;
    }
    let same = |r: &RecordPicture| {
        leader
            .records
            .iter()
            .any(|l| l.offset == r.offset && l.epoch == r.epoch)
    };
    let first = replica
        .records
        .iter()
        .find(|r| r.offset.0 >= leader.log_start.0 && !same(r));
    first.map_or(0, |r| replica.log_end.0 - r.offset.0)
}
