//! How an author sets a scene up: everything of the address besides what is shown.

use super::bad::BadValue;
use super::origin::is_origin;
use super::place::Place;
use super::query::short;
use super::words::{Contrast, Controls, Motion, PARTS, Predict, Resize, Start};

/// Who may speak to the frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Its parent, from wherever that is.
    #[default]
    Any,
    /// Its parent, if it comes from there.
    Only(String),
    /// The address names something that is no origin: nobody.
    Nobody,
}

/// Speeds in tenths.
pub const SPEEDS: [u32; 4] = [10, 15, 20, 5];

/// The options of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Where the scene begins.
    pub from: Option<Place>,
    /// Where it ends.
    pub to: Option<Place>,
    /// How far things stand out.
    pub contrast: Contrast,
    /// How much moves.
    pub motion: Motion,
    /// How fast it plays: an index of [`SPEEDS`].
    pub speed: usize,
    /// Plays by itself, where that is allowed.
    pub autoplay: bool,
    /// When it begins; `None`: as the place says (see [`Options::start`]).
    pub start: Option<Start>,
    /// The buttons.
    pub controls: Controls,
    /// What is left out, of [`PARTS`], in their order.
    pub hide: Vec<&'static str>,
    /// Only what the author wrote: no faults of the reader's own.
    pub lock: bool,
    /// Questions before a step.
    pub predict: Predict,
    /// How the host hears of the height.
    pub resize: Resize,
    /// Who may speak to the frame.
    pub origin: Origin,
    /// The frame's name in messages; `None`: by chance.
    pub id: Option<String>,
    /// Where the scene's chance starts from; `None`: as its author says.
    pub seed: Option<u32>,
    /// Jumps go into the browser's history.
    pub history: bool,
    /// Anything wrong with the address stops the scene: for tests of courses.
    pub strict: bool,
    /// The pages for paper. They have no program; the page only knows the name.
    pub print: bool,
}

const SWITCH: &str = "0, 1";

impl Options {
    /// When the scene begins: in a frame when it is seen, on a page of its own at once.
    pub fn start(&self, framed: bool) -> Start {
        match self.start {
            Some(start) => start,
            None if framed => Start::Visible,
            None => Start::Load,
        }
    }

    /// Takes a value, as `given` and in small letters; what cannot be taken is returned.
    pub(super) fn read(
        &mut self,
        name: &str,
        given: &str,
        value: &str,
        wrong: &mut dyn FnMut(&'static str) -> BadValue,
    ) -> Option<BadValue> {
        /// Sets a field, or says what there is.
        fn set<T>(field: &mut T, value: Option<T>, known: &'static str) -> Option<&'static str> {
            match value {
                Some(value) => {
                    *field = value;
                    None
                }
                None => Some(known),
            }
        }
        let switch = match value {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        };
        let known = match name {
            "from" => set(&mut self.from, Place::read(value).map(Some), "0, 1, 2, …"),
            "to" => set(&mut self.to, Place::read(value).map(Some), "0, 1, 2, …"),
            "contrast" => set(&mut self.contrast, Contrast::read(value), Contrast::KNOWN),
            "motion" => set(&mut self.motion, Motion::read(value), Motion::KNOWN),
            "speed" => {
                let (speed, exact) = speed(value);
                self.speed = speed;
                (!exact).then_some("0.5, 1, 1.5, 2")
            }
            "autoplay" => set(&mut self.autoplay, switch, SWITCH),
            "start" => set(&mut self.start, Start::read(value).map(Some), Start::KNOWN),
            "controls" => set(&mut self.controls, Controls::read(value), Controls::KNOWN),
            "hide" => {
                let words: Vec<&str> = value.split(',').map(str::trim).collect();
                self.hide = PARTS.into_iter().filter(|p| words.contains(p)).collect();
                let strange = |w: &&str| !w.is_empty() && !PARTS.contains(w);
                words
                    .into_iter()
                    .any(|w| strange(&w))
                    .then_some("title, card, timeline, lags, config, share, settings")
            }
            "lock" => set(&mut self.lock, switch, SWITCH),
            "predict" => set(&mut self.predict, Predict::read(value), Predict::KNOWN),
            "resize" => set(&mut self.resize, Resize::read(value), Resize::KNOWN),
            "origin" => {
                let good = is_origin(value);
                self.origin = match good {
                    true => Origin::Only(value.into()),
                    false => Origin::Nobody,
                };
                return (!good).then(|| BadValue::Origin(short(given)));
            }
            "id" => set(
                &mut self.id,
                is_name(given).then(|| Some(given.into())),
                "A–Z a–z 0–9 _ -",
            ),
            "seed" => set(&mut self.seed, value.parse().ok().map(Some), "0…4294967295"),
            "history" => set(&mut self.history, switch, SWITCH),
            "strict" => set(&mut self.strict, switch, SWITCH),
            "print" => set(&mut self.print, switch, SWITCH),
            _ => None,
        };
        known.map(wrong)
    }

    /// What of it belongs into a link for others.
    pub(super) fn shared(&self) -> Options {
        Options {
            from: self.from.clone(),
            to: self.to.clone(),
            contrast: self.contrast,
            motion: self.motion,
            lock: self.lock,
            predict: self.predict,
            seed: self.seed,
            ..Options::default()
        }
    }

    /// Adds what differs from the defaults.
    pub(super) fn write(&self, parts: &mut Vec<String>) {
        let mut add = |name: &str, value: &str| parts.push([name, "=", value].concat());
        if let Some(place) = &self.from {
            add("from", &place.write());
        }
        if let Some(place) = &self.to {
            add("to", &place.write());
        }
        let words = [
            ("contrast", self.contrast.word(), "auto"),
            ("motion", self.motion.word(), "auto"),
            ("speed", SPEED_WORDS[self.speed], "1"),
            ("autoplay", flag(self.autoplay), "0"),
            ("start", self.start.map_or("", Start::word), ""),
            ("controls", self.controls.word(), "full"),
            ("lock", flag(self.lock), "0"),
            ("predict", self.predict.word(), "on"),
            ("resize", self.resize.word(), "auto"),
            ("history", flag(self.history), "0"),
            ("strict", flag(self.strict), "0"),
            ("print", flag(self.print), "0"),
            ("id", self.id.as_deref().unwrap_or_default(), ""),
        ];
        for (name, word, default) in words {
            if word != default {
                add(name, word);
            }
        }
        if !self.hide.is_empty() {
            add("hide", &self.hide.join(","));
        }
        match &self.origin {
            Origin::Any => {}
            Origin::Only(origin) => add("origin", origin),
            // Kept closed when the page is loaded again.
            Origin::Nobody => add("origin", "null"),
        }
        if let Some(seed) = self.seed {
            add("seed", &seed.to_string());
        }
    }
}

fn flag(on: bool) -> &'static str {
    if on { "1" } else { "0" }
}

const SPEED_WORDS: [&str; 4] = ["1", "1.5", "2", "0.5"];

/// The speed nearest to a number, and whether it is that number.
fn speed(value: &str) -> (usize, bool) {
    if let Some(exact) = SPEED_WORDS.iter().position(|w| *w == value) {
        return (exact, true);
    }
    let Some(wanted) = hundredths(value) else {
        return (0, false);
    };
    let mut nearest = 0;
    for (at, tenths) in SPEEDS.iter().enumerate() {
        if wanted.abs_diff(tenths * 10) < wanted.abs_diff(SPEEDS[nearest] * 10) {
            nearest = at;
        }
    }
    (nearest, wanted == SPEEDS[nearest] * 10)
}

/// A number without a sign, cut after two digits behind the point.
fn hundredths(value: &str) -> Option<u32> {
    let (whole, rest) = value.split_once('.').unwrap_or((value, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(rest) {
        return None;
    }
    let digit = |at: usize| rest.as_bytes().get(at).map_or(0, |b| u32::from(b - b'0'));
    let whole: u32 = whole.parse().unwrap_or(u32::MAX);
    Some(whole.min(1000) * 100 + digit(0) * 10 + digit(1))
}

/// A name for messages.
fn is_name(value: &str) -> bool {
    (1..=32).contains(&value.len())
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::address::Address;

    fn read(query: &str) -> (Options, Vec<BadValue>) {
        let address = Address::read(query);
        (address.options, address.bad)
    }

    /// What is asked for is taken, and without it the default holds; ux.md 3.1.
    #[test]
    fn every_option_has_its_values_and_its_default() {
        let (o, bad) = read(
            "?from=2&to=lost&contrast=more&motion=none&speed=1.5&autoplay=1&start=click\
             &controls=compact&hide=lags,title&lock=1&predict=required&resize=embedly\
             &origin=https://lms.example.org&id=Frame_1-a&seed=4294967295&history=1&strict=1&print=1",
        );
        assert_eq!(bad, []);
        assert_eq!(
            (o.from, o.to),
            (Some(Place::Step(2)), Some(Place::Mark("lost".into())))
        );
        assert_eq!((o.contrast, o.motion), (Contrast::More, Motion::None));
        assert_eq!(SPEEDS[o.speed], 15);
        assert!(o.autoplay && o.lock && o.history && o.strict && o.print);
        assert_eq!(
            (o.start, o.controls),
            (Some(Start::Click), Controls::Compact)
        );
        assert_eq!(o.hide, ["title", "lags"]);
        assert_eq!((o.predict, o.resize), (Predict::Required, Resize::Embedly));
        assert_eq!(o.origin, Origin::Only("https://lms.example.org".into()));
        assert_eq!(
            (o.id.as_deref(), o.seed),
            (Some("Frame_1-a"), Some(u32::MAX))
        );

        let (o, _) = read("?");
        assert_eq!((o.from, o.to, o.seed, o.id), (None, None, None, None));
        assert_eq!((o.contrast, o.motion), (Contrast::Auto, Motion::Auto));
        assert_eq!(SPEEDS[o.speed], 10);
        assert!(!(o.autoplay || o.lock || o.history || o.strict || o.print));
        assert_eq!((o.controls, o.predict), (Controls::Full, Predict::On));
        assert_eq!((o.resize, o.origin), (Resize::Auto, Origin::Any));
        assert!(o.hide.is_empty());
    }

    #[test]
    fn a_frame_waits_to_be_seen_and_a_page_does_not() {
        let (o, _) = read("?");
        assert_eq!(
            (o.start(true), o.start(false)),
            (Start::Visible, Start::Load)
        );
        let (o, _) = read("?start=click");
        assert_eq!(o.start(false), Start::Click);
    }

    #[test]
    fn a_value_that_cannot_be_taken_leaves_the_default_and_is_said() {
        for (name, value, known) in [
            ("from", "-1", "0, 1, 2, …"),
            ("to", "", "0, 1, 2, …"),
            ("contrast", "less", "auto, more"),
            ("motion", "0", "auto, full, reduced, none"),
            ("speed", "fast", "0.5, 1, 1.5, 2"),
            ("autoplay", "yes", SWITCH),
            ("start", "auto", "click, visible, load"),
            ("controls", "all", "full, compact, none"),
            ("lock", "", SWITCH),
            ("predict", "1", "off, on, required"),
            ("resize", "kviz", "auto, highwater, lti, embedly, off"),
            ("id", "a b", "A–Z a–z 0–9 _ -"),
            ("seed", "4294967296", "0…4294967295"),
            ("seed", "-1", "0…4294967295"),
            ("history", "true", SWITCH),
            ("strict", "2", SWITCH),
            ("print", "x", SWITCH),
        ] {
            let (o, bad) = read(&["?", name, "=", value].concat());
            assert_eq!(o, Options::default(), "{name}");
            assert_eq!(bad, [BadValue::Value(name, value.into(), known)]);
        }
        let long = "a".repeat(33);
        assert_eq!(read(&format!("?id={long}")).0.id, None);
    }

    #[test]
    fn of_what_is_hidden_the_known_words_are_taken() {
        let (o, bad) = read("?hide=card,nothing,%20timeline");
        assert_eq!(o.hide, ["card", "timeline"]);
        assert_eq!(bad.len(), 1);
        assert_eq!(read("?hide=").1, []);
    }

    #[test]
    fn a_speed_becomes_the_nearest() {
        for (value, tenths, exact) in [
            ("2", 20, true),
            ("0.50", 5, true),
            ("1.2", 10, false),
            ("1.4", 15, false),
            ("0", 5, false),
            ("99999999999", 20, false),
        ] {
            let (o, bad) = read(&format!("?speed={value}"));
            assert_eq!(
                (SPEEDS[o.speed], bad.is_empty()),
                (tenths, exact),
                "{value}"
            );
        }
    }

    #[test]
    fn something_that_is_no_origin_closes_the_channel() {
        let (o, bad) = read("?origin=lms.example.org");
        assert_eq!(o.origin, Origin::Nobody);
        assert_eq!(bad, [BadValue::Origin("lms.example.org".into())]);
    }

    #[test]
    fn a_link_for_others_says_nothing_of_this_frame() {
        let query = "?scenario=lags&step=3&from=2&to=5&contrast=more&lock=1&seed=7";
        let frame = "&speed=2&autoplay=1&start=load&controls=none&resize=off&history=1&strict=1\
                     &id=a&hide=card&origin=https://a";
        let address = Address::read(&[query, frame].concat());
        assert_eq!(address.permalink(), query);
        let again = Address::read(&address.write());
        assert_eq!(again, address);
    }
}
