//! A replica's boundaries: their lines in the gutters, their flags in the lane, and where they
//! stood before this step.

use super::geometry::{FLAG, Geometry, TAIL, flag_width};
use super::row::{Facts, text};
use super::{Flag, Ghost, Mark, MarkKind};
use crate::text::words;
use crate::view::{Anchor, Line, Rect, Role, Target};
use crate::world::picture::ReplicaPicture;

/// A notched flag at a pole, to its left or right.
pub fn flag(x: i32, y: i32, left: bool, role: Role, words: String, target: Option<Target>) -> Flag {
    let w = flag_width(&words);
    let mid = y + FLAG / 2 + 1;
    let end = y + FLAG;
    let points = if left {
        vec![
            (x, y),
            (x, end),
            (x - w + 5, end),
            (x - w, mid),
            (x - w + 5, y),
        ]
    } else {
        vec![
            (x, y),
            (x + w - 5, y),
            (x + w, mid),
            (x + w - 5, end),
            (x, end),
        ]
    };
    Flag {
        points,
        rect: Rect {
            x: if left { x - w } else { x },
            y,
            w,
            h: FLAG,
        },
        label: text(
            if left { x - 5 } else { x + 5 },
            y + 13,
            if left { Anchor::End } else { Anchor::Start },
            role,
            words,
        ),
        target,
    }
}

/// The boundaries of a replica.
pub fn marks(facts: &Facts, replica: &ReplicaPicture, g: &Geometry, index: usize) -> Vec<Mark> {
    let (lang, id) = (facts.lang(), facts.broker.id);
    let before = facts.before();
    let muted = facts.away();
    let lane = g.lane_y(index);
    let bottom = g.cell_y(index) + g.cell + TAIL;
    let (hw, end) = (replica.high_watermark, replica.log_end);
    let shared = g.x(hw) == g.x(end);
    let upright = |x: i32, top: i32| Line {
        x1: x,
        y1: top,
        x2: x,
        y2: bottom,
    };
    let mut all = Vec::new();
    if replica.log_start.0 > 0 {
        let x = g.x(replica.log_start);
        // The lane of its own: above the others beside names, else below the cells.
        let y = if g.names_left {
            lane - FLAG - 1
        } else {
            bottom - 1
        };
        all.push(Mark {
            kind: MarkKind::LogStart,
            at: replica.log_start,
            lines: vec![upright(x, y.min(lane))],
            line_width: 20,
            flag: flag(
                x,
                y,
                false,
                Role::Muted,
                words::log_start(lang, replica.log_start),
                None,
            ),
            moved: before.is_some_and(|b| b.log_start != replica.log_start),
            muted,
        });
    }
    let x = g.x(end);
    let wide = g.gutter >= 6;
    let doubles = match (shared, wide) {
        (true, _) => [x + 1, x + 3],
        (false, true) => [x - 2, x + 2],
        (false, false) => [x - 1, x + 1],
    };
    all.push(Mark {
        kind: MarkKind::LogEnd,
        at: end,
        lines: doubles.map(|x| upright(x, lane)).to_vec(),
        line_width: if shared || !wide { 11 } else { 15 },
        flag: flag(
            x,
            lane,
            false,
            if muted { Role::Muted } else { Role::Strong },
            words::leo(lang, end),
            Some(Target::LogEnd(id)),
        ),
        moved: before.is_some_and(|b| b.log_end != end),
        muted,
    });
    let x = g.x(hw);
    all.push(Mark {
        kind: MarkKind::HighWatermark,
        at: hw,
        lines: vec![upright(
            match (shared, wide) {
                (false, _) => x,
                (true, true) => x - 2,
                (true, false) => x - 1,
            },
            lane,
        )],
        line_width: match (shared, wide) {
            (false, _) => 25,
            (true, true) => 20,
            (true, false) => 16,
        },
        flag: flag(
            x,
            lane,
            true,
            if muted { Role::Muted } else { Role::Server },
            words::hw(lang, hw),
            Some(Target::HighWatermark(id)),
        ),
        moved: before.is_some_and(|b| b.high_watermark != hw),
        muted,
    });
    all
}

/// Where they stood.
pub fn ghosts(facts: &Facts, replica: &ReplicaPicture, g: &Geometry, index: usize) -> Vec<Ghost> {
    // Rows without names stand close: there is no room for an arrow, and without one a line where
    // nothing stands says nothing.
    let Some(before) = facts.before().filter(|_| g.named) else {
        return Vec::new();
    };
    let lane = g.lane_y(index);
    let bottom = g.cell_y(index) + g.cell + TAIL;
    // The arrow is clear of the flags, where the row above leaves room for it.
    let over = if g.lane >= 12 { 7 } else { 4 };
    let mut all = Vec::new();
    let moves = [
        (
            MarkKind::HighWatermark,
            before.high_watermark,
            replica.high_watermark,
        ),
        (MarkKind::LogEnd, before.log_end, replica.log_end),
    ];
    for (kind, from, to) in moves {
        // Two arrows in one lane would be one: the high watermark's has it.
        let alone = all.is_empty();
        let (x, x2) = (g.x(from), g.x(to));
        if from == to || g.in_fold(from) || x == x2 {
            continue;
        }
        let y = lane - over;
        let sign = (x2 - x).signum();
        all.push(Ghost {
            kind,
            line: Line {
                x1: x,
                y1: lane - over - 2,
                x2: x,
                y2: bottom,
            },
            arrow: alone.then_some(Line {
                x1: x + 3 * sign,
                y1: y,
                x2: x2 - 2 * sign,
                y2: y,
            }),
        });
    }
    all
}
