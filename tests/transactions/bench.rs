//! A cluster with transactional producers in a few words.

use highwater::kafka::batch::{Control, NewRecord};
use highwater::kafka::client::settings::ProducerSettings;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::{Event, EventKind};
use highwater::kafka::ids::*;
use highwater::kafka::transaction::message::{TransactionState, TransactionView};
use highwater::world::World;
use highwater::world::command::*;
use highwater::world::picture::*;
use highwater::world::setup::Setup;

pub struct Bench {
    pub world: World,
    pub events: Vec<Event>,
}

pub fn partition(number: u16) -> PartitionName {
    PartitionName {
        topic: "orders".into(),
        partition: number,
    }
}

impl Bench {
    /// So many brokers; topic `orders` with one partition for each list of replicas.
    pub fn new(brokers: u8, assignment: &[&[u8]], server: &[(&str, &str)]) -> Bench {
        let mut setup = Setup {
            brokers: (1..=brokers).map(|b| (BrokerId(b), None)).collect(),
            ..Setup::default()
        };
        for (name, value) in server {
            setup.server.set(name, value).expect("a server setting");
        }
        let mut bench = Bench {
            world: World::new(setup),
            events: Vec::new(),
        };
        bench.run(Command::CreateTopic {
            name: "orders".into(),
            assignment: assignment
                .iter()
                .map(|list| list.iter().map(|b| BrokerId(*b)).collect())
                .collect(),
            config: vec![],
        });
        bench.settle();
        bench
    }

    pub fn one() -> Bench {
        Bench::new(1, &[&[1]], &[])
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

    /// Runs a command until it is answered; its reply.
    pub fn ask(&mut self, command: Command) -> Reply {
        let ticket = self.run(command);
        self.run(Command::Until {
            condition: Condition::Replied(ticket),
            limit: Ms(120_000),
        });
        self.world.reply(ticket).expect("a reply").clone()
    }

    pub fn producer(&mut self, client: &str, transactional_id: Option<&str>) {
        self.producer_with(client, transactional_id, 60_000);
    }

    pub fn producer_with(&mut self, client: &str, transactional_id: Option<&str>, timeout: i64) {
        let settings = ProducerSettings {
            transactional_id: transactional_id.map(Into::into),
            transaction_timeout: Ms(timeout),
            linger: Ms(0),
            idempotent: transactional_id.is_some(),
            ..ProducerSettings::default()
        };
        let client = client.into();
        self.run(Command::Producer { client, settings });
    }

    pub fn init(&mut self, client: &str) -> Result<(), TransactionException> {
        let client = client.into();
        transaction(self.ask(Command::InitTransactions { client }))
    }

    pub fn begin(&mut self, client: &str) {
        let client = client.into();
        let reply = self.ask(Command::BeginTransaction { client });
        assert_eq!(reply, Reply::Transaction(Ok(())));
    }

    pub fn end(&mut self, client: &str, commit: bool) -> Result<(), TransactionException> {
        let client = client.into();
        transaction(self.ask(Command::EndTransaction { client, commit }))
    }

    /// A producer that has its id: made and initialised.
    pub fn ready(&mut self, client: &str, transactional_id: &str) {
        self.producer(client, Some(transactional_id));
        self.init(client).expect("initialised");
    }

    pub fn send_to(&mut self, client: &str, number: u16, value: &str) -> Result<i64, KafkaError> {
        let reply = self.ask(Command::Produce {
            client: client.into(),
            partition: partition(number),
            records: vec![NewRecord::value(value)],
        });
        match reply {
            Reply::Produced(offsets) => Ok(offsets[0].expect("a number").0),
            Reply::Failed(error, _) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    pub fn send(&mut self, client: &str, value: &str) -> Result<i64, KafkaError> {
        self.send_to(client, 0, value)
    }

    pub fn picture(&self) -> Picture {
        self.world.picture()
    }

    /// The replica at the partition's leader.
    pub fn leader(&self, number: u16) -> ReplicaPicture {
        let picture = self.picture();
        let at = picture
            .partition(&partition(number))
            .expect("the partition");
        let leader = at.reg.leader.expect("a leader");
        picture.replica(leader, at.tp).expect("a replica").clone()
    }

    /// (high watermark, last stable offset) at the leader.
    pub fn ends(&self) -> (i64, i64) {
        let leader = self.leader(0);
        (leader.high_watermark.0, leader.last_stable.0)
    }

    /// The leader's log in words: `0 a`, `1 COMMIT@1` with the marker's producer epoch.
    pub fn log(&self, number: u16) -> Vec<String> {
        let word = |r: &RecordPicture| match (r.control, &r.value, r.stamp) {
            (Some(Control::Commit), _, Some((_, e, _))) => format!("COMMIT@{e}"),
            (Some(Control::Abort), _, Some((_, e, _))) => format!("ABORT@{e}"),
            (_, Some(value), Some((_, e, _))) => format!("{value}@{e}"),
            (_, Some(value), None) => value.to_string(),
            _ => "?".to_string(),
        };
        self.leader(number).records.iter().map(word).collect()
    }

    pub fn describe(&self, id: &str) -> TransactionView {
        let all = self.picture().transactions;
        let mut views = all.into_iter().map(|t| t.view);
        views
            .find(|v| &*v.transactional_id == id)
            .expect("described")
    }

    /// State, producer epoch and partitions by name.
    pub fn state(&self, id: &str) -> (TransactionState, i16, Vec<String>) {
        let view = self.describe(id);
        let picture = self.picture();
        let name = |tp: &Tp| {
            let at = picture.partitions.iter().find(|p| p.tp == *tp);
            let name = &at.expect("a partition").name;
            format!("{}-{}", name.topic, name.partition)
        };
        let partitions = view.partitions.iter().map(name).collect();
        (view.state, view.producer.epoch, partitions)
    }

    pub fn coordinator(&self, id: &str) -> u8 {
        let all = self.picture().transactions;
        let one = all.iter().find(|t| &*t.view.transactional_id == id);
        one.expect("coordinated").coordinator.0
    }

    /// The states a transaction went through.
    pub fn states(&self, of: &str) -> Vec<&'static str> {
        let changed = |e: &Event| match &e.kind {
            EventKind::TransactionChanged { id, to, .. } if &**id == of => Some(to.name()),
            _ => None,
        };
        self.events.iter().filter_map(changed).collect()
    }
}

fn transaction(reply: Reply) -> Result<(), TransactionException> {
    match reply {
        Reply::Transaction(result) => result,
        other => panic!("{other:?}"),
    }
}
