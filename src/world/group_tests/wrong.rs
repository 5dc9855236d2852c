//! Worlds that were made wrong: the checks of readers, transactions, groups and commits see it.

use super::*;
use crate::kafka::batch::{Batch, NewBatch, NewRecord, Record, Stamp};
use crate::kafka::client::consumer::PollResult;
use crate::kafka::client::settings::ConsumerSettings;
use crate::kafka::message::{Fetched, FetchedPart};
use crate::kafka::switches::Switches;
use crate::world::command::PartitionName;
use crate::world::setup::Checks;

/// Checked in full; what is found is kept and ends nothing.
fn watched(switches: Switches) -> (World, BrokerId) {
    let setup = Setup {
        checks: Checks::Full,
        switches,
        ..Setup::default()
    };
    cluster_of("g", 1, setup)
}

fn found(world: &World) -> Vec<&'static str> {
    world.violations().iter().map(|v| v.id).collect()
}

/// A broker's answer to a fetch: one record of this number.
fn answer(offset: i64, high_watermark: i64, last_stable: i64) -> Body {
    let record = Record {
        offset: Offset(offset),
        timestamp: Ms(0),
        key: None,
        value: Some("a".into()),
    };
    let batch = Batch {
        base: record.offset,
        last: record.offset,
        epoch: Epoch(0),
        stamp: None,
        transactional: false,
        control: None,
        delete_horizon: None,
        records: [record].into(),
    };
    Body::FetchAnswer(vec![FetchedPart {
        tp: Tp {
            partition: 9,
            ..ORDERS
        },
        offset: Boundary(offset),
        result: Ok(Fetched {
            batches: vec![batch],
            high_watermark: Boundary(high_watermark),
            last_stable: Boundary(last_stable),
            log_start: Boundary(0),
            aborted: Vec::new(),
            diverging: None,
            preferred_read_replica: None,
        }),
    }])
}

#[test]
fn i14_a_record_behind_the_high_watermark_is_given() {
    let (mut world, broker) = watched(Switches::default());
    let from = NodeId::Broker(broker);
    world.told(from, ME, &answer(4, 5, 5), None, true);
    assert_eq!(found(&world), [""; 0]);
    world.told(from, ME, &answer(5, 5, 5), None, false);
    assert_eq!(found(&world), ["I14"]);
}

#[test]
fn i14_a_record_behind_the_last_stable_offset_is_given_to_a_reader_of_committed_transactions() {
    let (mut world, broker) = watched(Switches::default());
    let from = NodeId::Broker(broker);
    world.told(from, ME, &answer(4, 5, 3), None, false);
    assert_eq!(found(&world), [""; 0]);
    world.told(from, ME, &answer(4, 5, 3), None, true);
    assert_eq!(found(&world), ["I14"]);
}

/// The leader's log gets a record of a transaction that is left open.
fn open_transaction(world: &mut World, broker: BrokerId) {
    let batch = NewBatch {
        transactional: true,
        stamp: Some(Stamp {
            producer_id: 7,
            epoch: 0,
            base_sequence: 0,
        }),
        ..NewBatch::plain([NewRecord::value("t")])
    };
    let replica = world
        .broker_mut(broker)
        .and_then(|b| b.replicas.get_mut(&ORDERS));
    let log = &mut replica.expect("a replica").log;
    let epoch = log.latest_epoch().unwrap_or(Epoch(0));
    log.append_as_leader(&batch, epoch, Ms(0), Default::default())
        .expect("taken");
    log.maybe_increment_high_watermark(log.end());
    world.observe(&[(broker, ORDERS)]);
}

#[test]
fn i17_the_last_stable_offset_overlooks_an_open_transaction() {
    let (mut world, broker) = watched(Switches::default());
    open_transaction(&mut world, broker);
    let all: Vec<_> = world.check().into_iter().map(|v| v.id).collect();
    assert_eq!(all, [""; 0]);
    let replica = world
        .broker_mut(broker)
        .and_then(|b| b.replicas.get_mut(&ORDERS));
    replica.expect("a replica").log.forget_producers();
    let all: Vec<_> = world.check().into_iter().map(|v| v.id).collect();
    assert_eq!(all, ["I17"]);
}

#[test]
fn i17_the_last_stable_offset_falls() {
    let (mut world, broker) = watched(Switches::default());
    world.observe(&[(broker, ORDERS)]);
    assert_eq!(found(&world), [""; 0]);
    let (_, stable) = world
        .ghost
        .stable
        .0
        .get_mut(&(broker, ORDERS))
        .expect("seen");
    *stable = Boundary(3);
    world.observe(&[(broker, ORDERS)]);
    assert_eq!(found(&world), ["I17"]);
}

fn join(member: &str, client: &str) -> GroupRequest {
    GroupRequest::Join(Join {
        group: "g".into(),
        member: member.into(),
        instance: None,
        client: client.into(),
        session_timeout: Ms(45_000),
        rebalance_timeout: Ms(300_000),
        assignors: vec![Assignor::Range],
        topics: vec![TopicId(0)],
        owned: vec![],
    })
}

fn given_id(answer: GroupAnswer) -> String {
    match answer {
        GroupAnswer::Joined(Err((_, id))) => id.to_string(),
        other => panic!("{other:?}"),
    }
}

fn joined(answer: Option<GroupAnswer>) -> Joined {
    match answer {
        Some(GroupAnswer::Joined(Ok(joined))) => joined,
        other => panic!("{other:?}"),
    }
}

/// Two members of the first generation; the leader's plan for them.
fn two_members(world: &mut World, to: BrokerId, plan: [&[Tp]; 2]) -> Vec<MemberRef> {
    let mut ids = ["a", "b"].map(|client| given_id(ask(world, to, join("", client))));
    ids.sort();
    let sent = ids.clone().map(|id| send(world, to, join(&id, &id)));
    let told = joined(within(world, sent[0], 20_000));
    joined(within(world, sent[1], 20_000));
    let who = |id: &String| MemberRef {
        id: id.as_str().into(),
        generation: told.generation,
        instance: None,
    };
    let assignments = ids.iter().zip(plan);
    let assignments = assignments.map(|(id, tps)| (id.as_str().into(), tps.to_vec()));
    let sync = GroupRequest::Sync {
        group: "g".into(),
        member: MemberRef {
            id: told.leader.clone(),
            ..who(&ids[0])
        },
        assignments: assignments.collect(),
    };
    ask(world, to, sync);
    apply(world, Command::Advance(Ms(1_000)));
    ids.iter().map(who).collect()
}

#[test]
fn i18_a_plan_gives_a_partition_to_two() {
    let (mut world, broker) = watched(Switches::default());
    let other = Tp {
        partition: 1,
        ..ORDERS
    };
    two_members(&mut world, broker, [&[ORDERS], &[other]]);
    assert_eq!(found(&world), [""; 0]);
    let (mut world, broker) = watched(Switches::default());
    two_members(&mut world, broker, [&[ORDERS], &[ORDERS, other]]);
    assert_eq!(found(&world), ["I18"]);
}

/// A member commits in the name of the generation before its own.
fn late_commit(switches: Switches) -> (World, Result<(), KafkaError>) {
    let (mut world, broker) = watched(switches);
    let members = two_members(&mut world, broker, [&[ORDERS], &[]]);
    let late = GroupRequest::Commit {
        group: "g".into(),
        member: MemberRef {
            generation: members[0].generation - 1,
            ..members[0].clone()
        },
        offsets: vec![(ORDERS, Committed::at(Boundary(0)))],
    };
    let answer = committed(ask(&mut world, broker, late));
    (world, answer)
}

#[test]
fn i19_a_commit_of_an_older_generation_is_taken_without_the_fence() {
    let (world, answer) = late_commit(Switches::default());
    assert_eq!(answer, Err(KafkaError::IllegalGeneration));
    assert_eq!(found(&world), [""; 0]);
    let (world, answer) = late_commit(Switches {
        group_generation_fence: false,
        ..Switches::default()
    });
    assert_eq!(answer, Ok(()));
    assert_eq!(found(&world), ["I19"]);
}

/// A consumer with a group that has read three records.
fn reader(world: &mut World) -> ClientId {
    let partition = PartitionName {
        topic: "orders".into(),
        partition: 0,
    };
    apply(
        world,
        Command::Produce {
            client: "p".into(),
            partition: partition.clone(),
            records: ["a", "b", "c"].map(NewRecord::value).to_vec(),
        },
    );
    apply(world, Command::Advance(Ms(1_000)));
    let settings = ConsumerSettings {
        group: Some("g".into()),
        ..ConsumerSettings::default()
    };
    apply(
        world,
        Command::Assign {
            client: "c".into(),
            partitions: vec![partition],
            seek: Some(Boundary(0)),
            settings,
        },
    );
    let poll = Command::Poll {
        client: "c".into(),
        timeout: Ms(1_000),
    };
    apply(world, poll);
    apply(world, Command::Advance(Ms(2_000)));
    ClientId(1)
}

#[test]
fn i20_a_consumer_commits_what_nobody_has_reached() {
    let (mut world, broker) = watched(Switches::default());
    let id = reader(&mut world);
    let (from, to) = (NodeId::Client(id), NodeId::Broker(broker));
    world.told(from, to, &Body::Group(commit("g", 3)), None, false);
    assert_eq!(found(&world), [""; 0]);
    world.told(from, to, &Body::Group(commit("g", 4)), None, false);
    assert_eq!(found(&world), ["I20"]);
}

#[test]
fn i20_a_poll_leaves_the_position_elsewhere() {
    let result = |position| PollResult {
        records: vec![(ORDERS, Offset(0), Epoch(0), None, Some("a".into()))],
        positions: vec![(ORDERS, Some(Boundary(position)))],
        ..PollResult::default()
    };
    for (position, expected) in [(1, vec![]), (0, vec!["I20"]), (2, vec!["I20"])] {
        let (mut world, _) = watched(Switches::default());
        let id = reader(&mut world);
        world.polled(id, &result(position));
        assert_eq!(found(&world), expected, "position {position}");
    }
}
