//! The numbers Kafka deals in, each with a type of its own, so that a record's number and a
//! place between records, or an epoch and a broker, cannot be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($repr:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $repr);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// The number of one record (Kafka's "offset" of a record). Record `n` lies between the
    /// boundaries `n` and `n + 1`.
    Offset(i64)
}
number! {
    /// A place between records: boundary `n` is before record `n` and after record `n - 1`.
    /// Log start, log end (LEO), high watermark, last stable offset and every position are
    /// boundaries ("exclusive ends" in Kafka's words).
    Boundary(i64)
}
number! {
    /// A leader epoch: grows by one each time the controller sets a leader, also to none (R-EPO-1).
    Epoch(i32)
}
number! {
    /// A partition epoch: grows by one with every change record of the partition (R-EPO-1).
    PartitionEpoch(i32)
}
number! {
    /// A broker epoch: the offset of the broker's registration in the controller's log; a new one
    /// for every start of the broker (R-FEN-5).
    BrokerEpoch(i64)
}
number! {
    /// An offset in the controller's metadata log (record number).
    MetaOffset(i64)
}
number! {
    /// A broker's id. Ids are 0 to 63, so that a set of brokers is one word.
    BrokerId(u8)
}
number! {
    /// A client (producer, consumer, raw requester) of the scenario, in order of appearance.
    ClientId(u16)
}
number! {
    /// Virtual time since the start of the run, or a span of it, in milliseconds.
    Ms(i64)
}
number! {
    /// A topic, in order of creation.
    TopicId(u16)
}
number! {
    /// Ties an answer to its request; unique in a run.
    Correlation(u64)
}

impl Offset {
    /// The boundary in front of this record.
    pub fn before(self) -> Boundary {
        Boundary(self.0)
    }
    /// The boundary behind this record: the "next offset" of Kafka's API.
    pub fn after(self) -> Boundary {
        Boundary(self.0 + 1)
    }
}

impl Boundary {
    /// The record that stands right behind this boundary.
    pub fn next(self) -> Offset {
        Offset(self.0)
    }
    /// The boundary `n` records further on.
    pub fn plus(self, n: i64) -> Boundary {
        Boundary(self.0 + n)
    }
    /// Whether the record lies below (in front of) this boundary.
    pub fn covers(self, record: Offset) -> bool {
        record.0 < self.0
    }
}

impl Epoch {
    /// The next epoch.
    pub fn next(self) -> Epoch {
        Epoch(self.0 + 1)
    }
}

impl PartitionEpoch {
    /// The next epoch.
    pub fn next(self) -> PartitionEpoch {
        PartitionEpoch(self.0 + 1)
    }
}

impl Ms {
    /// No time limit.
    pub const MAX: Ms = Ms(i64::MAX / 4);
    /// This time and `span` more.
    pub fn plus(self, span: Ms) -> Ms {
        Ms(self.0.saturating_add(span.0))
    }
    /// The span from `earlier` to this time.
    pub fn since(self, earlier: Ms) -> Ms {
        Ms(self.0 - earlier.0)
    }
}

/// One partition of one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tp {
    /// The topic.
    pub topic: TopicId,
    /// The partition's number within the topic, from 0.
    pub partition: u16,
}

/// A set of brokers (an ISR, an ELR): order has no meaning in it. Iterates by ascending id.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BrokerSet(u64);

impl BrokerSet {
    /// Nobody.
    pub const EMPTY: BrokerSet = BrokerSet(0);
    /// Just this broker.
    pub fn only(broker: BrokerId) -> Self {
        BrokerSet(1 << broker.0)
    }
    /// Whether the broker is a member.
    pub fn contains(self, broker: BrokerId) -> bool {
        broker.0 < 64 && self.0 & (1 << broker.0) != 0
    }
    /// Adds a broker.
    pub fn insert(&mut self, broker: BrokerId) {
        self.0 |= 1 << broker.0;
    }
    /// Takes a broker out.
    pub fn remove(&mut self, broker: BrokerId) {
        self.0 &= !(1 << broker.0);
    }
    /// This set with the broker.
    pub fn with(mut self, broker: BrokerId) -> Self {
        self.insert(broker);
        self
    }
    /// This set without the broker.
    pub fn without(mut self, broker: BrokerId) -> Self {
        self.remove(broker);
        self
    }
    /// Members of either set.
    pub fn union(self, other: Self) -> Self {
        BrokerSet(self.0 | other.0)
    }
    /// Members of this set that are not in the other.
    pub fn minus(self, other: Self) -> Self {
        BrokerSet(self.0 & !other.0)
    }
    /// Members of both sets.
    pub fn intersect(self, other: Self) -> Self {
        BrokerSet(self.0 & other.0)
    }
    /// Whether every member is also in the other set.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
    /// The number of members.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }
    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The members by ascending id.
    pub fn iter(self) -> impl Iterator<Item = BrokerId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let low = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            Some(BrokerId(low))
        })
    }
}

impl FromIterator<BrokerId> for BrokerSet {
    fn from_iter<I: IntoIterator<Item = BrokerId>>(iter: I) -> Self {
        iter.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for BrokerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|b| b.0)).finish()
    }
}

impl fmt::Display for BrokerSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, b) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{b}")?;
        }
        f.write_str("]")
    }
}
