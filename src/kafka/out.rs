//! What a node gives back: messages to send, timers to set, events that happened.

use super::event::{Cause, Event, EventId, EventKind};
use super::ids::{BrokerId, ClientId, Correlation, Ms};
use super::message::{Body, NodeId};

/// Something a node wants to be reminded of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Timer {
    /// For a broker's process; forgotten if that process has ended since.
    Broker {
        /// Which broker.
        broker: BrokerId,
        /// Which start of it.
        incarnation: u32,
        /// What about.
        what: BrokerTimer,
    },
    /// For the controller.
    Controller(ControllerTimer),
    /// For a client.
    Client {
        /// Which client.
        client: ClientId,
        /// What about.
        what: ClientTimer,
    },
}

/// A broker's reminders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BrokerTimer {
    /// Send a heartbeat.
    Heartbeat,
    /// Try to register again.
    Register,
    /// Look for followers that lag (R-ISR-1).
    IsrShrinkCheck,
    /// Write the high watermark checkpoint (R-HW-2).
    HighWatermarkCheckpoint,
    /// A parked request's time is over.
    Parked(Correlation),
    /// Fetch from this leader again.
    Fetcher(BrokerId),
    /// A request this broker sent has had no answer for its time-out.
    Unanswered(Correlation),
    /// Read a partition of `__transaction_state` that this broker leads now.
    LoadTransactions(super::ids::Tp),
    /// Look for transactions that are open too long (R-TXN-5).
    TransactionTimeouts,
    /// Ask again for the markers of a transactional id.
    Markers(super::ids::Tp, super::group::Name),
    /// Look for segments that may be deleted (R-RET-1).
    Retention,
    /// Look for logs that want cleaning (R-CMP-2).
    Clean,
    /// Look for producers that have not written for long (R-IDM-4).
    ProducerExpiration,
    /// Tell an AlterPartition again.
    RetryAlterPartition(super::ids::Tp),
    /// The coordinator of this partition of `__consumer_offsets` has something to do.
    Coordinator(super::ids::Tp),
}

/// The controller's reminders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControllerTimer {
    /// Look for brokers whose session ran out (R-FEN-2).
    FenceCheck,
    /// Preferred balancing (R-PLE-1).
    Balance,
    /// Unclean election of leaderless partitions (R-ELE-7).
    UncleanElection,
}

/// A client's reminders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClientTimer {
    /// linger, backoff or time-outs: look what is due.
    Wake,
    /// A request has had no answer for its time-out.
    Unanswered(Correlation),
}

/// The basket a node puts its outputs into.
#[derive(Clone, Debug, Default)]
pub struct Out {
    /// The time of the input, ms.
    pub now: Ms,
    /// Messages: (correlation, from, to, body, cause).
    pub sends: Vec<(Correlation, NodeId, NodeId, Body, Cause)>,
    /// Reminders: (due, what).
    pub timers: Vec<(Ms, Timer)>,
    /// Events, in order.
    pub events: Vec<Event>,
    /// The event that led to the present input.
    pub cause: Cause,
    /// Replicas that a broker has looked at or changed.
    pub touched: Vec<(BrokerId, super::ids::Tp)>,
    /// Whether something that a person could see has changed.
    pub visible: bool,
    /// Whether events are kept (a search does without).
    pub recording: bool,
    /// The next event's number.
    pub next_event: u32,
    /// The next correlation.
    pub next_correlation: u64,
}

impl Out {
    /// Notes an event caused by the present input.
    pub fn emit(&mut self, kind: EventKind) -> Cause {
        self.emit_because(kind, &[])
    }

    /// Notes an event caused by the present input and by earlier events that the node kept.
    pub fn emit_because(&mut self, kind: EventKind, because: &[Cause]) -> Cause {
        self.visible |= kind.is_visible();
        if !self.recording {
            return Cause::default();
        }
        let id = EventId(self.next_event);
        self.next_event += 1;
        let mut causes: Vec<EventId> = Vec::with_capacity(1 + because.len());
        for cause in std::iter::once(&self.cause).chain(because) {
            if let Some(id) = cause.0
                && !causes.contains(&id)
            {
                causes.push(id);
            }
        }
        self.events.push(Event {
            id,
            at: self.now,
            causes,
            kind,
        });
        Cause(Some(id))
    }

    /// Sends a request and returns the correlation its answer will carry.
    pub fn request(&mut self, from: NodeId, to: NodeId, body: Body, cause: Cause) -> Correlation {
        let correlation = Correlation(self.next_correlation);
        self.next_correlation += 1;
        self.sends.push((correlation, from, to, body, cause));
        correlation
    }

    /// Answers a request.
    pub fn answer(
        &mut self,
        correlation: Correlation,
        from: NodeId,
        to: NodeId,
        body: Body,
        cause: Cause,
    ) {
        self.sends.push((correlation, from, to, body, cause));
    }

    /// Sets a reminder.
    pub fn remind(&mut self, due: Ms, what: Timer) {
        self.timers.push((due, what));
    }
}
