//! The built-in scenes, in the order of the gallery; the first stands at the top of the front
//! page.

/// Each scene's name and text.
pub const SCENES: &[(&str, &str)] = &[(
    "acks1-loss",
    include_str!("../../static/scenarios/acks1-loss.txt"),
)];
