//! Carries out the vectors of the areas commit (broker's side), group and expiration on a
//! coordinator by itself.

use super::group_bench::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::classic::ClassicGroup;
use highwater::kafka::group::message::*;
use highwater::kafka::group::records::Entry;
use highwater::kafka::group::{java_hash, partition_for};
use highwater::kafka::ids::*;
use serde_json::{Value, json};

const G: &str = "group";

/// Carries a vector out. `None`: it is not one of these.
pub fn run(case: &Value) -> Option<Result<(), String>> {
    let told = match case["id"].as_str()? {
        "V-GRP-01" => partitions(case),
        "V-GRP-02" => epochs(case),
        "V-GRP-03" => phases(),
        "V-COM-08" => codes(),
        "V-COM-11" => since(case),
        "V-COM-14" => pending(case),
        "V-EXP-01" => expiry(),
        "V-EXP-03" => bases(),
        "V-EXP-04" => deletes(),
        _ => return None,
    };
    Some(compare(case, &told))
}

/// What was told after each step, against what the case expects.
fn compare(case: &Value, told: &[(u64, Value)]) -> Result<(), String> {
    let then = case["then"].as_array().ok_or("no then")?;
    if then.is_empty() {
        return Err("nothing is expected".into());
    }
    for expected in then {
        let after = expected["after"].as_u64().ok_or("no after")?;
        let found = told.iter().find(|(at, _)| *at == after);
        let Some((_, found)) = found else {
            return Err(format!("step {after}: nothing was told"));
        };
        for (key, value) in expected.as_object().ok_or("no object")? {
            if key != "after" && found[key] != *value {
                let found = &found[key];
                return Err(format!("step {after}: {key} is {found}, not {value}"));
            }
        }
    }
    Ok(())
}

fn name(result: &Result<(), KafkaError>) -> &'static str {
    result.as_ref().map_or_else(|e| e.name(), |()| "NONE")
}

fn partitions(case: &Value) -> Vec<(u64, Value)> {
    let steps = case["when"].as_array().into_iter().flatten();
    (1..)
        .zip(steps)
        .map(|(at, step)| {
            let group = step["group"].as_str().unwrap_or("?");
            let told = json!({ "java_hash": java_hash(group), "partition": partition_for(group) });
            (at, told)
        })
        .collect()
}

/// V-GRP-02: foo has partitions 1 to 3 of the member's in the case; here the member has all of a
/// topic of three, and has come from epoch 99 to 100.
fn epochs(case: &Value) -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("foo", 4)]);
    let mut written = vec![
        Entry::Member(
            G.into(),
            "m".into(),
            Some(highwater::kafka::group::records::MemberRecord {
                instance: None,
                client: ClientId(0),
                topics: vec![TopicId(0)],
                rebalance_timeout: Ms(45_000),
                assignor: None,
            }),
        ),
        Entry::Group(G.into(), Some(100)),
        Entry::TargetEpoch(G.into(), Some(100)),
    ];
    let assigned = [1, 2, 3].map(|p| tp(0, p));
    written.push(Entry::Target(G.into(), "m".into(), Some(assigned.to_vec())));
    written.push(Entry::Current(
        G.into(),
        "m".into(),
        Some(highwater::kafka::group::records::CurrentRecord {
            epoch: 100,
            previous: 99,
            state: 0,
            assigned: assigned.iter().map(|tp| (*tp, 100)).collect(),
            revoking: vec![],
        }),
    ));
    bench.work(|_, job| job.write(written, vec![]));
    bench.fail_over();
    let steps = case["when"].as_array().into_iter().flatten();
    let mut told = Vec::new();
    for (at, step) in (1..).zip(steps) {
        let owned = step["owned"]["foo"].as_array().map(|list| {
            let number = |v: &Value| v.as_u64().unwrap_or(0) as u16;
            list.iter().map(|v| tp(0, number(v))).collect()
        });
        let epoch = step["epoch"].as_i64().unwrap_or(0) as i32;
        let beat = ConsumerBeat {
            owned,
            ..beating(G, "m", epoch)
        };
        let told_now = match bench.beat(0, beat) {
            Ok((epoch, _)) => json!({ "error": "NONE", "member_epoch": epoch }),
            Err(error) => json!({ "error": error.name() }),
        };
        told.push((at, told_now));
    }
    told
}

fn state_name(state: GroupState) -> &'static str {
    match state {
        GroupState::Empty => "Empty",
        GroupState::PreparingRebalance => "PreparingRebalance",
        GroupState::CompletingRebalance => "CompletingRebalance",
        GroupState::Stable => "Stable",
        GroupState::Dead => "Dead",
        GroupState::Assigning => "Assigning",
        GroupState::Reconciling => "Reconciling",
    }
}

/// V-GRP-03: transitions are not asked for here; the requests that would make an illegal one are
/// refused.
fn phases() -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("orders", 2)]);
    let look = |bench: &mut Bench| {
        let view = bench.group(G);
        let (state, epoch) = view.map_or((GroupState::Dead, 0), |g| (g.state, g.epoch));
        json!({ "state": state_name(state), "generation": epoch })
    };
    let (sent, id) = bench.come(1, joining(G, "c", None));
    // Empty (preparing) does not become stable by a plan.
    let early = bench.sync(1, G, who(&id, 0), &[(&id, &[tp(0, 0)])]);
    let refused = bench.synced(early).is_some_and(|r| r.is_err());
    let illegal = |refused: bool| json!({ "error": if refused { "IllegalState" } else { "NONE" } });
    let mut told = vec![(1, illegal(refused)), (2, look(&mut bench))];
    // Another that comes does not begin a rebalance in a rebalance.
    let before = bench.events.len();
    let (other, second) = bench.come(2, joining(G, "d", None));
    let changed = |e: &highwater::kafka::event::EventKind| {
        matches!(e, highwater::kafka::event::EventKind::GroupChanged { .. })
    };
    told.push((3, illegal(!bench.events[before..].iter().any(changed))));
    let leave = |bench: &mut Bench, id: &str| {
        let (group, member) = (G.into(), who(id, -1));
        bench.ask(1, GroupRequest::Leave { group, member });
    };
    leave(&mut bench, &second);
    bench.joined(other);
    bench.pass(6_000);
    bench.joined(sent);
    told.push((4, look(&mut bench)));
    bench.sync(1, G, who(&id, 1), &[(&id, &[tp(0, 0)])]);
    told.push((5, look(&mut bench)));
    leave(&mut bench, &id);
    told.push((7, look(&mut bench)));
    told
}

fn codes() -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("orders", 2)]);
    let part = tp(0, 0);
    let error = |r: Result<(), KafkaError>| json!({ "error": name(&r) });
    let named = |id: &str, instance: &str, generation| MemberRef {
        instance: Some(instance.into()),
        ..who(id, generation)
    };
    let nobody = MemberRef::none();
    let mut told = vec![(1, error(bench.commit(G, nobody.clone(), part, 1)))];
    let join = joining(G, "c", Some("instance-id"));
    let sent = bench.join(1, join.clone());
    bench.pass(3_000);
    let joined = bench.joined(sent).and_then(Result::ok);
    let id = joined.map_or_else(|| "?".into(), |j| j.member);
    let view = bench.group(G);
    let state = view.as_ref().map_or("?", |g| state_name(g.state));
    let generation = view.map(|g| g.epoch);
    told.push((3, json!({ "state": state, "generation": generation })));
    let tries = [
        (4, nobody),
        (5, named("unknown", "unknown", -1)),
        (6, named(&id, "unknown", -1)),
        (7, named(&id, "instance-id", 0)),
        (8, named(&id, "instance-id", 1)),
    ];
    for (at, member) in tries {
        told.push((at, error(bench.commit(G, member, part, 1))));
    }
    bench.sync(1, G, who(&id, 1), &[(&id, &[part])]);
    let member = named(&id, "instance-id", 1);
    let mut tenth = error(bench.commit(G, member.clone(), part, 1));
    tenth["state"] = state_name(bench.state(G)).into();
    told.push((10, tenth));
    bench.join(2, join);
    told.push((12, error(bench.commit(G, member, part, 1))));
    // A dead group is taken away in the same step here: this one is made by hand.
    let mut dead = ClassicGroup::simple(Ms(0));
    dead.state = GroupState::Dead;
    let last = named(&id, "new-instance-id", 1);
    let refused = dead.validate_commit(&last, false, &bench.switches);
    told.push((14, error(refused)));
    told
}

fn since(case: &Value) -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("foo", 3), ("bar", 1)]);
    let records = vec![
        Entry::Member(
            G.into(),
            "m".into(),
            Some(highwater::kafka::group::records::MemberRecord {
                instance: None,
                client: ClientId(0),
                topics: vec![TopicId(0), TopicId(1)],
                rebalance_timeout: Ms(45_000),
                assignor: None,
            }),
        ),
        Entry::Group(G.into(), Some(10)),
        Entry::TargetEpoch(G.into(), Some(10)),
        Entry::Current(
            G.into(),
            "m".into(),
            Some(highwater::kafka::group::records::CurrentRecord {
                epoch: 10,
                previous: 9,
                state: 0,
                assigned: vec![(tp(0, 0), 7)],
                revoking: vec![],
            }),
        ),
    ];
    bench.work(|_, job| job.write(records, vec![]));
    bench.fail_over();
    let steps = case["when"].as_array().into_iter().flatten();
    (1..)
        .zip(steps)
        .map(|(at, step)| {
            let part = match step["partition"].as_str() {
                Some("foo-0") => tp(0, 0),
                Some("foo-2") => tp(0, 2),
                _ => tp(1, 0),
            };
            let epoch = step["epoch"].as_i64().unwrap_or(0) as i32;
            let result = bench.commit(G, who("m", epoch), part, 1);
            (at, json!({ "error": name(&result) }))
        })
        .collect()
}

fn pending(case: &Value) -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("foo", 2), ("bar", 2)]);
    let parts = [
        ("foo-0", tp(0, 0)),
        ("foo-1", tp(0, 1)),
        ("bar-0", tp(1, 0)),
        ("bar-1", tp(1, 1)),
    ];
    let of = |key: &str| -> Vec<CommitPart> {
        let offset = |n: &str| case["given"][key][n].as_i64();
        parts
            .iter()
            .filter_map(|(n, tp)| Some((*tp, Committed::at(Boundary(offset(n)?)))))
            .collect()
    };
    bench.ask(
        0,
        GroupRequest::Commit {
            group: G.into(),
            member: MemberRef::none(),
            offsets: of("committed"),
        },
    );
    bench.ask(
        0,
        GroupRequest::TransactionCommit {
            group: G.into(),
            member: MemberRef::none(),
            producer_id: 10,
            producer_epoch: 0,
            transactional_id: "t".into(),
            offsets: of("pending_txn_10"),
        },
    );
    let look = |bench: &mut Bench, stable| {
        let mut result = json!({});
        for (name, tp) in parts {
            result[name] = match bench.committed(G, tp, stable) {
                Ok(offset) => offset.unwrap_or(-1).into(),
                Err(error) => error.name().into(),
            };
        }
        json!({ "result": result })
    };
    let mut told = vec![(1, look(&mut bench, true)), (2, look(&mut bench, false))];
    bench.marker(10, true);
    told.push((4, look(&mut bench, true)));
    told
}

/// V-EXP-01: a group of the consumer protocol, whose commits count from their own time.
fn expiry() -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("firstTopic", 2), ("secondTopic", 2)]);
    bench.server.offsets_retention = Ms(60_000);
    // The bench looks by hand.
    bench.server.offsets_retention_check_interval = Ms(1 << 40);
    bench.server.group_consumer_session_timeout = Ms(1 << 40);
    bench.fail_over();
    bench.beat(0, entering(G, "m")).expect("a member");
    let commit = |bench: &mut Bench, topic, partition, epoch| {
        let taken = bench.commit(G, who("m", epoch), tp(topic, partition), 100);
        taken.expect("a commit");
    };
    let look = |bench: &mut Bench| {
        bench.written();
        bench.work(|shard, job| shard.expire(job));
        let gone = bench.written().into_iter().filter_map(|e| match e {
            Entry::Offset(_, topic, partition, None) => Some(format!("{topic}-{partition}")),
            _ => None,
        });
        let gone: Vec<String> = gone.collect();
        let all = GroupRequest::Fetch {
            group: G.into(),
            member: MemberRef::none(),
            partitions: None,
            require_stable: true,
        };
        let none = GroupAnswer::Fetched(Ok(vec![]));
        let all_expired = bench.ask(0, all) == none;
        json!({ "tombstones": gone, "all_expired": all_expired })
    };
    commit(&mut bench, 0, 0, 2);
    commit(&mut bench, 1, 0, 2);
    bench.now = Ms(500);
    commit(&mut bench, 1, 1, 2);
    bench.now = Ms(60_000);
    let mut told = vec![(2, look(&mut bench))];
    bench.now = Ms(60_500);
    told.push((4, look(&mut bench)));
    let nothing = ConsumerBeat {
        topics: Some(vec![]),
        ..beating(G, "m", 2)
    };
    let (epoch, _) = bench.beat(0, nothing).expect("alive");
    // These were made at 500, when the first look was still to come.
    bench.now = Ms(500);
    commit(&mut bench, 0, 1, epoch);
    commit(&mut bench, 1, 0, epoch);
    bench.now = Ms(60_500);
    told.push((8, look(&mut bench)));
    told
}

/// V-EXP-03: how old a group's commits count in each kind and state, told by when they go.
fn bases() -> Vec<(u64, Value)> {
    let gone = |bench: &mut Bench| {
        bench.work(|shard, job| shard.expire(job));
        bench.committed(G, tp(1, 0), true) == Ok(None)
    };
    let fresh = || {
        let mut bench = Bench::new(&[("orders", 1), ("other", 1)]);
        bench.server.offsets_retention = Ms(10_000);
        bench.server.offsets_retention_check_interval = Ms(1 << 40);
        bench.fail_over();
        bench
    };
    let stable = |bench: &mut Bench| {
        let join = Join {
            session_timeout: Ms(1_800_000),
            ..joining(G, "c", None)
        };
        let (sent, id) = bench.come(1, join);
        bench.pass(3_000);
        bench.joined(sent);
        bench.sync(1, G, who(&id, 1), &[(&id, &[])]);
        bench.pass(17_000);
        bench.commit(G, who(&id, 1), tp(1, 0), 1).expect("taken");
        id
    };
    let by_commit = |now: bool| json!({ "base": "commit_time", "expired_now": now });
    let mut told = Vec::new();

    let mut simple = fresh();
    simple.pass(20_000);
    let taken = simple.commit(G, MemberRef::none(), tp(1, 0), 1);
    taken.expect("taken");
    simple.pass(9_999);
    let early = gone(&mut simple);
    simple.pass(1);
    told.push((1, by_commit(!early && gone(&mut simple))));

    let mut empty = fresh();
    let id = stable(&mut empty);
    empty.pass(5_000);
    let (group, member) = (G.into(), who(&id, -1));
    empty.ask(1, GroupRequest::Leave { group, member });
    empty.pass(5_000);
    let at_commit = gone(&mut empty);
    empty.pass(5_000);
    let base = match (at_commit, gone(&mut empty)) {
        (false, true) => "state_change_time",
        _ => "commit_time",
    };
    told.push((2, json!({ "base": base })));

    let mut group = fresh();
    let id = stable(&mut group);
    group.pass(10_000);
    told.push((4, by_commit(gone(&mut group))));
    for at in [3, 5] {
        let mut group = fresh();
        stable(&mut group);
        group.come(2, joining(G, "d", None));
        group.pass(100_000);
        let state = group.state(G);
        let kept = state == GroupState::PreparingRebalance && !gone(&mut group);
        let base = if kept { Value::Null } else { "some".into() };
        told.push((at, json!({ "base": base })));
    }
    let _ = id;
    told
}

fn deletes() -> Vec<(u64, Value)> {
    let mut bench = Bench::new(&[("bar", 1), ("bar1", 1)]);
    let (sent, id) = bench.come(1, joining(G, "c", None));
    bench.pass(3_000);
    bench.joined(sent);
    bench.sync(1, G, who(&id, 1), &[(&id, &[tp(0, 0)])]);
    bench.commit(G, who(&id, 1), tp(0, 0), 100).expect("taken");
    let delete = |bench: &mut Bench, part| {
        let request = GroupRequest::DeleteOffsets(G.into(), vec![part]);
        match bench.ask(0, request) {
            GroupAnswer::OffsetsDeleted(Ok(parts)) => json!({ "error": name(&parts[0].1) }),
            other => json!({ "error": format!("{other:?}") }),
        }
    };
    vec![
        (1, delete(&mut bench, tp(1, 0))),
        (2, delete(&mut bench, tp(0, 0))),
    ]
}
