//! What outlives a broker's process.

use super::{Broker, Common, Lifecycle, Quota};
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::map::Map;
use crate::kafka::metadata::Image;
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::partition::Replica;
use std::rc::Rc;

/// A broker's disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Disk {
    /// The logs.
    pub logs: Map<Tp, Log>,
    /// The high watermark checkpoint file.
    pub checkpoint: Map<Tp, Boundary>,
    /// The metadata log as far as it was fetched.
    pub image: Rc<Image>,
    /// The broker epoch written at a clean shutdown; `None` after a crash (R-FEN-8).
    pub clean_epoch: Option<BrokerEpoch>,
    /// Newly formatted: its directory id is not the one the controller knows.
    pub new_directory: bool,
}

impl Disk {
    /// A newly formatted disk.
    pub fn empty(new_directory: bool) -> Self {
        Disk {
            logs: Map::new(),
            checkpoint: Map::new(),
            image: Rc::new(Image::empty()),
            clean_epoch: None,
            new_directory,
        }
    }
}

impl Broker {
    /// Starts a process on a disk. It registers, replays the metadata log up to its own
    /// registration and only then acts on it.
    pub fn boot(
        id: BrokerId,
        incarnation: u32,
        rack: Option<Rc<str>>,
        disk: Disk,
        common: Rc<Common>,
        out: &mut Out,
    ) -> Self {
        let replicas = disk
            .logs
            .into_iter()
            .map(|(tp, mut log)| {
                log.load(disk.checkpoint.get(&tp).copied().unwrap_or(Boundary(0)));
                (tp, Replica::new(tp, log))
            })
            .collect();
        let mut broker = Broker {
            id,
            incarnation,
            rack,
            epoch: None,
            lifecycle: Lifecycle::Registering,
            image: Rc::new(Image::empty()),
            replicas,
            checkpoint: disk.checkpoint,
            common,
            seen: disk.image,
            previous_epoch: disk.clean_epoch,
            new_directory: disk.new_directory,
            fetchers: Map::new(),
            parked: Vec::new(),
            requests: Map::new(),
            quota: Quota::default(),
            shards: Map::new(),
            transactions: Default::default(),
            booted: out.now,
            cleaner: false,
        };
        if !broker.common.switches.restart_catches_up_metadata {
            // The trap: it acts on what it last knew, be that older than its own end.
            broker.publish_all(out);
        }
        broker.register(out);
        broker.fetch_metadata(out);
        let server = &broker.common.server;
        let shrink = Ms((server.replica_lag_time_max.0 / 2).max(1));
        let checkpoint = server.high_watermark_checkpoint_interval;
        broker.remind(out.now.plus(shrink), BrokerTimer::IsrShrinkCheck, out);
        broker.remind(
            out.now.plus(checkpoint),
            BrokerTimer::HighWatermarkCheckpoint,
            out,
        );
        let first = broker.common.server.initial_task_delay;
        broker.remind(out.now.plus(first), BrokerTimer::Retention, out);
        let producers = broker.common.server.producer_id_expiration_check_interval;
        broker.remind(
            out.now.plus(producers),
            BrokerTimer::ProducerExpiration,
            out,
        );
        broker
    }

    /// Ends the process. `clean`: checkpoints are written and the clean shutdown is noted.
    pub fn stop(mut self, clean: bool) -> Disk {
        if clean {
            self.write_checkpoint();
        }
        Disk {
            logs: self
                .replicas
                .into_iter()
                .map(|(tp, r)| (tp, r.log))
                .collect(),
            checkpoint: self.checkpoint,
            image: self.seen,
            clean_epoch: self.epoch.filter(|_| clean),
            new_directory: self.new_directory && self.epoch.is_none(),
        }
    }
}
