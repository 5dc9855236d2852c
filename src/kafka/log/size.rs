//! Sizes as on Kafka's disk: message format 2, not compressed, without headers.

use crate::kafka::batch::{Batch, NewBatch};
use crate::kafka::ids::Ms;

const BATCH_HEADER: i64 = 61;

fn varint(n: i64) -> i64 {
    // Zigzag, seven bits a byte.
    let zigzag = ((n << 1) ^ (n >> 63)) as u64;
    i64::from((64 - (zigzag | 1).leading_zeros()).div_ceil(7))
}

fn blob(bytes: Option<usize>) -> i64 {
    match bytes {
        None => varint(-1),
        Some(len) => varint(len as i64) + len as i64,
    }
}

/// `base`: what time stamps are counted from; the first one's, if nothing else.
fn bytes(
    base: Option<Ms>,
    records: impl Iterator<Item = (i64, Ms, Option<usize>, Option<usize>)>,
) -> i64 {
    let mut first = base;
    records.fold(BATCH_HEADER, |sum, (delta, at, key, value)| {
        let first = *first.get_or_insert(at);
        // One byte of attributes, one for the number of headers.
        let body = 2 + varint(at.0 - first.0) + varint(delta) + blob(key) + blob(value);
        sum + varint(body) + body
    })
}

fn len(text: &Option<std::rc::Rc<str>>) -> Option<usize> {
    text.as_deref().map(str::len)
}

/// The size of a batch in a log, bytes. A marker has a key of 4 and a value of 6 bytes; a batch
/// with a delete horizon counts its time stamps from that (R-CMP-5).
pub fn batch_bytes(batch: &Batch) -> i64 {
    let marker = batch.control.is_some();
    bytes(
        batch.delete_horizon,
        batch.records.iter().map(|r| {
            let delta = r.offset.0 - batch.base.0;
            if marker {
                (delta, r.timestamp, Some(4), Some(6))
            } else {
                (delta, r.timestamp, len(&r.key), len(&r.value))
            }
        }),
    )
}

/// The size of a batch on its way to a leader, bytes.
pub fn new_batch_bytes(batch: &NewBatch) -> i64 {
    bytes(
        None,
        (0..)
            .zip(batch.records.iter())
            .map(|(delta, r)| (delta, r.timestamp, len(&r.key), len(&r.value))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kafka::batch::NewRecord;

    #[test]
    fn a_record_of_ten_bytes_takes_what_kafka_says() {
        // kafka-dump-log prints size 78 for one record with a null key and a value of 10 bytes.
        let batch = NewBatch::plain([NewRecord::value("0123456789")]);
        assert_eq!(new_batch_bytes(&batch), 78);
        assert_eq!(varint(63), 1);
        assert_eq!(varint(64), 2);
        assert_eq!(varint(-1), 1);
    }
}
