//! What a host asks: read, checked, and refused by name.

use super::json::{Fields, Value, quoted};
use super::limits::{A_SECOND, LENGTH};
use crate::app::address::{Motion, Place, Theme};
use crate::text::{Lang, embed as say};

/// A command and its arguments, all of them checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// What is shown and what there is.
    GetInfo,
    /// To a place; `true`: as the reader would go there.
    Seek(Place, bool),
    /// One step on.
    Next,
    /// One step back.
    Back,
    /// To the first step.
    First,
    /// To the last step.
    Last,
    /// Play, at a speed in tenths.
    Play(Option<u32>),
    /// Stop playing.
    Pause,
    /// Another language.
    SetLang(Lang),
    /// Another look: the theme, and tokens as given.
    SetTheme(Option<Theme>, Option<Value>),
    /// How much moves.
    SetMotion(Motion),
    /// The link to this step.
    GetPermalink(bool),
    /// Everything that this step shows.
    GetState,
    /// Another scene.
    Load(String, Option<Place>),
    /// A step in another form.
    Export(Format, Option<u32>),
    /// Show a question.
    Ask(String),
    /// Show its answer.
    Reveal(String),
    /// Say something aloud.
    Announce(String),
    /// End.
    Destroy,
}

/// A form in which a step leaves the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The drawing.
    Svg,
    /// The drawing as pixels.
    Png,
    /// The state.
    Json,
    /// The words.
    Md,
}

impl Format {
    /// Its word and media type.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Format::Svg => ("svg", "image/svg+xml"),
            Format::Png => ("png", "image/png"),
            Format::Json => ("json", "application/json"),
            Format::Md => ("md", "text/markdown"),
        }
    }

    fn read(word: &str) -> Option<Format> {
        let all = [Format::Svg, Format::Png, Format::Json, Format::Md];
        all.into_iter().find(|f| f.words().0 == word)
    }
}

/// Why a command is not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not of the form agreed on.
    BadArgs,
    /// No such command.
    UnknownCmd,
    /// No such place.
    OutOfRange,
    /// Switched off by the author.
    Locked,
    /// The scene has not begun.
    NotReady,
    /// Too many, or too long.
    TooMany,
    /// It cannot be done here.
    Internal,
}

impl Code {
    /// As the host hears it.
    pub fn word(self) -> &'static str {
        match self {
            Code::BadArgs => "bad-args",
            Code::UnknownCmd => "unknown-cmd",
            Code::OutOfRange => "out-of-range",
            Code::Locked => "locked",
            Code::NotReady => "not-ready",
            Code::TooMany => "too-many",
            Code::Internal => "internal",
        }
    }
}

/// A command that is refused: the code and a sentence.
pub type Refusal = (Code, String);

/// Who a message is from that does not say.
pub const NOBODY: &str = "\"\"";

/// Longest text that is said aloud, characters.
const SPOKEN: usize = 300;

/// Whose answer a message wants, as JSON: a text or a whole number, given back as it came.
fn whose(rid: Option<&Value>) -> Option<String> {
    match rid? {
        Value::Text(text) if (1..=64).contains(&text.chars().count()) => Some(quoted(text)),
        number => number.whole().map(|n| n.to_string()),
    }
}

/// The same, of what stands in a message under `rid` (as JSON).
pub fn asker(rid: &str) -> String {
    let value = Value::read(rid);
    whose(value.as_ref()).unwrap_or_else(|| NOBODY.into())
}

/// Reads a message that came over the port: whose answer it wants (as JSON), and what it asks.
pub fn read(message: &str, lang: Lang) -> (String, Result<Command, Refusal>) {
    // What is too long is not looked at.
    if message.encode_utf16().count() > LENGTH as usize {
        let refusal = (Code::TooMany, say::too_long(lang, LENGTH));
        return (NOBODY.into(), Err(refusal));
    }
    let malformed = || Err((Code::BadArgs, say::bad_message(lang)));
    let Some(value) = Value::read(message) else {
        return (NOBODY.into(), malformed());
    };
    let Some(rid) = whose(value.get("rid")) else {
        return (NOBODY.into(), malformed());
    };
    let name = value.get("cmd").and_then(Value::text);
    let (Some(1), Some(name)) = (value.get("highwater").and_then(Value::whole), name) else {
        return (rid, malformed());
    };
    let none = Value::Object(Vec::new());
    let args = match value.get("args") {
        None | Some(Value::Null) => &none,
        Some(args @ Value::Object(_)) => args,
        Some(_) => return (rid, malformed()),
    };
    (rid, command(name, args, lang))
}

/// What to answer when a host asks too often.
pub fn too_many(lang: Lang) -> Refusal {
    (Code::TooMany, say::too_many(lang, A_SECOND))
}

fn command(name: &str, args: &Value, lang: Lang) -> Result<Command, Refusal> {
    let bad = |arg: &str, known: &str| (Code::BadArgs, say::bad_argument(lang, arg, known));
    // A field that is there and of use; `null` is as good as none.
    let arg = |name: &str| args.get(name).filter(|v| **v != Value::Null);
    let text = |name: &str, known: &str| match arg(name).and_then(Value::text) {
        Some(text) => Ok(text),
        None => Err(bad(name, known)),
    };
    let place = |name: &str| match arg(name) {
        None => Ok(None),
        Some(value) => {
            let step = value.whole().map(Place::Step);
            let mark = || value.text().and_then(Place::read);
            step.or_else(mark)
                .map(Some)
                .ok_or_else(|| bad(name, "0, 1, 2, …"))
        }
    };
    Ok(match name {
        "getInfo" => Command::GetInfo,
        "seek" => {
            let wrong = || bad("step", "0, 1, 2, …");
            let to = match (arg("step"), arg("marker")) {
                (Some(step), None) => Place::Step(step.whole().ok_or_else(wrong)?),
                (None, Some(mark)) => match mark.text().and_then(Place::read) {
                    Some(mark @ Place::Mark(_)) => mark,
                    _ => return Err(bad("marker", "a–z 0–9 -")),
                },
                _ => return Err(wrong()),
            };
            let animate = match arg("animate") {
                None => true,
                Some(Value::Flag(on)) => *on,
                Some(_) => return Err(bad("animate", "true, false")),
            };
            Command::Seek(to, animate)
        }
        "next" => Command::Next,
        "back" => Command::Back,
        "first" => Command::First,
        "last" => Command::Last,
        "play" => match arg("rate") {
            None => Command::Play(None),
            Some(Value::Number(n)) if [500, 1000, 1500, 2000].contains(n) => {
                Command::Play(Some((*n / 100) as u32))
            }
            Some(_) => return Err(bad("rate", "0.5, 1, 1.5, 2")),
        },
        "pause" => Command::Pause,
        "setLang" => match Lang::from_code(text("lang", "ru, en")?) {
            Some(lang) => Command::SetLang(lang),
            None => return Err(bad("lang", "ru, en")),
        },
        "setTheme" => {
            let theme = match arg("theme") {
                None => None,
                Some(word) => match word.text().and_then(Theme::read) {
                    Some(theme) => Some(theme),
                    None => return Err(bad("theme", Theme::KNOWN)),
                },
            };
            let tokens = arg("tokens").cloned();
            if theme.is_none() && !matches!(tokens, Some(Value::Object(_))) {
                return Err(bad("theme", Theme::KNOWN));
            }
            Command::SetTheme(theme, tokens)
        }
        "setMotion" => match Motion::read(text("motion", Motion::KNOWN)?) {
            Some(motion) => Command::SetMotion(motion),
            None => return Err(bad("motion", Motion::KNOWN)),
        },
        "getPermalink" => match arg("form").map(|f| f.text()) {
            Some(Some("full")) => Command::GetPermalink(true),
            None | Some(Some("curated")) => Command::GetPermalink(false),
            Some(_) => return Err(bad("form", "curated, full")),
        },
        "getState" => Command::GetState,
        "load" => {
            let known = "a–z 0–9 -";
            let scene = text("scenario", known)?;
            match Place::read(scene) {
                // A scene's name is of the form of a marker's.
                Some(Place::Mark(scene)) => Command::Load(scene, place("step")?),
                _ => return Err(bad("scenario", known)),
            }
        }
        "export" => {
            let known = "svg, png, json, md";
            let Some(format) = Format::read(text("format", known)?) else {
                return Err(bad("format", known));
            };
            match arg("step").map(Value::whole) {
                None => Command::Export(format, None),
                Some(Some(step)) => Command::Export(format, Some(step)),
                Some(None) => return Err(bad("step", "0, 1, 2, …")),
            }
        }
        "ask" => Command::Ask(text("question", "a–z 0–9 -")?.into()),
        "reveal" => Command::Reveal(text("question", "a–z 0–9 -")?.into()),
        "announce" => {
            let words = text("text", "1–300")?.trim();
            if words.is_empty() || words.chars().count() > SPOKEN {
                return Err(bad("text", "1–300"));
            }
            Command::Announce(words.into())
        }
        "destroy" => Command::Destroy,
        other => {
            let short: String = other.chars().take(32).collect();
            return Err((Code::UnknownCmd, say::unknown_command(lang, &short)));
        }
    })
}

/// The answer to a command that was carried out; `result`: an object, written already.
pub fn done(rid: &str, result: &str) -> String {
    let answer = Fields::message().raw("rid", rid).flag("ok", true);
    answer.raw("result", result).done()
}

/// The answer to a command that was not.
pub fn refused(rid: &str, refusal: &Refusal) -> String {
    let error = Fields::default()
        .text("code", refusal.0.word())
        .text("message", &refusal.1.replace('`', ""));
    let answer = Fields::message().raw("rid", rid).flag("ok", false);
    answer.raw("error", &error.done()).done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(cmd: &str, args: &str) -> Result<Command, Code> {
        let message =
            format!("{{\"highwater\":1,\"rid\":\"r\",\"cmd\":\"{cmd}\",\"args\":{args}}}");
        let (rid, command) = read(&message, Lang::En);
        assert_eq!(rid, "\"r\"");
        command.map_err(|refusal| refusal.0)
    }

    #[test]
    fn every_command_is_understood() {
        let mark = |m: &str| Place::Mark(m.into());
        for (cmd, args, wanted) in [
            ("getInfo", "{}", Command::GetInfo),
            ("seek", "{\"step\":4}", Command::Seek(Place::Step(4), true)),
            (
                "seek",
                "{\"marker\":\"lost\",\"animate\":false}",
                Command::Seek(mark("lost"), false),
            ),
            ("next", "null", Command::Next),
            ("back", "{\"new\":1}", Command::Back),
            ("first", "{}", Command::First),
            ("last", "{}", Command::Last),
            ("play", "{}", Command::Play(None)),
            ("play", "{\"rate\":1.5}", Command::Play(Some(15))),
            ("pause", "{}", Command::Pause),
            ("setLang", "{\"lang\":\"ru\"}", Command::SetLang(Lang::Ru)),
            (
                "setTheme",
                "{\"theme\":\"dark\"}",
                Command::SetTheme(Some(Theme::Dark), None),
            ),
            (
                "setTheme",
                "{\"tokens\":{}}",
                Command::SetTheme(None, Some(Value::Object(vec![]))),
            ),
            (
                "setMotion",
                "{\"motion\":\"none\"}",
                Command::SetMotion(Motion::None),
            ),
            (
                "getPermalink",
                "{\"form\":\"full\"}",
                Command::GetPermalink(true),
            ),
            ("getState", "{}", Command::GetState),
            (
                "load",
                "{\"scenario\":\"lags\",\"step\":\"lost\"}",
                Command::Load("lags".into(), Some(mark("lost"))),
            ),
            (
                "export",
                "{\"format\":\"md\",\"step\":2}",
                Command::Export(Format::Md, Some(2)),
            ),
            ("ask", "{\"question\":\"q1\"}", Command::Ask("q1".into())),
            (
                "reveal",
                "{\"question\":\"q1\"}",
                Command::Reveal("q1".into()),
            ),
            (
                "announce",
                "{\"text\":\" Look \"}",
                Command::Announce("Look".into()),
            ),
            ("destroy", "{}", Command::Destroy),
        ] {
            assert_eq!(ask(cmd, args), Ok(wanted), "{cmd}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_command_has_a_name() {
        let long = format!("{{\"text\":\"{}\"}}", "я".repeat(301));
        for (cmd, args) in [
            ("seek", "{}"),
            ("seek", "{\"step\":-1}"),
            ("seek", "{\"step\":1.5}"),
            ("seek", "{\"step\":\"1\"}"),
            ("seek", "{\"step\":1,\"marker\":\"a\"}"),
            ("seek", "{\"marker\":\"<b>\"}"),
            ("seek", "{\"step\":1,\"animate\":1}"),
            ("seek", "[]"),
            ("play", "{\"rate\":3}"),
            ("setLang", "{\"lang\":\"de\"}"),
            ("setLang", "{}"),
            ("setTheme", "{}"),
            ("setTheme", "{\"theme\":\"pink\"}"),
            ("setTheme", "{\"tokens\":[]}"),
            ("setMotion", "{\"motion\":true}"),
            ("getPermalink", "{\"form\":\"long\"}"),
            ("load", "{\"scenario\":\"https://a\"}"),
            ("load", "{\"scenario\":\"a\",\"step\":-1}"),
            ("export", "{\"format\":\"pdf\"}"),
            ("export", "{\"format\":\"md\",\"step\":\"x\"}"),
            ("ask", "{}"),
            ("reveal", "{\"question\":1}"),
            ("announce", "{\"text\":\"  \"}"),
            ("announce", &*long),
        ] {
            assert_eq!(ask(cmd, args), Err(Code::BadArgs), "{cmd} {args}");
        }
        assert_eq!(ask("explode", "{}"), Err(Code::UnknownCmd));
        assert_eq!(ask("GETINFO", "{}"), Err(Code::UnknownCmd));
    }

    #[test]
    fn an_answer_goes_to_its_asker_by_text_or_by_number() {
        for (rid, back) in [
            ("7", "7"),
            ("\"a\"", "\"a\""),
            ("-1", NOBODY),
            ("null", NOBODY),
        ] {
            let message = format!("{{\"highwater\":1,\"rid\":{rid},\"cmd\":\"next\"}}");
            assert_eq!(read(&message, Lang::En).0, back);
            assert_eq!(asker(rid), back);
        }
        assert_eq!(
            done("7", "{}"),
            "{\"highwater\":1,\"rid\":7,\"ok\":true,\"result\":{}}"
        );
    }

    #[test]
    fn what_is_no_message_is_refused_before_it_is_looked_at() {
        for (message, rid) in [
            ("5", ""),
            ("{", ""),
            ("{\"highwater\":1,\"cmd\":\"next\"}", ""),
            ("{\"highwater\":1,\"rid\":7.5,\"cmd\":\"next\"}", ""),
            ("{\"highwater\":1,\"rid\":[7],\"cmd\":\"next\"}", ""),
            ("{\"highwater\":2,\"rid\":\"a\",\"cmd\":\"next\"}", "a"),
            ("{\"rid\":\"a\",\"cmd\":\"next\"}", "a"),
            ("{\"highwater\":1,\"rid\":\"a\"}", "a"),
        ] {
            let (to, refused) = read(message, Lang::En);
            assert_eq!(to, quoted(rid), "{message}");
            assert_eq!(refused.unwrap_err().0, Code::BadArgs);
        }
        let long = format!(
            "{{\"highwater\":1,\"rid\":\"a\",\"cmd\":\"next\",\"x\":\"{}\"}}",
            "x".repeat(16_384)
        );
        assert_eq!(read(&long, Lang::En).1.unwrap_err().0, Code::TooMany);
    }

    #[test]
    fn answers_carry_the_name_of_their_question() {
        assert_eq!(
            done("\"r1\"", "{\"step\":2}"),
            "{\"highwater\":1,\"rid\":\"r1\",\"ok\":true,\"result\":{\"step\":2}}"
        );
        assert_eq!(
            refused("\"r2\"", &(Code::Locked, "no `x`".into())),
            "{\"highwater\":1,\"rid\":\"r2\",\"ok\":false,\"error\":{\"code\":\"locked\",\"message\":\"no x\"}}"
        );
    }
}
