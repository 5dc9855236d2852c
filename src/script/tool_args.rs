//! The arguments of `kafka-consumer-groups --reset-offsets`, as a person types them.

use super::iso;
use super::nearest::nearest;
use crate::kafka::client::reset::ResetTo;
use crate::kafka::client::reset::text::Flags;
use crate::kafka::ids::*;
use crate::world::command::{NamedScope, PartitionName};
use std::rc::Rc;

/// A reset as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetArgs {
    /// --group; `None`: --all-groups.
    pub group: Option<Rc<str>>,
    /// Which partitions.
    pub scope: NamedScope,
    /// Where to.
    pub to: ResetTo,
    /// --execute
    pub execute: bool,
    /// What changes the printing.
    pub flags: Flags,
}

/// What is wrong with the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgFault {
    /// No option of this name, at this place; the nearest that is one.
    Unknown(usize, Option<String>),
    /// The option at this place needs a value of this kind.
    Value(usize, &'static str),
    /// The options do not go together; the tool's own sentence (exit status 1).
    Usage(String),
}

/// The options, without their hyphens.
pub const OPTIONS: &[&str] = &[
    "--group",
    "--all-groups",
    "--topic",
    "--all-topics",
    "--from-file",
    "--to-earliest",
    "--to-latest",
    "--to-current",
    "--to-offset",
    "--shift-by",
    "--to-datetime",
    "--by-duration",
    "--dry-run",
    "--execute",
    "--export",
];

/// Scenarios in the order in which the tool checks that there is only one.
const CHECKED: &[&str] = &[
    "to-offset",
    "to-datetime",
    "by-duration",
    "to-earliest",
    "to-latest",
    "to-current",
    "shift-by",
    "from-file",
];

/// Reads the arguments behind --reset-offsets. `start` is the moment that virtual time 0 stands
/// for (ms since 1970); `file` is what stands in the file of --from-file.
///
/// # Errors
/// What is wrong, and where.
pub fn reset_args(words: &[&str], start: i64, file: &str) -> Result<ResetArgs, ArgFault> {
    let mut group = None;
    let mut all_groups = false;
    let mut topics = Vec::new();
    let mut all_topics = false;
    let mut scenarios: Vec<(&str, ResetTo)> = Vec::new();
    let (mut dry_run, mut execute, mut export) = (false, false, false);
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let place = at;
        at += 1;
        let mut value = |what| {
            let found = words.get(at).copied().ok_or(ArgFault::Value(place, what));
            at += 1;
            found
        };
        let name = word.strip_prefix("--").unwrap_or("");
        let to = match name {
            "reset-offsets" => continue,
            "group" => {
                group = Some(Rc::from(value("a group")?));
                continue;
            }
            "all-groups" => {
                all_groups = true;
                continue;
            }
            "topic" => {
                let what = "a topic, or topic:0,1";
                topics.push(topic(value(what)?).ok_or(ArgFault::Value(place, what))?);
                continue;
            }
            "all-topics" => {
                all_topics = true;
                continue;
            }
            "dry-run" => {
                dry_run = true;
                continue;
            }
            "execute" => {
                execute = true;
                continue;
            }
            "export" => {
                export = true;
                continue;
            }
            "from-file" => {
                value("a file")?;
                ResetTo::FromFile
            }
            "to-earliest" => ResetTo::Earliest,
            "to-latest" => ResetTo::Latest,
            "to-current" => ResetTo::Current,
            "to-offset" => {
                let what = "a whole number";
                let n = value(what)?.parse();
                ResetTo::Offset(Boundary(n.map_err(|_| ArgFault::Value(place, what))?))
            }
            "shift-by" => {
                let what = "a whole number, also below 0";
                let n = value(what)?.parse();
                ResetTo::ShiftBy(n.map_err(|_| ArgFault::Value(place, what))?)
            }
            "to-datetime" => {
                let what = "YYYY-MM-DDThh:mm:ss.sss";
                let at = iso::datetime(value(what)?, start);
                ResetTo::Datetime(at.ok_or(ArgFault::Value(place, what))?)
            }
            "by-duration" => {
                let what = "PnDTnHnMnS";
                let span = iso::duration(value(what)?);
                ResetTo::ByDuration(span.ok_or(ArgFault::Value(place, what))?)
            }
            _ => {
                let near = nearest(word, OPTIONS.iter().copied());
                return Err(ArgFault::Unknown(place, near));
            }
        };
        scenarios.push((name, to));
    }
    let usage = |sentence: String| Err(ArgFault::Usage(sentence));
    if dry_run && execute {
        return usage("Option [reset-offsets] only accepts one of [execute] and [dry-run]".into());
    }
    let Some((_, to)) = scenarios.first().copied() else {
        return usage("Option '[reset-offsets]' requires one of the following scenarios: [[shift-by], [to-offset], [to-earliest], [to-current], [to-latest], [by-duration], [to-datetime], [from-file]]".into());
    };
    if group.is_some() == all_groups {
        return usage("Option [reset-offsets] takes one of [group] and [all-groups]".into());
    }
    let used = |name: &&str| scenarios.iter().any(|(n, _)| n == name);
    let mut given = CHECKED.iter().copied().filter(used);
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        return usage(format!(
            "Option \"[{first}]\" can't be used with option \"[{second}]\""
        ));
    }
    let scope = match to {
        ResetTo::FromFile => match lines(file) {
            Some(lines) => NamedScope::File(lines),
            None => return usage("a line of the file is not topic,partition,offset".into()),
        },
        _ if all_topics => NamedScope::AllTopics,
        _ if !topics.is_empty() => NamedScope::Topics(topics),
        _ => {
            return usage(
                "One of the reset scopes should be defined: --all-topics, --topic.".into(),
            );
        }
    };
    let said = dry_run || execute;
    Ok(ResetArgs {
        group,
        scope,
        to,
        execute,
        flags: Flags { said, export },
    })
}

/// `orders`, `orders:0,1`
fn topic(text: &str) -> Option<(Rc<str>, Option<Vec<u16>>)> {
    match text.split_once(':') {
        None => Some((text.into(), None)),
        Some((name, numbers)) => {
            let numbers: Result<Vec<u16>, _> = numbers.split(',').map(str::parse).collect();
            Some((name.into(), Some(numbers.ok()?)))
        }
    }
}

/// CSV: `orders,0,8`, also in quotes; without an offset it is 0 (R-RSO-10).
fn lines(file: &str) -> Option<Vec<(PartitionName, Option<Boundary>)>> {
    let line = |line: &str| {
        let mut cells = line.split(',').map(|cell| cell.trim().trim_matches('"'));
        let topic = cells.next()?.into();
        let partition = cells.next()?.parse().ok()?;
        let at = match cells.next() {
            None | Some("") => None,
            Some(n) => Some(Boundary(n.parse().ok()?)),
        };
        Some((PartitionName { topic, partition }, at))
    };
    let lines = file.lines().map(str::trim).filter(|l| !l.is_empty());
    lines.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ResetArgs, ArgFault> {
        let words: Vec<&str> = text.split(' ').collect();
        reset_args(&words, iso::SCENE_START, "\"orders\",0,9\nmail,0")
    }

    fn usage(text: &str) -> String {
        match read(text) {
            Err(ArgFault::Usage(sentence)) => sentence,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn r_rso_8_options_that_do_not_go_together_are_refused_in_the_tools_words() {
        let both = usage("--group g --topic t --to-latest --dry-run --execute");
        assert_eq!(
            both,
            "Option [reset-offsets] only accepts one of [execute] and [dry-run]"
        );
        let two = usage("--group g --topic t --to-latest --to-earliest --dry-run");
        assert_eq!(
            two,
            "Option \"[to-earliest]\" can't be used with option \"[to-latest]\""
        );
        assert!(usage("--group g --to-latest").starts_with("One of the reset scopes"));
        assert!(usage("--group g --topic t").starts_with("Option '[reset-offsets]' requires"));
    }

    #[test]
    fn r_rso_3_topics_partitions_and_files_are_read() {
        let args = read("--group g --topic orders:0,2 --topic mail --shift-by -3 --execute");
        let args = args.expect("fine");
        let orders = ("orders".into(), Some(vec![0, 2]));
        let mail = ("mail".into(), None);
        assert_eq!(args.scope, NamedScope::Topics(vec![orders, mail]));
        assert_eq!((args.to, args.execute), (ResetTo::ShiftBy(-3), true));
        let file = read("--group g --from-file x --dry-run").expect("fine");
        let NamedScope::File(lines) = file.scope else {
            panic!("a file");
        };
        let offsets: Vec<_> = lines.iter().map(|(_, at)| *at).collect();
        assert_eq!(offsets, [Some(Boundary(9)), None]);
    }

    #[test]
    fn a_slip_is_told_with_its_place_and_the_nearest_option() {
        let near = Some("--to-earliest".into());
        assert_eq!(
            read("--group g --to-earlist"),
            Err(ArgFault::Unknown(2, near))
        );
        assert_eq!(
            read("--group g --to-offset x"),
            Err(ArgFault::Value(2, "a whole number"))
        );
    }
}
