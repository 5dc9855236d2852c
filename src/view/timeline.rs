//! The line of steps: a dot a step, arcs from the causes to the step shown.

use super::Line;

/// The line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Width, px.
    pub width: i32,
    /// Height, px.
    pub height: i32,
    /// The whole line.
    pub line: Line,
    /// The part already walked.
    pub walked: Line,
    /// A dot a step.
    pub dots: Vec<Dot>,
    /// From a cause to the step shown: a path's `d`.
    pub arcs: Vec<Arc>,
}

/// A step's dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dot {
    /// Which step, from 0.
    pub step: u32,
    /// Its middle, x.
    pub x: i32,
    /// Its middle, y.
    pub y: i32,
    /// Before, at or behind the step shown.
    pub state: DotState,
    /// The author marked it (a turning point).
    pub marker: bool,
}

/// Where a dot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DotState {
    /// Walked.
    Past,
    /// Shown.
    Here,
    /// To come.
    Ahead,
}

/// A cause's arc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The step it comes from.
    pub step: u32,
    /// A quadratic curve: from, over, to.
    pub points: [(i32, i32); 3],
}

/// The line for `steps` steps (numbers 0 to steps - 1), the shown one being `at`.
pub fn timeline(width: i32, steps: u32, at: u32, markers: &[u32], causes: &[u32]) -> Timeline {
    let (height, edge) = (30, 10);
    let y = height / 2;
    let x = |i: u32| match steps {
        0 | 1 => edge,
        _ => edge + (i as i32 * (width - 2 * edge)) / (steps as i32 - 1),
    };
    Timeline {
        width,
        height,
        line: Line {
            x1: edge,
            y1: y,
            x2: width - edge,
            y2: y,
        },
        walked: Line {
            x1: edge,
            y1: y,
            x2: x(at),
            y2: y,
        },
        dots: (0..steps)
            .map(|step| Dot {
                step,
                x: x(step),
                y,
                state: match step.cmp(&at) {
                    std::cmp::Ordering::Less => DotState::Past,
                    std::cmp::Ordering::Equal => DotState::Here,
                    std::cmp::Ordering::Greater => DotState::Ahead,
                },
                marker: markers.contains(&step),
            })
            .collect(),
        arcs: causes
            .iter()
            .filter(|&&step| step < at)
            .map(|&step| Arc {
                step,
                points: [
                    (x(step), y - 4),
                    ((x(step) + x(at)) / 2, -4),
                    (x(at), y - 9),
                ],
            })
            .collect(),
    }
}
