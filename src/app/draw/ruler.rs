//! The ruler of a partition.

use super::row::{cell, flag, ghost, mark};
use super::{icon, line, text};
use crate::view::ruler::{Ahead, Band, Bracket, Ruler, Tag, Track};
use crate::view::{Icon, Line, Role};
use yew::{Html, classes, html};

/// The whole drawing, without the box around it.
pub fn ruler(r: &Ruler, predicted: Option<(Line, String)>) -> Html {
    html! {
        <svg class="draw ruler" viewBox={format!("0 0 {} {}", r.width, r.height)} aria-hidden="true">
            { for r.tracks.iter().map(track) }
            { for predicted.map(|(at, label)| guess(&at, label)) }
        </svg>
    }
}

/// What the reader predicted: a broken line with a hollow sign, labelled as the reader's.
fn guess(at: &Line, label: String) -> Html {
    // Towards the middle of the drawing, so that it does not leave it.
    let (x, anchor) = match at.x1 < 160 {
        true => (at.x1 + 9, "start"),
        false => (at.x1 - 9, "end"),
    };
    html! {
        <g class="predicted">
            { line(at, "guess-line") }
            <path class="guess-sign" d={format!("M{} {}l5 5-5 5-5-5z", at.x2, at.y2 - 5)} />
            <text class="guess-label" x={x.to_string()} y={(at.y2 + 4).to_string()} text-anchor={anchor}>{ label }</text>
        </g>
    }
}

/// Lines first, then what stands over them on a ground of its own.
fn track(t: &Track) -> Html {
    html! {
        <g>
            { text(&t.head) }
            <g>{ for t.guides.iter().map(|g| line(&g.line, if g.stable { "guide-lso" } else { "guide-hw" })) }</g>
            <g>{ for t.folds.iter().map(|f| html! { <>{ rect(&f.rect, "fold-cell", 5) }{ text(&f.label) }</> }) }</g>
            { ahead(&t.ahead) }
            <g>{ for t.cells.iter().map(|c| cell(c, false)) }</g>
            <g>{ for t.ghosts.iter().map(ghost) }</g>
            <g>{ for t.marks.iter().map(mark) }</g>
            <g>{ for t.resume.iter().map(|l| line(l, "shift resume")) }</g>
            <g>{ for t.band.iter().map(band) }</g>
            <g>{ for t.brackets.iter().map(bracket) }</g>
            <g>{ for t.marks.iter().map(|m| flag(m, false)) }</g>
            <g>{ for t.notes.iter().map(tag) }</g>
        </g>
    }
}

fn ahead(a: &Ahead) -> Html {
    html! {
        <g class="to-come">
            { for a.line.iter().map(|l| line(l, "scale")) }
            { for a.ticks.iter().map(|l| line(l, "scale")) }
            { for a.numbers.iter().map(text) }
        </g>
    }
}

fn rect(r: &crate::view::Rect, class: &'static str, rx: i32) -> Html {
    html! {
        <rect {class} x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} rx={rx.to_string()} />
    }
}

fn tag(t: &Tag) -> Html {
    html! { <>{ rect(&t.ground, "ground", 0) }{ text(&t.text) }</> }
}

/// A line with a leg at each end, `up` px above and `down` below it.
fn ends(l: &Line, up: i32, down: i32) -> String {
    let mut d = String::new();
    for (sign, n) in [
        ('M', l.x1),
        (' ', l.y1 - up),
        ('V', l.y1 + down),
        ('M', l.x1),
        (' ', l.y1),
        ('H', l.x2),
        ('M', l.x2),
        (' ', l.y2 - up),
        ('V', l.y2 + down),
    ] {
        d.push(sign);
        d.push_str(&n.to_string());
    }
    d
}

fn band(b: &Band) -> Html {
    let (sign, x, y) = b.sign;
    let role = b.label.text.role;
    html! {
        <g class={if b.loss { "band loss" } else { "band" }}>
            <path class="limb" d={ends(&b.line, 0, 5)} />
            { tag(&b.label) }
            { icon::at(sign, x, y, role) }
        </g>
    }
}

fn bracket(b: &Bracket) -> Html {
    html! {
        <g class={classes!("bracket", b.negative.then_some("reversed"), b.wrong.is_some().then_some("loss"))}>
            { for b.line.iter().map(|l| html! { <path class="limb" d={ends(l, 6, 6)} /> }) }
            { for b.wrong.iter().map(|(x, y)| icon::at(Icon::Cross, x - 6, y - 6, Role::Alert)) }
            { tag(&b.label) }
            { for b.by.iter().map(tag) }
        </g>
    }
}
