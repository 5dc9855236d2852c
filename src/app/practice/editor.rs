//! The editor: the browser's own text area, over a copy of its text in which the place of an
//! error is underlined. Tab leaves it; Ctrl or Cmd with Enter checks the query.

use super::desk::Act;
use crate::app::draw::icon;
use crate::text::Lang;
use crate::text::practice::page as words;
use crate::view::Icon;
use crate::view::practice::tasks::Task;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct EditorProps {
    pub lang: Lang,
    pub task: Task,
    pub text: String,
    /// The bytes to underline.
    pub place: Option<(usize, usize)>,
    pub act: Callback<Act>,
}

#[component]
pub fn Editor(props: &EditorProps) -> Html {
    let (lang, task) = (props.lang, props.task);
    let text = &props.text;
    let edit = props.act.reform(move |event: InputEvent| {
        let area: HtmlTextAreaElement = event.target_unchecked_into();
        Act::Edit(task, area.value())
    });
    let keys = {
        let act = props.act.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
                event.prevent_default();
                act.emit(Act::Check(task));
            }
        })
    };
    let (from, to) = props.place.unwrap_or_default();
    let parts = (text.get(..from), text.get(from..to), text.get(to..));
    let copy = match parts {
        (Some(before), Some(blamed), Some(after)) if props.place.is_some() => {
            html! { <>{ before }<mark>{ blamed }</mark>{ after }</> }
        }
        _ => html! { { text } },
    };
    let invalid = props.place.is_some().then_some("true");
    html! {
        <div>
            <div class="row">
                <label class="t-eb grow" for="sql">{ words::editor(lang) }</label>
                <button type="button" class="p-reset" aria-label={words::reset(lang)} title={words::reset(lang)} onclick={props.act.reform(move |_| Act::Reset(task))}>
                    { icon::inline(icon::path(Icon::Retry), 14) }
                </button>
            </div>
            <div class="p-edit">
                // The last line would have no height without something after it.
                <pre aria-hidden="true">{ copy }{ "\n " }</pre>
                <textarea id="sql" value={text.clone()} spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off"
                    aria-describedby="sql-keys" aria-invalid={invalid} oninput={edit} onkeydown={keys} />
            </div>
            <p id="sql-keys" class="small muted">{ words::editor_keys(lang) }</p>
        </div>
    }
}
