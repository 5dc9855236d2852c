//! The topic as a cluster console shows it (R6): counters, brokers × partitions, one partition.

use super::Step;
use super::stage::geometry::Geometry;
use super::stage::{self, Row, row};
use super::tables::process;
use crate::kafka::ids::{BrokerId, TopicId, Tp};
use crate::kafka::metadata::PartitionReg;
use crate::text::number::NBSP;
use crate::text::{state, words};
use crate::world::command::Process;
use crate::world::picture::{BrokerPicture, PartitionPicture, Picture};

/// The console.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The counters in order.
    pub counters: Vec<Counter>,
    /// Column headings: partitions.
    pub columns: Vec<Column>,
    /// A row a broker.
    pub rows: Vec<GridRow>,
    /// The legend in order.
    pub legend: Vec<(Sign, String)>,
    /// «партиция», the heading over the brokers' names.
    pub corner: String,
    /// The chosen partition.
    pub panel: Panel,
}

/// Which counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CounterKind {
    /// Replicas in their ISR.
    InSync,
    /// Partitions with fewer replicas in the ISR than assigned.
    UnderReplicated,
    /// Partitions without leader.
    Offline,
    /// Partitions with an ISR below min.insync.replicas.
    UnderMinIsr,
    /// Leaders by broker.
    Leaders,
}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Which.
    pub kind: CounterKind,
    /// «Реплики в ISR».
    pub label: String,
    /// «48».
    pub value: String,
    /// «из 72», beside the value, muted; may be empty.
    pub of: String,
    /// «было 72», below; may be empty.
    pub was: String,
    /// Partitions without leader: alert.
    pub alert: bool,
    /// The cells it counts, outlined when it is chosen.
    pub cells: Vec<(BrokerId, Tp)>,
    /// What is said when it is chosen.
    pub spoken: String,
}

/// A partition's column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Which.
    pub tp: Tp,
    /// «7».
    pub label: String,
    /// It is the chosen one.
    pub chosen: bool,
    /// No leader.
    pub offline: bool,
    /// What is said when it is chosen: «Партиция 7: лидер 3, ISR 1 и 3, эпоха 1».
    pub spoken: String,
}

/// A broker's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridRow {
    /// Which.
    pub broker: BrokerId,
    /// «Брокер 1».
    pub label: String,
    /// The word of its process, if it does not run: «упал». The cells show what the controller
    /// knows, which may be less.
    pub away: Option<String>,
    /// A cell a column; `None`: no replica here.
    pub cells: Vec<Option<GridCell>>,
}

/// A replica in the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridCell {
    /// What it is.
    pub sign: Sign,
    /// Elected in this step: a triangle above.
    pub elected: bool,
    /// Led at the step before and does not now: a cut corner.
    pub led: bool,
    /// «Партиция 7, брокер 2: упал, был лидером».
    pub spoken: String,
}

/// Signs of the grid and of its legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// ★ on solid.
    Leader,
    /// ✓ on grey.
    InIsr,
    /// ✕ over a hatched foot.
    OutOfIsr,
    /// Power sign in a dashed box: its broker is down.
    Down,
    /// ▲ (legend only).
    Elected,
    /// Cut corner (legend only).
    Led,
}

impl Sign {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            Sign::Leader => "g-leader",
            Sign::InIsr => "g-isr",
            Sign::OutOfIsr => "g-out",
            Sign::Down => "g-down",
            Sign::Elected => "g-elected",
            Sign::Led => "g-led",
        }
    }
}

/// The chosen partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// «Партиция 7».
    pub title: String,
    /// «назначена на 2, 3, 1».
    pub assigned: String,
    /// Width of the drawing, px.
    pub width: i32,
    /// Height of the drawing, px.
    pub height: i32,
    /// Compact rows, as on the stage.
    pub rows: Vec<Row>,
    /// A sentence on what is worth seeing in it; may be empty.
    pub note: String,
}

/// The console of a topic, with a partition chosen. It shows what the controller knows: a broker
/// that has crashed and is not fenced yet still counts (R-FEN-2).
pub fn overview(step: &Step, topic: TopicId, chosen: Tp) -> Overview {
    let lang = step.lang;
    let mine: Vec<&PartitionPicture> = of_topic(step.now, topic);
    let columns = mine
        .iter()
        .map(|p| Column {
            tp: p.tp,
            label: p.tp.partition.to_string(),
            chosen: p.tp == chosen,
            offline: p.reg.leader.is_none(),
            spoken: match p.reg.leader {
                Some(leader) => {
                    state::column(lang, p.tp.partition, leader, p.reg.isr, p.reg.leader_epoch)
                }
                None => state::column_offline(lang, p.tp.partition, p.reg.leader_epoch),
            },
        })
        .collect();
    let rows = step
        .now
        .brokers
        .iter()
        .filter(|b| {
            step.now.brokers.len() <= 3 || mine.iter().any(|p| p.reg.replicas.contains(&b.id))
        })
        .map(|b| GridRow {
            broker: b.id,
            label: words::broker(lang, b.id),
            away: (b.process != Process::Up).then(|| process(lang, b.process)),
            cells: mine.iter().map(|p| cell(step, p, b)).collect(),
        })
        .collect();
    Overview {
        counters: counters(step, topic),
        columns,
        rows,
        legend: [
            (Sign::Leader, words::leader(lang)),
            (Sign::InIsr, words::legend_isr(lang)),
            (Sign::OutOfIsr, words::out_of_isr(lang)),
            (Sign::Down, words::legend_down(lang)),
            (Sign::Elected, words::legend_elected(lang)),
            (Sign::Led, words::legend_led(lang)),
        ]
        .to_vec(),
        corner: words::partition_corner(lang),
        panel: panel(step, chosen),
    }
}

pub(super) fn of_topic(picture: &Picture, topic: TopicId) -> Vec<&PartitionPicture> {
    picture
        .partitions
        .iter()
        .filter(|p| p.tp.topic == topic)
        .collect()
}

/// What the console shows for a replica.
pub(super) fn sign(p: &PartitionPicture, b: &BrokerPicture) -> Option<Sign> {
    Some(if p.reg.leader == Some(b.id) {
        Sign::Leader
    } else if !p.reg.replicas.contains(&b.id) {
        return None;
    } else if b.fenced != Some(false) {
        Sign::Down
    } else if p.reg.isr.contains(b.id) {
        Sign::InIsr
    } else {
        Sign::OutOfIsr
    })
}

fn cell(step: &Step, p: &PartitionPicture, b: &BrokerPicture) -> Option<GridCell> {
    let lang = step.lang;
    let sign = sign(p, b)?;
    let before = step.before.and_then(|old| row::reg(old, p.tp));
    let led_before = before.is_some_and(|r| r.leader == Some(b.id));
    let led = led_before && sign != Sign::Leader;
    let what = match sign {
        Sign::Leader => words::leader(lang),
        Sign::InIsr => words::legend_isr(lang),
        Sign::OutOfIsr => words::out_of_isr(lang),
        _ if b.process == Process::Up => words::fenced(lang),
        _ => process(lang, b.process),
    };
    Some(GridCell {
        sign,
        elected: sign == Sign::Leader && before.is_some() && !led_before,
        led,
        spoken: if led {
            state::cell_led(lang, p.tp.partition, b.id, &what)
        } else {
            state::cell(lang, p.tp.partition, b.id, &what)
        },
    })
}

/// The figures of a topic at one moment.
struct Figures {
    in_isr: usize,
    replicas: usize,
    under: Vec<Tp>,
    offline: Vec<Tp>,
    under_min: Vec<Tp>,
    at_min: usize,
    leaders: Vec<(BrokerId, Option<usize>)>,
}

fn figures(picture: &Picture, topic: TopicId) -> Figures {
    let mine = of_topic(picture, topic);
    let which = |test: &dyn Fn(&PartitionPicture) -> bool| -> Vec<Tp> {
        mine.iter().filter(|p| test(p)).map(|p| p.tp).collect()
    };
    // Replicas being added by a reassignment do not count (R-ISR-8).
    let wanted = |p: &PartitionPicture| p.reg.replicas.len() - p.reg.adding.len();
    let isr = |p: &PartitionPicture| p.reg.isr.len() as usize;
    Figures {
        in_isr: mine.iter().map(|p| isr(p)).sum(),
        replicas: mine.iter().map(|p| wanted(p)).sum(),
        under: which(&|p| isr(p) < wanted(p)),
        offline: which(&|p| p.reg.leader.is_none()),
        under_min: which(&|p| p.reg.isr.len() < p.min_isr),
        at_min: which(&|p| p.reg.isr.len() == p.min_isr).len(),
        leaders: picture
            .brokers
            .iter()
            .map(|b| {
                let leads = mine.iter().filter(|p| p.reg.leader == Some(b.id)).count();
                // A dash only for a broker that is out; 0 for a live one that leads nothing.
                let out = b.fenced != Some(false) && leads == 0;
                (b.id, (!out).then_some(leads))
            })
            .collect(),
    }
}

fn dotted(leaders: &[(BrokerId, Option<usize>)]) -> String {
    leaders
        .iter()
        .map(|(_, n)| n.map_or("—".to_string(), |n| n.to_string()))
        .collect::<Vec<_>>()
        .join(" · ")
}

pub(super) fn counters(step: &Step, topic: TopicId) -> Vec<Counter> {
    let lang = step.lang;
    let now = figures(step.now, topic);
    let old = step.before.map(|p| figures(p, topic));
    let was = |value: &dyn Fn(&Figures) -> String| {
        old.as_ref()
            .map_or_else(String::new, |f| words::was(lang, &value(f)))
    };
    let cells = |of: &[Tp], test: &dyn Fn(&PartitionPicture, BrokerId) -> bool| {
        of_topic(step.now, topic)
            .iter()
            .filter(|p| of.contains(&p.tp))
            .flat_map(|p| {
                p.reg
                    .replicas
                    .iter()
                    .filter(|b| test(p, **b))
                    .map(|b| (*b, p.tp))
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    let every: Vec<Tp> = of_topic(step.now, topic).iter().map(|p| p.tp).collect();
    let of_partitions = |kind: CounterKind, label: String, of: &[Tp], was: String| Counter {
        kind,
        value: of.len().to_string(),
        of: String::new(),
        was,
        alert: kind == CounterKind::Offline && !of.is_empty(),
        cells: cells(of, &|p, b| {
            kind == CounterKind::Offline || !p.reg.isr.contains(b)
        }),
        spoken: state::counter_partitions(lang, &label, of.len() as i64),
        label,
    };
    let in_isr = words::count_in_isr(lang);
    let all = words::of(lang, now.replicas);
    let ids: Vec<String> = now.leaders.iter().map(|(b, _)| b.to_string()).collect();
    let leaders = words::count_leaders(lang, &ids.join(" · "));
    vec![
        Counter {
            kind: CounterKind::InSync,
            value: now.in_isr.to_string(),
            was: was(&|f| f.in_isr.to_string()),
            alert: false,
            cells: cells(&every, &|p, b| p.reg.isr.contains(b)),
            spoken: state::counter(lang, &in_isr, &now.in_isr.to_string(), &all),
            label: in_isr,
            of: all,
        },
        of_partitions(
            CounterKind::UnderReplicated,
            words::count_under(lang),
            &now.under,
            was(&|f| f.under.len().to_string()),
        ),
        of_partitions(
            CounterKind::Offline,
            words::count_offline(lang),
            &now.offline,
            was(&|f| f.offline.len().to_string()),
        ),
        of_partitions(
            CounterKind::UnderMinIsr,
            words::count_under_min(lang),
            &now.under_min,
            if now.at_min > 0 {
                words::at_min(lang, now.at_min)
            } else {
                was(&|f| f.under_min.len().to_string())
            },
        ),
        Counter {
            kind: CounterKind::Leaders,
            value: dotted(&now.leaders),
            of: String::new(),
            was: was(&|f| dotted(&f.leaders)),
            alert: false,
            cells: cells(&every, &|p, b| p.reg.leader == Some(b)),
            spoken: state::counter(lang, &leaders, &dotted(&now.leaders), ""),
            label: leaders,
        },
    ]
}

/// Width of the panel's drawing.
const PANEL: i32 = 264;

fn panel(step: &Step, chosen: Tp) -> Panel {
    let lang = step.lang;
    let Some(reg) = row::reg(step.now, chosen) else {
        return Panel::default();
    };
    let brokers: Vec<&BrokerPicture> = step
        .now
        .brokers
        .iter()
        .filter(|b| reg.replicas.contains(&b.id))
        .collect();
    let (geometry, rows) = stage::rows(step, chosen, Geometry::compact(PANEL, true), &brokers);
    let order: Vec<String> = reg.replicas.iter().map(ToString::to_string).collect();
    Panel {
        title: words::partition(lang, chosen.partition),
        // The list does not break: a lone number says nothing.
        assigned: words::assigned(lang, &order.join(&format!(",{NBSP}"))),
        width: geometry.width,
        height: geometry.row_top(rows.len()),
        rows,
        note: note(step, chosen, reg).unwrap_or_default(),
    }
}

/// What is worth seeing: a follower whose own high watermark is behind its leader's (R-REP-5).
fn note(step: &Step, tp: Tp, reg: &PartitionReg) -> Option<String> {
    let leader = step.now.replica(reg.leader?, tp)?;
    reg.isr.iter().find_map(|b| {
        let own = step.now.replica(b, tp)?.high_watermark;
        (own < leader.high_watermark)
            .then(|| state::own_hw(step.lang, b, own, leader.high_watermark))
    })
}
