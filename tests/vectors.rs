//! The cases of `vectors.json`: all of the engine's areas are run, or listed with a reason.

#[allow(
    dead_code,
    reason = "shared with other tests, which use other parts of it"
)]
mod conform;

use conform::vectors::{AREAS, LEFT_OUT, run};
use serde_json::Value;

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("data/vectors.json")).expect("vectors.json is a list")
}

fn id(case: &Value) -> &str {
    case["id"].as_str().unwrap_or("?")
}

fn check(area: &str) {
    let mut problems = Vec::new();
    let mut ran = 0;
    for case in cases().iter().filter(|c| c["area"] == area) {
        let listed = LEFT_OUT.iter().any(|(l, _)| *l == id(case));
        match (run(case), listed) {
            (Some(Ok(())), false) => ran += 1,
            (Some(Ok(())), true) => problems.push(format!("{} is listed and passes", id(case))),
            (_, true) => ran += 1,
            (Some(Err(why)), false) => problems.push(format!("{}: {why}", id(case))),
            (None, false) => problems.push(format!("{}: neither run nor listed", id(case))),
        }
    }
    assert!(problems.is_empty(), "{area}:\n  {}", problems.join("\n  "));
    assert!(ran > 0, "no case of area {area}");
}

macro_rules! areas {
    ($($name:ident $area:literal)*) => {
        $(#[test]
        fn $name() {
            check($area);
        })*

        const TESTED: &[&str] = &[$($area),*];
    };
}

areas! {
    log "log"
    last_stable "lso"
    retention "retention"
    compaction "compaction"
    epoch_cache "epoch-cache"
    high_watermark "hw"
    isr "isr"
    alter_partition "alter-partition"
    replica_state "replica-state"
    election "election"
    elr "elr"
    fencing "fencing"
    truncation "truncation"
    fetch_validation "fetch-validation"
    produce "produce"
    idempotence "idempotence"
    delete_records "delete-records"
    list_offsets "listoffsets"
    reading "read"
    follower_read "follower-read"
    consumer_position "consumer-position"
    truncation_detection "truncation-detection"
    lag "lag"
    commit "commit"
    group "group"
    expiration "expiration"
    reset_tool "reset-tool"
}

#[test]
fn all_areas_of_the_engine_are_tested_and_no_listed_case_is_gone() {
    assert_eq!(TESTED, AREAS);
    let all = cases();
    let of_the_engine = all.iter().filter(|c| AREAS.iter().any(|a| c["area"] == *a));
    assert_eq!(of_the_engine.count(), 184);
    for (listed, reason) in LEFT_OUT {
        assert!(all.iter().any(|c| id(c) == *listed), "{listed} is no case");
        assert!(!reason.is_empty(), "{listed} has no reason");
    }
}

/// What would otherwise pass without a look, or take the machine's memory, is told.
#[test]
fn a_case_in_which_something_is_not_compared_does_not_pass() {
    let whole = cases().into_iter().find(|c| id(c) == "V-LOG-01");
    let whole = whole.expect("V-LOG-01");
    let judged = |change: &dyn Fn(&mut Value)| {
        let mut case = whole.clone();
        change(&mut case);
        let lines = conform::judge(&case.to_string(), "x").expect("JSON");
        lines[0].text()
    };
    assert_eq!(judged(&|_| ()), "pass V-LOG-01");
    let claim = serde_json::json!([{ "after": 99, "hw": 12345 }]);
    let late = judged(&|c| c["then"] = claim.clone());
    assert!(
        late.starts_with("fail V-LOG-01 then[0].after: 99"),
        "{late}"
    );
    let empty = judged(&|c| c["then"] = Value::Array(Vec::new()));
    assert_eq!(empty, "fail V-LOG-01 then: nothing to compare");
    let idle = judged(&|c| c["when"] = Value::Array(Vec::new()));
    assert!(idle.starts_with("fail V-LOG-01 then["), "{idle}");
    for (n, why) in [
        (Value::from(1_000_000_000_i64), "at most 100000"),
        (Value::from("3"), "not a whole number from 0"),
        (Value::from(true), "not a whole number from 0"),
        (Value::from(-1), "not a whole number from 0"),
    ] {
        let told = judged(&|c| c["when"][0]["n"] = n.clone());
        assert_eq!(told, format!("n/a V-LOG-01 when[0].n: {why}"));
    }
    let told = judged(&|c| c["when"][0]["op"] = Value::from(3));
    assert_eq!(told, "n/a V-LOG-01 when[0].op: not a text");
    let told = judged(&|c| {
        c["when"] = Value::Array(Vec::new());
        c["then"] = serde_json::json!([{ "leo": 0 }]);
    });
    assert!(
        told.starts_with("fail V-LOG-01 when: nothing is done"),
        "{told}"
    );
    let run = r#"{"format": "kafka-run/1", "id": "r", "kafka": "4.3.1", "mode": "kraft",
        "cluster": {"brokers": [1]}, "topics": [], "steps": []}"#;
    let told = conform::judge(run, "r").expect("JSON")[0].text();
    assert!(!told.starts_with("pass"), "{told}");
    let step = r#""steps": [{"n": 1, "do": {"op": "wait", "for": "1 s"}}]"#;
    let told = conform::judge(&run.replace(r#""steps": []"#, step), "r").expect("JSON")[0].text();
    assert!(told.starts_with(r#"n/a r step 1: no "after""#), "{told}");
}
