//! When a host is told of the frame's height, and in which words (ux.md 3.5).

use super::json::{Fields, quoted};
use crate::app::address::Resize;

/// What was told last.
#[derive(Debug, Default)]
pub struct Sizes {
    /// Width, language, text size and view, as words.
    key: String,
    /// Heights of the window's bands (see [`band`]) in which a height was told under this key.
    bands: Vec<u32>,
    /// Px.
    height: u32,
}

/// Layout turns at two heights of the window (app.css): a host that takes a height over may turn
/// it once more. Each band is told once, so nothing can go round.
pub fn band(window: u32, rem: u32) -> u32 {
    // In sixteenths of the size of type: 37.4375 and 42.4375 em.
    let at = |sixteenths: u32| u32::from(window * 16 > sixteenths * rem);
    at(599) + at(679)
}

impl Sizes {
    /// Whether to tell a height: something besides the step has changed, and by 2 px or more.
    pub fn tell(&mut self, key: &str, band: u32, height: u32) -> bool {
        if self.key != key {
            self.key = key.into();
            self.bands.clear();
        }
        if self.bands.contains(&band) {
            return false;
        }
        self.bands.push(band);
        let differs = self.height.abs_diff(height) >= 2;
        if differs {
            self.height = height;
        }
        differs
    }
}

/// The messages to the parent window: JSON texts, and whether it goes as a text.
pub fn messages(resize: Resize, id: &str, src: &str, height: u32) -> Vec<(String, bool)> {
    let own = || {
        let m = Fields::message().text("type", "size").text("id", id);
        (m.number("height", height).done(), false)
    };
    let lti = || {
        let m = Fields::default().text("subject", "lti.frameResize");
        (m.number("height", height).done(), false)
    };
    match resize {
        Resize::Auto => vec![own(), lti()],
        Resize::Highwater => vec![own()],
        Resize::Lti => vec![lti()],
        Resize::Embedly => {
            let m = Fields::default().text("context", "iframe.resize");
            let text = m.text("src", src).number("height", height).done();
            vec![(quoted(&text), true)]
        }
        Resize::Off => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_never_tells_a_height() {
        let mut sizes = Sizes::default();
        assert!(sizes.tell("960 ru", 0, 540));
        assert!(!sizes.tell("960 ru", 0, 700));
        assert!(sizes.tell("720 ru", 0, 800));
        assert!(!sizes.tell("720 en", 0, 801));
        assert!(sizes.tell("960 ru", 0, 540));
    }

    /// A host that follows every height at once comes to rest.
    #[test]
    fn nothing_goes_round() {
        let natural = |window: u32| [700, 640, 900][band(window, 16) as usize];
        for start in 100..1200 {
            let (mut sizes, mut window, mut told) = (Sizes::default(), start, 0);
            while sizes.tell("960 ru", band(window, 16), natural(window)) {
                (window, told) = (natural(window), told + 1);
            }
            assert!(told <= 3, "{start}");
        }
        assert_eq!([599, 600, 679, 680].map(|h| band(h, 16)), [0, 1, 1, 2]);
    }

    #[test]
    fn each_form_has_its_message() {
        let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        let all = messages(Resize::Auto, "f", "", 540);
        assert_eq!(
            json(&all[0].0),
            serde_json::json!({"highwater": 1, "type": "size", "id": "f", "height": 540})
        );
        assert_eq!(
            json(&all[1].0),
            serde_json::json!({"subject": "lti.frameResize", "height": 540})
        );
        let embedly = messages(Resize::Embedly, "f", "https://a/?b=\"", 540);
        let inner = json(&embedly[0].0);
        assert_eq!(
            json(inner.as_str().unwrap()),
            serde_json::json!({"context": "iframe.resize", "src": "https://a/?b=\"", "height": 540})
        );
        assert_eq!(messages(Resize::Off, "f", "", 540), []);
    }
}
