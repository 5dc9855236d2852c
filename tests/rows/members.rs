//! O13: what a member of a group goes on with, and what becomes of a commit that comes too late.

use super::cluster::*;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::consumer::CommitMode;
use highwater::kafka::client::settings::{ConsumerSettings, GroupProtocol, OffsetReset};
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::group::message::{Assignor, Committed};
use highwater::kafka::ids::*;
use highwater::world::command::*;

/// Two partitions with ten records each.
fn two_partitions() -> Cluster {
    let mut c = Cluster::new(2, &[[1, 2, 3], [2, 3, 1]], &[]);
    for number in [0, 1] {
        c.run(Command::Produce {
            client: "shop".into(),
            partition: partition(number),
            records: (0..10)
                .map(|n| NewRecord::value(&format!("r{n}")))
                .collect(),
        });
    }
    c.settle();
    c
}

fn settings(protocol: GroupProtocol, assignor: Assignor) -> ConsumerSettings {
    ConsumerSettings {
        group: Some("billing".into()),
        protocol,
        assignors: vec![assignor],
        auto_commit: false,
        offset_reset: OffsetReset::Earliest,
        ..ConsumerSettings::default()
    }
}

type Read = Vec<(u16, i64)>;

impl Cluster {
    fn subscribe(&mut self, client: &str, settings: &ConsumerSettings) {
        self.run(Command::Subscribe {
            client: client.into(),
            topics: vec!["orders".into()],
            settings: settings.clone(),
        });
    }

    /// All of these poll side by side for so many seconds; what each was given: partition and
    /// number.
    fn poll_all(&mut self, clients: &[&str], seconds: u32) -> Vec<Read> {
        let mut read: Vec<Read> = vec![Vec::new(); clients.len()];
        for _ in 0..seconds {
            let poll = |client: &&str| Command::Poll {
                client: (*client).into(),
                timeout: Ms(900),
            };
            let polls: Vec<Command> = clients.iter().map(poll).collect();
            let tickets: Vec<Ticket> = polls.into_iter().map(|p| self.run(p)).collect();
            self.advance(1_000);
            for (given, ticket) in read.iter_mut().zip(tickets) {
                match self.world.reply(ticket) {
                    Some(Reply::Polled { records, .. }) => {
                        given.extend(records.iter().map(|(p, r)| (p.partition, r.offset.0)));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        read.iter_mut().for_each(|r| r.sort_unstable());
        read
    }

    fn save(&mut self, client: &str, number: u16, next: i64) -> Result<(), CommitException> {
        let ticket = self.run(Command::Commit {
            client: client.into(),
            offsets: Some(vec![(partition(number), Committed::at(Boundary(next)))]),
            mode: CommitMode::Sync,
        });
        self.until(Condition::Replied(ticket));
        match self.world.reply(ticket) {
            Some(Reply::Committed(result)) => *result,
            other => panic!("{other:?}"),
        }
    }
}

fn from(number: u16, first: i64) -> Read {
    (first..10).map(|n| (number, n)).collect()
}

/// c1 alone reads all, saves 5 and 3, then c2 comes: what each is given from then on.
fn a_second_member_comes(settings: &ConsumerSettings) -> Vec<Read> {
    let mut c = two_partitions();
    c.subscribe("c1", settings);
    let all = [from(0, 0), from(1, 0)].concat();
    assert_eq!(c.poll_all(&["c1"], 10), [all]);
    assert_eq!(c.save("c1", 0, 5), Ok(()));
    assert_eq!(c.save("c1", 1, 3), Ok(()));
    c.subscribe("c2", settings);
    let read = c.poll_all(&["c1", "c2"], 30);
    let lost = |e: &EventKind| matches!(e, EventKind::Revoked { lost: true, .. });
    assert!(!c.events.iter().any(|e| lost(&e.kind)));
    read
}

#[test]
fn o13_an_eager_member_reads_what_it_keeps_again_from_the_commit() {
    let range = settings(GroupProtocol::Classic, Assignor::Range);
    assert_eq!(a_second_member_comes(&range), [from(0, 5), from(1, 3)]);
}

#[test]
fn o13_a_cooperative_member_goes_on_where_it_stands() {
    let cooperative = settings(GroupProtocol::Classic, Assignor::CooperativeSticky);
    assert_eq!(a_second_member_comes(&cooperative), [vec![], from(1, 3)]);
    let modern = settings(GroupProtocol::Consumer, Assignor::Range);
    assert_eq!(a_second_member_comes(&modern), [vec![], from(1, 3)]);
}

#[test]
fn o13_a_commit_after_max_poll_interval_is_too_late_or_a_strangers() {
    let failed = CommitException::CommitFailed(KafkaError::UnknownMemberId);
    for (protocol, late, first) in [
        (GroupProtocol::Classic, Err(failed), 3),
        (GroupProtocol::Consumer, Ok(()), 10),
    ] {
        let other = settings(protocol, Assignor::Range);
        let slow = ConsumerSettings {
            max_poll_interval: Ms(5_000),
            ..other.clone()
        };
        let mut c = two_partitions();
        c.subscribe("slow", &slow);
        assert_eq!(c.poll_all(&["slow"], 10)[0].len(), 20);
        assert_eq!(c.save("slow", 0, 3), Ok(()));
        c.advance(10_000);
        assert_eq!(c.save("slow", 0, 10), late, "{protocol:?}: R-COM-10");
        c.subscribe("other", &other);
        let read = c.poll_all(&["other"], 10);
        let expected = [from(0, first), from(1, 0)].concat();
        assert_eq!(read, [expected], "{protocol:?}: R-REB-7");
        assert_eq!(c.save("slow", 0, 10), Err(failed), "{protocol:?}");
        // It rejoins, and the partitions are shared.
        c.poll_all(&["slow", "other"], 30);
        let picture = c.picture();
        let group = picture.group("billing").expect("the group");
        let shared: Vec<usize> = group
            .view
            .members
            .iter()
            .map(|m| m.assignment.len())
            .collect();
        assert_eq!(shared, [1, 1], "{protocol:?}");
    }
}

#[test]
fn o13_a_crash_is_learned_by_the_session_and_a_static_name_is_taken_over() {
    for protocol in [GroupProtocol::Classic, GroupProtocol::Consumer] {
        let pod = ConsumerSettings {
            instance: Some("pod-1".into()),
            ..settings(protocol, Assignor::Range)
        };
        let mut c = two_partitions();
        c.subscribe("a", &pod);
        assert_eq!(c.poll_all(&["a"], 10)[0].len(), 20);
        assert_eq!(c.save("a", 0, 4), Ok(()));
        let ticket = c.run(Command::Close { client: "a".into() });
        c.until(Condition::Replied(ticket));
        let members = |c: &Cluster| {
            let picture = c.picture();
            picture.group("billing").map_or(0, |g| g.view.members.len())
        };
        assert_eq!(members(&c), 1, "{protocol:?}: its place waits (R-REB-8)");
        c.subscribe("a", &pod);
        let read = c.poll_all(&["a"], 10);
        assert_eq!(read, [[from(0, 4), from(1, 0)].concat()], "{protocol:?}");
        c.run(Command::Crash { client: "a".into() });
        c.advance(30_000);
        assert_eq!(members(&c), 1, "{protocol:?}: nobody knows yet");
        c.advance(20_000);
        assert_eq!(members(&c), 0, "{protocol:?}: R-REB-5");
    }
}
