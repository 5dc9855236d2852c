//! The valid word nearest to one that is not.

/// The most bytes of a word that is held against others.
const LONGEST: usize = 200;

/// The nearest of the words, if one is near: at most two letters off, three in a long word.
pub fn nearest<'a>(found: &str, words: impl Iterator<Item = &'a str>) -> Option<String> {
    // No word is that long: nothing is near, and to measure it would take its time.
    if found.len() > LONGEST {
        return None;
    }
    let found: Vec<char> = found.chars().flat_map(char::to_lowercase).collect();
    let most = match found.len() {
        0..=3 => 1,
        4..=9 => 2,
        _ => 3,
    };
    words
        .map(|word| (distance(&found, word), word))
        .filter(|(far, _)| *far <= most)
        .min_by_key(|(far, _)| *far)
        .map(|(_, word)| word.into())
}

/// Letters to put in, take out, change or swap with their neighbour.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_finger_is_found_and_nothing_is_guessed() {
        let words = ["produce", "producer", "poll", "kill", "shutdown"];
        let near = |found| nearest(found, words.into_iter());
        assert_eq!(near("prodcue").as_deref(), Some("produce"));
        assert_eq!(near("kil").as_deref(), Some("kill"));
        assert_eq!(near("Shutdwon").as_deref(), Some("shutdown"));
        assert_eq!(near("reassign"), None);
    }
}
