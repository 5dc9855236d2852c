//! The tool as a node: it finds the group's coordinator, describes the group, asks leaders for
//! the log's bounds, plans, and with --execute commits. Whatever fails for a while only (an
//! election, a broken connection) it begins again, until its time is over; a plan that was made
//! is kept, so that a shift is never made twice.

use super::{Known, Reset, ResetLine, ResetOutcome, ResetScope, ResetTo, ResetWarning, plan};
use crate::kafka::client::backoff;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::group::message::*;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{Body, Isolation, Message, NodeId, OffsetSpec};
use crate::kafka::metadata::Image;
use crate::kafka::out::{ClientTimer, Out, Timer};

/// default.api.timeout.ms of the tool's admin client.
const API_TIMEOUT: Ms = Ms(60_000);
/// retry.backoff.ms and retry.backoff.max.ms
const BACKOFF: (Ms, Ms) = (Ms(100), Ms(1_000));

/// One run of the tool at a time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResetTool {
    id: ClientId,
    /// Brokers to begin with, and whose turn it is.
    bootstrap: Vec<BrokerId>,
    turn: u32,
    run: Option<Run>,
    done: Vec<(u32, ResetOutcome)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Run {
    tag: u32,
    reset: Reset,
    deadline: Ms,
    /// Attempts so far, and the error that the last one met.
    tries: u32,
    error: KafkaError,
    /// When the next attempt begins; `None`: one is under way.
    again: Option<Ms>,
    coordinator: Option<BrokerId>,
    committed: Vec<(Tp, Boundary)>,
    parts: Map<Tp, Asked>,
    /// Made once.
    plan: Option<Vec<ResetLine>>,
    /// Requests without an answer, and to whom.
    open: Map<Correlation, BrokerId>,
}

/// What a partition's leader has told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Asked {
    earliest: Option<Boundary>,
    latest: Option<Boundary>,
    /// Asked for by time; the inner `None`: nothing there.
    at_time: Option<Option<Boundary>>,
}

impl ResetTool {
    /// A tool that begins with these brokers.
    pub fn new(id: ClientId, bootstrap: Vec<BrokerId>) -> Self {
        ResetTool {
            id,
            bootstrap,
            turn: 0,
            run: None,
            done: Vec::new(),
        }
    }

    /// Runs; `tag` comes back in [`done`](Self::done). A run under way is given up.
    pub fn run(&mut self, tag: u32, reset: Reset, out: &mut Out) {
        self.run = Some(Run {
            tag,
            reset,
            deadline: out.now.plus(API_TIMEOUT),
            tries: 0,
            error: KafkaError::RequestTimedOut,
            again: None,
            coordinator: None,
            committed: Vec::new(),
            parts: Map::new(),
            plan: None,
            open: Map::new(),
        });
        self.begin(out);
    }

    /// The runs that ended since the last look.
    pub fn done(&mut self) -> Vec<(u32, ResetOutcome)> {
        std::mem::take(&mut self.done)
    }

    /// Takes an answer, or the news that there will be none.
    pub fn handle(&mut self, message: &Message, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        // What an attempt given up had asked is not looked at any more.
        if run.open.remove(&message.correlation).is_none() {
            return;
        }
        match &message.body {
            Body::GroupAnswer(answer) => self.group_answered(answer, out),
            Body::MetadataAnswer(image) => self.spread(image, out),
            Body::ListOffsetsAnswer { tp, spec, result } => {
                let result = result.map(|found| found.map(|f| f.at));
                self.found(*tp, *spec, result, out)
            }
            _ => self.later(KafkaError::NetworkException, out),
        }
    }

    /// A broker's process has ended.
    pub fn broker_gone(&mut self, broker: BrokerId, out: &mut Out) {
        let waits = |run: &Run| run.open.values().any(|b| *b == broker);
        if self.run.as_ref().is_some_and(waits) {
            self.later(KafkaError::NetworkException, out);
        }
    }

    /// A reminder. One that is out of date does no harm.
    pub fn timer(&mut self, out: &mut Out) {
        let Some(run) = &self.run else {
            return;
        };
        if run.deadline <= out.now {
            let error = run.error;
            self.end(ResetOutcome::Failed(error));
        } else if run.again.is_some_and(|at| at <= out.now) {
            self.begin(out);
        }
    }

    fn end(&mut self, outcome: ResetOutcome) {
        if let Some(run) = self.run.take() {
            self.done.push((run.tag, outcome));
        }
    }

    fn remind(&self, at: Ms, out: &mut Out) {
        let (client, what) = (self.id, ClientTimer::Wake);
        out.remind(at, Timer::Client { client, what });
    }

    /// Begins (again): who coordinates the group?
    fn begin(&mut self, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        run.again = None;
        run.open.clear();
        let group = run.reset.group.clone();
        let deadline = run.deadline;
        self.remind(deadline, out);
        let request = GroupRequest::FindCoordinator(CoordinatorKind::Group, group);
        self.ask_any(Body::Group(request), out);
    }

    /// This attempt came to nothing.
    fn later(&mut self, error: KafkaError, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        let at = out.now.plus(backoff(BACKOFF.0, BACKOFF.1, run.tries));
        run.tries += 1;
        run.error = error;
        run.again = Some(at);
        run.open.clear();
        self.turn = self.turn.wrapping_add(1);
        self.remind(at, out);
    }

    /// An error out of an answer: for a while, or for good.
    fn failed(&mut self, error: KafkaError, out: &mut Out) {
        use KafkaError::*;
        match error {
            CoordinatorNotAvailable
            | CoordinatorLoadInProgress
            | NotCoordinator
            | NotLeaderOrFollower
            | LeaderNotAvailable
            | OffsetNotAvailable
            | FencedLeaderEpoch
            | UnknownLeaderEpoch
            | RequestTimedOut
            | NotEnoughReplicas
            | UnknownTopicOrPartition => self.later(error, out),
            _ => self.end(ResetOutcome::Failed(error)),
        }
    }

    fn ask(&mut self, broker: BrokerId, body: Body, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        let (from, to) = (NodeId::Client(self.id), NodeId::Broker(broker));
        let correlation = out.request(from, to, body, out.cause);
        run.open.insert(correlation, broker);
    }

    fn ask_any(&mut self, body: Body, out: &mut Out) {
        let count = self.bootstrap.len().max(1);
        match self.bootstrap.get(self.turn as usize % count) {
            Some(broker) => self.ask(*broker, body, out),
            None => self.later(KafkaError::NetworkException, out),
        }
    }

    fn group_answered(&mut self, answer: &GroupAnswer, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        let group = run.reset.group.clone();
        match answer {
            GroupAnswer::Coordinator(_, _, Ok(broker)) => {
                run.coordinator = Some(*broker);
                match run.plan.clone() {
                    Some(plan) => self.commit(&plan, out),
                    None => self.ask(*broker, Body::Group(GroupRequest::Describe(group)), out),
                }
            }
            GroupAnswer::Coordinator(_, _, Err(error)) => self.failed(*error, out),
            GroupAnswer::Described(described) => {
                let state = match described {
                    Ok(view) => view.state,
                    // R-RSO-9: a group that nobody knows is planned for all the same.
                    Err(KafkaError::GroupIdNotFound) => GroupState::Dead,
                    Err(error) => return self.failed(*error, out),
                };
                // R-RSO-1: also a plan alone is refused.
                if !matches!(state, GroupState::Empty | GroupState::Dead) {
                    let client = self.id;
                    out.emit(EventKind::ResetRefused {
                        client,
                        group,
                        state,
                    });
                    return self.end(ResetOutcome::Running(state));
                }
                let Some(broker) = run.coordinator else {
                    return;
                };
                let request = GroupRequest::Fetch {
                    group,
                    member: MemberRef::none(),
                    partitions: None,
                    require_stable: false,
                };
                self.ask(broker, Body::Group(request), out);
            }
            GroupAnswer::Fetched(Ok(offsets)) => {
                let commit = |(tp, found): &FetchedOffset| {
                    let found = found.as_ref().ok()?.as_ref()?;
                    // Every reader takes a negative one for no commit (run o16).
                    (found.offset.0 >= 0).then_some((*tp, found.offset))
                };
                run.committed = offsets.iter().filter_map(commit).collect();
                self.ask_any(Body::Metadata, out);
            }
            GroupAnswer::Fetched(Err(error)) => self.failed(*error, out),
            GroupAnswer::Committed(parts) => {
                let error = parts.iter().find_map(|(_, result)| result.err());
                match (error, run.plan.clone()) {
                    (Some(error), _) => self.failed(error, out),
                    (None, Some(lines)) => self.planned(lines, true, out),
                    (None, None) => {}
                }
            }
            _ => {}
        }
    }

    /// Who leads what is known: the scope as partitions, and the questions about them.
    fn spread(&mut self, image: &Image, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        let tps = match partitions(&run.reset.scope, &run.committed, image) {
            Ok(tps) => tps,
            Err(outcome) => return self.end(outcome),
        };
        let leader = |tp: &Tp| image.partitions.get(tp).and_then(|reg| reg.leader);
        if tps.iter().any(|tp| leader(tp).is_none()) {
            return self.end(ResetOutcome::Failed(KafkaError::LeaderNotAvailable));
        }
        let time = match run.reset.to {
            ResetTo::Datetime(at) => Some(at),
            ResetTo::ByDuration(back) => Some(Ms(out.now.0 - back.0)),
            _ => None,
        };
        run.parts = tps.iter().map(|tp| (*tp, Asked::default())).collect();
        if tps.is_empty() {
            return self.plan(out);
        }
        for tp in tps {
            let specs = [OffsetSpec::Earliest, OffsetSpec::Latest];
            let by_time = time.map(OffsetSpec::Timestamp);
            for spec in specs.into_iter().chain(by_time) {
                let body = Body::ListOffsets {
                    tp,
                    spec,
                    // R-RSO-4: an open transaction does not hold --to-latest back.
                    isolation: Isolation::ReadUncommitted,
                    current_leader_epoch: None,
                };
                if let Some(leader) = leader(&tp) {
                    self.ask(leader, body, out);
                }
            }
        }
    }

    fn found(
        &mut self,
        tp: Tp,
        spec: OffsetSpec,
        result: Result<Option<Boundary>, KafkaError>,
        out: &mut Out,
    ) {
        let at = match result {
            Ok(at) => at,
            Err(error) => return self.failed(error, out),
        };
        let Some(run) = &mut self.run else {
            return;
        };
        if let Some(asked) = run.parts.get_mut(&tp) {
            match spec {
                OffsetSpec::Earliest => asked.earliest = at,
                OffsetSpec::Latest => asked.latest = at,
                _ => asked.at_time = Some(at),
            }
        }
        if run.open.is_empty() {
            self.plan(out);
        }
    }

    fn plan(&mut self, out: &mut Out) {
        let Some(run) = &mut self.run else {
            return;
        };
        let committed = |tp: &Tp| run.committed.iter().find(|(t, _)| t == tp).map(|c| c.1);
        let of_file = |tp: &Tp| match &run.reset.scope {
            ResetScope::File(lines) => lines.iter().find(|(t, _)| t == tp).and_then(|l| l.1),
            _ => None,
        };
        let known = run.parts.iter().map(|(tp, asked)| Known {
            tp: *tp,
            earliest: asked.earliest.unwrap_or_default(),
            latest: asked.latest.unwrap_or_default(),
            at_time: asked.at_time.flatten(),
            committed: committed(tp),
            of_file: of_file(tp).unwrap_or_default(),
        });
        match plan::plan(&known.collect::<Vec<_>>(), run.reset.to) {
            Err(outcome) => self.end(outcome),
            Ok(lines) if run.reset.execute && !lines.is_empty() => {
                run.plan = Some(lines.clone());
                self.commit(&lines, out);
            }
            Ok(lines) => {
                let executed = run.reset.execute;
                self.planned(lines, executed, out);
            }
        }
    }

    fn commit(&mut self, lines: &[ResetLine], out: &mut Out) {
        let Some((run, broker)) = self.run.as_ref().and_then(|r| Some((r, r.coordinator?))) else {
            return;
        };
        let request = GroupRequest::Commit {
            group: run.reset.group.clone(),
            member: MemberRef::none(),
            offsets: lines
                .iter()
                .map(|line| (line.tp, Committed::at(line.new)))
                .collect(),
        };
        self.ask(broker, Body::Group(request), out);
    }

    fn planned(&mut self, lines: Vec<ResetLine>, executed: bool, out: &mut Out) {
        if let Some(run) = &self.run {
            for line in &lines {
                out.emit(EventKind::ResetPlanned {
                    client: self.id,
                    group: run.reset.group.clone(),
                    tp: line.tp,
                    from: line.current,
                    to: line.new,
                    asked: match line.warning {
                        Some(
                            ResetWarning::LowerThanEarliest { asked, .. }
                            | ResetWarning::HigherThanLatest { asked, .. },
                        ) => Some(asked),
                        _ => None,
                    },
                    executed,
                });
            }
        }
        self.end(ResetOutcome::Planned { lines, executed });
    }
}

/// The partitions that a scope stands for, in order (R-RSO-3, R-RSO-6).
fn partitions(
    scope: &ResetScope,
    committed: &[(Tp, Boundary)],
    image: &Image,
) -> Result<Vec<Tp>, ResetOutcome> {
    let mut tps: Vec<Tp> = Vec::new();
    let mut missing: Vec<Tp> = Vec::new();
    let mut take = |tp: Tp| match image.partitions.contains_key(&tp) {
        true if tps.contains(&tp) => {}
        true => tps.push(tp),
        false => missing.push(tp),
    };
    match scope {
        ResetScope::Topics(topics) => {
            for (topic, numbers) in topics {
                if image.topic_reg(*topic).is_none() {
                    let error = KafkaError::UnknownTopicOrPartition;
                    return Err(ResetOutcome::Failed(error));
                }
                let topic = *topic;
                match numbers {
                    Some(numbers) => numbers.iter().for_each(|n| {
                        let partition = *n;
                        take(Tp { topic, partition });
                    }),
                    None => image
                        .partitions
                        .keys()
                        .filter(|tp| tp.topic == topic)
                        .for_each(|tp| take(*tp)),
                }
            }
        }
        ResetScope::AllTopics => committed.iter().for_each(|(tp, _)| take(*tp)),
        ResetScope::File(lines) => lines.iter().for_each(|(tp, _)| take(*tp)),
    }
    if missing.is_empty() {
        Ok(tps)
    } else {
        Err(ResetOutcome::NoSuchPartitions(missing))
    }
}
