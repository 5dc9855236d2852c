//! Plays a scenario file and prints each step as text, with every claim that does not hold:
//! `cargo run --example play -- FILE` for the state, `... FILE events` for what happened, in the
//! words of `until event`. For authors of scenes.

use highwater::history::{Run, Trouble};
use highwater::kafka::event::{Event, EventKind};
use highwater::script::parse;
use highwater::world::World;
use highwater::world::picture::{ClientKind, Picture, RolePicture};
use std::process::ExitCode;
use std::rc::Rc;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("Say which scenario file.");
        return ExitCode::FAILURE;
    };
    let with_events = arguments.next().is_some();
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let scenario = match parse(&text) {
        Ok(scenario) => Rc::new(scenario),
        Err(errors) => {
            for error in errors {
                eprintln!("{file}: {error}");
            }
            return ExitCode::FAILURE;
        }
    };
    let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
    for step in 0..=run.steps() {
        run.seek(step);
        let title = run.beat().map_or(&scenario.title, |beat| &beat.title);
        println!("\n{step}. {}\n   {}", title.russian(), title.english());
        for lane in 0..run.lanes() {
            if let (Some(lanes), Some(values)) = (
                &scenario.lanes,
                scenario
                    .lanes
                    .as_ref()
                    .and_then(|l| l.values.get(lane as usize)),
            ) {
                println!(" {}={values}", lanes.variable);
            }
            if let Some(picture) = run.picture(lane) {
                for event in run.events(lane).iter().filter(|_| with_events) {
                    println!("   {}", told(event, &picture, run.start().0));
                }
                if !with_events {
                    print(&picture, run.start().0);
                }
            }
        }
    }
    for failure in run.failures() {
        let what = match &failure.trouble {
            Trouble::Refused(refusal) => format!("not taken: {refusal:?}"),
            Trouble::Mismatch(m) => format!("{} — found {}", m.claim, m.found),
        };
        let (line, step, lane) = (failure.at.line, failure.step, failure.lane);
        println!("{file}:{line}: step {step}, lane {lane}: {what}");
    }
    if run.failures().is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// An event as a script asks for it: kind, then fields.
fn told(event: &Event, picture: &Picture, start: i64) -> String {
    let mut text = format!("{:>6} {}", event.at.0 - start, event.kind.name());
    for field in EventKind::fields_of(event.kind.name()).unwrap_or_default() {
        if let Some(value) = event.kind.field_named(field, picture) {
            text += &format!(" {field}={value}");
        }
    }
    text
}

fn print(picture: &Picture, start: i64) {
    println!("   {} ms", picture.now.0 - start);
    let few = picture.partitions.len() <= 3;
    for p in &picture.partitions {
        if few {
            let leader = p.reg.leader.map_or("none".into(), |b| b.to_string());
            println!(
                "   {}-{}: leader {leader}, epoch {}, ISR {}, ELR {}",
                p.name.topic, p.name.partition, p.reg.leader_epoch, p.reg.isr, p.reg.elr
            );
        }
    }
    if !few {
        let sum: u32 = picture.partitions.iter().map(|p| p.reg.isr.len()).sum();
        let leads = picture.brokers.iter().map(|b| {
            let led = picture
                .partitions
                .iter()
                .filter(|p| p.reg.leader == Some(b.id));
            led.count().to_string()
        });
        let leads: Vec<String> = leads.collect();
        println!("   in sync {sum}, leads {}", leads.join(" · "));
    }
    for b in &picture.brokers {
        println!("   broker {} {:?} fenced {:?}", b.id, b.process, b.fenced);
        for r in b.replicas.iter().filter(|_| few) {
            let role = match &r.role {
                RolePicture::Leader(_) => "leader",
                RolePicture::Follower(_) => "follower",
                RolePicture::Down => "down",
            };
            let records: Vec<String> = r
                .records
                .iter()
                .map(|r| format!("{}@{}", r.value.as_deref().unwrap_or("null"), r.epoch))
                .collect();
            println!(
                "     {role} {}-{} e{} start {} HW {} LEO {} [{}]",
                r.tp.topic,
                r.tp.partition,
                r.leader_epoch,
                r.log_start,
                r.high_watermark,
                r.log_end,
                records.join(", ")
            );
        }
    }
    for c in &picture.clients {
        match &c.kind {
            ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } if few => {
                for s in sends {
                    let values: Vec<&str> = s.values.iter().flatten().map(|v| &**v).collect();
                    println!(
                        "   {} sent {} at {} x{}: {:?}",
                        c.name,
                        values.join(", "),
                        s.at.0 - start,
                        s.attempts,
                        s.state
                    );
                }
            }
            ClientKind::Consumer { received, .. } => {
                let values: Vec<&str> = received.iter().flat_map(|r| r.2.as_deref()).collect();
                println!("   {} received {}", c.name, values.join(", "));
            }
            _ => {}
        }
    }
    for m in picture
        .messages
        .iter()
        .filter(|m| few && !m.what.contains("Heartbeat") && !m.what.starts_with("Metadata"))
    {
        println!(
            "   on its way: {:?}->{:?} {} {:?} due {:?}",
            m.from,
            m.to,
            m.what,
            m.about,
            m.due.map(|d| d.0 - start)
        );
    }
    if !picture.lost.is_empty() {
        println!("   lost {:?}", picture.lost);
    }
    for v in &picture.violations {
        println!("   VIOLATION {}: {}", v.0, v.1);
    }
}
