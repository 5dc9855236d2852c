//! Every run of a small cluster: nothing happens by itself, everything that can happen is tried.
//! What disturbs (a write, a fence, a crash, a lapse) has a budget; what heals is free.

use highwater::kafka::batch::NewRecord;
use highwater::kafka::event::Event;
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, Body, NodeId};
use highwater::kafka::switches::Switches;
use highwater::script::print_command;
use highwater::world::World;
use highwater::world::by_hand::{Next, Standing};
use highwater::world::canonical::Words;
use highwater::world::command::*;
use highwater::world::setup::{Checks, Setup};
use std::rc::Rc;

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub budget: Budget,
    /// min.insync.replicas
    pub min_isr: u8,
    /// A fetch's question, handling and answer are three steps, not one.
    pub split_fetch: bool,
    /// So are those of a change of the ISR. Else the controller decides at once and the leader
    /// learns it from the metadata.
    pub split_isr: bool,
    pub switches: Switches,
}

/// How often something may still disturb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub records: u8,
    pub fences: u8,
    /// Crashes that lose a part of the log.
    pub lossy: u8,
    pub kills: u8,
    /// Lapses of followers in the ISR.
    pub shrinks: u8,
}

impl Bounds {
    pub fn new(records: u8, fences: u8, lossy: u8) -> Bounds {
        Bounds {
            budget: Budget {
                records,
                fences,
                lossy,
                ..Budget::default()
            },
            min_isr: 2,
            split_fetch: false,
            split_isr: false,
            switches: Switches::default(),
        }
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Write(BrokerId),
    Fetch(BrokerId),
    Ask(BrokerId),
    Deliver(NodeId, NodeId),
    Apply(BrokerId),
    Fence(BrokerId),
    Unfence(BrokerId),
    Kill(BrokerId),
    Lose(BrokerId, Boundary),
    Start(BrokerId),
    Lapse(BrokerId, BrokerId),
}

/// The only partition.
pub const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};

fn p0() -> PartitionName {
    PartitionName {
        topic: "p".into(),
        partition: 0,
    }
}

/// A world, and the commands that have made it what it is, if they are kept.
pub struct Hand {
    pub world: World,
    pub commands: Option<Vec<Command>>,
    pub events: Option<Vec<Event>>,
}

impl Hand {
    fn fork(world: &World) -> Hand {
        Hand {
            world: world.clone(),
            commands: None,
            events: None,
        }
    }

    fn apply(&mut self, command: Command) -> bool {
        let Ok(applied) = self.world.apply(&command) else {
            return false;
        };
        if let Some(events) = &mut self.events {
            events.extend(applied.events);
        }
        if let Some(commands) = &mut self.commands {
            commands.push(command);
        }
        true
    }

    /// The world the search begins with: three brokers, broker 1 leads, everybody knows it.
    pub fn start(bounds: &Bounds, record: bool) -> Hand {
        let setup = Setup {
            by_hand: true,
            switches: bounds.switches,
            checks: Checks::Cheap,
            ..Setup::default()
        };
        let mut world = World::new(setup);
        world.record_events(record);
        let mut hand = Hand {
            world,
            commands: Some(Vec::new()),
            events: None,
        };
        hand.apply(Command::CreateTopic {
            name: "p".into(),
            assignment: vec![[1, 2, 3].map(BrokerId).to_vec()],
            config: vec![(
                "min.insync.replicas".into(),
                bounds.min_isr.to_string().into(),
            )],
        });
        for broker in [1, 2, 3].map(BrokerId) {
            while hand.apply(Command::ApplyMetadata { broker }) {}
        }
        hand
    }

    /// Takes a step. What a client is answered, and answers that nobody waits for, go at once; so
    /// does the controller's decision on an ISR, if it is no step of its own.
    pub fn take(&mut self, act: Act, bounds: &Bounds, budget: Budget) {
        match act {
            Act::Write(broker) => {
                let client: Rc<str> = "w".into();
                let number = bounds.budget.records - budget.records;
                self.apply(Command::ProduceRaw {
                    client,
                    broker,
                    partition: p0(),
                    records: vec![NewRecord::value(&format!("m{number}"))],
                    acks: Acks::All,
                    timeout: Ms(30_000),
                    stamp: None,
                });
                let from = NodeId::Client(ClientId(0));
                let to = NodeId::Broker(broker);
                self.apply(Command::Deliver { from, to });
            }
            Act::Fetch(follower) => {
                self.apply(Command::FetchNow { follower });
            }
            Act::Ask(follower) => {
                self.apply(Command::Ask { follower });
            }
            Act::Deliver(from, to) => {
                self.apply(Command::Deliver { from, to });
            }
            Act::Apply(broker) => {
                self.apply(Command::ApplyMetadata { broker });
            }
            Act::Fence(broker) => {
                self.apply(Command::Fence { broker });
            }
            Act::Unfence(broker) => {
                self.apply(Command::Unfence { broker });
            }
            // Nobody can tell the crash from its discovery: a dead broker does nothing in between.
            Act::Kill(broker) => {
                let keep = Keep::Everything;
                self.apply(Command::Kill { broker, keep });
                self.apply(Command::Fence { broker });
            }
            Act::Lose(broker, boundary) => {
                let keep = Keep::Below([(p0(), boundary)].into_iter().collect());
                self.apply(Command::Kill { broker, keep });
                self.apply(Command::Fence { broker });
            }
            Act::Start(broker) => {
                self.apply(Command::Start { broker });
            }
            Act::Lapse(leader, follower) => {
                self.apply(Command::Lapse { leader, follower });
            }
        }
        while let Some(command) = self.follows_at_once(bounds) {
            if !self.apply(command) {
                break;
            }
        }
        let quiet = |world: &World| {
            let all = world.standings(TP).into_iter();
            all.filter(|s| s.next == Next::Quiet)
                .map(|s| s.broker)
                .next()
        };
        while let Some(broker) = quiet(&self.world) {
            if !self.apply(Command::ApplyMetadata { broker }) {
                break;
            }
        }
    }

    fn follows_at_once(&self, bounds: &Bounds) -> Option<Command> {
        let deliver = |from, to| Some(Command::Deliver { from, to });
        self.world.waiting().find_map(|m| {
            let (from, to) = (m.from, m.to);
            match (&m.body, to) {
                (_, NodeId::Client(_)) => deliver(from, to),
                (Body::AlterPartition { .. }, _) if !bounds.split_isr => deliver(from, to),
                (Body::AlterPartitionAnswer { result, .. }, _) if !bounds.split_isr => match result
                {
                    Ok(_) => Some(Command::Lose { from, to }),
                    Err(_) => deliver(from, to),
                },
                (Body::AlterPartitionAnswer { .. } | Body::FetchAnswer(_), _)
                    if !self.world.is_awaited(m) =>
                {
                    deliver(from, to)
                }
                _ => None,
            }
        })
    }
}

/// What can happen in a world.
fn acts(world: &World, budget: Budget, bounds: &Bounds) -> Vec<(Act, Budget)> {
    let all = world.standings(TP);
    let mut acts = Vec::new();
    let running = |id| all.iter().any(|s: &Standing| s.broker == id && s.running);
    let spend = |f: fn(&mut Budget) -> &mut u8| {
        let mut rest = budget;
        let left = f(&mut rest);
        *left = left.checked_sub(1)?;
        Some(rest)
    };
    for s in &all {
        let id = s.broker;
        if !s.running {
            acts.push((Act::Start(id), budget));
            continue;
        }
        if s.next == Next::Loud {
            acts.push((Act::Apply(id), budget));
        }
        if s.leads
            && let Some(rest) = spend(|b| &mut b.records)
        {
            acts.push((Act::Write(id), rest));
        }
        if let Some(leader) = s.follows.filter(|l| running(*l)) {
            if !bounds.split_fetch {
                acts.push((Act::Fetch(id), budget));
            } else if !world.is_fetching(id, leader) {
                acts.push((Act::Ask(id), budget));
            }
        }
        if s.fenced && s.live {
            acts.push((Act::Unfence(id), budget));
        }
        if !s.fenced
            && let Some(rest) = spend(|b| &mut b.fences)
        {
            acts.push((Act::Fence(id), rest));
        }
        if let Some(rest) = spend(|b| &mut b.kills) {
            acts.push((Act::Kill(id), rest));
        }
        if let Some(rest) = spend(|b| &mut b.lossy) {
            let ends = 0..s.log_end.0;
            acts.extend(ends.map(|at| (Act::Lose(id, Boundary(at)), rest)));
        }
        for follower in s.may_lapse.iter() {
            if !s.isr.contains(follower) {
                acts.push((Act::Lapse(id, follower), budget));
            } else if let Some(rest) = spend(|b| &mut b.shrinks) {
                acts.push((Act::Lapse(id, follower), rest));
            }
        }
    }
    let mut links: Vec<(NodeId, NodeId)> = Vec::new();
    for message in world.waiting() {
        let link = (message.from, message.to);
        if !links.contains(&link) {
            links.push(link);
            acts.push((Act::Deliver(link.0, link.1), budget));
        }
    }
    acts
}

/// The numbers of the worlds seen: open addressing, since a set of the standard library takes
/// three times as much.
struct Seen {
    table: Vec<u128>,
    len: usize,
}

impl Seen {
    fn new() -> Seen {
        Seen {
            table: vec![0; 1 << 12],
            len: 0,
        }
    }

    /// Adds a number. `false`: it was there.
    fn insert(&mut self, number: u128) -> bool {
        let number = number.max(1);
        if self.len * 4 > self.table.len() * 3 {
            let bigger = vec![0; self.table.len() * 2];
            let old = std::mem::replace(&mut self.table, bigger);
            for number in old.into_iter().filter(|n| *n != 0) {
                let at = self.place(number);
                self.table[at] = number;
            }
        }
        let at = self.place(number);
        if self.table[at] == number {
            return false;
        }
        self.table[at] = number;
        self.len += 1;
        true
    }

    fn place(&self, number: u128) -> usize {
        let mask = self.table.len() - 1;
        let mut at = number as usize & mask;
        while self.table[at] != 0 && self.table[at] != number {
            at = (at + 1) & mask;
        }
        at
    }
}

/// What a search came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Different worlds.
    pub states: u64,
    /// Steps tried.
    pub steps: u64,
    /// The longest run without a world seen before.
    pub depth: u32,
    /// The fault, if there is one.
    pub fault: Option<Fault>,
}

/// An invariant that does not hold, and how to get there.
#[derive(Debug)]
pub struct Fault {
    pub id: &'static str,
    pub text: String,
    pub acts: Vec<Act>,
}

fn number(world: &World, budget: Budget, words: &mut Words) -> u128 {
    let spent = [
        budget.records,
        budget.fences,
        budget.lossy,
        budget.kills,
        budget.shrinks,
    ];
    let spent = spent.iter().fold(0_u64, |n, b| n << 8 | u64::from(*b));
    let spent = (spent + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    world.canonical(words) ^ (u128::from(spent) << 64 | u128::from(spent.rotate_left(32)))
}

fn fault(world: &World) -> Option<(&'static str, String)> {
    let seen = world.violations().first().cloned();
    let found = seen.or_else(|| world.check().into_iter().next());
    found.map(|v| (v.id, format!("{} {}: {}", v.id, v.name, v.text)))
}

/// Tries everything, in depth: the memory needed is that of the numbers alone. `tell` is told how
/// far it has come, now and then.
pub fn everything(bounds: &Bounds, tell: &mut dyn FnMut(&Found)) -> Found {
    let mut found = Found::default();
    let mut seen = Seen::new();
    let mut words = Words::default();
    let start = Hand::start(bounds, false).world;
    seen.insert(number(&start, bounds.budget, &mut words));
    found.states = 1;
    let first = acts(&start, bounds.budget, bounds);
    let mut stack = vec![(start, first)];
    let mut path: Vec<Act> = Vec::new();
    while let Some((world, open)) = stack.last_mut() {
        let Some((act, budget)) = open.pop() else {
            stack.pop();
            path.pop();
            continue;
        };
        let before = stack_budget(bounds, &path);
        let mut hand = Hand::fork(world);
        hand.take(act, bounds, before);
        found.steps += 1;
        if !seen.insert(number(&hand.world, budget, &mut words)) {
            continue;
        }
        found.states += 1;
        path.push(act);
        found.depth = found.depth.max(path.len() as u32);
        if let Some((id, text)) = fault(&hand.world) {
            let acts = path.clone();
            found.fault = Some(Fault { id, text, acts });
            return found;
        }
        if found.states.is_multiple_of(1 << 18) {
            tell(&found);
        }
        let next = acts(&hand.world, budget, bounds);
        stack.push((hand.world, next));
    }
    found
}

/// What looks at the worlds in passing: what happened on the way to one, and what it is.
pub type Look<'a> = &'a mut dyn FnMut(&[Event], &World);

/// The shortest way to a fault, in breadth, among so many worlds. `look` sees them all.
pub fn shortest(bounds: &Bounds, limit: u64, mut look: Option<Look<'_>>) -> Found {
    let mut found = Found::default();
    let mut seen = Seen::new();
    let mut words = Words::default();
    let start = Hand::start(bounds, look.is_some()).world;
    seen.insert(number(&start, bounds.budget, &mut words));
    found.states = 1;
    let mut ways: Vec<(usize, Option<Act>)> = vec![(0, None)];
    let mut level = vec![(start, bounds.budget, 0_usize)];
    while !level.is_empty() {
        found.depth += 1;
        let mut next = Vec::new();
        for (world, budget, from) in level {
            for (act, rest) in acts(&world, budget, bounds) {
                let mut hand = Hand::fork(&world);
                hand.events = look.as_ref().map(|_| Vec::new());
                hand.take(act, bounds, budget);
                if let (Some(look), Some(events)) = (&mut look, &hand.events) {
                    look(events, &hand.world);
                }
                found.steps += 1;
                if !seen.insert(number(&hand.world, rest, &mut words)) {
                    continue;
                }
                found.states += 1;
                ways.push((from, Some(act)));
                let at = ways.len() - 1;
                if let Some((id, text)) = fault(&hand.world) {
                    let acts = way(&ways, at);
                    found.fault = Some(Fault { id, text, acts });
                    return found;
                }
                if found.states >= limit {
                    return found;
                }
                next.push((hand.world, rest, at));
            }
        }
        level = next;
    }
    found
}

fn way(ways: &[(usize, Option<Act>)], mut at: usize) -> Vec<Act> {
    let mut acts = Vec::new();
    while let (from, Some(act)) = ways[at] {
        acts.push(act);
        at = from;
    }
    acts.reverse();
    acts
}

/// What is left of the budget after these steps.
fn stack_budget(bounds: &Bounds, path: &[Act]) -> Budget {
    let written = path.iter().filter(|a| matches!(a, Act::Write(_))).count();
    Budget {
        records: bounds.budget.records - written as u8,
        ..bounds.budget
    }
}

/// The steps again, with events; `told` is handed the commands of each.
pub fn again(bounds: &Bounds, acts: &[Act], told: &mut dyn FnMut(Act, Vec<Command>)) -> Hand {
    let mut hand = Hand::start(bounds, true);
    hand.events = Some(Vec::new());
    for (at, act) in acts.iter().enumerate() {
        let budget = stack_budget(bounds, &acts[..at]);
        hand.commands = Some(Vec::new());
        hand.take(*act, bounds, budget);
        told(*act, hand.commands.take().unwrap_or_default());
    }
    hand
}

/// A fault as a scenario: a beat a step, and the claim that the invariant breaks in the last.
pub fn scenario(
    name: &str,
    bounds: &Bounds,
    switch: Option<(&str, &str)>,
    fault: &Fault,
) -> String {
    let clients: [Rc<str>; 1] = ["w".into()];
    let line = |c: &Command| format!("  {}\n", print_command(c, &clients).trim());
    let steps = fault.acts.len();
    let mut text = format!("# Found by search, the shortest way there: {steps} steps.\n");
    text += &format!("# {}\nscenario {name}\n", fault.text);
    text += &format!(
        "title en: {}\nquestion en: How does {} break?\n",
        fault.text, fault.id
    );
    text += "cluster brokers=1,2,3 by-hand=yes\n";
    if let Some((name, value)) = switch {
        text += &format!("switch {name}={value}\n");
    }
    text += "setup\n";
    let start = Hand::start(bounds, false);
    text.extend(start.commands.iter().flatten().map(line));
    let mut beats: Vec<String> = Vec::new();
    again(bounds, &fault.acts, &mut |act, commands| {
        let lines: String = commands.iter().map(line).collect();
        beats.push(format!("beat\n  title en: {act}\n{lines}"));
    });
    text += &beats.concat();
    text + &format!("  expect event violation invariant={}\n", fault.id)
}

impl std::fmt::Display for Act {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let node = |n: &NodeId| match n {
            NodeId::Controller => "the controller".to_string(),
            NodeId::Broker(b) => format!("broker {b}"),
            NodeId::Client(_) => "the client".to_string(),
        };
        match self {
            Act::Write(b) => write!(f, "broker {b} appends a record"),
            Act::Fetch(b) => write!(f, "broker {b} fetches"),
            Act::Ask(b) => write!(f, "broker {b} asks its leader"),
            Act::Deliver(from, to) => {
                write!(f, "a message from {} reaches {}", node(from), node(to))
            }
            Act::Apply(b) => write!(f, "broker {b} takes in metadata"),
            Act::Fence(b) => write!(f, "broker {b} is fenced"),
            Act::Unfence(b) => write!(f, "broker {b} is unfenced"),
            Act::Kill(b) => write!(f, "broker {b} dies"),
            Act::Lose(b, at) => write!(f, "broker {b} dies and keeps records below {at}"),
            Act::Start(b) => write!(f, "broker {b} starts"),
            Act::Lapse(leader, b) => write!(f, "broker {b} lags too long for broker {leader}"),
        }
    }
}
