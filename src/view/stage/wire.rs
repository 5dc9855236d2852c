//! Messages of the step between followers and leader: one a follower, the one that tells most.

use super::geometry::Geometry;
use super::{Arrow, ArrowKind, ArrowState};
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::message::NodeId;
use crate::kafka::sort;
use crate::text::{Lang, words};
use crate::view::width::{fit, width};
use crate::view::{Anchor, Line, Rect, Role, Step, Text};

/// What went between a follower and a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Talk {
    /// It asked from this boundary, and nothing more is known.
    Asked(Boundary),
    /// Its fetch told the leader something new.
    Told(Boundary),
    /// It was sent these records.
    Sent(Boundary, Boundary),
    /// It learned this high watermark.
    Watermark(Boundary),
    /// It was told where the logs part.
    Parted(Epoch, Boundary),
}

impl Talk {
    fn weight(self) -> i32 {
        match self {
            Talk::Asked(_) => 0,
            Talk::Watermark(_) => 1,
            Talk::Sent(..) => 2,
            Talk::Told(_) => 3,
            Talk::Parted(..) => 4,
        }
    }
}

/// A follower's talk with a leader in this step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The follower.
    pub follower: BrokerId,
    /// The leader.
    pub leader: BrokerId,
    /// What was said.
    pub talk: Talk,
    /// How the message stands.
    pub state: ArrowState,
}

/// The talks of a step about a partition, a follower each, in order of brokers.
pub fn exchanges(step: &Step, tp: Tp) -> Vec<Exchange> {
    let mut all: Vec<Exchange> = Vec::new();
    let leader = super::row::reg(step.now, tp).and_then(|r| r.leader);
    for event in step.events {
        let (follower, leader, talk) = match &event.kind {
            EventKind::FetchSent {
                follower,
                leader,
                tp: of,
                offset,
            } if *of == tp => (*follower, Some(*leader), Talk::Asked(*offset)),
            EventKind::FetchHandled {
                follower,
                leader,
                tp: of,
                offset,
                before,
                ..
            } if *of == tp => {
                let talk = if *before == Some(*offset) {
                    Talk::Asked(*offset)
                } else {
                    Talk::Told(*offset)
                };
                (*follower, Some(*leader), talk)
            }
            EventKind::Replicated {
                follower,
                leader,
                tp: of,
                from,
                to,
            } if *of == tp => (*follower, Some(*leader), Talk::Sent(*from, *to)),
            EventKind::FollowerHighWatermark {
                follower,
                tp: of,
                to,
                from,
                ..
            } if *of == tp && to > from => (*follower, leader, Talk::Watermark(*to)),
            EventKind::DivergenceFound {
                follower,
                leader,
                tp: of,
                epoch,
                end,
                ..
            } if *of == tp => (*follower, Some(*leader), Talk::Parted(*epoch, *end)),
            _ => continue,
        };
        let Some(leader) = leader.filter(|l| *l != follower) else {
            continue;
        };
        let new = Exchange {
            follower,
            leader,
            talk,
            state: ArrowState::Arrived,
        };
        match all.iter_mut().find(|e| e.follower == follower) {
            Some(old) if old.talk.weight() > talk.weight() => {}
            Some(old) => *old = new,
            None => all.push(new),
        }
    }
    for exchange in &mut all {
        exchange.state = state(step, tp, exchange);
    }
    // A fetch that only waits at the leader tells nothing; one that is held or lost does.
    all.retain(|e| !matches!(e.talk, Talk::Asked(_)) || e.state != ArrowState::Arrived);
    sort::by_key(&mut all, |e| e.follower);
    all
}

fn state(step: &Step, tp: Tp, exchange: &Exchange) -> ArrowState {
    let (follower, leader) = (
        NodeId::Broker(exchange.follower),
        NodeId::Broker(exchange.leader),
    );
    if !matches!(exchange.talk, Talk::Asked(_)) {
        return ArrowState::Arrived;
    }
    let lost = step.events.iter().any(|e| {
        matches!(&e.kind, EventKind::MessageLost { from, to, what }
            if *from == follower && *to == leader && *what == "Fetch")
    });
    let held = step.now.messages.iter().any(|m| {
        m.from == follower
            && m.to == leader
            && m.what == "Fetch"
            && m.due.is_none()
            && m.about.is_none_or(|(of, _)| of == tp)
    });
    match (lost, held) {
        (true, _) => ArrowState::Lost,
        (false, true) => ArrowState::OnItsWay,
        _ => ArrowState::Arrived,
    }
}

fn box_words(lang: Lang, talk: Talk) -> (ArrowKind, [String; 2]) {
    match talk {
        Talk::Asked(at) | Talk::Told(at) => (
            ArrowKind::Fetch,
            [words::fetch(lang), words::fetch_offset(lang, at)],
        ),
        Talk::Sent(from, to) => (
            ArrowKind::Answer,
            [words::answer(lang), crate::text::number::numbers(from, to)],
        ),
        Talk::Watermark(at) => (
            ArrowKind::Answer,
            [words::answer(lang), words::answer_hw(lang, at)],
        ),
        Talk::Parted(epoch, end) => (
            ArrowKind::Diverging,
            [
                words::diverging(lang),
                words::diverging_at(lang, epoch, end),
            ],
        ),
    }
}

/// Where writes come down, left of the messages between brokers: beside the logs of the rows that
/// they pass, not through them.
pub const CLIENT: i32 = 146;

/// The wire: arrows from who sends to who takes, each with a box beside the follower's row.
pub fn arrows(
    lang: Lang,
    exchanges: &[Exchange],
    g: &Geometry,
    index_of: &dyn Fn(BrokerId) -> Option<usize>,
) -> Vec<Arrow> {
    // Lanes of the wire: left of where a flag at boundary 0 begins.
    const LANES: [i32; 4] = [156, 172, 148, 164];
    let mut all = Vec::new();
    for (n, exchange) in exchanges.iter().enumerate().take(LANES.len()) {
        let (Some(follower), Some(leader)) =
            (index_of(exchange.follower), index_of(exchange.leader))
        else {
            continue;
        };
        let x = LANES[n];
        let middle = |row: usize| g.cell_y(row) + g.cell / 2;
        let (kind, said) = box_words(lang, exchange.talk);
        let (from, to) = match kind {
            ArrowKind::Fetch => (middle(follower), middle(leader)),
            ArrowKind::Answer | ArrowKind::Diverging => (middle(leader), middle(follower)),
        };
        // The box stands in the gap between the follower's row and the next one on the way.
        let below = if leader < follower {
            follower
        } else {
            follower + 1
        };
        let roomy = g.row >= 80;
        let h = if roomy { 36 } else { 20 };
        let bottom = g.lane_y(below) - 2;
        let rect = Rect {
            x: 137,
            y: bottom - h,
            w: 83,
            h,
        };
        let middle = rect.x + rect.w / 2;
        let line = |y: i32, role: Role, words: &str| Text {
            x: middle,
            y,
            anchor: Anchor::Middle,
            role,
            text: fit(words, role, 81),
        };
        let label = if roomy {
            vec![
                line(rect.y + 15, Role::Strong, &said[0]),
                line(rect.y + 30, Role::Mono, &said[1]),
            ]
        } else {
            vec![line(rect.y + 14, Role::Mono, &said[1])]
        };
        all.push(Arrow {
            key: format!("{}-{}", exchange.follower, exchange.leader),
            kind,
            line: Line {
                x1: x,
                y1: from,
                x2: x,
                y2: to,
            },
            rect,
            label,
            state: exchange.state,
        });
    }
    all
}

/// The same as sentences, short where the room (px) is too narrow for a long one.
pub fn captions(lang: Lang, exchanges: &[Exchange], room: i32) -> Vec<String> {
    exchanges
        .iter()
        .map(|e| {
            let (f, l) = (e.follower, e.leader);
            let long = match e.talk {
                Talk::Asked(at) | Talk::Told(at) => words::fetch_caption(lang, f, l, at),
                Talk::Sent(from, to) => words::answer_caption(lang, l, f, from, to),
                Talk::Watermark(at) => words::answer_hw_caption(lang, l, f, at),
                Talk::Parted(epoch, end) => words::diverging_caption(lang, l, f, epoch, end),
            };
            match e.talk {
                Talk::Parted(epoch, end) if width(&long, Role::Strong) > room => {
                    words::diverging_caption_short(lang, l, f, epoch, end)
                }
                _ => long,
            }
        })
        .collect()
}
