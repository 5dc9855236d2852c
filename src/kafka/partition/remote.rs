//! A follower as its leader knows it: only by its fetches (R-LDR-1 to R-LDR-6).

use crate::kafka::error::KafkaError;
use crate::kafka::event::Cause;
use crate::kafka::ids::*;

/// A follower as its leader knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Remote {
    /// The boundary of its last fetch: it holds everything below. `None` (Kafka's -1): it has not
    /// fetched in this epoch.
    pub log_end: Option<Boundary>,
    /// Its log start as told in its last fetch.
    pub log_start: Option<Boundary>,
    /// When it last held everything the leader had; `None`: never (Kafka's 0).
    pub last_caught_up: Option<Ms>,
    /// The leader's log end at its last fetch (boundary).
    pub last_fetch_leader_end: Boundary,
    /// When it last fetched; `None`: never.
    pub last_fetch: Option<Ms>,
    /// The broker epoch in its last fetch.
    pub broker_epoch: Option<BrokerEpoch>,
    /// The event of its last fetch.
    pub cause: Cause,
}

impl Remote {
    /// Takes note of a fetch (R-LDR-1, R-LDR-3). `leader_end` is the leader's log end now.
    ///
    /// # Errors
    /// NOT_LEADER_OR_FOLLOWER if the fetch comes from an older start of the broker (R-LDR-5).
    pub fn fetched(
        &mut self,
        offset: Boundary,
        log_start: Boundary,
        leader_end: Boundary,
        broker_epoch: Option<BrokerEpoch>,
        now: Ms,
    ) -> Result<(), KafkaError> {
        if let (Some(known), Some(told)) = (self.broker_epoch, broker_epoch)
            && known > told
        {
            return Err(KafkaError::NotLeaderOrFollower);
        }
        if offset >= leader_end {
            self.last_caught_up = self.last_caught_up.max(Some(now));
        } else if offset >= self.last_fetch_leader_end {
            self.last_caught_up = self.last_caught_up.max(self.last_fetch);
        }
        self.log_start = Some(log_start);
        self.log_end = Some(offset);
        self.last_fetch_leader_end = leader_end;
        self.last_fetch = Some(now);
        self.broker_epoch = broker_epoch;
        Ok(())
    }

    /// Starts over for a new leader epoch (R-LDR-6).
    pub fn reset(&mut self, now: Ms, leader_end: Boundary, new_leader: bool, in_isr: bool) {
        let fresh = in_isr.then_some(now);
        if new_leader {
            *self = Remote {
                last_caught_up: fresh,
                ..Remote::default()
            };
        } else {
            self.last_fetch_leader_end = leader_end;
            self.last_fetch = fresh;
            self.last_caught_up = fresh;
        }
    }

    /// Caught up: equal log ends, or caught up not longer than `lag_max` ago (R-LDR-4).
    pub fn caught_up(&self, leader_end: Boundary, now: Ms, lag_max: Ms) -> bool {
        self.log_end == Some(leader_end)
            || self
                .last_caught_up
                .is_some_and(|at| now.since(at) <= lag_max)
    }
}
