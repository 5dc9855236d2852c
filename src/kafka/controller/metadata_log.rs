//! The metadata log: each record with the image after it, and the brokers that wait for more.

use crate::kafka::event::Cause;
use crate::kafka::ids::{BrokerId, Correlation, MetaOffset};
use crate::kafka::map::Map;
use crate::kafka::message::{Body, NodeId};
use crate::kafka::metadata::{Image, MetaRecord};
use crate::kafka::out::Out;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A record, the image after it, and the event that wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The record.
    pub record: MetaRecord,
    /// The image after it.
    pub image: Rc<Image>,
    /// The event that wrote it.
    pub cause: Cause,
    /// It begins what one decision of the controller wrote: a broker takes that in as a whole.
    pub first: bool,
}

impl Hash for Entry {
    /// The image follows from the records, and the newest one is hashed with the log.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.record.hash(state);
    }
}

/// The log from the oldest record that somebody may still need.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MetadataLog {
    image: Rc<Image>,
    entries: VecDeque<Rc<Entry>>,
    /// How far each broker has come, by its last fetch.
    fetched: Map<BrokerId, MetaOffset>,
    /// The fetch that waits, by broker.
    parked: Map<BrokerId, (Correlation, MetaOffset)>,
    /// The decision under way has written something.
    writing: bool,
    /// One decision an answer, so that a script can take them in one by one.
    one_by_one: bool,
}

impl MetadataLog {
    pub(super) fn new(one_by_one: bool) -> Self {
        MetadataLog {
            image: Rc::new(Image::empty()),
            entries: VecDeque::new(),
            fetched: Map::new(),
            parked: Map::new(),
            writing: false,
            one_by_one,
        }
    }

    pub(super) fn image(&self) -> &Rc<Image> {
        &self.image
    }

    /// The offset the next record will get.
    pub(super) fn next_offset(&self) -> MetaOffset {
        MetaOffset(self.image.offset.0 + 1)
    }

    /// Appends a record; [`MetadataLog::answer_parked`] tells the brokers.
    pub(super) fn append(&mut self, record: MetaRecord, cause: Cause) {
        let mut image = Image::clone(&self.image);
        image.apply(&record);
        self.image = Rc::new(image);
        self.entries.push_back(Rc::new(Entry {
            record,
            image: self.image.clone(),
            cause,
            first: !std::mem::replace(&mut self.writing, true),
        }));
    }

    /// The entries behind an offset. Where the log no longer reaches back so far, those it has:
    /// the image of the first of them holds what came before.
    pub(super) fn after(&self, after: MetaOffset) -> impl Iterator<Item = &Rc<Entry>> {
        self.entries.iter().filter(move |e| e.image.offset > after)
    }

    /// A broker's fetch: answered at once if there is more, else kept.
    pub(super) fn fetch(
        &mut self,
        broker: BrokerId,
        correlation: Correlation,
        after: MetaOffset,
        out: &mut Out,
    ) {
        self.fetched.insert(broker, after);
        self.prune();
        self.parked.insert(broker, (correlation, after));
        self.answer(broker, out);
    }

    /// A decision is made: answers every waiting broker for which there is something now.
    pub(super) fn answer_parked(&mut self, out: &mut Out) {
        self.writing = false;
        if self.parked.is_empty() {
            return;
        }
        let waiting: Vec<BrokerId> = self.parked.keys().copied().collect();
        for broker in waiting {
            self.answer(broker, out);
        }
    }

    fn answer(&mut self, broker: BrokerId, out: &mut Out) {
        let Some(&(correlation, after)) = self.parked.get(&broker) else {
            return;
        };
        // From the newest back: what is new is a short tail of what is kept.
        let behind = self
            .entries
            .iter()
            .rev()
            .take_while(|e| e.image.offset > after)
            .count();
        let first = self.entries.len() - behind;
        let count = if self.one_by_one {
            let more = self.entries.range(first..).skip(1);
            behind.min(1 + more.take_while(|e| !e.first).count())
        } else {
            behind
        };
        if count == 0 {
            return;
        }
        let told = || self.entries.range(first..first + count);
        let cause = told()
            .rev()
            .find(|e| matches!(e.record, MetaRecord::Partition { .. }))
            .or_else(|| told().next_back())
            .map_or(out.cause, |e| e.cause);
        let records = told()
            .map(|e| (e.record.clone(), e.image.clone()))
            .collect();
        self.parked.remove(&broker);
        out.answer(
            correlation,
            NodeId::Controller,
            NodeId::Broker(broker),
            Body::MetaAnswer(records),
            cause,
        );
    }

    /// Drops what every broker has, also the dead ones; the last record stays, so that a broker
    /// that starts from nothing still gets an image.
    fn prune(&mut self) {
        let registered = self.image.brokers.keys();
        let oldest = registered
            .map(|b| self.fetched.get(b).copied().unwrap_or(MetaOffset(-1)))
            .chain(self.fetched.values().copied())
            .min()
            .unwrap_or(MetaOffset(-1));
        while self.entries.len() > 1
            && self
                .entries
                .front()
                .is_some_and(|e| e.image.offset <= oldest)
        {
            self.entries.pop_front();
        }
    }
}
