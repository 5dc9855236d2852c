//! A scene told by pages: the program's own page of each step is rendered and taken apart into
//! what stays, what each step shows, and its words. The script of `static/steps.js` puts a
//! step's slots into the page where the program would draw them.

use super::tree::Node;
use super::{Reader, render};
use crate::app::question::questions;
use crate::app::show::{Library, words};
use crate::script::ast::View;
use crate::text::{Lang, ui};
use std::collections::BTreeMap;

/// Windows for which a drawing is made: the name of the layout, and a width that has it, px.
const LAYOUTS: [(&str, i32); 3] = [("wide", 1280), ("phone", 390), ("narrow", 320)];

/// A step of a scene.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its heading, as markup without elements.
    pub heading: String,
    /// The face of its card: heading, what happened, why, so what.
    pub face: Vec<Node>,
    /// Its tables: the state in words.
    pub tables: Vec<Node>,
    /// What is drawn at this step, each with its `data-s`, a layout's with its `data-l`.
    pub slots: Vec<Node>,
    /// Something is otherwise than at the step before.
    pub changed: bool,
    /// The words of the slider.
    pub spoken: String,
    /// A question stands before the step after it: only the program can ask it.
    pub asks: bool,
}

/// A scene in a language.
#[derive(Clone, Debug)]
pub struct Board {
    /// The scene's name.
    pub id: String,
    /// Its language.
    pub lang: Lang,
    /// Its title.
    pub title: String,
    /// Its question.
    pub question: String,
    /// What there is to see.
    pub summary: String,
    /// `replicas`, `overview` or `lanes`.
    pub form: String,
    /// The page at step 0, slots emptied.
    pub page: Vec<Node>,
    /// Its steps, step 0 the first.
    pub steps: Vec<Told>,
    /// Step 0 and the turning points.
    pub markers: Vec<u32>,
    /// The step that stands for the scene.
    pub telling: u32,
}

/// The scenes there are, in their order.
pub fn scenes() -> Vec<String> {
    Library::built_in().ids().map(str::to_string).collect()
}

/// A scene of the page in a language; `front`: as it stands on the front page.
pub fn board(id: &str, lang: Lang, front: bool) -> Result<Board, String> {
    let show = Library::built_in()
        .show(id)
        .map_err(|e| format!("{id}: {e:?}"))?;
    let scene = match front {
        true => String::new(),
        false => format!("scenario={id}&"),
    };
    let at = |step: u32, width: i32| {
        let query = format!("?{scene}step={step}&lang={}", lang.code());
        let mut page = Node::read(&render(Reader { query, width }));
        mark(&mut page);
        page
    };
    let asked = questions(&show, lang);
    let mut steps: Vec<Told> = Vec::new();
    for step in 0..=show.last() {
        let wide = at(step, LAYOUTS[0].1);
        let mut slots = slots(&wide);
        if Node::find(&wide, &|n| n.is("stage")).is_some() {
            for slot in &mut slots {
                slot.set("data-l", Some(LAYOUTS[0].0));
            }
            for (layout, width) in &LAYOUTS[1..] {
                slots.extend(self::slots(&at(step, *width)).into_iter().map(|mut slot| {
                    slot.set("data-l", Some(layout));
                    slot
                }));
            }
        }
        let mut told = told(&wide, step, slots).ok_or(format!("{id}: no card at step {step}"))?;
        told.asks = asked.iter().any(|(of, _)| *of == step + 1);
        told.changed = steps.last().is_none_or(|last| last.slots != told.slots)
            || !Node::write(&wide).contains(&ui::nothing_changed(lang));
        steps.push(told);
    }
    let mut page = at(0, LAYOUTS[0].1);
    let form = ["replicas", "overview", "lanes"]
        .into_iter()
        .find(|form| Node::find(&page, &|n| n.is("widget") && n.is(form)).is_some())
        .unwrap_or_default();
    // Which layout a window has is known only there: the script takes the one that fits.
    let first = Node::new(
        "template",
        &[],
        steps.first().map_or(vec![], |s| s.slots.clone()),
    );
    Node::each(&mut page, &mut |node| {
        let (stage, fold) = (node.is("stage"), node.is("fold"));
        let Some(content) = node.content_mut() else {
            return;
        };
        if stage {
            content.clear();
        }
        // What a fold holds is the step's: the script or the program fills it.
        if fold {
            content.retain(|inner| inner.name() == "summary");
        }
    });
    let mut first = (form == "replicas").then_some(first);
    Node::each(&mut page, &mut |node| {
        if node.is("scene")
            && let (Some(content), Some(first)) = (node.content_mut(), first.take())
        {
            content.insert(0, first);
        }
    });
    // Where offsets are the matter no leader changes: what is asked about tells most.
    let by_offsets = matches!(show.scenario.view, View::Ruler | View::Both);
    let decided = asked.iter().map(|(step, _)| *step).find(|_| by_offsets);
    let telling = decided.unwrap_or_else(|| show.telling());
    let mut markers = show.markers();
    markers.insert(0, 0);
    Ok(Board {
        id: id.into(),
        lang,
        title: show.title(lang).into(),
        question: words(&show.scenario.question, lang).replace('`', ""),
        summary: words(&show.scenario.summary, lang).replace('`', ""),
        form: form.into(),
        page,
        steps,
        markers,
        telling,
    })
}

/// What a step changes as a whole, by its classes.
const SLOTS: [&str; 9] = [
    "stage", "looks", "kpi", "blocks", "part", "tops", "top-half", "rests", "low-half",
];

/// Names the slots and the buttons that need no program.
fn mark(page: &mut [Node]) {
    let mut count: BTreeMap<&str, u32> = BTreeMap::new();
    let mut name = |node: &mut Node| {
        let slot = SLOTS.into_iter().find(|s| node.is(s));
        if let Some(slot) = slot {
            let n = count.entry(slot).or_default();
            node.set("data-s", Some(&format!("{slot}{n}")));
            *n += 1;
        }
    };
    name_slots(page, &mut name);
    let mut in_list = 0;
    let mut plain = 0;
    Node::each(page, &mut |node| {
        if node.is("bar") || node.is("extras") {
            plain = 0;
        }
        if node.name() != "button" {
            return;
        }
        let to = if node.is("back") {
            "back".into()
        } else if node.is("primary") && node.get("type") == Some("button") {
            "next".into()
        } else if node.is("more") {
            plain += 1;
            match plain {
                1 => "first".into(),
                2 => "last".into(),
                _ => return,
            }
        } else if node.is("link") {
            number(&node.words())
        } else if node.get("lang").is_some() {
            node.get("lang").unwrap_or_default().to_string()
        } else if node.get("class").is_none() && starts_with_number(node, in_list) {
            in_list += 1;
            (in_list - 1).to_string()
        } else {
            return;
        };
        node.set("data-go", Some(&to));
    });
}

/// From outside inwards; what lies in a slot is part of it.
fn name_slots(nodes: &mut [Node], name: &mut dyn FnMut(&mut Node)) {
    for node in nodes {
        name(node);
        if node.get("data-s").is_none()
            && let Some(content) = node.content_mut()
        {
            name_slots(content, name);
        }
    }
}

/// A button of the list of all steps: «3. …».
fn starts_with_number(button: &Node, number: usize) -> bool {
    button.words().starts_with(&format!("{number}. "))
}

/// The first number in some words.
fn number(words: &str) -> String {
    words
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect()
}

fn slots(page: &[Node]) -> Vec<Node> {
    Node::all(page, &|n| n.get("data-s").is_some())
        .into_iter()
        .cloned()
        .collect()
}

/// A term of the glossary, where no program opens it.
pub(super) fn plain_term(node: &mut Node) {
    if node.name() == "button" && node.is("term") {
        *node = Node::new("span", &[], node.content().to_vec());
    }
}

fn told(page: &[Node], step: u32, slots: Vec<Node>) -> Option<Told> {
    let faces = Node::all(page, &|n| n.is("face") && n.is("now"));
    let mut face: Vec<Node> = faces
        .iter()
        .flat_map(|face| face.content().iter().cloned())
        .collect();
    // On the storyboard a cause is a link to its step; nothing there takes the focus for show.
    Node::each(&mut face, &mut |node| {
        node.set("tabindex", None);
        plain_term(node);
        if node.name() == "button" {
            let to = format!("#step-{}", number(&node.words()));
            let words = node.content().to_vec();
            *node = Node::new("a", &[("class", "link"), ("href", &to)], words);
        }
    });
    let heading = Node::find(&face, &|n| n.is("t-st"))?.words();
    let tables: Vec<Node> = Node::all(page, &|n| n.is("words"))
        .into_iter()
        .flat_map(|fold| Node::all(fold.content(), &|n| n.name() == "table"))
        .cloned()
        .collect();
    let slider = Node::find(page, &|n| n.is("slider"));
    let spoken = slider.and_then(|s| s.get("aria-valuetext"));
    Some(Told {
        heading: match step {
            0 => heading,
            _ => format!("{step}. {heading}"),
        },
        face,
        tables,
        slots,
        changed: true,
        spoken: spoken.unwrap_or_default().into(),
        asks: false,
    })
}

/// The question of a scene, as markup.
pub fn question(id: &str, lang: Lang) -> String {
    let library = Library::built_in();
    let scene = library.scenarios().find(|s| *s.id == *id);
    let text = scene.map_or(id, |s| words(&s.question, lang));
    super::write::escape(&text.replace('`', ""))
}
