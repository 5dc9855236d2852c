//! Settings of clients, by Kafka's names and defaults.

use crate::kafka::group::message::Assignor;
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
    /// transactional.id
    pub transactional_id: Option<Rc<str>>,
    /// transaction.timeout.ms
    pub transaction_timeout: Ms,
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
            transactional_id: None,
            transaction_timeout: Ms(60_000),
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
    /// by_duration: to the first record not older than this, ms (R-RST-3).
    ByDuration(Ms),
}

/// group.protocol
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GroupProtocol {
    /// classic: join, sync, generations (R-REB-*).
    #[default]
    Classic,
    /// consumer: member epochs, assigned by the coordinator (KIP-848, R-848-*).
    Consumer,
}

/// Settings of a consumer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsumerSettings {
    /// group.id
    pub group: Option<Rc<str>>,
    /// group.protocol
    pub protocol: GroupProtocol,
    /// partition.assignment.strategy (classic), the best first.
    pub assignors: Vec<Assignor>,
    /// group.remote.assignor (consumer protocol); `None`: the coordinator's choice, uniform.
    pub remote_assignor: Option<Rc<str>>,
    /// group.instance.id
    pub instance: Option<Rc<str>>,
    /// enable.auto.commit
    pub auto_commit: bool,
    /// auto.commit.interval.ms
    pub auto_commit_interval: Ms,
    /// session.timeout.ms (classic)
    pub session_timeout: Ms,
    /// heartbeat.interval.ms (classic)
    pub heartbeat_interval: Ms,
    /// max.poll.interval.ms
    pub max_poll_interval: Ms,
    /// default.api.timeout.ms
    pub api_timeout: Ms,
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
            group: None,
            protocol: GroupProtocol::Classic,
            assignors: vec![Assignor::Range, Assignor::CooperativeSticky],
            remote_assignor: None,
            instance: None,
            auto_commit: true,
            auto_commit_interval: Ms(5_000),
            session_timeout: Ms(45_000),
            heartbeat_interval: Ms(3_000),
            max_poll_interval: Ms(300_000),
            api_timeout: Ms(60_000),
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
