//! The change records of elections, reassignments and settings.

use super::*;

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
