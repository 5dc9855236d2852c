//! Where things stand on a ruler.

use super::axis::Axis;
use super::{Look, RulerInput, all_marks, furthest};
use crate::kafka::ids::Boundary;
use crate::view::stage::Layout;

/// From lane to lane of flags.
pub const LANE: i32 = 20;
/// How many lanes stand above the log.
const SERVER_LANES: i32 = 4;
/// A track's line of words.
const HEAD: i32 = 27;
/// The lane of the consequence, above the cells.
pub const BAND: i32 = 24;
/// Between the cells and the first lane below: an arrow has room there.
const BELOW: i32 = 10;
/// Places that a fold takes.
const FOLD: i32 = 2;

/// The measures of one ruler.
pub struct Plan {
    /// Width of the whole.
    pub width: i32,
    /// Where boundary 0 stands.
    pub left: i32,
    /// From boundary to boundary.
    pub pitch: i32,
    /// Between two cells.
    pub gutter: i32,
    /// Height of a cell.
    pub cell: i32,
    /// From bracket to bracket.
    pub bracket: i32,
    /// Rulers of 640 px have room for whole subtractions and instruments.
    pub wide: bool,
    /// How many tracks.
    pub readers: usize,
    lanes_below: i32,
    /// Which number stands where.
    pub axis: Axis,
}

impl Plan {
    /// The measures for a step.
    pub fn new(before: Option<&RulerInput>, now: &RulerInput, look: &Look) -> Plan {
        let (width, mut left, pitches, gutter): (i32, i32, &[i32], i32) = match look.layout {
            Layout::Wide => (640, 24, &[44, 40, 36, 32, 28], 6),
            Layout::Phone => (336, 14, &[30, 26, 24], 4),
            Layout::Narrow => (296, 12, &[26, 24, 22], 4),
        };
        let wide = look.layout == Layout::Wide;
        let right = if wide { 16 } else { 8 };
        let space = width - left - right;
        let mut marks = Vec::new();
        let mut end = furthest(now);
        all_marks(now, &mut marks);
        if let Some(before) = before {
            all_marks(before, &mut marks);
            end = end.max(furthest(before));
        }
        let extent = look.needs.extent.max(end);
        // A short log has room before it for the flags of its beginning, and wide places.
        let (before_it, widest) = match look.layout {
            Layout::Wide => (72, 58),
            Layout::Phone => (44, 44),
            Layout::Narrow => (44, 40),
        };
        let short = i64::from((space - before_it) / pitches[0]) >= extent;
        if short {
            left += before_it;
        }
        let space = width - left - right;
        let fitting = pitches.iter().find(|p| i64::from(space / **p) >= extent);
        let (mut pitch, axis) = match fitting {
            Some(pitch) => (*pitch, Axis::new(extent, &[], i32::MAX, FOLD)),
            None => {
                let least = pitches.last().copied().unwrap_or(22);
                (least, Axis::new(end, &marks, space / least, FOLD))
            }
        };
        if short {
            pitch = (space / axis.slots.max(1)).min(widest);
        }
        // More boundaries far apart than there is room: places shrink, digits go.
        if axis.slots * pitch > space {
            pitch = space / axis.slots;
        }
        Plan {
            width,
            left,
            pitch,
            gutter: gutter.min(pitch / 3),
            cell: if wide { 38 } else { 28 },
            bracket: if wide { 30 } else { 25 },
            wide,
            readers: look.needs.readers.max(now.readers.len()).max(1),
            lanes_below: 3 + i32::from(
                look.needs.outside || now.readers.iter().any(|r| r.outside.is_some()),
            ),
            axis,
        }
    }

    /// How many places there are, those of records to come too.
    pub fn places(&self) -> i32 {
        match self.axis.folds().next() {
            Some(_) => self.axis.slots,
            None => {
                let right = if self.wide { 16 } else { 8 };
                self.axis
                    .slots
                    .max((self.width - right - self.left) / self.pitch)
            }
        }
    }

    /// x of a boundary.
    pub fn x(&self, at: Boundary) -> i32 {
        self.left + self.axis.slot(at.0) * self.pitch
    }

    fn track_height(&self) -> i32 {
        HEAD + BAND + self.cell + BELOW + LANE * self.lanes_below + self.bracket * self.rows() + 6
    }

    /// How many brackets a track has.
    fn rows(&self) -> i32 {
        if self.readers > 1 { 1 } else { 3 }
    }

    /// The top of a track. The first one has the brokers' lanes between its head and its cells.
    pub fn track_y(&self, at: usize) -> i32 {
        let above = if at > 0 { SERVER_LANES * LANE } else { 0 };
        2 + above + at as i32 * self.track_height()
    }

    /// Height of the whole.
    pub fn height(&self) -> i32 {
        2 + SERVER_LANES * LANE + self.readers as i32 * self.track_height()
    }

    /// The top of a lane of the brokers, 0 the highest.
    pub fn server_lane(&self, track: i32, lane: i32) -> i32 {
        track + HEAD + lane * LANE
    }

    /// The top of a track's band.
    pub fn band_y(&self, track: i32, first: bool) -> i32 {
        track + HEAD + if first { SERVER_LANES * LANE } else { 0 }
    }

    /// The top of a track's cells.
    pub fn cells_y(&self, track: i32, first: bool) -> i32 {
        self.band_y(track, first) + BAND
    }

    /// The top of a client's lane, 0 the nearest to the cells.
    pub fn client_lane(&self, track: i32, first: bool, lane: i32) -> i32 {
        self.cells_y(track, first) + self.cell + BELOW + lane * LANE
    }

    /// The line of a bracket, 0 the highest.
    pub fn bracket_y(&self, track: i32, first: bool, row: i32) -> i32 {
        self.client_lane(track, first, self.lanes_below) + 14 + row * self.bracket
    }
}
