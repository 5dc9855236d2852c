//! The little picture on a gallery card: no flags, no words that answer the question.

pub mod boundaries;

use super::overview::{Sign, sign};
use super::stage::row::{self, Facts};
use super::stage::{CellKind, MarkKind};
use super::tables::process;
use super::width::fit;
use super::{Anchor, Badge, Icon, Line, Rect, Role, Step, Text};
use crate::kafka::ids::{BrokerId, Offset, TopicId, Tp};
use crate::text::Lang;
use crate::world::picture::{Picture, ReplicaPicture};

/// The little picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mini {
    /// Width, px.
    pub width: i32,
    /// Height, px.
    pub height: i32,
    /// Brokers' numbers or lanes' names, with signs.
    pub names: Vec<Badge>,
    /// Cells without numbers.
    pub cells: Vec<(Rect, CellKind)>,
    /// High watermarks: short thick lines.
    pub marks: Vec<Line>,
    /// Boundaries of a log and of its reader.
    pub bounds: Vec<(MarkKind, Line)>,
    /// Lags: from a reader's boundary to the log's end.
    pub spans: Vec<Line>,
    /// Cells of a grid of partitions.
    pub grid: Vec<(Rect, Sign)>,
    /// Words beside a log.
    pub notes: Vec<Text>,
}

const WIDTH: i32 = 268;
const HEIGHT: i32 = 72;

/// A row before it has a place.
struct Row<'a> {
    name: String,
    role: Role,
    sign: Option<Icon>,
    word: Option<String>,
    replica: Option<&'a ReplicaPicture>,
    lost: Vec<Offset>,
}

/// Where logs begin.
const LOGS: i32 = 108;

/// Rows of cells without numbers, the last nine records of each.
fn draw(rows: Vec<Row>) -> Mini {
    const PITCH: i32 = 17;
    const SHOWN: i64 = 9;
    let mut mini = Mini {
        width: WIDTH,
        height: HEIGHT,
        ..Mini::default()
    };
    let pitch_y = (HEIGHT - 8) / (rows.len() as i32).max(1);
    let cell = (pitch_y - 5).clamp(8, 14);
    let end = rows
        .iter()
        .filter_map(|r| r.replica)
        .map(|r| r.log_end.0.max(r.high_watermark.0))
        .max()
        .unwrap_or(0);
    let base = (end - SHOWN).max(0);
    let x = |boundary: i64| LOGS + (boundary - base).max(0) as i32 * PITCH;
    for (n, row) in rows.into_iter().enumerate() {
        let y = 4 + n as i32 * pitch_y + (pitch_y - cell) / 2;
        let base_line = y + cell / 2 + 4;
        mini.names
            .push(badge(12, base_line, None, row.role, row.name));
        if let Some(sign) = row.sign {
            let nothing = String::new();
            mini.names
                .push(badge(26, base_line, Some(sign), Role::Muted, nothing));
        }
        if let Some(word) = row.word {
            mini.notes.push(Text {
                x: 44,
                y: base_line,
                anchor: Anchor::Start,
                role: Role::Muted,
                text: fit(&word, Role::Muted, LOGS - 48),
            });
        }
        let Some(replica) = row.replica else { continue };
        for n in base..replica.log_end.0 {
            let offset = Offset(n);
            let there = replica.records.iter().any(|r| r.offset == offset);
            let kind = if replica.log_start.covers(offset) || !there {
                CellKind::Ghost
            } else if row.lost.contains(&offset) {
                CellKind::Lost
            } else if replica.high_watermark.covers(offset) {
                CellKind::Visible
            } else {
                CellKind::Hidden
            };
            let rect = Rect {
                x: x(n) + 2,
                y,
                w: PITCH - 4,
                h: cell,
            };
            mini.cells.push((rect, kind));
        }
        let at = x(replica.high_watermark.0);
        mini.marks.push(Line {
            x1: at,
            y1: y - 2,
            x2: at,
            y2: y + cell + 2,
        });
    }
    mini
}

fn badge(x: i32, y: i32, icon: Option<Icon>, role: Role, text: String) -> Badge {
    Badge {
        x,
        y,
        icon,
        role,
        text,
    }
}

fn lost_on(picture: &Picture, tp: Tp, broker: BrokerId) -> Vec<Offset> {
    picture
        .lost
        .iter()
        .filter(|l| l.tp == tp && l.still_on.contains(broker))
        .map(|l| l.offset)
        .collect()
}

/// One partition's replicas.
pub fn logs(lang: Lang, picture: &Picture, tp: Tp) -> Mini {
    let step = Step {
        lang,
        before: None,
        now: picture,
        events: &[],
    };
    let rows = picture
        .brokers
        .iter()
        .filter(|b| b.replicas.iter().any(|r| r.tp == tp))
        .take(5)
        .map(|b| {
            let facts = Facts::of(&step, tp, b);
            let leads = facts.reg.is_some_and(|r| r.leader == Some(b.id));
            let sign = if facts.away() {
                row::role_words(&facts).0
            } else if leads {
                Icon::Star
            } else {
                row::isr_words(&facts).map_or(Icon::Chevron, |(icon, _)| icon)
            };
            Row {
                name: b.id.to_string(),
                role: Role::Strong,
                sign: Some(sign),
                word: facts.away().then(|| process(lang, b.process)),
                replica: facts.replica,
                lost: lost_on(picture, tp, b.id),
            }
        })
        .collect();
    draw(rows)
}

/// A topic's partitions as a grid (R6).
pub fn grid(lang: Lang, picture: &Picture, topic: TopicId) -> Mini {
    let _ = lang;
    let mine: Vec<_> = picture
        .partitions
        .iter()
        .filter(|p| p.tp.topic == topic)
        .take(24)
        .collect();
    let mut mini = Mini {
        width: WIDTH,
        height: HEIGHT,
        ..Mini::default()
    };
    let rows = picture.brokers.len().clamp(1, 6) as i32;
    let height = (HEIGHT - 8) / rows;
    for (n, b) in picture.brokers.iter().take(6).enumerate() {
        let y = 4 + n as i32 * height + 2;
        let name = b.id.to_string();
        mini.names
            .push(badge(12, y + height / 2 + 2, None, Role::Strong, name));
        for (column, p) in mine.iter().enumerate() {
            if let Some(sign) = sign(p, b) {
                let rect = Rect {
                    x: 32 + column as i32 * 9,
                    y,
                    w: 7,
                    h: (height - 5).min(14),
                };
                mini.grid.push((rect, sign));
            }
        }
    }
    mini
}

/// The leader's log in each of some lanes (R12): (name, picture).
pub fn lanes(lang: Lang, lanes: &[(&str, &Picture)], tp: Tp) -> Mini {
    let _ = lang;
    let rows = lanes
        .iter()
        .map(|(name, picture)| {
            let leader = row::reg(picture, tp)
                .and_then(|r| r.leader)
                .and_then(|b| picture.replica(b, tp));
            Row {
                name: (*name).to_string(),
                role: Role::Mono,
                sign: None,
                word: None,
                replica: leader,
                lost: Vec::new(),
            }
        })
        .collect();
    draw(rows)
}
