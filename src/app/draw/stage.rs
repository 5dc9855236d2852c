//! The stage of one partition: clients, rows, messages.

use super::row::{RowView, crossing};
use super::{badge, line, text};
use crate::view::Target;
use crate::view::stage::{Arrow, ArrowKind, ArrowState, ClientLine, Row, Stage};
use yew::prelude::*;

/// The whole drawing, without the box around it.
pub fn stage(s: &Stage, lit: Option<Target>) -> Html {
    html! {
        <svg class="draw" viewBox={format!("0 0 {} {}", s.width, s.height)} aria-hidden="true">
            // A group each: lists of changing length side by side would take each other's
            // elements, and a boundary that is made anew does not slide.
            <g>{ for s.hairs.iter().map(|l| line(l, "hair")) }</g>
            <g>{ for s.clients.iter().map(client) }</g>
            <g>{ rows(&s.rows, lit) }</g>
            <g>{ for s.crosses.iter().map(crossing) }</g>
            <g>{ for s.arrows.iter().map(wire) }</g>
            <g>{ for s.arrows.iter().map(message) }</g>
            <g>{ for s.captions.iter().map(text) }</g>
        </svg>
    }
}

/// Rows, each only with the light that falls on it.
pub fn rows(rows: &[Row], lit: Option<Target>) -> Html {
    rows.iter()
        .map(|row| {
            let own = lit.filter(|t| match t {
                Target::Broker(b)
                | Target::LogEnd(b)
                | Target::HighWatermark(b)
                | Target::Record(b, _) => *b == row.broker,
            });
            html! { <RowView key={row.broker.0} row={row.clone()} lit={own} /> }
        })
        .collect()
}

fn client(c: &ClientLine) -> Html {
    let mut way = String::new();
    for (i, (x, y)) in c.way.iter().enumerate() {
        way.push_str(&format!("{}{x} {y}", if i == 0 { 'M' } else { 'L' }));
    }
    html! {
        <g key={c.name.clone()} class="strip-line">
            { for c.parts.iter().map(badge) }
            if !way.is_empty() {
                <path class="way-ground" d={way.clone()} />
                <path class="way" d={way} />
            }
        </g>
    }
}

fn looks(a: &Arrow) -> Classes {
    let kind = match a.kind {
        ArrowKind::Fetch => "fetch",
        ArrowKind::Answer => "answer",
        ArrowKind::Diverging => "diverging",
    };
    let state = match a.state {
        ArrowState::Arrived => None,
        ArrowState::OnItsWay => Some("on-its-way"),
        ArrowState::Lost => Some("astray"),
    };
    classes!("arrow", kind, state)
}

/// All wires lie under all boxes, so that no wire crosses another message's words.
fn wire(a: &Arrow) -> Html {
    html! { <g key={a.key.clone()} class={looks(a)}>{ line(&a.line, "wire") }</g> }
}

fn message(a: &Arrow) -> Html {
    let r = &a.rect;
    // A message moves along its wire; which way, the style sheet has to be told by a class.
    let way = if a.line.y2 < a.line.y1 { "up" } else { "down" };
    html! {
        <g key={a.key.clone()} class={looks(a)}>
            <g class={classes!("msg", way)}>
                if r.w > 0 {
                    <rect x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} rx="6" />
                }
                { for a.label.iter().map(text) }
            </g>
        </g>
    }
}
