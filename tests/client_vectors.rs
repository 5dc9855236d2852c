//! The vectors that a client alone can answer.

#[path = "conform/areas_client.rs"]
mod areas_client;

use serde_json::Value;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("data/vectors.json")).expect("vectors.json is JSON")
}

#[test]
fn vectors_of_a_client_hold() {
    let mut ran = 0;
    for case in &cases() {
        match areas_client::run(case) {
            None => {}
            Some(Ok(())) => ran += 1,
            Some(Err(why)) => panic!("{} {why}", case["id"]),
        }
    }
    assert_eq!(ran, 4, "V-IDM-11, V-IDM-12, V-IDM-13, V-FFR-05");
}

#[test]
fn a_wrong_expectation_is_named() {
    let mut case = cases()
        .into_iter()
        .find(|c| c["id"] == "V-IDM-12")
        .expect("the vector is there");
    case["then"][0]["next_seq"] = 4.into();
    let told = areas_client::run(&case);
    assert_eq!(told, Some(Err("step 1: next_seq expected 4 got 1".into())));
}
