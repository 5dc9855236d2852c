//! The follower replication throttle (R-REP-8): Kafka's rate over sampled windows.

use crate::kafka::ids::Ms;
use std::collections::VecDeque;

/// What a follower was sent lately on throttled partitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quota {
    /// (start of the window, bytes)
    samples: VecDeque<(Ms, i64)>,
}

impl Quota {
    /// Notes bytes received.
    pub fn record(&mut self, bytes: i64, now: Ms, window: Ms) {
        match self.samples.back_mut() {
            Some((start, sum)) if now.since(*start) < window => *sum += bytes,
            _ => self.samples.push_back((now, bytes)),
        }
    }

    /// Whether the rate, in bytes a second since the oldest window kept, is above `limit`. The
    /// first window counts as a whole one (org.apache.kafka.common.metrics.stats.SimpleRate).
    pub fn exceeded(&mut self, limit: i64, now: Ms, window: Ms, windows: i64) -> bool {
        while self
            .samples
            .front()
            .is_some_and(|(start, _)| now.since(*start).0 >= window.0 * windows)
        {
            self.samples.pop_front();
        }
        let Some((oldest, _)) = self.samples.front() else {
            return false;
        };
        let total: i64 = self.samples.iter().map(|(_, bytes)| bytes).sum();
        let elapsed = now.since(*oldest).max(window);
        total * 1000 > limit * elapsed.0.max(1)
    }
}
