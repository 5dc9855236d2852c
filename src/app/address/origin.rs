//! `origin=`: the one page that may speak to the frame.

/// An origin as browsers write it: https, a host, perhaps a port. Plain http only of the reader's
/// own machine, where lessons are written.
pub fn is_origin(text: &str) -> bool {
    let (rest, local_only) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (_, Some(rest)) => (rest, true),
        _ => return false,
    };
    let (host, port) = rest.split_once(':').unwrap_or((rest, "443"));
    let named = !host.is_empty()
        && host.len() <= 253
        && host.split('.').all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        });
    let local = matches!(host, "localhost" | "127.0.0.1");
    let digits = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    named && digits && port.parse::<u16>().is_ok_and(|p| p > 0) && (local || !local_only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_origin_is_one() {
        for yes in [
            "https://lms.example.org",
            "https://a:8443",
            "http://127.0.0.1:5000",
            "http://localhost",
        ] {
            assert!(is_origin(yes), "{yes}");
        }
        for no in [
            "",
            "*",
            "null",
            "lms.example.org",
            "http://lms.example.org",
            "https://",
            "https://a/",
            "https://a/path",
            "https://a:0",
            "https://a:70000",
            "https://a:",
            "https://u@a",
            "https://a..b",
            "https://*.example.org",
            "javascript:alert(1)",
            "https://a https://b",
        ] {
            assert!(!is_origin(no), "{no}");
        }
    }
}
