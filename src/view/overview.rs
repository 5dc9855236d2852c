//! The topic as a cluster console shows it (R6): counters, brokers × partitions, one partition.

use super::Step;
use super::stage::Row;
use crate::kafka::ids::{BrokerId, TopicId, Tp};

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

/// The console of a topic, with a partition chosen.
pub fn overview(step: &Step, topic: TopicId, chosen: Tp) -> Overview {
    let _ = (step, topic, chosen);
    Overview::default()
}
