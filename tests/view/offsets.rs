//! Consumers, groups and transactions in pictures made by hand: how they become a ruler, what is
//! said of them and why.

use crate::hand::*;
use highwater::kafka::batch::Control;
use highwater::kafka::client::settings::{GroupProtocol, OffsetReset};
use highwater::kafka::event::*;
use highwater::kafka::group::message::{Committed, GroupState};
use highwater::kafka::ids::*;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::card::{Author, Card, card};
use highwater::view::ruler::{Instrument, Isolation, LagKind};
use highwater::view::ruler::{Txn, input, lag};
use highwater::view::tables::described;
use highwater::world::command::Process;
use highwater::world::picture::*;

/// Ten records on one broker, read by a member of the group `billing`.
fn read(position: i64, processed: i64, committed: i64) -> Picture {
    let values: Vec<(i32, &str)> = (0..10).map(|_| (0, "m")).collect();
    let terms = [(1, Some(10), TermKind::Leader)];
    let mut p = picture(
        reg(&[1], Some(1), 0, &[1]),
        vec![(1, Process::Up, replica(leads(&[1], &terms), 0, 10, &values))],
    );
    p.clients
        .push(consumer("c1", position, processed, committed));
    p
}

fn consumer(name: &str, position: i64, processed: i64, committed: i64) -> ClientPicture {
    ClientPicture {
        id: ClientId(0),
        name: name.into(),
        kind: ClientKind::Consumer {
            positions: vec![(TP, Some(Boundary(position)))],
            received: (0..position)
                .map(|n| (TP, Offset(n), Some("m".into())))
                .collect(),
            preferred_read_replica: None,
            member: Box::new(MemberPicture {
                life: Life::Running,
                group: Some("billing".into()),
                protocol: GroupProtocol::Classic,
                read_committed: false,
                offset_reset: OffsetReset::Earliest,
                subscribed: true,
                id: None,
                generation: 1,
                assignment: vec![TP],
                paused: vec![],
                processed_next: vec![(TP, Boundary(processed))],
                records_lag: vec![(TP, Some(10 - position))],
                records_lead: vec![],
                committed: vec![(TP, Committed::at(Boundary(committed)))],
            }),
        },
    }
}

fn member(p: &mut Picture) -> &mut MemberPicture {
    match &mut p.clients[0].kind {
        ClientKind::Consumer { member, .. } => member,
        _ => panic!("not a consumer"),
    }
}

fn told(lang: Lang, before: &Picture, now: &Picture, kind: EventKind) -> Card {
    let events = [event(20, &[], kind)];
    card(
        &step(lang, Some(before), now, &events),
        Some(TP),
        Author::default(),
        3,
        &|_| None,
    )
}

fn formula(c: &Card) -> Vec<String> {
    let formula = c.why.iter().find_map(|w| w.formula.as_ref());
    let lines = formula.map(|f| f.lines.as_slice()).unwrap_or_default();
    lines
        .iter()
        .map(|l| l.iter().map(|t| &*t.text).collect())
        .collect()
}

fn plain(text: &str) -> String {
    text.replace(NBSP, " ")
}

#[test]
fn a_picture_becomes_a_ruler() {
    let ruler = input(&read(10, 7, 5), TP).expect("a ruler");
    let reader = &ruler.readers[0];
    assert_eq!(ruler.name, "orders-0");
    assert_eq!(reader.position, Some(Boundary(10)));
    assert_eq!(reader.processed, Some(Boundary(7)));
    assert_eq!(reader.committed, Some(Boundary(5)));
    let of = |kind| {
        let level = Isolation::Uncommitted;
        lag(&ruler, reader, level, Instrument::GroupTool, kind).value()
    };
    assert_eq!(LagKind::ALL.map(of), [Some(5), Some(3), Some(0)]);
}

/// A process that is gone takes its position along; what was saved stays.
#[test]
fn of_a_crashed_consumer_the_commit_is_left() {
    let mut p = read(10, 7, 5);
    member(&mut p).life = Life::Crashed;
    let ruler = input(&p, TP).expect("a ruler");
    let reader = &ruler.readers[0];
    assert_eq!((reader.position, reader.processed), (None, None));
    assert_eq!(reader.committed, Some(Boundary(5)));
    // Records 0 to 4 were handed out, are below the commit, and had no effect: lost.
    let lost: Vec<i64> = ruler.effects.iter().map(|e| e.offset.0).collect();
    assert_eq!(lost, [0, 1, 2, 3, 4]);
    assert!(ruler.effects.iter().all(|e| e.times == 0));
}

#[test]
fn a_producers_next_marker_decides_its_records() {
    let mut p = read(0, 0, 0);
    let records = &mut p.brokers[0].replicas[0].records;
    let mut set = |at: usize, producer: i64, control: Option<Control>| {
        records[at].stamp = Some((producer, 0, 0));
        records[at].transactional = true;
        records[at].control = control;
    };
    set(1, 7, None);
    set(2, 8, None);
    set(3, 7, Some(Control::Commit));
    set(4, 7, None);
    set(5, 8, Some(Control::Abort));
    let ruler = input(&p, TP).expect("a ruler");
    let txn: Vec<Txn> = ruler.records[..6].iter().map(|r| r.txn).collect();
    assert_eq!(
        txn,
        [
            Txn::None,
            Txn::Committed,
            Txn::Aborted,
            Txn::None,
            Txn::Open,
            Txn::None
        ]
    );
}

/// R-COM-1, R-LAG-2: a commit is told with the lag from it and with what a crash would do.
#[test]
fn a_commit_is_told_with_its_lag_and_its_risk() {
    let (before, now) = (read(10, 7, 3), read(10, 7, 5));
    let kind = EventKind::OffsetCommitted {
        broker: b(1),
        group: "billing".into(),
        tp: TP,
        from: Some(Boundary(3)),
        to: Boundary(5),
    };
    let ru = told(Lang::Ru, &before, &now, kind.clone());
    assert_eq!(ru.what, ["Коммит группы billing сдвинулся: 3 → 5."]);
    assert!(ru.why[0].text.contains("граница") || ru.why[0].text.contains("границу"));
    assert_eq!(
        formula(&ru),
        ["лаг коммита = HW 10 − 5 = 5", "коммит 5 < обработано 7"]
    );
    let en = told(Lang::En, &before, &now, kind);
    assert_eq!(
        formula(&en),
        ["committed lag = HW 10 − 5 = 5", "committed 5 < processed 7"]
    );
    let changed = described(&step(Lang::Ru, Some(&before), &now, &[]), TP).changed;
    assert_eq!(changed, ["c1, коммит: 3 → 5"]);
}

/// A commit ahead of processing is a broken promise: R-COM-4.
#[test]
fn a_commit_ahead_of_processing_is_a_loss() {
    let mut p = read(10, 6, 9);
    let kind = EventKind::ConsumerCrashed {
        client: ClientId(0),
    };
    let before = p.clone();
    member(&mut p).life = Life::Crashed;
    let c = told(Lang::Ru, &before, &p, kind);
    assert!(c.what[0].starts_with("Потребитель c1 упал"));
    assert_eq!(formula(&c), ["коммит 9 > обработано 6"]);
}

/// R-LSO-1: the lesser of the high watermark and the first open transaction.
#[test]
fn the_last_stable_offset_is_told_with_its_terms() {
    let mut p = read(5, 5, 5);
    p.brokers[0].replicas[0].last_stable = Boundary(6);
    let moved = |to| EventKind::LastStableMoved {
        broker: b(1),
        tp: TP,
        from: Boundary(5),
        to: Boundary(to),
    };
    let held = told(Lang::Ru, &p, &p, moved(6));
    assert_eq!(held.what, ["LSO на лидере, брокере 1, сдвинулась: 5 → 6."]);
    assert_eq!(formula(&held), ["LSO = min(открытая с 6, HW 10) = 6"]);
    let free = told(Lang::En, &p, &p, moved(10));
    assert_eq!(formula(&free), ["LSO = min(none open, HW 10) = 10"]);
}

#[test]
fn a_refused_reset_has_kafkas_own_words() {
    let p = read(10, 7, 5);
    let kind = EventKind::ResetRefused {
        client: ClientId(0),
        group: "billing".into(),
        state: GroupState::Stable,
    };
    let c = told(Lang::En, &p, &p, kind);
    assert!(c.what[0].contains(
        "Assignments can only be reset if the group 'billing' is inactive, but the current state is Stable."
    ));
    assert_eq!(c.why[0].rules, ["R-RSO-1"]);
}

#[test]
fn the_strip_names_group_processed_and_saved() {
    let p = read(10, 7, 5);
    let said = described(&step(Lang::Ru, None, &p, &[]), TP).clients;
    assert_eq!(
        plain(&said[0]),
        "потребитель c1 (billing); прочитано: 0–9; позиция 10; обработано 7; коммит 5"
    );
}
