//! The cases of `vectors.json` that are the controller's.

#[path = "conform/areas_controller.rs"]
mod areas_controller;

#[test]
fn the_controllers_cases_hold() {
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("data/vectors.json")).expect("a list of cases");
    let results = cases
        .iter()
        .filter_map(|case| Some((case["id"].clone(), areas_controller::run(case)?)));
    let (passed, failed): (Vec<_>, Vec<_>) = results.partition(|(_, result)| result.is_ok());
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(passed.len(), 26);
}
