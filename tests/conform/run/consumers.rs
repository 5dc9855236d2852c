//! What its consumers do, and what they tell.

use super::super::observe;
use super::super::script::Step;
use super::super::script::offsets::{Commit, shown};
use super::Player;
use super::offsets::{Done, SOON};
use super::words::{self, commit_error, poll_error};
use highwater::kafka::client::consumer::CommitMode;
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::Committed;
use highwater::kafka::ids::{Boundary, Ms};
use highwater::world::command::{Command, PartitionName, Reply};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Player {
    /// Polls until as many records have come as were recorded, or the time is over.
    pub(super) fn poll_one(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let none = Vec::new();
        let recorded = step.result.as_ref().map_or(&Value::Null, |r| &r["records"]);
        let wanted = recorded.as_array().unwrap_or(&none).len();
        let limit = match (step.poll_for.0, wanted) {
            (for_ms, _) if for_ms != 2_500 => for_ms,
            (_, 0) => words::seconds(&step.say).map_or(1_300, |s| s.max(1_300)),
            _ => 7_000,
        };
        let mut got = Vec::new();
        let end = self.now + limit;
        loop {
            match self.poll_once(client, Ms((end - self.now).clamp(0, 60)))? {
                Ok(records) => got.extend(records),
                Err(error) => return Ok(error),
            }
            if self.now >= end || (wanted > 0 && got.len() >= wanted) {
                break;
            }
        }
        Ok(json!({ "records": three(got) }))
    }

    /// One call of poll().
    pub(super) fn poll_once(
        &mut self,
        client: &Rc<str>,
        timeout: Ms,
    ) -> Result<Result<Vec<words::Polled>, Value>, String> {
        let before = self.now;
        let ticket = self.apply(Command::Poll {
            client: client.clone(),
            timeout,
        })?;
        let reply = self.reply_within(ticket, timeout.0 + 10_000);
        if self.now == before {
            self.advance(1);
        }
        Ok(match reply {
            Reply::Polled {
                records,
                positions,
                exception,
                ..
            } => match exception {
                Some(e) => Err(poll_error(&e, &positions)),
                None => Ok(records
                    .into_iter()
                    .map(|(tp, r)| {
                        let value = r.value.as_deref().map(shown);
                        (tp.topic.to_string(), tp.partition, r.offset.0, value)
                    })
                    .collect()),
            },
            other => Err(words::failed(&other)),
        })
    }

    /// Several in turn, until each has what was recorded for it, and all of its records.
    pub(super) fn poll_in_turn(&mut self, step: &Step, clients: &[Rc<str>]) -> Done {
        let recorded = step.result.as_ref().map_or(&Value::Null, |r| &r["records"]);
        let mut got: BTreeMap<&str, Vec<words::Polled>> = BTreeMap::new();
        let mut errors: BTreeMap<&str, Value> = BTreeMap::new();
        let limit = match step.poll_for.0 {
            2_500 => 15_000,
            ms => ms,
        };
        let end = self.now + limit;
        let holds = |p: &Self| {
            let none = Value::Null;
            let after = step.after.as_ref().unwrap_or(&none);
            clients.iter().all(|c| {
                let want = &after["consumers"][&**c]["assignment"];
                want.is_null() || *want == observe::assignment(&p.world.picture(), c)
            })
        };
        // A member that was seen without a position was not polled long enough to get one.
        let none = Value::Null;
        let after = step.after.as_ref().unwrap_or(&none);
        let brief = |c: &str| {
            let at = after["consumers"][c]["position"].as_object();
            at.is_some_and(|at| at.values().any(Value::is_null))
        };
        loop {
            for client in clients {
                let timeout = if brief(client) { Ms(0) } else { Ms(40) };
                match self.poll_once(client, timeout)? {
                    Ok(records) => got.entry(client).or_default().extend(records),
                    Err(error) => {
                        errors.insert(client, error);
                    }
                }
            }
            let enough = clients.iter().all(|c| {
                let wanted = recorded[&**c].as_array().map_or(0, Vec::len);
                let fails = recorded[&**c].get("error").is_some();
                (!fails || errors.contains_key(&**c)) && got.get(&**c).map_or(0, Vec::len) >= wanted
            });
            if self.now >= end || (enough && holds(self)) {
                break;
            }
        }
        let told = |c: &Rc<str>| {
            let records = three(got.remove(&**c).unwrap_or_default());
            let told = errors.remove(&**c).unwrap_or(records);
            (c.to_string(), told)
        };
        let told: Map<String, Value> = clients.iter().map(told).collect();
        Ok(json!({ "records": told }))
    }

    pub(super) fn commit(&mut self, client: &Rc<str>, what: &Commit) -> Done {
        let one = |offsets, mode| Command::Commit {
            client: client.clone(),
            offsets,
            mode,
        };
        if !self.one.consumers.contains_key(client) {
            // The recorder makes a consumer without a group for this.
            return Ok(json!({ "error": "INVALID_GROUP_ID" }));
        }
        let limit = self.one.consumers[client].api_timeout.0 + 1_000;
        let offsets = match what {
            Commit::Positions => None,
            Commit::Offsets(offsets) => Some(offsets.clone()),
            Commit::Numbers(partition, numbers, true) => {
                return self.commit_async(client, partition, numbers);
            }
            Commit::Numbers(partition, numbers, false) => {
                let mut order = Vec::new();
                let (last, first) = numbers.split_last().ok_or("no numbers")?;
                for n in first {
                    let at = vec![(partition.clone(), Committed::at(Boundary(*n)))];
                    self.apply(one(Some(at), CommitMode::Async))?;
                    order.push(json!(n));
                }
                let at = vec![(partition.clone(), Committed::at(Boundary(*last)))];
                let ticket = self.apply(one(Some(at), CommitMode::Sync))?;
                self.reply_within(ticket, limit);
                order.push(json!(format!("sync {last}")));
                return Ok(json!({ "order": order }));
            }
        };
        let ticket = match self.try_apply(one(offsets, CommitMode::Sync))? {
            Ok(ticket) => ticket,
            Err(error) => return Ok(error),
        };
        Ok(match self.reply_within(ticket, limit) {
            Reply::Committed(Err(e)) => commit_error(&e),
            Reply::Failed(e, _) => words::error(e),
            _ => json!({}),
        })
    }

    /// commitAsync one after the other; then it polls until all are answered.
    pub(super) fn commit_async(
        &mut self,
        client: &Rc<str>,
        partition: &PartitionName,
        numbers: &[i64],
    ) -> Done {
        let mut open = Vec::new();
        for n in numbers {
            let mut at = Committed::at(Boundary(*n));
            // The recording says so in words only: "metadata that is too large".
            if numbers == [3] && partition.partition == 0 {
                at.metadata = "x".repeat(4_097).into();
            }
            let ticket = self.apply(Command::Commit {
                client: client.clone(),
                offsets: Some(vec![(partition.clone(), at)]),
                mode: CommitMode::Async,
            })?;
            open.extend(ticket.map(|t| (t, *n)));
        }
        let mut order = Vec::new();
        let end = self.now + 6_500;
        while !open.is_empty() && self.now < end {
            // What comes of the polls is not told.
            let _ = self.poll_once(client, Ms(50))?;
            open.retain(|(ticket, n)| {
                let told = match self.world.reply(*ticket) {
                    None => return true,
                    Some(Reply::Committed(Err(e))) => commit_error(e),
                    Some(Reply::Failed(e, _)) => words::error(*e),
                    Some(_) => json!(n),
                };
                order.push(told);
                false
            });
        }
        Ok(json!({ "callbacks": order }))
    }

    pub(super) fn committed(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let picture = self.world.picture();
        let partitions = observe::assigned(&picture, client);
        let limit = self
            .one
            .consumers
            .get(client)
            .map_or(SOON, |s| s.api_timeout.0 + 1_000);
        let ticket = self.apply(Command::Committed {
            client: client.clone(),
            partitions,
        })?;
        Ok(match self.reply_within(ticket, limit) {
            Reply::Offsets(Ok(all)) => {
                let alone = step
                    .result
                    .as_ref()
                    .is_some_and(|r| r["committed"].is_i64());
                if let ([(p, at)], true) = (all.as_slice(), alone) {
                    let position = observe::position(&picture, client, p);
                    let at = at.as_ref().map(|c| c.offset.0);
                    return Ok(json!({ "position": position, "committed": at }));
                }
                let told: Map<String, Value> = all
                    .into_iter()
                    .map(|(p, at)| {
                        let at = at.map_or(Value::Null, |c| c.offset.0.into());
                        (observe::name(&p), at)
                    })
                    .collect();
                json!({ "committed": told })
            }
            // Tried again until the call's time was over.
            Reply::Offsets(Err(KafkaError::UnstableOffsetCommit)) => {
                words::error(KafkaError::RequestTimedOut)
            }
            Reply::Offsets(Err(e)) => words::error(e),
            other => words::failed(&other),
        })
    }

    /// The commit alone, without the position.
    pub(super) fn committed_beside(&mut self, step: &Step, client: &Rc<str>) -> Done {
        let mut told = self.committed(step, client)?;
        if let Some(told) = told.as_object_mut() {
            told.remove("position");
        }
        Ok(told)
    }

    /// The metric of the last fetch; maxima and means over windows of time are the client's own.
    pub(super) fn metrics(&self, client: &Rc<str>) -> Value {
        let lags = observe::lags(&self.world.picture(), client);
        let mut told = Map::new();
        for (tp, lag) in &lags {
            if let Some(lag) = lag.as_i64() {
                told.insert(tp.clone(), json!({ "records-lag": lag }));
            }
        }
        told.insert("currentLag()".into(), lags.into());
        told.into()
    }
}

/// Records as the recorder tells them: by partition and number.
fn three(mut records: Vec<words::Polled>) -> Value {
    records.sort_by(|a, b| (&a.0, a.1, a.2).cmp(&(&b.0, b.1, b.2)));
    records
        .into_iter()
        .map(|(_, partition, offset, value)| json!([partition, offset, value]))
        .collect()
}
