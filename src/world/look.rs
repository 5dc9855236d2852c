//! Looking at a world: its [`Picture`].

use super::World;
use super::client_node::{ClientNode, Kind};
use super::machine::{Machine, MachineState};
use super::picture::*;
use super::store::Store;
use crate::kafka::batch::Batch;
use crate::kafka::client::consumer::Consumer;
use crate::kafka::client::producer::SendViewState;
use crate::kafka::ids::*;
use crate::kafka::log::Log;
use crate::kafka::message::{Body, Message, NodeId};
use crate::kafka::partition::{Context, Replica, Role};
use std::rc::Rc;

/// The name of a message in Kafka's protocol.
pub fn name(body: &Body) -> &'static str {
    match body {
        Body::Register { .. } => "BrokerRegistration",
        Body::Registered(_) => "BrokerRegistrationAnswer",
        Body::Heartbeat { .. } => "BrokerHeartbeat",
        Body::HeartbeatAnswer(_) => "BrokerHeartbeatAnswer",
        Body::AlterPartition { .. } => "AlterPartition",
        Body::AlterPartitionAnswer { .. } => "AlterPartitionAnswer",
        Body::AssignDirectory { .. } => "AssignReplicasToDirs",
        Body::AssignDirectoryAnswer => "AssignReplicasToDirsAnswer",
        Body::MetaFetch { .. } => "MetadataFetch",
        Body::MetaAnswer(_) => "MetadataRecords",
        Body::Fetch(_) => "Fetch",
        Body::FetchAnswer(_) => "FetchAnswer",
        Body::Produce { .. } => "Produce",
        Body::ProduceAnswer { .. } => "ProduceAnswer",
        Body::ListOffsets { .. } => "ListOffsets",
        Body::ListOffsetsAnswer { .. } => "ListOffsetsAnswer",
        Body::EpochEnd { .. } => "OffsetForLeaderEpoch",
        Body::EpochEndAnswer { .. } => "OffsetForLeaderEpochAnswer",
        Body::DeleteRecords { .. } => "DeleteRecords",
        Body::DeleteRecordsAnswer { .. } => "DeleteRecordsAnswer",
        Body::Metadata => "Metadata",
        Body::MetadataAnswer(_) => "MetadataAnswer",
        Body::Group(request) => request.name(),
        Body::GroupAnswer(_) => "GroupAnswer",
        Body::Transaction(request) => request.name(),
        Body::TransactionAnswer(_) => "TransactionAnswer",
        Body::CreateInternal { .. } => "CreateTopics",
        Body::CreateInternalAnswer => "CreateTopicsAnswer",
        Body::Disconnected => "Disconnected",
    }
}

fn records(batches: &[Batch]) -> Vec<RecordPicture> {
    let one = |batch: &Batch, at: usize| {
        let record = &batch.records[at];
        RecordPicture {
            offset: record.offset,
            epoch: batch.epoch,
            timestamp: record.timestamp,
            key: record.key.clone(),
            value: record.value.clone(),
            control: batch.control,
            transactional: batch.transactional,
            delete_horizon: batch.delete_horizon.is_some(),
            stamp: batch.stamp.map(|s| {
                let sequence = s
                    .base_sequence
                    .wrapping_add((record.offset.0 - batch.base.0) as i32)
                    & i32::MAX;
                (s.producer_id, s.epoch, sequence)
            }),
        }
    };
    batches
        .iter()
        .flat_map(|b| (0..b.records.len()).map(move |at| one(b, at)))
        .collect()
}

fn log_picture(tp: Tp, log: &Log, checkpoint: Option<&Boundary>) -> ReplicaPicture {
    ReplicaPicture {
        tp,
        role: RolePicture::Down,
        leader_epoch: log.latest_epoch().unwrap_or(Epoch(-1)),
        log_start: log.start(),
        log_end: log.end(),
        high_watermark: log.high_watermark(),
        last_stable: log.last_stable(),
        checkpointed_high_watermark: checkpoint.copied().unwrap_or(Boundary(0)),
        epochs: log.epochs().entries().to_vec(),
        first_unstable: log.first_unstable(),
        segments: log.segments().map(|s| (s.base, s.bytes)).collect(),
        cleaned_to: log.cleaned_to(),
        empty_batches: log
            .batches()
            .iter()
            .filter(|b| b.records.is_empty())
            .map(|b| (b.base, b.last))
            .collect(),
        records: records(log.batches()),
        cut: Vec::new(),
    }
}

fn role(replica: &Replica, now: Ms, ctx: Context<'_>) -> RolePicture {
    let end = replica.log.end();
    match &replica.role {
        Role::Follower(follower) => RolePicture::Follower(follower.leader),
        Role::Leader(leader) => RolePicture::Leader(LeaderPicture {
            isr: leader.isr,
            maximal_isr: leader.maximal_isr(),
            asked: leader.pending.as_ref().map(|p| p.asked),
            epoch_start: leader.epoch_start,
            remotes: leader
                .remotes
                .iter()
                .map(|(broker, remote)| RemotePicture {
                    broker: *broker,
                    log_end: remote.log_end,
                    caught_up: remote.caught_up(end, now, ctx.server.replica_lag_time_max),
                })
                .collect(),
            terms: leader.terms(end, now, ctx),
            waiting: leader
                .waiting
                .iter()
                .filter_map(|w| match w.from {
                    NodeId::Client(client) => Some((client, w.until)),
                    _ => None,
                })
                .collect(),
        }),
    }
}

fn member_picture(client: &ClientNode, consumer: &Consumer) -> MemberPicture {
    let view = consumer.membership();
    let processed = client.app.processed_next.iter();
    MemberPicture {
        life: client.life,
        group: view.group,
        protocol: consumer.settings().protocol,
        read_committed: consumer.settings().read_committed,
        offset_reset: consumer.settings().offset_reset,
        subscribed: view.subscribed,
        id: view.member,
        generation: view.generation,
        assignment: consumer.assignment(),
        paused: consumer.paused(),
        processed_next: processed.map(|(tp, at)| (*tp, *at)).collect(),
        records_lag: consumer.records_lag(),
        records_lead: consumer.records_lead(),
        committed: consumer.committed(),
    }
}

fn store_picture(name: &Rc<str>, store: &Store) -> StorePicture {
    StorePicture {
        name: name.clone(),
        effects: store
            .effects
            .iter()
            .map(|e| EffectPicture {
                tp: e.tp,
                offset: e.offset,
                key: e.key.clone(),
                times: e.times,
            })
            .collect(),
        outside: store.outside.iter().map(|(tp, at)| (*tp, *at)).collect(),
    }
}

fn message_picture(message: &Message, due: Option<Ms>) -> MessagePicture {
    let (about, carried) = match &message.body {
        Body::Fetch(request) => (request.parts.first().map(|p| (p.tp, p.offset)), 0),
        Body::FetchAnswer(parts) => {
            let count = |p: &crate::kafka::message::FetchedPart| {
                p.result.as_ref().map_or(0, |f| {
                    f.batches.iter().map(|b| b.records.len() as u32).sum()
                })
            };
            (
                parts.first().map(|p| (p.tp, p.offset)),
                parts.iter().map(count).sum(),
            )
        }
        Body::Produce { tp, batch, .. } => (Some((*tp, Boundary(-1))), batch.records.len() as u32),
        Body::ProduceAnswer { tp, result, .. } => (
            Some((*tp, result.map_or(Boundary(-1), |base| base.before()))),
            0,
        ),
        _ => (None, 0),
    };
    MessagePicture {
        from: message.from,
        to: message.to,
        due,
        what: name(&message.body),
        about,
        records: carried,
        cause: message.cause.0,
    }
}

impl World {
    /// What it looks like now.
    pub fn picture(&self) -> Picture {
        let image = self.controller.image();
        let server = &self.common.server;
        let partitions = image
            .partitions
            .iter()
            .map(|(tp, reg)| PartitionPicture {
                tp: *tp,
                name: self.partition_name(*tp),
                reg: reg.clone(),
                min_isr: image.effective_min_isr(*tp, server.min_insync_replicas),
            })
            .collect();
        let brokers = self
            .machines
            .iter()
            .map(|(id, machine)| self.broker_picture(*id, machine))
            .collect();
        let mut messages: Vec<MessagePicture> = self
            .net
            .in_flight()
            .map(|(at, m)| message_picture(m, Some(at)))
            .collect();
        messages.extend(self.net.pending.iter().map(|m| message_picture(m, None)));
        for link in self.net.links.values() {
            messages.extend(link.held.iter().flatten().map(|m| message_picture(m, None)));
        }
        let lost = self.ghost.confirmed.iter().flat_map(|(tp, all)| {
            all.iter().filter(|r| r.lost).map(|r| LostRecord {
                tp: *tp,
                offset: r.offset,
                value: r.value.clone(),
                still_on: self.holders(*tp, r.offset, r.epoch),
            })
        });
        Picture {
            now: self.now,
            partitions,
            brokers,
            controller: image.clone(),
            clients: self
                .clients
                .iter()
                .enumerate()
                .map(|(at, _)| self.client_picture(at))
                .collect(),
            stores: self
                .stores
                .iter()
                .map(|(name, s)| store_picture(name, s))
                .collect(),
            transactions: self.transaction_pictures(),
            messages,
            lost: lost.collect(),
            groups: self.group_pictures(),
            violations: self
                .violations
                .0
                .iter()
                .map(|v| (v.id, v.text.clone()))
                .collect(),
        }
    }

    /// Of the coordinators that the controller names: one that was cut off tells nothing here.
    fn group_pictures(&self) -> Vec<GroupPicture> {
        let image = self.controller.image();
        let mut all = Vec::new();
        for (id, machine) in &self.machines {
            let Some(broker) = machine.broker() else {
                continue;
            };
            for (tp, view) in broker.groups() {
                let leader = image.partitions.get(&tp).and_then(|reg| reg.leader);
                if leader == Some(*id) {
                    let coordinator = *id;
                    all.push(GroupPicture { coordinator, view });
                }
            }
        }
        all.sort_by(|a, b| a.view.group.cmp(&b.view.group));
        all
    }

    /// Of the coordinators that the controller names.
    fn transaction_pictures(&self) -> Vec<TransactionPicture> {
        let image = self.controller.image();
        let mut all = Vec::new();
        for (id, machine) in &self.machines {
            for (tp, view) in machine.broker().iter().flat_map(|b| b.transactions()) {
                let leader = image.partitions.get(&tp).and_then(|reg| reg.leader);
                if leader == Some(*id) {
                    let coordinator = *id;
                    all.push(TransactionPicture { coordinator, view });
                }
            }
        }
        all.sort_by(|a, b| a.view.transactional_id.cmp(&b.view.transactional_id));
        all
    }

    fn broker_picture(&self, id: BrokerId, machine: &Machine) -> BrokerPicture {
        let reg = self.controller.image().brokers.get(&id);
        let replicas = match &machine.state {
            MachineState::On(node) => node
                .replicas
                .iter()
                .map(|(tp, replica)| ReplicaPicture {
                    role: role(replica, self.now, node.context()),
                    leader_epoch: replica.leader_epoch,
                    cut: records(&replica.cut.0),
                    ..log_picture(*tp, &replica.log, node.checkpoint.get(tp))
                })
                .collect(),
            MachineState::Off { disk, .. } => disk
                .logs
                .iter()
                .map(|(tp, log)| log_picture(*tp, log, disk.checkpoint.get(tp)))
                .collect(),
        };
        let (me, controller) = (NodeId::Broker(id), NodeId::Controller);
        BrokerPicture {
            id,
            process: machine.process(),
            rack: machine.rack.clone(),
            fenced: reg.map(|r| r.fenced),
            in_controlled_shutdown: reg.is_some_and(|r| r.in_controlled_shutdown),
            cut_from_controller: self.net.is_cut(me, controller) || self.net.is_cut(controller, me),
            image: machine.broker().map(|b| b.image.clone()),
            replicas,
        }
    }

    fn client_picture(&self, at: usize) -> ClientPicture {
        let client = &self.clients[at];
        let kind = match &client.kind {
            Kind::Producer(p) => ClientKind::Producer {
                transaction: p.transaction().map(|(id, state)| ProducerTransaction {
                    id,
                    state,
                    producer: p.producer_ref(),
                }),
                settings: p.settings().clone(),
                leaders: p.leaders(),
                sends: p
                    .sends()
                    .into_iter()
                    .map(|s| SendPicture {
                        tp: s.tp,
                        values: s.values,
                        acks: s.acks,
                        at: s.at,
                        attempts: s.attempts,
                        state: match s.state {
                            SendViewState::Queued(error) => SendState::Queued(error),
                            SendViewState::InFlight(broker) => SendState::InFlight(broker),
                            SendViewState::Confirmed(offset, at) => {
                                SendState::Confirmed(offset, at)
                            }
                            SendViewState::Failed(error, at) => SendState::Failed(error, at),
                        },
                    })
                    .collect(),
            },
            Kind::Consumer(c) => ClientKind::Consumer {
                positions: c.positions(),
                received: c.received().to_vec(),
                preferred_read_replica: c.preferred_read_replica(),
                member: Box::new(member_picture(client, c)),
            },
            Kind::Tool(_) => ClientKind::Raw { sends: vec![] },
            Kind::Raw(raw) => ClientKind::Raw {
                sends: raw
                    .sends
                    .iter()
                    .map(|s| SendPicture {
                        tp: s.tp,
                        values: s.values.clone(),
                        acks: s.acks,
                        at: s.at,
                        attempts: 1,
                        state: match s.answer {
                            None => SendState::InFlight(s.broker),
                            Some((at, Ok(offset))) => SendState::Confirmed(offset, at),
                            Some((at, Err(error))) => SendState::Failed(error, at),
                        },
                    })
                    .collect(),
            },
        };
        ClientPicture {
            id: ClientId(at as u16),
            name: client.name.clone(),
            kind,
        }
    }
}
