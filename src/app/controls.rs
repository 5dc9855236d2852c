//! The buttons under the line of steps: all native.

use super::draw::icon;
use super::state::{Act, Action};
use crate::text::{Lang, ui};
use crate::view::tables::Way;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ControlsProps {
    pub lang: Lang,
    pub step: u32,
    pub last: u32,
    pub playing: bool,
    /// In tenths.
    pub speed: u32,
    pub act: Act,
    pub link: Callback<()>,
    pub help: Callback<()>,
}

#[component]
pub fn Controls(props: &ControlsProps) -> Html {
    let ControlsProps {
        lang, step, last, ..
    } = *props;
    let go = |to: u32, way: Way| {
        props
            .act
            .reform(move |_: MouseEvent| Action::Go(to, way, false))
    };
    let (at_first, at_last) = (step == 0, step == last);
    let off = |off: bool| off.then_some("true");
    let playing = props.playing;
    let speed = tenths(lang, props.speed);
    html! {
        <div class="bar" role="group" aria-label={ui::controls(lang)}>
            <button type="button" class="more" aria-label={ui::first(lang)} aria-disabled={off(at_first)} onclick={go(0, Way::Jump)}>{ icon::inline(icon::FIRST, 14) }</button>
            <button type="button" class="back" aria-disabled={off(at_first)} onclick={go(step.saturating_sub(1), Way::Back)}>{ icon::inline(icon::BACK, 12) }{ ui::back(lang) }</button>
            <button type="button" class="primary" aria-disabled={off(at_last)} onclick={go(step + 1, Way::Next)}>{ ui::next(lang) }{ icon::inline(icon::NEXT, 12) }</button>
            <button type="button" class="more" aria-label={ui::last(lang)} aria-disabled={off(at_last)} onclick={go(last, Way::Jump)}>{ icon::inline(icon::LAST, 14) }</button>
            <button type="button" class="play" aria-disabled={off(at_last && !playing)} onclick={props.act.reform(move |_| Action::Play(!playing))}>
                if playing {
                    { icon::inline(icon::PAUSE, 16) }<span class="word">{ ui::pause(lang) }</span>
                } else {
                    { icon::inline(icon::PLAY, 16) }<span class="word">{ ui::play(lang) }</span>
                }
            </button>
            <button type="button" class="more" aria-label={ui::speed(lang, &speed)} onclick={props.act.reform(|_| Action::Speed)}>{ ui::speed_value(lang, &speed) }</button>
            <span class="grow"></span>
            <span class="chip more">{ ui::step_of(lang, step, last) }</span>
            <button type="button" class="more" aria-label={ui::copy_link(lang)} onclick={props.link.reform(|_| ())}>{ icon::inline(icon::LINK, 16) }</button>
            <button type="button" class="more" aria-label={ui::key_help(lang)} onclick={props.help.reform(|_| ())}>{ icon::inline(icon::KEYS, 16) }</button>
        </div>
    }
}

/// Tenths with the comma of the language: «1,5».
fn tenths(lang: Lang, tenths: u32) -> String {
    let comma = match lang {
        Lang::Ru => ',',
        Lang::En => '.',
    };
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}{comma}{rest}", tenths / 10),
    }
}
