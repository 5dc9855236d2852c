//! What a person gets: pure functions from pictures and events to geometry, sentences and
//! tables. The page draws these structures one to one and adds nothing; a test reads them.
//!
//! Lengths are px of an unscaled SVG, whole numbers; text stands on its baseline. Elements carry
//! a meaning ([`Role`], kinds), never a colour: `class()` gives the name that the style sheet knows.

pub mod card;
pub(crate) mod changes;
pub mod commits;
pub mod compare;
pub mod console_words;
pub mod controller;
pub mod export;
pub mod mini;
pub mod moves;
pub mod overview;
pub mod practice;
pub mod question;
pub mod report;
pub mod ruler;
pub mod stage;
pub mod tables;
pub mod text_picture;
pub mod timeline;
pub mod trouble;
pub mod width;

use crate::kafka::event::Event;
use crate::kafka::ids::{BrokerId, Offset};
use crate::text::Lang;
use crate::world::picture::Picture;

/// One step of a story, as every view function takes it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The language of all words.
    pub lang: Lang,
    /// The world at the step before; `None` at the first step.
    pub before: Option<&'a Picture>,
    /// The world at this step.
    pub now: &'a Picture,
    /// What happened between the two.
    pub events: &'a [Event],
}

/// A rectangle: left, top, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

/// A straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// From, x.
    pub x1: i32,
    /// From, y.
    pub y1: i32,
    /// To, x.
    pub x2: i32,
    /// To, y.
    pub y2: i32,
}

/// Where a text is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// x is its left end.
    #[default]
    Start,
    /// x is its middle.
    Middle,
    /// x is its right end.
    End,
}

impl Anchor {
    /// The value of SVG's `text-anchor`.
    pub fn as_str(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// What a text is, which decides its type and colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A broker's name: 14 px, 600.
    Name,
    /// 12 px, text colour.
    #[default]
    Plain,
    /// 12 px, muted.
    Muted,
    /// 12 px, 600, text colour: what a message says, a LEO flag.
    Strong,
    /// 12 px, 600, server blue: a HW flag, copies.
    Server,
    /// 12 px, 600, client orange.
    Client,
    /// 12 px, 600, alert: a broken promise.
    Alert,
    /// 13 px mono: an offset in a cell.
    Offset,
    /// 12 px mono: a value in a cell, `offset=6`.
    Mono,
    /// 12 px mono, muted: an epoch's tab.
    Epoch,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 10] = [
        Role::Name,
        Role::Plain,
        Role::Muted,
        Role::Strong,
        Role::Server,
        Role::Client,
        Role::Alert,
        Role::Offset,
        Role::Mono,
        Role::Epoch,
    ];

    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Role::Name => "t-name",
            Role::Plain => "t-plain",
            Role::Muted => "t-muted",
            Role::Strong => "t-strong",
            Role::Server => "t-server",
            Role::Client => "t-client",
            Role::Alert => "t-alert",
            Role::Offset => "t-offset",
            Role::Mono => "t-mono",
            Role::Epoch => "t-epoch",
        }
    }
}

/// A picture sign of 12 px (paths are the page's; each always stands beside its word).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Icon {
    /// Leader.
    Star,
    /// In the ISR; confirmed.
    Tick,
    /// Out of the ISR; refused; lost.
    Cross,
    /// Process down.
    Power,
    /// Process stands still.
    Pause,
    /// Follower.
    Chevron,
    /// Waiting.
    Clock,
    /// Tries again.
    Retry,
    /// Elected just now (a triangle above).
    Up,
    /// Not answered and not expected to be (an empty ring).
    Ring,
    /// Safe, checked (a ring with a tick).
    RingTick,
    /// A way that is cut.
    CutLink,
}

/// A text at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// x of its anchor.
    pub x: i32,
    /// Its baseline.
    pub y: i32,
    /// Which end x is.
    pub anchor: Anchor,
    /// What it is.
    pub role: Role,
    /// The words.
    pub text: String,
}

/// A text with a sign in front of it. With [`Anchor::End`] sign and text together end at x; the
/// sign is 12 px, the gap 4 px.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// The sign's left edge.
    pub x: i32,
    /// The text's baseline; the sign stands from y - 10 to y + 2.
    pub y: i32,
    /// The sign; `None`: the text begins at x.
    pub icon: Option<Icon>,
    /// What the text is; the sign takes its colour.
    pub role: Role,
    /// The words.
    pub text: String,
}

/// A thing on the stage that a token of a formula points to (hover and focus outline it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A broker's row.
    Broker(BrokerId),
    /// A broker's LEO flag.
    LogEnd(BrokerId),
    /// A broker's HW flag.
    HighWatermark(BrokerId),
    /// A record on a broker.
    Record(BrokerId, Offset),
}

impl Target {
    /// A name fit for an id or a `data-` attribute: `leo-1`, `hw-2`, `rec-1-6`, `broker-3`.
    pub fn key(self) -> String {
        match self {
            Target::Broker(b) => format!("broker-{b}"),
            Target::LogEnd(b) => format!("leo-{b}"),
            Target::HighWatermark(b) => format!("hw-{b}"),
            Target::Record(b, o) => format!("rec-{b}-{o}"),
        }
    }
}
