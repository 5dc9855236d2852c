//! What scenes say is so at that step: their formulas are true, the rule they cite is the one that
//! decided, and what changed did change.

use crate::scenes::{Scene, scenes, steps};
use highwater::kafka::event::EventKind;
use highwater::kafka::ids::Boundary;
use highwater::script::ast::View;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::Step;
use highwater::view::card::{Author, Card, card};
use highwater::view::ruler::{Instrument, LagKind, input, lag};
use highwater::view::tables::described;

fn said(scene: &Scene, n: u32, step: &Step) -> Card {
    let author = Author {
        focus: &scene.focus[n as usize],
        ..Author::default()
    };
    let one = scene.view != View::Overview;
    card(step, one.then_some(scene.tp), author, n, &|_| None)
}

/// The numbers of a text, with a true minus sign.
fn numbers(text: &str) -> Vec<i64> {
    let mut all = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_digit() && c != '−') {
        if let Ok(n) = word.replace('−', "-").parse() {
            all.push(n);
        }
    }
    all
}

/// «committed 5 < processed 7», "committed lag = HW 10 − 5 = 5".
#[test]
fn every_comparison_and_subtraction_of_a_card_is_true() {
    let (mut compared, mut subtracted) = (0, 0);
    for scene in scenes() {
        for lang in Lang::ALL {
            steps(&scene, lang, |name, n, step| {
                let card = said(&scene, n, &step);
                let lines = card.why.iter().filter_map(|w| w.formula.as_ref());
                for line in lines.flat_map(|f| &f.lines) {
                    let text: String = line.iter().map(|t| &*t.text).collect();
                    if let Some((left, right)) = text.split_once(" − ") {
                        let (left, right) = (numbers(left), numbers(right));
                        let (&[.., end], &[from, is]) = (&left[..], &right[..]) else {
                            panic!("{name}: {text}")
                        };
                        assert_eq!(end - from, is, "{name}: {text}");
                        subtracted += 1;
                        continue;
                    }
                    // One sign between two boundaries; longer ones have tests of their own.
                    let signs = [" < ", " > ", " = "].iter();
                    let mut signs = signs.filter(|s| text.contains(**s));
                    let (Some(sign), None) = (signs.next(), signs.next()) else {
                        continue;
                    };
                    let parts: Vec<Vec<i64>> = text.split(sign).map(numbers).collect();
                    if let [left, right] = &parts[..]
                        && let (&[a], &[b]) = (&left[..], &right[..])
                    {
                        let holds = match *sign {
                            " < " => a < b,
                            " > " => a > b,
                            _ => a == b,
                        };
                        assert!(holds, "{name}: {text}");
                        compared += 1;
                    }
                }
            });
        }
    }
    assert!(compared > 40 && subtracted > 60, "{compared} {subtracted}");
}

/// Scene, step, what the first rule of the card must be.
const DECIDED: &[(&str, u32, &[&str])] = &[
    ("address", 5, &["R-IDM-7"]),
    ("address", 7, &["R-IDM-1"]),
    ("boundaries", 5, &["R-READ-2"]),
    ("boundaries", 9, &["R-READ-1", "R-RST-4"]),
    ("deleted-history", 8, &["R-READ-1", "R-RST-4"]),
    ("holes", 3, &["R-CMP-1"]),
    ("holes", 6, &["R-READ-5", "R-CON-2"]),
    ("holes", 7, &["R-CON-1", "R-CON-2"]),
    ("holes", 8, &["R-CON-1"]),
    ("holes", 9, &["R-CMP-5"]),
    ("lag-is-distance", 2, &["R-COM-3"]),
    ("lag-is-distance", 5, &["R-READ-5", "R-CON-2"]),
    ("lags", 3, &["R-LAG-1"]),
    ("lags", 4, &["R-CON-1"]),
    ("next-position", 1, &["R-RST-1", "R-RST-2"]),
    ("next-position", 4, &["R-COM-3"]),
    ("next-position", 5, &["R-RST-1"]),
    ("next-position", 6, &["R-COM-1", "R-RST-1"]),
    ("next-position", 8, &["R-RST-1"]),
    ("open-transaction", 1, &["R-LSO-2"]),
    ("open-transaction", 4, &["R-LSO-4"]),
    ("open-transaction", 5, &["R-ISO-2"]),
    ("open-transaction", 8, &["R-ISO-1"]),
    ("replay", 2, &["R-RST-1", "R-RST-2"]),
    ("replay", 4, &["R-GRP-2"]),
    ("replay", 6, &["R-RSO-4"]),
    ("replay", 9, &["R-COM-1", "R-RST-1"]),
    ("reset-policy", 2, &["R-RST-1", "R-RST-2"]),
    ("reset-policy", 3, &["R-RST-1", "R-RST-2"]),
    ("reset-policy", 8, &["R-READ-1", "R-RST-4"]),
    ("restart-repeats", 8, &["R-COM-4"]),
    ("three-speeds", 3, &["R-RST-1", "R-RST-2"]),
    ("where-commits-live", 3, &["R-GRP-2", "R-GRP-3"]),
    ("where-commits-live", 4, &["R-GRP-2", "R-GRP-3"]),
    ("where-commits-live", 5, &["R-RST-1", "R-LAG-2"]),
];

#[test]
fn the_rule_that_decided_is_cited() {
    let scenes = scenes();
    let mut wrong = Vec::new();
    for (id, at, ids) in DECIDED {
        let scene = scenes.iter().find(|s| s.id == *id).expect("a scene");
        steps(scene, Lang::En, |_, n, step| {
            if n == *at {
                let card = said(scene, n, &step);
                let first = card.why.first().map(|w| w.rules.clone());
                if first.as_deref() != Some(*ids) {
                    wrong.push(format!("{id} {at}: {first:?}, not {ids:?}"));
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// R-RST-1 and R-RST-4 are two cases: no commit, or a position outside the log.
#[test]
fn why_a_position_was_reset_is_said() {
    let mut cases = [0, 0];
    for scene in scenes() {
        steps(&scene, Lang::En, |name, n, step| {
            let told = said(&scene, n, &step).what.join(" ");
            let refused = step
                .events
                .iter()
                .any(|e| matches!(e.kind, EventKind::ConsumeRefused { .. }));
            if told.contains("There is no commit: by") {
                assert!(!refused, "{name}: {told}");
                cases[0] += 1;
            }
            if told.contains("is outside the log: by") {
                assert!(refused, "{name}: {told}");
                cases[1] += 1;
            }
        });
    }
    assert!(cases[0] >= 4 && cases[1] >= 3, "{cases:?}");
}

#[test]
fn what_changed_did_change() {
    let mut commits = 0;
    for scene in scenes().iter().filter(|s| s.view != View::Overview) {
        steps(scene, Lang::En, |name, _, step| {
            let changed = described(&step, scene.tp).changed;
            let Some(before) = step.before else { return };
            for line in &changed {
                // The strip has room for two; who is not on it has not gone.
                assert!(!line.contains("no longer here"), "{name}: {line}");
                // A commit is a group's: it is new when the group had none, whoever reads.
                if let Some((client, _)) = line.split_once(", committed: none →") {
                    let of = input(step.now, scene.tp).expect("a ruler");
                    let reader = of.readers.iter().find(|r| *r.name == *client);
                    let group = reader.and_then(|r| r.group.clone()).expect("a group");
                    let known = before
                        .group(&group)
                        .is_some_and(|g| g.view.committed.iter().any(|c| c.0 == scene.tp));
                    assert!(!known, "{name}: {line}");
                    commits += 1;
                }
            }
        });
    }
    assert!(commits > 4, "{commits}");
}

/// R-LAG-1: of a process that is gone there is no position; its group's commit is left.
#[test]
fn a_crashed_consumer_has_no_position() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "restart-repeats").unwrap();
    steps(scene, Lang::En, |name, n, step| {
        if n == 5 {
            let d = described(&step, scene.tp);
            let line = d.clients.iter().find(|l| l.contains("c1")).expect("c1");
            assert!(
                !line.contains("position") && !line.contains("processed"),
                "{line}"
            );
            assert!(line.contains("committed 5"), "{name}: {line}");
            assert_eq!(
                d.changed,
                ["Consumer c1 has crashed: its position is gone"],
                "{name}"
            );
        }
    });
}

/// What a new process has read is counted from its own beginning.
#[test]
fn a_new_process_begins_anew() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "reset-policy").unwrap();
    let mut seen = Vec::new();
    steps(scene, Lang::En, |_, n, step| {
        if n == 5 || n == 8 {
            seen.extend(described(&step, scene.tp).changed);
        }
    });
    for line in [
        "Consumer a is started again: a new process",
        "Consumer a: read 5–9",
        "Consumer a: read 7–9",
    ] {
        assert!(seen.iter().any(|s| s == line), "{line}: {seen:?}");
    }
}

/// R-LAG-2 and R-TRD-3: without a leader the tool shows no lag, and a poll gets nothing.
#[test]
fn without_a_leader_there_is_no_lag_and_no_record() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "three-speeds").unwrap();
    let mut now = scene.lanes[0].1.last().expect("a step").0.clone();
    let client = now.clients.iter().find(|c| &*c.name == "c1").unwrap().id;
    let partition = now.partitions.iter_mut().find(|p| p.tp == scene.tp);
    std::rc::Rc::make_mut(&mut partition.unwrap().reg).leader = None;
    let of = input(&now, scene.tp).expect("a ruler");
    let reader = &of.readers[0];
    let tool = lag(
        &of,
        reader,
        reader.isolation,
        Instrument::GroupTool,
        LagKind::Committed,
    );
    assert_eq!((tool.value(), reader.committed.is_some()), (None, true));
    let kind = EventKind::PollEmpty {
        client,
        tp: scene.tp,
        position: Boundary(10),
    };
    let events = [crate::hand::event(20, &[], kind)];
    let step = Step {
        lang: Lang::Ru,
        before: None,
        now: &now,
        events: &events,
    };
    let card = card(&step, Some(scene.tp), Author::default(), 1, &|_| None);
    let what = card.what[0].replace(NBSP, " ");
    assert!(what.contains("у партиции нет лидера"), "{what}");
    assert_eq!(card.why[0].rules, ["R-TRD-3"]);
}

/// A machine without power is not a process that was killed (R-ACK-11).
#[test]
fn a_power_cut_is_told_as_one() {
    use highwater::kafka::event::StopKind;
    let now = crate::hand::moved().now;
    let told = |how| {
        let kind = EventKind::Stopped {
            broker: crate::hand::b(1),
            how,
        };
        let events = [crate::hand::event(20, &[], kind)];
        let step = crate::hand::step(Lang::En, Some(&now), &now, &events);
        let card = card(&step, None, Author::default(), 1, &|_| None);
        (card.what.join(" "), card.why[0].rules.clone())
    };
    let (what, rules) = told(StopKind::PowerLost);
    assert!(what.contains("lost power") && !what.contains("killed"));
    assert_eq!(rules, ["R-ACK-11"]);
    assert!(told(StopKind::Killed).0.contains("killed"));
}

/// What was asked for and lies outside the log is named (R-RSO-4).
#[test]
fn a_clamped_plan_says_what_was_asked_for() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "replay").unwrap();
    steps(scene, Lang::Ru, |_, n, step| {
        if n == 6 {
            let what = said(scene, n, &step).what.join(" ");
            assert!(what.contains("10 → 10") && what.contains("25"), "{what}");
        }
    });
}
