//! The drawing says the same in both languages: no word is cut or left out in one of them alone.

use crate::scenes::{Scene, scenes};
use highwater::script::ast::View;
use highwater::text::Lang;
use highwater::view::Step;
use highwater::view::compare::Bar;
use highwater::view::overview::overview;
use highwater::view::stage::{Layout, Row, stage};
use std::collections::BTreeSet;

/// What is there, by name and number, without its words; and whether words were cut.
type Labels = BTreeSet<String>;

fn label(all: &mut Labels, place: String, text: &str) {
    // A cut leaves its dots at the end; those of a fold or of a row of values stand within.
    let cut = if text.ends_with('…') { " cut" } else { "" };
    all.insert(place + cut);
}

fn rows(all: &mut Labels, of: &[Row]) {
    for row in of {
        let at = |what: &str, n: usize| format!("broker {} {what} {n}", row.broker);
        for (n, b) in row.badges.iter().enumerate() {
            label(all, at("badge", n), &b.text);
        }
        for (n, b) in row.notes.iter().enumerate() {
            label(all, at("note", n), &b.text);
        }
        for mark in &row.marks {
            label(all, at(mark.kind.class(), 0), &mark.flag.label.text);
        }
        for cell in row.cells.iter().filter(|c| !c.label.text.is_empty()) {
            label(all, at("cell", cell.offset.0 as usize), &cell.label.text);
        }
        for text in row.cells.iter().filter_map(|c| c.value.as_ref()) {
            label(all, at("value", text.x as usize), &text.text);
        }
    }
}

fn bars(all: &mut Labels, name: &str, of: &[Bar]) {
    for (n, bar) in of.iter().enumerate().filter(|(_, b)| !b.label.is_empty()) {
        // A lone sign for waiting is a word of both languages, not a cut.
        all.insert(format!("{name} {n}"));
        let _ = bar;
    }
}

/// The labels of a step at a width of the page, px.
fn labels(scene: &Scene, n: usize, lang: Lang, width: i32) -> Labels {
    let mut all = Labels::new();
    let layout = match width {
        ..350 => Layout::Narrow,
        350..640 => Layout::Phone,
        _ => Layout::Wide,
    };
    let frames = &scene.lanes[0].1;
    let step = Step {
        lang,
        before: n.checked_sub(1).map(|n| &frames[n].0),
        now: &frames[n].0,
        events: &frames[n].1,
    };
    match scene.view {
        View::Overview => rows(
            &mut all,
            &overview(&step, scene.tp.topic, scene.tp).panel.rows,
        ),
        View::Compare => {
            for lane in scene.compared(lang, n).lanes {
                let mut own = Labels::new();
                rows(&mut own, &lane.rows);
                bars(&mut own, "copies", &lane.copies);
                bars(&mut own, "thought", &lane.thoughts);
                all.extend(own.into_iter().map(|l| format!("{} {l}", lane.name)));
            }
        }
        _ => {
            let s = stage(&step, scene.tp, layout);
            rows(&mut all, &s.rows);
            for line in &s.clients {
                for (n, part) in line.parts.iter().enumerate() {
                    label(&mut all, format!("{} part {n}", line.name), &part.text);
                }
            }
            for arrow in &s.arrows {
                for (n, text) in arrow.label.iter().enumerate() {
                    label(&mut all, format!("arrow {} {n}", arrow.key), &text.text);
                }
            }
            for (n, text) in s.captions.iter().enumerate() {
                label(&mut all, format!("caption {n}"), &text.text);
            }
        }
    }
    all
}

#[test]
fn no_label_is_cut_or_missing_in_one_language_alone() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for scene in scenes() {
        for n in 0..scene.lanes[0].1.len() {
            for width in [320, 360, 640, 960, 1280] {
                let [ru, en] = Lang::ALL.map(|lang| labels(&scene, n, lang, width));
                seen += ru.len();
                for (lang, only) in [("ru", ru.difference(&en)), ("en", en.difference(&ru))] {
                    for l in only {
                        faults.push(format!(
                            "{} step {n}, {width} px: {lang} only: {l}",
                            scene.id
                        ));
                    }
                }
            }
        }
    }
    assert!(seen > 5_000, "only {seen} labels");
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
