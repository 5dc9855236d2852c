//! Fetching: from whom, and what an answer means when poll gets to it.

use super::aborted::AbortedData;
use super::{Arrived, Consumer, Fetching, Lookup, PartState, Poll, PollException, PolledRecord};
use super::{Position, sooner};
use crate::kafka::batch::Batch;
use crate::kafka::client::cluster::invalid_metadata;
use crate::kafka::client::settings::OffsetReset;
use crate::kafka::error::KafkaError;
use crate::kafka::event::EventKind;
use crate::kafka::ids::*;
use crate::kafka::map::Map;
use crate::kafka::message::{
    Asker, Body, FetchPart, FetchRequest, Fetched, FetchedPart, Message, NodeId,
};
use crate::kafka::out::Out;

impl Consumer {
    /// Sends a fetch to each broker that has something to be asked: one at a time per broker, and
    /// none to a broker whose last answer still lies here (R-CON-4).
    pub(super) fn send_fetches(&mut self, poll: &Poll, due: &mut Option<Ms>, out: &mut Out) {
        let mut requests: Map<BrokerId, Vec<FetchPart>> = Map::new();
        let tps: Vec<Tp> = self.parts.keys().copied().collect();
        for tp in tps {
            let Some((leader, epoch)) = self.cluster.leader(tp) else {
                continue;
            };
            let broker = self.read_from(tp, leader, out.now);
            let Some(part) = self.parts.get(&tp) else {
                continue;
            };
            let (PartState::Fetching, Some(position)) = (&part.state, part.position) else {
                continue;
            };
            if part.paused || part.revoking {
                continue;
            }
            if part.ready > out.now {
                sooner(due, part.ready);
                continue;
            }
            if self
                .arrived
                .iter()
                .any(|a| a.part.tp == tp || (a.broker == broker && !self.is_held_back(a.part.tp)))
            {
                continue;
            }
            if let Some(fetch) = self.fetches.iter().find(|f| f.broker == broker) {
                sooner(due, fetch.deadline);
                continue;
            }
            if let Some(at) = self.reachable_at(broker, out.now) {
                sooner(due, at);
                continue;
            }
            requests.entry(broker).or_default().push(FetchPart {
                tp,
                offset: position.offset,
                log_start: Boundary(-1),
                current_leader_epoch: Some(epoch),
                last_fetched_epoch: None,
            });
        }
        for (broker, parts) in requests {
            let deadline = out.now.plus(self.settings.request_timeout);
            let tps = parts.iter().map(|p| p.tp).collect();
            let request = FetchRequest {
                asker: Asker::Consumer {
                    rack: self.settings.rack.clone(),
                    modern: true,
                    read_committed: self.settings.read_committed,
                },
                parts,
                max_wait: self.settings.fetch_max_wait,
                max_bytes: 1_048_576, // max.partition.fetch.bytes
                min_records: 1,
            };
            let correlation = out.request(
                NodeId::Client(self.id),
                NodeId::Broker(broker),
                Body::Fetch(request),
                poll.cause,
            );
            self.fetches.push(Fetching {
                correlation,
                broker,
                deadline,
                tps,
            });
            sooner(due, deadline);
        }
    }

    /// The preferred replica while its lease lasts and it is alive, else the leader (R-FFR-2).
    fn read_from(&mut self, tp: Tp, leader: BrokerId, now: Ms) -> BrokerId {
        let Some(part) = self.parts.get_mut(&tp) else {
            return leader;
        };
        match part.preferred {
            Some((replica, until)) if until > now && self.cluster.is_online(replica) => replica,
            Some((_, until)) => {
                part.preferred = None;
                if until > now {
                    self.cluster.want();
                }
                leader
            }
            None => leader,
        }
    }

    /// A fetch was answered: kept until poll looks at it.
    pub(super) fn fetched(&mut self, message: &Message, parts: &[FetchedPart]) {
        let Some(place) = self
            .fetches
            .iter()
            .position(|f| f.correlation == message.correlation)
        else {
            return;
        };
        let fetch = self.fetches.remove(place);
        for part in parts {
            self.arrived.push_back(Arrived {
                broker: fetch.broker,
                part: part.clone(),
                next: part.offset,
                cause: message.cause,
            });
        }
    }

    /// Goes through what has arrived; returns up to max.poll.records records, and whether a
    /// position moved (R-CON-1, R-CON-2).
    pub(super) fn collect(&mut self, poll: &Poll, out: &mut Out) -> (Vec<PolledRecord>, bool) {
        let mut records = Vec::new();
        let mut advanced = false;
        let mut set_aside = Vec::new();
        while let Some(arrived) = self.arrived.pop_front() {
            let Some(part) = self.parts.get(&arrived.part.tp) else {
                continue;
            };
            if part.paused || part.revoking {
                set_aside.push(arrived);
                continue;
            }
            let (PartState::Fetching, Some(position)) = (&part.state, part.position) else {
                continue;
            };
            match &arrived.part.result {
                Err(_) if advanced => {
                    // What has been gathered is returned first.
                    self.arrived.push_front(arrived);
                    break;
                }
                Err(error) => {
                    self.fetch_refused(&arrived, *error, position, out);
                    if self.exception.is_some() {
                        break;
                    }
                }
                // Fetched for a position that is not the present one (R-CON-3).
                Ok(_) if arrived.next != position.offset => {}
                Ok(fetched) => {
                    if let Some(replica) = fetched.preferred_read_replica {
                        self.prefer(arrived.part.tp, replica, out.now);
                    }
                    let left = self.settings.max_poll_records as i64 - records.len() as i64;
                    let rest = self.deliver(&arrived, fetched, left, poll, &mut records, out);
                    let moved = self
                        .parts
                        .get(&arrived.part.tp)
                        .and_then(|p| p.position)
                        .map_or(position.offset, |p| p.offset);
                    advanced |= moved != position.offset;
                    self.note_bounds(arrived.part.tp, fetched);
                    if rest {
                        self.arrived.push_front(Arrived {
                            next: moved,
                            ..arrived
                        });
                        break;
                    }
                }
            }
        }
        // What was fetched before a pause waits for its end.
        self.arrived.extend(set_aside);
        (records, advanced)
    }

    fn is_held_back(&self, tp: Tp) -> bool {
        self.parts.get(&tp).is_some_and(|p| p.paused || p.revoking)
    }

    /// What records-lag and records-lead are counted from (R-LAG-1).
    fn note_bounds(&mut self, tp: Tp, fetched: &Fetched) {
        if fetched.preferred_read_replica.is_some() {
            return;
        }
        let end = if self.settings.read_committed {
            fetched.last_stable
        } else {
            fetched.high_watermark
        };
        if let Some(part) = self.parts.get_mut(&tp) {
            part.bounds = Some((end, fetched.log_start));
        }
    }

    fn prefer(&mut self, tp: Tp, replica: BrokerId, now: Ms) {
        let until = now.plus(self.settings.metadata_max_age);
        if let Some(part) = self.parts.get_mut(&tp) {
            part.preferred = Some((replica, until));
        }
    }

    /// Takes up to `left` records from the position on and moves it behind the last of them; once
    /// the answer is used up it moves to its end, past markers, aborted data and holes (R-CON-2).
    /// Returns whether something is left.
    fn deliver(
        &mut self,
        arrived: &Arrived,
        fetched: &Fetched,
        left: i64,
        poll: &Poll,
        records: &mut Vec<PolledRecord>,
        out: &mut Out,
    ) -> bool {
        let tp = arrived.part.tp;
        let from = arrived.next;
        let mut to = from;
        let mut epoch = None;
        let mut values = Vec::new();
        let mut rest = false;
        let mut aborted = AbortedData::new(fetched, self.settings.read_committed);
        let end = fetched.batches.last().map_or(from, Batch::end);
        if left <= 0 && from < end {
            return true;
        }
        'batches: for batch in fetched.batches.iter() {
            let passed_over = aborted.holds(batch);
            if batch.end() <= from {
                continue;
            }
            if batch.control.is_none() && !passed_over {
                // A whole batch comes although it was asked for from its middle (R-READ-4).
                for record in batch.records.iter().filter(|r| r.offset >= from.next()) {
                    let (key, value) = (record.key.clone(), record.value.clone());
                    values.push(value.clone());
                    records.push((tp, record.offset, batch.epoch, key, value));
                    to = record.offset.after();
                    epoch = Some(batch.epoch);
                    if values.len() as i64 >= left && to < end {
                        rest = true;
                        break 'batches;
                    }
                }
            }
            to = batch.end();
            epoch = Some(batch.epoch);
        }
        if to == from {
            return rest;
        }
        if let Some(part) = self.parts.get_mut(&tp) {
            part.position = Some(Position { offset: to, epoch });
        }
        out.emit_because(
            EventKind::Consumed {
                client: self.id,
                broker: arrived.broker,
                tp,
                from,
                to,
                values,
            },
            &[arrived.cause, poll.cause],
        );
        rest
    }

    /// A fetch was refused (R-RST-4, R-TRD-3). The position stays.
    fn fetch_refused(
        &mut self,
        arrived: &Arrived,
        error: KafkaError,
        position: Position,
        out: &mut Out,
    ) {
        let tp = arrived.part.tp;
        out.emit_because(
            EventKind::ConsumeRefused {
                client: self.id,
                broker: arrived.broker,
                tp,
                position: position.offset,
                error,
            },
            &[arrived.cause],
        );
        let again = out.now.plus(self.settings.retry_backoff);
        let Some(part) = self.parts.get_mut(&tp) else {
            return;
        };
        if error == KafkaError::OffsetOutOfRange {
            if part.preferred.take().is_some() {
                // From a follower: back to the leader, no reset (R-FFR-3).
            } else if arrived.next != position.offset {
                // Stale (R-CON-3).
            } else if self.settings.offset_reset == OffsetReset::None {
                self.exception = Some(PollException::OffsetOutOfRange);
            } else {
                part.state = PartState::Reset(Lookup::default());
            }
        } else {
            part.ready = again;
            if invalid_metadata(error) || error == KafkaError::OffsetNotAvailable {
                part.preferred = None;
                self.cluster.want();
            }
        }
    }
}
