//! One lane: the record it follows, what has become of it, and the words of the outcome.

use super::strips::{Scale, copy_bars, thought_bars};
use super::{Lane, LaneInput};
use crate::kafka::ids::{BrokerSet, Ms, Offset, Tp};
use crate::kafka::message::Acks;
use crate::text::{Lang, state, words};
use crate::view::stage::geometry::Geometry;
use crate::view::stage::row::{self, Facts};
use crate::view::stage::{self, CellKind, Row};
use crate::view::tables::process;
use crate::view::width::width;
use crate::view::{Badge, Icon, Role, Step};
use crate::world::command::Process;
use crate::world::picture::{
    BrokerPicture, ClientKind, Picture, ReplicaPicture, SendPicture, SendState,
};
use std::rc::Rc;

/// The record that is followed: the last that the lane's producer sent.
pub(super) struct Followed<'a> {
    pub(super) value: Option<Rc<str>>,
    send: &'a SendPicture,
    /// Its number, as far as any log has shown it.
    pub(super) offset: Option<Offset>,
}

pub(super) fn followed<'a>(tp: Tp, pictures: &[&'a Picture]) -> Option<Followed<'a>> {
    let send = sends(tp, pictures.last()?).last()?;
    let value = send.values.first().cloned().flatten();
    let offset = pictures.iter().rev().find_map(|p| {
        let logs = p.brokers.iter().flat_map(|b| &b.replicas);
        logs.filter(|r| r.tp == tp)
            .find_map(|r| holds(r, value.as_deref()))
    });
    Some(Followed {
        value,
        send,
        offset,
    })
}

pub(super) fn sends(tp: Tp, picture: &Picture) -> impl DoubleEndedIterator<Item = &SendPicture> {
    picture
        .clients
        .iter()
        .flat_map(|c| match &c.kind {
            ClientKind::Producer { sends, .. } => &sends[..],
            _ => &[],
        })
        .filter(move |s| s.tp == tp)
}

/// The number of the record with this value in a log.
fn holds(replica: &ReplicaPicture, value: Option<&str>) -> Option<Offset> {
    replica
        .records
        .iter()
        .rev()
        .find(|r| r.value.as_deref() == value)
        .map(|r| r.offset)
}

pub(super) fn alive(b: &BrokerPicture) -> bool {
    matches!(b.process, Process::Up | Process::Stopping)
}

/// Live copies of a value.
pub(super) fn copies(tp: Tp, picture: &Picture, value: Option<&str>) -> i64 {
    let with = |b: &&BrokerPicture| {
        b.replicas
            .iter()
            .any(|r| r.tp == tp && holds(r, value).is_some())
    };
    picture
        .brokers
        .iter()
        .filter(|b| alive(b))
        .filter(with)
        .count() as i64
}

/// Whether the live leader has the value; `None`: no live leader.
pub(super) fn leader_has(tp: Tp, picture: &Picture, value: Option<&str>) -> Option<bool> {
    let leader = row::reg(picture, tp)?.leader?;
    let broker = picture.broker(leader).filter(|b| alive(b))?;
    let replica = broker.replicas.iter().find(|r| r.tp == tp)?;
    Some(holds(replica, value).is_some())
}

/// What has become of the record, from the pictures alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Unsent,
    Open,
    /// Written, but one failure from being gone.
    OneCopy,
    Safe {
        later: bool,
    },
    SafeUnanswered,
    Unnoticed,
    ConfirmedLost,
    Refused,
}

fn fate(tp: Tp, pictures: &[&Picture]) -> Fate {
    let (Some(now), Some(f)) = (pictures.last(), followed(tp, pictures)) else {
        return Fate::Unsent;
    };
    let value = f.value.as_deref();
    let has = leader_has(tp, now, value);
    let on_its_way = now.messages.iter().any(|m| m.what == "Produce");
    let fate = match (&f.send.state, has) {
        (SendState::Queued(_) | SendState::InFlight(_), _) => Fate::Open,
        (SendState::Failed(..), _) => Fate::Refused,
        (SendState::Confirmed(Some(_), _), Some(true)) => Fate::Safe {
            later: f.send.attempts > 1,
        },
        (SendState::Confirmed(Some(_), _), Some(false)) => Fate::ConfirmedLost,
        (SendState::Confirmed(None, _), Some(true)) => Fate::SafeUnanswered,
        (SendState::Confirmed(None, _), Some(false)) if !on_its_way => Fate::Unnoticed,
        (SendState::Confirmed(..), _) => Fate::Open,
    };
    // What nothing has been tried on is not safe yet.
    let least = now.partitions.iter().find(|p| p.tp == tp);
    let least = least.map_or(1, |p| i64::from(p.min_isr));
    let tried = pictures.iter().any(|p| !p.brokers.iter().all(alive));
    match (fate, copies(tp, now, value)) {
        (Fate::Safe { .. } | Fate::SafeUnanswered, 1) if least > 1 => Fate::OneCopy,
        (Fate::Safe { .. } | Fate::SafeUnanswered, n) if n < least || !tried => Fate::Open,
        _ => fate,
    }
}

pub(super) fn lane(lang: Lang, tp: Tp, input: &LaneInput, clock: &Scale) -> Lane {
    let pictures = input.pictures;
    let fate = fate(tp, pictures);
    let lost = matches!(fate, Fate::Unnoticed | Fate::ConfirmedLost);
    let (icon, verdict, short) = match fate {
        Fate::Unsent => (
            Icon::Clock,
            state::verdict_unsent(lang),
            state::short_open(lang),
        ),
        Fate::Open => (
            Icon::Clock,
            state::verdict_open(lang),
            state::short_open(lang),
        ),
        Fate::OneCopy => (
            Icon::Ring,
            state::verdict_one_copy(lang),
            words::copies(lang, 1),
        ),
        Fate::Safe { later } => (
            Icon::RingTick,
            if later {
                state::verdict_safe_later(lang)
            } else {
                state::verdict_safe(lang)
            },
            state::short_safe(lang),
        ),
        Fate::SafeUnanswered => (
            Icon::RingTick,
            state::verdict_safe_unanswered(lang),
            state::short_safe(lang),
        ),
        Fate::Unnoticed => (
            Icon::Cross,
            state::verdict_unnoticed(lang),
            state::short_lost(lang),
        ),
        Fate::ConfirmedLost => (
            Icon::Cross,
            state::verdict_confirmed_lost(lang),
            state::short_lost(lang),
        ),
        Fate::Refused => (
            Icon::Cross,
            state::verdict_refused(lang),
            state::short_refused(lang),
        ),
    };
    let (width, height, mut rows) = logs(lang, tp, pictures);
    if lost {
        mark_lost(lang, tp, pictures, &mut rows);
    }
    let outcome = outcome(lang, tp, pictures, fate);
    Lane {
        name: input.name.into(),
        rule: rule(lang, pictures).unwrap_or_default(),
        copies: copy_bars(lang, tp, pictures, clock),
        thoughts: thought_bars(lang, tp, pictures, clock),
        width,
        height,
        rows,
        icon,
        spoken: state::lane(lang, input.name, &verdict),
        verdict,
        short,
        role: if lost { Role::Alert } else { Role::Strong },
        confirmed: outcome.0,
        waited: outcome.1,
        lost: outcome.2,
        is_lost: lost,
    }
}

fn rule(lang: Lang, pictures: &[&Picture]) -> Option<String> {
    let acks = pictures
        .last()?
        .clients
        .iter()
        .find_map(|c| match &c.kind {
            ClientKind::Producer { settings, .. } => Some(settings.acks),
            _ => None,
        })?;
    Some(match acks {
        Acks::None => state::waits_for_nobody(lang),
        Acks::Leader => state::waits_for_leader(lang),
        Acks::All => state::waits_for_isr(lang),
    })
}

/// Width of a lane's drawing.
const WIDTH: i32 = 266;

fn logs(lang: Lang, tp: Tp, pictures: &[&Picture]) -> (i32, i32, Vec<Row>) {
    let geometry = Geometry::compact(WIDTH, false);
    let Some(now) = pictures.last() else {
        return (geometry.width, 0, Vec::new());
    };
    let before = pictures
        .len()
        .checked_sub(2)
        .and_then(|n| pictures.get(n).copied());
    let step = Step {
        lang,
        before,
        now,
        events: &[],
    };
    let brokers: Vec<&BrokerPicture> = now.brokers.iter().collect();
    let (geometry, rows) = stage::rows(&step, tp, geometry, &brokers);
    (geometry.width, geometry.row_top(rows.len()), rows)
}

/// In a lane whose record is lost its copies are drawn as such, and the rest say it is not there.
fn mark_lost(lang: Lang, tp: Tp, pictures: &[&Picture], rows: &mut [Row]) {
    let (Some(now), Some(f)) = (pictures.last(), followed(tp, pictures)) else {
        return;
    };
    let Some(at) = f.offset else { return };
    let (from, to) = (at.before(), at.after());
    let geometry = Geometry::compact(WIDTH, false);
    for row in rows {
        let Some(replica) = now.replica(row.broker, tp) else {
            continue;
        };
        let here = holds(replica, f.value.as_deref()) == Some(at);
        if here {
            for cell in row.cells.iter_mut().filter(|c| c.offset == at) {
                cell.kind = CellKind::Lost;
            }
        }
        let (role, text) = if here {
            (Role::Alert, words::only_here(lang, from, to))
        } else {
            (Role::Muted, words::not_here(lang, from, to))
        };
        let right = row.cells.iter().map(|c| c.rect.x + c.rect.w).max();
        let x = right.unwrap_or(geometry.x0) + 11;
        if x + width(&text, role) <= WIDTH - 4 {
            let y = row.area.y + geometry.cell_y(0) + geometry.cell / 2 + 5;
            row.notes = vec![Badge {
                x,
                y,
                icon: None,
                role,
                text,
            }];
        }
    }
}

/// Confirmed by whom, waited how long, lost what.
fn outcome(lang: Lang, tp: Tp, pictures: &[&Picture], fate: Fate) -> (String, String, String) {
    let (Some(now), Some(f)) = (pictures.last(), followed(tp, pictures)) else {
        return Default::default();
    };
    let span = |until: Ms| until.since(f.send.at);
    let confirmed = match &f.send.state {
        SendState::Confirmed(None, _) => state::by_nobody(lang),
        SendState::Confirmed(Some(at), _) if f.send.acks == Acks::Leader => {
            state::by_leader(lang, *at)
        }
        SendState::Confirmed(Some(at), _) => state::by_isr(lang, isr_then(tp, pictures), *at),
        SendState::Failed(error, _) => state::refused_with(lang, error.name()),
        SendState::Queued(_) | SendState::InFlight(_) => state::not_yet(lang),
    };
    let waited = match &f.send.state {
        SendState::Confirmed(None, _) => state::waited(lang, Ms(0)),
        SendState::Confirmed(_, at) | SendState::Failed(_, at) if f.send.attempts > 1 => {
            state::waited_retry(lang, span(*at))
        }
        SendState::Confirmed(_, at) | SendState::Failed(_, at) => state::waited(lang, span(*at)),
        SendState::Queued(_) | SendState::InFlight(_) => state::still_waits(lang, span(now.now)),
    };
    let lost = match (fate, f.offset) {
        (Fate::ConfirmedLost, Some(at)) => state::lost_confirmed(lang, at),
        (Fate::Unnoticed, Some(at)) => state::lost_record(lang, at.before(), at.after()),
        (Fate::Unnoticed | Fate::ConfirmedLost, None) => {
            state::record_unnumbered(lang, f.value.as_deref().unwrap_or(""))
        }
        (Fate::Open | Fate::OneCopy | Fate::Unsent, _) => state::verdict_open(lang),
        _ => state::nothing(lang),
    };
    (confirmed, waited, lost)
}

/// The ISR in the first picture where the followed send is confirmed.
fn isr_then(tp: Tp, pictures: &[&Picture]) -> BrokerSet {
    pictures
        .iter()
        .find(|p| {
            sends(tp, p)
                .last()
                .is_some_and(|s| matches!(s.state, SendState::Confirmed(..)))
                && sends(tp, p).count() == sends(tp, pictures[pictures.len() - 1]).count()
        })
        .and_then(|p| row::reg(p, tp))
        .map_or(BrokerSet::EMPTY, |r| r.isr)
}

/// A broker's name with its sign and word.
pub(super) fn brokers(
    lang: Lang,
    tp: Tp,
    picture: &Picture,
) -> Vec<(String, Option<Icon>, String)> {
    let step = Step {
        lang,
        before: None,
        now: picture,
        events: &[],
    };
    picture
        .brokers
        .iter()
        .map(|b| {
            let facts = Facts::of(&step, tp, b);
            let leads = facts.reg.is_some_and(|r| r.leader == Some(b.id));
            let (icon, word) = if facts.away() {
                (row::role_words(&facts).0, process(lang, b.process))
            } else if leads {
                (Icon::Star, words::leader(lang))
            } else {
                row::isr_words(&facts).unwrap_or((Icon::Chevron, words::no_replica(lang)))
            };
            (words::broker(lang, b.id), Some(icon), word)
        })
        .collect()
}
