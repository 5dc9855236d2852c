//! Switches of consumers, groups and lookups, each on and off in the same story: with the fix the
//! story ends well, without it the old bug is back, in a whole cluster with its clocks and messages.
//! That nothing else is needed for it, and that nothing is found with all of them on, is searched for
//! at small bounds in tests/consumers.rs.

use highwater::history::Run;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::*;
use highwater::kafka::message::{Isolation, OffsetSpec};
use highwater::kafka::switches::Switches;
use highwater::script::parse;
use highwater::world::World;
use highwater::world::command::*;
use highwater::world::setup::Setup;
use std::rc::Rc;

/// A scene whose claims all hold.
fn holds(text: &str) {
    let scene = parse(text).unwrap_or_else(|e| panic!("{text}\n{}", e[0]));
    let mut run = Run::new(Rc::new(scene.clone()), World::new(scene.cluster.setup()));
    run.seek(run.steps());
    assert!(run.failures().is_empty(), "{text}\n{:?}", run.failures());
}

/// C16. On: its own script, which every test run plays. Off: the position is a valid one again, and
/// what was written between is passed over without a word (R-TRD-1, R-TRD-2).
#[test]
fn consumer_truncation_detection_off_skips_records_silently() {
    let on = include_str!("data/offsets/c16-unclean-silent-skip.txt");
    holds(on);
    let claim = "  expect event position-reset client=a to=3\n";
    let rest = "  poll a timeout=10s\n  until answered a\n  expect received a = \"m0\" \"m1\" \"m2\" \"m3\" \"m4\" \"n3\" \"n4\" \"n5\"";
    assert!(
        on.contains(claim) && on.contains(rest),
        "the script has changed"
    );
    let off = on
        .replace(
            "cluster brokers=1,2\n",
            "cluster brokers=1,2\nswitch consumer_truncation_detection=off\n",
        )
        .replace(claim, "")
        .replace(
            rest,
            "  expect position a log-0 = 6\n  expect received a = \"m0\" \"m1\" \"m2\" \"m3\" \"m4\" \"n5\"",
        );
    holds(&off);
}

/// KIP-211 (R-EXP-1): before it, a group that is at work lost a commit that it had not renewed.
#[test]
fn offset_expiry_off_forgets_the_commit_of_an_active_group() {
    let story = |switch: &str, committed: &str| {
        format!(
            r#"scenario expiry
group offsets
title en: A commit of a group at work
cluster brokers=1
config offsets.retention.minutes=1 offsets.retention.check.interval.ms=1000 group.initial.rebalance.delay.ms=0
switch offset_expiry={switch}
setup
  topic log [1]
  producer p linger.ms=0
  produce p log-0 "m0" "m1" "m2"
  settle
beat story
  title en: A commit of a group at work
  subscribe a log group.id=g auto.offset.reset=earliest enable.auto.commit=false
  poll a timeout=10s
  until answered a
  process a log-0 to 3
  commit a
  until answered a
  expect committed g log-0 = 3
  advance 2min
  expect members g = 1
  expect committed g log-0 = {committed}
"#
        )
    };
    holds(&story("on", "3"));
    holds(&story("off", "none"));
}

/// What a new leader says of the end, after the one before has said 2 (S17, KIP-207, R-LST-3).
fn end_after_a_failover(guard: bool) -> Result<Boundary, KafkaError> {
    let mut world = World::new(Setup {
        switches: Switches {
            list_offsets_guard: guard,
            ..Switches::default()
        },
        ..Setup::default()
    });
    let partition = PartitionName {
        topic: "log".into(),
        partition: 0,
    };
    let client: Rc<str> = "x".into();
    let mut go = |command: Command| {
        world
            .apply(&command)
            .expect("a command of the story")
            .ticket
    };
    let until = |condition| Command::Until {
        condition,
        limit: Ms(60_000),
    };
    let answered = |name: &str| until(Condition::Answered(name.into()));
    let end = || Command::ListOffsets {
        client: client.clone(),
        partition: partition.clone(),
        spec: OffsetSpec::Latest,
        isolation: Isolation::ReadUncommitted,
    };
    let produce = |value: &str| Command::Produce {
        client: "p".into(),
        partition: partition.clone(),
        records: vec![NewRecord::value(value)],
    };
    go(Command::CreateTopic {
        name: "log".into(),
        assignment: vec![[1, 2, 3].map(BrokerId).to_vec()],
        config: vec![("min.insync.replicas".into(), "2".into())],
    });
    go(produce("m0"));
    go(Command::Advance(Ms(5_000)));
    go(produce("m1"));
    go(answered("p"));
    // What the leader says goes straight to the one who asks; the followers hear later.
    let before = go(end());
    go(answered("x"));
    go(Command::Kill {
        broker: BrokerId(1),
        keep: Keep::Everything,
    });
    go(Command::Freeze {
        broker: BrokerId(3),
    });
    go(until(Condition::Leader(
        partition.clone(),
        Some(BrokerId(2)),
    )));
    go(Command::Advance(Ms(100)));
    let after = go(end());
    go(answered("x"));
    let reply = |ticket: Option<Ticket>| ticket.and_then(|t| world.reply(t)).cloned();
    let end = |ticket| match reply(ticket).expect("a reply") {
        Reply::Offset(found) => Ok(found.expect("an end").at),
        Reply::Failed(error, _) => Err(error),
        other => panic!("{other:?}"),
    };
    assert_eq!(end(before), Ok(Boundary(2)));
    end(after)
}

#[test]
fn list_offsets_guard_off_lets_the_end_go_back() {
    assert_eq!(
        end_after_a_failover(true),
        Err(KafkaError::OffsetNotAvailable)
    );
    assert_eq!(end_after_a_failover(false), Ok(Boundary(1)));
}
