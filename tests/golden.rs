//! Same commands, same seed: the same bytes of state, here and in wasm.
//!
//! Run natively by `cargo test`, and for the browser's instruction set by `cargo xtask test wasm`.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use highwater::world::setup::Setup;
use std::hash::{Hash, Hasher};

/// FNV-1a over the bytes of state, little-endian and 64 bits wide whatever the machine is.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn write_u16(&mut self, n: u16) {
        self.write(&n.to_le_bytes());
    }
    fn write_u32(&mut self, n: u32) {
        self.write(&n.to_le_bytes());
    }
    fn write_u64(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }
    // Lengths and the numbers of variants are as wide as a pointer: 32 bits in wasm.
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

/// The state's hash.
fn hash(state: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    state.hash(&mut hasher);
    hasher.finish()
}

/// What every world starts from.
#[test]
fn the_default_setup_is_the_same_everywhere() {
    assert_eq!(
        format!("{:016x}", hash(&Setup::default())),
        "a99edf67bc9a5d32"
    );
}

/// The hasher itself, against the published value for "a".
#[test]
fn the_hash_is_fnv_1a() {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    hasher.write(b"a");
    assert_eq!(hasher.finish(), 0xaf63_dc4c_8601_ec8c);
}
