//! The log in which commits lie.

use super::stage::rows;
use super::{line, text};
use crate::view::commits::CommitLog;
use yew::{Html, html};

/// The whole drawing, without the box around it.
pub fn commits(log: &CommitLog) -> Html {
    html! {
        <svg class="draw commits" viewBox={format!("0 0 {} {}", log.width, log.height)} aria-hidden="true">
            <g>{ for log.hairs.iter().map(|l| line(l, "hair")) }</g>
            <g>{ for log.head.iter().map(text) }</g>
            <g>{ for log.labels.iter().map(text) }</g>
            <g>{ rows(&log.rows, None) }</g>
        </svg>
    }
}
