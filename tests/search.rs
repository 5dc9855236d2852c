//! Every run of a small cluster keeps the invariants; with a historic switch off the search finds
//! the bug that the switch was made for. The numbers of worlds are pinned: a changed number is a
//! changed engine, or a changed search.

#[path = "explore/search.rs"]
mod search;

use highwater::history::Run;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{Event, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::switches::{Switches, Truncation};
use highwater::script::parse;
use highwater::world::World;
use search::*;
use std::collections::BTreeSet;
use std::rc::Rc;

/// T0: three replicas, one record, one fence, one crash that loses a part of the disk.
#[test]
fn nothing_is_found_with_all_switches_on() {
    let found = everything(&Bounds::new(1, 1, 1), &mut |_| {});
    println!(
        "{} worlds, {} steps, depth {}",
        found.states, found.steps, found.depth
    );
    if let Some(fault) = &found.fault {
        let text = scenario("found", &Bounds::new(1, 1, 1), None, fault);
        panic!("{}\n{text}", fault.text);
    }
    assert_eq!(found.states, 112_370);
}

/// A switch off, at these bounds: the invariant that breaks, in how many steps.
fn breaks(
    switch: (&str, &str),
    set: fn(&mut Switches),
    bounds: Bounds,
    invariant: &str,
    steps: usize,
) {
    let mut bounds = bounds;
    set(&mut bounds.switches);
    let found = shortest(&bounds, u64::MAX, None);
    let name = format!("{} off", switch.0);
    let fault = found
        .fault
        .unwrap_or_else(|| panic!("{name}: nothing found"));
    let text = scenario("found", &bounds, Some(switch), &fault);
    println!("{name}: {} worlds\n{text}", found.states);
    assert_eq!((fault.id, fault.acts.len()), (invariant, steps), "{name}");

    // What was found is a scenario, and it holds what it claims.
    let scene = parse(&text).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let mut run = Run::new(Rc::new(scene.clone()), World::new(scene.cluster.setup()));
    run.seek(run.steps());
    assert!(run.failures().is_empty(), "{name}: {:?}", run.failures());
}

/// S01, KIP-101: a follower cuts to a high watermark that is a round behind.
#[test]
fn truncation_to_the_high_watermark_loses_committed_records() {
    let set = |s: &mut Switches| s.truncation = Truncation::HighWatermark;
    breaks(("truncation", "hw"), set, Bounds::new(1, 1, 0), "I07", 7);
}

/// S08, KIP-497: the leader does not count whom it has asked for.
#[test]
fn without_the_maximal_isr_a_joiner_is_not_counted() {
    let set = |s: &mut Switches| s.maximal_isr = false;
    breaks(("maximal_isr", "off"), set, Bounds::new(1, 1, 0), "I07", 9);
}

/// S09, KIP-903: an old fetch speaks for a broker that has lost its disk since.
#[test]
fn without_the_broker_epoch_an_emptied_broker_joins() {
    let set = |s: &mut Switches| s.broker_epoch_check = false;
    let bounds = Bounds {
        split_fetch: true,
        ..Bounds::new(1, 0, 1)
    };
    breaks(("broker_epoch_check", "off"), set, bounds, "I07", 17);
}

/// S06, KAFKA-7128: a new leader's high watermark lags, and so does whom it lets in. A fetch has
/// to be three steps for this to show with one record.
#[test]
fn without_the_epoch_start_a_lagging_replica_joins() {
    let set = |s: &mut Switches| s.expand_requires_epoch_start = false;
    let mut bounds = Bounds {
        split_fetch: true,
        ..Bounds::new(1, 1, 0)
    };
    bounds.budget.shrinks = 1;
    breaks(
        ("expand_requires_epoch_start", "off"),
        set,
        bounds,
        "I07",
        13,
    );
}

/// S11, KIP-966: the last replica standing loses its disk.
#[test]
fn without_the_elr_the_last_replica_standing_is_trusted_with_an_empty_disk() {
    let set = |s: &mut Switches| s.elr = false;
    breaks(("elr", "off"), set, Bounds::new(1, 2, 1), "I07", 8);
}

/// S12, KIP-966: one copy is called committed.
#[test]
fn without_the_strict_min_isr_one_copy_is_committed() {
    let set = |s: &mut Switches| s.strict_min_isr = false;
    let mut bounds = Bounds::new(1, 1, 1);
    bounds.budget.shrinks = 1;
    breaks(("strict_min_isr", "off"), set, bounds, "I07", 5);
}

/// What the search is about does come to pass in it.
#[test]
fn sometimes() {
    let mut seen = BTreeSet::new();
    let mut bounds = Bounds::new(1, 2, 0);
    bounds.budget.kills = 1;
    let mut look = |events: &[Event], world: &World| {
        for event in events {
            match &event.kind {
                EventKind::HighWatermarkMoved { .. } => seen.insert("a record commits"),
                EventKind::Truncated { .. } => seen.insert("a follower truncates"),
                EventKind::DivergenceFound { .. } => seen.insert("a diverging answer"),
                EventKind::FetchRefused { error, .. }
                    if *error == KafkaError::FencedLeaderEpoch =>
                {
                    seen.insert("a fetch is fenced")
                }
                EventKind::PartitionChanged { old, new, .. } => {
                    let elr = old.as_ref().map_or(BrokerSet::EMPTY, |o| o.elr);
                    if new.leader.is_some_and(|l| elr.contains(l)) {
                        seen.insert("a leader comes from the ELR");
                    }
                    new.isr.len() == 1 && seen.insert("the ISR shrinks to one")
                }
                _ => false,
            };
        }
        if world.standings(TP).iter().filter(|s| s.leads).count() > 1 {
            seen.insert("two brokers believe they lead");
        }
    };
    shortest(&bounds, 40_000, Some(&mut look));
    let wanted = [
        "a diverging answer",
        "a fetch is fenced",
        "a follower truncates",
        "a leader comes from the ELR",
        "a record commits",
        "the ISR shrinks to one",
        "two brokers believe they lead",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), wanted);
}
