//! A coordinator of groups by itself: the bench is its log, its clock and its clients.

use highwater::kafka::batch::{Batch, Control, Record, Stamp};
use highwater::kafka::config::ServerConfig;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{Cause, EventKind};
use highwater::kafka::group::message::*;
use highwater::kafka::group::records::Entry;
use highwater::kafka::group::{Asked, Env, Job, Name, Shard, Work};
use highwater::kafka::ids::*;
use highwater::kafka::message::NodeId;
use highwater::kafka::metadata::{Image, MetaRecord, PartitionReg, Recovery};
use highwater::kafka::out::Out;
use highwater::kafka::switches::Switches;
use highwater::kafka::transaction::message::ProducerRef;
use std::collections::BTreeMap;

/// A coordinator and all around it.
pub struct Bench {
    pub shard: Shard,
    pub server: ServerConfig,
    pub switches: Switches,
    pub image: Image,
    pub now: Ms,
    pub log: Vec<Batch>,
    /// The high watermark; `None`: always at the log's end.
    pub high_watermark: Option<Boundary>,
    pub answers: BTreeMap<u64, GroupAnswer>,
    pub events: Vec<EventKind>,
    asked: u64,
    shown: usize,
}

/// A partition by its topic's number.
pub fn tp(topic: u16, partition: u16) -> Tp {
    Tp {
        topic: TopicId(topic),
        partition,
    }
}

/// Who commits.
pub fn who(id: &str, generation: i32) -> MemberRef {
    MemberRef {
        id: id.into(),
        generation,
        instance: None,
    }
}

impl Bench {
    /// With these topics, each with as many partitions.
    pub fn new(topics: &[(&str, u16)]) -> Self {
        let mut image = Image::empty();
        for (at, (name, partitions)) in topics.iter().enumerate() {
            let id = TopicId(at as u16);
            image.apply(&MetaRecord::Topic {
                id,
                name: (*name).into(),
                config: Default::default(),
                partitions: *partitions,
            });
            for partition in 0..*partitions {
                let reg = PartitionReg {
                    replicas: vec![BrokerId(1)],
                    adding: vec![],
                    removing: vec![],
                    isr: BrokerSet::only(BrokerId(1)),
                    elr: BrokerSet::EMPTY,
                    last_known_elr: vec![],
                    leader: Some(BrokerId(1)),
                    leader_epoch: Epoch(0),
                    partition_epoch: PartitionEpoch(0),
                    recovery: Recovery::Recovered,
                };
                image.partitions.insert(tp(id.0, partition), reg.into());
            }
        }
        let mut bench = Bench {
            shard: Shard::new(Ms(0)),
            server: ServerConfig::default(),
            switches: Switches::default(),
            image,
            now: Ms(0),
            log: Vec::new(),
            high_watermark: None,
            answers: BTreeMap::new(),
            events: Vec::new(),
            asked: 0,
            shown: 0,
        };
        bench.fail_over();
        bench
    }

    /// A new coordinator reads the log.
    pub fn fail_over(&mut self) {
        self.shard = Shard::new(self.now);
        let log = self.log.clone();
        self.work(|shard, job| shard.load(&log, job));
    }

    pub fn end(&self) -> Boundary {
        self.log.last().map_or(Boundary(0), Batch::end)
    }

    /// Lets the coordinator do something, and does what it asks for.
    pub fn work(&mut self, f: impl FnOnce(&mut Shard, &mut Job<'_, '_>)) {
        let mut work = self.job(f);
        loop {
            for (asked, answer) in std::mem::take(&mut work.answers) {
                self.answers.insert(asked.correlation.0, answer);
            }
            if work.writes.is_empty() {
                break;
            }
            let write = work.writes.remove(0);
            let base = self.end().next();
            let records = write.entries.iter().enumerate().map(|(at, entry)| Record {
                offset: Offset(base.0 + at as i64),
                timestamp: self.now,
                key: Some(entry.key()),
                value: entry.value(),
            });
            let records: Vec<Record> = records.collect();
            let stamp = write.producer.map(|p: ProducerRef| Stamp {
                producer_id: p.id,
                epoch: p.epoch,
                base_sequence: 0,
            });
            self.log.push(Batch {
                base,
                last: Offset(base.0 + records.len() as i64 - 1),
                epoch: Epoch(0),
                stamp,
                transactional: stamp.is_some(),
                control: None,
                delete_horizon: None,
                records: records.into(),
            });
            let more = self.job(|shard, job| shard.appended(write, base, job));
            work.writes.extend(more.writes);
            work.answers.extend(more.answers);
            let more = self.job(|shard, job| shard.advanced(job));
            work.writes.extend(more.writes);
            work.answers.extend(more.answers);
        }
    }

    fn job(&mut self, f: impl FnOnce(&mut Shard, &mut Job<'_, '_>)) -> Work {
        let high_watermark = self.high_watermark.unwrap_or(self.end());
        let mut out = Out {
            now: self.now,
            recording: true,
            ..Out::default()
        };
        let mut job = Job {
            env: Env {
                me: BrokerId(1),
                server: &self.server,
                switches: &self.switches,
                image: &self.image,
                by_hand: false,
                leader_epoch: Epoch(0),
                high_watermark,
            },
            out: &mut out,
            work: Work::default(),
        };
        f(&mut self.shard, &mut job);
        let work = job.work;
        self.events.extend(out.events.into_iter().map(|e| e.kind));
        work
    }

    /// Sends a request of a client; its number.
    pub fn send(&mut self, client: u16, request: GroupRequest) -> u64 {
        self.asked += 1;
        let asked = Asked {
            correlation: Correlation(self.asked),
            from: NodeId::Client(ClientId(client)),
            cause: Cause::default(),
        };
        self.work(|shard, job| shard.handle(&asked, &request, job));
        self.asked
    }

    /// Sends a request that is answered at once.
    pub fn ask(&mut self, client: u16, request: GroupRequest) -> GroupAnswer {
        let sent = self.send(client, request);
        self.answers.remove(&sent).expect("an answer at once")
    }

    /// Lets time pass, waking the coordinator when it asks to be.
    pub fn pass(&mut self, ms: i64) {
        let until = self.now.plus(Ms(ms));
        loop {
            let mut due = None;
            self.work(|shard, _| due = shard.next_due());
            match due.filter(|due| *due <= until) {
                Some(due) => {
                    self.now = self.now.max(due);
                    self.work(|shard, job| shard.look(job));
                }
                None => break,
            }
        }
        self.now = until;
    }

    /// What was written since the last look.
    pub fn written(&mut self) -> Vec<Entry> {
        let new = self.log[self.shown..].iter();
        let parse = |r: &Record| Entry::parse(r.key.as_deref()?, r.value.as_deref());
        let all = new.flat_map(|b| b.records.iter().filter_map(parse));
        let all = all.collect();
        self.shown = self.log.len();
        all
    }

    /// A transaction's marker is written.
    pub fn marker(&mut self, producer_id: i64, commit: bool) {
        let base = self.end().next();
        self.log.push(Batch {
            base,
            last: base,
            epoch: Epoch(0),
            stamp: Some(Stamp {
                producer_id,
                epoch: 0,
                base_sequence: -1,
            }),
            transactional: true,
            delete_horizon: None,
            control: Some(if commit {
                Control::Commit
            } else {
                Control::Abort
            }),
            records: [].into(),
        });
        let until = self.end();
        self.work(|shard, job| {
            shard.transaction_ended(producer_id, commit, until);
            shard.advanced(job);
        });
    }

    /// A commit of one partition: what is said of it.
    pub fn commit(
        &mut self,
        group: &str,
        member: MemberRef,
        part: Tp,
        offset: i64,
    ) -> Result<(), KafkaError> {
        let request = GroupRequest::Commit {
            group: group.into(),
            member,
            offsets: vec![(part, Committed::at(Boundary(offset)))],
        };
        match self.ask(0, request) {
            GroupAnswer::Committed(parts) => parts[0].1,
            other => panic!("{other:?}"),
        }
    }

    /// What is committed for a partition.
    pub fn committed(
        &mut self,
        group: &str,
        part: Tp,
        require_stable: bool,
    ) -> Result<Option<i64>, KafkaError> {
        let request = GroupRequest::Fetch {
            group: group.into(),
            member: MemberRef::none(),
            partitions: Some(vec![part]),
            require_stable,
        };
        match self.ask(0, request) {
            GroupAnswer::Fetched(Ok(parts)) => Ok(parts[0].1.clone()?.map(|c| c.offset.0)),
            GroupAnswer::Fetched(Err(error)) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    /// A group as it is described; `None`: it does not exist.
    pub fn group(&mut self, group: &str) -> Option<GroupView> {
        match self.ask(0, GroupRequest::Describe(group.into())) {
            GroupAnswer::Described(view) => view.ok(),
            other => panic!("{other:?}"),
        }
    }

    /// The state of a group.
    pub fn state(&mut self, group: &str) -> GroupState {
        self.group(group).map_or(GroupState::Dead, |g| g.state)
    }

    /// A JoinGroup.
    pub fn join(&mut self, client: u16, join: Join) -> u64 {
        self.send(client, GroupRequest::Join(join))
    }

    /// The answer to a JoinGroup, if there is one.
    pub fn joined(&mut self, sent: u64) -> Option<Result<Joined, (KafkaError, Name)>> {
        match self.answers.remove(&sent)? {
            GroupAnswer::Joined(result) => Some(result),
            other => panic!("{other:?}"),
        }
    }

    /// A dynamic member comes, with the id it is given; the number of its JoinGroup, and the id.
    pub fn come(&mut self, client: u16, request: Join) -> (u64, Name) {
        let first = self.join(client, request.clone());
        let id = match self.joined(first) {
            Some(Err((KafkaError::MemberIdRequired, id))) => id,
            other => panic!("{other:?}"),
        };
        let again = Join {
            member: id.clone(),
            ..request
        };
        (self.join(client, again), id)
    }

    /// A SyncGroup: the number.
    pub fn sync(
        &mut self,
        client: u16,
        group: &str,
        member: MemberRef,
        plan: &[(&str, &[Tp])],
    ) -> u64 {
        let assignments = plan.iter().map(|(id, tps)| ((*id).into(), tps.to_vec()));
        self.send(
            client,
            GroupRequest::Sync {
                group: group.into(),
                member,
                assignments: assignments.collect(),
            },
        )
    }

    /// The answer to a SyncGroup.
    pub fn synced(&mut self, sent: u64) -> Option<Result<Vec<Tp>, KafkaError>> {
        match self.answers.remove(&sent)? {
            GroupAnswer::Synced(result) => Some(result),
            other => panic!("{other:?}"),
        }
    }

    /// A heartbeat of the consumer protocol: epoch, and the assignment if it is told.
    pub fn beat(
        &mut self,
        client: u16,
        beat: ConsumerBeat,
    ) -> Result<(i32, Option<Vec<Tp>>), KafkaError> {
        match self.ask(client, GroupRequest::ConsumerBeat(beat)) {
            GroupAnswer::ConsumerBeaten(result) => result.map(|b| (b.epoch, b.assignment)),
            other => panic!("{other:?}"),
        }
    }
}

/// A JoinGroup for topic 0.
pub fn joining(group: &str, client: &str, instance: Option<&str>) -> Join {
    Join {
        group: group.into(),
        member: "".into(),
        instance: instance.map(Name::from),
        client: client.into(),
        session_timeout: Ms(45_000),
        rebalance_timeout: Ms(300_000),
        assignors: vec![Assignor::Range],
        topics: vec![TopicId(0)],
        owned: vec![],
    }
}

/// A heartbeat that changes nothing.
pub fn beating(group: &str, member: &str, epoch: i32) -> ConsumerBeat {
    ConsumerBeat {
        group: group.into(),
        member: member.into(),
        epoch,
        instance: None,
        rebalance_timeout: None,
        topics: None,
        owned: None,
        assignor: None,
    }
}

/// The heartbeat with which a member joins, for topic 0.
pub fn entering(group: &str, member: &str) -> ConsumerBeat {
    ConsumerBeat {
        rebalance_timeout: Some(Ms(300_000)),
        topics: Some(vec![TopicId(0)]),
        owned: Some(vec![]),
        ..beating(group, member, 0)
    }
}
