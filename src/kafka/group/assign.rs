//! Sharing partitions out among members: pure functions, used by the coordinator for the consumer
//! protocol and by the leading client of a classic group.

use super::Name;
use crate::kafka::ids::*;
use crate::kafka::map::{Map, Set};

/// A member, as whoever shares out sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// Its id.
    pub id: Name,
    /// group.instance.id: static members are put in its order.
    pub instance: Option<Name>,
    /// Topics it is subscribed to.
    pub topics: Vec<TopicId>,
    /// Partitions it has now.
    pub owned: Vec<Tp>,
}

/// Partitions by member id.
pub type Shares = Map<Name, Vec<Tp>>;

/// In the order of instance names, those without one by their ids behind.
fn in_order(members: &[Subscriber]) -> Vec<&Subscriber> {
    let mut all: Vec<&Subscriber> = Vec::new();
    for member in members {
        let key = |m: &Subscriber| (m.instance.is_none(), m.instance.clone(), m.id.clone());
        let at = all.partition_point(|m| key(m) < key(member));
        all.insert(at, member);
    }
    all
}

fn nothing(members: &[Subscriber]) -> Shares {
    members.iter().map(|m| (m.id.clone(), Vec::new())).collect()
}

/// RangeAssignor: of each topic a run of partitions for each member, the first ones one more.
pub fn range(members: &[Subscriber], partitions: &[Tp]) -> Shares {
    let mut shares = nothing(members);
    let topics: Set<TopicId> = partitions.iter().map(|tp| tp.topic).collect();
    for topic in topics {
        let of_topic: Set<Tp> = partitions
            .iter()
            .copied()
            .filter(|tp| tp.topic == topic)
            .collect();
        let mut takers = in_order(members);
        takers.retain(|m| m.topics.contains(&topic));
        if takers.is_empty() {
            continue;
        }
        let (each, extra) = (of_topic.len() / takers.len(), of_topic.len() % takers.len());
        let mut rest = of_topic.into_iter();
        for (at, taker) in takers.iter().enumerate() {
            let count = each + usize::from(at < extra);
            let share = shares.entry(taker.id.clone()).or_default();
            share.extend(rest.by_ref().take(count));
        }
    }
    shares
}

/// RoundRobinAssignor: all partitions in turn around the members.
pub fn round_robin(members: &[Subscriber], partitions: &[Tp]) -> Shares {
    let mut shares = nothing(members);
    let takers = in_order(members);
    let all: Set<Tp> = partitions.iter().copied().collect();
    let mut at = 0;
    for tp in all {
        let turn = (0..takers.len()).map(|n| (at + n) % takers.len());
        let next = turn
            .into_iter()
            .find(|n| takers[*n].topics.contains(&tp.topic));
        if let Some(next) = next {
            at = next + 1;
            let share = shares.entry(takers[next].id.clone()).or_default();
            share.push(tp);
        }
    }
    shares
}

/// As even as can be, and each member keeps what it has as far as that allows: the uniform assignor
/// of the consumer protocol, and the sticky ones of the classic protocol.
pub fn sticky(members: &[Subscriber], partitions: &[Tp]) -> Shares {
    let all: Set<Tp> = partitions.iter().copied().collect();
    let mut shares = nothing(members);
    let mut free = all.clone();
    let alike = members.windows(2).all(|pair| {
        let set = |m: &Subscriber| m.topics.iter().copied().collect::<Set<_>>();
        set(&pair[0]) == set(&pair[1])
    });
    let taken = |m: &Subscriber, tp: &Tp| m.topics.contains(&tp.topic);
    let wanted = all.iter().filter(|tp| members.iter().any(|m| taken(m, tp)));
    let (total, count) = (wanted.count(), members.len().max(1));
    let (quota, mut extra) = (total / count, total % count);
    for member in members {
        let mut kept: Vec<Tp> = Vec::new();
        let owned: Set<Tp> = member.owned.iter().copied().collect();
        for tp in owned {
            if !taken(member, &tp) || !free.contains(&tp) {
                continue;
            }
            let room = !alike || kept.len() < quota;
            let one_more = alike && kept.len() == quota && extra > 0;
            if room || one_more {
                extra -= usize::from(one_more);
                free.remove(&tp);
                kept.push(tp);
            }
        }
        shares.insert(member.id.clone(), kept);
    }
    for tp in free {
        if let Some(taker) = least(members, &shares, tp) {
            shares.entry(taker).or_default().push(tp);
        }
    }
    if !alike {
        even_out(members, &mut shares);
    }
    for share in shares.values_mut() {
        let sorted: Set<Tp> = share.iter().copied().collect();
        *share = sorted.into_iter().collect();
    }
    shares
}

/// The member with the fewest partitions of those that take this one.
fn least(members: &[Subscriber], shares: &Shares, tp: Tp) -> Option<Name> {
    let load = |m: &&Subscriber| shares.get(&m.id).map_or(0, Vec::len);
    let takers = members.iter().filter(|m| m.topics.contains(&tp.topic));
    takers.min_by_key(load).map(|m| m.id.clone())
}

/// Moves single partitions to members that have at least two fewer. Each move makes the loads more
/// even, so it ends.
fn even_out(members: &[Subscriber], shares: &mut Shares) {
    loop {
        let better = shares.iter().find_map(|(owner, share)| {
            share.iter().find_map(|tp| {
                let to = least(members, shares, *tp)?;
                let fewer = shares.get(&to).map_or(0, Vec::len);
                (fewer + 1 < share.len()).then(|| (owner.clone(), *tp, to))
            })
        });
        let Some((owner, tp, to)) = better else {
            return;
        };
        if let Some(share) = shares.get_mut(&owner) {
            share.retain(|p| *p != tp);
        }
        shares.entry(to).or_default().push(tp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tp(topic: u16, partition: u16) -> Tp {
        Tp {
            topic: TopicId(topic),
            partition,
        }
    }

    fn member(id: &str, topics: &[u16], owned: &[Tp]) -> Subscriber {
        Subscriber {
            id: id.into(),
            instance: None,
            topics: topics.iter().map(|t| TopicId(*t)).collect(),
            owned: owned.to_vec(),
        }
    }

    fn shown(shares: &Shares) -> String {
        let one = |(id, tps): (&Name, &Vec<Tp>)| {
            let tps = tps.iter().map(|t| format!("{}-{}", t.topic, t.partition));
            format!("{id}: {}", tps.collect::<Vec<_>>().join(" "))
        };
        shares.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn range_gives_runs_and_the_first_get_one_more() {
        let members = [member("b", &[0, 1], &[]), member("a", &[0], &[])];
        let all = [tp(0, 2), tp(0, 0), tp(0, 1), tp(1, 0)];
        assert_eq!(shown(&range(&members, &all)), "a: 0-0 0-1; b: 0-2 1-0");
    }

    #[test]
    fn round_robin_goes_around_and_skips_who_is_not_subscribed() {
        let members = [member("a", &[0], &[]), member("b", &[0, 1], &[])];
        let all = [tp(0, 0), tp(0, 1), tp(0, 2), tp(1, 0)];
        let shares = round_robin(&members, &all);
        assert_eq!(shown(&shares), "a: 0-0 0-2; b: 0-1 1-0");
    }

    #[test]
    fn sticky_keeps_what_it_can_and_is_even() {
        let all = [tp(0, 0), tp(0, 1), tp(0, 2)];
        let members = [member("a", &[0], &all), member("b", &[0], &[])];
        assert_eq!(shown(&sticky(&members, &all)), "a: 0-0 0-1; b: 0-2");
        // b leaves, then three share three.
        let alone = [member("a", &[0], &[tp(0, 0), tp(0, 1)])];
        assert_eq!(shown(&sticky(&alone, &all)), "a: 0-0 0-1 0-2");
        let three = [
            member("a", &[0], &[tp(0, 1)]),
            member("b", &[0], &[tp(0, 1), tp(0, 2)]),
            member("c", &[0], &[]),
        ];
        assert_eq!(shown(&sticky(&three, &all)), "a: 0-1; b: 0-2; c: 0-0");
    }

    #[test]
    fn sticky_evens_out_unlike_subscriptions() {
        let all = [tp(0, 0), tp(0, 1), tp(1, 0), tp(1, 1)];
        let members = [member("a", &[0, 1], &all), member("b", &[1], &[])];
        assert_eq!(shown(&sticky(&members, &all)), "a: 0-0 0-1; b: 1-0 1-1");
        assert_eq!(shown(&sticky(&[], &all)), "");
    }
}
