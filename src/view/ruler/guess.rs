//! Where a reader predicted a boundary, drawn hollow across the cells.

use super::plan::Plan;
use super::{Look, RulerInput};
use crate::kafka::ids::Boundary;
use crate::view::Line;

/// The line of a predicted boundary; `None`: the drawing does not reach so far.
pub fn guess(
    before: Option<&RulerInput>,
    now: &RulerInput,
    look: &Look,
    at: Boundary,
) -> Option<Line> {
    let end = now.log_end.0.max(look.needs.extent);
    if !(0..=end).contains(&at.0) {
        return None;
    }
    let plan = Plan::new(before, now, look);
    let (x, top) = (plan.x(at), plan.cells_y(plan.track_y(0), true));
    Some(Line {
        x1: x,
        y1: top - 10,
        x2: x,
        y2: top + plan.cell + 6,
    })
}
