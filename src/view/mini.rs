//! The little picture on a gallery card: no flags, no words that answer the question.

use super::overview::Sign;
use super::stage::CellKind;
use super::{Badge, Line, Rect, Text};
use crate::kafka::ids::{TopicId, Tp};
use crate::text::Lang;
use crate::world::picture::Picture;

/// The little picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mini {
    /// Width, px.
    pub width: i32,
    /// Height, px.
    pub height: i32,
    /// Brokers' numbers or lanes' names, with signs.
    pub names: Vec<Badge>,
    /// Cells without numbers.
    pub cells: Vec<(Rect, CellKind)>,
    /// High watermarks: short thick lines.
    pub marks: Vec<Line>,
    /// Cells of a grid of partitions.
    pub grid: Vec<(Rect, Sign)>,
    /// Words beside a log.
    pub notes: Vec<Text>,
}

/// One partition's replicas.
pub fn logs(lang: Lang, picture: &Picture, tp: Tp) -> Mini {
    let _ = (lang, picture, tp);
    Mini::default()
}

/// A topic's partitions as a grid (R6).
pub fn grid(lang: Lang, picture: &Picture, topic: TopicId) -> Mini {
    let _ = (lang, picture, topic);
    Mini::default()
}

/// The leader's log in each of some lanes (R12): (name, picture).
pub fn lanes(lang: Lang, lanes: &[(&str, &Picture)], tp: Tp) -> Mini {
    let _ = (lang, lanes, tp);
    Mini::default()
}
