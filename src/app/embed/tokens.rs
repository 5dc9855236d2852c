//! The few things of the look that a host may set. Nothing that would make a word hard to read is
//! taken (ux.md 3.13).

use super::json::Value;

/// What a host has set. Colours are `#rrggbb`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Fill of the main button and of what is done.
    pub accent: Option<Rgb>,
    /// The ground.
    pub bg: Option<Rgb>,
    /// The words.
    pub text: Option<Rgb>,
    /// Size of type, in thousandths of the reader's own.
    pub font_scale: Option<u32>,
    /// Roundness of corners, px.
    pub radius: Option<u32>,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// `#rgb` or `#rrggbb`.
    pub fn read(text: &str) -> Option<Rgb> {
        let digits: Option<Vec<u8>> = text
            .strip_prefix('#')?
            .chars()
            .map(|c| c.to_digit(16).map(|d| d as u8))
            .collect();
        match *digits? {
            [r, g, b] => Some(Rgb(r * 17, g * 17, b * 17)),
            [r, r2, g, g2, b, b2] => Some(Rgb(r * 16 + r2, g * 16 + g2, b * 16 + b2)),
            _ => None,
        }
    }

    /// As CSS writes it.
    pub fn css(self) -> String {
        let mut out = String::from("#");
        for part in [self.0, self.1, self.2] {
            for digit in [part / 16, part % 16] {
                out.extend(char::from_digit(digit.into(), 16));
            }
        }
        out
    }

    fn light(self) -> f32 {
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

/// The light of a part of a colour. To the power of 2.4 by the fifth root: `powf` would be
/// kilobytes for this alone.
fn linear(part: u8) -> f32 {
    let c = f32::from(part) / 255.0;
    if c <= 0.04045 {
        return c / 12.92;
    }
    let x = (c + 0.055) / 1.055;
    let mut root = 1.0_f32;
    for _ in 0..20 {
        let fourth = root * root * root * root;
        root = (4.0 * root + x / fourth) / 5.0;
    }
    x * x * root * root
}

/// How far two colours stand apart, 1 to 21 (WCAG).
pub fn contrast(a: Rgb, b: Rgb) -> f32 {
    let (a, b) = (a.light(), b.light());
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The page's own colours, as in app.css: ground, panel, words, records, and all that words are
/// written in.
struct Own {
    bg: Rgb,
    panel: Rgb,
    text: Rgb,
    record: Rgb,
    /// Muted, server, client, alert, focus.
    words: [Rgb; 5],
    accent: Rgb,
}

const fn rgb(n: u32) -> Rgb {
    Rgb((n >> 16) as u8, (n >> 8) as u8, n as u8)
}

const LIGHT: Own = Own {
    bg: rgb(0xffffff),
    panel: rgb(0xf6f7f9),
    text: rgb(0x1b1f24),
    record: rgb(0xe3e8ef),
    words: [
        rgb(0x4b5563),
        rgb(0x0072b2),
        rgb(0xb84a00),
        rgb(0xa3195b),
        rgb(0x0b57d0),
    ],
    accent: rgb(0x1b1f24),
};

const DARK: Own = Own {
    bg: rgb(0x12161c),
    panel: rgb(0x1a2029),
    text: rgb(0xe8ecf1),
    record: rgb(0x2a333f),
    words: [
        rgb(0xa9b4c2),
        rgb(0x56b4e9),
        rgb(0xff9a4d),
        rgb(0xff86b7),
        rgb(0x8ab4ff),
    ],
    accent: rgb(0xe8ecf1),
};

impl Tokens {
    /// Takes what a host sets; returns the names of what is refused, and what is not to be
    /// taken of colours together.
    pub fn set(&mut self, given: &Value, dark: bool) -> Vec<String> {
        let Value::Object(fields) = given else {
            return vec!["tokens".into()];
        };
        let mut next = self.clone();
        let mut refused = Vec::new();
        let mut colours = Vec::new();
        for (name, value) in fields {
            let colour = match value {
                Value::Null => Some(None),
                Value::Text(text) => Rgb::read(text).map(Some),
                _ => None,
            };
            let number = |least: i64, most: i64| match value {
                Value::Null => Some(None),
                Value::Number(n) if (least..=most).contains(n) => Some(Some(*n as u32)),
                _ => None,
            };
            let taken = match &**name {
                "accent" => colour.map(|c| next.accent = c),
                "bg" => colour.map(|c| next.bg = c),
                "text" => colour.map(|c| next.text = c),
                "font-scale" => number(800, 1600).map(|n| next.font_scale = n),
                "radius" => number(0, 24_000)
                    .filter(|n| n.is_none_or(|n| n % 1000 == 0))
                    .map(|n| next.radius = n.map(|n| n / 1000)),
                _ => None,
            };
            match taken {
                None => refused.push(name.chars().take(32).collect()),
                Some(()) if matches!(&**name, "accent" | "bg" | "text") => {
                    colours.push(name.clone());
                }
                Some(()) => {}
            }
        }
        if !next.legible(dark) {
            (next.accent, next.bg, next.text) = (self.accent, self.bg, self.text);
            refused.extend(colours);
        }
        *self = next;
        refused
    }

    /// Whether every word can be read: 4.5 to 1 at least.
    pub fn legible(&self, dark: bool) -> bool {
        if (self.accent, self.bg, self.text) == (None, None, None) {
            return true;
        }
        let own = if dark { DARK } else { LIGHT };
        let bg = self.bg.unwrap_or(own.bg);
        // A ground of the host's is also that of the panels.
        let panel = self.bg.unwrap_or(own.panel);
        let text = self.text.unwrap_or(own.text);
        let accent = self.accent.unwrap_or(own.accent);
        let grounds = [bg, panel];
        let on_grounds = |colour: Rgb| grounds.iter().all(|g| contrast(colour, *g) >= 4.5);
        on_grounds(text)
            && contrast(text, own.record) >= 4.5
            && contrast(accent, bg) >= 4.5
            && own.words.iter().all(|w| on_grounds(*w))
    }

    /// Takes the colours back.
    pub fn without_colours(&mut self) {
        (self.accent, self.bg, self.text) = (None, None, None);
    }

    /// Names of what is set and their values, as the style sheet reads them.
    pub fn css(&self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        for (name, colour) in [
            ("accent", self.accent),
            ("bg", self.bg),
            ("text", self.text),
        ] {
            all.extend(colour.map(|c| (name, c.css())));
        }
        all.extend(
            self.font_scale
                .map(|n| ("font-scale", [&*(n / 10).to_string(), "%"].concat())),
        );
        all.extend(
            self.radius
                .map(|n| ("radius", [&*n.to_string(), "px"].concat())),
        );
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(tokens: &mut Tokens, json: &str, dark: bool) -> Vec<String> {
        tokens.set(&Value::read(json).unwrap(), dark)
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let near = |a: u32, b: u32, wanted: f32| {
            let is = contrast(rgb(a), rgb(b));
            assert!((is - wanted).abs() < 0.05, "{a:x} on {b:x}: {is}");
        };
        near(0x000000, 0xffffff, 21.0);
        near(0x777777, 0xffffff, 4.48);
        near(0x4b5563, 0xf6f7f9, 7.1);
        near(0xe69f00, 0xffffff, 2.25);
    }

    #[test]
    fn the_pages_own_colours_can_be_read() {
        for dark in [false, true] {
            let own = if dark { DARK } else { LIGHT };
            let own = Tokens {
                text: Some(own.text),
                ..Tokens::default()
            };
            assert!(own.legible(dark));
        }
    }

    #[test]
    fn what_can_be_read_is_taken() {
        let mut t = Tokens::default();
        let given = "{\"bg\":\"#fffaf0\",\"text\":\"#222\",\"accent\":\"#004488\",\
                     \"font-scale\":1.25,\"radius\":0}";
        assert_eq!(set(&mut t, given, false), Vec::<String>::new());
        let css = t.css();
        assert_eq!(css[1], ("bg", "#fffaf0".into()));
        assert_eq!(css[3], ("font-scale", "125%".into()));
        assert_eq!(css[4], ("radius", "0px".into()));
        assert!(set(&mut t, "{\"bg\":null,\"radius\":null}", false).is_empty());
        assert_eq!((t.bg, t.radius), (None, None));
    }

    #[test]
    fn pale_colours_are_refused_together() {
        let mut t = Tokens::default();
        let pale = "{\"text\":\"#999999\",\"accent\":\"#004488\",\"radius\":4}";
        assert_eq!(set(&mut t, pale, false), ["text", "accent"]);
        assert_eq!((t.text, t.accent, t.radius), (None, None, Some(4)));
        // The page's own words would fade on this ground.
        assert_eq!(set(&mut t, "{\"bg\":\"#000\"}", false), ["bg"]);
        assert!(set(&mut t, "{\"bg\":\"#000\"}", true).is_empty());
        assert!(!t.legible(false));
    }

    #[test]
    fn nothing_but_the_five_is_taken() {
        let mut t = Tokens::default();
        for bad in [
            "{\"muted\":\"#000\"}",
            "{\"bg\":\"url(//x)\"}",
            "{\"bg\":\"red\"}",
            "{\"bg\":\"#12\"}",
            "{\"text\":\"#00000g\"}",
            "{\"text\":5}",
            "{\"font-scale\":0.79}",
            "{\"font-scale\":1.61}",
            "{\"font-scale\":\"1.2\"}",
            "{\"radius\":25}",
            "{\"radius\":1.5}",
            "[]",
        ] {
            assert_eq!(set(&mut t, bad, false).len(), 1, "{bad}");
            assert_eq!(t, Tokens::default());
        }
    }
}
