//! The laws of a stage's geometry, for any stage.

use highwater::kafka::ids::*;
use highwater::view::Rect;
use highwater::view::stage::{CellKind, Layout, MarkKind, Stage};
use highwater::view::width::{badge_width, width};
use std::collections::BTreeMap;

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/// A boundary never stands on a cell.
pub fn off_cells(name: &str, _: Layout, s: &Stage) {
    for row in &s.rows {
        for mark in &row.marks {
            for line in &mark.lines {
                for cell in row.cells.iter().filter(|c| c.kind != CellKind::Cut) {
                    // The line's half width, rounded up, on both sides.
                    let (left, right) = (
                        line.x1 * 10 - mark.line_width / 2,
                        line.x1 * 10 + mark.line_width / 2,
                    );
                    assert!(
                        right <= cell.rect.x * 10 || left >= (cell.rect.x + cell.rect.w) * 10,
                        "{name}: {:?} {} of broker {} is on record {}",
                        mark.kind,
                        mark.at,
                        row.broker,
                        cell.offset
                    );
                }
            }
        }
    }
}

/// Cells and poles of one offset have one x.
pub fn one_axis(name: &str, _: Layout, s: &Stage) {
    let mut cells: BTreeMap<Offset, i32> = BTreeMap::new();
    let mut poles: BTreeMap<Boundary, i32> = BTreeMap::new();
    let fold_end = s
        .rows
        .iter()
        .filter_map(|r| r.fold.as_ref())
        .map(|f| f.rect.x + f.rect.w)
        .max();
    for row in &s.rows {
        for cell in &row.cells {
            assert_eq!(
                *cells.entry(cell.offset).or_insert(cell.rect.x),
                cell.rect.x,
                "{name}"
            );
        }
        for mark in &row.marks {
            let pole = match mark.kind {
                MarkKind::HighWatermark => mark.flag.rect.x + mark.flag.rect.w,
                _ => mark.flag.rect.x,
            };
            if fold_end.is_none_or(|end| pole > end + 4) {
                assert_eq!(
                    *poles.entry(mark.at).or_insert(pole),
                    pole,
                    "{name} {}",
                    mark.at
                );
            }
        }
    }
}

/// Flags keep apart, and off the badges.
pub fn flags_apart(name: &str, _: Layout, s: &Stage) {
    for row in &s.rows {
        let flags: Vec<Rect> = row.marks.iter().map(|m| m.flag.rect).collect();
        for (i, a) in flags.iter().enumerate() {
            for b in &flags[i + 1..] {
                assert!(
                    !overlap(*a, *b),
                    "{name} broker {}: {a:?} {b:?}",
                    row.broker
                );
            }
            for badge in &row.badges {
                let w = badge_width(badge.icon.is_some(), &badge.text, badge.role);
                let r = Rect {
                    x: badge.x,
                    y: badge.y - 10,
                    w,
                    h: 12,
                };
                assert!(
                    !overlap(*a, r),
                    "{name} broker {}: flag over “{}”",
                    row.broker,
                    badge.text
                );
            }
        }
    }
}

/// Words are inside and apart.
pub fn words_inside(name: &str, layout: Layout, s: &Stage) {
    let mut texts: Vec<(Rect, String)> = Vec::new();
    for row in &s.rows {
        texts.push((
            Rect {
                x: row.name.x,
                y: row.name.y - 11,
                w: width(&row.name.text, row.name.role),
                h: 13,
            },
            row.name.text.clone(),
        ));
        for b in row.badges.iter().chain(&row.notes) {
            texts.push((
                Rect {
                    x: b.x,
                    y: b.y - 10,
                    w: badge_width(b.icon.is_some(), &b.text, b.role),
                    h: 12,
                },
                b.text.clone(),
            ));
        }
        for mark in &row.marks {
            let f = &mark.flag;
            assert!(
                f.rect.x >= 0 && f.rect.x + f.rect.w <= s.width,
                "{name}: flag {:?}",
                f.rect
            );
            assert!(
                width(&f.label.text, f.label.role) + 10 <= f.rect.w,
                "{name}: “{}” in its flag",
                f.label.text
            );
        }
        for cell in &row.cells {
            assert!(
                width(&cell.label.text, cell.label.role) <= cell.rect.w - 2,
                "{name}: {}",
                cell.label.text
            );
        }
    }
    for line in &s.clients {
        for b in &line.parts {
            texts.push((
                Rect {
                    x: b.x,
                    y: b.y - 10,
                    w: badge_width(b.icon.is_some(), &b.text, b.role),
                    h: 12,
                },
                b.text.clone(),
            ));
        }
    }
    for t in &s.captions {
        texts.push((
            Rect {
                x: t.x,
                y: t.y - 10,
                w: width(&t.text, t.role),
                h: 12,
            },
            t.text.clone(),
        ));
    }
    for (i, (a, said)) in texts.iter().enumerate() {
        assert!(!said.is_empty(), "{name}: an empty word");
        assert!(
            a.x >= 0 && a.x + a.w <= s.width && a.y >= 0 && a.y + a.h <= s.height,
            "{name}: “{said}” leaves the stage: {a:?}"
        );
        for (b, other) in &texts[i + 1..] {
            assert!(!overlap(*a, *b), "{name}: “{said}” over “{other}”");
        }
    }
    if layout == Layout::Wide {
        for arrow in &s.arrows {
            for (r, said) in &texts {
                assert!(!overlap(arrow.rect, *r), "{name}: a message over “{said}”");
            }
            for row in &s.rows {
                for m in &row.marks {
                    assert!(
                        !overlap(arrow.rect, m.flag.rect),
                        "{name}: a message over a flag"
                    );
                }
            }
        }
    }
}

/// At most so many elements for three brokers (the budget).
pub fn few_elements(name: &str, _: Layout, s: &Stage) {
    assert!(s.elements() <= 600, "{name}: {}", s.elements());
}

/// All of them.
pub fn all(name: &str, layout: Layout, s: &Stage) {
    for law in [off_cells, one_axis, flags_apart, words_inside, few_elements] {
        law(name, layout, s);
    }
}
