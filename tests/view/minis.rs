//! The little pictures of scenes about offsets: boundaries of the log above, of its reader below.

use crate::scenes::{Scene, scenes};
use highwater::kafka::ids::Tp;
use highwater::script::ast::View;
use highwater::view::mini::Mini;
use highwater::view::mini::boundaries::{boundaries, telling};
use highwater::view::stage::MarkKind;
use highwater::view::{Anchor, Role};
use highwater::world::picture::Picture;

fn of_offsets() -> Vec<Scene> {
    let rulers = |s: &Scene| {
        let reads = |f: &(Picture, _)| telling(&f.0, s.tp, None) > 0;
        matches!(s.view, View::Ruler | View::Both) && s.lanes[0].1.iter().any(reads)
    };
    let all: Vec<Scene> = scenes().into_iter().filter(rulers).collect();
    assert!(all.len() >= 8, "{}", all.len());
    all
}

/// The most telling step, as the page finds it.
fn best(scene: &Scene) -> (&Picture, Tp) {
    let frames = &scene.lanes[0].1;
    let worth = |n: usize| (telling(&frames[n].0, scene.tp, None), usize::MAX - n);
    let at = (1..frames.len()).max_by_key(|n| worth(*n)).expect("a step");
    (&frames[at].0, scene.tp)
}

#[test]
fn a_little_picture_has_few_elements_and_all_of_them_inside() {
    for scene in of_offsets() {
        for (n, (picture, _)) in scene.lanes[0].1.iter().enumerate() {
            let m = boundaries(picture, scene.tp, None, true);
            let name = format!("{} step {n}", scene.id);
            assert!(m.elements() <= 60, "{name}: {}", m.elements());
            for (r, _) in &m.cells {
                assert!(r.w > 0 && r.x >= 0 && r.x + r.w <= m.width, "{name}: {r:?}");
            }
            for l in &m.spans {
                assert!(l.x1 < l.x2 && l.y1 == l.y2, "{name}: {l:?}");
            }
            for (kind, l) in &m.bounds {
                assert!(0 <= l.x1 && l.x1 < m.width, "{name}: {kind:?} {l:?}");
                assert!(l.y1 < l.y2 && l.y2 <= m.height, "{name}: {kind:?} {l:?}");
                let on = m.cells.iter().find(|(r, _)| r.x < l.x1 && l.x1 < r.x + r.w);
                assert!(on.is_none(), "{name}: {kind:?} stands on a record");
            }
            for t in &m.notes {
                assert_eq!(t.anchor, Anchor::Middle, "{name}");
                assert!(t.x >= 8 && t.x <= m.width - 8, "{name}: {t:?}");
                let number = t.text.trim_start_matches('×').parse::<i64>();
                assert!(number.is_ok(), "no word answers: {}", t.text);
            }
        }
    }
}

/// What brokers know is above the records, what the reader knows below.
#[test]
fn the_sides_of_a_little_picture_are_those_of_the_ruler() {
    for scene in of_offsets() {
        let (picture, tp) = best(&scene);
        let m = boundaries(picture, tp, None, scene.lags);
        let top = m.cells.first().map_or(0, |c| c.0.y);
        let of_reader = |kind: MarkKind| {
            use MarkKind::*;
            matches!(kind, Committed | Processed | Position | Outside)
        };
        for (kind, l) in &m.bounds {
            let above = l.y1 < top;
            assert_eq!(above, !of_reader(*kind), "{}: {kind:?}", scene.id);
        }
        for t in &m.notes {
            let side = match t.role {
                Role::Server => t.y < top,
                Role::Client => t.y > top + 20,
                _ => t.text.starts_with('×'),
            };
            assert!(side, "{}: {t:?}", scene.id);
        }
        assert!(m.bounds.iter().any(|b| of_reader(b.0)), "{}", scene.id);
    }
}

#[test]
fn no_two_little_pictures_are_the_same() {
    let mut known: Vec<(String, Mini)> = Vec::new();
    for scene in of_offsets() {
        let (picture, tp) = best(&scene);
        let m = boundaries(picture, tp, None, scene.lags);
        let same = known.iter().find(|k| k.1 == m).map(|k| &k.0);
        assert_eq!(same, None, "{}", scene.id);
        known.push((scene.id.clone(), m));
    }
}

/// A checkpoint that the log no longer has is the moment of its scene.
#[test]
fn history_that_is_gone_is_told_first() {
    let scene = of_offsets().into_iter().find(|s| s.id == "deleted-history");
    let scene = scene.expect("O13");
    let (picture, tp) = best(&scene);
    let m = boundaries(picture, tp, None, scene.lags);
    let at = |kind| m.bounds.iter().find(|b| b.0 == kind).map(|b| b.1.x1);
    assert!(at(MarkKind::Outside) < at(MarkKind::LogStart));
    assert!(at(MarkKind::Outside).is_some());
}
