//! Settings by Kafka's names, with Kafka 4.3's defaults. All times in ms.

use super::ids::{BrokerId, Ms};
use super::log_config::{LogDefaults, LogOverrides, Setting};

/// Settings of every broker and of the controller (server.properties).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServerConfig {
    /// broker.heartbeat.interval.ms
    pub heartbeat_interval: Ms,
    /// broker.session.timeout.ms
    pub session_timeout: Ms,
    /// replica.lag.time.max.ms
    pub replica_lag_time_max: Ms,
    /// replica.fetch.wait.max.ms (with the next three: R-REP-3)
    pub replica_fetch_wait_max: Ms,
    /// replica.fetch.backoff.ms
    pub replica_fetch_backoff: Ms,
    /// replica.fetch.max.bytes: bytes of one partition in the answer to a follower's fetch
    pub replica_fetch_max_bytes: i64,
    /// replica.socket.timeout.ms
    pub replica_socket_timeout: Ms,
    /// replica.high.watermark.checkpoint.interval.ms
    pub high_watermark_checkpoint_interval: Ms,
    /// min.insync.replicas (static default of topics)
    pub min_insync_replicas: i32,
    /// unclean.leader.election.enable (static default of topics)
    pub unclean_leader_election: bool,
    /// unclean.leader.election.interval.ms (internal)
    pub unclean_leader_election_interval: Ms,
    /// auto.leader.rebalance.enable
    pub auto_leader_rebalance: bool,
    /// leader.imbalance.check.interval.seconds, in ms
    pub leader_imbalance_check_interval: Ms,
    /// replica.selector.class is the rack-aware one (KIP-392)
    pub rack_aware_selector: bool,
    /// producer.id.expiration.ms
    pub producer_id_expiration: Ms,
    /// producer.id.expiration.check.interval.ms
    pub producer_id_expiration_check_interval: Ms,
    /// replication.quota.window.size.seconds, in ms
    pub replication_quota_window: Ms,
    /// replication.quota.window.num
    pub replication_quota_windows: i64,
    /// The longest a broker waits for leave to stop (BrokerServer.shutdown)
    pub controlled_shutdown_timeout: Ms,
    /// Tries of a controller request before it is sent again (controller.quorum.request.timeout.ms)
    pub controller_request_timeout: Ms,
    /// log.retention.check.interval.ms
    pub retention_check_interval: Ms,
    /// offsets.retention.minutes, in ms
    pub offsets_retention: Ms,
    /// offsets.retention.check.interval.ms
    pub offsets_retention_check_interval: Ms,
    /// offsets.commit.timeout.ms
    pub offsets_commit_timeout: Ms,
    /// offset.metadata.max.bytes: the longest metadata of a commit
    pub offset_metadata_max_bytes: i64,
    /// group.initial.rebalance.delay.ms
    pub group_initial_rebalance_delay: Ms,
    /// group.min.session.timeout.ms
    pub group_min_session_timeout: Ms,
    /// group.max.session.timeout.ms
    pub group_max_session_timeout: Ms,
    /// group.consumer.session.timeout.ms
    pub group_consumer_session_timeout: Ms,
    /// group.consumer.heartbeat.interval.ms
    pub group_consumer_heartbeat_interval: Ms,
    /// transaction.version: a feature level of the cluster rather than a setting (R-TXN-1, R-TXN-2)
    pub transaction_version: u8,
    /// transaction.max.timeout.ms
    pub transaction_max_timeout: Ms,
    /// transaction.abort.timed.out.transaction.cleanup.interval.ms
    pub transaction_check_interval: Ms,
    /// log.initial.task.delay.ms: when the first look comes after a start
    pub initial_task_delay: Ms,
    /// log.cleaner.backoff.ms: how long the cleaner rests where nothing is dirty enough
    pub cleaner_backoff: Ms,
    /// What a log has whose topic sets nothing of its own
    pub log: LogDefaults,
}

impl Default for ServerConfig {
    fn default() -> Self {
        ServerConfig {
            heartbeat_interval: Ms(2_000),
            session_timeout: Ms(9_000),
            replica_lag_time_max: Ms(30_000),
            replica_fetch_wait_max: Ms(500),
            replica_fetch_backoff: Ms(1_000),
            replica_fetch_max_bytes: 1_048_576,
            replica_socket_timeout: Ms(30_000),
            high_watermark_checkpoint_interval: Ms(5_000),
            min_insync_replicas: 1,
            unclean_leader_election: false,
            unclean_leader_election_interval: Ms(300_000),
            auto_leader_rebalance: true,
            leader_imbalance_check_interval: Ms(300_000),
            rack_aware_selector: false,
            producer_id_expiration: Ms(86_400_000),
            producer_id_expiration_check_interval: Ms(600_000),
            replication_quota_window: Ms(1_000),
            replication_quota_windows: 11,
            controlled_shutdown_timeout: Ms(300_000),
            controller_request_timeout: Ms(2_000),
            retention_check_interval: Ms(300_000),
            offsets_retention: Ms(10_080 * 60_000),
            offsets_retention_check_interval: Ms(600_000),
            offsets_commit_timeout: Ms(5_000),
            offset_metadata_max_bytes: 4_096,
            group_initial_rebalance_delay: Ms(3_000),
            group_min_session_timeout: Ms(6_000),
            group_max_session_timeout: Ms(1_800_000),
            group_consumer_session_timeout: Ms(45_000),
            group_consumer_heartbeat_interval: Ms(5_000),
            transaction_version: 2,
            transaction_max_timeout: Ms(900_000),
            transaction_check_interval: Ms(10_000),
            initial_task_delay: Ms(30_000),
            cleaner_backoff: Ms(15_000),
            log: LogDefaults::default(),
        }
    }
}

/// Why a setting was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// No setting of this name is known here; the nearest name that is, if one is near.
    UnknownName {
        /// The name asked for.
        name: String,
    },
    /// The value is not of the setting's kind.
    BadValue {
        /// The setting.
        name: String,
        /// What was given.
        value: String,
        /// What would be taken, in words of Kafka's documentation, e.g. "a whole number of ms".
        expected: &'static str,
    },
}

fn ms(name: &str, value: &str) -> Result<Ms, ConfigError> {
    match value.parse() {
        Ok(n) if n >= 0 => Ok(Ms(n)),
        _ => Err(bad(name, value, "a whole number of ms")),
    }
}

/// A period: a task that runs every 0 ms would never let time pass.
fn positive_ms(name: &str, value: &str) -> Result<Ms, ConfigError> {
    match value.parse() {
        Ok(n) if n >= 1 => Ok(Ms(n)),
        _ => Err(bad(name, value, "a whole number of ms from 1")),
    }
}

fn boolean(name: &str, value: &str) -> Result<bool, ConfigError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(bad(name, value, "true or false")),
    }
}

pub(super) fn bad(name: &str, value: &str, expected: &'static str) -> ConfigError {
    ConfigError::BadValue {
        name: name.into(),
        value: value.into(),
        expected,
    }
}

impl ServerConfig {
    /// The settings that [`ServerConfig::set`] takes, by Kafka's names.
    pub const NAMES: &'static [&'static str] = &[
        "broker.heartbeat.interval.ms",
        "broker.session.timeout.ms",
        "replica.lag.time.max.ms",
        "replica.fetch.wait.max.ms",
        "replica.fetch.backoff.ms",
        "replica.fetch.max.bytes",
        "replica.socket.timeout.ms",
        "replica.high.watermark.checkpoint.interval.ms",
        "min.insync.replicas",
        "unclean.leader.election.enable",
        "unclean.leader.election.interval.ms",
        "auto.leader.rebalance.enable",
        "leader.imbalance.check.interval.seconds",
        "replica.selector.class",
        "producer.id.expiration.ms",
        "producer.id.expiration.check.interval.ms",
        "replication.quota.window.size.seconds",
        "replication.quota.window.num",
        "controlled.shutdown.timeout.ms",
        "controller.quorum.request.timeout.ms",
        "log.retention.check.interval.ms",
        "offsets.retention.minutes",
        "offsets.retention.check.interval.ms",
        "offsets.commit.timeout.ms",
        "offset.metadata.max.bytes",
        "group.initial.rebalance.delay.ms",
        "group.min.session.timeout.ms",
        "group.max.session.timeout.ms",
        "group.consumer.session.timeout.ms",
        "group.consumer.heartbeat.interval.ms",
        "transaction.version",
        "transaction.max.timeout.ms",
        "transaction.abort.timed.out.transaction.cleanup.interval.ms",
        "log.initial.task.delay.ms",
        "log.cleaner.backoff.ms",
        "log.segment.delete.delay.ms",
        "log.retention.ms",
        "log.retention.bytes",
        "log.segment.bytes",
        "log.roll.ms",
        "log.roll.jitter.ms",
        "log.cleaner.min.cleanable.ratio",
        "log.cleaner.min.compaction.lag.ms",
        "log.cleaner.max.compaction.lag.ms",
        "log.cleaner.delete.retention.ms",
        "message.max.bytes",
        "log.message.timestamp.type",
        "log.message.timestamp.after.max.ms",
        "log.flush.start.offset.checkpoint.interval.ms",
        "num.replica.fetchers",
    ];

    /// Sets a server setting by Kafka's name.
    ///
    /// # Errors
    /// [`ConfigError`] for a name or a value that is not known.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        match name {
            "broker.heartbeat.interval.ms" => self.heartbeat_interval = positive_ms(name, value)?,
            "broker.session.timeout.ms" => self.session_timeout = positive_ms(name, value)?,
            "replica.lag.time.max.ms" => self.replica_lag_time_max = positive_ms(name, value)?,
            "replica.fetch.wait.max.ms" => self.replica_fetch_wait_max = positive_ms(name, value)?,
            "replica.fetch.backoff.ms" => self.replica_fetch_backoff = positive_ms(name, value)?,
            "replica.fetch.max.bytes" => {
                self.replica_fetch_max_bytes = value
                    .parse()
                    .map_err(|_| bad(name, value, "a whole number of bytes"))?
            }
            "replica.socket.timeout.ms" => self.replica_socket_timeout = positive_ms(name, value)?,
            "replica.high.watermark.checkpoint.interval.ms" => {
                self.high_watermark_checkpoint_interval = positive_ms(name, value)?
            }
            "min.insync.replicas" => {
                self.min_insync_replicas = value
                    .parse()
                    .ok()
                    .filter(|n| *n >= 1)
                    .ok_or_else(|| bad(name, value, "a whole number from 1"))?
            }
            "unclean.leader.election.enable" => {
                self.unclean_leader_election = boolean(name, value)?
            }
            "unclean.leader.election.interval.ms" => {
                self.unclean_leader_election_interval = positive_ms(name, value)?
            }
            "auto.leader.rebalance.enable" => self.auto_leader_rebalance = boolean(name, value)?,
            "leader.imbalance.check.interval.seconds" => {
                self.leader_imbalance_check_interval =
                    Ms(positive_ms(name, value)?.0.saturating_mul(1000))
            }
            "replica.selector.class" => {
                self.rack_aware_selector =
                    value == "org.apache.kafka.common.replica.RackAwareReplicaSelector";
                if !self.rack_aware_selector && !value.is_empty() {
                    return Err(bad(
                        name,
                        value,
                        "org.apache.kafka.common.replica.RackAwareReplicaSelector",
                    ));
                }
            }
            "producer.id.expiration.ms" => self.producer_id_expiration = positive_ms(name, value)?,
            "producer.id.expiration.check.interval.ms" => {
                self.producer_id_expiration_check_interval = positive_ms(name, value)?
            }
            "replication.quota.window.size.seconds" => {
                self.replication_quota_window = Ms(positive_ms(name, value)?.0.saturating_mul(1000))
            }
            "replication.quota.window.num" => self.replication_quota_windows = ms(name, value)?.0,
            "controlled.shutdown.timeout.ms" => self.controlled_shutdown_timeout = ms(name, value)?,
            "controller.quorum.request.timeout.ms" => {
                self.controller_request_timeout = positive_ms(name, value)?
            }
            "offsets.retention.minutes" => {
                self.offsets_retention = Ms(ms(name, value)?.0.saturating_mul(60_000))
            }
            "offsets.retention.check.interval.ms" => {
                self.offsets_retention_check_interval = positive_ms(name, value)?
            }
            "offsets.commit.timeout.ms" => self.offsets_commit_timeout = ms(name, value)?,
            "offset.metadata.max.bytes" => self.offset_metadata_max_bytes = ms(name, value)?.0,
            "group.initial.rebalance.delay.ms" => {
                self.group_initial_rebalance_delay = ms(name, value)?
            }
            "group.min.session.timeout.ms" => self.group_min_session_timeout = ms(name, value)?,
            "group.max.session.timeout.ms" => self.group_max_session_timeout = ms(name, value)?,
            "group.consumer.session.timeout.ms" => {
                self.group_consumer_session_timeout = positive_ms(name, value)?
            }
            "group.consumer.heartbeat.interval.ms" => {
                self.group_consumer_heartbeat_interval = positive_ms(name, value)?
            }
            "transaction.version" => {
                self.transaction_version = value
                    .parse()
                    .ok()
                    .filter(|v| (1..=2).contains(v))
                    .ok_or_else(|| bad(name, value, "1 or 2"))?
            }
            "transaction.max.timeout.ms" => self.transaction_max_timeout = ms(name, value)?,
            "transaction.abort.timed.out.transaction.cleanup.interval.ms" => {
                self.transaction_check_interval = positive_ms(name, value)?
            }
            "log.retention.check.interval.ms" => {
                self.retention_check_interval = positive_ms(name, value)?
            }
            "log.initial.task.delay.ms" => self.initial_task_delay = ms(name, value)?,
            "log.cleaner.backoff.ms" => self.cleaner_backoff = positive_ms(name, value)?,
            // Of no effect on what is modelled; known so that a real cluster's file is taken. (A
            // deleted segment cannot be read from at once; its file goes after the delay.)
            "log.segment.delete.delay.ms"
            | "log.flush.start.offset.checkpoint.interval.ms"
            | "num.replica.fetchers" => {
                ms(name, value)?;
            }
            _ => match Setting::of_server(name) {
                Some(setting) => self.log.put(setting, setting.parse(name, value)?),
                None => return Err(ConfigError::UnknownName { name: name.into() }),
            },
        }
        Ok(())
    }
}

/// Settings of a topic that were given for it; what is `None` falls back to the cluster's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TopicConfig {
    /// min.insync.replicas
    pub min_insync_replicas: Option<i32>,
    /// unclean.leader.election.enable
    pub unclean_leader_election: Option<bool>,
    /// cleanup.policy
    pub cleanup_policy: CleanupPolicy,
    /// follower.replication.throttled.replicas, as (partition, broker)
    pub follower_throttled: Vec<(u16, BrokerId)>,
    /// Settings of its logs
    pub log: LogOverrides,
}

/// cleanup.policy
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CleanupPolicy {
    /// delete
    #[default]
    Delete,
    /// compact
    Compact,
    /// compact,delete
    CompactDelete,
    /// An empty list (KIP-1030): neither
    Neither,
}

impl TopicConfig {
    /// The settings that [`TopicConfig::set`] takes.
    pub const NAMES: &'static [&'static str] = &[
        "min.insync.replicas",
        "unclean.leader.election.enable",
        "cleanup.policy",
        "follower.replication.throttled.replicas",
        "retention.ms",
        "retention.bytes",
        "segment.bytes",
        "segment.ms",
        "segment.jitter.ms",
        "min.cleanable.dirty.ratio",
        "min.compaction.lag.ms",
        "max.compaction.lag.ms",
        "delete.retention.ms",
        "max.message.bytes",
        "message.timestamp.type",
        "message.timestamp.after.max.ms",
        "internal.segment.bytes",
    ];

    /// Sets (or with `None` takes back) a topic's setting by Kafka's name.
    ///
    /// # Errors
    /// [`ConfigError`] for a name or a value that is not known.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), ConfigError> {
        match (name, value) {
            ("min.insync.replicas", None) => self.min_insync_replicas = None,
            ("min.insync.replicas", Some(v)) => {
                self.min_insync_replicas = Some(
                    v.parse()
                        .ok()
                        .filter(|n| *n >= 1)
                        .ok_or_else(|| bad(name, v, "a whole number from 1"))?,
                )
            }
            ("unclean.leader.election.enable", None) => self.unclean_leader_election = None,
            ("unclean.leader.election.enable", Some(v)) => {
                self.unclean_leader_election = Some(boolean(name, v)?)
            }
            ("cleanup.policy", None | Some("delete")) => {
                self.cleanup_policy = CleanupPolicy::Delete
            }
            ("cleanup.policy", Some("compact")) => self.cleanup_policy = CleanupPolicy::Compact,
            ("cleanup.policy", Some("compact,delete" | "delete,compact")) => {
                self.cleanup_policy = CleanupPolicy::CompactDelete
            }
            ("cleanup.policy", Some("")) => self.cleanup_policy = CleanupPolicy::Neither,
            ("cleanup.policy", Some(v)) => {
                return Err(bad(name, v, "delete, compact, or both with a comma"));
            }
            ("follower.replication.throttled.replicas", None | Some("")) => {
                self.follower_throttled.clear()
            }
            ("follower.replication.throttled.replicas", Some(v)) => {
                let list = v.split(',').map(|pair| {
                    let (p, b) = pair.trim().split_once(':')?;
                    Some((
                        p.parse().ok()?,
                        BrokerId(b.parse().ok().filter(|b| *b < 64)?),
                    ))
                });
                self.follower_throttled = list
                    .collect::<Option<_>>()
                    .ok_or_else(|| bad(name, v, "a list of partition:broker, e.g. 0:3,1:3"))?;
            }
            _ => match Setting::of_topic(name) {
                Some(setting) => {
                    let value = value.map(|v| setting.parse(name, v)).transpose()?;
                    self.log.put(setting, value);
                }
                None => return Err(ConfigError::UnknownName { name: name.into() }),
            },
        }
        Ok(())
    }
}

/// Settings of one broker that can change while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BrokerConfig {
    /// follower.replication.throttled.rate, bytes a second
    pub follower_throttled_rate: Option<i64>,
}

impl BrokerConfig {
    /// Sets (or takes back) a broker's dynamic setting by Kafka's name.
    ///
    /// # Errors
    /// [`ConfigError`] for a name or a value that is not known.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), ConfigError> {
        match name {
            "follower.replication.throttled.rate" => {
                self.follower_throttled_rate = value
                    .map(|v| {
                        v.parse()
                            .map_err(|_| bad(name, v, "a whole number of bytes a second"))
                    })
                    .transpose()?
            }
            _ => return Err(ConfigError::UnknownName { name: name.into() }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_of_nothing_is_refused_and_no_wait_is_negative() {
        let mut config = ServerConfig::default();
        for name in [
            "broker.heartbeat.interval.ms",
            "broker.session.timeout.ms",
            "replica.fetch.wait.max.ms",
            "replica.fetch.backoff.ms",
            "replica.high.watermark.checkpoint.interval.ms",
            "log.retention.check.interval.ms",
            "leader.imbalance.check.interval.seconds",
            "group.consumer.heartbeat.interval.ms",
        ] {
            let expected = "a whole number of ms from 1";
            for value in ["0", "-5"] {
                let refused = config.set(name, value);
                assert_eq!(refused, Err(bad(name, value, expected)));
            }
            assert_eq!(config.set(name, "1"), Ok(()), "{name}");
        }
        let name = "group.initial.rebalance.delay.ms";
        assert_eq!(config.set(name, "0"), Ok(()));
        assert!(config.set(name, "-1").is_err());
    }
}
