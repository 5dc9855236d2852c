//! Settings of clients, by Kafka's names and defaults.

use crate::kafka::ids::{BrokerId, Ms};
use crate::kafka::message::Acks;
use std::rc::Rc;

/// Settings of a producer (Kafka's names and defaults; times in ms).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProducerSettings {
    /// acks
    pub acks: Acks,
    /// enable.idempotence
    pub idempotent: bool,
    /// retries
    pub retries: u32,
    /// retry.backoff.ms
    pub retry_backoff: Ms,
    /// retry.backoff.max.ms
    pub retry_backoff_max: Ms,
    /// request.timeout.ms
    pub request_timeout: Ms,
    /// delivery.timeout.ms
    pub delivery_timeout: Ms,
    /// linger.ms
    pub linger: Ms,
    /// max.in.flight.requests.per.connection
    pub max_in_flight: u32,
    /// metadata.max.age.ms
    pub metadata_max_age: Ms,
    /// bootstrap.servers, in the order they are asked; empty: all brokers by id.
    pub bootstrap: Vec<BrokerId>,
}

impl Default for ProducerSettings {
    fn default() -> Self {
        ProducerSettings {
            acks: Acks::All,
            idempotent: true,
            retries: i32::MAX as u32,
            retry_backoff: Ms(100),
            retry_backoff_max: Ms(1_000),
            request_timeout: Ms(30_000),
            delivery_timeout: Ms(120_000),
            linger: Ms(5),
            max_in_flight: 5,
            metadata_max_age: Ms(300_000),
            bootstrap: Vec::new(),
        }
    }
}

impl ProducerSettings {
    /// Whether batches carry sequences: enable.idempotence is silently off where acks is not all
    /// or there are no retries (R-PRD-6).
    pub fn is_idempotent(&self) -> bool {
        self.idempotent && self.acks == Acks::All && self.retries > 0
    }

    /// How long a send may take in all, ms: delivery.timeout.ms, at least linger.ms +
    /// request.timeout.ms (R-PRD-5).
    pub fn delivery_limit(&self) -> Ms {
        self.delivery_timeout
            .max(self.linger.plus(self.request_timeout))
    }
}

/// auto.offset.reset
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffsetReset {
    /// To the end.
    #[default]
    Latest,
    /// To the start.
    Earliest,
    /// Not at all: an error.
    None,
}

/// Settings of a consumer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsumerSettings {
    /// auto.offset.reset
    pub offset_reset: OffsetReset,
    /// client.rack
    pub rack: Option<Rc<str>>,
    /// isolation.level=read_committed
    pub read_committed: bool,
    /// fetch.max.wait.ms
    pub fetch_max_wait: Ms,
    /// max.poll.records
    pub max_poll_records: u32,
    /// request.timeout.ms
    pub request_timeout: Ms,
    /// retry.backoff.ms
    pub retry_backoff: Ms,
    /// retry.backoff.max.ms
    pub retry_backoff_max: Ms,
    /// metadata.max.age.ms
    pub metadata_max_age: Ms,
    /// bootstrap.servers, in the order they are asked; empty: all brokers by id.
    pub bootstrap: Vec<BrokerId>,
}

impl Default for ConsumerSettings {
    fn default() -> Self {
        ConsumerSettings {
            offset_reset: OffsetReset::Latest,
            rack: None,
            read_committed: false,
            fetch_max_wait: Ms(500),
            max_poll_records: 500,
            request_timeout: Ms(30_000),
            retry_backoff: Ms(100),
            retry_backoff_max: Ms(1_000),
            metadata_max_age: Ms(300_000),
            bootstrap: Vec::new(),
        }
    }
}
