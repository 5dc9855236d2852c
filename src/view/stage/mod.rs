//! The stage: some brokers' replicas of one partition, one row each, on one axis.
//!
//! A record is a cell; an offset between records is a boundary, in the gutter, never on a cell.
//! Boundary `k` stands at the same x in every row. Rows never move.

use super::{Badge, Icon, Line, Rect, Role, Step, Target, Text};
use crate::kafka::ids::{Boundary, BrokerId, Offset, Tp};

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
        }
    }
    /// Whether its foot is hatched, and how high the hatch is, px.
    pub fn foot(self) -> i32 {
        match self {
            CellKind::Hidden | CellKind::Lost | CellKind::Cut => 6,
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
}

impl MarkKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            MarkKind::HighWatermark => "m-hw",
            MarkKind::LogEnd => "m-leo",
            MarkKind::LogStart => "m-start",
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

/// The stage of a partition at a step. Rows are the partition's replicas by id.
pub fn stage(step: &Step, tp: Tp, layout: Layout) -> Stage {
    let _ = (step, tp, layout);
    Stage::default()
}
