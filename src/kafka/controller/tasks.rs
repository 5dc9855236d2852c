//! The controller's periodic tasks: stale brokers (R-FEN-2), preferred balancing (R-PLE-1),
//! unclean election of leaderless partitions (R-ELE-7).

use super::Controller;
use super::heartbeat::session_expired;
use crate::kafka::ids::{BrokerId, Ms, Tp};
use crate::kafka::metadata::ChangeReason;
use crate::kafka::out::{ControllerTimer, Out, Timer};

/// A task that has more to do runs again after this (PeriodicTask), ms.
const AGAIN: Ms = Ms(10);

/// The most elections in one run of a task (QuorumController).
const MOST_ELECTIONS: usize = 1_000;

impl Controller {
    /// Sets the timers of the periodic tasks.
    pub(super) fn arm_all(&self, out: &mut Out) {
        self.arm(ControllerTimer::FenceCheck, false, out);
        self.arm(ControllerTimer::UncleanElection, false, out);
        if self.auto_rebalance {
            self.arm(ControllerTimer::Balance, false, out);
        }
    }

    fn arm(&self, what: ControllerTimer, at_once: bool, out: &mut Out) {
        let period = match what {
            ControllerTimer::FenceCheck => Ms((self.session_timeout.0 / 8).max(1)),
            ControllerTimer::Balance => self.balance_interval,
            ControllerTimer::UncleanElection => self.unclean_interval,
        };
        let due = out.now.plus(if at_once { AGAIN } else { period });
        out.remind(due, Timer::Controller(what));
    }

    /// A timer has gone off: does the task and sets the timer again.
    pub fn timer(&mut self, timer: &ControllerTimer, out: &mut Out) {
        let more = match timer {
            ControllerTimer::FenceCheck => self.fence_one_stale(out),
            ControllerTimer::Balance => self.balance(out),
            ControllerTimer::UncleanElection => self.elect_unclean(out),
        };
        self.log.answer_parked(out);
        self.arm(timer.clone(), more, out);
    }

    /// R-FEN-2: one broker a run, the one that has been silent for longest. Whether one was found.
    fn fence_one_stale(&mut self, out: &mut Out) -> bool {
        let stale = self
            .liveness
            .iter()
            .filter_map(|(id, live)| Some((live.contact?, *id)))
            .filter(|(at, _)| session_expired(*at, self.session_timeout, out.now))
            .min();
        let Some((contact, broker)) = stale else {
            return false;
        };
        if let Some(live) = self.liveness.get_mut(&broker) {
            live.contact = None;
        }
        if self.image().brokers.get(&broker).is_some_and(|b| !b.fenced) {
            self.fence_for_silence(broker, out.now.since(contact), out);
        }
        true
    }

    /// R-PLE-1: a preferred election wherever another than the first replica leads.
    fn balance(&mut self, out: &mut Out) -> bool {
        self.elect_some(false, ChangeReason::Balance, out, |_, leader, first| {
            leader.is_none() || leader != first
        })
    }

    /// R-ELE-7: leaderless partitions whose topic allows an unclean election.
    fn elect_unclean(&mut self, out: &mut Out) -> bool {
        self.elect_some(
            true,
            ChangeReason::UncleanTask,
            out,
            |allowed, leader, _| allowed && leader.is_none(),
        )
    }

    /// Elects in the partitions that are wanted; whether some were left for the next run.
    fn elect_some(
        &mut self,
        unclean: bool,
        why: ChangeReason,
        out: &mut Out,
        wanted: impl Fn(bool, Option<BrokerId>, Option<BrokerId>) -> bool,
    ) -> bool {
        let image = self.image().clone();
        let candidates = image.partitions.iter().filter(|(tp, reg)| {
            let allowed = unclean && self.unclean_enabled(**tp);
            wanted(allowed, reg.leader, reg.replicas.first().copied())
        });
        let candidates: Vec<Tp> = candidates.map(|(tp, _)| *tp).collect();
        let mut elected = 0;
        for tp in candidates {
            if elected >= MOST_ELECTIONS {
                return true;
            }
            if self.elect_leader(tp, unclean, why, out).is_ok() {
                elected += 1;
            }
        }
        false
    }
}
