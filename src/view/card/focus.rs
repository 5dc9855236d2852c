//! What the author of a beat looks at: events about it come first.

use crate::kafka::event::{EventKind, IsrMove};
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;
use crate::script::ast::Focus;
use crate::world::picture::Picture;

/// How much more an event in focus is worth telling.
pub const WEIGHT: i32 = 15;

/// The client of that name.
pub fn client(picture: &Picture, name: &str) -> Option<ClientId> {
    let found = picture.clients.iter().find(|c| &*c.name == name)?;
    Some(found.id)
}

/// Whether an event is about what the author looks at.
pub fn hits(picture: &Picture, focus: &Focus, kind: &EventKind) -> bool {
    match focus {
        Focus::Client(name) => {
            let wanted = client(picture, name);
            let group = wanted.and_then(|c| super::offsets_why::group_of(picture, c));
            match kind {
                EventKind::OffsetCommitted { group: of, .. } => group == Some(&**of),
                kind => wanted.is_some() && of_client(kind) == wanted,
            }
        }
        Focus::Broker(broker) => of_broker(kind, *broker),
        Focus::Controller => of_controller(kind),
        Focus::Record(_, offset) => of_record(kind, *offset),
        Focus::Partition(_) | Focus::Mistake => false,
    }
}

fn of_client(kind: &EventKind) -> Option<ClientId> {
    use EventKind::*;
    match kind {
        ProduceSent { client, .. }
        | ProduceDone { client, .. }
        | ProduceRetry { client, .. }
        | MetadataLearned { client, .. }
        | Consumed { client, .. }
        | ConsumeRefused { client, .. }
        | PollEmpty { client, .. }
        | PositionReset { client, .. }
        | CoordinatorFound { client, .. }
        | CommitSent { client, .. }
        | CommitDone { client, .. }
        | PositionRestored { client, .. }
        | MemberJoined { client, .. }
        | MemberLeft { client, .. }
        | Assigned { client, .. }
        | Revoked { client, .. }
        | ConsumerClosed { client }
        | ConsumerCrashed { client }
        | Processed { client, .. }
        | EffectRepeated { client, .. }
        | SavedOutside { client, .. }
        | TransactionBegun { client, .. }
        | TransactionEnded { client, .. }
        | ResetPlanned { client, .. }
        | ResetRefused { client, .. } => Some(*client),
        _ => None,
    }
}

fn of_broker(kind: &EventKind, wanted: BrokerId) -> bool {
    use EventKind::*;
    let set = |set: BrokerSet| set.contains(wanted);
    match kind {
        Started { broker }
        | Stopped { broker, .. }
        | ShutdownAsked { broker }
        | Frozen { broker }
        | Thawed { broker }
        | DiskReplaced { broker }
        | RegistrationRefused { broker, .. }
        | FencedBroker { broker, .. }
        | UnfencedBroker { broker }
        | ShutdownGranted { broker }
        | BecameLeader { broker, .. }
        | BecameFollower { broker, .. }
        | Truncated { broker, .. }
        | LogStartMoved { broker, .. }
        | ReplicaDeleted { broker, .. } => *broker == wanted,
        Replicated { follower, .. }
        | FollowerHighWatermark { follower, .. }
        | Throttled { follower, .. } => *follower == wanted,
        LinkCut { from, to } | LinkHealed { from, to } | LinkDelay { from, to, .. } => {
            [*from, *to].contains(&NodeId::Broker(wanted))
        }
        // It has left or entered one of the lists.
        PartitionChanged {
            old: Some(old),
            new,
            ..
        } => set(old.isr) != set(new.isr) || set(old.elr) != set(new.elr),
        IsrChangeAsked { what, .. } => match what {
            IsrMove::Expand(broker) => *broker == wanted,
            IsrMove::Shrink(out) => set(*out),
        },
        _ => false,
    }
}

fn of_controller(kind: &EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        FencedBroker { .. }
            | UnfencedBroker { .. }
            | ShutdownGranted { .. }
            | PartitionChanged { .. }
            | IsrChangeAsked { .. }
            | IsrChangeRefused { .. }
            | ElrCleared { .. }
    )
}

/// A record where it lies; what its client was told is the client's matter.
fn of_record(kind: &EventKind, wanted: Offset) -> bool {
    use EventKind::*;
    let (below, above) = (wanted.before(), wanted.after());
    let between = |from: Boundary, to: Boundary| from.min(to) <= below && above <= from.max(to);
    match kind {
        Appended { base, last, .. } => (*base..=*last).contains(&wanted),
        DuplicateFound { base, .. } => *base == wanted,
        HighWatermarkMoved { from, to, .. }
        | Replicated { from, to, .. }
        | Truncated { from, to, .. }
        | Consumed { from, to, .. }
        | Processed { from, to, .. }
        | SegmentsDeleted { from, to, .. } => between(*from, *to),
        FetchHandled { before, offset, .. } => {
            before.is_some_and(|before| before != *offset && between(before, *offset))
        }
        ConfirmedLost { offset, .. }
        | MarkerAppended { offset, .. }
        | EffectRepeated { offset, .. } => *offset == wanted,
        Compacted { removed, .. } => removed.contains(&wanted),
        _ => false,
    }
}
