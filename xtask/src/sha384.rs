//! SHA-384 (FIPS 180-4), for the `integrity` of a script that course pages load. Its constants are
//! computed as the standard defines them, so that none can be mistyped.

const ROUNDS: usize = 80;
/// The initial state comes from the square roots of the 9th to the 16th prime.
const FIRST: std::ops::Range<usize> = 8..16;

/// The digest of the bytes.
pub fn sha384(bytes: &[u8]) -> [u8; 48] {
    let primes = primes();
    let constants: Vec<u64> = primes.iter().map(|&p| root(p, 3)).collect();
    let mut state: Vec<u64> = primes[FIRST].iter().map(|&p| root(p, 2)).collect();

    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 128 != 112 {
        message.push(0);
    }
    message.extend((bytes.len() as u128 * 8).to_be_bytes());

    for block in message.chunks(128) {
        let mut w: Vec<u64> = block
            .chunks(8)
            .map(|word| word.iter().fold(0, |sum, &b| sum << 8 | u64::from(b)))
            .collect();
        for t in 16..ROUNDS {
            let (a, b) = (w[t - 15], w[t - 2]);
            let a = a.rotate_right(1) ^ a.rotate_right(8) ^ (a >> 7);
            let b = b.rotate_right(19) ^ b.rotate_right(61) ^ (b >> 6);
            w.push(
                w[t - 16]
                    .wrapping_add(a)
                    .wrapping_add(w[t - 7])
                    .wrapping_add(b),
            );
        }
        let mut s = state.clone();
        for t in 0..ROUNDS {
            let (a, e) = (s[0], s[4]);
            let sum = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let choice = (e & s[5]) ^ (!e & s[6]);
            let one = [sum, choice, constants[t], w[t]]
                .iter()
                .fold(s[7], |all, x| all.wrapping_add(*x));
            let sum = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let most = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(one);
            s[0] = one.wrapping_add(sum).wrapping_add(most);
        }
        for (all, one) in state.iter_mut().zip(s) {
            *all = all.wrapping_add(one);
        }
    }
    let mut out = [0; 48];
    for (place, word) in out.chunks_mut(8).zip(state) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    out
}

fn primes() -> Vec<u128> {
    (2..)
        .filter(|n| (2..*n).all(|d| n % d != 0))
        .take(ROUNDS)
        .collect()
}

/// The first 64 bits behind the point of the square or the cube root.
fn root(n: u128, power: u32) -> u64 {
    // The largest x with (x / 2^64)^power ≤ n, bit by bit. Roots here are below 2^5.
    let mut x: u128 = 0;
    for bit in (0..69).rev() {
        let more = x | 1 << bit;
        if power_at_most(more, power, n) {
            x = more;
        }
    }
    x as u64
}

/// Whether (x / 2^64)^power ≤ n, in halves of 64 bits.
fn power_at_most(x: u128, power: u32, n: u128) -> bool {
    // Little-endian limbs of 32 bits, multiplied as at school.
    let limbs = |mut x: u128| {
        let mut all = Vec::new();
        while x > 0 {
            all.push(x as u32);
            x >>= 32;
        }
        all
    };
    let times = |a: &[u32], b: &[u32]| {
        let mut out = vec![0u32; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0u64;
            for (j, y) in b.iter().chain([&0]).enumerate().take(out.len() - i) {
                let sum = u64::from(out[i + j]) + u64::from(*x) * u64::from(*y) + carry;
                out[i + j] = sum as u32;
                carry = sum >> 32;
            }
        }
        out
    };
    let x = limbs(x);
    let mut product = x.clone();
    for _ in 1..power {
        product = times(&product, &x);
    }
    // n · 2^(64·power): whole part against n, exact where the fraction is nothing.
    let point = 2 * power as usize;
    let whole = (product.iter().skip(point).take(4).rev())
        .fold(0u128, |sum, &limb| sum << 32 | u128::from(limb));
    let fraction = product.iter().take(point).any(|&limb| limb > 0);
    whole < n || whole == n && !fraction
}

/// What stands in an `integrity` attribute.
pub fn integrity(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    // 48 bytes are 64 letters, without anything left over.
    let letters = sha384(bytes)
        .chunks(3)
        .fold(String::new(), |mut out, three| {
            let bits = three.iter().fold(0u32, |sum, &b| sum << 8 | u32::from(b));
            for place in [18, 12, 6, 0] {
                out.push(char::from(LETTERS[(bits >> place & 63) as usize]));
            }
            out
        });
    format!("sha384-{letters}")
}

#[cfg(test)]
mod tests {
    use super::{integrity, sha384};

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// The examples of the standard.
    #[test]
    fn the_examples_of_the_standard_hold() {
        assert_eq!(
            hex(&sha384(b"abc")),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163\
             1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        );
        assert_eq!(
            hex(&sha384(
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
                  hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
            )),
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d2\
             2fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        );
    }

    #[test]
    fn an_integrity_is_64_letters_of_base64() {
        assert_eq!(
            integrity(b""),
            "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb"
        );
    }
}
