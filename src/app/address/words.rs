//! Parameters whose value is one of a few words.

/// Writes an enum of words: the word of each value, and the value of a word.
macro_rules! words {
    ($( $(#[doc = $doc:literal])+ $name:ident { $( $(#[doc = $d:literal])+ $(#[$default:ident])? $value:ident $word:literal, )+ } )*) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $( $(#[doc = $d])+ $(#[$default])? $value, )+ }

        impl $name {
            /// The words there are, in a row.
            pub const KNOWN: &'static str = join!($($word)+);

            /// Its word in the address.
            pub fn word(self) -> &'static str {
                match self { $( $name::$value => $word, )+ }
            }

            /// The value of a word.
            pub fn read(word: &str) -> Option<$name> {
                match word { $( $word => Some($name::$value), )+ _ => None }
            }
        }
    )* };
}

macro_rules! join {
    ($first:literal $($word:literal)*) => { concat!($first $(, ", ", $word)*) };
}

words! {
    /// How the page looks.
    Theme {
        /// As the system says.
        #[default]
        Auto "auto",
        /// Light.
        Light "light",
        /// Dark.
        Dark "dark",
    }
    /// How far lines and words stand out.
    Contrast {
        /// As the system says.
        #[default]
        Auto "auto",
        /// More than usual.
        More "more",
    }
    /// How much moves.
    Motion {
        /// As the system says.
        #[default]
        Auto "auto",
        /// All; where the system asks for less, less.
        Full "full",
        /// Nothing moves from place to place.
        Reduced "reduced",
        /// Nothing moves.
        None "none",
    }
    /// When the scene begins.
    Start {
        /// When the reader asks for it.
        Click "click",
        /// When it is on the screen; in a frame the default.
        Visible "visible",
        /// At once; on a page of its own the default.
        #[default]
        Load "load",
    }
    /// The buttons under the scene.
    Controls {
        /// All that there is room for.
        #[default]
        Full "full",
        /// Back, Next and a menu.
        Compact "compact",
        /// None: keys and the host turn the steps.
        None "none",
    }
    /// Questions before a step.
    Predict {
        /// Never asked.
        Off "off",
        /// Asked, and may be passed over.
        #[default]
        On "on",
        /// Asked, and must be answered.
        Required "required",
    }
    /// In which forms the host hears of the frame's height.
    Resize {
        /// The page's own and the one of LTI.
        #[default]
        Auto "auto",
        /// The page's own.
        Highwater "highwater",
        /// The one of LTI.
        Lti "lti",
        /// The one of Embedly.
        Embedly "embedly",
        /// None.
        Off "off",
    }
}

/// What can be hidden, as it stands in `hide=`.
pub const PARTS: [&str; 7] = [
    "title", "card", "timeline", "lags", "config", "share", "settings",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_leads_to_its_value_and_back() {
        for word in Motion::KNOWN.split(", ") {
            assert_eq!(Motion::read(word).map(Motion::word), Some(word));
        }
        assert_eq!(Resize::KNOWN, "auto, highwater, lti, embedly, off");
        assert_eq!(Start::read("Visible"), None);
    }
}
