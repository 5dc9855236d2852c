use super::*;
use crate::kafka::batch::Stamp;
use crate::kafka::client::testing::{TP, Wire, answer, image};
use crate::kafka::event::{EventKind, Outcome};
use crate::kafka::message::Acks;

/// A producer on a wire, with shorthands for the conversation.
pub struct Talk {
    pub producer: Producer,
    pub wire: Wire,
}

pub type Request = (Correlation, BrokerId, Body);

pub fn settings() -> ProducerSettings {
    ProducerSettings {
        linger: Ms(0),
        ..ProducerSettings::default()
    }
}

impl Talk {
    pub fn new(settings: ProducerSettings) -> Self {
        let brokers = [1, 2, 3].map(BrokerId).to_vec();
        Talk {
            producer: Producer::new(ClientId(0), settings, brokers, 1000),
            wire: Wire::new(),
        }
    }

    /// A producer that knows the leaders of the topic's partitions: has sent "first" there.
    pub fn knowing(settings: ProducerSettings, leaders: &[(u8, i32)]) -> (Self, Request) {
        let mut talk = Talk::new(settings);
        talk.send(0, "first");
        talk.metadata(leaders);
        let first = talk.wire.sent();
        (talk, first)
    }

    pub fn send(&mut self, tag: u32, value: &str) {
        let records = vec![NewRecord::value(value)];
        self.producer.send(tag, TP, records, &mut self.wire.out);
    }

    pub fn metadata(&mut self, leaders: &[(u8, i32)]) {
        let (c, b, body) = self.wire.sent();
        assert_eq!(body, Body::Metadata);
        self.hear(c, b, Body::MetadataAnswer(image(leaders, &[])));
    }

    pub fn hear(&mut self, c: Correlation, from: BrokerId, body: Body) {
        self.producer
            .handle(&answer(c, from, body), &mut self.wire.out);
    }

    pub fn produced(&mut self, request: &Request, result: Result<i64, KafkaError>) {
        self.told(request, result, None);
    }

    pub fn told(
        &mut self,
        request: &Request,
        result: Result<i64, KafkaError>,
        leader: CurrentLeader,
    ) {
        let body = Body::ProduceAnswer {
            tp: TP,
            result: result.map(Offset),
            current_leader: leader,
        };
        self.hear(request.0, request.1, body);
    }

    pub fn wake(&mut self, at: i64) {
        let out = self.wire.at(at);
        self.producer.timer(&ClientTimer::Wake, out);
    }

    pub fn failed(&mut self) -> Vec<(u32, KafkaError)> {
        let done = self.producer.done();
        done.into_iter()
            .filter_map(|(tag, r)| r.err().map(|(e, _)| (tag, e)))
            .collect()
    }
}

pub fn stamp(request: &Request) -> Option<Stamp> {
    match &request.2 {
        Body::Produce { batch, .. } => batch.stamp,
        other => panic!("not a produce: {other:?}"),
    }
}

pub fn sequence(request: &Request) -> (i16, i32) {
    stamp(request).map_or((-1, -1), |s| (s.epoch, s.base_sequence))
}

#[test]
fn it_asks_who_leads_and_is_confirmed() {
    let (mut talk, first) = Talk::knowing(settings(), &[(2, 4)]);
    assert_eq!(first.1, BrokerId(2), "sent to the leader");
    assert_eq!(
        talk.producer.done(),
        vec![],
        "acks=all waits for the answer"
    );
    talk.produced(&first, Ok(7));
    assert_eq!(
        talk.producer.done(),
        vec![(0, Ok(vec![Some(Offset(7))]))],
        "R-OFF-2"
    );
    let kinds = talk.wire.events();
    assert!(matches!(
        kinds[0],
        EventKind::MetadataLearned {
            leader: Some(BrokerId(2)),
            epoch: Epoch(4),
            ..
        }
    ));
    assert!(matches!(
        kinds[1],
        EventKind::ProduceSent { attempt: 1, .. }
    ));
    assert!(matches!(
        kinds[2],
        EventKind::ProduceDone {
            attempts: 1,
            outcome: Outcome::Confirmed(Some(Offset(7))),
            ..
        }
    ));
}

#[test]
fn acks_0_is_done_when_the_leader_is_known_and_the_batch_is_out() {
    // R-ACK-2
    let mut talk = Talk::new(ProducerSettings {
        acks: Acks::None,
        ..settings()
    });
    talk.send(5, "a");
    assert_eq!(talk.producer.done(), vec![], "no leader known yet");
    talk.metadata(&[(1, 0)]);
    assert_eq!(talk.producer.done(), vec![(5, Ok(vec![None]))]);
    assert_eq!(stamp(&talk.wire.sent()), None, "R-PRD-6");
}

#[test]
fn the_next_broker_is_asked_when_one_is_dead() {
    let mut talk = Talk::new(settings());
    talk.send(0, "a");
    let (c, b, _) = talk.wire.sent();
    assert_eq!(b, BrokerId(1));
    talk.hear(c, b, Body::Disconnected);
    let (c, b, _) = talk.wire.sent();
    assert_eq!(b, BrokerId(2));
    // Nor does one that stands still hold it up for longer than request.timeout.ms.
    talk.wake(30_000);
    let (late, _, _) = (c, b, ());
    let (c, b, _) = talk.wire.sent();
    assert_eq!(b, BrokerId(3));
    talk.hear(
        late,
        BrokerId(2),
        Body::MetadataAnswer(image(&[(1, 0)], &[])),
    );
    assert!(talk.wire.out.sends.is_empty(), "too late: not listened to");
    talk.hear(c, b, Body::MetadataAnswer(image(&[(3, 1)], &[])));
    assert_eq!(talk.wire.sent().1, BrokerId(3));
}

#[test]
fn without_a_leader_it_waits_and_asks_again() {
    let mut talk = Talk::new(settings());
    talk.send(0, "a");
    talk.metadata(&[(0, 1)]);
    assert!(talk.wire.out.sends.is_empty());
    let again = talk.wire.next_reminder().expect("it will ask again");
    talk.wake(again.0);
    talk.metadata(&[(2, 2)]);
    assert_eq!(talk.wire.sent().1, BrokerId(2));
}

#[test]
fn a_leader_that_is_fenced_is_no_leader() {
    let mut talk = Talk::new(settings());
    talk.send(0, "a");
    let (c, b, _) = talk.wire.sent();
    talk.hear(c, b, Body::MetadataAnswer(image(&[(3, 1)], &[3])));
    assert_eq!(talk.producer.leaders(), vec![(TP, None)]);
    assert!(talk.wire.out.sends.is_empty());
}

#[test]
fn an_error_that_may_pass_is_tried_again_with_growing_backoff() {
    // R-PRD-2, R-PRD-3
    let (mut talk, mut request) = Talk::knowing(settings(), &[(1, 0)]);
    let mut now = 0;
    for wait in [100, 200, 400, 800, 1_000, 1_000] {
        talk.produced(&request, Err(KafkaError::NotEnoughReplicas));
        assert_eq!(talk.wire.next_reminder(), Some(Ms(now + wait)));
        talk.wake(now + wait - 1);
        assert!(talk.wire.out.sends.is_empty());
        now += wait;
        talk.wake(now);
        request = talk.wire.sent();
    }
    talk.produced(&request, Ok(3));
    assert_eq!(talk.producer.done(), vec![(0, Ok(vec![Some(Offset(3))]))]);
    assert_eq!(talk.producer.sends()[0].attempts, 7);
}

#[test]
fn an_error_that_stays_is_told_at_once() {
    // R-PRD-3
    let (mut talk, request) = Talk::knowing(settings(), &[(1, 0)]);
    talk.produced(&request, Err(KafkaError::MessageTooLarge));
    assert_eq!(talk.failed(), vec![(0, KafkaError::MessageTooLarge)]);
}

#[test]
fn without_retries_the_first_error_is_the_answer() {
    let none = ProducerSettings {
        retries: 0,
        ..settings()
    };
    let (mut talk, request) = Talk::knowing(none.clone(), &[(1, 0)]);
    talk.produced(&request, Err(KafkaError::NotEnoughReplicas));
    assert_eq!(talk.failed(), vec![(0, KafkaError::NotEnoughReplicas)]);
    let (mut talk, request) = Talk::knowing(none, &[(1, 0)]);
    talk.hear(request.0, request.1, Body::Disconnected);
    assert_eq!(talk.failed(), vec![(0, KafkaError::NetworkException)]);
}

#[test]
fn a_redirection_is_followed_without_asking_and_without_waiting() {
    // R-ACK-9
    let (mut talk, request) = Talk::knowing(settings(), &[(1, 0)]);
    talk.told(
        &request,
        Err(KafkaError::NotLeaderOrFollower),
        Some((BrokerId(2), Epoch(1))),
    );
    let sent = talk.wire.all_sent();
    assert!(
        sent.iter()
            .any(|(_, b, body)| *b == BrokerId(2) && matches!(body, Body::Produce { .. })),
        "{sent:?}"
    );
    let told = talk.wire.out.events.iter().find_map(|e| match e.kind {
        EventKind::ProduceRetry { after, .. } => Some(after),
        _ => None,
    });
    assert_eq!(told, Some(Ms(0)), "the pause it makes, not the setting");
}

#[test]
fn an_older_leader_epoch_is_not_believed() {
    let (mut talk, request) = Talk::knowing(settings(), &[(2, 5)]);
    talk.wire.at(5_000);
    talk.produced(&request, Err(KafkaError::NotLeaderOrFollower));
    talk.metadata(&[(1, 4)]);
    assert_eq!(talk.producer.leaders(), vec![(TP, Some(BrokerId(2)))]);
}

#[test]
fn after_a_broken_connection_metadata_comes_before_the_next_try() {
    // R-PRD-4
    let (mut talk, request) = Talk::knowing(settings(), &[(1, 0)]);
    talk.hear(request.0, request.1, Body::Disconnected);
    talk.wake(100);
    let (c, b, body) = talk.wire.sent();
    assert_eq!(
        (b, &body),
        (BrokerId(2), &Body::Metadata),
        "not the one that broke"
    );
    talk.hear(c, b, Body::MetadataAnswer(image(&[(3, 1)], &[1])));
    assert_eq!(talk.wire.sent().1, BrokerId(3));
}

#[test]
fn when_all_are_dead_each_is_asked_again_in_its_turn() {
    let mut talk = Talk::new(settings());
    talk.send(0, "a");
    let mut asked = Vec::new();
    for _ in 0..9 {
        if talk.wire.out.sends.is_empty() {
            let again = talk.wire.next_reminder().expect("it will ask again");
            talk.wake(again.0);
        }
        let (c, b, _) = talk.wire.sent();
        asked.push(b.0);
        talk.hear(c, b, Body::Disconnected);
    }
    assert_eq!(asked, vec![1, 2, 3, 1, 2, 3, 1, 2, 3]);
}

#[test]
fn a_leader_that_cannot_be_reached_costs_no_tries() {
    let (mut talk, request) = Talk::knowing(settings(), &[(1, 0)]);
    talk.hear(request.0, request.1, Body::Disconnected);
    // The others still name the dead broker; it is tried now and then, without the batch.
    let mut now = 0;
    for _ in 0..10 {
        now = talk.wire.next_reminder().map_or(now, |at| at.0);
        talk.wake(now);
        for (c, b, body) in talk.wire.all_sent() {
            assert_eq!(body, Body::Metadata);
            let body = if b == BrokerId(1) {
                Body::Disconnected
            } else {
                Body::MetadataAnswer(image(&[(1, 0)], &[]))
            };
            talk.hear(c, b, body);
        }
    }
    // It is back, and still the leader.
    let again = loop {
        now = talk.wire.next_reminder().map_or(now, |at| at.0);
        talk.wake(now);
        let (c, b, body) = talk.wire.sent();
        if matches!(body, Body::Produce { .. }) {
            break (c, b, body);
        }
        talk.hear(c, b, Body::MetadataAnswer(image(&[(1, 0)], &[])));
        if !talk.wire.out.sends.is_empty() {
            break talk.wire.sent();
        }
    };
    assert_eq!(again.1, BrokerId(1));
    assert_eq!(talk.producer.sends()[0].attempts, 2);
}

#[test]
fn acks_0_is_not_thrown_at_a_broker_known_to_be_gone() {
    // R-ACK-2: the batch waits for a leader like any other.
    let none = ProducerSettings {
        acks: Acks::None,
        ..settings()
    };
    let (mut talk, _) = Talk::knowing(none, &[(1, 0)]);
    talk.producer.done();
    talk.wire.at(60_000);
    talk.producer.broker_gone(BrokerId(1), &mut talk.wire.out);
    assert!(talk.wire.out.sends.is_empty(), "at rest it keeps still");
    talk.send(1, "b");
    talk.metadata(&[(2, 1)]);
    assert_eq!(talk.wire.sent().1, BrokerId(2));
    assert_eq!(talk.producer.done(), vec![(1, Ok(vec![None]))]);
}

#[test]
fn delivery_timeout_ends_it_whatever_is_under_way() {
    // R-PRD-5
    let (mut talk, request) = Talk::knowing(
        ProducerSettings {
            delivery_timeout: Ms(40_000),
            ..settings()
        },
        &[(1, 0)],
    );
    talk.wake(30_000);
    assert_eq!(
        talk.failed(),
        vec![],
        "the request is over, the send is not"
    );
    talk.wake(40_000);
    assert_eq!(talk.failed(), vec![(0, KafkaError::Timeout)]);
    talk.produced(&request, Ok(0));
    assert_eq!(talk.producer.done(), vec![], "nobody waits any more");
    talk.wire.out.timers.clear();
    talk.wake(200_000);
    assert_eq!(talk.wire.next_reminder(), None, "an idle producer is quiet");
}

#[test]
fn linger_is_waited_for() {
    let (mut talk, first) = Talk::knowing(settings(), &[(1, 0)]);
    talk.produced(&first, Ok(0));
    talk.producer.set_settings(ProducerSettings::default());
    talk.send(1, "b");
    assert!(talk.wire.out.sends.is_empty());
    assert_eq!(talk.wire.next_reminder(), Some(Ms(5)));
    talk.wake(5);
    talk.wire.sent();
}

#[test]
fn at_most_so_many_are_under_way() {
    let (mut talk, first) = Talk::knowing(
        ProducerSettings {
            max_in_flight: 2,
            ..settings()
        },
        &[(1, 0)],
    );
    talk.send(1, "b");
    talk.send(2, "c");
    assert_eq!(talk.wire.all_sent().len(), 1);
    talk.produced(&first, Ok(0));
    assert_eq!(talk.wire.all_sent().len(), 1);
}

#[test]
fn the_same_inputs_give_the_same_producer() {
    let run = || {
        let (mut talk, first) = Talk::knowing(settings(), &[(1, 0)]);
        talk.produced(&first, Err(KafkaError::NotEnoughReplicas));
        talk.wake(100);
        talk.producer
    };
    assert_eq!(run(), run());
}
