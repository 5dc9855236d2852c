//! What the controller knows, and what each broker believes.

use super::stage::row;
use super::tables::process;
use super::{Icon, Step};
use crate::kafka::ids::{BrokerId, Tp};
use crate::kafka::metadata::PartitionReg;
use crate::text::{Lang, state, words};
use crate::world::command::Process;
use crate::world::picture::{BrokerPicture, ClientKind, RolePicture};

/// Truth and beliefs about a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beliefs {
    /// «Что знает контроллер и во что верит каждый брокер».
    pub caption: String,
    /// Column headings: who, leader, epoch, ISR, own role, metadata offset.
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
    let lang = step.lang;
    let truth = row::reg(step.now, tp);
    let mut rows = vec![controller(lang, step, truth)];
    rows.extend(step.now.brokers.iter().map(|b| broker(lang, tp, truth, b)));
    rows.extend(step.now.clients.iter().filter_map(|c| match &c.kind {
        ClientKind::Producer { leaders, .. } => {
            let (_, knows) = leaders.iter().find(|(of, _)| *of == tp)?;
            let mut cells = vec![cell(
                number(lang, *knows),
                truth.is_some_and(|t| t.leader != *knows),
            )];
            cells.resize(5, cell(String::new(), false));
            Some(Belief {
                broker: None,
                who: words::producer(lang, &c.name),
                cells,
            })
        }
        _ => None,
    }));
    Beliefs {
        caption: state::beliefs(lang),
        head: vec![
            words::head_who(lang),
            words::head_leader(lang),
            words::head_epoch(lang),
            words::head_isr(lang),
            state::head_own_role(lang),
            words::head_metadata(lang),
        ],
        rows,
        brokers: step
            .now
            .controller
            .brokers
            .iter()
            .map(|(id, reg)| {
                if reg.fenced {
                    state::registered_fenced(lang, *id, reg.epoch)
                } else if reg.in_controlled_shutdown {
                    state::registered_leaving(lang, *id, reg.epoch)
                } else {
                    state::registered(lang, *id, reg.epoch)
                }
            })
            .collect(),
        elr: truth
            .filter(|t| !t.elr.is_empty())
            .map_or_else(String::new, |t| state::elr(lang, t.elr)),
    }
}

fn cell(text: String, differs: bool) -> BeliefCell {
    BeliefCell {
        text,
        differs,
        icon: differs.then_some(Icon::Cross),
    }
}

fn number(lang: Lang, leader: Option<BrokerId>) -> String {
    leader.map_or_else(|| words::none(lang), |b| b.to_string())
}

fn controller(lang: Lang, step: &Step, truth: Option<&PartitionReg>) -> Belief {
    let none = || words::none(lang);
    let cells = [
        truth.map_or_else(none, |t| number(lang, t.leader)),
        truth.map_or_else(none, |t| t.leader_epoch.to_string()),
        truth.map_or_else(none, |t| t.isr.to_string()),
        state::decides(lang),
        step.now.controller.offset.to_string(),
    ];
    Belief {
        broker: None,
        who: words::controller(lang),
        cells: cells.map(|text| cell(text, false)).to_vec(),
    }
}

fn broker(lang: Lang, tp: Tp, truth: Option<&PartitionReg>, b: &BrokerPicture) -> Belief {
    let who = words::broker(lang, b.id);
    let Some(image) = &b.image else {
        let mut cells = vec![cell(String::new(), false); 5];
        cells[3] = cell(process(lang, b.process), false);
        return Belief {
            broker: Some(b.id),
            who,
            cells,
        };
    };
    let believed = image.partitions.get(&tp);
    let replica = b.replicas.iter().find(|r| r.tp == tp);
    let leads = match replica.map(|r| &r.role) {
        Some(RolePicture::Leader(l)) => Some(l),
        _ => None,
    };
    let none = || words::none(lang);
    // A leader counts with the ISR it holds, which may be ahead of its metadata (R-ALT-2).
    let isr = leads.map(|l| l.isr).or(believed.map(|r| r.isr));
    let role = match replica {
        None => words::no_replica(lang),
        Some(_) if leads.is_some() => words::leader(lang),
        Some(r) if r.role == RolePicture::Follower(None) => {
            row::leaderless(lang, b.process, truth.and_then(|t| t.leader))
        }
        Some(_) => words::follower(lang),
    };
    let wrong_role = leads.is_some() && truth.is_some_and(|t| t.leader != Some(b.id));
    let cells = vec![
        cell(
            believed.map_or_else(none, |r| number(lang, r.leader)),
            believed.map(|r| r.leader) != truth.map(|t| t.leader),
        ),
        cell(
            believed.map_or_else(none, |r| r.leader_epoch.to_string()),
            believed.map(|r| r.leader_epoch) != truth.map(|t| t.leader_epoch),
        ),
        cell(
            match (isr, leads.and_then(|l| l.asked)) {
                (Some(isr), Some(asked)) => state::isr_asked(lang, isr, asked),
                (Some(isr), None) => isr.to_string(),
                (None, _) => none(),
            },
            isr != truth.map(|t| t.isr),
        ),
        cell(
            if b.process == Process::Up {
                role
            } else {
                state::role_and(lang, &role, &process(lang, b.process))
            },
            wrong_role,
        ),
        cell(image.offset.to_string(), false),
    ];
    Belief {
        broker: Some(b.id),
        who,
        cells,
    }
}
