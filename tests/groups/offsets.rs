//! Commits: what the broker takes, what it writes, what expires.

use crate::group_bench::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::EventKind;
use highwater::kafka::group::message::*;
use highwater::kafka::group::records::Entry;
use highwater::kafka::ids::*;

const A: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};

fn bench() -> Bench {
    Bench::new(&[("orders", 2), ("mail", 1)])
}

fn commit_with(bench: &mut Bench, committed: Committed) -> Result<(), KafkaError> {
    let request = GroupRequest::Commit {
        group: "billing".into(),
        member: MemberRef::none(),
        offsets: vec![(A, committed)],
    };
    match bench.ask(0, request) {
        GroupAnswer::Committed(parts) => parts[0].1,
        other => panic!("{other:?}"),
    }
}

#[test]
fn r_com_13_what_a_raw_commit_may_hold_as_in_run_o16() {
    let mut bench = bench();
    let nobody = MemberRef::none;
    assert_eq!(bench.commit("billing", nobody(), A, 10), Ok(()));
    assert_eq!(bench.commit("billing", nobody(), A, 3), Ok(()));
    assert_eq!(bench.commit("billing", nobody(), A, 42), Ok(()));
    assert_eq!(bench.committed("billing", A, true), Ok(Some(42)));
    assert_eq!(bench.commit("raw-negative", nobody(), A, -5), Ok(()));
    assert_eq!(bench.committed("raw-negative", A, true), Ok(None));
    assert_eq!(bench.state("raw-negative"), GroupState::Empty);
    let unknown = Err(KafkaError::UnknownTopicOrPartition);
    assert_eq!(bench.commit("billing", nobody(), tp(0, 7), 1), unknown);
    assert_eq!(bench.commit("billing", nobody(), tp(9, 0), 1), unknown);
    let long = |n| Committed {
        metadata: "x".repeat(n).into(),
        ..Committed::at(Boundary(6))
    };
    assert_eq!(commit_with(&mut bench, long(4096)), Ok(()));
    assert_eq!(
        commit_with(&mut bench, long(4097)),
        Err(KafkaError::OffsetMetadataTooLarge)
    );
    assert_eq!(bench.committed("billing", A, true), Ok(Some(6)));
    // R-COM-7: a generation needs a group, a member id alone does not.
    let not_found = Err(KafkaError::GroupIdNotFound);
    assert_eq!(bench.commit("nobody", who("m", 3), A, 1), not_found);
    assert_eq!(bench.state("nobody"), GroupState::Dead);
    assert_eq!(bench.commit("nobody2", who("m", -1), A, 1), Ok(()));
    assert_eq!(
        bench.commit("billing", who("m", 3), A, 1),
        Err(KafkaError::UnknownMemberId)
    );
    assert_eq!(bench.commit("", nobody(), A, 1), Ok(()));
    // R-COM-12: nor is the epoch compared with the log.
    let future = Committed {
        leader_epoch: Some(Epoch(9)),
        ..Committed::at(Boundary(5))
    };
    assert_eq!(commit_with(&mut bench, future.clone()), Ok(()));
    let view = bench.group("billing").expect("a group");
    assert_eq!(view.committed, vec![(A, future)]);
    // All of it is in the log.
    bench.fail_over();
    assert_eq!(bench.committed("billing", A, true), Ok(Some(5)));
    assert_eq!(bench.state("raw-negative"), GroupState::Empty);
}

#[test]
fn r_grp_2_the_records_are_those_of_run_o07() {
    let mut bench = bench();
    let nobody = MemberRef::none;
    bench.commit("billing", nobody(), A, 5).expect("taken");
    let keys = |entries: Vec<Entry>| -> Vec<String> {
        let one = |e: &Entry| match e {
            Entry::Offset(g, t, p, v) => {
                let at = v.as_ref().map(|v| v.committed.offset.0);
                format!("{g} {t}-{p} {at:?}")
            }
            Entry::Classic(g, v) => format!("{g} {:?}", v.as_ref().map(|v| v.generation)),
            other => format!("{other:?}"),
        };
        entries.iter().map(one).collect()
    };
    assert_eq!(keys(bench.written()), ["billing orders-0 Some(5)"]);
    bench.ask(
        0,
        GroupRequest::Commit {
            group: "billing".into(),
            member: nobody(),
            offsets: vec![
                (A, Committed::at(Boundary(8))),
                (tp(0, 1), Committed::at(Boundary(0))),
            ],
        },
    );
    assert_eq!(
        keys(bench.written()),
        ["billing orders-0 Some(8)", "billing orders-1 Some(0)"]
    );
    // Deleting one partition's commit is a tombstone.
    let part = vec![tp(0, 1)];
    let answer = bench.ask(0, GroupRequest::DeleteOffsets("billing".into(), part));
    let ok = GroupAnswer::OffsetsDeleted(Ok(vec![(tp(0, 1), Ok(()))]));
    assert_eq!(answer, ok);
    assert_eq!(keys(bench.written()), ["billing orders-1 None"]);
    // Deleting the topic (R-GRP-6): the group stays, empty.
    bench.work(|shard, job| shard.topic_deleted(TopicId(0), job));
    assert_eq!(keys(bench.written()), ["billing orders-0 None"]);
    let view = bench.group("billing").expect("a group");
    assert_eq!((view.state, view.committed), (GroupState::Empty, vec![]));
    // Deleting a group: its commits and itself.
    bench.commit("mail", nobody(), tp(1, 0), 1).expect("taken");
    bench.written();
    let answer = bench.ask(0, GroupRequest::Delete("mail".into()));
    assert_eq!(answer, GroupAnswer::Deleted(Ok(())));
    assert_eq!(keys(bench.written()), ["mail mail-0 None", "mail None"]);
    assert_eq!(bench.state("mail"), GroupState::Dead);
    let answer = bench.ask(0, GroupRequest::Delete("mail".into()));
    let gone = GroupAnswer::Deleted(Err(KafkaError::GroupIdNotFound));
    assert_eq!(answer, gone);
}

#[test]
fn r_grp_3_a_commit_is_answered_when_the_high_watermark_passes_it() {
    let mut bench = bench();
    bench.high_watermark = Some(Boundary(0));
    let request = GroupRequest::Commit {
        group: "billing".into(),
        member: MemberRef::none(),
        offsets: vec![(A, Committed::at(Boundary(5)))],
    };
    let first = bench.send(0, request.clone());
    assert!(!bench.answers.contains_key(&first));
    assert_eq!(bench.committed("billing", A, true), Ok(None));
    bench.high_watermark = None;
    bench.work(|shard, job| shard.advanced(job));
    assert!(bench.answers.contains_key(&first));
    assert_eq!(bench.committed("billing", A, true), Ok(Some(5)));
    // After offsets.commit.timeout.ms it is an error, though the record may count later.
    bench.high_watermark = Some(Boundary(1));
    let second = bench.send(0, request);
    bench.pass(4_999);
    assert!(!bench.answers.contains_key(&second));
    bench.pass(1);
    let late = vec![(A, Err(KafkaError::CoordinatorNotAvailable))];
    let answer = bench.answers.get(&second);
    assert_eq!(answer, Some(&GroupAnswer::Committed(late)));
}

#[test]
fn r_exp_1_offsets_expire_as_in_run_o17() {
    let mut bench = bench();
    bench.server.offsets_retention = Ms(60_000);
    bench.server.offsets_retention_check_interval = Ms(2_000);
    bench.fail_over();
    let nobody = MemberRef::none;
    bench.commit("simple", nobody(), A, 5).expect("taken");
    let classic = |bench: &mut Bench, group: &str| {
        let join = Join {
            session_timeout: Ms(1_800_000),
            ..joining(group, "c", None)
        };
        let (sent, id) = bench.come(1, join);
        bench.pass(3_000);
        bench.joined(sent).expect("joined").expect("a generation");
        bench.sync(1, group, who(&id, 1), &[(&id, &[A])]);
        assert_eq!(bench.commit(group, who(&id, 1), A, 10), Ok(()));
        assert_eq!(bench.commit(group, who(&id, 1), tp(1, 0), 1), Ok(()));
        id
    };
    classic(&mut bench, "active-classic");
    let left = classic(&mut bench, "left-classic");
    for group in ["active-consumer", "left-consumer"] {
        bench.beat(2, entering(group, "m")).expect("joined");
        assert_eq!(bench.commit(group, who("m", 2), A, 10), Ok(()));
        assert_eq!(bench.commit(group, who("m", 2), tp(1, 0), 1), Ok(()));
    }
    let keep_alive = |bench: &mut Bench, groups: &[&str], ms: i64| {
        for _ in 0..ms / 2_000 {
            bench.pass(2_000);
            for group in groups {
                bench.beat(2, beating(group, "m", 2)).expect("alive");
            }
        }
    };
    keep_alive(&mut bench, &["active-consumer", "left-consumer"], 80_000);
    // By the commit's time: simple groups whole, and topics that nobody is subscribed to.
    assert_eq!(bench.state("simple"), GroupState::Dead);
    for group in ["active-classic", "active-consumer", "left-classic"] {
        assert_eq!(bench.committed(group, A, true), Ok(Some(10)), "{group}");
        assert_eq!(bench.committed(group, tp(1, 0), true), Ok(None), "{group}");
    }
    let forgotten = |e: &EventKind| matches!(e, EventKind::OffsetForgotten { expired: true, .. });
    assert_eq!(bench.events.iter().filter(|e| forgotten(e)).count(), 5);
    bench.ask(
        1,
        GroupRequest::Leave {
            group: "left-classic".into(),
            member: who(&left, -1),
        },
    );
    bench
        .beat(2, beating("left-consumer", "m", -1))
        .expect("left");
    keep_alive(&mut bench, &["active-consumer"], 6_000);
    // A classic group counts from when it became empty, a consumer-protocol one from the commit.
    assert_eq!(bench.committed("left-classic", A, true), Ok(Some(10)));
    assert_eq!(bench.state("left-consumer"), GroupState::Dead);
    keep_alive(&mut bench, &["active-consumer"], 62_000);
    assert_eq!(bench.state("left-classic"), GroupState::Dead);
    assert_eq!(bench.committed("active-consumer", A, true), Ok(Some(10)));
}

#[test]
fn before_kip_211_every_commit_expired_for_itself() {
    let mut bench = bench();
    bench.server.offsets_retention = Ms(60_000);
    bench.server.offsets_retention_check_interval = Ms(2_000);
    bench.switches.offset_expiry = false;
    bench.fail_over();
    bench.beat(2, entering("g", "m")).expect("joined");
    assert_eq!(bench.commit("g", who("m", 2), A, 10), Ok(()));
    for _ in 0..31 {
        bench.pass(2_000);
        bench.beat(2, beating("g", "m", 2)).expect("alive");
    }
    // The member is there and subscribed, and its commit is gone.
    assert_eq!(bench.committed("g", A, true), Ok(None));
    assert_eq!(bench.state("g"), GroupState::Stable);
}

#[test]
fn r_com_11_commits_of_a_transaction_wait_for_its_marker() {
    let mut bench = bench();
    let send = |bench: &mut Bench, member: MemberRef, offset| {
        let request = GroupRequest::TransactionCommit {
            group: "mailer".into(),
            member,
            producer_id: 7,
            producer_epoch: 0,
            transactional_id: "t".into(),
            offsets: vec![(A, Committed::at(Boundary(offset)))],
        };
        match bench.ask(1, request) {
            GroupAnswer::Committed(parts) => parts[0].1,
            other => panic!("{other:?}"),
        }
    };
    let unstable = Err(KafkaError::UnstableOffsetCommit);
    assert_eq!(send(&mut bench, MemberRef::none(), 5), Ok(()));
    assert_eq!(bench.committed("mailer", A, false), Ok(None));
    assert_eq!(bench.committed("mailer", A, true), unstable);
    let all = |bench: &mut Bench| {
        let request = GroupRequest::Fetch {
            group: "mailer".into(),
            member: MemberRef::none(),
            partitions: None,
            require_stable: true,
        };
        match bench.ask(0, request) {
            GroupAnswer::Fetched(parts) => parts.expect("parts"),
            other => panic!("{other:?}"),
        }
    };
    // Asked for all, one without an older commit is left out (R-GRP-4).
    assert_eq!(all(&mut bench), vec![]);
    bench.marker(7, true);
    assert_eq!(bench.committed("mailer", A, true), Ok(Some(5)));
    assert_eq!(send(&mut bench, MemberRef::none(), 10), Ok(()));
    assert_eq!(bench.committed("mailer", A, false), Ok(Some(5)));
    assert_eq!(
        all(&mut bench),
        vec![(A, Err(KafkaError::UnstableOffsetCommit))]
    );
    // A new coordinator knows of the open transaction.
    bench.fail_over();
    assert_eq!(bench.committed("mailer", A, true), unstable);
    bench.marker(7, false);
    assert_eq!(bench.committed("mailer", A, true), Ok(Some(5)));
    // Into a group with a live member: with the group id alone it is taken; what is given counts.
    let (sent, id) = bench.come(1, joining("mailer", "c", None));
    bench.pass(3_000);
    bench.joined(sent).expect("joined").expect("a generation");
    // CompletingRebalance is no obstacle.
    assert_eq!(send(&mut bench, MemberRef::none(), 8), Ok(()));
    bench.sync(1, "mailer", who(&id, 1), &[(&id, &[A])]);
    assert_eq!(send(&mut bench, who(&id, 1), 8), Ok(()));
    assert_eq!(
        send(&mut bench, who(&id, 6), 8),
        Err(KafkaError::IllegalGeneration)
    );
    assert_eq!(
        send(&mut bench, who("stranger", 1), 8),
        Err(KafkaError::UnknownMemberId)
    );
}
