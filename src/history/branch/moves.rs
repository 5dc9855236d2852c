//! What a reader may do with a story from any of its steps on: a short list, each a few commands
//! of the same one list that scenes are written in.

use super::story;
use crate::kafka::batch::NewRecord;
use crate::kafka::client::consumer::CommitMode;
use crate::kafka::client::producer::ProducerState;
use crate::kafka::client::settings::ProducerSettings;
use crate::kafka::group::message::Committed;
use crate::kafka::ids::{Boundary, BrokerId, Ms, Tp};
use crate::kafka::map::Map;
use crate::kafka::message::{Acks, NodeId};
use crate::script::ast::Scenario;
use crate::world::command::{Command, Condition, Keep, PartitionName, Process};
use crate::world::picture::{ClientKind, ClientPicture, Life, MemberPicture, Picture};
use std::rc::Rc;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Until the next thing that a person can see.
    Change,
    /// So long.
    For(Ms),
    /// Until nothing has changed for a second and a half.
    Calm,
}

impl Wait {
    /// Every wait; its place is its number in a link.
    pub const ALL: [Wait; 6] = [
        Wait::Change,
        Wait::For(Ms(100)),
        Wait::For(Ms(1_000)),
        Wait::For(Ms(10_000)),
        Wait::For(Ms(60_000)),
        Wait::Calm,
    ];
}

/// One thing that a reader does. Clients are numbered as they appear in the picture, brokers by
/// their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Lets time pass.
    Wait(Wait),
    /// A producer sends one record.
    Produce(u16),
    /// Kills a broker's process; its disk keeps everything.
    Kill(BrokerId),
    /// The machine loses power: its disk keeps what lies below the replica's high watermark.
    PowerLoss(BrokerId),
    /// A controlled shutdown.
    Shutdown(BrokerId),
    /// Starts a broker that is down.
    Start(BrokerId),
    /// Stops its process without ending it.
    Freeze(BrokerId),
    /// Lets it run again.
    Thaw(BrokerId),
    /// Cuts it off from the controller and all brokers.
    Isolate(BrokerId),
    /// Connects it again.
    Rejoin(BrokerId),
    /// Answers to its fetches take longer by [`SLOW`].
    Slow(BrokerId),
    /// They no longer do.
    Fast(BrokerId),
    /// Elects preferred leaders.
    ElectPreferred,
    /// Elects a leader that may have lost records, where there is none.
    ElectUnclean,
    /// Sets `min.insync.replicas` of the topic.
    MinIsr(u16),
    /// A producer's acks: 0, 1, 2 for all.
    Acks(u16, Acks),
    /// A consumer polls.
    Poll(u16),
    /// Its application processes all it was given.
    Process(u16),
    /// It commits up to where its application has processed.
    Commit(u16),
    /// Its process is gone.
    Crash(u16),
    /// It closes in good order.
    Close(u16),
    /// A new process of it starts.
    Restart(u16),
    /// A producer begins a transaction.
    Begin(u16),
    /// It commits the transaction.
    CommitTransaction(u16),
    /// It aborts the transaction.
    Abort(u16),
}

impl Move {
    /// It as one word, for a host: `kill-2`.
    pub fn word(self) -> String {
        let (name, whom) = match self {
            Move::Wait(Wait::Change) => ("wait-change", None),
            Move::Wait(Wait::For(ms)) => ("wait", Some(ms.0)),
            Move::Wait(Wait::Calm) => ("wait-calm", None),
            Move::Produce(n) => ("produce", Some(n.into())),
            Move::Kill(id) => ("kill", Some(id.0.into())),
            Move::PowerLoss(id) => ("power-loss", Some(id.0.into())),
            Move::Shutdown(id) => ("shutdown", Some(id.0.into())),
            Move::Start(id) => ("start", Some(id.0.into())),
            Move::Freeze(id) => ("freeze", Some(id.0.into())),
            Move::Thaw(id) => ("thaw", Some(id.0.into())),
            Move::Isolate(id) => ("isolate", Some(id.0.into())),
            Move::Rejoin(id) => ("rejoin", Some(id.0.into())),
            Move::Slow(id) => ("slow", Some(id.0.into())),
            Move::Fast(id) => ("fast", Some(id.0.into())),
            Move::ElectPreferred => ("elect-preferred", None),
            Move::ElectUnclean => ("elect-unclean", None),
            Move::MinIsr(n) => ("min-isr", Some(n.into())),
            Move::Acks(_, acks) => return ["acks-", acks.as_str()].concat(),
            Move::Poll(n) => ("poll", Some(n.into())),
            Move::Process(n) => ("process", Some(n.into())),
            Move::Commit(n) => ("commit", Some(n.into())),
            Move::Crash(n) => ("crash", Some(n.into())),
            Move::Close(n) => ("close", Some(n.into())),
            Move::Restart(n) => ("restart", Some(n.into())),
            Move::Begin(n) => ("begin", Some(n.into())),
            Move::CommitTransaction(n) => ("commit-transaction", Some(n.into())),
            Move::Abort(n) => ("abort", Some(n.into())),
        };
        match whom {
            Some(whom) => format!("{name}-{whom}"),
            None => name.into(),
        }
    }
}

/// How much longer the answers to a slowed broker's fetches take, ms.
pub const SLOW: Ms = Ms(600);
/// How long a poll waits for records, ms.
const POLL: Ms = Ms(1_000);
/// How long a call may take before time is the reader's again, ms.
const CALL: Ms = Ms(5_000);

/// The producer of a story in which nobody has written yet: Kafka's default settings.
const WRITER: &str = "writer";

/// The client of a number.
pub fn client_name(picture: &Picture, number: u16) -> Rc<str> {
    let client = picture.clients.get(usize::from(number));
    client.map_or_else(|| WRITER.into(), |client| client.name.clone())
}

/// What can be done at a moment of a story, in the order in which it is offered.
pub fn possible(scenario: &Scenario, picture: &Picture) -> Vec<Move> {
    let mut all: Vec<Move> = Wait::ALL.map(Move::Wait).to_vec();
    for (number, client) in (0u16..).zip(&picture.clients) {
        match &client.kind {
            ClientKind::Producer { .. } => producer(&mut all, scenario, picture, number),
            ClientKind::Consumer { member, .. } => {
                consumer(&mut all, scenario, client, number, member)
            }
            ClientKind::Raw { .. } => {}
        }
    }
    let writes = |c: &ClientPicture| matches!(c.kind, ClientKind::Producer { .. });
    if !picture.clients.iter().any(writes) && !picture.partitions.is_empty() {
        all.push(Move::Produce(picture.clients.len() as u16));
    }
    for broker in &picture.brokers {
        let id = broker.id;
        match broker.process {
            Process::Up => {
                all.extend([
                    Move::Kill(id),
                    Move::PowerLoss(id),
                    Move::Shutdown(id),
                    Move::Freeze(id),
                ]);
                all.push(match broker.cut_from_controller {
                    true => Move::Rejoin(id),
                    false => Move::Isolate(id),
                });
                all.push(match story::is_slow(scenario, id) {
                    true => Move::Fast(id),
                    false => Move::Slow(id),
                });
            }
            Process::Frozen => all.extend([Move::Thaw(id), Move::Kill(id)]),
            Process::Killed | Process::Stopped => all.push(Move::Start(id)),
            Process::Stopping => all.push(Move::Kill(id)),
        }
    }
    let leaderless = picture.partitions.iter().any(|p| p.reg.leader.is_none());
    all.push(match leaderless {
        true => Move::ElectUnclean,
        false => Move::ElectPreferred,
    });
    if let Some(first) = picture.partitions.first() {
        let factor = first.reg.replicas.len() as u32;
        let levels = (1..=factor).filter(|n| *n != first.min_isr);
        all.extend(levels.map(|n| Move::MinIsr(n as u16)));
    }
    all
}

fn producer(all: &mut Vec<Move>, scenario: &Scenario, picture: &Picture, number: u16) {
    let Some(ClientKind::Producer {
        settings,
        transaction,
        ..
    }) = picture.clients.get(usize::from(number)).map(|c| &c.kind)
    else {
        return;
    };
    let state = transaction.as_ref().map(|t| t.state);
    let may_send = matches!(state, None | Some(ProducerState::InTransaction));
    if may_send && story::target(scenario, picture, number).is_some() {
        all.push(Move::Produce(number));
    }
    match state {
        Some(ProducerState::Ready) => all.push(Move::Begin(number)),
        Some(ProducerState::InTransaction) => {
            all.extend([Move::CommitTransaction(number), Move::Abort(number)]);
        }
        Some(ProducerState::AbortableError) => all.push(Move::Abort(number)),
        Some(_) => {}
        // An idempotent producer must not be told to give up acks=all (ConfigException).
        None => {
            let levels = [Acks::None, Acks::Leader, Acks::All];
            let others = levels.into_iter().filter(|acks| *acks != settings.acks);
            all.extend(others.map(|acks| Move::Acks(number, acks)));
        }
    }
}

fn consumer(
    all: &mut Vec<Move>,
    scenario: &Scenario,
    client: &ClientPicture,
    number: u16,
    member: &MemberPicture,
) {
    if member.life != Life::Running {
        if story::beginning(scenario, &client.name).is_some() {
            all.push(Move::Restart(number));
        }
        return;
    }
    all.push(Move::Poll(number));
    if !unprocessed(client).is_empty() {
        all.push(Move::Process(number));
    }
    if member.group.is_some() && !member.processed_next.is_empty() {
        all.push(Move::Commit(number));
    }
    all.extend([Move::Crash(number), Move::Close(number)]);
}

/// Partitions of which a consumer was given records that its application has not processed, and
/// the next position behind them (boundary).
fn unprocessed(client: &ClientPicture) -> Vec<(Tp, Boundary)> {
    let ClientKind::Consumer {
        received, member, ..
    } = &client.kind
    else {
        return vec![];
    };
    let mut all: Vec<(Tp, Boundary)> = vec![];
    for (tp, offset, _) in received {
        all.retain(|(of, _)| of != tp);
        all.push((*tp, offset.after()));
    }
    all.retain(|(tp, next)| {
        let done = member.processed_next.iter().find(|(of, _)| of == tp);
        done.is_none_or(|(_, done)| done < next)
    });
    all
}

/// The commands of a move at a moment of a story; `None`: it cannot be made then. A wait for the
/// next change has none: how many things happen on the way is found by carrying it out.
pub(super) fn commands(scenario: &Scenario, picture: &Picture, what: Move) -> Option<Vec<Command>> {
    if !possible(scenario, picture).contains(&what) {
        return None;
    }
    let name_of = |tp| Some(picture.partitions.iter().find(|p| p.tp == tp)?.name.clone());
    let client = |number: u16| picture.clients.get(usize::from(number));
    let called = |name: &Rc<str>| Command::Until {
        condition: Condition::Answered(name.clone()),
        limit: CALL,
    };
    Some(match what {
        Move::Wait(Wait::Change) => vec![],
        Move::Wait(Wait::For(time)) => vec![Command::Advance(time)],
        Move::Wait(Wait::Calm) => vec![Command::Settle {
            quiet: Ms(1_500),
            limit: Ms(120_000),
        }],
        Move::Produce(number) => {
            let partition = story::target(scenario, picture, number)?;
            let record = NewRecord {
                key: story::key(picture, &partition),
                ..NewRecord::value(&story::next_value(scenario))
            };
            vec![Command::Produce {
                client: client_name(picture, number),
                partition,
                records: vec![record],
            }]
        }
        Move::Kill(broker) => vec![Command::Kill {
            broker,
            keep: Keep::Everything,
        }],
        Move::PowerLoss(broker) => vec![Command::Kill {
            broker,
            keep: durable(picture, broker),
        }],
        Move::Shutdown(broker) => vec![Command::Shutdown { broker }],
        Move::Start(broker) => vec![Command::Start { broker }],
        Move::Freeze(broker) => vec![Command::Freeze { broker }],
        Move::Thaw(broker) => vec![Command::Thaw { broker }],
        Move::Isolate(broker) => links(picture, broker)
            .into_iter()
            .map(|(from, to)| Command::Cut { from, to })
            .collect(),
        Move::Rejoin(broker) => links(picture, broker)
            .into_iter()
            .map(|(from, to)| Command::Heal { from, to })
            .collect(),
        Move::Slow(broker) => vec![Command::DelayFetchAnswers {
            broker,
            delay: SLOW,
        }],
        Move::Fast(broker) => vec![Command::DelayFetchAnswers {
            broker,
            delay: Ms(0),
        }],
        Move::ElectPreferred | Move::ElectUnclean => vec![Command::ElectLeaders {
            unclean: what == Move::ElectUnclean,
            partitions: None,
        }],
        Move::MinIsr(n) => vec![Command::AlterTopicConfig {
            topic: picture.partitions.first()?.name.topic.clone(),
            name: "min.insync.replicas".into(),
            value: Some(n.to_string().into()),
        }],
        Move::Acks(number, acks) => {
            let client = client(number)?;
            let ClientKind::Producer { settings, .. } = &client.kind else {
                return None;
            };
            vec![Command::Producer {
                client: client.name.clone(),
                settings: ProducerSettings {
                    acks,
                    idempotent: settings.idempotent && acks == Acks::All,
                    ..settings.clone()
                },
            }]
        }
        Move::Poll(number) => {
            let name = &client(number)?.name;
            let poll = Command::Poll {
                client: name.clone(),
                timeout: POLL,
            };
            vec![poll, called(name)]
        }
        Move::Process(number) => {
            let client = client(number)?;
            let all = unprocessed(client).into_iter().filter_map(|(tp, next)| {
                Some(Command::Process {
                    client: client.name.clone(),
                    partition: name_of(tp)?,
                    next,
                })
            });
            all.collect()
        }
        Move::Commit(number) => {
            let client = client(number)?;
            let ClientKind::Consumer { member, .. } = &client.kind else {
                return None;
            };
            let offsets = member
                .processed_next
                .iter()
                .filter_map(|(tp, next)| Some((name_of(*tp)?, Committed::at(*next))));
            let commit = Command::Commit {
                client: client.name.clone(),
                offsets: Some(offsets.collect()),
                mode: CommitMode::Sync,
            };
            vec![commit, called(&client.name)]
        }
        Move::Crash(number) => vec![Command::Crash {
            client: client(number)?.name.clone(),
        }],
        Move::Close(number) => {
            let name = &client(number)?.name;
            vec![
                Command::Close {
                    client: name.clone(),
                },
                called(name),
            ]
        }
        Move::Restart(number) => vec![story::beginning(scenario, &client(number)?.name)?.clone()],
        Move::Begin(number) => vec![Command::BeginTransaction {
            client: client(number)?.name.clone(),
        }],
        Move::CommitTransaction(number) | Move::Abort(number) => {
            let name = &client(number)?.name;
            let end = Command::EndTransaction {
                client: name.clone(),
                commit: matches!(what, Move::CommitTransaction(_)),
            };
            vec![end, called(name)]
        }
    })
}

/// What a disk keeps that had written out no more than its replicas' high watermarks.
fn durable(picture: &Picture, broker: BrokerId) -> Keep {
    let mut below = Map::new();
    for partition in &picture.partitions {
        if let Some(replica) = picture.replica(broker, partition.tp) {
            let name: PartitionName = partition.name.clone();
            below.insert(name, replica.high_watermark);
        }
    }
    Keep::Below(below)
}

/// Every link of a broker to controller and brokers, both ways.
fn links(picture: &Picture, broker: BrokerId) -> Vec<(NodeId, NodeId)> {
    let own = NodeId::Broker(broker);
    let others = picture
        .brokers
        .iter()
        .map(|b| NodeId::Broker(b.id))
        .filter(|n| *n != own);
    std::iter::once(NodeId::Controller)
        .chain(others)
        .flat_map(|other| [(own, other), (other, own)])
        .collect()
}
