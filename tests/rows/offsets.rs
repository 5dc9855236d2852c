//! O4-O6, O12: position, processed and committed; the next offset; lag; replay by a new group.

use super::cluster::*;
use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::consumer::CommitMode;
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset};
use highwater::kafka::event::EventKind;
use highwater::kafka::group::message::Committed;
use highwater::kafka::ids::*;
use highwater::world::command::*;
use highwater::world::picture::*;

/// The topic with the records r0 to r9.
fn ten_records() -> Cluster {
    let mut c = Cluster::orders(2);
    c.run(Command::Produce {
        client: "shop".into(),
        partition: partition(P0),
        records: (0..10)
            .map(|n| NewRecord::value(&format!("r{n}")))
            .collect(),
    });
    c.settle();
    c
}

fn settings(group: &str) -> ConsumerSettings {
    ConsumerSettings {
        group: Some(group.into()),
        auto_commit: false,
        offset_reset: OffsetReset::Earliest,
        ..ConsumerSettings::default()
    }
}

impl Cluster {
    fn assign(&mut self, client: &str, settings: ConsumerSettings) {
        self.run(Command::Assign {
            client: client.into(),
            partitions: vec![partition(P0)],
            seek: None,
            settings,
        });
    }

    fn wait(&mut self, ticket: Ticket) -> Reply {
        self.until(Condition::Replied(ticket));
        self.world.reply(ticket).expect("it was waited for").clone()
    }

    /// What a poll returns: the numbers of the records.
    fn poll(&mut self, client: &str) -> Vec<i64> {
        let ticket = self.run(Command::Poll {
            client: client.into(),
            timeout: Ms(5_000),
        });
        match self.wait(ticket) {
            Reply::Polled {
                records, exception, ..
            } => {
                assert_eq!(exception, None);
                records.iter().map(|(_, r)| r.offset.0).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn process(&mut self, client: &str, next: i64) {
        self.run(Command::Process {
            client: client.into(),
            partition: partition(P0),
            next: Boundary(next),
        });
    }

    fn commit(&mut self, client: &str, next: i64) {
        let ticket = self.run(Command::Commit {
            client: client.into(),
            offsets: Some(vec![(partition(P0), Committed::at(Boundary(next)))]),
            mode: CommitMode::Sync,
        });
        assert_eq!(self.wait(ticket), Reply::Committed(Ok(())));
    }

    fn committed(&mut self, client: &str) -> Option<i64> {
        let ticket = self.run(Command::Committed {
            client: client.into(),
            partitions: vec![partition(P0)],
        });
        match self.wait(ticket) {
            Reply::Offsets(Ok(all)) => all[0].1.as_ref().map(|c| c.offset.0),
            other => panic!("{other:?}"),
        }
    }

    fn close(&mut self, client: &str) {
        let ticket = self.run(Command::Close {
            client: client.into(),
        });
        assert_eq!(self.wait(ticket), Reply::Done);
    }

    fn crash(&mut self, client: &str) {
        self.run(Command::Crash {
            client: client.into(),
        });
    }

    fn member(&self, name: &str) -> (Option<i64>, MemberPicture) {
        let picture = self.picture();
        let client = picture.clients.iter().find(|c| c.name.as_ref() == name);
        match client.map(|c| &c.kind) {
            Some(ClientKind::Consumer {
                positions, member, ..
            }) => {
                let position = positions.first().and_then(|(_, at)| *at);
                (position.map(|at| at.0), (**member).clone())
            }
            other => panic!("{name}: {other:?}"),
        }
    }

    fn repeated(&self) -> Vec<(i64, u32)> {
        let events = self.events.iter();
        let repeated = events.filter_map(|e| match e.kind {
            EventKind::EffectRepeated { offset, times, .. } => Some((offset.0, times)),
            _ => None,
        });
        repeated.collect()
    }
}

#[test]
fn o4_ten_received_seven_processed_saved_after_the_fifth() {
    let mut c = ten_records();
    c.assign("c1", settings("billing"));
    assert_eq!(c.poll("c1"), (0..10).collect::<Vec<_>>());
    c.process("c1", 5);
    c.commit("c1", 5);
    c.process("c1", 7);
    let (position, member) = c.member("c1");
    let processed = member.processed_next[0].1;
    let committed = member.committed[0].1.offset;
    assert_eq!(
        (position, processed, committed),
        (Some(10), Boundary(7), Boundary(5)),
        "three figures, and three different things"
    );
    assert_eq!(10 - committed.0, 5, "what a restart would read: 5");
    assert_eq!(processed.0 - committed.0, 2, "what it would repeat: 2");
    c.crash("c1");
    let (_, member) = c.member("c1");
    assert_eq!(member.life, Life::Crashed);
    assert!(member.processed_next.is_empty(), "it was in the process");
    assert_eq!(c.repeated(), vec![]);

    c.assign("c1", settings("billing"));
    assert_eq!(c.poll("c1"), [5, 6, 7, 8, 9]);
    c.process("c1", 10);
    assert_eq!(c.repeated(), vec![(5, 2), (6, 2)], "the effects of 5 and 6");
    let store = &c.picture().stores[0];
    let times: Vec<u32> = store.effects.iter().map(|e| e.times).collect();
    assert_eq!(times, [1, 1, 1, 1, 1, 2, 2, 1, 1, 1]);
    assert_eq!(c.committed("c1"), Some(5));
}

#[test]
fn o5_the_next_offset_is_committed_not_the_last() {
    let mut c = ten_records();
    for (group, committed, first) in [("last", 4, 4), ("next", 5, 5)] {
        let five = ConsumerSettings {
            max_poll_records: 5,
            ..settings(group)
        };
        c.assign("c", five);
        assert_eq!(c.poll("c"), [0, 1, 2, 3, 4]);
        c.process("c", 5);
        c.commit("c", committed);
        c.close("c");
        assert_eq!(c.member("c").1.life, Life::Closed);
        c.assign("c", settings(group));
        assert_eq!(c.poll("c")[0], first, "commit {committed}");
        c.process("c", 6);
        c.close("c");
    }
    assert_eq!(c.repeated(), vec![(4, 2)], "4 is read and processed again");
}

#[test]
fn o6_each_lag_has_its_own_formula() {
    let mut c = ten_records();
    let seven = ConsumerSettings {
        max_poll_records: 7,
        ..settings("billing")
    };
    c.assign("c", seven);
    assert_eq!(c.member("c").1.records_lag[0].1, None, "no answer yet");
    assert_eq!(c.poll("c").len(), 7);
    c.process("c", 5);
    c.commit("c", 5);
    let (position, member) = c.member("c");
    let end = c.replica(1).high_watermark.0;
    let (position, processed) = (position.unwrap_or(-1), member.processed_next[0].1.0);
    let committed = member.committed[0].1.offset.0;
    assert_eq!((end, position, processed, committed), (10, 7, 5, 5));
    assert_eq!(
        member.records_lag[0].1,
        Some(3),
        "10 − 7: the client's metric"
    );
    assert_eq!(member.records_lead[0].1, Some(7));
    assert_eq!(end - committed, 5, "10 − 5 = 5, not 9 − 5 = 4");
    assert_eq!(position - processed, 2, "7 − 5: received and not processed");
    assert_eq!(c.poll("c").len(), 3);
    assert_eq!(c.member("c").1.records_lag[0].1, Some(0), "10 − 10");
    for n in 10..14 {
        c.produce("shop", &format!("r{n}"));
    }
    c.settle();
    let stale = c.member("c").1.records_lag[0].1;
    assert_eq!(
        (c.replica(1).high_watermark.0, stale),
        (14, Some(0)),
        "R-LAG-1"
    );
}

#[test]
fn o12_a_new_group_replays_and_the_old_ones_commit_stays() {
    let mut c = ten_records();
    c.assign("c", settings("billing"));
    c.poll("c");
    c.commit("c", 5);
    c.close("c");
    c.assign("replay", settings("replay"));
    assert_eq!(
        c.poll("replay").len(),
        10,
        "a new group, earliest: everything"
    );
    c.commit("replay", 10);
    c.close("replay");
    // A valid commit is not moved by the policy.
    c.assign("c", settings("billing"));
    assert_eq!(c.committed("c"), Some(5));
    assert_eq!(
        c.poll("c"),
        [5, 6, 7, 8, 9],
        "earliest does not go back to 0"
    );
    // A chosen start.
    let none = ConsumerSettings {
        offset_reset: OffsetReset::None,
        ..settings("from-3")
    };
    c.assign("s", none);
    c.run(Command::Seek {
        client: "s".into(),
        partition: partition(P0),
        to: Seek::Offset(Boundary(3)),
    });
    assert_eq!(c.poll("s")[0], 3);
}

#[test]
fn a_checkpoint_outside_kafka_is_not_a_commit() {
    let mut c = ten_records();
    c.assign("c", settings("billing"));
    c.poll("c");
    c.process("c", 7);
    c.run(Command::SaveOutside {
        client: "c".into(),
        partition: partition(P0),
        next: Boundary(7),
    });
    assert_eq!(c.committed("c"), None);
    c.crash("c");
    c.assign("c", settings("billing"));
    c.run(Command::Seek {
        client: "c".into(),
        partition: partition(P0),
        to: Seek::Outside,
    });
    assert_eq!(c.poll("c"), [7, 8, 9]);
    assert_eq!(c.repeated(), vec![]);
}

#[test]
fn what_a_consumer_has_not_received_it_cannot_process() {
    let mut c = ten_records();
    c.assign("c", settings("billing"));
    let process = |next: i64| Command::Process {
        client: "c".into(),
        partition: partition(P0),
        next: Boundary(next),
    };
    let refused = |position| {
        Err(Refusal::NotReceived {
            client: "c".into(),
            partition: partition(P0),
            position,
        })
    };
    assert_eq!(c.world.apply(&process(1)), refused(None));
    c.poll("c");
    c.process("c", 4);
    let at_ten = Some(Boundary(10));
    assert_eq!(c.world.apply(&process(11)), refused(at_ten));
    assert_eq!(c.world.apply(&process(3)), refused(at_ten), "no way back");
    let nobody = Command::Close {
        client: "nobody".into(),
    };
    let unknown = Err(Refusal::NoSuchClient("nobody".into()));
    assert_eq!(c.world.apply(&nobody), unknown);
    let no_group = Command::Subscribe {
        client: "c2".into(),
        topics: vec!["orders".into()],
        settings: ConsumerSettings::default(),
    };
    let refused = Err(Refusal::NoGroup("c2".into()));
    assert_eq!(c.world.apply(&no_group), refused);
}
