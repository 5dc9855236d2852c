//! Which earlier steps made this one possible: from the causes that events carry.

use super::tell::Told;
use crate::kafka::event::EventId;
use crate::kafka::map::Set;
use crate::view::Step;

/// How many are shown.
const SHOWN: usize = 3;

/// The steps, ascending. Causes within this step are followed back until they leave it.
pub fn steps(
    step: &Step,
    told: &[Told],
    number: u32,
    step_of: &dyn Fn(EventId) -> Option<u32>,
) -> Vec<u32> {
    let mut seen: Set<EventId> = Set::new();
    let mut open: Vec<EventId> = told.iter().flat_map(|t| t.ids.iter().copied()).collect();
    let mut found: Set<u32> = Set::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        // Events of a step are in the order of their numbers.
        let here = step
            .events
            .binary_search_by_key(&id, |e| e.id)
            .ok()
            .and_then(|i| step.events.get(i));
        match here {
            Some(event) => open.extend(event.causes.iter().copied()),
            None => found.extend(step_of(id).filter(|n| *n < number)),
        }
    }
    // The nearest ones tell most.
    let skip = found.len().saturating_sub(SHOWN);
    found.into_iter().skip(skip).collect()
}
