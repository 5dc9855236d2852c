//! Consumers in groups, and the application beside each.

use super::World;
use super::command::{Command, Refusal, Ticket};

impl World {
    pub(super) fn command_consumer(
        &mut self,
        _ticket: Ticket,
        _command: &Command,
    ) -> Result<(), Refusal> {
        Err(Refusal::WrongMode)
    }
}
