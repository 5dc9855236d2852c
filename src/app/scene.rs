//! A scene with everything that belongs to it: header, drawing, card, line of steps, buttons,
//! and under them the folds.

use super::address::Address;
use super::beliefs::beliefs;
use super::branch::{self, WhatIf};
use super::card::Cards;
use super::checked::mark;
use super::commits;
use super::compare::{self, CompareView};
use super::controls::Controls;
use super::dom::{self, use_type_width};
use super::draw::stage::stage;
use super::export::Export;
use super::frame;
use super::front::check;
use super::glossary::{self, Glossary};
use super::help::{self, Help};
use super::in_words::in_words;
use super::keys::{self, Place};
use super::narrator::{Spoken, Voice};
use super::notices::{self, rich};
use super::overview::{self, OverviewView};
use super::question::{self, Quiz};
use super::ruler::{self, Sight};
use super::share::Share;
use super::show::{Form, Show, words};
use super::state::{Act, Action};
use super::timeline::TimelineView;
use crate::script::ast::View;
use crate::text::{Lang, embed, ruler as ruler_words, ui};
use crate::view::Target;
use crate::view::ruler::{Instrument, Isolation, Look};
use crate::view::stage::{Layout, stage as stage_of};
use crate::view::tables::{Way, described, narration, value_text};
use crate::view::{console_words, controller};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties)]
pub struct SceneProps {
    pub lang: Lang,
    pub show: Rc<Show>,
    pub step: u32,
    pub way: Way,
    pub hurried: bool,
    pub turn: u32,
    pub playing: bool,
    pub played_from: u32,
    /// In tenths.
    pub speed: u32,
    /// On the front page, above the gallery.
    pub hero: bool,
    pub address: Address,
    /// Questions before steps.
    pub quiz: Quiz,
    /// Where the reader left the story, if so.
    pub base: Option<u32>,
    /// The link to what the reader made of it.
    pub fragment: Rc<str>,
    /// The first and the last step that are shown.
    pub bounds: (u32, u32),
    /// Query and fragment of what is shown.
    pub written: String,
    /// Replicas, ruler or both, if the reader chose.
    pub view: Option<View>,
    pub act: Act,
    /// What stands between header and drawing: notices.
    #[prop_or_default]
    pub children: Html,
}

impl PartialEq for SceneProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.show, &other.show)
            && self.lang == other.lang
            && self.turn == other.turn
            && (self.playing, self.speed, self.hero) == (other.playing, other.speed, other.hero)
            && (&self.address, &self.written) == (&other.address, &other.written)
            && self.quiz == other.quiz
            && (self.view, self.base, self.bounds) == (other.view, other.base, other.bounds)
            && self.children == other.children
    }
}

impl SceneProps {
    /// Query and fragment of the link to this step, for others.
    fn permalink(&self) -> String {
        let query = self.address.permalink();
        match &*self.fragment {
            "" => query,
            fragment => [&*query, "#", fragment].concat(),
        }
    }
}

/// Where arrows have work of their own.
const APART: &str = "textarea, select, input, .tabs *, [role=grid] *, .scroll";

/// How long a step is shown while playing, ms: by its words, and never too short to look.
fn dwell(words: usize, tenths: u32) -> u32 {
    let calm = 2500.max(280 * words as u32);
    calm * 10 / tenths.max(1)
}

#[component]
pub fn SceneView(props: &SceneProps) -> Html {
    let lang = props.lang;
    let show = &props.show;
    let (step, (begin, last)) = (props.step, props.bounds);
    // Readers count from where the author lets them begin.
    let (number, of) = (step - begin, last - begin);
    let root = use_node_ref();
    let stage_node = use_node_ref();
    let card_node = use_node_ref();
    let help_node = use_node_ref();
    let glossary_node = use_node_ref();
    let asked = use_state_eq(|| None::<&'static str>);
    let lit = use_state_eq(|| None::<Target>);
    let voice = use_memo((), |()| Voice::default());
    let copied = use_state_eq(String::new);
    let chosen = use_state_eq(|| overview::FIRST);
    let looking = use_state_eq(|| (None::<Isolation>, None::<Instrument>));
    let swipe = use_mut_ref(|| None::<(i32, i32)>);
    let width = use_type_width(&stage_node, || guess(props.hero));
    let layout = match width {
        ..332 => Layout::Narrow,
        332..620 => Layout::Phone,
        _ => Layout::Wide,
    };

    let cards = {
        let show = show.clone();
        let bounds = props.bounds;
        use_memo((Rc::as_ptr(&show) as usize, lang, bounds), move |_| {
            let mut cards = show.cards(lang);
            for card in &mut cards {
                card.causes
                    .retain(|c| (bounds.0..=bounds.1).contains(&c.step));
            }
            cards
        })
    };
    let card = cards.get(step as usize).cloned().unwrap_or_default();
    let markers = use_memo((Rc::as_ptr(show) as usize, props.bounds), |_| {
        let mut markers = show.markers();
        markers.retain(|m| (begin..=last).contains(m));
        markers
    });
    let questions = {
        let show = show.clone();
        use_memo((Rc::as_ptr(&show) as usize, lang), move |_| {
            question::questions(&show, lang)
        })
    };
    let gap = questions.iter().find(|(of, _)| *of == step);
    let gap = gap.and_then(|(_, asked)| asked.gap(props.quiz.given(step)?));
    let asks: Vec<u32> = questions.iter().map(|(step, _)| *step).collect();

    // Every press ends what still moves before the next thing begins: nothing is dropped.
    let act = {
        let act = props.act.clone();
        use_callback((), move |action: Action, ()| {
            if matches!(action, Action::Go(..)) {
                dom::finish_motion();
            }
            act.emit(action);
        })
    };
    let light = {
        let lit = lit.setter();
        use_callback((), move |target, ()| lit.set(target))
    };
    let say = {
        let voice = voice.clone();
        Callback::from(move |words: String| voice.say(words, 200))
    };

    // What is said at a step; nothing before the reader has done anything.
    {
        let (show, card, voice) = (show.clone(), card.clone(), voice.clone());
        let (way, hurried, playing) = (props.way, props.hurried, props.playing);
        let first = use_mut_ref(|| true);
        use_effect_with((props.turn, Rc::as_ptr(&show) as usize), move |_| {
            if std::mem::replace(&mut *first.borrow_mut(), false) {
                return;
            }
            let Some(now) = show.step(lang, 0, step) else {
                return;
            };
            let words = match &show.form {
                _ if playing => card.heading.clone(),
                Form::Compare(tp) if step == show.last() => compare::at(&show, lang, *tp, step)
                    .lanes
                    .into_iter()
                    .map(|lane| lane.spoken)
                    .collect::<Vec<_>>()
                    .join(" "),
                _ => narration(&now, &card, number, of, way),
            };
            voice.say(words.replace('`', ""), if hurried { 600 } else { 200 });
        });
    }

    {
        let say = say.clone();
        let first = use_mut_ref(|| true);
        use_effect_with(lang, move |lang| {
            if !std::mem::replace(&mut *first.borrow_mut(), false) {
                say.emit(ui::language_is(*lang));
            }
        });
    }

    // Play: one timer, only while playing.
    {
        let act = act.clone();
        let words = words_of(&card);
        let stop = markers.contains(&step) && step != props.played_from;
        use_effect_with(
            (props.playing, step, props.speed, props.turn),
            move |(playing, step, speed, _)| {
                let timer = playing.then(|| {
                    let step = *step;
                    Timeout::new(dwell(words, *speed), move || {
                        if stop {
                            act.emit(Action::Play(false));
                        } else {
                            act.emit(Action::Go(step + 1, Way::Next, false));
                        }
                    })
                });
                move || drop(timer)
            },
        );
    }

    let link = {
        let (say, copied, lang) = (say.clone(), copied.setter(), lang);
        let address = [&*dom::page(), &*props.permalink()].concat();
        Callback::from(move |()| {
            // In a frame there is no address bar to copy from.
            let refused = match frame::framed() {
                true => [&*embed::link_by_hand(lang), " ", &*address].concat(),
                false => ui::link_refused(lang),
            };
            let done = ui::link_copied(lang);
            let (say, copied) = (say.clone(), copied.clone());
            copy(&address, move |ok| {
                let words = if ok { done } else { refused };
                copied.set(words.clone());
                say.emit(words);
            });
        })
    };
    // The note on the link goes with the next step.
    {
        let copied = copied.setter();
        use_effect_with((props.turn, lang), move |_| copied.set(String::new()));
    }
    let share_node = use_node_ref();
    let copy_text = Callback::from(|(text, then): (String, Callback<bool>)| {
        copy(&text, move |ok| then.emit(ok));
    });
    let open_share = {
        let share_node = share_node.clone();
        Callback::from(move |()| help::open(&share_node))
    };
    let open_help = {
        let help_node = help_node.clone();
        Callback::from(move |()| help::open(&help_node))
    };

    let open_glossary = {
        let (node, asked) = (glossary_node.clone(), asked.setter());
        Callback::from(move |term: Option<&'static str>| {
            asked.set(term);
            help::open(&node);
        })
    };
    let on_press = {
        let open = open_glossary.clone();
        Callback::from(move |e: MouseEvent| {
            if let Some(term) = glossary::pressed(&e) {
                open.emit(Some(term));
            }
        })
    };

    let view = ruler::view_of(show, props.view);
    let has_ruler = ruler::has_ruler(show);
    let look = Look {
        layout,
        isolation: looking.0,
        instrument: looking.1.unwrap_or_else(|| show.instrument(step)),
        needs: show.needs,
    };
    let now = show.step(lang, 0, step);
    // The ruler is there for eyes in two of three views, and in words in all of them.
    let sight = match (&now, show.form) {
        (Some(now), Form::Replicas(_)) if has_ruler || view != View::Replicas => show
            .shown(step)
            .and_then(|tp| Sight::new(now, tp, show.reader(step, tp).as_deref(), look)),
        _ => None,
    };
    let as_text = {
        let (say, copied) = (say.clone(), copied.setter());
        let text = sight.as_ref().map(Sight::as_text).unwrap_or_default();
        Callback::from(move |()| {
            let (say, copied) = (say.clone(), copied.clone());
            copy(&text, move |ok| {
                let words = match ok {
                    true => ruler_words::copied(lang),
                    false => ruler_words::copy_refused(lang),
                };
                copied.set(words.clone());
                say.emit(words);
            });
        })
    };
    let with_ruler = sight.is_some();

    let on_key = {
        let as_text = as_text.clone();
        let (act, link, open_help) = (act.clone(), link.clone(), open_help.clone());
        let open_glossary = open_glossary.clone();
        let (root, card_node, markers) = (root.clone(), card_node.clone(), markers.clone());
        let playing = props.playing;
        Callback::from(move |e: KeyboardEvent| {
            if e.ctrl_key() || e.alt_key() || e.meta_key() || e.default_prevented() {
                return;
            }
            let target = e.target_dyn_into::<Element>();
            if target
                .as_ref()
                .is_some_and(|t| t.closest("dialog").ok().flatten().is_some())
            {
                return;
            }
            let is = |class: &str| {
                target
                    .as_ref()
                    .is_some_and(|t| t.matches(class).unwrap_or(false))
            };
            let place = match () {
                _ if is("body") => Place::Nowhere,
                _ if is(".stage") => Place::Stage,
                _ if is(".slider") => Place::Timeline,
                _ if is(APART) => Place::Apart,
                _ => Place::Inside,
            };
            let Some(asked) = keys::act(&e.key(), &e.code(), place, dom::is_rtl()) else {
                return;
            };
            e.prevent_default();
            let held = e.repeat();
            let way = |way| if held { Way::Jump } else { way };
            match asked {
                keys::Act::Next if step < last => {
                    act.emit(Action::Go(step + 1, way(Way::Next), held))
                }
                keys::Act::Back if step > begin => {
                    act.emit(Action::Go(step - 1, way(Way::Back), held))
                }
                keys::Act::Next | keys::Act::Back => {}
                keys::Act::First => act.emit(Action::Go(begin, Way::Jump, false)),
                keys::Act::Last => act.emit(Action::Go(last, Way::Jump, false)),
                keys::Act::NextMark => {
                    let to = markers.iter().find(|m| **m > step).copied().unwrap_or(last);
                    act.emit(Action::Go(to, Way::Jump, false));
                }
                keys::Act::BackMark => {
                    let to = markers
                        .iter()
                        .rev()
                        .find(|m| **m < step)
                        .copied()
                        .unwrap_or(begin);
                    act.emit(Action::Go(to, Way::Jump, false));
                }
                keys::Act::Play => act.emit(Action::Play(!playing)),
                keys::Act::Explain => dom::focus(&card_node),
                keys::Act::Link => link.emit(()),
                keys::Act::View if with_ruler => act.emit(Action::View(ruler::next(view))),
                keys::Act::Copy if with_ruler => as_text.emit(()),
                keys::Act::View | keys::Act::Copy => {}
                keys::Act::Help => open_help.emit(()),
                keys::Act::Glossary => open_glossary.emit(None),
                keys::Act::Leave => dom::focus_in_place(&root),
            }
        })
    };

    // With the focus on nothing, the page's one scene takes the arrows.
    {
        let (on_key, alone) = (on_key.clone(), !props.hero);
        use_effect_with((alone, props.turn, last), move |(alone, ..)| {
            let listener = alone.then(|| dom::on_body_key(on_key));
            move || drop(listener)
        });
    }

    let down = {
        let swipe = swipe.clone();
        Callback::from(move |e: PointerEvent| {
            *swipe.borrow_mut() =
                (e.pointer_type() == "touch").then(|| (e.client_x(), e.client_y()));
        })
    };
    let up = {
        let act = act.clone();
        Callback::from(move |e: PointerEvent| {
            let Some((x, y)) = swipe.borrow_mut().take() else {
                return;
            };
            let (dx, dy) = (e.client_x() - x, e.client_y() - y);
            if dx.abs() < 40 || dx.abs() < 2 * dy.abs() {
                return;
            }
            if dx < 0 {
                act.emit(Action::Go(step + 1, Way::Next, false));
            } else if step > begin {
                act.emit(Action::Go(step - 1, Way::Back, false));
            }
        })
    };

    let Some(now) = now else {
        return Html::default();
    };
    let title = show.title(lang);
    let how = match props.way {
        _ if props.hurried => "jump",
        Way::Next => "next",
        Way::Back => "back",
        Way::Jump => "jump",
    };
    let form = match show.form {
        Form::Replicas(_) => "replicas",
        Form::Overview(_) => "overview",
        Form::Compare(_) => "lanes",
    };
    let set_look = {
        let looking = looking.setter();
        Callback::from(move |(level, counter)| looking.set((level, Some(counter))))
    };
    let wide = layout == Layout::Wide;
    let looks = sight.as_ref().map_or_else(Html::default, |sight| {
        html! {
            <div class="looks">
                { ruler::views(lang, view, &act) }
                if view != View::Replicas {
                    { sight.switches(&set_look, &say) }
                    { sight.remark() }
                }
            </div>
        }
    });
    let body = match show.form {
        Form::Replicas(first) => html! {
            <>
                <div class="stage" ref={stage_node.clone()} tabindex="0" role="group" aria-label={ui::stage(lang)} onpointerdown={down} onpointerup={up}>
                    if view != View::Ruler {
                        { stage(&stage_of(&now, show.shown(step).unwrap_or(first), layout), *lit) }
                    }
                    if let Some(sight) = &sight {
                        if view != View::Replicas {
                            { sight.drawing(gap) }
                            { ruler::partitions(show, &now, show.shown(step).unwrap_or(first), look) }
                        }
                    }
                    { commits::drawing(show, &now, layout) }
                    if wide {
                        { looks.clone() }
                    }
                </div>
                <Cards {lang} cards={cards.clone()} {step} questions={questions.clone()} quiz={props.quiz.clone()} act={act.clone()} light={light.clone()} node={card_node.clone()} />
                // On a phone what happened comes before the switches.
                if !wide {
                    { looks }
                }
            </>
        },
        Form::Overview(topic) => html! {
            <OverviewView {lang} questions={questions.clone()} quiz={props.quiz.clone()} show={show.clone()} {topic} {step} chosen={chosen.clone()} cards={cards.clone()} act={act.clone()} say={say.clone()} light={light.clone()} lit={*lit} card_node={card_node.clone()} />
        },
        Form::Compare(tp) => html! {
            <CompareView {lang} show={show.clone()} {tp} {step} cards={cards.clone()} card_node={card_node.clone()} />
        },
    };
    let tp = show.shown(step);
    let parts = match show.form {
        Form::Replicas(first) => std::iter::once(described(&now, tp.unwrap_or(first)))
            .chain(commits::in_words(show, &now))
            .collect(),
        Form::Overview(topic) => {
            let open = overview::open(&now, topic, *chosen);
            vec![console_words::described(&now, topic, open)]
        }
        Form::Compare(tp) => compare::in_words(show, lang, tp, step),
    };
    html! {
        <section class={classes!("scene", props.hero.then_some("hero"))} aria-label={ui::scene_region(lang, title, of.into())} onkeydown={on_key} onclick={on_press} ref={root.clone()} tabindex="-1" data-how={how}>
            <div class={classes!("widget", form)}>
                <header>
                    { names(lang, show) }
                    <span class="chips">
                        { for show.chips.iter().map(|chip| html! { <span class="chip">{ chip }</span> }) }
                        <span class="chip count">{ ui::step_of_short(lang, number, of) }</span>
                    </span>
                    if frame::framed() {
                        <a class="chip away" href={props.permalink()} target="_blank" rel="noopener" aria-label={embed::own_tab(lang)} title={embed::own_tab(lang)}>{ "↗" }</a>
                    }
                </header>
                <div class="notices">
                    { props.children.clone() }
                    { for props.base.map(|base| branch::note(lang, base, &act)) }
                    { notices::failures(lang, show, step) }
                    { for show.lanes.iter().filter_map(|lane| lane.frames.get(step as usize)).map(|f| notices::broken(lang, &f.picture)) }
                </div>
                { body }
                <div class="time">
                    <TimelineView {lang} {step} {begin} {last} {asks} markers={(*markers).clone()} causes={card.causes.iter().map(|c| c.step).collect::<Vec<_>>()}
                        value_text={value_text(&now, &card.heading, number, of)} act={act.clone()} />
                    <Controls {lang} {step} {begin} {last} playing={props.playing} speed={props.speed} act={act.clone()} link={open_share} help={open_help} />
                    <p class="print">{ ui::step_of(lang, number, of) }{ " · " }{ dom::page() }{ props.permalink() }</p>
                    if !copied.is_empty() {
                        <p class="small muted aside" aria-hidden="true">{ &*copied }</p>
                    }
                </div>
            </div>
            <Help {lang} node={help_node} ruler={with_ruler} />
            <Glossary {lang} node={glossary_node} asked={*asked} />
            <Share {lang} node={share_node} title={title.to_string()} {step} mark={show.marks().into_iter().find(|(_, at)| *at == step).map(|m| m.0)} address={[&*dom::page(), &*props.permalink()].concat()} copy={copy_text} />
            <Spoken {lang} voice={(*voice).clone()} />
            if !props.hero && !props.address.options.lock {
                <WhatIf {lang} show={show.clone()} {step} base={props.base} act={act.clone()} />
            }
            if let Some(tp) = tp {
                { beliefs(lang, &controller::beliefs(&now, tp)) }
            }
            { compared(lang, show) }
            if !props.hero {
                <Export {lang} show={show.clone()} {step} root={root.clone()} link={props.written.clone()} />
            }
            { in_words(lang, &parts, sight.as_ref(), &cards, step, props.bounds, &act) }
        </section>
    }
}

/// A scene is known by its question, as in the gallery; its statement stands under it.
fn names(lang: Lang, show: &Show) -> Html {
    let title = show.title(lang);
    let question = match words(&show.scenario.question, lang) {
        "" => title,
        question => question,
    };
    html! {
        <div class="names grow">
            <h2 class="t-title">{ rich(question) }</h2>
            if question != title {
                <p class="small muted">{ rich(title) }</p>
            }
        </div>
    }
}

/// The mark of a scene that corresponds to recorded runs: it opens what was compared.
fn compared(lang: Lang, show: &Show) -> Html {
    let marks: Vec<_> = show.scenario.runs.iter().filter_map(|r| mark(r)).collect();
    if marks.is_empty() {
        return Html::default();
    }
    html! {
        <details class="fold">
            <summary>{ check(lang, &show.scenario) }</summary>
            <span class="t-eb">{ ui::checked_heading(lang) }</span>
            <ul class="plain">
                { for marks.iter().map(|m| html! { <li>{ rich(&ui::checked_about(lang, m.run, m.steps.into())) }{ " " }{ ui::checked_facts(lang, m.facts.into()) }</li> }) }
            </ul>
        </details>
    }
}

/// The stage's width before it was measured, px.
fn guess(hero: bool) -> i32 {
    let page = dom::page_width();
    match page {
        950.. => page - 24 - 296 - if hero { 26 } else { 0 },
        _ => page - 18,
    }
}

fn words_of(card: &crate::view::card::Card) -> usize {
    let why = card.why.iter().map(|w| w.text.as_str());
    card.what
        .iter()
        .map(String::as_str)
        .chain(why)
        .chain([card.heading.as_str(), card.so.as_str()])
        .map(|s| s.split_whitespace().count())
        .sum()
}

/// Copies to the clipboard, if the page may; `then` hears whether it worked.
fn copy(text: &str, then: impl FnOnce(bool) + 'static) {
    let clipboard = dom::window().map(|w| w.navigator().clipboard());
    match clipboard.filter(|c| !AsRef::<wasm_bindgen::JsValue>::as_ref(c).is_undefined()) {
        Some(clipboard) => {
            let promise = clipboard.write_text(text);
            wasm_bindgen_futures::spawn_local(async move {
                then(wasm_bindgen_futures::JsFuture::from(promise).await.is_ok());
            });
        }
        None => then(false),
    }
}
