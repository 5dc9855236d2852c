//! The ruler as plain text: for tests, and for whoever copies it.

use super::axis::Axis;
use super::brackets::{counted_by, name, said};
use super::cells::{kind, sign};
use super::lags::{self, Consequence, Instrument, LagKind, consequence};
use super::marks::{boundaries, name as flag_name};
use super::tables::what_if;
use super::{Look, Reader, RulerInput, all_marks, furthest};
use crate::kafka::ids::{Boundary, Offset};
use crate::text::{Lang, ruler as say};
use crate::view::stage::{CellKind, MarkKind};

/// Lines of letters that can be written to anywhere.
struct Paper {
    lines: Vec<Vec<char>>,
}

impl Paper {
    fn put(&mut self, line: usize, x: i32, words: &str) {
        while self.lines.len() <= line {
            self.lines.push(Vec::new());
        }
        let row = &mut self.lines[line];
        for (c, at) in words.chars().zip(x.max(0) as usize..) {
            while row.len() <= at {
                row.push(' ');
            }
            row[at] = c;
        }
    }

    /// Writes a letter where nothing stands yet.
    fn fill(&mut self, line: usize, x: i32, c: &str) {
        let old = self.lines.get(line).and_then(|l| l.get(x.max(0) as usize));
        if old.is_none_or(|c| *c == ' ') {
            self.put(line, x, c);
        }
    }
}

fn pole(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::LogEnd => "‖",
        MarkKind::HighWatermark | MarkKind::Committed => "┃",
        MarkKind::LastStable | MarkKind::Processed => "┆",
        MarkKind::LogStart => "│",
        MarkKind::Position => "┊",
        MarkKind::Outside => "¦",
    }
}

fn frame(kind: CellKind) -> [&'static str; 2] {
    match kind {
        CellKind::Hidden | CellKind::HiddenControl => ["(", ")"],
        CellKind::Ghost | CellKind::Cut => [":", ":"],
        CellKind::Aborted | CellKind::Lost => ["{", "}"],
        CellKind::Open => ["<", ">"],
        CellKind::Visible | CellKind::Control => ["[", "]"],
    }
}

fn length(words: &str) -> i32 {
    words.chars().count() as i32
}

/// A text picture of the first reader's ruler, `columns` letters wide. `[5]` is visible, `(5)`
/// not yet, `:5:` gone, `{5}` aborted, `<5>` open, `C` and `A` are markers.
pub fn describe(lang: Lang, input: &RulerInput, look: &Look, columns: i32) -> String {
    let nobody = Reader::default();
    let reader = input.readers.first().unwrap_or(&nobody);
    let isolation = look.isolation_of(reader);
    let end = furthest(input);
    let digits = length(&(end - 1).max(0).to_string());
    let (left, pitch) = (2, digits + 3);
    let mut marks = Vec::new();
    all_marks(input, &mut marks);
    let axis = Axis::new(end, &marks, (columns - left - 2) / pitch, 2);
    let x = |at: Boundary| left + axis.slot(at.0) * pitch;
    let mut paper = Paper { lines: Vec::new() };
    let mut head = match (&reader.group, reader.name.is_empty()) {
        (_, true) => input.name.clone(),
        (Some(group), _) => say::head_group(lang, &input.name, &reader.name, group),
        (None, _) => say::head(lang, &input.name, &reader.name),
    };
    if !reader.name.is_empty() {
        head.push_str(" · ");
        head.push_str(isolation.word());
    }
    paper.put(0, 0, &head);
    // Four lanes, the band, the cells, four lanes.
    let cells = 6;
    for (n, (kind, at)) in boundaries(input, reader).into_iter().enumerate() {
        let Some(at) = at else { continue };
        let line = if n < 4 { 1 + n } else { cells + n - 3 };
        let (x, words) = (x(at), flag_name(lang, kind, at));
        let room = x - length(&words) - 1;
        if room >= 0 && kind != MarkKind::LogStart {
            paper.put(line, room, &words);
            paper.put(line, x - 1, "◁");
        } else {
            paper.put(line, x + 1, "▷");
            paper.put(line, x + 2, &words);
        }
        let poles = if n < 4 {
            line..cells + 1
        } else {
            cells..line + 1
        };
        for at in poles {
            paper.fill(at, x, pole(kind));
        }
    }
    for (n, slot) in axis.cells().filter(|c| c.0 < input.log_end.0) {
        let offset = Offset(n);
        let [open, close] = frame(kind(input, isolation, offset));
        let words = sign(input, offset);
        let at = left + slot * pitch + 1;
        paper.put(cells, at, open);
        paper.put(cells, at + 1 + digits - length(&words), &words);
        paper.put(cells, at + 1 + digits, close);
    }
    for (from, to, slot) in axis.folds().filter(|f| f.0 < input.log_end.0) {
        let words = say::folded(lang, from, to.min(input.log_end.0) - 1);
        paper.put(cells, left + slot * pitch + 1, &words);
    }
    let band = match consequence(input, reader, isolation) {
        Consequence::Repeat(from, to) => Some((from, to, "↻ ", say::repeat(lang))),
        Consequence::Loss(from, to) => Some((from, to, "✕ ", say::loss(lang))),
        _ => None,
    };
    if let Some((from, to, sign, word)) = band {
        let (from, to) = (x(from) + 1, x(to) - 1);
        for at in from..=to {
            paper.put(cells - 1, at, "─");
        }
        paper.put(cells - 1, from, "┌");
        paper.put(cells - 1, to.max(from), "┐");
        let words = [sign, &*word].concat();
        let inside = length(&words) < to - from;
        let at = if inside { from + 1 } else { to + 1 };
        paper.put(cells - 1, at, &words);
    }
    if !reader.name.is_empty() {
        let mut line = cells + 4 + usize::from(reader.outside.is_some());
        for kind in LagKind::ALL {
            let lag = lags::lag(input, reader, isolation, look.instrument, kind);
            let [mut words, _] = said(lang, &name(lang, kind, look.instrument), &lag);
            words.push_str(" · ");
            words.push_str(&counted_by(lang, kind, look.instrument));
            let Some((end, from)) = lag.end.zip(lag.from) else {
                paper.put(line, left, &words);
                line += 1;
                continue;
            };
            let wrong = kind == LagKind::Committed && look.instrument == Instrument::LastRecord;
            let half = if wrong { pitch / 2 + 1 } else { 0 };
            let (a, b) = (x(from), x(Boundary(end)) + half);
            let (x1, x2) = (a.min(b), a.max(b));
            for at in x1..=x2 {
                paper.put(line, at, if a > b { "╌" } else { "─" });
            }
            paper.put(line, x1, if x1 == x2 { "┼" } else { "├" });
            if x1 < x2 {
                paper.put(line, x2, if wrong { "✕" } else { "┤" });
            }
            // Words as on the drawing: left of the bracket, else right of it, else under it.
            if x1 - 2 - length(&words) >= 0 {
                paper.put(line, x1 - 1 - length(&words), &words);
            } else if x2 + 2 + length(&words) <= columns {
                paper.put(line, x2 + 2, &words);
            } else {
                line += 1;
                paper.put(line, left, &words);
            }
            line += 1;
        }
    }
    let mut out = String::new();
    for line in &paper.lines {
        let line: String = line.iter().collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for what in what_if(lang, input, reader, isolation) {
        // Plain text has no code type.
        out.push_str(&what.replace('`', ""));
        out.push('\n');
    }
    out
}
