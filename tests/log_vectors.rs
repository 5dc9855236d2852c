//! The vectors that a log, an epoch cache or a producer table alone can answer.

#[path = "conform/areas_log.rs"]
mod areas_log;

use serde_json::Value;

#[test]
fn vectors_of_a_log_hold() {
    let text = include_str!("data/vectors.json");
    let cases: Vec<Value> = serde_json::from_str(text).expect("vectors.json is JSON");
    let (mut ran, mut failed) = (Vec::new(), Vec::new());
    for case in &cases {
        let id = case["id"].as_str().expect("a vector has an id");
        match areas_log::run(case) {
            None => {}
            Some(Ok(())) => ran.push(id),
            Some(Err(why)) => failed.push(format!("{id} {why}")),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    println!("{} vectors: {}", ran.len(), ran.join(" "));
    // All of the areas that are a log's own, so that none falls away unnoticed.
    for case in &cases {
        let own = matches!(case["area"].as_str(), Some("log" | "epoch-cache"));
        let id = case["id"].as_str().unwrap_or_default();
        assert!(!own || ran.contains(&id), "{id} was not carried out");
    }
}

#[test]
fn a_wrong_expectation_is_named() {
    let case = serde_json::json!({
        "area": "log", "given": {"log": {"leo": 2}},
        "when": [{"op": "append_leader", "n": 3}],
        "then": [{"after": 1, "leo": 6}],
    });
    let told = areas_log::run(&case);
    assert_eq!(told, Some(Err("step 1: leo expected 6 got 5".into())));
}
