//! What `kafka-consumer-groups` prints, word for word as recorded (run o09, o06), so that what a
//! reader sees here is what a terminal would show. Usage errors print a list of all options
//! besides, which is left out.

use super::{ResetLine, ResetOutcome, ResetWarning};
use crate::kafka::error::KafkaError;
use crate::kafka::group::message::{GroupState, GroupView, MemberView, PartErrors};
use crate::kafka::ids::*;

/// What the tool printed and its exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Lines of standard output and standard error, in order.
    pub lines: Vec<String>,
    /// The exit status.
    pub exit: u8,
}

impl Printed {
    /// With status 0.
    pub fn fine(lines: Vec<String>) -> Self {
        Printed { lines, exit: 0 }
    }

    /// A usage error: its sentence; the list of options that follows it is left out.
    pub fn usage(sentence: String) -> Self {
        Printed {
            lines: vec![sentence],
            exit: 1,
        }
    }
}

/// How a partition is called: topic and number.
pub type Naming<'a> = &'a dyn Fn(TopicId) -> String;

const COLUMN: usize = 15;
const PARTITION: usize = 10;
/// Neither --dry-run nor --execute was given (R-RSO-2).
const NO_FLAG: &str = "WARN: No action will be performed as the --execute option is missing. In version 5.0, this command will require either --dry-run or --execute to be specified. You should add the --dry-run option explicitly if you are scripting this command and want to keep the current default behavior without prompting.";

/// Which of the flags were given that change what is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// --dry-run or --execute.
    pub said: bool,
    /// --export: the plan as CSV.
    pub export: bool,
}

/// Cells in columns of at least these widths, without spaces at the end.
fn row(cells: &[&str], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        if !line.is_empty() {
            line.push(' ');
        }
        line += cell;
        for _ in cell.chars().count()..*width {
            line.push(' ');
        }
    }
    line.trim_end().into()
}

fn state(state: GroupState) -> &'static str {
    match state {
        GroupState::Empty => "Empty",
        GroupState::PreparingRebalance => "PreparingRebalance",
        GroupState::CompletingRebalance => "CompletingRebalance",
        GroupState::Assigning => "Assigning",
        GroupState::Reconciling => "Reconciling",
        GroupState::Stable => "Stable",
        GroupState::Dead => "Dead",
    }
}

/// The name of the exception class for an error, as Java prints it.
fn exception(error: KafkaError) -> String {
    let name = match error {
        KafkaError::NonEmptyGroup => "GroupNotEmpty".into(),
        error => format!("{error:?}"),
    };
    format!("org.apache.kafka.common.errors.{name}Exception")
}

fn warning(line: &ResetLine, names: Naming<'_>) -> Option<String> {
    let name = || format!("{}-{}", names(line.tp.topic), line.tp.partition);
    let log = |asked: Boundary, is: &str, set: Boundary| {
        format!(
            "WARN New offset ({asked}) is {is} offset for topic partition {}. Value will be set to {set} (org.apache.kafka.tools.OffsetsUtils)",
            name()
        )
    };
    Some(match line.warning? {
        ResetWarning::LowerThanEarliest { asked, set } => log(asked, "lower than earliest", set),
        ResetWarning::HigherThanLatest { asked, set } => log(asked, "higher than latest", set),
        ResetWarning::NothingAtTime => format!(
            "Warn: Partition {} from topic {} is empty. Falling back to latest known offset.",
            line.tp.partition,
            names(line.tp.topic)
        ),
    })
}

/// What --reset-offsets prints for one or several groups (--all-groups).
pub fn reset(outcomes: &[(&str, &ResetOutcome)], flags: Flags, names: Naming<'_>) -> Printed {
    let mut lines = Vec::new();
    if !flags.said {
        lines.push(NO_FLAG.into());
    }
    let mut plans: Vec<(&str, &ResetLine)> = Vec::new();
    for (group, outcome) in outcomes {
        match outcome {
            ResetOutcome::Planned { lines: plan, .. } => {
                lines.extend(plan.iter().filter_map(|line| warning(line, names)));
                plans.extend(plan.iter().map(|line| (*group, line)));
            }
            ResetOutcome::Running(at) => lines.push(format!(
                "Error: Assignments can only be reset if the group '{group}' is inactive, but the current state is {}.",
                state(*at)
            )),
            ResetOutcome::NothingCommitted(tp) => {
                let (topic, partition) = (names(tp.topic), tp.partition);
                lines.push(format!("Cannot shift offset for partition {topic}-{partition} since there is no current committed offset"));
                return Printed { lines, exit: 1 };
            }
            ResetOutcome::NoSuchPartitions(tps) => {
                let name = |tp: &Tp| format!("{}-{}", names(tp.topic), tp.partition);
                let all: Vec<String> = tps.iter().map(name).collect();
                let why = format!("The partitions \"{}\" do not exist", all.join(","));
                lines.extend(failed(KafkaError::UnknownTopicOrPartition, &why));
                return Printed::fine(lines);
            }
            ResetOutcome::Failed(error) => {
                lines.extend(failed(*error, error.text()));
                return Printed::fine(lines);
            }
        }
    }
    if flags.export {
        let csv = |(_, line): &(&str, &ResetLine)| {
            let (topic, partition) = (names(line.tp.topic), line.tp.partition);
            format!("{topic},{partition},{}", line.new)
        };
        lines.extend(plans.iter().map(csv));
        return Printed::fine(lines);
    }
    let widest = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0).max(COLUMN);
    let group = widest(&mut plans.iter().map(|(g, _)| g.chars().count()));
    let topic = widest(&mut plans.iter().map(|(_, l)| names(l.tp.topic).chars().count()));
    let widths = [group, topic, PARTITION, COLUMN];
    lines.push(row(&["GROUP", "TOPIC", "PARTITION", "NEW-OFFSET"], &widths));
    for (group, line) in plans {
        let (topic, partition) = (names(line.tp.topic), line.tp.partition.to_string());
        lines.push(row(
            &[group, &topic, &partition, &line.new.to_string()],
            &widths,
        ));
    }
    Printed::fine(lines)
}

fn failed(error: KafkaError, why: &str) -> [String; 2] {
    [
        format!("Error: Executing consumer group command failed due to {why}"),
        format!("{}: {why}", exception(error)),
    ]
}

/// A partition in `--describe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedPart {
    /// Which.
    pub tp: Tp,
    /// What is committed (CURRENT-OFFSET).
    pub committed: Option<Boundary>,
    /// LOG-END-OFFSET: the high watermark, whatever the isolation level (R-LAG-2).
    pub latest: Option<Boundary>,
}

/// What --describe prints of a group. `client` names a member's client.
pub fn describe(
    group: &str,
    view: Result<&GroupView, KafkaError>,
    parts: &[DescribedPart],
    names: Naming<'_>,
    client: &dyn Fn(&MemberView) -> String,
) -> Printed {
    let view = match view {
        Ok(view) => view,
        Err(error) => {
            let why = match error {
                KafkaError::GroupIdNotFound => format!("Group {group} not found."),
                error => error.text().into(),
            };
            let why = format!("{}: {why}", exception(error));
            return Printed::fine(vec![
                format!("Error: Executing consumer group command failed due to {why}"),
                format!("java.util.concurrent.ExecutionException: {why}"),
            ]);
        }
    };
    let mut lines = Vec::new();
    if view.members.is_empty() {
        lines.push(format!("Consumer group '{group}' has no active members."));
    }
    if parts.is_empty() {
        return Printed::fine(lines);
    }
    let owner = |tp: Tp| view.members.iter().find(|m| m.assignment.contains(&tp));
    let longest = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or(0).max(COLUMN);
    let ids = longest(&mut view.members.iter().map(|m| m.id.chars().count()));
    let topics = longest(&mut parts.iter().map(|p| names(p.tp.topic).chars().count()));
    let groups = group.chars().count().max(COLUMN);
    let widths = [
        groups, topics, PARTITION, COLUMN, COLUMN, COLUMN, ids, COLUMN, COLUMN,
    ];
    let heads = [
        "GROUP",
        "TOPIC",
        "PARTITION",
        "CURRENT-OFFSET",
        "LOG-END-OFFSET",
        "LAG",
        "CONSUMER-ID",
        "HOST",
        "CLIENT-ID",
    ];
    lines.push(row(&heads, &widths));
    let cell = |value: Option<i64>| value.map_or("-".into(), |n| n.to_string());
    for part in parts {
        let member = owner(part.tp);
        // R-LAG-2: counted from the commit, below 0 if that lies past the end.
        let lag = part.committed.zip(part.latest).map(|(c, l)| l.0 - c.0);
        let cells = [
            group.to_string(),
            names(part.tp.topic),
            part.tp.partition.to_string(),
            cell(part.committed.map(|b| b.0)),
            cell(part.latest.map(|b| b.0)),
            cell(lag),
            member.map_or("-".into(), |m| m.id.to_string()),
            member.map_or("-".into(), |_| "/127.0.0.1".into()),
            member.map_or("-".into(), client),
        ];
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        lines.push(row(&cells, &widths));
    }
    Printed::fine(lines)
}

/// What --delete prints.
pub fn delete_group(group: &str, result: Result<(), KafkaError>) -> Printed {
    Printed::fine(match result {
        Ok(()) => vec![format!(
            "Deletion of requested consumer groups ('{group}') was successful."
        )],
        Err(error) => vec![
            "Error: Deletion of some consumer groups failed:".into(),
            format!(
                "* Group '{group}' could not be deleted due to: {}: {}",
                exception(error),
                error.text()
            ),
        ],
    })
}

/// What --delete-offsets prints: each partition asked for and what became of it.
pub fn delete_offsets(
    group: &str,
    result: Result<&PartErrors, KafkaError>,
    asked: &[Tp],
    names: Naming<'_>,
) -> Printed {
    let whole = |error: KafkaError| asked.iter().map(|tp| (*tp, Err(error))).collect();
    let parts: PartErrors = result.map_or_else(whole, Clone::clone);
    let head = match result {
        Err(error) => format!("Error: {}", error.text()),
        Ok(parts) if parts.iter().all(|(_, r)| r.is_ok()) => {
            format!("Request succeeded for deleting offsets from group {group}.")
        }
        Ok(_) => "Error: Encountered some partition-level error, see the follow-up details.".into(),
    };
    let widths = [COLUMN, PARTITION, COLUMN];
    let mut lines = vec![head, row(&["TOPIC", "PARTITION", "STATUS"], &widths)];
    for (tp, result) in &parts {
        let status = match result {
            Ok(()) => "Successful".into(),
            Err(error) => format!("Error: {}: {}", exception(*error), error.text()),
        };
        let cells = [names(tp.topic), tp.partition.to_string(), status];
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        lines.push(row(&cells, &widths));
    }
    Printed::fine(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(partition: u16, new: i64, warning: Option<ResetWarning>) -> ResetLine {
        let topic = TopicId(0);
        ResetLine {
            tp: Tp { topic, partition },
            current: None,
            new: Boundary(new),
            warning,
        }
    }

    fn printed(outcome: &ResetOutcome, said: bool, export: bool) -> Printed {
        let flags = Flags { said, export };
        reset(&[("billing", outcome)], flags, &|_| "orders".into())
    }

    #[test]
    fn r_rso_8_warnings_stand_in_front_of_the_plan() {
        let (asked, set) = (Boundary(2), Boundary(4));
        let warning = Some(ResetWarning::LowerThanEarliest { asked, set });
        let lines = vec![line(0, 4, warning)];
        let planned = ResetOutcome::Planned {
            lines,
            executed: true,
        };
        let printed = printed(&planned, true, false);
        assert_eq!(
            printed.lines,
            [
                "WARN New offset (2) is lower than earliest offset for topic partition orders-0. Value will be set to 4 (org.apache.kafka.tools.OffsetsUtils)",
                "GROUP           TOPIC           PARTITION  NEW-OFFSET",
                "billing         orders          0          4",
            ]
        );
        assert_eq!(printed.exit, 0);
    }

    #[test]
    fn r_rso_8_a_running_group_is_refused_with_status_0_and_an_empty_plan() {
        let refused = printed(&ResetOutcome::Running(GroupState::Stable), true, false);
        assert_eq!(
            refused.lines,
            [
                "Error: Assignments can only be reset if the group 'billing' is inactive, but the current state is Stable.",
                "GROUP           TOPIC           PARTITION  NEW-OFFSET",
            ]
        );
        assert_eq!(refused.exit, 0);
    }

    #[test]
    fn r_rso_10_export_prints_csv_and_r_rso_2_a_missing_flag_is_warned_of() {
        let planned = ResetOutcome::Planned {
            lines: vec![line(0, 6, None), line(1, 6, None)],
            executed: false,
        };
        let printed = printed(&planned, false, true);
        assert!(printed.lines[0].starts_with("WARN: No action will be performed"));
        assert_eq!(printed.lines[1..], ["orders,0,6", "orders,1,6"]);
    }

    #[test]
    fn r_rso_7_a_group_that_has_members_is_not_deleted() {
        let printed = delete_group("billing", Err(KafkaError::NonEmptyGroup));
        assert_eq!(
            printed.lines[1],
            "* Group 'billing' could not be deleted due to: org.apache.kafka.common.errors.GroupNotEmptyException: The group is not empty."
        );
        assert_eq!(printed.exit, 0);
    }
}
