//! Going to any of two thousand steps: what was there, and at once. In wasm it is timed.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use highwater::history::Tape;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::world::World;
use highwater::world::command::{Command, PartitionName};
use highwater::world::setup::{Checks, Setup};

const STEPS: u32 = 2_000;

/// A write and some time, two thousand times; and the world after every hundredth.
fn long_run() -> (Tape<World>, Vec<World>) {
    let orders = PartitionName {
        topic: "orders".into(),
        partition: 0,
    };
    // As the page has it.
    let mut world = World::new(Setup {
        checks: Checks::Cheap,
        ..Setup::default()
    });
    let begin = [
        Command::CreateTopic {
            name: "orders".into(),
            assignment: vec![vec![BrokerId(1), BrokerId(2), BrokerId(3)]],
            config: vec![],
        },
        Command::Advance(Ms(2_000)),
    ];
    for command in begin {
        assert!(world.apply(&command).is_ok());
    }
    let mut tape = Tape::new(world);
    let mut reached = vec![tape.machine().clone()];
    for step in 1..=STEPS {
        tape.begin();
        let write = Command::Produce {
            client: "shop".into(),
            partition: orders.clone(),
            records: vec![NewRecord::value("an order")],
        };
        for command in [write, Command::Advance(Ms(50))] {
            assert!(tape.apply(&command).is_ok());
        }
        tape.end();
        if step % 100 == 0 {
            reached.push(tape.machine().clone());
        }
    }
    (tape, reached)
}

#[test]
fn a_seek_finds_what_was_there() {
    let (mut tape, reached) = long_run();
    for at in [20, 0, 7, 19, 1, 13, 12, 20, 3] {
        tape.seek(at * 100);
        assert!(*tape.machine() == reached[at as usize], "step {}", at * 100);
    }
}

/// What a reader who drags the timeline waits: told, not judged, for a machine may be busy. (A frame
/// has 16 ms.) Every step is gone to once, from another far away; and before and after that, work that
/// has nothing to do with it, by which a busy machine shows.
#[cfg(target_arch = "wasm32")]
#[test]
fn how_long_a_seek_takes_is_told() {
    use std::collections::BTreeMap;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }

    let baseline = || {
        let start = now();
        let mut map = BTreeMap::new();
        let mut key = 1_u64;
        for n in 0..100_000_u64 {
            key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n);
            map.insert(key >> 44, n);
        }
        assert!(map.len() > 1_000);
        now() - start
    };
    let before = baseline();
    let (mut tape, _) = long_run();
    let (mut all, mut worst, mut slow, mut at) = (0.0_f64, 0.0_f64, 0, 0);
    for _ in 1..=STEPS {
        // 788 and 2,001 have no common divisor: each step comes once.
        at = (at + 788) % (STEPS + 1);
        let start = now();
        tape.seek(at);
        assert!(!tape.machine().picture().brokers.is_empty());
        let took = now() - start;
        all += took;
        worst = worst.max(took);
        slow += u32::from(took > 16.0);
    }
    wasm_bindgen_test::console_log!(
        "going to each of {STEPS} steps: {:.2} ms on the average, {worst:.1} ms at worst, {slow} above \
         16 ms; baseline, 100,000 inserts into an ordered map: {before:.1} ms before, {:.1} ms after",
        all / f64::from(STEPS),
        baseline()
    );
}
