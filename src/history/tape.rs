//! One machine and what was done to it, step by step.

use crate::kafka::event::Event;
use crate::kafka::ids::Ms;
use crate::world::World;
use crate::world::command::{Applied, Command, Refusal};
use crate::world::picture::Picture;
use std::rc::Rc;

/// Something that carries out commands, always in the same way. Cloning is cheap enough to do it
/// every few steps.
pub trait Machine: Clone + Eq {
    /// Carries out a command.
    ///
    /// # Errors
    /// Why it was not taken.
    fn apply(&mut self, command: &Command) -> Result<Applied, Refusal>;
    /// What there is to see.
    fn picture(&self) -> Picture;
    /// Its time, ms.
    fn now(&self) -> Ms;
}

impl Machine for World {
    fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
        // A call that throws IllegalStateException has done nothing: a story must not go on over it.
        match self.out_of_turn(command) {
            Some(refusal) => Err(refusal),
            None => World::apply(self, command),
        }
    }
    fn picture(&self) -> Picture {
        World::picture(self)
    }
    fn now(&self) -> Ms {
        World::now(self)
    }
}

/// What was done in a step, and what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// What happened, in order.
    pub events: Rc<[Event]>,
    /// The time at its end, ms.
    pub time: Ms,
}

/// A checkpoint is kept after so many steps or events, whichever comes first, so that a seek
/// replays no more than that.
const STEPS_BETWEEN: u32 = 16;
const EVENTS_BETWEEN: u32 = 4_096;

/// A machine at a position among the steps done to it.
#[derive(Clone, Debug)]
pub struct Tape<M> {
    machine: M,
    at: u32,
    steps: Vec<Step>,
    /// (position, the machine there), in order; the first is position 0.
    checkpoints: Vec<(u32, M)>,
    /// Events since the last checkpoint.
    since: u32,
    /// The step being written: commands and events so far.
    open: Option<(Vec<Command>, Vec<Event>)>,
}

impl<M: Machine> Tape<M> {
    /// Begins at position 0 with this machine.
    pub fn new(machine: M) -> Self {
        Tape {
            checkpoints: vec![(0, machine.clone())],
            machine,
            at: 0,
            steps: vec![],
            since: 0,
            open: None,
        }
    }

    /// How many steps have been done.
    pub fn len(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Whether no step has been done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The position: after so many steps.
    pub fn at(&self) -> u32 {
        self.at
    }

    /// The machine at the position.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// The step that led to a position; `None` for position 0 and what has not been done.
    pub fn step(&self, position: u32) -> Option<&Step> {
        self.steps.get(position.checked_sub(1)? as usize)
    }

    /// Begins a step at the position. Steps behind it are forgotten.
    pub fn begin(&mut self) {
        self.cut();
        self.open = Some((vec![], vec![]));
    }

    /// Forgets the steps behind the position.
    pub fn cut(&mut self) {
        self.steps.truncate(self.at as usize);
        self.checkpoints
            .retain(|(position, _)| *position <= self.at);
        if let Some((position, _)) = self.checkpoints.last() {
            let tail = self.steps.iter().skip(*position as usize);
            self.since = tail.map(|step| step.events.len() as u32).sum();
        }
    }

    /// Carries out a command within the step begun (begins one, if none is).
    ///
    /// # Errors
    /// Why the machine did not take it.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
        if self.open.is_none() {
            self.begin();
        }
        let applied = self.machine.apply(command);
        if let Some((commands, events)) = &mut self.open {
            // A refused one too: an `until` that runs out of time has let that time pass.
            commands.push(command.clone());
            if let Ok(applied) = &applied {
                events.extend(applied.events.iter().cloned());
            }
        }
        applied
    }

    /// Events of the step begun, so far.
    pub fn events_so_far(&self) -> &[Event] {
        self.open.as_ref().map_or(&[], |(_, events)| events)
    }

    /// Ends the step: the position is behind it.
    pub fn end(&mut self) {
        let Some((commands, events)) = self.open.take() else {
            return;
        };
        self.since = self.since.saturating_add(events.len() as u32);
        self.steps.push(Step {
            commands,
            events: events.into(),
            time: self.machine.now(),
        });
        self.at += 1;
        let last = self.checkpoints.last().map_or(0, |(position, _)| *position);
        if self.at - last >= STEPS_BETWEEN || self.since >= EVENTS_BETWEEN {
            self.checkpoints.push((self.at, self.machine.clone()));
            self.since = 0;
        }
    }

    /// Goes to a position that has been reached before (at most to the last).
    pub fn seek(&mut self, position: u32) {
        self.open = None;
        let position = position.min(self.len());
        let near = self.checkpoints.partition_point(|(at, _)| *at <= position);
        if let Some((at, machine)) = near.checked_sub(1).and_then(|i| self.checkpoints.get(i))
            && (self.at > position || self.at < *at)
        {
            self.machine = machine.clone();
            self.at = *at;
        }
        while self.at < position {
            let Some(step) = self.steps.get(self.at as usize) else {
                return;
            };
            for command in &step.commands {
                // Refused then, so refused now: a machine does the same thing every time.
                let _ = self.machine.apply(command);
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::event::{EventId, EventKind};
    use crate::kafka::ids::BrokerId;
    use crate::kafka::metadata::Image;
    use std::cell::Cell;

    thread_local! {
        /// Commands that any machine has carried out.
        static WORK: Cell<u32> = const { Cell::new(0) };
    }

    /// Adds up time, in a way that depends on the order of what it is told.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Adder(i64);

    impl Machine for Adder {
        fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
            WORK.set(WORK.get() + 1);
            match command {
                Command::Advance(ms) => self.0 = self.0.wrapping_mul(3) + ms.0,
                _ => return Err(Refusal::WrongMode),
            }
            let kind = EventKind::Frozen {
                broker: BrokerId(1),
            };
            let event = Event {
                id: EventId(0),
                at: Ms(self.0),
                causes: vec![],
                kind,
            };
            let ticket = None;
            Ok(Applied {
                ticket,
                events: vec![event],
            })
        }
        fn picture(&self) -> Picture {
            Picture {
                stores: vec![],
                now: self.now(),
                partitions: vec![],
                brokers: vec![],
                controller: Rc::new(Image::empty()),
                clients: vec![],
                transactions: vec![],
                messages: vec![],
                groups: Vec::new(),
                lost: vec![],
                violations: vec![],
            }
        }
        fn now(&self) -> Ms {
            Ms(self.0)
        }
    }

    fn tape(steps: i64) -> (Tape<Adder>, Vec<Adder>) {
        let mut tape = Tape::new(Adder(1));
        let mut reached = vec![tape.machine().clone()];
        for n in 0..steps {
            tape.begin();
            tape.apply(&Command::Advance(Ms(n))).unwrap();
            assert_eq!(tape.apply(&Command::Step), Err(Refusal::WrongMode));
            tape.end();
            reached.push(tape.machine().clone());
        }
        (tape, reached)
    }

    #[test]
    fn every_step_is_the_same_from_either_side() {
        let (mut tape, reached) = tape(100);
        for from in [0, 1, 15, 16, 17, 50, 100] {
            for to in 0..=100 {
                tape.seek(from);
                tape.seek(to);
                assert_eq!(tape.at(), to);
                assert_eq!(tape.machine(), &reached[to as usize], "{from} to {to}");
            }
        }
        tape.seek(1_000);
        assert_eq!(tape.at(), 100);
    }

    #[test]
    fn a_seek_costs_the_same_however_long_the_tape_is() {
        for steps in [100, 2_000] {
            let (mut tape, _) = tape(steps);
            for to in (0..steps as u32).rev() {
                WORK.set(0);
                tape.seek(to);
                assert!(
                    WORK.get() <= 2 * STEPS_BETWEEN,
                    "{steps} steps, to {to}: {}",
                    WORK.get()
                );
            }
        }
    }

    #[test]
    fn a_step_after_going_back_begins_another_future() {
        let (mut tape, reached) = tape(40);
        tape.seek(20);
        tape.apply(&Command::Advance(Ms(7))).unwrap();
        tape.end();
        assert_eq!((tape.len(), tape.at()), (21, 21));
        let there = tape.machine().clone();
        assert_ne!(there, reached[21]);
        tape.seek(3);
        assert_eq!(tape.machine(), &reached[3]);
        tape.seek(21);
        assert_eq!(tape.machine(), &there);
        assert_eq!(tape.step(21).map(|step| step.commands.len()), Some(1));
    }
}
