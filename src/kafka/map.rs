//! Maps and sets as sorted lists. Ours have a few dozen entries, are walked in order on every
//! step and copied with every checkpoint, which a flat list does best; and every kind of tree
//! map costs the page several kilobytes of code, every kind of list a few hundred bytes.

use std::fmt;

/// A map in the order of its keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Map<K, V>(Vec<(K, V)>);

/// A set in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Vec<K>);

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::new()
    }
}

impl<K, V> Map<K, V> {
    /// No entry.
    pub const fn new() -> Self {
        Map(Vec::new())
    }
    /// How many entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
    /// The entries, by key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.0.iter())
    }
    /// The entries, by key, the values to change.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.0.iter_mut())
    }
    /// The keys, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.0.iter().map(|e| &e.0)
    }
    /// The values, by key.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.0.iter().map(|e| &e.1)
    }
    /// The values, by key, to change.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.0.iter_mut().map(|e| &mut e.1)
    }
    /// The values alone, by key.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.0.into_iter().map(|e| e.1)
    }
    /// The keys alone, in order.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.0.into_iter().map(|e| e.0)
    }
    /// Keeps the entries that pass.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(k, v)| keep(k, v));
    }
    /// The entry of the smallest key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.0.first().map(|e| (&e.0, &e.1))
    }
    /// The entry of the largest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.0.last().map(|e| (&e.0, &e.1))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Where the key is, or belongs.
    fn place(&self, key: &K) -> Result<usize, usize> {
        // Most keys (offsets, correlations, tickets) arrive in order.
        match self.0.last() {
            Some((last, _)) if last < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|e| e.0.cmp(key)),
        }
    }
    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let at = self.place(key).ok()?;
        self.0.get(at).map(|e| &e.1)
    }
    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let at = self.place(key).ok()?;
        self.0.get_mut(at).map(|e| &mut e.1)
    }
    /// Whether the key is there.
    pub fn contains_key(&self, key: &K) -> bool {
        self.place(key).is_ok()
    }
    /// Sets the value of a key; the one it had comes back.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }
    /// Takes a key out.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at).1)
    }
    /// The place of a key, to look at or fill.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }
    /// The entries from one key to another, both included.
    pub fn range(&self, keys: std::ops::RangeInclusive<K>) -> Iter<'_, K, V> {
        let from = self.0.partition_point(|e| e.0 < *keys.start());
        let to = self.0.partition_point(|e| e.0 <= *keys.end());
        Iter(self.0.get(from..to).unwrap_or_default().iter())
    }
}

// For keys known to be there.
impl<K: Ord, V> std::ops::Index<&K> for Map<K, V> {
    type Output = V;
    fn index(&self, key: &K) -> &V {
        self.get(key).expect("a key of the map")
    }
}

/// The place of a key.
pub struct Entry<'a, K, V> {
    map: &'a mut Map<K, V>,
    key: K,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    /// The value, set first where there was none.
    pub fn or_insert_with(self, value: impl FnOnce() -> V) -> &'a mut V {
        let at = match self.map.place(&self.key) {
            Ok(at) => at,
            Err(at) => {
                self.map.0.insert(at, (self.key, value()));
                at
            }
        };
        &mut self.map.0[at].1
    }
    /// The value, set first where there was none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }
    /// The value, set first where there was none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

/// Entries by key.
#[derive(Clone)]
pub struct Iter<'a, K, V>(std::slice::Iter<'a, (K, V)>);

/// Entries by key, the values to change.
pub struct IterMut<'a, K, V>(std::slice::IterMut<'a, (K, V)>);

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|e| (&e.0, &e.1))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|e| (&e.0, &e.1))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

impl<'a, K, V> Iterator for IterMut<'a, K, V> {
    type Item = (&'a K, &'a mut V);
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|e| (&e.0, &mut e.1))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut Map<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;
    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

// One by one rather than sorted at the end: a sort of each kind of pair costs more code than
// these short lists save time.
impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for Map<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K> Default for Set<K> {
    fn default() -> Self {
        Set::new()
    }
}

impl<K> Set<K> {
    /// Nothing.
    pub const fn new() -> Self {
        Set(Vec::new())
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// All, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.0.iter()
    }
    /// The smallest.
    pub fn first(&self) -> Option<&K> {
        self.0.first()
    }
    /// The largest.
    pub fn last(&self) -> Option<&K> {
        self.0.last()
    }
    /// Keeps those that pass.
    pub fn retain(&mut self, keep: impl FnMut(&K) -> bool) {
        self.0.retain(keep);
    }
    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Ord> Set<K> {
    /// Whether it is in.
    pub fn contains(&self, key: &K) -> bool {
        self.0.binary_search(key).is_ok()
    }
    /// Puts it in; whether it was not in before.
    pub fn insert(&mut self, key: K) -> bool {
        match self.0.binary_search(&key) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, key);
                true
            }
        }
    }
    /// Takes it out; whether it was in.
    pub fn remove(&mut self, key: &K) -> bool {
        match self.0.binary_search(key) {
            Ok(at) => {
                self.0.remove(at);
                true
            }
            Err(_) => false,
        }
    }
    /// Takes out the smallest.
    pub fn pop_first(&mut self) -> Option<K> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }
}

impl<'a, K> IntoIterator for &'a Set<K> {
    type Item = &'a K;
    type IntoIter = std::slice::Iter<'a, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Set::new();
        set.extend(keys);
        set
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Any series of calls gives what the standard library's tree gives.
    #[test]
    fn behaves_like_a_tree() {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        let (mut set, mut tree_set) = (Set::new(), BTreeSet::new());
        let mut seed = 7u32;
        for turn in 0..2000u32 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = (seed >> 16) % 24;
            match (seed >> 8) % 6 {
                0 => assert_eq!(map.remove(&key), tree.remove(&key)),
                1 => assert_eq!(map.insert(key, turn), tree.insert(key, turn)),
                2 => {
                    *map.entry(key).or_default() += turn;
                    *tree.entry(key).or_default() += turn;
                }
                3 => assert_eq!(set.insert(key), tree_set.insert(key)),
                4 => assert_eq!(set.remove(&key), tree_set.remove(&key)),
                _ => {
                    assert_eq!(set.pop_first(), tree_set.pop_first());
                    map.retain(|k, v| *k + 1 != key && *v % 5 != 0);
                    tree.retain(|k, v| *k + 1 != key && *v % 5 != 0);
                }
            }
            assert!(map.iter().eq(tree.iter()));
            assert!(set.iter().eq(tree_set.iter()));
            assert_eq!(map.get(&key), tree.get(&key));
            assert_eq!(set.contains(&key), tree_set.contains(&key));
            assert!(map.range(5..=key + 5).eq(tree.range(5..=key + 5)));
            assert_eq!(format!("{map:?}{set:?}"), format!("{tree:?}{tree_set:?}"));
        }
    }
}
