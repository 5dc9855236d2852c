//! A branch as text for an address: `k1.` and base64url of its step, its moves and what they led
//! to. Of the versions that were ever given out each can be read for ever.
//!
//! `k1`: step (varint), number of moves (varint), a byte a move (five bits what, three bits whom;
//! 7: a varint follows), and behind the step and every [`LOOK`]th move one byte of what was there
//! to see, behind the last move two.

use super::moves::{Move, Wait};
use super::{MOST, moves};
use crate::kafka::ids::BrokerId;
use crate::kafka::message::Acks;

/// The name of the version that is written.
pub const CODEC: &str = "k1";

/// So many moves lie between two looks at what there is to see.
const LOOK: usize = 4;

/// A branch, as a link holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The step at which it leaves its story.
    pub base: u32,
    /// What is done from there.
    pub moves: Vec<Move>,
    /// What there was to see: one number a look, the last with all its 16 bits.
    pub(super) marks: Vec<u16>,
}

/// Why a text is not a link's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadLink {
    /// It begins with the name of a version that this program does not know.
    Version(String),
    /// It has a letter that base64url has not, at this place (from 0).
    Letter(usize),
    /// It ends too early, as a link does that was cut by a program in between.
    Cut,
    /// It holds a move that this version has not.
    Move,
    /// Too many moves.
    Long,
    /// More than a link.
    More,
}

/// Of the marks behind each number of moves (0, 1, 2 …) those that a link keeps.
pub(super) fn marks_of(all: &[u16]) -> Vec<u16> {
    let last = all.len().saturating_sub(1);
    let kept = (0..=last).filter(|done| looks_at(*done, last));
    kept.filter_map(|done| {
        let mark = *all.get(done)?;
        Some(if done == last { mark } else { mark & 0xff })
    })
    .collect()
}

fn looks_at(done: usize, last: usize) -> bool {
    done.is_multiple_of(LOOK) || done == last
}

impl Link {
    /// Whether it holds what there was to see behind so many moves.
    pub(super) fn looks_at(&self, done: usize) -> bool {
        looks_at(done, self.moves.len())
    }

    /// Whether what there is to see behind so many moves is what there was.
    pub(super) fn agrees(&self, done: usize, mark: u16) -> bool {
        if !self.looks_at(done) {
            return true;
        }
        let at = done.div_ceil(LOOK);
        let bits = if done == self.moves.len() {
            0xffff
        } else {
            0xff
        };
        self.marks.get(at) == Some(&(mark & bits))
    }

    /// As text for an address.
    pub fn write(&self) -> String {
        let mut bytes = vec![];
        varint(&mut bytes, self.base);
        varint(&mut bytes, self.moves.len() as u32);
        let mut marks = self.marks.iter();
        for done in 0..=self.moves.len() {
            if let Some(what) = done.checked_sub(1).and_then(|at| self.moves.get(at)) {
                let (op, whom) = parts(*what);
                bytes.push(op << 3 | whom.min(7) as u8);
                if whom >= 7 {
                    varint(&mut bytes, whom);
                }
            }
            if self.looks_at(done) {
                let [low, high] = marks.next().copied().unwrap_or_default().to_le_bytes();
                bytes.push(low);
                if done == self.moves.len() {
                    bytes.push(high);
                }
            }
        }
        format!("{CODEC}.{}", base64(&bytes))
    }

    /// Whether a fragment of an address means to be a link, of whatever version: `k` and a number.
    pub fn is_meant(text: &str) -> bool {
        let version = text.strip_prefix('k').unwrap_or_default();
        version.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Reads the text of an address, without `#`.
    ///
    /// # Errors
    /// Why it is no link.
    pub fn read(text: &str) -> Result<Link, BadLink> {
        let (version, rest) = text.split_once('.').unwrap_or((text, ""));
        if version != CODEC {
            return Err(BadLink::Version(version.chars().take(12).collect()));
        }
        let bytes = from_base64(rest)?;
        let mut bytes = bytes.into_iter();
        let base = read_varint(&mut bytes)?;
        let count = read_varint(&mut bytes)? as usize;
        if count > MOST {
            return Err(BadLink::Long);
        }
        let mut link = Link {
            base,
            moves: vec![],
            marks: vec![],
        };
        for done in 0..=count {
            if done > 0 {
                let byte = bytes.next().ok_or(BadLink::Cut)?;
                let whom = match byte & 7 {
                    7 => read_varint(&mut bytes)?,
                    whom => u32::from(whom),
                };
                link.moves
                    .push(of_parts(byte >> 3, whom).ok_or(BadLink::Move)?);
            }
            if looks_at(done, count) {
                let low = bytes.next().ok_or(BadLink::Cut)?;
                let high = match done == count {
                    true => bytes.next().ok_or(BadLink::Cut)?,
                    false => 0,
                };
                link.marks.push(u16::from_le_bytes([low, high]));
            }
        }
        match bytes.next() {
            None => Ok(link),
            Some(_) => Err(BadLink::More),
        }
    }
}

/// A move as what and whom. These numbers are in links that were given out: they never change.
fn parts(what: Move) -> (u8, u32) {
    let broker = |id: BrokerId| u32::from(id.0);
    match what {
        Move::Wait(wait) => {
            let at = Wait::ALL.iter().position(|w| *w == wait);
            (0, at.unwrap_or(0) as u32)
        }
        Move::Produce(n) => (1, n.into()),
        Move::Kill(id) => (2, broker(id)),
        Move::PowerLoss(id) => (3, broker(id)),
        Move::Shutdown(id) => (4, broker(id)),
        Move::Start(id) => (5, broker(id)),
        Move::Freeze(id) => (6, broker(id)),
        Move::Thaw(id) => (7, broker(id)),
        Move::Isolate(id) => (8, broker(id)),
        Move::Rejoin(id) => (9, broker(id)),
        Move::Slow(id) => (10, broker(id)),
        Move::Fast(id) => (11, broker(id)),
        Move::ElectPreferred => (12, 0),
        Move::ElectUnclean => (12, 1),
        Move::MinIsr(n) => (13, n.into()),
        Move::Acks(n, Acks::None) => (14, n.into()),
        Move::Acks(n, Acks::Leader) => (15, n.into()),
        Move::Acks(n, Acks::All) => (16, n.into()),
        Move::Poll(n) => (17, n.into()),
        Move::Process(n) => (18, n.into()),
        Move::Commit(n) => (19, n.into()),
        Move::Crash(n) => (20, n.into()),
        Move::Close(n) => (21, n.into()),
        Move::Restart(n) => (22, n.into()),
        Move::Begin(n) => (23, n.into()),
        Move::CommitTransaction(n) => (24, n.into()),
        Move::Abort(n) => (25, n.into()),
    }
}

fn of_parts(op: u8, whom: u32) -> Option<moves::Move> {
    let n = u16::try_from(whom).ok()?;
    let id = || Some(BrokerId(whom.try_into().ok()?));
    Some(match op {
        0 => Move::Wait(*Wait::ALL.get(whom as usize)?),
        1 => Move::Produce(n),
        2 => Move::Kill(id()?),
        3 => Move::PowerLoss(id()?),
        4 => Move::Shutdown(id()?),
        5 => Move::Start(id()?),
        6 => Move::Freeze(id()?),
        7 => Move::Thaw(id()?),
        8 => Move::Isolate(id()?),
        9 => Move::Rejoin(id()?),
        10 => Move::Slow(id()?),
        11 => Move::Fast(id()?),
        12 if whom == 0 => Move::ElectPreferred,
        12 if whom == 1 => Move::ElectUnclean,
        13 => Move::MinIsr(n),
        14 => Move::Acks(n, Acks::None),
        15 => Move::Acks(n, Acks::Leader),
        16 => Move::Acks(n, Acks::All),
        17 => Move::Poll(n),
        18 => Move::Process(n),
        19 => Move::Commit(n),
        20 => Move::Crash(n),
        21 => Move::Close(n),
        22 => Move::Restart(n),
        23 => Move::Begin(n),
        24 => Move::CommitTransaction(n),
        25 => Move::Abort(n),
        _ => return None,
    })
}

fn varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_varint(bytes: &mut impl Iterator<Item = u8>) -> Result<u32, BadLink> {
    let mut number = 0;
    for shift in [0, 7, 14, 21, 28] {
        let byte = bytes.next().ok_or(BadLink::Cut)?;
        number |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(BadLink::Long)
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 2);
    for three in bytes.chunks(3) {
        let at = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for n in 0..=three.len() as u32 {
            text.push(LETTERS[(bits >> (18 - 6 * n) & 63) as usize] as char);
        }
    }
    text
}

fn from_base64(text: &str) -> Result<Vec<u8>, BadLink> {
    let (mut bytes, mut bits, mut held) = (vec![], 0u32, 0);
    for (place, letter) in text.bytes().enumerate() {
        let value = LETTERS.iter().position(|l| *l == letter);
        bits = bits << 6 | value.ok_or(BadLink::Letter(place))? as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(count: usize) -> Link {
        let moves = [
            Move::Wait(Wait::Change),
            Move::Kill(BrokerId(2)),
            Move::Start(BrokerId(200)),
            Move::Produce(0),
            Move::Acks(1, Acks::All),
            Move::ElectUnclean,
        ];
        let moves: Vec<Move> = moves.iter().cycle().take(count).copied().collect();
        let all: Vec<u16> = (0..=count as u16).map(|n| n.wrapping_mul(40_503)).collect();
        Link {
            base: 11,
            marks: marks_of(&all),
            moves,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 3, 4, 5, 8, 9, 100] {
            let link = link(count);
            assert_eq!(Link::read(&link.write()), Ok(link));
        }
    }

    #[test]
    fn every_move_comes_back_from_its_number() {
        for op in 0..=25u8 {
            for whom in [0, 1, 5] {
                if let Some(what) = of_parts(op, whom) {
                    let back = parts(what);
                    assert_eq!(of_parts(back.0, back.1), Some(what));
                }
            }
        }
        assert_eq!(of_parts(26, 0), None);
        assert_eq!(of_parts(0, 6), None);
    }

    /// ux.md 3.16: an address below 1,900 letters for a thousand moves.
    #[test]
    fn a_thousand_moves_fit_into_an_address() {
        let moves = [
            Move::Wait(Wait::Change),
            Move::Produce(0),
            Move::Kill(BrokerId(1)),
        ];
        let link = Link {
            base: 7,
            moves: moves.iter().cycle().take(1_000).copied().collect(),
            marks: marks_of(&[7; 1_001]),
        };
        let text = link.write();
        assert!(text.len() < 1_700, "{}", text.len());
        assert_eq!(Link::read(&text), Ok(link));
    }

    #[test]
    fn a_text_that_is_no_link_says_why() {
        let whole = link(9).write();
        assert_eq!(Link::read("k9.AAAA"), Err(BadLink::Version("k9".into())));
        assert_eq!(Link::read(""), Err(BadLink::Version("".into())));
        assert_eq!(Link::read("k1.AA*A"), Err(BadLink::Letter(2)));
        for end in 3..whole.len() - 2 {
            assert_eq!(Link::read(&whole[..end]), Err(BadLink::Cut), "{end}");
        }
        assert_eq!(Link::read(&format!("{whole}AAAA")), Err(BadLink::More));
    }
}
