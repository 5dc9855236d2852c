//! The metadata log and its readers.

use super::*;

/// A broker's metadata fetch waits for the next record; what one input writes comes together,
/// and in a world without a clock one record at a time.
#[test]
fn metadata_is_fetched() {
    for by_hand in [false, true] {
        let mut bench = Bench::with(&[1, 2, 3], Switches::default(), by_hand);
        bench.topic(&[1, 2, 3], 1);
        let end = bench.controller.image().offset;
        assert!(bench.send(2, Body::MetaFetch { after: end }).is_empty());
        let (_, out) = bench.act(|c, out| c.fence(BrokerId(1), out));
        let told = out.sends.iter().find_map(|s| match &s.3 {
            Body::MetaAnswer(records) => Some((s.2, records.clone())),
            _ => None,
        });
        let (to, records) = told.unwrap();
        assert_eq!(to, NodeId::Broker(BrokerId(2)));
        // One decision of the controller is taken in as a whole, by hand too.
        assert_eq!(records.len(), 2);
        assert!(matches!(records[0].0, MetaRecord::Partition { .. }));
        assert_eq!(records[0].1.offset.0, end.0 + 1);
        assert_eq!(records[0].1.partitions[&TP].leader, Some(BrokerId(2)));
    }
}

/// The log keeps what the slowest broker lacks; a broker from nothing still gets an image.
#[test]
fn the_metadata_log_forgets_what_everybody_has() {
    let mut bench = Bench::new(&[1, 2]);
    bench.topic(&[1, 2], 1);
    let end = bench.controller.image().offset;
    bench.send(1, Body::MetaFetch { after: end });
    let all = |bench: &Bench| bench.controller.entries_after(MetaOffset(-1)).count() as i64;
    assert_eq!(all(&bench), end.0 + 1);
    bench.send(2, Body::MetaFetch { after: end });
    assert_eq!(all(&bench), 1);
    let answer = bench.send(
        2,
        Body::MetaFetch {
            after: MetaOffset(-1),
        },
    );
    match &answer[..] {
        [Body::MetaAnswer(records)] => assert_eq!(records[0].1, *bench.controller.image()),
        other => panic!("{other:?}"),
    }
}
