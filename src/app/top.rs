//! The bar at the top: the name, the language, the look.

use super::address::Theme;
use super::draw::icon;
use super::state::{Act, Action};
use crate::text::{Lang, ui, ways as say};
use crate::view::practice::SCENE as PRACTICE;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct TopProps {
    pub lang: Lang,
    pub theme: Theme,
    /// The scene to begin with.
    pub first: String,
    pub act: Act,
}

#[component]
pub fn Top(props: &TopProps) -> Html {
    let lang = props.lang;
    let act = |make: fn() -> Action| props.act.reform(move |_: MouseEvent| make());
    // Pressed again, a look goes back to the system's.
    let look = |theme: Theme| {
        let to = match props.theme == theme {
            true => Theme::Auto,
            false => theme,
        };
        props.act.reform(move |_: MouseEvent| Action::Theme(to))
    };
    let home = opening(&props.act, None);
    html! {
        <>
            <a class="skip" href="#scenes">{ ui::skip_to_scenes(lang) }</a>
            <header class="top">
                <a class="wm" href="?" onclick={home}>{ "Highwater" }</a>
                { ways(lang, &props.first, &props.act, None) }
                <span class="grow"></span>
                <div class="seg" role="group" aria-label="Язык / Language">
                    <button type="button" lang="ru" aria-pressed={(lang == Lang::Ru).to_string()} aria-label="RU: русский" onclick={act(|| Action::Lang(Lang::Ru))}>{ "RU" }</button>
                    <button type="button" lang="en" aria-pressed={(lang == Lang::En).to_string()} aria-label="EN: English" onclick={act(|| Action::Lang(Lang::En))}>{ "EN" }</button>
                </div>
                <div class="seg" role="group" aria-label={ui::theme(lang)}>
                    <button type="button" aria-pressed={(props.theme == Theme::Light).to_string()} aria-label={ui::theme_light(lang)} onclick={look(Theme::Light)}>{ icon::inline(icon::SUN, 16) }</button>
                    <button type="button" aria-pressed={(props.theme == Theme::Dark).to_string()} aria-label={ui::theme_dark(lang)} onclick={look(Theme::Dark)}>{ icon::inline(icon::MOON, 16) }</button>
                </div>
            </header>
        </>
    }
}

/// Where to go: the scenes in their order, the page that builds an embed, the practice. `sign`
/// stands after each.
pub fn ways(lang: Lang, first: &str, act: &Act, sign: Option<&'static str>) -> Html {
    let to = |scene: &str, words: String| {
        let href = format!("?scenario={scene}&lang={}", lang.code());
        let open = opening(act, Some(scene.to_string()));
        html! { <a {href} onclick={open}>{ words }{ sign }</a> }
    };
    html! {
        <nav class="ways" aria-label={say::ways(lang)}>
            { to(first, say::in_order(lang)) }
            <a href={format!("embed/?ui={}", lang.code())}>{ say::embed(lang) }{ sign }</a>
            { to(PRACTICE, say::sql(lang)) }
        </nav>
    }
}

/// What a link does that opens a scene, or the list of them, without leaving the page.
pub fn opening(act: &Act, to: Option<String>) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |press: MouseEvent| {
        if plain(&press) {
            press.prevent_default();
            act.emit(Action::Open(to.clone()));
        }
    })
}

/// A press that is not meant for a new tab or window.
pub fn plain(press: &MouseEvent) -> bool {
    press.button() == 0
        && !(press.ctrl_key() || press.meta_key() || press.shift_key() || press.alt_key())
}
