//! The strips of a lane and the clock they hang on.

use super::lane::{alive, copies, followed, leader_has, sends};
use super::{Bar, BarKind, Clock, Tick};
use crate::kafka::ids::{BrokerId, Ms, Tp};
use crate::kafka::message::Acks;
use crate::text::{Lang, state, words};
use crate::view::stage::row;
use crate::view::width::width;
use crate::view::{Icon, Role};
use crate::world::picture::{Picture, SendPicture, SendState};

/// Length of a strip as it is drawn at its smallest, px.
const LENGTH: i32 = 241;

/// Where a step stands on the strips: step `i` holds from its place to the next one's.
pub(super) struct Scale {
    pub(super) total: i32,
}

impl Scale {
    pub(super) fn place(&self, step: usize) -> i32 {
        1000 * step as i32 / self.total
    }
}

/// The followed send at each of the pictures, `None` before it was handed over.
fn at_each<'a>(tp: Tp, pictures: &[&'a Picture]) -> Vec<Option<&'a SendPicture>> {
    let last = pictures.last().map_or(0, |p| sends(tp, p).count());
    pictures
        .iter()
        .map(|p| (last > 0).then(|| sends(tp, p).nth(last - 1)).flatten())
        .collect()
}

/// Equal neighbours become one bar; what they say is asked once for each.
fn bars<K: PartialEq + Copy>(
    states: &[Option<K>],
    clock: &Scale,
    make: impl Fn(K) -> (BarKind, [String; 2]),
) -> Vec<Bar> {
    let mut all: Vec<(K, usize, usize)> = Vec::new();
    for (n, state) in states.iter().enumerate() {
        match (state, all.last_mut()) {
            (Some(k), Some((old, _, to))) if old == k && *to == n => *to = n + 1,
            (Some(k), _) => all.push((*k, n, n + 1)),
            (None, _) => {}
        }
    }
    let last = all.len().saturating_sub(1);
    all.into_iter()
        .enumerate()
        .map(|(n, (k, from, to))| {
            let (from, to) = (clock.place(from), clock.place(to));
            let (kind, labels) = make(k);
            // The whole words in the bar, or behind the last one's end; else the short ones.
            let inside = (to - from) * LENGTH / 1000 - 8;
            let behind = if n == last {
                (1000 - to) * LENGTH / 1000 - 5
            } else {
                0
            };
            let (label, beside) = labels
                .into_iter()
                .find_map(|label| {
                    let w = width(&label, Role::Strong);
                    (w <= inside)
                        .then(|| (label.clone(), false))
                        .or((w <= behind).then_some((label, true)))
                })
                .unwrap_or_default();
            Bar {
                from,
                to,
                kind,
                label,
                beside,
            }
        })
        .collect()
}

pub(super) fn copy_bars(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Vec<Bar> {
    let Some(f) = followed(tp, pictures) else {
        return Vec::new();
    };
    let mut seen = false;
    let states: Vec<Option<(i64, bool)>> = pictures
        .iter()
        .zip(at_each(tp, pictures))
        .map(|(p, send)| {
            let n = copies(tp, p, f.value.as_deref());
            seen |= n > 0;
            // The producer waits: no promise is broken yet (screens.md 0.7).
            let waits = matches!(
                send.map(|s| &s.state),
                Some(SendState::Queued(_) | SendState::InFlight(_) | SendState::Failed(..)) | None
            );
            seen.then_some((n, waits))
        })
        .collect();
    // Bars are told apart by copies; who waits matters for none only.
    let states: Vec<Option<(i64, bool)>> = states
        .into_iter()
        .map(|s| s.map(|(n, waits)| (n, waits && n == 0)))
        .collect();
    bars(&states, clock, |(n, waits)| {
        let kind = match (n, waits) {
            (0, true) => BarKind::NoCopies,
            (0, false) => BarKind::NoCopiesAlert,
            _ => BarKind::Copies,
        };
        (kind, [words::copies(lang, n), n.to_string()])
    })
}

pub(super) fn thought_bars(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Vec<Bar> {
    let value = followed(tp, pictures).and_then(|f| f.value);
    let value = value.as_deref();
    let states: Vec<Option<(BarKind, bool)>> = pictures
        .iter()
        .zip(at_each(tp, pictures))
        .map(|(p, send)| {
            let send = send?;
            Some(match &send.state {
                _ if send.acks == Acks::None => (BarKind::Forgot, false),
                SendState::Queued(_) | SendState::InFlight(_) => {
                    (BarKind::Waits, send.attempts > 1)
                }
                SendState::Confirmed(..) if copies(tp, p, value) == 0 => {
                    (BarKind::SafeFalse, false)
                }
                SendState::Confirmed(..) => (BarKind::Safe, leader_has(tp, p, value) == Some(true)),
                SendState::Failed(..) => (BarKind::Failed, false),
            })
        })
        .collect();
    bars(&states, clock, |(kind, more)| {
        let labels = match (kind, more) {
            (BarKind::Forgot, _) => [state::forgot(lang), state::forgot_short(lang)],
            (BarKind::Waits, true) => [state::waits_retries(lang), state::retries_short(lang)],
            (BarKind::Waits, false) => [state::waits(lang), "…".into()],
            (BarKind::Safe, true) => [state::answered(lang), state::answered_short(lang)],
            (BarKind::Failed, _) => [state::has_error(lang), state::error_short(lang)],
            _ => [state::thinks_safe(lang), state::sure_short(lang)],
        };
        (kind, labels)
    })
}

/// The start, the leader's fault, the new leader, now; and where time is left out.
pub(super) fn ticks(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Clock {
    /// Two labels need this much between them.
    const APART: i32 = 205;
    let mut all = Clock::default();
    let tick = |n: usize, at: Ms, icon: Option<Icon>, words: String| Tick {
        at,
        place: clock.place(n),
        label: state::waited(lang, at),
        icon,
        words,
    };
    let leader = |p: &Picture| row::reg(p, tp).and_then(|r| r.leader);
    let up = |p: &Picture, b: BrokerId| p.broker(b).is_some_and(alive);
    let Some(start) = pictures.first() else {
        return all;
    };
    let zero = start.now;
    all.ticks.push(tick(0, Ms(0), None, String::new()));
    for (n, pair) in pictures.windows(2).enumerate() {
        let (old, new) = (pair[0], pair[1]);
        let at = new.now.since(zero);
        if new.now.since(old.now) >= Ms(1_000) {
            all.breaks.push(clock.place(n + 1) - 500 / clock.total);
        }
        let fell = leader(old).is_some_and(|b| up(old, b) && !up(new, b));
        let elected = leader(new).is_some() && leader(new) != leader(old);
        if fell {
            all.ticks
                .push(tick(n + 1, at, Some(Icon::Cross), state::fault(lang)));
        } else if elected {
            all.ticks
                .push(tick(n + 1, at, Some(Icon::Star), state::new_leader(lang)));
        }
    }
    if let (Some(end), true) = (pictures.last(), pictures.len() > 1) {
        let last = pictures.len() - 1;
        let room = all
            .ticks
            .last()
            .is_none_or(|t| clock.place(last) - t.place >= APART);
        if room {
            all.ticks
                .push(tick(last, end.now.since(zero), None, String::new()));
        }
    }
    // A label without a sign gives way to its neighbour.
    let places: Vec<i32> = all.ticks.iter().map(|t| t.place).collect();
    for (n, t) in all.ticks.iter_mut().enumerate() {
        let near = places.get(n + 1).is_some_and(|next| next - t.place < APART);
        if t.icon.is_none() && near {
            t.label.clear();
        }
    }
    all
}
