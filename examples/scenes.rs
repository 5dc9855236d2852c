//! The list of scenes as JSON, for the page that builds an embed: titles, steps and their marks.
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
        scenes.push(json!({ "id": id, "title": both(&scenario.title), "steps": steps }));
    }
    println!("{}", Value::Array(scenes));
    Ok(())
}
