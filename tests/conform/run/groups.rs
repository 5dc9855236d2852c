//! Look-ups and requests to coordinators of groups.

use super::super::observe;
use super::super::script::Step;
use super::super::script::offsets::{Offsets, Spec};
use super::Player;
use super::offsets::{Done, SOON};
use super::words;
use highwater::kafka::client::settings::ConsumerSettings;
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::{Committed, GroupAnswer, MemberRef};
use highwater::kafka::ids::{Boundary, Ms};
use highwater::kafka::message::OffsetSpec;
use highwater::world::command::{Command, GroupCall, PartitionName, Reply};
use serde_json::json;
use std::rc::Rc;

impl Player {
    pub(super) fn look_up(
        &mut self,
        by_consumer: bool,
        partition: &PartitionName,
        isolation: highwater::kafka::message::Isolation,
        spec: &Spec,
    ) -> Done {
        let (name, spec) = match spec {
            Spec::Earliest => (json!("earliest"), OffsetSpec::Earliest),
            Spec::Latest => (json!("latest"), OffsetSpec::Latest),
            Spec::MaxTimestamp => (json!("max-timestamp"), OffsetSpec::MaxTimestamp),
            Spec::At(at) => {
                let virtual_time = Ms(at - self.one.start);
                (json!(at), OffsetSpec::Timestamp(virtual_time))
            }
        };
        let ticket = self.apply(Command::ListOffsets {
            client: "lookup".into(),
            partition: partition.clone(),
            spec,
            isolation,
        })?;
        let mut told = match self.reply_within(ticket, SOON) {
            Reply::Offset(Some(found)) => json!({
                "offset": found.at.0,
                "leader_epoch": found.leader_epoch.map(|e| e.0),
                "timestamp": found.timestamp.map_or(-1, |at| at.0 + self.one.start),
            }),
            Reply::Offset(None) if by_consumer => json!({ "offset": null }),
            Reply::Offset(None) => json!({ "offset": -1, "leader_epoch": null, "timestamp": -1 }),
            other => words::failed(&other),
        };
        told["spec"] = name;
        Ok(told)
    }

    /// A request to a group's coordinator, and its answer.
    pub(super) fn call(
        &mut self,
        call: GroupCall,
    ) -> Result<Result<GroupAnswer, KafkaError>, String> {
        let ticket = self.apply(Command::CallGroup {
            client: "admin".into(),
            call,
        })?;
        Ok(match self.reply_within(ticket, SOON) {
            Reply::Group(answer) => Ok(answer),
            Reply::Failed(e, _) => Err(e),
            other => return Err(format!("an answer of another kind: {other:?}")),
        })
    }

    pub(super) fn admin_commit(
        &mut self,
        group: &Rc<str>,
        offsets: Offsets,
        member: MemberRef,
    ) -> Done {
        let group = group.clone();
        let answer = self.call(GroupCall::Commit {
            group,
            member,
            offsets,
        })?;
        Ok(words::group_answer(answer))
    }

    pub(super) fn groups_commit(&mut self, groups: &[Rc<str>]) -> Done {
        let mut table = Vec::new();
        for group in groups {
            // One position in one partition, which the recording does not tell.
            let partition = PartitionName {
                topic: "t".into(),
                partition: 0,
            };
            let offsets = vec![(partition, Committed::at(Boundary(1)))];
            self.admin_commit(group, offsets, MemberRef::none())?;
            let partition = highwater::kafka::group::partition_for(group);
            table.push(json!({ "group": &**group, "partition": partition }));
        }
        Ok(json!({ "table": table }))
    }

    pub(super) fn group_offsets(
        &mut self,
        group: &Rc<str>,
        partitions: Option<Vec<PartitionName>>,
        require_stable: bool,
    ) -> Done {
        let answer = self.call(GroupCall::Offsets {
            group: group.clone(),
            partitions,
            require_stable,
        })?;
        let Ok(GroupAnswer::Fetched(Ok(parts))) = answer else {
            return Ok(words::group_answer(answer));
        };
        let told = parts.iter().map(|(tp, result)| {
            let partition = self.world.picture().controller.partition_name(*tp);
            match result {
                Ok(at) => {
                    let offset = at.as_ref().map_or(-1, |c| c.offset.0);
                    json!({ "partition": partition, "offset": offset })
                }
                Err(e) => json!({ "partition": partition, "error": e.name(), "offset": -1 }),
            }
        });
        Ok(json!({ "offsets": told.collect::<Vec<_>>() }))
    }

    /// The member that a consumer's transaction speaks for.
    pub(super) fn sender(&self, group: &str, generation: i32, consumer: Option<&str>) -> MemberRef {
        if generation < 0 {
            return MemberRef::none();
        }
        let picture = self.world.picture();
        let of_group = |(name, s): &(&Rc<str>, &ConsumerSettings)| {
            s.group.as_deref() == Some(group) && consumer.is_none_or(|c| c == &***name)
        };
        let name = self
            .one
            .consumers
            .iter()
            .find(of_group)
            .map(|(name, _)| name);
        let id = name.and_then(|name| observe::member_id(&picture, name));
        MemberRef {
            id: id.unwrap_or("".into()),
            generation,
            instance: None,
        }
    }

    /// The id that "<given>" stands for: that of the member the step speaks of.
    pub(super) fn member_id(&self, step: &Step, written: &Rc<str>) -> Rc<str> {
        if let Some(of) = &step.member_of {
            return observe::member_id(&self.world.picture(), of).unwrap_or("".into());
        }
        if &**written != "<given>" {
            return written.clone();
        }
        let words: Vec<&str> = step
            .say
            .split(|c: char| !c.is_ascii_alphanumeric())
            .collect();
        for word in &words {
            if let Some(member) = self.one.members.get(*word) {
                return member.id.clone();
            }
            if let Some(id) = observe::member_id(&self.world.picture(), word) {
                return id;
            }
        }
        let first = self.one.members.values().next();
        first.map_or("given".into(), |m| m.id.clone())
    }
}
