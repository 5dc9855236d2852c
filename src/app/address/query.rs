//! The letters of a query, taken apart and put together.

/// How names begin that others add to any address (ux.md 3.1).
const FOREIGN: [&str; 6] = ["utm_", "fbclid", "yclid", "gclid", "_ga", "ref"];

/// Longest value that is repeated to the reader, and longest name of a scene or marker.
const SHOWN: usize = 40;

/// The names and values of a query, names in small letters.
pub fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query.trim_start_matches('?').split('&').map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name).to_ascii_lowercase(), decode(value))
    })
}

/// A name that courses and counters of visits add, or none at all.
pub fn is_foreign(name: &str) -> bool {
    name.is_empty() || FOREIGN.iter().any(|f| name.starts_with(f))
}

/// As much of a value as is repeated to the reader.
pub fn short(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// A scene's or marker's name: small letters, digits, hyphens, at most 40.
pub fn is_id(value: &str) -> bool {
    (1..=SHOWN).contains(&value.len())
        && value
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Undoes percent-encoding; what is not valid stays as it is.
pub fn decode(value: &str) -> String {
    let bytes = value.as_bytes();
    let hex = |at: usize| Some((*bytes.get(at)? as char).to_digit(16)? as u8);
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                at += 2;
            }
            (b'+', ..) => out.push(b' '),
            (byte, ..) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}
