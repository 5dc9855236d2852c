//! Where things stand. One axis for all rows: boundary `k` is at `x0 + k * pitch`, cells lie
//! between, a gutter keeps boundaries off the cells.

use super::Layout;
use crate::kafka::ids::Boundary;
use crate::view::width::width;
use crate::view::{Rect, Role};

/// The measures of a drawing of logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Width of the whole, px.
    pub width: i32,
    /// Where boundary 0 stands while nothing is folded.
    pub x0: i32,
    /// From boundary to boundary.
    pub pitch: i32,
    /// Between two cells; a boundary has its middle.
    pub gutter: i32,
    /// Height of a cell.
    pub cell: i32,
    /// Top of the first row.
    pub top: i32,
    /// Height of a row.
    pub row: i32,
    /// From a row's top to its lane of flags.
    pub lane: i32,
    /// Names stand left of the cells (else above them).
    pub names_left: bool,
    /// Names are drawn at all.
    pub named: bool,
    /// The type of numbers in cells.
    pub digits: Role,
    /// How many places the folded front takes.
    pub fold_slots: i32,
    /// The first record that is not folded; 0: nothing is.
    pub base: i64,
}

/// From the lane of flags to the cells below it.
pub const LANE: i32 = 22;
/// Height of a flag.
pub const FLAG: i32 = 17;
/// From the cells' bottom to the end of a boundary's line.
pub const TAIL: i32 = 3;

impl Geometry {
    /// The stage of `rows` brokers.
    pub fn stage(layout: Layout, rows: i32) -> Geometry {
        match layout {
            Layout::Wide => {
                let row = match rows {
                    ..=3 => 104,
                    4 => 86,
                    _ => 70,
                };
                Geometry {
                    width: 640,
                    x0: 228,
                    pitch: 40,
                    gutter: 6,
                    cell: if row == 104 { 38 } else { 32 },
                    top: 38,
                    row,
                    lane: match row {
                        104 => 22,
                        86 => 13,
                        _ => 2,
                    },
                    names_left: true,
                    named: true,
                    digits: Role::Offset,
                    fold_slots: 1,
                    base: 0,
                }
            }
            Layout::Phone => Geometry {
                width: 336,
                x0: 52,
                pitch: 30,
                gutter: 4,
                cell: 36,
                top: 4,
                row: 104,
                lane: 27,
                names_left: false,
                named: true,
                digits: Role::Offset,
                fold_slots: 1,
                base: 0,
            },
            Layout::Narrow => Geometry {
                width: 296,
                x0: 52,
                pitch: 22,
                gutter: 4,
                cell: 36,
                top: 4,
                row: 120,
                lane: 43,
                names_left: false,
                named: true,
                digits: Role::Mono,
                fold_slots: 2,
                base: 0,
            },
        }
    }

    /// Small rows with names above: a panel beside something else.
    pub fn compact(width: i32, named: bool) -> Geometry {
        Geometry {
            width,
            x0: 52,
            pitch: 26,
            gutter: 4,
            cell: if named { 26 } else { 24 },
            top: 0,
            row: if named { 98 } else { 50 },
            lane: if named { 28 } else { 2 },
            names_left: false,
            named,
            digits: Role::Mono,
            fold_slots: 2,
            base: 0,
        }
    }

    /// How many places are there, so that the flag of the last boundary stays inside.
    pub fn slots(&self, widest_flag: &str) -> i32 {
        (self.width - 4 - self.x0 - flag_width(widest_flag)) / self.pitch
    }

    /// The drawing for logs that end at `end`, folded if they are too long for it. The fold grows
    /// by some records at a time, so that the axis seldom moves.
    pub fn folded(mut self, end: Boundary) -> Geometry {
        let flag = format!("LEO {}", end.0.max(0));
        let slots = self.slots(&flag);
        if end.0 > i64::from(slots) {
            let visible = i64::from((slots - self.fold_slots).max(1));
            let by = (visible / 2).clamp(1, 4);
            self.base = (end.0 - visible + by - 1).div_euclid(by) * by;
        }
        self
    }

    /// x of a boundary. What lies in the fold stands at the fold's end.
    pub fn x(&self, at: Boundary) -> i32 {
        if self.base == 0 {
            self.x0 + at.0.max(0) as i32 * self.pitch
        } else {
            self.x0 + (self.fold_slots + (at.0 - self.base).max(0) as i32) * self.pitch
        }
    }

    /// Whether a boundary is inside the folded part.
    pub fn in_fold(&self, at: Boundary) -> bool {
        at.0 < self.base
    }

    /// A row's top.
    pub fn row_top(&self, row: usize) -> i32 {
        self.top + row as i32 * self.row
    }

    /// The top of a row's flags.
    pub fn lane_y(&self, row: usize) -> i32 {
        self.row_top(row) + self.lane
    }

    /// The top of a row's cells.
    pub fn cell_y(&self, row: usize) -> i32 {
        self.lane_y(row) + LANE
    }

    /// The place of a record in a row.
    pub fn record(&self, row: usize, offset: i64) -> Rect {
        Rect {
            x: self.x(Boundary(offset)) + self.gutter / 2,
            y: self.cell_y(row),
            w: self.pitch - self.gutter,
            h: self.cell,
        }
    }

    /// The place of the fold in a row.
    pub fn fold(&self, row: usize) -> Rect {
        Rect {
            x: self.x0 + self.gutter / 2,
            y: self.cell_y(row),
            w: self.fold_slots * self.pitch - self.gutter,
            h: self.cell,
        }
    }
}

/// The width of a flag with these words.
pub fn flag_width(words: &str) -> i32 {
    width(words, Role::Strong) + 14
}
