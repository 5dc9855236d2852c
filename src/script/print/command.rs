//! Commands as the language writes them.

use super::fact::condition_text;
use super::{bare, list, name, node, records_text, time, word_of};
use crate::kafka::ids::*;
use crate::kafka::message::{Isolation, NodeId, OffsetSpec};
use crate::script::parse::{
    ISOLATIONS, POLL_TIMEOUT, REQUEST_TIMEOUT, SETTLE_LIMIT, SETTLE_QUIET, UNTIL_LIMIT,
};
use crate::script::settings::{acks_word, consumer_words, producer_words};
use crate::world::command::{Command, Keep};
use std::rc::Rc;

/// The line that stands for these commands.
pub(super) fn commands_text(commands: &[Command], clients: &[Rc<str>]) -> String {
    let link = |verb: &str, from: NodeId, to: NodeId, rest: &str| {
        let arrow = if commands.len() == 2 { "<->" } else { "->" };
        let (from, to) = (node(from, clients), node(to, clients));
        format!("{verb} {from}{arrow}{to}{rest}")
    };
    let Some(command) = commands.first() else {
        return String::new();
    };
    match command {
        Command::CreateTopic {
            name,
            assignment,
            config,
        } => {
            let unit = (1..=assignment.len())
                .find(|n| {
                    assignment.len() % n == 0
                        && assignment
                            .chunks(*n)
                            .all(|chunk| *chunk == assignment[..*n])
                })
                .unwrap_or(0);
            let mut line = format!("topic {name}");
            for brokers in &assignment[..unit] {
                line += &format!(" {}", list(brokers.iter().copied()));
            }
            if unit < assignment.len() {
                line += &format!(" times={}", assignment.len() / unit);
            }
            for (name, value) in config {
                line += &format!(" {name}={}", value_bare(value));
            }
            line
        }
        Command::AlterTopicConfig { topic, name, value } => match value {
            Some(value) => format!("alter-config topic {topic} {name}={}", value_bare(value)),
            None => format!("delete-config topic {topic} {name}"),
        },
        Command::AlterBrokerConfig {
            broker,
            name,
            value,
        } => match value {
            Some(value) => format!("alter-config broker {broker} {name}={}", value_bare(value)),
            None => format!("delete-config broker {broker} {name}"),
        },
        Command::ElectLeaders {
            unclean,
            partitions,
        } => {
            let mut line = String::from(if *unclean {
                "elect unclean"
            } else {
                "elect preferred"
            });
            for p in partitions.iter().flatten() {
                line += &format!(" {}", name(p));
            }
            line
        }
        Command::Reassign {
            partition,
            replicas,
        } => match replicas {
            Some(replicas) => {
                format!(
                    "reassign {} {}",
                    name(partition),
                    list(replicas.iter().copied())
                )
            }
            None => format!("reassign {} cancel", name(partition)),
        },
        Command::DeleteRecords {
            partition,
            before,
            timeout,
        } => {
            let before = match before.0 {
                -1 => "high-watermark".into(),
                n => n.to_string(),
            };
            let rest = option("timeout", *timeout, REQUEST_TIMEOUT);
            format!("delete-records {} before {before}{rest}", name(partition))
        }
        Command::Kill { broker, keep } => match keep {
            Keep::Everything => format!("kill {broker}"),
            Keep::Below(below) => {
                let words: Vec<String> = below
                    .iter()
                    .map(|(p, at)| format!("{}<{at}", name(p)))
                    .collect();
                format!("kill {broker} keep {}", words.join(" "))
            }
        },
        Command::Shutdown { broker } => format!("shutdown {broker}"),
        Command::Start { broker } => format!("start {broker}"),
        Command::Freeze { broker } => format!("freeze {broker}"),
        Command::Thaw { broker } => format!("thaw {broker}"),
        Command::NewDisk { broker } => format!("new-disk {broker}"),
        Command::Cut { from, to } => link("cut", *from, *to, ""),
        Command::Heal { from, to } => link("heal", *from, *to, ""),
        Command::Delay { from, to, delay } => {
            link("delay", *from, *to, &format!(" {}", time(*delay)))
        }
        Command::DelayFetchAnswers { broker, delay } => {
            format!("delay-fetch-answers {broker} {}", time(*delay))
        }
        Command::Hold { from, to } => link("hold", *from, *to, ""),
        Command::Release { from, to } => link("release", *from, *to, ""),
        Command::Lose { from, to } => link("lose", *from, *to, ""),
        Command::Producer { client, settings } => {
            format!("producer {client} {}", producer_words(settings).join(" "))
        }
        Command::Produce {
            client,
            partition,
            records,
        } => {
            let mut place = name(partition);
            if let Some(Command::Produce { partition, .. }) =
                commands.get(1..).and_then(<[_]>::last)
            {
                place += &format!("..{}", partition.partition);
            }
            format!("produce {client} {place} {}", records_text(records))
        }
        Command::ProduceRaw {
            client,
            broker,
            partition,
            records,
            acks,
            timeout,
            stamp,
        } => {
            let timeout = option("timeout", *timeout, REQUEST_TIMEOUT);
            let stamp = stamp.map_or(String::new(), |s| {
                let (id, epoch, sequence) = (s.producer_id, s.epoch, s.base_sequence);
                format!(" producer-id={id} producer-epoch={epoch} sequence={sequence}")
            });
            format!(
                "produce-raw {client} {broker} {} acks={}{timeout}{stamp} {}",
                name(partition),
                acks_word(*acks),
                records_text(records)
            )
        }
        Command::Assign {
            client,
            partitions,
            seek,
            settings,
        } => {
            let names: Vec<String> = partitions.iter().map(name).collect();
            let mut line = format!("assign {client} {}", names.join(" "));
            if let Some(seek) = seek {
                line += &format!(" seek={seek}");
            }
            for word in consumer_words(settings) {
                line += &format!(" {word}");
            }
            line
        }
        Command::Poll { client, timeout } => {
            format!("poll {client}{}", option("timeout", *timeout, POLL_TIMEOUT))
        }
        Command::FetchRaw {
            client,
            broker,
            partition,
            offset,
            rack,
            current_leader_epoch,
        } => {
            let mut line = format!(
                "fetch-raw {client} {broker} {} offset={offset}",
                name(partition)
            );
            if let Some(rack) = rack {
                line += &format!(" rack={}", bare(rack));
            }
            if let Some(epoch) = current_leader_epoch {
                line += &format!(" leader-epoch={epoch}");
            }
            line
        }
        Command::ListOffsets {
            client,
            partition,
            spec,
            isolation,
        } => {
            let spec = match spec {
                OffsetSpec::Earliest => "earliest".into(),
                OffsetSpec::Latest => "latest".into(),
                OffsetSpec::MaxTimestamp => "max-timestamp".into(),
                OffsetSpec::Timestamp(at) => format!("timestamp={at}"),
            };
            let mut line = format!("list-offsets {client} {} {spec}", name(partition));
            if *isolation != Isolation::ReadUncommitted {
                line += &format!(" isolation={}", word_of(ISOLATIONS, isolation));
            }
            line
        }
        Command::Advance(ms) => format!("advance {}", time(*ms)),
        Command::Step => "step".into(),
        Command::Until { condition, limit } => {
            let mut line = format!("until {}", condition_text(condition));
            if *limit != UNTIL_LIMIT {
                line += &format!(" within {}", time(*limit));
            }
            line
        }
        Command::Settle { quiet, limit } => format!(
            "settle{}{}",
            option("quiet", *quiet, SETTLE_QUIET),
            option("within", *limit, SETTLE_LIMIT)
        ),
        Command::Ask { follower } => format!("ask {follower}"),
        Command::Deliver { from, to } => link("deliver", *from, *to, ""),
        Command::FetchNow { follower } => format!("fetch {follower}"),
        Command::ApplyMetadata { broker } => format!("apply-metadata {broker}"),
        Command::Fence { broker } => format!("fence {broker}"),
        Command::Unfence { broker } => format!("unfence {broker}"),
        Command::Lapse { leader, follower } => format!("lapse {follower} at {leader}"),
        other => super::offsets::text(other),
    }
}

fn option(name: &str, value: Ms, default: Ms) -> String {
    if value == default {
        String::new()
    } else {
        format!(" {name}={}", time(value))
    }
}

/// A setting's value: may be empty.
fn value_bare(value: &str) -> String {
    if value.is_empty() {
        String::new()
    } else {
        bare(value)
    }
}
