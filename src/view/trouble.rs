//! What the engine refused, and what did not come true, in words.

use crate::history::{Failure, Trouble};
use crate::kafka::client::producer::ProducerState;
use crate::kafka::config::ConfigError;
use crate::script::ast::PROCESS_WORDS;
use crate::script::condition_text;
use crate::text::{Lang, trouble};
use crate::world::command::Refusal;

/// Why a command was not taken.
pub fn refusal_words(lang: Lang, refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoSuchBroker(broker) => trouble::no_broker(lang, *broker),
        Refusal::NoSuchPartition(p) => {
            trouble::no_partition(lang, &format!("{}-{}", p.topic, p.partition))
        }
        Refusal::NoSuchClient(client) => trouble::no_client(lang, client),
        Refusal::NotReceived {
            client,
            partition: p,
            position,
        } => {
            let name = format!("{}-{}", p.topic, p.partition);
            trouble::not_received(lang, client, &name, *position)
        }
        Refusal::OtherKind { client, producer } => match producer {
            true => trouble::is_producer(lang, client),
            false => trouble::no_producer(lang, client),
        },
        Refusal::Ended { client, crashed } => match crashed {
            true => trouble::crashed(lang, client),
            false => trouble::closed(lang, client),
        },
        Refusal::OtherAssignment { client, subscribed } => match subscribed {
            true => trouble::subscribes(lang, client),
            false => trouble::chose_partitions(lang, client),
        },
        Refusal::NotAssigned {
            client,
            partition: p,
        } => trouble::not_assigned(lang, client, &format!("{}-{}", p.topic, p.partition)),
        Refusal::OutOfTurn { client, state } => out_of_turn(lang, client, *state),
        Refusal::NoGroup(client) => trouble::no_group(lang, client),
        Refusal::WrongState { broker, is } => {
            let word = PROCESS_WORDS.iter().find(|(_, state)| state == is);
            trouble::wrong_state(lang, *broker, word.map_or("", |(word, _)| word))
        }
        Refusal::Config(ConfigError::UnknownName { name } | ConfigError::BadValue { name, .. }) => {
            trouble::setting(lang, name)
        }
        Refusal::TimeOut { condition, waited } => {
            trouble::time_out(lang, &condition_text(condition), *waited)
        }
        Refusal::NoMessage { .. } => trouble::no_message(lang),
        Refusal::StandsStill { at } => trouble::stands_still(lang, *at),
        Refusal::WrongMode => trouble::wrong_mode(lang),
    }
}

/// A call about transactions that the producer's state does not allow, and what to do.
fn out_of_turn(lang: Lang, client: &str, state: Option<ProducerState>) -> String {
    match state {
        None => trouble::no_transactions(lang, client),
        Some(ProducerState::Uninitialized) => trouble::not_initialised(lang, client),
        Some(ProducerState::Initializing) => trouble::still_initialising(lang, client),
        Some(ProducerState::InTransaction) => trouble::one_open(lang, client),
        Some(ProducerState::Committing | ProducerState::Aborting) => {
            trouble::still_ending(lang, client)
        }
        // In an error state the call throws an error of Kafka's, and this is not asked.
        Some(ProducerState::Ready | ProducerState::AbortableError | ProducerState::FatalError) => {
            trouble::none_open(lang, client)
        }
    }
}

/// What is wrong with a line of a story.
pub fn trouble_words(lang: Lang, what: &Trouble) -> String {
    match what {
        Trouble::Mismatch(m) => trouble::claim(lang, &m.claim, &m.found),
        Trouble::Refused(refusal) => refusal_words(lang, refusal),
    }
}

/// A line of a story that did not come true: its place in the file and what is wrong.
pub fn failure_words(lang: Lang, failure: &Failure) -> String {
    trouble::line(
        lang,
        failure.at.line,
        &trouble_words(lang, &failure.trouble),
    )
}
