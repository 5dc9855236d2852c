//! Requests to coordinators by hand, the reset tool, deleting topics.

use super::World;
use super::command::{Command, Refusal, Ticket};

impl World {
    pub(super) fn command_group(
        &mut self,
        _ticket: Ticket,
        _command: &Command,
    ) -> Result<(), Refusal> {
        Err(Refusal::WrongMode)
    }
}
