//! How frame and host find each other.

use super::json::{Fields, Value};
use crate::app::address::Origin;

/// When the frame says hello until somebody connects, ms after it was loaded.
pub const TIMES: [u32; 4] = [0, 1000, 3000, 10_000];

/// What the frame says of itself.
pub fn hello(id: &str, scenario: &str, nonce: &str) -> String {
    Fields::message()
        .text("type", "hello")
        .text("id", id)
        .raw("v", "[1]")
        .text("scenario", scenario)
        .text("nonce", nonce)
        .done()
}

/// To whom: only the page that the address names may hear it.
pub fn target(origin: &Origin) -> Option<&str> {
    match origin {
        Origin::Any => Some("*"),
        Origin::Only(origin) => Some(origin),
        Origin::Nobody => None,
    }
}

/// Where a message on the window came from.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    /// The window that shows the frame.
    pub is_parent: bool,
    /// As the browser says.
    pub origin: &'a str,
    /// Ports that came with it.
    pub ports: u32,
}

/// Why a message on the window is no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No {
    /// Not for us at all.
    Other,
    /// Meant as one, and refused: the word for the console.
    Refused(&'static str),
}

/// Judges a message on the window.
pub fn connect(message: &str, from: Sender, nonce: &str, wanted: &Origin) -> Result<(), No> {
    let Some(value) = Value::read(message) else {
        return Err(No::Other);
    };
    let is = |name: &str, word: &str| value.get(name).and_then(Value::text) == Some(word);
    let whole = |name: &str| value.get(name).and_then(Value::whole);
    if whole("highwater").is_none() || !is("type", "connect") {
        return Err(No::Other);
    }
    let right_origin = match wanted {
        Origin::Any => true,
        Origin::Only(origin) => origin == from.origin,
        Origin::Nobody => false,
    };
    match () {
        _ if !from.is_parent => Err(No::Refused("wrong-window")),
        _ if !right_origin => Err(No::Refused("wrong-origin")),
        _ if !is("nonce", nonce) => Err(No::Refused("wrong-nonce")),
        _ if whole("highwater") != Some(1) || whole("v") != Some(1) || from.ports != 1 => {
            Err(No::Refused("bad-args"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "{\"highwater\":1,\"type\":\"connect\",\"v\":1,\"nonce\":\"n1\"}";
    const PARENT: Sender = Sender {
        is_parent: true,
        origin: "https://a",
        ports: 1,
    };

    #[test]
    fn the_parent_with_the_nonce_and_a_port_is_connected() {
        assert_eq!(connect(GOOD, PARENT, "n1", &Origin::Any), Ok(()));
        let only = Origin::Only("https://a".into());
        assert_eq!(connect(GOOD, PARENT, "n1", &only), Ok(()));
    }

    #[test]
    fn everybody_else_is_refused_by_name() {
        let any = Origin::Any;
        let other = Sender {
            is_parent: false,
            ..PARENT
        };
        let no = |word| Err(No::Refused(word));
        assert_eq!(connect(GOOD, other, "n1", &any), no("wrong-window"));
        assert_eq!(connect(GOOD, PARENT, "n2", &any), no("wrong-nonce"));
        let only = Origin::Only("https://b".into());
        assert_eq!(connect(GOOD, PARENT, "n1", &only), no("wrong-origin"));
        assert_eq!(
            connect(GOOD, PARENT, "n1", &Origin::Nobody),
            no("wrong-origin")
        );
        for ports in [0, 2] {
            let from = Sender { ports, ..PARENT };
            assert_eq!(connect(GOOD, from, "n1", &any), no("bad-args"));
        }
        let version = GOOD.replace("\"v\":1", "\"v\":2");
        assert_eq!(connect(&version, PARENT, "n1", &any), no("bad-args"));
        for strange in [
            "5",
            "\"x\"",
            "{}",
            "{\"type\":\"connect\"}",
            "{\"highwater\":1}",
        ] {
            assert_eq!(
                connect(strange, PARENT, "n1", &any),
                Err(No::Other),
                "{strange}"
            );
        }
    }

    #[test]
    fn hello_goes_to_the_named_page_alone() {
        assert_eq!(target(&Origin::Any), Some("*"));
        assert_eq!(target(&Origin::Only("https://a".into())), Some("https://a"));
        assert_eq!(target(&Origin::Nobody), None);
        assert_eq!(
            hello("f", "lags", "00"),
            "{\"highwater\":1,\"type\":\"hello\",\"id\":\"f\",\"v\":[1],\"scenario\":\"lags\",\"nonce\":\"00\"}"
        );
    }
}
