//! The log of commits in words.

use super::entries::{State, entries};
use super::{Needs, Step};
use crate::text::{commits as say, words as word};
use crate::view::changes;
use crate::view::tables::{Described, Table, replicas};

/// The log of commits at a step: its records with key and value, its replicas, what changed.
pub fn words(step: &Step, needs: &Needs) -> Described {
    let title = needs.title();
    let Some(tp) = needs.tp(step.now) else {
        return Described::default();
    };
    let lang = step.lang;
    let rows = entries(lang, step.now, tp).into_iter().map(|e| {
        let mut key = e.group.to_string();
        key.push_str(", ");
        // Group, topic and partition are three parts of the key.
        match e.about.rsplit_once('-') {
            Some((topic, partition)) if !e.value.is_empty() => {
                key.push_str(topic);
                key.push_str(", ");
                key.push_str(partition);
            }
            _ => key.push_str(&e.about),
        }
        let value = match e.value.trim_start_matches("→ ") {
            "" => word::none(lang),
            value => value.to_string(),
        };
        let state = match e.state {
            State::InForce => say::in_force(lang),
            State::Outdated => say::outdated(lang),
            State::Unconfirmed => say::unconfirmed(lang),
        };
        vec![e.offset.to_string(), key, value, state]
    });
    let records = Table {
        caption: say::caption(lang, &title),
        head: vec![
            say::head_number(lang),
            say::head_key(lang),
            say::head_value(lang),
            say::head_state(lang),
        ],
        rows: rows.collect(),
    };
    Described {
        heading: title,
        tables: vec![records, replicas(step, tp)],
        clients: Vec::new(),
        changed: changes::of_log(step, tp),
    }
}
