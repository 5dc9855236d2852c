//! One piece of a coordinator's work: what it may look at, and what comes of it.

use super::Name;
use super::message::{GroupAnswer, GroupState};
use super::records::Entry;
use crate::kafka::config::ServerConfig;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind, LeaveReason};
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;
use crate::kafka::metadata::Image;
use crate::kafka::out::Out;
use crate::kafka::switches::Switches;
use crate::kafka::transaction::message::ProducerRef;

/// What a coordinator may look at outside itself.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// The broker it is on.
    pub me: BrokerId,
    /// Settings.
    pub server: &'a ServerConfig,
    /// Historic switches.
    pub switches: &'a Switches,
    /// The metadata this broker has applied.
    pub image: &'a Image,
    /// No clock: nothing waits for time.
    pub by_hand: bool,
    /// The epoch in which the broker leads the partition.
    pub leader_epoch: Epoch,
    /// The partition's high watermark.
    pub high_watermark: Boundary,
}

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The request.
    pub correlation: Correlation,
    /// Who.
    pub from: NodeId,
    /// The event that brought the request.
    pub cause: Cause,
}

impl Asked {
    /// The client behind it.
    pub fn client(&self) -> ClientId {
        match self.from {
            NodeId::Client(client) => client,
            _ => ClientId(u16::MAX),
        }
    }
}

/// What is to be done once records are below the high watermark, or cannot get there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// Answer so; if it fails, the same kind of answer with the error.
    Answer(Asked, GroupAnswer),
    /// The assignment of a classic group's generation is in the log: hand it out.
    Synced(Name, i32, Vec<(Name, Vec<Tp>)>),
}

/// Records to append as one batch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Write {
    /// The records.
    pub entries: Vec<Entry>,
    /// The producer, if they are part of a transaction.
    pub producer: Option<ProducerRef>,
    /// What follows.
    pub then: Vec<Then>,
}

/// What comes of a piece of work.
#[derive(Debug, Default)]
pub struct Work {
    /// Answers to send at once.
    pub answers: Vec<(Asked, GroupAnswer)>,
    /// What to append, in order.
    pub writes: Vec<Write>,
}

/// A piece of work under way.
pub struct Job<'a, 'b> {
    /// What may be looked at.
    pub env: Env<'a>,
    /// Where events go.
    pub out: &'b mut Out,
    /// What comes of it.
    pub work: Work,
}

impl Job<'_, '_> {
    /// The time.
    pub fn now(&self) -> Ms {
        self.out.now
    }

    /// Answers at once.
    pub fn answer(&mut self, asked: &Asked, answer: GroupAnswer) {
        self.work.answers.push((asked.clone(), answer));
    }

    /// Appends records, and answers once they are replicated (R-GRP-3).
    pub fn write(&mut self, entries: Vec<Entry>, then: Vec<Then>) {
        self.work.writes.push(Write {
            entries,
            producer: None,
            then,
        });
    }

    /// Notes that a group has changed state.
    pub fn changed(&mut self, group: &Name, from: GroupState, to: GroupState, generation: i32) {
        let broker = self.env.me;
        self.out.emit(EventKind::GroupChanged {
            broker,
            group: group.clone(),
            from,
            to,
            generation,
        });
    }

    /// Notes a new member.
    pub fn joined(&mut self, group: &Name, member: &Name, client: ClientId) {
        let broker = self.env.me;
        self.out.emit(EventKind::MemberJoined {
            broker,
            group: group.clone(),
            member: member.clone(),
            client,
        });
    }

    /// Notes a member that is gone.
    pub fn left(&mut self, group: &Name, member: &Name, client: ClientId, why: LeaveReason) {
        let broker = self.env.me;
        self.out.emit(EventKind::MemberLeft {
            broker,
            group: group.clone(),
            member: member.clone(),
            client,
            why,
        });
    }
}

/// The answer of the same kind that says that it failed.
pub fn failed(answer: &GroupAnswer, error: KafkaError) -> GroupAnswer {
    let all = |parts: &super::message::PartErrors| {
        let one = |(tp, r): &(Tp, Result<(), KafkaError>)| (*tp, r.and(Err(error)));
        parts.iter().map(one).collect()
    };
    match answer {
        GroupAnswer::Coordinator(kind, key, _) => {
            GroupAnswer::Coordinator(*kind, key.clone(), Err(error))
        }
        GroupAnswer::Committed(parts) => GroupAnswer::Committed(all(parts)),
        GroupAnswer::Fetched(_) => GroupAnswer::Fetched(Err(error)),
        GroupAnswer::Joined(_) => GroupAnswer::Joined(Err((error, "".into()))),
        GroupAnswer::Synced(_) => GroupAnswer::Synced(Err(error)),
        GroupAnswer::Beaten(_) => GroupAnswer::Beaten(Err(error)),
        GroupAnswer::Left(_) => GroupAnswer::Left(Err(error)),
        GroupAnswer::ConsumerBeaten(_) => GroupAnswer::ConsumerBeaten(Err(error)),
        GroupAnswer::Described(_) => GroupAnswer::Described(Err(error)),
        GroupAnswer::Deleted(_) => GroupAnswer::Deleted(Err(error)),
        GroupAnswer::OffsetsDeleted(_) => GroupAnswer::OffsetsDeleted(Err(error)),
    }
}
