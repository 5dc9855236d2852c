//! The classic protocol.

use crate::group_bench::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{EventKind, LeaveReason};
use highwater::kafka::group::message::*;
use highwater::kafka::ids::*;

const G: &str = "billing";
const A: Tp = Tp {
    topic: TopicId(0),
    partition: 0,
};
const B: Tp = Tp {
    topic: TopicId(0),
    partition: 1,
};

fn bench() -> Bench {
    Bench::new(&[("orders", 2)])
}

fn leave(bench: &mut Bench, id: &str) -> GroupAnswer {
    let (group, member) = (G.into(), who(id, -1));
    bench.ask(1, GroupRequest::Leave { group, member })
}

fn beat(bench: &mut Bench, member: MemberRef) -> Result<(), KafkaError> {
    let group = G.into();
    match bench.ask(1, GroupRequest::Beat { group, member }) {
        GroupAnswer::Beaten(result) => result,
        other => panic!("{other:?}"),
    }
}

/// A group with one member that has both partitions; its id.
fn with_one(bench: &mut Bench) -> String {
    let (sent, id) = bench.come(1, joining(G, "c1", None));
    assert!(bench.joined(sent).is_none(), "the first waits for others");
    bench.pass(3_000);
    let told = bench.joined(sent).expect("told").expect("a generation");
    assert_eq!((told.generation, told.leader), (1, id.clone()));
    let sent = bench.sync(1, G, who(&id, 1), &[(&id, &[A, B])]);
    assert_eq!(bench.synced(sent), Some(Ok(vec![A, B])));
    id.to_string()
}

#[test]
fn r_com_6_the_codes_of_run_o13f() {
    use KafkaError::*;
    let mut bench = bench();
    let nobody = MemberRef::none;
    assert_eq!(bench.commit(G, nobody(), A, 1), Ok(()));
    let (sent, m1) = bench.come(1, joining(G, "m1", None));
    bench.pass(3_000);
    bench.joined(sent).expect("told").expect("generation 1");
    assert_eq!(bench.state(G), GroupState::CompletingRebalance);
    assert_eq!(bench.commit(G, who(&m1, 1), A, 2), Err(RebalanceInProgress));
    assert_eq!(bench.commit(G, who(&m1, 0), A, 2), Err(IllegalGeneration));
    assert_eq!(
        bench.commit(G, who("nobody", 1), A, 2),
        Err(UnknownMemberId)
    );
    assert_eq!(bench.commit(G, nobody(), A, 2), Err(UnknownMemberId));
    bench.sync(1, G, who(&m1, 1), &[(&m1, &[A, B])]);
    assert_eq!(bench.state(G), GroupState::Stable);
    assert_eq!(bench.commit(G, who(&m1, 1), A, 3), Ok(()));
    assert_eq!(bench.commit(G, who(&m1, 0), A, 4), Err(IllegalGeneration));
    assert_eq!(bench.commit(G, who(&m1, 2), A, 4), Err(IllegalGeneration));
    assert_eq!(
        bench.commit(G, who("nobody", 1), A, 4),
        Err(UnknownMemberId)
    );
    assert_eq!(bench.commit(G, nobody(), A, 4), Err(UnknownMemberId));
    assert_eq!(bench.commit(G, who(&m1, -1), A, 4), Err(IllegalGeneration));
    let (second, m2) = bench.come(2, joining(G, "m2", None));
    assert!(bench.joined(second).is_none());
    assert_eq!(bench.state(G), GroupState::PreparingRebalance);
    assert_eq!(bench.commit(G, who(&m1, 1), A, 5), Ok(()));
    assert_eq!(bench.commit(G, who(&m2, 1), A, 6), Ok(()));
    let again = Join {
        member: m1.clone(),
        ..joining(G, "m1", None)
    };
    let first = bench.join(1, again);
    let told = bench.joined(first).expect("told").expect("generation 2");
    assert_eq!((told.generation, told.members.len()), (2, 2));
    let told = bench.joined(second).expect("told").expect("generation 2");
    assert_eq!((told.leader, told.members.len()), (m1.clone(), 0));
    let view = bench.group(G).expect("a group");
    assert_eq!(view.state, GroupState::CompletingRebalance);
    assert_eq!(view.members[0].assignment, vec![A, B]);
    assert_eq!(bench.commit(G, who(&m1, 1), A, 7), Err(IllegalGeneration));
    assert_eq!(bench.commit(G, who(&m1, 2), A, 7), Err(RebalanceInProgress));
    bench.sync(1, G, who(&m1, 2), &[(&m1, &[A]), (&m2, &[B])]);
    let sent = bench.sync(2, G, who(&m2, 2), &[]);
    assert_eq!(bench.synced(sent), Some(Ok(vec![B])));
    assert_eq!(bench.commit(G, who(&m2, 2), A, 9), Ok(()));
    assert_eq!(leave(&mut bench, &m2), GroupAnswer::Left(Ok(())));
    assert_eq!(bench.state(G), GroupState::PreparingRebalance);
    assert_eq!(bench.commit(G, who(&m2, 2), B, 4), Err(UnknownMemberId));
    assert_eq!(bench.commit(G, who(&m1, 2), A, 8), Ok(()));
    leave(&mut bench, &m1);
    let view = bench.group(G).expect("a group");
    // The generation rises also when the group becomes empty (R-REB-2).
    assert_eq!((view.state, view.epoch), (GroupState::Empty, 3));
    assert_eq!(bench.commit(G, who(&m1, 2), A, 4), Err(UnknownMemberId));
    assert_eq!(bench.commit(G, nobody(), A, 4), Ok(()));
    assert_eq!(bench.commit(G, who("", 2), A, 4), Err(UnknownMemberId));
}

#[test]
fn without_the_fence_an_old_generation_commits() {
    let mut bench = bench();
    let id = with_one(&mut bench);
    let old = who(&id, 0);
    let refused = Err(KafkaError::IllegalGeneration);
    assert_eq!(bench.commit(G, old.clone(), A, 4), refused);
    bench.switches.group_generation_fence = false;
    assert_eq!(bench.commit(G, old, A, 4), Ok(()));
}

#[test]
fn r_reb_3_who_does_not_rejoin_is_out_after_the_rebalance_timeout() {
    let mut bench = bench();
    let m1 = with_one(&mut bench);
    let (second, _) = bench.come(2, joining(G, "m2", None));
    // m1 lives and does not rejoin (R-REB-4).
    for _ in 0..99 {
        bench.pass(3_000);
        let again = Err(KafkaError::RebalanceInProgress);
        assert_eq!(beat(&mut bench, who(&m1, 1)), again);
    }
    assert!(bench.joined(second).is_none());
    bench.pass(3_000);
    let told = bench.joined(second).expect("told").expect("generation 2");
    assert_eq!((told.generation, told.members.len()), (2, 1));
    let unknown = Err(KafkaError::UnknownMemberId);
    assert_eq!(beat(&mut bench, who(&m1, 1)), unknown);
    assert_eq!(beat(&mut bench, who(&m1, 2)), unknown);
}

#[test]
fn r_reb_3_the_first_rebalance_waits_for_more_members() {
    let mut bench = bench();
    let (first, _) = bench.come(1, joining(G, "m1", None));
    bench.pass(2_000);
    let (second, _) = bench.come(2, joining(G, "m2", None));
    bench.pass(1_500);
    assert!(bench.joined(first).is_none(), "one came in the first 3 s");
    bench.pass(2_500);
    let told = bench.joined(first).expect("told").expect("generation 1");
    assert_eq!(told.members.len(), 2);
    assert!(bench.joined(second).is_some());
}

#[test]
fn r_reb_5_a_silent_member_is_out_after_its_session() {
    let mut bench = bench();
    let id = with_one(&mut bench);
    bench.pass(40_000);
    assert_eq!(beat(&mut bench, who(&id, 1)), Ok(()));
    assert_eq!(
        beat(&mut bench, who(&id, 2)),
        Err(KafkaError::IllegalGeneration)
    );
    bench.pass(44_999);
    assert_eq!(bench.state(G), GroupState::Stable);
    bench.pass(1);
    assert_eq!(bench.state(G), GroupState::Empty);
    let why = |e: &EventKind| {
        matches!(
            e,
            EventKind::MemberLeft {
                why: LeaveReason::Session,
                ..
            }
        )
    };
    assert!(bench.events.iter().any(why));
}

#[test]
fn r_reb_8_a_static_member_is_taken_over_as_in_run_o13h() {
    let mut bench = bench();
    let named = |who: &str, member: &str| Join {
        member: member.into(),
        session_timeout: Ms(6_000),
        ..joining(G, who, Some("pod-1"))
    };
    let sent = bench.join(1, named("a", ""));
    bench.pass(3_000);
    let told = bench.joined(sent).expect("told").expect("generation 1");
    let old = told.member;
    bench.sync(1, G, who(&old, 1), &[(&old, &[A, B])]);
    // A new process of that name has the partitions at once, in the same generation.
    let sent = bench.join(2, named("b", ""));
    let told = bench.joined(sent).expect("told").expect("generation 1");
    assert_eq!((told.generation, bench.state(G)), (1, GroupState::Stable));
    assert_ne!(told.member, old);
    assert_ne!(told.leader, told.member, "it does not share out");
    let sent = bench.sync(2, G, who(&told.member, 1), &[]);
    assert_eq!(bench.synced(sent), Some(Ok(vec![A, B])));
    let fenced = MemberRef {
        instance: Some("pod-1".into()),
        ..who(&old, 1)
    };
    assert_eq!(
        bench.commit(G, fenced.clone(), A, 5),
        Err(KafkaError::FencedInstanceId)
    );
    assert_eq!(beat(&mut bench, fenced), Err(KafkaError::FencedInstanceId));
    assert_eq!(
        bench.commit(G, who(&old, 1), A, 5),
        Err(KafkaError::UnknownMemberId)
    );
    assert_eq!(bench.commit(G, who(&told.member, 1), A, 5), Ok(()));
}

#[test]
fn r_grp_5_a_new_coordinator_knows_the_members() {
    let mut bench = bench();
    let id = with_one(&mut bench);
    assert_eq!(bench.commit(G, who(&id, 1), A, 5), Ok(()));
    bench.fail_over();
    let view = bench.group(G).expect("a group");
    assert_eq!((view.state, view.epoch), (GroupState::Stable, 1));
    assert_eq!(view.members[0].assignment, vec![A, B]);
    assert_eq!(beat(&mut bench, who(&id, 1)), Ok(()));
    assert_eq!(bench.commit(G, who(&id, 1), A, 6), Ok(()));
    // Its session runs there too.
    bench.pass(45_000);
    assert_eq!(bench.state(G), GroupState::Empty);
}

#[test]
fn joins_that_cannot_be_are_refused() {
    use KafkaError::*;
    let mut bench = bench();
    let refused = |bench: &mut Bench, join: Join| {
        let sent = bench.join(1, join);
        match bench.joined(sent) {
            Some(Err((error, _))) => error,
            other => panic!("{other:?}"),
        }
    };
    let plain = || joining(G, "c", None);
    let short = Join {
        session_timeout: Ms(5_999),
        ..plain()
    };
    assert_eq!(refused(&mut bench, short), InvalidSessionTimeout);
    assert_eq!(refused(&mut bench, joining("", "c", None)), InvalidGroupId);
    let stranger = Join {
        member: "who".into(),
        ..plain()
    };
    assert_eq!(refused(&mut bench, stranger), UnknownMemberId);
    assert_eq!(bench.state(G), GroupState::Dead);
    with_one(&mut bench);
    let other = Join {
        assignors: vec![Assignor::Sticky],
        ..plain()
    };
    assert_eq!(refused(&mut bench, other), InconsistentGroupProtocol);
    // A group that is in use is not deleted, nor are commits of what it reads (R-RSO-7).
    let answer = bench.ask(1, GroupRequest::Delete(G.into()));
    assert_eq!(answer, GroupAnswer::Deleted(Err(NonEmptyGroup)));
    let answer = bench.ask(1, GroupRequest::DeleteOffsets(G.into(), vec![A]));
    let subscribed = Ok(vec![(A, Err(GroupSubscribedToTopic))]);
    assert_eq!(answer, GroupAnswer::OffsetsDeleted(subscribed));
}
