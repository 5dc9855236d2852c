//! Topics and settings.

use super::Controller;
use crate::kafka::config::{CleanupPolicy, ConfigError, TopicConfig};
use crate::kafka::error::KafkaError;
use crate::kafka::group::PARTITIONS;
use crate::kafka::ids::{BrokerId, BrokerSet, Epoch, PartitionEpoch, TopicId, Tp};
use crate::kafka::metadata::{ChangeReason, MetaRecord, PartitionReg, Recovery};
use crate::kafka::out::Out;
use std::rc::Rc;

/// The longest name a topic can have.
const LONGEST_NAME: usize = 249;

fn name_is_legal(name: &str) -> bool {
    !name.is_empty()
        && name != "."
        && name != ".."
        && name.len() <= LONGEST_NAME
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

impl Controller {
    /// Creates a topic with one partition for each list of replicas (R-ELE-10).
    ///
    /// # Errors
    /// TOPIC_ALREADY_EXISTS; INVALID_TOPIC_EXCEPTION for a name that cannot be;
    /// INVALID_REPLICA_ASSIGNMENT for replicas that cannot be, or of which none is active.
    pub fn create_topic(
        &mut self,
        name: &str,
        assignment: &[Vec<BrokerId>],
        config: TopicConfig,
        out: &mut Out,
    ) -> Result<TopicId, KafkaError> {
        if !name_is_legal(name) {
            return Err(KafkaError::InvalidTopic);
        }
        if self.image().topic(name).is_some() {
            return Err(KafkaError::TopicAlreadyExists);
        }
        let Ok(partitions) = u16::try_from(assignment.len()) else {
            return Err(KafkaError::InvalidReplicaAssignment);
        };
        let Ok(id) = u16::try_from(self.image().topics.len()).map(TopicId) else {
            return Err(KafkaError::PolicyViolation);
        };
        let mut regs = Vec::with_capacity(assignment.len());
        for replicas in assignment {
            self.check_assignment(replicas)?;
            let isr: BrokerSet = replicas
                .iter()
                .copied()
                .filter(|b| self.active(*b))
                .collect();
            let leader = replicas.iter().copied().find(|b| isr.contains(*b));
            if leader.is_none() || replicas.len() != assignment[0].len() {
                return Err(KafkaError::InvalidReplicaAssignment);
            }
            regs.push(PartitionReg {
                replicas: replicas.clone(),
                adding: Vec::new(),
                removing: Vec::new(),
                isr,
                elr: BrokerSet::EMPTY,
                last_known_elr: Vec::new(),
                leader,
                leader_epoch: Epoch(0),
                partition_epoch: PartitionEpoch(0),
                recovery: Recovery::Recovered,
            });
        }
        if regs.is_empty() {
            return Err(KafkaError::InvalidReplicaAssignment);
        }
        let record = MetaRecord::Topic {
            id,
            name: name.into(),
            config,
            partitions,
        };
        self.log.append(record, out.cause);
        for (partition, reg) in (0..partitions).zip(regs) {
            let tp = Tp {
                topic: id,
                partition,
            };
            self.write_change(tp, reg, ChangeReason::Created, out);
        }
        self.log.answer_parked(out);
        Ok(id)
    }

    /// Makes one partition of an internal topic, if it is not there: compacted, replicated as
    /// often as there are active brokers, at most three times (offsets.topic.replication.factor;
    /// Kafka refuses where there are fewer brokers). The partition's number decides where its
    /// replicas begin.
    pub(super) fn create_internal(&mut self, topic: &Rc<str>, partition: u16, out: &mut Out) {
        let brokers: Vec<BrokerId> = self
            .image()
            .brokers
            .keys()
            .copied()
            .filter(|b| self.active(*b))
            .collect();
        if brokers.is_empty() || partition >= PARTITIONS {
            return;
        }
        let id = match self.image().topic(topic) {
            Some(id) => id,
            None => {
                let Ok(id) = u16::try_from(self.image().topics.len()).map(TopicId) else {
                    return;
                };
                let config = TopicConfig {
                    cleanup_policy: CleanupPolicy::Compact,
                    ..TopicConfig::default()
                };
                let record = MetaRecord::Topic {
                    id,
                    name: topic.clone(),
                    config,
                    partitions: PARTITIONS,
                };
                self.log.append(record, out.cause);
                id
            }
        };
        let tp = Tp {
            topic: id,
            partition,
        };
        if self.image().partitions.contains_key(&tp) {
            return;
        }
        let replicas: Vec<BrokerId> = (0..brokers.len().min(3))
            .map(|n| brokers[(usize::from(partition) + n) % brokers.len()])
            .collect();
        let reg = PartitionReg {
            isr: replicas.iter().copied().collect(),
            leader: replicas.first().copied(),
            replicas,
            adding: Vec::new(),
            removing: Vec::new(),
            elr: BrokerSet::EMPTY,
            last_known_elr: Vec::new(),
            leader_epoch: Epoch(0),
            partition_epoch: PartitionEpoch(0),
            recovery: Recovery::Recovered,
        };
        self.write_change(tp, reg, ChangeReason::Created, out);
    }

    /// Deletes a topic: the brokers delete their replicas, and coordinators the commits for it
    /// (R-GRP-6), when they learn of it.
    ///
    /// # Errors
    /// UNKNOWN_TOPIC_OR_PARTITION.
    pub fn delete_topic(&mut self, name: &str, out: &mut Out) -> Result<TopicId, KafkaError> {
        let Some(topic) = self.image().topic(name) else {
            return Err(KafkaError::UnknownTopicOrPartition);
        };
        self.log
            .append(MetaRecord::RemoveTopic { topic }, out.cause);
        self.log.answer_parked(out);
        Ok(topic)
    }

    /// Sets (`None`: takes back) a topic's setting. min.insync.replicas also empties the ELR
    /// (R-ELR-7); unclean.leader.election.enable elects nobody by itself (R-ELE-7).
    ///
    /// # Errors
    /// [`ConfigError`] for a name or value that is not known, or a topic that is not there.
    pub fn alter_topic_config(
        &mut self,
        topic: TopicId,
        name: &str,
        value: Option<&str>,
        out: &mut Out,
    ) -> Result<(), ConfigError> {
        let Some(reg) = self.image().topic_reg(topic).filter(|t| !t.deleted) else {
            return Err(ConfigError::UnknownName { name: name.into() });
        };
        let mut config = reg.config.clone();
        config.set(name, value)?;
        self.log
            .append(MetaRecord::TopicConfig { topic, config }, out.cause);
        if name == "min.insync.replicas" {
            self.clear_elr(Some(topic), out);
        }
        self.log.answer_parked(out);
        Ok(())
    }

    /// Sets (`None`: takes back) a broker's dynamic setting.
    ///
    /// # Errors
    /// [`ConfigError`] for a name or value that is not known.
    pub fn alter_broker_config(
        &mut self,
        broker: BrokerId,
        name: &str,
        value: Option<&str>,
        out: &mut Out,
    ) -> Result<(), ConfigError> {
        let configs = &self.image().broker_configs;
        let mut config = configs.get(&broker).cloned().unwrap_or_default();
        config.set(name, value)?;
        self.log
            .append(MetaRecord::BrokerConfig { broker, config }, out.cause);
        self.log.answer_parked(out);
        Ok(())
    }
}
