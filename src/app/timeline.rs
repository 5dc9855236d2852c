//! The line of steps: dots are drawn, the slider over them is the browser's own.

use super::dom::{page_width, use_width};
use super::draw::line;
use super::state::{Act, Action};
use crate::text::{Lang, ui};
use crate::view::tables::Way;
use crate::view::timeline::{DotState, timeline};
use web_sys::HtmlInputElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct TimelineProps {
    pub lang: Lang,
    pub step: u32,
    /// The first step that is shown.
    pub begin: u32,
    pub last: u32,
    pub markers: Vec<u32>,
    pub causes: Vec<u32>,
    /// Steps with a question before them.
    pub asks: Vec<u32>,
    pub value_text: String,
    pub act: Act,
}

#[component]
pub fn TimelineView(props: &TimelineProps) -> Html {
    let node = use_node_ref();
    let width = use_width(&node, || (page_width() - 16).min(1056));
    let begin = props.begin;
    let from_begin = |steps: &[u32]| steps.iter().map(|s| s - begin).collect::<Vec<_>>();
    let t = timeline(
        width,
        props.last - begin + 1,
        props.step - begin,
        &from_begin(&props.markers),
        &from_begin(&props.causes),
    );
    let scrub = {
        let act = props.act.clone();
        Callback::from(move |input: InputEvent| {
            let step = input
                .target_dyn_into::<HtmlInputElement>()
                .and_then(|slider| slider.value().parse().ok());
            if let Some(step) = step {
                act.emit(Action::Go(step, Way::Jump, true));
            }
        })
    };
    html! {
        <div class="track" ref={node}>
            <svg width={t.width.to_string()} height={t.height.to_string()} aria-hidden="true">
                { line(&t.line, "base") }
                { line(&t.walked, "done") }
                <g>{ for t.arcs.iter().map(|arc| {
                    let [(x1, y1), (x2, y2), (x3, y3)] = arc.points;
                    html! { <path key={arc.step} class="cause" d={format!("M{x1} {y1}Q{x2} {y2} {x3} {y3}")} /> }
                }) }</g>
                <g>{ for t.dots.iter().map(|dot| {
                    let (r, state) = match dot.state {
                        DotState::Past => (3, "past"),
                        DotState::Here => (8, "here"),
                        DotState::Ahead => (3, "ahead"),
                    };
                    // A diamond on the way to a step that is asked about.
                    let before = t.dots.get(dot.step.wrapping_sub(1) as usize);
                    let before = before.filter(|_| props.asks.contains(&dot.step));
                    let ask = before.map(|before| ask((before.x + dot.x) / 2, dot.y, dot.x - before.x));
                    let mark = dot.marker.then(|| html! {
                        <path class="mark-tick" d={format!("M{} {}v5", dot.x, dot.y - 14)} />
                    });
                    html! {
                        <g key={dot.step}>
                            <circle class={classes!("dot", state)} cx={dot.x.to_string()} cy={dot.y.to_string()} r={r.to_string()} />
                            { mark }
                            { ask }
                        </g>
                    }
                }) }</g>
            </svg>
            <input type="range" class="slider" min={begin.to_string()} max={props.last.to_string()} step="1" value={props.step.to_string()}
                aria-label={ui::timeline(props.lang)} aria-valuetext={props.value_text.clone()} oninput={scrub} />
        </div>
    }
}

/// The sign of a question; where steps stand close, without its mark.
fn ask(x: i32, y: i32, between: i32) -> Html {
    let half = if between >= 30 { 9 } else { 5 };
    html! {
        <g class="asks">
            <path class="ask" d={format!("M{x} {}l{half} {half}-{half} {half}-{half}-{half}z", y - half)} />
            if half == 9 {
                <text x={x.to_string()} y={(y + 4).to_string()} text-anchor="middle">{ "?" }</text>
            }
        </g>
    }
}
