//! Sequences and their order (R-IDM-5, R-IDM-6).

use super::tests::{Talk, sequence, settings, stamp};
use crate::kafka::batch::NewRecord;
use crate::kafka::client::settings::ProducerSettings;
use crate::kafka::client::testing::TP;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;
use crate::kafka::message::Body;

#[test]
fn idempotent_retries_go_one_by_one_in_order_of_sequences() {
    // R-IDM-6
    let (mut talk, first) = Talk::knowing(settings(), &[(1, 0)]);
    talk.send(1, "b");
    let second = talk.wire.sent();
    talk.send(2, "c");
    let third = talk.wire.sent();
    assert_eq!(
        [sequence(&first), sequence(&second), sequence(&third)],
        [(0, 0), (0, 1), (0, 2)]
    );
    talk.produced(&third, Err(KafkaError::OutOfOrderSequenceNumber));
    talk.produced(&second, Err(KafkaError::OutOfOrderSequenceNumber));
    talk.produced(&first, Err(KafkaError::NotEnoughReplicas));
    talk.wake(1_000);
    let again = talk.wire.sent();
    assert_eq!(sequence(&again), (0, 0), "alone, with its old sequence");
    talk.produced(&again, Ok(0));
    let again = talk.wire.sent();
    assert_eq!(sequence(&again), (0, 1));
    talk.produced(&again, Ok(1));
    assert_eq!(sequence(&talk.wire.sent()), (0, 2));
}

#[test]
fn without_idempotence_a_retry_may_overtake() {
    // R-PRD-1
    let (mut talk, first) = Talk::knowing(
        ProducerSettings {
            idempotent: false,
            ..settings()
        },
        &[(1, 0)],
    );
    talk.send(1, "b");
    let second = talk.wire.sent();
    assert_eq!(stamp(&second), None);
    talk.produced(&first, Err(KafkaError::NotEnoughReplicas));
    talk.produced(&second, Ok(0));
    talk.wake(100);
    let again = talk.wire.sent();
    talk.produced(&again, Ok(1));
    let order: Vec<u32> = talk.producer.done().iter().map(|(tag, _)| *tag).collect();
    assert_eq!(order, vec![1, 0]);
}

#[test]
fn a_gap_behind_the_last_confirmed_batch_raises_the_epoch() {
    // R-IDM-6
    let (mut talk, first) = Talk::knowing(settings(), &[(1, 0)]);
    talk.produced(&first, Ok(0));
    talk.send(1, "b");
    let second = talk.wire.sent();
    talk.produced(&second, Err(KafkaError::OutOfOrderSequenceNumber));
    assert_eq!(talk.producer.epoch(), 1);
    talk.wake(100);
    assert_eq!(sequence(&talk.wire.sent()), (1, 0));
    assert_eq!(talk.producer.next_sequence(TP), 1);
}

#[test]
fn an_expired_retry_is_settled_before_the_next_batch() {
    // R-IDM-6, R-PRD-5
    let (mut talk, first) = Talk::knowing(
        ProducerSettings {
            delivery_timeout: Ms(35_000),
            ..settings()
        },
        &[(1, 0)],
    );
    talk.produced(&first, Err(KafkaError::NotEnoughReplicas));
    talk.wake(100);
    talk.wire.sent();
    talk.wake(30_100);
    talk.metadata(&[(2, 1)]);
    talk.wire.sent();
    talk.wake(35_000);
    assert_eq!(talk.failed(), vec![(0, KafkaError::Timeout)]);
    talk.send(1, "b");
    assert_eq!(
        sequence(&talk.wire.sent()),
        (1, 0),
        "a new epoch: the first may be there or not"
    );
}

#[test]
fn another_partition_starts_at_0_in_a_raised_epoch() {
    // R-IDM-3, R-IDM-5
    let other = Tp { partition: 1, ..TP };
    let (mut talk, first) = Talk::knowing(settings(), &[(1, 0), (1, 0)]);
    let records = vec![NewRecord::value("x")];
    talk.producer
        .send(1, other, records.clone(), &mut talk.wire.out);
    let at_other = talk.wire.sent();
    assert_eq!(
        sequence(&at_other),
        (0, 0),
        "each partition counts for itself"
    );
    let body = Body::ProduceAnswer {
        tp: other,
        result: Ok(Offset(0)),
        current_leader: None,
    };
    talk.hear(at_other.0, at_other.1, body);
    talk.produced(&first, Err(KafkaError::MessageTooLarge));
    talk.producer.send(2, other, records, &mut talk.wire.out);
    assert_eq!(sequence(&talk.wire.sent()), (1, 0));
}
