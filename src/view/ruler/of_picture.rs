//! A partition of a world as a ruler shows it: from its leader's replica, or from the longest one
//! while nobody leads.

use super::{EffectRow, InputRecord, Isolation, Reader, RulerInput, Seen, Txn};
use crate::kafka::batch::Control;
use crate::kafka::client::settings::OffsetReset;
use crate::kafka::ids::{Boundary, Offset, Tp};
use crate::world::picture::{
    ClientKind, ClientPicture, Life, MemberPicture, Picture, ReplicaPicture,
};
use std::rc::Rc;

/// The ruler of a partition; `None` if no broker holds it.
pub fn input(picture: &Picture, tp: Tp) -> Option<RulerInput> {
    let partition = picture.partitions.iter().find(|p| p.tp == tp)?;
    let leader = partition.reg.leader.and_then(|b| picture.replica(b, tp));
    let all = picture.brokers.iter().flat_map(|b| &b.replicas);
    let replica = leader.or_else(|| all.filter(|r| r.tp == tp).max_by_key(|r| r.log_end))?;
    let leaderless = partition.reg.leader.is_none();
    let mut name = partition.name.topic.to_string();
    name.push('-');
    name.push_str(&partition.name.partition.to_string());
    let mut input = RulerInput {
        name,
        leaderless,
        ..log_of(replica)
    };
    let mut savers: Vec<Rc<str>> = Vec::new();
    for member in members(picture) {
        if member.reads(tp) && !savers.contains(&member.saver) {
            let reader = reader(picture, tp, &member.saver);
            input.readers.extend(reader);
            savers.push(member.saver);
        }
    }
    // A group that has commits and no consumer here: committed by hand, or by the reset tool.
    for group in &picture.groups {
        let name = &group.view.group;
        if let Some(at) = find(&group.view.committed, tp).filter(|_| !savers.contains(name)) {
            input.readers.push(Reader {
                name: name.clone(),
                group: Some(name.clone()),
                committed: Some(at.offset),
                ..Reader::default()
            });
        }
    }
    for saver in &savers {
        effects(picture, tp, saver, &mut input);
    }
    Some(input)
}

/// A replica's log: its boundaries and records, without readers.
pub fn log_of(replica: &ReplicaPicture) -> RulerInput {
    RulerInput {
        log_start: replica.log_start,
        last_stable: replica.last_stable,
        high_watermark: replica.high_watermark,
        log_end: replica.log_end,
        records: records(replica),
        ..RulerInput::default()
    }
}

/// Records, each with what became of its transaction: its producer's next marker tells.
fn records(replica: &ReplicaPicture) -> Vec<InputRecord> {
    let mut ends: Vec<(i64, Control)> = Vec::new();
    let mut all: Vec<InputRecord> = Vec::new();
    for r in replica.records.iter().rev() {
        let producer = r.stamp.map(|s| s.0);
        let end = ends.iter_mut().find(|e| Some(e.0) == producer);
        let txn = match (r.control, producer, end) {
            (Some(control), _, Some(end)) => {
                end.1 = control;
                Txn::None
            }
            (Some(control), Some(producer), None) => {
                ends.push((producer, control));
                Txn::None
            }
            (Some(_), None, None) => Txn::None,
            (None, ..) if !r.transactional => Txn::None,
            (None, _, None) => Txn::Open,
            (None, _, Some((_, Control::Commit))) => Txn::Committed,
            (None, _, Some((_, Control::Abort))) => Txn::Aborted,
        };
        all.push(InputRecord {
            offset: r.offset,
            key: r.key.clone(),
            value: r.value.clone(),
            control: r.control,
            txn,
            removed: false,
        });
    }
    all.reverse();
    all
}

/// A consumer, and by what name its progress is saved: its group's, or without one its own.
struct Member<'a> {
    client: &'a ClientPicture,
    positions: &'a [(Tp, Option<Boundary>)],
    received: &'a [(Tp, Offset, Option<Rc<str>>)],
    member: &'a MemberPicture,
    saver: Rc<str>,
}

impl Member<'_> {
    /// Whether it has to do with a partition.
    fn reads(&self, tp: Tp) -> bool {
        find(self.positions, tp).is_some()
            || find(&self.member.committed, tp).is_some()
            || self.received.iter().any(|r| r.0 == tp)
    }
}

fn members(picture: &Picture) -> impl DoubleEndedIterator<Item = Member<'_>> {
    picture
        .clients
        .iter()
        .filter_map(|client| match &client.kind {
            ClientKind::Consumer {
                positions,
                received,
                member,
                ..
            } => Some(Member {
                client,
                positions,
                received,
                member,
                saver: member.group.clone().unwrap_or_else(|| client.name.clone()),
            }),
            _ => None,
        })
}

fn find<T>(list: &[(Tp, T)], tp: Tp) -> Option<&T> {
    list.iter().find(|e| e.0 == tp).map(|e| &e.1)
}

/// auto.offset.reset as the setting writes it.
fn word(reset: OffsetReset) -> &'static str {
    match reset {
        OffsetReset::Latest => "latest",
        OffsetReset::Earliest => "earliest",
        OffsetReset::None => "none",
        OffsetReset::ByDuration(_) => "by_duration",
    }
}

/// Who reads a partition under one name: the running consumer that has it, else the last that
/// had it; of a process that is gone only what was saved is left.
fn reader(picture: &Picture, tp: Tp, saver: &Rc<str>) -> Option<Reader> {
    let own = || members(picture).filter(|m| m.saver == *saver && m.reads(tp));
    let runs = |m: &Member| m.member.life == Life::Running && find(m.positions, tp).is_some();
    let running = own().rev().find(runs);
    let live = running.is_some();
    let m = running.or_else(|| own().next_back())?;
    let position = find(m.positions, tp).copied().flatten().filter(|_| live);
    let lag = find(&m.member.records_lag, tp).copied().flatten();
    let end = position.zip(lag).map(|(at, lag)| at.plus(lag));
    let store = picture.stores.iter().find(|s| s.name == *saver);
    // What the coordinator holds; while it is down, what the consumer last heard.
    let group = m.member.group.as_ref().and_then(|g| picture.group(g));
    let commits = group.map_or(&m.member.committed, |g| &g.view.committed);
    let isolation = match m.member.read_committed {
        true => Isolation::Committed,
        false => Isolation::Uncommitted,
    };
    Some(Reader {
        name: m.client.name.clone(),
        group: m.member.group.clone(),
        isolation,
        reset: Some(word(m.member.offset_reset).into()),
        position,
        processed: find(&m.member.processed_next, tp).copied().filter(|_| live),
        committed: find(commits, tp).map(|c| c.offset),
        outside: store.and_then(|s| find(&s.outside, tp).copied()),
        // The metric knows one end, that of the consumer's own level.
        seen: end.map(|end| Seen {
            high_watermark: end,
            last_stable: m.member.read_committed.then_some(end),
        }),
    })
}

/// What processing has brought about; and what was handed out, never processed, and is passed.
fn effects(picture: &Picture, tp: Tp, saver: &Rc<str>, input: &mut RulerInput) {
    let from = input.effects.len();
    let store = picture.stores.iter().find(|s| s.name == *saver);
    for e in store.iter().flat_map(|s| &s.effects).filter(|e| e.tp == tp) {
        input.effects.push(EffectRow {
            offset: e.offset,
            key: e.key.clone(),
            times: e.times,
        });
    }
    let reader = input.readers.iter().find(|r| {
        let own = r.group.as_ref().unwrap_or(&r.name);
        own == saver
    });
    let Some(reader) = reader else { return };
    let Some(saved) = reader.saved() else { return };
    // While a process runs, what it has in hand may still be processed.
    let passed = match reader.position {
        Some(_) => reader.processed.unwrap_or(Boundary(0)).min(saved),
        None => saved,
    };
    for m in members(picture).filter(|m| m.saver == *saver) {
        for (_, offset, value) in m.received.iter().filter(|r| r.0 == tp) {
            let known = input.effects[from..].iter().any(|e| e.offset == *offset);
            if passed.covers(*offset) && !known {
                input.effects.push(EffectRow {
                    offset: *offset,
                    key: value.clone().unwrap_or_else(|| "∅".into()),
                    times: 0,
                });
            }
        }
    }
    crate::kafka::sort::by_key(&mut input.effects[from..], |e| e.offset);
}
