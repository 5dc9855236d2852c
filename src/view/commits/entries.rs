//! The records of a log of commits, as its leader holds them.

use crate::kafka::group::records::Entry as Written;
use crate::kafka::ids::{Offset, Tp};
use crate::text::{Lang, commits as say};
use crate::view::stage::row::reg;
use crate::world::picture::{Picture, ReplicaPicture};
use std::rc::Rc;

/// How a record stands (R-GRP-2, R-CMP-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last one of its key, below the high watermark.
    InForce,
    /// A later one has its key.
    Outdated,
    /// Not below the high watermark yet.
    Unconfirmed,
}

/// A record that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number in `__consumer_offsets`.
    pub offset: Offset,
    /// Its key's group.
    pub group: Rc<str>,
    /// The rest of its key: `orders-0`; of what is no commit a word.
    pub about: String,
    /// The next position it holds: `→ 5`; empty if it is no commit.
    pub value: String,
    /// How it stands.
    pub state: State,
}

/// The replica that is read: the leader's, or the longest while nobody leads.
pub fn replica(picture: &Picture, tp: Tp) -> Option<&ReplicaPicture> {
    let leader = reg(picture, tp)?.leader;
    let own = leader.and_then(|b| picture.replica(b, tp));
    let all = picture.brokers.iter().flat_map(|b| &b.replicas);
    own.or_else(|| all.filter(|r| r.tp == tp).max_by_key(|r| r.log_end))
}

/// The records of a partition of `__consumer_offsets` by number; markers have no key.
pub fn entries(lang: Lang, picture: &Picture, tp: Tp) -> Vec<Entry> {
    let Some(replica) = replica(picture, tp) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (n, record) in replica.records.iter().enumerate() {
        let Some(key) = record.key.as_deref() else {
            continue;
        };
        let Some(written) = Written::parse(key, record.value.as_deref()) else {
            continue;
        };
        let confirmed = |offset| replica.high_watermark.covers(offset);
        let mut later = replica.records.iter().skip(n + 1);
        let state = if !confirmed(record.offset) {
            State::Unconfirmed
        } else if later.any(|r| r.key == record.key && confirmed(r.offset)) {
            State::Outdated
        } else {
            State::InForce
        };
        let (about, value) = match &written {
            Written::Offset(_, topic, partition, stored) => {
                let mut about = topic.to_string();
                about.push('-');
                about.push_str(&partition.to_string());
                let value = match stored {
                    Some(stored) => ["→ ", &stored.committed.offset.to_string()].concat(),
                    None => say::deleted(lang),
                };
                (about, value)
            }
            _ => (say::of_group(lang), String::new()),
        };
        all.push(Entry {
            offset: record.offset,
            group: written.group().clone(),
            about,
            value,
            state,
        });
    }
    all
}
