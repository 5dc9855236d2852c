//! The list of scenes as JSON, for the page that builds an embed: groups, titles, questions, steps
//! and their marks.
//! `cargo xtask dist` writes it to `dist/embed/scenes.json`.

use highwater::script::ast::Text;
use highwater::script::{library, parse};
use serde_json::{Value, json};

fn main() -> Result<(), String> {
    let both = |text: &Text| json!({ "ru": text.russian(), "en": text.english() });
    let mut scenes = Vec::new();
    for (id, source) in library::SCENES {
        let scenario = parse(source).map_err(|e| format!("{id}: {e:?}"))?;
        let steps: Vec<Value> = (scenario.beats.iter())
            .map(|beat| json!({ "mark": beat.mark.as_deref(), "title": both(&beat.title) }))
            .collect();
        scenes.push(json!({
            "id": id, "group": format!("{:?}", scenario.group).to_lowercase(),
            "title": both(&scenario.title), "question": both(&scenario.question), "steps": steps,
            "questions": scenario.beats.iter().filter(|beat| beat.question.is_some()).count(),
        }));
    }
    println!("{}", Value::Array(scenes));
    Ok(())
}
