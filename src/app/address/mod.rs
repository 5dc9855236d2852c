//! What the page's address asks for, and what of it was not understood. Pure: the browser's
//! location goes in as text, and the text of a new query comes out. The query is how the author
//! sets the scene up; nothing in it names a person, brings in markup or says what to load.

mod bad;
mod near;
mod options;
mod origin;
mod place;
mod query;
mod words;

pub use bad::BadValue;
pub use near::nearest;
pub use options::{Options, Origin, SPEEDS};
pub use place::{Marks, Place, bounds, step_of};
pub use words::{Contrast, Controls, Motion, PARTS, Predict, Resize, Start, Theme};

use crate::script::ast::View;
use crate::text::Lang;
use query::{is_foreign, is_id, pairs, short};

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The scene; `None`: the front page.
    pub scenario: Option<String>,
    /// The step to show.
    pub step: Option<Place>,
    /// The language; `None`: as the browser says.
    pub lang: Option<Lang>,
    /// The look.
    pub theme: Theme,
    /// Replicas, ruler or both; `None`: as the scene says.
    pub view: Option<View>,
    /// All the rest: how the author sets the scene up.
    pub options: Options,
    /// What was not understood, in the order of the address.
    pub bad: Vec<BadValue>,
}

/// The names of the page's own parameters.
pub const NAMES: [&str; 23] = [
    "scenario", "step", "lang", "theme", "view", "from", "to", "contrast", "motion", "speed",
    "autoplay", "start", "controls", "hide", "lock", "predict", "resize", "origin", "id", "seed",
    "history", "strict", "print",
];

impl Address {
    /// Reads a query (`?scenario=r03&step=4`). Names and values may be in capitals. A name given
    /// twice: the last wins, and it is said. So are names that are not ours, but those that
    /// course systems and counters of visits add.
    pub fn read(query: &str) -> Address {
        let mut address = Address::default();
        let mut seen = [false; NAMES.len()];
        for (name, given) in pairs(query) {
            let value = given.to_ascii_lowercase();
            let Some(n) = NAMES.iter().position(|own| *own == name) else {
                if !is_foreign(&name) {
                    address.bad.push(BadValue::Name(short(&name)));
                }
                continue;
            };
            if std::mem::replace(&mut seen[n], true) {
                address.bad.push(BadValue::Twice(NAMES[n]));
            }
            let mut wrong = |known| BadValue::Value(NAMES[n], short(&given), known);
            let bad = match NAMES[n] {
                "scenario" if is_id(&value) => {
                    address.scenario = Some(value);
                    None
                }
                "scenario" => Some(BadValue::Scenario(short(&given))),
                "step" => match Place::read(&value) {
                    Some(place) => {
                        address.step = Some(place);
                        None
                    }
                    None => Some(BadValue::Step(short(&given))),
                },
                // A browser's own way to name a language has a country behind it: en-US. One
                // that the page does not speak is English, and that is no fault of the author's.
                "lang" => {
                    address.lang = match value.split(['-', '_']).next().unwrap_or_default() {
                        "ru" => Some(Lang::Ru),
                        "auto" => None,
                        _ => Some(Lang::En),
                    };
                    None
                }
                "theme" => match Theme::read(&value) {
                    Some(theme) => {
                        address.theme = theme;
                        None
                    }
                    None => Some(wrong(Theme::KNOWN)),
                },
                "view" => match view(&value) {
                    Some(view) => {
                        address.view = Some(view);
                        None
                    }
                    None if value == "auto" => {
                        address.view = None;
                        None
                    }
                    None => Some(wrong("auto, replicas, ruler, both")),
                },
                name => address.options.read(name, &given, &value, &mut wrong),
            };
            address.bad.extend(bad);
        }
        address
    }

    /// The query that leads back here. What is as the page would choose by itself is left out.
    pub fn write(&self) -> String {
        self.query(&self.options)
    }

    /// The query to give to others: what is shown, and not how it sits in this frame.
    pub fn permalink(&self) -> String {
        self.query(&self.options.shared())
    }

    fn query(&self, options: &Options) -> String {
        let mut parts = Vec::new();
        if let Some(id) = &self.scenario {
            parts.push(["scenario=", id].concat());
        }
        if let Some(step) = &self.step {
            parts.push(["step=", &step.write()].concat());
        }
        if let Some(lang) = self.lang {
            parts.push(["lang=", lang.code()].concat());
        }
        if self.theme != Theme::Auto {
            parts.push(["theme=", self.theme.word()].concat());
        }
        if let Some((word, _)) = VIEWS.iter().find(|v| Some(v.1) == self.view) {
            parts.push(["view=", word].concat());
        }
        options.write(&mut parts);
        ["?", &parts.join("&")].concat()
    }
}

/// The views of a partition between which a reader may choose, and their words.
pub const VIEWS: [(&str, View); 3] = [
    ("replicas", View::Replicas),
    ("ruler", View::Ruler),
    ("both", View::Both),
];

fn view(word: &str) -> Option<View> {
    VIEWS.iter().find(|v| v.0 == word).map(|v| v.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_itself() {
        for query in [
            "?",
            "?scenario=leader-dies&step=7&lang=en&theme=dark",
            "?step=2&lang=ru",
            "?scenario=lags&step=2&view=both",
            "?scenario=lags&step=leader-dies&from=2&to=lost&contrast=more&motion=reduced",
        ] {
            let address = Address::read(query);
            assert_eq!(address.write(), query);
            assert!(address.bad.is_empty());
        }
    }

    #[test]
    fn bad_values_are_named_and_the_rest_is_kept() {
        let address = Address::read("?step=9_x&scenario=%D0%B9&theme=dark&utm_source=lms&step=3");
        assert_eq!(address.step, Some(Place::Step(3)));
        assert_eq!(address.theme, Theme::Dark);
        assert_eq!(address.scenario, None);
        assert_eq!(
            address.bad,
            [
                BadValue::Step("9_x".into()),
                BadValue::Scenario("й".into()),
                BadValue::Twice("step"),
            ]
        );
    }

    /// Course systems put the reader's language in; one we lack is no mistake of the author's.
    #[test]
    fn a_language_that_is_not_spoken_here_is_english() {
        let address = Address::read("?lang=de");
        assert_eq!((address.lang, address.bad.len()), (Some(Lang::En), 0));
        assert_eq!(Address::read("?lang=auto").lang, None);
    }

    #[test]
    fn a_view_is_one_of_three_or_the_scenes_own() {
        assert_eq!(Address::read("?view=ruler").view, Some(View::Ruler));
        assert_eq!(Address::read("?view=auto").view, None);
        let address = Address::read("?view=overview");
        assert_eq!(address.view, None);
        assert_eq!(address.bad.len(), 1);
        assert_eq!(address.bad[0].param(), "view");
    }

    #[test]
    fn a_step_may_be_named_by_its_marker() {
        let address = Address::read("?scenario=r9&step=leader-dies");
        assert_eq!(address.step, Some(Place::Mark("leader-dies".into())));
    }

    #[test]
    fn what_is_not_ours_empty_or_given_twice_is_said() {
        let address = Address::read("?foo=bar&step=1&step=5&lang=ru&LANG=en&utm_x=1&_ga=2&&ref=a");
        assert_eq!(address.step, Some(Place::Step(5)));
        assert_eq!(address.lang, Some(Lang::En));
        assert_eq!(
            address.bad,
            [
                BadValue::Name("foo".into()),
                BadValue::Twice("step"),
                BadValue::Twice("lang"),
            ]
        );
        let empty: Vec<_> = NAMES.iter().map(|n| format!("{n}=")).collect();
        // An empty list hides nothing, and an empty language is English.
        let bad = Address::read(&empty.join("&")).bad;
        assert_eq!(bad.len(), NAMES.len() - 2);
    }

    #[test]
    fn capitals_and_countries_are_understood() {
        let address = Address::read("?scenario=ACKS1-LOSS&lang=en-US&theme=Dark&view=Ruler");
        assert_eq!(address.scenario.as_deref(), Some("acks1-loss"));
        assert_eq!((address.lang, address.theme), (Some(Lang::En), Theme::Dark));
        assert_eq!(address.view, Some(View::Ruler));
        assert!(address.bad.is_empty());
        assert_eq!(Address::read("?lang=RU").lang, Some(Lang::Ru));
    }

    #[test]
    fn an_endless_value_is_shown_short() {
        let address = Address::read(&format!("?theme={}", "z".repeat(5000)));
        let shown = BadValue::Value("theme", "z".repeat(40), Theme::KNOWN);
        assert_eq!(address.bad, [shown]);
        assert_eq!(
            Address::read("?step=%zz%4").bad,
            [BadValue::Step("%zz%4".into())]
        );
    }
}
