//! Plays a scenario file and tells each step in the language of scenes, then every claim that does
//! not hold: `cargo xtask play FILE` for the state, `... FILE events` for what happened. For
//! authors of scenes.

use highwater::history::Run;
use highwater::script::{error, parse_bytes};
use highwater::view::report;
use highwater::world::World;
use std::process::ExitCode;
use std::rc::Rc;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (file, with_events) = match (arguments.next(), arguments.next().as_deref()) {
        (Some(file), None) => (file, false),
        (Some(file), Some("events")) => (file, true),
        _ => {
            eprintln!("play FILE [events]: say which scenario file.");
            return ExitCode::from(2);
        }
    };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    let scenario = match parse_bytes(&bytes) {
        Ok(scenario) => Rc::new(scenario),
        Err(errors) => {
            for line in error::told(&errors) {
                eprintln!("{file}: {line}");
            }
            return ExitCode::from(2);
        }
    };
    let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
    for step in 0..=run.steps() {
        run.seek(step);
        println!("{}\n", report::step(&run, with_events).join("\n"));
    }
    for line in report::outcome(&run, &file) {
        println!("{line}");
    }
    if run.failures().is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
