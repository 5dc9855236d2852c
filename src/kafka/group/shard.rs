//! A coordinator: the groups of one partition of `__consumer_offsets`, kept by whoever leads it
//! (R-GRP-1). It appends to no log and sends nothing: it says what to append and to answer, and
//! is told when a record is below the high watermark.

use super::Name;
use super::classic::ClassicGroup;
use super::job::{Asked, Job, Then, Write, failed};
use super::message::{GroupAnswer, GroupKind, GroupRequest, GroupState, GroupView, MemberView};
use super::modern::ModernGroup;
use super::records::Entry;
use super::store::Offsets;
use crate::kafka::batch::{Batch, Control};
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};

/// A group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Of the classic protocol, or simple: made by a bare commit.
    Classic(ClassicGroup),
    /// Of the consumer protocol.
    Modern(ModernGroup),
}

impl Group {
    /// Its state.
    pub fn state(&self) -> GroupState {
        match self {
            Group::Classic(group) => group.state,
            Group::Modern(group) => group.state(),
        }
    }
}

/// What waits for its records to be replicated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Waiting {
    until: Boundary,
    deadline: Ms,
    then: Vec<Then>,
}

/// A coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// The log is being read; done at this time. `None`: it has been.
    pub loading: Option<Ms>,
    /// The groups.
    pub(super) groups: Map<Name, Group>,
    /// Their offsets.
    pub(super) offsets: Offsets,
    waiting: Vec<Waiting>,
    /// When it next looks for commits that have expired.
    pub(super) next_expiry: Ms,
    /// Commits whose tombstones were written because they were too old.
    pub(super) expired_lately: Set<(Name, Tp)>,
    /// Member ids given in this partition's name.
    pub(super) ids: u32,
    /// When it has asked to be woken.
    wake: Option<Ms>,
}

impl Shard {
    /// One whose log is still to be read, until `ready`.
    pub fn new(ready: Ms) -> Self {
        Shard {
            loading: Some(ready),
            groups: Map::new(),
            offsets: Offsets::default(),
            waiting: Vec::new(),
            next_expiry: ready,
            expired_lately: Set::new(),
            ids: 0,
            wake: None,
        }
    }

    /// Reads the log (R-GRP-5): all of it, also what is not known to be replicated yet.
    pub fn load(&mut self, batches: &[Batch], job: &Job<'_, '_>) {
        for batch in batches {
            let producer = batch.stamp.map(|s| s.producer_id);
            if let (Some(control), Some(id)) = (batch.control, producer) {
                let commit = control == Control::Commit;
                self.offsets.end_transaction(id, commit, batch.end());
                continue;
            }
            let producer = producer.filter(|_| batch.transactional);
            for record in batch.records.iter() {
                let key = record.key.as_deref().unwrap_or_default();
                let entry = Entry::parse(key, record.value.as_deref());
                if let Some(entry) = entry {
                    self.offsets.apply(&entry, producer, record.offset.after());
                    self.replay(entry, job);
                }
            }
        }
        self.offsets.advance(job.env.high_watermark);
        for group in self.offsets.groups() {
            let simple = || Group::Classic(ClassicGroup::simple(job.now()));
            self.groups.entry(group).or_insert_with(simple);
        }
        let session = job.env.server.group_consumer_session_timeout;
        for group in self.groups.values_mut() {
            if let Group::Modern(group) = group {
                group.loaded(job.now(), session, job.env.image);
            }
        }
        self.loading = None;
        let period = job.env.server.offsets_retention_check_interval;
        self.next_expiry = job.now().plus(period);
    }

    /// Takes in a record about a group from the log.
    fn replay(&mut self, entry: Entry, job: &Job<'_, '_>) {
        match entry {
            Entry::Classic(name, Some(record)) => {
                let group = ClassicGroup::from_record(record, job.now());
                self.groups.insert(name, Group::Classic(group));
            }
            Entry::Classic(name, None) => {
                if matches!(self.groups.get(&name), Some(Group::Classic(_))) {
                    self.groups.remove(&name);
                }
            }
            Entry::Offset(..) => {}
            // What is said of members after the group's tombstone is about nobody.
            Entry::Group(name, None) => {
                self.groups.remove(&name);
            }
            entry => {
                let name = entry.group().clone();
                let is_news = !matches!(
                    entry,
                    Entry::TargetEpoch(_, None)
                        | Entry::Member(.., None)
                        | Entry::Target(.., None)
                        | Entry::Current(.., None)
                );
                if is_news && !matches!(self.groups.get(&name), Some(Group::Modern(_))) {
                    let group = Group::Modern(ModernGroup::new());
                    self.groups.insert(name.clone(), group);
                }
                if let Some(Group::Modern(group)) = self.groups.get_mut(&name) {
                    group.replay(entry);
                }
            }
        }
    }

    /// A request about a group.
    pub fn handle(&mut self, asked: &Asked, request: &GroupRequest, job: &mut Job<'_, '_>) {
        if self.groups.is_empty() && self.next_expiry <= job.now() {
            // The looks that found nothing to look at were left out.
            let period = job.env.server.offsets_retention_check_interval.0.max(1);
            let late = job.now().since(self.next_expiry).0;
            self.next_expiry = self.next_expiry.plus(Ms((late / period + 1) * period));
        }
        match request {
            GroupRequest::FindCoordinator(..) => {}
            GroupRequest::Commit {
                group,
                member,
                offsets,
            } => self.commit(asked, group, member, offsets, job),
            GroupRequest::Fetch {
                group,
                member,
                partitions,
                require_stable,
            } => {
                let fetched =
                    self.fetch(group, member, partitions.as_deref(), *require_stable, job);
                job.answer(asked, GroupAnswer::Fetched(fetched));
            }
            GroupRequest::TransactionCommit {
                group,
                member,
                producer_id,
                producer_epoch,
                offsets,
                ..
            } => {
                let producer = crate::kafka::transaction::message::ProducerRef {
                    id: *producer_id,
                    epoch: *producer_epoch,
                };
                self.transaction_commit(asked, group, member, producer, offsets, job);
            }
            GroupRequest::Describe(group) => {
                let view = self.view(group, job.env.high_watermark);
                let view = view.ok_or(KafkaError::GroupIdNotFound);
                job.answer(asked, GroupAnswer::Described(view));
            }
            GroupRequest::Delete(group) => self.delete_group(asked, group, job),
            GroupRequest::DeleteOffsets(group, tps) => {
                self.delete_offsets(asked, group, tps, job);
            }
            GroupRequest::Join(join) => self.join(asked, join, job),
            GroupRequest::Sync {
                group,
                member,
                assignments,
            } => match self.groups.get_mut(group) {
                Some(Group::Classic(g)) => g.sync(group, asked, member, assignments, job),
                _ => {
                    let error = Err(KafkaError::UnknownMemberId);
                    job.answer(asked, GroupAnswer::Synced(error));
                }
            },
            GroupRequest::Beat { group, member } => {
                let beaten = self.beat(group, member, job.now());
                job.answer(asked, GroupAnswer::Beaten(beaten));
            }
            GroupRequest::Leave { group, member } => {
                let left = self.leave(group, member, job);
                job.answer(asked, GroupAnswer::Left(left));
            }
            GroupRequest::ConsumerBeat(beat) => self.consumer_beat(asked, beat, job),
        }
    }

    /// A batch is in the log behind `base`: its records count, and its answers wait (R-GRP-3).
    pub fn appended(&mut self, write: Write, base: Offset, job: &Job<'_, '_>) {
        let mut until = base.before();
        let producer = write.producer.map(|p| p.id);
        for entry in &write.entries {
            until = until.plus(1);
            self.offsets.apply(entry, producer, until);
        }
        let deadline = job.now().plus(job.env.server.offsets_commit_timeout);
        self.waiting.push(Waiting {
            until,
            deadline,
            then: write.then,
        });
    }

    /// The log did not take a batch.
    pub fn refused(&mut self, write: Write, error: KafkaError, job: &mut Job<'_, '_>) {
        // As Kafka's appends are told to clients (GroupCoordinatorService.handleOperationException).
        let error = match error {
            KafkaError::NotEnoughReplicas
            | KafkaError::RequestTimedOut
            | KafkaError::UnknownTopicOrPartition => KafkaError::CoordinatorNotAvailable,
            KafkaError::NotLeaderOrFollower | KafkaError::KafkaStorageError => {
                KafkaError::NotCoordinator
            }
            KafkaError::MessageTooLarge | KafkaError::RecordListTooLarge => {
                KafkaError::UnknownServerError
            }
            error => error,
        };
        self.carry_on(write.then, Err(error), job);
    }

    /// A transaction's marker is in the log.
    pub fn transaction_ended(&mut self, producer_id: i64, commit: bool, until: Boundary) {
        self.offsets.end_transaction(producer_id, commit, until);
    }

    /// The high watermark has moved: what waited for it is answered.
    pub fn advanced(&mut self, job: &mut Job<'_, '_>) {
        let broker = job.env.me;
        for change in self.offsets.advance(job.env.high_watermark) {
            let (group, tp) = (change.group, change.tp);
            match (change.from, change.to) {
                (from, Some(to)) => job.out.emit(EventKind::OffsetCommitted {
                    broker,
                    group,
                    tp,
                    from,
                    to,
                }),
                (Some(offset), None) => {
                    let expired = self.expired_lately.remove(&(group.clone(), tp));
                    job.out.emit(EventKind::OffsetForgotten {
                        broker,
                        group,
                        tp,
                        offset,
                        expired,
                    })
                }
                (None, None) => continue,
            };
        }
        let below = |w: &Waiting| w.until <= job.env.high_watermark;
        let reached = self.waiting.iter().take_while(|w| below(w)).count();
        for waiting in self.waiting.drain(..reached).collect::<Vec<_>>() {
            self.carry_on(waiting.then, Ok(()), job);
        }
    }

    fn carry_on(&mut self, then: Vec<Then>, result: Result<(), KafkaError>, job: &mut Job<'_, '_>) {
        for then in then {
            match (then, result) {
                (Then::Answer(asked, answer), Ok(())) => job.answer(&asked, answer),
                (Then::Answer(asked, answer), Err(error)) => {
                    job.answer(&asked, failed(&answer, error));
                }
                (Then::Synced(name, generation, assignments), result) => {
                    if let Some(Group::Classic(group)) = self.groups.get_mut(&name) {
                        group.synced(&name, generation, &assignments, result, job);
                    }
                }
            }
        }
    }

    /// Something may be due.
    pub fn look(&mut self, job: &mut Job<'_, '_>) {
        let now = job.now();
        if self.wake.is_some_and(|at| at <= now) {
            self.wake = None;
        }
        if self.loading.is_some() {
            return;
        }
        // The records stay in the log and may yet be replicated; only the answer is an error.
        let due = |w: &mut Waiting| w.deadline <= now;
        let late: Vec<Then> = self
            .waiting
            .iter_mut()
            .filter_map(|w| due(w).then(|| std::mem::take(&mut w.then)))
            .flatten()
            .collect();
        self.carry_on(late, Err(KafkaError::CoordinatorNotAvailable), job);
        for name in self.groups.keys().cloned().collect::<Vec<_>>() {
            let before = self.groups.get(&name).map(Group::state);
            match self.groups.get_mut(&name) {
                Some(Group::Classic(group)) => group.look(&name, job),
                Some(Group::Modern(group)) => {
                    let records = group.look(&name, job);
                    if !records.is_empty() {
                        job.write(records, Vec::new());
                    }
                    self.tell_state(&name, before, job);
                }
                None => {}
            }
        }
        if self.next_expiry <= now {
            self.expire(job);
            self.next_expiry = now.plus(job.env.server.offsets_retention_check_interval);
        }
    }

    /// When it next has something to do.
    pub fn next_due(&self) -> Option<Ms> {
        if self.loading.is_some() {
            return self.loading;
        }
        let waits = |w: &Waiting| (!w.then.is_empty()).then_some(w.deadline);
        let due = |group: &Group| match group {
            Group::Classic(group) => group.next_due(),
            Group::Modern(group) => group.next_due(),
        };
        // Without a group nothing can expire.
        let expiry = (!self.groups.is_empty()).then_some(self.next_expiry);
        self.waiting
            .iter()
            .filter_map(waits)
            .chain(self.groups.values().filter_map(due))
            .chain(expiry)
            .min()
    }

    /// When it wants to be woken, if that is not asked for already.
    pub fn next_wake(&mut self) -> Option<Ms> {
        let next = self.next_due()?;
        if self.wake.is_some_and(|at| at <= next) {
            return None;
        }
        self.wake = Some(next);
        self.wake
    }

    /// Everybody who waits for an answer, when the coordinator ends.
    pub fn dismiss(self) -> Vec<(Asked, GroupAnswer)> {
        let mut all = Vec::new();
        for then in self.waiting.into_iter().flat_map(|w| w.then) {
            if let Then::Answer(asked, answer) = then {
                all.push((asked, failed(&answer, KafkaError::NotCoordinator)));
            }
        }
        for group in self.groups.into_values() {
            if let Group::Classic(group) = group {
                all.extend(group.dismiss());
            }
        }
        all
    }

    /// The groups, as of the high watermark.
    pub fn views(&self, high_watermark: Boundary) -> Vec<GroupView> {
        let names = self.groups.keys();
        names
            .filter_map(|name| self.view(name, high_watermark))
            .collect()
    }

    /// The member of a classic group that shares out.
    pub fn leader(&self, group: &Name) -> Option<&Name> {
        match self.groups.get(group)? {
            Group::Classic(group) => group.leader.as_ref(),
            Group::Modern(_) => None,
        }
    }

    /// One group.
    pub fn view(&self, name: &Name, high_watermark: Boundary) -> Option<GroupView> {
        let group = self.groups.get(name)?;
        let partitions = self.offsets.partitions(name, high_watermark);
        let committed = partitions.into_iter().filter_map(|tp| {
            let stored = self.offsets.fetch(name, tp, false, high_watermark);
            Some((tp, stored.ok()??))
        });
        let committed = committed.collect();
        Some(match group {
            Group::Classic(g) => GroupView {
                group: name.clone(),
                state: g.state,
                kind: GroupKind::Classic,
                epoch: g.generation,
                target_epoch: None,
                members: g
                    .members
                    .iter()
                    .map(|(id, m)| MemberView {
                        id: id.clone(),
                        client: m.client,
                        instance: m.instance.clone(),
                        assignment: m.assignment.clone(),
                        target: None,
                    })
                    .collect(),
                committed,
            },
            Group::Modern(g) => GroupView {
                group: name.clone(),
                state: g.state(),
                kind: GroupKind::Consumer,
                epoch: g.epoch,
                target_epoch: Some(g.target_epoch),
                members: g
                    .members
                    .iter()
                    .map(|(id, m)| MemberView {
                        id: id.clone(),
                        client: m.client,
                        instance: m.instance.clone(),
                        // What it is still to give up is its own until it has said so.
                        assignment: m
                            .assigned
                            .keys()
                            .chain(m.revoking.keys())
                            .copied()
                            .collect(),
                        target: Some((m.epoch, g.target.get(id).cloned().unwrap_or_default())),
                    })
                    .collect(),
                committed,
            },
        })
    }
}

/// The answer to a request that is refused as a whole.
pub fn refusal(request: &GroupRequest, error: KafkaError) -> GroupAnswer {
    let each = |tps: Vec<Tp>| tps.into_iter().map(|tp| (tp, Err(error))).collect();
    match request {
        GroupRequest::FindCoordinator(kind, key) => {
            GroupAnswer::Coordinator(*kind, key.clone(), Err(error))
        }
        GroupRequest::Commit { offsets, .. } | GroupRequest::TransactionCommit { offsets, .. } => {
            GroupAnswer::Committed(each(offsets.iter().map(|o| o.0).collect()))
        }
        GroupRequest::Fetch { .. } => GroupAnswer::Fetched(Err(error)),
        GroupRequest::Join(_) => GroupAnswer::Joined(Err((error, "".into()))),
        GroupRequest::Sync { .. } => GroupAnswer::Synced(Err(error)),
        GroupRequest::Beat { .. } => GroupAnswer::Beaten(Err(error)),
        GroupRequest::Leave { .. } => GroupAnswer::Left(Err(error)),
        GroupRequest::ConsumerBeat(_) => GroupAnswer::ConsumerBeaten(Err(error)),
        GroupRequest::Describe(_) => GroupAnswer::Described(Err(error)),
        GroupRequest::Delete(_) => GroupAnswer::Deleted(Err(error)),
        GroupRequest::DeleteOffsets(..) => GroupAnswer::OffsetsDeleted(Err(error)),
    }
}
