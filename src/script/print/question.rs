//! A question as the language writes it.

use super::{Printer, fact_text, name};
use crate::script::ast::LineKind;
use crate::script::question::{Kind, Question};

impl Printer {
    pub(super) fn question(&mut self, q: &Question) {
        let kind = match &q.kind {
            Kind::Choice => "choice".into(),
            Kind::Multi => "multi".into(),
            Kind::Number => "number".into(),
            Kind::Gap(p) => format!("gap {}", name(p)),
        };
        self.line(&format!("  predict {kind}"));
        self.text("  asks", &q.asks);
        for option in &q.options {
            match option.value {
                Some(value) => self.line(&format!("  wrong {value}")),
                None if option.right => self.text("  right", &option.text),
                None => self.text("  wrong", &option.text),
            }
            self.text("  because", &option.because);
            self.text("  price", &option.price);
        }
    }

    /// Behind the beat's lines, where clients they name are known.
    pub(super) fn keys(&mut self, q: &Question) {
        for key in &q.keys {
            if let LineKind::Expect(e) = &key.what {
                let lane = self.lane_word(e.lane);
                self.line(&format!("  key {lane}{}", fact_text(&e.fact)));
            }
        }
    }
}
