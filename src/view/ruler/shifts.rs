//! Arrows from where boundaries stood to where they stand: one for all that moved alike, and never
//! over a flag.

use super::{Of, Tag, Track};
use crate::view::stage::geometry::FLAG;
use crate::view::stage::{Ghost, MarkKind};
use crate::view::{Line, Rect, Text};

/// From an arrow's line to what stands above or below it.
const CLEAR: i32 = 4;
/// From an arrow to the topmost flag of those that moved.
const OVER: i32 = 6;

fn is_server(kind: MarkKind) -> bool {
    use MarkKind::{HighWatermark, LastStable, LogEnd, LogStart};
    matches!(kind, LogEnd | HighWatermark | LastStable | LogStart)
}

/// What an arrow takes.
fn room(l: &Line) -> Rect {
    Rect {
        x: l.x1.min(l.x2),
        y: l.y1 - CLEAR,
        w: (l.x2 - l.x1).abs(),
        h: 2 * CLEAR,
    }
}

fn meet(a: &Rect, b: &Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

fn words(t: &Text) -> Rect {
    Tag::new(t.x, t.y, t.anchor, t.role, &t.text).ground
}

impl Of<'_> {
    /// Gives the boundaries that moved their arrows.
    pub(super) fn shifts(&self, track: &mut Track) {
        let mut taken: Vec<Rect> = track.marks.iter().map(|m| m.flag.rect).collect();
        taken.push(words(&track.head));
        taken.extend(track.notes.iter().map(|n| n.ground));
        taken.extend(track.resume.iter().map(room));
        if let Some(band) = &track.band {
            taken.push(band.label.ground);
            taken.push(room(&band.line));
        }
        let to = |g: &Ghost| {
            let mark = track.marks.iter().find(|m| m.kind == g.kind);
            mark.map(|m| (self.x(m.at), m.flag.rect))
        };
        let mut done: Vec<(i32, i32, bool)> = Vec::new();
        let mut arrows: Vec<(usize, Line)> = Vec::new();
        for (n, ghost) in track.ghosts.iter().enumerate() {
            let Some((x, _)) = to(ghost) else { continue };
            let key = (ghost.line.x1, x, is_server(ghost.kind));
            if done.contains(&key) {
                continue;
            }
            done.push(key);
            // The last of those that moved alike gives the arrow its colour.
            let mut last = n;
            let mut flags = Vec::new();
            for (n, other) in track.ghosts.iter().enumerate() {
                let Some((x, flag)) = to(other) else { continue };
                if (other.line.x1, x, is_server(other.kind)) == key {
                    last = n;
                    flags.push(flag);
                }
            }
            let ways = self.ways(key, &flags);
            let free = ways.into_iter().find(|l| {
                let own = room(l);
                !taken.iter().any(|other| meet(&own, other))
            });
            if let Some(line) = free {
                taken.push(room(&line));
                arrows.push((last, line));
            }
        }
        for (n, line) in arrows {
            track.ghosts[n].arrow = Some(line);
        }
    }

    /// Where an arrow may run, the best first: over the flags, beside one of them, in the gap
    /// between flags and cells, in a lane where nothing stands.
    fn ways(&self, (from, to, server): (i32, i32, bool), flags: &[Rect]) -> Vec<Line> {
        let sign = (to - from).signum();
        let (x1, x2) = (from + 2 * sign, to - 2 * sign);
        let level = |y: i32| Line {
            x1,
            y1: y,
            x2,
            y2: y,
        };
        let plan = self.plan;
        let cells = plan.cells_y(self.y, self.first);
        let mut all: Vec<Line> = Vec::new();
        all.extend(flags.iter().map(|f| f.y).min().map(|top| level(top - OVER)));
        for flag in flags {
            let mut line = level(flag.y + FLAG / 2);
            let (left, right) = (flag.x - CLEAR, flag.x + flag.w + CLEAR);
            match sign {
                1.. if left < x2 => line.x2 = left,
                ..=-1 if right > x2 => line.x2 = right,
                _ => {}
            }
            if (line.x2 - x1) * sign >= 14 {
                all.push(line);
            }
        }
        let (gap, lane): (i32, &dyn Fn(i32) -> i32) = match server {
            true => (cells - OVER, &|n| plan.server_lane(self.y, n)),
            false => (cells + plan.cell + OVER - 1, &|n| {
                plan.client_lane(self.y, self.first, n)
            }),
        };
        all.push(level(gap));
        all.extend((0..4).map(|n| level(lane(n) + FLAG / 2)));
        all
    }
}
