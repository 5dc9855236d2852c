//! Which partition a record's key goes to, as Kafka's producer chooses it (run o01).

/// murmur2 with Kafka's seed.
fn murmur2(data: &[u8]) -> i32 {
    const M: u32 = 0x5bd1_e995;
    let mix = |k: u32| {
        let k = k.wrapping_mul(M);
        (k ^ (k >> 24)).wrapping_mul(M)
    };
    let mut hash = 0x9747_b28c_u32 ^ data.len() as u32;
    let mut chunks = data.chunks_exact(4);
    for chunk in &mut chunks {
        let word = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        hash = hash.wrapping_mul(M) ^ mix(word);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        for (i, byte) in rest.iter().enumerate() {
            hash ^= u32::from(*byte) << (8 * i);
        }
        hash = hash.wrapping_mul(M);
    }
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(M);
    (hash ^ (hash >> 15)) as i32
}

/// The partition of a key among so many.
pub fn partition(key: &str, partitions: u16) -> u16 {
    let positive = murmur2(key.as_bytes()) & i32::MAX;
    (positive % i32::from(partitions.max(1))) as u16
}

#[test]
fn keys_go_where_kafka_sent_them() {
    let places = ["order-11", "order-12", "order-13", "order-14"].map(|k| partition(k, 3));
    assert_eq!(places, [0, 1, 2, 1]);
}
