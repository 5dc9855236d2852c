//! Which key does what inside a scene. Keys act only while focus is inside it, Space, Tab and
//! anything with Ctrl, Alt or Meta are never taken.

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// One step on.
    Next,
    /// One step back.
    Back,
    /// To the first step.
    First,
    /// To the last step.
    Last,
    /// To the next marker.
    NextMark,
    /// To the marker before.
    BackMark,
    /// Play or pause.
    Play,
    /// Focus to the explanation.
    Explain,
    /// Copy the link.
    Link,
    /// The next view: replicas, ruler, both.
    View,
    /// Copy the ruler as text.
    Copy,
    /// Show the keys.
    Help,
    /// Focus to the scene as a whole.
    Leave,
}

/// Where focus is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the drawing.
    Stage,
    /// On the timeline.
    Timeline,
    /// Elsewhere in the scene.
    Inside,
}

/// The act of a key, if it has one. A key that yields no ASCII letter (the Russian layout) is
/// taken by its place on the board.
pub fn act(key: &str, code: &str, place: Place) -> Option<Act> {
    let on_line = place != Place::Inside;
    match key {
        "ArrowRight" if on_line => return Some(Act::Next),
        "ArrowLeft" if on_line => return Some(Act::Back),
        "Home" if on_line => return Some(Act::First),
        "End" if on_line => return Some(Act::Last),
        "PageDown" if place == Place::Timeline => return Some(Act::NextMark),
        "PageUp" if place == Place::Timeline => return Some(Act::BackMark),
        "Escape" => return Some(Act::Leave),
        _ => {}
    }
    let sign = if key.is_ascii() {
        key
    } else {
        match code {
            "BracketLeft" => "[",
            "BracketRight" => "]",
            "Period" => ".",
            "Comma" => ",",
            "KeyP" => "p",
            "KeyE" => "e",
            "KeyL" => "l",
            "KeyV" => "v",
            "KeyT" => "t",
            _ => return None,
        }
    };
    Some(match sign {
        "." => Act::Next,
        "," => Act::Back,
        "]" => Act::NextMark,
        "[" => Act::BackMark,
        "p" | "P" => Act::Play,
        "e" | "E" => Act::Explain,
        "l" | "L" => Act::Link,
        "v" | "V" => Act::View,
        "t" | "T" => Act::Copy,
        "?" => Act::Help,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_russian_layout_works() {
        for (key, code, is) in [
            ("х", "BracketLeft", Act::BackMark),
            ("ъ", "BracketRight", Act::NextMark),
            ("ю", "Period", Act::Next),
            ("б", "Comma", Act::Back),
            ("з", "KeyP", Act::Play),
            ("у", "KeyE", Act::Explain),
            ("д", "KeyL", Act::Link),
            ("м", "KeyV", Act::View),
            ("е", "KeyT", Act::Copy),
            ("?", "Digit7", Act::Help),
        ] {
            assert_eq!(act(key, code, Place::Inside), Some(is), "{key}");
        }
    }

    #[test]
    fn arrows_belong_to_the_drawing_and_the_timeline() {
        assert_eq!(
            act("ArrowRight", "ArrowRight", Place::Stage),
            Some(Act::Next)
        );
        assert_eq!(act("Home", "Home", Place::Timeline), Some(Act::First));
        assert_eq!(act("ArrowRight", "ArrowRight", Place::Inside), None);
        assert_eq!(act("PageDown", "PageDown", Place::Stage), None);
    }

    #[test]
    fn space_tab_and_up_are_left_to_the_browser() {
        for key in [" ", "Tab", "ArrowUp", "ArrowDown", "Enter"] {
            assert_eq!(act(key, key, Place::Stage), None);
        }
    }
}
