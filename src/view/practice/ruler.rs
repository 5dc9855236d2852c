//! A partition of the snapshot as a ruler: records are cells, every figure of the table is a
//! boundary in a gap. What the brokers know stands above, what the client knows below, each in a
//! lane of its own.

use super::tables::{BOUNDS, KEPT, PARTITIONS, PartitionState, REQUESTS, SEGMENTS};
use super::tasks::Task;
use crate::text::Lang;
use crate::text::practice::page as words;
use crate::view::width::width as text_width;
use crate::view::{Anchor, Line, Rect, Role, Text};

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// A record that can be read.
    Visible,
    /// A record that a reader of committed data does not get yet.
    Hidden,
    /// Deleted, or compacted away.
    Ghost,
    /// The marker of a transaction.
    Marker,
    /// Several that are not drawn one by one.
    Fold,
}

impl CellKind {
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            CellKind::Visible => "c-visible",
            CellKind::Hidden => "c-hidden",
            CellKind::Ghost => "c-ghost",
            CellKind::Marker => "c-control",
            CellKind::Fold => "c-fold",
        }
    }
}

/// A place in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where it is.
    pub rect: Rect,
    /// Its number.
    pub label: Text,
    /// What it is.
    pub kind: CellKind,
}

/// Which boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Log start.
    Start,
    /// Log end.
    End,
    /// High watermark.
    HighWatermark,
    /// Last stable offset.
    Stable,
    /// The group's commit.
    Committed,
    /// What the application has done.
    Processed,
    /// What the client has received.
    Received,
}

impl MarkKind {
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            MarkKind::Start => "b-start",
            MarkKind::End => "b-end",
            MarkKind::HighWatermark => "b-hw",
            MarkKind::Stable => "b-lso",
            MarkKind::Committed => "b-committed",
            MarkKind::Processed => "b-processed",
            MarkKind::Received => "b-received",
        }
    }

    fn role(self) -> Role {
        match self {
            MarkKind::Start => Role::Muted,
            MarkKind::End => Role::Strong,
            MarkKind::HighWatermark | MarkKind::Stable => Role::Server,
            MarkKind::Committed | MarkKind::Processed | MarkKind::Received => Role::Client,
        }
    }
}

/// A boundary: its lines in the gap, its flag in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which.
    pub kind: MarkKind,
    /// Its position.
    pub at: i64,
    /// One line, or two of the log's end.
    pub lines: Vec<Line>,
    /// The flag's outline.
    pub outline: Vec<(i32, i32)>,
    /// The flag's words.
    pub label: Text,
}

/// Somebody's wish to read from a position: a triangle under the gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The triangle.
    pub outline: [(i32, i32); 3],
    /// Whose.
    pub label: Text,
}

/// A segment: a line under its records, with its age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// From its first record to its last.
    pub line: Line,
    /// Minutes since its newest record.
    pub label: Text,
}

/// The drawing of one partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruler {
    /// Width, px.
    pub width: i32,
    /// Height, px.
    pub height: i32,
    /// The partition's name.
    pub name: Text,
    /// Records, left to right.
    pub cells: Vec<Cell>,
    /// Boundaries.
    pub marks: Vec<Mark>,
    /// Requests.
    pub wishes: Vec<Wish>,
    /// Segments.
    pub segments: Vec<Segment>,
    /// The unit of their ages.
    pub unit: Option<Text>,
}

const LANE: i32 = 20;
const FLAG: i32 = 17;
const CELL: i32 = 28;
const GUTTER: i32 = 4;
/// Triangle and its name.
const WISH: i32 = 28;
const SEGMENT: i32 = 22;

/// Positions on the drawing. What lies before `first` takes `before` places of its own.
struct Axis {
    x0: i32,
    pitch: i32,
    first: i64,
    before: i32,
}

impl Axis {
    fn x(&self, at: i64) -> i32 {
        if at < self.first {
            return self.x0;
        }
        let steps = i32::try_from(at - self.first).unwrap_or_default();
        self.x0 + (self.before + steps) * self.pitch
    }
}

/// The rulers of the three partitions for a task, in a box of this width.
pub fn rulers(lang: Lang, task: Task, width: i32) -> Vec<Ruler> {
    let wide = width >= 456;
    let pitch = if wide { 30 } else { 22 };
    let x0 = if wide { 60 } else { 28 };
    PARTITIONS
        .iter()
        .map(|p| ruler(lang, task, p, (width, pitch, x0)))
        .collect()
}

fn ruler(lang: Lang, task: Task, p: &PartitionState, (width, pitch, x0): (i32, i32, i32)) -> Ruler {
    let later = BOUNDS.iter().find(|b| b[0] == p.id && task == Task::Stable);
    let end = later.map_or(p.log_end, |b| b[3]);
    let wished = task.table().is_none();
    let wishes = || REQUESTS.iter().filter(|r| wished && r.partition == p.id);
    let lowest = wishes().map(|r| r.from).chain([p.log_start]).min();
    let lowest = lowest.unwrap_or(p.log_start);
    let (first, before) = if later.is_some() {
        (p.committed_offset, 1)
    } else if p.log_start - lowest > 2 {
        (p.log_start, if pitch >= 30 { 2 } else { 1 })
    } else {
        (lowest, 0)
    };
    let axis = Axis {
        x0,
        pitch,
        first,
        before,
    };

    let above = if later.is_some() { 4 } else { 1 };
    let top = 4 + above * LANE;
    let bottom = top + CELL;
    let wish_bottom = bottom + if wished { WISH } else { 0 };
    let segment_bottom = wish_bottom + if task == Task::Retention { SEGMENT } else { 0 };

    let mut all = Ruler {
        width,
        height: 0,
        name: text(
            2,
            top + 19,
            Anchor::Start,
            Role::Name,
            words::partition(lang, p.id),
        ),
        cells: Vec::new(),
        marks: Vec::new(),
        wishes: Vec::new(),
        segments: Vec::new(),
        unit: None,
    };
    if before > 0 {
        let (from, kind) = match later {
            Some(_) => (p.log_start, CellKind::Fold),
            None => (lowest, CellKind::Ghost),
        };
        let label = if before > 1 {
            format!("{from}…{}", first - 1)
        } else {
            "…".into()
        };
        all.cells.push(cell(&axis, top, x0, before, label, kind));
    }
    for at in first..end {
        let kept = KEPT
            .iter()
            .find(|(id, offset, _)| (*id, *offset) == (p.id, at));
        let kind = match (task, kept) {
            _ if at < p.log_start => CellKind::Ghost,
            (Task::Holes, None) => CellKind::Ghost,
            (Task::Holes, Some((_, _, "marker"))) => CellKind::Marker,
            _ if later.is_some_and(|b| at >= b[1]) => CellKind::Hidden,
            _ => CellKind::Visible,
        };
        let x = axis.x(at);
        all.cells.push(cell(&axis, top, x, 1, at.to_string(), kind));
    }

    // Above: what the brokers know.
    let lane = |number: i32| 4 + number * LANE;
    all.marks.push(server(
        &axis,
        MarkKind::Start,
        p.log_start,
        lane(above - 1),
        bottom,
        words::log_start(lang, p.log_start),
    ));
    all.marks.push(server(
        &axis,
        MarkKind::End,
        end,
        lane(0),
        bottom,
        words::log_end(lang, end),
    ));
    if let Some([_, stable, hw, _]) = later {
        all.marks.push(server(
            &axis,
            MarkKind::HighWatermark,
            *hw,
            lane(1),
            bottom,
            words::high_watermark(lang, *hw),
        ));
        all.marks.push(server(
            &axis,
            MarkKind::Stable,
            *stable,
            lane(2),
            bottom,
            words::last_stable(lang, *stable),
        ));
    }

    // Below: who wishes what, the segments, and what the client knows.
    for wish in wishes() {
        let x = axis.x(wish.from);
        all.wishes.push(Wish {
            outline: [(x, bottom + 3), (x - 5, bottom + 12), (x + 5, bottom + 12)],
            label: text(x, bottom + 24, Anchor::Middle, Role::Client, wish.id.into()),
        });
    }
    if task == Task::Retention {
        let unit = words::minutes(lang);
        all.unit = Some(text(1, bottom + 18, Anchor::Start, Role::Muted, unit));
        for [_, base, next, age] in SEGMENTS.into_iter().filter(|s| s[0] == p.id) {
            let (from, to) = (axis.x(base) + 3, axis.x(next) - 3);
            all.segments.push(Segment {
                line: Line {
                    x1: from,
                    y1: bottom + 5,
                    x2: to,
                    y2: bottom + 5,
                },
                label: text(
                    (from + to) / 2,
                    bottom + 18,
                    Anchor::Middle,
                    Role::Plain,
                    age.to_string(),
                ),
            });
        }
    }
    let mut client = vec![(
        MarkKind::Committed,
        p.committed_offset,
        words::committed(lang, p.committed_offset),
    )];
    if wished {
        client.push((
            MarkKind::Processed,
            p.processed_next,
            words::processed(lang, p.processed_next),
        ));
        client.push((
            MarkKind::Received,
            p.fetch_position,
            words::received(lang, p.fetch_position),
        ));
    }
    let mut y = segment_bottom + 2;
    // Where the last line in each gap ended: another boundary in the same gap goes on below it.
    let mut ends: Vec<(i64, i32)> = vec![(p.log_start, bottom + 4), (end, bottom + 4)];
    ends.extend(wishes().map(|r| (r.from, wish_bottom)));
    for (kind, at, label) in client {
        let from = ends.iter().filter(|(k, _)| *k == at).map(|(_, y)| *y).max();
        let x = axis.x(at);
        let line = Line {
            x1: x,
            y1: from.unwrap_or(top - 2),
            x2: x,
            y2: y + FLAG,
        };
        let (outline, label) = flag(x, y, fits_left(x, &label), kind.role(), label);
        all.marks.push(Mark {
            kind,
            at,
            lines: vec![line],
            outline,
            label,
        });
        ends.push((at, y + FLAG));
        y += LANE;
    }
    all.height = y + 2;
    all
}

fn text(x: i32, y: i32, anchor: Anchor, role: Role, text: String) -> Text {
    Text {
        x,
        y,
        anchor,
        role,
        text,
    }
}

fn cell(axis: &Axis, top: i32, x: i32, places: i32, label: String, kind: CellKind) -> Cell {
    let w = places * axis.pitch - GUTTER;
    Cell {
        rect: Rect {
            x: x + GUTTER / 2,
            y: top,
            w,
            h: CELL,
        },
        label: text(
            x + GUTTER / 2 + w / 2,
            top + 18,
            Anchor::Middle,
            Role::Mono,
            label,
        ),
        kind,
    }
}

fn server(axis: &Axis, kind: MarkKind, at: i64, y: i32, bottom: i32, words: String) -> Mark {
    let x = axis.x(at);
    let upright = |x: i32| Line {
        x1: x,
        y1: y,
        x2: x,
        y2: bottom + 3,
    };
    let (x, lines) = match kind {
        // Right of the gap's middle, so that the high watermark may stand in the same gap.
        MarkKind::End => (x, vec![upright(x), upright(x + 3)]),
        MarkKind::HighWatermark | MarkKind::Stable => (x - 2, vec![upright(x - 2)]),
        _ => (x, vec![upright(x)]),
    };
    let left = kind != MarkKind::Start && fits_left(x, &words);
    let (outline, label) = flag(x, y, left, kind.role(), words);
    Mark {
        kind,
        at,
        lines,
        outline,
        label,
    }
}

fn flag_width(words: &str) -> i32 {
    text_width(words, Role::Strong) + 14
}

/// Whether a flag may point to the left.
fn fits_left(x: i32, words: &str) -> bool {
    x - flag_width(words) >= 1
}

fn flag(x: i32, y: i32, left: bool, role: Role, words: String) -> (Vec<(i32, i32)>, Text) {
    let sign = if left { -1 } else { 1 };
    let w = flag_width(&words) * sign;
    let (end, mid) = (y + FLAG, y + FLAG / 2 + 1);
    let tip = x + w - 5 * sign;
    let outline = vec![(x, y), (tip, y), (x + w, mid), (tip, end), (x, end)];
    let anchor = if left { Anchor::End } else { Anchor::Start };
    (outline, text(x + 5 * sign, y + 13, anchor, role, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: [i32; 5] = [300, 340, 455, 456, 470];

    fn each(mut check: impl FnMut(Lang, Task, &Ruler)) {
        for lang in Lang::ALL {
            for task in Task::ALL {
                for width in WIDTHS {
                    for ruler in rulers(lang, task, width) {
                        check(lang, task, &ruler);
                    }
                }
            }
        }
    }

    /// The one idea of the drawing: a boundary is never on a record.
    #[test]
    fn boundaries_stand_in_gaps_and_never_on_a_record() {
        each(|_, task, ruler| {
            for mark in &ruler.marks {
                for line in &mark.lines {
                    for cell in &ruler.cells {
                        let inside = line.x1 > cell.rect.x && line.x1 < cell.rect.x + cell.rect.w;
                        assert!(!inside, "{task:?} {:?} on {}", mark.kind, cell.label.text);
                    }
                }
            }
        });
    }

    #[test]
    fn everything_is_inside_and_no_number_is_wider_than_its_cell() {
        each(|lang, task, ruler| {
            let name = format!("{lang:?} {task:?} {} {}", ruler.width, ruler.name.text);
            for mark in &ruler.marks {
                for (x, y) in &mark.outline {
                    assert!(
                        (0..=ruler.width).contains(x),
                        "{name} {:?} at {x}",
                        mark.kind
                    );
                    assert!((0..=ruler.height).contains(y), "{name} {:?}", mark.kind);
                }
            }
            for cell in &ruler.cells {
                assert!(cell.rect.x + cell.rect.w <= ruler.width - 2, "{name}");
                let needs = text_width(&cell.label.text, Role::Mono);
                assert!(needs + 2 <= cell.rect.w, "{name}: {}", cell.label.text);
            }
        });
    }

    /// Server truth above the records, client truth below.
    #[test]
    fn flags_keep_to_their_side_and_do_not_meet() {
        each(|lang, task, ruler| {
            let (top, bottom) = (ruler.cells[0].rect.y, ruler.cells[0].rect.y + CELL);
            for mark in &ruler.marks {
                let below = mark.outline.iter().all(|(_, y)| *y >= bottom);
                let above = mark.outline.iter().all(|(_, y)| *y <= top);
                let client = mark.kind.role() == Role::Client;
                assert!(if client { below } else { above }, "{:?}", mark.kind);
            }
            let boxes: Vec<_> = ruler.marks.iter().map(|m| bounds(&m.outline)).collect();
            for (i, a) in boxes.iter().enumerate() {
                for b in &boxes[..i] {
                    let apart = a.0 >= b.1 || b.0 >= a.1 || a.2 >= b.3 || b.2 >= a.3;
                    assert!(apart, "{lang:?} {task:?} {} {a:?} {b:?}", ruler.width);
                }
            }
        });
    }

    fn bounds(points: &[(i32, i32)]) -> (i32, i32, i32, i32) {
        let xs = || points.iter().map(|p| p.0);
        let ys = || points.iter().map(|p| p.1);
        let least = |all: Option<i32>| all.unwrap_or_default();
        (
            least(xs().min()),
            least(xs().max()),
            least(ys().min()),
            least(ys().max()),
        )
    }

    #[test]
    fn the_snapshot_is_drawn_with_its_figures() {
        let all = rulers(Lang::En, Task::Lag, 470);
        let marks = |at: usize| -> Vec<i64> { all[at].marks.iter().map(|m| m.at).collect() };
        assert_eq!(marks(0), [0, 10, 5, 7, 10]);
        assert_eq!(marks(1), [4, 12, 11, 12, 12]);
        assert_eq!(marks(2), [20, 31, 22, 26, 28]);
        // What r2 asks for and what is folded of r4's wish are ghosts.
        let ghosts = |at: usize| -> Vec<&str> {
            let cells = all[at].cells.iter().filter(|c| c.kind == CellKind::Ghost);
            cells.map(|c| c.label.text.as_str()).collect()
        };
        assert_eq!(ghosts(0), [""; 0]);
        assert_eq!(ghosts(1), ["2", "3"]);
        assert_eq!(ghosts(2), ["15…19"]);
    }

    #[test]
    fn compaction_leaves_ghosts_and_the_marker_its_sign() {
        let all = rulers(Lang::Ru, Task::Holes, 340);
        let of = |at: usize, kind: CellKind| -> Vec<&str> {
            let cells = all[at].cells.iter().filter(|c| c.kind == kind);
            cells.map(|c| c.label.text.as_str()).collect()
        };
        assert_eq!(of(0, CellKind::Visible), ["4", "8", "9"]);
        assert_eq!(of(2, CellKind::Marker), ["30"]);
    }
}
