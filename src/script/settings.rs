//! Settings of clients and switches by name: set from text, and told as text where they differ
//! from the defaults.

use super::error::{Problem, WordKind};
use super::nearest::nearest;
use crate::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use crate::kafka::config::ConfigError;
use crate::kafka::ids::Ms;
use crate::kafka::message::Acks;
use crate::kafka::switches::{Switches, Truncation};

pub(super) const PRODUCER: &[&str] = &[
    "acks",
    "enable.idempotence",
    "retries",
    "retry.backoff.ms",
    "retry.backoff.max.ms",
    "request.timeout.ms",
    "delivery.timeout.ms",
    "linger.ms",
    "max.in.flight.requests.per.connection",
    "metadata.max.age.ms",
];

pub(super) const CONSUMER: &[&str] = &[
    "auto.offset.reset",
    "client.rack",
    "isolation.level",
    "fetch.max.wait.ms",
    "max.poll.records",
];

pub(super) const SWITCHES: &[&str] = &[
    "truncation",
    "truncate_on_epoch_change",
    "fetch_epoch_check",
    "expand_requires_epoch_start",
    "ignore_position_on_divergence",
    "maximal_isr",
    "broker_epoch_check",
    "restart_catches_up_metadata",
    "strict_min_isr",
    "elr",
    "list_offsets_guard",
    "consumer_truncation_detection",
    "metadata_keeps_pending_change",
    "group_generation_fence",
    "offset_expiry",
];

const TRUNCATIONS: &[(&str, Truncation)] = &[
    ("hw", Truncation::HighWatermark),
    ("kip101", Truncation::Kip101),
    ("kip279", Truncation::Kip279),
    ("fetch", Truncation::OnFetch),
];

/// The fault of a name that is none of the names.
pub(super) fn unknown(kind: WordKind, found: &str, words: &[&str]) -> Problem {
    Problem::UnknownWord {
        kind,
        found: found.into(),
        nearest: nearest(found, words.iter().copied()),
        valid: if words.len() <= 8 {
            words.iter().map(|w| (*w).into()).collect()
        } else {
            vec![]
        },
    }
}

/// The fault that Kafka's own check of a setting found.
pub(super) fn refused(kind: WordKind, names: &[&str], error: ConfigError) -> Problem {
    match error {
        ConfigError::UnknownName { name } => unknown(kind, &name, names),
        ConfigError::BadValue {
            name,
            value,
            expected,
        } => bad(&name, &value, expected),
    }
}

fn bad(setting: &str, value: &str, expected: &str) -> Problem {
    Problem::BadValue {
        setting: setting.into(),
        value: value.into(),
        expected: expected.into(),
    }
}

fn whole<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Problem> {
    value
        .parse()
        .map_err(|_| bad(name, value, "a whole number"))
}

fn ms(name: &str, value: &str) -> Result<Ms, Problem> {
    value
        .parse()
        .ok()
        .filter(|n| *n >= 0)
        .map(Ms)
        .ok_or_else(|| bad(name, value, "a whole number of ms"))
}

fn boolean(name: &str, value: &str) -> Result<bool, Problem> {
    value.parse().map_err(|_| bad(name, value, "true or false"))
}

/// acks as Kafka's clients write it.
pub(super) fn acks(name: &str, value: &str) -> Result<Acks, Problem> {
    match value {
        "0" => Ok(Acks::None),
        "1" => Ok(Acks::Leader),
        "all" | "-1" => Ok(Acks::All),
        _ => Err(bad(name, value, "0, 1 or all")),
    }
}

pub(super) fn acks_word(acks: Acks) -> &'static str {
    match acks {
        Acks::None => "0",
        Acks::Leader => "1",
        Acks::All => "all",
    }
}

/// Settings of a producer. Without a word about it, idempotence is on where it is possible: under
/// acks=all, with retries and at most 5 requests in flight; asking for it otherwise is refused, as
/// Kafka's client does.
pub(super) fn producer<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<ProducerSettings, Problem> {
    let mut s = ProducerSettings::default();
    let mut idempotent = None;
    for (name, value) in pairs {
        match name {
            "acks" => s.acks = acks(name, value)?,
            "enable.idempotence" => idempotent = Some(boolean(name, value)?),
            "retries" => s.retries = whole(name, value)?,
            "retry.backoff.ms" => s.retry_backoff = ms(name, value)?,
            "retry.backoff.max.ms" => s.retry_backoff_max = ms(name, value)?,
            "request.timeout.ms" => s.request_timeout = ms(name, value)?,
            "delivery.timeout.ms" => s.delivery_timeout = ms(name, value)?,
            "linger.ms" => s.linger = ms(name, value)?,
            "max.in.flight.requests.per.connection" => s.max_in_flight = whole(name, value)?,
            "metadata.max.age.ms" => s.metadata_max_age = ms(name, value)?,
            _ => return Err(unknown(WordKind::ProducerSetting, name, PRODUCER)),
        }
    }
    let possible = idempotence_possible(&s);
    if idempotent == Some(true) && !possible {
        return Err(Problem::IdempotenceConflict);
    }
    s.idempotent = idempotent.unwrap_or(possible);
    Ok(s)
}

fn idempotence_possible(s: &ProducerSettings) -> bool {
    s.acks == Acks::All && s.retries > 0 && s.max_in_flight <= 5
}

/// The settings of a producer that differ from the defaults.
pub(super) fn producer_words(s: &ProducerSettings) -> Vec<String> {
    let d = ProducerSettings::default();
    let mut words = vec![format!("acks={}", acks_word(s.acks))];
    if s.idempotent != idempotence_possible(s) {
        words.push(format!("enable.idempotence={}", s.idempotent));
    }
    let mut number = |name: &str, value: i64, default: i64| {
        if value != default {
            words.push(format!("{name}={value}"));
        }
    };
    number("retries", s.retries.into(), d.retries.into());
    number("retry.backoff.ms", s.retry_backoff.0, d.retry_backoff.0);
    number(
        "retry.backoff.max.ms",
        s.retry_backoff_max.0,
        d.retry_backoff_max.0,
    );
    number(
        "request.timeout.ms",
        s.request_timeout.0,
        d.request_timeout.0,
    );
    number(
        "delivery.timeout.ms",
        s.delivery_timeout.0,
        d.delivery_timeout.0,
    );
    number("linger.ms", s.linger.0, d.linger.0);
    number(
        "max.in.flight.requests.per.connection",
        s.max_in_flight.into(),
        d.max_in_flight.into(),
    );
    number(
        "metadata.max.age.ms",
        s.metadata_max_age.0,
        d.metadata_max_age.0,
    );
    words
}

const RESETS: &[(&str, OffsetReset)] = &[
    ("latest", OffsetReset::Latest),
    ("earliest", OffsetReset::Earliest),
    ("none", OffsetReset::None),
];

/// Settings of a consumer.
pub(super) fn consumer<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<ConsumerSettings, Problem> {
    let mut s = ConsumerSettings::default();
    for (name, value) in pairs {
        match name {
            "auto.offset.reset" => {
                s.offset_reset = RESETS
                    .iter()
                    .find(|(word, _)| *word == value)
                    .map(|(_, reset)| *reset)
                    .ok_or_else(|| bad(name, value, "latest, earliest or none"))?
            }
            "client.rack" => s.rack = Some(value.into()),
            "isolation.level" => {
                s.read_committed = match value {
                    "read_committed" => true,
                    "read_uncommitted" => false,
                    _ => return Err(bad(name, value, "read_uncommitted or read_committed")),
                }
            }
            "fetch.max.wait.ms" => s.fetch_max_wait = ms(name, value)?,
            "max.poll.records" => s.max_poll_records = whole(name, value)?,
            _ => return Err(unknown(WordKind::ConsumerSetting, name, CONSUMER)),
        }
    }
    Ok(s)
}

/// The settings of a consumer that differ from the defaults.
pub(super) fn consumer_words(s: &ConsumerSettings) -> Vec<String> {
    let d = ConsumerSettings::default();
    let mut words = vec![];
    if let Some((word, _)) = RESETS
        .iter()
        .find(|(_, reset)| *reset == s.offset_reset && *reset != d.offset_reset)
    {
        words.push(format!("auto.offset.reset={word}"));
    }
    if let Some(rack) = &s.rack {
        words.push(format!("client.rack={rack}"));
    }
    if s.read_committed {
        words.push("isolation.level=read_committed".into());
    }
    if s.fetch_max_wait != d.fetch_max_wait {
        words.push(format!("fetch.max.wait.ms={}", s.fetch_max_wait));
    }
    if s.max_poll_records != d.max_poll_records {
        words.push(format!("max.poll.records={}", s.max_poll_records));
    }
    words
}

/// Sets a switch; `false`: no such switch, or no such value.
pub(super) fn set_switch(switches: &mut Switches, name: &str, value: &str) -> bool {
    if name == "truncation" {
        let found = TRUNCATIONS.iter().find(|(word, _)| *word == value);
        if let Some((_, truncation)) = found {
            switches.truncation = *truncation;
        }
        return found.is_some();
    }
    let on = match value {
        "on" => true,
        "off" => false,
        _ => return false,
    };
    let place = match name {
        "truncate_on_epoch_change" => &mut switches.truncate_on_epoch_change,
        "fetch_epoch_check" => &mut switches.fetch_epoch_check,
        "expand_requires_epoch_start" => &mut switches.expand_requires_epoch_start,
        "ignore_position_on_divergence" => &mut switches.ignore_position_on_divergence,
        "maximal_isr" => &mut switches.maximal_isr,
        "broker_epoch_check" => &mut switches.broker_epoch_check,
        "restart_catches_up_metadata" => &mut switches.restart_catches_up_metadata,
        "strict_min_isr" => &mut switches.strict_min_isr,
        "elr" => &mut switches.elr,
        "list_offsets_guard" => &mut switches.list_offsets_guard,
        "consumer_truncation_detection" => &mut switches.consumer_truncation_detection,
        "metadata_keeps_pending_change" => &mut switches.metadata_keeps_pending_change,
        "group_generation_fence" => &mut switches.group_generation_fence,
        "offset_expiry" => &mut switches.offset_expiry,
        _ => return false,
    };
    *place = on;
    true
}

/// The values a switch takes.
pub(super) fn switch_values(name: &str) -> &'static [&'static str] {
    if name == "truncation" {
        &["hw", "kip101", "kip279", "fetch"]
    } else {
        &["on", "off"]
    }
}
