//! The little picture of a scene about offsets: one log, what brokers know of it above, what its
//! reader knows below, each boundary in a lane of its own; or the log and, under it, the log in
//! which its commits lie.

use super::{HEIGHT, Mini, WIDTH};
use crate::kafka::ids::{Boundary, Offset, Tp};
use crate::text::Lang;
use crate::view::commits::{self, State};
use crate::view::ruler::{Isolation, Reader, RulerInput, input, kind};
use crate::view::stage::{CellKind, MarkKind};
use crate::view::width::{fit, width};
use crate::view::{Anchor, Line, Rect, Role, Text};
use crate::world::picture::Picture;

/// Margin left and right, px.
const SIDE: i32 = 14;
/// Top of the records.
const TOP: i32 = 28;
/// Height of a record.
const CELL: i32 = 15;
/// The longest log whose records can be told apart.
const SHOWN: i64 = 24;

/// How telling a step is: the more places its boundaries stand at, what came twice or was passed
/// over, and above all a saved position that the log no longer has. 0: nobody reads.
pub fn telling(picture: &Picture, tp: Tp, reader: Option<&str>) -> u32 {
    let Some(input) = input(picture, tp) else {
        return 0;
    };
    let Some(reader) = chosen(&input, reader) else {
        return 0;
    };
    let mut places: Vec<i64> = Vec::new();
    for (_, at) in log(&input, reader).into_iter().chain(client(reader)) {
        if !places.contains(&at.0) {
            places.push(at.0);
        }
    }
    let gone = reader.saved().is_some_and(|at| at < input.log_start);
    let wrong = input.effects.iter().any(|e| e.times != 1);
    places.len() as u32 + if gone { 20 } else { 0 } + if wrong { 10 } else { 0 }
}

fn chosen<'a>(input: &'a RulerInput, name: Option<&str>) -> Option<&'a Reader> {
    let own = |r: &&Reader| Some(&*r.name) == name;
    input.readers.iter().find(own).or(input.readers.first())
}

/// What brokers know, the longest pole first. The last stable offset says something only where a
/// transaction holds it back.
fn log(input: &RulerInput, reader: &Reader) -> Vec<(MarkKind, Boundary)> {
    let mut all = vec![
        (MarkKind::LogEnd, input.log_end),
        (MarkKind::HighWatermark, input.high_watermark),
    ];
    if input.last_stable < input.high_watermark || reader.isolation == Isolation::Committed {
        all.push((MarkKind::LastStable, input.last_stable));
    }
    if input.log_start.0 > 0 {
        all.push((MarkKind::LogStart, input.log_start));
    }
    all
}

/// What the reader knows, the shortest pole first.
fn client(reader: &Reader) -> Vec<(MarkKind, Boundary)> {
    let all = [
        (MarkKind::Committed, reader.committed),
        (MarkKind::Processed, reader.processed),
        (MarkKind::Position, reader.position),
        (MarkKind::Outside, reader.outside),
    ];
    let there = |(kind, at): (MarkKind, Option<Boundary>)| Some((kind, at?));
    all.into_iter().filter_map(there).collect()
}

/// The picture with the records of a partition in it, and what belongs on their axis.
fn begun(
    picture: &Picture,
    tp: Tp,
    name: Option<&str>,
) -> (Mini, Option<(RulerInput, Reader, Axis)>) {
    let mut mini = Mini {
        width: WIDTH,
        height: HEIGHT,
        ..Mini::default()
    };
    let begun = input(picture, tp).map(|input| {
        let reader = chosen(&input, name).cloned().unwrap_or_default();
        let axis = Axis::of(&input, &reader);
        axis.records(&input, reader.isolation, &mut mini);
        (input, reader, axis)
    });
    (mini, begun)
}

/// The log of a partition with the boundaries of one reader, else of the first. `lags`: also how
/// far each of them is from the high watermark.
pub fn boundaries(picture: &Picture, tp: Tp, reader: Option<&str>, lags: bool) -> Mini {
    let (mut mini, begun) = begun(picture, tp, reader);
    let Some((input, reader, axis)) = &begun else {
        return mini;
    };
    let above = log(input, reader);
    for (n, (kind, at)) in (0..).zip(&above) {
        let x = axis.x(*at);
        let y = 15 + 3 * n;
        mini.bounds.push((*kind, pole(x, y, TOP + CELL / 2)));
    }
    let below = client(reader);
    for (n, (kind, at)) in (0..).zip(&below) {
        let x = axis.x(*at);
        let end = (TOP + CELL + 6 + 4 * n).min(58);
        mini.bounds.push((*kind, pole(x, TOP + CELL / 2 + 1, end)));
        let to = axis.x(input.high_watermark);
        if lags && x < to {
            mini.spans.push(Line {
                x1: x,
                y1: end,
                x2: to,
                y2: end,
            });
        }
    }
    axis.numbers(&above, 12, Role::Server, &mut mini);
    axis.numbers(&below, HEIGHT - 2, Role::Client, &mut mini);
    mini
}

/// The log of a partition with its group's commit, and under it the log of commits.
pub fn with_commits(
    lang: Lang,
    picture: &Picture,
    tp: Tp,
    needs: &commits::Needs,
    reader: Option<&str>,
) -> Mini {
    let (mut mini, begun) = begun(picture, tp, reader);
    let Some((input, reader, axis)) = &begun else {
        return mini;
    };
    let end = (MarkKind::LogEnd, input.log_end);
    mini.bounds
        .push((end.0, pole(axis.x(end.1), 15, TOP + CELL + 3)));
    axis.numbers(&[end], 12, Role::Server, &mut mini);
    if let Some(at) = reader.committed {
        let x = axis.x(at);
        mini.bounds
            .push((MarkKind::Committed, pole(x, 15, TOP + CELL + 5)));
        axis.numbers(&[(MarkKind::Committed, at)], 12, Role::Client, &mut mini);
    }
    let Some(log) = needs.tp(picture) else {
        return mini;
    };
    let all = commits::entries(lang, picture, log);
    let y = TOP + CELL + 8;
    let step = ((WIDTH - 2 * SIDE) / all.len().max(1) as i32).min(56);
    for (n, entry) in (0..).zip(all.iter().take(5)) {
        let rect = Rect {
            x: SIDE + n * step + 2,
            y,
            w: step - 4,
            h: HEIGHT - y - 3,
        };
        let cell = match entry.state {
            State::Unconfirmed => CellKind::Hidden,
            _ => CellKind::Visible,
        };
        mini.cells.push((rect, cell));
        let role = match entry.state {
            State::InForce => Role::Client,
            _ => Role::Muted,
        };
        mini.notes.push(Text {
            x: rect.x + rect.w / 2,
            y: rect.y + 14,
            anchor: Anchor::Middle,
            role,
            text: fit(&entry.value, role, rect.w),
        });
    }
    mini
}

fn pole(x: i32, y1: i32, y2: i32) -> Line {
    Line {
        x1: x,
        y1,
        x2: x,
        y2,
    }
}

/// Where numbers stand.
struct Axis {
    base: i64,
    end: i64,
    pitch: i32,
}

impl Axis {
    fn of(input: &RulerInput, reader: &Reader) -> Axis {
        let clients = client(reader).into_iter().map(|c| c.1);
        let ends = clients.chain([input.log_end, input.high_watermark]);
        let end = ends.map(|b| b.0).max().unwrap_or(0);
        let base = (end - SHOWN).max(0);
        let places = (end - base).max(1) as i32;
        Axis {
            base,
            end: input.log_end.0,
            pitch: ((WIDTH - 2 * SIDE) / places).min(22),
        }
    }

    fn x(&self, at: Boundary) -> i32 {
        SIDE + (at.0 - self.base).max(0) as i32 * self.pitch
    }

    fn records(&self, input: &RulerInput, isolation: Isolation, mini: &mut Mini) {
        for n in self.base..self.end {
            let gutter = if self.pitch > 12 { 4 } else { 3 };
            let rect = Rect {
                x: self.x(Boundary(n)) + gutter / 2,
                y: TOP,
                w: self.pitch - gutter,
                h: CELL,
            };
            let effect = input.effects.iter().find(|e| e.offset.0 == n);
            let times = effect.map_or(1, |e| e.times);
            mini.cells.push(match times {
                0 => (rect, CellKind::Lost),
                _ => (rect, kind(input, isolation, Offset(n))),
            });
            let text = ["×", &times.to_string()].concat();
            if times > 1 && width(&text, Role::Strong) <= rect.w {
                mini.notes.push(Text {
                    x: rect.x + rect.w / 2,
                    y: TOP + CELL - 3,
                    anchor: Anchor::Middle,
                    role: Role::Strong,
                    text,
                });
            }
        }
    }

    /// The numbers of boundaries, each once, where they have room.
    fn numbers(&self, of: &[(MarkKind, Boundary)], y: i32, role: Role, mini: &mut Mini) {
        let mut taken: Vec<(i32, i32)> = Vec::new();
        for (_, at) in of {
            let text = at.to_string();
            let (x, half) = (self.x(*at), width(&text, role) / 2 + 1);
            if taken.iter().all(|t| x + half <= t.0 || t.1 <= x - half) {
                taken.push((x - half, x + half));
                mini.notes.push(Text {
                    x,
                    y,
                    anchor: Anchor::Middle,
                    role,
                    text,
                });
            }
        }
    }
}

impl Mini {
    /// How many SVG elements it takes to draw it, at most.
    pub fn elements(&self) -> usize {
        let cell = |c: &(Rect, CellKind)| 2 + usize::from(c.1.foot() > 0);
        1 + self.cells.iter().map(cell).sum::<usize>()
            + 3 * self.names.len()
            + self.marks.len()
            + self.bounds.len()
            + self.spans.len()
            + self.grid.len()
            + self.notes.len()
    }
}
