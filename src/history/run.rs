//! A scenario being played: one tape a lane, one step a beat, every claim held against the
//! machine when its place is reached.

use super::tape::{Machine, Step, Tape};
use crate::kafka::event::Event;
use crate::kafka::ids::Ms;
use crate::script::ast::{Beat, Line, LineKind, Position, Scenario};
use crate::script::check::{Mismatch, check};
use crate::world::command::{Command, Refusal};
use crate::world::picture::Picture;
use std::rc::Rc;

/// Something of a story that did not come true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The step it belongs to; 0 is the setup.
    pub step: u32,
    /// The lane.
    pub lane: u32,
    /// Its line in the scenario's file.
    pub at: Position,
    /// What is wrong.
    pub trouble: Trouble,
}

/// What is wrong with a line of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A command was not taken.
    Refused(Refusal),
    /// A claim does not hold.
    Mismatch(Mismatch),
}

/// A scenario at one of its steps. Step 0 is the state behind its setup, step n that behind its
/// n-th beat.
#[derive(Clone, Debug)]
pub struct Run<M> {
    scenario: Rc<Scenario>,
    lanes: Vec<Tape<M>>,
    start: Ms,
    failures: Vec<Failure>,
}

impl<M: Machine> Run<M> {
    /// Carries out the setup on a machine made for the scenario.
    pub fn new(scenario: Rc<Scenario>, machine: M) -> Self {
        let count = scenario
            .lanes
            .as_ref()
            .map_or(1, |lanes| lanes.values.len());
        let mut run = Run {
            lanes: vec![Tape::new(machine); count],
            scenario: scenario.clone(),
            start: Ms(0),
            failures: vec![],
        };
        run.play(&scenario.setup, 0);
        // What came before the story is not a step: the tapes begin behind it.
        for tape in &mut run.lanes {
            *tape = Tape::new(tape.machine().clone());
        }
        run.start = run.lanes.first().map_or(Ms(0), |tape| tape.machine().now());
        run
    }

    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        &self.scenario
    }

    /// How many steps there are behind step 0.
    pub fn steps(&self) -> u32 {
        self.scenario.beats.len() as u32
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> u32 {
        self.lanes.len() as u32
    }

    /// The step it is at.
    pub fn at(&self) -> u32 {
        self.lanes.first().map_or(0, Tape::at)
    }

    /// The beat that led to the step it is at; `None` at step 0.
    pub fn beat(&self) -> Option<&Beat> {
        self.scenario.beats.get(self.at().checked_sub(1)? as usize)
    }

    /// The step with this mark.
    pub fn marked(&self, mark: &str) -> Option<u32> {
        let beats = (1u32..).zip(&self.scenario.beats);
        let mut found = beats.filter(|(_, beat)| beat.mark.as_deref() == Some(mark));
        found.next().map(|(step, _)| step)
    }

    /// Goes to a step (at most to the last), forwards or back.
    pub fn seek(&mut self, step: u32) {
        let step = step.min(self.steps());
        let reached = self.lanes.first().map_or(0, Tape::len);
        for tape in &mut self.lanes {
            tape.seek(step.min(reached));
        }
        let scenario = self.scenario.clone();
        for step in reached + 1..=step {
            if let Some(beat) = scenario.beats.get(step as usize - 1) {
                // The key of a question is a claim at the beat's end.
                let keys = beat.question.iter().flat_map(|q| &q.keys);
                let lines: Vec<Line> = beat.lines.iter().chain(keys).cloned().collect();
                self.play(&lines, step);
            }
        }
    }

    /// Adds a beat at the end of the story and goes behind it.
    pub fn extend(&mut self, beat: Beat) {
        self.seek(self.steps());
        Rc::make_mut(&mut self.scenario).beats.push(beat);
        self.seek(self.steps());
    }

    /// Forgets all beats behind a step and goes there.
    pub fn cut(&mut self, step: u32) {
        self.seek(step);
        for tape in &mut self.lanes {
            tape.cut();
        }
        Rc::make_mut(&mut self.scenario)
            .beats
            .truncate(step as usize);
        self.failures.retain(|failure| failure.step <= step);
    }

    /// The machine of a lane, at the step.
    pub fn machine(&self, lane: u32) -> Option<&M> {
        self.lanes.get(lane as usize).map(Tape::machine)
    }

    /// What there is to see in a lane, at the step.
    pub fn picture(&self, lane: u32) -> Option<Picture> {
        self.machine(lane).map(M::picture)
    }

    /// What happened in a lane in the beat that led to the step.
    pub fn events(&self, lane: u32) -> &[Event] {
        self.step(lane, self.at()).map_or(&[], |step| &step.events)
    }

    /// What was done and what happened in a lane on the way to a step that has been reached.
    pub fn step(&self, lane: u32, step: u32) -> Option<&Step> {
        self.lanes.get(lane as usize)?.step(step)
    }

    /// The machine's time at step 0, ms: times of the story count from here.
    pub fn start(&self) -> Ms {
        self.start
    }

    /// What of the story has not come true so far, in order.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Carries out lines as one step of every lane, and brings the lanes to one clock.
    fn play(&mut self, lines: &[Line], step: u32) {
        for lane in 0..self.lanes.len() {
            self.lanes[lane].begin();
            self.lane(lines, step, lane);
        }
        let now = self.lanes.iter().map(|tape| tape.machine().now()).max();
        for tape in &mut self.lanes {
            let behind = now.unwrap_or_default().since(tape.machine().now());
            if behind > Ms(0) {
                // A machine that has no clock has no time to be behind in.
                let _ = tape.apply(&Command::Advance(behind));
            }
            tape.end();
        }
    }

    fn lane(&mut self, lines: &[Line], step: u32, lane: usize) {
        let Some(tape) = self.lanes.get_mut(lane) else {
            return;
        };
        for line in lines {
            let mut failed = |trouble| {
                self.failures.push(Failure {
                    step,
                    lane: lane as u32,
                    at: line.at,
                    trouble,
                });
            };
            match &line.what {
                LineKind::Note(_) => {}
                LineKind::Do(act) => {
                    for command in act.commands(lane) {
                        if let Err(refusal) = tape.apply(command) {
                            failed(Trouble::Refused(refusal));
                        }
                    }
                }
                LineKind::Expect(expectation) => {
                    if expectation
                        .lane
                        .is_some_and(|only| usize::from(only) != lane)
                    {
                        continue;
                    }
                    let picture = tape.machine().picture();
                    if let Err(m) = check(&expectation.fact, &picture, tape.events_so_far()) {
                        failed(Trouble::Mismatch(m));
                    }
                }
            }
        }
    }
}
