//! A page that embeds a scene, and the scene: what they may say to each other. Version 1.
//!
//! Everything here is the contract; `docs/embedding.md` explains it to course authors. What reads,
//! judges and writes messages is compiled natively and tested; `browser.rs` only carries them.
//!
//! # Handshake
//!
//! The frame speaks first, on its parent window, at 0, 1, 3 and 10 s until somebody connects and
//! never after that:
//!
//! ```text
//! { highwater: 1, type: "hello", id, v: [1], scenario, nonce }
//! ```
//!
//! `id`: of the address, or else random, `[A-Za-z0-9_-]{1,32}`. `scenario`: as asked for, `""` for
//! the front page. `nonce`: 32 hexadecimal digits, new at each load. The message goes to the
//! origin that the address gives as `origin=`, or else to any.
//!
//! The parent answers on the frame's window, with one `MessagePort`:
//!
//! ```text
//! { highwater: 1, type: "connect", v: 1, nonce }      transfer: [port]
//! ```
//!
//! It is taken if it comes from the parent window, carries the nonce, and, where the address has
//! `origin=`, comes from there. A second `connect` takes the place of the first. What is not taken
//! is left unanswered (there is nobody to answer to), and nothing changes. A malformed `origin=`
//! closes the channel: no hello, no connection.
//!
//! After that everything but `size` (which the window gets as well, see below) goes over the port.
//!
//! # Commands, host → frame
//!
//! ```text
//! { highwater: 1, rid, cmd, args? }
//! { highwater: 1, rid, ok: true, result: {…} }
//! { highwater: 1, rid, ok: false, error: { code, message } }
//! ```
//!
//! `rid`: a text of 1–64 characters or a whole number, repeated in the answer (`""` where it could not be read).
//! `args`: an object. Names that a command does not know are passed over. `message` is in the
//! page's language. Steps are always numbers of the whole scene, as in the address; `from` and `to`
//! bound them.
//!
//! | cmd | args | result |
//! |---|---|---|
//! | `getInfo` | – | `Info` |
//! | `seek` | `step` (whole number) or `marker` (text), exactly one; `animate?` (boolean, default `true`) | `{step}`; beyond the ends `{step, clamped: true}`; an unknown marker is `out-of-range` |
//! | `next` `back` `first` `last` | – | `{step}`; at an end the same step |
//! | `play` | `rate?`: 0.5, 1, 1.5 or 2 | `{step, playing}` |
//! | `pause` | – | `{step, playing}` |
//! | `setLang` | `lang`: `ru`, `en` | `{lang}` |
//! | `setTheme` | any of `theme`: `auto`, `light`, `dark`; `tokens`: see below | `{theme, rejected: [name]}`; each rejected token also is a `warning` |
//! | `setMotion` | `motion`: `auto`, `full`, `reduced`, `none` | `{motion}` |
//! | `getPermalink` | `form?`: `curated` (default), `full` | `{url, length}` |
//! | `getState` | – | `State` |
//! | `load` | `scenario`, `step?` (whole number or marker) | `{scenario, step}`; an unknown scene is `out-of-range`, and nothing changes |
//! | `export` | `format`: `svg`, `png`, `json`, `md`; `step?` (whole number) | `{format, step, type, data}`; `type`: the media type; `data`: a text, for `png` a `Blob` |
//! | `ask` `reveal` | `question`: an id of `getInfo` | `{id, step}`; the scene stands in front of that step, or shows its answer; an unknown one is `bad-args` |
//! | `announce` | `text`: 1–300 characters, said aloud by the scene's live region | `{}` |
//! | `destroy` | – | `{}`; then timers end, the scene is taken away, the port is closed |
//!
//! ```text
//! Info  = { scenario, title, step, steps, from, to,
//!           markers: [{id, step}], questions: [{id, step}],
//!           lang, langs: ["ru", "en"], engine, build }
//! State = { schema: 1, scenario, title, lang, step, of, playing, heading,
//!           facts: { path: value } }
//! ```
//!
//! `steps`: the number of the last step; `from`, `to`: the bounds in force. `engine`: a whole
//! number that goes up when the same script may give another run. `build`: the version of the
//! page. `facts`: everything a step shows, by path, each value a text, a number, a
//! boolean, a list of numbers or null. Scenes of several lanes begin each path with the number of the lane, `0/`.
//!
//! Tokens of `setTheme`, and nothing else: `accent`, `bg`, `text` (`#rgb` or `#rrggbb`),
//! `font-scale` (number 0.8–1.6), `radius` (whole number of px, 0–24). A colour is refused if
//! `text` on `bg`, `accent` on `bg`, or any of the page's own text colours on `bg` would fall under
//! 4.5 : 1; then the colours of that message are refused together. `null` takes a token back.
//!
//! # Errors
//!
//! | code | when |
//! |---|---|
//! | `bad-args` | the message is not of this form, or a value is missing, of the wrong type or not one of those named |
//! | `unknown-cmd` | no such command |
//! | `out-of-range` | a marker, scene or step that does not exist |
//! | `locked` | the author has switched this off (`lock=1`) |
//! | `not-ready` | before `ready`: the scene has not started (`start=`) |
//! | `too-many` | more than 20 messages within a second, or a message of more than 16384 characters of JSON |
//! | `internal` | the scene cannot do it here (a scene that did not open, a picture that the browser refuses) |
//!
//! # Events, frame → host
//!
//! ```text
//! { highwater: 1, ev, seq, t, data: {…} }
//! ```
//!
//! `seq`: 1, 2, 3, … on this port. `t`: whole ms since `ready` (0 before it).
//!
//! | ev | data | when |
//! |---|---|---|
//! | `ready` | `Info` | once a connection: when connected, or when the scene has started if that is later; again after `load` |
//! | `step` | `{step, of, marker?, cause, what, changes: [{path, from, to}]}`; `cause`: `next`, `back`, `seek`, `play`, `host`; `from`/`to`: as in `facts`, null where there was or is none | when the step is set, before anything moves |
//! | `settled` | `{step}` | the motion of that step is over or was skipped |
//! | `progress` | `{seen, of, ratio}`; `seen`: different steps shown; `ratio`: 0–1 with two digits | at 25, 50, 75 % and on each new furthest step, at most once a second |
//! | `completed` | `{ms, answered, correct, of}`; `of`: questions | the last step was reached (with `predict=required`: and all is answered), once a scene |
//! | `size` | `{width, height}`, px | see below |
//! | `warning` | `{code, message, param?}`; `code`: `bad-param`, `bad-token` | a value of the address or a token was not taken |
//! | `error` | `{code, message, param?}`; `code`: `no-such-scenario`, `bad-scenario`, `strict`, `panic` | the scene does not open or has stopped |
//! | `question` | `{id, kind, step, text, options: [{id, text}]}` | a question stands before a step |
//! | `answer` | `{id, kind, step, response: [], correct, pattern: [], attempt, ms}` | it was answered |
//! | `fork` | `{step, action}` | the reader made a move of their own at a step |
//!
//! # Size
//!
//! With `resize=auto` (the default) the parent window gets, also without a connection,
//! `{ highwater: 1, type: "size", id, height }` and `{ subject: "lti.frameResize", height }`;
//! `resize=highwater` or `lti` sends that one alone, `embedly` the text
//! `{"context":"iframe.resize","src":…,"height":…}`, `off` none. `height`: whole px, rounded up. It
//! is told when width, language, text size or view has changed and it differs by 2 px or more, never
//! because of a step: the height does not depend on it.
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
pub(super) mod browser;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod carry;
pub mod facts;
pub mod hello;
pub mod json;
pub mod limits;
#[cfg(any(target_arch = "wasm32", feature = "pages"))]
mod picture;
pub mod progress;
pub mod request;
pub mod size;
#[cfg(any(target_arch = "wasm32", test, feature = "pages"))]
mod tell;
pub mod tokens;
