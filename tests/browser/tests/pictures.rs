//! The drawing of each scene at three of its steps, in both languages, on a phone and on a wide
//! page, kept as text in `tests/data/pictures/`; and every word within its box at every step.
//!
//! The text is of attributes, so it is the same on every machine; the boxes are measured.
//! `UPDATE_EXPECT=1` writes the texts anew.

use highwater_browser_tests::{Page, built, with_page};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const WIDTHS: [u32; 2] = [360, 960];
/// The tests that the scenes are dealt to.
const DEALS: usize = 6;

/// A scene: its id, and the steps whose pictures are kept: the first, the middle and the last.
struct Scene {
    id: String,
    telling: Vec<usize>,
}

fn scenes() -> Vec<Scene> {
    let list = std::fs::read_to_string(built().join("embed/scenes.json")).expect("it is built");
    let list: Vec<Value> = serde_json::from_str(&list).expect("it is JSON");
    let scene = |scene: &Value| {
        // The list is of the beats; step 0 is before the first.
        let last = scene["steps"].as_array().expect("it has steps").len();
        let mut telling = vec![0, last / 2, last];
        telling.dedup();
        let id = scene["id"].as_str().expect("it has an id").into();
        Scene { id, telling }
    };
    list.iter().map(scene).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/pictures")
}

fn lines(of: &Value) -> Vec<String> {
    let all = of.as_array().expect("lines");
    let text = |line: &Value| line.as_str().unwrap_or_default().to_string();
    all.iter().map(text).collect()
}

/// What is drawn in one language only.
fn alone(lang: &str, what: &str, words: &str) -> String {
    match words {
        "" => format!("{lang} {what}"),
        _ => format!("{lang} {what} | {words}"),
    }
}

/// Both languages in one list: the words of both behind what is drawn alike, else a line of each.
fn joined(ru: &[String], en: &[String]) -> Vec<String> {
    let parts = |line: &str| {
        let (what, words) = line.split_once('\t').unwrap_or((line, ""));
        (what.to_string(), words.to_string())
    };
    let mut rest: Vec<(String, String)> = en.iter().map(|line| parts(line)).collect();
    let mut all = Vec::new();
    for (what, words) in ru.iter().map(|line| parts(line)) {
        match rest.iter().position(|(other, _)| *other == what) {
            Some(at) => {
                let (_, other) = rest.remove(at);
                all.push(match (words.is_empty(), other == words) {
                    (true, true) => what,
                    (_, true) => format!("{what} | {words}"),
                    (_, false) => format!("{what} | {words} | {other}"),
                });
            }
            None => all.push(alone("ru", &what, &words)),
        }
    }
    all.extend(
        rest.into_iter()
            .map(|(what, words)| alone("en", &what, &words)),
    );
    all
}

/// Where in `a` the lines are that `b` does not have.
fn missing(a: &[String], b: &[String]) -> Vec<usize> {
    let mut rest: Vec<&String> = b.iter().collect();
    let gone = |line: &String| match rest.iter().position(|other| *other == line) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    };
    let gone: Vec<bool> = a.iter().map(gone).collect();
    (0..a.len()).filter(|n| gone[*n]).collect()
}

/// The first step whole; of each other the numbers of the lines that went, and the lines that came.
fn told(steps: &[(usize, Vec<String>)]) -> String {
    let mut out = String::new();
    let mut before: &[String] = &[];
    for (step, now) in steps {
        let _ = write!(out, "step {step}");
        for n in missing(before, now) {
            let _ = write!(out, " -{}", n + 1);
        }
        out.push('\n');
        for n in missing(now, before) {
            let _ = writeln!(out, "{}", now[n]);
        }
        before = now;
    }
    out
}

/// Gives the page a width and waits until it is drawn for it.
async fn widen(page: &Page, width: u32) {
    page.resize(width, 800).await;
    // The drawing is made for the page's width first and then for its own.
    page.until(
        "the line of steps has its width",
        "(t => t.querySelector('svg').getBoundingClientRect().width === t.clientWidth)\
         (document.querySelector('.track'))",
    )
    .await;
    page.settled("pictures.settle()").await;
}

/// Walks one scene and says what is wrong.
async fn look(page: &Page, scene: &Scene) -> Vec<String> {
    let (mut text, mut faults) = (String::new(), Vec::new());
    page.load(&format!(
        "?scenario={}&step=0&lang=en&theme=light",
        scene.id
    ))
    .await;
    page.settled(&format!("{}; true", include_str!("pictures.js")))
        .await;
    for width in WIDTHS {
        widen(page, width).await;
        let mut languages = Vec::new();
        for lang in ["ru", "en"] {
            page.eval(&format!(
                "document.querySelector('button[lang={lang}]')?.click()"
            ))
            .await;
            page.until(
                "it is in the language",
                &format!("document.documentElement.lang === '{lang}'"),
            )
            .await;
            let seen = page
                .settled(&format!("pictures.walk({})", json!(scene.telling)))
                .await;
            faults.extend(
                lines(&seen["faults"])
                    .iter()
                    .map(|fault| format!("{} {lang} {width}, {fault}", scene.id)),
            );
            languages.push(seen["told"].clone());
        }
        let steps: Vec<(usize, Vec<String>)> = scene
            .telling
            .iter()
            .map(|step| {
                let of = |lang: usize| lines(&languages[lang][step.to_string()]);
                (*step, joined(&of(0), &of(1)))
            })
            .collect();
        let _ = write!(text, "== {width} px\n{}", told(&steps));
    }
    let file = folder().join(format!("{}.txt", scene.id));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(folder()).expect("the folder can be made");
        std::fs::write(&file, &text).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    if let Some((n, (now, kept))) = (1..)
        .zip(
            text.lines()
                .chain(["(its end)"])
                .zip(kept.lines().chain(["(its end)"])),
        )
        .find(|(_, (a, b))| a != b)
    {
        faults.push(format!(
            "{} is drawn otherwise (UPDATE_EXPECT=1 keeps it so); line {n}:\n  now  {now}\n  kept {kept}",
            scene.id
        ));
    }
    faults
}

fn deal(n: usize) {
    with_page(async |page| {
        page.prefer("prefers-reduced-motion", "reduce").await;
        let mut faults = Vec::new();
        let all = scenes();
        assert!(all.len() >= 10, "{} scenes", all.len());
        for scene in all.iter().skip(n).step_by(DEALS) {
            faults.extend(look(page, scene).await);
        }
        assert!(
            faults.is_empty(),
            "{} faults:\n{}",
            faults.len(),
            faults.join("\n")
        );
    });
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes() {
    deal(0);
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes_2() {
    deal(1);
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes_3() {
    deal(2);
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes_4() {
    deal(3);
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes_5() {
    deal(4);
}

#[test]
fn scenes_are_drawn_as_they_were_and_words_keep_to_their_boxes_6() {
    deal(5);
}

/// The measuring itself: a word that is moved away, and one that is put upon another.
#[test]
fn a_word_out_of_its_box_is_found() {
    with_page(async |page| {
        page.load("?scenario=leader-fails&step=0&lang=en").await;
        page.eval("document.querySelector('.stage .flag text').setAttribute('x', 300)")
            .await;
        page.eval(
            "(([name, badge]) => ['x', 'y'].forEach(at => name.setAttribute(at, badge.getAttribute(at))))\
             (['.stage .row > text', '.stage .row > g text'].map(s => document.querySelector(s)))",
        )
        .await;
        page.settled(&format!("{}; true", include_str!("pictures.js")))
            .await;
        let found = lines(&page.settled("pictures.out()").await).join("\n");
        assert!(found.contains("leaves its polygon"), "{found}");
        assert!(found.contains("overlap"), "{found}");
    });
}

/// A picture of a scene that is gone would never be looked at again.
#[test]
fn every_kept_picture_is_of_a_scene() {
    let known: Vec<String> = scenes().into_iter().map(|s| s.id + ".txt").collect();
    for file in std::fs::read_dir(folder()).expect("it is there").flatten() {
        let name = file.file_name().to_string_lossy().to_string();
        assert!(known.contains(&name), "no scene is drawn in {name}");
    }
}
