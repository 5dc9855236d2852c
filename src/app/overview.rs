//! The console of a topic: counters, brokers × partitions, and one partition's logs. The grid is
//! one stop for Tab; arrows move in it.

use super::card::Cards;
use super::dom;
use super::draw::{icon, stage::rows};
use super::notices::rich;
use super::question::Quiz;
use super::show::Show;
use super::state::Act;
use crate::kafka::ids::{TopicId, Tp};
use crate::text::{Lang, ui};
use crate::view::card::Card;
use crate::view::overview::{Counter, CounterKind, GridCell, Overview, Sign, overview};
use crate::view::question::Asked;
use crate::view::{Step, Target};
use std::rc::Rc;
use yew::prelude::*;

/// Partitions that stand side by side in one block; blocks wrap on narrow screens.
const BLOCK: usize = 8;
/// The partition that is chosen at first (the eighth, where there are so many).
pub const FIRST: u16 = 7;

#[derive(Properties)]
pub struct OverviewProps {
    pub lang: Lang,
    pub show: Rc<Show>,
    pub topic: TopicId,
    pub step: u32,
    /// Which partition is open; the parallel text tells of it too.
    pub chosen: UseStateHandle<u16>,
    pub cards: Rc<Vec<Card>>,
    pub questions: Rc<Vec<(u32, Asked)>>,
    pub quiz: Quiz,
    pub act: Act,
    pub say: Callback<String>,
    pub light: Callback<Option<Target>>,
    pub lit: Option<Target>,
    pub card_node: NodeRef,
}

impl PartialEq for OverviewProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.show, &other.show)
            && Rc::ptr_eq(&self.cards, &other.cards)
            && (self.lang, self.step, self.lit) == (other.lang, other.step, other.lit)
            && self.chosen == other.chosen
            && Rc::ptr_eq(&self.questions, &other.questions)
            && self.quiz == other.quiz
    }
}

/// The partition with this number, or the last one that the topic has.
pub fn open(step: &Step, topic: TopicId, number: u16) -> Tp {
    let all = step.now.partitions.iter();
    let count = all.filter(|p| p.tp.topic == topic).count() as u16;
    Tp {
        topic,
        partition: number.min(count.saturating_sub(1)),
    }
}

#[component]
pub fn OverviewView(props: &OverviewProps) -> Html {
    let lang = props.lang;
    let chosen = &props.chosen;
    let counted = use_state_eq(|| None::<CounterKind>);
    let at = use_state_eq(|| (0usize, 0usize));
    let tab = use_state_eq(|| false);
    let Some(step) = props.show.step(lang, 0, props.step) else {
        return Html::default();
    };
    let tp = open(&step, props.topic, **chosen);
    let o = overview(&step, props.topic, tp);
    let choose = {
        let (chosen, tab, say) = (chosen.setter(), tab.setter(), props.say.clone());
        let spoken: Vec<_> = o
            .columns
            .iter()
            .map(|c| (c.tp.partition, c.spoken.clone()))
            .collect();
        Callback::from(move |column: usize| {
            if let Some((partition, words)) = spoken.get(column) {
                chosen.set(*partition);
                tab.set(true);
                say.emit(words.clone());
            }
        })
    };
    let on_key = {
        let (at, choose) = (at.clone(), choose.clone());
        let (height, width) = (o.rows.len(), o.columns.len());
        Callback::from(move |e: KeyboardEvent| {
            let (row, column) = *at;
            let to = match e.key().as_str() {
                "ArrowRight" => (row, (column + 1).min(width.saturating_sub(1))),
                "ArrowLeft" => (row, column.saturating_sub(1)),
                "ArrowDown" => ((row + 1).min(height.saturating_sub(1)), column),
                "ArrowUp" => (row.saturating_sub(1), column),
                "Home" => (row, 0),
                "End" => (row, width.saturating_sub(1)),
                "Enter" => {
                    e.prevent_default();
                    choose.emit(column);
                    return;
                }
                _ => return,
            };
            e.prevent_default();
            e.stop_propagation();
            at.set(to);
            dom::focus_selector(&format!("[data-cell=\"{}-{}\"]", to.0, to.1));
        })
    };
    let counted_cells = o
        .counters
        .iter()
        .find(|c| Some(c.kind) == *counted)
        .map(|c| &c.cells);
    let press = {
        let (counted, say) = (counted.clone(), props.say.clone());
        move |c: &Counter| {
            let (kind, words) = (c.kind, c.spoken.clone());
            let (counted, say) = (counted.clone(), say.clone());
            Callback::from(move |_: MouseEvent| {
                let off = *counted == Some(kind);
                counted.set((!off).then_some(kind));
                if !off {
                    say.emit(words.clone());
                }
            })
        }
    };
    let blocks = o.columns.len().div_ceil(BLOCK);
    html! {
        <div class={classes!("console", if *tab { "tab-part" } else { "tab-what" })}>
            <div class="box kpi">
                { for o.counters.iter().map(|c| html! {
                    <button type="button" class={classes!("counter", c.alert.then_some("alert"))} aria-pressed={(Some(c.kind) == *counted).to_string()} onclick={press(c)}>
                        <span class="t-eb">{ &c.label }</span>
                        <b>{ &c.value }if !c.of.is_empty() {<span class="of">{ " " }{ &c.of }</span>}</b>
                        <span class="was">{ &c.was }</span>
                    </button>
                }) }
            </div>
            <div class="box grid">
                <div class="blocks" role="grid" aria-label={o.corner.clone()} aria-rowcount={o.rows.len().to_string()} aria-colcount={o.columns.len().to_string()} onkeydown={on_key}>
                    { for (0..blocks).map(|block| grid_block(&o, block, *at, counted_cells, &choose)) }
                </div>
                <ul class="legend">
                    { for o.legend.iter().map(|(sign, words)| html! { <li>{ sign_box(*sign, false, false) }{ words }</li> }) }
                </ul>
            </div>
            // On a phone the card is below: its heading stands above what it is about.
            <div class="told">
                { for props.cards.iter().enumerate().map(|(at, card)| html! {
                    <p key={at} class={classes!("t-st", (at as u32 == props.step).then_some("now"))} aria-hidden="true">{ rich(&card.heading) }</p>
                }) }
            </div>
            <div class="tabs" role="group">
                <button type="button" aria-pressed={(!*tab).to_string()} onclick={let tab = tab.setter(); move |_| tab.set(false)}>{ ui::tab_what(lang) }</button>
                <button type="button" aria-pressed={tab.to_string()} onclick={let tab = tab.setter(); move |_| tab.set(true)}>{ &o.panel.title }</button>
            </div>
            <Cards {lang} cards={props.cards.clone()} step={props.step} questions={props.questions.clone()} quiz={props.quiz.clone()} act={props.act.clone()} light={props.light.clone()} node={props.card_node.clone()} />
            <div class="box part">
                <h3 class="t-st">{ &o.panel.title }<span class="thin muted">{ " · " }{ &o.panel.assigned }</span></h3>
                <svg class="draw" viewBox={format!("0 0 {} {}", o.panel.width, o.panel.height)} aria-hidden="true">
                    { rows(&o.panel.rows, props.lit) }
                </svg>
                <p class="small muted">{ &o.panel.note }</p>
            </div>
        </div>
    }
}

fn grid_block(
    o: &Overview,
    block: usize,
    at: (usize, usize),
    counted: Option<&Vec<(crate::kafka::ids::BrokerId, Tp)>>,
    choose: &Callback<usize>,
) -> Html {
    let columns = block * BLOCK..((block + 1) * BLOCK).min(o.columns.len());
    html! {
        <div class="block" role="rowgroup" key={block}>
            <div class="line heads" role="row">
                <span class="who" role="columnheader">{ if block == 0 { o.corner.as_str() } else { "" } }</span>
                { for columns.clone().map(|c| {
                    let column = &o.columns[c];
                    html! { <span role="columnheader" class={classes!("no", column.chosen.then_some("chosen"))} aria-colindex={(c + 1).to_string()}>{ &column.label }</span> }
                }) }
            </div>
            { for o.rows.iter().enumerate().map(|(r, row)| html! {
                <div class="line" role="row" key={r} aria-rowindex={(r + 1).to_string()}>
                    <span class="who" role="rowheader"><span class="long">{ &row.label }</span><span class="short" aria-hidden="true">{ row.broker.0 }</span>{ for row.away.iter().map(|word| away(word)) }</span>
                    { for columns.clone().map(|c| {
                        let chosen = o.columns[c].chosen.then_some("chosen");
                        let last = (r + 1 == o.rows.len()).then_some("last");
                        match &row.cells.get(c).cloned().flatten() {
                            None => html! { <span role="gridcell" class={classes!("gcell", chosen, last)}></span> },
                            Some(cell) => {
                                let hit = counted.is_some_and(|list| list.contains(&(row.broker, o.columns[c].tp)));
                                html! {
                                    <span role="gridcell" class={classes!("gcell", chosen, last, hit.then_some("hit"))}
                                        tabindex={if at == (r, c) { "0" } else { "-1" }} data-cell={format!("{r}-{c}")}
                                        aria-label={cell.spoken.clone()} aria-selected={o.columns[c].chosen.to_string()} aria-colindex={(c + 1).to_string()}
                                        onclick={choose.reform(move |_: MouseEvent| c)}>
                                        { replica(cell) }
                                    </span>
                                }
                            }
                        }
                    }) }
                </div>
            }) }
        </div>
    }
}

/// What the console does not know yet: the process is gone. The word is for those who hear it
/// and for wide pages.
fn away(word: &str) -> Html {
    html! {
        <span class="gone">{ icon::inline(icon::path(crate::view::Icon::Power), 12) }<span>{ word }</span></span>
    }
}

fn replica(cell: &GridCell) -> Html {
    sign_box(cell.sign, cell.elected, cell.led)
}

/// A replica's box of 20 × 24, one sign in it.
fn sign_box(sign: Sign, elected: bool, led: bool) -> Html {
    use crate::view::Icon;
    let (sign_icon, place) = match sign {
        Sign::Leader => (Some(Icon::Star), "translate(4 6) scale(.75)"),
        Sign::InIsr => (Some(Icon::Tick), "translate(4.5 6.5) scale(.7)"),
        Sign::OutOfIsr => (Some(Icon::Cross), "translate(5 4) scale(.62)"),
        Sign::Down => (Some(Icon::Power), "translate(4.5 6.5) scale(.7)"),
        Sign::Elected | Sign::Led => (None, ""),
    };
    html! {
        <svg class={classes!("sign-box", sign.class())} width="20" height="24" viewBox="0 0 20 24" aria-hidden="true">
            if let Some(sign_icon) = sign_icon {
                <rect class="body" x="0.5" y="0.5" width="19" height="23" rx="2" />
                if sign == Sign::OutOfIsr {
                    <rect class="foot" x="1.5" y="16" width="17" height="6.5" />
                }
                <path class={if icon::path(sign_icon).0 { "f" } else { "s" }} transform={place} d={icon::path(sign_icon).1} />
            }
            if led {
                <path class="led" d="M20 0h-8l8 8z" />
            }
            if elected {
                <path class="elected" d="M10 -5l-4 4.5h8z" />
            }
            if sign == Sign::Led {
                <path class="led" d="M17 6h-13l13 13z" />
            }
            if sign == Sign::Elected {
                <path class="elected" d="M10 5l-8 13h16z" />
            }
        </svg>
    }
}
