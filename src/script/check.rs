//! Whether what an author claims is so: a fact held against a picture and the beat's events.

use super::ast::{Bound, Count, Fact, Role, Sent};
use super::check_offsets;
use super::print::{event_line, fact_text};
use crate::kafka::event::Event;
use crate::kafka::event_fields::Names;
use crate::kafka::ids::*;
use crate::world::command::PartitionName;
use crate::world::picture::*;
use std::rc::Rc;

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The claim, as the language writes it.
    pub claim: String,
    /// What is so instead.
    pub found: String,
}

impl Names for Picture {
    fn topic(&self, topic: TopicId) -> String {
        let reg = self.controller.topic_reg(topic);
        reg.map_or_else(|| topic.to_string(), |t| t.name.to_string())
    }
    fn client(&self, client: ClientId) -> String {
        let found = self.clients.iter().find(|c| c.id == client);
        found.map_or_else(|| client.to_string(), |c| c.name.to_string())
    }
}

/// Holds a fact against a picture and the events since the beat began.
///
/// # Errors
/// What is so instead.
pub fn check(fact: &Fact, picture: &Picture, events: &[Event]) -> Result<(), Mismatch> {
    let found = match (fact, actual(fact, picture)) {
        (
            Fact::Event {
                happened,
                kind,
                fields,
            },
            _,
        ) => {
            let did = events.iter().any(|e| e.kind.matches(kind, fields, picture));
            if did == *happened {
                return Ok(());
            }
            same_kind(kind, picture, events)
        }
        (_, Some(actual)) if actual == *fact => return Ok(()),
        (_, Some(actual)) => value_of(&fact_text(&actual), &fact_text(fact)),
        (_, None) => "nothing of that name".into(),
    };
    Err(Mismatch {
        claim: fact_text(fact),
        found,
    })
}

/// The value alone, where both are of the same thing.
fn value_of(actual: &str, claimed: &str) -> String {
    match (actual.split_once(" = "), claimed.split_once(" = ")) {
        (Some((of, value)), Some((claimed, _))) if of == claimed => value.into(),
        _ => actual.into(),
    }
}

/// The events of this kind, as a script asks for them.
fn same_kind(kind: &str, picture: &Picture, events: &[Event]) -> String {
    const MOST: usize = 3;
    let same = events.iter().filter(|e| e.kind.name() == kind);
    let mut told: Vec<String> = same.map(|e| event_line(&e.kind, picture)).collect();
    if told.is_empty() {
        return "no such event in this beat".into();
    }
    if told.len() > MOST {
        let more = told.len() - MOST;
        told.truncate(MOST);
        told.push(format!("and {more} more"));
    }
    told.join("; ")
}

/// What is so of the thing that a fact is about, as a fact of the same kind; `None`: there is no
/// such thing, or the fact is about events.
pub fn actual(fact: &Fact, picture: &Picture) -> Option<Fact> {
    let reg = |p: &PartitionName| picture.partition(p).map(|p| &p.reg);
    let replica = |b: &BrokerId, p: &PartitionName| {
        let tp = picture.partition(p)?.tp;
        picture.replica(*b, tp)
    };
    let sent = |client, value: &Rc<str>| send(picture, client, value);
    Some(match fact {
        Fact::Leader(p, _) => Fact::Leader(p.clone(), reg(p)?.leader),
        Fact::LeaderEpoch(p, _) => Fact::LeaderEpoch(p.clone(), reg(p)?.leader_epoch),
        Fact::Isr(p, _) => Fact::Isr(p.clone(), reg(p)?.isr),
        Fact::Elr(p, _) => Fact::Elr(p.clone(), reg(p)?.elr),
        Fact::Bound(bound, b, p, _) => {
            let r = replica(b, p)?;
            let at = match bound {
                Bound::LogStart => r.log_start,
                Bound::LogEnd => r.log_end,
                Bound::HighWatermark => r.high_watermark,
                Bound::LastStable => r.last_stable,
            };
            Fact::Bound(*bound, *b, p.clone(), at)
        }
        Fact::Records(b, p, _) => {
            let r = replica(b, p)?;
            let readable = |record: &&RecordPicture| {
                record.control.is_none() && r.log_start.0 <= record.offset.0
            };
            let values = r.records.iter().filter(readable).map(|r| r.value.clone());
            Fact::Records(*b, p.clone(), values.collect())
        }
        Fact::Role(b, p, _) => {
            let role = match replica(b, p)?.role {
                RolePicture::Leader(_) => Role::Leader,
                RolePicture::Follower(_) => Role::Follower,
                RolePicture::Down => Role::Down,
            };
            Fact::Role(*b, p.clone(), role)
        }
        Fact::Process(b, _) => Fact::Process(*b, picture.broker(*b)?.process),
        Fact::Fenced(b, _) => Fact::Fenced(*b, picture.broker(*b)?.fenced?),
        Fact::Sent(client, value, _) => {
            let state = sent_as(&sent(client, value)?.state);
            Fact::Sent(client.clone(), value.clone(), state)
        }
        Fact::Attempts(client, value, _) => {
            Fact::Attempts(client.clone(), value.clone(), sent(client, value)?.attempts)
        }
        Fact::Waited(client, value, _, unit) => {
            let send = sent(client, value)?;
            let (client, value) = (client.clone(), value.clone());
            match &send.state {
                SendState::Confirmed(_, at) | SendState::Failed(_, at) => {
                    let n = at.since(send.at).0;
                    let each = unit.0.max(1);
                    Fact::Waited(client, value, Ms((n + each / 2) / each * each), *unit)
                }
                _ => Fact::Sent(client, value, Sent::Pending),
            }
        }
        Fact::Lost(_) => {
            let lost = picture.lost.iter().map(|record| record.value.clone());
            Fact::Lost(lost.collect())
        }
        Fact::Received(client, _) => {
            let (_, received) = consumer(picture, client)?;
            let values = received.iter().map(|(_, _, value)| value.clone());
            Fact::Received(client.clone(), values.collect())
        }
        Fact::At(client, p, _) => {
            let tp = picture.partition(p)?.tp;
            let (positions, _) = consumer(picture, client)?;
            let at = positions.iter().find(|(t, _)| *t == tp)?.1?;
            Fact::At(client.clone(), p.clone(), at)
        }
        Fact::Count(what, _) => Fact::Count(*what, count(picture, *what)),
        Fact::Leads(b, _) => {
            let led = picture.partitions.iter();
            let led = led.filter(|p| p.reg.leader == Some(*b));
            Fact::Leads(*b, led.count() as u32)
        }
        _ => return check_offsets::actual(fact, picture),
    })
}

/// How a client sees a send, in the words of a claim.
pub fn sent_as(state: &SendState) -> Sent {
    match state {
        SendState::Confirmed(offset, _) => Sent::Confirmed(*offset),
        SendState::Failed(error, _) => Sent::Failed(*error),
        SendState::Queued(_) | SendState::InFlight(_) => Sent::Pending,
    }
}

/// A count over all partitions, by the controller's word.
pub fn count(picture: &Picture, what: Count) -> u32 {
    let replicas = |p: &PartitionPicture| p.reg.replicas.len() as u32;
    let partitions = picture.partitions.iter();
    match what {
        Count::InSync => partitions.map(|p| p.reg.isr.len()).sum(),
        Count::Replicas => partitions.map(replicas).sum(),
        Count::UnderReplicated => {
            partitions.filter(|p| p.reg.isr.len() < replicas(p)).count() as u32
        }
        Count::Offline => partitions.filter(|p| p.reg.leader.is_none()).count() as u32,
        Count::UnderMinIsr => partitions.filter(|p| p.reg.isr.len() < p.min_isr).count() as u32,
        Count::AtMinIsr => partitions.filter(|p| p.reg.isr.len() == p.min_isr).count() as u32,
    }
}

/// The client's last send of this value.
fn send<'p>(picture: &'p Picture, client: &str, value: &str) -> Option<&'p SendPicture> {
    let client = picture.clients.iter().find(|c| &*c.name == client)?;
    let sends = match &client.kind {
        ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } => sends,
        ClientKind::Consumer { .. } => return None,
    };
    let holds = |s: &&SendPicture| s.values.iter().any(|v| v.as_deref() == Some(value));
    sends.iter().rev().find(holds)
}

type Positions = [(Tp, Option<Boundary>)];
type Received = [(Tp, Offset, Option<Rc<str>>)];

fn consumer<'p>(picture: &'p Picture, client: &str) -> Option<(&'p Positions, &'p Received)> {
    let client = picture.clients.iter().find(|c| &*c.name == client)?;
    match &client.kind {
        ClientKind::Consumer {
            positions,
            received,
            ..
        } => Some((positions, received)),
        _ => None,
    }
}
