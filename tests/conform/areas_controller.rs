//! The vectors of the areas election, elr, fencing and (controller side) alter-partition.

#[path = "areas_controller/node.rs"]
mod node;
#[path = "areas_controller/read.rs"]
mod read;

use highwater::kafka::controller::change_builder::ChangeBuilder;
use highwater::kafka::controller::{Ask, BrokerState, next_state, session_expired};
use highwater::kafka::ids::*;
use highwater::kafka::metadata::PartitionReg;
use node::Node;
use read::{brokers, election, partition, recovery, set, show_partition};
use serde_json::{Value, json};

/// Runs a case; `None` if it is not one of the controller's.
pub fn run(case: &Value) -> Option<Result<(), String>> {
    let area = case["area"].as_str()?;
    let ops: Vec<&str> = case["when"]
        .as_array()?
        .iter()
        .map(|s| s["op"].as_str().unwrap_or(""))
        .collect();
    let all = |known: &[&str]| ops.iter().all(|op| known.contains(op));
    match area {
        "election" | "elr" if all(&["elect", "change", "unclean_shutdown"]) => {
            Some(play::<Builder>(case))
        }
        "election" | "elr" => Some(play::<Node>(case)),
        "fencing" if all(&["is_expired"]) => Some(play::<Session>(case)),
        "fencing" if all(&["next_state"]) => Some(play::<States>(case)),
        "fencing" => Some(play::<Node>(case)),
        // The leader's side of the protocol is the partition's.
        "alter-partition" if case["title"].as_str()?.starts_with("controller") => {
            Some(play::<Node>(case))
        }
        _ => None,
    }
}

/// Something that a case's steps are carried out on and that is then looked at.
pub trait Subject: Sized {
    fn new(given: &Value) -> Result<Self, String>;
    fn step(&mut self, step: &Value) -> Result<(), String>;
    /// What it shows for an expectation of this name; `None` if there is no such thing.
    fn show(&self, name: &str, expected: &Value) -> Option<Value>;
}

fn play<S: Subject>(case: &Value) -> Result<(), String> {
    let steps = case["when"].as_array().ok_or("no steps")?;
    let expectations = case["then"].as_array().ok_or("no expectations")?;
    let mut subject = S::new(&case["given"]).map_err(|e| format!("step 0: given: {e}"))?;
    let mut checked = 0;
    for n in 0..=steps.len() {
        if n > 0 {
            let step = &steps[n - 1];
            let done = subject.step(step);
            done.map_err(|e| format!("step {n}: {}: {e}", step["op"]))?;
        }
        for expectation in expectations {
            if expectation["after"].as_u64().unwrap_or(steps.len() as u64) != n as u64 {
                continue;
            }
            for (name, expected) in expectation.as_object().ok_or("not an object")? {
                if name == "after" {
                    continue;
                }
                let got = subject
                    .show(name, expected)
                    .ok_or_else(|| format!("step {n}: {name} is not known here"))?;
                compare(n, name, expected, &got)?;
                checked += 1;
            }
        }
    }
    if checked == 0 {
        return Err("step 0: nothing to check".into());
    }
    Ok(())
}

/// Compares what is expected; sets (`isr`, `elr`, ...) without regard to order.
fn compare(n: usize, path: &str, expected: &Value, got: &Value) -> Result<(), String> {
    if let (Value::Object(fields), Value::Object(has)) = (expected, got) {
        for (name, value) in fields {
            let got = has.get(name).unwrap_or(&Value::Null);
            compare(n, &format!("{path}.{name}"), value, got)?;
        }
        return Ok(());
    }
    let name = path.rsplit('.').next().unwrap_or(path);
    let ordered = matches!(name, "replicas");
    let normal = |v: &Value| match v {
        Value::Array(list) if !ordered => {
            let mut list = list.clone();
            list.sort_by_key(|x| x.as_i64());
            Value::Array(list)
        }
        other => other.clone(),
    };
    if normal(expected) == normal(got) {
        Ok(())
    } else {
        Err(format!("step {n}: {path} expected {expected} got {got}"))
    }
}

/// One partition and what the change builder makes of it.
struct Builder {
    given: Value,
    start: PartitionReg,
    reg: PartitionReg,
    unclean: bool,
}

impl Subject for Builder {
    fn new(given: &Value) -> Result<Self, String> {
        let start = partition(given)?;
        Ok(Builder {
            given: given.clone(),
            reg: start.clone(),
            start,
            unclean: false,
        })
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let from = |name: &str| step.get(name).unwrap_or(&self.given[name]);
        let alive =
            set(from("alive")).unwrap_or_else(|| self.reg.replicas.iter().copied().collect());
        let gone = set(&step["ids"]).unwrap_or_default();
        let acceptable = |b: BrokerId| alive.contains(b) && !gone.contains(b);
        let min_isr = from("min_isr").as_u64().unwrap_or(1);
        let min_isr = (min_isr as u32).min(self.reg.replicas.len() as u32);
        let elr_on = from("elr_enabled").as_bool().unwrap_or(true);
        let mut change = ChangeBuilder::new(&self.reg, &acceptable, min_isr, elr_on);
        match step["op"].as_str() {
            Some("elect") => change.election = election(&step["type"])?,
            Some("unclean_shutdown") => {
                change.isr = self.reg.isr.minus(gone);
                change.unclean_shutdown = gone;
            }
            _ => {}
        }
        if step.get("election").is_some() {
            change.election = election(&step["election"])?;
        }
        change.isr = set(from("target_isr")).unwrap_or(change.isr);
        if let Some(replicas) = brokers(from("target_replicas")) {
            change.replicas = replicas;
        }
        if let Some(adding) = brokers(from("target_adding")) {
            change.adding = adding;
        }
        if let Some(removing) = brokers(from("target_removing")) {
            change.removing = removing;
        }
        change.recovery = recovery(from("target_recovery")).unwrap_or(change.recovery);
        self.unclean = change.elect(self.reg.elr).unclean;
        if let Some(new) = change.build() {
            self.reg = new;
        }
        Ok(())
    }

    fn show(&self, name: &str, _: &Value) -> Option<Value> {
        match name {
            "unclean" => Some(json!(self.unclean)),
            "changed" => Some(json!(self.reg != self.start)),
            _ => show_partition(&self.reg).remove(name),
        }
    }
}

// --- sessions and states ---------------------------------------------------------------------

/// One session; its unit of time does not matter.
struct Session {
    timeout: Ms,
    contact: Ms,
    expired: bool,
}

impl Subject for Session {
    fn new(given: &Value) -> Result<Self, String> {
        let time = |name: &str| given[name].as_i64().map(Ms).ok_or("a time is missing");
        Ok(Session {
            timeout: time("session_timeout_ns")?,
            contact: time("last_contact_ns")?,
            expired: false,
        })
    }
    fn step(&mut self, step: &Value) -> Result<(), String> {
        let now = step["now_ns"].as_i64().ok_or("no now_ns")?;
        self.expired = session_expired(self.contact, self.timeout, Ms(now));
        Ok(())
    }
    fn show(&self, name: &str, _: &Value) -> Option<Value> {
        (name == "expired").then(|| json!(self.expired))
    }
}

/// Brokers in given states, each asked for its next one.
struct States {
    given: Value,
    next: Option<BrokerState>,
}

impl Subject for States {
    fn new(given: &Value) -> Result<Self, String> {
        Ok(States {
            given: given.clone(),
            next: None,
        })
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let all = self.given["brokers"].as_object().ok_or("no brokers")?;
        let id = step["id"].to_string();
        let one = all.get(&id).ok_or("no such broker")?;
        let stopping = |b: &Value| b["controlled_shutdown_offset"].as_i64().is_some();
        let fenced = |b: &Value| b["fenced"].as_bool().unwrap_or(false);
        let offset = |b: &Value| b["metadata_offset"].as_i64().map(MetaOffset);
        let flag = |name: &str| step[name].as_bool().unwrap_or(false);
        let ask = Ask {
            want_fence: flag("want_fence"),
            want_shut_down: flag("want_shutdown"),
            metadata_offset: offset(step).or(offset(one)).ok_or("no metadata_offset")?,
            registration: self.given["registration_offset"]
                .as_i64()
                .map(MetaOffset)
                .ok_or("no registration_offset")?,
            has_leaderships: flag("has_leaderships"),
            shutdown_offset: one["controlled_shutdown_offset"].as_i64().map(MetaOffset),
            lowest_active: all
                .values()
                .filter(|b| !fenced(b) && !stopping(b))
                .filter_map(offset)
                .min(),
        };
        let current = match (fenced(one), stopping(one)) {
            (_, true) => BrokerState::ControlledShutdown,
            (true, false) => BrokerState::Fenced,
            (false, false) => BrokerState::Unfenced,
        };
        self.next = Some(next_state(current, &ask));
        Ok(())
    }

    fn show(&self, name: &str, _: &Value) -> Option<Value> {
        (name == "next").then(|| {
            json!(self.next.map(|next| match next {
                BrokerState::Fenced => "FENCED",
                BrokerState::Unfenced => "UNFENCED",
                BrokerState::ControlledShutdown => "CONTROLLED_SHUTDOWN",
                BrokerState::ShutdownNow => "SHUTDOWN_NOW",
            }))
        })
    }
}
