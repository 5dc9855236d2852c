//! Drawing: each structure of `view` as the SVG it stands for. Elements have classes and plain
//! SVG attributes; colours and motion are the style sheet's.

pub mod commits;
pub mod icon;
pub mod mini;
pub mod row;
pub mod ruler;
pub mod stage;

use crate::view::{Anchor, Badge, Line, Text};
use yew::{Html, html};

pub fn text(t: &Text) -> Html {
    html! {
        <text x={t.x.to_string()} y={t.y.to_string()} class={t.role.class()} text-anchor={anchor(t.anchor)}>
            { &t.text }
        </text>
    }
}

/// `None` for the default, to save an attribute on most texts.
fn anchor(a: Anchor) -> Option<&'static str> {
    (a != Anchor::Start).then(|| a.as_str())
}

pub fn line(l: &Line, class: &'static str) -> Html {
    html! {
        <line x1={l.x1.to_string()} y1={l.y1.to_string()} x2={l.x2.to_string()} y2={l.y2.to_string()} {class} />
    }
}

/// A word with its sign.
pub fn badge(b: &Badge) -> Html {
    let words = |x: i32| {
        html! { <text x={x.to_string()} y={b.y.to_string()} class={b.role.class()}>{ &b.text }</text> }
    };
    match b.icon {
        None => words(b.x),
        Some(sign) => html! {
            <>
                { icon::at(sign, b.x, b.y - 10, b.role) }
                { words(b.x + 16) }
            </>
        },
    }
}

pub fn points(list: &[(i32, i32)], from: (i32, i32)) -> String {
    let mut out = String::new();
    for (x, y) in list {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&format!("{},{}", x - from.0, y - from.1));
    }
    out
}

/// Patterns and markers, once a page: every drawing refers to them.
pub fn defs() -> Html {
    html! {
        <svg class="defs" width="0" height="0" aria-hidden="true">
            <defs>
                <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <line x1="0" y1="0" x2="0" y2="6" class="hatch" />
                </pattern>
                <pattern id="hatch-alert" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <line x1="0" y1="0" x2="0" y2="6" class="hatch-alert" />
                </pattern>
                <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M0 0L8 4L0 8z" class="arrow-head" />
                </marker>
                <marker id="arrow-server" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M0 0L8 4L0 8z" class="server-head" />
                </marker>
                <marker id="arrow-client" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M0 0L8 4L0 8z" class="client-head" />
                </marker>
            </defs>
        </svg>
    }
}
