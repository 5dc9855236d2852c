//! The stage: some brokers' replicas of one partition, one row each, on one axis.
//!
//! A record is a cell; an offset between records is a boundary, in the gutter, never on a cell.
//! Boundary `k` stands at the same x in every row. Rows never move.

pub(super) mod clients;
pub(super) mod geometry;
pub(super) mod marks;
pub(super) mod row;
pub(super) mod wire;

use self::geometry::Geometry;
use self::row::Facts;
use super::{Badge, Icon, Line, Rect, Role, Step, Target, Text};
use crate::kafka::event::EventKind;
use crate::kafka::ids::{Boundary, BrokerId, Offset, Tp};
use crate::world::picture::{BrokerPicture, Picture, RecordPicture};

/// How the stage is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// 640 px: names left, the wire beside them, cells from 228 at a pitch of 40.
    #[default]
    Wide,
    /// 336 px: names above the cells, pitch 30, messages as sentences below.
    Phone,
    /// 296 px, for 320 px screens and 200 % text: pitch 22.
    Narrow,
}

/// The stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// Width, px.
    pub width: i32,
    /// Height, px: the same at every step of a scene.
    pub height: i32,
    /// What the clients do: a line each, above the rows (wide) or below (phone).
    pub clients: Vec<ClientLine>,
    /// Hair lines between rows.
    pub hairs: Vec<Line>,
    /// The rows, by broker.
    pub rows: Vec<Row>,
    /// Messages of this step on the wire (wide layout), or at the row's edge (phone).
    pub arrows: Vec<Arrow>,
    /// Crosses between rows where the same offset holds different records.
    pub crosses: Vec<Crossing>,
    /// Messages of this step as sentences, where no wire is drawn.
    pub captions: Vec<Text>,
}

/// What one client has sent and got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientLine {
    /// Its name; a key for the list.
    pub name: String,
    /// Its words and marks from left to right.
    pub parts: Vec<Badge>,
    /// The way from the strip to the leader's log (wide layout), when it writes in this step.
    pub way: Vec<(i32, i32)>,
}

/// A replica's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whose; a key for the list.
    pub broker: BrokerId,
    /// The row's area.
    pub area: Rect,
    /// The broker's process, which frames the row.
    pub frame: Frame,
    /// The broker's name.
    pub name: Text,
    /// Role, epoch, ISR, state of the process.
    pub badges: Vec<Badge>,
    /// The cells by offset; ghosts and cut ones too.
    pub cells: Vec<Cell>,
    /// The folded front of the log.
    pub fold: Option<Fold>,
    /// Epoch tabs under the first cell of each epoch.
    pub epochs: Vec<Text>,
    /// Where boundaries stood before this step.
    pub ghosts: Vec<Ghost>,
    /// The boundaries; flags are drawn over lines, so draw lines of all, then flags of all.
    pub marks: Vec<Mark>,
    /// Words beside the log.
    pub notes: Vec<Badge>,
}

/// How a row is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The broker runs: no frame.
    None,
    /// The broker is down or stands still: dashed outline, muted text.
    Away,
}

/// A record, or the place of one that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number; a key for the list.
    pub offset: Offset,
    /// Where.
    pub rect: Rect,
    /// What it is.
    pub kind: CellKind,
    /// Its number as text; empty in a cell too small for it.
    pub label: Text,
    /// Its value, above the number, where rows differ.
    pub value: Option<Text>,
    /// It came in this step.
    pub fresh: bool,
    /// Its broker is down.
    pub muted: bool,
}

/// Kinds of cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellKind {
    /// Below the replica's HW: filled.
    Visible,
    /// At or above it: hollow, hatched foot.
    Hidden,
    /// Cut off in this step: goes visibly.
    Cut,
    /// The only copies of a confirmed record that no leader holds: alert outline, hatch, words.
    Lost,
    /// Deleted: a dashed slot.
    Ghost,
    /// A transaction marker: filled, a stroke across.
    Control,
    /// A marker that is not visible yet: hollow, hatched foot, a stroke across.
    HiddenControl,
    /// Of an aborted transaction: its number is struck through; `read_committed` passes over it.
    Aborted,
    /// Of an open transaction, seen by `read_uncommitted`: a corner is turned down.
    Open,
}

impl CellKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            CellKind::Visible => "c-visible",
            CellKind::Hidden => "c-hidden",
            CellKind::Cut => "c-cut",
            CellKind::Lost => "c-lost",
            CellKind::Ghost => "c-ghost",
            CellKind::Control => "c-control",
            CellKind::HiddenControl => "c-hidden",
            CellKind::Aborted => "c-aborted",
            CellKind::Open => "c-open",
        }
    }
    /// Whether its foot is hatched, and how high the hatch is, px.
    pub fn foot(self) -> i32 {
        match self {
            CellKind::Hidden | CellKind::HiddenControl | CellKind::Lost | CellKind::Cut => 6,
            _ => 0,
        }
    }
}

/// The folded front of a log: «0…7».
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Where.
    pub rect: Rect,
    /// Its words.
    pub label: Text,
}

/// Which boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkKind {
    /// High watermark: solid, server blue, flag to the left.
    HighWatermark,
    /// Log end: double, text colour, flag to the right.
    LogEnd,
    /// Log start (only when above 0): solid grey, flag to the right.
    LogStart,
    /// Last stable offset: dashed, server blue.
    LastStable,
    /// A group's commit: solid, client orange.
    Committed,
    /// What an application has processed: dashed, client orange.
    Processed,
    /// A consumer's position: dotted, client orange.
    Position,
    /// A checkpoint in an outside store: dash and dot, client orange.
    Outside,
}

impl MarkKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            MarkKind::HighWatermark => "m-hw",
            MarkKind::LogEnd => "m-leo",
            MarkKind::LogStart => "m-start",
            MarkKind::LastStable => "m-lso",
            MarkKind::Committed => "m-commit",
            MarkKind::Processed => "m-done",
            MarkKind::Position => "m-pos",
            MarkKind::Outside => "m-out",
        }
    }
}

/// A boundary of a replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which; a key for the list.
    pub kind: MarkKind,
    /// Its value.
    pub at: Boundary,
    /// Its lines: one, or two for a log end. When HW and LEO share a gap each keeps to its half.
    pub lines: Vec<Line>,
    /// The lines' width in tenths of a px.
    pub line_width: i32,
    /// Its flag.
    pub flag: Flag,
    /// It moved in this step.
    pub moved: bool,
    /// Its broker is down.
    pub muted: bool,
}

/// A notched flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Its outline, clockwise.
    pub points: Vec<(i32, i32)>,
    /// The box around it.
    pub rect: Rect,
    /// Its words.
    pub label: Text,
    /// What a formula's token points to.
    pub target: Option<Target>,
}

/// Where a boundary stood before this step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// Which boundary.
    pub kind: MarkKind,
    /// The dotted line at the old place.
    pub line: Line,
    /// The small arrow from the old place to the new; `None` where there is no room.
    pub arrow: Option<Line>,
}

/// A message, or what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// A key for the list.
    pub key: String,
    /// What it is.
    pub kind: ArrowKind,
    /// From the sender to the taker.
    pub line: Line,
    /// The box on the line.
    pub rect: Rect,
    /// The words in the box.
    pub label: Vec<Text>,
    /// How it stands.
    pub state: ArrowState,
}

/// Kinds of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrowKind {
    /// A follower's fetch, carrying its log end.
    Fetch,
    /// Records, or only a high watermark, to a follower.
    Answer,
    /// The leader tells a follower where the logs part.
    Diverging,
}

/// How a message stands at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrowState {
    /// It arrived.
    Arrived,
    /// It is on its way or held.
    OnItsWay,
    /// It was lost: broken line, ✕.
    Lost,
}

/// A place between two rows where the same offset holds different records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The record's number.
    pub offset: Offset,
    /// The sign, 12 px, by its middle.
    pub x: i32,
    /// Its middle.
    pub y: i32,
    /// The sign.
    pub icon: Icon,
    /// Its colour.
    pub role: Role,
}

/// The stage of a partition at a step. Rows are the scenario's brokers by id; of more than five
/// only those with a replica.
pub fn stage(step: &Step, tp: Tp, layout: Layout) -> Stage {
    let brokers = shown(step.now, tp);
    let geometry = Geometry::stage(layout, brokers.len() as i32);
    draw(step, tp, geometry, &brokers, layout)
}

/// The brokers whose rows are shown.
fn shown(picture: &Picture, tp: Tp) -> Vec<&BrokerPicture> {
    let assigned = row::reg(picture, tp);
    picture
        .brokers
        .iter()
        .filter(|b| {
            picture.brokers.len() <= 5
                || assigned.is_some_and(|r| r.replicas.contains(&b.id))
                || b.replicas.iter().any(|r| r.tp == tp)
        })
        .collect()
}

/// The rows of some brokers, all on one axis.
pub(super) fn rows(
    step: &Step,
    tp: Tp,
    geometry: Geometry,
    brokers: &[&BrokerPicture],
) -> (Geometry, Vec<Row>) {
    let facts: Vec<Facts> = brokers.iter().map(|b| Facts::of(step, tp, b)).collect();
    let end = facts
        .iter()
        .filter_map(|f| f.replica)
        .map(|r| row::reach(r, true))
        .max()
        .unwrap_or(Boundary(0));
    let geometry = geometry.folded(end);
    let differs = |offset: Offset| {
        let mut seen: Option<&RecordPicture> = None;
        facts.iter().filter_map(|f| f.replica).any(|r| {
            let Some(record) = r.records.iter().find(|x| x.offset == offset) else {
                return false;
            };
            let first = *seen.get_or_insert(record);
            // The same value written again in another epoch has nothing to tell them apart by.
            first.value != record.value
        })
    };
    let rows = facts
        .iter()
        .enumerate()
        .map(|(i, f)| row::row(f, &geometry, i, &differs))
        .collect();
    (geometry, rows)
}

fn draw(
    step: &Step,
    tp: Tp,
    geometry: Geometry,
    brokers: &[&BrokerPicture],
    layout: Layout,
) -> Stage {
    let (g, rows) = rows(step, tp, geometry, brokers);
    let bottom = g.row_top(rows.len());
    let wide = layout == Layout::Wide;
    let hairs = (1..rows.len())
        .map(|i| Line {
            x1: 8,
            y1: g.row_top(i),
            x2: g.width - 8,
            y2: g.row_top(i),
        })
        .collect();
    let exchanges = wire::exchanges(step, tp);
    let index_of = |b: BrokerId| rows.iter().position(|r| r.broker == b);
    let arrows = if wide {
        wire::arrows(step.lang, &exchanges, &g, &index_of)
    } else {
        Vec::new()
    };
    let captions: Vec<Text> = if wide {
        Vec::new()
    } else {
        wire::captions(step.lang, &exchanges, g.width - 14)
            .into_iter()
            .zip(0..2)
            .map(|(words, n)| Text {
                x: 10,
                y: bottom + 14 + 17 * n,
                anchor: super::Anchor::Start,
                role: Role::Strong,
                text: super::width::fit(&words, Role::Strong, g.width - 14),
            })
            .collect()
    };
    let mut clients = if wide {
        clients::lines(step, tp, 14, g.width - 8, 15)
    } else {
        clients::lines(step, tp, 10, g.width - 4, bottom + 50)
    };
    if wide {
        ways(step, tp, &g, &index_of, &mut clients);
    }
    Stage {
        width: g.width,
        height: if wide { bottom + 4 } else { bottom + 74 },
        clients,
        hairs,
        crosses: crosses(&rows),
        rows,
        arrows,
        captions,
    }
}

/// The way of a write from the strip to the leader's log, for producers that write in this step.
fn ways(
    step: &Step,
    tp: Tp,
    g: &Geometry,
    index_of: &dyn Fn(BrokerId) -> Option<usize>,
    lines: &mut [ClientLine],
) {
    for event in step.events {
        let EventKind::ProduceSent {
            client,
            broker,
            tp: of,
            ..
        } = &event.kind
        else {
            continue;
        };
        let name = step.now.clients.iter().find(|c| c.id == *client);
        let (Some(name), Some(row)) = (name, index_of(*broker).filter(|_| *of == tp)) else {
            continue;
        };
        let last = lines.len().saturating_sub(1);
        let mut found = lines.iter_mut().enumerate();
        if let Some((n, line)) = found.find(|(_, l)| *l.name == *name.name) {
            let under = line.parts.first().map_or(g.top, |part| part.y + 6);
            // Above the middle, where followers' messages begin and end.
            let y = g.cell_y(row) + g.cell / 4;
            // From under its words, if no other line is between.
            let from = if n == last { under } else { g.top - 3 };
            line.way = vec![(wire::CLIENT, from), (wire::CLIENT, y), (g.x0 - 2, y)];
        }
    }
}

fn crosses(rows: &[Row]) -> Vec<Crossing> {
    let mut all = Vec::new();
    for pair in rows.windows(2) {
        for upper in pair[0].cells.iter().filter(|c| c.value.is_some()) {
            let lower = pair[1].cells.iter().find(|c| c.offset == upper.offset);
            let Some(lower) = lower.filter(|l| l.value.is_some()) else {
                continue;
            };
            let said = |c: &Cell| c.value.as_ref().map(|v| v.text.clone());
            if said(upper) != said(lower) {
                all.push(Crossing {
                    offset: upper.offset,
                    x: upper.rect.x + upper.rect.w - 7,
                    y: pair[1].area.y,
                    icon: Icon::Cross,
                    role: Role::Alert,
                });
            }
        }
    }
    all
}

impl Stage {
    /// How many SVG elements it takes to draw it, at most: a rectangle, a text or a line each.
    pub fn elements(&self) -> usize {
        let row = |r: &Row| {
            let cells: usize = r
                .cells
                .iter()
                .map(|c| {
                    3 + usize::from(c.kind.foot() > 0)
                        + usize::from(c.value.is_some())
                        + usize::from(c.kind == CellKind::Control)
                })
                .sum();
            let marks: usize = r.marks.iter().map(|m| 4 + m.lines.len()).sum();
            let ghosts: usize = r
                .ghosts
                .iter()
                .map(|g| 2 + usize::from(g.arrow.is_some()))
                .sum();
            cells
                + marks
                + ghosts
                + r.epochs.len()
                + 3 * (r.badges.len() + r.notes.len())
                + 3 * usize::from(r.fold.is_some())
                + 3
        };
        self.rows.iter().map(row).sum::<usize>()
            + self
                .clients
                .iter()
                .map(|c| 2 + 3 * c.parts.len())
                .sum::<usize>()
            + self.arrows.iter().map(|a| 3 + a.label.len()).sum::<usize>()
            + 3 * self.crosses.len()
            + self.captions.len()
            + self.hairs.len()
            + 3
    }
}
