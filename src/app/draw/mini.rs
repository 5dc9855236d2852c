//! The little picture on a card of the gallery.

use super::{badge, line, text};
use crate::view::mini::Mini;
use yew::{Html, classes, html};

pub fn mini(m: &Mini) -> Html {
    html! {
        <svg class="draw mini" width={m.width.to_string()} height={m.height.to_string()} viewBox={format!("0 0 {} {}", m.width, m.height)} aria-hidden="true">
            { for m.names.iter().map(badge) }
            { for m.cells.iter().map(|(r, kind)| html! {
                <g class={classes!("cell", kind.class())}>
                    <rect class="body" x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} rx="3" />
                    if kind.foot() > 0 {
                        <rect class="foot" x={(r.x + 1).to_string()} y={(r.y + r.h - 5).to_string()} width={(r.w - 2).to_string()} height="4" rx="2" />
                    }
                </g>
            }) }
            { for m.marks.iter().map(|l| line(l, "mark-hw")) }
            { for m.bounds.iter().map(|(kind, l)| html! {
                <line class={classes!("mark", kind.class())} x1={l.x1.to_string()} y1={l.y1.to_string()} x2={l.x2.to_string()} y2={l.y2.to_string()} stroke-width="2" />
            }) }
            { for m.spans.iter().map(|l| line(l, "limb")) }
            { for m.grid.iter().map(|(r, sign)| html! {
                <rect class={classes!("gc", sign.class())} x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} />
            }) }
            { for m.notes.iter().map(text) }
        </svg>
    }
}
