//! Three settings, one clock, one fault (R12): a lane each.

use super::stage::geometry::Geometry;
use super::stage::row::{self, Facts};
use super::stage::{self, Row};
use super::tables::process;
use super::width::width;
use super::{Icon, Role, Step};
use crate::kafka::ids::{BrokerId, BrokerSet, Ms, Offset, Tp};
use crate::kafka::message::Acks;
use crate::text::{Lang, state, words};
use crate::world::command::Process;
use crate::world::picture::{
    BrokerPicture, ClientKind, Picture, ReplicaPicture, SendPicture, SendState,
};
use std::rc::Rc;

/// What a lane is made from: the same moments of one run, from the first to the one shown.
#[derive(Clone, Copy, Debug)]
pub struct LaneInput<'a> {
    /// The lane's name: `acks=1`.
    pub name: &'a str,
    /// The pictures at each step from the first to the one shown.
    pub pictures: &'a [&'a Picture],
}

/// The comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compare {
    /// The record followed: «запись 3».
    pub record: String,
    /// Labels of the left column: copies, producer, clock, each broker, confirmed, waited, lost.
    pub labels: Labels,
    /// The lanes.
    pub lanes: Vec<Lane>,
    /// The clock under (or over) the strips.
    pub clock: Clock,
}

/// Words of the left column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// «живых копий».
    pub copies: String,
    /// «продюсер».
    pub producer: String,
    /// «одни часы».
    pub clock: String,
    /// «Подтверждено».
    pub confirmed: String,
    /// «Ждал».
    pub waited: String,
    /// «Потеряно».
    pub lost: String,
    /// A broker's name, its role sign and word, as in the first lane.
    pub brokers: Vec<(String, Option<Icon>, String)>,
}

/// The clock: one for all lanes, not linear: each moment has its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Moments with a label, in order: (time, place in thousandths of the strip, label, sign).
    pub ticks: Vec<Tick>,
    /// Places (thousandths) where the scale is broken: //.
    pub breaks: Vec<i32>,
}

/// A moment on the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tick {
    /// When, ms.
    pub at: Ms,
    /// Place on the strip, in thousandths of its width.
    pub place: i32,
    /// «9,4 с».
    pub label: String,
    /// ✕ the leader is gone, ★ a new leader.
    pub icon: Option<Icon>,
    /// The words of the sign: «сбой лидера», «новый лидер».
    pub words: String,
}

/// A lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// `acks=1`.
    pub name: String,
    /// «ждёт только лидера».
    pub rule: String,
    /// Live copies of the record.
    pub copies: Vec<Bar>,
    /// What the producer thinks.
    pub thoughts: Vec<Bar>,
    /// Width of the logs' drawing, px.
    pub width: i32,
    /// Height of the logs' drawing, px.
    pub height: i32,
    /// Compact rows.
    pub rows: Vec<Row>,
    /// The outcome's sign.
    pub icon: Icon,
    /// The outcome: «Подтверждена и потеряна».
    pub verdict: String,
    /// One word for small screens: «потеря», «цела», «ждём».
    pub short: String,
    /// Alert or plain.
    pub role: Role,
    /// «лидером, запись 3».
    pub confirmed: String,
    /// «3 мс».
    pub waited: String,
    /// «запись 3, подтверждённая».
    pub lost: String,
    /// Whether something is lost (alert).
    pub is_lost: bool,
    /// The lane in a sentence, for narration.
    pub spoken: String,
}

/// A bar on a strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its start in thousandths of the strip.
    pub from: i32,
    /// Its end in thousandths.
    pub to: i32,
    /// What it says.
    pub kind: BarKind,
    /// Its words; empty where there is no room.
    pub label: String,
}

/// Kinds of bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BarKind {
    /// Live copies: solid blue.
    Copies,
    /// No live copy while the producer still waits: dashed, muted.
    NoCopies,
    /// No live copy of what the producer holds for safe or will never ask about: alert.
    NoCopiesAlert,
    /// The producer sent and forgot: dotted.
    Forgot,
    /// It waits: dashed.
    Waits,
    /// It thinks the record is safe: solid and tinted.
    Safe,
    /// The same where it is false: alert hatch in the foot.
    SafeFalse,
    /// It has an error: dashed, with a cross.
    Failed,
}

impl BarKind {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            BarKind::Copies => "b-copies",
            BarKind::NoCopies => "b-none",
            BarKind::NoCopiesAlert => "b-none-alert",
            BarKind::Forgot => "b-forgot",
            BarKind::Waits => "b-waits",
            BarKind::Safe => "b-safe",
            BarKind::SafeFalse => "b-safe-false",
            BarKind::Failed => "b-failed",
        }
    }
}

/// The comparison at the last of the pictures given, of `total` that the whole scene has: each
/// step has its own place on the clock, so nothing moves when a step is added.
pub fn compare_of(lang: Lang, tp: Tp, lanes: &[LaneInput], total: usize) -> Compare {
    let shown = lanes.iter().map(|l| l.pictures.len()).max().unwrap_or(0);
    let clock = Scale {
        total: total.max(shown).max(1) as i32,
    };
    let first = lanes.first();
    let number = lanes
        .iter()
        .find_map(|l| followed(tp, l.pictures).and_then(|f| f.offset));
    let value = lanes.iter().find_map(|l| followed(tp, l.pictures));
    Compare {
        record: match (number, value) {
            (Some(at), _) => state::record(lang, at),
            (None, Some(f)) => state::record_unnumbered(lang, f.value.as_deref().unwrap_or("")),
            (None, None) => String::new(),
        },
        labels: Labels {
            copies: state::strip_copies(lang),
            producer: state::strip_producer(lang),
            clock: state::one_clock(lang),
            confirmed: state::row_confirmed(lang),
            waited: state::row_waited(lang),
            lost: state::row_lost(lang),
            brokers: first
                .and_then(|l| l.pictures.last())
                .map_or_else(Vec::new, |p| brokers(lang, tp, p)),
        },
        lanes: lanes.iter().map(|l| lane(lang, tp, l, &clock)).collect(),
        clock: first.map_or_else(Clock::default, |l| ticks(lang, tp, l.pictures, &clock)),
    }
}

/// The comparison at the last of the pictures given, as if there were no more.
pub fn compare(lang: Lang, tp: Tp, lanes: &[LaneInput]) -> Compare {
    compare_of(lang, tp, lanes, 0)
}

/// Where a step stands on the strips: step `i` holds from its place to the next one's.
struct Scale {
    total: i32,
}

impl Scale {
    fn place(&self, step: usize) -> i32 {
        1000 * step as i32 / self.total
    }
}

/// The record that is followed: the last that the lane's producer sent.
struct Followed<'a> {
    value: Option<Rc<str>>,
    send: &'a SendPicture,
    /// Its number, as far as any log has shown it.
    offset: Option<Offset>,
}

fn followed<'a>(tp: Tp, pictures: &[&'a Picture]) -> Option<Followed<'a>> {
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

fn sends(tp: Tp, picture: &Picture) -> impl DoubleEndedIterator<Item = &SendPicture> {
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

fn alive(b: &BrokerPicture) -> bool {
    matches!(b.process, Process::Up | Process::Stopping)
}

/// Live copies of a value.
fn copies(tp: Tp, picture: &Picture, value: Option<&str>) -> i64 {
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
fn leader_has(tp: Tp, picture: &Picture, value: Option<&str>) -> Option<bool> {
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
    Safe { later: bool },
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
    match (&f.send.state, has) {
        (SendState::Queued(_) | SendState::InFlight(_), _) => Fate::Open,
        (SendState::Failed(..), _) => Fate::Refused,
        (SendState::Confirmed(Some(_), _), Some(true)) => Fate::Safe {
            later: f.send.attempts > 1,
        },
        (SendState::Confirmed(Some(_), _), Some(false)) => Fate::ConfirmedLost,
        (SendState::Confirmed(None, _), Some(true)) => Fate::SafeUnanswered,
        (SendState::Confirmed(None, _), Some(false)) if !on_its_way => Fate::Unnoticed,
        (SendState::Confirmed(..), _) => Fate::Open,
    }
}

fn lane(lang: Lang, tp: Tp, input: &LaneInput, clock: &Scale) -> Lane {
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
    let (width, height, rows) = logs(lang, tp, pictures);
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
const WIDTH: i32 = 253;

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
        (Fate::Open | Fate::Unsent, _) => state::verdict_open(lang),
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
    make: impl Fn(K) -> (BarKind, String),
) -> Vec<Bar> {
    let mut all: Vec<(K, usize, usize)> = Vec::new();
    for (n, state) in states.iter().enumerate() {
        match (state, all.last_mut()) {
            (Some(k), Some((old, _, to))) if old == k && *to == n => *to = n + 1,
            (Some(k), _) => all.push((*k, n, n + 1)),
            (None, _) => {}
        }
    }
    all.into_iter()
        .map(|(k, from, to)| {
            let (from, to) = (clock.place(from), clock.place(to));
            let (kind, label) = make(k);
            // Words only where they fit: a strip is as wide as the lane's drawing.
            let room = (to - from) * (WIDTH - 12) / 1000 - 8;
            let fits = width(&label, Role::Strong) <= room;
            Bar {
                from,
                to,
                kind,
                label: if fits { label } else { String::new() },
            }
        })
        .collect()
}

fn copy_bars(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Vec<Bar> {
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
        (kind, words::copies(lang, n))
    })
}

fn thought_bars(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Vec<Bar> {
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
        let label = match (kind, more) {
            (BarKind::Forgot, _) => state::forgot(lang),
            (BarKind::Waits, true) => state::waits_retries(lang),
            (BarKind::Waits, false) => state::waits(lang),
            (BarKind::Safe, true) => state::is_safe(lang),
            (BarKind::Failed, _) => state::has_error(lang),
            _ => state::thinks_safe(lang),
        };
        (kind, label)
    })
}

/// A broker's name with its sign and word.
fn brokers(lang: Lang, tp: Tp, picture: &Picture) -> Vec<(String, Option<Icon>, String)> {
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

/// The start, the leader's fault, the new leader, now; and where time is left out.
fn ticks(lang: Lang, tp: Tp, pictures: &[&Picture], clock: &Scale) -> Clock {
    /// Two labels need this much between them.
    const APART: i32 = 160;
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
