//! The page: front or scene, the address kept in step with it, and what is shown when the
//! program itself fails.

use super::address::{Address, Motion, Start, Theme};
use super::branch;
use super::dom;
use super::draw;
use super::embed::browser as embed;
use super::export;
use super::frame::{self, Gate};
use super::front::Gallery;
use super::narrator::{Narrator, Speech};
use super::notices;
use super::practice::PracticeView;
use super::question;
use super::scene::SceneView;
use super::show::{Library, words};
use super::state::{Action, State};
use super::top::{Top, opening, ways};
use crate::text::{Lang, practice, ui};
use crate::view::tables::Way;
use gloo_timers::callback::Timeout;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, closure::Closure};
use yew::prelude::*;

/// At most four changes of the address a second.
const ADDRESS_REST: u32 = 250;

#[component]
pub(super) fn Page() -> Html {
    let state = use_reducer(|| {
        let browser = match dom::browser_language().starts_with("ru") {
            true => Lang::Ru,
            false => Lang::En,
        };
        State::start(
            Library::built_in(),
            Address::read(&dom::query()),
            &dom::fragment(),
            browser,
        )
    });
    let dispatch = state.dispatcher();
    let act = use_callback((), move |action: Action, ()| {
        // In a frame the reader's way back belongs to the page around it.
        if let Action::Open(scenario) = &action
            && !frame::framed()
        {
            let query = match scenario {
                Some(id) => format!("?scenario={id}"),
                None => "?".into(),
            };
            dom::push_query(&query);
        }
        dispatch.dispatch(action);
    });

    // The address follows, at its own pace.
    {
        let pending = use_mut_ref(|| None::<Timeout>);
        let latest = use_mut_ref(String::new);
        let jumped = state.options.history && state.way == Way::Jump && !state.hurried;
        let turn = state.turn;
        let seen = use_mut_ref(|| turn);
        let keeps = state.keeps_address();
        use_effect_with((state.written(), keeps), move |(address, keeps)| {
            if *keeps {
                seen.replace(turn);
                return;
            }
            *latest.borrow_mut() = address.clone();
            let fresh = seen.replace(turn) != turn;
            let there = [dom::query(), dom::fragment()].concat() == *address;
            if jumped && fresh && !there && !frame::framed() {
                dom::push(address);
            } else if pending.borrow().is_none() {
                dom::replace_query(address);
                let written = address.clone();
                let own = pending.clone();
                *pending.borrow_mut() = Some(Timeout::new(ADDRESS_REST, move || {
                    own.borrow_mut().take();
                    let latest = latest.borrow();
                    if *latest != written {
                        dom::replace_query(&latest);
                    }
                }));
            }
        });
    }
    // A picture that the page once saved, dropped on it.
    {
        let act = act.clone();
        use_effect_with((), move |()| {
            let listening = export::listen(act);
            move || drop(listening)
        });
    }
    // The browser's own back and forth.
    {
        let dispatch = state.dispatcher();
        use_effect_with((), move |()| {
            let moved = Closure::<dyn Fn()>::new(move || {
                dispatch.dispatch(Action::Read(Address::read(&dom::query()), dom::fragment()));
            });
            if let Some(window) = dom::window() {
                window.set_onpopstate(Some(moved.as_ref().unchecked_ref()));
            }
            move || drop(moved)
        });
    }
    let lang = state.lang;
    {
        let title = match &state.show {
            _ if state.practises() => Some(practice::page::title(lang)),
            Ok(show) => Some(show.title(lang).to_string()),
            Err(_) => None,
        };
        let title = match (&state.scenario, title) {
            (Some(_), Some(scene)) => ui::document_title(lang, &scene),
            _ => "Highwater".into(),
        };
        use_effect_with((lang, state.theme, title), |(lang, theme, title)| {
            dom::root_attribute("lang", Some(lang.code()));
            dom::root_attribute("data-theme", (*theme != Theme::Auto).then(|| theme.word()));
            if let Some(document) = dom::document() {
                document.set_title(title);
            }
        });
    }

    // What was wrong with the address is told to the author as well.
    {
        let library = state.library.clone();
        use_effect_with((state.bad.clone(), lang), move |(bad, lang)| {
            for bad in bad {
                dom::log(&notices::name(*lang, bad, &library));
            }
        });
    }
    let alone = frame::framed() && (state.scenario.is_some() || state.no_such().is_some());
    use_effect_with((state.options.clone(), alone), |(options, alone)| {
        frame::mark(options, *alone)
    });

    // Who opened a scene is taken to it; nobody's focus is moved when the page loads.
    {
        let first = use_mut_ref(|| true);
        use_effect_with(state.scenario.clone(), move |_| {
            if !std::mem::replace(&mut *first.borrow_mut(), false) && !frame::framed() {
                dom::focus_selector(".scene");
            }
        });
    }

    // A host hears of questions and answers, once there is one to tell.
    question::use_told(
        state.show.as_ref().ok(),
        lang,
        &state.quiz,
        Callback::from(|told| embed::asked(&told)),
    );

    let bad = notices::not_taken(lang, &state.bad, &state.library, &act);
    let listed = notices::listed(lang, &state.bad, &state.library);
    let began = use_state_eq(|| state.options.start(frame::framed()) == Start::Load);
    {
        let plays = *began && state.options.autoplay && state.show.is_ok();
        let still = matches!(state.options.motion, Motion::Reduced | Motion::None);
        let act = act.clone();
        use_effect_with(
            plays && !still && !frame::prefers("(prefers-reduced-motion: reduce)"),
            move |plays| {
                let place = dom::document().and_then(|d| d.get_element_by_id("app"));
                let sight = place.filter(|_| *plays).and_then(|place| {
                    // It begins by itself once; who paused it is left in peace.
                    let begun = Rc::new(Cell::new(false));
                    frame::Sight::watch(&place, move |seen| {
                        if !seen || !begun.replace(true) {
                            act.emit(Action::Play(seen));
                        }
                    })
                });
                move || drop(sight)
            },
        );
    }
    // What the page around this one asks to be said aloud.
    let aloud = use_state_eq(Speech::default);
    {
        let (state, aloud, began) = (state.clone(), aloud.clone(), *began);
        use_effect(move || {
            let say = Callback::from(move |words| {
                let turn = aloud.turn + 1;
                let rest = 200;
                aloud.set(Speech { words, rest, turn });
            });
            embed::shown(embed::Page { state, say, began });
        });
    }
    let front = state.scenario.is_none();
    let first = state.library.ids().next().unwrap_or_default().to_string();
    let scene = match &state.show {
        _ if state.options.strict && !listed.is_empty() => notices::strict(lang, &listed),
        Ok(show) if !*began => {
            let began = began.clone();
            html! {
                <Gate {lang} start={state.options.start(frame::framed())} title={show.title(lang).to_string()} open={move |()| began.set(true)} />
            }
        }
        _ if state.practises() => html! {
            <PracticeView {lang} step={state.step} act={act.clone()}>{ bad }</PracticeView>
        },
        Err(error) => match state.no_such() {
            Some(given) => {
                let go = |to| opening(&act, to);
                html! { <>{ bad }{ notices::no_such(lang, given, &state.library, &go) }</> }
            }
            None => html! { <>{ bad }{ notices::refused(lang, error) }</> },
        },
        Ok(show) => html! {
            <SceneView key={show.id()} {lang} show={show.clone()} step={state.step} way={state.way} hurried={state.hurried} turn={state.turn}
                playing={state.playing} played_from={state.played_from} speed={state.tenths()} hero={front} view={state.view} base={state.base()} fragment={state.fragment.clone()} written={state.written()} bounds={state.bounds} quiz={state.quiz.clone()} address={state.address()} act={act.clone()}>
                { bad }
                if let Some(count) = state.left() {
                    { branch::left(lang, count as u32, &act) }
                }
            </SceneView>
        },
    };
    html! {
        <>
            { draw::defs() }
            <Narrator {lang} speech={(*aloud).clone()} />
            if !alone {
                <Top {lang} theme={state.theme} first={first.clone()} act={act.clone()} />
            }
            <main class="page">
                if front {
                    if !alone {
                        <div class="lead"><h1 class="t-site">{ ui::site_heading(lang) }</h1><p class="muted">{ ui::nudge(lang) }</p></div>
                    }
                    { scene }
                    if !alone {
                        { ways(lang, &first, &act, Some(" →")) }
                        <Gallery {lang} library={state.library.clone()} act={act.clone()} />
                    }
                } else {
                    <h1 class="said">{ ui::site_heading(lang) }</h1>
                    { scene }
                    if !alone {
                        { below(&state, &act) }
                    }
                }
            </main>
        </>
    }
}

/// Under a scene: where to go from here.
fn below(state: &State, act: &Callback<Action>) -> Html {
    let lang = state.lang;
    let go = |to| opening(act, to);
    let after = state
        .scenario
        .as_deref()
        .and_then(|id| state.library.after(id));
    html! {
        <nav class="onward" id="scenes" tabindex="-1" aria-label={ui::gallery(lang)}>
            <a class="btn" href="?" onclick={go(None)}>{ ui::back_to_gallery(lang) }</a>
            if let Some(next) = after {
                <a class="btn" href={format!("?scenario={}", next.id)} onclick={go(Some(next.id.to_string()))}>
                    { ui::next_scene(lang) }{ " " }{ words(&next.question, lang).replace('`', "") }
                </a>
            }
        </nav>
    }
}

/// Puts the page into the document.
#[cfg(target_arch = "wasm32")]
pub fn mount() {
    // By the library: it would set one of its own over any other.
    yew::set_custom_panic_hook(Box::new(|panic| failed(&panic.to_string())));
    let Some(place) = dom::document().and_then(|d| d.get_element_by_id("app")) else {
        return;
    };
    place.set_inner_html("");
    let app = yew::Renderer::<Page>::with_root(place);
    let handle = Rc::new(std::cell::RefCell::new(None));
    let own = handle.clone();
    embed::open(&Address::read(&dom::query()), move || {
        if let Some(app) = own.take() {
            yew::AppHandle::destroy(app);
        }
    });
    handle.replace(Some(app.render()));
}

/// The program's own fault: said in both languages above what was last drawn, with the address,
/// which names scene and step.
#[cfg(target_arch = "wasm32")]
fn failed(what: &str) {
    let Some(document) = dom::document() else {
        return;
    };
    let (Ok(note), Some(body)) = (document.create_element("div"), document.body()) else {
        return;
    };
    note.set_class_name("fatal");
    let _ = note.set_attribute("role", "alert");
    let add = |tag: &str, text: &str| {
        let element = document.create_element(tag).ok()?;
        element.set_text_content(Some(text));
        note.append_child(&element).ok()?;
        Some(element)
    };
    for lang in Lang::ALL {
        add("p", &ui::program_failed(lang));
    }
    add("code", what);
    add("code", &dom::address());
    embed::failed(what);
    let query = [dom::query(), dom::fragment()].concat();
    let both = |words: fn(Lang) -> String| Lang::ALL.map(words).join(" / ");
    for (to, words) in [
        (query.as_str(), both(ui::open_step_anew)),
        ("?", both(ui::back_to_gallery)),
    ] {
        if let Some(link) = add("a", &words) {
            let _ = link.set_attribute("href", to);
        }
    }
    let _ = body.insert_before(&note, body.first_child().as_ref());
}
