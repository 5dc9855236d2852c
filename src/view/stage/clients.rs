//! The clients' strip: what is sent, waited for, confirmed, refused, lost.

use super::ClientLine;
use crate::kafka::ids::*;
use crate::kafka::map::Set;
use crate::kafka::message::Acks;
use crate::text::number::numbers;
use crate::text::{Lang, ruler, words};
use crate::view::width::{badge_width, fit, telling};
use crate::view::{Badge, Icon, Role, Step};
use crate::world::picture::*;

/// A word of the strip before it has a place.
pub type Part = (Option<Icon>, Role, String);

/// The lines of the clients that have to do with a partition; at most two, the last to act.
pub fn lines(step: &Step, tp: Tp, left: i32, width: i32, first: i32) -> Vec<ClientLine> {
    let mut all: Vec<(&ClientPicture, Vec<Part>)> = step
        .now
        .clients
        .iter()
        .filter_map(|c| Some((c, parts(step, tp, c)?)))
        .collect();
    let extra = all.len().saturating_sub(2);
    all.drain(..extra);
    all.into_iter()
        .zip(0..)
        .map(|((client, parts), n)| ClientLine {
            name: client.name.to_string(),
            parts: place(parts, left, first + 16 * n, width),
            way: Vec::new(),
        })
        .collect()
}

/// What the strip tells of a client, without who it is, whether or not there is room for it;
/// `None`: it has nothing to do with the partition.
pub fn told(step: &Step, tp: Tp, client: &ClientPicture) -> Option<String> {
    let parts = parts(step, tp, client)?.into_iter().skip(1);
    Some(parts.map(|p| p.2).collect::<Vec<_>>().join(", "))
}

/// From left to right. Where the room is short, the words beside a sign go first (`✓ 0–3`), then
/// the front of a value (`505`), then the word before a client's name, then whole parts; the
/// first (who it is) and the last stay.
fn place(parts: Vec<Part>, left: i32, y: i32, width: i32) -> Vec<Badge> {
    const GAP: i32 = 12;
    let mut parts = parts;
    let long = |parts: &[Part]| -> i32 {
        parts
            .iter()
            .map(|(icon, role, words)| badge_width(icon.is_some(), words, *role) + GAP)
            .sum()
    };
    for n in 1..parts.len() {
        if left + long(&parts) - GAP > width {
            parts[n] = short(&parts[n]);
        }
    }
    for n in 1..parts.len() {
        if left + long(&parts) - GAP > width && parts[n].1 == Role::Client {
            let (_, role, words) = &parts[n];
            if let Some((_, value)) = words.rsplit_once(' ') {
                parts[n].2 = telling(value, *role, 60);
            }
        }
    }
    if left + long(&parts) - GAP > width
        && let Some(head) = parts.first_mut()
        && let Some((_, name)) = head.2.split_once(' ')
    {
        head.2 = name.to_string();
    }
    // The settings behind it are in the scene's header too.
    if left + long(&parts) - GAP > width
        && let Some(head) = parts.first_mut()
        && let Some((name, _)) = head.2.split_once(", ")
    {
        head.2 = name.to_string();
    }
    // A part that has no room leaves a sign that it was there.
    let all = parts.len();
    while parts.len() > 2 && left + long(&parts) - GAP > width {
        if all == parts.len() && all > 3 {
            parts.insert(1, (None, Role::Muted, "…".into()));
        }
        parts.remove(if parts.len() > 3 && all > 3 { 2 } else { 1 });
    }
    let mut x = left;
    parts
        .into_iter()
        .map(|(icon, role, words)| {
            let room = width - x - if icon.is_some() { 16 } else { 0 };
            let text = fit(&words, role, room.max(0));
            let badge = Badge {
                x,
                y,
                icon,
                role,
                text,
            };
            x += badge_width(icon.is_some(), &badge.text, role) + GAP;
            badge
        })
        .collect()
}

/// A part with fewer words: of a refusal that it is one, of a loss the numbers, of the rest what
/// it is about; the sign tells the rest.
fn short((icon, role, words): &Part) -> Part {
    let (front, about) = words.split_once(": ").unwrap_or(("", words));
    let kept = match (icon, role) {
        (_, Role::Alert) => words.split(" (").next().unwrap_or(words),
        (Some(Icon::Cross), _) => front,
        _ => about,
    };
    let kept = if kept.is_empty() { words } else { kept };
    (*icon, *role, kept.into())
}

fn parts(step: &Step, tp: Tp, client: &ClientPicture) -> Option<Vec<Part>> {
    let (lang, name) = (step.lang, &*client.name);
    match &client.kind {
        ClientKind::Producer {
            settings,
            sends,
            leaders,
            ..
        } => {
            let about = leaders.iter().any(|(of, _)| *of == tp) || sends.iter().any(|s| s.tp == tp);
            let head = words::producer_acks(lang, name, settings.acks.as_str());
            about.then(|| sent(step, tp, head, sends))
        }
        ClientKind::Raw { sends } => sends
            .iter()
            .any(|s| s.tp == tp)
            .then(|| sent(step, tp, words::requester(lang, name), sends)),
        ClientKind::Consumer {
            positions,
            received,
            member,
            ..
        } => {
            let (_, position) = positions.iter().find(|(of, _)| *of == tp)?;
            let head = match &member.group {
                Some(group) => ruler::member(lang, name, group),
                None => words::consumer(lang, name),
            };
            let mut parts = vec![(None, Role::Muted, head)];
            let got: Vec<Offset> = received
                .iter()
                .filter(|(of, ..)| *of == tp)
                .map(|(_, offset, _)| *offset)
                .collect();
            let got = runs(&got);
            if !got.is_empty() {
                parts.push((Some(Icon::Tick), Role::Client, words::received(lang, &got)));
            }
            // A process that is gone has no position; its group's commit is left.
            let live = member.life == Life::Running;
            if let Some(position) = position.filter(|_| live) {
                parts.push((None, Role::Client, words::position(lang, position)));
            }
            let processed = member.processed_next.iter().find(|p| p.0 == tp);
            if let Some((_, at)) = processed.filter(|_| live) {
                parts.push((None, Role::Client, ruler::processed(lang, *at)));
            }
            // What the coordinator holds; while it is down, what the consumer last heard.
            let group = member.group.as_ref().and_then(|g| step.now.group(g));
            let commits = group.map_or(&member.committed, |g| &g.view.committed);
            if let Some((_, at)) = commits.iter().find(|p| p.0 == tp) {
                parts.push((None, Role::Client, ruler::committed(lang, at.offset)));
            }
            match member.life {
                Life::Running => {}
                Life::Closed => parts.push((Some(Icon::Power), Role::Muted, ruler::closed(lang))),
                Life::Crashed => parts.push((Some(Icon::Power), Role::Muted, words::crashed(lang))),
            }
            Some(parts)
        }
    }
}

/// What a producer has sent to a partition, as its words: confirmed first, then what is open.
fn sent(step: &Step, tp: Tp, head: String, sends: &[SendPicture]) -> Vec<Part> {
    let lang = step.lang;
    let mut parts = vec![(None, Role::Muted, head)];
    let mine: Vec<&SendPicture> = sends.iter().filter(|s| s.tp == tp).collect();
    // A number may be given again after a loss: the value tells which record it was.
    let is_lost = |offset: Offset, value: Option<&str>| {
        step.now
            .lost
            .iter()
            .any(|l| l.tp == tp && l.offset == offset && l.value.as_deref() == value)
    };
    let (mut safe, mut lost) = (Vec::new(), Vec::new());
    let mut lost_value = None;
    for send in &mine {
        if let SendState::Confirmed(Some(first), _) = send.state {
            for (value, n) in send.values.iter().zip(0..) {
                let offset = Offset(first.0 + n);
                if is_lost(offset, value.as_deref()) {
                    lost.push(offset);
                    lost_value = value.as_deref();
                } else {
                    safe.push(offset);
                }
            }
        }
    }
    let safe = runs(&safe);
    if !safe.is_empty() {
        parts.push((
            Some(Icon::Tick),
            Role::Client,
            words::confirmed(lang, &safe),
        ));
    }
    let unanswered: Vec<&&SendPicture> = mine
        .iter()
        .filter(|s| s.acks == Acks::None && matches!(s.state, SendState::Confirmed(None, _)))
        .collect();
    if let Some(last) = unanswered.last() {
        let what = match unanswered.len() {
            1 => what(lang, last),
            n => format!("… {} ({n})", what(lang, last)),
        };
        parts.push((
            Some(Icon::Ring),
            Role::Client,
            words::unanswered(lang, &what),
        ));
    }
    parts.extend(open(lang, &mine));
    let what = match (lost.as_slice(), lost_value) {
        ([], _) => return parts,
        ([only], Some(value)) => format!("{only} ({value})"),
        (several, _) => runs(several),
    };
    parts.push((Some(Icon::Cross), Role::Alert, words::lost(lang, &what)));
    parts
}

/// What failed and what is open, in the order of sending; a heap of one kind as its number and its
/// last, or the row would have room for none of the others.
fn open(lang: Lang, sends: &[&SendPicture]) -> Vec<Part> {
    const EACH: usize = 2;
    let failed = |s: &&&SendPicture| matches!(s.state, SendState::Failed(..));
    let queued = |s: &&&SendPicture| matches!(s.state, SendState::Queued(None));
    let [many_failed, many_queued] = [
        sends.iter().filter(failed).count(),
        sends.iter().filter(queued).count(),
    ];
    let mut parts = Vec::new();
    let [last_failed, last_queued] = [
        sends.iter().rposition(|s| failed(&s)),
        sends.iter().rposition(|s| queued(&s)),
    ];
    for (at, send) in sends.iter().enumerate() {
        match &send.state {
            SendState::Confirmed(..) => {}
            SendState::Failed(error, _) if many_failed > EACH => {
                if last_failed == Some(at) {
                    let words = words::refused_many(lang, many_failed as i64, error.name());
                    parts.push((Some(Icon::Cross), Role::Client, words));
                }
            }
            SendState::Queued(None) if many_queued > EACH => {
                if last_queued == Some(at) {
                    let what = format!("… {} ({many_queued})", what(lang, send));
                    parts.push((Some(Icon::Clock), Role::Client, words::queued(lang, &what)));
                }
            }
            _ => parts.push(part(lang, send)),
        }
    }
    parts
}

/// One send and how it stands.
pub fn part(lang: Lang, send: &SendPicture) -> Part {
    let what = what(lang, send);
    let (icon, words) = match &send.state {
        SendState::Confirmed(Some(first), _) => {
            let end = first.before().plus(send.values.len().max(1) as i64);
            let run = numbers(first.before(), end);
            (Icon::Tick, words::confirmed(lang, &run))
        }
        SendState::Confirmed(None, _) => (Icon::Ring, words::unanswered(lang, &what)),
        SendState::InFlight(_) if send.attempts > 1 => {
            (Icon::Retry, words::retries(lang, &what, send.attempts))
        }
        // The next try has not left yet.
        SendState::Queued(Some(_)) => (Icon::Retry, words::to_retry(lang, &what)),
        SendState::InFlight(_) => (Icon::Clock, words::waits(lang, &what)),
        SendState::Queued(None) => (Icon::Clock, words::queued(lang, &what)),
        SendState::Failed(error, _) => (Icon::Cross, words::refused(lang, error.name())),
    };
    (Some(icon), Role::Client, words)
}

/// The values of a send, short.
fn what(_: Lang, send: &SendPicture) -> String {
    let value = |v: &Option<std::rc::Rc<str>>| v.as_deref().unwrap_or("∅").to_string();
    match send.values.as_slice() {
        [] => String::new(),
        [only] => value(only),
        [first, .., last] => format!("{}…{}", value(first), value(last)),
    }
}

/// Numbers as runs: `0–2, 5`.
pub fn runs(offsets: &[Offset]) -> String {
    let sorted: Set<i64> = offsets.iter().map(|o| o.0).collect();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for n in sorted {
        match runs.last_mut() {
            Some((_, end)) if *end == n => *end = n + 1,
            _ => runs.push((n, n + 1)),
        }
    }
    runs.into_iter()
        .map(|(from, to)| numbers(Boundary(from), Boundary(to)))
        .collect::<Vec<_>>()
        .join(", ")
}
