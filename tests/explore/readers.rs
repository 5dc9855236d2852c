//! Every run of one consumer over a partition whose leader dies once: the next leader may not know
//! yet how far was committed (its high watermark lags), or, after an unclean election, may not have
//! all that was. The consumer is the real one, and so is the broker that leads; who leads, what is
//! committed for the group and the follower are the search's.
//!
//! What it leaves out: nothing is lost on the way, and a poll goes on until what it asked for is
//! answered or its time is over. States are not recognised again: what is counted is runs.

use crate::bench::{BROKER_EPOCH, Bench, Start, TP, registration};
use highwater::kafka::batch::{NewBatch, NewRecord};
use highwater::kafka::client::consumer::{CommitMode, Consumer};
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset};
use highwater::kafka::config::ServerConfig;
use highwater::kafka::group::message::*;
use highwater::kafka::ids::*;
use highwater::kafka::log::Log;
use highwater::kafka::message::*;
use highwater::kafka::metadata::{BrokerReg, Image};
use highwater::kafka::out::{ClientTimer, Out};
use highwater::kafka::switches::Switches;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The two replicas. The one that leads first dies; the follower is played.
const REPLICAS: [BrokerId; 2] = [BrokerId(1), BrokerId(2)];
const POLL: Ms = Ms(1_000);
const TICK: Ms = Ms(100);

/// How much may happen.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub switches: Switches,
    /// Whether the new leader may lack what was committed.
    pub unclean: bool,
    pub budget: Budget,
}

/// How often each may happen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub records: u8,
    pub moves: u8,
    pub polls: u8,
    pub asks: u8,
    pub saves: u8,
    pub crashes: u8,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A record is written; committed at once, unless the leader's high watermark lags.
    Produce,
    /// The leader dies; the next one's log ends here, and so far it knows it to be committed.
    Move { end: i64, high_watermark: i64 },
    /// The follower has fetched to the end: the high watermark is there.
    CatchUp,
    /// The consumer polls.
    Poll,
    /// A client asks for the end of the log.
    Ask,
    /// commitSync() of the position.
    Save,
    /// The consumer's process ends and another begins.
    Crash,
}

/// What was found, each by a way of the fewest steps.
#[derive(Default)]
pub struct Found {
    /// Runs and beginnings of runs.
    pub runs: u64,
    /// A record was passed over without a word: the consumer was given one behind it.
    pub skipped: Option<Vec<Act>>,
    /// A client was told an end below the one it was told before, though nothing was lost.
    pub end_back: Option<Vec<Act>>,
}

#[derive(Clone)]
struct State {
    bench: Bench,
    leader: usize,
    epoch: i32,
    lags: bool,
    lost: bool,
    written: u8,
    consumer: Consumer,
    out: Out,
    /// Requests that the leader holds.
    open: Vec<Correlation>,
    committed: Option<Committed>,
    /// Values that a consumer was given.
    given: Vec<Rc<str>>,
    told: Boundary,
    skipped: bool,
    end_back: bool,
    left: Budget,
}

fn reader(switches: &Switches, out: &mut Out) -> Consumer {
    let settings = ConsumerSettings {
        group: Some("g".into()),
        auto_commit: false,
        offset_reset: OffsetReset::Earliest,
        ..ConsumerSettings::default()
    };
    let consumer = Consumer::new(ClientId(0), settings, REPLICAS.to_vec());
    let mut consumer = consumer.detect_truncation(switches.consumer_truncation_detection);
    consumer.assign(&[TP], None, out);
    consumer
}

fn leader(at: usize, epoch: i32, log: Log, high_watermark: i64, switches: Switches) -> Bench {
    let isr = REPLICAS.into_iter().collect();
    let reg = registration(REPLICAS.to_vec(), isr, Some(REPLICAS[at]), epoch, epoch);
    let start = Start {
        me: REPLICAS[at],
        reg: Some(reg),
        log,
        high_watermark,
        server: ServerConfig::default(),
        min_isr: None,
        racks: BTreeMap::new(),
        brokers: REPLICAS.to_vec(),
    };
    Bench::with(start, switches)
}

impl State {
    fn start(bounds: &Bounds) -> State {
        let mut out = Out::default();
        let consumer = reader(&bounds.switches, &mut out);
        let mut state = State {
            bench: leader(0, 0, Log::new(), 0, bounds.switches),
            leader: 0,
            epoch: 0,
            lags: false,
            lost: false,
            written: 0,
            consumer,
            out,
            open: Vec::new(),
            committed: None,
            given: Vec::new(),
            told: Boundary(0),
            skipped: false,
            end_back: false,
            left: bounds.budget,
        };
        state.talk();
        state
    }

    fn log(&self) -> &Log {
        &self.bench.replica().expect("a replica").log
    }

    fn image(&self) -> Rc<Image> {
        let mut image = Image::empty();
        for id in REPLICAS {
            let reg = BrokerReg {
                epoch: BROKER_EPOCH,
                incarnation: 1,
                fenced: false,
                in_controlled_shutdown: false,
                rack: None,
            };
            image.brokers.insert(id, reg);
        }
        let isr = REPLICAS.into_iter().collect();
        let lead = Some(REPLICAS[self.leader]);
        let reg = registration(REPLICAS.to_vec(), isr, lead, self.epoch, self.epoch);
        image.partitions.insert(TP, Rc::new(reg));
        Rc::new(image)
    }

    fn hear(&mut self, correlation: Correlation, from: BrokerId, body: Body) {
        let message = Message {
            correlation,
            from: NodeId::Broker(from),
            to: NodeId::Client(ClientId(0)),
            body,
            cause: Default::default(),
        };
        self.consumer.handle(&message, &mut self.out);
    }

    /// Everything that the consumer has asked is answered, as far as the leader answers.
    fn talk(&mut self) {
        loop {
            let leader = REPLICAS[self.leader];
            for (correlation, body) in std::mem::take(&mut self.bench.answers) {
                if self.open.contains(&correlation) {
                    self.open.retain(|c| *c != correlation);
                    self.hear(correlation, leader, body);
                }
            }
            if self.out.sends.is_empty() {
                return;
            }
            let (correlation, from, to, body, _) = self.out.sends.remove(0);
            let NodeId::Broker(to) = to else {
                panic!("it asks {to:?}");
            };
            let answer = match body {
                Body::Metadata => Body::MetadataAnswer(self.image()),
                Body::Group(request) => Body::GroupAnswer(self.coordinate(request)),
                body if to == leader => {
                    self.open.push(correlation);
                    self.bench.deliver(from, correlation, body);
                    continue;
                }
                _ => Body::Disconnected,
            };
            self.hear(correlation, to, answer);
        }
    }

    fn coordinate(&mut self, request: GroupRequest) -> GroupAnswer {
        match request {
            GroupRequest::FindCoordinator(kind, key) => {
                GroupAnswer::Coordinator(kind, key, Ok(REPLICAS[1]))
            }
            GroupRequest::Fetch { .. } => {
                GroupAnswer::Fetched(Ok(vec![(TP, Ok(self.committed.clone()))]))
            }
            GroupRequest::Commit { offsets, .. } => {
                self.committed = offsets.into_iter().next().map(|(_, c)| c);
                GroupAnswer::Committed(vec![(TP, Ok(()))])
            }
            other => panic!("{other:?} is not asked without a subscription"),
        }
    }

    fn acts(&self, bounds: &Bounds) -> Vec<Act> {
        let left = &self.left;
        let mut acts = Vec::new();
        let mut may = |budget: u8, act| {
            if budget > 0 {
                acts.push(act);
            }
        };
        may(left.records, Act::Produce);
        may(left.polls, Act::Poll);
        may(left.asks, Act::Ask);
        may(u8::from(self.lags), Act::CatchUp);
        let position = self.consumer.read_position(TP).is_some();
        may(left.saves.min(u8::from(position)), Act::Save);
        may(left.crashes, Act::Crash);
        if left.moves > 0 {
            let (end, committed) = (self.log().end().0, self.log().high_watermark().0);
            let clean = (0..=committed).map(|high_watermark| Act::Move {
                end,
                high_watermark,
            });
            acts.extend(clean);
            if bounds.unclean {
                let cut = (0..committed).map(|end| Act::Move {
                    end,
                    high_watermark: end,
                });
                acts.extend(cut);
            }
        }
        acts
    }

    fn take(&mut self, act: Act, bounds: &Bounds) {
        match act {
            Act::Produce => {
                self.left.records -= 1;
                let batch = NewBatch::plain([NewRecord::value(&format!("r{}", self.written))]);
                self.written += 1;
                let body = Body::Produce {
                    tp: TP,
                    batch,
                    transactional_id: None,
                    acks: Acks::Leader,
                    timeout: Ms(30_000),
                };
                self.bench.request(NodeId::Client(ClientId(1)), body);
                if !self.lags {
                    self.follow();
                }
            }
            Act::Move {
                end,
                high_watermark,
            } => self.lead(Boundary(end), high_watermark, bounds),
            Act::CatchUp => {
                self.lags = false;
                self.follow();
            }
            Act::Poll => self.poll(),
            Act::Ask => self.ask(),
            Act::Save => {
                self.left.saves -= 1;
                self.consumer
                    .commit(0, None, CommitMode::Sync, &mut self.out);
            }
            Act::Crash => {
                self.left.crashes -= 1;
                self.open.clear();
                self.out.sends.clear();
                self.consumer = reader(&bounds.switches, &mut self.out);
            }
        }
        self.talk();
    }

    /// The follower fetches to the end.
    fn follow(&mut self) {
        let end = self.log().end();
        let part = FetchPart {
            tp: TP,
            offset: end,
            log_start: Boundary(0),
            current_leader_epoch: Some(Epoch(self.epoch)),
            last_fetched_epoch: self.log().epoch_before(end),
        };
        let follower = REPLICAS[1 - self.leader];
        self.bench
            .follower_fetch(follower, Some(BROKER_EPOCH), part, Ms(0), 0);
        assert_eq!(self.log().high_watermark(), end, "the follower counts");
    }

    fn lead(&mut self, end: Boundary, high_watermark: i64, bounds: &Bounds) {
        self.left.moves -= 1;
        let mut log = self.log().clone();
        self.lost |= end < log.high_watermark();
        log.truncate_to(end);
        let dead = REPLICAS[self.leader];
        self.leader = 1 - self.leader;
        self.epoch += 1;
        self.lags = high_watermark < end.0;
        self.bench = leader(
            self.leader,
            self.epoch,
            log,
            high_watermark,
            bounds.switches,
        );
        self.bench.advance(self.out.now.0);
        for correlation in std::mem::take(&mut self.open) {
            self.hear(correlation, dead, Body::Disconnected);
        }
    }

    fn poll(&mut self) {
        self.left.polls -= 1;
        self.consumer.poll(0, POLL, &mut self.out);
        for _ in 0..=(POLL.0 / TICK.0) {
            self.talk();
            if let Some((_, polled)) = self.consumer.done().into_iter().next() {
                let value = |r: &highwater::kafka::batch::Record| r.value.clone();
                let records = self.log().batches().iter().flat_map(|b| b.records.iter());
                let now: BTreeMap<Offset, Rc<str>> = records
                    .filter_map(|r| Some((r.offset, value(r)?)))
                    .collect();
                for given in &polled.records {
                    self.given.extend(given.4.clone());
                }
                let last = polled.records.iter().map(|r| r.1).max();
                let passed = now.iter().filter(|(at, _)| last.is_some_and(|l| **at < l));
                let new = |(_, v): &(&Offset, &Rc<str>)| !self.given.contains(v);
                self.skipped |= polled.exception.is_none() && passed.into_iter().any(|r| new(&r));
                return;
            }
            self.out.now = self.out.now.plus(TICK);
            self.bench.advance(TICK.0);
            self.consumer.timer(&ClientTimer::Wake, &mut self.out);
        }
        panic!("the poll does not end");
    }

    fn ask(&mut self) {
        self.left.asks -= 1;
        let body = Body::ListOffsets {
            tp: TP,
            spec: OffsetSpec::Latest,
            isolation: Isolation::ReadUncommitted,
            current_leader_epoch: Some(Epoch(self.epoch)),
        };
        let asked = self.bench.request(NodeId::Client(ClientId(2)), body);
        match self.bench.answers.remove(&asked) {
            Some(Body::ListOffsetsAnswer {
                result: Ok(Some(found)),
                ..
            }) => {
                self.end_back |= found.at < self.told && !self.lost;
                self.told = found.at;
            }
            Some(Body::ListOffsetsAnswer { result: Err(_), .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Tries everything.
pub fn everything(bounds: &Bounds) -> Found {
    let mut found = Found::default();
    go_on(&State::start(bounds), &mut Vec::new(), bounds, &mut found);
    found
}

fn go_on(state: &State, way: &mut Vec<Act>, bounds: &Bounds, found: &mut Found) {
    found.runs += 1;
    for act in state.acts(bounds) {
        let mut after = state.clone();
        after.take(act, bounds);
        way.push(act);
        let shorter = |known: &Option<Vec<Act>>| known.as_ref().is_none_or(|k| way.len() < k.len());
        if after.skipped && shorter(&found.skipped) {
            found.skipped = Some(way.clone());
        }
        if after.end_back && shorter(&found.end_back) {
            found.end_back = Some(way.clone());
        }
        go_on(&after, way, bounds, found);
        way.pop();
    }
}
