//! Every scene of the library, every step, every layout, both languages (screens.md 6.1, 6.17).

use crate::laws;
use highwater::history::Run;
use highwater::kafka::event::Event;
use highwater::kafka::ids::Tp;
use highwater::script::ast::{Focus, View};
use highwater::script::library::SCENES;
use highwater::script::parse;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::Step;
use highwater::view::card::{Author, card};
use highwater::view::compare::{Compare, LaneInput, compare_of};
use highwater::view::controller::beliefs;
use highwater::view::overview::overview;
use highwater::view::stage::{Layout, stage};
use highwater::view::tables::{Way, described, narration};
use highwater::world::World;
use highwater::world::picture::Picture;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A step of a lane.
type Frame = (Picture, Vec<Event>);

pub struct Scene {
    pub id: String,
    pub view: View,
    /// It is about how lags differ.
    pub lags: bool,
    /// The partition it is about.
    pub tp: Tp,
    /// What each beat looks at; step 0 has none.
    pub focus: Vec<Vec<Focus>>,
    /// By lane, then by step.
    pub lanes: Vec<(String, Vec<Frame>)>,
}

impl Scene {
    /// The lanes side by side, as far as step `upto`.
    pub fn compared(&self, lang: Lang, upto: usize) -> Compare {
        let steps = self.lanes[0].1.len();
        self.with_lanes(upto, |lanes| compare_of(lang, self.tp, lanes, steps))
    }

    /// What a comparison is made of, as far as step `upto`.
    pub fn with_lanes<R>(&self, upto: usize, make: impl FnOnce(&[LaneInput]) -> R) -> R {
        let pictures: Vec<Vec<&Picture>> = self
            .lanes
            .iter()
            .map(|(_, frames)| frames[..=upto].iter().map(|f| &f.0).collect())
            .collect();
        let lanes: Vec<LaneInput> = self
            .lanes
            .iter()
            .zip(&pictures)
            .map(|((name, _), pictures)| LaneInput { name, pictures })
            .collect();
        make(&lanes)
    }
}

pub fn scenes() -> Vec<Scene> {
    SCENES
        .iter()
        .map(|(id, text)| {
            let scenario = Rc::new(parse(text).unwrap_or_else(|e| panic!("{id}: {e:?}")));
            let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
            let names = scenario.lanes.as_ref().map(|l| l.values.clone());
            let mut lanes: Vec<(String, Vec<_>)> = (0..run.lanes())
                .map(|n| {
                    let value = names.as_ref().map(|v| v[n as usize].to_string());
                    (format!("acks={}", value.unwrap_or_default()), vec![])
                })
                .collect();
            for step in 0..=run.steps() {
                run.seek(step);
                for (n, lane) in (0..).zip(&mut lanes) {
                    let picture = run.picture(n).expect("a picture of every lane");
                    lane.1.push((picture, run.events(n).to_vec()));
                }
            }
            let tp = lanes[0].1.last().expect("a step").0.partitions[0].tp;
            Scene {
                tp,
                id: (*id).into(),
                focus: std::iter::once(vec![])
                    .chain(scenario.beats.iter().map(|b| b.focus.clone()))
                    .collect(),
                view: scenario.view,
                lags: scenario.compares_lags(),
                lanes,
            }
        })
        .collect()
}

/// Calls back with a name and each step.
pub fn steps(scene: &Scene, lang: Lang, mut check: impl FnMut(&str, u32, Step)) {
    for (lane, frames) in &scene.lanes {
        for (n, (picture, events)) in frames.iter().enumerate() {
            let step = Step {
                lang,
                before: n.checked_sub(1).map(|n| &frames[n].0),
                now: picture,
                events,
            };
            check(
                &format!("{} {lane} step {n} {lang:?}", scene.id),
                n as u32,
                step,
            );
        }
    }
}

#[test]
fn every_stage_of_every_scene_keeps_the_laws() {
    let mut heights: BTreeMap<(String, Layout), i32> = BTreeMap::new();
    for scene in scenes() {
        for lang in Lang::ALL {
            steps(&scene, lang, |name, _, step| {
                let tp = scene.tp;
                for layout in [Layout::Wide, Layout::Phone, Layout::Narrow] {
                    let s = stage(&step, tp, layout);
                    laws::all(&format!("{name} {layout:?}"), layout, &s);
                    // The frame's height never depends on the step (ux.md 0.4).
                    let known = heights
                        .entry((scene.id.clone(), layout))
                        .or_insert(s.height);
                    assert_eq!(*known, s.height, "{name} {layout:?}");
                }
            });
        }
    }
}

#[test]
fn every_step_says_what_happened_and_why() {
    for scene in scenes() {
        for lang in Lang::ALL {
            let mut without = 0;
            let mut all = 0;
            steps(&scene, lang, |name, n, step| {
                let one = matches!(scene.view, View::Replicas | View::Ruler | View::Both);
                let tp = one.then_some(scene.tp);
                let author = Author {
                    focus: &scene.focus[n as usize],
                    ..Author::default()
                };
                let c = card(&step, tp, author, n, &|_| None);
                all += 1;
                without += u32::from(c.why.is_empty());
                if n > 0 {
                    assert!((1..=3).contains(&c.what.len()), "{name}: {:?}", c.what);
                    assert!(!c.heading.is_empty(), "{name}");
                }
                for said in c.what.iter().chain(c.why.iter().map(|w| &w.text)) {
                    assert_eq!(said.matches('`').count() % 2, 0, "{name}: {said}");
                    assert!(said.ends_with(['.', '`']), "{name}: {said}");
                }
                for way in [Way::Next, Way::Back, Way::Jump] {
                    let said = narration(&step, &c, n, 20, way);
                    assert!(said.split_whitespace().count() <= 25, "{name}: {said}");
                }
            });
            assert!(
                without * 3 <= all,
                "{}: {without} of {all} steps have no rule",
                scene.id
            );
        }
    }
}

#[test]
fn words_and_tables_follow_the_pictures() {
    for scene in scenes() {
        for lang in Lang::ALL {
            steps(&scene, lang, |name, _, step| {
                let tp = scene.tp;
                let d = described(&step, tp);
                for t in &d.tables {
                    assert!(t.rows.iter().all(|r| r.len() == t.head.len()), "{name}");
                }
                let b = beliefs(&step, tp);
                assert!(
                    b.rows.iter().all(|r| r.cells.len() + 1 == b.head.len()),
                    "{name}"
                );
                if scene.view == View::Overview {
                    let o = overview(&step, tp.topic, tp);
                    assert!(
                        o.rows.iter().all(|r| r.cells.len() == o.columns.len()),
                        "{name}"
                    );
                    for row in &o.panel.rows {
                        for f in row.marks.iter().map(|m| m.flag.rect) {
                            assert!(f.x >= 0 && f.x + f.w <= o.panel.width, "{name}: {f:?}");
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn the_comparison_ends_as_the_row_says() {
    let scene = scenes()
        .into_iter()
        .find(|s| s.view == View::Compare)
        .expect("R12");
    let c = scene.compared(Lang::En, scene.lanes[0].1.len() - 1);
    let verdicts: Vec<(&str, &str)> = c.lanes.iter().map(|l| (&*l.name, &*l.verdict)).collect();
    assert_eq!(
        verdicts,
        [
            ("acks=0", "Lost, and nobody noticed"),
            ("acks=1", "Confirmed, and lost"),
            ("acks=all", "Safe: it came later"),
        ]
    );
    for lane in &c.lanes {
        let inside =
            |b: &highwater::view::compare::Bar| 0 <= b.from && b.from < b.to && b.to <= 1000;
        assert!(
            lane.copies.iter().chain(&lane.thoughts).all(inside),
            "{}",
            lane.name
        );
        for f in lane.rows.iter().flat_map(|r| &r.marks).map(|m| m.flag.rect) {
            assert!(f.x >= 0 && f.x + f.w <= lane.width, "{}: {f:?}", lane.name);
        }
    }
}

/// What the headings promise, and the rules that the texts beside them use.
#[test]
fn cards_tell_what_the_headings_say() {
    let scenes = scenes();
    let card_of = |id: &str, n: usize| {
        let scene = scenes.iter().find(|s| s.id == id).expect("a scene");
        let frames = &scene.lanes[0].1;
        let step = Step {
            lang: Lang::En,
            before: Some(&frames[n - 1].0),
            now: &frames[n].0,
            events: &frames[n].1,
        };
        let author = Author {
            focus: &scene.focus[n],
            ..Author::default()
        };
        let c = card(&step, Some(scene.tp), author, n as u32, &|_| None);
        let rule = c.why.first().map(|w| w.rules[0]).unwrap_or_default();
        (c.what.join(" ").replace(NBSP, " "), rule)
    };
    for (id, step, said, rule) in [
        ("leader-fails", 8, "learned from broker", "R-PRD-4"),
        (
            "old-leader-returns",
            12,
            "NOT_LEADER_OR_FOLLOWER",
            "R-ACK-4",
        ),
        ("first-write", 2, "to broker 1", "R-ACK-9"),
        ("first-write", 4, "returned 0 records", "R-READ-3"),
        ("acks-all-waits", 4, "got no answer", "R-ACK-4"),
        ("acks-all-waits", 5, "returned 0 records", "R-READ-3"),
        ("outbox", 8, "The ELR became empty", "R-FEN-8"),
        ("slow-follower", 2, "appended record 2", "R-HW-10"),
        ("acks1-loss", 1, "got its confirmation", "R-ACK-3"),
        ("telemetry", 9, "learned from broker", "R-ACK-2"),
    ] {
        let (what, why) = card_of(id, step);
        assert!(what.contains(said), "{id} {step}: {what}");
        assert_eq!(why, rule, "{id} {step}");
    }
}

#[test]
fn a_leader_that_asks_for_another_isr_is_a_visible_change() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "slow-follower").expect("R5");
    let frames = &scene.lanes[0].1;
    let step = Step {
        lang: Lang::En,
        before: Some(&frames[3].0),
        now: &frames[4].0,
        events: &frames[4].1,
    };
    let changed = described(&step, scene.tp).changed;
    assert_eq!(
        changed,
        ["The leader, broker 1: ISR [1, 2, 3], asks for [1, 2]"]
    );
}
