//! Pictures made by hand, so that the view is tested without the engine.

use highwater::kafka::client::settings::ProducerSettings;
use highwater::kafka::event::{Event, EventId, EventKind, HwTerm, TermKind};
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::kafka::metadata::{BrokerReg, Image, PartitionReg, Recovery, TopicReg};
use highwater::text::Lang;
use highwater::view::Step;
use highwater::world::command::{PartitionName, Process};
use highwater::world::picture::*;
use std::rc::Rc;

pub const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};

pub fn b(id: u8) -> BrokerId {
    BrokerId(id)
}

pub fn ids(of: &[u8]) -> BrokerSet {
    of.iter().map(|i| BrokerId(*i)).collect()
}

pub fn reg(replicas: &[u8], leader: Option<u8>, epoch: i32, isr: &[u8]) -> PartitionReg {
    PartitionReg {
        replicas: replicas.iter().map(|i| BrokerId(*i)).collect(),
        adding: vec![],
        removing: vec![],
        isr: ids(isr),
        elr: BrokerSet::EMPTY,
        last_known_elr: vec![],
        leader: leader.map(BrokerId),
        leader_epoch: Epoch(epoch),
        partition_epoch: PartitionEpoch(0),
        recovery: Recovery::Recovered,
    }
}

/// A replica whose records are given as (epoch, value), from offset 0.
pub fn replica(role: RolePicture, epoch: i32, hw: i64, records: &[(i32, &str)]) -> ReplicaPicture {
    let mut epochs: Vec<(Epoch, Boundary)> = Vec::new();
    for (n, (e, _)) in records.iter().enumerate() {
        if epochs.last().map(|l| l.0) != Some(Epoch(*e)) {
            epochs.push((Epoch(*e), Boundary(n as i64)));
        }
    }
    ReplicaPicture {
        tp: TP,
        role,
        leader_epoch: Epoch(epoch),
        log_start: Boundary(0),
        log_end: Boundary(records.len() as i64),
        high_watermark: Boundary(hw),
        last_stable: Boundary(hw),
        checkpointed_high_watermark: Boundary(0),
        epochs,
        first_unstable: None,
        segments: vec![],
        cleaned_to: None,
        empty_batches: vec![],
        records: records
            .iter()
            .zip(0..)
            .map(|((epoch, value), n)| RecordPicture {
                offset: Offset(n),
                epoch: Epoch(*epoch),
                timestamp: Ms(0),
                key: None,
                value: Some((*value).into()),
                control: None,
                stamp: None,
                transactional: false,
                delete_horizon: false,
            })
            .collect(),
        cut: vec![],
    }
}

pub fn leads(isr: &[u8], terms: &[(u8, Option<i64>, TermKind)]) -> RolePicture {
    RolePicture::Leader(LeaderPicture {
        isr: ids(isr),
        maximal_isr: ids(isr),
        asked: None,
        epoch_start: Boundary(0),
        remotes: vec![],
        terms: self::terms(terms),
        waiting: vec![],
    })
}

pub fn terms(of: &[(u8, Option<i64>, TermKind)]) -> Vec<HwTerm> {
    of.iter()
        .map(|(broker, end, kind)| HwTerm {
            broker: b(*broker),
            log_end: end.map(Boundary),
            kind: *kind,
        })
        .collect()
}

pub fn follows(of: u8) -> RolePicture {
    RolePicture::Follower(Some(b(of)))
}

/// A picture of `orders-0` with a replica on each broker.
pub fn picture(reg: PartitionReg, replicas: Vec<(u8, Process, ReplicaPicture)>) -> Picture {
    let reg = Rc::new(reg);
    let mut image = Image::empty();
    image.topics.push(Rc::new(TopicReg {
        name: "orders".into(),
        config: Default::default(),
        partitions: 1,
        deleted: false,
    }));
    image.partitions.insert(TP, reg.clone());
    for (id, process, _) in &replicas {
        image.brokers.insert(
            b(*id),
            BrokerReg {
                epoch: BrokerEpoch(i64::from(*id)),
                incarnation: 1,
                fenced: *process == Process::Killed && !reg.isr.contains(b(*id)),
                in_controlled_shutdown: false,
                rack: None,
            },
        );
    }
    let image = Rc::new(image);
    Picture {
        stores: vec![],
        now: Ms(10),
        partitions: vec![PartitionPicture {
            tp: TP,
            name: PartitionName {
                topic: "orders".into(),
                partition: 0,
            },
            reg: reg.clone(),
            min_isr: 2,
        }],
        brokers: replicas
            .into_iter()
            .map(|(id, process, replica)| BrokerPicture {
                id: b(id),
                process,
                rack: None,
                fenced: image.brokers.get(&b(id)).map(|r| r.fenced),
                in_controlled_shutdown: false,
                cut_from_controller: false,
                image: (process == Process::Up).then(|| image.clone()),
                replicas: vec![replica],
            })
            .collect(),
        controller: image.clone(),
        clients: vec![],
        transactions: vec![],
        groups: vec![],
        messages: vec![],
        lost: vec![],
        violations: vec![],
    }
}

pub fn producer(name: &str, acks: Acks, sends: Vec<SendPicture>) -> ClientPicture {
    ClientPicture {
        id: ClientId(0),
        name: name.into(),
        kind: ClientKind::Producer {
            transaction: None,
            settings: ProducerSettings {
                acks,
                ..Default::default()
            },
            leaders: vec![(TP, Some(b(1)))],
            sends,
        },
    }
}

pub fn send(value: &str, acks: Acks, at: i64, state: SendState) -> SendPicture {
    SendPicture {
        tp: TP,
        values: vec![Some(value.into())],
        acks,
        at: Ms(at),
        attempts: 1,
        state,
    }
}

pub fn event(id: u32, causes: &[u32], kind: EventKind) -> Event {
    Event {
        id: EventId(id),
        at: Ms(i64::from(id)),
        causes: causes.iter().map(|c| EventId(*c)).collect(),
        kind,
    }
}

pub fn step<'a>(
    lang: Lang,
    before: Option<&'a Picture>,
    now: &'a Picture,
    events: &'a [Event],
) -> Step<'a> {
    Step {
        lang,
        before,
        now,
        events,
    }
}

const SEVEN: [(i32, &str); 7] = [
    (5, "a"),
    (5, "b"),
    (5, "c"),
    (5, "d"),
    (5, "e"),
    (5, "f"),
    (5, "g"),
];

/// Mock (a): the leader's HW goes from 5 to 6 when broker 3 asks from 6.
pub struct Moved {
    pub before: Picture,
    pub now: Picture,
    pub events: Vec<Event>,
}

pub fn moved() -> Moved {
    use TermKind::*;
    let at = |hw: i64, three: i64| {
        let mut p = picture(
            reg(&[1, 2, 3], Some(1), 5, &[1, 2, 3]),
            vec![
                (
                    1,
                    Process::Up,
                    replica(
                        leads(
                            &[1, 2, 3],
                            &[
                                (1, Some(7), Leader),
                                (2, Some(6), InIsr),
                                (3, Some(three), InIsr),
                            ],
                        ),
                        5,
                        hw,
                        &SEVEN,
                    ),
                ),
                (2, Process::Up, replica(follows(1), 5, 5, &SEVEN[..6])),
                (3, Process::Up, replica(follows(1), 5, 5, &SEVEN[..6])),
            ],
        );
        let done = |n: i64| SendState::Confirmed(Some(Offset(n)), Ms(n));
        p.clients.push(producer(
            "shop",
            Acks::All,
            vec![
                send("e", Acks::All, 1, done(4)),
                send(
                    "f",
                    Acks::All,
                    2,
                    if hw > 5 {
                        done(5)
                    } else {
                        SendState::InFlight(b(1))
                    },
                ),
                send("g", Acks::All, 3, SendState::InFlight(b(1))),
            ],
        ));
        p
    };
    let events = vec![
        event(
            20,
            &[11],
            EventKind::FetchSent {
                follower: b(3),
                leader: b(1),
                tp: TP,
                offset: Boundary(6),
            },
        ),
        event(
            21,
            &[20],
            EventKind::FetchHandled {
                leader: b(1),
                follower: b(3),
                tp: TP,
                offset: Boundary(6),
                before: Some(Boundary(5)),
                sent: 1,
            },
        ),
        event(
            22,
            &[21, 12],
            EventKind::HighWatermarkMoved {
                broker: b(1),
                tp: TP,
                from: Boundary(5),
                to: Boundary(6),
                terms: terms(&[
                    (1, Some(7), Leader),
                    (2, Some(6), InIsr),
                    (3, Some(6), InIsr),
                ]),
            },
        ),
    ];
    Moved {
        before: at(5, 5),
        now: at(6, 6),
        events,
    }
}

/// The old leader is dead with a confirmed record that nobody else has; broker 2 leads.
pub fn lost() -> Picture {
    let mut p = picture(
        reg(&[1, 2, 3], Some(2), 1, &[2, 3]),
        vec![
            (
                1,
                Process::Killed,
                replica(
                    RolePicture::Down,
                    0,
                    3,
                    &[(0, "a"), (0, "b"), (0, "c"), (0, "OrderCreated")],
                ),
            ),
            (
                2,
                Process::Up,
                replica(leads(&[2, 3], &[]), 1, 3, &[(0, "a"), (0, "b"), (0, "c")]),
            ),
            (
                3,
                Process::Up,
                replica(follows(2), 1, 3, &[(0, "a"), (0, "b"), (0, "c")]),
            ),
        ],
    );
    p.lost.push(LostRecord {
        tp: TP,
        offset: Offset(3),
        value: Some("OrderCreated".into()),
        still_on: ids(&[1]),
    });
    p.clients.push(producer(
        "shop",
        Acks::Leader,
        vec![send(
            "OrderCreated",
            Acks::Leader,
            0,
            SendState::Confirmed(Some(Offset(3)), Ms(3)),
        )],
    ));
    p
}

/// Broker 1 is back with its own record 3, where the new leader has another.
pub fn diverged() -> Picture {
    picture(
        reg(&[1, 2, 3], Some(2), 1, &[2, 3]),
        vec![
            (
                1,
                Process::Up,
                replica(
                    RolePicture::Follower(None),
                    0,
                    3,
                    &[(0, "a"), (0, "b"), (0, "c"), (0, "old")],
                ),
            ),
            (
                2,
                Process::Up,
                replica(
                    leads(&[2, 3], &[]),
                    1,
                    4,
                    &[(0, "a"), (0, "b"), (0, "c"), (1, "new")],
                ),
            ),
            (
                3,
                Process::Up,
                replica(
                    follows(2),
                    1,
                    4,
                    &[(0, "a"), (0, "b"), (0, "c"), (1, "new")],
                ),
            ),
        ],
    )
}

/// Logs of many records: longer than any window. Broker 3 is far behind.
pub fn long() -> Picture {
    let values: Vec<String> = (0..30).map(|n| format!("v{n}")).collect();
    let all: Vec<(i32, &str)> = values
        .iter()
        .enumerate()
        .map(|(n, v)| (i32::from(n > 25), &**v))
        .collect();
    picture(
        reg(&[1, 2, 3], Some(1), 1, &[1, 2]),
        vec![
            (1, Process::Up, replica(leads(&[1, 2], &[]), 1, 28, &all)),
            (2, Process::Up, replica(follows(1), 1, 27, &all[..28])),
            (3, Process::Up, replica(follows(1), 1, 5, &all[..6])),
        ],
    )
}

/// Empty logs, right after the topic was created.
pub fn empty() -> Picture {
    picture(
        reg(&[1, 2, 3], Some(1), 0, &[1, 2, 3]),
        vec![
            (1, Process::Up, replica(leads(&[1, 2, 3], &[]), 0, 0, &[])),
            (2, Process::Up, replica(follows(1), 0, 0, &[])),
            (3, Process::Up, replica(follows(1), 0, 0, &[])),
        ],
    )
}

/// All of them, with a name.
pub fn all() -> Vec<(&'static str, Picture)> {
    let moved = moved();
    vec![
        ("before", moved.before),
        ("moved", moved.now),
        ("lost", lost()),
        ("diverged", diverged()),
        ("long", long()),
        ("empty", empty()),
    ]
}
