//! What the controller knows, and what each broker believes.

use super::{Icon, Step};
use crate::kafka::ids::{BrokerId, Tp};

/// Truth and beliefs about a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beliefs {
    /// «Что знает контроллер и во что верит каждый брокер».
    pub caption: String,
    /// Column headings: who, leader, epoch, ISR, metadata offset, state.
    pub head: Vec<String>,
    /// The controller first, then the brokers, then the producers (who know only a leader).
    pub rows: Vec<Belief>,
    /// The controller's list of brokers: «Брокер 2: отстранён (fenced), эпоха брокера 14».
    pub brokers: Vec<String>,
    /// Who may lead without loss (ELR), if anyone but the ISR; may be empty.
    pub elr: String,
}

/// One party's belief.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// Whose; `None`: the controller's or a client's.
    pub broker: Option<BrokerId>,
    /// «Брокер 1».
    pub who: String,
    /// Its cells after the name.
    pub cells: Vec<BeliefCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeliefCell {
    /// «3».
    pub text: String,
    /// It differs from the controller's: outlined, with [`Icon::Cross`] or words.
    pub differs: bool,
    /// A sign in front of it.
    pub icon: Option<Icon>,
}

/// Truth and beliefs about a partition at a step.
pub fn beliefs(step: &Step, tp: Tp) -> Beliefs {
    let _ = (step, tp);
    Beliefs::default()
}
