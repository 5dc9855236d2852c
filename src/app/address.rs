//! What the page's address asks for, and what of it was not understood. Pure: the browser's
//! location goes in as text, and the text of a new query comes out.

use crate::history::branch::BadLink;
use crate::kafka::sort;
use crate::script::ast::View;
use crate::text::Lang;

/// How the page looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Its word in the address.
    pub fn word(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// A value that was not taken, kept as it stood there so that it can be named in any language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadValue {
    /// No scene of this name.
    Scenario(String),
    /// Not a number of a step.
    Step(String),
    /// A step the scene does not have; its last one.
    StepBeyond(String, u32),
    /// A name that the page does not know.
    Name(String),
    /// A name of the page's own, given again.
    Twice(&'static str),
    /// Neither ru, en nor auto.
    Lang(String),
    /// Neither light, dark nor auto.
    Theme(String),
    /// None of the views that a reader may choose.
    View(String),
    /// A link to a branch that cannot be read.
    Link(BadLink),
    /// A link to a branch of a scene that has changed since.
    LinkScene,
    /// A link of which only so many moves of so many lead where they led.
    LinkParted(usize, usize),
}

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The scene; `None`: the front page.
    pub scenario: Option<String>,
    /// The step to show.
    pub step: Option<u32>,
    /// The marker to show, if a word stands where a step's number may.
    pub mark: Option<String>,
    /// The language; `None`: as the browser says.
    pub lang: Option<Lang>,
    /// The look.
    pub theme: Theme,
    /// Replicas, ruler or both; `None`: as the scene says.
    pub view: Option<View>,
    /// What was not understood, in the order of the address.
    pub bad: Vec<BadValue>,
}

/// The names of the page's own parameters.
pub const NAMES: [&str; 5] = ["scenario", "step", "lang", "theme", "view"];

/// How names begin that others add to any address (ux.md 3.1).
const FOREIGN: [&str; 6] = ["utm_", "fbclid", "yclid", "gclid", "_ga", "ref"];

/// Longest value that is repeated to the reader.
const SHOWN: usize = 40;

impl Address {
    /// Reads a query (`?scenario=r03&step=4`). Names and values may be in capitals. A name given
    /// twice: the last wins, and it is said. So are names that are not ours, but those that
    /// course systems and counters of visits add.
    pub fn read(query: &str) -> Address {
        let mut address = Address::default();
        let mut seen = [false; NAMES.len()];
        for pair in query.trim_start_matches('?').split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let given = decode(value);
            let short = |text: &str| text.chars().take(SHOWN).collect::<String>();
            let shown = || short(&given);
            let name = name.to_ascii_lowercase();
            let value = given.to_ascii_lowercase();
            if let Some(n) = NAMES.iter().position(|own| *own == name) {
                if std::mem::replace(&mut seen[n], true) {
                    address.bad.push(BadValue::Twice(NAMES[n]));
                }
            } else if !(name.is_empty() || FOREIGN.iter().any(|f| name.starts_with(f))) {
                address.bad.push(BadValue::Name(short(&decode(&name))));
            }
            match &*name {
                "scenario" if is_id(&value) => address.scenario = Some(value),
                "scenario" => address.bad.push(BadValue::Scenario(shown())),
                "step" => match value.parse() {
                    Ok(step) => (address.step, address.mark) = (Some(step), None),
                    Err(_) if is_id(&value) && !value.starts_with(|c: char| c.is_ascii_digit()) => {
                        (address.step, address.mark) = (None, Some(value));
                    }
                    Err(_) => address.bad.push(BadValue::Step(shown())),
                },
                // A browser's own way to name a language has a country behind it: en-US.
                "lang" => match value.split(['-', '_']).next().unwrap_or_default() {
                    "ru" => address.lang = Some(Lang::Ru),
                    "en" => address.lang = Some(Lang::En),
                    "auto" => address.lang = None,
                    _ => address.bad.push(BadValue::Lang(shown())),
                },
                "theme" => match value.as_str() {
                    "light" => address.theme = Theme::Light,
                    "dark" => address.theme = Theme::Dark,
                    "auto" => address.theme = Theme::Auto,
                    _ => address.bad.push(BadValue::Theme(shown())),
                },
                "view" => match view(&value) {
                    Some(view) => address.view = Some(view),
                    None if value == "auto" => address.view = None,
                    None => address.bad.push(BadValue::View(shown())),
                },
                _ => {}
            }
        }
        address
    }

    /// The query that leads back here. What is as the page would choose by itself is left out.
    pub fn write(&self) -> String {
        let mut parts = Vec::new();
        if let Some(id) = &self.scenario {
            parts.push(format!("scenario={id}"));
        }
        if let Some(step) = self.step {
            parts.push(format!("step={step}"));
        }
        match self.lang {
            Some(Lang::Ru) => parts.push("lang=ru".into()),
            Some(Lang::En) => parts.push("lang=en".into()),
            None => {}
        }
        if self.theme != Theme::Auto {
            parts.push(format!("theme={}", self.theme.word()));
        }
        if let Some((word, _)) = VIEWS.iter().find(|v| Some(v.1) == self.view) {
            parts.push(["view=", word].concat());
        }
        if parts.is_empty() {
            "?".into()
        } else {
            format!("?{}", parts.join("&"))
        }
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

/// A scene's name: lower-case letters, digits, hyphens, at most 40.
fn is_id(value: &str) -> bool {
    (1..=SHOWN).contains(&value.len())
        && value
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Undoes percent-encoding; what is not valid stays as it is.
fn decode(value: &str) -> String {
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

/// The names nearest to a wrong one, nearest first, at most three.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<_> = names.map(|name| (distance(wrong, name), name)).collect();
    sort::by_key(&mut all, |e| *e);
    all.into_iter().take(3).map(|(_, name)| name).collect()
}

/// How many letters to change, add or drop to turn one word into the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
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
        ] {
            let address = Address::read(query);
            assert_eq!(address.write(), query);
            assert!(address.bad.is_empty());
        }
    }

    #[test]
    fn bad_values_are_named_and_the_rest_is_kept() {
        let address =
            Address::read("?step=9x&scenario=%D0%B9&lang=de&theme=dark&utm_source=lms&step=3");
        assert_eq!(address.step, Some(3));
        assert_eq!(address.theme, Theme::Dark);
        assert_eq!(address.scenario, None);
        assert_eq!(
            address.bad,
            [
                BadValue::Step("9x".into()),
                BadValue::Scenario("й".into()),
                BadValue::Lang("de".into()),
                BadValue::Twice("step"),
            ]
        );
    }

    #[test]
    fn a_view_is_one_of_three_or_the_scenes_own() {
        assert_eq!(Address::read("?view=ruler").view, Some(View::Ruler));
        assert_eq!(Address::read("?view=auto").view, None);
        let address = Address::read("?view=overview");
        assert_eq!(address.view, None);
        assert_eq!(address.bad, [BadValue::View("overview".into())]);
    }

    #[test]
    fn a_step_may_be_named_by_its_marker() {
        let address = Address::read("?scenario=r9&step=leader-dies");
        assert_eq!(
            (address.step, address.mark),
            (None, Some("leader-dies".into()))
        );
    }

    #[test]
    fn what_is_not_ours_empty_or_given_twice_is_said() {
        let address = Address::read("?foo=bar&step=1&step=5&lang=ru&LANG=en&utm_x=1&_ga=2&&ref=a");
        assert_eq!((address.step, address.lang), (Some(5), Some(Lang::En)));
        assert_eq!(
            address.bad,
            [
                BadValue::Name("foo".into()),
                BadValue::Twice("step"),
                BadValue::Twice("lang"),
            ]
        );
        let empty = Address::read("?scenario=&step=&lang=&theme=&view=").bad;
        assert_eq!(empty.len(), NAMES.len());
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
        assert_eq!(address.bad, [BadValue::Theme("z".repeat(40))]);
        assert_eq!(
            Address::read("?step=%zz%4").bad,
            [BadValue::Step("%zz%4".into())]
        );
    }

    #[test]
    fn the_nearest_scene_is_offered_first() {
        let names = ["acks-all", "acks-0", "leader-dies", "overview"];
        assert_eq!(nearest("leader-die", names.into_iter())[0], "leader-dies");
        assert_eq!(nearest("acks0", names.into_iter()).len(), 3);
    }
}
