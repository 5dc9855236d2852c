//! A member by the classic protocol against a coordinator whose words are written out here.

use super::group_tests::{Talk, at, settings};
use super::*;
use crate::kafka::client::testing::TP;
use crate::kafka::group::message::{
    Assignor, GroupAnswer, GroupRequest, Join, JoinMember, Joined, MemberRef,
};

const OTHER: Tp = Tp { partition: 1, ..TP };

fn name(id: &str) -> std::rc::Rc<str> {
    id.into()
}

/// Partitions by member id.
type Shares = Vec<(std::rc::Rc<str>, Vec<Tp>)>;

impl Talk {
    /// Subscribed, with a poll of 1 s under way, the leader and the coordinator known.
    fn subscribed(settings: ConsumerSettings) -> Self {
        let mut talk = Talk::new(settings);
        let topics = [TP.topic];
        talk.consumer.subscribe(&topics, &mut talk.wire.out);
        assert!(talk.wire.out.sends.is_empty(), "only poll joins");
        talk.poll(0);
        talk.find();
        talk
    }

    fn take_join(&mut self) -> (Correlation, BrokerId, Join) {
        self.take(|body| match body {
            Body::Group(GroupRequest::Join(join)) => Some(join.clone()),
            _ => None,
        })
    }

    /// Answers JoinGroup: a follower in this generation.
    fn join_as_follower(&mut self, generation: i32) -> Join {
        let (c, b, join) = self.take_join();
        let joined = Joined {
            member: name("m1"),
            generation,
            assignor: join.assignors[0],
            leader: name("m0"),
            members: vec![],
        };
        self.hear_group(c, b, GroupAnswer::Joined(Ok(joined)));
        join
    }

    fn take_sync(&mut self) -> (Correlation, BrokerId, Shares) {
        self.take(|body| match body {
            Body::Group(GroupRequest::Sync { assignments, .. }) => Some(assignments.clone()),
            _ => None,
        })
    }

    fn sync(&mut self, tps: &[Tp]) {
        let (c, b, _) = self.take_sync();
        self.hear_group(c, b, GroupAnswer::Synced(Ok(tps.to_vec())));
    }

    /// A member of generation 1 that has these partitions, from 5 on, its poll over.
    fn member(settings: ConsumerSettings, tps: &[Tp]) -> Self {
        let mut talk = Talk::subscribed(settings);
        talk.join_as_follower(1);
        talk.sync(tps);
        talk.committed(Some(at(5, None)));
        talk.wake(1_000);
        assert_eq!(talk.consumer.done().len(), 1);
        talk.wire.out.sends.clear();
        talk.wire.events();
        talk
    }

    fn take_beat(&mut self) -> (Correlation, BrokerId, MemberRef) {
        self.take(|body| match body {
            Body::Group(GroupRequest::Beat { member, .. }) => Some(member.clone()),
            _ => None,
        })
    }

    fn beat(&mut self, at: i64, result: Result<(), KafkaError>) {
        self.wake(at);
        let (c, b, _) = self.take_beat();
        self.hear_group(c, b, GroupAnswer::Beaten(result));
    }

    fn revoked(&mut self) -> Vec<(Vec<Tp>, bool)> {
        let events = self.wire.events().into_iter();
        let revoked = events.filter_map(|e| match e {
            EventKind::Revoked { tps, lost, .. } => Some((tps, lost)),
            _ => None,
        });
        revoked.collect()
    }
}

fn cooperative() -> ConsumerSettings {
    ConsumerSettings {
        assignors: vec![Assignor::CooperativeSticky],
        ..settings()
    }
}

fn automatic() -> ConsumerSettings {
    ConsumerSettings {
        auto_commit: true,
        ..settings()
    }
}

#[test]
fn it_joins_with_the_id_it_is_given_and_starts_from_the_commit() {
    let mut talk = Talk::subscribed(settings());
    let (c, b, join) = talk.take_join();
    assert_eq!((join.member.as_ref(), b), ("", BrokerId(2)));
    assert_eq!(join.rebalance_timeout, Ms(300_000), "R-REB-3");
    let required = Err((KafkaError::MemberIdRequired, name("m1")));
    talk.hear_group(c, b, GroupAnswer::Joined(required));
    let join = talk.join_as_follower(1);
    assert_eq!(join.member.as_ref(), "m1");
    assert!(talk.consumer.assignment().is_empty());
    talk.sync(&[TP]);
    talk.committed(Some(at(5, None)));
    assert_eq!(talk.position(), Some(Boundary(5)), "R-REB-7");
    let view = talk.consumer.membership();
    assert_eq!((view.member, view.generation), (Some(name("m1")), 1));
    let assigned = EventKind::Assigned {
        client: ClientId(0),
        group: name("g"),
        tps: vec![TP],
    };
    assert!(talk.wire.events().contains(&assigned));
}

#[test]
fn the_leader_shares_the_partitions_out() {
    let mut talk = Talk::subscribed(settings());
    let (c, b, _) = talk.take_join();
    let member = |id: &str| JoinMember {
        id: name(id),
        instance: None,
        topics: vec![TP.topic],
        owned: vec![],
    };
    let joined = Joined {
        member: name("m2"),
        generation: 1,
        assignor: Assignor::Range,
        leader: name("m2"),
        members: vec![member("m2"), member("m1")],
    };
    talk.hear_group(c, b, GroupAnswer::Joined(Ok(joined)));
    let (_, _, shares) = talk.take_sync();
    let shared = |id: &str| {
        let share = shares.iter().find(|(of, _)| of.as_ref() == id);
        share.map(|(_, tps)| tps.clone()).unwrap_or_default()
    };
    assert_eq!((shared("m1"), shared("m2")), (vec![TP], vec![OTHER]));
}

#[test]
fn r_reb_6_an_eager_member_gives_all_up_before_it_rejoins() {
    let mut talk = Talk::member(settings(), &[TP, OTHER]);
    talk.beat(3_000, Err(KafkaError::RebalanceInProgress));
    assert_eq!(talk.revoked(), vec![], "not before its next poll (R-REB-4)");
    talk.commit(1, 6, CommitMode::Sync);
    let (member, _) = talk.answer_commit(Ok(()));
    assert_eq!(member.generation, 1, "R-COM-6: still good");
    talk.poll(1);
    assert_eq!(talk.revoked(), vec![(vec![TP, OTHER], false)]);
    assert!(talk.join_as_follower(2).owned.is_empty());
    talk.commit(2, 7, CommitMode::Sync);
    let refused = CallResult::Committed(Err(CommitException::RebalanceInProgress));
    assert_eq!(talk.consumer.calls()[1], (2, refused), "R-COM-9");
    talk.sync(&[TP]);
    talk.committed(Some(at(6, None)));
    let read = Some(Boundary(6));
    assert_eq!(talk.position(), read, "R-REB-9: a kept one from its commit");
}

#[test]
fn r_reb_6_a_cooperative_member_keeps_what_does_not_move() {
    let mut talk = Talk::member(cooperative(), &[TP, OTHER]);
    talk.consumer
        .seek(TP, SeekTo::Offset(Boundary(9)), &mut talk.wire.out);
    talk.beat(3_000, Err(KafkaError::RebalanceInProgress));
    talk.poll(1);
    talk.wire.events();
    let join = talk.join_as_follower(2);
    assert_eq!(join.owned, vec![TP, OTHER]);
    talk.sync(&[TP]);
    assert_eq!(talk.revoked(), vec![(vec![OTHER], false)]);
    assert_eq!(talk.position(), Some(Boundary(9)), "R-REB-9");
    talk.wake(3_001);
    let join = talk.join_as_follower(3);
    assert_eq!(join.owned, vec![TP], "a second rebalance follows");
    talk.sync(&[TP, OTHER]);
    talk.committed(Some(at(3, None)));
    let position = |tp| talk.consumer.positions().iter().find(|p| p.0 == tp)?.1;
    assert_eq!(
        position(OTHER),
        Some(Boundary(3)),
        "given back: from the commit"
    );
    assert_eq!(position(TP), Some(Boundary(9)));
}

#[test]
fn r_com_3_auto_commit_comes_before_the_partitions_go() {
    let mut talk = Talk::member(automatic(), &[TP]);
    talk.beat(3_000, Err(KafkaError::RebalanceInProgress));
    talk.poll(1);
    assert_eq!(talk.revoked(), vec![]);
    let (member, offsets) = talk.answer_commit(Ok(()));
    assert_eq!((member.generation, offsets), (1, vec![at(5, None)]));
    assert_eq!(talk.revoked(), vec![(vec![TP], false)]);
    talk.join_as_follower(2);
}

#[test]
fn r_reb_5_without_polls_the_client_itself_leaves() {
    let slow = ConsumerSettings {
        max_poll_interval: Ms(5_000),
        ..settings()
    };
    let mut talk = Talk::member(slow, &[TP]);
    talk.beat(3_000, Ok(()));
    talk.wake(6_000);
    let (_, _, member) = talk.take(|body| match body {
        Body::Group(GroupRequest::Leave { member, .. }) => Some(member.id.clone()),
        _ => None,
    });
    assert_eq!(member, name("m1"));
    assert_eq!(talk.consumer.assignment(), vec![TP], "it does not know yet");
    talk.commit(1, 10, CommitMode::Sync);
    let error = CommitException::CommitFailed(KafkaError::UnknownMemberId);
    let refused = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls(), vec![(1, refused)]);
    talk.wire.out.sends.clear();
    talk.wire.events();
    talk.poll(1);
    assert_eq!(talk.revoked(), vec![(vec![TP], true)], "lost");
    assert_eq!(
        talk.join_as_follower(3).member.as_ref(),
        "",
        "a new identity"
    );
}

#[test]
fn r_reb_4_heartbeats_go_on_between_polls_and_an_unknown_member_begins_anew() {
    let mut talk = Talk::member(settings(), &[TP]);
    talk.beat(3_000, Ok(()));
    talk.wake(5_999);
    assert!(talk.wire.out.sends.is_empty());
    talk.beat(6_000, Err(KafkaError::UnknownMemberId));
    talk.poll(1);
    assert_eq!(talk.revoked(), vec![(vec![TP], true)]);
    assert_eq!(talk.join_as_follower(3).member.as_ref(), "");
}

#[test]
fn r_reb_8_a_static_member_does_not_leave_and_takes_its_name_back() {
    let pod = ConsumerSettings {
        instance: Some(name("pod-1")),
        ..settings()
    };
    let mut talk = Talk::member(pod.clone(), &[TP]);
    talk.beat(3_000, Err(KafkaError::FencedInstanceId));
    talk.poll(1);
    let thrown = talk.consumer.done().remove(0).1.exception;
    let fenced = PollException::Refused(KafkaError::FencedInstanceId);
    assert_eq!(thrown, Some(fenced));
    talk.poll(2);
    let join = talk.join_as_follower(2);
    assert_eq!(join.instance, Some(name("pod-1")));
    let mut talk = Talk::member(pod, &[TP]);
    talk.consumer.close(9, &mut talk.wire.out);
    assert!(talk.wire.out.sends.is_empty());
    assert_eq!(talk.consumer.calls(), vec![(9, CallResult::Closed)]);
}

#[test]
fn close_commits_gives_up_and_leaves() {
    let mut talk = Talk::member(automatic(), &[TP]);
    talk.consumer.close(9, &mut talk.wire.out);
    talk.answer_commit(Ok(()));
    assert_eq!(talk.revoked(), vec![(vec![TP], false)]);
    let (c, b, _) = talk.take(|body| match body {
        Body::Group(GroupRequest::Leave { member, .. }) => Some(member.id.clone()),
        _ => None,
    });
    assert_eq!(talk.consumer.calls(), vec![]);
    talk.hear_group(c, b, GroupAnswer::Left(Ok(())));
    assert_eq!(talk.consumer.calls(), vec![(9, CallResult::Closed)]);
    talk.wire.out.timers.clear();
    talk.wake(60_000);
    assert!(talk.wire.out.sends.is_empty() && talk.wire.out.timers.is_empty());
}

#[test]
fn what_comes_of_joining_between_polls_is_looked_at_in_the_next() {
    let mut talk = Talk::subscribed(settings());
    talk.wake(1_000);
    talk.join_as_follower(1);
    assert!(talk.wire.out.sends.is_empty());
    talk.poll(1);
    talk.sync(&[TP]);
}

#[test]
fn r_com_9_a_commit_in_an_old_generation_fails_for_good() {
    let mut talk = Talk::member(settings(), &[TP]);
    talk.commit(1, 6, CommitMode::Sync);
    talk.answer_commit(Err(KafkaError::IllegalGeneration));
    let error = CommitException::CommitFailed(KafkaError::IllegalGeneration);
    let failed = CallResult::Committed(Err(error));
    assert_eq!(talk.consumer.calls(), vec![(1, failed)]);
    talk.poll(1);
    assert_eq!(talk.revoked(), vec![(vec![TP], true)]);
    let join = talk.join_as_follower(2);
    assert_eq!(join.member.as_ref(), "m1", "the id is still good");
}

#[test]
fn a_refused_join_is_thrown_and_tried_again() {
    let mut talk = Talk::subscribed(settings());
    let (c, b, _) = talk.take_join();
    let full = Err((KafkaError::GroupMaxSizeReached, name("")));
    talk.hear_group(c, b, GroupAnswer::Joined(full));
    let thrown = talk.consumer.done().remove(0).1.exception;
    let full = PollException::Refused(KafkaError::GroupMaxSizeReached);
    assert_eq!(thrown, Some(full));
    talk.poll(1);
    talk.take_join();
}
