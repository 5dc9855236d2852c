//! Every run of two consumers of one group over one partition, whose log is an abstraction: a number
//! of committed records, and where it begins. The group's coordinator is the real one; joins, syncs,
//! leaves, commits and fetches of offsets are its own requests and answers.
//!
//! What the abstraction leaves out: time stands still (a session that runs out is a member that leaves),
//! nothing is lost between a member and its coordinator, and no member dies while it waits in a
//! rebalance. Who gets the partition is the choice of the search.
//!
//! Two states count as one if no future can tell them apart: how often a record was processed is
//! seen in the step that does it, of a generation only whether it is the group's own, of what was
//! saved only whether the position is another. A record is written right before somebody polls or
//! the log start moves: it changes nothing for any other step, so every order is still there.

use crate::group_bench::{Bench, joining, tp, who};
use highwater::kafka::config::ServerConfig;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::Cause;
use highwater::kafka::group::message::*;
use highwater::kafka::group::{Asked, Env, Job, Name, Shard, Work};
use highwater::kafka::ids::*;
use highwater::kafka::message::NodeId;
use highwater::kafka::metadata::Image;
use highwater::kafka::out::Out;
use highwater::kafka::switches::Switches;
use std::collections::BTreeSet;

/// max.poll.records
const BATCH: u8 = 2;
const GROUP: &str = "g";

/// When a consumer commits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// What was received, before it is processed.
    Before,
    /// What was processed, by a commit that is waited for.
    After,
    /// What was processed, by a commit that is not waited for: it may arrive late.
    AfterAsync,
    /// enable.auto.commit, and the thread that polls processes.
    Auto,
    /// enable.auto.commit, and other threads process in any order.
    Workers,
}

/// How much may happen.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub policy: Policy,
    /// Switch `group_generation_fence`.
    pub fence: bool,
    /// Switch `offset_expiry`.
    pub expiry: bool,
    pub records: u8,
    pub crashes: u8,
    pub rebalances: u8,
    /// How often the log start may move.
    pub deletions: u8,
    /// How often offsets.retention.minutes may pass.
    pub ages: u8,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A record is written.
    Produce,
    /// The log start moves up to here.
    Delete(u8),
    /// A member polls; whether auto.commit.interval.ms is over.
    Poll(u8, bool),
    /// A member processes this record.
    Process(u8, u8),
    /// A member commits how far it has processed.
    Commit(u8),
    /// A commit that was not waited for arrives.
    Arrive(u8),
    /// A member joins, or joins again.
    Join(u8),
    /// The one that leads shares out: the partition goes to this member.
    Share(u8, u8),
    /// A member's max.poll.interval.ms is over: it is put out and does not know.
    Evict(u8),
    /// A member's process ends.
    Crash(u8),
    /// The session of a process that is no more runs out.
    Expire(u8),
    /// More time than offsets.retention.minutes passes, and the coordinator looks for commits that
    /// are too old.
    Age,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Phase {
    #[default]
    Out,
    Joining,
    Joined,
    In,
}

/// A consumer and its application.
#[derive(Clone, Debug, Default)]
struct Member {
    alive: bool,
    id: Option<Name>,
    generation: i32,
    phase: Phase,
    owns: bool,
    position: Option<u8>,
    /// Received and not processed: a bit a record.
    hand: u8,
    /// The last it has committed.
    saved: u8,
    /// A commit on its way: what, and in whose name.
    flight: Option<(u8, MemberRef)>,
}

#[derive(Clone)]
struct State {
    shard: Shard,
    end: i64,
    written: u8,
    start: u8,
    /// A bit a record: processed at least once.
    processed: u8,
    /// A record was processed again by the step before.
    again: bool,
    /// A record was written by the step before.
    fresh: bool,
    members: [Member; 2],
    committed: Option<u8>,
    crashes: u8,
    rebalances: u8,
    deletions: u8,
    ages: u8,
    /// Time passes by [`Act::Age`] alone, each time by more than any commit may be old, so it is no
    /// part of what makes two states different.
    now: Ms,
}

struct Around {
    server: ServerConfig,
    switches: Switches,
    image: Image,
    bounds: Bounds,
}

/// What was found, each by a shortest way.
#[derive(Default)]
pub struct Found {
    pub states: usize,
    pub steps: u64,
    /// A record that nobody has processed or will.
    pub loss: Option<Vec<Act>>,
    /// A record that was processed twice.
    pub twice: Option<Vec<Act>>,
    /// A commit below the one before.
    pub back: Option<Vec<Act>>,
    /// A commit that is gone though its group has members.
    pub forgotten: Option<Vec<Act>>,
}

impl State {
    /// Lets the coordinator work; its log takes whatever it writes, and is replicated at once.
    fn job(&mut self, around: &Around, f: impl FnOnce(&mut Shard, &mut Job<'_, '_>)) -> Work {
        let mut out = Out {
            now: self.now,
            ..Out::default()
        };
        let mut job = Job {
            env: Env {
                me: BrokerId(1),
                server: &around.server,
                switches: &around.switches,
                image: &around.image,
                by_hand: true,
                leader_epoch: Epoch(0),
                high_watermark: Boundary(self.end),
            },
            out: &mut out,
            work: Work::default(),
        };
        f(&mut self.shard, &mut job);
        job.work
    }

    fn send(&mut self, around: &Around, m: u8, request: &GroupRequest) -> Option<GroupAnswer> {
        let asked = Asked {
            correlation: Correlation(u64::from(m)),
            from: NodeId::Client(ClientId(m.into())),
            cause: Cause::default(),
        };
        let work = self.job(around, |shard, job| shard.handle(&asked, request, job));
        self.carry_out(around, m, work)
    }

    /// Writes and answers of the coordinator, until there are none; the answer for this member.
    fn carry_out(&mut self, around: &Around, m: u8, mut work: Work) -> Option<GroupAnswer> {
        let mut mine = None;
        loop {
            for (asked, answer) in std::mem::take(&mut work.answers) {
                let to = asked.correlation.0 as u8;
                match answer {
                    GroupAnswer::Joined(Ok(joined)) => self.joined(around, to, joined),
                    GroupAnswer::Synced(result) => self.synced(to, result),
                    answer if to == m => mine = Some(answer),
                    _ => {}
                }
            }
            if work.writes.is_empty() {
                return mine;
            }
            let write = work.writes.remove(0);
            let base = Offset(self.end);
            self.end += write.entries.len() as i64;
            for part in [
                self.job(around, |shard, job| shard.appended(write, base, job)),
                self.job(around, |shard, job| shard.advanced(job)),
            ] {
                work.writes.extend(part.writes);
                work.answers.extend(part.answers);
            }
        }
    }

    fn joined(&mut self, around: &Around, m: u8, joined: Joined) {
        let leads = joined.leader == joined.member;
        let member = &mut self.members[m as usize];
        member.phase = Phase::Joined;
        member.generation = joined.generation;
        member.id = Some(joined.member);
        if !leads {
            self.sync(around, m, Vec::new());
        }
    }

    fn sync(&mut self, around: &Around, m: u8, assignments: Vec<(Name, Vec<Tp>)>) {
        let request = GroupRequest::Sync {
            group: GROUP.into(),
            member: self.members[m as usize].name(),
            assignments,
        };
        self.send(around, m, &request);
    }

    fn synced(&mut self, m: u8, result: Result<Vec<Tp>, KafkaError>) {
        let member = &mut self.members[m as usize];
        member.phase = Phase::In;
        member.owns = result.is_ok_and(|tps| !tps.is_empty());
        member.position = None;
    }

    fn view(&self) -> GroupView {
        let view = self.shard.view(&GROUP.into(), Boundary(self.end));
        // Without members and commits it is gone.
        view.unwrap_or_else(|| GroupView {
            group: GROUP.into(),
            state: GroupState::Dead,
            kind: GroupKind::Classic,
            epoch: 0,
            target_epoch: None,
            members: Vec::new(),
            committed: Vec::new(),
        })
    }

    /// In the group, and not as a process that is no more.
    fn belongs(&self, view: &GroupView, m: u8) -> bool {
        let id = self.members[m as usize].id.as_ref();
        view.members.iter().any(|member| Some(&member.id) == id)
    }

    /// A member of the group whose process is no more.
    fn remains(&self, view: &GroupView, m: u8) -> Option<Name> {
        let member = &self.members[m as usize];
        let of_client = view
            .members
            .iter()
            .filter(|v| v.client == ClientId(m.into()));
        let mut gone = of_client.filter(|v| Some(&v.id) != member.id.as_ref() || !member.alive);
        gone.next().map(|v| v.id.clone())
    }

    fn commit(&mut self, around: &Around, m: u8, to: u8, name: MemberRef) -> bool {
        let request = GroupRequest::Commit {
            group: GROUP.into(),
            member: name,
            offsets: vec![(tp(0, 0), Committed::at(Boundary(to.into())))],
        };
        match self.send(around, m, &request) {
            Some(GroupAnswer::Committed(parts)) => parts[0].1.is_ok(),
            other => panic!("{other:?}"),
        }
    }

    fn fetch(&mut self, around: &Around) -> Option<u8> {
        let request = GroupRequest::Fetch {
            group: GROUP.into(),
            member: MemberRef::none(),
            partitions: Some(vec![tp(0, 0)]),
            require_stable: true,
        };
        match self.send(around, 0, &request) {
            Some(GroupAnswer::Fetched(Ok(parts))) => {
                let (_, stored) = parts.into_iter().next()?;
                stored.ok()?.map(|c| c.offset.0 as u8)
            }
            other => panic!("{other:?}"),
        }
    }

    /// JoinGroup, with the id that the coordinator gives if there is none it knows.
    fn join(&mut self, around: &Around, m: u8) {
        let member = &mut self.members[m as usize];
        member.phase = Phase::Joining;
        member.owns = false;
        member.position = None;
        member.alive = true;
        let client = ["a", "b"][m as usize];
        let mut join = joining(GROUP, client, None);
        join.member = member.id.clone().unwrap_or_else(|| "".into());
        for _ in 0..3 {
            let request = GroupRequest::Join(join.clone());
            match self.send(around, m, &request) {
                Some(GroupAnswer::Joined(Err((KafkaError::MemberIdRequired, id)))) => {
                    self.members[m as usize].id = Some(id.clone());
                    join.member = id;
                }
                Some(GroupAnswer::Joined(Err(_))) => {
                    self.members[m as usize].id = None;
                    join.member = "".into();
                }
                _ => return,
            }
        }
        panic!("a member that cannot join");
    }

    fn leave(&mut self, around: &Around, m: u8, id: Name) {
        let request = GroupRequest::Leave {
            group: GROUP.into(),
            member: who(&id, -1),
        };
        self.send(around, m, &request);
    }

    fn start(around: &Around) -> State {
        let mut state = State {
            shard: Shard::new(Ms(0)),
            end: 0,
            written: 0,
            start: 0,
            processed: 0,
            again: false,
            fresh: false,
            members: Default::default(),
            committed: None,
            crashes: around.bounds.crashes,
            rebalances: around.bounds.rebalances,
            deletions: around.bounds.deletions,
            ages: around.bounds.ages,
            now: Ms(0),
        };
        state.job(around, |shard, job| shard.load(&[], job));
        state.join(around, 0);
        state.share(around, 0, 0);
        state.join(around, 1);
        state.join(around, 0);
        state.share(around, 0, 0);
        assert!(state.members[0].owns && state.members[1].phase == Phase::In);
        state
    }

    fn share(&mut self, around: &Around, m: u8, to: u8) {
        let id = self.members[to as usize]
            .id
            .clone()
            .unwrap_or_else(|| "".into());
        self.sync(around, m, vec![(id, vec![tp(0, 0)])]);
    }

    /// What may happen now.
    fn acts(&self, bounds: &Bounds) -> Vec<Act> {
        let view = self.view();
        let mut acts = Vec::new();
        if self.written < bounds.records {
            acts.push(Act::Produce);
        }
        if self.deletions > 0 {
            acts.extend((self.start + 1..=self.written).map(Act::Delete));
        }
        if self.fresh {
            acts.extend((0..2).flat_map(|m| self.polls(bounds, m)));
            return acts;
        }
        if self.ages > 0 {
            acts.push(Act::Age);
        }
        for m in 0..2 {
            let member = &self.members[m as usize];
            let stuck = matches!(member.phase, Phase::Joining | Phase::Joined);
            // The thread that polls has to be through with what it has.
            let free = member.hand == 0 || bounds.policy == Policy::Workers;
            if self.remains(&view, m).is_some() {
                acts.push(Act::Expire(m));
            }
            if member.flight.is_some() {
                acts.push(Act::Arrive(m));
            }
            if !member.alive {
                acts.push(Act::Join(m));
                continue;
            }
            for at in (0..self.written).filter(|at| member.hand & (1 << at) != 0) {
                acts.push(Act::Process(m, at));
                if bounds.policy != Policy::Workers {
                    break;
                }
            }
            if !stuck && self.crashes > 0 {
                acts.push(Act::Crash(m));
            }
            acts.extend(self.polls(bounds, m));
            let after = matches!(bounds.policy, Policy::After | Policy::AfterAsync);
            let idle = member.hand == 0 && member.flight.is_none();
            if after && member.phase == Phase::In && member.owns && idle && member.unsaved() {
                acts.push(Act::Commit(m));
            }
            let belongs = self.belongs(&view, m);
            let leads = self.leads(m);
            if member.phase == Phase::Joined && leads {
                acts.extend(
                    (0..2)
                        .filter(|to| self.belongs(&view, *to))
                        .map(|to| Act::Share(m, to)),
                );
            }
            if !stuck && free {
                let told = !belongs || view.state == GroupState::PreparingRebalance;
                // Of itself only the leader begins a rebalance.
                let begins = view.state == GroupState::Stable && self.rebalances > 0 && leads;
                if told || begins {
                    acts.push(Act::Join(m));
                }
            }
            if member.phase == Phase::In && belongs && self.rebalances > 0 {
                acts.push(Act::Evict(m));
            }
        }
        acts
    }

    fn polls(&self, bounds: &Bounds, m: u8) -> impl Iterator<Item = Act> {
        let member = &self.members[m as usize];
        let free = member.hand == 0 || bounds.policy == Policy::Workers;
        let may = member.alive && member.phase == Phase::In && member.owns && free;
        let auto = matches!(bounds.policy, Policy::Auto | Policy::Workers);
        let new = member.position.is_none_or(|from| from < self.written);
        let plain = (may && new).then_some(Act::Poll(m, false));
        let due = (may && auto && member.unsaved()).then_some(Act::Poll(m, true));
        plain.into_iter().chain(due)
    }

    fn leads(&self, m: u8) -> bool {
        let id = self.members[m as usize].id.as_ref();
        id.is_some() && self.shard.leader(&GROUP.into()) == id
    }

    fn take(&mut self, act: Act, around: &Around) {
        let policy = around.bounds.policy;
        self.again = false;
        self.fresh = act == Act::Produce;
        match act {
            Act::Produce => self.written += 1,
            Act::Delete(to) => {
                self.start = to;
                self.deletions -= 1;
            }
            Act::Poll(m, due) => self.poll(m, due, around),
            Act::Process(m, at) => {
                self.members[m as usize].hand &= !(1 << at);
                self.again = self.processed & (1 << at) != 0;
                self.processed |= 1 << at;
            }
            Act::Commit(m) => {
                let member = &mut self.members[m as usize];
                let to = member.position.unwrap_or_default();
                let name = member.name();
                if policy == Policy::AfterAsync {
                    member.saved = to;
                    member.flight = Some((to, name));
                } else {
                    self.save(around, m, to);
                }
            }
            Act::Arrive(m) => {
                if let Some((to, name)) = self.members[m as usize].flight.take() {
                    self.commit(around, m, to, name);
                }
            }
            Act::Join(m) => {
                let view = self.view();
                let member = &self.members[m as usize];
                if self.belongs(&view, m) && view.state == GroupState::Stable {
                    self.rebalances -= 1;
                }
                let auto = matches!(policy, Policy::Auto | Policy::Workers);
                if let Some(position) = member.position.filter(|_| auto && member.owns)
                    && position != member.saved
                {
                    // Before it gives its partitions up (R-REB-6).
                    self.save(around, m, position);
                }
                self.join(around, m);
            }
            Act::Share(m, to) => self.share(around, m, to),
            Act::Evict(m) => {
                self.rebalances -= 1;
                if let Some(id) = self.members[m as usize].id.clone() {
                    self.leave(around, m, id);
                }
            }
            Act::Crash(m) => {
                self.crashes -= 1;
                // What is on its way still arrives.
                let flight = self.members[m as usize].flight.take();
                self.members[m as usize] = Member {
                    flight,
                    ..Member::default()
                };
            }
            Act::Age => {
                self.ages -= 1;
                let span = around.server.offsets_retention.0 + 1;
                self.now = self.now.plus(Ms(span));
                let work = self.job(around, |shard, job| shard.expire(job));
                self.carry_out(around, 0, work);
            }
            Act::Expire(m) => {
                if let Some(id) = self.remains(&self.view(), m) {
                    self.leave(around, m, id);
                }
            }
        }
        self.committed = self.fetch(around);
    }

    /// Commits and waits for it; refused, the member is out.
    fn save(&mut self, around: &Around, m: u8, to: u8) -> bool {
        let name = self.members[m as usize].name();
        let taken = self.commit(around, m, to, name);
        let member = &mut self.members[m as usize];
        if taken {
            member.saved = to;
        } else {
            member.owns = false;
            member.position = None;
        }
        taken
    }

    fn poll(&mut self, m: u8, due: bool, around: &Around) {
        if due {
            let position = self.members[m as usize].position.unwrap_or_default();
            if !self.save(around, m, position) {
                return;
            }
        }
        let from = match self.members[m as usize].position {
            Some(position) => position,
            None => {
                let stored = self.fetch(around);
                self.members[m as usize].saved = stored.unwrap_or(0);
                stored.unwrap_or(self.start)
            }
        };
        // OFFSET_OUT_OF_RANGE, and auto.offset.reset=earliest.
        let from = from.max(self.start);
        let to = (from + BATCH).min(self.written);
        let member = &mut self.members[m as usize];
        member.position = Some(to);
        if around.bounds.policy == Policy::Before && to > from && !self.save(around, m, to) {
            return;
        }
        let member = &mut self.members[m as usize];
        for at in from..to {
            member.hand |= 1 << at;
        }
    }

    fn lost(&self) -> bool {
        let hands = self.members.iter().fold(0, |all, m| all | m.hand);
        let gone = self
            .committed
            .unwrap_or(0)
            .max(self.start)
            .min(self.written);
        (0..gone).any(|at| (self.processed | hands) & (1 << at) == 0)
    }

    /// All that the future depends on. Ids are those of a member or of its process that is no more.
    fn key(&self) -> Vec<u8> {
        let view = self.view();
        let own = |name: &MemberRef, m: u8| self.members[m as usize].id.as_ref() == Some(&name.id);
        let mut key = vec![
            self.written,
            self.start,
            self.crashes,
            self.rebalances,
            self.deletions,
            self.ages,
            self.committed.map_or(0, |c| c + 1),
            view.state as u8,
            self.processed,
            u8::from(self.fresh),
        ];
        for m in 0..2 {
            let member = &self.members[m as usize];
            let current = |generation: i32| u8::from(generation == view.epoch);
            let flight = member.flight.as_ref();
            let in_group = |id: &Name| view.members.iter().any(|v| v.id == *id);
            let stale = view
                .members
                .iter()
                .filter(|v| v.client == ClientId(m.into()) && Some(&v.id) != member.id.as_ref());
            key.extend([
                u8::from(member.alive),
                member.phase as u8,
                if member.id.is_some() {
                    current(member.generation)
                } else {
                    2
                },
                u8::from(member.owns),
                member.position.map_or(0, |p| p + 1),
                member.hand,
                u8::from(member.unsaved()),
                flight.map_or(0, |(to, _)| to + 1),
                flight.map_or(0, |(_, n)| current(n.generation)),
                flight.map_or(0, |(_, n)| {
                    u8::from(own(n, m)) + 2 * u8::from(in_group(&n.id))
                }),
                u8::from(self.belongs(&view, m)),
                stale.count() as u8,
                u8::from(self.leads(m)),
            ]);
        }
        key
    }
}

impl Member {
    /// Whether its position is another than what it has committed.
    fn unsaved(&self) -> bool {
        self.position.is_some_and(|from| from != self.saved)
    }

    fn name(&self) -> MemberRef {
        who(self.id.as_deref().unwrap_or_default(), self.generation)
    }
}

/// Tries everything, in breadth.
pub fn everything(bounds: Bounds) -> Found {
    let bench = Bench::new(&[("log", 1)]);
    let around = Around {
        server: bench.server.clone(),
        switches: Switches {
            group_generation_fence: bounds.fence,
            offset_expiry: bounds.expiry,
            ..Switches::default()
        },
        image: bench.image.clone(),
        bounds,
    };
    let mut found = Found::default();
    let start = State::start(&around);
    let mut seen = BTreeSet::from([start.key()]);
    let mut ways: Vec<(usize, Option<Act>)> = vec![(0, None)];
    let mut level = vec![(start, 0_usize)];
    while !level.is_empty() {
        let mut next = Vec::new();
        for (state, from) in level {
            for act in state.acts(&bounds) {
                let mut after = state.clone();
                after.take(act, &around);
                found.steps += 1;
                let path = |last: Act| {
                    let mut acts = way(&ways, from);
                    acts.push(last);
                    acts
                };
                let gone = after.committed.is_none() && state.committed.is_some();
                if gone && found.forgotten.is_none() && !state.view().members.is_empty() {
                    found.forgotten = Some(path(act));
                }
                if !gone && after.committed < state.committed && found.back.is_none() {
                    found.back = Some(path(act));
                }
                if after.again && found.twice.is_none() {
                    found.twice = Some(path(act));
                }
                if !seen.insert(after.key()) {
                    continue;
                }
                if found.loss.is_none() && after.lost() {
                    found.loss = Some(path(act));
                }
                ways.push((from, Some(act)));
                next.push((after, ways.len() - 1));
            }
        }
        level = next;
    }
    found.states = seen.len();
    found
}

fn way(ways: &[(usize, Option<Act>)], mut at: usize) -> Vec<Act> {
    let mut acts = Vec::new();
    while let (from, Some(act)) = ways[at] {
        acts.push(act);
        at = from;
    }
    acts.reverse();
    acts
}

/// The steps as a scene; `None` where they hang on who gets the partition, which no line can say.
pub fn scene(bounds: &Bounds, acts: &[Act]) -> Option<String> {
    let mut text = String::from(
        "scenario found\ngroup offsets\ntitle en: Found by search\ncluster brokers=1\n",
    );
    text += "config group.initial.rebalance.delay.ms=0\nsetup\n  topic log [1]\n";
    text += "  producer p linger.ms=0\n  subscribe a log group.id=g auto.offset.reset=earliest ";
    text += "enable.auto.commit=";
    text += match bounds.policy {
        Policy::Auto | Policy::Workers => "true auto.commit.interval.ms=1000",
        _ => "false",
    };
    text += " max.poll.records=2\n  poll a timeout=5s\n  until answered a\nbeat story\n  title en: Found by search\n";
    let mut written = 0;
    for act in acts {
        text += &match act {
            Act::Produce => {
                written += 1;
                format!("  produce p log-0 \"m{}\"\n  settle\n", written - 1)
            }
            Act::Delete(to) => format!("  delete-records log-0 before {to}\n  settle\n"),
            Act::Poll(0, due) => {
                let wait = if *due { "  advance 1s\n" } else { "" };
                let commit = match bounds.policy {
                    Policy::Before => "  commit a\n  until answered a\n",
                    _ => "",
                };
                format!("{wait}  poll a timeout=1s\n  until answered a\n{commit}")
            }
            Act::Process(0, at) => format!("  process a log-0 to {}\n", at + 1),
            Act::Commit(0) => "  commit a\n  until answered a\n".into(),
            Act::Crash(0) => "  crash a\n".into(),
            _ => return None,
        };
    }
    Some(text)
}
