//! What a client knows of the cluster: who leads what, as some broker told it. It may be old, and
//! each client finds out for itself, by asking, on errors (R-PRD-4, R-TRD-3).

use super::{backoff, sooner};
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};
use crate::kafka::message::{Body, NodeId};
use crate::kafka::metadata::Image;
use crate::kafka::out::Out;

/// Times that a client's metadata keeps to, from its settings, ms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// request.timeout.ms
    pub request_timeout: Ms,
    /// retry.backoff.ms
    pub retry_backoff: Ms,
    /// retry.backoff.max.ms
    pub retry_backoff_max: Ms,
    /// metadata.max.age.ms
    pub max_age: Ms,
}

/// A metadata request without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Asked {
    correlation: Correlation,
    broker: BrokerId,
    deadline: Ms,
    /// Something waits for news, rather than the age of what is known being up.
    urgent: bool,
}

/// What a client knows of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cluster {
    client: ClientId,
    /// bootstrap.servers, in the order they are asked.
    bootstrap: Vec<BrokerId>,
    /// Which of them is asked next.
    turn: u32,
    /// Partitions whose leader matters to this client.
    followed: Set<Tp>,
    /// Topics that an answer has covered: all their partitions are known.
    topics: Set<TopicId>,
    /// Leader (`None`: none, or not available) and leader epoch, as last told.
    leaders: Map<Tp, (Option<BrokerId>, Epoch)>,
    /// Brokers that were unfenced in the last answer.
    online: BrokerSet,
    /// Brokers whose connection broke and that were not heard of since.
    suspects: BrokerSet,
    /// An answer came since the last question to a suspect.
    fresh: bool,
    asked: Option<Asked>,
    /// Something went wrong, or is not known: ask.
    wanted: bool,
    /// Answers in a row that brought nothing new although something was wanted.
    fruitless: u32,
    last_asked: Option<Ms>,
    learned: Option<Ms>,
}

impl Cluster {
    pub fn new(client: ClientId, bootstrap: Vec<BrokerId>) -> Self {
        Cluster {
            client,
            bootstrap,
            turn: 0,
            followed: Set::new(),
            topics: Set::new(),
            leaders: Map::new(),
            online: BrokerSet::EMPTY,
            suspects: BrokerSet::EMPTY,
            fresh: false,
            asked: None,
            wanted: false,
            fruitless: 0,
            last_asked: None,
            learned: None,
        }
    }

    /// This partition matters from now on.
    pub fn follow(&mut self, tp: Tp) {
        if self.followed.insert(tp) && !self.topics.contains(&tp.topic) {
            self.wanted = true;
        }
    }

    /// The leader and its epoch, if there is one that can be reached as far as known.
    pub fn leader(&self, tp: Tp) -> Option<(BrokerId, Epoch)> {
        let (leader, epoch) = self.leaders.get(&tp)?;
        leader.map(|l| (l, *epoch))
    }

    /// A broker that can be asked for what any broker knows.
    pub fn any(&self) -> Option<BrokerId> {
        self.whom_to_ask(self.suspects)
    }

    /// Whether the broker was alive in the last answer.
    pub fn is_online(&self, broker: BrokerId) -> bool {
        self.online.contains(broker)
    }

    /// What is known may be wrong: it is asked for as soon as the backoff allows.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// The connection to this broker broke. Nothing more goes there before it has been heard of
    /// again (a new connection); metadata is asked for, as it may lead nothing any more.
    pub fn lost(&mut self, broker: BrokerId) {
        self.suspects.insert(broker);
        self.wanted = true;
        self.fresh = false;
    }

    /// A broker answered: there is a connection.
    pub fn heard(&mut self, broker: BrokerId) {
        self.suspects.remove(broker);
    }

    /// Whether the connection to the broker is down.
    pub fn is_suspect(&self, broker: BrokerId) -> bool {
        self.suspects.contains(broker)
    }

    /// Whether what is known is older than metadata.max.age.ms (or nothing is known).
    pub fn is_stale(&self, now: Ms, pace: Pace) -> bool {
        self.learned.is_none_or(|at| at.plus(pace.max_age) <= now)
    }

    /// An answer to another request named the leader (R-ACK-9): believed if it is newer.
    pub fn told(&mut self, tp: Tp, leader: BrokerId, epoch: Epoch, from: BrokerId, out: &mut Out) {
        self.learn(tp, Some(leader), epoch, from, out);
    }

    /// Takes over what a broker said of a partition, unless it is older than what is known
    /// (a client never goes back to an older leader epoch, R-TRD-1).
    fn learn(
        &mut self,
        tp: Tp,
        leader: Option<BrokerId>,
        epoch: Epoch,
        from: BrokerId,
        out: &mut Out,
    ) -> bool {
        let known = self.leaders.get(&tp).copied();
        if known.is_some_and(|(_, e)| epoch < e) || known == Some((leader, epoch)) {
            return false;
        }
        self.leaders.insert(tp, (leader, epoch));
        if self.followed.contains(&tp) {
            out.emit(EventKind::MetadataLearned {
                client: self.client,
                from,
                tp,
                leader,
                epoch,
            });
        }
        true
    }

    /// Takes in a broker's image if it answers this client's question; returns whether it did.
    pub fn answered(&mut self, correlation: Correlation, image: &Image, out: &mut Out) -> bool {
        let Some(asked) = self.asked.take_if(|a| a.correlation == correlation) else {
            return false;
        };
        self.online = image
            .brokers
            .iter()
            .filter(|(_, reg)| !reg.fenced)
            .map(|(id, _)| *id)
            .collect();
        let mut news = false;
        let topics: Set<TopicId> = self.followed.iter().map(|tp| tp.topic).collect();
        for topic in topics {
            let first = Tp {
                topic,
                partition: 0,
            };
            let last = Tp {
                topic,
                partition: u16::MAX,
            };
            for (tp, reg) in image.partitions.range(first..=last) {
                self.topics.insert(topic);
                // A leader whose broker is fenced has no endpoint: LEADER_NOT_AVAILABLE.
                let leader = reg.leader.filter(|l| self.online.contains(*l));
                news |= self.learn(*tp, leader, reg.leader_epoch, asked.broker, out);
            }
        }
        self.wanted = false;
        self.fresh = true;
        self.learned = Some(out.now);
        if news {
            self.fruitless = 0;
        } else if asked.urgent {
            self.fruitless += 1;
            self.turn += 1;
        }
        true
    }

    /// The connection for this request broke; returns whether it was the metadata request.
    pub fn disconnected(&mut self, correlation: Correlation) -> bool {
        let asked = self.asked.take_if(|a| a.correlation == correlation);
        let mine = asked.is_some();
        if let Some(asked) = asked {
            self.try_next(asked.broker);
        }
        mine
    }

    fn try_next(&mut self, failed: BrokerId) {
        self.wanted = true;
        self.turn += 1;
        // Another broker is asked at once; one that failed before is not hurried.
        if self.suspects.contains(failed) {
            self.fruitless += 1;
        } else {
            self.suspects.insert(failed);
            self.last_asked = None;
        }
    }

    /// Asks if it is time to. `urgent`: something waits for the answer. `busy`: brokers that have
    /// requests of this client and are asked only if there is no other (leastLoadedNode). `lost`:
    /// a leader something waits for although its connection is down; a question to it is what
    /// makes a new one. Returns when to look again.
    pub fn drive(
        &mut self,
        urgent: bool,
        busy: BrokerSet,
        lost: Option<BrokerId>,
        pace: Pace,
        cause: Cause,
        out: &mut Out,
    ) -> Option<Ms> {
        let now = out.now;
        if let Some(late) = self.asked.take_if(|a| a.deadline <= now) {
            self.try_next(late.broker);
        }
        if let Some(asked) = &self.asked {
            return Some(asked.deadline);
        }
        let mut due = None;
        if !(urgent || lost.is_some() || self.wanted || self.is_stale(now, pace)) {
            if let Some(at) = self.learned {
                sooner(&mut due, at.plus(pace.max_age));
            }
            return due;
        }
        let wait = backoff(pace.retry_backoff, pace.retry_backoff_max, self.fruitless);
        if let Some(at) = self.last_asked.map(|at| at.plus(wait))
            && at > now
        {
            return Some(at);
        }
        let broker = match lost {
            Some(broker) if self.fresh => {
                self.fresh = false;
                broker
            }
            _ => self.whom_to_ask(busy)?,
        };
        let correlation = out.request(
            NodeId::Client(self.client),
            NodeId::Broker(broker),
            Body::Metadata,
            cause,
        );
        let deadline = now.plus(pace.request_timeout);
        self.last_asked = Some(now);
        self.asked = Some(Asked {
            correlation,
            broker,
            deadline,
            urgent: urgent || lost.is_some() || self.wanted,
        });
        Some(deadline)
    }

    /// The next question that is not for a particular broker goes to another one.
    pub fn next_turn(&mut self) {
        self.turn = self.turn.wrapping_add(1);
    }

    /// A position read elsewhere (a commit) carries this epoch: as long as no metadata of that epoch
    /// has come, the leader counts as unknown (R-COM-12).
    pub fn seen_epoch(&mut self, tp: Tp, epoch: Epoch) {
        if self
            .leaders
            .get(&tp)
            .is_none_or(|(_, known)| *known < epoch)
        {
            self.leaders.insert(tp, (None, epoch));
            self.wanted = true;
        }
    }

    /// All partitions of a topic, once an answer has covered it.
    pub fn partitions_of(&self, topic: TopicId) -> Option<Vec<Tp>> {
        let of_topic = |tp: &&Tp| tp.topic == topic;
        self.topics
            .contains(&topic)
            .then(|| self.leaders.keys().filter(of_topic).copied().collect())
    }

    /// A broker that can be asked for something any broker knows: none of those to avoid, if there
    /// is another.
    pub fn whom_to_ask(&self, avoid: BrokerSet) -> Option<BrokerId> {
        let avoid = avoid.union(self.suspects);
        let count = self.bootstrap.len() as u32;
        let in_turn = |i: u32| {
            let place = self.turn.wrapping_add(i).checked_rem(count)?;
            self.bootstrap.get(place as usize).copied()
        };
        (0..count)
            .filter_map(in_turn)
            .find(|b| !avoid.contains(*b))
            .or_else(|| in_turn(0))
    }
}

/// Errors that say that what the client knows of the cluster is old (R-PRD-4:
/// InvalidMetadataException).
pub(super) fn invalid_metadata(error: KafkaError) -> bool {
    matches!(
        error,
        KafkaError::NotLeaderOrFollower
            | KafkaError::LeaderNotAvailable
            | KafkaError::UnknownTopicOrPartition
            | KafkaError::UnknownTopicId
            | KafkaError::FencedLeaderEpoch
            | KafkaError::ReplicaNotAvailable
            | KafkaError::KafkaStorageError
            | KafkaError::NetworkException
    )
}
