//! A broker's machine: the process, running or not, and the disk that outlives it.

use super::command::Process;
use super::network::Due;
use crate::kafka::broker::{Broker, Disk};
use std::rc::Rc;

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Machine {
    /// broker.rack
    pub rack: Option<Rc<str>>,
    /// How many times the broker was started.
    pub incarnation: u32,
    /// The process.
    pub state: MachineState,
    /// It stands still (SIGSTOP).
    pub frozen: bool,
    /// What arrived while it stood still: in its socket, or overdue. So the answer to a fetch that
    /// was parked at the leader when it froze still reaches it (R-REP-9).
    pub inbox: Vec<Due>,
}

/// The process, or the disk without one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MachineState {
    /// A process runs (or is frozen).
    On(Box<Broker>),
    /// No process.
    Off {
        /// What is on the disk.
        disk: Box<Disk>,
        /// Ended by a controlled shutdown rather than killed.
        clean: bool,
    },
}

impl Machine {
    /// A machine that was never started.
    pub fn new(rack: Option<Rc<str>>) -> Self {
        let disk = Box::new(Disk::empty(false));
        Machine {
            rack,
            incarnation: 0,
            state: MachineState::Off { disk, clean: true },
            frozen: false,
            inbox: Vec::new(),
        }
    }

    /// The state of its process.
    pub fn process(&self) -> Process {
        match &self.state {
            MachineState::On(_) if self.frozen => Process::Frozen,
            MachineState::On(broker) if broker.is_shutting_down() => Process::Stopping,
            MachineState::On(_) => Process::Up,
            MachineState::Off { clean: true, .. } => Process::Stopped,
            MachineState::Off { clean: false, .. } => Process::Killed,
        }
    }

    /// The running broker.
    pub fn broker(&self) -> Option<&Broker> {
        match &self.state {
            MachineState::On(broker) => Some(broker),
            MachineState::Off { .. } => None,
        }
    }

    /// The running broker, to drive.
    pub fn broker_mut(&mut self) -> Option<&mut Broker> {
        match &mut self.state {
            MachineState::On(broker) => Some(broker),
            MachineState::Off { .. } => None,
        }
    }
}
