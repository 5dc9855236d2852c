//! The buttons under the line of steps: all native.

use super::draw::icon;
use super::help;
use super::state::{Act, Action};
use crate::text::{Lang, share, ui};
use crate::view::tables::Way;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ControlsProps {
    pub lang: Lang,
    pub step: u32,
    /// The first step that is shown.
    pub begin: u32,
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
        lang,
        step,
        begin,
        last,
        ..
    } = *props;
    let go = |to: u32, way: Way| {
        props
            .act
            .reform(move |_: MouseEvent| Action::Go(to, way, false))
    };
    let (at_first, at_last) = (step == begin, step == last);
    let off = |off: bool| off.then_some("true");
    let playing = props.playing;
    let speed = tenths(lang, props.speed);
    // The same buttons stand in the bar, as signs, and on a phone in a menu, with their words.
    let menu = use_node_ref();
    let extra = |kind: &'static str,
                 sign: icon::Path,
                 name: String,
                 idle: bool,
                 then: Callback<MouseEvent>| {
        let menu = menu.clone();
        let press = Callback::from(move |e: MouseEvent| {
            help::close(&menu);
            then.emit(e);
        });
        html! {
            <button type="button" class={classes!("more", kind)} aria-label={name.clone()} aria-disabled={off(idle)} onclick={press}>
                { icon::inline(sign, 16) }<span class="word">{ name }</span>
            </button>
        }
    };
    let first = extra(
        "",
        icon::FIRST,
        ui::first(lang),
        at_first,
        go(begin, Way::Jump),
    );
    let end = extra("", icon::LAST, ui::last(lang), at_last, go(last, Way::Jump));
    let link = extra(
        "share",
        icon::LINK,
        share::open(lang),
        false,
        props.link.reform(|_| ()),
    );
    let keys = extra(
        "",
        icon::KEYS,
        ui::key_help(lang),
        false,
        props.help.reform(|_| ()),
    );
    let speed = html! {
        <button type="button" class="more speed" aria-label={ui::speed(lang, &speed)} onclick={props.act.reform(|_| Action::Speed)}>
            <span class="sign">{ ui::speed_value(lang, &speed) }</span><span class="word">{ ui::speed(lang, &ui::speed_value(lang, &speed)) }</span>
        </button>
    };
    let open = {
        let menu = menu.clone();
        move |_: MouseEvent| help::open(&menu)
    };
    let shut = {
        let menu = menu.clone();
        move |_: MouseEvent| help::close(&menu)
    };
    html! {
        <>
            <div class="bar" role="group" aria-label={ui::controls(lang)}>
                { first.clone() }
                <button type="button" class="back" aria-disabled={off(at_first)} onclick={go(step.saturating_sub(1).max(begin), Way::Back)}>{ icon::inline(icon::BACK, 12) }{ ui::back(lang) }</button>
                <button type="button" class="primary" aria-disabled={off(at_last)} onclick={go(step + 1, Way::Next)}>{ ui::next(lang) }{ icon::inline(icon::NEXT, 12) }</button>
                { end.clone() }
                <button type="button" class="play" aria-label={if playing { ui::pause(lang) } else { ui::play(lang) }} aria-disabled={off(at_last && !playing)} onclick={props.act.reform(move |_| Action::Play(!playing))}>
                    if playing {
                        { icon::inline(icon::PAUSE, 16) }<span class="word">{ ui::pause(lang) }</span>
                    } else {
                        { icon::inline(icon::PLAY, 16) }<span class="word">{ ui::play(lang) }</span>
                    }
                </button>
                { speed.clone() }
                <span class="grow"></span>
                <span class="chip more">{ ui::step_of(lang, step - begin, last - begin) }</span>
                { link.clone() }
                { keys.clone() }
                <button type="button" class="menu" aria-haspopup="dialog" aria-label={ui::menu(lang)} onclick={open}>{ icon::inline(icon::MENU, 16) }</button>
            </div>
            <dialog ref={menu} class="extras" aria-label={ui::controls(lang)}>
                { first }{ end }{ speed }{ link }{ keys }
                <button type="button" onclick={shut}>{ ui::close(lang) }</button>
            </dialog>
        </>
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
