//! What happened: the events of a step that are worth telling, one to three sentences.

use super::sentence::one;
use crate::kafka::event::{Event, EventId, EventKind, Outcome};
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::message::NodeId;
use crate::kafka::metadata::PartitionReg;
use crate::kafka::sort;
use crate::text::number::{numbers, values};
use crate::text::{Lang, events as say, offset_events, words};
use crate::view::Step;
use crate::world::picture::Picture;
use std::rc::Rc;

/// Something that happened, made of one event or of several that belong together.
#[derive(Clone, Debug)]
pub struct Told<'a> {
    /// How much it is worth telling.
    pub weight: i32,
    /// Where it stands among the events.
    pub order: usize,
    /// The event it rests on: the last of those merged.
    pub event: &'a Event,
    /// All its events.
    pub ids: Vec<EventId>,
    /// The sentence.
    pub text: String,
}

/// The name of a client.
pub fn client_name(picture: &Picture, id: ClientId) -> String {
    picture
        .clients
        .iter()
        .find(|c| c.id == id)
        .map_or_else(|| id.to_string(), |c| c.name.to_string())
}

/// The name of a party, within a sentence.
pub fn node_name(lang: Lang, picture: &Picture, node: NodeId) -> String {
    match node {
        NodeId::Controller => words::controller_lower(lang),
        NodeId::Broker(b) => words::broker_lower(lang, b),
        NodeId::Client(c) => client_name(picture, c),
    }
}

/// The partition that an event is about, if it is about one.
pub fn about(kind: &EventKind) -> Option<Tp> {
    use EventKind::*;
    match kind {
        ProduceSent { tp, .. }
        | ProduceDone { tp, .. }
        | ProduceRetry { tp, .. }
        | MetadataLearned { tp, .. }
        | Consumed { tp, .. }
        | ConsumeRefused { tp, .. }
        | PollEmpty { tp, .. }
        | PositionReset { tp, .. }
        | Appended { tp, .. }
        | DuplicateFound { tp, .. }
        | ProduceWaits { tp, .. }
        | ProduceAnswered { tp, .. }
        | FetchHandled { tp, .. }
        | DivergenceFound { tp, .. }
        | FetchRefused { tp, .. }
        | HighWatermarkMoved { tp, .. }
        | HighWatermarkHeld { tp, .. }
        | IsrChangeAsked { tp, .. }
        | IsrChangeRefused { tp, .. }
        | IsrLearned { tp, .. }
        | LogStartMoved { tp, .. }
        | FetchSent { tp, .. }
        | Replicated { tp, .. }
        | FollowerHighWatermark { tp, .. }
        | Truncated { tp, .. }
        | Throttled { tp, .. }
        | PartitionChanged { tp, .. }
        | BecameLeader { tp, .. }
        | BecameFollower { tp, .. }
        | ReplicaDeleted { tp, .. }
        | CommitSent { tp, .. }
        | CommitDone { tp, .. }
        | OffsetCommitted { tp, .. }
        | OffsetForgotten { tp, .. }
        | PositionRestored { tp, .. }
        | Processed { tp, .. }
        | EffectRepeated { tp, .. }
        | SavedOutside { tp, .. }
        | MarkerAppended { tp, .. }
        | LastStableMoved { tp, .. }
        | SegmentRolled { tp, .. }
        | SegmentsDeleted { tp, .. }
        | Compacted { tp, .. }
        | ResetPlanned { tp, .. }
        | ConfirmedLost { tp, .. } => Some(*tp),
        _ => None,
    }
}

/// Values in a sentence.
pub fn said(lang: Lang, of: &[Option<Rc<str>>]) -> String {
    values(lang, of.iter().map(|v| v.as_deref()))
}

/// Everything worth telling of a step, in the order it happened.
pub fn told<'a>(step: &Step<'a>, tp: Option<Tp>) -> Vec<Told<'a>> {
    let involved: Set<Tp> = step.events.iter().filter_map(|e| about(&e.kind)).collect();
    let tp = tp.or(involved.first().copied().filter(|_| involved.len() == 1));
    let mine: Vec<(usize, &Event)> = step
        .events
        .iter()
        .enumerate()
        .filter(|(_, e)| tp.is_none() || about(&e.kind).is_none_or(|of| Some(of) == tp))
        .collect();
    let mut all = Vec::new();
    if tp.is_none() {
        many(step, &mine, &mut all);
        outcomes(step, &mine, &mut all);
    }
    merged(step, &mine, &mut all);
    for (order, event) in mine {
        if tp.is_none() && about(&event.kind).is_some() && !of_its_own(&event.kind) {
            continue;
        }
        for (weight, text) in one(step, event) {
            all.push(Told {
                weight,
                order,
                event,
                ids: vec![event.id],
                text,
            });
        }
    }
    sort::by_key(&mut all, |t| t.order);
    all
}

/// What is told one by one even where many partitions are involved.
fn of_its_own(kind: &EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        ProduceRetry { .. } | Consumed { .. } | ConfirmedLost { .. }
    )
}

/// How many letters the sentences of a card may have together.
const LONGEST: usize = 200;

/// The best of them: at most `count`, in the order they happened.
pub fn best<'a>(mut all: Vec<Told<'a>>, count: usize) -> Vec<Told<'a>> {
    all.dedup_by(|b, a| a.text == b.text);
    let mut by_weight: Vec<usize> = (0..all.len()).collect();
    sort::by_key(&mut by_weight, |i| (-all[*i].weight, all[*i].order));
    // The lesser ones fill up only while nothing greater has been told.
    let top = by_weight.first().map_or(0, |i| all[*i].weight);
    by_weight.retain(|i| all[*i].weight >= 30.min(top));
    by_weight.truncate(count);
    // Three long sentences are more than a card holds.
    let long =
        |kept: &[usize]| -> usize { kept.iter().map(|i| all[*i].text.chars().count()).sum() };
    while by_weight.len() > 1 && long(&by_weight) > LONGEST {
        by_weight.pop();
    }
    let mut n = 0;
    all.retain(|_| {
        n += 1;
        by_weight.contains(&(n - 1))
    });
    all
}

/// Many partitions at once: counts instead of sentences.
fn many<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    let lang = step.lang;
    let mut count =
        |weight: i32, text: fn(Lang, i64) -> String, of: &dyn Fn(&EventKind) -> bool| {
            let found: Vec<&(usize, &Event)> = mine.iter().filter(|(_, e)| of(&e.kind)).collect();
            let partitions: Set<Tp> = found.iter().filter_map(|(_, e)| about(&e.kind)).collect();
            if let Some((order, event)) = found.last() {
                all.push(Told {
                    weight,
                    order: *order,
                    event,
                    ids: found.iter().map(|(_, e)| e.id).collect(),
                    text: text(lang, partitions.len() as i64),
                });
            }
        };
    let change = |kind: &EventKind, test: &dyn Fn(&PartitionReg, &PartitionReg) -> bool| match kind
    {
        EventKind::PartitionChanged {
            old: Some(old),
            new,
            ..
        } => test(old, new),
        _ => false,
    };
    count(60, say::created_many, &|k| {
        matches!(k, EventKind::PartitionChanged { old: None, .. })
    });
    count(88, say::elected_many, &|k| {
        change(k, &|old, new| {
            old.leader != new.leader && new.leader.is_some()
        })
    });
    count(90, say::no_leader_many, &|k| {
        change(k, &|old, new| old.leader.is_some() && new.leader.is_none())
    });
    count(75, say::isr_changed_many, &|k| {
        change(k, &|old, new| old.isr != new.isr)
    });
}

/// Batches that a leader appended one after the other.
struct Append<'a> {
    by: BrokerId,
    base: Offset,
    last: Offset,
    values: Vec<Option<Rc<str>>>,
    order: usize,
    event: &'a Event,
    ids: Vec<EventId>,
}

/// What a follower did: who, from, to, where among the events, the last event of it.
type Copied<'a> = (BrokerId, Boundary, Boundary, usize, &'a Event);

/// Outcomes of many sends at once.
fn outcomes<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    type Say = fn(Lang, i64) -> String;
    let kinds: [(bool, i32, Say); 2] = [
        (true, 72, say::confirmed_many),
        (false, 84, say::failed_many),
    ];
    for (good, weight, text) in kinds {
        let mut count = 0;
        let mut last = None;
        let mut ids = Vec::new();
        for (order, event) in mine {
            if let EventKind::ProduceDone {
                outcome, values, ..
            } = &event.kind
                && matches!(outcome, Outcome::Confirmed(_)) == good
            {
                count += values.len() as i64;
                ids.push(event.id);
                last = Some((*order, *event));
            }
        }
        if let Some((order, event)) = last {
            all.push(Told {
                weight,
                order,
                event,
                ids,
                text: text(step.lang, count),
            });
        }
    }
}

/// Events that are told together.
fn merged<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    let lang = step.lang;
    repeats(step, mine, all);
    links(step, mine, all);
    delays(step, mine, all);
    asked(step, mine, one_partition(mine), all);
    let mut hw: Option<(Boundary, Told<'a>)> = None;
    let mut appended: Vec<Append<'a>> = Vec::new();
    // (follower, from, to) of what each follower copied, of its high watermark, of its fetch.
    let mut copied: Vec<Copied<'a>> = Vec::new();
    let mut learned = copied.clone();
    let mut fetched = copied.clone();
    let merge = |list: &mut Vec<Copied<'a>>, new: Copied<'a>| match list
        .iter_mut()
        .find(|o| o.0 == new.0)
    {
        Some(old) => *old = (old.0, old.1, new.2, new.3, new.4),
        None => list.push(new),
    };
    let one_tp = one_partition(mine);
    for (order, event) in mine.iter().copied().filter(|_| one_tp) {
        match &event.kind {
            EventKind::HighWatermarkMoved {
                broker, from, to, ..
            } => {
                let (from, mut ids) = match hw.take() {
                    Some((from, old)) => (from, old.ids),
                    None => (*from, Vec::new()),
                };
                ids.push(event.id);
                hw = Some((
                    from,
                    Told {
                        // Without other replicas HW goes with the log end.
                        weight: if alone(step, event) { 24 } else { 74 },
                        order,
                        event,
                        ids,
                        text: say::hw_moved(lang, *broker, from, *to),
                    },
                ));
            }
            EventKind::Appended {
                broker,
                base,
                last,
                values,
                ..
            } => match appended.last_mut() {
                Some(old) if old.by == *broker && old.last.0 + 1 == base.0 => {
                    old.last = *last;
                    old.values.extend(values.iter().cloned());
                    old.ids.push(event.id);
                    old.event = event;
                }
                _ => appended.push(Append {
                    by: *broker,
                    base: *base,
                    last: *last,
                    values: values.clone(),
                    order,
                    event,
                    ids: vec![event.id],
                }),
            },
            EventKind::Replicated {
                follower, from, to, ..
            } => merge(&mut copied, (*follower, *from, *to, order, event)),
            EventKind::FollowerHighWatermark {
                follower, from, to, ..
            } if to > from => merge(&mut learned, (*follower, *from, *to, order, event)),
            EventKind::FetchHandled {
                follower,
                offset,
                before,
                ..
            } if *before != Some(*offset) => merge(
                &mut fetched,
                (
                    *follower,
                    before.unwrap_or(Boundary(0)),
                    *offset,
                    order,
                    event,
                ),
            ),
            _ => {}
        }
    }
    all.extend(hw.map(|h| h.1));
    for a in appended {
        let values = said(lang, &a.values);
        all.push(Told {
            weight: 62,
            order: a.order,
            event: a.event,
            ids: a.ids,
            text: say::appended(lang, a.by, a.base.before(), a.last.after(), &values),
        });
    }
    // Followers that did the same are told in one sentence.
    let mut together =
        |list: Vec<Copied<'a>>,
         weight: i32,
         by_start: bool,
         text: &dyn Fn(BrokerSet, Boundary, Boundary) -> String| {
            let mut left = list;
            while let Some(first) = left.first().copied() {
                let same = |o: &Copied<'a>| o.2 == first.2 && (!by_start || o.1 == first.1);
                let group: Vec<_> = left.iter().filter(|o| same(o)).copied().collect();
                left.retain(|o| !same(o));
                let (order, event) = group.last().map_or((first.3, first.4), |l| (l.3, l.4));
                all.push(Told {
                    weight,
                    order,
                    event,
                    ids: group.iter().map(|g| g.4.id).collect(),
                    text: text(group.iter().map(|g| g.0).collect(), first.1, first.2),
                });
            }
        };
    let only = |set: BrokerSet| (set.len() == 1).then(|| set.iter().next()).flatten();
    together(copied, 58, true, &|set, from, to| match only(set) {
        Some(b) => say::replicated(lang, b, from, to),
        None => say::replicated_by(lang, set, from, to),
    });
    together(learned, 54, false, &|set, from, to| match only(set) {
        Some(b) => say::follower_hw(lang, b, from, to),
        None => say::follower_hw_by(lang, set, to),
    });
    together(fetched, 57, false, &|set, _, to| {
        let have = numbers(Boundary(0), to);
        match only(set) {
            Some(b) if have.is_empty() => say::fetch_first(lang, b, to),
            Some(b) => say::fetch_told(lang, b, to, &have),
            None => say::fetch_told_by(lang, set, to, &have),
        }
    });
}

/// Whether an event is about a partition that has a single replica.
pub fn alone(step: &Step, event: &Event) -> bool {
    let of = about(&event.kind).and_then(|tp| crate::view::stage::row::reg(step.now, tp));
    of.is_some_and(|reg| reg.replicas.len() == 1)
}

/// Whether all events are about the same partition, as far as they are about one.
fn one_partition(mine: &[(usize, &Event)]) -> bool {
    let all: Set<Tp> = mine.iter().filter_map(|(_, e)| about(&e.kind)).collect();
    all.len() == 1
}

/// Effects of neighbouring records that took place again, in one sentence.
fn repeats<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    let mut run: Option<(ClientId, Offset, Offset, u32, Told<'a>)> = None;
    for (order, event) in mine {
        let EventKind::EffectRepeated {
            client,
            offset,
            key,
            times,
            ..
        } = &event.kind
        else {
            continue;
        };
        let name = client_name(step.now, *client);
        let (first, mut ids) = match run.take() {
            Some((by, first, last, n, told))
                if (by, n) == (*client, *times) && last.0 + 1 == offset.0 =>
            {
                (first, told.ids)
            }
            Some((.., told)) => {
                all.push(told);
                (*offset, Vec::new())
            }
            None => (*offset, Vec::new()),
        };
        ids.push(event.id);
        let text = match first == *offset {
            true => offset_events::repeated(step.lang, &name, *offset, key, *times),
            false => offset_events::repeated_run(
                step.lang,
                &name,
                first.before(),
                offset.after(),
                *times,
            ),
        };
        let told = Told {
            weight: 90,
            order: *order,
            event,
            ids,
            text,
        };
        run = Some((*client, first, *offset, *times, told));
    }
    all.extend(run.map(|r| r.4));
}

/// Links cut and healed: both ways in one sentence.
fn links<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    let lang = step.lang;
    let name = |n: NodeId| node_name(lang, step.now, n);
    let ends = |e: &Event| match e.kind {
        EventKind::LinkCut { from, to } => Some((true, from, to)),
        EventKind::LinkHealed { from, to } => Some((false, from, to)),
        _ => None,
    };
    for (n, (order, event)) in mine.iter().enumerate() {
        let Some((cut, from, to)) = ends(event) else {
            continue;
        };
        let back = |(_, e): &&(usize, &Event)| ends(e) == Some((cut, to, from));
        if mine[..n].iter().any(|e| back(&e)) {
            continue;
        }
        let other = mine[n + 1..].iter().find(back);
        let (from, to) = (name(from), name(to));
        let text = match (cut, other.is_some()) {
            (true, true) => say::link_cut_both(lang, &from, &to),
            (true, false) => say::link_cut(lang, &from, &to),
            (false, true) => say::link_healed_both(lang, &from, &to),
            (false, false) => say::link_healed(lang, &from, &to),
        };
        all.push(Told {
            weight: 85,
            order: *order,
            event,
            ids: other.iter().map(|(_, e)| e.id).chain([event.id]).collect(),
            text,
        });
    }
}

/// Links that became slow or fast, one sentence for who is at their end.
fn delays<'a>(step: &Step, mine: &[(usize, &'a Event)], all: &mut Vec<Told<'a>>) {
    let lang = step.lang;
    let mut seen: Vec<(NodeId, Ms)> = Vec::new();
    for (order, event) in mine {
        let EventKind::LinkDelay { from, to, delay } = event.kind else {
            continue;
        };
        if seen.contains(&(to, delay)) {
            continue;
        }
        seen.push((to, delay));
        let same = |e: &Event| matches!(e.kind, EventKind::LinkDelay { to: t, delay: d, .. } if (t, d) == (to, delay));
        let group: Vec<EventId> = mine
            .iter()
            .filter(|(_, e)| same(e))
            .map(|(_, e)| e.id)
            .collect();
        let end = node_name(lang, step.now, to);
        let text = match (delay.0, group.len(), to) {
            (0, _, NodeId::Broker(b)) => say::link_fast_to_broker(lang, b),
            (0, ..) => say::link_fast(lang, &end),
            (_, 1, _) => say::link_delay(lang, &node_name(lang, step.now, from), &end, delay),
            (.., NodeId::Broker(b)) => say::link_delay_to_broker(lang, b, delay),
            _ => say::link_delay_to(lang, &end, delay),
        };
        all.push(Told {
            weight: 80,
            order: *order,
            event,
            ids: group,
            text,
        });
    }
}

/// Fetches of which nothing else is known: a word on them where nothing greater happened.
fn asked<'a>(step: &Step, mine: &[(usize, &'a Event)], one_tp: bool, all: &mut Vec<Told<'a>>) {
    let lang = step.lang;
    let mut left: Vec<(BrokerId, BrokerId, Boundary, usize, &'a Event)> = Vec::new();
    for (order, event) in mine {
        if let EventKind::FetchSent {
            follower,
            leader,
            offset,
            ..
        } = event.kind
        {
            left.retain(|l| l.0 != follower);
            left.push((follower, leader, offset, *order, event));
        }
    }
    let silent = |b: BrokerId| {
        step.now
            .broker(b)
            .is_some_and(|b| b.process != crate::world::command::Process::Up)
    };
    let vain: Vec<_> = left.iter().filter(|l| silent(l.1)).copied().collect();
    if let Some((_, leader, _, order, event)) = vain.last().copied() {
        all.push(Told {
            weight: 31,
            order,
            event,
            ids: vain.iter().map(|l| l.4.id).collect(),
            text: say::fetch_in_vain(lang, vain.iter().map(|l| l.0).collect(), leader),
        });
    }
    for (follower, leader, offset, order, event) in left {
        if one_tp && !silent(leader) {
            all.push(Told {
                weight: 20,
                order,
                event,
                ids: vec![event.id],
                text: say::fetch_sent(lang, follower, leader, offset),
            });
        }
    }
}
