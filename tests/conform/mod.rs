//! The proof against real Kafka: recorded runs (`kafka-run/1`) and test vectors, carried out on
//! the engine. Used by `tests/runs.rs`, `tests/vectors.rs` and `examples/conform.rs`.

pub mod areas_client;
mod areas_consumer;
pub mod areas_controller;
mod areas_group;
pub mod areas_log;
mod areas_pair;
pub mod areas_partition;
mod areas_remote;
pub mod areas_reset;
mod bench;
mod bounds;
pub mod compare;
#[allow(
    dead_code,
    reason = "shared with tests/groups.rs, which uses other parts of it"
)]
mod group_bench;
pub mod incidental;
mod kinds;
mod murmur;
pub mod observe;
pub mod run;
pub mod script;
pub mod vectors;

use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Equal.
    Pass,
    /// Not equal: where, what was expected, what there was.
    Fail(String),
    /// Cannot be carried out here, and why.
    NotApplicable(String),
}

/// A case and what became of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The case's id.
    pub id: String,
    /// What became of it.
    pub verdict: Verdict,
    /// What was compared by pattern only, or left out as incidental.
    pub remarks: Vec<String>,
}

impl Line {
    /// `pass ID`, `fail ID where and what`, `n/a ID reason`.
    pub fn text(&self) -> String {
        let mut id = self.id.clone();
        if !self.remarks.is_empty() {
            id += &format!(" ({})", self.remarks.join("; "));
        }
        match &self.verdict {
            Verdict::Pass => format!("pass {id}"),
            Verdict::Fail(why) => format!("fail {id} {why}"),
            Verdict::NotApplicable(why) => format!("n/a {id} {why}"),
        }
    }
}

/// Judges everything in a file of one of the two formats.
///
/// # Errors
/// The text is not JSON: what is wrong with it, and where.
pub fn judge(text: &str, name: &str) -> Result<Vec<Line>, String> {
    let doc: Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
    Ok(match &doc {
        Value::Array(cases) => cases.iter().map(|c| judge_vector(c, name)).collect(),
        Value::Object(o) if o.contains_key("area") => vec![judge_vector(&doc, name)],
        _ => vec![judge_run(&doc, name)],
    })
}

fn id(doc: &Value, name: &str) -> String {
    doc["id"].as_str().unwrap_or(name).into()
}

fn judge_vector(case: &Value, name: &str) -> Line {
    if let Some(verdict) = bounds::of_vector(case) {
        return Line {
            id: id(case, name),
            verdict,
            remarks: Vec::new(),
        };
    }
    let verdict = match guarded(|| vectors::run(case)) {
        Err(panic) => Verdict::Fail(panic),
        Ok(Some(Ok(()))) => Verdict::Pass,
        Ok(_) if vectors::LEFT_OUT.iter().any(|(l, _)| case["id"] == *l) => {
            Verdict::NotApplicable(vectors::reason(case))
        }
        Ok(Some(Err(why))) => Verdict::Fail(why),
        Ok(None) => Verdict::NotApplicable(vectors::reason(case)),
    };
    Line {
        id: id(case, name),
        verdict,
        remarks: Vec::new(),
    }
}

fn judge_run(doc: &Value, name: &str) -> Line {
    let mut line = Line {
        id: id(doc, name),
        verdict: Verdict::Pass,
        remarks: Vec::new(),
    };
    let script = match guarded(|| script::Script::parse(doc)) {
        Ok(Ok(script)) => script,
        Ok(Err(why)) | Err(why) => {
            line.verdict = Verdict::NotApplicable(why);
            return line;
        }
    };
    let report = match guarded(|| run::play(&script)) {
        Ok(report) => report,
        Err(panic) => {
            line.verdict = Verdict::Fail(panic);
            return line;
        }
    };
    line.remarks = report.remarks();
    if report.facts == 0 && report.failed.is_none() {
        line.verdict = Verdict::Fail("nothing was compared".into());
    }
    if let Some(why) = report.failure() {
        line.verdict = Verdict::Fail(why);
    }
    line
}

/// Whatever is in the file, the next one is judged as well.
fn guarded<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|cause| {
        let text = cause
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| cause.downcast_ref::<&str>().copied());
        format!("the engine broke off: {}", text.unwrap_or("no reason told"))
    })
}
