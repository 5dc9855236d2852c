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
    /// Show the glossary.
    Glossary,
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
    /// Where arrows have work of their own: text fields, tabs, grids, tables that scroll.
    Apart,
    /// On nothing at all, on a page of one scene: letters are not taken there (WCAG 2.1.4).
    Nowhere,
}

/// The act of a key, if it has one. A key that yields no ASCII letter (the Russian layout) is
/// taken by its place on the board.
pub fn act(key: &str, code: &str, place: Place, rtl: bool) -> Option<Act> {
    let ours = place != Place::Apart;
    match key {
        // Where text runs to the left, so does the way forwards (ux.md 3.6).
        "ArrowLeft" if ours && rtl => return Some(Act::Next),
        "ArrowRight" if ours && rtl => return Some(Act::Back),
        "ArrowRight" if ours => return Some(Act::Next),
        "ArrowLeft" if ours => return Some(Act::Back),
        "Home" if ours => return Some(Act::First),
        "End" if ours => return Some(Act::Last),
        "PageDown" if place == Place::Timeline => return Some(Act::NextMark),
        "PageUp" if place == Place::Timeline => return Some(Act::BackMark),
        _ if place == Place::Nowhere => return None,
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
            "KeyG" => "g",
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
        "g" | "G" => Act::Glossary,
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
            ("п", "KeyG", Act::Glossary),
            ("?", "Digit7", Act::Help),
        ] {
            assert_eq!(act(key, code, Place::Inside, false), Some(is), "{key}");
        }
    }

    #[test]
    fn arrows_turn_steps_wherever_they_have_no_other_work() {
        for place in [Place::Stage, Place::Timeline, Place::Inside, Place::Nowhere] {
            for (key, is) in [
                ("ArrowRight", Act::Next),
                ("ArrowLeft", Act::Back),
                ("Home", Act::First),
                ("End", Act::Last),
            ] {
                assert_eq!(act(key, key, place, false), Some(is), "{key} {place:?}");
                assert_eq!(act(key, key, Place::Apart, false), None);
            }
        }
        assert_eq!(act("PageDown", "PageDown", Place::Stage, false), None);
    }

    /// Where text runs to the left, the arrow to the left is the one forwards.
    #[test]
    fn arrows_turn_round_with_the_text() {
        let arrow = |key| act(key, key, Place::Stage, true);
        assert_eq!(arrow("ArrowLeft"), Some(Act::Next));
        assert_eq!(arrow("ArrowRight"), Some(Act::Back));
        assert_eq!(act(".", "Period", Place::Stage, true), Some(Act::Next));
    }

    #[test]
    fn letters_are_taken_inside_the_scene_only() {
        for (key, code) in [
            (".", "Period"),
            ("p", "KeyP"),
            ("?", "Slash"),
            ("Escape", ""),
        ] {
            assert_eq!(act(key, code, Place::Nowhere, false), None, "{key}");
            assert!(act(key, code, Place::Apart, false).is_some(), "{key}");
        }
    }

    #[test]
    fn space_tab_and_up_are_left_to_the_browser() {
        for key in [" ", "Tab", "ArrowUp", "ArrowDown", "Enter"] {
            assert_eq!(act(key, key, Place::Stage, false), None);
        }
    }
}
