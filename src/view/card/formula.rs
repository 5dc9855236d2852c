//! Rules with the values they had, as tokens that point to the stage.

use super::{Formula, Token, TokenKind};
use crate::kafka::event::{HwTerm, TermKind};
use crate::kafka::ids::{Boundary, BrokerId, Offset, Tp};
use crate::kafka::metadata::PartitionReg;
use crate::text::{Lang, rules, words};
use crate::view::stage::row::reg;
use crate::view::{Step, Target};
use crate::world::command::Process;

/// A piece of a formula.
pub fn token(text: impl Into<String>, kind: TokenKind, target: Option<Target>) -> Token {
    Token {
        text: text.into(),
        kind,
        target,
    }
}

/// A sign or a word of a formula.
pub fn sign(text: &str) -> Token {
    token(text, TokenKind::Plain, None)
}

/// `HW = min(LEO of ISR)` / `= min(7, 6, 6) = 6`, with exactly the terms used.
pub fn min_formula(
    lang: Lang,
    terms: &[HwTerm],
    result: Boundary,
    mover: Option<BrokerId>,
) -> Formula {
    let least = terms.iter().map(|t| t.log_end).min().flatten();
    let unknown = terms.iter().any(|t| t.log_end.is_none());
    let limits = |t: &HwTerm| {
        if unknown {
            t.log_end.is_none()
        } else {
            t.log_end == least
        }
    };
    let by_mover = terms.iter().any(|t| Some(t.broker) == mover && limits(t));
    let outsider = terms.iter().any(|t| t.kind == TermKind::CaughtUpOutsider);
    let hw = || token("HW", TokenKind::Server, None);
    let head = if outsider {
        rules::formula_caught_up(lang)
    } else {
        rules::formula_isr(lang)
    };
    let mut line = vec![sign("= min(")];
    for (n, term) in terms.iter().enumerate() {
        if n > 0 {
            line.push(sign(", "));
        }
        let bold = limits(term) && (!by_mover || Some(term.broker) == mover);
        line.push(token(
            term.log_end.map_or("?".into(), |e| e.to_string()),
            if bold {
                TokenKind::Limiting
            } else {
                TokenKind::Term
            },
            Some(Target::LogEnd(term.broker)),
        ));
    }
    line.push(sign(") = "));
    line.push(token(
        if unknown {
            "?".into()
        } else {
            least.unwrap_or(result).to_string()
        },
        TokenKind::Server,
        terms
            .iter()
            .find(|t| t.kind == TermKind::Leader)
            .map(|t| Target::HighWatermark(t.broker)),
    ));
    let notes = terms
        .iter()
        .filter_map(|t| match (t.log_end, t.kind) {
            (None, _) => Some(rules::not_fetched(lang, t.broker)),
            (Some(end), TermKind::CaughtUpOutsider) => Some(rules::outsider(lang, t.broker, end)),
            (Some(end), TermKind::Joining) => Some(rules::joining(lang, t.broker, end)),
            _ => None,
        })
        .collect();
    Formula {
        lines: vec![vec![hw(), sign(" = "), sign(&head)], line],
        notes,
    }
}

/// A follower's high watermark: the smaller of what it was told and of its own log end.
pub fn follower_formula(
    follower: BrokerId,
    told: Boundary,
    end: Boundary,
    hw: Boundary,
) -> Formula {
    let least = told.min(end);
    let kind = |b: Boundary| {
        if b == least {
            TokenKind::Limiting
        } else {
            TokenKind::Term
        }
    };
    Formula {
        lines: vec![vec![
            token("HW", TokenKind::Server, None),
            sign(" = min("),
            token(told.to_string(), kind(told), None),
            sign(", "),
            token(
                format!("LEO {end}"),
                kind(end),
                Some(Target::LogEnd(follower)),
            ),
            sign(") = "),
            token(
                hw.to_string(),
                TokenKind::Server,
                Some(Target::HighWatermark(follower)),
            ),
        ]],
        notes: Vec::new(),
    }
}

/// `ISR 1 < min.insync.replicas 2`
pub fn too_small(isr: u32, min_isr: u32) -> Formula {
    Formula {
        lines: vec![vec![
            token(format!("ISR {isr}"), TokenKind::Limiting, None),
            sign(if isr < min_isr { " < " } else { " ≥ " }),
            token(
                format!("min.insync.replicas {min_isr}"),
                TokenKind::Term,
                None,
            ),
        ]],
        notes: Vec::new(),
    }
}

/// `HW 3 < 4`
pub fn waits(leader: BrokerId, hw: Boundary, until: Boundary) -> Formula {
    Formula {
        lines: vec![vec![
            token(
                format!("HW {hw}"),
                TokenKind::Server,
                Some(Target::HighWatermark(leader)),
            ),
            sign(if hw < until { " < " } else { " ≥ " }),
            token(until.to_string(), TokenKind::Limiting, None),
        ]],
        notes: Vec::new(),
    }
}

/// `position 1 ≥ HW 1`: nothing to read below the high watermark.
pub fn nothing_below(step: &Step, tp: Tp, position: Boundary) -> Option<Formula> {
    let leader = reg(step.now, tp)?.leader?;
    let hw = step.now.replica(leader, tp)?.high_watermark;
    (position >= hw).then(|| Formula {
        lines: vec![vec![
            token(
                words::position(step.lang, position),
                TokenKind::Client,
                None,
            ),
            sign(" ≥ "),
            token(
                words::hw(step.lang, hw),
                TokenKind::Server,
                Some(Target::HighWatermark(leader)),
            ),
        ]],
        notes: Vec::new(),
    })
}

/// `HW 4 ≥ 4`: the boundary behind the confirmed record.
pub fn confirmed_formula(step: &Step, tp: Tp, at: Offset) -> Option<Formula> {
    let leader = reg(step.now, tp)?.leader?;
    let hw = step.now.replica(leader, tp)?.high_watermark;
    (hw >= at.after()).then(|| waits(leader, hw, at.after()))
}

/// `LEO 4, HW 3`: the leader alone has it.
pub fn one_copy(step: &Step, tp: Tp) -> Option<Formula> {
    let leader = reg(step.now, tp)?.leader?;
    let replica = step.now.replica(leader, tp)?;
    Some(Formula {
        lines: vec![vec![
            token(
                words::leo(step.lang, replica.log_end),
                TokenKind::Limiting,
                Some(Target::LogEnd(leader)),
            ),
            sign(", "),
            token(
                words::hw(step.lang, replica.high_watermark),
                TokenKind::Server,
                Some(Target::HighWatermark(leader)),
            ),
        ]],
        notes: Vec::new(),
    })
}

/// The election as it went: `in order: 1 ✕ · 2 ★ · 3`.
pub fn in_order(step: &Step, old: &PartitionReg, new: &PartitionReg) -> Formula {
    let mut line = vec![sign(&rules::in_order(step.lang))];
    let mut found = false;
    for (n, id) in new.replicas.iter().enumerate() {
        if n > 0 {
            line.push(sign(" · "));
        }
        let target = Some(Target::Broker(*id));
        if new.leader == Some(*id) {
            line.push(token(format!("{id} ★"), TokenKind::Limiting, target));
            found = true;
        } else if found {
            line.push(token(id.to_string(), TokenKind::Term, target));
        } else {
            let up = step
                .now
                .broker(*id)
                .is_some_and(|b| b.process == Process::Up);
            let passed = !up || !old.isr.contains(*id) || !new.isr.contains(*id);
            line.push(token(
                if passed {
                    format!("{id} ✕")
                } else {
                    id.to_string()
                },
                TokenKind::Term,
                target,
            ));
        }
    }
    Formula {
        lines: vec![line],
        notes: Vec::new(),
    }
}
