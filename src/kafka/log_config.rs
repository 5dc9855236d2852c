//! Settings of a log: how large and how old a segment gets, how long records are kept, when the
//! cleaner comes. A topic's own value goes before the server's; each has Kafka's name and default.

use super::config::{CleanupPolicy, ConfigError, bad};
use super::ids::Ms;
use std::rc::Rc;

/// What can be set of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Setting {
    /// retention.ms; negative: for ever
    Retention,
    /// retention.bytes; negative: no limit
    RetentionBytes,
    /// segment.bytes
    SegmentBytes,
    /// segment.ms
    SegmentMs,
    /// segment.jitter.ms
    SegmentJitter,
    /// min.cleanable.dirty.ratio, in millionths
    MinCleanableRatio,
    /// min.compaction.lag.ms
    MinCompactionLag,
    /// max.compaction.lag.ms
    MaxCompactionLag,
    /// delete.retention.ms
    DeleteRetention,
    /// max.message.bytes
    MaxMessageBytes,
    /// message.timestamp.type: 0 CreateTime, 1 LogAppendTime
    TimestampType,
    /// message.timestamp.after.max.ms
    TimestampAfterMax,
}

/// A setting's names, what it takes and its default.
struct Known {
    topic: &'static str,
    server: &'static str,
    kind: Kind,
    default: i64,
}

/// What a setting takes.
enum Kind {
    /// A whole number from this one on, and how to say so.
    From(i64, &'static str),
    /// A decimal number from 0 to 1, kept in millionths.
    Ratio,
    /// One of these words, kept as its place.
    Word(&'static [&'static str], &'static str),
}

const DAY: i64 = 86_400_000;
const MS: Kind = Kind::From(0, "a whole number of ms from 0");
const MS_FROM_1: Kind = Kind::From(1, "a whole number of ms from 1");

const fn known(topic: &'static str, server: &'static str, kind: Kind, default: i64) -> Known {
    Known {
        topic,
        server,
        kind,
        default,
    }
}

/// In the order of [`Setting`].
const KNOWN: [Known; 12] = [
    known(
        "retention.ms",
        "log.retention.ms",
        Kind::From(-1, "a whole number of ms, or -1 for ever"),
        7 * DAY,
    ),
    known(
        "retention.bytes",
        "log.retention.bytes",
        Kind::From(-1, "a whole number of bytes, or -1 for no limit"),
        -1,
    ),
    known(
        "segment.bytes",
        "log.segment.bytes",
        Kind::From(1_048_576, "a whole number of bytes from 1048576"),
        1_073_741_824,
    ),
    known("segment.ms", "log.roll.ms", MS_FROM_1, 7 * DAY),
    known("segment.jitter.ms", "log.roll.jitter.ms", MS, 0),
    known(
        "min.cleanable.dirty.ratio",
        "log.cleaner.min.cleanable.ratio",
        Kind::Ratio,
        500_000,
    ),
    known(
        "min.compaction.lag.ms",
        "log.cleaner.min.compaction.lag.ms",
        MS,
        0,
    ),
    known(
        "max.compaction.lag.ms",
        "log.cleaner.max.compaction.lag.ms",
        MS_FROM_1,
        i64::MAX,
    ),
    known(
        "delete.retention.ms",
        "log.cleaner.delete.retention.ms",
        MS,
        DAY,
    ),
    known(
        "max.message.bytes",
        "message.max.bytes",
        Kind::From(0, "a whole number of bytes"),
        1_048_588,
    ),
    known(
        "message.timestamp.type",
        "log.message.timestamp.type",
        Kind::Word(
            &["CreateTime", "LogAppendTime"],
            "CreateTime or LogAppendTime",
        ),
        0,
    ),
    known(
        "message.timestamp.after.max.ms",
        "log.message.timestamp.after.max.ms",
        MS,
        3_600_000,
    ),
];

/// Kafka's own name for segments smaller than it lets an administrator make.
pub const SMALL_SEGMENTS: &str = "internal.segment.bytes";

const ALL: [Setting; 12] = [
    Setting::Retention,
    Setting::RetentionBytes,
    Setting::SegmentBytes,
    Setting::SegmentMs,
    Setting::SegmentJitter,
    Setting::MinCleanableRatio,
    Setting::MinCompactionLag,
    Setting::MaxCompactionLag,
    Setting::DeleteRetention,
    Setting::MaxMessageBytes,
    Setting::TimestampType,
    Setting::TimestampAfterMax,
];

impl Setting {
    /// The setting of this name of a topic.
    pub fn of_topic(name: &str) -> Option<Setting> {
        if name == SMALL_SEGMENTS {
            return Some(Setting::SegmentBytes);
        }
        let at = KNOWN.iter().position(|k| k.topic == name)?;
        Some(ALL[at])
    }

    /// The setting of this name of a server.
    pub fn of_server(name: &str) -> Option<Setting> {
        let at = KNOWN.iter().position(|k| k.server == name)?;
        Some(ALL[at])
    }

    /// Reads a value.
    ///
    /// # Errors
    /// [`ConfigError`] for a value that Kafka would not take.
    pub fn parse(self, name: &str, value: &str) -> Result<i64, ConfigError> {
        match &KNOWN[self as usize].kind {
            Kind::From(least, expected) => {
                let small = name == SMALL_SEGMENTS;
                let least = if small { 1 } else { *least };
                let expected = if small {
                    "a whole number of bytes from 1"
                } else {
                    expected
                };
                let read = value.parse().ok().filter(|n| *n >= least);
                read.ok_or_else(|| bad(name, value, expected))
            }
            Kind::Ratio => {
                millionths(value).ok_or_else(|| bad(name, value, "a number from 0 to 1, e.g. 0.5"))
            }
            Kind::Word(words, expected) => {
                let at = words.iter().position(|w| *w == value);
                at.map(|at| at as i64)
                    .ok_or_else(|| bad(name, value, expected))
            }
        }
    }
}

/// A decimal number from 0 to 1, in millionths.
fn millionths(text: &str) -> Option<i64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(rest) || rest.len() > 6 {
        return None;
    }
    let scale = 10_i64.pow(6 - rest.len() as u32);
    let n = whole.parse::<i64>().ok()?.checked_mul(1_000_000)? + rest.parse::<i64>().ok()? * scale;
    (n <= 1_000_000).then_some(n)
}

/// A server's settings of its logs: what a topic has that sets nothing of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LogDefaults([i64; 12]);

impl Default for LogDefaults {
    fn default() -> Self {
        let mut values = [0; 12];
        for (value, known) in values.iter_mut().zip(&KNOWN) {
            *value = known.default;
        }
        LogDefaults(values)
    }
}

impl LogDefaults {
    /// Sets a value.
    pub fn put(&mut self, setting: Setting, value: i64) {
        self.0[setting as usize] = value;
    }
}

/// What a topic sets of its own; nothing at all takes no memory, and a copy is shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LogOverrides(Option<Rc<Vec<(Setting, i64)>>>);

impl LogOverrides {
    fn get(&self, setting: Setting) -> Option<i64> {
        let list = self.0.as_ref()?;
        list.iter().find(|(s, _)| *s == setting).map(|(_, v)| *v)
    }

    /// Sets, or with `None` takes back.
    pub fn put(&mut self, setting: Setting, value: Option<i64>) {
        let mut list = self.0.take().map_or_else(Vec::new, |l| l.to_vec());
        list.retain(|(s, _)| *s != setting);
        list.extend(value.map(|v| (setting, v)));
        list.sort_unstable();
        self.0 = (!list.is_empty()).then(|| Rc::new(list));
    }
}

/// The settings of one log as they stand: the topic's before the server's.
#[derive(Clone, Copy, Debug)]
pub struct LogSettings<'a> {
    /// The server's.
    pub server: &'a LogDefaults,
    /// The topic's.
    pub topic: Option<&'a LogOverrides>,
    /// cleanup.policy
    pub policy: CleanupPolicy,
}

impl LogSettings<'_> {
    /// A setting's value.
    pub fn get(&self, setting: Setting) -> i64 {
        self.topic
            .and_then(|t| t.get(setting))
            .unwrap_or(self.server.0[setting as usize])
    }

    /// The same, of a span of time, ms.
    pub fn ms(&self, setting: Setting) -> Ms {
        Ms(self.get(setting))
    }

    /// cleanup.policy contains compact.
    pub fn compacts(&self) -> bool {
        matches!(
            self.policy,
            CleanupPolicy::Compact | CleanupPolicy::CompactDelete
        )
    }

    /// cleanup.policy contains delete.
    pub fn deletes(&self) -> bool {
        matches!(
            self.policy,
            CleanupPolicy::Delete | CleanupPolicy::CompactDelete
        )
    }

    /// How old a segment gets, ms: of a compacted log at most max.compaction.lag.ms, so that its
    /// records get out of the active segment in time.
    pub fn segment_ms(&self) -> Ms {
        let own = self.get(Setting::SegmentMs);
        Ms(if self.compacts() {
            own.min(self.get(Setting::MaxCompactionLag))
        } else {
            own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::config::{ServerConfig, TopicConfig};

    #[test]
    fn names_find_their_settings_and_values_are_kafkas_r_off_9() {
        for (at, known) in KNOWN.iter().enumerate() {
            assert_eq!(ALL[at] as usize, at, "the lists are in one order");
            assert_eq!(Setting::of_topic(known.topic), Some(ALL[at]));
            assert_eq!(Setting::of_server(known.server), Some(ALL[at]));
            assert!(TopicConfig::NAMES.contains(&known.topic), "{}", known.topic);
            assert!(
                ServerConfig::NAMES.contains(&known.server),
                "{}",
                known.server
            );
        }
        let ratio = |v| {
            Setting::MinCleanableRatio
                .parse("min.cleanable.dirty.ratio", v)
                .ok()
        };
        assert_eq!(ratio("0.5"), Some(500_000));
        assert_eq!(ratio("0.000001"), Some(1));
        assert_eq!(ratio("1"), Some(1_000_000));
        assert_eq!(
            [ratio("1.1"), ratio("-0.1"), ratio("half"), ratio(".")],
            [None; 4]
        );
        let bytes = |name, v| Setting::SegmentBytes.parse(name, v).ok();
        assert_eq!(bytes("segment.bytes", "1048575"), None);
        assert_eq!(bytes(SMALL_SEGMENTS, "100"), Some(100));
        let time = Setting::TimestampType.parse("message.timestamp.type", "LogAppendTime");
        assert_eq!(time, Ok(1));
    }

    #[test]
    fn a_topics_value_goes_before_the_servers_until_it_is_taken_back() {
        let server = LogDefaults::default();
        let mut topic = LogOverrides::default();
        let read = |topic: &LogOverrides| {
            let settings = LogSettings {
                server: &server,
                topic: Some(topic),
                policy: CleanupPolicy::Delete,
            };
            settings.ms(Setting::Retention)
        };
        assert_eq!(read(&topic), Ms(604_800_000));
        topic.put(Setting::Retention, Some(1_000));
        topic.put(Setting::SegmentMs, Some(10));
        assert_eq!(read(&topic), Ms(1_000));
        topic.put(Setting::Retention, None);
        topic.put(Setting::SegmentMs, None);
        assert_eq!(read(&topic), Ms(604_800_000));
        assert_eq!(topic, LogOverrides::default());
    }
}
