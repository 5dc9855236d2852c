//! A cluster in a few words.

use highwater::kafka::batch::NewRecord;
use highwater::kafka::client::settings::ProducerSettings;
use highwater::kafka::event::{Event, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, NodeId};
use highwater::world::World;
use highwater::world::command::*;
use highwater::world::picture::*;
use highwater::world::setup::Setup;

pub struct Cluster {
    pub world: World,
    /// All events since the start.
    pub events: Vec<Event>,
}

pub const P0: u16 = 0;

pub fn partition(number: u16) -> PartitionName {
    PartitionName {
        topic: "orders".into(),
        partition: number,
    }
}

pub fn set(brokers: &[u8]) -> BrokerSet {
    brokers.iter().map(|b| BrokerId(*b)).collect()
}

impl Cluster {
    /// Three brokers; topic `orders` with this min.insync.replicas and these assignments.
    pub fn new(min_isr: u32, assignment: &[[u8; 3]], server: &[(&str, &str)]) -> Cluster {
        let mut setup = Setup::default();
        for (name, value) in server {
            setup.server.set(name, value).expect("a server setting");
        }
        let mut cluster = Cluster {
            world: World::new(setup),
            events: Vec::new(),
        };
        cluster.run(Command::CreateTopic {
            name: "orders".into(),
            assignment: assignment
                .iter()
                .map(|list| list.map(BrokerId).to_vec())
                .collect(),
            config: vec![("min.insync.replicas".into(), min_isr.to_string().into())],
        });
        cluster.settle();
        cluster
    }

    pub fn orders(min_isr: u32) -> Cluster {
        Cluster::new(min_isr, &[[1, 2, 3]], &[])
    }

    pub fn run(&mut self, command: Command) -> Ticket {
        let applied = self
            .world
            .apply(&command)
            .unwrap_or_else(|refusal| panic!("{command:?}: {refusal:?}"));
        self.events.extend(applied.events);
        applied.ticket.expect("every command has a ticket")
    }

    pub fn settle(&mut self) {
        self.run(Command::Settle {
            quiet: Ms(1_500),
            limit: Ms(120_000),
        });
    }

    pub fn advance(&mut self, ms: i64) {
        self.run(Command::Advance(Ms(ms)));
    }

    pub fn until(&mut self, condition: Condition) {
        self.run(Command::Until {
            condition,
            limit: Ms(120_000),
        });
    }

    pub fn until_event(&mut self, kind: &str, fields: &[(&str, &str)]) {
        let fields = fields
            .iter()
            .map(|(k, v)| ((*k).into(), (*v).into()))
            .collect();
        self.until(Condition::Event {
            kind: kind.into(),
            fields,
        });
    }

    pub fn producer(&mut self, client: &str, acks: Acks, retries: u32) {
        let settings = ProducerSettings {
            acks,
            idempotent: acks == Acks::All && retries > 0,
            retries,
            ..ProducerSettings::default()
        };
        self.run(Command::Producer {
            client: client.into(),
            settings,
        });
    }

    pub fn produce(&mut self, client: &str, value: &str) -> Ticket {
        let records = vec![NewRecord::value(value)];
        self.run(Command::Produce {
            client: client.into(),
            partition: partition(P0),
            records,
        })
    }

    pub fn kill(&mut self, broker: u8) {
        self.run(Command::Kill {
            broker: BrokerId(broker),
            keep: Keep::Everything,
        });
    }

    pub fn freeze(&mut self, broker: u8) {
        self.run(Command::Freeze {
            broker: BrokerId(broker),
        });
    }

    pub fn thaw(&mut self, broker: u8) {
        self.run(Command::Thaw {
            broker: BrokerId(broker),
        });
    }

    pub fn start(&mut self, broker: u8) {
        self.run(Command::Start {
            broker: BrokerId(broker),
        });
    }

    /// A follower and the leader do not hear each other any more, or do again.
    pub fn cut(&mut self, a: u8, b: u8, cut: bool) {
        let (a, b) = (NodeId::Broker(BrokerId(a)), NodeId::Broker(BrokerId(b)));
        for (from, to) in [(a, b), (b, a)] {
            self.run(if cut {
                Command::Cut { from, to }
            } else {
                Command::Heal { from, to }
            });
        }
    }

    pub fn picture(&self) -> Picture {
        self.world.picture()
    }

    pub fn replica(&self, broker: u8) -> ReplicaPicture {
        let picture = self.picture();
        let tp = picture.partition(&partition(P0)).expect("orders-0").tp;
        picture
            .replica(BrokerId(broker), tp)
            .expect("a replica")
            .clone()
    }

    pub fn values(&self, broker: u8) -> Vec<String> {
        self.replica(broker)
            .records
            .iter()
            .map(|r| r.value.as_deref().unwrap_or("").to_owned())
            .collect()
    }

    pub fn leader(&self) -> Option<u8> {
        self.picture()
            .partition(&partition(P0))
            .expect("orders-0")
            .reg
            .leader
            .map(|b| b.0)
    }

    pub fn isr(&self) -> BrokerSet {
        self.picture()
            .partition(&partition(P0))
            .expect("orders-0")
            .reg
            .isr
    }

    pub fn wait_isr(&mut self, brokers: &[u8]) {
        self.until(Condition::Isr(partition(P0), set(brokers)));
    }

    pub fn wait_leader(&mut self, broker: u8) {
        self.until(Condition::Leader(partition(P0), Some(BrokerId(broker))));
    }

    pub fn lost(&self) -> Vec<String> {
        self.picture()
            .lost
            .iter()
            .map(|l| l.value.as_deref().unwrap_or("").to_owned())
            .collect()
    }

    /// When the first event that fits happened, ms.
    pub fn at(&self, fits: impl Fn(&EventKind) -> bool) -> Option<i64> {
        self.events.iter().find(|e| fits(&e.kind)).map(|e| e.at.0)
    }
}
