//! Settings of clients and switches by name: set from text, and told as text where they differ
//! from the defaults.

use super::error::{Problem, WordKind};
use super::foreign::folded;
use super::iso;
use super::nearest::nearest;
use super::print::bare;
use crate::kafka::client::settings::{
    ConsumerSettings, GroupProtocol, OffsetReset, ProducerSettings,
};
use crate::kafka::config::ConfigError;
use crate::kafka::group::message::Assignor;
use crate::kafka::ids::Ms;
use crate::kafka::message::Acks;
use crate::kafka::switches::{Switches, Truncation};
use std::rc::Rc;

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
    "transactional.id",
    "transaction.timeout.ms",
];

/// What InitProducerId by hand carries.
const INIT_PRODUCER: &[&str] = &["transactional.id", "transaction.timeout.ms"];

pub(super) const CONSUMER: &[&str] = &[
    "group.id",
    "group.protocol",
    "partition.assignment.strategy",
    "group.remote.assignor",
    "group.instance.id",
    "enable.auto.commit",
    "auto.commit.interval.ms",
    "session.timeout.ms",
    "heartbeat.interval.ms",
    "max.poll.interval.ms",
    "default.api.timeout.ms",
    "auto.offset.reset",
    "client.rack",
    "isolation.level",
    "fetch.max.wait.ms",
    "max.poll.records",
];

/// partition.assignment.strategy, by the classes' own names or the last part of them.
const ASSIGNORS: &[(&str, Assignor)] = &[
    ("range", Assignor::Range),
    ("roundrobin", Assignor::RoundRobin),
    ("sticky", Assignor::Sticky),
    ("cooperative-sticky", Assignor::CooperativeSticky),
];
const ASSIGNOR_CLASSES: &[&str] = &[
    "RangeAssignor",
    "RoundRobinAssignor",
    "StickyAssignor",
    "CooperativeStickyAssignor",
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
        nearest: nearest(&folded(found), words.iter().copied()),
        valid: if words.len() <= 8 {
            words.iter().map(|w| (*w).into()).collect()
        } else {
            vec![]
        },
    }
}

/// The fault of a word that is none of many words of several parts (`isr-changed`): those that
/// share a part with it are told, or all of them.
pub(super) fn unknown_of_parts(kind: WordKind, found: &str, words: &[&str]) -> Problem {
    let parts: Vec<&str> = found.split('-').filter(|p| p.len() > 2).collect();
    let shares = |word: &&&str| word.split('-').any(|part| parts.contains(&part));
    let alike: Vec<&str> = words.iter().filter(shares).copied().collect();
    // `fenced` for `fenced-broker`.
    let whole = |w: &&&str| w.strip_prefix(found).is_some_and(|r| r.starts_with('-'));
    let begins = words.iter().find(whole).map(|w| (*w).into());
    let near = begins.or_else(|| nearest(&folded(found), words.iter().copied()));
    let all = match &near {
        _ if !alike.is_empty() => &alike,
        Some(_) if words.len() > 12 => &[][..],
        _ => words,
    };
    Problem::UnknownWord {
        kind,
        found: found.into(),
        nearest: near,
        valid: all.iter().map(|w| (*w).into()).collect(),
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
            "transactional.id" => s.transactional_id = Some(named(name, value)?),
            "transaction.timeout.ms" => s.transaction_timeout = ms(name, value)?,
            _ => return Err(unknown(WordKind::ProducerSetting, name, PRODUCER)),
        }
    }
    let possible = idempotence_possible(&s);
    // A transactional producer is idempotent, or is not made at all.
    let needed = idempotent == Some(true) || s.transactional_id.is_some();
    if needed && (!possible || idempotent == Some(false)) {
        return Err(Problem::IdempotenceConflict);
    }
    s.idempotent = idempotent.unwrap_or(possible);
    Ok(s)
}

/// A name that is not empty.
fn named(name: &str, value: &str) -> Result<Rc<str>, Problem> {
    match value {
        "" => Err(bad(name, value, "a name")),
        value => Ok(value.into()),
    }
}

/// The settings that InitProducerId by hand carries.
pub(super) fn init_producer<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<ProducerSettings, Problem> {
    let mut s = ProducerSettings::default();
    for (name, value) in pairs {
        match name {
            "transactional.id" => s.transactional_id = Some(named(name, value)?),
            "transaction.timeout.ms" => s.transaction_timeout = ms(name, value)?,
            _ => return Err(unknown(WordKind::ProducerSetting, name, INIT_PRODUCER)),
        }
    }
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
    words.extend(init_producer_words(
        s.transactional_id.as_deref(),
        s.transaction_timeout,
    ));
    words
}

/// transactional.id and transaction.timeout.ms where they differ from the defaults.
pub(super) fn init_producer_words(id: Option<&str>, timeout: Ms) -> Vec<String> {
    let mut words = vec![];
    if let Some(id) = id {
        words.push(format!("transactional.id={}", bare(id)));
    }
    if timeout != ProducerSettings::default().transaction_timeout {
        words.push(format!("transaction.timeout.ms={timeout}"));
    }
    words
}

const RESETS: &[(&str, OffsetReset)] = &[
    ("latest", OffsetReset::Latest),
    ("earliest", OffsetReset::Earliest),
    ("none", OffsetReset::None),
];

fn offset_reset(name: &str, value: &str) -> Result<OffsetReset, Problem> {
    let expected = "latest, earliest, none or by_duration:PnDTnHnMnS";
    if let Some(span) = value.strip_prefix("by_duration:") {
        let span = iso::duration(span).ok_or_else(|| bad(name, value, expected))?;
        return Ok(OffsetReset::ByDuration(span));
    }
    let found = RESETS.iter().find(|(word, _)| *word == value);
    let found = found.map(|(_, reset)| *reset);
    found.ok_or_else(|| bad(name, value, expected))
}

fn assignors(name: &str, value: &str) -> Result<Vec<Assignor>, Problem> {
    let one = |word: &str| {
        let short = word.rsplit('.').next().unwrap_or(word);
        let at = ASSIGNOR_CLASSES.iter().position(|class| *class == short);
        let at = at.or_else(|| ASSIGNORS.iter().position(|(word, _)| *word == short));
        at.map(|at| ASSIGNORS[at].1)
            .ok_or_else(|| bad(name, value, "range, roundrobin, sticky, cooperative-sticky"))
    };
    value.split(',').map(|word| one(word.trim())).collect()
}

fn protocol(name: &str, value: &str) -> Result<GroupProtocol, Problem> {
    match value {
        "classic" => Ok(GroupProtocol::Classic),
        "consumer" => Ok(GroupProtocol::Consumer),
        _ => Err(bad(name, value, "classic or consumer")),
    }
}

/// Settings of a consumer.
pub(super) fn consumer<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<ConsumerSettings, Problem> {
    let mut s = ConsumerSettings::default();
    for (name, value) in pairs {
        match name {
            "group.id" => s.group = Some(named(name, value)?),
            "group.protocol" => s.protocol = protocol(name, value)?,
            "partition.assignment.strategy" => s.assignors = assignors(name, value)?,
            "group.remote.assignor" => {
                s.remote_assignor = match value {
                    "uniform" | "range" => Some(value.into()),
                    _ => return Err(bad(name, value, "uniform or range")),
                }
            }
            "group.instance.id" => s.instance = Some(named(name, value)?),
            "enable.auto.commit" => s.auto_commit = boolean(name, value)?,
            "auto.commit.interval.ms" => s.auto_commit_interval = ms(name, value)?,
            "session.timeout.ms" => s.session_timeout = ms(name, value)?,
            "heartbeat.interval.ms" => s.heartbeat_interval = ms(name, value)?,
            "max.poll.interval.ms" => s.max_poll_interval = ms(name, value)?,
            "default.api.timeout.ms" => s.api_timeout = ms(name, value)?,
            "auto.offset.reset" => s.offset_reset = offset_reset(name, value)?,
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
    let text = |name: &str, value: &Option<Rc<str>>| {
        value.as_deref().map(|v| format!("{name}={}", bare(v)))
    };
    let number = |name: &str, value: i64, default: i64| {
        (value != default).then(|| format!("{name}={value}"))
    };
    words.extend(text("group.id", &s.group));
    if s.protocol != d.protocol {
        words.push("group.protocol=consumer".into());
    }
    if s.assignors != d.assignors {
        let word = |a: &Assignor| ASSIGNORS.iter().find(|(_, b)| a == b).map_or("?", |a| a.0);
        let all: Vec<&str> = s.assignors.iter().map(word).collect();
        words.push(format!("partition.assignment.strategy={}", all.join(",")));
    }
    words.extend(text("group.remote.assignor", &s.remote_assignor));
    words.extend(text("group.instance.id", &s.instance));
    if s.auto_commit != d.auto_commit {
        words.push(format!("enable.auto.commit={}", s.auto_commit));
    }
    for (name, value, default) in [
        (
            "auto.commit.interval.ms",
            s.auto_commit_interval,
            d.auto_commit_interval,
        ),
        ("session.timeout.ms", s.session_timeout, d.session_timeout),
        (
            "heartbeat.interval.ms",
            s.heartbeat_interval,
            d.heartbeat_interval,
        ),
        (
            "max.poll.interval.ms",
            s.max_poll_interval,
            d.max_poll_interval,
        ),
        ("default.api.timeout.ms", s.api_timeout, d.api_timeout),
    ] {
        words.extend(number(name, value.0, default.0));
    }
    if s.offset_reset != d.offset_reset {
        let word = match s.offset_reset {
            OffsetReset::Latest => "latest".into(),
            OffsetReset::Earliest => "earliest".into(),
            OffsetReset::None => "none".into(),
            OffsetReset::ByDuration(span) => format!("by_duration:{}", iso::duration_text(span)),
        };
        words.push(format!("auto.offset.reset={word}"));
    }
    words.extend(text("client.rack", &s.rack));
    if s.read_committed {
        words.push("isolation.level=read_committed".into());
    }
    words.extend(number(
        "fetch.max.wait.ms",
        s.fetch_max_wait.0,
        d.fetch_max_wait.0,
    ));
    let (polled, default) = (s.max_poll_records.into(), d.max_poll_records.into());
    words.extend(number("max.poll.records", polled, default));
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
