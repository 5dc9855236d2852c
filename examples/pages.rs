//! Writes the pages that need no program into a built `dist/`: `cargo xtask dist` calls it.
//!
//! `pages FOLDER [--base URL] [--single SCENE --lang ru|en]`

use highwater::app::pages::{self, Board, Site, board, poster::poster, scenes};
use highwater::text::{Lang, ui};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("pages: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let found = words.iter().skip_while(|w| *w != name).nth(1);
        found.cloned()
    };
    let folder = PathBuf::from(words.first().ok_or("name the folder of the built page")?);
    let index = read(&folder.join("index.html"))?;
    let mut site = site(&index)?;
    site.base = option("--base").map(|base| match base.ends_with('/') {
        true => base,
        false => base + "/",
    });
    site.scenes = scenes();
    let mut styles = String::new();
    for style in &site.styles {
        styles += &read(&folder.join(style))?;
    }
    let script = read(&folder.join(&site.steps))?;
    let all = site.scenes.clone();
    let chosen = option("--single");
    if let Some(wrong) = chosen.as_ref().filter(|c| !all.contains(c)) {
        return Err(format!("no scene {wrong}; there are {}", all.join(", ")));
    }
    for id in &all {
        if chosen.as_ref().is_some_and(|c| c != id) {
            continue;
        }
        for lang in Lang::ALL {
            if option("--lang").is_some_and(|l| l != lang.code()) {
                continue;
            }
            let board = board(id, lang, false)?;
            let place = folder.join(pages::folder(id, lang));
            let own = folder.join("s").join(id);
            write(&place.join("index.html"), &pages::page(&board, &site))?;
            let single = pages::single(&board, &site, &styles, &script);
            write(&own.join(pages::single_name(id, lang)), &single)?;
            pictures(&board, &own, &styles)?;
        }
    }
    if chosen.is_some() {
        return Ok(());
    }
    let hero = all.first().ok_or("there is no scene")?;
    for lang in Lang::ALL {
        let board = board(hero, lang, true)?;
        let name = format!("front.{}.html", lang.code());
        write(&folder.join(name), &pages::body(&board, &site, ""))?;
    }
    // A frame with a sandbox would stay empty in Safari under a policy that names no origin, and
    // this is the page that is framed.
    let policy = site.base.as_ref().map(|_| pages::stated(&site));
    let index = guarded(&listed(&index, &all)?, policy.as_deref())?;
    write(&folder.join("index.html"), &index)?;
    if let Some(base) = &site.base {
        write(&folder.join("sitemap.xml"), &pages::sitemap(base, &all))?;
        let robots = format!("User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n");
        write(&folder.join("robots.txt"), &robots)?;
    }
    println!(
        "pages: {} scenes in {} languages",
        all.len(),
        Lang::ALL.len()
    );
    Ok(())
}

/// One picture for step 0 and for each turning point; the poster is of the most telling step.
fn pictures(board: &Board, folder: &Path, css: &str) -> Result<(), String> {
    for step in board.markers.iter().chain([&board.telling]) {
        let picture = poster(board, *step as usize, css)
            .ok_or_else(|| format!("{}: no picture of step {step}", board.id))?;
        write(
            &folder.join(format!("{step}.{}.svg", board.lang.code())),
            &picture,
        )?;
        if *step == board.telling {
            write(
                &folder.join(format!("poster.{}.svg", board.lang.code())),
                &picture,
            )?;
        }
    }
    Ok(())
}

/// The names of the files that the program's page refers to.
fn site(index: &str) -> Result<Site, String> {
    let named = |begin: &str, end: &str| -> Vec<String> {
        let words = index.split('"').map(|w| w.trim_start_matches("./"));
        let mut all: Vec<String> = words
            .filter(|w| w.starts_with(begin) && w.ends_with(end) && !w.contains(' '))
            .map(str::to_string)
            .collect();
        all.dedup();
        all
    };
    let one = |begin: &str, end: &str| {
        let found = named(begin, end).into_iter().next();
        found.ok_or(format!("index.html names no {begin}*{end}"))
    };
    Ok(Site {
        styles: named("", ".css"),
        boot: one("boot-", ".js")?,
        steps: one("steps-", ".js")?,
        program: one("start-", ".js")?,
        practice: one("sqlite-", ".worker.js")?,
        icon: one("icon-", ".svg")?,
        ..Site::default()
    })
}

/// The program's page with a list of the scenes' pages, for those without scripts.
fn listed(index: &str, all: &[String]) -> Result<String, String> {
    let (before, rest) = index
        .split_once("<noscript>")
        .ok_or("index.html has no <noscript>")?;
    let (_, after) = rest
        .split_once("</noscript>")
        .ok_or("index.html: <noscript> has no end")?;
    let mut list = String::new();
    for lang in Lang::ALL {
        list += &format!(
            "<h1 lang=\"{}\">{}</h1><ul>",
            lang.code(),
            ui::site_heading(lang)
        );
        for id in all {
            let title = pages::question(id, lang);
            list += &format!(
                "<li><a href=\"./{}\">{title}</a></li>",
                pages::folder(id, lang)
            );
        }
        list += "</ul>";
    }
    // Only these are asked for by the script: what is no scene is no page.
    let known = format!(
        "<meta name=\"scenes\" content=\"{}\">\n</head>",
        all.join(" ")
    );
    let before = match before.contains("name=\"scenes\"") {
        true => before.to_string(),
        false => before.replacen("</head>", &known, 1),
    };
    Ok(format!(
        "{before}<noscript><div class=\"boot\">{list}</div></noscript>{after}"
    ))
}

/// The program's page with the policy in it, before anything that the policy is about.
fn guarded(index: &str, policy: Option<&str>) -> Result<String, String> {
    const FIRST: &str = "<meta charset=\"utf-8\">\n";
    let kept = index.split_inclusive('\n');
    let bare: String = kept.filter(|line| !line.starts_with(NAME)).collect();
    match policy {
        None => Ok(bare),
        Some(policy) if bare.contains(FIRST) => {
            Ok(bare.replacen(FIRST, &format!("{FIRST}{policy}\n"), 1))
        }
        Some(_) => Err("index.html does not say its charset first".into()),
    }
}

/// What a policy in a page begins with.
const NAME: &str = "<meta http-equiv=\"Content-Security-Policy\"";

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text))
        .map_err(|e| format!("{} cannot be written: {e}", path.display()))
}
