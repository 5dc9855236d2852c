//! What a world starts from.

use crate::kafka::config::ServerConfig;
use crate::kafka::ids::{BrokerId, Ms};
use crate::kafka::switches::Switches;
use std::rc::Rc;

/// What a world starts from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The brokers, each with its rack.
    pub brokers: Vec<(BrokerId, Option<Rc<str>>)>,
    /// Settings of all brokers and of the controller.
    pub server: ServerConfig,
    /// All settings of a broker whose settings are its own.
    pub broker_settings: Vec<(BrokerId, ServerConfig)>,
    /// Historic switches.
    pub switches: Switches,
    /// How long a message takes, ms.
    pub link_delay: Ms,
    /// Extra time of a message, drawn from 0..=this with the seed, ms.
    pub link_jitter: Ms,
    /// Where chance (jitter only) starts from.
    pub seed: u64,
    /// No clock: nothing moves unless a command moves it (search, historic scripts).
    pub by_hand: bool,
    /// Whether all brokers are started, registered and unfenced at the start.
    pub started: bool,
    /// How closely the invariants are watched.
    pub checks: Checks,
}

/// How closely the invariants are watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Checks {
    /// Where debug assertions are on (tests) as `Full`, and a violation ends the program if all
    /// switches are on; else as `Cheap` (the page).
    #[default]
    ByBuild,
    /// After every input of a node, at the end of each log it touched.
    Cheap,
    /// And after every command, everything at every record.
    Full,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            brokers: [1, 2, 3].map(|b| (BrokerId(b), None)).to_vec(),
            server: ServerConfig::default(),
            broker_settings: Vec::new(),
            switches: Switches::default(),
            link_delay: Ms(1),
            link_jitter: Ms(0),
            seed: 0,
            by_hand: false,
            started: true,
            checks: Checks::ByBuild,
        }
    }
}
