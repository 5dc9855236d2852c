//! What somebody probably meant.

use crate::kafka::sort;

/// The names nearest to a wrong one, nearest first, at most three.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<_> = names.map(|name| (distance(wrong, name), name)).collect();
    sort::by_key(&mut all, |e| *e);
    all.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters to change, add or drop to turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_scene_is_offered_first() {
        let names = ["acks-all", "acks-0", "leader-dies", "overview"];
        assert_eq!(nearest("leader-die", names.into_iter())[0], "leader-dies");
        assert_eq!(nearest("acks0", names.into_iter()).len(), 3);
    }
}
