//! Messages on their way and reminders that are set, in the order of virtual time.

use crate::kafka::event::Cause;
use crate::kafka::ids::*;
use crate::kafka::message::{Acks, Body, Message, NodeId};
use crate::kafka::out::Timer;
use std::collections::{BTreeMap, VecDeque};

/// Something that will happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Due {
    /// A message arrives.
    Message(Message),
    /// A reminder.
    Timer(Timer),
}

/// What is special about messages from one node to another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Link {
    /// They are lost.
    pub cut: bool,
    /// They are kept back, in order.
    pub held: Option<VecDeque<Message>>,
    /// They take this long instead of the usual, ms.
    pub delay: Option<Ms>,
    /// No later request (answer) arrives before this time: a connection keeps the order, and each
    /// side's requests have a connection of their own, ms.
    not_before: [Ms; 2],
}

/// The network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Network {
    /// What will happen, by time and order.
    queue: BTreeMap<(Ms, u64), Due>,
    sequence: u64,
    /// Links that are not as usual.
    pub links: BTreeMap<(NodeId, NodeId), Link>,
    /// Extra time of the answers to a broker's fetches, ms.
    pub fetch_answer_delay: BTreeMap<BrokerId, Ms>,
    /// Requests to brokers that have no answer yet: who asked whom, and whether it is a follower's
    /// fetch.
    open: BTreeMap<Correlation, (NodeId, NodeId, bool)>,
    /// By hand: messages that nothing moves but a command, the oldest first.
    pub pending: VecDeque<Message>,
}

impl Network {
    /// Whether a message from one to the other would be lost.
    pub fn is_cut(&self, from: NodeId, to: NodeId) -> bool {
        self.links.get(&(from, to)).is_some_and(|l| l.cut)
    }

    /// The link from one to the other, to change.
    pub fn link(&mut self, from: NodeId, to: NodeId) -> &mut Link {
        self.links.entry((from, to)).or_default()
    }

    /// A node sends: the message will arrive after the link's delay, in order.
    pub fn send(&mut self, message: Message, now: Ms, usual: Ms) {
        // Nobody answers a produce under acks=0, so nothing stays open (R-ACK-2).
        let unanswered = matches!(
            message.body,
            Body::Produce {
                acks: Acks::None,
                ..
            }
        );
        if message.body.is_request() && !unanswered && matches!(message.to, NodeId::Broker(_)) {
            let fetches =
                matches!(message.body, Body::Fetch(_)) && matches!(message.from, NodeId::Broker(_));
            if fetches {
                self.reconnect(message.from, message.to);
            }
            self.open
                .insert(message.correlation, (message.from, message.to, fetches));
        }
        let key = (message.from, message.to);
        let stale = self.is_given_up(&message);
        let mut delay = usual;
        if let Some(link) = self.links.get(&key) {
            delay = link.delay.unwrap_or(usual);
        }
        if let (Body::FetchAnswer(_), NodeId::Broker(b)) = (&message.body, message.to)
            && let Some(extra) = self.fetch_answer_delay.get(&b)
        {
            delay = delay.plus(*extra);
        }
        let mut due = now.plus(delay);
        if let Some(link) = self.links.get_mut(&key).filter(|_| !stale) {
            let not_before = &mut link.not_before[usize::from(message.body.is_request())];
            due = due.max(*not_before);
            *not_before = due;
        }
        self.push(due, Due::Message(message));
    }

    /// A follower has one fetch to a leader open at a time: where it sends another one it has given
    /// the first up (replica.socket.timeout.ms), and its connection with it. The order begins anew.
    fn reconnect(&mut self, from: NodeId, to: NodeId) {
        let before = self.open.len();
        self.open.retain(|_, asked| *asked != (from, to, true));
        if self.open.len() == before {
            return;
        }
        for (key, request) in [((from, to), true), ((to, from), false)] {
            if let Some(link) = self.links.get_mut(&key) {
                link.not_before[usize::from(request)] = Ms(0);
            }
        }
    }

    /// Whether this answers a follower's fetch that was given up: it comes by a closed connection
    /// and holds nothing up.
    fn is_given_up(&self, message: &Message) -> bool {
        matches!(message.body, Body::FetchAnswer(_))
            && matches!(message.to, NodeId::Broker(_))
            && !self.open.contains_key(&message.correlation)
    }

    /// Sets something for a time.
    pub fn push(&mut self, at: Ms, due: Due) {
        self.queue.insert((at, self.sequence), due);
        self.sequence += 1;
    }

    /// When the next thing happens.
    pub fn next_at(&self) -> Option<Ms> {
        self.queue.keys().next().map(|(at, _)| *at)
    }

    /// The next thing, taken out.
    pub fn pop(&mut self) -> Option<(Ms, Due)> {
        self.queue.pop_first().map(|((at, _), due)| (at, due))
    }

    /// Whether a request is still open; an answer closes it.
    pub fn close(&mut self, correlation: Correlation) {
        self.open.remove(&correlation);
    }

    /// A broker's process is gone: whoever waits for it sees the connection break; what it had
    /// asked concerns nobody any more.
    pub fn broken_by(&mut self, broker: BrokerId) -> Vec<Message> {
        let gone = NodeId::Broker(broker);
        let broken: Vec<Message> = self
            .open
            .iter()
            .filter(|(_, (_, to, _))| *to == gone)
            .map(|(correlation, (from, to, _))| Message {
                correlation: *correlation,
                from: *to,
                to: *from,
                body: Body::Disconnected,
                cause: Cause::default(),
            })
            .collect();
        self.open
            .retain(|_, (from, to, _)| *from != gone && *to != gone);
        broken
    }

    /// Messages on their way, the next to arrive first.
    pub fn in_flight(&self) -> impl Iterator<Item = (Ms, &Message)> {
        self.queue.iter().filter_map(|((at, _), due)| match due {
            Due::Message(m) => Some((*at, m)),
            Due::Timer(_) => None,
        })
    }

    /// Takes out the oldest message from one node to the other: held, pending, or on its way.
    pub fn take(&mut self, from: NodeId, to: NodeId) -> Option<Message> {
        if let Some(held) = self
            .links
            .get_mut(&(from, to))
            .and_then(|l| l.held.as_mut())
            && let Some(message) = held.pop_front()
        {
            return Some(message);
        }
        if let Some(at) = self
            .pending
            .iter()
            .position(|m| m.from == from && m.to == to)
        {
            return self.pending.remove(at);
        }
        let key = self.queue.iter().find_map(|(key, due)| match due {
            Due::Message(m) if m.from == from && m.to == to => Some(*key),
            _ => None,
        })?;
        match self.queue.remove(&key) {
            Some(Due::Message(message)) => Some(message),
            _ => None,
        }
    }

    /// By hand: the metadata answer waiting for a broker.
    pub fn take_metadata(&mut self, broker: NodeId) -> Option<Message> {
        let at = self
            .pending
            .iter()
            .position(|m| m.to == broker && matches!(m.body, Body::MetaAnswer(_)))?;
        self.pending.remove(at)
    }

    /// By hand: a broker's question for more metadata.
    pub fn take_metadata_question(&mut self, broker: NodeId) -> Option<Message> {
        let at = self
            .pending
            .iter()
            .position(|m| m.from == broker && matches!(m.body, Body::MetaFetch { .. }))?;
        self.pending.remove(at)
    }
}
