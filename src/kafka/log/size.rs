//! Sizes as on Kafka's disk: message format 2, not compressed, without headers.

use crate::kafka::batch::{Batch, NewBatch};
use crate::kafka::ids::Ms;

const BATCH_HEADER: i64 = 61;

fn varint(n: i64) -> i64 {
    // Zigzag, seven bits a byte.
    let zigzag = ((n << 1) ^ (n >> 63)) as u64;
    i64::from((64 - (zigzag | 1).leading_zeros()).div_ceil(7))
}

fn blob(bytes: Option<&str>) -> i64 {
    match bytes {
        None => varint(-1),
        Some(s) => varint(s.len() as i64) + s.len() as i64,
    }
}

fn bytes<'a>(records: impl Iterator<Item = (i64, Ms, Option<&'a str>, Option<&'a str>)>) -> i64 {
    let mut first = None;
    records.fold(BATCH_HEADER, |sum, (delta, at, key, value)| {
        let first = *first.get_or_insert(at);
        // One byte of attributes, one for the number of headers.
        let body = 2 + varint(at.0 - first.0) + varint(delta) + blob(key) + blob(value);
        sum + varint(body) + body
    })
}

/// The size of a batch in a log, bytes.
pub fn batch_bytes(batch: &Batch) -> i64 {
    bytes(batch.records.iter().map(|r| {
        let delta = r.offset.0 - batch.base.0;
        (delta, r.timestamp, r.key.as_deref(), r.value.as_deref())
    }))
}

/// The size of a batch on its way to a leader, bytes.
pub fn new_batch_bytes(batch: &NewBatch) -> i64 {
    bytes(
        (0..)
            .zip(batch.records.iter())
            .map(|(delta, r)| (delta, r.timestamp, r.key.as_deref(), r.value.as_deref())),
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
