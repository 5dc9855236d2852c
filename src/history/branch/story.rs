//! What a story has said so far, as far as a reader's moves need it: how a consumer was begun,
//! where a producer writes, what it was last told.

use super::moves::client_name;
use crate::kafka::ids::{BrokerId, Ms};
use crate::script::ast::{LineKind, Scenario};
use crate::world::command::{Command, PartitionName};
use crate::world::picture::Picture;
use std::rc::Rc;

/// Values of the reader's own records begin so, a number behind them.
const OWN: &str = "my ";

/// Every command of a story so far, the last first. Of a story told in lanes: the first lane's.
fn backwards(scenario: &Scenario) -> impl Iterator<Item = &Command> {
    let beats = scenario.beats.iter().rev().map(|beat| &beat.lines);
    let lines = beats
        .chain([&scenario.setup])
        .flat_map(|lines| lines.iter().rev());
    lines.flat_map(|line| {
        let commands = match &line.what {
            LineKind::Do(act) => act.commands(0),
            _ => &[],
        };
        commands.iter().rev()
    })
}

/// The command that last began a consumer's process.
pub(super) fn beginning<'a>(scenario: &'a Scenario, name: &str) -> Option<&'a Command> {
    backwards(scenario).find(|command| match command {
        Command::Subscribe { client, .. } | Command::Assign { client, .. } => **client == *name,
        _ => false,
    })
}

/// Whether answers to a broker's fetches have been made slow.
pub(super) fn is_slow(scenario: &Scenario, id: BrokerId) -> bool {
    backwards(scenario)
        .find_map(|command| match command {
            Command::DelayFetchAnswers { broker, delay } if *broker == id => Some(*delay > Ms(0)),
            _ => None,
        })
        .unwrap_or(false)
}

/// Where a producer wrote last; the first partition, if it has not written.
pub(super) fn target(scenario: &Scenario, picture: &Picture, number: u16) -> Option<PartitionName> {
    let name = client_name(picture, number);
    let written = backwards(scenario).find_map(|command| match command {
        Command::Produce {
            client, partition, ..
        } if *client == name => Some(partition),
        _ => None,
    });
    let there = |name: &&PartitionName| picture.partition(name).is_some();
    let first = picture.partitions.first().map(|p| &p.name);
    written.filter(there).or(first).cloned()
}

/// The key of a partition's last record: a topic that is compacted takes no record without one.
pub(super) fn key(picture: &Picture, name: &PartitionName) -> Option<Rc<str>> {
    let tp = picture.partition(name)?.tp;
    let replicas = picture.brokers.iter().flat_map(|b| &b.replicas);
    let longest = replicas.filter(|r| r.tp == tp).max_by_key(|r| r.log_end)?;
    longest
        .records
        .iter()
        .rev()
        .find(|r| r.control.is_none())?
        .key
        .clone()
}

/// A value that tells the reader's own records from each other and from the story's.
pub(super) fn next_value(scenario: &Scenario) -> String {
    let own = backwards(scenario).filter(|command| match command {
        Command::Produce { records, .. } => records
            .iter()
            .any(|r| r.value.as_deref().is_some_and(|v| v.starts_with(OWN))),
        _ => false,
    });
    format!("{OWN}{}", own.count() + 1)
}
