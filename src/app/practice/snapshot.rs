//! The snapshot: rulers and tables.

use crate::app::dom::use_width;
use crate::app::draw::{line, points, text};
use crate::text::Lang;
use crate::text::practice::page as words;
use crate::view::practice::ruler::{Cell, CellKind, Mark, MarkKind, Ruler, rulers};
use crate::view::practice::tables::{Table, Value};
use crate::view::practice::tasks::Task;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct RulersProps {
    pub lang: Lang,
    pub task: Task,
}

#[component]
pub fn Rulers(props: &RulersProps) -> Html {
    let node = use_node_ref();
    let width = use_width(&node, || 460).clamp(300, 470);
    let rulers = rulers(props.lang, props.task, width);
    html! {
        <div class="p-rulers box" ref={node}>
            <p class="p-title"><code>{ Table::PartitionState.name() }</code>{ " " }<span class="muted small">{ words::as_drawing(props.lang) }</span>
                if let Some((first, last)) = wishes(&rulers) {
                    { " " }<span class="p-legend small muted"><span class="client">{ "▲" }</span>{ format!(" {first}–{last}: ") }<code>{ Table::ReplayRequests.name() }</code></span>
                }
            </p>
            { for rulers.iter().map(ruler) }
        </div>
    }
}

/// The names of the first and the last request that the rulers show.
fn wishes(rulers: &[Ruler]) -> Option<(String, String)> {
    let all = rulers.iter().flat_map(|r| &r.wishes);
    let mut names: Vec<_> = all.map(|w| w.label.text.clone()).collect();
    names.sort();
    Some((names.first()?.clone(), names.last()?.clone()))
}

/// The rulers of the first task, for the card of the gallery.
pub fn small_rulers(lang: Lang) -> Html {
    let task = Task::of_number(1).unwrap_or(Task::Lag);
    rulers(lang, task, SMALL).iter().map(ruler).collect()
}

/// Their width, px.
const SMALL: i32 = 320;

fn ruler(r: &Ruler) -> Html {
    html! {
        <svg class="draw p-ruler" width={r.width.to_string()} height={r.height.to_string()} viewBox={format!("0 0 {} {}", r.width, r.height)} aria-hidden="true">
            { text(&r.name) }
            { for r.unit.iter().map(text) }
            { for r.cells.iter().map(cell) }
            { for r.segments.iter().map(|s| html! { <>{ line(&s.line, "p-segment") }{ text(&s.label) }</> }) }
            { for r.marks.iter().map(mark) }
            { for r.marks.iter().map(flag) }
            { for r.wishes.iter().map(|w| html! {
                <><polygon class="p-wish" points={points(&w.outline, (0, 0))} />{ text(&w.label) }</>
            }) }
        </svg>
    }
}

fn cell(c: &Cell) -> Html {
    let r = &c.rect;
    let hidden = c.kind == CellKind::Hidden;
    html! {
        <g class={classes!("cell", c.kind.class())}>
            <rect class="body" x={r.x.to_string()} y={r.y.to_string()} width={r.w.to_string()} height={r.h.to_string()} rx="4" />
            if hidden {
                <rect class="foot" x={(r.x + 1).to_string()} y={(r.y + r.h - 7).to_string()} width={(r.w - 2).to_string()} height="6" rx="3" />
            }
            if c.kind == CellKind::Marker {
                <path class="stroke" d={format!("M{} {}L{} {}", r.x + 3, r.y + r.h - 4, r.x + r.w - 3, r.y + 4)} />
            }
            { text(&c.label) }
        </g>
    }
}

fn mark(m: &Mark) -> Html {
    html! { <g class={classes!("p-mark", m.kind.class())}>{ for m.lines.iter().map(|l| line(l, "at")) }</g> }
}

fn flag(m: &Mark) -> Html {
    html! {
        <g class={classes!("p-mark", "flag", m.kind.class())}>
            <polygon points={points(&m.outline, (0, 0))} />
            { text(&m.label) }
        </g>
    }
}

#[derive(Properties, PartialEq)]
pub struct TablesProps {
    pub lang: Lang,
    pub tables: Vec<Table>,
    pub class: &'static str,
}

#[component]
pub fn Tables(props: &TablesProps) -> Html {
    let node = use_node_ref();
    let width = use_width(&node, || 460);
    html! {
        <div class={props.class} ref={node}>
            { for props.tables.iter().map(|t| table(props.lang, *t, width)) }
        </div>
    }
}

/// Rows that still fit side by side, when a table is turned for a phone.
const FEW: usize = 5;

fn table(lang: Lang, table: Table, width: i32) -> Html {
    let rows = table.rows();
    let turned = width < 400 && rows.len() <= FEW && table.columns().len() > 2;
    let caption = html! { <caption><span class="said">{ words::table(lang, table.name()) }</span><code aria-hidden="true">{ table.name() }</code></caption> };
    let body = if turned {
        html! {
            <>
                { caption }
                <tbody>{ for table.columns().iter().enumerate().map(|(at, name)| html! {
                    <tr>
                        <th scope="row" class="mono">{ key(table, name) }{ *name }</th>
                        { for rows.iter().map(|row| html! { <td class="mono">{ row[at].to_string() }</td> }) }
                    </tr>
                }) }</tbody>
            </>
        }
    } else {
        html! {
            <>
                { caption }
                <thead><tr>{ for table.columns().iter().zip(rows.first().into_iter().flatten()).map(|(name, value)| html! {
                    <th scope="col" class={side(value)}>{ key(table, name) }{ breakable(name) }</th>
                }) }</tr></thead>
                <tbody>{ for rows.iter().map(|row| html! {
                    <tr>{ for row.iter().map(|value| html! { <td class={side(value)}>{ value.to_string() }</td> }) }</tr>
                }) }</tbody>
            </>
        }
    };
    html! { <div class="box p-table" key={table.name()}><table class={classes!(turned.then_some("turned"))}>{ body }</table></div> }
}

/// Numbers stand at the right of their column, texts at its left.
fn side(value: &Value) -> &'static str {
    match value {
        Value::Int(_) => "mono",
        Value::Text(_) => "mono p-left",
    }
}

/// A name that may go on in a new line after its underscores.
fn breakable(name: &str) -> Html {
    name.split_inclusive('_')
        .map(|part| html! { <>{ part }<wbr /></> })
        .collect()
}

/// The line that a column is on the rulers.
fn key(table: Table, column: &str) -> Html {
    let kind = match (table, column) {
        (Table::PartitionState, "log_start") => MarkKind::Start,
        (Table::PartitionState | Table::LogBounds, "log_end") => MarkKind::End,
        (Table::PartitionState, "fetch_position") => MarkKind::Received,
        (Table::PartitionState, "processed_next") => MarkKind::Processed,
        (Table::PartitionState, "committed_offset") => MarkKind::Committed,
        (Table::LogBounds, "high_watermark") => MarkKind::HighWatermark,
        (Table::LogBounds, "last_stable") => MarkKind::Stable,
        _ => return Html::default(),
    };
    html! {
        <svg class="draw p-key" width="20" height="8" viewBox="0 0 20 8" aria-hidden="true">
            <g class={classes!("p-mark", kind.class())}>
                if kind == MarkKind::End {
                    <line class="at" x1="0" y1="2.5" x2="20" y2="2.5" /><line class="at" x1="0" y1="5.5" x2="20" y2="5.5" />
                } else {
                    <line class="at" x1="0" y1="4" x2="20" y2="4" />
                }
            </g>
        </svg>
    }
}
