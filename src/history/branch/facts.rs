//! What a person could read off a picture, as a number: a link keeps a few of them, so that one
//! which no longer leads to the same place can say so. It takes what is shown and not the bytes
//! of state, so that a link outlives changes within the engine.

use crate::world::picture::{ClientKind, Picture};

/// A number of what the picture shows of partitions, replicas, clients and groups.
pub(super) fn mark(picture: &Picture) -> u16 {
    let mut sum = Sum(0x811c_9dc5);
    for partition in &picture.partitions {
        let reg = &partition.reg;
        sum.add(reg.leader.map_or(-1, |b| i64::from(b.0)));
        sum.add(i64::from(reg.leader_epoch.0));
        for broker in reg.isr.iter() {
            sum.add(i64::from(broker.0));
        }
        for broker in &picture.brokers {
            if let Some(replica) = picture.replica(broker.id, partition.tp) {
                sum.add(replica.log_start.0);
                sum.add(replica.log_end.0);
                sum.add(replica.high_watermark.0);
                sum.add(replica.last_stable.0);
            }
        }
    }
    for client in &picture.clients {
        if let ClientKind::Consumer {
            positions, member, ..
        } = &client.kind
        {
            for (_, position) in positions {
                sum.add(position.map_or(-1, |b| b.0));
            }
            for (_, next) in &member.processed_next {
                sum.add(next.0);
            }
            for (_, committed) in &member.committed {
                sum.add(committed.offset.0);
            }
        }
    }
    sum.add(picture.lost.len() as i64);
    sum.0 as u16 ^ (sum.0 >> 16) as u16
}

/// FNV-1a, 32 bits, over numbers.
struct Sum(u32);

impl Sum {
    fn add(&mut self, number: i64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}
