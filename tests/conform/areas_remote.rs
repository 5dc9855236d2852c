//! Cases about a follower as its leader knows it.

use super::areas_partition::steps;
use super::vectors::Outcome;
use highwater::kafka::error::KafkaError;
use highwater::kafka::ids::*;
use highwater::kafka::partition::Remote;
use serde_json::Value;

const NOW: Ms = Ms(1_000);

struct Case {
    remote: Remote,
    result: Result<(), KafkaError>,
}

/// Runs a case whose start is one `replica`.
pub fn run(case: &Value) -> Outcome {
    let given = &case["given"]["replica"];
    let mut state = Case {
        remote: Remote::default(),
        result: Ok(()),
    };
    if let Some(fetch) = given.get("fetch") {
        let (at, end) = (fetch["offset"].as_i64()?, fetch["leader_leo"].as_i64()?);
        state
            .remote
            .fetched(Boundary(at), Boundary(0), Boundary(end), None, Ms(1))
            .ok()?;
    } else if given.get("broker_epoch_in_metadata").is_some() {
        return super::areas_pair::stale_epoch(case);
    } else if given != "new" {
        return None;
    }
    steps(case, &mut state, act, see)
}

fn act(c: &mut Case, op: &Value) -> Option<Result<(), String>> {
    let end = Boundary(op["leader_leo"].as_i64()?);
    let now = match &op["time"] {
        Value::Number(n) => Ms(n.as_i64()?),
        _ => NOW,
    };
    match op["op"].as_str()? {
        "reset" => {
            let (new, in_isr) = (op["new_leader"].as_bool()?, op["in_isr"].as_bool()?);
            c.remote.reset(now, end, new, in_isr);
        }
        "update_fetch_state" => {
            let epoch = op["broker_epoch"].as_i64().filter(|e| *e >= 0);
            let at = Boundary(op["offset"].as_i64()?);
            let start = Boundary(op["log_start"].as_i64().unwrap_or(0));
            c.result = c
                .remote
                .fetched(at, start, end, epoch.map(BrokerEpoch), now);
        }
        _ => return None,
    }
    Some(Ok(()))
}

fn see(c: &mut Case, key: &str, expected: &Value) -> Option<Value> {
    let time = |at: Option<Ms>| match at {
        Some(NOW) if expected == "now" => Value::from("now"),
        other => other.map_or(0, |ms| ms.0).into(),
    };
    let place = |at: Option<Boundary>| Value::from(at.map_or(-1, |b| b.0));
    Some(match key {
        "leo" => place(c.remote.log_end),
        "log_start" => place(c.remote.log_start),
        "last_caught_up" => time(c.remote.last_caught_up),
        "last_fetch_time" => time(c.remote.last_fetch),
        "last_fetch_leader_leo" => c.remote.last_fetch_leader_end.0.into(),
        "error" => c.result.map_or_else(KafkaError::name, |()| "NONE").into(),
        _ => return None,
    })
}
