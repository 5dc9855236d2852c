//! What a ruler is drawn from: one partition's boundaries and records, and who reads it. A type
//! of its own, so that a scene, a practice and a test can all fill it in.

use crate::kafka::batch::Control;
use crate::kafka::ids::{Boundary, Offset};
use std::rc::Rc;

/// isolation.level of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isolation {
    /// Reads up to the high watermark.
    #[default]
    Uncommitted,
    /// Reads up to the last stable offset and skips what was aborted.
    Committed,
}

impl Isolation {
    /// Both.
    pub const ALL: [Isolation; 2] = [Isolation::Uncommitted, Isolation::Committed];

    /// As the setting writes it.
    pub fn word(self) -> &'static str {
        match self {
            Isolation::Uncommitted => "read_uncommitted",
            Isolation::Committed => "read_committed",
        }
    }
}

/// How a record stands to a transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Txn {
    /// In none.
    #[default]
    None,
    /// In one that is open.
    Open,
    /// In one that was committed.
    Committed,
    /// In one that was aborted: `read_committed` passes over it.
    Aborted,
}

/// A record, or one that is known to be gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputRecord {
    /// Its number.
    pub offset: Offset,
    /// Its key.
    pub key: Option<Rc<str>>,
    /// Its value; `None` is a tombstone.
    pub value: Option<Rc<str>>,
    /// A transaction's marker.
    pub control: Option<Control>,
    /// How it stands to a transaction.
    pub txn: Txn,
    /// The cleaner took it away: its number stays.
    pub removed: bool,
}

impl InputRecord {
    /// Whether an application ever sees it at this isolation level.
    pub fn is_given(&self, isolation: Isolation) -> bool {
        !self.removed
            && self.control.is_none()
            && !(isolation == Isolation::Committed && self.txn == Txn::Aborted)
    }
}

/// What the answer to a reader's last fetch told of the log's ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The high watermark in it (boundary).
    pub high_watermark: Boundary,
    /// The last stable offset in it (boundary), if it had one.
    pub last_stable: Option<Boundary>,
}

/// Who reads: one consumer, and what is saved of its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// The consumer's name.
    pub name: Rc<str>,
    /// Its group.
    pub group: Option<Rc<str>>,
    /// Its isolation.level.
    pub isolation: Isolation,
    /// Its auto.offset.reset, as the setting writes it.
    pub reset: Option<Rc<str>>,
    /// The next record to be handed out (boundary).
    pub position: Option<Boundary>,
    /// The next record to be processed: the application's own (boundary).
    pub processed: Option<Boundary>,
    /// The group's commit (boundary).
    pub committed: Option<Boundary>,
    /// What the application saved in a store of its own (boundary).
    pub outside: Option<Boundary>,
    /// What its last fetch told of the log's end; `None`: nothing fetched yet.
    pub seen: Option<Seen>,
}

impl Reader {
    /// Where a successor would begin: the group's commit if there is one (R-RST-1), else the
    /// application's own store.
    pub fn saved(&self) -> Option<Boundary> {
        self.committed.or(self.outside)
    }
}

/// An effect of processing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectRow {
    /// Of which record.
    pub offset: Offset,
    /// What it is known by.
    pub key: Rc<str>,
    /// How often it took place; 0: the record was passed over for good.
    pub times: u32,
}

/// What a reader is given next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The record of this number, or whichever will be written there.
    Here,
    /// This one: the numbers before it have none for the reader.
    At(Offset),
    /// None below this boundary: markers, aborted records, holes (R-CON-2).
    Nothing(Boundary),
    /// A record is there that the reader may not see yet.
    Waits,
}

/// One partition and its readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulerInput {
    /// The partition's name: `orders-0`.
    pub name: String,
    /// Nobody leads it: there is no end to be asked for (R-LAG-2).
    pub leaderless: bool,
    /// Log start (boundary).
    pub log_start: Boundary,
    /// Last stable offset (boundary).
    pub last_stable: Boundary,
    /// High watermark (boundary).
    pub high_watermark: Boundary,
    /// Log end, LEO (boundary).
    pub log_end: Boundary,
    /// Its records by number, also such that are known to be gone.
    pub records: Vec<InputRecord>,
    /// Who reads it.
    pub readers: Vec<Reader>,
    /// What the reading has brought about.
    pub effects: Vec<EffectRow>,
}

impl RulerInput {
    /// The record of this number, if it is known.
    pub fn record(&self, offset: Offset) -> Option<&InputRecord> {
        self.records
            .binary_search_by_key(&offset, |r| r.offset)
            .ok()
            .map(|at| &self.records[at])
    }

    /// The boundary up to which a reader of this isolation level is given records.
    pub fn visible_end(&self, isolation: Isolation) -> Boundary {
        match isolation {
            Isolation::Uncommitted => self.high_watermark,
            Isolation::Committed => self.last_stable.min(self.high_watermark),
        }
    }

    /// Numbers between two boundaries that an application is given.
    pub fn given(&self, isolation: Isolation, from: Boundary, to: Boundary) -> Vec<Offset> {
        let (from, to) = (from.max(self.log_start), to.min(self.log_end));
        let inside = |r: &&InputRecord| r.offset.0 >= from.0 && r.offset.0 < to.0;
        let all = self.records.iter().filter(inside);
        all.filter(|r| r.is_given(isolation))
            .map(|r| r.offset)
            .collect()
    }

    /// Numbers of the records in the log, markers too.
    pub fn kept(&self) -> Vec<Offset> {
        let inside = |r: &&InputRecord| {
            self.log_end.covers(r.offset) && !self.log_start.covers(r.offset) && !r.removed
        };
        self.records
            .iter()
            .filter(inside)
            .map(|r| r.offset)
            .collect()
    }

    /// What a reader at a boundary is given next.
    pub fn next(&self, isolation: Isolation, at: Boundary) -> Next {
        let end = self.visible_end(isolation);
        if at < self.log_start || at > self.log_end {
            return Next::Here;
        }
        match self.given(isolation, at, end).first() {
            Some(next) if next.0 > at.0 => Next::At(*next),
            Some(_) => Next::Here,
            None if at < end => Next::Nothing(end),
            None if at < self.log_end => Next::Waits,
            None => Next::Here,
        }
    }
}
