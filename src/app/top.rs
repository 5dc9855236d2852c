//! The bar at the top: the name, the language, the look.

use super::address::Theme;
use super::draw::icon;
use super::state::{Act, Action};
use crate::text::{Lang, ui};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct TopProps {
    pub lang: Lang,
    pub theme: Theme,
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
    let home = {
        let act = props.act.clone();
        Callback::from(move |press: MouseEvent| {
            if plain(&press) {
                press.prevent_default();
                act.emit(Action::Open(None));
            }
        })
    };
    html! {
        <>
            <a class="skip" href="#scenes">{ ui::skip_to_scenes(lang) }</a>
            <header class="top">
                <a class="wm" href="?" onclick={home}>{ "Highwater" }</a>
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

/// A press that is not meant for a new tab or window.
pub fn plain(press: &MouseEvent) -> bool {
    press.button() == 0
        && !(press.ctrl_key() || press.meta_key() || press.shift_key() || press.alt_key())
}
