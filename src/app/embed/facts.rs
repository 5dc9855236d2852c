//! A step as facts: everything that it shows, each under a path of its own. A host compares two
//! steps by comparing these.
//!
//! | path | value |
//! |---|---|
//! | `now` | virtual ms |
//! | `TOPIC-P.leader`, `.leader-epoch`, `.isr`, `.elr` | what the controller has registered |
//! | `TOPIC-P.lost` | offsets of acknowledged records that are lost |
//! | `broker/B.process`, `.fenced` | the process (`up`, `killed`, …); `null`: not registered |
//! | `TOPIC-P@B.role`, `.leader-epoch`, `.log-start`, `.log-end`, `.high-watermark`, `.last-stable`, `.records` | a replica, as its broker knows it; `records`: offsets that are there |
//! | `client/NAME.confirmed`, `.failed`, `.waiting` | a producer: how many of its writes |
//! | `client/NAME/TOPIC-P.position`, `.lag` | a consumer; `lag`: `records-lag` |
//! | `group/NAME/TOPIC-P.committed` | the group's commit |

use super::json::{list, quoted};
use crate::kafka::ids::{Boundary, BrokerSet, Tp};
use crate::script::ast::PROCESS_WORDS;
use crate::world::picture::{ClientKind, Picture, RolePicture, SendPicture, SendState};

/// A path and its value as JSON.
pub type Fact = (String, String);

/// All facts of a picture, in a fixed order.
pub fn facts(picture: &Picture) -> Vec<Fact> {
    let mut all = Facts {
        picture,
        all: Vec::new(),
    };
    all.add(&["now"], picture.now.0.to_string());
    for p in &picture.partitions {
        let at = all.name(p.tp);
        let leader = p.reg.leader.map_or("null".into(), |b| b.0.to_string());
        all.add(&[&at, ".leader"], leader);
        all.add(&[&at, ".leader-epoch"], p.reg.leader_epoch.0.to_string());
        all.add(&[&at, ".isr"], brokers(p.reg.isr));
        all.add(&[&at, ".elr"], brokers(p.reg.elr));
        let lost = picture.lost.iter().filter(|l| l.tp == p.tp);
        let lost = list(lost.map(|l| l.offset.0.to_string()));
        all.add(&[&at, ".lost"], lost);
    }
    for broker in &picture.brokers {
        let id = broker.id.0.to_string();
        let word = PROCESS_WORDS.iter().find(|(_, is)| *is == broker.process);
        all.add(
            &["broker/", &id, ".process"],
            quoted(word.map_or("", |w| w.0)),
        );
        let fenced = match broker.fenced {
            Some(true) => "true",
            Some(false) => "false",
            None => "null",
        };
        all.add(&["broker/", &id, ".fenced"], fenced.into());
        for r in &broker.replicas {
            let at = [&*all.name(r.tp), "@", &id].concat();
            let role = match r.role {
                RolePicture::Leader(_) => "leader",
                RolePicture::Follower(_) => "follower",
                RolePicture::Down => "down",
            };
            all.add(&[&at, ".role"], quoted(role));
            all.add(&[&at, ".leader-epoch"], r.leader_epoch.0.to_string());
            for (name, boundary) in [
                (".log-start", r.log_start),
                (".log-end", r.log_end),
                (".high-watermark", r.high_watermark),
                (".last-stable", r.last_stable),
            ] {
                all.add(&[&at, name], boundary.0.to_string());
            }
            let there = r.records.iter().filter(|x| !r.log_start.covers(x.offset));
            all.add(
                &[&at, ".records"],
                list(there.map(|x| x.offset.0.to_string())),
            );
        }
    }
    for client in &picture.clients {
        let at = ["client/", &*client.name].concat();
        match &client.kind {
            ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } => {
                all.writes(&at, sends);
            }
            ClientKind::Consumer {
                positions, member, ..
            } => {
                for (tp, position) in positions {
                    let at = [&*at, "/", &all.name(*tp)].concat();
                    all.add(&[&at, ".position"], boundary(*position));
                    let lag = member.records_lag.iter().find(|(of, _)| of == tp);
                    let lag = lag.and_then(|l| l.1);
                    all.add(&[&at, ".lag"], lag.map_or("null".into(), |n| n.to_string()));
                }
            }
        }
    }
    for group in &picture.groups {
        for part in &group.view.committed {
            let at = ["group/", &*group.view.group, "/", &all.name(part.0)].concat();
            all.add(&[&at, ".committed"], part.1.offset.0.to_string());
        }
    }
    all.all
}

struct Facts<'a> {
    picture: &'a Picture,
    all: Vec<Fact>,
}

impl Facts<'_> {
    fn add(&mut self, path: &[&str], value: String) {
        self.all.push((path.concat(), value));
    }

    /// `orders-0`.
    fn name(&self, tp: Tp) -> String {
        let known = self.picture.partitions.iter().find(|p| p.tp == tp);
        known.map_or_else(String::new, |p| {
            [&*p.name.topic, "-", &p.name.partition.to_string()].concat()
        })
    }

    fn writes(&mut self, at: &str, sends: &[SendPicture]) {
        let count =
            |is: fn(&SendState) -> bool| sends.iter().filter(|s| is(&s.state)).count().to_string();
        let confirmed = count(|s| matches!(s, SendState::Confirmed(..)));
        let failed = count(|s| matches!(s, SendState::Failed(..)));
        let waiting = count(|s| matches!(s, SendState::Queued(_) | SendState::InFlight(_)));
        self.add(&[at, ".confirmed"], confirmed);
        self.add(&[at, ".failed"], failed);
        self.add(&[at, ".waiting"], waiting);
    }
}

fn brokers(set: BrokerSet) -> String {
    list(set.iter().map(|b| b.0.to_string()))
}

fn boundary(at: Option<Boundary>) -> String {
    at.map_or("null".into(), |b| b.0.to_string())
}

/// What differs: path, before, after; `null` where there was or is none.
pub fn changes(before: &[Fact], now: &[Fact]) -> Vec<(String, String, String)> {
    let value = |facts: &[Fact], path: &str| {
        let found = facts.iter().find(|(p, _)| p == path);
        found.map_or_else(|| "null".to_string(), |f| f.1.clone())
    };
    let mut all = Vec::new();
    for (path, new) in now {
        let old = value(before, path);
        if old != *new {
            all.push((path.clone(), old, new.clone()));
        }
    }
    for (path, old) in before {
        if !now.iter().any(|(p, _)| p == path) && old != "null" {
            all.push((path.clone(), old.clone(), "null".into()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Run;
    use crate::script::{library::SCENES, parse};
    use crate::world::World;
    use std::rc::Rc;

    /// The pictures of a built-in scene, step by step.
    fn pictures(id: &str) -> Vec<Picture> {
        let text = SCENES.iter().find(|s| s.0 == id).unwrap().1;
        let scene = Rc::new(parse(text).unwrap());
        let mut run = Run::new(scene.clone(), World::new(scene.cluster.setup()));
        (0..=run.steps())
            .map(|step| {
                run.seek(step);
                run.picture(0).unwrap()
            })
            .collect()
    }

    #[test]
    fn each_path_stands_once_and_each_value_is_json() {
        for (id, _) in SCENES {
            for picture in pictures(id) {
                let facts = facts(&picture);
                let mut paths: Vec<_> = facts.iter().map(|f| &f.0).collect();
                paths.sort();
                paths.dedup();
                assert_eq!(paths.len(), facts.len(), "{id}");
                for (path, value) in &facts {
                    serde_json::from_str::<serde_json::Value>(value).unwrap();
                    assert!(!path.starts_with(['.', '@', '-']), "{id}: {path}");
                }
            }
        }
    }

    /// R-ACK-2: acks=1 confirms what the new leader never had.
    #[test]
    fn a_loss_is_a_change() {
        let all = pictures("acks1-loss");
        let (first, last) = (facts(&all[0]), facts(all.last().unwrap()));
        let changed = changes(&first, &last);
        let lost = changed.iter().find(|c| c.0.ends_with(".lost"));
        assert!(lost.is_some_and(|(_, from, to)| from == "[]" && to != "[]"));
        assert!(changes(&last, &last).is_empty());
        // Backwards is the same with sides changed.
        let back = changes(&last, &first);
        assert_eq!(back.len(), changed.len());
        assert!(back.iter().any(|c| c.0.ends_with(".lost") && c.2 == "[]"));
    }
}
