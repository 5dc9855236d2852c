//! What is done to machines and links: starts, crashes, freezes, cuts.

use super::command::{Command, Keep, Process, Refusal};
use super::network::Due;
use super::{Machine, MachineState, World};
use crate::kafka::broker::{Broker, Common, Disk};
use crate::kafka::event::{Cause, EventKind, StopKind, TruncateReason};
use crate::kafka::ids::*;
use crate::kafka::message::{Body, Message};
use std::collections::VecDeque;
use std::rc::Rc;

/// How long a world runs before its time 0, so that a start at once is settled, ms.
const WARM_UP: Ms = Ms(60_000);

impl World {
    /// Starts the controller and, if the setup says so, all brokers, in the time before 0.
    pub(super) fn boot(&mut self) {
        if !self.setup.by_hand {
            self.now = Ms(-WARM_UP.0);
        }
        let mut out = self.out(Cause::default());
        self.controller.start(&mut out);
        self.take(out);
        if self.setup.started {
            for id in self.machines.keys().copied().collect::<Vec<_>>() {
                self.start(id);
            }
        }
        if self.setup.by_hand {
            self.pump();
            if self.setup.started {
                for id in self.machines.keys().copied().collect::<Vec<_>>() {
                    let mut out = self.out(Cause::default());
                    self.controller.unfence(id, &mut out);
                    self.take(out);
                    self.pump();
                }
            }
        } else {
            // If time stands still already now, the next command tells.
            let _ = self.run_to(Ms(0));
        }
        self.events.0.last_visible = self.now;
    }

    /// By hand: delivers everything until nothing is on its way.
    pub(super) fn pump(&mut self) {
        while let Some(message) = self.net.pending.pop_front() {
            self.deliver(message);
        }
    }

    /// What a broker starts with: the common settings, or its own.
    fn common_of(&self, id: BrokerId) -> Rc<Common> {
        match self.setup.broker_settings.iter().find(|(b, _)| *b == id) {
            Some((_, server)) => {
                let server = server.clone();
                Rc::new(Common {
                    server,
                    ..Common::clone(&self.common)
                })
            }
            None => self.common.clone(),
        }
    }

    fn start(&mut self, id: BrokerId) {
        let common = self.common_of(id);
        let cause = self.note(EventKind::Started { broker: id });
        let mut out = self.out(cause);
        let Some(machine) = self.machines.get_mut(&id) else {
            return;
        };
        let MachineState::Off { disk, .. } = &mut machine.state else {
            return;
        };
        let disk = std::mem::replace(&mut **disk, Disk::empty(false));
        machine.incarnation += 1;
        machine.inbox.clear();
        machine.frozen = false;
        let broker = Broker::boot(
            id,
            machine.incarnation,
            machine.rack.clone(),
            disk,
            common,
            &mut out,
        );
        machine.state = MachineState::On(Box::new(broker));
        self.take(out);
    }

    /// Ends a broker's process.
    pub(super) fn end_process(&mut self, id: BrokerId, how: StopKind) {
        let clean = how == StopKind::Clean;
        let Some(machine) = self.machines.get_mut(&id) else {
            return;
        };
        let empty = MachineState::Off {
            disk: Box::new(Disk::empty(false)),
            clean,
        };
        if let MachineState::On(broker) = std::mem::replace(&mut machine.state, empty) {
            machine.state = MachineState::Off {
                disk: Box::new(broker.stop(clean)),
                clean,
            };
        }
        machine.inbox.clear();
        machine.frozen = false;
        self.ghost.ended(id);
        let cause = self.note(EventKind::Stopped { broker: id, how });
        if self.setup.by_hand {
            self.forget_messages_to(id, cause);
        }
        for mut message in self.net.broken_by(id) {
            message.cause = cause;
            self.send(message);
        }
        self.tell_clients_gone(id, cause);
    }

    fn lose_suffix(&mut self, id: BrokerId, keep: &Keep) -> Result<(), Refusal> {
        let Keep::Below(kept) = keep else {
            return Ok(());
        };
        let mut cuts = Vec::new();
        for (name, boundary) in kept {
            cuts.push((self.tp(name)?, *boundary));
        }
        for (tp, to) in cuts {
            let Some(MachineState::Off { disk, .. }) =
                self.machines.get_mut(&id).map(|m| &mut m.state)
            else {
                continue;
            };
            let Some(log) = disk.logs.get_mut(&tp) else {
                continue;
            };
            let from = log.end();
            // A batch that is not whole is not read at the start: the log ends in front of it.
            let torn = log.batches().iter().find(|b| b.end() > to);
            let to = torn.map_or(to, |b| b.base.before().min(to));
            let cut = log.truncate_to(to);
            if !cut.is_empty() {
                self.ghost.disk_lost(id, tp);
                let values = cut
                    .iter()
                    .flat_map(|b| b.records.iter().map(|r| r.value.clone()))
                    .collect();
                let reason = TruncateReason::DiskLoss;
                self.note(EventKind::Truncated {
                    broker: id,
                    tp,
                    from,
                    to,
                    values,
                    reason,
                });
            }
        }
        Ok(())
    }

    fn process(&self, id: BrokerId) -> Result<Process, Refusal> {
        self.machines
            .get(&id)
            .map(Machine::process)
            .ok_or(Refusal::NoSuchBroker(id))
    }

    fn require(&self, id: BrokerId, allowed: &[Process]) -> Result<(), Refusal> {
        let is = self.process(id)?;
        if allowed.contains(&is) {
            Ok(())
        } else {
            Err(Refusal::WrongState { broker: id, is })
        }
    }

    /// Faults and repairs.
    pub(super) fn disturb(&mut self, command: &Command) -> Result<(), Refusal> {
        use Process::*;
        match command {
            Command::Kill { broker, keep } => {
                self.require(*broker, &[Up, Stopping, Frozen])?;
                if let Keep::Below(kept) = keep {
                    for name in kept.keys() {
                        self.tp(name)?;
                    }
                }
                let how = match keep {
                    Keep::Everything => StopKind::Killed,
                    Keep::Below(_) => StopKind::PowerLost,
                };
                self.end_process(*broker, how);
                self.lose_suffix(*broker, keep)?;
                self.look_for_losses();
            }
            Command::Start { broker } => {
                self.require(*broker, &[Killed, Stopped])?;
                self.start(*broker);
                if self.setup.by_hand && self.common.switches.restart_catches_up_metadata {
                    self.bring_up(*broker);
                }
            }
            Command::Shutdown { broker } => {
                self.require(*broker, &[Up])?;
                let mut out = self.out(Cause::default());
                if let Some(node) = self.broker_mut(*broker) {
                    node.shut_down(&mut out);
                }
                self.take(out);
                self.after_broker(*broker, false);
            }
            Command::Freeze { broker } => {
                self.require(*broker, &[Up, Stopping])?;
                if let Some(machine) = self.machines.get_mut(broker) {
                    machine.frozen = true;
                }
                self.note(EventKind::Frozen { broker: *broker });
            }
            Command::Thaw { broker } => {
                self.require(*broker, &[Frozen])?;
                let mut inbox = Vec::new();
                if let Some(machine) = self.machines.get_mut(broker) {
                    machine.frozen = false;
                    inbox = std::mem::take(&mut machine.inbox);
                }
                self.note(EventKind::Thawed { broker: *broker });
                let now = self.now;
                for due in inbox {
                    match due {
                        Due::Message(message) if self.setup.by_hand => {
                            self.net.pending.push_back(message)
                        }
                        due => self.net.push(now, due),
                    }
                }
            }
            Command::NewDisk { broker } => {
                self.require(*broker, &[Killed, Stopped])?;
                if let Some(machine) = self.machines.get_mut(broker)
                    && let MachineState::Off { disk, .. } = &mut machine.state
                {
                    **disk = Disk::empty(true);
                }
                self.ghost.all_lost(*broker);
                self.note(EventKind::DiskReplaced { broker: *broker });
                self.look_for_losses();
            }
            Command::Cut { from, to } => {
                self.net.link(*from, *to).cut = true;
                self.note(EventKind::LinkCut {
                    from: *from,
                    to: *to,
                });
            }
            Command::Heal { from, to } => {
                self.net.link(*from, *to).cut = false;
                self.note(EventKind::LinkHealed {
                    from: *from,
                    to: *to,
                });
            }
            Command::Delay { from, to, delay } => {
                self.net.link(*from, *to).delay = Some(*delay);
                self.note(EventKind::LinkDelay {
                    from: *from,
                    to: *to,
                    delay: *delay,
                });
            }
            Command::DelayFetchAnswers { broker, delay } => {
                self.known(*broker)?;
                // A link of its own, so that answers keep their order when the delay ends.
                if delay.0 == 0 {
                    self.net.fetch_answer_delay.remove(broker);
                } else {
                    self.net.fetch_answer_delay.insert(*broker, *delay);
                }
                let others: Vec<BrokerId> = self
                    .machines
                    .keys()
                    .copied()
                    .filter(|b| b != broker)
                    .collect();
                for other in others {
                    self.net.link(other.into(), (*broker).into());
                    self.note(EventKind::LinkDelay {
                        from: other.into(),
                        to: (*broker).into(),
                        delay: *delay,
                    });
                }
            }
            Command::Hold { from, to } => {
                self.net
                    .link(*from, *to)
                    .held
                    .get_or_insert_with(VecDeque::new);
            }
            Command::Release { from, to } => {
                let now = self.now;
                let held = self.net.link(*from, *to).held.take().unwrap_or_default();
                for message in held {
                    self.net.push(now, Due::Message(message));
                }
            }
            Command::Lose { from, to } => {
                let message = self.net.take(*from, *to).ok_or(Refusal::NoMessage {
                    from: *from,
                    to: *to,
                })?;
                self.lose(&message);
                // Without a clock nobody waits for a time-out.
                match (&message.body, self.setup.by_hand) {
                    (Body::Fetch(_), true) => self.break_off(message),
                    (Body::FetchAnswer(_), true) => self.deliver(Message {
                        body: Body::Disconnected,
                        ..message
                    }),
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl From<BrokerId> for crate::kafka::message::NodeId {
    fn from(id: BrokerId) -> Self {
        crate::kafka::message::NodeId::Broker(id)
    }
}
