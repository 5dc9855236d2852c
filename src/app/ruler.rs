//! The ruler beside a scene's replicas: its drawing, and the switches that change how it is
//! looked at, in place.

use super::address::VIEWS;
use super::draw;
use super::notices::rich;
use super::show::Show;
use super::state::{Act, Action};
use crate::kafka::ids::{Boundary, Tp};
use crate::script::ast::{Focus, View};
use crate::text::{Lang, question, ruler as say};
use crate::view::Step;
use crate::view::ruler::{
    Instrument, Isolation, Look, Reader, RulerInput, Words, beside, describe, guess, input, ruler,
};
use crate::view::stage::Layout;
use yew::{Callback, Html, html};

/// The ruler of a step, ready to be drawn and told.
pub struct Sight {
    lang: Lang,
    /// All who read, for the words.
    all: RulerInput,
    before: Option<RulerInput>,
    now: RulerInput,
    pub look: Look,
}

/// Letters in a line of the text picture.
const COLUMNS: i32 = 80;

impl Sight {
    /// Of several readers only one is drawn: `name`, else the first.
    pub fn new(step: &Step, tp: Tp, name: Option<&str>, mut look: Look) -> Option<Sight> {
        let all = input(step.now, tp)?;
        let own = |r: &Reader| Some(&*r.name) == name;
        let chosen = all.readers.iter().position(own).unwrap_or(0);
        let only = |mut of: RulerInput| {
            let name = all.readers.get(chosen).map(|r| r.name.clone());
            of.readers.retain(|r| Some(&r.name) == name.as_ref());
            of
        };
        look.needs.readers = look.needs.readers.min(1);
        Some(Sight {
            lang: step.lang,
            before: step.before.and_then(|p| input(p, tp)).map(only),
            now: only(all.clone()),
            all,
            look,
        })
    }

    /// `gap`: the boundary that the reader predicted.
    pub fn drawing(&self, gap: Option<i64>) -> Html {
        let before = self.before.as_ref();
        let predicted = gap.and_then(|at| guess(before, &self.now, &self.look, Boundary(at)));
        let label = question::your_answer(self.lang);
        let ruler = ruler(self.lang, before, &self.now, &self.look);
        draw::ruler::ruler(&ruler, predicted.map(|line| (line, label)))
    }

    pub fn words(&self) -> Words {
        crate::view::ruler::words(self.lang, &self.all, &self.look)
    }

    pub fn as_text(&self) -> String {
        describe(self.lang, &self.all, &self.look, COLUMNS)
    }

    /// The level at which the first reader is looked at.
    fn isolation(&self) -> Isolation {
        let own = self.now.readers.first().map(|r| r.isolation);
        self.look.isolation.or(own).unwrap_or_default()
    }

    /// What the brackets say when looked at another way.
    fn said(&self, look: Look) -> String {
        let ruler = ruler(self.lang, None, &self.now, &look);
        let mut out = String::new();
        for bracket in ruler.tracks.iter().flat_map(|t| &t.brackets) {
            if !out.is_empty() {
                out.push_str(", ");
            }
            out.push_str(&bracket.label.text.text);
        }
        out
    }

    /// The switches under the drawing.
    pub fn switches(
        &self,
        set: &Callback<(Option<Isolation>, Instrument)>,
        speak: &Callback<String>,
    ) -> Html {
        let lang = self.lang;
        let press = |isolation: Option<Isolation>, instrument: Instrument| {
            let (set, speak) = (set.clone(), speak.clone());
            let said = self.said(Look {
                isolation,
                instrument,
                layout: Layout::Wide,
                ..self.look
            });
            Callback::from(move |()| {
                set.emit((isolation, instrument));
                speak.emit(said.clone());
            })
        };
        let at = self.look;
        let levels = Isolation::ALL.map(|level| {
            let on = level == self.isolation();
            (
                level.word().to_string(),
                on,
                press(Some(level), at.instrument),
            )
        });
        let counters = Instrument::ALL.map(|instrument| {
            let words = match instrument {
                Instrument::GroupTool => "kafka-consumer-groups".into(),
                Instrument::Librdkafka => "librdkafka".into(),
                Instrument::LastRecord => say::counts_mistake(lang),
            };
            let on = instrument == at.instrument;
            (words, on, press(at.isolation, instrument))
        });
        html! {
            <>
                { choice("isolation.level".into(), &levels) }
                { choice(say::counts(lang), &counters) }
            </>
        }
    }

    /// What the chosen way of counting has to be told with.
    pub fn remark(&self) -> Html {
        let notes = crate::view::ruler::words(self.lang, &self.now, &self.look).notes;
        html! { <div class="remarks">{ for notes.iter().take(2).map(|n| html! { <p>{ rich(n) }</p> }) }</div> }
    }
}

/// All partitions of the topic, where the author looks at several of them.
pub fn partitions(show: &Show, step: &Step, tp: Tp, look: Look) -> Html {
    let focus = || show.scenario.beats.iter().flat_map(|b| &b.focus);
    let looked = |name| focus().filter_map(Focus::partition).any(|of| of == name);
    let own = step
        .now
        .partitions
        .iter()
        .filter(|p| p.tp.topic == tp.topic);
    let own = own.filter(|p| looked(&p.name));
    let logs: Vec<_> = own
        .filter_map(|p| {
            let before = step.before.and_then(|b| input(b, p.tp));
            Some((p.tp == tp, before, input(step.now, p.tp)?))
        })
        .collect();
    let shown = logs
        .iter()
        .find(|(shown, ..)| *shown)
        .map(|l| l.2.name.clone());
    let logs: Vec<_> = logs
        .into_iter()
        .map(|(_, before, now)| (before, now))
        .collect();
    let drawn = (logs.len() > 1).then(|| {
        let shown = shown.unwrap_or_default();
        beside(step.lang, &logs, &shown, &look)
    });
    drawn
        .flatten()
        .map_or_else(Html::default, |r| draw::ruler::ruler(&r, None))
}

/// Which of the three views a scene is shown in.
pub fn view_of(show: &Show, chosen: Option<View>) -> View {
    let own = show.scenario.view;
    match chosen.unwrap_or(own) {
        view @ (View::Ruler | View::Both) => view,
        _ => View::Replicas,
    }
}

/// Whether a scene has anything for a ruler to show.
pub fn has_ruler(show: &Show) -> bool {
    show.needs.readers > 0 || matches!(show.scenario.view, View::Ruler | View::Both)
}

/// The view after this one.
pub fn next(view: View) -> View {
    let at = VIEWS.iter().position(|v| v.1 == view).unwrap_or(0);
    VIEWS[(at + 1) % VIEWS.len()].1
}

/// The switch between replicas, ruler and both.
pub fn views(lang: Lang, view: View, act: &Act) -> Html {
    let choices = VIEWS.map(|(_, one)| {
        let words = match one {
            View::Ruler => say::view_ruler(lang),
            View::Both => say::view_both(lang),
            _ => say::view_replicas(lang),
        };
        (words, one == view, act.reform(move |()| Action::View(one)))
    });
    choice(say::view(lang), &choices)
}

/// Buttons of which one is pressed, with their name before them.
fn choice(name: String, choices: &[(String, bool, Callback<()>)]) -> Html {
    html! {
        <span class="choice">
            <span class="t-eb" aria-hidden="true">{ &name }</span>
            <span class="seg" role="group" aria-label={name}>
                { for choices.iter().map(|(words, on, press)| html! {
                    <button type="button" aria-pressed={if *on { "true" } else { "false" }} onclick={press.reform(|_| ())}>{ words }</button>
                }) }
            </span>
        </span>
    }
}
