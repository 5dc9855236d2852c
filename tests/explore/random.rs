//! A seeded run of faults of all kinds on a cluster with a clock, and what must hold at its end.

use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use highwater::kafka::event::{Event, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, Isolation, NodeId, OffsetSpec};
use highwater::kafka::metadata::Recovery;
use highwater::script::print_command;
use highwater::world::World;
use highwater::world::command::*;
use highwater::world::setup::{Checks, Setup};
use rand_core::RngCore;
use rand_pcg::Pcg32;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A run: what it starts from and what is done.
pub struct Run {
    pub setup: Setup,
    pub commands: Vec<Command>,
}

/// What is wrong with a run.
pub struct Failure {
    /// The same for the same fault, so that a shorter run can be compared.
    pub kind: String,
    /// The facts.
    pub text: String,
}

impl Run {
    /// The commands as lines of a scenario.
    pub fn script(&self) -> String {
        let brokers = self.setup.brokers.len();
        let jitter = self.setup.link_jitter;
        let mut text = format!("# brokers 1..={brokers}, jitter {jitter} ms\n");
        let mut clients: Vec<Rc<str>> = Vec::new();
        for command in &self.commands {
            if let Some(name) = client(command)
                && !clients.contains(name)
            {
                clients.push(name.clone());
            }
            text.push_str(print_command(command, &clients).trim_end());
            text.push('\n');
        }
        text
    }
}

fn client(command: &Command) -> Option<&Rc<str>> {
    match command {
        Command::Producer { client, .. }
        | Command::Produce { client, .. }
        | Command::ProduceRaw { client, .. }
        | Command::Assign { client, .. }
        | Command::Poll { client, .. }
        | Command::FetchRaw { client, .. }
        | Command::ListOffsets { client, .. } => Some(client),
        _ => None,
    }
}

/// Chance, drawn from a seed.
struct Dice(Pcg32);

impl Dice {
    fn below(&mut self, n: u32) -> u32 {
        self.0.next_u32() % n.max(1)
    }
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }
}

/// What one seed likes to do: faults are drawn from a part of all kinds, so that runs differ.
struct Taste {
    weights: [u32; KINDS],
    /// How many disks may be lost.
    lossy: u32,
    brokers: Vec<BrokerId>,
    min_isr: u32,
    partitions: u16,
}

const KINDS: usize = 21;

fn partition(n: u16) -> PartitionName {
    PartitionName {
        topic: "orders".into(),
        partition: n,
    }
}

/// The run of a seed, of so many steps.
pub fn run(seed: u64, steps: u32) -> Run {
    let mut dice = Dice(Pcg32::new(seed, 0x5851_f42d_4c95_7f2d));
    let count = 3 + dice.below(3) as u8;
    let brokers: Vec<BrokerId> = (1..=count).map(BrokerId).collect();
    let replicas = 3.min(count);
    let min_isr = 1 + dice.below(3).min(u32::from(replicas) - 1);
    let mut weights = [0; KINDS];
    for weight in &mut weights {
        *weight = if dice.one_in(3) { 0 } else { 1 + dice.below(4) };
    }
    // Writing and waiting are part of every run.
    (weights[0], weights[1]) = (8, 10);
    let taste = Taste {
        weights,
        lossy: if dice.one_in(3) { 99 } else { min_isr - 1 },
        brokers: brokers.clone(),
        min_isr,
        partitions: 1 + dice.below(2) as u16,
    };
    let setup = Setup {
        brokers: brokers.iter().map(|b| (*b, None)).collect(),
        link_jitter: Ms(i64::from(dice.below(4))),
        seed,
        checks: Checks::Full,
        ..Setup::default()
    };
    let mut world = World::new(setup.clone());
    let mut commands = Vec::new();
    for command in opening(&taste, replicas, &mut dice) {
        let _ = world.apply(&command);
        commands.push(command);
    }
    let mut lossy = 0;
    let mut written = 0;
    while commands.len() < steps as usize && world.violations().is_empty() {
        let Some(command) = next(&taste, &world, &mut dice, &mut lossy, &mut written) else {
            continue;
        };
        if world.apply(&command).is_ok() {
            commands.push(command);
        }
    }
    Run { setup, commands }
}

fn opening(taste: &Taste, replicas: u8, dice: &mut Dice) -> Vec<Command> {
    let mut assignment = Vec::new();
    for p in 0..taste.partitions {
        let mut all = taste.brokers.clone();
        all.rotate_left(usize::from(p) % taste.brokers.len());
        all.truncate(usize::from(replicas));
        assignment.push(all);
    }
    let mut config: Vec<(Rc<str>, Rc<str>)> = vec![(
        "min.insync.replicas".into(),
        taste.min_isr.to_string().into(),
    )];
    if dice.one_in(8) {
        config.push(("unclean.leader.election.enable".into(), "true".into()));
    }
    let mut commands = vec![Command::CreateTopic {
        name: "orders".into(),
        assignment,
        config,
    }];
    for (name, acks) in [
        ("none", Acks::None),
        ("one", Acks::Leader),
        ("all", Acks::All),
    ] {
        let settings = ProducerSettings {
            acks,
            delivery_timeout: Ms(20_000),
            request_timeout: Ms(5_000),
            linger: Ms(i64::from(dice.below(6))),
            ..ProducerSettings::default()
        };
        commands.push(Command::Producer {
            client: name.into(),
            settings,
        });
    }
    commands.push(Command::Assign {
        client: "reader".into(),
        partitions: (0..taste.partitions).map(partition).collect(),
        seek: None,
        settings: ConsumerSettings {
            offset_reset: OffsetReset::Earliest,
            ..ConsumerSettings::default()
        },
    });
    commands
}

fn next(
    taste: &Taste,
    world: &World,
    dice: &mut Dice,
    lossy: &mut u32,
    written: &mut u32,
) -> Option<Command> {
    let total: u32 = taste.weights.iter().sum();
    let mut at = dice.below(total);
    let kind = taste.weights.iter().position(|w| {
        let hit = at < *w;
        at = at.wrapping_sub(*w);
        hit
    })?;
    let broker = dice.of(&taste.brokers);
    let name = partition(dice.below(u32::from(taste.partitions)) as u16);
    let node = |dice: &mut Dice| {
        if dice.one_in(3) {
            NodeId::Controller
        } else if dice.one_in(4) {
            NodeId::Client(ClientId(dice.below(4) as u16))
        } else {
            NodeId::Broker(dice.of(&taste.brokers))
        }
    };
    let from = NodeId::Broker(broker);
    Some(match kind {
        0 => {
            let records = (0..=dice.below(3))
                .map(|_| {
                    *written += 1;
                    NewRecord::value(&format!("m{written}"))
                })
                .collect();
            Command::Produce {
                client: dice.of(&["none", "one", "all", "all"]).into(),
                partition: name,
                records,
            }
        }
        1 => Command::Advance(Ms(match dice.below(8) {
            0 => i64::from(dice.below(20_000)),
            1..=3 => i64::from(dice.below(3_000)),
            _ => i64::from(dice.below(100)),
        })),
        2 => Command::Kill {
            broker,
            keep: Keep::Everything,
        },
        3 => {
            if *lossy >= taste.lossy {
                return None;
            }
            let picture = world.picture();
            let below = picture
                .partitions
                .iter()
                .filter_map(|p| {
                    let end = picture.replica(broker, p.tp)?.log_end;
                    Some((
                        p.name.clone(),
                        Boundary(i64::from(dice.below(end.0 as u32 + 1))),
                    ))
                })
                .collect();
            *lossy += 1;
            Command::Kill {
                broker,
                keep: Keep::Below(below),
            }
        }
        4 => Command::Freeze { broker },
        5 => Command::Thaw { broker },
        6 => Command::Shutdown { broker },
        7 | 8 => Command::Start { broker },
        9 => Command::Cut {
            from,
            to: node(dice),
        },
        10 => Command::Cut {
            from: node(dice),
            to: from,
        },
        11 | 12 => Command::Heal {
            from,
            to: node(dice),
        },
        13 => Command::Heal {
            from: node(dice),
            to: from,
        },
        14 => Command::Delay {
            from,
            to: node(dice),
            delay: Ms(i64::from(dice.below(400))),
        },
        15 => Command::DelayFetchAnswers {
            broker,
            delay: Ms(i64::from(dice.below(2_000))),
        },
        16 => Command::ElectLeaders {
            unclean: dice.one_in(6),
            partitions: Some(vec![name]),
        },
        17 => {
            let mut replicas = taste.brokers.clone();
            let turn = dice.below(replicas.len() as u32) as usize;
            replicas.rotate_left(turn);
            replicas.truncate(1 + dice.below(replicas.len() as u32) as usize);
            Command::Reassign {
                partition: name,
                replicas: (!dice.one_in(4)).then_some(replicas),
            }
        }
        18 => {
            // To the end of a batch: inside of one Kafka, too, may leave a follower with an older
            // log stuck, which is sent that batch whole and cannot append it.
            let picture = world.picture();
            let p = picture.partition(&name)?;
            let known = picture.replica(broker, p.tp).map(|r| r.high_watermark);
            Command::DeleteRecords {
                partition: name,
                before: known.unwrap_or(Boundary(-1)),
                timeout: Ms(5_000),
            }
        }
        19 => {
            if taste.lossy != 99 && *lossy > 0 {
                return None;
            }
            Command::AlterTopicConfig {
                topic: "orders".into(),
                name: "min.insync.replicas".into(),
                value: Some((1 + dice.below(3)).to_string().into()),
            }
        }
        _ if dice.one_in(2) => Command::Poll {
            client: "reader".into(),
            timeout: Ms(500),
        },
        _ => Command::ListOffsets {
            client: "monitor".into(),
            partition: name,
            spec: OffsetSpec::Latest,
            isolation: Isolation::ReadUncommitted,
        },
    })
}

/// Carries a run out from its start, heals everything and looks at what it came to.
pub fn carry_out(run: &Run) -> Result<(World, Vec<Event>), Failure> {
    let mut world = World::new(run.setup.clone());
    let mut events = Vec::new();
    let mut confirmed: BTreeMap<Ticket, (PartitionName, Vec<Rc<str>>)> = BTreeMap::new();
    for command in &run.commands {
        let Ok(applied) = world.apply(command) else {
            continue;
        };
        if let (
            Command::Produce {
                client,
                partition,
                records,
            },
            Some(ticket),
        ) = (command, applied.ticket)
            && &**client == "all"
        {
            let values = records.iter().filter_map(|r| r.value.clone()).collect();
            confirmed.insert(ticket, (partition.clone(), values));
        }
        events.extend(applied.events);
        sound(&world)?;
    }
    for command in healing(&world) {
        if let Ok(applied) = world.apply(&command) {
            events.extend(applied.events);
        }
        sound(&world)?;
    }
    converged(&world)?;
    nothing_is_lost(&world, &events, &confirmed)?;
    Ok((world, events))
}

fn sound(world: &World) -> Result<(), Failure> {
    match world.violations().first() {
        Some(v) => Err(Failure {
            kind: v.id.into(),
            text: format!("{} {}: {}", v.id, v.name, v.text),
        }),
        None => Ok(()),
    }
}

/// Everything that puts a cluster back into order.
pub fn healing(world: &World) -> Vec<Command> {
    let picture = world.picture();
    let mut nodes: Vec<NodeId> = picture
        .brokers
        .iter()
        .map(|b| NodeId::Broker(b.id))
        .collect();
    nodes.push(NodeId::Controller);
    nodes.extend((0..6).map(|c| NodeId::Client(ClientId(c))));
    let mut commands = Vec::new();
    for from in &nodes {
        for to in &nodes {
            let (from, to) = (*from, *to);
            commands.push(Command::Heal { from, to });
            let delay = Ms(1);
            commands.push(Command::Delay { from, to, delay });
        }
    }
    for broker in picture.brokers.iter().map(|b| b.id) {
        commands.push(Command::Thaw { broker });
        let delay = Ms(0);
        commands.push(Command::DelayFetchAnswers { broker, delay });
        commands.push(Command::Start { broker });
    }
    // A shutdown that was under way may end meanwhile: start again.
    commands.push(Command::Advance(Ms(60_000)));
    let all = picture.brokers.iter().map(|b| b.id);
    commands.extend(all.map(|broker| Command::Start { broker }));
    commands.push(Command::Advance(Ms(60_000)));
    // A change of min.insync.replicas may have cost a leaderless partition its ELR (R-ELR-7): then
    // only this helps.
    commands.push(Command::ElectLeaders {
        unclean: true,
        partitions: None,
    });
    commands.push(Command::Advance(Ms(60_000)));
    commands
}

/// Healed and left alone, a cluster becomes one again: all replicas are in the ISR with equal logs.
fn converged(world: &World) -> Result<(), Failure> {
    let picture = world.picture();
    let fail = |text: String| {
        Err(Failure {
            kind: "not converged".into(),
            text,
        })
    };
    for p in &picture.partitions {
        let reg = &p.reg;
        let name = format!("{}-{}", p.name.topic, p.name.partition);
        let replicas: BrokerSet = reg.replicas.iter().copied().collect();
        if reg.leader.is_none() || reg.isr != replicas || !reg.adding.is_empty() {
            return fail(format!("{name} is {reg:?}"));
        }
        let logs: Vec<_> = replicas
            .iter()
            .filter_map(|b| picture.replica(b, p.tp))
            .map(|r| (r.log_end, r.high_watermark, r.log_start, &r.records))
            .collect();
        if logs.len() != reg.replicas.len() || logs.iter().any(|log| log.1 != log.0) {
            let ends: Vec<_> = logs.iter().map(|l| (l.0, l.1)).collect();
            return fail(format!("{name}: log ends and high watermarks are {ends:?}"));
        }
        let from = logs.iter().map(|l| l.2).max().unwrap_or(Boundary(0)).next();
        let visible = |at: usize| -> Vec<_> {
            let records = logs[at].3.iter().filter(|r| r.offset >= from);
            records.map(|r| (r.offset, r.epoch, &r.value)).collect()
        };
        if (1..logs.len()).any(|at| visible(at) != visible(0)) {
            return fail(format!("{name}: the logs differ"));
        }
    }
    Ok(())
}

/// What was confirmed under acks=all is there, as far as the faults allow a promise.
fn nothing_is_lost(
    world: &World,
    events: &[Event],
    confirmed: &BTreeMap<Ticket, (PartitionName, Vec<Rc<str>>)>,
) -> Result<(), Failure> {
    let picture = world.picture();
    for p in &picture.partitions {
        let unclean = events.iter().any(|e| {
            matches!(&e.kind, EventKind::PartitionChanged { tp, new, .. }
                if *tp == p.tp && new.recovery == Recovery::Recovering)
        });
        let disks = events
            .iter()
            .filter(|e| {
                matches!(&e.kind, EventKind::Truncated { tp, reason, .. }
                    if *tp == p.tp && *reason == highwater::kafka::event::TruncateReason::DiskLoss)
            })
            .count() as u32;
        let lowest = events
            .iter()
            .filter_map(|e| match &e.kind {
                EventKind::ConfigChanged { name, value, .. }
                    if &**name == "min.insync.replicas" =>
                {
                    value.as_ref()?.parse().ok()
                }
                _ => None,
            })
            .chain([p.min_isr])
            .min()
            .unwrap_or(1);
        if unclean || disks >= lowest {
            continue;
        }
        let Some(log) = p.reg.leader.and_then(|l| picture.replica(l, p.tp)) else {
            continue;
        };
        for (ticket, (_, values)) in confirmed.iter().filter(|(_, c)| c.0 == p.name) {
            let Some(Reply::Produced(offsets)) = world.reply(*ticket) else {
                continue;
            };
            for (offset, value) in offsets.iter().flatten().zip(values) {
                let there = offset.before() < log.log_start
                    || log
                        .records
                        .iter()
                        .any(|r| r.offset == *offset && r.value.as_ref() == Some(value));
                if !there {
                    return Err(Failure {
                        kind: "lost".into(),
                        text: format!(
                            "record {offset} ({value}) was confirmed under acks=all and is gone"
                        ),
                    });
                }
            }
        }
    }
    Ok(())
}

/// A shorter run with the same fault: parts are left out as long as it stays.
pub fn shrink(run: &Run, failure: &Failure) -> Run {
    let mut kept = run.commands.clone();
    let mut tries = 400;
    let mut size = kept.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < kept.len() && tries > 0 {
            tries -= 1;
            let mut shorter = kept.clone();
            shorter.drain(at..(at + size).min(kept.len()));
            let candidate = Run {
                setup: run.setup.clone(),
                commands: shorter,
            };
            match carry_out(&candidate) {
                Err(f) if f.kind == failure.kind => kept = candidate.commands,
                _ => at += size,
            }
        }
        size /= 2;
    }
    Run {
        setup: run.setup.clone(),
        commands: kept,
    }
}
