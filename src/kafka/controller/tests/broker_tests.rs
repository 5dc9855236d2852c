//! Registration, sessions, shutdown, and what a leader may ask.

use super::*;

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
