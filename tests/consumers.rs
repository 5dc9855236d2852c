//! Every run of two consumers of a group, by the policy they commit with: what each can lose and
//! what it can do twice. The coordinator is the real one, the log an abstraction. The numbers of
//! states are pinned: a changed number is a changed coordinator, or a changed search. And every run
//! of one consumer over a leader that dies. Each switch of consumers, groups and look-ups is tried
//! on, where nothing is found, and off, where the old bug is.

#[allow(dead_code, reason = "the vectors use the rest")]
#[path = "conform/bench.rs"]
mod bench;
#[path = "explore/consumers.rs"]
mod consumers;
#[allow(dead_code, reason = "the vectors use the rest")]
#[path = "conform/group_bench.rs"]
mod group_bench;
#[path = "explore/readers.rs"]
mod readers;

use consumers::{Act, Bounds, Policy, everything, scene};
use highwater::history::Run;
use highwater::kafka::switches::Switches;
use highwater::script::parse;
use highwater::world::World;
use std::rc::Rc;

/// T0: three records, one crash, one rebalance.
fn t0(policy: Policy) -> Bounds {
    Bounds {
        policy,
        fence: true,
        expiry: true,
        records: 3,
        crashes: 1,
        rebalances: 1,
        deletions: 0,
        ages: 0,
    }
}

fn steps(way: &Option<Vec<Act>>) -> Option<usize> {
    way.as_ref().map(Vec::len)
}

/// Searches; states, and the steps to a loss, to a record processed twice, to a commit that goes
/// back.
fn all(bounds: Bounds) -> (usize, [Option<usize>; 3]) {
    let found = everything(bounds);
    println!("{bounds:?}: {} states, {} steps", found.states, found.steps);
    for (what, way) in [
        ("lost", &found.loss),
        ("twice", &found.twice),
        ("back", &found.back),
    ] {
        if let Some(way) = way {
            println!("  {what} in {}: {way:?}", way.len());
        }
    }
    let ways = [&found.loss, &found.twice, &found.back].map(steps);
    if let Some(text) = found.loss.as_ref().and_then(|way| scene(&bounds, way)) {
        println!("{text}");
        plays(&text);
    }
    (found.states, ways)
}

/// What was found is a scene, and every line of it can be carried out.
fn plays(text: &str) {
    let scene = parse(text).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    let mut run = Run::new(Rc::new(scene.clone()), World::new(scene.cluster.setup()));
    run.seek(run.steps());
    assert!(run.failures().is_empty(), "{text}\n{:?}", run.failures());
}

#[test]
fn committed_before_it_is_processed_a_record_can_be_lost_and_never_comes_twice() {
    assert_eq!(all(t0(Policy::Before)), (5_550, [Some(3), None, None]));
}

#[test]
fn committed_after_it_is_processed_a_record_is_never_lost_and_can_come_twice() {
    assert_eq!(all(t0(Policy::After)), (9_092, [None, Some(8), None]));
}

#[test]
fn auto_commit_of_one_thread_loses_nothing() {
    assert_eq!(all(t0(Policy::Auto)), (8_611, [None, Some(8), None]));
}

#[test]
fn auto_commit_with_other_threads_loses() {
    assert_eq!(all(t0(Policy::Workers)), (64_134, [Some(4), Some(8), None]));
}

/// Switch `group_generation_fence` (R-COM-6): a commit that comes late is of an older generation.
#[test]
fn without_the_generation_fence_a_commit_goes_back() {
    let on = t0(Policy::AfterAsync);
    assert_eq!(all(on), (49_638, [None, Some(8), None]));
    let off = Bounds { fence: false, ..on };
    assert_eq!(all(off), (61_312, [None, Some(8), Some(14)]));
}

/// Whatever the policy: what is deleted before it is read is lost.
#[test]
fn retention_loses_under_every_policy() {
    let policies = [Policy::Before, Policy::After, Policy::Auto, Policy::Workers];
    let found = policies.map(|policy| {
        let bounds = Bounds {
            deletions: 1,
            ..t0(policy)
        };
        let (states, [loss, ..]) = all(bounds);
        (states, loss)
    });
    let expected = [22_336, 43_695, 41_479, 276_505].map(|states| (states, Some(2)));
    assert_eq!(found, expected);
}

/// Switch `offset_expiry` (KIP-211, R-EXP-1): the commits of a group that has members do not age.
#[test]
fn without_kip_211_a_group_at_work_forgets_its_commit() {
    let on = Bounds {
        ages: 1,
        ..t0(Policy::After)
    };
    let found = everything(on);
    println!("{on:?}: {} states", found.states);
    assert_eq!((found.states, steps(&found.forgotten)), (18_524, None));
    let found = everything(Bounds {
        expiry: false,
        ..on
    });
    println!("off: {} states, {:?}", found.states, found.forgotten);
    assert_eq!((found.states, steps(&found.forgotten)), (19_411, Some(5)));
}

/// T0 of the reader: three records, one leader that dies, one crash.
fn leader_dies(unclean: bool, budget: readers::Budget) -> readers::Bounds {
    readers::Bounds {
        switches: Switches::default(),
        unclean,
        budget: readers::Budget {
            records: 3,
            moves: 1,
            ..budget
        },
    }
}

fn read(bounds: &readers::Bounds) -> (u64, [Option<usize>; 2]) {
    let found = readers::everything(bounds);
    println!("{:?}: {} runs", bounds.budget, found.runs);
    for (what, way) in [("skipped", &found.skipped), ("end back", &found.end_back)] {
        println!("  {what}: {way:?}");
    }
    let ways = [&found.skipped, &found.end_back];
    (found.runs, ways.map(|w| w.as_ref().map(Vec::len)))
}

/// Switch `consumer_truncation_detection` (KIP-320, R-TRD-1): a position that is valid again is not
/// the same position.
#[test]
fn without_truncation_detection_records_are_passed_over() {
    let budget = readers::Budget {
        polls: 2,
        saves: 1,
        crashes: 1,
        ..Default::default()
    };
    let mut bounds = leader_dies(true, budget);
    assert_eq!(read(&bounds), (32_684, [None, None]));
    bounds.switches.consumer_truncation_detection = false;
    assert_eq!(read(&bounds), (32_684, [Some(6), None]));
}

/// Switch `list_offsets_guard` (KIP-207, R-LST-3): a new leader does not know yet what was told.
#[test]
fn without_the_guard_the_end_of_the_log_goes_back() {
    let budget = readers::Budget {
        asks: 3,
        ..Default::default()
    };
    let mut bounds = leader_dies(false, budget);
    assert_eq!(read(&bounds), (2_008, [None, None]));
    bounds.switches.list_offsets_guard = false;
    assert_eq!(read(&bounds), (2_008, [None, Some(4)]));
}
