//! What of an address was not taken.

use crate::history::branch::BadLink;

/// A value that was not taken, kept as it stood there so that it can be named in any language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadValue {
    /// No scene of this name.
    Scenario(String),
    /// Neither a step's number nor a marker of the scene.
    Step(String),
    /// No marker of the scene, but like one: as given, that one, its step.
    StepLike(String, String, u32),
    /// A step outside the bounds: as given, the first, the last.
    StepBeyond(String, u32, u32),
    /// Bounds of which the first does not lie before the last; or no place of the scene.
    Bounds(String),
    /// A name that the page does not know.
    Name(String),
    /// A name of the page's own, given again.
    Twice(&'static str),
    /// Not one of the values of this name: the name, as given, the values there are.
    Value(&'static str, String, &'static str),
    /// A link to a branch that cannot be read.
    Link(BadLink),
    /// A link to a branch of a scene that has changed since.
    LinkScene,
    /// A link to a branch where there are none: in the practice, or where the author has locked
    /// the scene.
    LinkNowhere,
    /// A file that is no picture of this page's.
    File(String),
    /// A picture of a scene that is not here.
    FileScene(String),
    /// A link of which only so many moves of so many lead where they led.
    LinkParted(usize, usize),
    /// Not an origin. The host's business, not the reader's: it is said in the console alone.
    Origin(String),
}

impl BadValue {
    /// The parameter it is about.
    pub fn param(&self) -> &str {
        match self {
            BadValue::Scenario(_) => "scenario",
            BadValue::Step(_) | BadValue::StepBeyond(..) | BadValue::StepLike(..) => "step",
            BadValue::Bounds(_) => "from",
            BadValue::Name(name) => name,
            BadValue::Twice(name) | BadValue::Value(name, ..) => name,
            BadValue::Origin(_) => "origin",
            BadValue::Link(_)
            | BadValue::LinkScene
            | BadValue::LinkNowhere
            | BadValue::LinkParted(..) => "#",
            BadValue::File(_) | BadValue::FileScene(_) => "file",
        }
    }

    /// Whether it is no part of the address, but a file that was dropped on the page.
    pub fn is_file(&self) -> bool {
        matches!(self, BadValue::File(_) | BadValue::FileScene(_))
    }
}
