//! Every run of two consumers of a group, by the policy they commit with: what each can lose and
//! what it can do twice. The coordinator is the real one, the log an abstraction. The numbers of
//! states are pinned: a changed number is a changed coordinator, or a changed search.

#[path = "explore/consumers.rs"]
mod consumers;
#[allow(dead_code, reason = "the vectors use the rest")]
#[path = "conform/group_bench.rs"]
mod group_bench;

use consumers::{Act, Bounds, Policy, everything, scene};
use highwater::history::Run;
use highwater::script::parse;
use highwater::world::World;
use std::rc::Rc;

/// T0: three records, one crash, one rebalance.
fn t0(policy: Policy) -> Bounds {
    Bounds {
        policy,
        fence: true,
        records: 3,
        crashes: 1,
        rebalances: 1,
        deletions: 0,
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
    assert_eq!(all(t0(Policy::Before)), (10_204, [Some(3), None, None]));
}

#[test]
fn committed_after_it_is_processed_a_record_is_never_lost_and_can_come_twice() {
    assert_eq!(all(t0(Policy::After)), (33_470, [None, Some(8), None]));
}

#[test]
fn auto_commit_of_one_thread_loses_nothing() {
    assert_eq!(all(t0(Policy::Auto)), (24_475, [None, Some(8), None]));
}

#[test]
fn auto_commit_with_other_threads_loses() {
    assert_eq!(
        all(t0(Policy::Workers)),
        (216_574, [Some(4), Some(8), None])
    );
}

/// Switch `group_generation_fence` (R-COM-6): a commit that comes late is of an older generation.
/// Two records are enough to see it.
#[test]
fn without_the_generation_fence_a_commit_goes_back() {
    let on = Bounds {
        records: 2,
        ..t0(Policy::AfterAsync)
    };
    assert_eq!(all(on), (51_618, [None, Some(8), None]));
    let off = Bounds { fence: false, ..on };
    assert_eq!(all(off), (61_451, [None, Some(8), Some(14)]));
}

/// Whatever the policy: what is deleted before it is read is lost. Two records are enough to see it.
#[test]
fn retention_loses_under_every_policy() {
    let policies = [Policy::Before, Policy::After, Policy::Auto, Policy::Workers];
    let found = policies.map(|policy| {
        let bounds = Bounds {
            records: 2,
            deletions: 1,
            ..t0(policy)
        };
        let (states, [loss, ..]) = all(bounds);
        (states, loss)
    });
    let expected = [12_290, 33_947, 27_530, 84_878].map(|states| (states, Some(2)));
    assert_eq!(found, expected);
}
