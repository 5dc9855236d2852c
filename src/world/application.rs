//! The application beside a consumer: what it has processed, what that has brought about, and what
//! it saves in a store of its own. None of it is known to Kafka.

use super::World;
use super::client_node::Kind;
use super::command::{PartitionName, Refusal};
use super::store::{Effect, Store};
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use std::rc::Rc;

/// What the application beside a consumer knows as long as its process runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Application {
    /// The next position to process (boundary), by partition.
    pub processed_next: Map<Tp, Boundary>,
    /// How many of the records it was given it has gone through, by partition: records that are
    /// given a second time are processed a second time.
    gone_through: Map<Tp, u32>,
}

/// A record as the application was given it: its number and value.
type Given = (Offset, Option<Rc<str>>);

impl World {
    /// What an application keeps is known by its group, or without one by the client.
    pub(super) fn store_name(&self, id: ClientId) -> Rc<str> {
        let Some(client) = self.clients.get(id.0 as usize) else {
            return "".into();
        };
        match &client.kind {
            Kind::Consumer(c) => c.settings().group.clone(),
            _ => None,
        }
        .unwrap_or_else(|| client.name.clone())
    }

    /// The records of a partition that the application was given last without a step back, from
    /// the first it has not gone through; where it stands; how far it could go.
    fn in_hand(&self, id: ClientId, tp: Tp) -> (Vec<Given>, Option<Boundary>) {
        let Some(client) = self.clients.get(id.0 as usize) else {
            return (Vec::new(), None);
        };
        let Kind::Consumer(c) = &client.kind else {
            return (Vec::new(), None);
        };
        let given: Vec<(Offset, Option<Rc<str>>)> = c
            .received()
            .iter()
            .filter(|(of, _, _)| *of == tp)
            .map(|(_, offset, value)| (*offset, value.clone()))
            .collect();
        let back = given.windows(2).rposition(|w| w[1].0 <= w[0].0);
        let gone = client.app.gone_through.get(&tp).copied().unwrap_or(0) as usize;
        let from = back.map_or(0, |at| at + 1).max(gone);
        let position = c.positions().into_iter().find(|(of, _)| *of == tp);
        let position = position.and_then(|(_, at)| at);
        let end = given.last().map(|(offset, _)| offset.after());
        (
            given.get(from..).unwrap_or_default().to_vec(),
            end.max(position),
        )
    }

    /// The application goes on to `next`. Each record has an effect; one that it has had before is
    /// repeated.
    pub(super) fn process_records(
        &mut self,
        id: ClientId,
        partition: &PartitionName,
        tp: Tp,
        next: Boundary,
    ) -> Result<(), Refusal> {
        let (records, end) = self.in_hand(id, tp);
        let Some(app) = self.clients.get_mut(id.0 as usize).map(|c| &mut c.app) else {
            return Ok(());
        };
        let first = records.first().map(|(offset, _)| offset.before());
        let from = first.or(app.processed_next.get(&tp).copied()).or(end);
        let (Some(from), Some(end)) = (from, end) else {
            return Err(self.nothing_in_hand(id, partition, tp));
        };
        if next < from || next > end {
            return Err(self.not_received(id, partition, Some(end)));
        }
        let done = records.iter().take_while(|(o, _)| next.covers(*o));
        let done: Vec<(Offset, Option<Rc<str>>)> = done.cloned().collect();
        let Kind::Consumer(c) = &self.clients[id.0 as usize].kind else {
            return Ok(());
        };
        let given = c.received().iter().filter(|(of, _, _)| *of == tp).count();
        let app = &mut self.clients[id.0 as usize].app;
        let gone = given - (records.len() - done.len());
        app.gone_through.insert(tp, gone as u32);
        app.processed_next.insert(tp, next);
        let values = done.iter().map(|(_, value)| value.clone()).collect();
        let cause = self.note(EventKind::Processed {
            client: id,
            tp,
            from,
            to: next,
            values,
        });
        let mut out = self.out(cause);
        let name = self.store_name(id);
        let store = self.stores.entry(name).or_default();
        for (offset, value) in done {
            let key = value.unwrap_or_else(|| "".into());
            let (key, times) = store.take_effect(tp, offset, key);
            if times > 1 {
                out.emit(EventKind::EffectRepeated {
                    client: id,
                    tp,
                    offset,
                    key,
                    times,
                });
            }
        }
        self.take(out);
        Ok(())
    }

    /// The application saves its next position beside Kafka.
    pub(super) fn save_outside(
        &mut self,
        id: ClientId,
        partition: &PartitionName,
        tp: Tp,
        next: Boundary,
    ) -> Result<(), Refusal> {
        let (_, end) = self.in_hand(id, tp);
        let Some(end) = end else {
            return Err(self.nothing_in_hand(id, partition, tp));
        };
        if next < Boundary(0) || next > end {
            return Err(self.not_received(id, partition, Some(end)));
        }
        let name = self.store_name(id);
        let from = self
            .stores
            .entry(name)
            .or_default()
            .outside
            .insert(tp, next);
        self.note(EventKind::SavedOutside {
            client: id,
            tp,
            from,
            to: next,
        });
        Ok(())
    }
}

impl Store {
    /// The effect of a record takes place: what it is known by, and how often it has by now. A
    /// record without a value is known by its number.
    fn take_effect(&mut self, tp: Tp, offset: Offset, key: Rc<str>) -> (Rc<str>, u32) {
        let same =
            |e: &&mut Effect| e.tp == tp && e.key == key && (!key.is_empty() || e.offset == offset);
        if let Some(effect) = self.effects.iter_mut().find(same) {
            effect.times += 1;
            return (key, effect.times);
        }
        self.effects.push(Effect {
            tp,
            offset,
            key: key.clone(),
            times: 1,
        });
        (key, 1)
    }
}
