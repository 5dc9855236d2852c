//! R6: 24 partitions, replication factor 3: 72 of 72, and what becomes of it.

use super::cluster::*;
use highwater::kafka::ids::*;
use highwater::world::command::*;

/// (replicas in sync, under-replicated, without leader, leaders of 1, 2, 3)
fn counts(c: &Cluster) -> (u32, usize, usize, [usize; 3]) {
    let picture = c.picture();
    let regs: Vec<_> = picture.partitions.iter().map(|p| p.reg.clone()).collect();
    let led = |b: u8| {
        regs.iter()
            .filter(|r| r.leader == Some(BrokerId(b)))
            .count()
    };
    (
        regs.iter().map(|r| r.isr.len()).sum(),
        regs.iter()
            .filter(|r| (r.isr.len() as usize) < r.replicas.len())
            .count(),
        regs.iter().filter(|r| r.leader.is_none()).count(),
        [1, 2, 3].map(led),
    )
}

#[test]
fn r6_seventy_two_of_seventy_two_then_forty_eight_and_back() {
    let assignment: Vec<[u8; 3]> = (0..24)
        .map(|p| [[1, 2, 3], [2, 3, 1], [3, 1, 2]][p % 3])
        .collect();
    let mut c = Cluster::new(2, &assignment, &[("auto.leader.rebalance.enable", "false")]);
    assert_eq!(counts(&c), (72, 0, 0, [8, 8, 8]), "72 = 24 x 3");
    c.kill(2);
    c.advance(5_000);
    assert_eq!(counts(&c), (72, 0, 0, [8, 8, 8]), "nobody knows yet");
    c.until(Condition::Fenced(BrokerId(2), true));
    c.settle();
    assert_eq!(
        counts(&c),
        (48, 24, 0, [8, 0, 16]),
        "after 2 the assignment names 3 (R-ELE-2)"
    );
    c.start(2);
    c.settle();
    assert_eq!(
        counts(&c),
        (72, 0, 0, [8, 0, 16]),
        "back in sync, and not leading by itself"
    );
    c.run(Command::ElectLeaders {
        unclean: false,
        partitions: None,
    });
    c.settle();
    assert_eq!(counts(&c), (72, 0, 0, [8, 8, 8]));
}
