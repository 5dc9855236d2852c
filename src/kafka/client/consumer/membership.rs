//! Membership in a group by the classic protocol (section G).

use super::Consumer;
use super::group::CommitException;
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::MemberRef;
use crate::kafka::out::Out;

impl Consumer {
    /// In whose name a commit goes out.
    pub(super) fn commit_as(&self) -> Result<MemberRef, CommitException> {
        Ok(self.ask_as())
    }

    /// In whose name positions are asked for.
    pub(super) fn ask_as(&self) -> MemberRef {
        MemberRef {
            instance: self.settings.instance.clone(),
            ..MemberRef::none()
        }
    }

    /// The generation a commit would carry now.
    pub(super) fn commit_generation(&self) -> i32 {
        -1
    }

    /// Whether it is on its way into a new generation.
    pub(super) fn is_rebalancing(&self) -> bool {
        false
    }

    /// The group does not know this member (in this generation): it begins anew.
    pub(super) fn forget_generation(&mut self, _error: KafkaError, _out: &mut Out) {}

    /// The group is rebalancing: it rejoins in its next poll.
    pub(super) fn want_rejoin(&mut self) {}
}
