//! Cases that are a table of ISR states.

use super::super::bench::{Bench, Start, TP, ids, log_of, registration};
use super::super::vectors::Outcome;
use super::steps;
use highwater::kafka::config::ServerConfig;
use highwater::kafka::event::IsrMove;
use highwater::kafka::ids::*;
use highwater::kafka::partition::Pending;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A table of ISR states: what counts for the high watermark, and for min.insync.replicas.
pub fn rows(case: &Value) -> Outcome {
    let table = case["given"]["rows"].as_array()?.clone();
    let mut results = Value::Null;
    steps(
        case,
        &mut results,
        |results, op| {
            let mut out = Vec::new();
            for row in &table {
                let isr: BrokerSet = ids(&row["isr"])?.into_iter().collect();
                let what = match row["state"].as_str()? {
                    "committed" => None,
                    "pending_expand" => {
                        let joining = BrokerId(row["joining"].as_u64()? as u8);
                        Some(IsrMove::Expand(joining))
                    }
                    "pending_shrink" => {
                        Some(IsrMove::Shrink(ids(&row["leaving"])?.into_iter().collect()))
                    }
                    _ => return None,
                };
                let mut bench = Bench::new(Start {
                    me: BrokerId(0),
                    reg: Some(registration(
                        vec![BrokerId(0), BrokerId(1), BrokerId(2)],
                        isr,
                        Some(BrokerId(0)),
                        0,
                        0,
                    )),
                    log: log_of(0, 0),
                    high_watermark: 0,
                    server: ServerConfig::default(),
                    min_isr: None,
                    racks: BTreeMap::new(),
                    brokers: vec![BrokerId(0), BrokerId(1), BrokerId(2)],
                });
                let leader = bench.broker.replicas.get_mut(&TP)?.leader_mut()?;
                leader.pending = what.map(|what| Pending {
                    asked: isr,
                    what,
                    in_flight: None,
                });
                let set = match op["op"].as_str()? {
                    "maximal_isr" => leader.maximal_isr(),
                    "isr_for_min_isr_check" => leader.isr,
                    _ => return None,
                };
                out.push(json!(set.iter().map(|b| b.0).collect::<Vec<_>>()));
            }
            *results = out.into();
            Some(Ok(()))
        },
        |results, key, _| (key == "results").then(|| results.clone()),
    )
}
