//! Questions before a step: the card becomes the question, and after the step says what came of
//! the answer. Nothing of it is stored; the page forgets it when it is closed.

pub use super::address::Predict;
use super::dom;
use super::draw::icon;
use super::frame;
use super::notices::rich;
use super::show::Show;
use super::state::{Act, Action};
use crate::text::{Lang, question as say, ui};
pub use crate::view::question::Given;
use crate::view::question::{Asked, AskedKind, Choice, Verdict, verdict};
use crate::view::tables::Way;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What of questions the page is at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quiz {
    pub predict: Predict,
    /// The question before this step stands in the card.
    pub asking: Option<u32>,
    /// How often Next was pressed while it stood.
    pub pressed: u32,
    /// What was answered before which step, in order.
    pub answers: Rc<Vec<(u32, Given)>>,
}

impl Quiz {
    /// The answer before a step.
    pub fn given(&self, step: u32) -> Option<&Given> {
        let mut all = self.answers.iter();
        all.find(|(of, _)| *of == step).map(|(_, given)| given)
    }

    /// Whether the step is held up by a question on the way to it.
    pub fn stops(&self, show: &Show, step: u32, way: Way) -> bool {
        self.predict != Predict::Off
            && way == Way::Next
            && self.given(step).is_none()
            && questions(show, Lang::En).iter().any(|(of, _)| *of == step)
    }

    /// Takes the answer to the question that stands.
    pub fn take(&mut self, given: Given) -> Option<u32> {
        let step = self.asking.take()?;
        Rc::make_mut(&mut self.answers).push((step, given));
        Some(step)
    }
}

/// The questions of a scene by the steps they stand before. A comparison has no card to put them.
pub fn questions(show: &Show, lang: Lang) -> Vec<(u32, Asked)> {
    show.questions(lang)
}

/// What a host of the page is told of questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A question stands before this step.
    Question {
        step: u32,
        kind: &'static str,
        text: String,
        /// Id and words of each option; none of a number.
        options: Vec<(String, String)>,
    },
    /// It was answered, or shown without an answer.
    Answer {
        step: u32,
        kind: &'static str,
        /// Ids of what was chosen, or the number.
        response: Vec<String>,
        /// `None`: without an answer.
        correct: Option<bool>,
        /// Ids of what is right.
        pattern: Vec<String>,
    },
}

/// Tells a host of each question and each answer, once.
#[hook]
pub fn use_told(show: Option<&Rc<Show>>, lang: Lang, quiz: &Quiz, tell: Callback<Told>) {
    let all = show.map_or_else(Vec::new, |show| questions(show, lang));
    let of = move |step: u32| all.iter().find(|(s, _)| *s == step).map(|(_, a)| a.clone());
    let (asking, answers) = (quiz.asking, quiz.answers.clone());
    {
        let (of, tell) = (of.clone(), tell.clone());
        use_effect_with(asking, move |asking| {
            if let Some((step, asked)) = asking.and_then(|step| Some((step, of(step)?))) {
                let shown = asked
                    .options
                    .iter()
                    .filter(|_| asked.kind != AskedKind::Number);
                tell.emit(Told::Question {
                    step,
                    kind: asked.kind.word(),
                    text: asked.text.clone(),
                    options: shown.map(|o| (o.id.clone(), o.words.clone())).collect(),
                });
            }
        });
    }
    use_effect_with(answers.len(), move |_| {
        let last = answers.last();
        if let Some((step, given, asked)) = last.and_then(|(s, g)| Some((*s, g, of(*s)?))) {
            tell.emit(Told::Answer {
                step,
                kind: asked.kind.word(),
                response: asked.response(given),
                correct: asked.correct(given),
                pattern: asked.right().into_iter().map(String::from).collect(),
            });
        }
    });
}

/// Whether the reader is at work in a scene.
fn focus_is_here() -> bool {
    let found = dom::document().and_then(|d| d.query_selector(".scene:focus-within").ok());
    found.flatten().is_some()
}

#[derive(Properties, PartialEq)]
pub struct QuestionProps {
    pub lang: Lang,
    pub step: u32,
    pub asked: Asked,
    /// It stands in the card.
    pub now: bool,
    pub required: bool,
    /// How often Next was pressed while it stood.
    pub pressed: u32,
    pub act: Act,
    /// The card.
    pub node: NodeRef,
}

/// A question in the place of the card: a native form.
#[component]
pub fn QuestionFace(props: &QuestionProps) -> Html {
    let QuestionProps {
        lang,
        step,
        asked,
        now,
        ..
    } = props;
    let (lang, step) = (*lang, *step);
    let chosen = use_state_eq(Vec::<u32>::new);
    let number = use_state_eq(String::new);
    let missing = use_state_eq(|| false);
    let heading = use_node_ref();
    // Whoever pressed Next is taken to the question; nobody else's focus is moved.
    {
        let heading = heading.clone();
        use_effect_with(*now, move |now| {
            let by_key = !frame::framed() && dom::nothing_focused();
            if *now && (focus_is_here() || by_key) {
                dom::focus_in_place(&heading);
            }
        });
    }
    // Next does not pass it, and says so instead of doing nothing.
    {
        let (heading, missing) = (heading.clone(), missing.clone());
        use_effect_with(props.pressed, move |pressed| {
            if *pressed > 0 {
                missing.set(true);
                dom::focus_shown(&heading);
            }
        });
    }
    let multi = asked.kind == AskedKind::Multi;
    let submit = {
        let (act, node) = (props.act.clone(), props.node.clone());
        let (chosen, number, missing) = (chosen.clone(), number.clone(), missing.clone());
        let kind = asked.kind;
        Callback::from(move |e: SubmitEvent| {
            e.prevent_default();
            let given = match kind {
                AskedKind::Number => number.trim().parse().ok().map(Given::Number),
                _ if chosen.is_empty() => None,
                _ => Some(Given::Chosen((*chosen).clone())),
            };
            missing.set(given.is_none());
            if let Some(given) = given {
                act.emit(Action::Answer(given));
                dom::focus_in_place(&node);
            }
        })
    };
    let without = {
        let (act, node) = (props.act.clone(), props.node.clone());
        Callback::from(move |_: MouseEvent| {
            act.emit(Action::Answer(Given::Shown));
            dom::focus_in_place(&node);
        })
    };
    let back = {
        let (act, node) = (props.act.clone(), props.node.clone());
        Callback::from(move |_: MouseEvent| {
            act.emit(Action::Go(step - 1, Way::Back, false));
            dom::focus_in_place(&node);
        })
    };
    let choice = |at: u32, option: &Choice| {
        let on = chosen.contains(&at);
        let set = {
            let (chosen, missing) = (chosen.clone(), missing.clone());
            Callback::from(move |_: Event| {
                missing.set(false);
                chosen.set(match multi {
                    false => vec![at],
                    true if on => chosen.iter().copied().filter(|c| *c != at).collect(),
                    true => {
                        let mut all: Vec<u32> = (*chosen).clone();
                        let place = all.partition_point(|c| *c < at);
                        all.insert(place, at);
                        all
                    }
                });
            })
        };
        html! {
            <label class="option">
                <input type={if multi { "checkbox" } else { "radio" }} name={format!("q{step}")} value={option.id.clone()} checked={on} onchange={set} />
                <span>{ rich(&option.words) }</span>
            </label>
        }
    };
    let typed = {
        let (number, missing) = (number.clone(), missing.clone());
        Callback::from(move |e: InputEvent| {
            missing.set(false);
            if let Some(input) = e.target_dyn_into::<HtmlInputElement>() {
                number.set(input.value());
            }
        })
    };
    html! {
        <form class={classes!("face", "question", now.then_some("now"))} aria-hidden={(!now).then_some("true")} onsubmit={submit}>
            <fieldset>
                <legend ref={heading} tabindex="-1"><span class="t-eb">{ "◇ " }{ say::eyebrow(lang) }</span><span class="t-st">{ rich(&asked.text) }</span></legend>
                if multi {
                    <p class="small muted">{ say::mark_all(lang) }</p>
                }
                if asked.kind == AskedKind::Number {
                    <label class="option">{ say::number(lang) }{ " " }<input type="number" step="1" inputmode="numeric" value={(*number).clone()} oninput={typed} /></label>
                } else {
                    { for (0u32..).zip(&asked.options).map(|(at, option)| choice(at, option)) }
                }
            </fieldset>
            if *missing {
                <p class="small" role="alert">{ say::nothing_chosen(lang) }</p>
            }
            <div class="answers">
                <button type="submit" class="primary">{ say::answer(lang) }</button>
                if !props.required {
                    <button type="button" onclick={without}>{ say::show(lang) }</button>
                }
                <button type="button" onclick={back}>{ ui::back(lang) }</button>
            </div>
        </form>
    }
}

/// What came of the answer, over the card of its step.
pub fn outcome(lang: Lang, asked: &Asked, given: &Given) -> Html {
    let Verdict {
        correct,
        word,
        yours,
        sentences,
        prices,
    } = verdict(lang, asked, given);
    let (sign, class) = match correct {
        Some(true) => (Some(icon::CHECK), "right"),
        Some(false) => (Some(icon::CROSS), "wrong"),
        None => (None, "shown"),
    };
    html! {
        <div class={classes!("verdict", class)}>
            <p><b>{ for sign.map(|sign| icon::inline(sign, 16)) }{ word }</b>
            if let Some(yours) = yours {
                { " " }<span class="guess">{ "◇ " }{ rich(&yours) }</span>
            }
            </p>
            { for sentences.iter().map(|s| html! { <p>{ rich(s) }</p> }) }
            if !prices.is_empty() {
                <p class="t-eb">{ say::prices(lang) }</p>
                <dl class="prices">
                    { for prices.iter().map(|p| html! {
                        <div class={p.yours.then_some("yours")}><dt>{ if p.yours { "◇ " } else { "" } }{ rich(&p.choice) }</dt><dd>{ rich(&p.price) }</dd></div>
                    }) }
                </dl>
            }
        </div>
    }
}
