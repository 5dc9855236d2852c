//! The log of commits beside the log they are about (R-GRP-2).

use crate::scenes::{scenes, steps};
use highwater::kafka::ids::BrokerId;
use highwater::script::ast::Focus;
use highwater::text::Lang;
use highwater::view::Rect;
use highwater::view::commits::{CommitLog, Needs, State, commit_log, entries, words};
use highwater::view::stage::Layout;
use highwater::view::width::width;
use highwater::world::picture::Picture;

const LAYOUTS: [Layout; 3] = [Layout::Wide, Layout::Phone, Layout::Narrow];

/// The scene's drawings at every step: number, picture, drawing.
fn drawn(lang: Lang, layout: Layout) -> Vec<(Picture, CommitLog)> {
    let scene = scenes().into_iter().find(|s| s.id == "where-commits-live");
    let scene = scene.expect("O7");
    let needs = needs(&scene);
    let mut all = Vec::new();
    steps(&scene, lang, |_, _, step| {
        all.push((step.now.clone(), commit_log(&step, &needs, layout)));
    });
    all
}

fn needs(scene: &crate::scenes::Scene) -> Needs {
    let last = &scene.lanes[0].1.last().expect("a step").0;
    let names = scene.focus.iter().flatten().filter_map(Focus::partition);
    let mut logs = names.filter_map(|name| Needs::of(name, last));
    logs.next().expect("the author looks at a log of commits")
}

fn said(log: &CommitLog) -> Vec<&str> {
    log.labels.iter().map(|t| &*t.text).collect()
}

#[test]
fn each_commit_is_a_record_with_its_key_and_its_value() {
    let all = drawn(Lang::En, Layout::Wide);
    assert_eq!(said(&all[2].1), [""; 0]);
    assert_eq!(said(&all[3].1), ["billing", "orders-0", "→ 5"]);
    let second = ["billing", "orders-0", "→ 5", "billing", "orders-0", "→ 8"];
    assert_eq!(said(&all[4].1), second);
    // The outside store is no record of it.
    assert_eq!(said(&all[5].1), second);
    assert_eq!(said(&all[8].1)[6..], ["billing", "orders-0", "→ 10"]);
    // Every replica has the records, in their own numbers.
    for row in &all[4].1.rows {
        let numbers: Vec<&str> = row.cells.iter().map(|c| &*c.label.text).collect();
        assert_eq!(numbers, ["0", "1"], "broker {}", row.broker);
    }
}

#[test]
fn the_last_record_of_a_key_is_in_force() {
    let scene = scenes().into_iter().find(|s| s.id == "where-commits-live");
    let scene = scene.expect("O7");
    let needs = needs(&scene);
    let picture = &scene.lanes[0].1.last().expect("a step").0;
    let tp = needs.tp(picture).expect("the partition is there");
    let all = entries(Lang::En, picture, tp);
    let states: Vec<State> = all.iter().map(|e| e.state).collect();
    assert_eq!(states, [State::Outdated, State::Outdated, State::InForce]);
    let mut last = picture.clone();
    for broker in &mut last.brokers {
        for replica in broker.replicas.iter_mut().filter(|r| r.tp == tp) {
            replica.high_watermark.0 = 2;
        }
    }
    let states: Vec<State> = entries(Lang::En, &last, tp)
        .iter()
        .map(|e| e.state)
        .collect();
    // A commit that is not below the high watermark does not count, the one before it does.
    assert_eq!(
        states,
        [State::Outdated, State::InForce, State::Unconfirmed]
    );
}

#[test]
fn the_coordinator_is_the_leader_of_this_log_and_not_of_the_other() {
    let words: Vec<String> = drawn(Lang::En, Layout::Wide)
        .iter()
        .map(|(_, log)| log.head[1].text.clone())
        .collect();
    let first = "leader and coordinator: broker 1";
    assert_eq!(words[0], "not made yet");
    assert!(words[2..=5].iter().all(|w| w == first), "{words:?}");
    assert_eq!(words[6], "the coordinator, broker 1, does not answer");
    let second = "leader and coordinator: broker 2";
    assert!(words[7..].iter().all(|w| w == second), "{words:?}");
    let russian = &drawn(Lang::Ru, Layout::Wide)[7].1.head[1].text;
    assert_eq!(russian, "лидер и координатор: брокер 2");
}

#[test]
fn the_log_of_commits_keeps_its_height_and_its_words_inside() {
    for lang in Lang::ALL {
        for layout in LAYOUTS {
            let all = drawn(lang, layout);
            let height = all[0].1.height;
            for (n, (_, log)) in all.iter().enumerate() {
                let name = format!("step {n} {lang:?} {layout:?}");
                assert_eq!(log.height, height, "{name}");
                assert!(log.elements() <= 160, "{name}: {}", log.elements());
                let mut boxes: Vec<(Rect, &str)> = Vec::new();
                for row in &log.rows {
                    for b in &row.badges {
                        // In the row, not across the line under it.
                        let inside = b.y + 3 <= row.area.y + row.area.h;
                        assert!(inside, "{name}: {} {}", row.broker, b.text);
                    }
                }
                for t in log.head.iter().chain(&log.labels) {
                    let w = width(&t.text, t.role);
                    let x = match t.anchor.as_str() {
                        "middle" => t.x - w / 2,
                        "end" => t.x - w,
                        _ => t.x,
                    };
                    assert!(x >= 0 && x + w <= log.width, "{name}: {}", t.text);
                    let apart = |(r, _): &(Rect, &str)| {
                        t.y - r.y >= 12 || r.y - t.y >= 12 || x + w <= r.x || r.x + r.w <= x
                    };
                    let near = boxes.iter().find(|b| !apart(b));
                    assert!(near.is_none(), "{name}: {} over {near:?}", t.text);
                    let (y, h) = (t.y, 12);
                    boxes.push((Rect { x, y, w, h }, &t.text));
                }
            }
        }
    }
}

#[test]
fn the_table_names_the_parts_of_the_key() {
    let scene = scenes().into_iter().find(|s| s.id == "where-commits-live");
    let scene = scene.expect("O7");
    let needs = needs(&scene);
    steps(&scene, Lang::En, |name, n, step| {
        let told = words(&step, &needs);
        if n == 0 {
            assert!(told.tables.is_empty(), "{name}");
        }
        if n == 4 {
            assert_eq!(told.heading, "__consumer_offsets-9");
            assert_eq!(
                told.tables[0].rows[1],
                ["1", "billing, orders, 0", "8", "in force"]
            );
            assert_eq!(told.tables[1].rows.len(), 3);
        }
        if n == 7 {
            let moved = told
                .changed
                .iter()
                .any(|c| c.contains("Leader") && c.contains('2'));
            assert!(moved, "{:?}", told.changed);
        }
        for t in &told.tables {
            assert!(t.rows.iter().all(|r| r.len() == t.head.len()), "{name}");
        }
    });
}

#[test]
fn another_topic_is_no_log_of_commits() {
    let scene = scenes().into_iter().find(|s| s.id == "where-commits-live");
    let last = scene.expect("O7").lanes[0]
        .1
        .last()
        .expect("a step")
        .0
        .clone();
    let orders = last.partitions[0].name.clone();
    assert_eq!(Needs::of(&orders, &last), None);
    let log = last
        .partitions
        .iter()
        .find(|p| &*p.name.topic == "__consumer_offsets");
    let found = Needs::of(&log.expect("the log").name, &last).expect("needs");
    assert_eq!(found.brokers, [1, 2, 3].map(BrokerId));
}
