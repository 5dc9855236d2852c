//! The controller as brokers and administrators see it. Sequences of change records are those of
//! the recorded runs named beside them.

use super::*;
use crate::kafka::config::TopicConfig;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{Cause, EventKind};
use crate::kafka::ids::*;
use crate::kafka::message::HeartbeatState;
use crate::kafka::metadata::{MetaRecord, PartitionReg, Recovery};
use crate::kafka::out::{ControllerTimer, Timer};

const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
const SESSION: Ms = Ms(9_000);

fn ids(list: &[u8]) -> Vec<BrokerId> {
    list.iter().map(|b| BrokerId(*b)).collect()
}

/// A controller, a clock, and what has been written since one last looked.
struct Bench {
    controller: Controller,
    now: Ms,
    correlation: u64,
    events: Vec<EventKind>,
    timers: Vec<(Ms, Timer)>,
}

impl Bench {
    fn new(brokers: &[u8]) -> Bench {
        Bench::with(brokers, Switches::default(), false)
    }

    fn with(brokers: &[u8], switches: Switches, by_hand: bool) -> Bench {
        let mut bench = Bench {
            controller: Controller::new(&ServerConfig::default(), switches, by_hand),
            now: Ms(0),
            correlation: 0,
            events: vec![],
            timers: vec![],
        };
        bench.act(|c, out| c.start(out));
        for b in brokers {
            bench.register(*b, 1, None).unwrap();
            bench.beat(*b);
        }
        bench
    }

    fn act<T>(&mut self, f: impl FnOnce(&mut Controller, &mut Out) -> T) -> (T, Out) {
        let mut out = Out {
            now: self.now,
            recording: true,
            ..Out::default()
        };
        let result = f(&mut self.controller, &mut out);
        self.events
            .extend(out.events.iter().map(|e| e.kind.clone()));
        self.timers.append(&mut out.timers);
        (result, out)
    }

    fn send(&mut self, from: u8, body: Body) -> Vec<Body> {
        self.correlation += 1;
        let message = Message {
            correlation: Correlation(self.correlation),
            from: NodeId::Broker(BrokerId(from)),
            to: NodeId::Controller,
            body,
            cause: Cause::default(),
        };
        let ((), out) = self.act(|c, out| c.handle(&message, out));
        out.sends.into_iter().map(|s| s.3).collect()
    }

    fn register(&mut self, b: u8, start: u32, previous: Option<i64>) -> Result<i64, KafkaError> {
        let body = Body::Register {
            incarnation: start,
            previous_epoch: previous.map(BrokerEpoch),
            rack: None,
            new_directory: false,
        };
        match &self.send(b, body)[0] {
            Body::Registered(result) => result.map(|e| e.0),
            other => panic!("{other:?}"),
        }
    }

    fn epoch(&self, b: u8) -> BrokerEpoch {
        self.controller.image().brokers[&BrokerId(b)].epoch
    }

    fn beat_at(&mut self, b: u8, offset: MetaOffset, stop: bool) -> HeartbeatState {
        let body = Body::Heartbeat {
            epoch: self.epoch(b),
            metadata_offset: offset,
            want_fence: false,
            want_shut_down: stop,
        };
        match &self.send(b, body)[0] {
            Body::HeartbeatAnswer(Ok(state)) => *state,
            other => panic!("{other:?}"),
        }
    }

    fn beat(&mut self, b: u8) -> HeartbeatState {
        let end = self.controller.image().offset;
        self.beat_at(b, end, false)
    }

    /// Lets a broker stop in good order.
    fn stop(&mut self, b: u8) {
        let end = self.controller.image().offset;
        if !self.beat_at(b, end, true).should_shut_down {
            let others: Vec<u8> = self
                .controller
                .image()
                .brokers
                .keys()
                .map(|b| b.0)
                .collect();
            for other in others {
                if self.controller.active(BrokerId(other)) {
                    self.beat(other);
                }
            }
            assert!(self.beat_at(b, end, true).should_shut_down);
        }
    }

    fn topic(&mut self, replicas: &[u8], min_isr: i32) {
        let config = TopicConfig {
            min_insync_replicas: Some(min_isr),
            ..TopicConfig::default()
        };
        let (result, _) =
            self.act(|c, out| c.create_topic("orders", &[ids(replicas)], config, out));
        result.unwrap();
        self.events.clear();
    }

    fn alter(&mut self, isr: &[u8]) -> Result<(), KafkaError> {
        let reg = self.reg();
        let leader = reg.leader.unwrap().0;
        let body = Body::AlterPartition {
            broker_epoch: self.epoch(leader),
            tp: TP,
            leader_epoch: reg.leader_epoch,
            partition_epoch: reg.partition_epoch,
            isr: isr
                .iter()
                .map(|b| (BrokerId(*b), Some(self.epoch(*b))))
                .collect(),
            recovery: Recovery::Recovered,
        };
        match self.send(leader, body).remove(0) {
            Body::AlterPartitionAnswer { result, .. } => result.map(|_| ()),
            other => panic!("{other:?}"),
        }
    }

    fn reg(&self) -> PartitionReg {
        PartitionReg::clone(&self.controller.image().partitions[&TP])
    }

    fn fence(&mut self, b: u8) {
        self.act(|c, out| c.fence(BrokerId(b), out));
    }

    /// Time passes for everybody but the living, then the controller looks for stale sessions.
    fn fence_check(&mut self) -> Ms {
        self.timers.clear();
        self.act(|c, out| c.timer(&ControllerTimer::FenceCheck, out));
        self.timers[0].0.since(self.now)
    }

    /// The change records since the last look, as the runs list them:
    /// `partition epoch, leader, leader epoch, isr, elr, last known elr`.
    fn changes(&mut self) -> Vec<String> {
        self.events
            .drain(..)
            .filter_map(|e| match e {
                EventKind::PartitionChanged { new, .. } => Some(line(&new)),
                EventKind::ElrCleared { .. } => Some("clear_elr".into()),
                _ => None,
            })
            .collect()
    }
}

fn line(reg: &PartitionReg) -> String {
    let list = |l: &[BrokerId]| l.iter().copied().collect::<BrokerSet>().to_string();
    let mut text = format!(
        "{} L{} e{} {} {} {}",
        reg.partition_epoch,
        reg.leader.map_or(-1, |b| i64::from(b.0)),
        reg.leader_epoch,
        reg.isr,
        reg.elr,
        list(&reg.last_known_elr),
    );
    if reg.recovery == Recovery::Recovering {
        text += " RECOVERING";
    }
    text
}

/// R-FEN-5: fenced at first; unfenced once it has applied its own registration.
#[test]
fn a_broker_is_unfenced_when_it_has_applied_its_registration() {
    let mut bench = Bench::new(&[]);
    let epoch = bench.register(1, 1, None).unwrap();
    assert_eq!(epoch, bench.controller.image().offset.0);
    let state = bench.beat_at(1, MetaOffset(epoch - 1), false);
    assert!(state.fenced && !state.caught_up);
    assert!(!bench.beat_at(1, MetaOffset(epoch), false).fenced);
}

/// R-FEN-5 (runs r22, r24): neither a kill nor a clean stop shortens the old session.
#[test]
fn a_new_start_is_refused_while_the_old_session_lives() {
    for clean in [false, true] {
        let mut bench = Bench::new(&[1, 2]);
        let old = bench.epoch(1).0;
        if clean {
            bench.stop(1);
        }
        let previous = clean.then_some(old);
        bench.now = SESSION;
        let refused = bench.register(1, 2, previous);
        assert_eq!(refused, Err(KafkaError::DuplicateBrokerRegistration));
        bench.now = Ms(SESSION.0 + 1);
        let epoch = bench.register(1, 2, previous).unwrap();
        assert!(epoch > old);
        assert_eq!(epoch, bench.controller.image().offset.0);
    }
}

/// A start whose answer was lost asks again and gets the same epoch.
#[test]
fn registering_twice_is_one_registration() {
    let mut bench = Bench::new(&[1]);
    let epoch = bench.epoch(1).0;
    assert_eq!(bench.register(1, 1, None), Ok(epoch));
}

/// R-FEN-2: one a run, the longest silent first, the next run 10 ms later while one was found.
#[test]
fn stale_brokers_are_fenced_one_a_run() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    bench.now = Ms(100);
    bench.beat(1);
    bench.now = Ms(200);
    bench.beat(3);
    bench.now = SESSION;
    assert_eq!(bench.fence_check(), Ms(1_125));
    assert!(bench.changes().is_empty(), "expiry is strict, R-FEN-1");
    bench.now = Ms(20_000);
    assert_eq!(bench.fence_check(), Ms(10));
    assert_eq!(bench.changes(), ["1 L1 e0 [1, 3] [] []"]);
    assert_eq!(bench.fence_check(), Ms(10));
    assert_eq!(bench.changes(), ["2 L3 e1 [3] [1] []"]);
    assert_eq!(bench.fence_check(), Ms(10));
    assert_eq!(bench.changes(), ["3 L-1 e2 [] [1, 3] [3]"]);
    assert_eq!(bench.fence_check(), Ms(1_125));
}

/// Run r20: all die and come back unclean; the last leader is elected at its unfencing.
#[test]
fn the_last_known_leader_is_elected_at_its_unfencing() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    for b in [1, 2, 3] {
        bench.fence(b);
    }
    assert_eq!(
        bench.changes(),
        [
            "1 L2 e1 [2, 3] [] []",
            "2 L3 e2 [3] [2] []",
            "3 L-1 e3 [] [2, 3] [3]"
        ]
    );
    bench.now = Ms(20_000);
    let mut step = |b: u8| {
        bench.register(b, 2, None).unwrap();
        bench.beat(b);
        bench.changes()
    };
    assert!(step(1).is_empty());
    assert_eq!(step(2), ["4 L-1 e3 [] [3] [3]"]);
    assert_eq!(
        step(3),
        ["5 L-1 e3 [] [] [3]", "6 L3 e4 [3] [] [] RECOVERING"]
    );
    bench.alter(&[3, 2]).unwrap();
    assert_eq!(bench.changes(), ["7 L3 e4 [2, 3] [] []"], "R-ELE-11");
}

/// Run r10c: the record of another broker's unclean registration elects the last known leader.
#[test]
fn an_unclean_registration_can_elect() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    for b in [3, 2, 1] {
        bench.fence(b);
    }
    bench.changes();
    bench.now = Ms(20_000);
    let mut step = |b: u8| {
        bench.register(b, 2, None).unwrap();
        bench.beat(b);
        bench.changes()
    };
    assert_eq!(step(1), ["4 L-1 e1 [] [2] [1]"]);
    assert!(step(3).is_empty());
    assert_eq!(step(2), ["5 L1 e2 [1] [] [] RECOVERING"]);
}

/// Run r20c: registrations come in before the controller has looked for stale sessions.
#[test]
fn an_unclean_registration_before_the_fencing() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    bench.now = Ms(20_000);
    for b in [1, 2, 3] {
        bench.register(b, 2, None).unwrap();
    }
    assert_eq!(
        bench.changes(),
        [
            "1 L2 e1 [2, 3] [] []",
            "2 L3 e2 [3] [] []",
            "3 L-1 e3 [] [] [3]"
        ]
    );
    bench.beat(3);
    assert_eq!(bench.changes(), ["4 L3 e4 [3] [] [] RECOVERING"]);
}

/// Runs r10, r11: clean stops; R-ELR-3, R-CSD-2.
#[test]
fn clean_stops_leave_the_elr_to_elect_from() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    for b in [3, 2, 1] {
        bench.stop(b);
    }
    assert_eq!(
        bench.changes(),
        [
            "1 L1 e0 [1, 2] [] []",
            "2 L1 e0 [1] [2] []",
            "3 L-1 e1 [] [1, 2] [1]"
        ]
    );
    bench.now = Ms(20_000);
    for b in [3, 2] {
        let previous = bench.epoch(b).0;
        bench.register(b, 2, Some(previous)).unwrap();
        bench.beat(b);
    }
    assert_eq!(bench.changes(), ["4 L2 e2 [2] [1] []"]);
}

/// R-CSD-1 (run r22): a broker that is frozen, not fenced, holds a shutdown up.
#[test]
fn a_silent_active_broker_holds_a_shutdown_up() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 2);
    let end = bench.controller.image().offset;
    assert!(!bench.beat_at(1, end, true).should_shut_down);
    assert_eq!(bench.changes(), ["1 L2 e1 [2, 3] [] []"]);
    bench.beat(2);
    assert!(!bench.beat_at(1, end, true).should_shut_down);
    bench.fence(3);
    let state = bench.beat_at(1, end, true);
    assert!(state.should_shut_down && state.fenced);
}

/// R-ALT-1: a member that was started anew since the leader saw it, and a stale sender.
#[test]
fn an_isr_names_the_very_start_of_each_member() {
    let ask = |bench: &mut Bench, sender_epoch: BrokerEpoch, member: BrokerEpoch| {
        let reg = bench.reg();
        let body = Body::AlterPartition {
            broker_epoch: sender_epoch,
            tp: TP,
            leader_epoch: reg.leader_epoch,
            partition_epoch: reg.partition_epoch,
            isr: vec![(BrokerId(1), None), (BrokerId(2), Some(member))],
            recovery: Recovery::Recovered,
        };
        match bench.send(1, body).remove(0) {
            Body::AlterPartitionAnswer { result, .. } => result.map(|_| ()),
            other => panic!("{other:?}"),
        }
    };
    for check in [true, false] {
        let switches = Switches {
            broker_epoch_check: check,
            ..Switches::default()
        };
        let mut bench = Bench::with(&[1, 2], switches, true);
        bench.topic(&[1, 2], 1);
        let seen = bench.epoch(2);
        bench.fence(2);
        bench.register(2, 2, None).unwrap();
        bench.beat(2);
        let sender = bench.epoch(1);
        let stale = ask(&mut bench, BrokerEpoch(0), seen);
        assert_eq!(stale, Err(KafkaError::StaleBrokerEpoch));
        let expected = if check {
            Err(KafkaError::IneligibleReplica)
        } else {
            Ok(())
        };
        assert_eq!(ask(&mut bench, sender, seen), expected);
    }
}

/// R-ALT-1 and R-ALT-2 for old and new epochs.
#[test]
fn alter_partition_checks_epochs() {
    let mut bench = Bench::new(&[1, 2]);
    bench.topic(&[1, 2], 1);
    bench.alter(&[1]).unwrap();
    bench.alter(&[1, 2]).unwrap();
    assert_eq!(
        bench.changes(),
        ["1 L1 e0 [1] [] []", "2 L1 e0 [1, 2] [] []"]
    );
    let mut ask = |leader_epoch, partition_epoch| {
        let body = Body::AlterPartition {
            broker_epoch: bench.epoch(1),
            tp: TP,
            leader_epoch: Epoch(leader_epoch),
            partition_epoch: PartitionEpoch(partition_epoch),
            isr: vec![(BrokerId(1), None)],
            recovery: Recovery::Recovered,
        };
        match bench.send(1, body).remove(0) {
            Body::AlterPartitionAnswer { result, .. } => result.map(|_| ()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ask(1, 2), Err(KafkaError::NotController));
    assert_eq!(ask(0, 3), Err(KafkaError::NotController));
    assert_eq!(ask(-1, 2), Err(KafkaError::FencedLeaderEpoch));
    assert_eq!(ask(0, 1), Err(KafkaError::InvalidUpdateVersion));
    assert_eq!(ask(0, 2), Ok(()));
}

/// Runs r19, r29: the records of a reassignment, its end, its cancelling, and the refusals.
#[test]
fn reassignments_write_what_kafka_writes() {
    let mut bench = Bench::new(&[1, 2, 3, 4]);
    bench.topic(&[1, 2, 3], 2);
    let replicas =
        |bench: &Bench| -> Vec<u8> { bench.reg().replicas.iter().map(|b| b.0).collect() };
    let go = |bench: &mut Bench, target: Option<&[u8]>| {
        let target = target.map(ids);
        bench.act(|c, out| c.reassign(TP, target.as_deref(), out)).0
    };
    bench.stop(4);
    assert_eq!(go(&mut bench, Some(&[4, 2, 3])), Ok(()), "R-RAS-1, run r29");
    assert_eq!(replicas(&bench), [4, 2, 3, 1]);
    assert_eq!(go(&mut bench, None), Ok(()));
    assert_eq!(replicas(&bench), [2, 3, 1], "R-RAS-5");
    assert_eq!(
        go(&mut bench, None),
        Err(KafkaError::NoReassignmentInProgress)
    );
    assert_eq!(
        go(&mut bench, Some(&[1, 2, 9])),
        Err(KafkaError::InvalidReplicaAssignment)
    );
    assert_eq!(go(&mut bench, Some(&[1, 2])), Ok(()), "R-RAS-4");
    bench.now = Ms(20_000);
    let previous = bench.epoch(4).0;
    bench.register(4, 2, Some(previous)).unwrap();
    bench.beat(4);
    assert_eq!(go(&mut bench, Some(&[4, 2])), Ok(()));
    assert_eq!(bench.alter(&[1, 2, 4]), Err(KafkaError::NewLeaderElected));
    assert_eq!(replicas(&bench), [4, 2]);
    assert_eq!(
        bench.changes(),
        [
            "1 L1 e0 [1, 2, 3] [] []",
            "2 L1 e1 [1, 2, 3] [] []",
            "3 L1 e2 [1, 2] [] []",
            "4 L1 e2 [1, 2] [] []",
            "5 L4 e3 [2, 4] [] []"
        ]
    );
}

/// R-ELR-7 (run r23).
#[test]
fn a_change_of_min_isr_empties_the_elr() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.topic(&[1, 2, 3], 1);
    let set = |bench: &mut Bench, value: &str| {
        bench
            .act(|c, out| c.alter_topic_config(TopicId(0), "min.insync.replicas", Some(value), out))
            .0
            .unwrap();
    };
    bench.stop(3);
    set(&mut bench, "5");
    bench.stop(2);
    set(&mut bench, "1");
    assert_eq!(
        bench.changes(),
        ["1 L1 e0 [1, 2] [] []", "2 L1 e0 [1] [2] []", "clear_elr"]
    );
    assert_eq!(line(&bench.reg()), "2 L1 e0 [1] [] []");
}

/// R-ELE-9 (runs r08, r09).
#[test]
fn elect_leaders_answers_as_kafka_does() {
    let mut bench = Bench::new(&[1, 2]);
    bench.topic(&[1, 2], 1);
    let elect = |bench: &mut Bench, unclean, named: Option<&[Tp]>| {
        bench.act(|c, out| c.elect_leaders(unclean, named, out)).0
    };
    let needed = Err(KafkaError::ElectionNotNeeded);
    assert_eq!(elect(&mut bench, false, Some(&[TP])), [(TP, needed)]);
    assert_eq!(elect(&mut bench, false, None), []);
    bench.fence(2);
    bench.fence(1);
    let none = Err(KafkaError::EligibleLeadersNotAvailable);
    assert_eq!(elect(&mut bench, true, Some(&[TP])), [(TP, none)]);
    bench.act(|c, out| c.unfence(BrokerId(2), out));
    let refused = Err(KafkaError::PreferredLeaderNotAvailable);
    assert_eq!(elect(&mut bench, false, Some(&[TP])), [(TP, refused)]);
    assert_eq!(elect(&mut bench, true, None), [(TP, Ok(()))]);
    let unknown = Tp { partition: 7, ..TP };
    let missing = Err(KafkaError::UnknownTopicOrPartition);
    assert_eq!(
        elect(&mut bench, true, Some(&[unknown])),
        [(unknown, missing)]
    );
}

/// R-ELE-10, and what cannot be created.
#[test]
fn a_new_topic_starts_with_the_active_replicas() {
    let mut bench = Bench::new(&[1, 2, 3]);
    bench.fence(1);
    bench.topic(&[1, 2, 3], 1);
    assert_eq!(line(&bench.reg()), "0 L2 e0 [2, 3] [] []");
    let create = |bench: &mut Bench, name: &str, replicas: &[u8]| {
        bench
            .act(|c, out| c.create_topic(name, &[ids(replicas)], TopicConfig::default(), out))
            .0
    };
    let again = create(&mut bench, "orders", &[2]);
    assert_eq!(again, Err(KafkaError::TopicAlreadyExists));
    assert_eq!(
        create(&mut bench, "a b", &[2]),
        Err(KafkaError::InvalidTopic)
    );
    for replicas in [&[9][..], &[2, 2], &[1], &[]] {
        let result = create(&mut bench, "paid", replicas);
        assert_eq!(result, Err(KafkaError::InvalidReplicaAssignment));
    }
}

/// A broker's metadata fetch waits for the next record; what one input writes comes together,
/// and in a world without a clock one record at a time.
#[test]
fn metadata_is_fetched() {
    for by_hand in [false, true] {
        let mut bench = Bench::with(&[1, 2, 3], Switches::default(), by_hand);
        bench.topic(&[1, 2, 3], 1);
        let end = bench.controller.image().offset;
        assert!(bench.send(2, Body::MetaFetch { after: end }).is_empty());
        let (_, out) = bench.act(|c, out| c.fence(BrokerId(1), out));
        let told = out.sends.iter().find_map(|s| match &s.3 {
            Body::MetaAnswer(records) => Some((s.2, records.clone())),
            _ => None,
        });
        let (to, records) = told.unwrap();
        assert_eq!(to, NodeId::Broker(BrokerId(2)));
        assert_eq!(records.len(), if by_hand { 1 } else { 2 });
        assert!(matches!(records[0].0, MetaRecord::Partition { .. }));
        assert_eq!(records[0].1.offset.0, end.0 + 1);
        assert_eq!(records[0].1.partitions[&TP].leader, Some(BrokerId(2)));
    }
}

/// The log keeps what the slowest broker lacks; a broker from nothing still gets an image.
#[test]
fn the_metadata_log_forgets_what_everybody_has() {
    let mut bench = Bench::new(&[1, 2]);
    bench.topic(&[1, 2], 1);
    let end = bench.controller.image().offset;
    bench.send(1, Body::MetaFetch { after: end });
    let all = |bench: &Bench| bench.controller.entries_after(MetaOffset(-1)).count() as i64;
    assert_eq!(all(&bench), end.0 + 1);
    bench.send(2, Body::MetaFetch { after: end });
    assert_eq!(all(&bench), 1);
    let answer = bench.send(
        2,
        Body::MetaFetch {
            after: MetaOffset(-1),
        },
    );
    match &answer[..] {
        [Body::MetaAnswer(records)] => assert_eq!(records[0].1, *bench.controller.image()),
        other => panic!("{other:?}"),
    }
}

/// R-PLE-1 and R-ELE-7: the periodic tasks find their partitions and set their timers again.
#[test]
fn periodic_elections() {
    let mut bench = Bench::new(&[1, 2]);
    bench.topic(&[1, 2], 1);
    bench.fence(1);
    bench.act(|c, out| c.unfence(BrokerId(1), out));
    bench.alter(&[1, 2]).unwrap();
    bench.changes();
    bench.timers.clear();
    bench.act(|c, out| c.timer(&ControllerTimer::Balance, out));
    assert_eq!(bench.changes(), ["3 L1 e2 [1, 2] [] []"]);
    assert_eq!(bench.timers[0].0, Ms(300_000));

    bench.fence(2);
    bench.fence(1);
    bench.act(|c, out| c.unfence(BrokerId(2), out));
    bench.changes();
    bench.act(|c, out| c.timer(&ControllerTimer::UncleanElection, out));
    assert!(bench.changes().is_empty());
    let name = "unclean.leader.election.enable";
    bench
        .act(|c, out| c.alter_topic_config(TopicId(0), name, Some("true"), out))
        .0
        .unwrap();
    assert!(bench.changes().is_empty());
    bench.act(|c, out| c.timer(&ControllerTimer::UncleanElection, out));
    assert_eq!(bench.changes(), ["6 L2 e4 [2] [] [] RECOVERING"]);
}
