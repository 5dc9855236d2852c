//! Carries out the vectors that are about a client alone: idempotence and retries of a producer
//! (V-IDM-11 to V-IDM-13), a consumer at a follower (V-FFR-05). The test plays the brokers.

use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::consumer::Consumer;
use highwater::kafka::client::producer::{Producer, SendViewState};
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::Cause;
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, Body, Fetched, FetchedPart, Message, NodeId};
use highwater::kafka::metadata::{BrokerReg, Image, PartitionReg, Recovery};
use highwater::kafka::out::{ClientTimer, Out};
use serde_json::{Map, Value, json};
use std::rc::Rc;

pub(super) const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
/// The leader in all of these cases.
pub(super) const LEADER: BrokerId = BrokerId(9);

/// Carries a vector out. `None`: it is not one of these.
pub fn run(case: &Value) -> Option<Result<(), String>> {
    match case["id"].as_str()? {
        "V-IDM-11" | "V-IDM-12" | "V-IDM-13" => Some(carry_out(case, ProducerBench::new)),
        "V-FFR-05" => Some(carry_out(case, ConsumerBench::new)),
        _ => None,
    }
}

/// A client with the test around it.
pub(super) trait Bench {
    fn step(&mut self, step: &Value) -> Result<(), String>;
    /// What is the case under this name of an expectation; `None`: no such name.
    fn tell(&mut self, name: &str, expected: &Value) -> Option<Value>;
}

pub(super) fn carry_out<B: Bench>(
    case: &Value,
    new: impl Fn(&Value) -> Result<B, String>,
) -> Result<(), String> {
    let (Some(steps), Some(then)) = (case["when"].as_array(), case["then"].as_array()) else {
        return Err("step 0: no when or no then".into());
    };
    let mut bench = new(&case["given"]).map_err(|e| format!("step 0: {e}"))?;
    let mut checked = 0;
    for n in 0..=steps.len() {
        if let Some(step) = n.checked_sub(1).and_then(|i| steps.get(i)) {
            bench.step(step).map_err(|e| format!("step {n}: {e}"))?;
        }
        for expectation in then {
            let after = expectation["after"]
                .as_u64()
                .map_or(steps.len(), |a| a as usize);
            if after != n {
                continue;
            }
            checked += 1;
            for (name, expected) in expectation.as_object().unwrap_or(&Map::new()) {
                if matches!(name.as_str(), "after" | "note") {
                    continue;
                }
                let got = bench
                    .tell(name, expected)
                    .ok_or(format!("step {n}: {name} cannot be told"))?;
                if got != *expected {
                    return Err(format!("step {n}: {name} expected {expected} got {got}"));
                }
            }
        }
    }
    if checked == then.len() {
        Ok(())
    } else {
        Err("an expectation stands behind the last step".into())
    }
}

pub(super) fn image(epoch: i32) -> Rc<Image> {
    let mut image = Image::empty();
    for id in [LEADER, BrokerId(1)] {
        let reg = BrokerReg {
            epoch: BrokerEpoch(0),
            incarnation: 0,
            fenced: false,
            in_controlled_shutdown: false,
            rack: None,
        };
        image.brokers.insert(id, reg);
    }
    let reg = PartitionReg {
        replicas: vec![LEADER, BrokerId(1)],
        adding: vec![],
        removing: vec![],
        isr: [LEADER, BrokerId(1)].into_iter().collect(),
        elr: BrokerSet::EMPTY,
        last_known_elr: vec![],
        leader: Some(LEADER),
        leader_epoch: Epoch(epoch),
        partition_epoch: PartitionEpoch(0),
        recovery: Recovery::Recovered,
    };
    image.partitions.insert(TP, Rc::new(reg));
    Rc::new(image)
}

pub(super) fn answer(correlation: Correlation, from: BrokerId, body: Body) -> Message {
    Message {
        correlation,
        from: NodeId::Broker(from),
        to: NodeId::Client(ClientId(0)),
        body,
        cause: Cause::default(),
    }
}

fn error(step: &Value) -> Result<Option<KafkaError>, String> {
    match step["error"].as_str() {
        Some("NONE") => Ok(None),
        Some(name) => KafkaError::from_name(name)
            .map(Some)
            .ok_or(format!("no error {name}")),
        None => Err("no error told".into()),
    }
}

/// Holds that every field is one of these, so that nothing of a case is passed over.
pub(super) fn only(value: &Value, known: &[&str]) -> Result<(), String> {
    match value
        .as_object()
        .and_then(|o| o.keys().find(|k| !known.contains(&k.as_str())))
    {
        Some(unknown) => Err(format!("{unknown} is not understood")),
        None => Ok(()),
    }
}

// --- producer ------------------------------------------------------------------------------

struct ProducerBench {
    producer: Producer,
    out: Out,
    /// Requests without an answer: correlation, and the sequence they were sent with.
    open: Vec<(Correlation, Option<i32>)>,
    /// The sequence each send had when it first went out, by tag.
    first_sequences: Vec<Option<i32>>,
    sent_sequence: Option<i32>,
    /// How each send ended, by tag.
    ended: Vec<(u32, Result<Option<Offset>, KafkaError>)>,
}

impl ProducerBench {
    fn new(given: &Value) -> Result<Self, String> {
        only(given, &["producer"])?;
        let given = &given["producer"];
        let known = ["idempotent", "in_flight", "epoch", "last_acked"];
        let known = [&known[..], &["next_seq", "retries", "acks"]].concat();
        only(given, &known)?;
        let mut settings = ProducerSettings {
            linger: Ms(0),
            idempotent: given["idempotent"].as_bool().unwrap_or(true),
            ..ProducerSettings::default()
        };
        if let Some(retries) = given["retries"].as_u64() {
            settings.retries = retries as u32;
        }
        if let Some(acks) = given["acks"].as_str() {
            settings.acks = Acks::parse(acks).ok_or(format!("no acks {acks}"))?;
        }
        let mut bench = ProducerBench {
            producer: Producer::new(ClientId(0), settings, vec![LEADER], 1000),
            out: Out::default(),
            open: Vec::new(),
            first_sequences: Vec::new(),
            sent_sequence: None,
            ended: Vec::new(),
        };
        // What is given is brought about by sending and confirming.
        for offset in 0..=given["last_acked"].as_i64().unwrap_or(-1) {
            bench.send();
            bench.respond(None, Ok(Offset(offset)))?;
        }
        for expected in given["in_flight"].as_array().unwrap_or(&Vec::new()) {
            bench.send();
            let got = json!(bench.sent_sequence);
            if got != *expected {
                return Err(format!("in_flight expected {expected} got {got}"));
            }
        }
        for (name, got) in [
            ("epoch", json!(bench.producer.epoch())),
            ("next_seq", json!(bench.producer.next_sequence(TP))),
        ] {
            let expected = &given[name];
            if !expected.is_null() && *expected != got {
                return Err(format!("{name} expected {expected} got {got}"));
            }
        }
        bench.ended.clear();
        Ok(bench)
    }

    fn send(&mut self) {
        let tag = self.first_sequences.len() as u32;
        let records = vec![NewRecord::value("v")];
        self.first_sequences.push(None);
        self.producer.send(tag, TP, records, &mut self.out);
        self.pump();
        self.first_sequences[tag as usize] = self.sent_sequence;
    }

    fn respond(
        &mut self,
        sequence: Option<i32>,
        result: Result<Offset, KafkaError>,
    ) -> Result<(), String> {
        let correlation = self.take_open(sequence)?;
        let body = Body::ProduceAnswer {
            tp: TP,
            result,
            current_leader: None,
        };
        self.hear(correlation, body);
        Ok(())
    }

    /// The oldest request without an answer, or the one with this sequence.
    fn take_open(&mut self, sequence: Option<i32>) -> Result<Correlation, String> {
        let place = self
            .open
            .iter()
            .position(|(_, s)| sequence.is_none() || *s == sequence)
            .ok_or("no such request is under way")?;
        Ok(self.open.remove(place).0)
    }

    fn hear(&mut self, correlation: Correlation, body: Body) {
        let message = answer(correlation, LEADER, body);
        self.producer.handle(&message, &mut self.out);
        self.pump();
    }

    /// Answers questions about the cluster at once, and keeps what was produced.
    fn pump(&mut self) {
        while !self.out.sends.is_empty() {
            for (correlation, _, _, body, _) in std::mem::take(&mut self.out.sends) {
                match body {
                    Body::Metadata => {
                        let told = answer(correlation, LEADER, Body::MetadataAnswer(image(0)));
                        self.producer.handle(&told, &mut self.out);
                    }
                    Body::Produce { batch, .. } => {
                        self.sent_sequence = batch.stamp.map(|s| s.base_sequence);
                        self.open.push((correlation, self.sent_sequence));
                    }
                    _ => {}
                }
            }
        }
        let done = self.producer.done().into_iter();
        self.ended.extend(done.map(|(tag, result)| {
            let first = result.map(|offsets| offsets.first().copied().flatten());
            (tag, first.map_err(|(error, _)| error))
        }));
    }

    /// Lets time go on until a batch goes out.
    fn resend(&mut self) -> Result<(), String> {
        let before = self.open.len();
        for _ in 0..20 {
            if self.open.len() > before {
                return Ok(());
            }
            let now = self.out.now;
            let due = self.out.timers.iter().map(|(at, _)| *at);
            let Some(next) = due.filter(|at| *at > now).min() else {
                break;
            };
            self.out.now = next;
            self.producer.timer(&ClientTimer::Wake, &mut self.out);
            self.pump();
        }
        if self.open.len() > before {
            Ok(())
        } else {
            Err("nothing is sent again".into())
        }
    }
}

impl Bench for ProducerBench {
    fn step(&mut self, step: &Value) -> Result<(), String> {
        only(step, &["op", "seq", "error", "offset"])?;
        match step["op"].as_str() {
            Some("send") => {
                self.send();
                Ok(())
            }
            Some("response") => {
                let sequence = step["seq"].as_i64().map(|s| s as i32);
                let result = match error(step)? {
                    None => Ok(Offset(step["offset"].as_i64().unwrap_or(0))),
                    Some(error) => Err(error),
                };
                self.respond(sequence, result)
            }
            Some("disconnect") => {
                let correlation = self.take_open(None)?;
                self.hear(correlation, Body::Disconnected);
                Ok(())
            }
            // An attempt may have gone out with the step before.
            Some("resend") => self.resend(),
            op => Err(format!("op {op:?} is not understood")),
        }
    }

    fn tell(&mut self, name: &str, expected: &Value) -> Option<Value> {
        let sends = self.producer.sends();
        Some(match name {
            "failed" if expected.is_string() => match self.ended.last() {
                Some((_, Err(error))) => json!(error.name()),
                _ => Value::Null,
            },
            "failed" => {
                let failed = self.ended.iter().filter(|(_, r)| r.is_err());
                json!(
                    failed
                        .map(|(tag, _)| self.first_sequences[*tag as usize])
                        .collect::<Vec<_>>()
                )
            }
            "in_flight_count" => {
                let in_flight = |s: &SendViewState| matches!(s, SendViewState::InFlight(_));
                json!(sends.iter().filter(|s| in_flight(&s.state)).count())
            }
            "sent_seq" => json!(self.sent_sequence),
            "last_acked" => json!(self.producer.last_acked_sequence(TP)),
            "epoch" => json!(self.producer.epoch()),
            "first_in_flight_seq" => json!(self.producer.first_outstanding_sequence(TP)),
            "next_seq" => json!(self.producer.next_sequence(TP)),
            "done" => {
                let last = sends.last().map(|s| &s.state);
                json!(matches!(last, Some(SendViewState::Confirmed(..))))
            }
            "offset" => match self.ended.last() {
                Some((_, Ok(Some(offset)))) => json!(offset.0),
                _ => Value::Null,
            },
            _ => return None,
        })
    }
}

// --- consumer ------------------------------------------------------------------------------

struct ConsumerBench {
    consumer: Consumer,
    out: Out,
}

impl ConsumerBench {
    fn new(given: &Value) -> Result<Self, String> {
        only(
            given,
            &["position", "preferred_replica", "auto_offset_reset"],
        )?;
        let settings = ConsumerSettings {
            offset_reset: match given["auto_offset_reset"].as_str() {
                Some("earliest") => OffsetReset::Earliest,
                Some("latest") | None => OffsetReset::Latest,
                Some("none") => OffsetReset::None,
                Some(other) => return Err(format!("no policy {other}")),
            },
            ..ConsumerSettings::default()
        };
        let mut bench = ConsumerBench {
            consumer: Consumer::new(ClientId(0), settings, vec![LEADER]),
            out: Out::default(),
        };
        let position = given["position"].as_i64().map(Boundary);
        bench.consumer.assign(&[TP], position, &mut bench.out);
        bench.consumer.poll(0, Ms(10_000), &mut bench.out);
        let (correlation, _, body) = bench.take()?;
        if body != Body::Metadata {
            return Err(format!("asked {body:?} instead of who leads"));
        }
        let told = answer(correlation, LEADER, Body::MetadataAnswer(image(0)));
        bench.consumer.handle(&told, &mut bench.out);
        if let Some(replica) = given["preferred_replica"].as_u64() {
            let replica = BrokerId(replica as u8);
            bench.answer_fetch(Ok(Fetched {
                batches: vec![],
                high_watermark: Boundary(0),
                last_stable: Boundary(0),
                log_start: Boundary(0),
                aborted: vec![],
                diverging: None,
                preferred_read_replica: Some(replica),
            }))?;
            let to = bench.out.sends.first().map(|(_, _, to, ..)| *to);
            if to != Some(NodeId::Broker(replica)) {
                return Err(format!("asked {to:?} instead of the preferred replica"));
            }
        }
        Ok(bench)
    }

    /// The next request it has sent.
    fn take(&mut self) -> Result<(Correlation, BrokerId, Body), String> {
        if self.out.sends.is_empty() {
            return Err("it asks nothing".into());
        }
        match self.out.sends.remove(0) {
            (correlation, _, NodeId::Broker(to), body, _) => Ok((correlation, to, body)),
            (_, _, to, ..) => Err(format!("it asks {to:?}")),
        }
    }

    fn answer_fetch(&mut self, result: Result<Fetched, KafkaError>) -> Result<(), String> {
        let (correlation, broker, body) = self.take()?;
        let Body::Fetch(request) = body else {
            return Err(format!("asked {body:?} instead of fetching"));
        };
        let parts = request.parts.iter().map(|part| FetchedPart {
            tp: part.tp,
            offset: part.offset,
            result: result.clone(),
        });
        let told = answer(correlation, broker, Body::FetchAnswer(parts.collect()));
        self.consumer.handle(&told, &mut self.out);
        Ok(())
    }
}

impl Bench for ConsumerBench {
    fn step(&mut self, step: &Value) -> Result<(), String> {
        only(step, &["op", "error"])?;
        match (step["op"].as_str(), error(step)?) {
            (Some("fetch_response"), Some(error)) => self.answer_fetch(Err(error)),
            (op, _) => Err(format!("op {op:?} is not understood")),
        }
    }

    fn tell(&mut self, name: &str, _: &Value) -> Option<Value> {
        Some(match name {
            "preferred_replica" => {
                json!(self.consumer.preferred_read_replica().map(|b| b.0))
            }
            "reset_needed" => {
                let asks = self.out.sends.iter();
                let looks_up = asks
                    .clone()
                    .any(|s| matches!(s.3, Body::ListOffsets { .. }));
                let positions = self.consumer.positions();
                json!(looks_up || positions.iter().any(|(_, p)| p.is_none()))
            }
            _ => return None,
        })
    }
}
