//! The console of a topic in words: counters, a row a broker, the partition that is open, and what
//! has changed in all of them.

use super::Step;
use super::changes;
use super::overview::{Counter, counters, of_topic};
use super::tables::{Described, Table, process, replicas};
use crate::kafka::ids::{BrokerId, TopicId, Tp};
use crate::text::{state, words};
use crate::world::picture::{BrokerPicture, Picture};

/// A step of the console in words, with a partition open.
pub fn described(step: &Step, topic: TopicId, open: Tp) -> Described {
    Described {
        heading: String::new(),
        tables: vec![
            figures(step, topic),
            brokers(step, topic),
            Table {
                caption: words::partition(step.lang, open.partition),
                ..replicas(step, open)
            },
        ],
        clients: Vec::new(),
        changed: changed(step, topic, open).unwrap_or_default(),
    }
}

fn figures(step: &Step, topic: TopicId) -> Table {
    let lang = step.lang;
    Table {
        caption: state::counters_caption(lang),
        head: vec![
            state::head_counter(lang),
            words::head_value(lang),
            state::head_note(lang),
        ],
        rows: counters(step, topic)
            .into_iter()
            .map(|c| vec![c.label, [c.value, c.of].join(" ").trim_end().into(), c.was])
            .collect(),
    }
}

fn brokers(step: &Step, topic: TopicId) -> Table {
    let lang = step.lang;
    let all = of_topic(step.now, topic);
    let row = |b: &BrokerPicture| {
        let leads = all.iter().filter(|p| p.reg.leader == Some(b.id)).count();
        let held = all.iter().filter(|p| p.reg.replicas.contains(&b.id));
        let within = all.iter().filter(|p| p.reg.isr.contains(b.id)).count();
        let out = held.count().saturating_sub(within);
        let runs = process(lang, b.process);
        vec![
            words::broker(lang, b.id),
            match b.fenced {
                Some(true) => state::process_fenced(lang, &runs),
                _ => runs,
            },
            leads.to_string(),
            within.to_string(),
            out.to_string(),
        ]
    };
    Table {
        caption: state::brokers_caption(lang),
        head: vec![
            words::head_broker(lang),
            words::head_process(lang),
            state::head_leads(lang),
            state::head_in_isr(lang),
            state::head_out_of_isr(lang),
        ],
        rows: step.now.brokers.iter().map(row).collect(),
    }
}

/// What differs from the step before: counters, brokers, who leads what and with which ISR, and
/// the logs of the partition that is open.
fn changed(step: &Step, topic: TopicId, open: Tp) -> Option<Vec<String>> {
    let (lang, before) = (step.lang, step.before?);
    // Without the step before, so that the note under a counter is about this step alone.
    let at = |now| {
        let alone = Step {
            before: None,
            now,
            ..*step
        };
        counters(&alone, topic)
    };
    let shown = |c: &Counter| match c.was.is_empty() {
        true => c.value.clone(),
        false => [&*c.value, " (", &c.was, ")"].concat(),
    };
    let mut all: Vec<String> = at(before)
        .iter()
        .zip(&at(step.now))
        .map(|(old, new)| (shown(old), shown(new), &new.label))
        .filter(|(old, new, _)| old != new)
        .map(|(old, new, label)| state::figure_changed(lang, label, &old, &new))
        .collect();
    all.extend(changes::brokers(step, before));
    all.extend(moved(step, before, topic));
    let logs = changes::logs(step, before, open);
    all.extend(
        logs.iter()
            .map(|line| state::of_partition(lang, open.partition, line)),
    );
    Some(all)
}

/// Leaders and ISRs that have moved, those that moved alike in one line.
fn moved(step: &Step, before: &Picture, topic: TopicId) -> Vec<String> {
    let lang = step.lang;
    let (old, new) = (of_topic(before, topic), of_topic(step.now, topic));
    let pairs: Vec<_> = new
        .iter()
        .filter_map(|n| Some((&old.iter().find(|o| o.tp == n.tp)?.reg, n)))
        .collect();
    let name = |b: Option<BrokerId>| b.map_or_else(|| words::none(lang), |b| b.to_string());
    let leaders = pairs
        .iter()
        .map(|(o, n)| ((o.leader, n.reg.leader), n.tp.partition));
    let isrs = pairs
        .iter()
        .map(|(o, n)| ((o.isr, n.reg.isr), n.tp.partition));
    let leaders = alike(leaders)
        .into_iter()
        .map(|((from, to), of)| state::leaders_moved(lang, &name(from), &name(to), &of));
    let isrs = alike(isrs)
        .into_iter()
        .map(|((from, to), of)| state::isrs_moved(lang, from, to, &of));
    leaders.chain(isrs).collect()
}

/// Changes that differ at all, each with the partitions that it happened to.
fn alike<T: PartialEq>(all: impl Iterator<Item = ((T, T), u16)>) -> Vec<((T, T), String)> {
    let mut groups: Vec<((T, T), String)> = Vec::new();
    for (change, partition) in all.filter(|(change, _)| change.0 != change.1) {
        match groups.iter_mut().find(|group| group.0 == change) {
            Some(group) => group.1.push_str(&format!(", {partition}")),
            None => groups.push((change, partition.to_string())),
        }
    }
    groups
}
