//! Carries out the vectors about a consumer: its position, truncation detection, its lag. The test
//! plays the leader and the coordinator.

use super::areas_client::{LEADER, TP, answer, image, only};
use highwater::kafka::batch::{Batch, Control, Record, Stamp};
use highwater::kafka::client::consumer::{Consumer, PollException, PollResult};
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::group::message::{Committed, GroupAnswer, GroupRequest};
use highwater::kafka::ids::*;
use highwater::kafka::message::{
    Body, FetchRequest, Fetched, FetchedPart, FoundOffset, NodeId, OffsetSpec,
};
use highwater::kafka::out::{ClientTimer, Out};
use serde_json::{Value, json};

/// Carries a vector out. `None`: it is not one of these.
pub fn run(case: &Value) -> Option<Result<(), String>> {
    match case["area"].as_str()? {
        "consumer-position" | "truncation-detection" | "lag" => {
            Some(super::areas_client::carry_out(case, Bench::new))
        }
        _ => None,
    }
}

const GIVEN: &[&str] = &[
    "position",
    "max_poll_records",
    "log_offsets",
    "fetched",
    "isolation",
    "auto_offset_reset",
    "committed",
    "list_offsets_answer",
    "log",
    "leader_epoch",
    "hw",
    "lso",
];

type Result_ = Result<Fetched, KafkaError>;

/// A consumer with the test around it.
struct Bench {
    given: Value,
    consumer: Consumer,
    out: Out,
    polled: PollResult,
    polls: u32,
    /// What the next fetch is answered; a refusal is repeated.
    next: Option<Result_>,
    /// A fetch and a question about an epoch that wait for their answers.
    open: Option<(Correlation, FetchRequest)>,
    asked: Option<Correlation>,
    /// What was fetched during the last step.
    fetched_from: Vec<Boundary>,
    events: Vec<EventKind>,
}

fn policy(name: Option<&str>) -> Result<OffsetReset, String> {
    Ok(match name {
        Some("earliest") => OffsetReset::Earliest,
        Some("latest") | None => OffsetReset::Latest,
        Some("none") => OffsetReset::None,
        Some("by_duration:PT1H") => OffsetReset::ByDuration(Ms(3_600_000)),
        Some(other) => return Err(format!("no policy {other}")),
    })
}

fn number(value: &Value) -> Result<i64, String> {
    value.as_i64().ok_or(format!("{value} is no number"))
}

/// The consumer of a case, assigned.
fn consumer(given: &Value, reset: Option<&str>, out: &mut Out) -> Result<Consumer, String> {
    let settings = ConsumerSettings {
        group: given.get("committed").map(|_| "g".into()),
        auto_commit: false,
        offset_reset: policy(reset.or(given["auto_offset_reset"].as_str()))?,
        read_committed: given["isolation"] == "read_committed",
        max_poll_records: given["max_poll_records"].as_u64().unwrap_or(500) as u32,
        ..ConsumerSettings::default()
    };
    let mut consumer = Consumer::new(ClientId(0), settings, vec![LEADER]);
    let position = &given["position"];
    consumer.assign(&[TP], position.as_i64().map(Boundary), out);
    if position.is_object() {
        let (to, epoch) = (number(&position["offset"])?, number(&position["epoch"])?);
        consumer.seek_with_epoch(TP, Boundary(to), Epoch(epoch as i32), out);
    }
    Ok(consumer)
}

fn batch(base: i64, last: i64, records: Vec<(i64, String)>) -> Batch {
    let record = |(offset, key): (i64, String)| Record {
        offset: Offset(offset),
        timestamp: Ms(0),
        key: Some(key.as_str().into()),
        value: None,
    };
    Batch {
        base: Offset(base),
        last: Offset(last),
        epoch: Epoch(0),
        stamp: None,
        transactional: false,
        control: None,
        delete_horizon: None,
        records: records.into_iter().map(record).collect(),
    }
}

fn plain(offsets: &[i64]) -> Vec<Batch> {
    let (Some(base), Some(last)) = (offsets.first(), offsets.last()) else {
        return vec![];
    };
    let records = offsets.iter().map(|o| (*o, String::new())).collect();
    vec![batch(*base, *last, records)]
}

fn offsets(value: &Value) -> Result<Vec<i64>, String> {
    let list = value.as_array().ok_or(format!("{value} is no list"))?;
    list.iter().map(number).collect()
}

/// A batch of a transaction, or a marker.
fn batch_of(value: &Value) -> Result<Batch, String> {
    only(value, &["base", "n", "keys", "pid", "txn", "marker"])?;
    let base = number(&value["base"])?;
    let keys: Vec<String> = match (value["keys"].as_array(), value["n"].as_i64()) {
        (Some(keys), _) => keys
            .iter()
            .filter_map(|k| Some(k.as_str()?.into()))
            .collect(),
        (None, n) => vec![String::new(); n.unwrap_or(1) as usize],
    };
    let last = base + keys.len() as i64 - 1;
    let stamp = Stamp {
        producer_id: number(&value["pid"])?,
        epoch: 0,
        base_sequence: 0,
    };
    Ok(Batch {
        stamp: Some(stamp),
        transactional: true,
        control: match value["marker"].as_str() {
            Some("COMMIT") => Some(Control::Commit),
            Some("ABORT") => Some(Control::Abort),
            _ => None,
        },
        ..batch(base, last, (base..).zip(keys).collect())
    })
}

/// What a fetch of the case reads.
fn read(value: &Value) -> Result<Fetched, String> {
    let mut aborted: Vec<(i64, Offset)> = Vec::new();
    let batches = if value.is_array() {
        plain(&offsets(value)?)
    } else {
        only(value, &["offsets", "batch", "batches", "aborted"])?;
        for transaction in value["aborted"].as_array().into_iter().flatten() {
            let first = Offset(number(&transaction["first"])?);
            aborted.push((number(&transaction["pid"])?, first));
        }
        if let Some(batches) = value["batches"].as_array() {
            batches
                .iter()
                .map(batch_of)
                .collect::<Result<_, String>>()?
        } else if value["batch"].is_object() {
            let (one, present) = (&value["batch"], offsets(&value["batch"]["present"])?);
            let records = present.into_iter().map(|o| (o, String::new())).collect();
            vec![batch(number(&one["base"])?, number(&one["last"])?, records)]
        } else {
            plain(&offsets(&value["offsets"])?)
        }
    };
    let end = batches.last().map_or(Boundary(0), Batch::end);
    Ok(Fetched {
        batches,
        aborted,
        ..bounds(end, end, Boundary(0))
    })
}

fn bounds(high_watermark: Boundary, last_stable: Boundary, log_start: Boundary) -> Fetched {
    Fetched {
        batches: vec![],
        high_watermark,
        last_stable,
        aborted: vec![],
        log_start,
        diverging: None,
        preferred_read_replica: None,
    }
}

impl Bench {
    fn new(given: &Value) -> Result<Self, String> {
        only(given, GIVEN)?;
        let mut out = Out {
            recording: true,
            ..Out::default()
        };
        Ok(Bench {
            consumer: consumer(given, None, &mut out)?,
            next: match given.get("fetched") {
                Some(fetched) => Some(Ok(read(fetched)?)),
                None => None,
            },
            given: given.clone(),
            out,
            polled: PollResult::default(),
            polls: 0,
            open: None,
            asked: None,
            fetched_from: vec![],
            events: vec![],
        })
    }

    fn hear(&mut self, c: Correlation, body: Body) {
        self.consumer
            .handle(&answer(c, LEADER, body), &mut self.out);
    }

    /// Answers all that can be answered.
    fn talk(&mut self) -> Result<(), String> {
        while !self.out.sends.is_empty() {
            let (c, _, to, body, _) = self.out.sends.remove(0);
            if to != NodeId::Broker(LEADER) {
                return Err(format!("it asks {to:?}"));
            }
            match body {
                Body::Metadata => {
                    let ahead = if self.given["position"].is_object() {
                        10
                    } else {
                        0
                    };
                    let epoch = self.given["leader_epoch"].as_i64().unwrap_or(ahead);
                    self.hear(c, Body::MetadataAnswer(image(epoch as i32)));
                }
                Body::Group(GroupRequest::FindCoordinator(kind, key)) => {
                    let found = GroupAnswer::Coordinator(kind, key, Ok(LEADER));
                    self.hear(c, Body::GroupAnswer(found));
                }
                Body::Group(GroupRequest::Fetch { .. }) => {
                    let committed = &self.given["committed"];
                    let offset = committed.as_i64().or(committed["offset"].as_i64());
                    let epoch = committed["epoch"].as_i64().map(|e| Epoch(e as i32));
                    let committed = offset.map(|offset| Committed {
                        leader_epoch: epoch,
                        ..Committed::at(Boundary(offset))
                    });
                    let found = GroupAnswer::Fetched(Ok(vec![(TP, Ok(committed))]));
                    self.hear(c, Body::GroupAnswer(found));
                }
                Body::ListOffsets { tp, spec, .. } => {
                    let log = &self.given["log"];
                    let at = match spec {
                        _ if log.is_null() => &self.given["list_offsets_answer"],
                        OffsetSpec::Earliest => &log["log_start"],
                        _ => &log["hw"],
                    };
                    let result = Ok(Some(FoundOffset::at(Boundary(number(at)?))));
                    self.hear(c, Body::ListOffsetsAnswer { tp, spec, result });
                }
                Body::EpochEnd { .. } => self.asked = Some(c),
                Body::Fetch(request) => {
                    self.fetched_from.push(request.parts[0].offset);
                    self.open = Some((c, request));
                    self.serve()?;
                }
                other => return Err(format!("asked {other:?}")),
            }
        }
        self.events
            .extend(self.out.events.drain(..).map(|e| e.kind));
        Ok(())
    }

    /// Answers the open fetch, if the case says what with.
    fn serve(&mut self) -> Result<(), String> {
        let Some((c, request)) = self.open.take() else {
            return Err("it does not fetch".into());
        };
        let offset = request.parts[0].offset;
        let log = &self.given["log"];
        let result = match self.next.take() {
            Some(Err(error)) => {
                self.next = Some(Err(error));
                Err(error)
            }
            Some(Ok(fetched)) => Ok(fetched),
            None if log.is_null() => {
                self.open = Some((c, request));
                return Ok(());
            }
            None => {
                let (start, hw) = (number(&log["log_start"])?, number(&log["hw"])?);
                let inside = (start..=number(&log["leo"])?).contains(&offset.0);
                if !inside {
                    Err(KafkaError::OffsetOutOfRange)
                } else if self.polls > 20 {
                    return Err("it fetches without end".into());
                } else {
                    self.polls += 1;
                    Ok(bounds(Boundary(hw), Boundary(hw), Boundary(start)))
                }
            }
        };
        let part = FetchedPart {
            tp: TP,
            offset,
            result,
        };
        self.hear(c, Body::FetchAnswer(vec![part]));
        Ok(())
    }

    /// A poll to its end; what there is to answer is answered meanwhile.
    fn poll(&mut self) -> Result<(), String> {
        self.consumer.poll(self.polls, Ms(1_000), &mut self.out);
        self.polls = 0;
        // A broker holds a fetch that finds nothing until the poll is over.
        let is_over = |e: &String| e == "it fetches without end";
        match self.talk() {
            Err(e) if !is_over(&e) => return Err(e),
            _ => {}
        }
        self.out.now = self.out.now.plus(Ms(1_000));
        self.consumer.timer(&ClientTimer::Wake, &mut self.out);
        self.out.sends.clear();
        let done = self.consumer.done();
        let (_, polled) = done.into_iter().next().ok_or("the poll does not end")?;
        self.polled = polled;
        self.events
            .extend(self.out.events.drain(..).map(|e| e.kind));
        Ok(())
    }

    fn fetch_response(&mut self, step: &Value) -> Result<(), String> {
        only(step, &["op", "error", "records", "hw", "lso", "log_start"])?;
        if self.open.is_none() {
            self.poll()?;
        }
        if let Some(name) = step["error"].as_str() {
            let error = KafkaError::from_name(name).ok_or(format!("no error {name}"))?;
            self.next = Some(Err(error));
            return self.serve();
        }
        let start = step["log_start"].as_i64().unwrap_or(0);
        let hw = number(&step["hw"])?;
        let lso = step["lso"].as_i64().unwrap_or(hw);
        self.next = Some(Ok(Fetched {
            batches: plain(&offsets(&step["records"])?),
            ..bounds(Boundary(hw), Boundary(lso), Boundary(start))
        }));
        self.serve()?;
        self.poll()
    }
}

impl super::areas_client::Bench for Bench {
    fn step(&mut self, step: &Value) -> Result<(), String> {
        self.fetched_from.clear();
        self.events.clear();
        let reset = step["auto_offset_reset"].as_str();
        if reset.is_some() {
            self.consumer = consumer(&self.given, reset, &mut self.out)?;
        }
        match step["op"].as_str() {
            Some("poll" | "start") => {
                only(step, &["op", "fetched", "auto_offset_reset"])?;
                if let Some(fetched) = step.get("fetched") {
                    self.next = Some(Ok(read(fetched)?));
                }
                self.poll()
            }
            Some("fetch_response") => self.fetch_response(step),
            Some("validate") => self.poll(),
            Some("epoch_answer") => {
                let (epoch, end) = (number(&step["epoch"])?, number(&step["end"])?);
                let result = Ok(Some((Epoch(epoch as i32), Boundary(end))));
                let c = self.asked.take().ok_or("it asks for no epoch")?;
                self.hear(c, Body::EpochEndAnswer { tp: TP, result });
                self.poll()
            }
            Some("seek_unvalidated") => {
                let (to, epoch) = (number(&step["offset"])?, number(&step["epoch"])?);
                let (to, epoch) = (Boundary(to), Epoch(epoch as i32));
                self.consumer.seek_with_epoch(TP, to, epoch, &mut self.out);
                Ok(())
            }
            Some("partition_lag") => {
                only(step, &["op", "isolation"])?;
                let given = json!({ "isolation": step["isolation"] });
                self.consumer = consumer(&given, None, &mut self.out)?;
                Ok(())
            }
            op => Err(format!("op {op:?} is not understood")),
        }
    }

    fn tell(&mut self, name: &str, _: &Value) -> Option<Value> {
        let records = &self.polled.records;
        let exception = self.polled.exception.as_ref();
        let position = self.consumer.read_position(TP);
        let valid = self.consumer.positions().iter().any(|(_, p)| p.is_some());
        let refused = self.events.iter().find_map(|e| match e {
            EventKind::ConsumeRefused { error, .. } => Some(error.name()),
            _ => None,
        });
        Some(match name {
            "returned" | "returned_offsets" => {
                json!(records.iter().map(|r| r.1.0).collect::<Vec<_>>())
            }
            "returned_keys" => json!(records.iter().map(|r| r.3.as_deref()).collect::<Vec<_>>()),
            "position" | "final_position" | "offset" => json!(position.map(|(at, _)| at.0)),
            "position_epoch" => json!(position.and_then(|(_, e)| e).map(|e| e.0)),
            "position_advanced" => {
                json!(position.map(|(at, _)| at.0) != self.given["position"].as_i64())
            }
            "fetch_offset_sent" => json!(self.fetched_from.first().map(|b| b.0)),
            "fetches_sent" => json!(self.fetched_from.len()),
            "fetchable" => json!(valid),
            "awaiting_validation" => json!(position.is_some() && !valid),
            "first_position" => json!(self.events.iter().find_map(|e| match e {
                EventKind::PositionRestored { to, .. } => Some(to.0),
                _ => None,
            })),
            "then_error" => json!(refused),
            "error" => json!(refused.unwrap_or("NONE")),
            "exception" => json!(exception.map(|e| match e {
                PollException::OffsetOutOfRange => "OffsetOutOfRangeException",
                PollException::NoOffsetForPartition => "NoOffsetForPartitionException",
                PollException::LogTruncation(_) => "LogTruncationException",
                PollException::Refused(error) => error.name(),
            })),
            "divergent" => match exception {
                Some(PollException::LogTruncation(Some((at, epoch)))) => {
                    json!({ "offset": at.0, "epoch": epoch.0 })
                }
                _ => Value::Null,
            },
            "records_lag" | "lag" => json!(self.consumer.records_lag().first()?.1),
            "records_lead" => json!(self.consumer.records_lead().first()?.1),
            _ => return None,
        })
    }
}
