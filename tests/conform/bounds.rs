//! What a vector must have before it is run: something to compare, claims that are reached, and
//! counts that a machine can hold.

use super::{Verdict, kinds};
use serde_json::Value;

/// The most records, repeats and the highest offset a case may ask for.
const MOST: i64 = 100_000;
/// Fields that say how many, or up to which offset.
const COUNTS: &[&str] = &["n", "times", "leo", "hw", "log_start", "base", "offset"];

/// Why a case cannot be judged by running it; `None`: it can.
pub fn of_vector(case: &Value) -> Option<Verdict> {
    let out = ["given", "when"].iter().find_map(|p| too_big(&case[p], p));
    let out = out.or_else(|| {
        let mut parts = ["given", "when"].iter();
        parts.find_map(|p| kinds::wrong(&case[p], p))
    });
    if let Some(why) = out {
        return Some(Verdict::NotApplicable(why));
    }
    unreached(case).map(Verdict::Fail)
}

fn too_big(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(key, inner)| {
            let path = format!("{path}.{key}");
            let counted = COUNTS.contains(&key.as_str()) && inner.is_number();
            match inner.as_i64() {
                None if counted => Some(format!("{path}: not a whole number up to {MOST}")),
                Some(n) if counted && n > MOST => Some(format!("{path}: at most {MOST}")),
                _ if matches!(key.as_str(), "n" | "times") => {
                    let whole = inner.as_i64().is_some_and(|n| n >= 0);
                    (!whole).then(|| format!("{path}: not a whole number from 0"))
                }
                _ => too_big(inner, &path),
            }
        }),
        Value::Array(all) => {
            let mut all = all.iter().enumerate();
            all.find_map(|(i, inner)| too_big(inner, &format!("{path}[{i}]")))
        }
        _ => None,
    }
}

/// A claim after a step that there is not would never be looked at.
fn unreached(case: &Value) -> Option<String> {
    let then = case["then"].as_array()?;
    if then.is_empty() {
        return Some("then: nothing to compare".into());
    }
    let steps = case["when"].as_array()?.len();
    // What is given may be all there is to look at; then a claim says so.
    if steps == 0 && then.iter().all(|claim| claim.get("after").is_none()) {
        return Some(
            "when: nothing is done, and no claim is about the start (\"after\": 0)".into(),
        );
    }
    then.iter().enumerate().find_map(|(i, claim)| {
        let after = claim.get("after")?;
        let reached = after.as_u64().is_some_and(|n| n <= steps as u64);
        (!reached).then(|| format!("then[{i}].after: {after} is never reached, steps: {steps}"))
    })
}
