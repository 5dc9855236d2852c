//! The ruler: one partition's log with every boundary named. What brokers know stands above it,
//! what a client knows below, each boundary in a lane of its own; under them the lags, each from
//! its own boundary to its own end.
//!
//! A boundary stands in the gap before a record, never on one. Lengths are whole px; pictures and
//! texts come from the same [`RulerInput`], nothing is measured off a drawing.

mod axis;
mod beside;
mod brackets;
mod cells;
mod describe;
mod guess;
mod input;
mod lags;
mod marks;
mod of_picture;
mod plan;
mod shifts;
mod tables;

pub use self::beside::beside;
pub use self::brackets::{Band, Bracket, Guide, Tag};
pub(super) use self::cells::kind;
pub use self::describe::describe;
pub use self::guess::guess;
pub use self::input::{EffectRow, InputRecord, Isolation, Next, Reader, RulerInput, Seen, Txn};
pub use self::lags::{
    Consequence, Instrument, Lag, LagKind, consequence, consequence_from, in_hand, lag, unsaved,
};
pub use self::of_picture::{input, log_of};
pub use self::tables::{Words, changed, words};

use self::plan::Plan;
use super::stage::{Cell, Fold, Ghost, Layout, Mark};
use super::{Line, Text};
use crate::kafka::ids::Boundary;
use crate::text::Lang;

/// What a scene's rulers need in all, so that height and axis are the same at every step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The furthest boundary.
    pub extent: i64,
    /// How many readers at most.
    pub readers: usize,
    /// Whether somebody saves outside Kafka.
    pub outside: bool,
}

impl Needs {
    /// Takes a step's ruler into account.
    pub fn take(&mut self, input: &RulerInput) {
        self.extent = self.extent.max(furthest(input));
        self.readers = self.readers.max(input.readers.len());
        self.outside |= input.readers.iter().any(|r| r.outside.is_some());
    }
}

/// How a ruler is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// How wide it is.
    pub layout: Layout,
    /// As if readers had this isolation level; `None`: their own.
    pub isolation: Option<Isolation>,
    /// Who counts the lag of a commit.
    pub instrument: Instrument,
    /// What the scene needs.
    pub needs: Needs,
}

impl Look {
    /// The level at which a reader is looked at.
    pub fn isolation_of(&self, reader: &Reader) -> Isolation {
        self.isolation.unwrap_or(reader.isolation)
    }
}

/// A ruler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruler {
    /// Width, px.
    pub width: i32,
    /// Height, px: the same at every step of a scene.
    pub height: i32,
    /// The log, once for each reader, all on one axis.
    pub tracks: Vec<Track>,
}

/// The log with the boundaries of one reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    /// Partition, consumer, group.
    pub head: Text,
    /// Records and the places of such that are gone.
    pub cells: Vec<Cell>,
    /// Folded runs.
    pub folds: Vec<Fold>,
    /// The places of records to come.
    pub ahead: Ahead,
    /// Lines down from the ends that lags are counted to.
    pub guides: Vec<Guide>,
    /// Where boundaries stood before this step.
    pub ghosts: Vec<Ghost>,
    /// Boundaries; lines first, then flags over them.
    pub marks: Vec<Mark>,
    /// What a crash would do now.
    pub band: Option<Band>,
    /// Lags, in a fixed order.
    pub brackets: Vec<Bracket>,
    /// Words beside a flag.
    pub notes: Vec<Tag>,
    /// From a saved position outside the log to where reading would go on.
    pub resume: Option<Line>,
}

/// The places of records to come, so that a short log lies on a whole scale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Along the foot of the cells; `None`: the log fills its scale.
    pub line: Option<Line>,
    /// The gaps between the places.
    pub ticks: Vec<Line>,
    /// The numbers.
    pub numbers: Vec<Text>,
}

/// A reader's boundaries, the nearest lane first.
fn client_marks(reader: &Reader) -> [Option<Boundary>; 4] {
    [
        reader.committed,
        reader.processed,
        reader.position,
        reader.outside,
    ]
}

/// The furthest boundary there is.
fn furthest(input: &RulerInput) -> i64 {
    let clients = input.readers.iter().flat_map(client_marks).flatten();
    let seen = input.readers.iter().filter_map(|r| r.seen);
    clients
        .chain(seen.map(|s| s.high_watermark))
        .chain([input.log_end, input.high_watermark])
        .map(|b| b.0)
        .max()
        .unwrap_or(0)
}

/// All boundaries of a ruler, for its axis.
fn all_marks(input: &RulerInput, into: &mut Vec<i64>) {
    for b in [
        input.log_start,
        input.last_stable,
        input.high_watermark,
        input.log_end,
    ] {
        into.push(b.0);
    }
    for reader in &input.readers {
        into.extend(client_marks(reader).iter().flatten().map(|b| b.0));
        if let Some(seen) = reader.seen {
            into.push(seen.high_watermark.0);
            into.extend(seen.last_stable.map(|b| b.0));
        }
    }
}

/// The ruler of a step; `before` is the step before it.
pub fn ruler(lang: Lang, before: Option<&RulerInput>, now: &RulerInput, look: &Look) -> Ruler {
    let plan = Plan::new(before, now, look);
    let nobody = [Reader::default()];
    let readers: &[Reader] = match now.readers.as_slice() {
        [] => &nobody,
        some => some,
    };
    let several = plan.readers > 1;
    let mut tracks = Vec::new();
    for (at, reader) in readers.iter().enumerate() {
        let isolation = look.isolation_of(reader);
        let old = before.and_then(|b| b.readers.iter().find(|r| r.name == reader.name));
        let of = Of {
            lang,
            now,
            before,
            reader,
            old,
            isolation,
            look,
            plan: &plan,
            y: plan.track_y(at),
            first: at == 0,
            several,
        };
        tracks.push(of.track());
    }
    Ruler {
        width: plan.width,
        height: plan.height(),
        tracks,
    }
}

/// One track being made.
struct Of<'a> {
    lang: Lang,
    now: &'a RulerInput,
    before: Option<&'a RulerInput>,
    reader: &'a Reader,
    /// The reader at the step before.
    old: Option<&'a Reader>,
    isolation: Isolation,
    look: &'a Look,
    plan: &'a Plan,
    /// The track's top.
    y: i32,
    /// It carries the flags of the brokers.
    first: bool,
    several: bool,
}

impl Of<'_> {
    fn track(&self) -> Track {
        let (cells, folds) = self.cells();
        let (marks, ghosts) = self.marks();
        let (notes, resume) = self.notes(&marks);
        let mut track = Track {
            head: self.head(),
            cells,
            folds,
            ahead: self.ahead(),
            guides: self.guides(),
            ghosts,
            marks,
            band: self.band(),
            brackets: self.brackets(),
            notes,
            resume,
        };
        self.shifts(&mut track);
        track
    }
}
