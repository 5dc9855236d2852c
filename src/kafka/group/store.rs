//! The committed offsets of the groups of one partition of `__consumer_offsets`: what its log says,
//! read up to the high watermark (R-GRP-4), and the commits of open transactions (R-COM-11).

use super::Name;
use super::message::Committed;
use super::records::{Entry, Stored};
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};

/// What the log says of one partition of one group from some record on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Version {
    /// The boundary behind the record: it counts once the high watermark is there.
    until: Boundary,
    /// The commit; `None`: a tombstone.
    stored: Option<Stored>,
}

/// The versions of one partition of one group: the newest below the high watermark, and those
/// above it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Versions(Vec<Version>);

impl Versions {
    fn newest(&self) -> Option<&Stored> {
        self.0.last()?.stored.as_ref()
    }
    fn at(&self, high_watermark: Boundary) -> Option<&Stored> {
        let known = |v: &&Version| v.until <= high_watermark;
        self.0.iter().rev().find(known)?.stored.as_ref()
    }
}

/// A commit that has become visible, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// The group.
    pub group: Name,
    /// The partition.
    pub tp: Tp,
    /// What was committed.
    pub from: Option<Boundary>,
    /// What is; `None`: nothing any longer.
    pub to: Option<Boundary>,
}

/// The offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Offsets {
    groups: Map<Name, Map<Tp, Versions>>,
    /// Names of topics, as the records' keys have them.
    names: Map<TopicId, Name>,
    /// Commits in open transactions: by producer id.
    pending: Map<i64, Map<(Name, Tp), Stored>>,
    /// Records that are not yet below the high watermark, in order.
    fresh: Vec<(Boundary, Name, Tp)>,
}

impl Offsets {
    /// Takes in a record that the log holds below `until`; that of an open transaction under its
    /// producer's id.
    pub fn apply(&mut self, entry: &Entry, producer: Option<i64>, until: Boundary) {
        let Entry::Offset(group, topic, partition, value) = entry else {
            return;
        };
        match (value, producer) {
            (Some(stored), producer) => {
                let tp = Tp {
                    topic: stored.topic,
                    partition: *partition,
                };
                self.names.insert(tp.topic, topic.clone());
                match producer {
                    Some(id) => {
                        let pending = self.pending.entry(id).or_default();
                        pending.insert((group.clone(), tp), stored.clone());
                    }
                    None => self.put(group, tp, Some(stored.clone()), until),
                }
            }
            (None, _) => {
                // The key names the topic; whichever of that name has a commit loses it.
                let named = |tp: &Tp| {
                    tp.partition == *partition && self.names.get(&tp.topic) == Some(topic)
                };
                let of_group = self.groups.get(group);
                let gone: Vec<Tp> = of_group
                    .into_iter()
                    .flat_map(|g| g.keys().copied())
                    .filter(named)
                    .collect();
                for tp in gone {
                    self.put(group, tp, None, until);
                    for pending in self.pending.values_mut() {
                        pending.remove(&(group.clone(), tp));
                    }
                }
            }
        }
    }

    /// A transaction's marker is in the log below `until`: its commits count, or are forgotten.
    pub fn end_transaction(&mut self, producer: i64, commit: bool, until: Boundary) {
        let Some(pending) = self.pending.remove(&producer) else {
            return;
        };
        if commit {
            for ((group, tp), stored) in pending {
                self.put(&group, tp, Some(stored), until);
            }
        }
    }

    fn put(&mut self, group: &Name, tp: Tp, stored: Option<Stored>, until: Boundary) {
        let of_group = self.groups.entry(group.clone()).or_default();
        let versions = of_group.entry(tp).or_default();
        versions.0.push(Version { until, stored });
        self.fresh.push((until, group.clone(), tp));
    }

    /// The high watermark is at this boundary now: what has become visible, in the order of the
    /// log.
    pub fn advance(&mut self, high_watermark: Boundary) -> Vec<Change> {
        let known = self.fresh.partition_point(|(u, ..)| *u <= high_watermark);
        let mut changes = Vec::new();
        for (until, group, tp) in self.fresh.drain(..known).collect::<Vec<_>>() {
            let Some(of_group) = self.groups.get_mut(&group) else {
                continue;
            };
            let Some(versions) = of_group.get_mut(&tp) else {
                continue;
            };
            let at = versions.0.partition_point(|v| v.until < until);
            let from = at.checked_sub(1).and_then(|i| versions.0[i].stored.clone());
            versions.0.drain(..at);
            let to = versions.0.first().and_then(|v| v.stored.clone());
            if to.is_none() && versions.0.len() <= 1 {
                of_group.remove(&tp);
            }
            if of_group.is_empty() {
                self.groups.remove(&group);
            }
            let offset = |s: Stored| s.committed.offset;
            let (from, to) = (from.map(offset), to.map(offset));
            if from.is_some() || to.is_some() {
                changes.push(Change {
                    group,
                    tp,
                    from,
                    to,
                });
            }
        }
        changes
    }

    /// Whether a commit is pending in an open transaction for a partition.
    fn unstable(&self, group: &Name, tp: Tp) -> bool {
        let key = (group.clone(), tp);
        self.pending.values().any(|p| p.contains_key(&key))
    }

    /// Whether any open transaction has commits for the group.
    pub fn in_transaction(&self, group: &Name) -> bool {
        self.pending
            .values()
            .any(|p| p.keys().any(|(g, _)| g == group))
    }

    /// What a fetch of one named partition is told (R-GRP-4).
    pub fn fetch(
        &self,
        group: &Name,
        tp: Tp,
        require_stable: bool,
        high_watermark: Boundary,
    ) -> Result<Option<Committed>, KafkaError> {
        if require_stable && self.unstable(group, tp) {
            return Err(KafkaError::UnstableOffsetCommit);
        }
        let stored = self.groups.get(group).and_then(|g| g.get(&tp));
        let stored = stored.and_then(|v| v.at(high_watermark));
        // A negative offset reads as none (R-COM-13).
        Ok(stored
            .map(|s| s.committed.clone())
            .filter(|c| c.offset.0 >= 0))
    }

    /// The partitions that have a commit below the high watermark. One that has only a pending
    /// commit is not among them (R-GRP-4).
    pub fn partitions(&self, group: &Name, high_watermark: Boundary) -> Vec<Tp> {
        let of_group = self.groups.get(group).into_iter().flatten();
        of_group
            .filter(|(_, v)| {
                let stored = v.at(high_watermark);
                stored.is_some_and(|s| s.committed.offset.0 >= 0)
            })
            .map(|(tp, _)| *tp)
            .collect()
    }

    /// The newest commits, also those above the high watermark: what can expire or be deleted.
    pub fn newest(&self, group: &Name) -> Vec<(Tp, &Stored)> {
        let of_group = self.groups.get(group).into_iter().flatten();
        of_group
            .filter_map(|(tp, v)| Some((*tp, v.newest()?)))
            .collect()
    }

    /// Whether the newest word on a partition is a commit.
    pub fn has(&self, group: &Name, tp: Tp) -> bool {
        let versions = self.groups.get(group).and_then(|g| g.get(&tp));
        versions.is_some_and(|v| v.newest().is_some())
    }

    /// Whether an open transaction's commit keeps a partition's commit from expiring (R-EXP-2).
    pub fn held(&self, group: &Name, tp: Tp) -> bool {
        self.unstable(group, tp)
    }

    /// The groups that have a commit, or one pending.
    pub fn groups(&self) -> Set<Name> {
        let mut all: Set<Name> = self.groups.keys().cloned().collect();
        for pending in self.pending.values() {
            all.extend(pending.keys().map(|(group, _)| group.clone()));
        }
        all
    }

    /// The tombstone of a commit.
    pub fn tombstone(&self, group: &Name, tp: Tp) -> Option<Entry> {
        let name = self.names.get(&tp.topic)?.clone();
        Some(Entry::Offset(group.clone(), name, tp.partition, None))
    }

    /// Everything committed or pending for a topic, by group (R-GRP-6).
    pub fn of_topic(&self, topic: TopicId) -> Vec<(Name, Tp)> {
        let mut all: Set<(Name, Tp)> = Set::new();
        for (group, of_group) in &self.groups {
            let newest = of_group.iter().filter(|(_, v)| v.newest().is_some());
            all.extend(newest.map(|(tp, _)| (group.clone(), *tp)));
        }
        for pending in self.pending.values() {
            all.extend(pending.keys().cloned());
        }
        all.into_iter()
            .filter(|(_, tp)| tp.topic == topic)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Tp = Tp {
        topic: TopicId(0),
        partition: 0,
    };

    fn commit(offset: i64) -> Entry {
        let stored = Stored {
            committed: Committed::at(Boundary(offset)),
            topic: TopicId(0),
            at: Ms(0),
        };
        Entry::Offset("g".into(), "orders".into(), 0, Some(stored))
    }

    fn at(offsets: &Offsets, hw: i64, stable: bool) -> Result<Option<i64>, KafkaError> {
        let fetched = offsets.fetch(&"g".into(), A, stable, Boundary(hw))?;
        Ok(fetched.map(|c| c.offset.0))
    }

    #[test]
    fn r_grp_4_only_what_is_below_the_high_watermark_is_seen() {
        let mut offsets = Offsets::default();
        offsets.apply(&commit(5), None, Boundary(1));
        assert_eq!(at(&offsets, 0, false), Ok(None));
        let changes = offsets.advance(Boundary(1));
        assert_eq!((changes[0].from, changes[0].to), (None, Some(Boundary(5))));
        offsets.apply(&commit(7), None, Boundary(2));
        assert_eq!(at(&offsets, 1, false), Ok(Some(5)));
        assert_eq!(at(&offsets, 2, false), Ok(Some(7)));
        // The latest in the log counts, not the highest (R-COM-2).
        offsets.apply(&commit(3), None, Boundary(3));
        let changes = offsets.advance(Boundary(3));
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[1].from, Some(Boundary(7)));
        assert_eq!(at(&offsets, 3, false), Ok(Some(3)));
    }

    #[test]
    fn a_tombstone_takes_the_commit_away_once_it_is_replicated() {
        let mut offsets = Offsets::default();
        offsets.apply(&commit(5), None, Boundary(1));
        offsets.advance(Boundary(1));
        let group: Name = "g".into();
        let tombstone = offsets.tombstone(&group, A).expect("a name");
        offsets.apply(&tombstone, None, Boundary(2));
        assert_eq!(at(&offsets, 1, false), Ok(Some(5)));
        assert!(!offsets.has(&group, A));
        let changes = offsets.advance(Boundary(2));
        assert_eq!((changes[0].from, changes[0].to), (Some(Boundary(5)), None));
        assert_eq!(at(&offsets, 2, false), Ok(None));
        assert!(offsets.groups().is_empty());
    }

    #[test]
    fn r_com_11_a_commit_in_a_transaction_counts_at_its_marker() {
        let mut offsets = Offsets::default();
        offsets.apply(&commit(5), Some(10), Boundary(1));
        assert_eq!(at(&offsets, 1, false), Ok(None));
        assert_eq!(at(&offsets, 1, true), Err(KafkaError::UnstableOffsetCommit));
        assert_eq!(offsets.partitions(&"g".into(), Boundary(1)), vec![]);
        offsets.end_transaction(10, true, Boundary(2));
        offsets.advance(Boundary(2));
        assert_eq!(at(&offsets, 2, true), Ok(Some(5)));
        offsets.apply(&commit(8), Some(10), Boundary(3));
        offsets.end_transaction(10, false, Boundary(4));
        offsets.advance(Boundary(4));
        assert_eq!(at(&offsets, 4, true), Ok(Some(5)));
    }

    #[test]
    fn r_com_13_a_negative_offset_is_taken_and_reads_as_none() {
        let mut offsets = Offsets::default();
        offsets.apply(&commit(-5), None, Boundary(1));
        offsets.advance(Boundary(1));
        assert_eq!(at(&offsets, 1, false), Ok(None));
        assert!(offsets.has(&"g".into(), A));
        assert!(offsets.partitions(&"g".into(), Boundary(1)).is_empty());
    }
}
