//! The engine's speed on one core, against what is promised: `cargo xtask bench`.
//!
//! Everything is measured beside a baseline in the same run, so that a slow or busy machine
//! shows as such. Exit status 1 if a promise is not kept.

use highwater::history::Tape;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::ids::{BrokerId, Ms};
use highwater::world::World;
use highwater::world::command::{Command, PartitionName};
use highwater::world::setup::Setup;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Time this thread has been computing; a busy machine does not count. Where the system does not
/// tell, time on the wall.
struct Clock(Option<Duration>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(computed(), Instant::now())
    }

    fn elapsed(&self) -> Duration {
        match (computed(), self.0) {
            (Some(now), Some(start)) => now.saturating_sub(start),
            _ => self.1.elapsed(),
        }
    }
}

fn computed() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Events a second on one core.
const EVENTS_A_SECOND: f64 = 1e6;
/// A late step may cost this much more than an early one; above is growth, below is noise.
const GROWTH: f64 = 1.5;
/// A seek natively, a fourth of what a reader may wait in the browser.
const SEEK: Duration = Duration::from_millis(4);

fn main() -> ExitCode {
    let mut report = Report { kept: true };
    report.say(
        "baseline: inserting into an ordered map",
        &rate(baseline(), "inserts"),
        None,
    );
    events(&mut report);
    growth(&mut report);
    seek(&mut report);
    crowd(&mut report);
    report.say("baseline again", &rate(baseline(), "inserts"), None);
    if report.kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints figures and remembers whether all promises are kept.
struct Report {
    kept: bool,
}

impl Report {
    fn say(&mut self, what: &str, figure: &str, promise: Option<(&str, bool)>) {
        match promise {
            None => println!("        {what}: {figure}"),
            Some((promise, true)) => println!("kept    {what}: {figure} ({promise})"),
            Some((promise, false)) => {
                println!("broken  {what}: {figure} ({promise})");
                self.kept = false;
            }
        }
    }
}

fn rate(per_second: f64, unit: &str) -> String {
    format!("{:.2} million {unit} a second", per_second / 1e6)
}

/// Work that has nothing to do with the engine, a second.
fn baseline() -> f64 {
    let start = Clock::start();
    let mut map = BTreeMap::new();
    let mut key = 1_u64;
    for n in 0..1_000_000_u64 {
        key = key.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n);
        map.insert(key >> 44, n);
    }
    black_box(&map);
    1e6 / start.elapsed().as_secs_f64()
}

fn partition(number: u16) -> PartitionName {
    PartitionName {
        topic: "orders".into(),
        partition: number,
    }
}

fn write(number: u16) -> Command {
    Command::Produce {
        client: "shop".into(),
        partition: partition(number),
        records: vec![NewRecord::value("an order")],
    }
}

/// A world with a topic of so many partitions, three replicas each, all in sync.
fn cluster(brokers: u8, partitions: u16) -> World {
    let ids: Vec<BrokerId> = (1..=brokers).map(BrokerId).collect();
    let mut world = World::new(Setup {
        brokers: ids.iter().map(|id| (*id, None)).collect(),
        ..Setup::default()
    });
    let replicas = |n: u16| {
        (0..3)
            .map(|k| ids[usize::from((n + k) % u16::from(brokers))])
            .collect()
    };
    let create = Command::CreateTopic {
        name: "orders".into(),
        assignment: (0..partitions).map(replicas).collect(),
        config: vec![("min.insync.replicas".into(), "2".into())],
    };
    done(&mut world, &create);
    done(
        &mut world,
        &Command::Settle {
            quiet: Ms(2_000),
            limit: Ms(60_000),
        },
    );
    world
}

/// Carries out a command that must be taken; how many events there were.
fn done(world: &mut World, command: &Command) -> usize {
    match world.apply(command) {
        Ok(applied) => applied.events.len(),
        Err(why) => panic!("{command:?}: {why:?}"),
    }
}

/// A busy partition: a write as often as the last is answered.
fn events(report: &mut Report) {
    let mut world = cluster(3, 1);
    let (mut events, start) = (0, Clock::start());
    while start.elapsed() < Duration::from_secs(2) {
        for _ in 0..100 {
            events += done(&mut world, &write(0));
            events += done(&mut world, &Command::Advance(Ms(5)));
        }
    }
    let per_second = events as f64 / start.elapsed().as_secs_f64();
    let kept = per_second >= EVENTS_A_SECOND;
    report.say(
        "a busy partition",
        &rate(per_second, "events"),
        Some(("1 million", kept)),
    );
}

/// Ten thousand steps: the last thousand beside the first.
fn growth(report: &mut Report) {
    let mut world = cluster(3, 1);
    let mut thousand = || {
        let start = Clock::start();
        for _ in 0..1_000 {
            done(&mut world, &write(0));
            done(&mut world, &Command::Advance(Ms(20)));
        }
        start.elapsed().as_secs_f64() * 1e3
    };
    thousand();
    let first = thousand();
    (0..7).for_each(|_| {
        thousand();
    });
    let last = thousand();
    let figure = format!("{first:.1} µs early, {last:.1} µs after nine thousand");
    let kept = last <= GROWTH * first;
    report.say(
        "a step",
        &figure,
        Some(("independent of how many went before", kept)),
    );
}

/// Going to any of two thousand steps.
fn seek(report: &mut Report) {
    let mut tape = Tape::new(cluster(3, 1));
    for n in 0..2_000 {
        tape.begin();
        for command in [write(0), Command::Advance(Ms(50 + n % 7))] {
            if let Err(why) = tape.apply(&command) {
                panic!("{command:?}: {why:?}");
            }
        }
        tape.end();
    }
    let (mut worst, mut all, mut at) = (Duration::ZERO, Duration::ZERO, 1_u32);
    for _ in 0..500 {
        let from = at;
        at = (at * 1_103 + 12_345) % 2_001;
        // Too short for the clock of computing time: the best of some on the wall.
        let tries = (0..5).map(|_| {
            tape.seek(from);
            let start = Instant::now();
            tape.seek(at);
            black_box(tape.machine().picture());
            start.elapsed()
        });
        let best = tries.min().unwrap_or_default();
        worst = worst.max(best);
        all += best;
    }
    let figure = format!("{:.2?} on the average, {worst:.2?} at worst", all / 500);
    report.say(
        "going to any of 2,000 steps",
        &figure,
        Some(("4 ms", worst <= SEEK)),
    );
}

/// A hundred partitions, three replicas each, on six brokers, and one broker that dies.
fn crowd(report: &mut Report) {
    let start = Instant::now();
    let mut world = cluster(6, 100);
    let ready = start.elapsed();
    let start = Clock::start();
    let mut events = 0;
    for n in 0..1_000 {
        events += done(&mut world, &write(n % 100));
        events += done(&mut world, &Command::Advance(Ms(5)));
    }
    let per_second = events as f64 / start.elapsed().as_secs_f64();
    let figure = format!(
        "ready after {ready:.2?}, then {}",
        rate(per_second, "events")
    );
    report.say("100 partitions on 6 brokers", &figure, None);
}
