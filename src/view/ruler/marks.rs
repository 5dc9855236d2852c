//! The boundaries of a ruler: lines in the gaps, flags in lanes of their own.

use super::{Of, Reader, RulerInput, Tag, client_marks};
use crate::kafka::ids::Boundary;
use crate::text::{Lang, ruler as say, words};
use crate::view::stage::geometry::{FLAG, flag_width};
use crate::view::stage::marks::flag;
use crate::view::stage::{Flag, Ghost, Mark, MarkKind};
use crate::view::{Anchor, Line, Role};

/// The brokers' boundaries, the highest lane first.
const SERVER: [MarkKind; 4] = [
    MarkKind::LogEnd,
    MarkKind::HighWatermark,
    MarkKind::LastStable,
    MarkKind::LogStart,
];
/// A client's boundaries, the lane nearest to the cells first.
const CLIENT: [MarkKind; 4] = [
    MarkKind::Committed,
    MarkKind::Processed,
    MarkKind::Position,
    MarkKind::Outside,
];

fn server(input: &RulerInput) -> [Option<Boundary>; 4] {
    [
        input.log_end,
        input.high_watermark,
        input.last_stable,
        input.log_start,
    ]
    .map(Some)
}

/// The words of a boundary's flag.
pub fn name(lang: Lang, kind: MarkKind, at: Boundary) -> String {
    match kind {
        MarkKind::LogEnd => words::leo(lang, at),
        MarkKind::HighWatermark => words::hw(lang, at),
        MarkKind::LastStable => say::last_stable(lang, at),
        MarkKind::LogStart => say::log_start(lang, at),
        MarkKind::Committed => say::committed(lang, at),
        MarkKind::Processed => say::processed(lang, at),
        MarkKind::Position => say::position(lang, at),
        MarkKind::Outside => say::outside(lang, at),
    }
}

fn short(lang: Lang, kind: MarkKind, at: Boundary) -> String {
    match kind {
        MarkKind::LogStart => words::log_start(lang, at),
        MarkKind::Processed => say::processed_short(lang, at),
        _ => name(lang, kind, at),
    }
}

/// Boundaries of a ruler by kind, brokers' first.
pub fn boundaries(input: &RulerInput, reader: &Reader) -> [(MarkKind, Option<Boundary>); 8] {
    let (s, c) = (server(input), client_marks(reader));
    std::array::from_fn(|n| match n {
        0..4 => (SERVER[n], s[n]),
        _ => (CLIENT[n - 4], c[n - 4]),
    })
}

impl Of<'_> {
    pub(super) fn marks(&self) -> (Vec<Mark>, Vec<Ghost>) {
        let now = boundaries(self.now, self.reader);
        let was = self
            .before
            .map(|b| boundaries(b, self.old.unwrap_or(&Reader::default())));
        let from = if self.first { 0 } else { 4 };
        let cells = self.plan.cells_y(self.y, self.first);
        let (bottom, middle) = (cells + self.plan.cell + 4, cells + self.plan.cell / 2);
        let shares = |side: &[(MarkKind, Option<Boundary>)], at: Boundary| {
            side.iter()
                .any(|(_, b)| b.is_some_and(|b| self.x(b) == self.x(at)))
        };
        let (mut marks, mut ghosts) = (Vec::new(), Vec::new());
        for n in from..8 {
            let (kind, at) = now[n];
            let Some(at) = at else { continue };
            let (is_server, lane) = (n < 4, n as i32 % 4);
            let y = if is_server {
                self.plan.server_lane(self.y, lane)
            } else {
                self.plan.client_lane(self.y, self.first, lane)
            };
            // Where a broker's and a client's boundary stand in one gap, each has its half.
            let (top, end) = match is_server {
                true if shares(&now[4..], at) => (y, middle),
                true => (y, bottom),
                false if self.first && shares(&now[..4], at) => (middle, y + FLAG),
                false => (cells - 3, y + FLAG),
            };
            let x = self.x(at);
            let old = was.and_then(|w| w[n].1);
            let moved = was.is_some() && old != Some(at);
            // High watermark and log end in one gap keep to their halves of it.
            let shared =
                is_server && at == self.now.log_end && self.now.high_watermark == self.now.log_end;
            let (xs, line_width) = lines(kind, x, shared, self.plan.gutter >= 6);
            marks.push(Mark {
                kind,
                at,
                lines: xs
                    .iter()
                    .flatten()
                    .map(|x| Line {
                        x1: *x,
                        y1: top,
                        x2: *x,
                        y2: end,
                    })
                    .collect(),
                line_width,
                flag: self.flag(kind, x, y, at),
                moved,
                muted: false,
            });
            if let Some(old) = old.filter(|o| self.x(*o) != x) {
                let x1 = self.x(old);
                ghosts.push(Ghost {
                    kind,
                    line: Line {
                        x1,
                        y1: if is_server { y } else { cells - 3 },
                        x2: x1,
                        y2: if is_server { bottom } else { y + FLAG },
                    },
                    arrow: None,
                });
            }
        }
        (marks, ghosts)
    }

    /// A flag on the side where it has room: left of its pole, a log start's right of it.
    fn flag(&self, kind: MarkKind, x: i32, y: i32, at: Boundary) -> Flag {
        let role = match kind {
            MarkKind::LogEnd => Role::Strong,
            MarkKind::HighWatermark | MarkKind::LastStable => Role::Server,
            MarkKind::LogStart => Role::Muted,
            _ => Role::Client,
        };
        let wanted = kind != MarkKind::LogStart;
        let tried = [name(self.lang, kind, at), short(self.lang, kind, at)];
        for words in &tried {
            let w = flag_width(words);
            for left in [wanted, !wanted] {
                let fits = if left {
                    x - w >= 2
                } else {
                    x + w <= self.plan.width - 2
                };
                if fits {
                    return flag(x, y, left, role, words.clone(), None);
                }
            }
        }
        let [_, words] = tried;
        flag(x, y, x > self.plan.width / 2, role, words, None)
    }

    /// Beside a saved position outside the log: what will decide, and where that leads.
    pub(super) fn notes(&self, marks: &[Mark]) -> (Vec<Tag>, Option<Line>) {
        let saved = [
            (MarkKind::Committed, self.reader.committed),
            (MarkKind::Outside, self.reader.outside),
        ];
        let inside = |at: Boundary| at >= self.now.log_start && at <= self.now.log_end;
        let found = saved.into_iter().find_map(|(kind, at)| {
            let at = at.filter(|at| !inside(*at))?;
            Some((marks.iter().find(|m| m.kind == kind)?, at))
        });
        let Some((mark, saved)) = found else {
            return (Vec::new(), None);
        };
        let reset = self.reader.reset.as_deref().unwrap_or("latest");
        let mut setting = String::from("auto.offset.reset=");
        setting.push_str(reset);
        let flag = mark.flag.rect;
        let (right, left) = (flag.x + flag.w + 6, flag.x - 6);
        // Whole beside the flag, else short, where no pole crosses it; else whole over the poles.
        let y = flag.y + 13;
        let [long, brief] = [&*setting, reset].map(|what| say::out_of_range(self.lang, what));
        let place = |x: i32, anchor: Anchor, words: &str| {
            let tag = Tag::new(x, y, anchor, Role::Client, words);
            (tag.ground.x >= 1 && tag.ground.x + tag.ground.w < self.plan.width).then_some(tag)
        };
        let tried = [
            place(right, Anchor::Start, &long),
            place(left, Anchor::End, &long),
            place(right, Anchor::Start, &brief),
            place(left, Anchor::End, &brief),
        ];
        let crossed = |tag: &Tag| {
            let lines = marks.iter().flat_map(|m| &m.lines);
            let ground = tag.ground;
            lines.into_iter().any(|l| {
                (ground.x - 3..ground.x + ground.w + 3).contains(&l.x1)
                    && l.y1 < ground.y + ground.h
                    && l.y2 > ground.y
            })
        };
        let mut tried: Vec<Tag> = tried.into_iter().flatten().collect();
        let free = tried.iter().position(|tag| !crossed(tag)).unwrap_or(0);
        let words = (free < tried.len()).then(|| tried.swap_remove(free));
        let target = match reset {
            "earliest" => Some(self.now.log_start),
            "latest" => Some(self.now.visible_end(self.isolation)),
            _ => None,
        };
        let y = flag.y - 5;
        let (x1, x2) = (self.x(saved), target.map(|t| self.x(t)));
        let resume = x2.filter(|x2| *x2 != x1).map(|x2| Line {
            x1,
            y1: y,
            x2,
            y2: y,
        });
        (words.into_iter().collect(), resume)
    }
}

/// The lines of a boundary and their width in tenths of a px.
fn lines(kind: MarkKind, x: i32, shared: bool, wide: bool) -> ([Option<i32>; 2], i32) {
    match (kind, shared) {
        (MarkKind::LogEnd, true) => ([Some(x + 1), Some(x + 3)], 11),
        (MarkKind::LogEnd, false) if wide => ([Some(x - 2), Some(x + 2)], 15),
        (MarkKind::LogEnd, false) => ([Some(x - 1), Some(x + 1)], 11),
        (MarkKind::HighWatermark | MarkKind::LastStable, true) if wide => ([Some(x - 2), None], 20),
        (MarkKind::HighWatermark | MarkKind::LastStable, true) => ([Some(x - 1), None], 16),
        (MarkKind::LogStart, _) => ([Some(x), None], 20),
        _ => ([Some(x), None], if wide { 25 } else { 20 }),
    }
}
