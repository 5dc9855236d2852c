//! Distances between boundaries: each lag with who counts it, up to where and from where. A lag
//! counts offsets, not records: markers, aborted records and holes are in it (R-LAG-3).

use super::input::{Isolation, Reader, RulerInput};
use crate::kafka::ids::Boundary;

/// Who counts the lag of a commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Instrument {
    /// `kafka-consumer-groups`: up to the high watermark, whatever the isolation (R-LAG-2).
    #[default]
    GroupTool,
    /// librdkafka's `consumer_lag`: up to where the reader may read.
    Librdkafka,
    /// The classic mistake: from the number of the last record, which is no boundary.
    LastRecord,
}

impl Instrument {
    /// All of them.
    pub const ALL: [Instrument; 3] = [
        Instrument::GroupTool,
        Instrument::Librdkafka,
        Instrument::LastRecord,
    ];
}

/// The lags of a reader that have a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LagKind {
    /// Up to an end of the log, from the commit (R-LAG-2).
    Committed,
    /// Up to where the reader may read, from the next record to be processed: the application's
    /// own figure, not Kafka's.
    Processing,
    /// The metric `records-lag`: up to the end seen in the last fetch, from the position
    /// (R-LAG-1).
    Fetch,
}

impl LagKind {
    /// All, from the top of the ruler down.
    pub const ALL: [LagKind; 3] = [LagKind::Committed, LagKind::Processing, LagKind::Fetch];
}

/// A subtraction: where it ends and begins. A lag without both has no value, which is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// Up to this.
    pub end: Option<i64>,
    /// From this boundary.
    pub from: Option<Boundary>,
}

impl Lag {
    /// End minus beginning; below 0 where the beginning lies behind the end (never clamped).
    pub fn value(&self) -> Option<i64> {
        Some(self.end? - self.from?.0)
    }
}

/// A reader's lag. `isolation` is the level it reads at, or is looked at as if.
pub fn lag(
    input: &RulerInput,
    reader: &Reader,
    isolation: Isolation,
    instrument: Instrument,
    kind: LagKind,
) -> Lag {
    let visible = input.visible_end(isolation);
    let (end, from) = match kind {
        LagKind::Committed => {
            let end = match instrument {
                // Without a leader the tool shows `-` (R-LAG-2).
                Instrument::GroupTool => (!input.leaderless).then_some(input.high_watermark.0),
                Instrument::Librdkafka => Some(visible.0),
                Instrument::LastRecord => {
                    (input.high_watermark > input.log_start).then(|| input.high_watermark.0 - 1)
                }
            };
            (end, reader.committed)
        }
        LagKind::Processing => (Some(visible.0), reader.processed),
        LagKind::Fetch => {
            let end = reader.seen.map(|s| match isolation {
                Isolation::Uncommitted => s.high_watermark,
                Isolation::Committed => s
                    .last_stable
                    .unwrap_or_else(|| input.last_stable.min(s.high_watermark)),
            });
            (end.map(|e| e.0), reader.position)
        }
    };
    Lag { end, from }
}

/// Received, and not yet processed: position minus next to be processed.
pub fn in_hand(reader: &Reader) -> Lag {
    Lag {
        end: reader.position.map(|p| p.0),
        from: reader.processed,
    }
}

/// Processed, and not yet saved: next to be processed minus what is saved.
pub fn unsaved(reader: &Reader) -> Lag {
    Lag {
        end: reader.processed.map(|p| p.0),
        from: reader.saved(),
    }
}

/// What a crash at this moment would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Not known: nothing is saved, or nothing processed yet.
    Unknown,
    /// Nothing that an application is given lies between saved and processed.
    Exact,
    /// What lies between the boundaries is processed and comes again.
    Repeat(Boundary, Boundary),
    /// What lies between them was never processed and does not come again.
    Loss(Boundary, Boundary),
    /// What is saved lies outside the log: auto.offset.reset decides (R-RST-4).
    OutOfRange(Boundary),
}

/// What a crash of the reader would do now.
pub fn consequence(input: &RulerInput, reader: &Reader, isolation: Isolation) -> Consequence {
    match reader.saved() {
        Some(saved) => consequence_from(input, reader, isolation, saved),
        None => Consequence::Unknown,
    }
}

/// What a new start from this boundary would do.
pub fn consequence_from(
    input: &RulerInput,
    reader: &Reader,
    isolation: Isolation,
    saved: Boundary,
) -> Consequence {
    if saved < input.log_start || saved > input.log_end {
        return Consequence::OutOfRange(saved);
    }
    let Some(done) = reader.processed else {
        return Consequence::Unknown;
    };
    let (from, to) = (saved.min(done), saved.max(done));
    if input.given(isolation, from, to).is_empty() {
        Consequence::Exact
    } else if saved < done {
        Consequence::Repeat(from, to)
    } else {
        Consequence::Loss(from, to)
    }
}
