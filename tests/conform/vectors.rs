//! The cases of `vectors.json` by area. A case that cannot apply to the engine is in
//! [`LEFT_OUT`] with its reason; the list may not grow stale.

use serde_json::Value;

/// How one case came out.
pub type Outcome = Option<Result<(), String>>;

/// The areas the engine answers for.
pub const AREAS: &[&str] = &[
    "log",
    "lso",
    "retention",
    "compaction",
    "epoch-cache",
    "hw",
    "isr",
    "alter-partition",
    "replica-state",
    "election",
    "elr",
    "fencing",
    "truncation",
    "fetch-validation",
    "produce",
    "idempotence",
    "delete-records",
    "listoffsets",
    "read",
    "follower-read",
    "consumer-position",
    "truncation-detection",
    "lag",
    "commit",
    "group",
    "expiration",
    "reset-tool",
];

/// Of the client; tests of the consumer play them in its own words.
const CLIENT_COMMITS: &str =
    "what a client makes of answers to its commits; the broker's side is here";

/// Cases of these areas that cannot apply, and why.
pub const LEFT_OUT: &[(&str, &str)] = &[
    (
        "V-LAG-06",
        "what the tool for groups prints; the figures are those of a ruler (tests/view)",
    ),
    ("V-POS-06", "aborted data is not left out yet"),
    ("V-POS-07", "aborted data is not left out yet"),
    ("V-COM-01", CLIENT_COMMITS),
    ("V-COM-02", CLIENT_COMMITS),
    ("V-COM-04", CLIENT_COMMITS),
    ("V-COM-05", CLIENT_COMMITS),
    ("V-COM-06", CLIENT_COMMITS),
    ("V-COM-07", CLIENT_COMMITS),
];

/// Runs a case: `None` where no area takes it.
pub fn run(case: &Value) -> Outcome {
    let areas: &[fn(&Value) -> Outcome] = &[
        super::areas_log::run,
        super::areas_controller::run,
        super::areas_client::run,
        super::areas_partition::run,
        super::areas_group::run,
        super::areas_consumer::run,
        super::areas_reset::run,
    ];
    areas.iter().find_map(|area| area(case))
}

/// Why a case that no area takes does not apply.
pub fn reason(case: &Value) -> String {
    let id = case["id"].as_str().unwrap_or("?");
    if let Some((_, why)) = LEFT_OUT.iter().find(|(listed, _)| *listed == id) {
        return (*why).into();
    }
    match case["area"].as_str() {
        None => "no \"area\"".into(),
        Some(area) if AREAS.contains(&area) => {
            format!("a start or step of this case is not known in area {area}")
        }
        Some(area) => format!("area {area} is not the engine's"),
    }
}
