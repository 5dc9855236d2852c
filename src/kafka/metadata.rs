//! The controller's metadata log and the image that a node has of it. Image = the records up to
//! an offset, applied in order; the controller and each broker have the same image at the same
//! offset, but not at the same time.

use super::config::{BrokerConfig, TopicConfig};
use super::ids::*;
use crate::kafka::map::Map;
use std::rc::Rc;

/// Whether the leader's log may lack committed records (LeaderRecoveryState, R-ELE-3, R-ELE-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Recovery {
    /// Nothing known to be missing.
    #[default]
    Recovered,
    /// Elected unclean (or as the last known leader); not yet changed by its leader.
    Recovering,
}

/// What the controller knows of a partition (PartitionRegistration).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartitionReg {
    /// Assigned brokers in assignment order; the first is the preferred leader.
    pub replicas: Vec<BrokerId>,
    /// Replicas being added by a reassignment.
    pub adding: Vec<BrokerId>,
    /// Replicas being removed by a reassignment.
    pub removing: Vec<BrokerId>,
    /// In-sync replicas.
    pub isr: BrokerSet,
    /// Eligible leader replicas (KIP-966).
    pub elr: BrokerSet,
    /// The leader at the time the partition became leaderless, with ELR on (R-ELR-4).
    pub last_known_elr: Vec<BrokerId>,
    /// The leader; `None` is Kafka's -1.
    pub leader: Option<BrokerId>,
    /// The leader epoch.
    pub leader_epoch: Epoch,
    /// The partition epoch.
    pub partition_epoch: PartitionEpoch,
    /// Recovery state of the leader.
    pub recovery: Recovery,
}

/// What the controller knows of a broker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BrokerReg {
    /// The broker epoch of its present registration.
    pub epoch: BrokerEpoch,
    /// Which start of the broker this is (Kafka: a random incarnation id).
    pub incarnation: u32,
    /// Held fenced: not in any ISR, not electable.
    pub fenced: bool,
    /// Has been granted a controlled shutdown that has not ended.
    pub in_controlled_shutdown: bool,
    /// broker.rack
    pub rack: Option<Rc<str>>,
}

impl BrokerReg {
    /// Registered, unfenced and not shutting down (ClusterControlManager.isActive).
    pub fn active(&self) -> bool {
        !self.fenced && !self.in_controlled_shutdown
    }
}

/// A topic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TopicReg {
    /// Its name.
    pub name: Rc<str>,
    /// Its own settings.
    pub config: TopicConfig,
    /// How many partitions it has.
    pub partitions: u16,
    /// It was deleted: its number and name are kept for what still tells of it.
    pub deleted: bool,
}

/// Why the controller wrote a partition change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeReason {
    /// The topic was created.
    Created,
    /// The leader asked (AlterPartition).
    AlterPartition {
        /// The leader that asked.
        by: BrokerId,
    },
    /// A broker's session ran out.
    Fenced(BrokerId),
    /// A broker was unfenced.
    Unfenced(BrokerId),
    /// A broker asked to shut down.
    ControlledShutdown(BrokerId),
    /// A broker registered anew after an unclean stop (R-FEN-8).
    UncleanRegistration(BrokerId),
    /// ElectLeaders by an administrator.
    ElectLeaders {
        /// UNCLEAN rather than PREFERRED.
        unclean: bool,
    },
    /// The periodic preferred balancing (R-PLE-1).
    Balance,
    /// The periodic unclean election (R-ELE-7).
    UncleanTask,
    /// An administrator's reassignment, or its cancelling.
    Reassign,
    /// A replica got a new log directory (R-EPO-1).
    LogDirectory(BrokerId),
}

/// One record of the metadata log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MetaRecord {
    /// A broker registered (it starts fenced).
    RegisterBroker {
        /// Who.
        id: BrokerId,
        /// Its registration.
        reg: BrokerReg,
    },
    /// A registered broker changed state.
    BrokerChange {
        /// Who.
        id: BrokerId,
        /// New fenced state, if changed.
        fenced: Option<bool>,
        /// New controlled-shutdown state, if changed.
        in_controlled_shutdown: Option<bool>,
    },
    /// A topic was created (its partitions follow).
    Topic {
        /// Its id.
        id: TopicId,
        /// Its name.
        name: Rc<str>,
        /// Its settings.
        config: TopicConfig,
        /// Number of partitions.
        partitions: u16,
    },
    /// A topic was deleted, and with it its partitions. Its id is not given out again.
    RemoveTopic {
        /// Which.
        topic: TopicId,
    },
    /// A partition is new or changed: its whole state after the record.
    Partition {
        /// Which.
        tp: Tp,
        /// The state after this record.
        reg: Rc<PartitionReg>,
        /// Why.
        why: ChangeReason,
    },
    /// A topic's setting changed.
    TopicConfig {
        /// Which topic.
        topic: TopicId,
        /// All its settings after the change.
        config: TopicConfig,
    },
    /// A broker's dynamic setting changed.
    BrokerConfig {
        /// Which broker.
        broker: BrokerId,
        /// All its dynamic settings after the change.
        config: BrokerConfig,
    },
    /// The cluster-wide min.insync.replicas (R-ELR-8).
    ClusterMinIsr(i32),
    /// The ELR of a topic's partitions (or of all) was emptied by a change of
    /// min.insync.replicas; no epoch moves (R-ELR-7).
    ClearElr {
        /// The topic; `None` for all.
        topic: Option<TopicId>,
    },
}

/// A node's image of the metadata log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Image {
    /// The offset of the last record in it; -1 when nothing has been applied.
    pub offset: MetaOffset,
    /// Registered brokers.
    pub brokers: Map<BrokerId, BrokerReg>,
    /// Topics by id (the position).
    pub topics: Vec<Rc<TopicReg>>,
    /// Partitions.
    pub partitions: Map<Tp, Rc<PartitionReg>>,
    /// Dynamic settings of brokers.
    pub broker_configs: Map<BrokerId, BrokerConfig>,
    /// Cluster-wide min.insync.replicas, if set dynamically.
    pub cluster_min_isr: Option<i32>,
}

impl Image {
    /// An image before the first record.
    pub fn empty() -> Self {
        Image {
            offset: MetaOffset(-1),
            ..Image::default()
        }
    }

    /// Applies the next record.
    pub fn apply(&mut self, record: &MetaRecord) {
        self.offset.0 += 1;
        match record {
            MetaRecord::RegisterBroker { id, reg } => {
                self.brokers.insert(*id, reg.clone());
            }
            MetaRecord::BrokerChange {
                id,
                fenced,
                in_controlled_shutdown,
            } => {
                if let Some(reg) = self.brokers.get_mut(id) {
                    reg.fenced = fenced.unwrap_or(reg.fenced);
                    reg.in_controlled_shutdown =
                        in_controlled_shutdown.unwrap_or(reg.in_controlled_shutdown);
                }
            }
            MetaRecord::Topic {
                id,
                name,
                config,
                partitions,
            } => {
                debug_assert_eq!(
                    id.0 as usize,
                    self.topics.len(),
                    "topics are numbered in order of creation"
                );
                self.topics.push(Rc::new(TopicReg {
                    name: name.clone(),
                    config: config.clone(),
                    partitions: *partitions,
                    deleted: false,
                }));
            }
            MetaRecord::RemoveTopic { topic } => {
                if let Some(reg) = self.topics.get_mut(topic.0 as usize) {
                    Rc::make_mut(reg).deleted = true;
                }
                self.partitions.retain(|tp, _| tp.topic != *topic);
            }
            MetaRecord::Partition { tp, reg, .. } => {
                self.partitions.insert(*tp, reg.clone());
            }
            MetaRecord::TopicConfig { topic, config } => {
                if let Some(reg) = self.topics.get_mut(topic.0 as usize) {
                    Rc::make_mut(reg).config = config.clone();
                }
            }
            MetaRecord::BrokerConfig { broker, config } => {
                self.broker_configs.insert(*broker, config.clone());
            }
            MetaRecord::ClusterMinIsr(n) => self.cluster_min_isr = Some(*n),
            MetaRecord::ClearElr { topic } => {
                for (tp, reg) in &mut self.partitions {
                    if topic.is_none_or(|t| t == tp.topic)
                        && !(reg.elr.is_empty() && reg.last_known_elr.is_empty())
                    {
                        let reg = Rc::make_mut(reg);
                        reg.elr = BrokerSet::EMPTY;
                        reg.last_known_elr.clear();
                    }
                }
            }
        }
    }

    /// The topic of this name, if it is not deleted.
    pub fn topic(&self, name: &str) -> Option<TopicId> {
        self.topics
            .iter()
            .position(|t| &*t.name == name && !t.deleted)
            .map(|i| TopicId(i as u16))
    }

    /// A topic's registration, also if it is deleted.
    pub fn topic_reg(&self, id: TopicId) -> Option<&TopicReg> {
        self.topics.get(id.0 as usize).map(|t| &**t)
    }

    /// Effective min.insync.replicas of a partition: the setting, at most the number of assigned
    /// replicas (R-HW-14).
    pub fn effective_min_isr(&self, tp: Tp, static_default: i32) -> u32 {
        let set = self
            .topic_reg(tp.topic)
            .and_then(|t| t.config.min_insync_replicas)
            .or(self.cluster_min_isr)
            .unwrap_or(static_default);
        let replicas = self.partitions.get(&tp).map_or(1, |p| p.replicas.len());
        (set.max(1) as u32).min(replicas as u32)
    }

    /// `orders-0` for a partition; `?` for an unknown topic.
    pub fn partition_name(&self, tp: Tp) -> String {
        let topic = self.topic_reg(tp.topic).map_or("?", |t| &t.name);
        format!("{topic}-{}", tp.partition)
    }
}
