//! Groups: I18.

use super::*;
use crate::kafka::group::message::{GroupKind, GroupView};
use crate::kafka::map::Map;
use crate::world::client_node::Kind;
use crate::world::consumer_node::Life;

impl World {
    /// I18: a partition has at most one owner in a group (R-REB-1, R-848-1): as the coordinator has
    /// shared it out, and (a closer look) among the consumers that are members of the present generation.
    pub(super) fn owners_are_single(&self, depth: Depth, found: &mut Found) {
        let image = self.controller.image();
        for (id, machine) in &self.machines {
            let Some(broker) = machine.broker() else {
                continue;
            };
            for (log, view) in broker.groups() {
                // One that does not know yet that it coordinates no longer says nothing of weight.
                let leads = image.partitions.get(&log).is_some_and(|reg| {
                    reg.leader == Some(*id)
                        && broker
                            .replicas
                            .get(&log)
                            .is_some_and(|r| r.leader_epoch == reg.leader_epoch)
                });
                let good = self.ghost.truth.get(&log).is_none_or(Truth::holds_good);
                if !leads || !good {
                    continue;
                }
                let shared = view.members.iter();
                let shared =
                    shared.flat_map(|m| m.assignment.iter().map(move |tp| (*tp, m.id.clone())));
                self.one_owner_each(&view, shared.collect(), "assigned to", found);
                if depth == Depth::Whole {
                    self.one_owner_each(&view, self.held(&view), "held by", found);
                }
            }
        }
    }

    /// What the group's members of the present generation hold.
    fn held(&self, view: &GroupView) -> Vec<(Tp, Rc<str>)> {
        let mut all = Vec::new();
        for client in self.clients.iter().filter(|c| c.life == Life::Running) {
            let Kind::Consumer(consumer) = &client.kind else {
                continue;
            };
            let side = consumer.membership();
            let Some(id) = side
                .member
                .filter(|_| side.group.as_ref() == Some(&view.group))
            else {
                continue;
            };
            let Some(member) = view.members.iter().find(|m| m.id == id) else {
                continue;
            };
            let present = match view.kind {
                GroupKind::Classic => side.generation == view.epoch,
                GroupKind::Consumer => member
                    .target
                    .as_ref()
                    .is_some_and(|t| t.0 == side.generation),
            };
            if present {
                all.extend(consumer.assignment().into_iter().map(|tp| (tp, id.clone())));
            }
        }
        all
    }

    fn one_owner_each(
        &self,
        view: &GroupView,
        owned: Vec<(Tp, Rc<str>)>,
        how: &str,
        found: &mut Found,
    ) {
        let mut owners: Map<Tp, Rc<str>> = Map::new();
        for (tp, id) in owned {
            let Some(first) = owners.insert(tp, id.clone()).filter(|first| *first != id) else {
                continue;
            };
            let text = format!(
                "in generation {} of the group {}, {} is {how} both {first} and {id}",
                view.epoch,
                view.group,
                self.controller.image().partition_name(tp)
            );
            found.add(ONE_OWNER, tp, text);
        }
    }
}
