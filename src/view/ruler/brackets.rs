//! Lags as brackets, what a crash would do as a band, and the lines down from the ends.

use super::lags::{self, Consequence, Instrument, Lag, LagKind};
use super::{Isolation, Of, client_marks};
use crate::kafka::ids::Boundary;
use crate::text::{Lang, ruler as say};
use crate::view::stage::geometry::FLAG;
use crate::view::width::{fit, width};
use crate::view::{Anchor, Icon, Line, Rect, Role, Text};

/// Words on an opaque ground, over the lines that cross them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The ground.
    pub ground: Rect,
    /// The words.
    pub text: Text,
}

impl Tag {
    pub(super) fn new(x: i32, y: i32, anchor: Anchor, role: Role, words: &str) -> Tag {
        let w = width(words, role);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - w / 2,
            Anchor::End => x - w,
        };
        Tag {
            ground: Rect {
                x: left - 1,
                y: y - 11,
                w: w + 2,
                h: 14,
            },
            text: Text {
                x,
                y,
                anchor,
                role,
                text: words.into(),
            },
        }
    }
}

/// A line from an end down to the brackets that are counted to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// Where.
    pub line: Line,
    /// From the last stable offset (dashed), else from the high watermark.
    pub stable: bool,
}

/// What a crash would do, above the records it would do it to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// They would be passed over for good (alert), else come again.
    pub loss: bool,
    /// The bracket: its line; short legs go down from both ends.
    pub line: Line,
    /// The sign in front of the word, 12 px, by its upper left corner.
    pub sign: (Icon, i32, i32),
    /// The word.
    pub label: Tag,
}

/// A lag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// Which.
    pub kind: LagKind,
    /// From the smaller of its two ends to the greater; `None`: there is no value.
    pub line: Option<Line>,
    /// Its beginning lies behind its end: drawn reversed.
    pub negative: bool,
    /// Where it ends on a record, which is the classic mistake: the middle of a ✕ of 12 px.
    pub wrong: Option<(i32, i32)>,
    /// Its name and subtraction.
    pub label: Tag,
    /// Who counts it.
    pub by: Option<Tag>,
}

/// A lag's name.
pub fn name(lang: Lang, kind: LagKind, instrument: Instrument) -> String {
    match kind {
        LagKind::Committed if instrument == Instrument::LastRecord => say::lag_mistaken(lang),
        LagKind::Committed => say::lag_committed(lang),
        LagKind::Processing => say::lag_processing(lang),
        LagKind::Fetch => say::lag_fetch(lang),
    }
}

/// Who counts it.
pub fn counted_by(lang: Lang, kind: LagKind, instrument: Instrument) -> String {
    match (kind, instrument) {
        (LagKind::Committed, Instrument::GroupTool) => "kafka-consumer-groups".into(),
        (LagKind::Committed, Instrument::Librdkafka) => "librdkafka: consumer_lag".into(),
        (LagKind::Committed, Instrument::LastRecord) => say::counts_mistake(lang),
        (LagKind::Processing, _) => say::by_application_short(lang),
        (LagKind::Fetch, _) => "Java: records-lag".into(),
    }
}

/// A lag in words: with its subtraction, and short.
pub fn said(lang: Lang, name: &str, lag: &Lag) -> [String; 2] {
    let (Some(end), Some(from)) = (lag.end, lag.from) else {
        let none = say::no_lag(lang, name);
        return [none.clone(), none];
    };
    let glue = |between: &str, rest: &str| {
        let mut out = String::from(name);
        out.push_str(between);
        out.push_str(rest);
        out
    };
    [
        glue(" = ", &say::subtraction(end, from.0)),
        glue(" ", &say::signed(end - from.0)),
    ]
}

impl Of<'_> {
    fn kinds(&self) -> &'static [LagKind] {
        if self.several {
            &LagKind::ALL[..1]
        } else {
            &LagKind::ALL
        }
    }

    fn lag(&self, kind: LagKind) -> Lag {
        lags::lag(
            self.now,
            self.reader,
            self.isolation,
            self.look.instrument,
            kind,
        )
    }

    pub(super) fn brackets(&self) -> Vec<Bracket> {
        if self.reader.name.is_empty() {
            return Vec::new();
        }
        if self
            .kinds()
            .iter()
            .all(|kind| self.lag(*kind).value().is_none())
        {
            return vec![self.no_lags()];
        }
        let kinds = self.kinds().iter().zip(0..);
        kinds.map(|(kind, row)| self.bracket(*kind, row)).collect()
    }

    /// One quiet line where nothing can be counted.
    fn no_lags(&self) -> Bracket {
        let plan = self.plan;
        let words = match self.reader.group {
            Some(_) => say::no_lags(self.lang),
            None => say::no_group(self.lang),
        };
        let y = plan.bracket_y(self.y, self.first, 0) + 4;
        Bracket {
            kind: LagKind::Committed,
            line: None,
            negative: false,
            wrong: None,
            label: Tag::new(plan.left, y, Anchor::Start, Role::Muted, &words),
            by: None,
        }
    }

    fn bracket(&self, kind: LagKind, row: i32) -> Bracket {
        let plan = self.plan;
        let y = plan.bracket_y(self.y, self.first, row);
        let mistaken = kind == LagKind::Committed && self.look.instrument == Instrument::LastRecord;
        let lag = self.lag(kind);
        let ends = lag.end.zip(lag.from).map(|(end, from)| {
            // The number of a record is the middle of its cell.
            let half = if mistaken { plan.pitch / 2 } else { 0 };
            (self.x(from), self.x(Boundary(end)) + half)
        });
        let (x1, x2) = ends.map_or((plan.left, plan.left - 8), |(a, b)| (a.min(b), a.max(b)));
        let name = name(self.lang, kind, self.look.instrument);
        let tried = said(self.lang, &name, &lag);
        let role = match (mistaken, ends) {
            // No value is no news.
            (_, None) => Role::Muted,
            (true, _) => Role::Alert,
            (false, _) => Role::Strong,
        };
        let by = counted_by(self.lang, kind, self.look.instrument);
        let by = if plan.wide && !mistaken && ends.is_some() {
            by.as_str()
        } else {
            ""
        };
        let (label, by) = self.label(role, &tried, by, x1, x2, y);
        Bracket {
            kind,
            line: ends.map(|_| Line {
                x1,
                y1: y,
                x2,
                y2: y,
            }),
            negative: ends.is_some_and(|(from, end)| end < from),
            wrong: ends.filter(|_| mistaken).map(|(_, end)| (end, y)),
            label,
            by,
        }
    }

    /// Words beside a bracket: left of it, else right of it, else above its line.
    fn label(
        &self,
        role: Role,
        tried: &[String; 2],
        by: &str,
        x1: i32,
        x2: i32,
        y: i32,
    ) -> (Tag, Option<Tag>) {
        let room = self.plan.width;
        for words in tried {
            let w = width(words, role).max(width(by, Role::Muted));
            let (x, anchor) = if x1 - 8 - w >= 4 {
                (x1 - 8, Anchor::End)
            } else if x2 + 9 + w <= room - 4 {
                (x2 + 9, Anchor::Start)
            } else {
                continue;
            };
            let up = if by.is_empty() { -4 } else { 2 };
            let second = (!by.is_empty()).then(|| Tag::new(x, y + 12, anchor, Role::Muted, by));
            return (Tag::new(x, y - up, anchor, role, words), second);
        }
        let words = tried.iter().find(|t| width(t, role) <= room - 8);
        let words = fit(words.unwrap_or(&tried[1]), role, room - 8);
        let x = x1.min(room - 4 - width(&words, role)).max(4);
        let over = Tag::new(x, y - 5, Anchor::Start, role, &words);
        // Who counts stands under the line, if there is room beneath.
        let second = (!by.is_empty()).then(|| Tag::new(x, y + 14, Anchor::Start, Role::Muted, by));
        (over, second)
    }

    pub(super) fn band(&self) -> Option<Band> {
        let (loss, from, to) = match lags::consequence(self.now, self.reader, self.isolation) {
            Consequence::Repeat(from, to) => (false, from, to),
            Consequence::Loss(from, to) => (true, from, to),
            _ => return None,
        };
        let (lang, plan) = (self.lang, self.plan);
        let mut words = if loss {
            say::loss(lang)
        } else {
            say::repeat(lang)
        };
        if plan.wide {
            words.push_str(": ");
            words.push_str(&say::subtraction(to.0, from.0));
        }
        let role = if loss { Role::Alert } else { Role::Client };
        let (x1, x2) = (self.x(from) + 4, self.x(to) - 4);
        let w = 16 + width(&words, role);
        let y = plan.band_y(self.y, self.first);
        let left = ((x1 + x2 - w) / 2).min(plan.width - 4 - w).max(4);
        let mut label = Tag::new(left + 16, y + 11, Anchor::Start, role, &words);
        label.ground.x -= 16;
        label.ground.w += 16;
        Some(Band {
            loss,
            line: Line {
                x1,
                y1: y + 16,
                x2,
                y2: y + 16,
            },
            sign: (if loss { Icon::Cross } else { Icon::Retry }, left, y + 1),
            label,
        })
    }

    /// From the ends down to the brackets.
    pub(super) fn guides(&self) -> Vec<Guide> {
        let mut all = Vec::new();
        if self.reader.name.is_empty() {
            return all;
        }
        let plan = self.plan;
        let mut add = |at: Boundary, row: i32, stable: bool| {
            let x = self.x(at);
            // Under the flags of a client's boundaries in the same gap.
            let mut top = plan.cells_y(self.y, self.first) + plan.cell + 4;
            for (own, lane) in client_marks(self.reader).iter().zip(0..) {
                if own.is_some_and(|own| self.x(own) == x) {
                    top = plan.client_lane(self.y, self.first, lane) + FLAG;
                }
            }
            all.push(Guide {
                line: Line {
                    x1: x,
                    y1: top,
                    x2: x,
                    y2: plan.bracket_y(self.y, self.first, row) + 6,
                },
                stable,
            });
        };
        let stable = self.isolation == Isolation::Committed;
        let committed = self.reader.committed.is_some();
        let tool = committed && self.look.instrument == Instrument::GroupTool;
        let client = committed && self.look.instrument == Instrument::Librdkafka;
        // Down to the last bracket that is counted to where the reader may read.
        let wanted = [
            client,
            self.reader.processed.is_some(),
            self.reader.seen.is_some(),
        ];
        let wanted = &wanted[..self.kinds().len()];
        let last = wanted.iter().rposition(|w| *w).map(|row| row as i32);
        if tool && (stable || last.is_none()) {
            add(self.now.high_watermark, 0, false);
        }
        if let Some(last) = last {
            add(self.now.visible_end(self.isolation), last, stable);
        }
        all
    }
}
