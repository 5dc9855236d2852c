//! Searches every run of a small cluster for one that breaks an invariant: `cargo xtask explore`.
//! Without arguments the searches that take minutes; see `HELP` for others.

#[allow(dead_code, reason = "the vectors use the rest")]
#[path = "../tests/conform/bench.rs"]
mod bench;
#[path = "../tests/explore/consumers.rs"]
mod consumers;
#[allow(dead_code, reason = "the vectors use the rest")]
#[path = "../tests/conform/group_bench.rs"]
mod group_bench;
#[path = "../tests/explore/readers.rs"]
mod readers;
#[path = "../tests/explore/search.rs"]
mod search;

use consumers::Policy;
use highwater::kafka::switches::{Switches, Truncation};
use search::{Bounds, everything, scenario, shortest};
use std::process::ExitCode;
use std::time::Instant;

const HELP: &str = "\
cargo xtask explore [a] [b] [d] [consumers] [NAME=NUMBER...] [split-fetch] [split-isr] [SWITCH=off] [shortest]

  a          2 records, 2 fences
  b          1 record, 2 fences, 1 crash that loses a part of the disk
  d          3 records, 2 fences (logs that part)
  consumers  two consumers of a group, each policy of committing: 4 records, 2 crashes, 2 rebalances
             (1 and 1 where the log start moves); and one consumer over a leader that dies
             without arguments: these four
  NAME=...   other bounds: records=1 fences=1 lossy=0 kills=0 shrinks=0 min-isr=2
  split-fetch, split-isr
             question, handling and answer of a fetch, or of a change of the ISR, are three steps
  SWITCH     maximal_isr, broker_epoch_check, expand_requires_epoch_start, strict_min_isr, elr,
             fetch_epoch_check, metadata_keeps_pending_change, or truncation=hw, kip101, kip279
  shortest   in breadth, for the shortest way to a fault (takes much more memory)

Prints the number of worlds, and a fault as a scenario. Exit status 1 if there is one.
";

fn main() -> ExitCode {
    let mut searches: Vec<(String, Bounds)> = Vec::new();
    let mut groups = false;
    let mut own = Bounds::new(1, 1, 0);
    let mut is_own = false;
    let mut breadth = false;
    let mut switch: Option<(String, String)> = None;
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "a" => searches.push(tier("a")),
            "b" => searches.push(tier("b")),
            "d" => searches.push(tier("d")),
            "consumers" => groups = true,
            "split-fetch" => (own.split_fetch, is_own) = (true, true),
            "split-isr" => (own.split_isr, is_own) = (true, true),
            "shortest" => breadth = true,
            _ => {
                let known = word.split_once('=').is_some_and(|(name, value)| {
                    set(&mut own, name, value) || {
                        switch = Some((name.into(), value.into()));
                        set_switch(&mut own.switches, name, value)
                    }
                });
                if !known {
                    eprint!("explore: what is `{word}`?\n\n{HELP}");
                    return ExitCode::from(2);
                }
                is_own = true;
            }
        }
    }
    if is_own {
        searches.push(("own".into(), own));
    } else if searches.is_empty() && !groups {
        groups = true;
        searches = ["a", "b", "d"].map(tier).to_vec();
    }
    let mut code = ExitCode::SUCCESS;
    if groups && !(delivery() & reading()) {
        code = ExitCode::FAILURE;
    }
    for (name, bounds) in searches {
        let b = bounds.budget;
        println!(
            "{name}: records={} fences={} lossy={} kills={} shrinks={} min-isr={}{}{}",
            b.records,
            b.fences,
            b.lossy,
            b.kills,
            b.shrinks,
            bounds.min_isr,
            if bounds.split_fetch {
                " split-fetch"
            } else {
                ""
            },
            if bounds.split_isr { " split-isr" } else { "" },
        );
        let began = Instant::now();
        let found = if breadth {
            shortest(&bounds, u64::MAX, None)
        } else {
            everything(&bounds, &mut |so_far| {
                let rate = so_far.steps * 1_000 / (began.elapsed().as_millis() as u64).max(1);
                eprintln!(
                    "  {:>10} worlds, {:>11} steps, {rate} a second",
                    so_far.states, so_far.steps
                );
            })
        };
        println!(
            "  {} worlds, {} steps, depth {}, {} s",
            found.states,
            found.steps,
            found.depth,
            began.elapsed().as_secs()
        );
        match &found.fault {
            None => println!("  no fault"),
            Some(fault) => {
                let off = switch.as_ref().map(|(n, v)| (n.as_str(), v.as_str()));
                println!("{}", scenario("found", &bounds, off, fault));
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// What each policy can lose and do twice at T1; whether it is what it is known to be.
fn delivery() -> bool {
    let mut well = true;
    for (policy, fence, deletions, expected) in [
        (Policy::Before, true, 0, [true, false, false]),
        (Policy::After, true, 0, [false, true, false]),
        (Policy::AfterAsync, true, 0, [false, true, false]),
        (Policy::AfterAsync, false, 0, [false, true, true]),
        (Policy::Auto, true, 0, [false, true, false]),
        (Policy::Workers, true, 0, [true, true, false]),
        (Policy::Before, true, 1, [true, false, false]),
        (Policy::After, true, 1, [true, true, false]),
        (Policy::Auto, true, 1, [true, true, false]),
        (Policy::Workers, true, 1, [true, true, false]),
    ] {
        // Deletions multiply what there is.
        let budget = if deletions > 0 { 1 } else { 2 };
        let bounds = consumers::Bounds {
            policy,
            fence,
            expiry: true,
            records: 4,
            crashes: budget,
            rebalances: budget,
            deletions,
            ages: 0,
        };
        let began = Instant::now();
        let found = consumers::everything(bounds);
        println!(
            "{bounds:?}\n  {} states, {} steps, {} s",
            found.states,
            found.steps,
            began.elapsed().as_secs()
        );
        let ways = [&found.loss, &found.twice, &found.back];
        for (what, way) in ["lost", "twice", "back"].iter().zip(ways) {
            match way {
                Some(way) => println!("  {what} in {}: {way:?}", way.len()),
                None => println!("  {what}: never"),
            }
        }
        if let Some(text) = found
            .loss
            .as_ref()
            .and_then(|w| consumers::scene(&bounds, w))
        {
            println!("{text}");
        }
        let is = ways.map(Option::is_some);
        if is != expected {
            println!("  expected {expected:?}, is {is:?}");
            well = false;
        }
    }
    well
}

/// One consumer, and a client that asks for the end of the log, over leaders that die: nothing is
/// found with all switches on, and with one off the old bug is.
fn reading() -> bool {
    let readers = |moves, polls| readers::Budget {
        records: 4,
        moves,
        polls,
        saves: 1,
        crashes: 1,
        ..Default::default()
    };
    let asks = readers::Budget {
        records: 4,
        moves: 2,
        asks: 4,
        ..Default::default()
    };
    let no_detection = Switches {
        consumer_truncation_detection: false,
        ..Switches::default()
    };
    let no_guard = Switches {
        list_offsets_guard: false,
        ..Switches::default()
    };
    let mut well = true;
    for (what, switches, unclean, budget, expected) in [
        (
            "all switches on",
            Switches::default(),
            true,
            readers(1, 3),
            [false, false],
        ),
        (
            "all switches on",
            Switches::default(),
            true,
            readers(2, 2),
            [false, false],
        ),
        (
            "consumer_truncation_detection off",
            no_detection,
            true,
            readers(1, 3),
            [true, false],
        ),
        (
            "all switches on",
            Switches::default(),
            false,
            asks,
            [false, false],
        ),
        (
            "list_offsets_guard off",
            no_guard,
            false,
            asks,
            [false, true],
        ),
    ] {
        let began = Instant::now();
        let found = readers::everything(&readers::Bounds {
            switches,
            unclean,
            budget,
        });
        println!("{what}, unclean elections {unclean}: {budget:?}");
        println!("  {} runs, {} s", found.runs, began.elapsed().as_secs());
        let ways = [&found.skipped, &found.end_back];
        for (what, way) in ["passed over", "end back"].iter().zip(ways) {
            match way {
                Some(way) => println!("  {what} in {}: {way:?}", way.len()),
                None => println!("  {what}: never"),
            }
        }
        let is = ways.map(Option::is_some);
        if is != expected {
            println!("  expected {expected:?}, is {is:?}");
            well = false;
        }
    }
    well
}

fn tier(name: &str) -> (String, Bounds) {
    let bounds = match name {
        "a" => Bounds::new(2, 2, 0),
        "b" => Bounds::new(1, 2, 1),
        _ => Bounds::new(3, 2, 0),
    };
    (name.into(), bounds)
}

fn set(bounds: &mut Bounds, name: &str, value: &str) -> bool {
    let place = match name {
        "records" => &mut bounds.budget.records,
        "fences" => &mut bounds.budget.fences,
        "lossy" => &mut bounds.budget.lossy,
        "kills" => &mut bounds.budget.kills,
        "shrinks" => &mut bounds.budget.shrinks,
        "min-isr" => &mut bounds.min_isr,
        _ => return false,
    };
    value.parse().map(|n| *place = n).is_ok()
}

fn set_switch(switches: &mut Switches, name: &str, value: &str) -> bool {
    if name == "truncation" {
        switches.truncation = match value {
            "hw" => Truncation::HighWatermark,
            "kip101" => Truncation::Kip101,
            "kip279" => Truncation::Kip279,
            _ => return false,
        };
        return true;
    }
    let place = match name {
        "maximal_isr" => &mut switches.maximal_isr,
        "broker_epoch_check" => &mut switches.broker_epoch_check,
        "expand_requires_epoch_start" => &mut switches.expand_requires_epoch_start,
        "strict_min_isr" => &mut switches.strict_min_isr,
        "elr" => &mut switches.elr,
        "fetch_epoch_check" => &mut switches.fetch_epoch_check,
        "metadata_keeps_pending_change" => &mut switches.metadata_keeps_pending_change,
        _ => return false,
    };
    *place = false;
    value == "off"
}
