//! What a coordinator writes into `__consumer_offsets` (R-GRP-2): keys and values as short text
//! with the fields of Kafka's own records, so that a person can read the log and a new coordinator
//! can rebuild what the old one knew.

mod text;

use super::Name;
use super::message::{Assignor, Committed};
use crate::kafka::ids::*;
use std::rc::Rc;
use text::{Fields, Line};

/// A commit as it lies in the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stored {
    /// Next position, epoch, metadata.
    pub committed: Committed,
    /// Which topic it was for: a topic of the same name made later is another one.
    pub topic: TopicId,
    /// When it was committed, ms.
    pub at: Ms,
}

/// A member of a classic group as it lies in the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassicMemberRecord {
    /// The member id.
    pub id: Name,
    /// group.instance.id
    pub instance: Option<Name>,
    /// Whose it is.
    pub client: ClientId,
    /// Rebalance timeout, ms.
    pub rebalance_timeout: Ms,
    /// Session timeout, ms.
    pub session_timeout: Ms,
    /// Subscribed topics.
    pub topics: Vec<TopicId>,
    /// What it was given.
    pub assignment: Vec<Tp>,
}

/// A classic group as it lies in the log (GroupMetadata).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassicRecord {
    /// Whether it ever had members that spoke the consumers' protocol type; else it is simple.
    pub with_protocol: bool,
    /// The generation.
    pub generation: i32,
    /// How it shares out.
    pub assignor: Option<Assignor>,
    /// The leader.
    pub leader: Option<Name>,
    /// Since when it is in its state, ms.
    pub since: Ms,
    /// The members.
    pub members: Vec<ClassicMemberRecord>,
}

/// A member of the consumer protocol as it lies in the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemberRecord {
    /// group.instance.id
    pub instance: Option<Name>,
    /// Whose it is.
    pub client: ClientId,
    /// Subscribed topics.
    pub topics: Vec<TopicId>,
    /// Rebalance timeout, ms.
    pub rebalance_timeout: Ms,
    /// The assignor it asks for.
    pub assignor: Option<Name>,
}

/// A member's present assignment as it lies in the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CurrentRecord {
    /// Its epoch.
    pub epoch: i32,
    /// Its epoch before.
    pub previous: i32,
    /// Kafka's number of its state: 0 stable, 1 unrevoked, 2 unreleased partitions.
    pub state: u8,
    /// Partitions, each with the epoch since which it has it (KIP-1251).
    pub assigned: Vec<(Tp, i32)>,
    /// Partitions it is to give up.
    pub revoking: Vec<(Tp, i32)>,
}

/// One record; `None` is a tombstone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// OffsetCommit: group, topic's name, partition.
    Offset(Name, Name, u16, Option<Stored>),
    /// GroupMetadata: a classic group.
    Classic(Name, Option<ClassicRecord>),
    /// ConsumerGroupMetadata: the group epoch.
    Group(Name, Option<i32>),
    /// ConsumerGroupMemberMetadata: group, member.
    Member(Name, Name, Option<MemberRecord>),
    /// ConsumerGroupTargetAssignmentMember: group, member.
    Target(Name, Name, Option<Vec<Tp>>),
    /// ConsumerGroupTargetAssignmentMetadata: the epoch of the target assignment.
    TargetEpoch(Name, Option<i32>),
    /// ConsumerGroupCurrentMemberAssignment: group, member.
    Current(Name, Name, Option<CurrentRecord>),
}

const OFFSET: &str = "OffsetCommit";
const CLASSIC: &str = "GroupMetadata";
const GROUP: &str = "ConsumerGroupMetadata";
const MEMBER: &str = "ConsumerGroupMemberMetadata";
const TARGET: &str = "ConsumerGroupTargetAssignmentMember";
const TARGET_EPOCH: &str = "ConsumerGroupTargetAssignmentMetadata";
const CURRENT: &str = "ConsumerGroupCurrentMemberAssignment";

/// The name of a strategy in Kafka's protocol.
pub fn assignor_name(assignor: Assignor) -> &'static str {
    match assignor {
        Assignor::Range => "range",
        Assignor::RoundRobin => "roundrobin",
        Assignor::Sticky => "sticky",
        Assignor::CooperativeSticky => "cooperative-sticky",
    }
}

fn assignor_of(name: &str) -> Option<Assignor> {
    [
        Assignor::Range,
        Assignor::RoundRobin,
        Assignor::Sticky,
        Assignor::CooperativeSticky,
    ]
    .into_iter()
    .find(|a| assignor_name(*a) == name)
}

impl Entry {
    /// The group it is about.
    pub fn group(&self) -> &Name {
        match self {
            Entry::Offset(group, ..)
            | Entry::Classic(group, _)
            | Entry::Group(group, _)
            | Entry::Member(group, ..)
            | Entry::Target(group, ..)
            | Entry::TargetEpoch(group, _)
            | Entry::Current(group, ..) => group,
        }
    }

    /// The record's key.
    pub fn key(&self) -> Rc<str> {
        let line = |kind: &str, group: &str| Line::new(kind).with("group", group);
        match self {
            Entry::Offset(group, topic, partition, _) => line(OFFSET, group)
                .with("topic", topic)
                .with("partition", partition),
            Entry::Classic(group, _) => line(CLASSIC, group),
            Entry::Group(group, _) => line(GROUP, group),
            Entry::Member(group, member, _) => line(MEMBER, group).with("member", member),
            Entry::Target(group, member, _) => line(TARGET, group).with("member", member),
            Entry::TargetEpoch(group, _) => line(TARGET_EPOCH, group),
            Entry::Current(group, member, _) => line(CURRENT, group).with("member", member),
        }
        .end()
    }

    /// The record's value; `None`: a tombstone.
    pub fn value(&self) -> Option<Rc<str>> {
        let line = match self {
            Entry::Offset(.., value) => {
                let v = value.as_ref()?;
                let epoch = v.committed.leader_epoch.map_or(-1, |e| e.0);
                Line::default()
                    .with("offset", v.committed.offset)
                    .with("leaderEpoch", epoch)
                    .with("metadata", &v.committed.metadata)
                    .with("commitTimestamp", v.at)
                    .with("topicId", v.topic)
            }
            Entry::Classic(_, value) => value.as_ref()?.line(),
            Entry::Group(_, epoch) => Line::default().with("epoch", (*epoch)?),
            Entry::TargetEpoch(_, epoch) => Line::default().with("assignmentEpoch", (*epoch)?),
            Entry::Member(.., value) => {
                let v = value.as_ref()?;
                Line::default()
                    .maybe("instance", v.instance.as_deref())
                    .with("client", v.client)
                    .list("topics", v.topics.iter())
                    .with("rebalanceTimeout", v.rebalance_timeout)
                    .maybe("assignor", v.assignor.as_deref())
            }
            Entry::Target(.., value) => {
                Line::default().list("partitions", value.as_ref()?.iter().map(tp_text))
            }
            Entry::Current(.., value) => {
                let v = value.as_ref()?;
                Line::default()
                    .with("epoch", v.epoch)
                    .with("previous", v.previous)
                    .with("state", v.state)
                    .list("assigned", v.assigned.iter().map(since_text))
                    .list("revoking", v.revoking.iter().map(since_text))
            }
        };
        Some(line.end())
    }

    /// Reads a record back; `None` if it is none of ours.
    pub fn parse(key: &str, value: Option<&str>) -> Option<Entry> {
        let (kind, rest) = key.split_once(' ')?;
        let key = Fields(rest);
        let group: Name = key.get("group")?.into();
        let member = || key.get("member").map(Name::from);
        // A value that cannot be read is not taken for a tombstone.
        let value = value.map(Fields);
        Some(match kind {
            OFFSET => {
                let (topic, partition) = (key.get("topic")?.into(), key.number("partition")?);
                let value = read(value, stored)?;
                Entry::Offset(group, topic, partition, value)
            }
            CLASSIC => Entry::Classic(group, read(value, ClassicRecord::read)?),
            GROUP => Entry::Group(group, read(value, |v| v.number("epoch"))?),
            TARGET_EPOCH => {
                Entry::TargetEpoch(group, read(value, |v| v.number("assignmentEpoch"))?)
            }
            MEMBER => Entry::Member(group, member()?, read(value, member_record)?),
            TARGET => Entry::Target(group, member()?, read(value, |v| tps(v, "partitions"))?),
            CURRENT => Entry::Current(group, member()?, read(value, current)?),
            _ => return None,
        })
    }
}

/// Reads a value that is there; `None` if it is there and cannot be read.
fn read<T>(
    value: Option<Fields<'_>>,
    f: impl FnOnce(&Fields<'_>) -> Option<T>,
) -> Option<Option<T>> {
    match value {
        None => Some(None),
        Some(fields) => f(&fields).map(Some),
    }
}

fn stored(v: &Fields<'_>) -> Option<Stored> {
    let epoch: i32 = v.number("leaderEpoch")?;
    Some(Stored {
        committed: Committed {
            offset: Boundary(v.number("offset")?),
            leader_epoch: (epoch >= 0).then_some(Epoch(epoch)),
            metadata: v.get("metadata")?.into(),
        },
        topic: TopicId(v.number("topicId")?),
        at: Ms(v.number("commitTimestamp")?),
    })
}

fn member_record(v: &Fields<'_>) -> Option<MemberRecord> {
    Some(MemberRecord {
        instance: v.get("instance").map(Name::from),
        client: ClientId(v.number("client")?),
        topics: topics(v)?,
        rebalance_timeout: Ms(v.number("rebalanceTimeout")?),
        assignor: v.get("assignor").map(Name::from),
    })
}

fn current(v: &Fields<'_>) -> Option<CurrentRecord> {
    Some(CurrentRecord {
        epoch: v.number("epoch")?,
        previous: v.number("previous")?,
        state: v.number("state")?,
        assigned: v.list("assigned", since_of)?,
        revoking: v.list("revoking", since_of)?,
    })
}

fn tp_text(tp: &Tp) -> String {
    format!("{}-{}", tp.topic, tp.partition)
}

fn tp_of(text: &str) -> Option<Tp> {
    let (topic, partition) = text.split_once('-')?;
    Some(Tp {
        topic: TopicId(topic.parse().ok()?),
        partition: partition.parse().ok()?,
    })
}

fn since_text(part: &(Tp, i32)) -> String {
    format!("{}@{}", tp_text(&part.0), part.1)
}

fn since_of(text: &str) -> Option<(Tp, i32)> {
    let (tp, epoch) = text.split_once('@')?;
    Some((tp_of(tp)?, epoch.parse().ok()?))
}

fn tps(v: &Fields<'_>, name: &str) -> Option<Vec<Tp>> {
    v.list(name, tp_of)
}

fn topics(v: &Fields<'_>) -> Option<Vec<TopicId>> {
    v.list("topics", |t| t.parse().ok().map(TopicId))
}

impl ClassicRecord {
    fn line(&self) -> Line {
        let mut line = Line::default()
            .with(
                "protocolType",
                if self.with_protocol { "consumer" } else { "" },
            )
            .with("generation", self.generation)
            .maybe("protocol", self.assignor.map(assignor_name))
            .maybe("leader", self.leader.as_deref())
            .with("currentStateTimestamp", self.since);
        for m in &self.members {
            line = line
                .with("member", &m.id)
                .maybe("instance", m.instance.as_deref())
                .with("client", m.client)
                .with("rebalanceTimeout", m.rebalance_timeout)
                .with("sessionTimeout", m.session_timeout)
                .list("topics", m.topics.iter())
                .list("assignment", m.assignment.iter().map(tp_text));
        }
        line
    }

    fn read(v: &Fields<'_>) -> Option<ClassicRecord> {
        let mut members = Vec::new();
        for m in v.sections("member") {
            members.push(ClassicMemberRecord {
                id: m.get("member")?.into(),
                instance: m.get("instance").map(Name::from),
                client: ClientId(m.number("client")?),
                rebalance_timeout: Ms(m.number("rebalanceTimeout")?),
                session_timeout: Ms(m.number("sessionTimeout")?),
                topics: topics(&m)?,
                assignment: tps(&m, "assignment")?,
            });
        }
        Some(ClassicRecord {
            with_protocol: v.get("protocolType")? == "consumer",
            generation: v.number("generation")?,
            assignor: v.get("protocol").and_then(|name| assignor_of(&name)),
            leader: v.get("leader").map(Name::from),
            since: Ms(v.number("currentStateTimestamp")?),
            members,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back_and_forth(entry: Entry) {
        let (key, value) = (entry.key(), entry.value());
        assert_eq!(
            Entry::parse(&key, value.as_deref()),
            Some(entry),
            "{key} | {value:?}"
        );
    }

    const TP: Tp = Tp {
        topic: TopicId(3),
        partition: 1,
    };

    #[test]
    fn r_grp_2_a_commit_has_the_fields_of_kafkas_record() {
        let stored = Stored {
            committed: Committed {
                offset: Boundary(5),
                leader_epoch: None,
                metadata: "batch 17".into(),
            },
            topic: TopicId(3),
            at: Ms(1234),
        };
        let entry = Entry::Offset("billing".into(), "orders".into(), 0, Some(stored));
        assert_eq!(
            &*entry.key(),
            "OffsetCommit group=billing topic=orders partition=0"
        );
        assert_eq!(
            entry.value().as_deref(),
            Some("offset=5 leaderEpoch=-1 metadata=batch%32;17 commitTimestamp=1234 topicId=3")
        );
        back_and_forth(entry);
    }

    #[test]
    fn any_name_comes_back_as_it_was() {
        for group in ["", "Заказы", "a b=c,d%20;e", "shop.ru/касса", "😀\n"] {
            back_and_forth(Entry::Offset(group.into(), "t".into(), 7, None));
            back_and_forth(Entry::Member(
                group.into(),
                "c-1".into(),
                Some(MemberRecord {
                    instance: Some(group.into()),
                    client: ClientId(2),
                    topics: vec![TopicId(0), TopicId(4)],
                    rebalance_timeout: Ms(300_000),
                    assignor: None,
                }),
            ));
        }
        assert_eq!(Entry::parse("OffsetCommit group=a", Some("x")), None);
        assert_eq!(Entry::parse("order 7", None), None);
    }

    #[test]
    fn groups_come_back_as_they_were() {
        let member = |id: &str, instance: Option<&str>, assignment: Vec<Tp>| ClassicMemberRecord {
            id: id.into(),
            instance: instance.map(Name::from),
            client: ClientId(1),
            rebalance_timeout: Ms(300_000),
            session_timeout: Ms(45_000),
            topics: vec![TopicId(3)],
            assignment,
        };
        back_and_forth(Entry::Classic(
            "g".into(),
            Some(ClassicRecord {
                with_protocol: true,
                generation: 2,
                assignor: Some(Assignor::CooperativeSticky),
                leader: Some("c1-1".into()),
                since: Ms(9),
                members: vec![
                    member("c1-1", None, vec![TP]),
                    member("c2-1", Some("pod 1"), vec![]),
                ],
            }),
        ));
        back_and_forth(Entry::Group("g".into(), Some(2)));
        back_and_forth(Entry::TargetEpoch("g".into(), None));
        back_and_forth(Entry::Target("g".into(), "m".into(), Some(vec![TP, TP])));
        back_and_forth(Entry::Current(
            "g".into(),
            "m".into(),
            Some(CurrentRecord {
                epoch: -2,
                previous: 3,
                state: 1,
                assigned: vec![(TP, 2)],
                revoking: vec![],
            }),
        ));
    }
}
