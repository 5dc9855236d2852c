//! The records of a ruler.

use super::{Ahead, Isolation, Of, RulerInput, Txn};
use crate::kafka::batch::Control;
use crate::kafka::ids::{Boundary, Offset};
use crate::text::ruler as say;
use crate::view::stage::{Cell, CellKind, Fold};
use crate::view::width::{fit, width};
use crate::view::{Anchor, Line, Rect, Role, Text};

/// What a number is to a reader of this isolation level.
pub fn kind(input: &RulerInput, isolation: Isolation, offset: Offset) -> CellKind {
    if input.log_start.covers(offset) {
        return CellKind::Ghost;
    }
    let Some(record) = input.record(offset).filter(|r| !r.removed) else {
        return CellKind::Ghost;
    };
    let hidden = !input.visible_end(isolation).covers(offset);
    match (record.control, hidden) {
        (Some(_), true) => CellKind::HiddenControl,
        (Some(_), false) => CellKind::Control,
        (None, true) => CellKind::Hidden,
        (None, false) => match record.txn {
            Txn::Aborted if isolation == Isolation::Committed => CellKind::Aborted,
            Txn::Open => CellKind::Open,
            _ => CellKind::Visible,
        },
    }
}

/// What stands in a cell.
pub fn sign(input: &RulerInput, offset: Offset) -> String {
    match input.record(offset).and_then(|r| r.control) {
        Some(Control::Commit) => "C".into(),
        Some(Control::Abort) => "A".into(),
        None => offset.to_string(),
    }
}

impl Of<'_> {
    /// Partition, consumer, group.
    pub(super) fn head(&self) -> Text {
        let (lang, reader) = (self.lang, self.reader);
        let mut words = match &reader.group {
            _ if reader.name.is_empty() => self.now.name.clone(),
            // A group without a consumer here.
            Some(group) if *group == reader.name => say::head_short(lang, &self.now.name, group),
            Some(group) => say::head_group(lang, &self.now.name, &reader.name, group),
            None => say::head(lang, &self.now.name, &reader.name),
        };
        let room = self.plan.width - 12;
        if let Some(group) = &reader.group
            && width(&words, Role::Muted) > room
        {
            words = say::head_short(lang, &self.now.name, group);
        }
        Text {
            x: 8,
            y: self.y + 14,
            anchor: Anchor::Start,
            role: Role::Muted,
            text: fit(&words, Role::Muted, room),
        }
    }

    fn place(&self, slot: i32, slots: i32) -> Rect {
        let plan = self.plan;
        Rect {
            x: plan.left + slot * plan.pitch + plan.gutter / 2,
            y: plan.cells_y(self.y, self.first),
            w: slots * plan.pitch - plan.gutter,
            h: plan.cell,
        }
    }

    pub(super) fn cells(&self) -> (Vec<Cell>, Vec<Fold>) {
        let digits = if self.plan.pitch < 28 {
            Role::Mono
        } else {
            Role::Offset
        };
        let label = |rect: &Rect, role: Role, lift: i32, words: String| Text {
            x: rect.x + rect.w / 2,
            y: rect.y + rect.h / 2 + 5 - lift,
            anchor: Anchor::Middle,
            role,
            text: words,
        };
        let mut cells = Vec::new();
        for (n, slot) in self.plan.axis.cells().filter(|c| c.0 < self.now.log_end.0) {
            let offset = Offset(n);
            let kind = kind(self.now, self.isolation, offset);
            let rect = self.place(slot, 1);
            let mut words = sign(self.now, offset);
            if width(&words, digits) > rect.w - 1 {
                words.clear();
            }
            let lift = if kind.foot() > 0 { 3 } else { 0 };
            cells.push(Cell {
                offset,
                rect,
                kind,
                label: label(&rect, digits, lift, words),
                value: None,
                fresh: self.before.is_some_and(|b| !b.log_end.covers(offset))
                    && kind != CellKind::Ghost,
                muted: false,
            });
        }
        let mut folds = Vec::new();
        for (from, to, slot) in self.plan.axis.folds() {
            if from < self.now.log_end.0 {
                let rect = self.place(slot, 2);
                let words = say::folded(self.lang, from, to.min(self.now.log_end.0) - 1);
                folds.push(Fold {
                    rect,
                    label: label(&rect, Role::Mono, 0, fit(&words, Role::Mono, rect.w)),
                });
            }
        }
        (cells, folds)
    }

    /// What lies between the log's end and the end of the scale.
    pub(super) fn ahead(&self) -> Ahead {
        let plan = self.plan;
        let first = plan.axis.slot(self.now.log_end.0);
        let places = plan.places();
        let whole = plan.axis.folds().next().is_none();
        if first >= places || !whole {
            return Ahead::default();
        }
        let foot = plan.cells_y(self.y, self.first) + plan.cell;
        let x = |slot: i32| plan.left + slot * plan.pitch;
        let mut all = Ahead {
            line: Some(Line {
                x1: x(first),
                y1: foot,
                x2: x(places),
                y2: foot,
            }),
            ..Ahead::default()
        };
        for slot in first..places {
            all.ticks.push(Line {
                x1: x(slot + 1),
                y1: foot - 5,
                x2: x(slot + 1),
                y2: foot,
            });
            let words = slot.to_string();
            if width(&words, Role::Epoch) <= plan.pitch - 4 {
                all.numbers.push(Text {
                    x: x(slot) + plan.pitch / 2,
                    y: foot - 6,
                    anchor: Anchor::Middle,
                    role: Role::Epoch,
                    text: words,
                });
            }
        }
        all
    }

    /// x of a boundary.
    pub(super) fn x(&self, at: Boundary) -> i32 {
        self.plan.x(at)
    }
}
