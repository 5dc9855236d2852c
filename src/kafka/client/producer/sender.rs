//! What a producer does whenever it is woken: give up what is too old, find out who leads, send
//! what may be sent, and ask to be reminded of the rest (Sender.runOnce).

use super::batch::State;
use super::{Producer, Queue};
use crate::kafka::batch::NewBatch;
use crate::kafka::client::sooner;
use crate::kafka::error::KafkaError;
use crate::kafka::event::{EventKind, Outcome};
use crate::kafka::ids::*;
use crate::kafka::message::{Acks, Body, CurrentLeader, NodeId};
use crate::kafka::out::{ClientTimer, Out, Timer};

impl Producer {
    pub(super) fn drive(&mut self, out: &mut Out) {
        self.time_out_requests(out);
        self.expire(out);
        self.resolve();
        let mut due = None;
        self.drive_transaction(&mut due, out);
        if self.outstanding().next().is_some() {
            let leaderless = self
                .queues
                .iter()
                .any(|(tp, q)| !q.waiting.is_empty() && self.cluster.leader(*tp).is_none());
            let lost = self
                .queues
                .iter()
                .filter(|(_, q)| !q.waiting.is_empty())
                .filter_map(|(tp, _)| self.cluster.leader(*tp))
                .map(|(leader, _)| leader)
                .find(|leader| self.cluster.is_suspect(*leader));
            let busy = self.in_flight_brokers();
            let cause = self.first_waiting().map_or(out.cause, |s| s.cause);
            let pace = self.pace();
            if let Some(at) = self.cluster.drive(leaderless, busy, lost, pace, cause, out) {
                sooner(&mut due, at);
            }
        }
        self.drain(&mut due, out);
        for queue in self.queues.values() {
            for i in queue.waiting.iter().chain(&queue.in_flight) {
                let send = &self.sends[*i as usize];
                sooner(&mut due, send.at.plus(self.settings.delivery_limit()));
                if let State::InFlight { deadline, .. } = send.state {
                    sooner(&mut due, deadline);
                }
            }
        }
        if let Some(at) = due
            && self.wake.is_none_or(|wake| at < wake)
        {
            self.wake = Some(at);
            out.remind(
                at,
                Timer::Client {
                    client: self.id,
                    what: ClientTimer::Wake,
                },
            );
        }
    }

    fn first_waiting(&self) -> Option<&super::batch::Send> {
        self.queues
            .values()
            .filter_map(|q| q.waiting.front())
            .min()
            .map(|i| &self.sends[*i as usize])
    }

    fn in_flight_brokers(&self) -> BrokerSet {
        self.outstanding()
            .filter_map(|i| match self.sends[i as usize].state {
                State::InFlight { broker, .. } => Some(broker),
                _ => None,
            })
            .collect()
    }

    /// Sends what may be sent, partition by partition; notes when the rest may go.
    fn drain(&mut self, due: &mut Option<Ms>, out: &mut Out) {
        // Old metadata is refreshed first: a producer that stood idle does so all the time.
        if self.cluster.is_stale(out.now, self.pace()) {
            return;
        }
        let tps: Vec<Tp> = self
            .queues
            .iter()
            .filter(|(_, q)| !q.waiting.is_empty())
            .map(|(tp, _)| *tp)
            .collect();
        for tp in tps {
            while let Some((index, leader, epoch)) = self.sendable(tp, due, out.now) {
                self.transmit(index, leader, epoch, out);
            }
        }
    }

    /// The partition's next batch, if it may go now, with the leader it goes to.
    fn sendable(&self, tp: Tp, due: &mut Option<Ms>, now: Ms) -> Option<(u32, BrokerId, Epoch)> {
        let queue = self.queues.get(&tp)?;
        let index = *queue.waiting.front()?;
        let send = &self.sends[index as usize];
        let (leader, epoch) = self.cluster.leader(tp)?;
        if self.cluster.is_suspect(leader) {
            return None;
        }
        let State::Queued { ready, error } = send.state else {
            return None;
        };
        // Backoff is not waited for once a newer leader is known (KIP-951, R-ACK-9).
        let moved = error.is_some() && send.tried_in.is_some_and(|tried| epoch > tried);
        if ready > now && !moved {
            sooner(due, ready);
            return None;
        }
        // transaction.version 1: the coordinator has to know of the partition first.
        let tx = self.transaction.as_ref();
        if tx.is_some_and(|tx| !tx.rises() && !tx.added.contains(&tp)) {
            return None;
        }
        if self.in_flight_at(leader) >= self.settings.max_in_flight
            || !self.sequence_allows(queue, send)
        {
            return None;
        }
        Some((index, leader, epoch))
    }

    /// Requests to the broker without an answer
    /// (max.in.flight.requests.per.connection; here a request is one batch).
    fn in_flight_at(&self, broker: BrokerId) -> u32 {
        self.queues
            .values()
            .flat_map(|q| &q.in_flight)
            .filter(|i| {
                matches!(self.sends[**i as usize].state, State::InFlight { broker: b, .. } if b == broker)
            })
            .count() as u32
    }

    fn transmit(&mut self, index: u32, broker: BrokerId, epoch: Epoch, out: &mut Out) {
        let stamp = self.stamp(index);
        let transactional_id = self.transaction.as_ref().map(|tx| tx.id.clone());
        let request_timeout = self.settings.request_timeout;
        let client = self.id;
        let send = &mut self.sends[index as usize];
        send.attempts += 1;
        send.tried_in = Some(epoch);
        send.cause = out.emit_because(
            EventKind::ProduceSent {
                client,
                broker,
                tp: send.tp,
                values: send.values(),
                acks: send.acks,
                attempt: send.attempts,
            },
            &[send.cause],
        );
        let correlation = out.request(
            NodeId::Client(client),
            NodeId::Broker(broker),
            Body::Produce {
                tp: send.tp,
                batch: NewBatch {
                    records: send.records.clone(),
                    stamp,
                    transactional: transactional_id.is_some(),
                    control: None,
                },
                transactional_id,
                acks: send.acks,
                timeout: request_timeout,
            },
            send.cause,
        );
        let acks = send.acks;
        let error = match send.state {
            State::Queued { error, .. } => error,
            _ => None,
        };
        send.state = State::InFlight {
            broker,
            correlation,
            deadline: out.now.plus(request_timeout),
            error,
        };
        if let Some(queue) = self.queues.get_mut(&send.tp) {
            queue.waiting.pop_front();
            queue.in_flight.push(index);
        }
        if acks == Acks::None {
            // Nobody will answer: done when handed to the network (R-ACK-2).
            self.finish(index, Ok(None), None, out);
        }
    }

    /// request.timeout.ms: the connection is given up, and with it all that is under way on it.
    fn time_out_requests(&mut self, out: &mut Out) {
        let late: BrokerSet = self
            .outstanding()
            .filter_map(|i| match self.sends[i as usize].state {
                State::InFlight {
                    broker, deadline, ..
                } if deadline <= out.now => Some(broker),
                _ => None,
            })
            .collect();
        if late.is_empty() {
            return;
        }
        let lost: Vec<u32> = self
            .outstanding()
            .filter(|i| {
                matches!(self.sends[*i as usize].state, State::InFlight { broker, .. } if late.contains(broker))
            })
            .collect();
        for index in lost {
            // Where the delivery time is over as well, that is what the caller is told.
            if self.sends[index as usize]
                .at
                .plus(self.settings.delivery_limit())
                > out.now
            {
                self.refused(index, KafkaError::NetworkException, None, out);
            }
        }
        for broker in late.iter() {
            self.cluster.lost(broker);
        }
    }

    /// delivery.timeout.ms: fails what is too old; whether it is stored is not known (R-PRD-5).
    fn expire(&mut self, out: &mut Out) {
        let limit = self.settings.delivery_limit();
        let old: Vec<u32> = self
            .outstanding()
            .filter(|i| self.sends[*i as usize].at.plus(limit) <= out.now)
            .collect();
        for index in old {
            if self.sends[index as usize].in_retry() {
                self.leave_unresolved(index);
            }
            self.finish(index, Err(KafkaError::Timeout), None, out);
            self.batch_failed(KafkaError::Timeout);
        }
    }

    /// All sends that are not done, in order of sending within each partition.
    pub(super) fn outstanding(&self) -> impl Iterator<Item = u32> {
        self.queues
            .values()
            .flat_map(|q| q.in_flight.iter().chain(&q.waiting))
            .copied()
    }

    /// The end of a send.
    pub(super) fn finish(
        &mut self,
        index: u32,
        result: Result<Option<Offset>, KafkaError>,
        leader: CurrentLeader,
        out: &mut Out,
    ) {
        let client = self.id;
        let send = &mut self.sends[index as usize];
        if let Some(queue) = self.queues.get_mut(&send.tp) {
            queue.remove(index);
        }
        let outcome = match result {
            Ok(base) => {
                send.state = State::Confirmed(base, out.now);
                Outcome::Confirmed(base)
            }
            Err(error) => {
                send.state = State::Failed(error, out.now);
                Outcome::Failed(error)
            }
        };

        out.emit_because(
            EventKind::ProduceDone {
                client,
                tp: send.tp,
                values: send.values(),
                acks: send.acks,
                attempts: send.attempts,
                outcome,
            },
            &[send.cause],
        );
        let told = match result {
            // The broker tells the first record's number; the others follow from it (R-OFF-2).
            Ok(base) => Ok((0..send.records.len() as i64)
                .map(|i| base.map(|b| Offset(b.0 + i)))
                .collect()),
            Err(error) => Err((error, leader)),
        };
        self.done.push((send.tag, told));
    }
}

impl Queue {
    pub(super) fn remove(&mut self, index: u32) {
        self.in_flight.retain(|i| *i != index);
        self.waiting.retain(|i| *i != index);
    }
}
