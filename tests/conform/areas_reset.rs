//! Vectors of area reset-tool: the tool alone, the test plays coordinator and leader.

use super::vectors::Outcome;
use highwater::kafka::client::reset::{Reset, ResetLine, ResetOutcome, ResetScope, ResetTool};
use highwater::kafka::config::TopicConfig;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::Cause;
use highwater::kafka::group::message::*;
use highwater::kafka::ids::*;
use highwater::kafka::message::{Body, FoundOffset, Message, OffsetSpec};
use highwater::kafka::metadata::{Image, PartitionReg, Recovery, TopicReg};
use highwater::kafka::out::Out;
use highwater::script::iso::SCENE_START;
use highwater::script::tool_args::reset_args;
use highwater::world::command::NamedScope;
use serde_json::{Map, Value, json};
use std::rc::Rc;

const TP: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
const BROKER: BrokerId = BrokerId(1);

/// The cluster around the tool.
struct Bench {
    tool: ResetTool,
    state: Option<GroupState>,
    leader: bool,
    log: (i64, i64),
    committed: Option<i64>,
    last: Option<ResetOutcome>,
}

/// Runs a case of the area.
pub fn run(case: &Value) -> Outcome {
    (case["area"] == "reset-tool").then(|| carry_out(case))
}

fn carry_out(case: &Value) -> Result<(), String> {
    let given = &case["given"];
    let mut bench = Bench {
        tool: ResetTool::new(ClientId(0), vec![BROKER]),
        state: state(&given["group_state"])?,
        leader: given.get("leader").is_none_or(|l| !l.is_null()),
        log: (
            given["log_start"].as_i64().unwrap_or(0),
            given["hw"].as_i64().unwrap_or(0),
        ),
        committed: given["committed"].as_i64(),
        last: None,
    };
    let steps = case["when"].as_array().ok_or("no \"when\"")?;
    let then = case["then"].as_array().ok_or("no \"then\"")?;
    for (n, step) in (1..).zip(steps) {
        if step.get("group_state").is_some() {
            bench.state = state(&step["group_state"])?;
        }
        let args = step["args"].as_str().ok_or("no \"args\"")?;
        bench.reset(args).map_err(|e| format!("step {n}: {e}"))?;
        let last = n == steps.len();
        let here = |t: &&Value| t["after"].as_u64().map_or(last, |a| a as usize == n);
        for expected in then.iter().filter(here) {
            bench
                .holds(expected)
                .map_err(|e| format!("step {n}: {e}"))?;
        }
    }
    Ok(())
}

fn state(v: &Value) -> Result<Option<GroupState>, String> {
    match v.as_str() {
        None => Ok(None),
        Some("Empty") => Ok(Some(GroupState::Empty)),
        Some("Stable") => Ok(Some(GroupState::Stable)),
        Some(other) => Err(format!("group state {other}")),
    }
}

impl Bench {
    fn image(&self) -> Image {
        let reg = PartitionReg {
            replicas: vec![BROKER],
            isr: [BROKER].into_iter().collect(),
            leader: self.leader.then_some(BROKER),
            adding: Vec::new(),
            removing: Vec::new(),
            elr: BrokerSet::EMPTY,
            last_known_elr: Vec::new(),
            leader_epoch: Epoch(0),
            partition_epoch: PartitionEpoch(0),
            recovery: Recovery::Recovered,
        };
        let mut image = Image::empty();
        image.topics.push(Rc::new(TopicReg {
            name: "t".into(),
            config: TopicConfig::default(),
            partitions: 1,
            deleted: false,
        }));
        image.partitions.insert(TP, Rc::new(reg));
        image
    }

    fn reset(&mut self, args: &str) -> Result<(), String> {
        let mut words: Vec<&str> = args.split(' ').chain(["--group", "g"]).collect();
        if !args.contains("--all-topics") {
            words.extend(["--topic", "t"]);
        }
        let args = reset_args(&words, SCENE_START, "").map_err(|e| format!("{e:?}"))?;
        let reset = Reset {
            group: "g".into(),
            scope: match args.scope {
                NamedScope::AllTopics => ResetScope::AllTopics,
                _ => ResetScope::Topics(vec![(TP.topic, None)]),
            },
            to: args.to,
            execute: args.execute,
        };
        let mut out = Out {
            now: Ms(1_000_000),
            ..Out::default()
        };
        self.tool.run(0, reset, &mut out);
        for _ in 0..50 {
            if let Some((_, outcome)) = self.tool.done().pop() {
                self.last = Some(outcome);
                return Ok(());
            }
            let mut next = Out {
                next_correlation: out.next_correlation,
                now: out.now,
                ..Out::default()
            };
            for (correlation, from, to, body, _) in out.sends {
                let message = Message {
                    correlation,
                    from: to,
                    to: from,
                    body: self.answer(&body)?,
                    cause: Cause::default(),
                };
                self.tool.handle(&message, &mut next);
            }
            out = next;
        }
        Err("the tool does not end".into())
    }

    fn answer(&mut self, body: &Body) -> Result<Body, String> {
        let group = match body {
            Body::Metadata => return Ok(Body::MetadataAnswer(Rc::new(self.image()))),
            Body::ListOffsets { tp, spec, .. } => {
                let found = match spec {
                    OffsetSpec::Earliest => Some(self.log.0),
                    OffsetSpec::Latest => Some(self.log.1),
                    _ => None,
                };
                return Ok(Body::ListOffsetsAnswer {
                    tp: *tp,
                    spec: *spec,
                    result: Ok(found.map(|at| FoundOffset::at(Boundary(at)))),
                });
            }
            Body::Group(request) => request,
            other => return Err(format!("{other:?} is not expected")),
        };
        Ok(Body::GroupAnswer(match group {
            GroupRequest::FindCoordinator(kind, name) => {
                GroupAnswer::Coordinator(*kind, name.clone(), Ok(BROKER))
            }
            GroupRequest::Describe(name) => GroupAnswer::Described(match self.state {
                None => Err(KafkaError::GroupIdNotFound),
                Some(state) => Ok(GroupView {
                    group: name.clone(),
                    state,
                    kind: GroupKind::Classic,
                    epoch: 1,
                    target_epoch: None,
                    members: Vec::new(),
                    committed: Vec::new(),
                }),
            }),
            GroupRequest::Fetch { .. } => {
                let at = self.committed.map(|c| Committed::at(Boundary(c)));
                GroupAnswer::Fetched(Ok(at.map(|at| (TP, Ok(Some(at)))).into_iter().collect()))
            }
            GroupRequest::Commit { offsets, .. } => {
                self.committed = offsets.first().map(|(_, at)| at.offset.0);
                GroupAnswer::Committed(offsets.iter().map(|(tp, _)| (*tp, Ok(()))).collect())
            }
            other => return Err(format!("{} is not expected", other.name())),
        }))
    }

    fn holds(&self, expected: &Value) -> Result<(), String> {
        let last = self.last.as_ref().ok_or("nothing was run")?;
        let none: &[ResetLine] = &[];
        let lines = match last {
            ResetOutcome::Planned { lines, .. } => lines.as_slice(),
            _ => none,
        };
        let plan = || -> Map<String, Value> {
            let line = |l: &ResetLine| (format!("p{}", l.tp.partition), l.new.0.into());
            lines.iter().map(line).collect()
        };
        for (name, wanted) in expected.as_object().into_iter().flatten() {
            let found = match name.as_str() {
                "after" => continue,
                "new_offset" => {
                    let committed = self.committed == lines.first().map(|l| l.new.0);
                    match committed {
                        true => json!(self.committed),
                        false => json!(format!("planned {lines:?}, stored {:?}", self.committed)),
                    }
                }
                "committed" => json!(self.committed),
                "plan" => plan().into(),
                "warning" => json!(lines.iter().any(|l| l.warning.is_some())),
                "error" => json!(matches!(last, ResetOutcome::Running(_))),
                "exception" => match last {
                    ResetOutcome::Failed(e) => json!(format!("{e:?}Exception")),
                    other => json!(format!("{other:?}")),
                },
                other => return Err(format!("{other} is not known here")),
            };
            if found != *wanted {
                return Err(format!("{name} expected {wanted} got {found}"));
            }
        }
        Ok(())
    }
}
