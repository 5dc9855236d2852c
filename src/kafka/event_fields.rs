//! Events by name: each kind has a word (`fetch-handled`) and fields that can be asked for by
//! word (`follower`), so that a script can wait for an event and a test can ask for one. Words
//! are those of [`EventKind`] in kebab case.

use super::error::KafkaError;
use super::event::{
    DeleteReason, EventKind, HwTerm, IsrMove, LeaveReason, Outcome, StopKind, TruncateReason,
};
use super::group::message::GroupState;
use super::ids::*;
use super::message::{Acks, NodeId};
use super::metadata::ChangeReason;
use super::transaction::message::TransactionState;
use std::rc::Rc;

/// How numbered things are called: topics and clients have names only a world knows.
pub trait Names {
    /// A topic.
    fn topic(&self, topic: TopicId) -> String;
    /// A client.
    fn client(&self, client: ClientId) -> String;
}

/// Calls everything by its number.
pub struct Numbers;

impl Names for Numbers {
    fn topic(&self, topic: TopicId) -> String {
        topic.to_string()
    }
    fn client(&self, client: ClientId) -> String {
        client.to_string()
    }
}

/// A field's value as a script writes it.
trait Said {
    fn said(&self, names: &dyn Names) -> String;
}

macro_rules! displayed {
    ($($t:ty),*) => {
        $(impl Said for $t {
            fn said(&self, _: &dyn Names) -> String {
                self.to_string()
            }
        })*
    };
}
displayed!(
    Offset,
    Boundary,
    Epoch,
    PartitionEpoch,
    BrokerEpoch,
    MetaOffset,
    BrokerId,
    Ms,
    KafkaError,
    u32,
    i16,
    i32,
    i64,
    bool,
    str
);

impl Said for &'static str {
    fn said(&self, _: &dyn Names) -> String {
        (*self).into()
    }
}
impl Said for Rc<str> {
    fn said(&self, _: &dyn Names) -> String {
        (**self).into()
    }
}
impl<T: Said> Said for Option<T> {
    fn said(&self, names: &dyn Names) -> String {
        self.as_ref()
            .map_or_else(|| "none".into(), |v| v.said(names))
    }
}
/// Values of records: joined by commas; a tombstone is `null`.
impl Said for Vec<Option<Rc<str>>> {
    fn said(&self, _: &dyn Names) -> String {
        let words: Vec<&str> = self
            .iter()
            .map(|v| v.as_deref().unwrap_or("null"))
            .collect();
        words.join(",")
    }
}
/// The log ends that count, in the order of the terms.
impl Said for Vec<HwTerm> {
    fn said(&self, names: &dyn Names) -> String {
        let words: Vec<String> = self.iter().map(|t| t.log_end.said(names)).collect();
        format!("[{}]", words.join(","))
    }
}
impl Said for BrokerSet {
    fn said(&self, _: &dyn Names) -> String {
        brokers(self.iter())
    }
}
impl Said for ClientId {
    fn said(&self, names: &dyn Names) -> String {
        names.client(*self)
    }
}
impl Said for TopicId {
    fn said(&self, names: &dyn Names) -> String {
        names.topic(*self)
    }
}
impl Said for Tp {
    fn said(&self, names: &dyn Names) -> String {
        format!("{}-{}", names.topic(self.topic), self.partition)
    }
}
impl Said for NodeId {
    fn said(&self, names: &dyn Names) -> String {
        match self {
            NodeId::Controller => "controller".into(),
            NodeId::Broker(b) => b.to_string(),
            NodeId::Client(c) => names.client(*c),
        }
    }
}
impl Said for Acks {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            Acks::None => "0",
            Acks::Leader => "1",
            Acks::All => "all",
        }
        .into()
    }
}
impl Said for StopKind {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            StopKind::Killed => "killed",
            StopKind::PowerLost => "power-lost",
            StopKind::Clean => "clean",
        }
        .into()
    }
}
/// `confirmed`, or the name of the error.
impl Said for Outcome {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            Outcome::Confirmed(_) => "confirmed".into(),
            Outcome::Failed(error) => error.name().into(),
        }
    }
}
/// `ok`, or the name of the error.
impl Said for Result<Offset, KafkaError> {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            Ok(_) => "ok".into(),
            Err(error) => error.name().into(),
        }
    }
}
impl Said for IsrMove {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            IsrMove::Expand(_) => "expand",
            IsrMove::Shrink(_) => "shrink",
        }
        .into()
    }
}
impl Said for TruncateReason {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            TruncateReason::Diverging { .. } => "diverging",
            TruncateReason::LeaderLogShorter => "leader-log-shorter",
            TruncateReason::LeaderLogStartsLater => "leader-log-starts-later",
            TruncateReason::HighWatermark => "high-watermark",
            TruncateReason::DiskLoss => "disk-loss",
        }
        .into()
    }
}
impl Said for ChangeReason {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            ChangeReason::Created => "created",
            ChangeReason::AlterPartition { .. } => "alter-partition",
            ChangeReason::Fenced(_) => "fenced",
            ChangeReason::Unfenced(_) => "unfenced",
            ChangeReason::ControlledShutdown(_) => "controlled-shutdown",
            ChangeReason::UncleanRegistration(_) => "unclean-registration",
            ChangeReason::ElectLeaders { unclean: false } => "preferred-election",
            ChangeReason::ElectLeaders { unclean: true } => "unclean-election",
            ChangeReason::Balance => "balance",
            ChangeReason::UncleanTask => "unclean-task",
            ChangeReason::Reassign => "reassign",
            ChangeReason::LogDirectory(_) => "log-directory",
        }
        .into()
    }
}

impl Said for GroupState {
    fn said(&self, _: &dyn Names) -> String {
        self.name().to_ascii_lowercase().replace('_', "-")
    }
}
impl Said for TransactionState {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            TransactionState::Empty => "empty",
            TransactionState::Ongoing => "ongoing",
            TransactionState::PrepareCommit => "prepare-commit",
            TransactionState::PrepareAbort => "prepare-abort",
            TransactionState::CompleteCommit => "complete-commit",
            TransactionState::CompleteAbort => "complete-abort",
            TransactionState::Dead => "dead",
        }
        .into()
    }
}
impl Said for LeaveReason {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            LeaveReason::Left => "left",
            LeaveReason::Session => "session",
            LeaveReason::PollInterval => "poll-interval",
            LeaveReason::Rebalance => "rebalance",
            LeaveReason::Replaced => "replaced",
        }
        .into()
    }
}
impl Said for DeleteReason {
    fn said(&self, _: &dyn Names) -> String {
        match self {
            DeleteReason::LogStart => "log-start",
            DeleteReason::Size => "size",
            DeleteReason::Time => "time",
        }
        .into()
    }
}
impl Said for Vec<Tp> {
    fn said(&self, names: &dyn Names) -> String {
        let words: Vec<String> = self.iter().map(|tp| tp.said(names)).collect();
        format!("[{}]", words.join(","))
    }
}
impl Said for Vec<Offset> {
    fn said(&self, names: &dyn Names) -> String {
        let words: Vec<String> = self.iter().map(|o| o.said(names)).collect();
        format!("[{}]", words.join(","))
    }
}

/// A list of brokers as a script writes it: `[1,2,3]`.
fn brokers(ids: impl Iterator<Item = BrokerId>) -> String {
    let words: Vec<String> = ids.map(|b| b.to_string()).collect();
    format!("[{}]", words.join(","))
}

/// One line a kind: its word, the fields told under their own names, then (behind `;`) fields
/// that are told in another way, and how.
macro_rules! kinds {
    ($names:ident; $(
        $word:literal $variant:ident { $($field:ident),* $(; $($hidden:ident),*)? }
        $([ $($key:literal $value:expr),* ])?,
    )*) => {
        impl EventKind {
            /// The words of all kinds, each with the words of its fields.
            pub const KINDS: &'static [(&'static str, &'static [&'static str])] = &[
                $(($word, &[$(stringify!($field),)* $($($key,)*)?]),)*
            ];

            /// The kind as one word, e.g. `high-watermark-moved`.
            pub fn name(&self) -> &'static str {
                match self { $(EventKind::$variant { .. } => $word,)* }
            }

            /// The value of a field as a script writes it, topics and clients by name; `None`:
            /// this kind has no such field.
            pub fn field_named(&self, key: &str, $names: &dyn Names) -> Option<String> {
                match self {
                    $(EventKind::$variant { $($field,)* $($($hidden,)*)? .. } => match key {
                        $(stringify!($field) => Some($field.said($names)),)*
                        $($($key => Some($value),)*)?
                        _ => None,
                    },)*
                }
            }
        }
    };
}

kinds! { names;
    "started" Started { broker },
    "stopped" Stopped { broker, how },
    "shutdown-asked" ShutdownAsked { broker },
    "frozen" Frozen { broker },
    "thawed" Thawed { broker },
    "disk-replaced" DiskReplaced { broker },
    "link-cut" LinkCut { from, to },
    "link-healed" LinkHealed { from, to },
    "link-delay" LinkDelay { from, to, delay },
    "message-lost" MessageLost { from, to, what },
    "config-changed" ConfigChanged { what, name, value },
    "admin-refused" AdminRefused { what, error },

    "produce-sent" ProduceSent { client, broker, tp, values, acks, attempt },
    "produce-done" ProduceDone { client, tp, values, acks, attempts, outcome }
        ["offset" match outcome {
            Outcome::Confirmed(offset) => offset.said(names),
            Outcome::Failed(_) => "none".into(),
        }],
    "produce-retry" ProduceRetry { client, tp, error, after },
    "metadata-learned" MetadataLearned { client, from, tp, leader, epoch },
    "consumed" Consumed { client, broker, tp, from, to, values },
    "consume-refused" ConsumeRefused { client, broker, tp, position, error },
    "poll-empty" PollEmpty { client, tp, position },
    "position-reset" PositionReset { client, tp, from, to },

    "appended" Appended { broker, tp, base, last, epoch, values },
    "duplicate-found" DuplicateFound { broker, tp, base },
    "produce-waits" ProduceWaits { broker, client, tp, until },
    "produce-answered" ProduceAnswered { broker, client, tp, result }
        ["offset" result.ok().said(names)],
    "fetch-handled" FetchHandled { leader, follower, tp, offset, before, sent },
    "divergence-found" DivergenceFound { leader, follower, tp, asked, epoch, end },
    "fetch-refused" FetchRefused { broker, asker, tp, offset, error },
    "high-watermark-moved" HighWatermarkMoved { broker, tp, from, to, terms },
    "high-watermark-held" HighWatermarkHeld { broker, tp, at, isr; min_isr }
        ["min-isr" min_isr.said(names)],
    "isr-change-asked" IsrChangeAsked { leader, tp, isr, what }
        ["who" match what {
            IsrMove::Expand(broker) => brokers(std::iter::once(*broker)),
            IsrMove::Shrink(set) => set.said(names),
        }],
    "isr-change-refused" IsrChangeRefused { leader, tp, error },
    "isr-learned" IsrLearned { leader, tp, from, to },
    "log-start-moved" LogStartMoved { broker, tp, from, to },

    "fetch-sent" FetchSent { follower, leader, tp, offset },
    "replicated" Replicated { follower, leader, tp, from, to },
    "follower-high-watermark" FollowerHighWatermark { follower, tp, from, to, told },
    "truncated" Truncated { broker, tp, from, to, values, reason },
    "throttled" Throttled { follower, tp },

    "registered" Registered { broker, epoch, unclean },
    "registration-refused" RegistrationRefused { broker, error },
    "fenced-broker" FencedBroker { broker, silent },
    "unfenced-broker" UnfencedBroker { broker },
    "shutdown-granted" ShutdownGranted { broker },
    "partition-changed" PartitionChanged { tp, why; old, new }
        ["leader" new.leader.said(names),
         "leader-epoch" new.leader_epoch.said(names),
         "partition-epoch" new.partition_epoch.said(names),
         "isr" new.isr.said(names),
         "elr" new.elr.said(names),
         "old-leader" old.as_ref().and_then(|o| o.leader).said(names),
         "old-isr" old.as_ref().map(|o| o.isr).said(names)],
    "elr-cleared" ElrCleared { topic },

    "metadata-applied" MetadataApplied { broker, offset },
    "became-leader" BecameLeader { broker, tp, epoch, start },
    "became-follower" BecameFollower { broker, tp, epoch, leader },
    "replica-deleted" ReplicaDeleted { broker, tp },

    "coordinator-found" CoordinatorFound { client, key, broker },
    "coordinator-loaded" CoordinatorLoaded { broker, tp },
    "commit-sent" CommitSent { client, group, tp, offset },
    "commit-done" CommitDone { client, group, tp, offset, error },
    "offset-committed" OffsetCommitted { broker, group, tp, from, to },
    "offset-forgotten" OffsetForgotten { broker, group, tp, offset, expired },
    "position-restored" PositionRestored { client, tp, to },
    "group-changed" GroupChanged { broker, group, from, to, generation },
    "member-joined" MemberJoined { broker, group, member, client },
    "member-left" MemberLeft { broker, group, member, client, why },
    "assigned" Assigned { client, group, tps },
    "revoked" Revoked { client, group, tps, lost },
    "consumer-closed" ConsumerClosed { client },
    "consumer-crashed" ConsumerCrashed { client },

    "processed" Processed { client, tp, from, to, values },
    "effect-repeated" EffectRepeated { client, tp, offset, key, times },
    "saved-outside" SavedOutside { client, tp, from, to },

    "transaction-begun" TransactionBegun { client, id },
    "transaction-ended" TransactionEnded { client, id, commit, error },
    "transaction-changed" TransactionChanged { broker, id, from, to, epoch },
    "marker-appended" MarkerAppended { broker, tp, offset, commit, producer },
    "last-stable-moved" LastStableMoved { broker, tp, from, to },

    "segment-rolled" SegmentRolled { broker, tp, base },
    "segments-deleted" SegmentsDeleted { broker, tp, from, to, why },
    "compacted" Compacted { broker, tp, to, removed },

    "reset-planned" ResetPlanned { client, group, tp, from, to, asked, executed },
    "reset-refused" ResetRefused { client, group, state },

    "confirmed-lost" ConfirmedLost { tp, offset, value },
    "violation" Violation { invariant, text },
}

impl EventKind {
    /// The value of a field as a script writes it, topics and clients by their numbers.
    pub fn field(&self, key: &str) -> Option<String> {
        self.field_named(key, &Numbers)
    }

    /// The words of a kind's fields; `None`: no such kind.
    pub fn fields_of(kind: &str) -> Option<&'static [&'static str]> {
        Self::KINDS
            .iter()
            .find(|(word, _)| *word == kind)
            .map(|(_, fields)| *fields)
    }

    /// Whether the event is of this kind and its fields have these values, as a script writes
    /// them.
    pub fn matches(&self, kind: &str, fields: &[(Rc<str>, Rc<str>)], names: &dyn Names) -> bool {
        self.name() == kind
            && fields
                .iter()
                .all(|(key, value)| self.field_named(key, names).as_deref() == Some(&**value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::metadata::PartitionReg;

    struct Shop;
    impl Names for Shop {
        fn topic(&self, _: TopicId) -> String {
            "orders".into()
        }
        fn client(&self, _: ClientId) -> String {
            "p1".into()
        }
    }

    const TP: Tp = Tp {
        topic: TopicId(0),
        partition: 2,
    };

    #[test]
    fn fields_are_told_as_a_script_writes_them() {
        let done = EventKind::ProduceDone {
            client: ClientId(4),
            tp: TP,
            values: vec![Some("OrderCreated 3".into()), None],
            acks: Acks::All,
            attempts: 2,
            outcome: Outcome::Confirmed(Some(Offset(3))),
        };
        assert_eq!(done.name(), "produce-done");
        let told = |key| done.field_named(key, &Shop);
        assert_eq!(told("client").as_deref(), Some("p1"));
        assert_eq!(told("tp").as_deref(), Some("orders-2"));
        assert_eq!(told("values").as_deref(), Some("OrderCreated 3,null"));
        assert_eq!(told("acks").as_deref(), Some("all"));
        assert_eq!(told("outcome").as_deref(), Some("confirmed"));
        assert_eq!(told("offset").as_deref(), Some("3"));
        assert_eq!(told("leader"), None);
        assert_eq!(done.field("client").as_deref(), Some("4"));
    }

    #[test]
    fn a_partition_change_tells_the_new_state_and_the_old() {
        let reg = |leader, isr: &[u8], epoch| PartitionReg {
            replicas: [1, 2, 3].map(BrokerId).to_vec(),
            adding: vec![],
            removing: vec![],
            isr: isr.iter().map(|b| BrokerId(*b)).collect(),
            elr: BrokerSet::EMPTY,
            last_known_elr: vec![],
            leader,
            leader_epoch: Epoch(epoch),
            partition_epoch: PartitionEpoch(epoch),
            recovery: Default::default(),
        };
        let change = EventKind::PartitionChanged {
            tp: TP,
            old: Some(Rc::new(reg(Some(BrokerId(1)), &[1, 2, 3], 0))),
            new: Rc::new(reg(None, &[2, 3], 1)),
            why: ChangeReason::Fenced(BrokerId(1)),
        };
        assert_eq!(change.field("leader").as_deref(), Some("none"));
        assert_eq!(change.field("isr").as_deref(), Some("[2,3]"));
        assert_eq!(change.field("old-leader").as_deref(), Some("1"));
        assert_eq!(change.field("old-isr").as_deref(), Some("[1,2,3]"));
        assert_eq!(change.field("why").as_deref(), Some("fenced"));
    }

    #[test]
    fn an_event_matches_only_with_its_kind_and_every_field() {
        let appended = EventKind::Appended {
            broker: BrokerId(1),
            tp: TP,
            base: Offset(3),
            last: Offset(3),
            epoch: Epoch(0),
            values: vec![],
        };
        let field = |k: &str, v: &str| (k.into(), v.into());
        assert!(appended.matches(
            "appended",
            &[field("broker", "1"), field("tp", "orders-2")],
            &Shop
        ));
        assert!(!appended.matches(
            "appended",
            &[field("broker", "1"), field("base", "4")],
            &Shop
        ));
        assert!(!appended.matches("replicated", &[], &Shop));
    }

    #[test]
    fn every_word_is_kebab_case_and_stands_once() {
        let mut words: Vec<&str> = EventKind::KINDS.iter().map(|(word, _)| *word).collect();
        words.sort_unstable();
        let all = words.len();
        words.dedup();
        assert_eq!(words.len(), all);
        for (word, fields) in EventKind::KINDS {
            for w in std::iter::once(word).chain(*fields) {
                assert!(
                    w.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'),
                    "{w}"
                );
            }
        }
    }
}
