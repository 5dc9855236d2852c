//! Committing, fetching and deleting offsets (R-COM-*, R-GRP-*).

use super::Name;
use super::classic::ClassicGroup;
use super::job::{Asked, Job, Then, Write};
use super::message::{CommitPart, FetchedOffset, GroupAnswer, GroupState, MemberRef, PartErrors};
use super::records::{Entry, Stored};
use super::shard::{Group, Shard};
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::transaction::message::ProducerRef;

impl Shard {
    /// OffsetCommit.
    pub(super) fn commit(
        &mut self,
        asked: &Asked,
        name: &Name,
        member: &MemberRef,
        offsets: &[CommitPart],
        job: &mut Job<'_, '_>,
    ) {
        let known = |part: &CommitPart| job.env.image.partitions.contains_key(&part.0);
        if !offsets.iter().any(known) {
            let errors = self.write_commit(name, member, offsets, Ok(()), job).0;
            return job.answer(asked, GroupAnswer::Committed(errors));
        }
        let valid = match self.groups.get(name) {
            Some(Group::Classic(group)) => group.validate_commit(member, false, job.env.switches),
            Some(Group::Modern(group)) => group.validate_commit(member, false),
            // A commit of nobody makes a simple group (R-COM-7).
            None if member.generation < 0 => Ok(()),
            None => Err(KafkaError::GroupIdNotFound),
        };
        if valid.is_ok() {
            self.make_simple(name, job);
            if let Some(Group::Classic(group)) = self.groups.get_mut(name) {
                group.beat(&member.id, job.now());
            }
        }
        let (errors, entries) = self.write_commit(name, member, offsets, valid, job);
        let answer = GroupAnswer::Committed(errors);
        if entries.is_empty() {
            return job.answer(asked, answer);
        }
        job.write(entries, vec![Then::Answer(asked.clone(), answer)]);
    }

    /// TxnOffsetCommit (R-COM-11): the records wait for the transaction's marker.
    pub(super) fn transaction_commit(
        &mut self,
        asked: &Asked,
        name: &Name,
        member: &MemberRef,
        producer: ProducerRef,
        offsets: &[CommitPart],
        job: &mut Job<'_, '_>,
    ) {
        let valid = match self.groups.get(name) {
            Some(Group::Classic(group)) => group.validate_commit(member, true, job.env.switches),
            Some(Group::Modern(group)) => group.validate_commit(member, true),
            None if member.generation < 0 => Ok(()),
            None => Err(KafkaError::IllegalGeneration),
        };
        if valid.is_ok() {
            self.make_simple(name, job);
        }
        let (errors, entries) = self.write_commit(name, member, offsets, valid, job);
        let answer = GroupAnswer::Committed(errors);
        if entries.is_empty() {
            return job.answer(asked, answer);
        }
        job.work.writes.push(Write {
            entries,
            producer: Some(producer),
            then: vec![Then::Answer(asked.clone(), answer)],
        });
    }

    /// A group without members and protocol, if there is no group.
    fn make_simple(&mut self, name: &Name, job: &mut Job<'_, '_>) {
        if self.groups.get(name).is_none() {
            let group = ClassicGroup::simple(job.now());
            self.groups.insert(name.clone(), Group::Classic(group));
            job.changed(name, GroupState::Dead, GroupState::Empty, 0);
        }
    }

    /// What is said of each partition, and the records of those that are taken: one each
    /// (R-GRP-2). The value is not compared with the log (R-COM-2).
    fn write_commit(
        &self,
        name: &Name,
        member: &MemberRef,
        offsets: &[CommitPart],
        valid: Result<(), KafkaError>,
        job: &Job<'_, '_>,
    ) -> (PartErrors, Vec<Entry>) {
        let mut errors = PartErrors::new();
        let mut entries = Vec::new();
        for (tp, committed) in offsets {
            let topic = job.env.image.topic_reg(tp.topic);
            let topic = topic.filter(|_| job.env.image.partitions.contains_key(tp));
            // Java counts the units of UTF-16.
            let long = committed.metadata.encode_utf16().count() as i64
                > job.env.server.offset_metadata_max_bytes;
            let result = match topic {
                None => Err(KafkaError::UnknownTopicOrPartition),
                Some(_) if valid.is_err() => valid,
                Some(_) if !self.takes(name, member, *tp) => Err(KafkaError::StaleMemberEpoch),
                Some(_) if long => Err(KafkaError::OffsetMetadataTooLarge),
                Some(topic) => {
                    let stored = Stored {
                        committed: committed.clone(),
                        topic: tp.topic,
                        at: job.now(),
                    };
                    let topic = topic.name.clone();
                    entries.push(Entry::Offset(
                        name.clone(),
                        topic,
                        tp.partition,
                        Some(stored),
                    ));
                    Ok(())
                }
            };
            errors.push((*tp, result));
        }
        (errors, entries)
    }

    fn takes(&self, name: &Name, member: &MemberRef, tp: Tp) -> bool {
        match self.groups.get(name) {
            Some(Group::Modern(group)) => group.takes(member, tp),
            _ => true,
        }
    }

    /// OffsetFetch.
    pub(super) fn fetch(
        &self,
        name: &Name,
        member: &MemberRef,
        partitions: Option<&[Tp]>,
        require_stable: bool,
        job: &Job<'_, '_>,
    ) -> Result<Vec<FetchedOffset>, KafkaError> {
        if let Some(Group::Modern(group)) = self.groups.get(name) {
            group.validate_fetch(member)?;
        }
        let high_watermark = job.env.high_watermark;
        let all;
        let tps = match partitions {
            Some(tps) => tps,
            None => {
                all = self.offsets.partitions(name, high_watermark);
                &all
            }
        };
        let one = |tp: &Tp| {
            let fetched = self
                .offsets
                .fetch(name, *tp, require_stable, high_watermark);
            (*tp, fetched)
        };
        Ok(tps.iter().map(one).collect())
    }

    /// DeleteGroups (R-RSO-7).
    pub(super) fn delete_group(&mut self, asked: &Asked, name: &Name, job: &mut Job<'_, '_>) {
        let state = self.groups.get(name).map(Group::state);
        match state {
            None | Some(GroupState::Dead) => {
                let error = Err(KafkaError::GroupIdNotFound);
                job.answer(asked, GroupAnswer::Deleted(error));
            }
            Some(GroupState::Empty) => {
                let mut entries = self.offset_tombstones(name, |_| true);
                entries.extend(self.bury(name, job));
                let answer = GroupAnswer::Deleted(Ok(()));
                job.write(entries, vec![Then::Answer(asked.clone(), answer)]);
            }
            Some(_) => {
                let error = Err(KafkaError::NonEmptyGroup);
                job.answer(asked, GroupAnswer::Deleted(error));
            }
        }
    }

    /// Takes a group away; its tombstones.
    pub(super) fn bury(&mut self, name: &Name, job: &mut Job<'_, '_>) -> Vec<Entry> {
        let Some(group) = self.groups.remove(name) else {
            return Vec::new();
        };
        match group {
            Group::Classic(group) => {
                job.changed(name, group.state, GroupState::Dead, group.generation);
                vec![Entry::Classic(name.clone(), None)]
            }
            Group::Modern(group) => {
                job.changed(name, group.state(), GroupState::Dead, group.epoch);
                vec![
                    Entry::TargetEpoch(name.clone(), None),
                    Entry::Group(name.clone(), None),
                ]
            }
        }
    }

    /// Tombstones for those commits of a group that are chosen.
    pub(super) fn offset_tombstones(&self, name: &Name, chosen: impl Fn(Tp) -> bool) -> Vec<Entry> {
        let of_group = self.offsets.newest(name).into_iter();
        of_group
            .filter(|(tp, _)| chosen(*tp))
            .filter_map(|(tp, _)| self.offsets.tombstone(name, tp))
            .collect()
    }

    /// OffsetDelete (R-RSO-7).
    pub(super) fn delete_offsets(
        &mut self,
        asked: &Asked,
        name: &Name,
        tps: &[Tp],
        job: &mut Job<'_, '_>,
    ) {
        let group = self.groups.get(name);
        let refused = match group {
            None => Some(KafkaError::GroupIdNotFound),
            Some(Group::Classic(group)) => group.validate_offset_delete().err(),
            Some(Group::Modern(_)) => None,
        };
        if let Some(error) = refused {
            return job.answer(asked, GroupAnswer::OffsetsDeleted(Err(error)));
        }
        let mut errors = PartErrors::new();
        let mut entries = Vec::new();
        for tp in tps {
            let result = if !job.env.image.partitions.contains_key(tp) {
                Err(KafkaError::UnknownTopicOrPartition)
            } else if group.is_some_and(|g| g.subscribed_to(tp.topic)) {
                Err(KafkaError::GroupSubscribedToTopic)
            } else {
                if self.offsets.has(name, *tp) {
                    entries.extend(self.offsets.tombstone(name, *tp));
                }
                Ok(())
            };
            errors.push((*tp, result));
        }
        let answer = GroupAnswer::OffsetsDeleted(Ok(errors));
        if entries.is_empty() {
            return job.answer(asked, answer);
        }
        job.write(entries, vec![Then::Answer(asked.clone(), answer)]);
    }

    /// A topic is gone, and with it every commit for it; the groups stay (R-GRP-6).
    pub fn topic_deleted(&mut self, topic: TopicId, job: &mut Job<'_, '_>) {
        let gone = self.offsets.of_topic(topic).into_iter();
        let entries: Vec<Entry> = gone
            .filter_map(|(group, tp)| self.offsets.tombstone(&group, tp))
            .collect();
        if !entries.is_empty() {
            job.write(entries, Vec::new());
        }
    }
}
