//! The cluster as a whole: one write followed through it.

use highwater::kafka::batch::NewRecord;
use highwater::kafka::ids::*;
use highwater::kafka::message::NodeId;
use highwater::world::World;
use highwater::world::command::*;
use highwater::world::setup::Setup;

fn orders() -> PartitionName {
    PartitionName {
        topic: "orders".into(),
        partition: 0,
    }
}

fn topic(world: &mut World, min_isr: &str) {
    let assignment = vec![vec![BrokerId(1), BrokerId(2), BrokerId(3)]];
    let config = vec![("min.insync.replicas".into(), min_isr.into())];
    world
        .apply(&Command::CreateTopic {
            name: "orders".into(),
            assignment,
            config,
        })
        .unwrap();
}

#[test]
fn r3_one_write_goes_through_the_leader_to_all_replicas() {
    let mut world = World::new(Setup::default());
    topic(&mut world, "2");
    world
        .apply(&Command::Settle {
            quiet: Ms(1500),
            limit: Ms(60_000),
        })
        .unwrap();
    let produce = Command::Produce {
        client: "p1".into(),
        partition: orders(),
        records: vec![NewRecord::value("a")],
    };
    let ticket = world.apply(&produce).unwrap().ticket.unwrap();
    let applied = world
        .apply(&Command::Settle {
            quiet: Ms(1500),
            limit: Ms(60_000),
        })
        .unwrap();
    for e in &applied.events {
        println!("{} {:?} {:?}", e.at, e.causes, e.kind);
    }
    assert_eq!(
        world.reply(ticket),
        Some(&Reply::Produced(vec![Some(Offset(0))]))
    );
    let picture = world.picture();
    for broker in &picture.brokers {
        let replica = &broker.replicas[0];
        assert_eq!(replica.log_end, Boundary(1));
        assert_eq!(replica.high_watermark, Boundary(1));
    }
}

/// replica.socket.timeout.ms: a follower that has given a request up opens another connection, and
/// what is still on its way by the first one holds nothing up.
#[test]
fn an_answer_that_is_waited_for_no_more_delays_no_later_one() {
    let mut world = World::new(Setup::default());
    topic(&mut world, "1");
    let mut told = |command: Command| world.apply(&command).map(|_| ()).unwrap();
    let slow = |delay| Command::Delay {
        from: NodeId::Broker(BrokerId(1)),
        to: NodeId::Broker(BrokerId(3)),
        delay: Ms(delay),
    };
    told(Command::Advance(Ms(2_000)));
    told(slow(200_000));
    told(Command::Produce {
        client: "p1".into(),
        partition: orders(),
        records: vec![NewRecord::value("a")],
    });
    told(Command::Advance(Ms(20_000)));
    told(slow(1));
    // The fetch under way is given up after 30 s; the next one is answered at once.
    told(Command::Advance(Ms(40_000)));
    let picture = world.picture();
    let end = picture
        .brokers
        .iter()
        .find(|b| b.id == BrokerId(3))
        .map(|b| b.replicas[0].log_end);
    assert_eq!(end, Some(Boundary(1)));
}

/// Messages without delay that call each other forth: a clear refusal instead of no end.
#[test]
fn a_clock_that_does_not_get_on_is_told() {
    let mut setup = Setup {
        link_delay: Ms(0),
        ..Setup::default()
    };
    setup.server.replica_fetch_wait_max = Ms(0);
    let mut world = World::new(setup);
    topic(&mut world, "1");
    let commands = [
        Command::Advance(Ms(5_000)),
        Command::Settle {
            quiet: Ms(100),
            limit: Ms(1_000),
        },
        Command::Until {
            condition: Condition::Leader(orders(), Some(BrokerId(3))),
            limit: Ms(1_000),
        },
    ];
    for command in commands {
        match world.apply(&command) {
            Err(Refusal::StandsStill { at }) => assert!(at < Ms(5_000), "{at}"),
            other => panic!("{command:?}: {other:?}"),
        }
    }
}
