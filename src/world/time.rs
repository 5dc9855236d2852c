//! Letting time pass.

use super::World;
use super::command::{Command, Refusal, Ticket};
use crate::kafka::ids::*;

/// How much may happen within one millisecond. More is a circle: messages without delay that call
/// each other forth, and the clock never gets on.
const MOST_AT_ONCE: u32 = 100_000;

/// Notices that time stands still.
struct Watch {
    now: Ms,
    happened: u32,
}

impl Watch {
    fn tick(&mut self, now: Ms) -> Result<(), Refusal> {
        if now != self.now {
            (self.now, self.happened) = (now, 0);
        }
        self.happened += 1;
        match self.happened > MOST_AT_ONCE {
            true => Err(Refusal::StandsStill { at: now }),
            false => Ok(()),
        }
    }
}

impl World {
    /// Handles everything that is due up to a time, and stands at that time.
    ///
    /// # Errors
    /// [`Refusal::StandsStill`].
    pub(super) fn run_to(&mut self, until: Ms) -> Result<(), Refusal> {
        let mut watch = self.watch();
        while self.net.next_at().is_some_and(|at| at <= until) {
            self.step();
            watch.tick(self.now)?;
        }
        self.now = self.now.max(until);
        Ok(())
    }

    fn watch(&self) -> Watch {
        Watch {
            now: self.now,
            happened: 0,
        }
    }

    /// Handles the next thing that is due.
    fn step(&mut self) -> bool {
        let Some((at, due)) = self.net.pop() else {
            return false;
        };
        self.now = self.now.max(at);
        self.happen(due);
        true
    }

    pub(super) fn pass_time(&mut self, ticket: Ticket, command: &Command) -> Result<(), Refusal> {
        if self.setup.by_hand {
            return Err(Refusal::WrongMode);
        }
        match command {
            Command::Advance(span) => self.run_to(self.now.plus(*span))?,
            Command::Step => {
                self.step();
            }
            Command::Until { condition, limit } => {
                let began = self.now;
                let end = began.plus(*limit);
                let mut seen = 0;
                let mut watch = self.watch();
                while !self.holds(condition, ticket, &mut seen) {
                    match self.net.next_at() {
                        Some(at) if at <= end => {
                            self.step();
                            watch.tick(self.now)?;
                        }
                        _ => {
                            self.now = end;
                            return Err(Refusal::TimeOut {
                                condition: condition.clone(),
                                waited: *limit,
                            });
                        }
                    }
                }
            }
            Command::Settle { quiet, limit } => {
                let end = self.now.plus(*limit);
                // The quiet is counted from now: something may just have been done.
                let began = self.now;
                let mut watch = self.watch();
                loop {
                    let since = self.events.0.last_visible.max(began);
                    let calm = since.plus(*quiet);
                    match self.net.next_at() {
                        Some(at) if at <= calm.min(end) => {
                            self.step();
                            watch.tick(self.now)?;
                        }
                        _ => {
                            self.now = self.now.max(calm.min(end));
                            break;
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
