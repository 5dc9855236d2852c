//! What can be looked at after a step.

use super::{Case, records};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::IsrMove;
use highwater::kafka::ids::*;
use highwater::kafka::message::*;
use serde_json::{Value, json};

impl Case {
    pub(super) fn answer(&self) -> Option<&Body> {
        self.bench.answers.get(&self.last?)
    }

    pub(super) fn fetched(&self) -> Option<&FetchedPart> {
        match self.bench.answers.get(&self.fetch?)? {
            Body::FetchAnswer(parts) => parts.first(),
            _ => None,
        }
    }

    pub(super) fn error(&self) -> Option<KafkaError> {
        if let Some(direct) = &self.direct {
            return direct.err();
        }
        match self.answer()? {
            Body::FetchAnswer(parts) => parts.first()?.result.as_ref().err().copied(),
            Body::ProduceAnswer { result, .. } => result.err(),
            Body::ListOffsetsAnswer { result, .. } => result.err(),
            Body::DeleteRecordsAnswer { result, .. } => result.err(),
            _ => None,
        }
    }

    pub(super) fn see(&mut self, key: &str, expected: &Value) -> Option<Value> {
        let replica = self.bench.replica()?;
        let leader = replica.leader();
        let remote = leader.and_then(|l| l.remotes.get(&BrokerId(1)));
        let in_flight = leader
            .and_then(|l| l.pending.as_ref())
            .is_some_and(|p| p.in_flight.is_some());
        let set = |s: BrokerSet| Value::from(s.iter().map(|b| b.0).collect::<Vec<_>>());
        Some(match key {
            "hw" => replica.log.high_watermark().0.into(),
            "leo" => replica.log.end().0.into(),
            "log_start" => replica.log.start().0.into(),
            "isr" => set(leader?.isr),
            "maximal_isr" => set(leader?.maximal_isr()),
            "alter_partition_in_flight" | "in_flight" => in_flight.into(),
            "proposed_isr" => set(leader?.pending.as_ref()?.asked),
            "state" => match leader?.pending.as_ref().map(|p| &p.what) {
                None => "CommittedPartitionState",
                Some(IsrMove::Expand(_)) => "PendingExpand",
                Some(IsrMove::Shrink(_)) => "PendingShrink",
            }
            .into(),
            "retried" => {
                let before = self.bench.alters_before_error?;
                self.bench.advance(1_000);
                (self.bench.alters.len() > before).into()
            }
            "removed" => self.removed.into(),
            "partition_epoch" => replica.partition_epoch.0.into(),
            "leader_epoch" => replica.leader_epoch.0.into(),
            "accepted" => {
                let now = (replica.leader_epoch, replica.partition_epoch);
                (now != self.reg_before).into()
            }
            "epoch_start" => leader?.epoch_start.0.into(),
            "remote_leo" => remote.and_then(|r| r.log_end).map_or(-1, |b| b.0).into(),
            "remote_log_start" => remote.and_then(|r| r.log_start).map_or(-1, |b| b.0).into(),
            "last_caught_up" => {
                let at = remote.and_then(|r| r.last_caught_up).map_or(-1, |ms| ms.0);
                match expected.as_str() {
                    Some("t0") if at == 0 => "t0".into(),
                    Some("now") if at == self.bench.now.0 => "now".into(),
                    _ => at.into(),
                }
            }
            "changed_to" => self.changed.clone(),
            "selected" => self
                .direct
                .as_ref()?
                .as_ref()
                .ok()?
                .as_ref()
                .copied()?
                .into(),
            "produce_answered" => self.bench.answers.contains_key(&self.produce?).into(),
            "answered" => self.bench.answers.contains_key(&self.last?).into(),
            "parked" => u32::from(!self.bench.answers.contains_key(&self.last?)).into(),
            "error" => self.error().map_or("NONE", KafkaError::name).into(),
            "response_hw" => self
                .fetched()?
                .result
                .as_ref()
                .ok()?
                .high_watermark
                .0
                .into(),
            "diverging" => match self.fetched()?.result.as_ref().ok()?.diverging {
                None => Value::Null,
                Some((epoch, end)) => json!([epoch.0, end.0]),
            },
            "diverging_epoch_present" => self
                .fetched()?
                .result
                .as_ref()
                .ok()?
                .diverging
                .is_some()
                .into(),
            "preferred_replica_present" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                fetched.preferred_read_replica.is_some().into()
            }
            "records" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                records(fetched).into()
            }
            "lso" => replica.log.last_stable().0.into(),
            "aborted" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                let named = |(producer, first): &(i64, Offset)| json!([producer, first.0]);
                fetched.aborted.iter().map(named).collect()
            }
            "batches_returned" => {
                let fetched = self.fetched()?.result.as_ref().ok()?;
                fetched.batches.len().into()
            }
            "offset" => match self.answer()? {
                Body::ListOffsetsAnswer { result, .. } => match result {
                    Ok(found) => found.map_or(Value::Null, |f| f.at.0.into()),
                    Err(_) => Value::Null,
                },
                _ => return None,
            },
            "timestamp" => match self.answer()? {
                Body::ListOffsetsAnswer {
                    result: Ok(Some(found)),
                    ..
                } => found.timestamp.map_or(Value::Null, |at| at.0.into()),
                _ => Value::Null,
            },
            "low_watermark" => match self.answer()? {
                Body::DeleteRecordsAnswer { result, .. } => result.map_or(-1, |b| b.0).into(),
                _ => return None,
            },
            _ => return None,
        })
    }
}
