//! How much a host may ask.

/// Commands within a second.
pub const A_SECOND: u32 = 20;
/// Characters of a message.
pub const LENGTH: u32 = 16 * 1024;

/// The commands of the last second.
#[derive(Debug, Default)]
pub struct Limits {
    /// When each was taken, ms.
    taken: Vec<u64>,
}

impl Limits {
    /// Whether another command may be taken now (ms of any clock that goes forwards).
    pub fn take(&mut self, now: u64) -> bool {
        self.taken.retain(|then| now < then + 1000);
        let room = (self.taken.len() as u32) < A_SECOND;
        if room {
            self.taken.push(now);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_a_second_and_no_more() {
        let mut limits = Limits::default();
        let taken = (0..50).filter(|n| limits.take(*n)).count();
        assert_eq!(taken, 20);
        assert!(!limits.take(999));
        // The first was a second ago.
        assert!(limits.take(1000));
        assert!(!limits.take(1000));
        assert_eq!((5000..5100).filter(|n| limits.take(*n)).count(), 20);
    }
}
