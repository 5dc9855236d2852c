//! What is drawn is clear: arrows off the flags, ways off the logs, words that do not tell too
//! much or too early.

use crate::hand::{TP, all, diverged, step};
use crate::ruler::{plain, reader};
use crate::scenes::{Scene, scenes, steps};
use highwater::script::ast::View;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::overview::overview;
use highwater::view::ruler::{Look, Needs, Reader, Ruler, RulerInput, beside, input, ruler};
use highwater::view::stage::{Layout, stage};
use highwater::view::{Icon, Line, Rect, Role, Step};
use std::collections::BTreeMap;

const LAYOUTS: [Layout; 3] = [Layout::Wide, Layout::Phone, Layout::Narrow];

fn scene(id: &str) -> Scene {
    let found = scenes().into_iter().find(|s| s.id == id);
    found.unwrap_or_else(|| panic!("no scene {id}"))
}

fn moment(scene: &Scene, lang: Lang, n: usize) -> Step<'_> {
    let frames = &scene.lanes[0].1;
    Step {
        lang,
        before: n.checked_sub(1).map(|n| &frames[n].0),
        now: &frames[n].0,
        events: &frames[n].1,
    }
}

fn within(l: &Line, r: &Rect) -> bool {
    let (left, right) = (l.x1.min(l.x2), l.x1.max(l.x2));
    let (top, bottom) = (l.y1.min(l.y2), l.y1.max(l.y2));
    left < r.x + r.w && right > r.x && top < r.y + r.h && bottom > r.y
}

/// A line with its arrow head.
fn thick(l: &Line) -> Rect {
    Rect {
        x: l.x1.min(l.x2),
        y: l.y1 - 3,
        w: (l.x2 - l.x1).abs(),
        h: 6,
    }
}

fn meet(a: &Rect, b: &Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

#[test]
fn a_record_that_is_here_alone_is_not_called_safe_to_cut() {
    let scene = scene("acks1-loss");
    for lang in Lang::ALL {
        let s = stage(&moment(&scene, lang, 3), TP, Layout::Wide);
        let said: Vec<&str> = s.rows[0].notes.iter().map(|n| &*n.text).collect();
        assert!(
            !said
                .iter()
                .any(|n| n.contains("срез") || n.contains("trunc")),
            "before it is asked what becomes of it: {said:?}"
        );
        assert!(s.rows[0].notes.iter().all(|n| n.role == Role::Muted));
    }
    // What was sent again and written by the new leader is safe there.
    let mut p = diverged();
    let new = p.brokers[1].replicas[0].records[3].value.clone();
    p.brokers[0].replicas[0].records[3].value = new;
    let s = stage(&step(Lang::En, None, &p, &[]), TP, Layout::Wide);
    assert_eq!(s.rows[0].notes[0].text, "will be truncated");
}

/// The rulers of a scene's steps.
fn rulers(scene: &Scene, lang: Lang, layout: Layout) -> Vec<(RulerInput, Ruler)> {
    let frames = &scene.lanes[0].1;
    let inputs: Vec<RulerInput> = frames
        .iter()
        .map(|f| input(&f.0, scene.tp).unwrap_or_default())
        .collect();
    let mut needs = Needs::default();
    inputs.iter().for_each(|i| needs.take(i));
    let look = Look {
        layout,
        needs,
        ..Look::default()
    };
    let drawn = |n: usize| {
        let before = n.checked_sub(1).map(|n| &inputs[n]);
        (inputs[n].clone(), ruler(lang, before, &inputs[n], &look))
    };
    (0..inputs.len()).map(drawn).collect()
}

fn by_offsets() -> Vec<Scene> {
    let mut all = scenes();
    all.retain(|s| matches!(s.view, View::Ruler | View::Both));
    assert!(all.len() > 8, "{} scenes with a ruler", all.len());
    all
}

#[test]
fn an_arrow_of_a_move_is_off_the_flags_and_one_for_all_that_moved_alike() {
    let (mut drawn, mut moves) = (0, 0);
    for scene in by_offsets() {
        for lang in Lang::ALL {
            for layout in LAYOUTS {
                for (n, (_, r)) in rulers(&scene, lang, layout).iter().enumerate() {
                    let name = format!("{} step {n} {lang:?} {layout:?}", scene.id);
                    for track in &r.tracks {
                        let mut seen: Vec<Rect> = Vec::new();
                        let mut from: Vec<(i32, i32, i32)> = Vec::new();
                        moves += track.ghosts.len();
                        for arrow in track.ghosts.iter().filter_map(|g| g.arrow) {
                            drawn += 1;
                            let room = thick(&arrow);
                            for mark in &track.marks {
                                let flag = mark.flag.rect;
                                assert!(!meet(&room, &flag), "{name}: {arrow:?} over {flag:?}");
                            }
                            for cell in &track.cells {
                                assert!(
                                    !meet(&room, &cell.rect),
                                    "{name}: {arrow:?} over a record"
                                );
                            }
                            for note in &track.notes {
                                assert!(!meet(&room, &note.ground), "{name}: {arrow:?} over words");
                            }
                            assert!(seen.iter().all(|r| !meet(r, &room)), "{name}: two in one");
                            seen.push(room);
                            let cells = track.cells.first().map_or(0, |c| c.rect.y);
                            let way = (arrow.x1, arrow.x2, i32::from(arrow.y1 > cells));
                            assert!(!from.contains(&way), "{name}: one way twice");
                            from.push(way);
                        }
                    }
                }
            }
        }
    }
    assert!(drawn > 300 && drawn * 3 > moves, "{drawn} of {moves}");
}

#[test]
fn on_the_stage_an_arrow_of_a_move_is_off_the_flags() {
    let mut drawn = 0;
    for scene in scenes().iter().filter(|s| s.view != View::Compare) {
        steps(scene, Lang::Ru, |name, _, step| {
            for layout in LAYOUTS {
                let s = stage(&step, scene.tp, layout);
                for row in &s.rows {
                    for arrow in row.ghosts.iter().filter_map(|g| g.arrow) {
                        drawn += 1;
                        for mark in &row.marks {
                            let flag = mark.flag.rect;
                            assert!(!meet(&thick(&arrow), &flag), "{name} {layout:?}: {arrow:?}");
                        }
                    }
                }
            }
        });
    }
    assert!(drawn > 100, "{drawn}");
}

#[test]
fn a_short_log_lies_on_a_scale_as_wide_as_the_drawing() {
    for scene in by_offsets() {
        for layout in LAYOUTS {
            let mut places: BTreeMap<i64, i32> = BTreeMap::new();
            for (n, (now, r)) in rulers(&scene, Lang::Ru, layout).iter().enumerate() {
                let name = format!("{} step {n} {layout:?}", scene.id);
                let track = &r.tracks[0];
                if !track.folds.is_empty() {
                    continue;
                }
                let cells = track.cells.iter().map(|c| c.rect.x + c.rect.w);
                let ticks = track.ahead.ticks.iter().map(|t| t.x1);
                let right = cells.chain(ticks).max().unwrap_or(0);
                assert!(right > r.width * 4 / 5, "{name}: it ends at {right}");
                // Nothing moves when a record comes: the numbers have their places from the first.
                for cell in &track.cells {
                    let at = places.entry(cell.offset.0).or_insert(cell.rect.x);
                    assert_eq!(*at, cell.rect.x, "{name}: {}", cell.offset);
                }
                let first = track.ahead.line.map_or(now.log_end.0, |_| {
                    let text = track.ahead.numbers.first().map(|t| &*t.text);
                    text.and_then(|t| t.parse().ok()).unwrap_or(now.log_end.0)
                });
                assert_eq!(first, now.log_end.0, "{name}: the first place to come");
            }
        }
    }
}

#[test]
fn a_write_comes_to_its_row_beside_the_logs() {
    let mut ways = 0;
    for scene in scenes().iter().filter(|s| s.view != View::Compare) {
        steps(scene, Lang::Ru, |name, _, step| {
            let s = stage(&step, scene.tp, Layout::Wide);
            for way in s.clients.iter().map(|c| &c.way).filter(|w| !w.is_empty()) {
                ways += 1;
                let lines = way.windows(2).map(|p| Line {
                    x1: p[0].0,
                    y1: p[0].1,
                    x2: p[1].0,
                    y2: p[1].1,
                });
                for line in lines {
                    for row in &s.rows {
                        let flags = row.marks.iter().map(|m| m.flag.rect);
                        for r in flags.chain(row.cells.iter().map(|c| c.rect)) {
                            assert!(!within(&line, &r), "{name}: {line:?} over {r:?}");
                        }
                    }
                }
                let (_, y) = way[way.len() - 1];
                let leader = s
                    .rows
                    .iter()
                    .find(|r| r.area.y <= y && y < r.area.y + r.area.h);
                let cell = leader.and_then(|r| r.cells.first());
                assert!(
                    cell.is_none_or(|c| (c.rect.y..c.rect.y + c.rect.h).contains(&y)),
                    "{name}: it ends at the cells' height"
                );
            }
        });
    }
    assert!(ways > 15, "{ways}");
}

#[test]
fn nothing_is_called_safe_before_the_fault_or_with_one_copy() {
    let scene = scene("compare-acks");
    let mut alone = 0;
    let mut safe = 0;
    for n in 0..scene.lanes[0].1.len() {
        let c = scene.compared(Lang::Ru, n);
        for (lane, (_, frames)) in c.lanes.iter().zip(&scene.lanes) {
            let fell = frames[..=n].iter().any(|f| {
                let mut brokers = f.0.brokers.iter();
                brokers.any(|b| b.process == highwater::world::command::Process::Killed)
            });
            let copies = lane.copies.last().map_or("", |bar| &bar.label);
            if !fell {
                assert_ne!(lane.icon, Icon::RingTick, "step {n} {}", lane.name);
                assert!(!lane.short.contains("цела"), "step {n} {}", lane.name);
            }
            if lane.verdict == "Одна копия, пока цела" {
                assert!(copies.starts_with('1'), "step {n} {}: {copies}", lane.name);
                assert_eq!((lane.icon, &*lane.short), (Icon::Ring, "1\u{a0}копия"));
                alone += 1;
            }
            safe += usize::from(lane.icon == Icon::RingTick);
        }
    }
    assert!(alone >= 2, "acks=0 and acks=1 after their writes: {alone}");
    assert!(safe >= 1, "acks=all in the end");
}

#[test]
fn rows_of_a_comparison_have_no_lines_without_arrows_and_bars_room_around_words() {
    let scene = scene("compare-acks");
    for n in 0..scene.lanes[0].1.len() {
        for lang in Lang::ALL {
            let c = scene.compared(lang, n);
            for lane in &c.lanes {
                assert!(lane.rows.iter().all(|r| r.ghosts.is_empty()), "step {n}");
                for bar in lane.copies.iter().chain(&lane.thoughts) {
                    let w = highwater::view::width::width(&bar.label, Role::Strong);
                    let own = (bar.to - bar.from) * 241 / 1000;
                    let fits = bar.label.is_empty() || bar.beside || w + 8 <= own;
                    assert!(fits, "step {n}: “{}” fills its bar", bar.label);
                }
            }
        }
    }
}

#[test]
fn a_list_of_brokers_does_not_break_and_epochs_are_clear_of_the_frame() {
    let scene = scene("overview");
    steps(&scene, Lang::Ru, |name, _, step| {
        let o = overview(&step, scene.tp.topic, scene.tp);
        let (_, list) = o.panel.assigned.rsplit_once("на ").expect("assigned to");
        assert!(!list.contains(' ') && list.contains(NBSP), "{name}: {list}");
        for row in &o.panel.rows {
            for tab in &row.epochs {
                let frame = row.area.y + row.area.h - 3;
                assert!(
                    tab.y + 4 <= frame,
                    "{name}: {} at {}, {frame}",
                    tab.text,
                    tab.y
                );
            }
        }
    });
}

#[test]
fn value_number_and_hatch_of_a_cell_do_not_touch() {
    let mut values = 0;
    for (name, picture) in all() {
        for layout in LAYOUTS {
            let s = stage(&step(Lang::En, None, &picture, &[]), TP, layout);
            for cell in s.rows.iter().flat_map(|r| &r.cells) {
                let Some(value) = &cell.value else { continue };
                values += 1;
                // Digits are 9 px high.
                assert!(
                    cell.label.y - 9 >= value.y + 3,
                    "{name} {layout:?}: {cell:?}"
                );
                assert!(value.y - 9 > cell.rect.y + 1, "{name} {layout:?}");
                let foot = cell.rect.y + cell.rect.h - 1 - cell.kind.foot();
                assert!(cell.label.y < foot, "{name} {layout:?}: {cell:?}");
            }
        }
    }
    assert!(values > 6, "{values}");
}

#[test]
fn what_happens_to_a_position_out_of_range_is_not_crossed_by_a_pole() {
    let scene = scene("reset-policy");
    let mut notes = 0;
    for (_, r) in rulers(&scene, Lang::En, Layout::Wide) {
        for track in &r.tracks {
            for note in &track.notes {
                notes += 1;
                for line in track.marks.iter().flat_map(|m| &m.lines) {
                    assert!(!within(line, &note.ground), "{note:?} and {line:?}");
                }
            }
        }
    }
    assert!(notes > 0);
}

#[test]
fn without_a_group_one_quiet_line_says_that_there_is_no_lag() {
    let mut input = plain(0, 3);
    input.readers = vec![Reader {
        name: "c1".into(),
        ..Reader::default()
    }];
    let drawn = |input: &RulerInput| {
        let mut needs = Needs::default();
        needs.take(input);
        let look = Look {
            needs,
            ..Look::default()
        };
        ruler(Lang::Ru, None, input, &look)
            .tracks
            .remove(0)
            .brackets
    };
    let said = drawn(&input);
    assert_eq!(said.len(), 1);
    assert_eq!(said[0].label.text.text, "группы нет · лаги: нет (не 0)");
    assert_eq!((said[0].label.text.role, &said[0].by), (Role::Muted, &None));
    input.readers[0].group = Some("billing".into());
    assert_eq!(drawn(&input)[0].label.text.text, "лаги: нет (не 0)");
    // One that has no value among others that have is as quiet.
    input.readers = vec![Reader {
        processed: None,
        ..reader(3, 0, 2, 3)
    }];
    let roles: Vec<Role> = drawn(&input).iter().map(|b| b.label.text.role).collect();
    assert_eq!(roles, [Role::Strong, Role::Muted, Role::Strong]);
}

#[test]
fn the_same_number_stands_at_the_same_place_in_each_partition() {
    let scene = scene("address");
    let frames = &scene.lanes[0].1;
    let own = |n: usize| -> Vec<RulerInput> {
        let all = frames[n].0.partitions.iter();
        all.filter_map(|p| input(&frames[n].0, p.tp)).collect()
    };
    let mut needs = Needs::default();
    for n in 0..frames.len() {
        own(n).iter().for_each(|i| needs.take(i));
    }
    for layout in LAYOUTS {
        let look = Look {
            layout,
            needs,
            ..Look::default()
        };
        // After its third write each partition has a record 0.
        let before: Vec<Option<RulerInput>> = own(2).into_iter().map(Some).collect();
        let logs: Vec<_> = before.into_iter().zip(own(3)).collect();
        let drawn = beside(Lang::En, &logs, "orders-2", &look).expect("they are short");
        assert_eq!(drawn.tracks.len(), 3);
        let zeros = drawn.tracks.iter().map(|t| t.cells[0].rect);
        let zeros: Vec<Rect> = zeros.collect();
        assert!(
            zeros
                .windows(2)
                .all(|p| p[0].x == p[1].x && p[0].y + p[0].h < p[1].y)
        );
        let names = drawn.tracks.iter().map(|t| (&*t.head.text, t.head.role));
        let names: Vec<_> = names.collect();
        assert_eq!(names[0], ("orders-0", Role::Muted), "{layout:?}");
        assert_eq!(names[2], ("orders-2", Role::Strong), "{layout:?}");
        let fresh = drawn.tracks.iter().map(|t| t.cells[0].fresh);
        assert_eq!(fresh.collect::<Vec<_>>(), [false, false, true]);
        // It is on the axis of the ruler above it.
        let above = ruler(Lang::En, None, &logs[2].1, &look).tracks.remove(0);
        assert_eq!(above.cells[0].rect.x, zeros[0].x);
        let low = drawn.tracks[2].marks[0].flag.rect;
        assert!(low.y + low.h <= drawn.height && low.x + low.w <= drawn.width);
    }
}
