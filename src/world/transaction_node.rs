//! Transactional producers.

use super::World;
use super::command::{Command, Refusal, Ticket};

impl World {
    pub(super) fn command_transaction(
        &mut self,
        _ticket: Ticket,
        _command: &Command,
    ) -> Result<(), Refusal> {
        Err(Refusal::WrongMode)
    }
}
