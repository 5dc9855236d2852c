//! The log in which a group's commits lie: a partition of `__consumer_offsets`, drawn beside the
//! log that they are about. It has a leader (the group's coordinator), replicas and a high
//! watermark of its own; over each record stand its key and its value.

mod entries;
mod tables;

pub use self::entries::{Entry, State, entries};
pub use self::tables::words;

use super::stage::geometry::{Geometry, flag_width};
use super::stage::row::{Facts, reg, row, text};
use super::stage::{Layout, Row};
use super::width::{badge_width, fit};
use super::{Anchor, Badge, Line, Role, Step, Text};
use crate::kafka::group::OFFSETS_TOPIC;
use crate::kafka::ids::{Boundary, BrokerId, Tp};
use crate::text::commits as say;
use crate::world::command::{PartitionName, Process};
use crate::world::picture::Picture;

/// What the drawing of a scene needs in all, so that height and axis are the same at every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Which partition of `__consumer_offsets`.
    pub name: PartitionName,
    /// The furthest log end (boundary).
    pub end: Boundary,
    /// Brokers that hold it at the end of the story, or that are all there are.
    pub brokers: Vec<BrokerId>,
}

impl Needs {
    /// For a partition, from the last picture of a scene; `None`: it is no log of commits.
    pub fn of(name: &PartitionName, last: &Picture) -> Option<Needs> {
        if &*name.topic != OFFSETS_TOPIC {
            return None;
        }
        let tp = last.partition(name).map(|p| p.tp);
        let replicas = last.brokers.iter().flat_map(|b| &b.replicas);
        let ends = replicas.filter(|r| Some(r.tp) == tp).map(|r| r.log_end);
        let assigned = tp.and_then(|tp| reg(last, tp)).map(|r| &r.replicas);
        let holds = |b: BrokerId| assigned.is_none_or(|all| all.contains(&b));
        let ids = last.brokers.iter().map(|b| b.id);
        Some(Needs {
            name: name.clone(),
            end: ends.max().unwrap_or(Boundary(0)),
            brokers: ids.filter(|b| holds(*b)).take(3).collect(),
        })
    }

    /// The partition, once it is there.
    pub fn tp(&self, picture: &Picture) -> Option<Tp> {
        picture.partition(&self.name).map(|p| p.tp)
    }

    /// `__consumer_offsets-9`.
    pub fn title(&self) -> String {
        let mut out = self.name.topic.to_string();
        out.push('-');
        out.push_str(&self.name.partition.to_string());
        out
    }
}

/// The drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitLog {
    /// Width, px.
    pub width: i32,
    /// Height, px: the same at every step of a scene.
    pub height: i32,
    /// The partition, who coordinates, and what the lines of labels are.
    pub head: Vec<Text>,
    /// Key and value over each record.
    pub labels: Vec<Text>,
    /// Hair lines between rows.
    pub hairs: Vec<Line>,
    /// The replicas.
    pub rows: Vec<Row>,
}

/// From line to line of labels.
const LABEL: i32 = 15;
/// The baseline of the first label where partition and coordinator stand on one line.
const FIRST: i32 = 34;

/// The baseline of the first label.
fn first(wide: bool) -> i32 {
    FIRST + if wide { 0 } else { 16 }
}

fn geometry(layout: Layout, end: Boundary) -> Geometry {
    let wide = layout == Layout::Wide;
    let (width, x0, least, most) = match layout {
        Layout::Wide => (640, 228, 30, 112),
        Layout::Phone => (336, 52, 24, 72),
        Layout::Narrow => (296, 52, 22, 72),
    };
    let mut last = String::from("LEO ");
    last.push_str(&end.to_string());
    let space = width - 4 - x0 - flag_width(&last);
    let pitch = (space / (end.0.clamp(1, 99) as i32)).clamp(least, most);
    let (row, lane) = match layout {
        Layout::Wide => (62, 2),
        Layout::Phone => (82, 27),
        Layout::Narrow => (98, 43),
    };
    Geometry {
        width,
        x0,
        pitch,
        gutter: if wide { 6 } else { 4 },
        cell: 26,
        top: first(wide) + 2 * LABEL + 10,
        row,
        lane,
        names_left: wide,
        named: true,
        digits: if wide { Role::Offset } else { Role::Mono },
        fold_slots: if pitch < 30 { 2 } else { 1 },
        base: 0,
    }
}

/// The log of commits at a step.
pub fn commit_log(step: &Step, needs: &Needs, layout: Layout) -> CommitLog {
    let g = geometry(layout, needs.end);
    let mut log = CommitLog {
        width: g.width,
        height: g.row_top(needs.brokers.len()) + 6,
        ..CommitLog::default()
    };
    let tp = needs.tp(step.now);
    head(step, needs, tp, &g, &mut log);
    let Some(tp) = tp else { return log };
    let brokers = needs.brokers.iter().filter_map(|b| step.now.broker(*b));
    let facts: Vec<Facts> = brokers.map(|b| Facts::of(step, tp, b)).collect();
    let ends = facts.iter().filter_map(|f| Some(f.replica?.log_end));
    let g = g.folded(ends.max().unwrap_or(Boundary(0)));
    for (n, f) in facts.iter().enumerate() {
        let mut one = row(f, &g, n, &|_| false);
        // Its epoch is beside its leader's name; the rows stand close.
        one.epochs.clear();
        if g.names_left {
            close(&mut one, &g);
        }
        log.rows.push(one);
    }
    log.hairs = (1..log.rows.len())
        .map(|n| Line {
            x1: 8,
            y1: g.row_top(n),
            x2: g.width - 8,
            y2: g.row_top(n),
        })
        .collect();
    for entry in entries(step.lang, step.now, tp) {
        if entry.offset.0 >= g.base {
            labels(&entry, &g, &mut log.labels);
        }
    }
    log
}

/// Role and membership on one line where both have room, so that a low row holds them.
fn close(row: &mut Row, g: &Geometry) {
    let end = |b: &Badge| b.x + badge_width(b.icon.is_some(), &b.text, b.role);
    let mut at: Option<(i32, i32)> = None;
    let mut rise = 0;
    for badge in &mut row.badges {
        badge.y -= rise;
        if let Some((x, y)) = at
            && x + 10 + end(badge) - badge.x <= g.x0 - 8
        {
            rise += badge.y - y;
            (badge.x, badge.y) = (x + 10, y);
        }
        at = Some((end(badge), badge.y));
    }
}

/// Partition and coordinator; beside the labels what their lines are.
fn head(step: &Step, needs: &Needs, tp: Option<Tp>, g: &Geometry, log: &mut CommitLog) {
    let lang = step.lang;
    let up = |b: &BrokerId| {
        let process = step.now.broker(*b).map(|b| b.process);
        matches!(process, Some(Process::Up | Process::Stopping))
    };
    let leader = tp.and_then(|tp| reg(step.now, tp)).map(|r| r.leader);
    let (role, words) = match leader {
        None => (Role::Muted, say::not_made(lang)),
        Some(Some(b)) if up(&b) => (Role::Strong, say::coordinator(lang, b)),
        Some(Some(b)) => (Role::Alert, say::coordinator_down(lang, b)),
        Some(None) => (Role::Alert, say::nobody(lang)),
    };
    let title = needs.title();
    let left = if g.names_left { 14 } else { 10 };
    log.head
        .push(text(left, 15, Anchor::Start, Role::Strong, title));
    // Beside it where there is room for both, else under it.
    log.head.push(match g.names_left {
        true => text(g.width - 8, 15, Anchor::End, role, words),
        false => {
            let words = fit(&words, role, g.width - left - 4);
            text(left, 31, Anchor::Start, role, words)
        }
    });
    if g.names_left {
        let lines = [
            say::row_group(lang),
            say::row_partition(lang),
            say::row_value(lang),
        ];
        for (n, words) in (0..).zip(lines) {
            let y = first(true) + n * LABEL;
            log.head
                .push(text(left, y, Anchor::Start, Role::Muted, words));
        }
    }
}

/// Key and value over a record; where columns are narrow, the value alone.
fn labels(entry: &Entry, g: &Geometry, all: &mut Vec<Text>) {
    let at = g.record(0, entry.offset.0);
    let (middle, room) = (at.x + at.w / 2, g.pitch - 2);
    let mut push = |line: i32, role: Role, words: &str| {
        let shown = fit(words, role, room);
        // A name of which a letter is left says nothing.
        if shown.chars().count() > 2 || shown == words {
            let y = first(g.names_left) + line * LABEL;
            all.push(text(middle, y, Anchor::Middle, role, shown));
        }
    };
    push(0, Role::Muted, &entry.group);
    push(1, Role::Muted, &entry.about);
    let role = match entry.state {
        State::InForce => Role::Client,
        _ => Role::Muted,
    };
    push(2, role, &entry.value);
}

impl CommitLog {
    /// How many SVG elements it takes to draw it, at most.
    pub fn elements(&self) -> usize {
        let row = |r: &Row| {
            let marks: usize = r.marks.iter().map(|m| 4 + m.lines.len()).sum();
            4 * r.cells.len() + marks + 3 * (r.ghosts.len() + r.badges.len() + r.notes.len()) + 5
        };
        self.rows.iter().map(row).sum::<usize>()
            + self.head.len()
            + self.labels.len()
            + self.hairs.len()
            + 1
    }
}
