//! The coordinator moves (R-GRP-3, R-GRP-5), and topics go (R-GRP-6).

use super::*;

fn kill(broker: BrokerId) -> Command {
    let keep = crate::world::command::Keep::Everything;
    Command::Kill { broker, keep }
}

#[test]
fn a_commit_is_a_record_and_is_read_back() {
    let (mut world, coordinator) = cluster("billing", 3);
    let answer = ask(&mut world, coordinator, commit("billing", 5));
    assert_eq!(committed(answer), Ok(()));
    assert_eq!(fetched(&mut world, coordinator, "billing"), Ok(Some(5)));
    let other = BrokerId(coordinator.0 % 3 + 1);
    assert_eq!(
        fetched(&mut world, other, "billing"),
        Err(KafkaError::NotCoordinator)
    );
    let records: Vec<String> = world
        .picture()
        .brokers
        .iter()
        .flat_map(|b| &b.replicas)
        .filter(|r| r.tp.topic != ORDERS.topic)
        .flat_map(|r| r.records.iter().filter_map(|r| r.key.as_deref()))
        .map(String::from)
        .collect();
    let key = "OffsetCommit group=billing topic=orders partition=0";
    assert!(records.contains(&key.to_string()), "{records:?}");
}

#[test]
fn r_grp_5_a_new_coordinator_reads_the_log() {
    let (mut world, coordinator) = cluster("billing", 3);
    ask(&mut world, coordinator, commit("billing", 5));
    apply(&mut world, kill(coordinator));
    apply(&mut world, Command::Advance(Ms(15_000)));
    let next = find(&mut world, "billing");
    assert_ne!(next, coordinator);
    assert_eq!(fetched(&mut world, next, "billing"), Ok(Some(5)));
    let answer = ask(&mut world, next, commit("billing", 6));
    assert_eq!(committed(answer), Ok(()));
}

#[test]
fn r_grp_3_a_commit_waits_for_the_followers_and_is_lost_with_its_leader() {
    let (mut world, coordinator) = cluster("billing", 3);
    ask(&mut world, coordinator, commit("billing", 5));
    apply(&mut world, Command::Advance(Ms(1_000)));
    for follower in [1, 2, 3].map(BrokerId) {
        let (from, to) = (NodeId::Broker(coordinator), NodeId::Broker(follower));
        if follower != coordinator {
            apply(&mut world, Command::Cut { from, to });
        }
    }
    let waits = send(&mut world, coordinator, commit("billing", 9));
    assert_eq!(within(&mut world, waits, 3_000), None);
    // What is not replicated is not read (R-GRP-4).
    assert_eq!(fetched(&mut world, coordinator, "billing"), Ok(Some(5)));
    let answer = within(&mut world, waits, 3_000).expect("an answer after 5 s");
    assert_eq!(committed(answer), Err(KafkaError::CoordinatorNotAvailable));
    apply(&mut world, kill(coordinator));
    apply(&mut world, Command::Advance(Ms(20_000)));
    let next = find(&mut world, "billing");
    assert_ne!(next, coordinator);
    assert_eq!(fetched(&mut world, next, "billing"), Ok(Some(5)));
}

#[test]
fn r_grp_5_a_fresh_leader_is_loading_for_a_moment() {
    let (mut world, coordinator) = cluster("billing", 3);
    ask(&mut world, coordinator, commit("billing", 5));
    apply(&mut world, kill(coordinator));
    let mut seen = Vec::new();
    // Long before the session ends nobody else coordinates; then one loads; then it answers.
    for _ in 0..200_000 {
        apply(&mut world, Command::Step);
        let loading = |m: &crate::world::machine::Machine| {
            m.broker()
                .map(|b| (b.is_loading_groups(), b.groups().len()))
        };
        let states: Vec<_> = world.machines.values().filter_map(loading).collect();
        let now = if states.iter().any(|s| s.0) {
            "loading"
        } else if states.iter().any(|s| s.1 > 0) {
            "loaded"
        } else {
            "nobody"
        };
        if seen.last() != Some(&now) {
            seen.push(now);
        }
        if now == "loaded" {
            break;
        }
    }
    assert_eq!(seen, ["nobody", "loading", "loaded"]);
}

#[test]
fn r_grp_6_a_deleted_topic_takes_its_commits_along_and_its_id_is_not_used_again() {
    let (mut world, coordinator) = cluster("billing", 3);
    ask(&mut world, coordinator, commit("billing", 5));
    let mut out = world.out(Cause::default());
    let deleted = world.controller.delete_topic("orders", &mut out);
    world.take(out);
    assert_eq!(deleted, Ok(ORDERS.topic));
    apply(&mut world, Command::Advance(Ms(2_000)));
    let picture = world.picture();
    let group = picture.group("billing").expect("the group stays");
    assert_eq!(group.coordinator, coordinator);
    assert_eq!(group.view.state, GroupState::Empty);
    assert_eq!(group.view.committed, vec![]);
    let replicas = picture.brokers.iter().flat_map(|b| &b.replicas);
    assert!(replicas.clone().all(|r| r.tp.topic != ORDERS.topic));
    assert_eq!(picture.violations, vec![]);
    assert_eq!(
        committed(ask(&mut world, coordinator, commit("billing", 6))),
        Err(KafkaError::UnknownTopicOrPartition)
    );
    // One of the same name is another topic: nothing is committed for it.
    apply(
        &mut world,
        Command::CreateTopic {
            name: "orders".into(),
            assignment: vec![vec![BrokerId(1)]],
            config: Vec::new(),
        },
    );
    apply(&mut world, Command::Advance(Ms(1_000)));
    let again = world.controller.image().topic("orders");
    assert_eq!(again, Some(TopicId(2)));
}
