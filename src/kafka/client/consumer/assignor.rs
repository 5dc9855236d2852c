//! How the leading member of a classic group shares out (partition.assignment.strategy).

use crate::kafka::group::Name;
use crate::kafka::group::assign::{Shares, Subscriber, range, round_robin, sticky};
use crate::kafka::group::message::{Assignor, JoinMember};
use crate::kafka::ids::*;
use crate::kafka::map::Map;

/// The partitions of each member, by its id.
pub fn assign(
    assignor: Assignor,
    members: &[JoinMember],
    partitions: &[Tp],
) -> Vec<(Name, Vec<Tp>)> {
    let subscribers: Vec<Subscriber> = members
        .iter()
        .map(|m| Subscriber {
            id: m.id.clone(),
            instance: m.instance.clone(),
            topics: m.topics.clone(),
            owned: m.owned.clone(),
        })
        .collect();
    let shares = match assignor {
        Assignor::Range => range(&subscribers, partitions),
        Assignor::RoundRobin => round_robin(&subscribers, partitions),
        Assignor::Sticky => sticky(&subscribers, partitions),
        Assignor::CooperativeSticky => {
            let shares = sticky(&subscribers, partitions);
            without_moving(shares, &subscribers)
        }
    };
    shares.into_iter().collect()
}

/// A partition that another member still holds is given to nobody yet: its holder gives it up, and
/// a second rebalance hands it over (R-REB-6).
fn without_moving(mut shares: Shares, members: &[Subscriber]) -> Shares {
    let owner: Map<Tp, Name> = members
        .iter()
        .flat_map(|m| m.owned.iter().map(|tp| (*tp, m.id.clone())))
        .collect();
    for (id, share) in &mut shares {
        share.retain(|tp| owner.get(tp).is_none_or(|holder| holder == id));
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tp(partition: u16) -> Tp {
        Tp {
            topic: TopicId(0),
            partition,
        }
    }

    fn member(id: &str, owned: &[Tp]) -> JoinMember {
        JoinMember {
            id: id.into(),
            instance: None,
            topics: vec![TopicId(0)],
            owned: owned.to_vec(),
        }
    }

    #[test]
    fn r_reb_6_cooperative_takes_two_rounds() {
        let all = [tp(0), tp(1)];
        let first = [member("c1", &all), member("c2", &[])];
        let shares = assign(Assignor::CooperativeSticky, &first, &all);
        let expected = [("c1".into(), vec![tp(0)]), ("c2".into(), vec![])];
        assert_eq!(shares, expected);
        let second = [member("c1", &[tp(0)]), member("c2", &[])];
        let shares = assign(Assignor::CooperativeSticky, &second, &all);
        let expected = [("c1".into(), vec![tp(0)]), ("c2".into(), vec![tp(1)])];
        assert_eq!(shares, expected);
    }

    #[test]
    fn eager_strategies_move_at_once() {
        let all = [tp(0), tp(1)];
        let members = [member("c1", &[]), member("c2", &[])];
        for assignor in [Assignor::Range, Assignor::RoundRobin, Assignor::Sticky] {
            let shares = assign(assignor, &members, &all);
            let expected = [("c1".into(), vec![tp(0)]), ("c2".into(), vec![tp(1)])];
            assert_eq!(shares, expected, "{assignor:?}");
        }
    }
}
