//! The consumer protocol (KIP-848).

use crate::group_bench::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::group::message::*;
use highwater::kafka::group::records::Entry;
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

fn holding(member: &str, epoch: i32, owned: &[Tp]) -> ConsumerBeat {
    ConsumerBeat {
        owned: Some(owned.to_vec()),
        ..beating(G, member, epoch)
    }
}

/// Group epoch, target epoch, and of each member its epoch and what it has.
fn shown(bench: &mut Bench) -> String {
    let view = bench.group(G).expect("a group");
    let members = view.members.iter().map(|m| {
        let tps: Vec<u16> = m.assignment.iter().map(|tp| tp.partition).collect();
        let epoch = m.target.as_ref().map_or(-1, |t| t.0);
        format!(" {}@{epoch}{tps:?}", m.id)
    });
    let members: String = members.collect();
    let target = view.target_epoch.unwrap_or(-1);
    format!("{} {}/{target}{members}", view.state.name(), view.epoch)
}

#[test]
fn r_848_6_the_first_member_has_epoch_2_and_the_records_of_run_o07() {
    let mut bench = bench();
    let told = bench.beat(1, entering(G, "c1")).expect("joined");
    assert_eq!(told, (2, Some(vec![A, B])));
    assert_eq!(shown(&mut bench), "STABLE 2/2 c1@2[0, 1]");
    let kinds = |entries: Vec<Entry>| -> Vec<String> {
        let one = |e: &Entry| {
            let text = e.key();
            let kind = text.split(' ').next().unwrap_or_default();
            let gone = if e.value().is_some() { "" } else { " gone" };
            format!("{kind}{gone}")
        };
        entries.iter().map(one).collect()
    };
    assert_eq!(
        kinds(bench.written()),
        [
            "ConsumerGroupMemberMetadata",
            "ConsumerGroupMetadata",
            "ConsumerGroupTargetAssignmentMember",
            "ConsumerGroupTargetAssignmentMetadata",
            "ConsumerGroupCurrentMemberAssignment",
        ]
    );
    bench.beat(1, beating(G, "c1", -1)).expect("left");
    assert_eq!(
        kinds(bench.written()),
        [
            "ConsumerGroupCurrentMemberAssignment gone",
            "ConsumerGroupTargetAssignmentMember gone",
            "ConsumerGroupMemberMetadata gone",
            "ConsumerGroupMetadata",
        ]
    );
    assert_eq!(shown(&mut bench), "EMPTY 3/2");
    // A heartbeat that says nothing new writes nothing.
    bench.beat(1, entering(G, "c2")).expect("joined");
    bench.written();
    assert_eq!(bench.beat(1, beating(G, "c2", 4)), Ok((4, None)));
    assert_eq!(bench.written(), vec![]);
}

#[test]
fn r_848_2_a_partition_is_handed_over_once_released_as_in_run_o13e() {
    let mut bench = bench();
    bench.beat(1, entering(G, "c1")).expect("joined");
    assert_eq!(bench.commit(G, who("c1", 2), A, 5), Ok(()));
    assert_eq!(bench.commit(G, who("c1", 2), B, 3), Ok(()));
    let told = bench.beat(2, entering(G, "c2")).expect("joined");
    assert_eq!(told, (3, Some(vec![])));
    assert_eq!(shown(&mut bench), "RECONCILING 3/3 c1@2[0, 1] c2@3[]");
    // c1 is told to keep orders-0 only; until it has let go of orders-1, c2 does not get it.
    assert_eq!(bench.commit(G, who("c1", 2), A, 6), Ok(()));
    let told = bench.beat(1, holding("c1", 2, &[A, B])).expect("alive");
    assert_eq!(told, (2, Some(vec![A])));
    assert_eq!(bench.beat(2, holding("c2", 3, &[])), Ok((3, None)));
    assert_eq!(bench.beat(1, holding("c1", 2, &[A])), Ok((3, None)));
    let told = bench.beat(2, holding("c2", 3, &[])).expect("alive");
    assert_eq!(told, (3, Some(vec![B])));
    assert_eq!(shown(&mut bench), "STABLE 3/3 c1@3[0] c2@3[1]");
    // KIP-1251 (R-COM-8): the old epoch counts for what was kept.
    assert_eq!(bench.commit(G, who("c1", 2), A, 8), Ok(()));
    let stale = Err(KafkaError::StaleMemberEpoch);
    assert_eq!(bench.commit(G, who("c1", 2), B, 8), stale);
    assert_eq!(bench.commit(G, who("c1", 4), A, 8), stale);
    // With the present epoch any partition.
    assert_eq!(bench.commit(G, who("c1", 3), B, 3), Ok(()));
    let unknown = Err(KafkaError::UnknownMemberId);
    assert_eq!(bench.commit(G, MemberRef::none(), A, 1), unknown);
    bench.beat(2, beating(G, "c2", -1)).expect("left");
    assert_eq!(shown(&mut bench), "ASSIGNING 4/3 c1@3[0]");
    let told = bench.beat(1, holding("c1", 3, &[A])).expect("alive");
    assert_eq!(told, (4, Some(vec![A, B])));
    assert_eq!(shown(&mut bench), "STABLE 4/4 c1@4[0, 1]");
}

#[test]
fn r_848_3_epochs_are_fenced() {
    let mut bench = bench();
    bench.beat(1, entering(G, "c1")).expect("joined");
    let fenced = Err(KafkaError::FencedMemberEpoch);
    assert_eq!(bench.beat(1, beating(G, "c1", 9)), fenced);
    assert_eq!(bench.beat(1, beating(G, "c1", 1)), fenced);
    let unknown = Err(KafkaError::UnknownMemberId);
    assert_eq!(bench.beat(1, beating(G, "who", 2)), unknown);
    assert_eq!(
        bench.beat(1, beating("none", "c1", 2)),
        Err(KafkaError::GroupIdNotFound)
    );
    let nameless = Err(KafkaError::InvalidRequest);
    assert_eq!(bench.beat(1, beating(G, "c1", -2)), nameless);
    let odd = ConsumerBeat {
        assignor: Some("odd".into()),
        ..entering(G, "c2")
    };
    assert_eq!(bench.beat(1, odd), Err(KafkaError::UnsupportedAssignor));
}

#[test]
fn r_848_4_silence_and_a_revocation_that_does_not_come_end_a_membership() {
    let mut bench = bench();
    bench.beat(1, entering(G, "c1")).expect("joined");
    bench.pass(44_999);
    assert_eq!(bench.beat(1, beating(G, "c1", 2)), Ok((2, None)));
    bench.beat(2, entering(G, "c2")).expect("joined");
    // c1 lives and does not let go of orders-1.
    for _ in 0..61 {
        let beat = bench.beat(1, holding("c1", 2, &[A, B]));
        if beat.is_err() {
            break;
        }
        bench.beat(2, holding("c2", 3, &[])).expect("alive");
        bench.pass(5_000);
    }
    assert_eq!(
        bench.beat(1, holding("c1", 2, &[A, B])),
        Err(KafkaError::UnknownMemberId)
    );
    let told = bench.beat(2, holding("c2", 3, &[])).expect("alive");
    assert_eq!(told, (4, Some(vec![A, B])));
    bench.pass(45_000);
    assert_eq!(shown(&mut bench), "EMPTY 5/4");
}

#[test]
fn r_848_7_a_static_member_leaves_and_another_takes_its_place_as_in_run_o13i() {
    let mut bench = bench();
    let named = |beat: ConsumerBeat, name: &str| ConsumerBeat {
        instance: Some(name.into()),
        ..beat
    };
    let both = |bench: &mut Bench| {
        bench.beat(1, named(entering(G, "a"), "pod-1")).expect("a");
        bench.beat(2, named(entering(G, "b"), "pod-2")).expect("b");
        let a = named(holding("a", 2, &[A, B]), "pod-1");
        bench.beat(1, a).expect("told");
        let a = named(holding("a", 2, &[A]), "pod-1");
        bench.beat(1, a).expect("released");
        bench
            .beat(2, named(holding("b", 3, &[]), "pod-2"))
            .expect("given");
    };
    both(&mut bench);
    assert_eq!(shown(&mut bench), "STABLE 3/3 a@3[0] b@3[1]");
    let away = bench.beat(2, named(beating(G, "b", -2), "pod-2"));
    assert_eq!(away, Ok((-2, None)));
    assert_eq!(shown(&mut bench), "RECONCILING 3/3 a@3[0] b@-2[1]");
    let a = bench.beat(1, named(holding("a", 3, &[A]), "pod-1"));
    assert_eq!(a, Ok((3, None)));
    // A new process of that name: the same epoch, and nobody else notices.
    let told = bench.beat(3, named(entering(G, "b2"), "pod-2"));
    assert_eq!(told, Ok((3, Some(vec![B]))));
    assert_eq!(shown(&mut bench), "STABLE 3/3 a@3[0] b2@3[1]");
    let unknown = Err(KafkaError::UnknownMemberId);
    let old = MemberRef {
        instance: Some("pod-2".into()),
        ..who("b", 3)
    };
    assert_eq!(bench.commit(G, old, B, 5), unknown);
    assert_eq!(bench.commit(G, who("b", 3), B, 5), unknown);
    // R-848-5: a name in use is not given away.
    assert_eq!(
        bench.beat(4, named(entering(G, "a2"), "pod-1")),
        Err(KafkaError::UnreleasedInstanceId)
    );
    assert_eq!(bench.commit(G, who("a", 3), A, 10), Ok(()));
    // A new coordinator knows all of that.
    bench.fail_over();
    assert_eq!(shown(&mut bench), "STABLE 3/3 a@3[0] b2@3[1]");
    let a = bench.beat(1, named(holding("a", 3, &[A]), "pod-1"));
    assert_eq!(a, Ok((3, None)));
}

#[test]
fn r_com_10_an_evicted_client_commits_while_the_group_is_empty() {
    let mut bench = bench();
    bench.beat(1, entering(G, "slow")).expect("joined");
    bench.beat(1, beating(G, "slow", -1)).expect("left");
    assert_eq!(bench.commit(G, MemberRef::none(), A, 10), Ok(()));
    let unknown = Err(KafkaError::UnknownMemberId);
    assert_eq!(bench.commit(G, who("slow", 2), A, 10), unknown);
    bench.beat(2, entering(G, "other")).expect("joined");
    assert_eq!(bench.commit(G, MemberRef::none(), A, 10), unknown);
    // OffsetFetch looks at the member too.
    let fetch = |member| GroupRequest::Fetch {
        group: G.into(),
        member,
        partitions: None,
        require_stable: true,
    };
    let answer = bench.ask(2, fetch(who("other", 3)));
    let stale = GroupAnswer::Fetched(Err(KafkaError::StaleMemberEpoch));
    assert_eq!(answer, stale);
    let answer = bench.ask(2, fetch(who("other", 4)));
    assert!(matches!(answer, GroupAnswer::Fetched(Ok(_))));
}

#[test]
fn an_empty_group_changes_its_protocol_and_keeps_its_commits() {
    let mut bench = bench();
    assert_eq!(bench.commit(G, MemberRef::none(), A, 5), Ok(()));
    bench.beat(1, entering(G, "c1")).expect("joined");
    assert_eq!(bench.committed(G, A, true), Ok(Some(5)));
    let join = bench.join(2, joining(G, "c2", None));
    let refused = bench.joined(join).expect("told").expect_err("refused");
    assert_eq!(refused.0, KafkaError::InconsistentGroupProtocol);
    bench.beat(1, beating(G, "c1", -1)).expect("left");
    let (sent, _) = bench.come(2, joining(G, "c2", None));
    bench.pass(3_000);
    let told = bench.joined(sent).expect("told").expect("a generation");
    assert_eq!(told.generation, 1);
    bench.fail_over();
    assert_eq!(bench.committed(G, A, true), Ok(Some(5)));
    assert_eq!(bench.group(G).map(|g| g.kind), Some(GroupKind::Classic));
}
