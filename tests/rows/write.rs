//! R1-R3, R5: the cluster, the way of a write, the ISR.

use super::cluster::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::world::command::*;
use highwater::world::picture::RolePicture;

#[test]
fn r1_three_brokers_one_leader_two_followers() {
    let mut c = Cluster::orders(2);
    let picture = c.picture();
    assert_eq!(
        picture.brokers.iter().map(|b| b.id.0).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    let reg = &picture.partitions[0].reg;
    assert_eq!(reg.replicas.len(), 3, "replication factor 3");
    let leads = |b: u8| matches!(c.replica(b).role, RolePicture::Leader(_));
    assert_eq!([1, 2, 3].map(leads), [true, false, false]);
    // The producer writes to the leader alone.
    c.produce("shop", "order 1");
    c.settle();
    let sent: Vec<u8> = c
        .events
        .iter()
        .filter_map(|e| match e.kind {
            EventKind::ProduceSent { broker, .. } => Some(broker.0),
            _ => None,
        })
        .collect();
    assert_eq!(sent, [1]);
    assert_eq!([1, 2, 3].map(|b| c.values(b)), [["order 1"]; 3]);
}

#[test]
fn r2_the_leader_serves_writes_and_reads_and_followers_pull() {
    let mut c = Cluster::orders(1);
    let raw = c.run(Command::ProduceRaw {
        client: "raw".into(),
        broker: BrokerId(2),
        partition: partition(P0),
        records: vec![highwater::kafka::batch::NewRecord::value("x")],
        acks: Acks::Leader,
        timeout: Ms(1000),
        stamp: None,
    });
    c.settle();
    let told = Reply::Failed(
        KafkaError::NotLeaderOrFollower,
        Some((BrokerId(1), Epoch(0))),
    );
    assert_eq!(
        c.world.reply(raw),
        Some(&told),
        "a follower refuses a write and names the leader"
    );
    c.produce("p", "a");
    let seek = Some(Boundary(0));
    let settings = Default::default();
    c.run(Command::Assign {
        client: "c".into(),
        partitions: vec![partition(P0)],
        seek,
        settings,
    });
    c.settle();
    c.run(Command::Poll {
        client: "c".into(),
        timeout: Ms(5_000),
    });
    c.settle();
    let from = |e: &EventKind| match e {
        EventKind::Consumed { broker, .. } => Some(broker.0),
        _ => None,
    };
    assert_eq!(
        c.events.iter().find_map(|e| from(&e.kind)),
        Some(1),
        "by default a read is the leader's"
    );
    let askers: BrokerSet = c
        .events
        .iter()
        .filter_map(|e| match e.kind {
            EventKind::FetchSent {
                follower,
                leader: BrokerId(1),
                ..
            } => Some(follower),
            _ => None,
        })
        .collect();
    assert_eq!(
        askers,
        set(&[2, 3]),
        "both followers ask, nothing is pushed"
    );
}

#[test]
fn r3_a_write_goes_producer_leader_followers_acknowledgement() {
    let mut c = Cluster::orders(2);
    c.produce("p", "a");
    c.settle();
    let order = [
        c.at(|e| matches!(e, EventKind::ProduceSent { .. })),
        c.at(|e| {
            matches!(
                e,
                EventKind::Appended {
                    broker: BrokerId(1),
                    ..
                }
            )
        }),
        c.at(|e| matches!(e, EventKind::Replicated { .. })),
        c.at(|e| {
            matches!(
                e,
                EventKind::FetchHandled {
                    offset: Boundary(1),
                    ..
                }
            )
        }),
        c.at(|e| {
            matches!(
                e,
                EventKind::HighWatermarkMoved {
                    broker: BrokerId(1),
                    to: Boundary(1),
                    ..
                }
            )
        }),
        c.at(|e| matches!(e, EventKind::ProduceDone { .. })),
        c.at(|e| {
            matches!(
                e,
                EventKind::FollowerHighWatermark {
                    to: Boundary(1),
                    ..
                }
            )
        }),
    ];
    let times: Vec<i64> = order.iter().map(|t| t.expect("it happened")).collect();
    assert!(
        times.is_sorted(),
        "{times:?}: followers learn the high watermark last (R-REP-5)"
    );
    assert!(
        times[6] > times[5],
        "the acknowledgement does not wait for that"
    );
}

#[test]
fn r5_a_slow_network_takes_a_follower_out_of_the_isr_and_it_comes_back() {
    let lag = [
        ("replica.lag.time.max.ms", "4000"),
        ("broker.session.timeout.ms", "40000"),
    ];
    let mut c = Cluster::new(2, &[[1, 2, 3]], &lag);
    c.cut(1, 3, true);
    c.produce("p", "a");
    c.wait_isr(&[1, 2]);
    assert!(
        !c.picture().brokers[2].fenced.unwrap(),
        "it is alive: it only lags"
    );
    assert_eq!(c.replica(3).log_end, Boundary(0));
    let epoch = c.picture().partitions[0].reg.leader_epoch;
    assert_eq!(
        epoch,
        Epoch(0),
        "an ISR change moves no leader epoch (R-EPO-2)"
    );
    c.settle();
    assert_eq!(
        c.replica(1).high_watermark,
        Boundary(1),
        "without it the high watermark goes on"
    );
    c.cut(1, 3, false);
    c.wait_isr(&[1, 2, 3]);
    c.settle();
    assert_eq!(c.values(3), ["a"]);
}

/// R-IDM-4: who has not written for producer.id.expiration.ms is not known any more, so that what
/// was a repeat before is taken as new.
#[test]
fn a_producer_that_was_silent_for_long_is_forgotten() {
    let settings = [
        ("producer.id.expiration.ms", "60000"),
        ("producer.id.expiration.check.interval.ms", "10000"),
    ];
    let mut c = Cluster::new(2, &[[1, 2, 3]], &settings);
    let write = |c: &mut Cluster| {
        let ticket = c.run(Command::ProduceRaw {
            client: "raw".into(),
            broker: BrokerId(1),
            partition: partition(P0),
            records: vec![highwater::kafka::batch::NewRecord::value("x")],
            acks: Acks::All,
            timeout: Ms(1000),
            stamp: Some(highwater::kafka::batch::Stamp {
                producer_id: 7,
                epoch: 0,
                base_sequence: 0,
            }),
        });
        c.settle();
        c.world.reply(ticket).cloned()
    };
    let at = |offset| Some(Reply::Produced(vec![Some(Offset(offset))]));
    assert_eq!(write(&mut c), at(0));
    c.advance(20_000);
    assert_eq!(write(&mut c), at(0), "a repeat");
    c.advance(70_000);
    assert_eq!(write(&mut c), at(1), "nobody knows it any more");
    assert_eq!([1, 2, 3].map(|b| c.values(b)), [["x", "x"]; 3]);
}
