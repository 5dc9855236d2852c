//! Signs as paths in a box of 16, never as font glyphs: those fall to emoji or to a blank.

use crate::view::{Icon, Role};
use yew::{Html, html};

/// Filled or stroked, and the path.
pub type Path = (bool, &'static str);

pub const FIRST: Path = (true, "M3 3h2v10H3zM13 2.8v10.4L6 8z");
pub const BACK: Path = (true, "M11.5 2.5l-8 5.5 8 5.5z");
pub const NEXT: Path = (true, "M4.5 2.5l8 5.5-8 5.5z");
pub const LAST: Path = (true, "M11 3h2v10h-2zM3 2.8v10.4L10 8z");
pub const PLAY: Path = (
    false,
    "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM6.5 5.2l4.5 2.8-4.5 2.8z",
);
pub const PAUSE: Path = (false, "M5.5 3v10M10.5 3v10");
pub const LINK: Path = (
    false,
    "M6.7 9.3a2.7 2.7 0 0 0 3.8 0l2.3-2.3A2.7 2.7 0 0 0 9 3.2l-1 1M9.3 6.7a2.7 2.7 0 0 0-3.8 0L3.2 9A2.7 2.7 0 0 0 7 12.8l1-1",
);
pub const KEYS: Path = (
    false,
    "M5.6 6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.2v1",
);
pub const CHECK: Path = (false, "M3 8.5l3.5 3.5 6.5-7.5");
pub const CROSS: Path = (false, "M4 4l8 8M12 4l-8 8");
pub const MENU: Path = (false, "M3 8h.01M8 8h.01M13 8h.01");
pub const SUN: Path = (
    false,
    "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8L13 13M13 3l-1.2 1.2M4.2 11.8L3 13",
);
pub const MOON: Path = (false, "M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z");
pub const RIGHT: Path = (false, "M6 3l5 5-5 5");
pub const WARN: Path = (false, "M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.2v1");

/// The path of a sign of the drawing.
pub fn path(sign: Icon) -> Path {
    match sign {
        Icon::Star => (
            true,
            "M8 1.3l2 4.4 4.8.5-3.6 3.2 1 4.8L8 11.8l-4.2 2.4 1-4.8L1.2 6.2 6 5.7z",
        ),
        Icon::Tick => (false, "M2.8 8.6l3.4 3.7L13.2 4"),
        Icon::Cross => (false, "M3.5 3.5l9 9M12.5 3.5l-9 9"),
        Icon::Power => (false, "M8 1.8v6M4.6 4.2a5.4 5.4 0 1 0 6.8 0"),
        Icon::Pause => PAUSE,
        Icon::Chevron => RIGHT,
        Icon::Clock => (
            false,
            "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.5V8l2.5 1.8",
        ),
        Icon::Retry => (false, "M4 3v4h4M4.3 7A5 5 0 1 1 4 11"),
        Icon::Up => (true, "M8 3l6 10H2z"),
        Icon::Ring => (false, "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2z"),
        Icon::RingTick => (
            false,
            "M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zM5 8.2l2.2 2.4L11.2 5.8",
        ),
        Icon::CutLink => (false, "M1.5 8h4M10.5 8h4M6.5 4.5l3 7M9.5 4.5l-3 7"),
    }
}

/// A sign in a line of text or on a button.
pub fn inline((filled, d): Path, size: i32) -> Html {
    let size = size.to_string();
    html! {
        <svg class="icon" width={size.clone()} height={size} viewBox="0 0 16 16" aria-hidden="true">
            <path class={if filled { "f" } else { "s" }} {d} />
        </svg>
    }
}

/// A sign of 12 px in a drawing, by its upper left corner.
pub fn at(sign: Icon, x: i32, y: i32, role: Role) -> Html {
    let (filled, d) = path(sign);
    html! {
        <g transform={format!("translate({x} {y}) scale(.75)")} class={role.class()}>
            <path class={if filled { "f" } else { "s" }} {d} />
        </g>
    }
}
