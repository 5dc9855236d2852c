//! O9: read_committed reads up to the last stable offset.

use super::cluster::*;
use highwater::kafka::client::consumer::CommitMode;
use highwater::kafka::client::settings::{ConsumerSettings, OffsetReset, ProducerSettings};
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::*;
use highwater::world::command::*;
use highwater::world::picture::*;

fn ask(c: &mut Cluster, command: Command) -> Reply {
    let ticket = c.run(command);
    c.until(Condition::Replied(ticket));
    c.world.reply(ticket).expect("it was waited for").clone()
}

fn transaction(c: &mut Cluster, command: Command) {
    assert_eq!(ask(c, command), Reply::Transaction(Ok(())));
}

fn poll(c: &mut Cluster, client: &str) -> Vec<i64> {
    let client = client.into();
    let timeout = Ms(2_000);
    match ask(c, Command::Poll { client, timeout }) {
        Reply::Polled { records, .. } => records.iter().map(|(_, r)| r.offset.0).collect(),
        other => panic!("{other:?}"),
    }
}

/// Position, and what the client's own metric says it lags by.
fn reader(c: &Cluster, name: &str) -> (i64, i64) {
    let picture = c.picture();
    let client = picture.clients.iter().find(|c| &*c.name == name);
    match client.map(|c| &c.kind) {
        Some(ClientKind::Consumer {
            positions, member, ..
        }) => {
            let lag = member.records_lag[0].1.expect("a fetch was answered");
            (positions[0].1.expect("a position").0, lag)
        }
        other => panic!("{other:?}"),
    }
}

/// High watermark and last stable offset at the leader.
fn ends(c: &Cluster) -> (i64, i64) {
    let leader = c.replica(1);
    (leader.high_watermark.0, leader.last_stable.0)
}

/// What `kafka-consumer-groups --describe` would count: high watermark minus commit.
fn lag_of_tool(c: &Cluster, group: &str) -> i64 {
    let picture = c.picture();
    let group = picture.group(group).expect("the group").clone();
    ends(c).0 - group.view.committed[0].1.offset.0
}

#[test]
fn o9_an_open_transaction_holds_the_readers_and_aborted_records_are_skipped() {
    let mut c = Cluster::orders(2);
    c.run(Command::Producer {
        client: "A".into(),
        settings: ProducerSettings {
            transactional_id: Some("A".into()),
            ..ProducerSettings::default()
        },
    });
    let client: std::rc::Rc<str> = "A".into();
    transaction(&mut c, Command::InitTransactions { client: "A".into() });
    for (name, read_committed) in [("all", false), ("committed", true)] {
        c.run(Command::Assign {
            client: name.into(),
            partitions: vec![partition(P0)],
            seek: None,
            settings: ConsumerSettings {
                group: Some(format!("{name}-group").into()),
                auto_commit: false,
                offset_reset: OffsetReset::Earliest,
                read_committed,
                ..ConsumerSettings::default()
            },
        });
    }
    c.produce("shop", "r0");
    c.produce("shop", "r1");
    c.settle();
    transaction(
        &mut c,
        Command::BeginTransaction {
            client: client.clone(),
        },
    );
    c.produce("A", "a2");
    c.settle();
    c.produce("A", "a3");
    c.settle();
    c.produce("shop", "r4");
    c.settle();
    assert_eq!(
        ends(&c),
        (5, 2),
        "behind the first open record nothing is stable"
    );
    assert_eq!(poll(&mut c, "all"), [0, 1, 2, 3, 4]);
    assert_eq!(poll(&mut c, "committed"), [0, 1]);
    assert_eq!(poll(&mut c, "committed"), Vec::<i64>::new());
    // R-LAG-3: it has all it can get, and yet the tool counts 5 - 2 = 3.
    for name in ["all", "committed"] {
        let commit = Command::Commit {
            client: name.into(),
            offsets: None,
            mode: CommitMode::Sync,
        };
        assert_eq!(ask(&mut c, commit), Reply::Committed(Ok(())));
    }
    c.settle();
    assert_eq!(reader(&c, "committed"), (2, 0));
    assert_eq!(lag_of_tool(&c, "committed-group"), 3);
    assert_eq!(reader(&c, "all"), (5, 0));
    assert_eq!(lag_of_tool(&c, "all-group"), 0);
    // The abort: its marker takes number 5, and only r4 is read.
    let commit = false;
    transaction(&mut c, Command::EndTransaction { client, commit });
    c.settle();
    assert_eq!(ends(&c), (6, 6));
    let marker = |e: &highwater::kafka::event::Event| match e.kind {
        EventKind::MarkerAppended { offset, commit, .. } => Some((offset.0, commit)),
        _ => None,
    };
    let markers: Vec<(i64, bool)> = c.events.iter().filter_map(marker).collect();
    assert_eq!(markers, [(5, false)]);
    assert_eq!(poll(&mut c, "committed"), [4]);
    poll(&mut c, "committed");
    assert_eq!(reader(&c, "committed"), (6, 0), "past the marker");
    assert_eq!(poll(&mut c, "all"), Vec::<i64>::new());
    assert_eq!(reader(&c, "all"), (6, 0));
}
