//! Commits expire (R-EXP-1, R-EXP-2), and a group without members goes with its last one.

use super::Name;
use super::job::Job;
use super::message::GroupState;
use super::records::Stored;
use super::shard::{Group, Shard};
use crate::kafka::ids::*;

/// From when a group's commits count their age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// From each commit.
    Commit,
    /// From when the group became empty.
    Emptied(Ms),
}

impl Shard {
    /// Looks through all groups for what is too old.
    pub fn expire(&mut self, job: &mut Job<'_, '_>) {
        let mut entries = Vec::new();
        let names: Vec<Name> = self.groups.keys().cloned().collect();
        for name in names {
            let (gone, all) = self.expired(&name, job);
            for tp in gone {
                entries.extend(self.offsets.tombstone(&name, tp));
                self.expired_lately.insert((name.clone(), tp));
            }
            let empty = self.groups.get(&name).map(Group::state) == Some(GroupState::Empty);
            if all && empty {
                entries.extend(self.bury(&name, job));
            }
        }
        if !entries.is_empty() {
            job.write(entries, Vec::new());
        }
    }

    /// The partitions whose commits are too old, and whether that leaves none.
    fn expired(&self, name: &Name, job: &Job<'_, '_>) -> (Vec<Tp>, bool) {
        let Some(group) = self.groups.get(name) else {
            return (Vec::new(), false);
        };
        let retention = job.env.server.offsets_retention;
        let per_commit = !job.env.switches.offset_expiry;
        let base = if per_commit {
            // Before KIP-211 every commit counted for itself, whoever was in the group.
            Some(Base::Commit)
        } else {
            group.expiry_base()
        };
        let mut all = !self.offsets.in_transaction(name);
        let mut gone = Vec::new();
        for (tp, stored) in self.offsets.newest(name) {
            let kept = base.is_none()
                || !per_commit && group.subscribed_to(tp.topic)
                || self.offsets.held(name, tp)
                || !too_old(base, stored, job.now(), retention);
            if kept {
                all = false;
            } else {
                gone.push(tp);
            }
        }
        (gone, all)
    }
}

/// Whether a commit is expired: `now - base >= offsets.retention.minutes`.
pub fn too_old(base: Option<Base>, stored: &Stored, now: Ms, retention: Ms) -> bool {
    let from = match base {
        None => return false,
        Some(Base::Commit) => stored.at,
        Some(Base::Emptied(at)) => at,
    };
    now.since(from) >= retention
}
