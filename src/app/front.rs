//! The front page under its scene: the gallery. A card is one link, the question. Its picture is
//! its telling moment, drawn by the engine; the scenes are played one after another once the
//! page stands, so that the scene at the top can be stepped at once.

use super::checked::{Checked, KAFKA, checked};
use super::draw::{icon, mini::mini};
use super::moment::little;
use super::practice;
use super::show::{Library, words};
use super::state::Act;
use super::top::opening;
use crate::script::ast::{Group, Scenario};
use crate::text::{Lang, spans, ui};
use crate::view::Icon;
use crate::view::mini::Mini;
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties)]
pub struct GalleryProps {
    pub lang: Lang,
    pub library: Rc<Library>,
    pub act: Act,
}

impl PartialEq for GalleryProps {
    fn eq(&self, other: &Self) -> bool {
        self.lang == other.lang && Rc::ptr_eq(&self.library, &other.library)
    }
}

#[component]
pub fn Gallery(props: &GalleryProps) -> Html {
    let GalleryProps { lang, library, act } = props;
    let lang = *lang;
    let played = use_state_eq(|| 0usize);
    {
        let (library, played) = (library.clone(), played.clone());
        use_effect_with(*played, move |at| {
            let next = library.ids().nth(*at).map(str::to_string);
            let timer = next.map(|id| {
                Timeout::new(0, move || {
                    let _ = library.show(&id);
                    played.set(*played + 1);
                })
            });
            move || drop(timer)
        });
    }
    let of = library.scenarios().count() as u32;
    let done = library
        .scenarios()
        .filter(|s| checked(s.runs.iter().map(|r| &**r)) == Checked::Whole)
        .count() as u32;
    let groups = [
        (
            Group::Replication,
            "scenes",
            ui::group_replication(lang),
            ui::group_replication_about(lang),
        ),
        (
            Group::Offsets,
            "offsets",
            ui::group_offsets(lang),
            ui::group_offsets_about(lang),
        ),
    ];
    html! {
        <>
            { for groups.into_iter().map(|(group, id, name, about)| html! {
                <section {id} tabindex="-1">
                    <div class="gh"><h2 class="t-group">{ name }</h2><span class="muted">{ about }</span></div>
                    <ul class="gal">
                        { for library.scenarios().filter(|s| s.group == group).map(|scenario| {
                            let picture = library.played(&scenario.id).map(|show| little(lang, &show));
                            card(lang, scenario, picture, act)
                        }) }
                    </ul>
                </section>
            }) }
            { practice::card(lang, act) }
            <footer class="foot">
                <span>{ ui::foot_checked(lang, done, of, KAFKA) }</span>
                <span>{ ui::foot_privacy(lang) }</span>
                <a href={format!("embed/?ui={}", lang.code())}>{ ui::foot_embed(lang) }</a>
            </footer>
        </>
    }
}

fn card(lang: Lang, scenario: &Scenario, picture: Option<Mini>, act: &Act) -> Html {
    let id = scenario.id.to_string();
    let href = format!("?scenario={id}&lang={}", lang.code());
    let open = opening(act, Some(id.clone()));
    html! {
        <li class="sc" key={&*scenario.id}>
            <div class="pic">
                if let Some(picture) = picture {
                    { mini(&picture) }
                }
            </div>
            <div class="in">
                <h3><a class="q t-st" {href} onclick={open}>{ bare(words(&scenario.question, lang)) }</a></h3>
                <div class="meta">
                    <span>{ ui::length(lang, scenario.beats.len() as i64) }</span>
                    { check(lang, scenario) }
                </div>
            </div>
        </li>
    }
}

/// The words without code type: a link is one run of text.
fn bare(sentence: &str) -> Html {
    spans(sentence)
        .into_iter()
        .map(|s| html! { { s.text } })
        .collect()
}

/// How far a scene was checked, in a sign and words.
pub fn check(lang: Lang, scenario: &Scenario) -> Html {
    let (sign, words) = match checked(scenario.runs.iter().map(|r| &**r)) {
        Checked::Whole => (Icon::RingTick, ui::checked(lang, KAFKA)),
        Checked::Parts => (Icon::Ring, ui::checked_in_parts(lang)),
        Checked::No => (Icon::Ring, ui::not_checked(lang)),
    };
    html! { <span>{ icon::inline(icon::path(sign), 14) }{ words }</span> }
}
