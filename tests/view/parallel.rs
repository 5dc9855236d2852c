//! The parallel text says all that the drawing shows: nothing changes there in silence.

use crate::scenes::{Scene, scenes, steps};
use highwater::kafka::ids::Tp;
use highwater::script::ast::View;
use highwater::text::Lang;
use highwater::view::Step;
use highwater::view::card::{Card, of_lanes};
use highwater::view::compare::in_words;
use highwater::view::console_words;
use highwater::view::overview::overview;
use highwater::view::stage::{CellKind, Layout, Row, Stage, stage};
use highwater::view::tables::{Described, described};
use std::fmt::Write;

/// What rows show, without what only tells that something moved in this very step.
fn rows(of: &[Row]) -> String {
    let mut out = String::new();
    for row in of {
        let _ = write!(out, "\n{} {:?}", row.broker, row.frame);
        for badge in row.badges.iter().chain(&row.notes) {
            // A cut is told at its step and gone at the next.
            if !badge.text.contains("truncated:") {
                let _ = write!(out, " {}", badge.text);
            }
        }
        for cell in row.cells.iter().filter(|c| c.kind != CellKind::Cut) {
            let value = cell.value.as_ref().map_or("", |v| &v.text);
            let _ = write!(out, " {}{value}{:?}", cell.offset, cell.kind);
        }
        for mark in &row.marks {
            let _ = write!(out, " {:?}{}", mark.kind, mark.at);
        }
    }
    out
}

fn drawn(s: &Stage) -> String {
    let mut out = rows(&s.rows);
    for line in &s.clients {
        let _ = write!(out, "\n{}", line.name);
        for part in &line.parts {
            let _ = write!(out, " {}", part.text);
        }
    }
    out
}

fn console(step: &Step, tp: Tp) -> String {
    let o = overview(step, tp.topic, tp);
    let mut out = rows(&o.panel.rows);
    for c in &o.counters {
        let _ = write!(out, "\n{} {} {}", c.label, c.value, c.of);
    }
    for row in &o.rows {
        let signs: Vec<_> = row.cells.iter().flatten().map(|c| c.sign).collect();
        let _ = write!(out, "\n{} {:?} {signs:?}", row.label, row.away);
    }
    out
}

/// A step in words says that something has changed wherever the drawing is another.
#[test]
fn no_change_of_the_drawing_goes_unsaid() {
    for scene in scenes().iter().filter(|s| s.view != View::Compare) {
        let mut before = String::new();
        let mut told = 0;
        steps(scene, Lang::En, |name, n, step| {
            let tp = scene.tp;
            let (now, changed, news) = match scene.view {
                View::Overview => (
                    console(&step, tp),
                    console_words::described(&step, tp.topic, tp).changed,
                    0,
                ),
                _ => {
                    let s = stage(&step, tp, Layout::Wide);
                    (drawn(&s), described(&step, tp).changed, s.arrows.len())
                }
            };
            if n > 0 && (now != before || news > 0) {
                told += 1;
                assert!(!changed.is_empty(), "{name}: from {before}\nto {now}");
            }
            before = now;
        });
        assert!(told >= 3, "{}: only {told} steps change anything", scene.id);
    }
}

fn compared(scene: &Scene, lang: Lang, steps: usize) -> (String, Vec<Described>) {
    let c = scene.compared(lang, steps - 1);
    let mut out = format!("{:?}", c.clock);
    for lane in &c.lanes {
        let _ = write!(
            out,
            "\n{} {} {} {} {:?} {:?}{}",
            lane.verdict,
            lane.confirmed,
            lane.waited,
            lane.lost,
            lane.copies,
            lane.thoughts,
            rows(&lane.rows)
        );
    }
    let said = scene.with_lanes(steps - 1, |lanes| in_words(lang, scene.tp, lanes));
    (out, said)
}

#[test]
fn each_lane_of_the_comparison_is_told() {
    let scenes = scenes();
    let scene = scenes
        .iter()
        .find(|s| s.view == View::Compare)
        .expect("R12");
    let mut before = String::new();
    for steps in 1..=scene.lanes[0].1.len() {
        let (now, parts) = compared(scene, Lang::En, steps);
        let headings: Vec<&str> = parts.iter().map(|p| &*p.heading).collect();
        assert_eq!(headings, ["", "acks=0", "acks=1", "acks=all"]);
        for part in &parts[1..] {
            assert_eq!(part.tables[0].rows.len(), 3, "{}", part.heading);
            assert!(part.clients.iter().any(|c| c.starts_with("Outcome: ")));
        }
        let said = parts.iter().any(|p| !p.changed.is_empty());
        assert!(steps == 1 || now == before || said, "step {}", steps - 1);
        before = now;
    }
    // Where the lanes part, each has its own difference.
    let (_, parts) = compared(scene, Lang::En, 9);
    let outcome = |n: usize| parts[n].clients.iter().find(|c| c.starts_with("Outcome"));
    assert_ne!(outcome(2), outcome(3));
    assert!(parts[3].changed.iter().any(|c| c.starts_with("Outcome: ")));
}

#[test]
fn the_console_has_its_counters_and_a_row_a_broker() {
    let scenes = scenes();
    let scene = scenes
        .iter()
        .find(|s| s.view == View::Overview)
        .expect("R6");
    let mut fenced = false;
    steps(scene, Lang::En, |name, _, step| {
        let d = console_words::described(&step, scene.tp.topic, scene.tp);
        let rows: Vec<usize> = d.tables.iter().map(|t| t.rows.len()).collect();
        assert_eq!(rows, [5, 3, 3], "{name}");
        for t in &d.tables {
            assert!(t.rows.iter().all(|r| r.len() == t.head.len()), "{name}");
        }
        if d.changed.iter().any(|c| c == "Broker 2 is fenced") {
            fenced = true;
            let counter = "Replicas in ISR: 72 → 48";
            assert!(d.changed.iter().any(|c| c == counter), "{:?}", d.changed);
            let isrs = d
                .changed
                .iter()
                .filter(|c| c.starts_with("ISR [1, 2, 3] → [1, 3]"));
            assert_eq!(isrs.count(), 1, "alike in one line: {:?}", d.changed);
        }
    });
    assert!(fenced, "no step fences broker 2");
}

/// Who hears the table hears which records are not the leader's.
#[test]
fn records_unlike_the_leaders_are_named() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "acks1-loss").expect("R9");
    let mut named = 0;
    steps(scene, Lang::En, |name, _, step| {
        let s = stage(&step, scene.tp, Layout::Wide);
        let d = described(&step, scene.tp);
        let cells: Vec<&String> = d.tables[0].rows.iter().map(|r| &r[4]).collect();
        let said = cells
            .iter()
            .any(|c| c.contains("3 differs on the leader") || c.contains("3 is not on the leader"));
        named += u32::from(said);
        assert!(s.crosses.is_empty() || said, "{name}: {cells:?}");
    });
    assert!(named >= 3, "told at {named} steps only");
}

#[test]
fn a_card_of_lanes_tells_each_lane_or_all_at_once() {
    let card = |said: &str| Card {
        what: vec!["Before.".into(), said.into()],
        ..Card::default()
    };
    let alike = of_lanes(vec![
        ("acks=0", card("It fell.")),
        ("acks=1", card("It fell.")),
    ]);
    assert_eq!(alike.what, ["It fell."]);
    let apart = of_lanes(vec![
        ("acks=0", card("It fell.")),
        ("acks=1", card("It stood.")),
    ]);
    assert_eq!(apart.what, ["`acks=0`: It fell.", "`acks=1`: It stood."]);
}
