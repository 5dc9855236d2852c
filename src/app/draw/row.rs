//! One replica's row. A component of its own, keyed by broker: a step that does not touch a
//! replica does not touch its elements.

use super::{badge, icon, line, points, text};
use crate::view::stage::{Cell, CellKind, Flag, Frame, Ghost, Mark, Row};
use crate::view::{Icon, Target};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct RowProps {
    pub row: Row,
    /// What a formula's token points to, if it is in this row.
    pub lit: Option<Target>,
}

#[component]
pub fn RowView(props: &RowProps) -> Html {
    let row = &props.row;
    let away = row.frame == Frame::Away;
    let r = &row.area;
    let lit = |target: Target| props.lit == Some(target);
    html! {
        <g class={classes!("row", away.then_some("away"))}>
            if away {
                <rect class="frame-away" x={(r.x + 3).to_string()} y={(r.y + 3).to_string()} width={(r.w - 6).to_string()} height={(r.h - 6).to_string()} rx="6" />
            }
            if lit(Target::Broker(row.broker)) {
                <rect class="lit" x={(r.x + 2).to_string()} y={(r.y + 2).to_string()} width={(r.w - 4).to_string()} height={(r.h - 4).to_string()} rx="6" />
            }
            { text(&row.name) }
            <g>{ for row.badges.iter().map(badge) }</g>
            if let Some(fold) = &row.fold {
                <rect class="fold-cell" x={fold.rect.x.to_string()} y={fold.rect.y.to_string()} width={fold.rect.w.to_string()} height={fold.rect.h.to_string()} rx="5" />
                { text(&fold.label) }
            }
            <g>{ for row.cells.iter().map(|c| cell(c, lit(Target::Record(row.broker, c.offset)))) }</g>
            <g>{ for row.epochs.iter().map(text) }</g>
            <g>{ for row.ghosts.iter().map(ghost) }</g>
            <g>{ for row.marks.iter().map(mark) }</g>
            <g>{ for row.marks.iter().map(|m| flag(m, m.flag.target.is_some_and(lit))) }</g>
            <g>{ for row.notes.iter().map(badge) }</g>
        </g>
    }
}

pub fn cell(c: &Cell, lit: bool) -> Html {
    let r = &c.rect;
    let foot = c.kind.foot();
    html! {
        <g key={c.offset.0} class={classes!("cell", c.kind.class(), c.fresh.then_some("fresh"), c.muted.then_some("quiet"), lit.then_some("lit-cell"))}>
            <rect class="body" x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} rx={(r.w / 4).clamp(2, 5).to_string()} />
            if foot > 0 {
                <rect class="foot" x={(r.x + 1).to_string()} y={(r.y + r.h - foot - 1).to_string()} width={(r.w - 2).to_string()} height={foot.to_string()} rx="3" />
            }
            if c.kind == CellKind::Open {
                <path class="corner" d={format!("M{} {}h-9l9 9z", r.x + r.w - 1, r.y + 1)} />
            }
            if c.kind == CellKind::Aborted {
                <path class="struck" d={format!("M{} {}H{}", r.x + 4, r.y + r.h / 2, r.x + r.w - 4)} />
            }
            if matches!(c.kind, CellKind::Control | CellKind::HiddenControl) {
                <path class="stroke" d={format!("M{} {}L{} {}", r.x + 3, r.y + r.h - 4, r.x + r.w - 3, r.y + 4)} />
            }
            if c.kind == CellKind::Cut {
                <path class="strike" d={format!("M{} {}H{}", r.x - 2, r.y + r.h / 2, r.x + r.w + 2)} />
            }
            if let Some(value) = &c.value {
                { text(value) }
            }
            if !c.label.text.is_empty() {
                { text(&c.label) }
            }
        </g>
    }
}

pub fn ghost(g: &Ghost) -> Html {
    html! {
        <g class={classes!("trail", g.kind.class())}>
            { line(&g.line, "was") }
            if let Some(arrow) = &g.arrow {
                { line(arrow, "shift") }
            }
        </g>
    }
}

/// The gap a boundary stands in. Its lines and its flag are placed from there, so that a move is
/// one change of one `transform`, which the style sheet animates.
fn gap(m: &Mark) -> (i32, i32) {
    m.lines.first().map_or((0, 0), |l| (l.x1, l.y1))
}

fn moved(m: &Mark) -> String {
    let (x, y) = gap(m);
    format!("translate({x} {y})")
}

pub fn mark(m: &Mark) -> Html {
    let (x, y) = gap(m);
    let width = format!("{}.{}", m.line_width / 10, m.line_width % 10);
    html! {
        <g key={m.kind.class()} class={classes!("mark", m.kind.class(), m.muted.then_some("quiet"))} transform={moved(m)} stroke-width={width}>
            { for m.lines.iter().map(|l| html! {
                <line x1={(l.x1 - x).to_string()} y1={(l.y1 - y).to_string()} x2={(l.x2 - x).to_string()} y2={(l.y2 - y).to_string()} />
            }) }
        </g>
    }
}

pub fn flag(m: &Mark, lit: bool) -> Html {
    let from = gap(m);
    let Flag {
        points: outline,
        label,
        ..
    } = &m.flag;
    html! {
        <g key={m.kind.class()} class={classes!("flag", m.kind.class(), m.muted.then_some("quiet"), m.moved.then_some("moved"), lit.then_some("lit-flag"))} transform={moved(m)}>
            <polygon points={points(outline, from)} />
            <text x={(label.x - from.0).to_string()} y={(label.y - from.1).to_string()} class={label.role.class()} text-anchor={label.anchor.as_str()}>{ &label.text }</text>
        </g>
    }
}

/// The sign of a place where rows differ.
pub fn crossing(c: &crate::view::stage::Crossing) -> Html {
    debug_assert!(c.icon == Icon::Cross);
    icon::at(c.icon, c.x - 6, c.y - 6, c.role)
}
