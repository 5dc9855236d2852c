//! What the notes of a run call incidental, by name. Nothing else is excepted, and an entry that
//! is not needed any more is itself a failure.

use super::compare::Diff;
use serde_json::Value;

/// One exception.
pub struct Entry {
    /// The run.
    pub run: &'static str,
    /// The step.
    pub step: u32,
    /// The field, or the beginning of its path.
    pub path: &'static str,
    /// The words of the notes.
    pub reason: &'static str,
}

/// All exceptions.
pub const TABLE: &[Entry] = &[];

impl Entry {
    /// Whether this entry excepts the difference.
    pub fn covers(&self, run: &str, step: u32, diff: &Diff) -> bool {
        self.run == run
            && self.step == step
            && diff
                .path
                .strip_prefix(self.path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

/// "The order in which 3 and 1 rejoin the ISR is incidental": notes that say so for a step, or
/// for all steps (`None`).
pub fn rejoin_order(notes: &str) -> Vec<Option<u32>> {
    let mut out = Vec::new();
    for sentence in notes.split(['.', ';']) {
        let says = sentence.contains("incidental")
            && sentence.contains("rejoin")
            && (sentence.contains("order in which") || sentence.contains("Which follower"));
        if !says {
            continue;
        }
        // The step may be named in the same sentence or in the part before the semicolon.
        let before = notes.split(sentence).next().unwrap_or("");
        let here = step_number(sentence);
        let earlier = before.rsplit('.').next().and_then(step_number);
        out.push(here.or(earlier));
    }
    out
}

fn step_number(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let rest = &lower[lower.find("step ")? + 5..];
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Makes two lists of changes comparable where the order of rejoining is incidental: in every
/// change that only lets a replica in (and is not the last such change), who it is does not count.
pub fn forget_rejoin_order(changes: &mut Value) {
    let Some(list) = changes.as_array_mut() else {
        return;
    };
    let size = |c: &Value| c["isr"].as_array().map_or(0, Vec::len);
    for i in 1..list.len() {
        let grew = size(&list[i]) > size(&list[i - 1]);
        let grows = list
            .get(i + 1)
            .is_some_and(|next| size(next) > size(&list[i]));
        if grew && grows {
            let isr = size(&list[i]);
            list[i]["isr"] = format!("{isr} members").into();
            list[i]["elr"] = "any".into();
        }
    }
}

#[test]
fn notes_about_the_order_of_rejoining_are_understood() {
    let x45 = "Carried out twice with equal results. Step 12, orders-1: the order in which 3 and 1 \
               rejoin the ISR is incidental.";
    assert_eq!(rejoin_order(x45), [Some(12)]);
    let r10c = "In step 8 the registration of broker 2 empties the ELR; the order in which 3 and 2 \
                rejoin is incidental.";
    assert_eq!(rejoin_order(r10c), [Some(8)]);
    assert_eq!(
        rejoin_order("Which follower rejoins the ISR first is incidental."),
        [None]
    );
    assert!(rejoin_order("Nothing incidental besides times.").is_empty());
}
