//! sendOffsetsToTransaction: a commit that is part of the transaction (R-COM-11, R-TXN-7).

use super::bench::{Bench, partition};
use highwater::kafka::group::message::{Committed, MemberRef};
use highwater::kafka::ids::*;
use highwater::kafka::transaction::message::TransactionState::*;
use highwater::world::command::ErrorCause;
use highwater::world::command::TransactionException::*;
use highwater::world::command::*;

impl Bench {
    fn offsets(&mut self, next: i64, member: MemberRef) -> Result<(), TransactionException> {
        let reply = self.ask(Command::SendOffsets {
            client: "m".into(),
            group: "mailer".into(),
            member,
            offsets: vec![(partition(0), Committed::at(Boundary(next)))],
        });
        match reply {
            Reply::Transaction(result) => result,
            other => panic!("{other:?}"),
        }
    }

    /// What is committed for orders-0, as everybody may see it.
    fn committed(&self) -> Option<i64> {
        let picture = self.picture();
        let group = picture.group("mailer")?;
        group.view.committed.first().map(|(_, c)| c.offset.0)
    }
}

fn mailer() -> Bench {
    let mut b = Bench::new(1, &[&[1], &[1]], &[]);
    b.ready("m", "mailer-1");
    b.begin("m");
    b
}

#[test]
fn r_com_11_a_commit_within_a_transaction_counts_from_its_marker_on() {
    let mut b = mailer();
    b.send_to("m", 1, "mail").unwrap();
    b.offsets(5, MemberRef::none()).unwrap();
    b.settle();
    let both = vec!["__consumer_offsets-12".to_string(), "orders-1".to_string()];
    let (state, epoch, mut partitions) = b.state("mailer-1");
    partitions.sort();
    assert_eq!((state, epoch, partitions), (Ongoing, 0, both));
    assert_eq!(b.committed(), None);
    b.end("m", true).unwrap();
    b.settle();
    assert_eq!(b.committed(), Some(5));
    assert_eq!(b.log(1), ["mail@0", "COMMIT@1"]);
    // The second is aborted with its mail.
    b.begin("m");
    b.offsets(10, MemberRef::none()).unwrap();
    assert_eq!(b.committed(), Some(5));
    b.end("m", false).unwrap();
    b.settle();
    assert_eq!(b.committed(), Some(5));
    assert_eq!(b.state("mailer-1"), (CompleteAbort, 2, vec![]));
    // And the third goes through.
    b.begin("m");
    b.offsets(10, MemberRef::none()).unwrap();
    b.end("m", true).unwrap();
    b.settle();
    assert_eq!(b.committed(), Some(10));
}

#[test]
fn r_txn_7_refused_offsets_leave_only_the_abort() {
    let mut b = mailer();
    let stranger = MemberRef {
        id: "stranger".into(),
        generation: 1,
        instance: None,
    };
    assert_eq!(b.offsets(10, stranger), Err(CommitFailed));
    let added = vec!["__consumer_offsets-12".to_string()];
    assert_eq!(
        b.state("mailer-1"),
        (Ongoing, 0, added),
        "it is in the transaction all the same"
    );
    assert_eq!(
        b.end("m", true),
        Err(InErrorState(ErrorCause::CommitFailed))
    );
    b.end("m", false).unwrap();
    b.settle();
    assert_eq!(b.state("mailer-1"), (CompleteAbort, 1, vec![]));
    assert_eq!(b.committed(), None);
    b.begin("m");
    b.offsets(8, MemberRef::none()).unwrap();
    b.end("m", true).unwrap();
    b.settle();
    assert_eq!(b.committed(), Some(8));
}
