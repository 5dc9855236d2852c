//! Requests to coordinators by hand, the reset tool, deleting topics.

use super::World;
use super::client_node::{Asked, Kind, Raw};
use super::command::{Command, GroupCall, NamedScope, PartitionName, Refusal, Reply, Ticket};
use crate::kafka::broker::internal_topic;
use crate::kafka::client::reset::{Reset, ResetScope, ResetTool};
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::group::message::*;
use crate::kafka::group::partition_for;
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::out::{ClientTimer, Timer};
use std::rc::Rc;

/// The topic of a name that nobody has: brokers answer for it with Kafka's error.
const NO_TOPIC: TopicId = TopicId(u16::MAX);
/// A coordinator that has only just been made is asked again after so long, ms.
const AGAIN: Ms = Ms(100);
/// And given up after so many times.
const TRIES: u32 = 300;

/// A request that waits for its coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    ticket: Ticket,
    request: GroupRequest,
    tries: u32,
    /// When it goes out (again); `None`: it is on its way.
    at: Option<Ms>,
}

impl Waiting {
    /// Whether it belongs to this command.
    pub(super) fn is_for(&self, ticket: Ticket) -> bool {
        self.ticket == ticket
    }
}

impl World {
    pub(super) fn command_group(
        &mut self,
        ticket: Ticket,
        command: &Command,
    ) -> Result<(), Refusal> {
        match command {
            Command::CallGroup { client, call } => {
                let request = self.group_request(client, call);
                let id = self.client(client, |_| Kind::Raw(Raw::default()));
                let waiting = Waiting {
                    ticket,
                    request,
                    tries: 0,
                    at: None,
                };
                match self.kind(id) {
                    Some(Kind::Raw(_)) => self.call_group(id, waiting),
                    _ => return Err(Refusal::NoSuchClient(client.clone())),
                }
                self.gave(id, ticket);
            }
            Command::ResetOffsets {
                client,
                group,
                scope,
                to,
                execute,
            } => {
                let reset = Reset {
                    group: group.clone(),
                    scope: self.scope(scope),
                    to: *to,
                    execute: *execute,
                };
                let bootstrap = self.bootstrap(&[]);
                let id = self.client(client, |id| {
                    Kind::Tool(Box::new(ResetTool::new(id, bootstrap)))
                });
                let mut out = self.out(Cause::default());
                match self.kind(id) {
                    Some(Kind::Tool(tool)) => tool.run(ticket.0, reset, &mut out),
                    _ => return Err(Refusal::NoSuchClient(client.clone())),
                }
                self.take(out);
                self.collect(id);
                self.gave(id, ticket);
            }
            Command::DeleteTopic { name } => {
                let mut out = self.out(Cause::default());
                let result = self.controller.delete_topic(name, &mut out);
                self.take(out);
                let reply = match result {
                    Ok(_) => Reply::Done,
                    Err(error) => Reply::Failed(error, None),
                };
                self.replies.insert(ticket, reply);
            }
            _ => {}
        }
        Ok(())
    }

    fn gave(&mut self, id: ClientId, ticket: Ticket) {
        if let Some(client) = self.clients.get_mut(usize::from(id.0)) {
            client.last = Some(ticket);
        }
    }

    /// A topic by name; one that does not exist has a number that no broker knows.
    fn topic_or_none(&self, name: &str) -> TopicId {
        self.controller.image().topic(name).unwrap_or(NO_TOPIC)
    }

    fn tp_or_none(&self, name: &PartitionName) -> Tp {
        Tp {
            topic: self.topic_or_none(&name.topic),
            partition: name.partition,
        }
    }

    fn tps(&self, names: &[PartitionName]) -> Vec<Tp> {
        names.iter().map(|name| self.tp_or_none(name)).collect()
    }

    fn topics(&self, names: &[Rc<str>]) -> Vec<TopicId> {
        names.iter().map(|name| self.topic_or_none(name)).collect()
    }

    fn scope(&self, scope: &NamedScope) -> ResetScope {
        match scope {
            NamedScope::AllTopics => ResetScope::AllTopics,
            NamedScope::Topics(topics) => ResetScope::Topics(
                topics
                    .iter()
                    .map(|(name, parts)| (self.topic_or_none(name), parts.clone()))
                    .collect(),
            ),
            NamedScope::File(lines) => ResetScope::File(
                lines
                    .iter()
                    .map(|(name, at)| (self.tp_or_none(name), *at))
                    .collect(),
            ),
        }
    }

    /// The request with partitions as brokers know them.
    fn group_request(&self, client: &Rc<str>, call: &GroupCall) -> GroupRequest {
        match call {
            GroupCall::Commit {
                group,
                member,
                offsets,
            } => GroupRequest::Commit {
                group: group.clone(),
                member: member.clone(),
                offsets: offsets
                    .iter()
                    .map(|(name, at)| (self.tp_or_none(name), at.clone()))
                    .collect(),
            },
            GroupCall::Offsets {
                group,
                partitions,
                require_stable,
            } => GroupRequest::Fetch {
                group: group.clone(),
                member: MemberRef::none(),
                partitions: partitions.as_ref().map(|names| self.tps(names)),
                require_stable: *require_stable,
            },
            GroupCall::Join {
                group,
                member,
                instance,
                timeouts,
                topics,
            } => GroupRequest::Join(Join {
                group: group.clone(),
                member: member.clone(),
                instance: instance.clone(),
                client: client.clone(),
                session_timeout: timeouts.0,
                rebalance_timeout: timeouts.1,
                assignors: vec![Assignor::Range],
                topics: self.topics(topics),
                owned: Vec::new(),
            }),
            GroupCall::Sync {
                group,
                member,
                assignments,
            } => GroupRequest::Sync {
                group: group.clone(),
                member: member.clone(),
                assignments: assignments
                    .iter()
                    .map(|(member, names)| (member.clone(), self.tps(names)))
                    .collect(),
            },
            GroupCall::Beat { group, member } => GroupRequest::Beat {
                group: group.clone(),
                member: member.clone(),
            },
            GroupCall::Leave { group, member } => GroupRequest::Leave {
                group: group.clone(),
                member: member.clone(),
            },
            GroupCall::ConsumerBeat {
                group,
                member,
                topics,
                owned,
            } => GroupRequest::ConsumerBeat(ConsumerBeat {
                group: group.clone(),
                member: member.id.clone(),
                epoch: member.generation,
                instance: member.instance.clone(),
                rebalance_timeout: topics.is_some().then_some(Ms(300_000)),
                topics: topics.as_ref().map(|names| self.topics(names)),
                owned: owned.as_ref().map(|names| self.tps(names)),
                assignor: None,
            }),
            GroupCall::Describe { group } => GroupRequest::Describe(group.clone()),
            GroupCall::Delete { group } => GroupRequest::Delete(group.clone()),
            GroupCall::DeleteOffsets { group, partitions } => {
                GroupRequest::DeleteOffsets(group.clone(), self.tps(partitions))
            }
        }
    }

    /// Sends a request to the coordinator that the controller names. A partition of the internal
    /// topic that is not there yet is made first, as a client's FindCoordinator would have it.
    fn call_group(&mut self, id: ClientId, waiting: Waiting) {
        let name = internal_topic(CoordinatorKind::Group);
        let partition = partition_for(waiting.request.group());
        let image = self.controller.image();
        let known = image.topic(name).and_then(|topic| {
            let reg = image.partitions.get(&Tp { topic, partition })?;
            Some(reg.leader)
        });
        let (ticket, body) = (waiting.ticket, Body::Group(waiting.request.clone()));
        match known {
            Some(Some(broker)) => {
                // Only one that has just been made may not know yet that it coordinates.
                if waiting.tries > 0
                    && let Some(Kind::Raw(raw)) = self.kind(id)
                {
                    raw.waiting.push(Waiting {
                        at: None,
                        ..waiting
                    });
                }
                self.write(ticket, id, broker, body, Asked::Other, Cause::default());
            }
            None if waiting.tries < TRIES => {
                // Which broker is asked does not matter: it has the controller make the partition.
                let find = GroupRequest::FindCoordinator(
                    CoordinatorKind::Group,
                    waiting.request.group().clone(),
                );
                let broker = self.bootstrap(&[]).first().copied();
                let mut out = self.out(Cause::default());
                let (from, cause) = (NodeId::Client(id), out.cause);
                if let Some(broker) = broker {
                    out.request(from, NodeId::Broker(broker), Body::Group(find), cause);
                }
                self.take(out);
                self.wait_for_coordinator(id, waiting);
            }
            Some(None) | None => {
                let error = KafkaError::CoordinatorNotAvailable;
                self.replies.insert(ticket, Reply::Failed(error, None));
            }
        }
    }

    fn wait_for_coordinator(&mut self, id: ClientId, waiting: Waiting) {
        let at = self.now.plus(AGAIN);
        let Some(Kind::Raw(raw)) = self.kind(id) else {
            return;
        };
        raw.waiting.push(Waiting {
            at: Some(at),
            tries: waiting.tries + 1,
            ..waiting
        });
        let mut out = self.out(Cause::default());
        let (client, what) = (id, ClientTimer::Wake);
        out.remind(at, Timer::Client { client, what });
        self.take(out);
    }

    /// Time is up for requests that waited.
    pub(super) fn raw_reminded(&mut self, id: ClientId) {
        let now = self.now;
        let Some(Kind::Raw(raw)) = self.kind(id) else {
            return;
        };
        let (due, kept) = std::mem::take(&mut raw.waiting)
            .into_iter()
            .partition(|w: &Waiting| w.at.is_some_and(|at| at <= now));
        raw.waiting = kept;
        let due: Vec<Waiting> = due;
        for waiting in due {
            self.call_group(id, waiting);
        }
    }

    /// The answer to a request about a group; `None`: it is asked again.
    pub(super) fn group_replied(
        &mut self,
        id: ClientId,
        ticket: Ticket,
        message: &Message,
    ) -> Option<Reply> {
        let Body::GroupAnswer(answer) = &message.body else {
            return None;
        };
        let waiting = match self.kind(id) {
            Some(Kind::Raw(raw)) => {
                let at = raw.waiting.iter().position(|w| w.ticket == ticket);
                at.map(|at| raw.waiting.remove(at))
            }
            _ => None,
        };
        match waiting {
            Some(waiting) if waiting.tries < TRIES && not_yet(answer) => {
                self.wait_for_coordinator(id, waiting);
                None
            }
            _ => Some(Reply::Group(answer.clone())),
        }
    }
}

/// The broker does not coordinate the group yet.
fn not_yet(answer: &GroupAnswer) -> bool {
    let error = match answer {
        GroupAnswer::Committed(parts) => parts.first().and_then(|(_, r)| r.err()),
        GroupAnswer::Fetched(r) => r.as_ref().err().copied(),
        GroupAnswer::Joined(r) => r.as_ref().err().map(|(e, _)| *e),
        GroupAnswer::Synced(r) => r.as_ref().err().copied(),
        GroupAnswer::Beaten(r) | GroupAnswer::Left(r) | GroupAnswer::Deleted(r) => r.err(),
        GroupAnswer::ConsumerBeaten(r) => r.as_ref().err().copied(),
        GroupAnswer::Described(r) => r.as_ref().err().copied(),
        GroupAnswer::OffsetsDeleted(r) => r.as_ref().err().copied(),
        GroupAnswer::Coordinator(..) => None,
    };
    use KafkaError::{CoordinatorLoadInProgress, CoordinatorNotAvailable, NotCoordinator};
    matches!(
        error,
        Some(NotCoordinator | CoordinatorLoadInProgress | CoordinatorNotAvailable)
    )
}
