//! The card: heading, what happened, why with its formula, so what, causes. The faces of all
//! steps lie in one place, all but one unseen, so the tallest decides the height.

use super::glossary::terms;
use super::notices::rich;
use super::question::{Predict, QuestionFace, Quiz, outcome};
use super::state::{Act, Action};
use crate::text::{Lang, ui};
use crate::view::Target;
use crate::view::card::{Card, Formula, TokenKind, Why};
use crate::view::question::Asked;
use crate::view::tables::Way;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct CardsProps {
    pub lang: Lang,
    pub cards: Rc<Vec<Card>>,
    pub step: u32,
    pub questions: Rc<Vec<(u32, Asked)>>,
    pub quiz: Quiz,
    pub act: Act,
    pub light: Callback<Option<Target>>,
    pub node: NodeRef,
}

#[component]
pub fn Cards(props: &CardsProps) -> Html {
    let quiz = &props.quiz;
    let outcome_at = |step: u32| {
        let (_, asked) = props.questions.iter().find(|(of, _)| *of == step)?;
        Some(outcome(props.lang, asked, quiz.given(step)?))
    };
    html! {
        <div class="card" ref={props.node.clone()} tabindex="0" role="group" aria-label={ui::explanation(props.lang)}>
            { for props.cards.iter().enumerate().map(|(at, card)| html! {
                <Face key={at} lang={props.lang} card={card.clone()} now={at as u32 == props.step && quiz.asking.is_none()} cover={at == 0} act={props.act.clone()} light={props.light.clone()}>
                    { for outcome_at(at as u32) }
                </Face>
            }) }
            if quiz.predict != Predict::Off {
                { for props.questions.iter().map(|(step, asked)| html! {
                    <QuestionFace key={format!("q{step}")} lang={props.lang} step={*step} asked={asked.clone()} now={quiz.asking == Some(*step)} pressed={if quiz.asking == Some(*step) { quiz.pressed } else { 0 }}
                        required={quiz.predict == Predict::Required} act={props.act.clone()} node={props.node.clone()} />
                }) }
            }
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct FaceProps {
    lang: Lang,
    card: Card,
    now: bool,
    /// The card of step 0: what there is to see, before anything happened.
    cover: bool,
    act: Act,
    light: Callback<Option<Target>>,
    /// What came of the reader's answer.
    children: Html,
}

#[component]
fn Face(props: &FaceProps) -> Html {
    let (lang, card) = (props.lang, &props.card);
    let hidden = (!props.now).then_some("true");
    // Each term is offered once a card.
    let mut seen = Vec::new();
    let what: Vec<Html> = card
        .what
        .iter()
        .map(|s| html! { <p>{ terms(lang, s, &mut seen) }</p> })
        .collect();
    let why: Vec<Html> = card
        .why
        .iter()
        .map(|why| reason(lang, why, &props.light, &mut seen))
        .collect();
    let so = terms(lang, &card.so, &mut seen);
    html! {
        <div class={classes!("face", props.now.then_some("now"))} aria-hidden={hidden}>
            { props.children.clone() }
            <h3 class="t-st">{ rich(&card.heading) }</h3>
            if !card.what.is_empty() {
                <div class="what">
                    if !props.cover {
                        <span class="t-eb">{ ui::what_happened(lang) }</span>
                    }
                    { for what }
                </div>
            }
            { for why }
            if !card.so.is_empty() {
                <div>
                    <span class="t-eb">{ ui::so_what(lang) }</span>
                    <p>{ so }</p>
                </div>
            }
            if !card.causes.is_empty() {
                <div class="causes" role="group" aria-label={ui::causes(lang)}>
                    { for card.causes.iter().map(|cause| {
                        let step = cause.step;
                        let go = props.act.reform(move |_| Action::Go(step, Way::Jump, false));
                        html! { <button type="button" class="link" onclick={go}>{ "← " }{ &cause.label }</button> }
                    }) }
                </div>
            }
        </div>
    }
}

fn reason(
    lang: Lang,
    why: &Why,
    light: &Callback<Option<Target>>,
    seen: &mut Vec<&'static str>,
) -> Html {
    html! {
        <div>
            <span class="t-eb">
                { ui::why(lang) }
                if why.full.is_some() {
                    { " · " }{ ui::simplified(lang) }
                }
            </span>
            <p>
                { terms(lang, &why.text, seen) }
                { for why.rules.iter().map(|id| html! { <>{ " " }<span class="rule" title={ui::rule(lang, id)}>{ *id }</span></> }) }
            </p>
            if let Some(formula) = &why.formula {
                { lines(formula, light) }
            }
            if let Some(full) = &why.full {
                <details class="full"><summary>{ ui::full_rule(lang) }</summary><p>{ rich(full) }</p></details>
            }
        </div>
    }
}

fn lines(formula: &Formula, light: &Callback<Option<Target>>) -> Html {
    html! {
        <>
            <div class="formula">
                { for formula.lines.iter().map(|tokens| html! {
                    <div>
                        { for tokens.iter().map(|token| match token.target {
                            None if token.kind == TokenKind::Plain => html! { { &token.text } },
                            None => html! { <span class={token.kind.class()}>{ &token.text }</span> },
                            Some(target) => {
                                let on = light.reform(move |_: ()| Some(target));
                                let off = light.reform(|_: ()| None);
                                html! {
                                    <span class={classes!("token", token.kind.class())} tabindex="0"
                                        onmouseenter={on.reform(|_: MouseEvent| ())} onfocus={on.reform(|_: FocusEvent| ())}
                                        onmouseleave={off.reform(|_: MouseEvent| ())} onblur={off.reform(|_: FocusEvent| ())}>
                                        { &token.text }
                                    </span>
                                }
                            }
                        }) }
                    </div>
                }) }
            </div>
            { for formula.notes.iter().map(|note| html! { <p class="small muted">{ rich(note) }</p> }) }
        </>
    }
}
