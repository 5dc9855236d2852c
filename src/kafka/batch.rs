//! Records and batches. The batch is the unit of storage, fetch, truncation and duplicate
//! detection; the record is the unit of offsets (R-OFF-2).

use super::ids::{Boundary, Epoch, Ms, Offset};
use std::rc::Rc;

/// What a producer hands over: a record that has no number yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewRecord {
    /// The key, if any.
    pub key: Option<Rc<str>>,
    /// The value; `None` is a tombstone.
    pub value: Option<Rc<str>>,
    /// The producer's time stamp, ms.
    pub timestamp: Ms,
}

impl NewRecord {
    /// A record without key.
    pub fn value(value: &str) -> Self {
        NewRecord {
            key: None,
            value: Some(value.into()),
            timestamp: Ms(0),
        }
    }
}

/// A record in a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// Its number.
    pub offset: Offset,
    /// Its time stamp, ms.
    pub timestamp: Ms,
    /// Its key.
    pub key: Option<Rc<str>>,
    /// Its value; `None` is a tombstone.
    pub value: Option<Rc<str>>,
}

/// The mark of an idempotent producer on a batch (R-IDM-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The producer id.
    pub producer_id: i64,
    /// The producer epoch.
    pub epoch: i16,
    /// The sequence number of the batch's first record.
    pub base_sequence: i32,
}

/// What a control batch says (R-OFF-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// The transaction is committed.
    Commit,
    /// The transaction is aborted.
    Abort,
}

/// A batch as it lies in a log. `last` may be beyond the last record left: compaction takes
/// records away and keeps the batch's ends (R-CMP-8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Batch {
    /// The number of its first record when it was written.
    pub base: Offset,
    /// The number of its last record when it was written.
    pub last: Offset,
    /// The epoch of the leader that appended it (partition leader epoch).
    pub epoch: Epoch,
    /// The producer's stamp, if the producer is idempotent.
    pub stamp: Option<Stamp>,
    /// Whether it belongs to a transaction.
    pub transactional: bool,
    /// Set if this is a transaction marker.
    pub control: Option<Control>,
    /// Set by the cleaner: its tombstones, or its marker, go when this time has come, ms (R-CMP-5).
    pub delete_horizon: Option<Ms>,
    /// The records it holds.
    pub records: Rc<[Record]>,
}

impl Batch {
    /// The boundary behind the batch.
    pub fn end(&self) -> Boundary {
        self.last.after()
    }
    /// The sequence number of its last record (wraps after `i32::MAX`, R-IDM-2).
    pub fn last_sequence(&self) -> Option<i32> {
        let n = (self.last.0 - self.base.0) as i32;
        self.stamp
            .map(|s| (s.base_sequence.wrapping_add(n)) & i32::MAX)
    }
}

/// A batch on its way to a leader: no numbers yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewBatch {
    /// The records in order.
    pub records: Rc<[NewRecord]>,
    /// The producer's stamp.
    pub stamp: Option<Stamp>,
    /// Whether it belongs to a transaction.
    pub transactional: bool,
    /// Set if this is a transaction marker.
    pub control: Option<Control>,
}

impl NewBatch {
    /// A plain batch of records.
    pub fn plain(records: impl IntoIterator<Item = NewRecord>) -> Self {
        NewBatch {
            records: records.into_iter().collect(),
            stamp: None,
            transactional: false,
            control: None,
        }
    }
}
