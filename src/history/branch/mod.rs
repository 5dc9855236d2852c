//! A branch: a story up to one of its steps, and from there what a reader does with it. It is a
//! scenario like any other, with a beat for each move, so all that can be done with a story can
//! be done with it: walked, drawn, told, printed as a file.

mod codec;
mod facts;
mod moves;
mod story;

pub use codec::{BadLink, CODEC, Link};
pub use moves::{Move, SLOW, Wait, client_name, possible};

use super::run::Run;
use super::tape::Machine;
use crate::kafka::ids::Ms;
use crate::script::ast::{Act, Beat, Line, LineKind, Position, Scenario, Text};
use crate::world::World;
use crate::world::command::Command;
use std::rc::Rc;

/// The most moves of a branch.
pub const MOST: usize = 2_000;

/// A wait for the next change gives up after this time, ms, or so many things that nobody sees.
const QUIET: Ms = Ms(60_000);
const UNSEEN: u32 = 20_000;

/// A story and what was done with it. Of a story told in lanes every lane goes on.
#[derive(Clone, Debug)]
pub struct Branch {
    base: u32,
    run: Run<World>,
    moves: Vec<Move>,
    /// What there was to see at `base` and behind each move.
    marks: Vec<u16>,
}

impl Branch {
    /// Leaves a story behind its step `base` (at most its last).
    pub fn new(story: &Scenario, base: u32) -> Branch {
        let mut scenario = story.clone();
        let base = base.min(scenario.beats.len() as u32);
        scenario.beats.truncate(base as usize);
        let world = World::new(scenario.cluster.setup());
        let mut run = Run::new(Rc::new(scenario), world);
        run.seek(base);
        let mut branch = Branch {
            base,
            run,
            moves: vec![],
            marks: vec![],
        };
        branch.marks.push(branch.mark());
        branch
    }

    /// The step at which it left the story.
    pub fn base(&self) -> u32 {
        self.base
    }

    /// What was done, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The run, behind the last move.
    pub fn run(&self) -> &Run<World> {
        &self.run
    }

    /// What can be done next.
    pub fn possible(&self) -> Vec<Move> {
        let picture = self.run.picture(0);
        picture.map_or(vec![], |picture| possible(self.run.scenario(), &picture))
    }

    /// Makes a move as a step with this title; whether it could be made.
    pub fn go(&mut self, what: Move, title: Text) -> bool {
        if self.moves.len() >= MOST {
            return false;
        }
        let Some(picture) = self.run.picture(0) else {
            return false;
        };
        let Some(mut commands) = moves::commands(self.run.scenario(), &picture, what) else {
            return false;
        };
        if what == Move::Wait(Wait::Change) {
            commands = self.until_change();
        }
        let line = |command| Line {
            at: Position::default(),
            what: LineKind::Do(Act::Same(vec![command])),
        };
        self.run.extend(Beat {
            at: Position::default(),
            mark: None,
            title,
            so: Text::default(),
            focus: vec![],
            question: None,
            lines: commands.into_iter().map(line).collect(),
        });
        self.moves.push(what);
        self.marks.push(self.mark());
        true
    }

    /// Forgets all moves but the first `keep`.
    pub fn cut(&mut self, keep: usize) {
        if keep < self.moves.len() {
            self.moves.truncate(keep);
            self.marks.truncate(keep + 1);
            self.run.cut(self.base + keep as u32);
        }
    }

    /// How many things happen until one that a person can see, as commands. A world in which
    /// nothing is due any more gets one second.
    fn until_change(&self) -> Vec<Command> {
        let Some(mut world) = self.run.machine(0).cloned() else {
            return vec![];
        };
        let began = Machine::now(&world);
        let mut steps = vec![];
        for _ in 0..UNSEEN {
            let Ok(applied) = world.apply(&Command::Step) else {
                break;
            };
            if applied.events.is_empty() && Machine::now(&world) == began && steps.is_empty() {
                break;
            }
            steps.push(Command::Step);
            let seen = applied.events.iter().any(|e| e.kind.is_visible());
            if seen || Machine::now(&world).since(began) > QUIET {
                return steps;
            }
        }
        vec![Command::Advance(Ms(1_000))]
    }

    /// The link to it.
    pub fn link(&self) -> Link {
        Link {
            base: self.base,
            moves: self.moves.clone(),
            marks: codec::marks_of(&self.marks),
        }
    }

    /// Follows a link as far as it leads to what it led to when it was made. `title` words a move
    /// at the moment before it.
    pub fn follow(
        story: &Scenario,
        link: &Link,
        title: &dyn Fn(&Branch, Move) -> Text,
    ) -> Followed {
        let mut branch = Branch::new(story, link.base);
        let asked = link.moves.len();
        let same_start = branch.base == link.base && link.agrees(0, branch.mark());
        let mut good = 0;
        if same_start {
            for (done, what) in (1..).zip(&link.moves) {
                let words = title(&branch, *what);
                if !branch.go(*what, words) || !link.agrees(done, branch.mark()) {
                    break;
                }
                // Only a place that was looked at is known to be the same.
                if link.looks_at(done) {
                    good = done;
                }
            }
        }
        branch.cut(good);
        Followed {
            branch,
            asked,
            good,
            same_start,
        }
    }

    fn mark(&self) -> u16 {
        self.run
            .picture(0)
            .map_or(0, |picture| facts::mark(&picture))
    }
}

/// What a link led to.
#[derive(Clone, Debug)]
pub struct Followed {
    /// As far as it is what it was.
    pub branch: Branch,
    /// How many moves the link has.
    pub asked: usize,
    /// How many of them lead to what they led to.
    pub good: usize,
    /// Whether the story itself is what it was at the step where the link leaves it.
    pub same_start: bool,
}

impl Followed {
    /// Whether it led where it was meant to lead.
    pub fn is_whole(&self) -> bool {
        self.same_start && self.good == self.asked
    }
}
