//! What a broker does to its logs without being asked: old segments are deleted, and the cleaner
//! goes over compacted logs. Each broker does so for itself (R-RET-8, R-CMP-9).

use super::Broker;
use crate::kafka::ids::*;
use crate::kafka::log::Cleanable;
use crate::kafka::log_config::LogSettings;
use crate::kafka::out::{BrokerTimer, Out};
use crate::kafka::sort;

impl Broker {
    /// Every log.retention.check.interval.ms (R-RET-1). The cleaner sees to compacted logs.
    pub(super) fn retention_due(&mut self, out: &mut Out) {
        self.delete_old(out, |settings| !settings.compacts());
        let period = self.common.server.retention_check_interval;
        self.remind(out.now.plus(period), BrokerTimer::Retention, out);
    }

    fn delete_old(&mut self, out: &mut Out, which: impl Fn(&LogSettings<'_>) -> bool) {
        let ctx = self.context();
        let old = self.replicas.iter().filter(|(tp, replica)| {
            let settings = ctx.log_settings(**tp);
            which(&settings) && replica.log.has_old(out.now, &settings)
        });
        let old: Vec<Tp> = old.map(|(tp, _)| *tp).collect();
        let outer = out.cause;
        for tp in old {
            self.with(tp, out, |r, ctx, out| r.delete_old(ctx, out));
            out.cause = outer;
        }
    }

    /// Producers that have not written for producer.id.expiration.ms are forgotten, each log for
    /// itself, unless a transaction of theirs is open (R-IDM-4). One that writes on is taken like a
    /// new one.
    pub(super) fn forget_producers(&mut self, out: &mut Out) {
        let server = &self.common.server;
        let (age, period) = (
            server.producer_id_expiration,
            server.producer_id_expiration_check_interval,
        );
        for replica in self.replicas.values_mut() {
            replica.log.remove_expired_producers(out.now, age);
        }
        self.remind(out.now.plus(period), BrokerTimer::ProducerExpiration, out);
    }

    fn has_compacted(&self) -> bool {
        let ctx = self.context();
        let mut topics = self.replicas.keys();
        topics.any(|tp| ctx.log_settings(*tp).compacts())
    }

    /// Sees to it that the cleaner looks, once there is a compacted log. It looks at even spans
    /// from the broker's start, as if it had looked all the time.
    pub(super) fn wake_cleaner(&mut self, out: &mut Out) {
        if self.cleaner || self.common.by_hand || !self.has_compacted() {
            return;
        }
        self.cleaner = true;
        let period = self.common.server.cleaner_backoff.0;
        let spans = out.now.since(self.booted).0.div_euclid(period) + 1;
        let due = self.booted.plus(Ms(spans * period));
        self.remind(due, BrokerTimer::Clean, out);
    }

    /// The cleaner's look: all logs that are dirty enough, the filthiest first (R-CMP-2); then the
    /// old segments of compacted logs, which for cleanup.policy=compact are those below the log
    /// start alone (R-RET-7).
    pub(super) fn clean_due(&mut self, out: &mut Out) {
        self.cleaner = false;
        let ctx = self.context();
        let logs = self.replicas.iter();
        let mut dirty: Vec<(Tp, Cleanable)> = logs
            .filter_map(|(tp, r)| Some((*tp, r.cleanable(out.now, ctx)?)))
            .collect();
        sort::by_key(&mut dirty, |(_, cleanable)| -cleanable.ratio());
        for (tp, cleanable) in dirty {
            self.with(tp, out, |r, ctx, out| r.clean(&cleanable, ctx, out));
        }
        self.delete_old(out, |settings| settings.compacts());
        self.wake_cleaner(out);
    }
}
