//! Letting time pass, and moving a world without a clock by hand.

use super::World;
use super::command::{Command, Refusal, Ticket};
use crate::kafka::event::Cause;
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;

impl World {
    /// Handles everything that is due up to a time, and stands at that time.
    pub(super) fn run_to(&mut self, until: Ms) {
        while self.net.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.now = self.now.max(until);
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
            Command::Advance(span) => self.run_to(self.now.plus(*span)),
            Command::Step => {
                self.step();
            }
            Command::Until { condition, limit } => {
                let began = self.now;
                let end = began.plus(*limit);
                let mut seen = 0;
                while !self.holds(condition, ticket, &mut seen) {
                    match self.net.next_at() {
                        Some(at) if at <= end => {
                            self.step();
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
                loop {
                    let since = self.events.0.last_visible.max(began);
                    let calm = since.plus(*quiet);
                    match self.net.next_at() {
                        Some(at) if at <= calm.min(end) => {
                            self.step();
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

    /// Commands for a world without a clock.
    pub(super) fn by_hand(&mut self, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Fence { broker } => {
                self.known(*broker)?;
                let mut out = self.out(Cause::default());
                self.controller.fence(*broker, &mut out);
                self.take(out);
                return Ok(());
            }
            Command::Unfence { broker } => {
                self.known(*broker)?;
                let mut out = self.out(Cause::default());
                self.controller.unfence(*broker, &mut out);
                self.take(out);
                return Ok(());
            }
            Command::Deliver { from, to } => {
                let message = self.net.take(*from, *to).ok_or(Refusal::NoMessage {
                    from: *from,
                    to: *to,
                })?;
                self.deliver(message);
                return Ok(());
            }
            Command::Lapse { leader, follower } => {
                self.known(*leader)?;
                self.known(*follower)?;
                let mut out = self.out(Cause::default());
                if let Some(broker) = self.broker_mut(*leader) {
                    broker.lapse(*follower, &mut out);
                }
                self.take(out);
                return Ok(());
            }
            _ => {}
        }
        if !self.setup.by_hand {
            return Err(Refusal::WrongMode);
        }
        match command {
            Command::Ask { follower } => {
                self.known(*follower)?;
                self.ask(*follower);
            }
            Command::FetchNow { follower } => {
                self.known(*follower)?;
                self.ask(*follower);
                let me = NodeId::Broker(*follower);
                let others: Vec<BrokerId> = self
                    .machines
                    .keys()
                    .copied()
                    .filter(|b| b != follower)
                    .collect();
                for leader in others {
                    // Question and answer, and the follow-up questions after OFFSET_OUT_OF_RANGE.
                    for _ in 0..4 {
                        let there = self.net.take(me, leader.into());
                        let went = there.is_some();
                        if let Some(message) = there {
                            self.deliver(message);
                        }
                        match self.net.take(leader.into(), me) {
                            Some(message) => self.deliver(message),
                            None if !went => break,
                            None => {}
                        }
                    }
                }
            }
            Command::ApplyMetadata { broker } => {
                self.known(*broker)?;
                let (me, controller) = (NodeId::Broker(*broker), NodeId::Controller);
                if let Some(answer) = self.net.take_metadata(me) {
                    self.deliver(answer);
                    // It asks on at once; the controller holds the question or has the next record.
                    if let Some(question) = self.net.take_metadata_question(me) {
                        self.deliver(question);
                    }
                } else {
                    return Err(Refusal::NoMessage {
                        from: controller,
                        to: me,
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn ask(&mut self, follower: BrokerId) {
        let mut out = self.out(Cause::default());
        if let Some(machine) = self.machines.get_mut(&follower)
            && !machine.frozen
            && let Some(broker) = machine.broker_mut()
        {
            broker.ask_leaders(&mut out);
        }
        self.take(out);
    }
}
