//! Sorting of short lists. The library's sorts cost the page five kilobytes for every kind of
//! list; what is sorted here has a few dozen entries, mostly in order already.

/// Sorts by a key; equal ones keep their order.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        for at in (1..=end).rev() {
            if key(&list[at - 1]) <= key(&list[at]) {
                break;
            }
            list.swap(at - 1, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_key;

    #[test]
    fn sorts_and_keeps_the_order_of_equals() {
        let mut seed = 3u32;
        let mut list: Vec<(u32, usize)> = (0..90)
            .map(|n| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((seed >> 16) % 12, n)
            })
            .collect();
        let mut wanted = list.clone();
        wanted.sort();
        by_key(&mut list, |e| e.0);
        assert_eq!(list, wanted);
        by_key(&mut list[..0], |e| e.0);
    }
}
