//! The partitions of a topic under each other on the ruler's axis: the same number stands at the
//! same place in each, and is another record.

use super::cells::{kind, sign};
use super::plan::Plan;
use super::{Ahead, Isolation, Look, Ruler, RulerInput, Track};
use crate::kafka::ids::Offset;
use crate::text::{Lang, words};
use crate::view::stage::geometry::FLAG;
use crate::view::stage::marks::flag;
use crate::view::stage::{Cell, Layout, Mark, MarkKind};
use crate::view::width::{fit, width};
use crate::view::{Anchor, Line, Rect, Role, Text};

/// Height of a cell.
const CELL: i32 = 26;
/// From row to row, beside names and above cells.
const ROW: i32 = CELL + 12;
/// A line of words, where the name stands above.
const NAME: i32 = 16;

/// The logs of some partitions: each with its state at the step before. `shown` is the one whose
/// ruler stands above. Nothing, where a log is too long to lie there unfolded.
pub fn beside(
    lang: Lang,
    logs: &[(Option<RulerInput>, RulerInput)],
    shown: &str,
    look: &Look,
) -> Option<Ruler> {
    let (_, longest) = logs.iter().max_by_key(|(_, now)| now.log_end)?;
    let plan = Plan::new(None, longest, look);
    plan.axis.folds().next().is_none().then_some(())?;
    let wide = look.layout == Layout::Wide;
    let row = ROW + if wide { 0 } else { NAME };
    let tracks = logs.iter().zip(0..).map(|((before, now), n)| {
        let y = n * row + if wide { 6 } else { NAME };
        one(
            lang,
            before.as_ref(),
            now,
            &plan,
            (y, wide, now.name == shown),
        )
    });
    let tracks: Vec<Track> = tracks.collect();
    Some(Ruler {
        width: plan.width,
        height: tracks.len() as i32 * row + 4,
        tracks,
    })
}

fn one(
    lang: Lang,
    before: Option<&RulerInput>,
    now: &RulerInput,
    plan: &Plan,
    (y, wide, shown): (i32, bool, bool),
) -> Track {
    let place = |n: i64| Rect {
        x: plan.left + plan.axis.slot(n) * plan.pitch + plan.gutter / 2,
        y,
        w: plan.pitch - plan.gutter,
        h: CELL,
    };
    let cells = (0..now.log_end.0).map(|n| {
        let (offset, rect) = (Offset(n), place(n));
        let mut words = sign(now, offset);
        if width(&words, Role::Offset) > rect.w - 1 {
            words.clear();
        }
        Cell {
            offset,
            rect,
            kind: kind(now, Isolation::Uncommitted, offset),
            label: Text {
                x: rect.x + rect.w / 2,
                y: y + CELL / 2 + 5,
                anchor: Anchor::Middle,
                role: Role::Offset,
                text: words,
            },
            value: None,
            fresh: before.is_some_and(|b| !b.log_end.covers(offset)),
            muted: false,
        }
    });
    let x = plan.x(now.log_end);
    let pole = |x: i32| Line {
        x1: x,
        y1: y - 3,
        x2: x,
        y2: y + CELL + 3,
    };
    let end = Mark {
        kind: MarkKind::LogEnd,
        at: now.log_end,
        lines: vec![pole(x - 1), pole(x + 1)],
        line_width: 11,
        flag: flag(
            x,
            y + (CELL - FLAG) / 2,
            false,
            Role::Strong,
            words::leo(lang, now.log_end),
            None,
        ),
        moved: before.is_some_and(|b| b.log_end != now.log_end),
        muted: false,
    };
    let role = if shown { Role::Strong } else { Role::Muted };
    let (at, room) = match wide {
        true => (y + CELL / 2 + 4, plan.left - 16),
        false => (y - 5, plan.width - 16),
    };
    Track {
        head: Text {
            x: 8,
            y: at,
            anchor: Anchor::Start,
            role,
            text: fit(&now.name, role, room),
        },
        cells: cells.collect(),
        ahead: Ahead {
            line: Some(Line {
                x1: x,
                y1: y + CELL,
                x2: plan.left + plan.places() * plan.pitch,
                y2: y + CELL,
            }),
            ..Ahead::default()
        },
        marks: vec![end],
        ..Track::default()
    }
}
