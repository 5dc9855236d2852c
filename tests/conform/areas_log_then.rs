//! Compares what a vector's `then` says with what there is.

use super::Bench;
use highwater::kafka::ids::Offset;
use serde_json::{Value, json};

fn offset_json(offset: Option<Offset>) -> Value {
    offset.map_or(Value::Null, |o| json!(o.0))
}

impl Bench {
    /// `None`: a value that a log alone does not have.
    fn value(&self, key: &str) -> Option<Value> {
        if let Some(value) = self.outcome.get(key) {
            return Some(value.clone());
        }
        let log = &self.log;
        Some(match key {
            "hw" => json!(log.high_watermark().0),
            "leo" => json!(log.end().0),
            "log_start" => json!(log.start().0),
            "lso" => json!(log.last_stable().0),
            "first_unstable" => json!(log.first_unstable().map(|b| b.0)),
            "segments" => json!(log.segment_bases().count()),
            "error" => json!("NONE"),
            "epochs" => {
                let cache = self.cache.as_ref().unwrap_or(log.epochs());
                json!(
                    cache
                        .entries()
                        .iter()
                        .map(|(e, s)| [i64::from(e.0), s.0])
                        .collect::<Vec<_>>()
                )
            }
            "epoch_entries" => json!(log.epochs().entries().len()),
            "offsets" => json!(
                log.batches()
                    .iter()
                    .flat_map(|b| b.records.iter())
                    .filter(|r| !log.start().covers(r.offset))
                    .map(|r| r.offset.0)
                    .collect::<Vec<_>>()
            ),
            "active_producers" => json!(log.producers().iter().map(|p| p.0).collect::<Vec<_>>()),
            "known_producers" => json!(log.producers().iter().count()),
            "known" => json!(log.producers().get(self.given["pid"].as_i64()?).is_some()),
            "first_undecided" => offset_json(log.producers().first_undecided()),
            "last_seq" => {
                let producer = self.producers.get(self.given["pid"].as_i64()?);
                json!(producer.and_then(|p| p.last_sequence()))
            }
            _ => return None,
        })
    }

    pub(super) fn compare(
        &self,
        at: usize,
        steps: usize,
        then: &[Value],
    ) -> Option<Result<(), String>> {
        let mut failure = None;
        for expected in then {
            let after = expected["after"].as_u64().map_or(steps, |n| n as usize);
            if after != at {
                continue;
            }
            for (key, want) in expected.as_object()? {
                match (key.as_str(), want) {
                    ("after" | "note", _) => {}
                    ("follower", Value::Object(inner)) if self.two => {
                        for (key, want) in inner {
                            let path = format!("follower.{key}");
                            self.check(at, &path, key, want, &mut failure)?;
                        }
                    }
                    _ => self.check(at, key, key, want, &mut failure)?,
                }
            }
        }
        Some(failure.map_or(Ok(()), Err))
    }

    fn check(
        &self,
        at: usize,
        path: &str,
        key: &str,
        want: &Value,
        failure: &mut Option<String>,
    ) -> Option<()> {
        let got = match self.cleaned_value(key, want) {
            Some(got) => got,
            None => self.value(key)?,
        };
        if got != *want {
            failure.get_or_insert(format!("step {at}: {path} expected {want} got {got}"));
        }
        Some(())
    }
}
