//! The practice as a whole, and its card in the gallery.

use super::answer::answer;
use super::desk::{Act, Answer, Desk, Engine, HINTS};
use super::editor::Editor;
use super::engine::Running;
use super::snapshot::{Rulers, Tables, small_rulers};
use crate::app::dom;
use crate::app::draw::icon;
use crate::app::narrator::{Narrator, Speech};
use crate::app::notices::rich;
use crate::app::state::{self, Action};
use crate::app::top::plain;
use crate::text::practice::page as words;
use crate::text::{Lang, spans};
use crate::view::Icon;
use crate::view::practice::SCENE;
use crate::view::practice::reply::Outcome;
use crate::view::practice::tables::Table;
use crate::view::practice::tasks::Task;
use crate::view::tables::Way;
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for Desk {
    type Action = Act;
    fn reduce(self: Rc<Self>, action: Act) -> Rc<Self> {
        let mut next = (*self).clone();
        next.act(action);
        Rc::new(next)
    }
}

#[derive(Properties, PartialEq)]
pub struct PracticeProps {
    pub lang: Lang,
    /// The task, the first is 0.
    pub step: u32,
    pub act: state::Act,
    /// Notices of the page.
    #[prop_or_default]
    pub children: Html,
}

#[component]
pub fn PracticeView(props: &PracticeProps) -> Html {
    let lang = props.lang;
    let task = Task::of_number(props.step + 1).unwrap_or(Task::Lag);
    let desk = use_reducer(Desk::default);
    let running = use_mut_ref(|| None::<Running>);
    let act = {
        let dispatch = desk.dispatcher();
        use_callback((), move |act: Act, ()| dispatch.dispatch(act))
    };

    // The module comes when the practice is opened, and anew after a query was stopped.
    {
        let (running, say) = (running.clone(), act.reform(Act::Heard));
        use_effect_with(desk.started, move |_| {
            // The old worker ends before the new one begins.
            running.borrow_mut().take();
            *running.borrow_mut() = Running::start(&say);
            move || drop(running.borrow_mut().take())
        });
    }
    {
        let asked = desk.running().then(|| desk.asked.clone()).flatten();
        use_effect_with(asked, move |asked| {
            if let (Some(asked), Some(running)) = (asked, &*running.borrow()) {
                running.ask(&asked.encode());
            }
        });
    }

    // Who has gone on to another task waits for no query of the last one.
    {
        let left = desk.asked.as_ref().is_some_and(|asked| asked.task != task);
        let act = act.clone();
        use_effect_with(left, move |left| {
            if *left {
                act.emit(Act::Stop);
            }
        });
    }

    let sheet = desk.sheet(task);
    let go = |to: Task| {
        props
            .act
            .reform(move |_: MouseEvent| Action::Go(to.number() - 1, Way::Jump, false))
    };
    let press = |to: Act| act.reform(move |_: MouseEvent| to.clone());
    let busy = desk.asked.is_some();
    let (speech, alert) = spoken(lang, task, &desk);
    let snapshot = match task.table() {
        Some(table) => words::snapshot_more(lang, table.name()),
        None => words::snapshot(lang),
    };
    let beside: Vec<Table> = task.tables();
    let others: Vec<Table> = [Table::PartitionState, Table::ReplayRequests]
        .into_iter()
        .filter(|table| !beside.contains(table))
        .collect();
    html! {
        <section class="scene practice" tabindex="-1" aria-label={words::region(lang)} data-answered={desk.answered.to_string()}>
            <header class="p-head">
                <h2 class="t-title grow">{ words::title(lang) }</h2>
                <span class="chip">{ snapshot }</span>
                <span class="muted small">{ words::solved_of(lang, desk.solved(), Task::ALL.len() as u32) }</span>
            </header>
            { props.children.clone() }
            <div class="p-grid">
                <div class="p-task box">
                    <div class="p-tasks" role="group" aria-label={words::tasks(lang)}>
                        { for Task::ALL.into_iter().map(|t| task_button(lang, t, t == task, desk.sheet(t).solved, go(t))) }
                    </div>
                    <h3 class="t-st">{ words::task(lang, task.number(), &task.name(lang)) }</h3>
                    <p>{ rich(&task.ask(lang)) }</p>
                </div>
                <div class="p-desk">
                    <Editor {lang} {task} text={sheet.text.clone()} place={sheet.place()} act={act.clone()} />
                    <div class="bar p-bar">
                        <button type="button" class="primary" aria-disabled={busy.then_some("true")} onclick={press(Act::Check(task))}>
                            { words::check(lang) }{ icon::inline(icon::NEXT, 14) }
                        </button>
                        <button type="button" aria-disabled={(!busy).then_some("true")} onclick={press(Act::Stop)}>{ words::stop(lang) }</button>
                        <button type="button" aria-disabled={(sheet.hints >= HINTS).then_some("true")} onclick={press(Act::Hint(task))}>{ words::hint(lang) }</button>
                    </div>
                    { engine(lang, &desk, &act) }
                    { hints(lang, task, sheet.hints) }
                    { answer(lang, task, sheet, &act, go) }
                    <p class="small muted p-note">{ words::note(lang) }</p>
                </div>
                <Rulers {lang} {task} />
                <Tables {lang} tables={beside} class="p-state" />
                if !others.is_empty() {
                    <Tables {lang} tables={others} class="p-others" />
                }
            </div>
            <Narrator {lang} {speech} />
            <div class="said" role="alert" lang={lang.code()}>{ alert }</div>
        </section>
    }
}

fn task_button(
    lang: Lang,
    task: Task,
    here: bool,
    solved: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let (number, name) = (task.number(), task.name(lang));
    let label = match solved {
        true => words::task_solved(lang, number, &name),
        false => words::task_button(lang, number, &name),
    };
    html! {
        <button key={number} type="button" aria-pressed={here.to_string()} aria-label={label.clone()} title={label} {onclick}>
            { number }
            if solved {
                { icon::inline(icon::path(Icon::Tick), 12) }
            }
        </button>
    }
}

/// How the module is: a line and, while it comes, a bar.
fn engine(lang: Lang, desk: &Desk, act: &Callback<Act>) -> Html {
    let line = match (&desk.engine, desk.asked.is_some()) {
        (Engine::Failed(why), _) => {
            let why = match why.is_empty() {
                true => words::not_built(lang),
                false => why.clone(),
            };
            return html! {
                <div class="broken">
                    <p class="t-st">{ words::no_module(lang) }</p>
                    <p>{ words::no_module_about(lang, &why) }</p>
                    <button type="button" onclick={act.reform(|_| Act::Again)}>{ words::again(lang) }</button>
                </div>
            };
        }
        (Engine::Loading(_), true) => words::waiting(lang),
        (Engine::Loading(100), false) => words::starting(lang),
        (Engine::Loading(percent), false) => words::loading(lang, *percent),
        (Engine::Ready(_), true) => words::running(lang),
        (Engine::Ready(version), false) => words::ready(lang, version),
    };
    let percent = match desk.engine {
        Engine::Loading(percent) => Some(percent.to_string()),
        _ => None,
    };
    html! {
        <div class="p-engine small muted">
            <span>{ line.clone() }</span>
            if let Some(value) = percent {
                <progress max="100" {value} aria-label={line} />
            }
        </div>
    }
}

fn hints(lang: Lang, task: Task, open: usize) -> Html {
    if open == 0 {
        return Html::default();
    }
    let all = task.hints(lang);
    html! {
        <div class="panel p-hints" role="group" aria-label={words::hints(lang)}>
            { for all.iter().take(open).enumerate().map(|(at, hint)| html! {
                <p><span class="t-eb">{ words::hint_number(lang, at as u32 + 1) }</span>{ rich(hint) }</p>
            }) }
        </div>
    }
}

/// A text with its code as it is spoken.
fn plain_words(text: &str) -> String {
    spans(text).iter().map(|s| s.text).collect()
}

/// What is said aloud, calmly and at once.
fn spoken(lang: Lang, task: Task, desk: &Desk) -> (Speech, String) {
    let mut alert = String::new();
    let calm = match (&desk.engine, &desk.sheet(task).answer) {
        (Engine::Failed(_), _) => {
            alert = words::no_module(lang);
            String::new()
        }
        _ if desk.running() => words::running(lang),
        (Engine::Loading(_), _) if desk.asked.is_some() => words::waiting(lang),
        (_, Answer::Stopped) => format!("{}. {}", words::stopped(lang), words::stopped_about(lang)),
        (_, Answer::Reply(reply)) => {
            let lines: Vec<String> = reply
                .lines
                .iter()
                .map(|l| plain_words(l.of(lang)))
                .collect();
            let all = format!(
                "{}. {}",
                plain_words(reply.heading.of(lang)),
                lines.join(" ")
            );
            if reply.outcome == Outcome::Error {
                alert = all;
                String::new()
            } else {
                all
            }
        }
        (Engine::Ready(version), Answer::None) => words::ready(lang, version),
        (Engine::Loading(_), Answer::None) => String::new(),
    };
    let speech = Speech {
        words: calm,
        // A query that is answered at once is not said to run.
        rest: 250,
        turn: desk.turn,
    };
    (speech, alert)
}

/// The group of the gallery, with the one card.
pub fn card(lang: Lang, act: &state::Act) -> Html {
    let open = {
        let act = act.clone();
        Callback::from(move |press: MouseEvent| {
            if plain(&press) {
                press.prevent_default();
                act.emit(Action::Open(Some(SCENE.into())));
            }
        })
    };
    let href = format!("?scenario={SCENE}&lang={}", lang.code());
    html! {
        <section id="practice" tabindex="-1">
            <div class="gh"><h2 class="t-group">{ words::group(lang) }</h2><span class="muted">{ words::group_about(lang) }</span></div>
            <ul class="gal">
                <li class="sc whole">
                    <div class="pic">{ small_rulers(lang) }</div>
                    <div class="in">
                        <h3><a class="q t-st" {href} onclick={open}>{ words::title(lang) }</a></h3>
                        <p class="meta">{ words::card_about(lang) }</p>
                    </div>
                </li>
            </ul>
        </section>
    }
}

/// Where the editor is, for those who take something into it.
pub fn to_editor() {
    dom::focus_selector("#sql");
}
