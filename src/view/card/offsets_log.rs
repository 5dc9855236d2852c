//! The rules of a log without other replicas: why a record has its number, why compaction leaves
//! it alone.

use super::Why;
use super::offsets_why::plain;
use super::tell::about;
use crate::kafka::config::CleanupPolicy;
use crate::kafka::event::{Event, EventKind};
use crate::kafka::ids::Tp;
use crate::text::offset_rules as rules;
use crate::view::Step;
use crate::view::stage::row::reg;
use crate::world::picture::{RecordPicture, ReplicaPicture};

/// What is special about a record that was appended, if anything is: a tombstone in a compacted
/// topic, or the same contents once more.
pub fn appended(step: &Step, event: &Event) -> Option<Why> {
    let lang = step.lang;
    let tp = about(&event.kind)?;
    let replica = leader(step, tp)?;
    let new: Vec<&RecordPicture> = step
        .events
        .iter()
        .filter_map(|e| match e.kind {
            EventKind::Appended {
                tp: on, base, last, ..
            } if on == tp => Some(base.0..=last.0),
            _ => None,
        })
        .flat_map(|run| {
            let inside = move |r: &&RecordPicture| run.contains(&r.offset.0);
            replica.records.iter().filter(inside)
        })
        .filter(|r| r.control.is_none())
        .collect();
    if compacts(step, tp) && !new.is_empty() && new.iter().all(|r| r.value.is_none()) {
        return Some(plain(rules::tombstone(lang), &["R-CMP-5"], None));
    }
    // A retry that the broker recognised appends nothing, so this was another send.
    let known = |r: &&RecordPicture| {
        let same = |o: &RecordPicture| {
            o.offset < r.offset && (&o.key, &o.value) == (&r.key, &r.value) && o.control.is_none()
        };
        r.value.is_some() && replica.records.iter().any(same)
    };
    (!new.is_empty() && new.iter().all(known))
        .then(|| plain(rules::sent_twice(lang), &["R-IDM-7"], None))
}

/// Why a compacted log stays as it is: all its records are in the active segment.
pub fn stands(step: &Step, tp: Tp) -> Option<Why> {
    let replica = leader(step, tp)?;
    (compacts(step, tp) && replica.segments.len() == 1 && replica.log_end > replica.log_start)
        .then(|| plain(rules::active_stays(step.lang), &["R-CMP-1"], None))
}

fn leader<'a>(step: &Step<'a>, tp: Tp) -> Option<&'a ReplicaPicture> {
    step.now.replica(reg(step.now, tp)?.leader?, tp)
}

/// Whether its topic asks for compaction.
fn compacts(step: &Step, tp: Tp) -> bool {
    let topic = step.now.controller.topic_reg(tp.topic);
    topic.is_some_and(|t| {
        matches!(
            t.config.cleanup_policy,
            CleanupPolicy::Compact | CleanupPolicy::CompactDelete
        )
    })
}
