//! How the leader of a classic group shares partitions out among its members.

use crate::kafka::group::message::{Assignor, JoinMember};
use crate::kafka::ids::*;
use std::rc::Rc;

/// The partitions of each member: of each topic a run of partitions, the first members one more
/// where it does not come out even. With a cooperative assignor a partition that another member
/// still holds is nobody's until that one has given it up.
pub(super) fn share_out(
    assignor: Assignor,
    members: &[JoinMember],
    partitions: impl Fn(TopicId) -> Vec<Tp>,
) -> Vec<(Rc<str>, Vec<Tp>)> {
    let mut order: Vec<&JoinMember> = members.iter().collect();
    order.sort_by_key(|m| (m.instance.is_none(), m.instance.clone(), m.id.clone()));
    let mut shares: Vec<(Rc<str>, Vec<Tp>)> =
        order.iter().map(|m| (m.id.clone(), Vec::new())).collect();
    let mut topics: Vec<TopicId> = members.iter().flat_map(|m| m.topics.clone()).collect();
    topics.sort_unstable();
    topics.dedup();
    for topic in topics {
        let tps = partitions(topic);
        let takers: Vec<usize> = (0..order.len())
            .filter(|at| order[*at].topics.contains(&topic))
            .collect();
        let mut rest = tps.into_iter();
        let count = rest.len();
        for (place, at) in takers.iter().enumerate() {
            let more = usize::from(place < count % takers.len());
            let run = rest.by_ref().take(count / takers.len() + more);
            shares[*at].1.extend(run);
        }
    }
    if assignor == Assignor::CooperativeSticky {
        for (member, tps) in &mut shares {
            let held = |tp: &Tp| {
                members
                    .iter()
                    .any(|m| m.id != *member && m.owned.contains(tp))
            };
            tps.retain(|tp| !held(tp));
        }
    }
    shares
}
