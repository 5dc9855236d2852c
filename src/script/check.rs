//! Whether what an author claims is so: a fact held against a picture and the beat's events.

use super::ast::{Bound, Count, Fact, Role, Sent};
use super::check_offsets;
use super::print::fact_text;
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
    holds(fact, picture, events).map_err(|found| Mismatch {
        claim: fact_text(fact),
        found,
    })
}

/// `Err`: what is found instead.
pub(super) fn equal<T: PartialEq + std::fmt::Debug>(
    found: Option<T>,
    claimed: T,
) -> Result<(), String> {
    match found {
        Some(found) if found == claimed => Ok(()),
        Some(found) => Err(format!("{found:?}")),
        None => Err("nothing of that name".into()),
    }
}

fn holds(fact: &Fact, picture: &Picture, events: &[Event]) -> Result<(), String> {
    let reg = |p: &PartitionName| picture.partition(p).map(|p| &p.reg);
    let replica = |b: &BrokerId, p: &PartitionName| {
        let tp = picture.partition(p)?.tp;
        picture.replica(*b, tp)
    };
    if let Some(held) = check_offsets::holds(fact, picture) {
        return held;
    }
    match fact {
        Fact::Leader(p, leader) => equal(reg(p).map(|r| r.leader), *leader),
        Fact::LeaderEpoch(p, epoch) => equal(reg(p).map(|r| r.leader_epoch), *epoch),
        Fact::Isr(p, isr) => equal(reg(p).map(|r| r.isr), *isr),
        Fact::Elr(p, elr) => equal(reg(p).map(|r| r.elr), *elr),
        Fact::Bound(bound, b, p, at) => equal(
            replica(b, p).map(|r| match bound {
                Bound::LogStart => r.log_start,
                Bound::LogEnd => r.log_end,
                Bound::HighWatermark => r.high_watermark,
                Bound::LastStable => r.last_stable,
            }),
            *at,
        ),
        Fact::Records(b, p, values) => equal(
            replica(b, p).map(|r| {
                let readable = |record: &&RecordPicture| {
                    record.control.is_none() && r.log_start.0 <= record.offset.0
                };
                let records = r.records.iter().filter(readable);
                records.map(|r| r.value.clone()).collect::<Vec<_>>()
            }),
            values.clone(),
        ),
        Fact::Role(b, p, role) => equal(
            replica(b, p).map(|r| match r.role {
                RolePicture::Leader(_) => Role::Leader,
                RolePicture::Follower(_) => Role::Follower,
                RolePicture::Down => Role::Down,
            }),
            *role,
        ),
        Fact::Process(b, process) => equal(picture.broker(*b).map(|b| b.process), *process),
        Fact::Fenced(b, fenced) => equal(picture.broker(*b).and_then(|b| b.fenced), *fenced),
        Fact::Sent(client, value, sent) => equal(
            send(picture, client, value).map(|s| match &s.state {
                SendState::Confirmed(offset, _) => Sent::Confirmed(*offset),
                SendState::Failed(error, _) => Sent::Failed(*error),
                SendState::Queued(_) | SendState::InFlight(_) => Sent::Pending,
            }),
            sent.clone(),
        ),
        Fact::Attempts(client, value, n) => {
            equal(send(picture, client, value).map(|s| s.attempts), *n)
        }
        Fact::Waited(client, value, ms, unit) => {
            let waited = send(picture, client, value).and_then(|s| match &s.state {
                SendState::Confirmed(_, at) | SendState::Failed(_, at) => Some(at.since(s.at)),
                _ => None,
            });
            let unit = unit.0.max(1);
            match waited {
                Some(Ms(n)) if (n + unit / 2) / unit * unit == ms.0 => Ok(()),
                Some(Ms(n)) => Err(format!("{n} ms")),
                None => Err("no outcome yet".into()),
            }
        }
        Fact::Lost(values) => {
            let lost = picture.lost.iter().map(|record| record.value.clone());
            equal(Some(lost.collect::<Vec<_>>()), values.clone())
        }
        Fact::Received(client, values) => equal(
            consumer(picture, client).map(|(_, received)| {
                let values = received.iter().map(|(_, _, value)| value.clone());
                values.collect::<Vec<_>>()
            }),
            values.clone(),
        ),
        Fact::At(client, p, at) => equal(
            consumer(picture, client).and_then(|(positions, _)| {
                let tp = picture.partition(p)?.tp;
                positions.iter().find(|(t, _)| *t == tp)?.1
            }),
            *at,
        ),
        Fact::Count(what, n) => equal(Some(count(picture, *what)), *n),
        Fact::Leads(b, n) => {
            let led = picture
                .partitions
                .iter()
                .filter(|p| p.reg.leader == Some(*b));
            equal(Some(led.count() as u32), *n)
        }
        Fact::Event {
            happened,
            kind,
            fields,
        } => {
            let did = events.iter().any(|e| e.kind.matches(kind, fields, picture));
            if did == *happened {
                return Ok(());
            }
            let same = events.iter().filter(|e| e.kind.name() == &**kind);
            let same: Vec<String> = same.map(|e| format!("{:?}", e.kind)).collect();
            Err(if same.is_empty() {
                "no such event in this beat".into()
            } else {
                same.join("; ")
            })
        }
        // Looked at above.
        _ => Err("nothing".into()),
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
