//! What can be taken away is whole, and is what its schema says.

use crate::scenes::{Scene, scenes};
use highwater::text::Lang;
use highwater::view::Step;
use highwater::view::card::{Author, Card, card};
use highwater::view::export::{Story, Told, markdown, mermaid, trace};
use serde_json::Value;

fn cards(scene: &Scene, lang: Lang) -> Vec<Card> {
    let frames = &scene.lanes[0].1;
    let each = frames.iter().enumerate().map(|(n, (picture, events))| {
        let step = Step {
            lang,
            before: n.checked_sub(1).map(|n| &frames[n].0),
            now: picture,
            events,
        };
        card(&step, Some(scene.tp), Author::default(), n as u32, &|_| {
            None
        })
    });
    each.collect()
}

fn story<'a>(scene: &'a Scene, lang: Lang, cards: &'a [Card]) -> Story<'a> {
    let frames = &scene.lanes[0].1;
    let told = cards.iter().zip(frames).enumerate();
    Story {
        lang,
        id: &scene.id,
        title: "A [title]",
        question: "Why?",
        address: "https://example.org/?scenario=x",
        branch: "",
        steps: told
            .map(|(n, (card, (picture, events)))| Told {
                number: n as u32,
                mark: None,
                card,
                picture,
                events,
            })
            .collect(),
    }
}

/// What the published schema asks of a value, as far as the schema goes: types, constants, lists,
/// members that must be there. Members the schema does not name are told: it must keep up.
fn faults(schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    if let Some(wanted) = schema.get("const") {
        if wanted != value {
            out.push(format!("{at}: {value} is not {wanted}"));
        }
        return;
    }
    if let Some(one) = schema["enum"].as_array() {
        if !one.contains(value) {
            out.push(format!("{at}: {value}"));
        }
        return;
    }
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = match &schema["type"] {
        Value::Array(some) => some.iter().any(|t| t == is),
        one => one == is,
    };
    if !fits {
        out.push(format!("{at}: {is}, not {}", schema["type"]));
    }
    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
        faults(&schema["items"], item, &format!("{at}/{n}"), out);
    }
    let Some(members) = value.as_object() else {
        return;
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !members.contains_key(name.as_str().unwrap_or_default()) {
            out.push(format!("{at}: no {name}"));
        }
    }
    for (name, member) in members {
        let known = schema["properties"].get(name);
        match known.or(schema.get("additionalProperties")) {
            Some(of) => faults(of, member, &format!("{at}/{name}"), out),
            None => out.push(format!("{at}: {name} is not in the schema")),
        }
    }
}

#[test]
fn every_trace_is_what_the_published_schema_says() {
    let schema: Value = serde_json::from_str(include_str!("../../docs/trace.schema.json")).unwrap();
    for scene in scenes() {
        for lang in Lang::ALL {
            let cards = cards(&scene, lang);
            let text = trace(&story(&scene, lang, &cards));
            let value: Value = serde_json::from_str(&text).unwrap();
            let mut out = vec![];
            faults(&schema, &value, "", &mut out);
            assert_eq!(out, Vec::<String>::new(), "{}", scene.id);

            // Causes point to events that were told before, or that lie before the first step.
            let steps = value["steps"].as_array().unwrap();
            assert_eq!(steps.len(), scene.lanes[0].1.len());
            let ids: Vec<i64> = steps
                .iter()
                .flat_map(|s| s["events"].as_array().unwrap())
                .map(|e| e["id"].as_i64().unwrap())
                .collect();
            assert!(ids.windows(2).all(|w| w[0] < w[1]), "{}", scene.id);
        }
    }
}

#[test]
fn a_trace_holds_what_the_picture_shows() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "acks1-loss").unwrap();
    let cards = cards(scene, Lang::En);
    let value: Value = serde_json::from_str(&trace(&story(scene, Lang::En, &cards))).unwrap();
    // R9: confirmed alone, HW 3 on all, LEO 4 on the leader.
    let one = &value["steps"][1]["state"]["partitions"][0];
    assert_eq!(one["leader"], 1);
    assert_eq!(one["replicas"][0]["logEnd"], 4);
    assert_eq!(one["replicas"][1]["logEnd"], 3);
    assert_eq!(one["replicas"][0]["highWatermark"], 3);
    let last = &value["steps"].as_array().unwrap().last().unwrap()["state"];
    assert_eq!(last["lost"][0]["offset"], 3);
}

#[test]
fn markdown_has_each_step_its_table_and_its_link() {
    let scenes = scenes();
    let scene = scenes.iter().find(|s| s.id == "leader-fails").unwrap();
    for lang in Lang::ALL {
        let cards = cards(scene, lang);
        let text = markdown(&story(scene, lang, &cards), |_| Some(scene.tp));
        assert!(text.starts_with("# A \\[title\\]\n"));
        let sections = text.lines().filter(|l| l.starts_with("## [")).count();
        assert_eq!(sections, cards.len());
        let tables = text.lines().filter(|l| l.starts_with("| ---")).count();
        assert_eq!(tables, cards.len());
        let link = format!(
            "](https://example.org/?scenario=x&step=3&lang={})",
            lang.code()
        );
        assert!(text.contains(&link));
        // On a branch of one's own the links lead there, and the text says what it is.
        let own = Story {
            branch: "k1.AA",
            ..story(scene, lang, &cards)
        };
        let own = markdown(&own, |_| Some(scene.tp));
        assert!(own.contains(&link.replace(')', "#k1.AA)")), "{own}");
        let says = |text: &str| {
            text.lines()
                .any(|l| l.starts_with('*') && !l.starts_with("**"))
        };
        assert!(says(&own) && !says(&text), "{own}");
        // A table's row has as many cells as its head.
        for table in text.split("\n\n").filter(|p| p.starts_with("| ")) {
            let cells: Vec<usize> = table.lines().map(|l| l.matches('|').count()).collect();
            assert!(cells.windows(2).all(|w| w[0] == w[1]), "{table}");
        }
    }
}

#[test]
fn a_diagram_names_everyone_it_speaks_of() {
    let mut arrows = 0;
    for scene in scenes() {
        let cards = cards(&scene, Lang::En);
        let text = mermaid(&story(&scene, Lang::En, &cards));
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"));
        let known: Vec<&str> = text
            .lines()
            .filter_map(|l| l.trim().strip_prefix("participant ")?.split(' ').next())
            .collect();
        for line in lines.map(str::trim) {
            assert!(!line.contains([';', '#']), "{line}");
            if let Some((ends, _)) = line.split_once(": ")
                && ends.contains(">>")
            {
                arrows += 1;
                let mut ends = ends.split(['-', '>']).filter(|e| !e.is_empty());
                assert!(ends.all(|e| known.contains(&e)), "{}: {line}", scene.id);
            }
        }
    }
    assert!(arrows > 100, "{arrows}");
}
