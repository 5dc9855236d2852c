//! What the frame tells of itself: answers and events about the scene, as JSON.

use super::facts::{Fact, changes, facts};
use super::json::{Fields, list, quoted};
use super::request::Code;
use super::request::{Format, Refusal};
use crate::app::show::Show;
use crate::text::{Lang, embed as say};

/// Goes up when the same story may run in another way.
const ENGINE: u32 = 1;

/// Where the scene is.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The language of the words.
    pub lang: Lang,
    /// The step that is shown.
    pub step: u32,
    /// The first and the last step that are shown.
    pub bounds: (u32, u32),
    /// It plays by itself.
    pub playing: bool,
}

/// An event on the port.
pub fn event(ev: &str, seq: u32, t: u32, data: &str) -> String {
    let event = Fields::message().text("ev", ev).number("seq", seq);
    event.number("t", t).raw("data", data).done()
}

/// Something that went wrong, as the data of `warning` and `error`.
pub fn trouble(code: &str, message: &str, param: &str) -> String {
    let data = Fields::default().text("code", code);
    let data = data.text("message", &message.replace('`', ""));
    match param {
        "" => data.done(),
        param => data.text("param", param).done(),
    }
}

/// A question's name: of the step it stands before.
pub fn question_id(step: u32) -> String {
    format!("q{step}")
}

/// What is shown and what there is.
pub fn info(show: &Show, at: At) -> String {
    let mark = |(id, step): (String, u32)| Fields::default().text("id", &id).number("step", step);
    Fields::default()
        .text("scenario", show.id())
        .text("title", show.title(at.lang))
        .number("step", at.step)
        .number("steps", show.last())
        .number("from", at.bounds.0)
        .number("to", at.bounds.1)
        .raw(
            "markers",
            &list(show.marks().into_iter().map(|m| mark(m).done())),
        )
        .raw(
            "questions",
            &list(show.questions(at.lang).into_iter().map(|(step, _)| {
                let id = question_id(step);
                Fields::default()
                    .text("id", &id)
                    .number("step", step)
                    .done()
            })),
        )
        .text("lang", at.lang.code())
        .raw("langs", &list(Lang::ALL.iter().map(|l| quoted(l.code()))))
        .number("engine", ENGINE)
        .text("build", env!("CARGO_PKG_VERSION"))
        .done()
}

/// The facts of a step; of several lanes, each under its number.
fn of_step(show: &Show, step: u32) -> Vec<Fact> {
    let many = show.lanes.len() > 1;
    let mut all = Vec::new();
    for lane in 0..show.lanes.len() {
        let Some(frame) = show.frame(lane, step) else {
            continue;
        };
        for (path, value) in facts(&frame.picture) {
            let path = match many {
                true => [&*lane.to_string(), "/", &path].concat(),
                false => path,
            };
            all.push((path, value));
        }
    }
    all
}

/// Everything that a step shows.
pub fn state(show: &Show, at: At) -> String {
    let facts = of_step(show, at.step)
        .iter()
        .fold(Fields::default(), |all, (path, value)| all.raw(path, value));
    let heading = match show.cards(at.lang).get(at.step as usize) {
        Some(card) => card.heading.replace('`', ""),
        None => String::new(),
    };
    Fields::default()
        .raw("schema", "1")
        .text("scenario", show.id())
        .text("title", show.title(at.lang))
        .text("lang", at.lang.code())
        .number("step", at.step)
        .number("of", show.last())
        .flag("playing", at.playing)
        .text("heading", &heading)
        .raw("facts", &facts.done())
        .done()
}

/// A step was taken, from another one.
pub fn step(show: &Show, at: At, from: u32, cause: &str) -> String {
    let what = match show.cards(at.lang).get(at.step as usize) {
        Some(card) if !card.what.is_empty() => card.what.join(" "),
        Some(card) => card.heading.clone(),
        None => String::new(),
    };
    let differs = changes(&of_step(show, from), &of_step(show, at.step));
    let differs = differs.into_iter().map(|(path, old, new)| {
        let change = Fields::default().text("path", &path).raw("from", &old);
        change.raw("to", &new).done()
    });
    let data = Fields::default().number("step", at.step);
    let data = data.number("of", at.bounds.1);
    let marks = show.marks();
    let data = match marks.iter().find(|m| m.1 == at.step) {
        Some((mark, _)) => data.text("marker", mark),
        None => data,
    };
    data.text("cause", cause)
        .text("what", &what.replace('`', ""))
        .raw("changes", &list(differs))
        .done()
}

/// A step in another form: its text. Drawings are the browser's.
pub fn export(show: &Show, at: At, format: Format, link: &str) -> Result<String, Refusal> {
    match format {
        Format::Json => Ok(state(show, at)),
        Format::Md => Ok(markdown(show, at, link)),
        Format::Svg | Format::Png => Err((Code::Internal, say::cannot(at.lang))),
    }
}

/// The words of a step, for notes and wikis.
fn markdown(show: &Show, at: At, link: &str) -> String {
    let cards = show.cards(at.lang);
    let mut lines = vec![["# ", show.title(at.lang)].concat()];
    if let Some(card) = cards.get(at.step as usize) {
        lines.push(["## ", &*at.step.to_string(), ". ", &card.heading].concat());
        lines.extend(card.what.iter().cloned());
        lines.extend(card.why.iter().map(|why| why.text.clone()));
        if !card.so.is_empty() {
            lines.push(card.so.clone());
        }
    }
    lines.push(["<", link, ">"].concat());
    lines.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::show::Library;
    use crate::script::library::SCENES;
    use serde_json::{Value, json};
    use std::rc::Rc;

    fn show(id: &str) -> Rc<Show> {
        Library::read(SCENES.iter().copied()).show(id).unwrap()
    }

    fn at(show: &Show, step: u32) -> At {
        At {
            lang: Lang::En,
            step,
            bounds: (0, show.last()),
            playing: false,
        }
    }

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_host_learns_what_there_is() {
        let show = show("acks1-loss");
        let info = json(&info(&show, at(&show, 2)));
        assert_eq!(info["scenario"], "acks1-loss");
        assert_eq!(info["steps"], json!(show.last()));
        assert_eq!(info["langs"], json!(["ru", "en"]));
        assert_eq!(
            info["markers"].as_array().unwrap().len(),
            show.marks().len()
        );
    }

    #[test]
    fn a_step_says_what_happened_and_what_is_different() {
        let show = show("acks1-loss");
        for step_now in 1..=show.last() {
            let event = json(&step(&show, at(&show, step_now), step_now - 1, "next"));
            assert_eq!(event["step"], json!(step_now));
            assert!(!event["what"].as_str().unwrap().is_empty());
            assert!(!event["changes"].as_array().unwrap().is_empty());
        }
        // Where nothing moved, nothing is different.
        let still = json(&step(&show, at(&show, 3), 3, "host"));
        assert_eq!(still["changes"], json!([]));
    }

    #[test]
    fn lanes_keep_their_facts_apart() {
        let show = show("compare-acks");
        let state = json(&state(&show, at(&show, show.last())));
        let facts = state["facts"].as_object().unwrap();
        assert!(facts.keys().any(|k| k.starts_with("0/")));
        assert!(facts.keys().any(|k| k.starts_with("1/")));
        assert_eq!(state["schema"], 1);
    }

    #[test]
    fn a_step_leaves_as_text() {
        let show = show("acks1-loss");
        let link = "https://a/?scenario=acks1-loss&step=2";
        let md = export(&show, at(&show, 2), Format::Md, link).unwrap();
        assert!(md.starts_with("# ") && md.contains(link), "{md}");
        let other = export(&show, at(&show, 2), Format::Json, link).unwrap();
        assert_eq!(json(&other)["step"], 2);
        let refused = export(&show, at(&show, 2), Format::Png, link);
        assert_eq!(refused.unwrap_err().0, Code::Internal);
    }

    #[test]
    fn an_event_is_numbered_and_timed() {
        let text = event("warning", 3, 40, &trouble("bad-param", "`x=1` no", "x"));
        assert_eq!(
            json(&text),
            json!({"highwater": 1, "ev": "warning", "seq": 3, "t": 40,
                "data": {"code": "bad-param", "message": "x=1 no", "param": "x"}})
        );
    }
}
