//! Three lanes, one clock, one fault. The still picture says it: where the producer's bar starts
//! against where the copies end.

use super::draw::{icon, stage::rows};
use super::glossary::terms;
use super::notices::rich;
use super::show::Show;
use crate::kafka::ids::Tp;
use crate::text::{Lang, ui};
use crate::view::card::Card;
use crate::view::compare::{
    Bar, BarKind, Clock, Compare, Lane, LaneInput, compare_of, in_words as words_of,
};
use crate::view::tables::Described;
use crate::view::{Icon, Role};
use crate::world::picture::Picture;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties)]
pub struct CompareProps {
    pub lang: Lang,
    pub show: Rc<Show>,
    pub tp: Tp,
    pub step: u32,
    pub cards: Rc<Vec<Card>>,
    pub card_node: NodeRef,
}

impl PartialEq for CompareProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.show, &other.show)
            && Rc::ptr_eq(&self.cards, &other.cards)
            && (self.lang, self.step) == (other.lang, other.step)
    }
}

/// The comparison at a step.
pub fn at(show: &Show, lang: Lang, tp: Tp, step: u32) -> Compare {
    with_lanes(show, step, |lanes| {
        compare_of(lang, tp, lanes, show.last() as usize + 1)
    })
}

/// The same in words.
pub fn in_words(show: &Show, lang: Lang, tp: Tp, step: u32) -> Vec<Described> {
    with_lanes(show, step, |lanes| words_of(lang, tp, lanes))
}

fn with_lanes<T>(show: &Show, step: u32, then: impl FnOnce(&[LaneInput]) -> T) -> T {
    let pictures: Vec<Vec<&Picture>> = show
        .lanes
        .iter()
        .map(|lane| {
            lane.frames
                .iter()
                .take(step as usize + 1)
                .map(|f| &f.picture)
                .collect()
        })
        .collect();
    let lanes: Vec<_> = show
        .lanes
        .iter()
        .zip(&pictures)
        .map(|(lane, pictures)| LaneInput {
            name: &lane.name,
            pictures,
        })
        .collect();
    then(&lanes)
}

#[component]
pub fn CompareView(props: &CompareProps) -> Html {
    let lang = props.lang;
    let chosen = use_state_eq(|| 1usize);
    let c = at(&props.show, lang, props.tp, props.step);
    let l = &c.labels;
    html! {
        <div class="compare">
            { heads(lang, &props.cards, props.step, &props.card_node) }
            <div class="labels tops">
                <b>{ &c.record }</b>
                <span class="l-strip server">{ &l.copies }</span>
                <span class="l-strip client">{ &l.producer }</span>
                <span class="l-strip muted">{ &l.clock }</span>
            </div>
            { for c.lanes.iter().map(|lane| top(&c, lane)) }
            <div class="tabs" role="group">
                { for c.lanes.iter().enumerate().map(|(i, lane)| {
                    let chosen_set = chosen.setter();
                    html! { <button type="button" class="mono" aria-pressed={(i == *chosen).to_string()} onclick={move |_| chosen_set.set(i)}>{ &lane.name }</button> }
                }) }
            </div>
            <div class="labels rests">
                <div class="l-rows">
                    { for l.brokers.iter().map(|(name, sign, word)| html! {
                        <div><b>{ name }</b><span class="muted sign">if let Some(sign) = sign { { icon::inline(icon::path(*sign), 12) } }{ word }</span></div>
                    }) }
                </div>
                <span></span>
                <p>{ &l.confirmed }</p>
                <p>{ &l.waited }</p>
                <p>{ &l.lost }</p>
            </div>
            { for c.lanes.iter().enumerate().map(|(i, lane)| rest(&c, lane, i == *chosen)) }
            { tells(lang, &props.cards, props.step) }
        </div>
    }
}

/// The statement of the step over the lanes; the texts of all steps keep its height.
fn heads(lang: Lang, cards: &[Card], step: u32, node: &NodeRef) -> Html {
    html! {
        <div class="card line-card" ref={node.clone()} tabindex="0" role="group" aria-label={ui::explanation(lang)}>
            { for cards.iter().enumerate().map(|(at, card)| {
                let now = at as u32 == step;
                html! {
                    <div key={at} class={classes!("face", now.then_some("now"))} aria-hidden={(!now).then_some("true")}>
                        <h3 class="t-st">{ rich(&card.heading) }</h3>
                        if !card.so.is_empty() {
                            <p>{ rich(&card.so) }</p>
                        }
                        if at == 0 {
                            { for card.what.iter().map(|s| html! { <p>{ rich(s) }</p> }) }
                        }
                    </div>
                }
            }) }
        </div>
    }
}

/// What happened and why, under the lanes: they stay where they are.
fn tells(lang: Lang, cards: &[Card], step: u32) -> Html {
    html! {
        <div class="card tells">
            { for cards.iter().enumerate().skip(1).map(|(at, card)| {
                let now = at as u32 == step;
                let mut seen = Vec::new();
                html! {
                    <div key={at} class={classes!("face", now.then_some("now"))} aria-hidden={(!now).then_some("true")}>
                        { sentences(lang, ui::what_happened(lang), card.what.iter(), &mut seen) }
                        { sentences(lang, ui::why(lang), card.why.iter().map(|w| &w.text), &mut seen) }
                    </div>
                }
            }) }
        </div>
    }
}

fn sentences<'a>(
    lang: Lang,
    label: String,
    of: impl Iterator<Item = &'a String>,
    seen: &mut Vec<&'static str>,
) -> Html {
    html! {
        <div>
            <span class="t-eb">{ label }</span>
            { for of.map(|s| html! { <p>{ terms(lang, s, seen) }</p> }) }
        </div>
    }
}

/// A lane's name and strips.
fn top(c: &Compare, lane: &Lane) -> Html {
    html! {
        <section class="lane top-half" aria-label={lane.spoken.clone()} key={lane.name.clone()}>
            <div class="lane-head">
                <b class="mono">{ &lane.name }</b><span class="small muted">{ &lane.rule }</span>
                <span class={classes!("short", verdict(lane))}>{ icon::inline(icon::path(lane.icon), 13) }{ &lane.short }</span>
            </div>
            { strips(&c.clock, lane) }
        </section>
    }
}

fn verdict(lane: &Lane) -> Option<&'static str> {
    (lane.role == Role::Alert).then_some("alert")
}

/// Its logs and what came of it.
fn rest(c: &Compare, lane: &Lane, chosen: bool) -> Html {
    let words = [
        (&c.labels.confirmed, &lane.confirmed, false),
        (&c.labels.waited, &lane.waited, false),
        (&c.labels.lost, &lane.lost, lane.is_lost),
    ];
    html! {
        <section class={classes!("lane", "low-half", chosen.then_some("chosen"))} aria-label={lane.name.clone()} key={lane.name.clone()}>
            <svg class="draw" viewBox={format!("0 0 {} {}", lane.width, lane.height)} aria-hidden="true">
                { rows(&lane.rows, None) }
            </svg>
            <p class={classes!("verdict", verdict(lane))}>{ icon::inline(icon::path(lane.icon), 16) }{ &lane.verdict }</p>
            { for words.into_iter().map(|(label, value, lost)| html! {
                <p><span class="dt muted">{ label }{ " " }</span><span class={lost.then_some("alert")}>{ value }</span></p>
            }) }
        </section>
    }
}

/// Width of the strips' drawing, px.
const WIDTH: i32 = 269;
/// Room at its edges.
const EDGE: i32 = 14;

fn place(thousandth: i32) -> i32 {
    EDGE + (WIDTH - 2 * EDGE) * thousandth / 1000
}

fn strips(clock: &Clock, lane: &Lane) -> Html {
    html! {
        <svg class="draw strips" viewBox={format!("0 0 {WIDTH} 84")} aria-hidden="true">
            { for clock.ticks.iter().filter(|t| t.icon.is_some()).map(|t| {
                let x = place(t.place);
                let class = if t.icon == Some(Icon::Star) { "guide dashed" } else { "guide" };
                html! { <path {class} d={format!("M{x} 20v8M{x} 46v14")} /> }
            }) }
            { for lane.copies.iter().map(|b| bar(b, 2)) }
            { for lane.thoughts.iter().map(|b| bar(b, 28)) }
            { axis(clock) }
        </svg>
    }
}

fn bar(b: &Bar, y: i32) -> Html {
    let (x, end) = (place(b.from), place(b.to));
    let w = (end - x - 1).max(1);
    html! {
        <g class={classes!("strip", b.kind.class())}>
            <rect class="body" x={x.to_string()} y={y.to_string()} width={w.to_string()} height="18" rx="3" />
            if b.kind == BarKind::SafeFalse {
                <rect class="foot" x={(x + 1).to_string()} y={(y + 12).to_string()} width={(w - 2).max(1).to_string()} height="5" />
            }
            if b.beside {
                <text x={(end + 4).to_string()} y={(y + 13).to_string()}>{ &b.label }</text>
            } else {
                <text x={(x + w / 2).to_string()} y={(y + if b.kind == BarKind::SafeFalse { 11 } else { 13 }).to_string()} text-anchor="middle">{ &b.label }</text>
            }
        </g>
    }
}

fn axis(clock: &Clock) -> Html {
    let (from, to, y) = (place(0), place(1000), 64);
    let mut path = format!("M{from} {y}");
    for b in &clock.breaks {
        let x = place(*b);
        path.push_str(&format!(
            "H{}M{} {}l5 -10M{} {}l5 -10M{} {y}",
            x - 6,
            x - 8,
            y + 5,
            x + 3,
            y + 5,
            x + 6
        ));
    }
    path.push_str(&format!("H{to}"));
    html! {
        <g class="axis">
            <path d={path} />
            { for clock.ticks.iter().map(|t| {
                let x = place(t.place);
                let anchor = match t.place {
                    0..=40 => "start",
                    960.. => "end",
                    _ => "middle",
                };
                let label = html! { <text class="t-muted" x={x.to_string()} y={(y + 16).to_string()} text-anchor={anchor}>{ &t.label }</text> };
                html! {
                    <>
                        <path d={format!("M{x} {}v6", y - 3)} />
                        if let Some(sign) = t.icon {
                            <rect class="gap" x={(x - 7).to_string()} y="47" width="14" height="13" />
                            { icon::at(sign, x - 6, 48, Role::Plain) }
                        }
                        { label }
                    </>
                }
            }) }
        </g>
    }
}
