//! The answer: the result as a table with its comparison, the verdict, and the solution.

use super::desk::{Act, Answer, Sheet};
use super::page::to_editor;
use crate::app::draw::icon;
use crate::app::notices::rich;
use crate::text::Lang;
use crate::text::practice::page as words;
use crate::view::Icon;
use crate::view::practice::reply::{Mark, Outcome, Reply, Row};
use crate::view::practice::tasks::Task;
use yew::prelude::*;

pub fn answer(
    lang: Lang,
    task: Task,
    sheet: &Sheet,
    act: &Callback<Act>,
    go: impl Fn(Task) -> Callback<MouseEvent>,
) -> Html {
    let verdict = match &sheet.answer {
        Answer::None => html! { <p class="p-empty muted">{ words::no_result_yet(lang) }</p> },
        Answer::Stopped => html! {
            <div class="p-verdict">
                { heading(icon::PAUSE, &words::stopped(lang)) }
                <p>{ words::stopped_about(lang) }</p>
            </div>
        },
        Answer::Reply(reply) => html! {
            <>
                { result(lang, reply) }
                { verdict(lang, reply, task.after().map(|next| (next, go(next)))) }
            </>
        },
    };
    html! { <>{ verdict }{ solution(lang, task, sheet, act) }</> }
}

fn heading(sign: (bool, &'static str), text: &str) -> Html {
    html! { <h4 class="t-st">{ icon::inline(sign, 16) }<span>{ rich(text) }</span></h4> }
}

fn verdict(lang: Lang, reply: &Reply, next: Option<(Task, Callback<MouseEvent>)>) -> Html {
    let (class, sign) = match reply.outcome {
        Outcome::Right => ("p-verdict", icon::path(Icon::RingTick)),
        Outcome::Wrong => ("p-verdict p-wrong", icon::path(Icon::Cross)),
        Outcome::Error => ("p-verdict p-wrong", icon::WARN),
    };
    html! {
        <div {class}>
            { heading(sign, reply.heading.of(lang)) }
            { for reply.lines.iter().map(|line| html! { <p>{ rich(line.of(lang)) }</p> }) }
            if let (Outcome::Right, Some((next, onclick))) = (reply.outcome, next) {
                <button type="button" class="primary" {onclick}>
                    { words::to_task(lang, next.number()) }{ icon::inline(icon::NEXT, 14) }
                </button>
            }
        </div>
    }
}

fn result(lang: Lang, reply: &Reply) -> Html {
    if reply.columns.is_empty() {
        return Html::default();
    }
    let compared = reply.rows.iter().any(|row| !row.note.ru.is_empty());
    html! {
        <div class="box scroll p-result" tabindex="0" role="region" aria-label={words::result(lang)}>
            <table>
                <caption>{ words::result(lang) }</caption>
                <thead><tr>
                    { for reply.columns.iter().map(|name| html! { <th scope="col" class="mono">{ name }</th> }) }
                    if compared {
                        <th scope="col">{ words::comparison(lang) }</th>
                    }
                </tr></thead>
                <tbody>{ for reply.rows.iter().map(|r| row(lang, r, compared)) }</tbody>
            </table>
        </div>
    }
}

fn row(lang: Lang, row: &Row, compared: bool) -> Html {
    let sign = match row.mark {
        Mark::Same => Icon::Tick,
        Mark::Differs | Mark::Extra | Mark::Missing => Icon::Cross,
    };
    let class = match row.mark {
        Mark::Same => "",
        Mark::Differs | Mark::Extra => "p-off",
        Mark::Missing => "p-off p-missing",
    };
    html! {
        <tr {class}>
            { for row.cells.iter().map(|cell| html! { <td class="mono">{ cell }</td> }) }
            if compared {
                <td><span class="sign">{ icon::inline(icon::path(sign), 12) }<span>{ row.note.of(lang) }</span></span></td>
            }
        </tr>
    }
}

fn solution(lang: Lang, task: Task, sheet: &Sheet, act: &Callback<Act>) -> Html {
    if sheet.solution.is_empty() {
        return html! { <p class="p-locked muted">{ words::solution_locked(lang) }</p> };
    }
    let query = sheet.solution.clone();
    let copy = act.reform(move |_: MouseEvent| {
        to_editor();
        Act::Edit(task, query.clone())
    });
    html! {
        <details class="box fold p-solution">
            <summary>{ words::solution(lang) }</summary>
            <pre class="mono">{ &sheet.solution }</pre>
            <button type="button" onclick={copy}>{ words::solution_copy(lang) }</button>
        </details>
    }
}
