//! The laws of the stage's geometry (ux.md 4.0, screens.md 0 and 6).

use crate::hand::*;
use crate::laws;
use expect_test::expect;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::text::Lang;
use highwater::view::Icon;
use highwater::view::stage::{CellKind, Layout, MarkKind, Stage, stage};
use highwater::view::text_picture::text_picture;
use highwater::world::picture::SendState;
use std::collections::BTreeMap;

const LAYOUTS: [Layout; 3] = [Layout::Wide, Layout::Phone, Layout::Narrow];

/// Every hand-made picture in every layout and language.
fn each(mut check: impl FnMut(&str, Layout, &Stage)) {
    let m = moved();
    for (name, picture) in all() {
        for layout in LAYOUTS {
            for lang in Lang::ALL {
                let (before, events) = match name {
                    "moved" => (Some(&m.before), &m.events[..]),
                    _ => (None, &[][..]),
                };
                let drawn = stage(&step(lang, before, &picture, events), TP, layout);
                check(&format!("{name} {layout:?} {lang:?}"), layout, &drawn);
            }
        }
    }
}

#[test]
fn a_boundary_never_stands_on_a_cell() {
    each(laws::off_cells);
}

#[test]
fn the_same_offset_has_the_same_x_in_all_rows() {
    each(laws::one_axis);
}

#[test]
fn flags_do_not_overlap_each_other_nor_a_badge() {
    each(laws::flags_apart);
}

#[test]
fn high_watermark_and_log_end_in_one_gap_keep_their_own_lines() {
    let p = lost();
    let s = stage(&step(Lang::Ru, None, &p, &[]), TP, Layout::Wide);
    let marks = &s.rows[1].marks;
    let line = |kind| {
        marks
            .iter()
            .find(|m| m.kind == kind)
            .map(|m| (m.lines.clone(), m.line_width))
    };
    let (hw, hw_width) = line(MarkKind::HighWatermark).expect("a HW");
    let (end, end_width) = line(MarkKind::LogEnd).expect("a LEO");
    // In tenths of a px; screens.md 6.2: a gap of 0.6 px.
    let gap = (end[0].x1 * 10 - end_width / 2) - (hw[0].x1 * 10 + hw_width / 2);
    assert!(gap >= 6, "{gap}");
    assert_eq!(end.len(), 2);
}

#[test]
fn words_stay_inside_the_stage_and_apart() {
    each(laws::words_inside);
}

#[test]
fn height_does_not_depend_on_the_step() {
    let mut heights: BTreeMap<Layout, i32> = BTreeMap::new();
    each(|name, layout, s| {
        assert_eq!(
            *heights.entry(layout).or_insert(s.height),
            s.height,
            "{name}"
        );
    });
}

#[test]
fn a_stage_of_three_brokers_has_at_most_600_elements() {
    each(laws::few_elements);
}

#[test]
fn each_broker_has_its_own_high_watermark_and_the_old_place_shows() {
    let m = moved();
    let s = stage(
        &step(Lang::Ru, Some(&m.before), &m.now, &m.events),
        TP,
        Layout::Wide,
    );
    let hw = |row: usize| {
        s.rows[row]
            .marks
            .iter()
            .find(|m| m.kind == MarkKind::HighWatermark)
            .map(|m| (m.at, m.moved))
    };
    assert_eq!(hw(0), Some((Boundary(6), true)));
    assert_eq!(hw(1), Some((Boundary(5), false)));
    let ghost = &s.rows[0].ghosts[0];
    // Boundary 5 of the mock: 228 + 5 × 40.
    assert_eq!((ghost.kind, ghost.line.x1), (MarkKind::HighWatermark, 428));
    assert!(ghost.arrow.is_some_and(|a| a.x1 < a.x2));
    let fetch = &s.arrows[0];
    assert_eq!(
        fetch.label.iter().map(|t| &*t.text).collect::<Vec<_>>(),
        ["Fetch", "offset=6"]
    );
    assert!(
        fetch.line.y1 > fetch.line.y2,
        "from the asker up to the leader"
    );
    let kinds: Vec<CellKind> = s.rows[0].cells.iter().map(|c| c.kind).collect();
    assert_eq!(kinds[5..], [CellKind::Visible, CellKind::Hidden]);
}

#[test]
fn the_last_copy_of_a_confirmed_record_says_so() {
    let p = lost();
    let s = stage(&step(Lang::Ru, None, &p, &[]), TP, Layout::Wide);
    assert_eq!(s.rows[0].cells[3].kind, CellKind::Lost);
    assert_eq!(s.rows[0].notes[0].text, "3 только тут");
    assert_eq!(s.rows[0].badges[0].text, "упал");
    let said: Vec<&str> = s.clients[0].parts.iter().map(|p| &*p.text).collect();
    assert_eq!(
        said,
        ["продюсер shop, acks=1", "потеряно: 3 (OrderCreated)"]
    );
}

#[test]
fn a_number_given_again_is_not_the_lost_record() {
    let mut p = lost();
    p.clients = vec![producer(
        "shop",
        Acks::Leader,
        vec![
            send(
                "OrderCreated",
                Acks::Leader,
                0,
                SendState::Confirmed(Some(Offset(3)), Ms(3)),
            ),
            send(
                "next",
                Acks::Leader,
                9,
                SendState::Confirmed(Some(Offset(3)), Ms(12)),
            ),
        ],
    )];
    let s = stage(&step(Lang::En, None, &p, &[]), TP, Layout::Wide);
    let said: Vec<&str> = s.clients[0].parts.iter().map(|p| &*p.text).collect();
    assert_eq!(
        said,
        [
            "producer shop, acks=1",
            "confirmed: 3",
            "lost: 3 (OrderCreated)"
        ]
    );
}

#[test]
fn different_records_at_one_offset_show_their_values_and_a_cross() {
    let p = diverged();
    let s = stage(&step(Lang::En, None, &p, &[]), TP, Layout::Wide);
    let value = |row: usize| s.rows[row].cells[3].value.as_ref().map(|v| v.text.clone());
    assert_eq!(value(0).as_deref(), Some("old"));
    assert_eq!(value(1).as_deref(), Some("new"));
    assert!(s.rows[0].cells[2].value.is_none());
    assert_eq!(
        s.crosses.iter().map(|c| c.offset).collect::<Vec<_>>(),
        [Offset(3)]
    );
    assert_eq!(s.rows[0].notes[0].text, "3 only here");
}

#[test]
fn cut_records_go_visibly_and_only_in_their_step() {
    let before = diverged();
    let mut now = diverged();
    let replica = &mut now.brokers[0].replicas[0];
    replica.cut = vec![replica.records.remove(3)];
    replica.log_end = Boundary(3);
    let events = [event(
        1,
        &[],
        EventKind::Truncated {
            broker: b(1),
            tp: TP,
            from: Boundary(3),
            to: Boundary(4),
            values: vec![Some("old".into())],
            reason: highwater::kafka::event::TruncateReason::Diverging {
                epoch: Epoch(0),
                end: Boundary(3),
            },
        },
    )];
    let going = stage(
        &step(Lang::Ru, Some(&before), &now, &events),
        TP,
        Layout::Wide,
    );
    assert_eq!(going.rows[0].cells[3].kind, CellKind::Cut);
    assert_eq!(going.rows[0].notes[0].text, "срезано: 3");
    let after = stage(&step(Lang::Ru, Some(&now), &now, &[]), TP, Layout::Wide);
    assert_eq!(after.rows[0].cells.len(), 3);
}

#[test]
fn a_long_log_is_folded_the_same_in_all_rows() {
    let p = long();
    let s = stage(&step(Lang::Ru, None, &p, &[]), TP, Layout::Wide);
    let folds: Vec<&str> = s
        .rows
        .iter()
        .filter_map(|r| r.fold.as_ref())
        .map(|f| &*f.label.text)
        .collect();
    assert_eq!(folds, ["0…23", "0…23", "0…5"]);
    assert_eq!(s.rows[0].cells[0].offset, Offset(24));
    assert!(s.rows[2].cells.is_empty());
    let said: Vec<&str> = s.rows[2]
        .marks
        .iter()
        .map(|m| &*m.flag.label.text)
        .collect();
    assert_eq!(said, ["LEO 6", "HW 5"]);
}

#[test]
fn deleted_records_keep_their_slot_as_ghosts() {
    let mut p = lost();
    let replica = &mut p.brokers[1].replicas[0];
    replica.log_start = Boundary(2);
    replica.records.drain(..1);
    let s = stage(&step(Lang::Ru, None, &p, &[]), TP, Layout::Wide);
    let kinds: Vec<CellKind> = s.rows[1].cells.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [CellKind::Ghost, CellKind::Ghost, CellKind::Visible]);
    // "Not here yet" is no ghost (screens.md 0.4).
    assert!(s.rows[2].cells.iter().all(|c| c.kind != CellKind::Ghost));
}

#[test]
fn text_pictures() {
    let m = moved();
    expect![[r#"
        leader=1 e5 isr=[1, 2, 3]
        b1 L e5 leo=7 hw=6 [a b c d e f | g]
        b2 F e5 leo=6 hw=5 [a b c d e | f]
        b3 F e5 leo=6 hw=5 [a b c d e | f]
    "#]]
    .assert_eq(&text_picture(&m.now, TP));
    expect![[r#"
        leader=2 e1 isr=[2, 3]
        b1 F e0 leo=4 hw=3 [a b c | old]
        b2 L e1 leo=4 hw=4 [a b c e1:new]
        b3 F e1 leo=4 hw=4 [a b c e1:new]
    "#]]
    .assert_eq(&text_picture(&diverged(), TP));
}

/// However many sends failed, the row tells how many, and keeps what was confirmed.
#[test]
fn a_heap_of_sends_keeps_its_counts() {
    let ok = send(
        "my 0",
        Acks::All,
        1,
        SendState::Confirmed(Some(Offset(0)), Ms(2)),
    );
    let failed = |n: i64| {
        let state = SendState::Failed(KafkaError::Timeout, Ms(n));
        send(&format!("my {n}"), Acks::All, n, state)
    };
    let queued = |n: i64| send(&format!("my {n}"), Acks::All, n, SendState::Queued(None));
    let mut sends = vec![ok];
    sends.extend((1..44).map(failed));
    sends.extend((44..49).map(queued));
    let mut picture = moved().now;
    picture.clients = vec![producer("shop", Acks::All, sends)];
    for layout in LAYOUTS {
        for lang in Lang::ALL {
            let drawn = stage(&step(lang, None, &picture, &[]), TP, layout);
            let parts = &drawn.clients[0].parts;
            let texts: Vec<&str> = parts.iter().map(|p| &*p.text).collect();
            assert!(texts[0].contains("shop"), "{layout:?}: {texts:?}");
            let confirmed = texts[1].ends_with('0') && parts[1].icon == Some(Icon::Tick);
            assert!(confirmed, "{layout:?}: {texts:?}");
            assert!(texts[2].contains("×43"), "{layout:?}: {texts:?}");
            assert!(texts[3].ends_with("(5)"), "{layout:?}: {texts:?}");
            assert_eq!(texts.len(), 4, "{layout:?}: {texts:?}");
        }
    }
}
