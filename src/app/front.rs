//! The front page under its scene: the gallery. A card is one link, the question.

use super::draw::{icon, mini::mini};
use super::scene::focus_next;
use super::show::{Form, Library, Show};
use super::state::{Act, Action};
use super::top::plain;
use crate::text::{Lang, spans, ui};
use crate::view::mini::{self as picture, Mini};
use std::rc::Rc;
use yew::prelude::*;

/// The version of Kafka that recordings were made with.
pub const KAFKA: &str = "4.3.1";

pub fn gallery(lang: Lang, library: &Rc<Library>, hero: Option<&str>, act: &Act) -> Html {
    let shows: Vec<Rc<Show>> = library
        .ids()
        .filter_map(|id| library.show(id).ok())
        .collect();
    let checked = shows.iter().filter(|s| !s.runs.is_empty()).count() as u32;
    html! {
        <>
            <section id="scenes" tabindex="-1">
                <div class="gh"><h2 class="t-group">{ ui::group_replication(lang) }</h2><span class="muted">{ ui::group_replication_about(lang) }</span></div>
                <ul class="gal">{ for shows.iter().map(|show| card(lang, show, hero == Some(&*show.id), act)) }</ul>
            </section>
            <footer class="foot">
                <span>{ ui::foot_checked(lang, checked, shows.len() as u32, KAFKA) }</span>
                <span>{ ui::foot_privacy(lang) }</span>
            </footer>
        </>
    }
}

fn card(lang: Lang, show: &Rc<Show>, here: bool, act: &Act) -> Html {
    let id = show.id.to_string();
    let href = format!("?scenario={id}&lang={}", lang.code());
    let open = {
        let act = act.clone();
        Callback::from(move |press: MouseEvent| {
            if !plain(&press) {
                return;
            }
            press.prevent_default();
            if here {
                focus_next();
            } else {
                act.emit(Action::Open(Some(id.clone())));
            }
        })
    };
    html! {
        <li class="sc" key={&*show.id}>
            <div class="pic">{ mini(&little(lang, show)) }</div>
            <div class="in">
                <h3><a class="q t-st" {href} onclick={open}>{ words(show.question.get(lang)) }</a></h3>
                <div class="meta">
                    <span>{ ui::length(lang, show.last() as i64) }</span>
                    { check(lang, show) }
                </div>
                if here {
                    <p class="meta">{ ui::open_above(lang) }</p>
                }
            </div>
        </li>
    }
}

fn words(sentence: &str) -> Html {
    spans(sentence)
        .into_iter()
        .map(|s| html! { { s.text } })
        .collect()
}

fn check(lang: Lang, show: &Show) -> Html {
    use crate::view::Icon;
    let (sign, words) = match show.runs.is_empty() {
        false => (Icon::RingTick, ui::checked(lang, KAFKA)),
        true => (Icon::Ring, ui::not_checked(lang)),
    };
    html! { <span>{ icon::inline(icon::path(sign), 14) }{ words }</span> }
}

/// The scene's last state, drawn by the engine.
fn little(lang: Lang, show: &Show) -> Mini {
    let end = |lane: usize| show.frame(lane, show.last()).map(|f| &f.picture);
    let Some(now) = end(0) else {
        return Mini::default();
    };
    match show.form {
        Form::Replicas(tp) => picture::logs(lang, now, tp),
        Form::Overview(topic) => picture::grid(lang, now, topic),
        Form::Compare(tp) => {
            let lanes: Vec<_> = show
                .lanes
                .iter()
                .enumerate()
                .filter_map(|(i, lane)| Some((&*lane.name, end(i)?)))
                .collect();
            picture::lanes(lang, &lanes, tp)
        }
    }
}
