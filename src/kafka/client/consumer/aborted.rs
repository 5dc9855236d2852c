//! What a read_committed consumer leaves out (R-ISO-1).

use crate::kafka::batch::{Batch, Control};
use crate::kafka::ids::Offset;
use crate::kafka::message::Fetched;

/// Which batches of an answer belong to aborted transactions (R-ISO-1). Without read_committed
/// all data counts (R-ISO-2).
pub(super) struct AbortedData<'a> {
    ahead: &'a [(i64, Offset)],
    inside: Vec<i64>,
}

impl<'a> AbortedData<'a> {
    /// Whatever an answer names, only a read_committed consumer looks at it.
    pub(super) fn new(fetched: &'a Fetched, read_committed: bool) -> Self {
        AbortedData {
            ahead: if read_committed {
                &fetched.aborted
            } else {
                &[]
            },
            inside: Vec::new(),
        }
    }

    /// The next batch in order: whether its records are not for the application.
    pub(super) fn holds(&mut self, batch: &Batch) -> bool {
        while let [(producer, first), rest @ ..] = self.ahead
            && *first <= batch.last
        {
            self.inside.push(*producer);
            self.ahead = rest;
        }
        let Some(stamp) = batch.stamp.filter(|_| !self.inside.is_empty()) else {
            return false;
        };
        if batch.control == Some(Control::Abort) && !batch.records.is_empty() {
            self.inside
                .retain(|producer| *producer != stamp.producer_id);
        }
        batch.transactional && self.inside.contains(&stamp.producer_id)
    }
}
