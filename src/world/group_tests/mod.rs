//! Groups in a whole cluster: requests straight to brokers, answers as they travel.

mod failover;
mod wrong;

use super::World;
use super::command::Command;
use super::setup::Setup;
use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::group::message::*;
use crate::kafka::ids::*;
use crate::kafka::message::{Body, NodeId};

/// A client that the world does not know: answers to it are read on their way.
const ME: NodeId = NodeId::Client(ClientId(40));
const ORDERS: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};

/// A cluster with a topic, and the broker that coordinates `group`.
fn cluster(group: &str, brokers: u8) -> (World, BrokerId) {
    cluster_of(group, brokers, Setup::default())
}

fn cluster_of(group: &str, brokers: u8, setup: Setup) -> (World, BrokerId) {
    let ids: Vec<BrokerId> = (1..=brokers).map(BrokerId).collect();
    let mut world = World::new(Setup {
        brokers: ids.iter().map(|b| (*b, None)).collect(),
        ..setup
    });
    apply(
        &mut world,
        Command::CreateTopic {
            name: "orders".into(),
            assignment: vec![ids.clone(), ids],
            config: Vec::new(),
        },
    );
    apply(&mut world, Command::Advance(Ms(1_000)));
    let coordinator = find(&mut world, group);
    // The new partition is not replicated anywhere yet, and its log is still read.
    apply(&mut world, Command::Advance(Ms(1_000)));
    (world, coordinator)
}

fn apply(world: &mut World, command: Command) {
    world.apply(&command).expect("a command of the test");
}

/// Sends a request, without waiting.
fn send(world: &mut World, to: BrokerId, request: GroupRequest) -> Correlation {
    let cause = Cause::default();
    let mut out = world.out(cause);
    let correlation = out.request(ME, NodeId::Broker(to), Body::Group(request), cause);
    world.take(out);
    correlation
}

/// Waits for an answer, at most so long.
fn within(world: &mut World, correlation: Correlation, ms: i64) -> Option<GroupAnswer> {
    let until = world.now().plus(Ms(ms));
    loop {
        let arriving = world.net.in_flight().find_map(|(_, m)| match &m.body {
            Body::GroupAnswer(answer) if m.correlation == correlation && m.to == ME => {
                Some(answer.clone())
            }
            _ => None,
        });
        if arriving.is_some() || world.now() >= until {
            return arriving;
        }
        apply(world, Command::Step);
    }
}

fn ask(world: &mut World, to: BrokerId, request: GroupRequest) -> GroupAnswer {
    let correlation = send(world, to, request);
    within(world, correlation, 20_000).expect("an answer")
}

/// Asks any broker for the coordinator until one is there.
fn find(world: &mut World, group: &str) -> BrokerId {
    for _ in 0..100 {
        for broker in [1, 2, 3] {
            let request = GroupRequest::FindCoordinator(CoordinatorKind::Group, group.into());
            let correlation = send(world, BrokerId(broker), request);
            let answer = within(world, correlation, 50);
            if let Some(GroupAnswer::Coordinator(_, _, Ok(found))) = answer
                && world.machines[&found].broker().is_some()
            {
                return found;
            }
        }
        apply(world, Command::Advance(Ms(500)));
    }
    panic!("nobody coordinates {group}");
}

fn commit(group: &str, offset: i64) -> GroupRequest {
    GroupRequest::Commit {
        group: group.into(),
        member: MemberRef::none(),
        offsets: vec![(ORDERS, Committed::at(Boundary(offset)))],
    }
}

fn committed(answer: GroupAnswer) -> Result<(), KafkaError> {
    match answer {
        GroupAnswer::Committed(parts) => parts[0].1,
        other => panic!("{other:?}"),
    }
}

fn fetched(world: &mut World, to: BrokerId, group: &str) -> Result<Option<i64>, KafkaError> {
    let request = GroupRequest::Fetch {
        group: group.into(),
        member: MemberRef::none(),
        partitions: Some(vec![ORDERS]),
        require_stable: true,
    };
    match ask(world, to, request) {
        GroupAnswer::Fetched(Ok(parts)) => Ok(parts[0].1.clone()?.map(|c| c.offset.0)),
        GroupAnswer::Fetched(Err(error)) => Err(error),
        other => panic!("{other:?}"),
    }
}
