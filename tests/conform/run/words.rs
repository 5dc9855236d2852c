//! Errors and answers in the words of the recorder of offsets.

use highwater::kafka::client::consumer::{CommitException, PollException};
use highwater::kafka::client::producer::TransactionException;
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::GroupAnswer;
use highwater::kafka::ids::Boundary;
use highwater::world::command::{PartitionName, Reply};
use serde_json::{Map, Value, json};

/// A record as a poll tells it: topic, partition, number, value.
pub type Polled = (String, u16, i64, Option<String>);

/// An error with Kafka's text.
pub fn error(e: KafkaError) -> Value {
    json!({ "error": name(e), "message": e.text() })
}

/// The name by which the recorder's clients tell an error.
fn name(e: KafkaError) -> &'static str {
    match e {
        KafkaError::Timeout => "REQUEST_TIMED_OUT",
        e => e.name(),
    }
}

/// A reply that is not the one hoped for.
pub fn failed(reply: &Reply) -> Value {
    match reply {
        Reply::Failed(e, _) => error(*e),
        other => json!({ "error": format!("{other:?}") }),
    }
}

/// Something poll() threw.
pub fn poll_error(e: &PollException, positions: &[(PartitionName, Option<Boundary>)]) -> Value {
    let at = |(p, at): &(PartitionName, Option<Boundary>)| {
        let name = format!("{}-{}", p.topic, p.partition);
        (name, at.map_or(Value::Null, |at| at.0.into()))
    };
    match e {
        PollException::OffsetOutOfRange => {
            let partitions: Map<String, Value> = positions.iter().map(at).collect();
            json!({
                "error": "OFFSET_OUT_OF_RANGE",
                "exception": "OffsetOutOfRangeException",
                "partitions": partitions,
            })
        }
        PollException::NoOffsetForPartition => {
            let without = |(_, at): &&(PartitionName, Option<Boundary>)| at.is_none();
            let names: Vec<String> = positions.iter().filter(without).map(|p| at(p).0).collect();
            json!({
                "error": "NoOffsetForPartitionException",
                "exception": "NoOffsetForPartitionException",
                "partitions": names,
            })
        }
        PollException::Refused(e) => error(*e),
        other => json!({ "error": format!("{other:?}") }),
    }
}

/// An exception out of a commit.
pub fn commit_error(e: &CommitException) -> Value {
    let class = |name: &str| json!({ "error": name, "exception": name });
    match e {
        CommitException::CommitFailed(_) => class("CommitFailedException"),
        CommitException::RebalanceInProgress => error(KafkaError::RebalanceInProgress),
        CommitException::Retriable(cause) => {
            let mut told = class("RetriableCommitFailedException");
            told["cause"] = error(*cause);
            told
        }
        CommitException::Timeout(_) => error(KafkaError::RequestTimedOut),
        CommitException::FencedInstance => error(KafkaError::FencedInstanceId),
        CommitException::Other(e) => error(*e),
        CommitException::IllegalArgument => class("IllegalArgumentException"),
        CommitException::NoGroup => error(KafkaError::InvalidGroupId),
    }
}

/// An exception out of a call about transactions.
pub fn transaction_error(e: TransactionException) -> Value {
    let class = |name: &str| json!({ "error": name, "exception": name });
    match e {
        // The client wraps what it did not expect there.
        TransactionException::Kafka(KafkaError::InvalidTransactionTimeout) => {
            class("KafkaException")
        }
        TransactionException::Kafka(e) => error(e),
        TransactionException::CommitFailed => class("CommitFailedException"),
        TransactionException::IllegalState => class("IllegalStateException"),
        TransactionException::InErrorState(cause) => {
            let mut told = class("KafkaException");
            told["cause"] = transaction_error(cause.thrown());
            told
        }
    }
}

/// The error in an answer, if it is one.
pub fn group_error(answer: &Result<GroupAnswer, KafkaError>) -> Option<KafkaError> {
    match answer {
        Err(e) => Some(*e),
        Ok(GroupAnswer::Committed(parts)) => parts.iter().find_map(|(_, r)| r.err()),
        Ok(GroupAnswer::Fetched(r)) => r.as_ref().err().copied(),
        Ok(GroupAnswer::Joined(r)) => r.as_ref().err().map(|(e, _)| *e),
        Ok(GroupAnswer::Synced(r)) => r.as_ref().err().copied(),
        Ok(GroupAnswer::Beaten(r) | GroupAnswer::Left(r) | GroupAnswer::Deleted(r)) => r.err(),
        Ok(GroupAnswer::ConsumerBeaten(r)) => r.as_ref().err().copied(),
        Ok(GroupAnswer::Described(r)) => r.as_ref().err().copied(),
        Ok(GroupAnswer::OffsetsDeleted(r)) => r.as_ref().err().copied(),
        Ok(GroupAnswer::Coordinator(..)) => None,
    }
}

/// `{}`, or the error.
pub fn group_answer(answer: Result<GroupAnswer, KafkaError>) -> Value {
    group_error(&answer).map_or(json!({}), error)
}

/// "in 4 s": how long a step polled, ms.
pub fn seconds(say: &str) -> Option<i64> {
    let words: Vec<&str> = say.split_whitespace().collect();
    let pair = words
        .windows(2)
        .find(|w| w[1].starts_with('s') && w[1].len() <= 2)?;
    pair[0].parse::<i64>().ok().map(|s| s * 1_000)
}
