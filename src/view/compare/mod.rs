//! Three settings, one clock, one fault (R12): a lane each.

mod lane;
mod strips;
mod words;

use self::lane::{brokers, followed, lane};
use self::strips::{Scale, ticks};
pub use self::words::in_words;
use super::stage::Row;
use super::{Icon, Role};
use crate::kafka::ids::{Ms, Tp};
use crate::text::{Lang, state};
use crate::world::picture::Picture;

/// What a lane is made from: the same moments of one run, from the first to the one shown.
#[derive(Clone, Copy, Debug)]
pub struct LaneInput<'a> {
    /// The lane's name: `acks=1`.
    pub name: &'a str,
    /// The pictures at each step from the first to the one shown.
    pub pictures: &'a [&'a Picture],
}

/// The comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compare {
    /// The record followed: «запись 3».
    pub record: String,
    /// Labels of the left column: copies, producer, clock, each broker, confirmed, waited, lost.
    pub labels: Labels,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// The clock under (or over) the strips.
    pub clock: Clock,
}

/// Words of the left column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// «живых копий».
    pub copies: String,
    /// «продюсер».
    pub producer: String,
    /// «одни часы».
    pub clock: String,
    /// «Подтверждено».
    pub confirmed: String,
    /// «Ждал».
    pub waited: String,
    /// «Потеряно».
    pub lost: String,
    /// A broker's name, its role sign and word, as in the first lane.
    pub brokers: Vec<(String, Option<Icon>, String)>,
}

/// The clock: one for all lanes, not linear: each moment has its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Moments with a label, in order: (time, place in thousandths of the strip, label, sign).
    pub ticks: Vec<Tick>,
    /// Places (thousandths) where the scale is broken: //.
    pub breaks: Vec<i32>,
}

/// A moment on the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// When, ms.
    pub at: Ms,
    /// Place on the strip, in thousandths of its width.
    pub place: i32,
    /// «9,4 с».
    pub label: String,
    /// ✕ the leader is gone, ★ a new leader.
    pub icon: Option<Icon>,
    /// The words of the sign: «сбой лидера», «новый лидер».
    pub words: String,
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// `acks=1`.
    pub name: String,
    /// «ждёт только лидера».
    pub rule: String,
    /// Live copies of the record.
    pub copies: Vec<Bar>,
    /// What the producer thinks.
    pub thoughts: Vec<Bar>,
    /// Width of the logs' drawing, px.
    pub width: i32,
    /// Height of the logs' drawing, px.
    pub height: i32,
    /// Compact rows.
    pub rows: Vec<Row>,
    /// The outcome's sign.
    pub icon: Icon,
    /// The outcome: «Подтверждена и потеряна».
    pub verdict: String,
    /// One word for small screens: «потеря», «цела», «ждём».
    pub short: String,
    /// Alert or plain.
    pub role: Role,
    /// «лидером, запись 3».
    pub confirmed: String,
    /// «3 мс».
    pub waited: String,
    /// «запись 3, подтверждённая».
    pub lost: String,
    /// Whether something is lost (alert).
    pub is_lost: bool,
    /// The lane in a sentence, for narration.
    pub spoken: String,
}

/// A bar on a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its start in thousandths of the strip.
    pub from: i32,
    /// Its end in thousandths.
    pub to: i32,
    /// What it says.
    pub kind: BarKind,
    /// Its words; empty where there is no room.
    pub label: String,
    /// The words stand behind the bar's end: it is the last, and too short for them.
    pub beside: bool,
}

/// Kinds of bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarKind {
    /// Live copies: solid blue.
    Copies,
    /// No live copy while the producer still waits: dashed, muted.
    NoCopies,
    /// No live copy of what the producer holds for safe or will never ask about: alert.
    NoCopiesAlert,
    /// The producer sent and forgot: dotted.
    Forgot,
    /// It waits: dashed.
    Waits,
    /// It thinks the record is safe: solid and tinted.
    Safe,
    /// The same where it is false: alert hatch in the foot.
    SafeFalse,
    /// It has an error: dashed, with a cross.
    Failed,
}

impl BarKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            BarKind::Copies => "b-copies",
            BarKind::NoCopies => "b-none",
            BarKind::NoCopiesAlert => "b-none-alert",
            BarKind::Forgot => "b-forgot",
            BarKind::Waits => "b-waits",
            BarKind::Safe => "b-safe",
            BarKind::SafeFalse => "b-safe-false",
            BarKind::Failed => "b-failed",
        }
    }
}

/// The comparison at the last of the pictures given, of `total` that the whole scene has: each
/// step has its own place on the clock, so nothing moves when a step is added.
pub fn compare_of(lang: Lang, tp: Tp, lanes: &[LaneInput], total: usize) -> Compare {
    let shown = lanes.iter().map(|l| l.pictures.len()).max().unwrap_or(0);
    let clock = Scale {
        total: total.max(shown).max(1) as i32,
    };
    let first = lanes.first();
    let number = lanes
        .iter()
        .find_map(|l| followed(tp, l.pictures).and_then(|f| f.offset));
    let value = lanes.iter().find_map(|l| followed(tp, l.pictures));
    Compare {
        record: match (number, value) {
            (Some(at), _) => state::record(lang, at),
            (None, Some(f)) => f.value.as_deref().unwrap_or("").to_string(),
            (None, None) => String::new(),
        },
        labels: Labels {
            copies: state::strip_copies(lang),
            producer: state::strip_producer(lang),
            clock: state::one_clock(lang),
            confirmed: state::row_confirmed(lang),
            waited: state::row_waited(lang),
            lost: state::row_lost(lang),
            brokers: first
                .and_then(|l| l.pictures.last())
                .map_or_else(Vec::new, |p| brokers(lang, tp, p)),
        },
        lanes: lanes.iter().map(|l| lane(lang, tp, l, &clock)).collect(),
        clock: first.map_or_else(Clock::default, |l| ticks(lang, tp, l.pictures, &clock)),
    }
}

/// The comparison at the last of the pictures given, as if there were no more.
pub fn compare(lang: Lang, tp: Tp, lanes: &[LaneInput]) -> Compare {
    compare_of(lang, tp, lanes, 0)
}
