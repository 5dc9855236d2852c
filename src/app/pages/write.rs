//! The files of a scene: its page, with the storyboard for those without scripts, and the same
//! page as one file that runs from disk.

use super::board::{Board, Told, plain_term};
use super::tree::Node;
use crate::text::{Lang, pages as say, ui};

/// What a page has to know of the folder it is written into.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Where the site will be, with a slash at its end, if that is known.
    pub base: Option<String>,
    /// The style sheets of the program's page, by name in the folder.
    pub styles: Vec<String>,
    /// Scripts that run at once, before and after the page's own markup.
    pub boot: String,
    /// The script that turns the steps.
    pub steps: String,
    /// The module that starts the program.
    pub program: String,
    /// The worker of the practice.
    pub practice: String,
    /// The sign in the browser's tab.
    pub icon: String,
    /// The names of all scenes, so that links between them lead from page to page.
    pub scenes: Vec<String>,
}

/// The policy of the site, as far as a page can state it itself.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; frame-src 'self'; worker-src 'self' blob:; img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'";

/// The folder of a scene's page, from the site's own.
pub fn folder(id: &str, lang: Lang) -> String {
    match lang {
        Lang::Ru => format!("s/{id}/"),
        Lang::En => format!("s/{id}/en/"),
    }
}

/// Text as markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// The policy of a site. Where its address is known the origin is named besides `'self'`, which
/// Safari lets stand for nothing in a frame with a sandbox.
fn policy(site: &Site) -> String {
    let origin = site.base.as_deref().and_then(|base| {
        let host = base.find("://")? + 3;
        let end = base[host..].find('/').map_or(base.len(), |n| host + n);
        Some(&base[..end])
    });
    match origin {
        Some(origin) => POLICY.replace("'self'", &format!("'self' {}", escape(origin))),
        None => POLICY.into(),
    }
}

/// The policy as a page states it itself.
pub fn stated(site: &Site) -> String {
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        policy(site)
    )
}

/// The page of a scene.
pub fn page(board: &Board, site: &Site) -> String {
    let up = match board.lang {
        Lang::Ru => "../../",
        Lang::En => "../../../",
    };
    let mut out = head(board, site, up);
    for style in &site.styles {
        out += &format!("<link rel=\"stylesheet\" href=\"{up}{style}\">\n");
    }
    out += &format!(
        "<link rel=\"icon\" href=\"{up}{}\">\n<meta name=\"program\" content=\"{up}{}\">\n<meta name=\"practice\" content=\"./{}\">\n<script src=\"{up}{}\"></script>\n<script src=\"{up}{}\"></script>\n",
        site.icon, site.program, site.practice, site.boot, site.steps
    );
    out += "</head>\n<body>\n";
    out += &body(board, site, up);
    out += "</body>\n</html>\n";
    out
}

/// The page as one file: style and script within, no program.
pub fn single(board: &Board, site: &Site, styles: &str, script: &str) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{0}\" data-alone>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{1}</title>\n<style>\n{styles}</style>\n<script>\n{script}</script>\n</head>\n<body>\n",
        board.lang.code(),
        escape(&ui::document_title(board.lang, &board.title)),
    );
    let mut board = board.clone();
    // What only the program can do is not offered.
    Node::each(&mut board.page, &mut plain_term);
    Node::drop_all(&mut board.page, &|n| {
        n.is("top")
            || n.is("looks")
            || n.is("skip")
            || n.is("onward")
            || n.is("play")
            || n.is("menu")
            || n.name() == "dialog"
            || (n.name() == "button" && n.get("data-go").is_none())
            || (n.is("fold") && !n.is("words"))
    });
    for step in &mut board.steps {
        Node::drop_all(&mut step.slots, &|n| n.is("looks"));
    }
    out += &format!(
        "<p class=\"alone note\">{}</p>\n",
        say::in_a_file(board.lang)
    );
    out += &body(&board, site, "");
    out += "</body>\n</html>\n";
    out
}

fn head(board: &Board, site: &Site, up: &str) -> String {
    let lang = board.lang;
    let title = ui::document_title(lang, &board.title);
    let about = format!("{} {}", board.question, board.summary);
    let about = escape(about.trim());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n{}\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<meta name=\"description\" content=\"{about}\">\n",
        lang.code(),
        stated(site),
        escape(&title),
    );
    let root = site.base.as_deref().unwrap_or(up);
    for other in Lang::ALL {
        out += &format!(
            "<link rel=\"alternate\" hreflang=\"{}\" href=\"{root}{}\">\n",
            other.code(),
            folder(&board.id, other)
        );
    }
    if let Some(base) = &site.base {
        let here = format!("{base}{}", folder(&board.id, lang));
        let picture = format!("{base}s/{}/poster.{}.svg", board.id, lang.code());
        let locale = match lang {
            Lang::Ru => "ru_RU",
            Lang::En => "en_US",
        };
        out += &format!("<link rel=\"canonical\" href=\"{here}\">\n");
        for (name, value) in [
            ("og:type", "article"),
            ("og:site_name", "Highwater"),
            ("og:locale", locale),
            ("og:title", &board.question),
            ("og:description", &board.summary),
            ("og:url", &here),
            ("og:image", &picture),
        ] {
            out += &format!("<meta property=\"{name}\" content=\"{}\">\n", escape(value));
        }
        out += "<meta name=\"twitter:card\" content=\"summary_large_image\">\n";
    }
    out
}

/// The program's page at step 0, and the storyboard.
pub fn body(board: &Board, site: &Site, up: &str) -> String {
    let mut page = board.page.clone();
    lead_from(&mut page, site, up);
    format!(
        "<div id=\"app\">{}</div>\n{}",
        Node::write(&page),
        storyboard(board, site.base.as_deref(), up)
    )
}

/// Links of the program's page, as they are from another folder.
fn lead_from(page: &mut [Node], site: &Site, up: &str) {
    if up.is_empty() {
        return;
    }
    Node::each(page, &mut |node| {
        let Some(address) = node.get("href").map(str::to_string) else {
            return;
        };
        let Some(query) = address.strip_prefix('?') else {
            if !address.starts_with('#') {
                node.set("href", Some(&format!("{up}{address}")));
            }
            return;
        };
        let scene = query
            .strip_prefix("scenario=")
            .map(|rest| rest.split('&').next());
        let to = match scene
            .flatten()
            .filter(|id| site.scenes.iter().any(|s| s == id))
        {
            Some(id) if query.contains("lang=en") => format!("{up}{}", folder(id, Lang::En)),
            Some(id) => format!("{up}{}", folder(id, Lang::Ru)),
            None if query.is_empty() => up.to_string(),
            None => format!("{up}?{query}"),
        };
        node.set("href", Some(&to));
    });
}

/// All steps as text and pictures: for readers without scripts, for paper, for search engines;
/// and what the script takes its pictures from.
fn storyboard(board: &Board, base: Option<&str>, up: &str) -> String {
    let lang = board.lang;
    let last = board.steps.len() - 1;
    let mut out = format!(
        "<section role=\"main\" class=\"board {}\" id=\"board\" data-scene=\"{}\" lang=\"{}\" aria-label=\"{}\">\n<header>\n<p class=\"muted\">{}</p>\n<p class=\"t-site\" role=\"heading\" aria-level=\"1\">{}</p>\n<p>{}</p>\n",
        board.form,
        board.id,
        lang.code(),
        escape(&board.title),
        escape(&board.title),
        escape(&board.question),
        escape(&board.summary),
    );
    if !up.is_empty() {
        let other = match lang {
            Lang::Ru => Lang::En,
            Lang::En => Lang::Ru,
        };
        out += &format!(
            "<p class=\"note\">{}</p>\n<p class=\"ways\"><a lang=\"{}\" href=\"{up}{}\">{}</a> <a href=\"{up}s/{}/{}\" download>{}</a> <a href=\"{up}\">{}</a></p>\n",
            say::no_scripts(lang),
            other.code(),
            folder(&board.id, other),
            say::other_language(lang),
            board.id,
            single_name(&board.id, lang),
            say::download(lang),
            ui::back_to_gallery(lang),
        );
    }
    out += "</header>\n<ol>\n";
    for (number, step) in board.steps.iter().enumerate() {
        out += &one(board, step, number, last);
    }
    let here = match base {
        Some(base) => format!("{base}{}", folder(&board.id, lang)),
        None => String::new(),
    };
    out += &format!(
        "</ol>\n<footer class=\"muted\"><p class=\"where\">{here}</p><p>{} · {}</p></footer>\n</section>\n",
        say::printed(lang, env!("CARGO_PKG_VERSION")),
        say::left_out(lang),
    );
    out
}

fn one(board: &Board, step: &Told, number: usize, last: usize) -> String {
    let lang = board.lang;
    let kind = if step.changed { "beat" } else { "beat same" };
    let mut face = step.face.clone();
    let mut first = true;
    Node::each(&mut face, &mut |node| {
        if first && node.is("t-st") {
            *node = Node::new("h2", &[("class", "t-st")], Node::read(&step.heading));
            first = false;
        }
    });
    let picture = say::picture(lang, number as u32, &step.heading);
    let mut out = format!(
        "<li class=\"{kind}\" id=\"step-{number}\" data-said=\"{}\"{}>\n<figure class=\"shot\" role=\"group\" aria-label=\"{}\">{}</figure>\n<div class=\"text\">{}</div>\n",
        step.spoken,
        if step.asks { " data-asks" } else { "" },
        picture.replace('"', "&quot;"),
        Node::write(&step.slots),
        Node::write(&face),
    );
    if !step.tables.is_empty() {
        out += &format!(
            "<details><summary>{}</summary><div class=\"scroll\">{}</div></details>\n",
            say::state_of_step(lang),
            Node::write(&step.tables)
        );
    }
    out += "<p class=\"go\">";
    if number > 0 {
        out += &format!(
            "<a class=\"btn\" href=\"#step-{}\">{}</a>",
            number - 1,
            ui::back(lang)
        );
    }
    if number < last {
        out += &format!(
            "<a class=\"btn\" href=\"#step-{}\">{}</a>",
            number + 1,
            ui::next(lang)
        );
    }
    out += "</p>\n</li>\n";
    out
}

/// The name of a scene's one file.
pub fn single_name(id: &str, lang: Lang) -> String {
    format!("{id}.{}.html", lang.code())
}

/// The list of all pages for search engines.
pub fn sitemap(base: &str, scenes: &[String]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    out += &format!("<url><loc>{base}</loc></url>\n");
    for id in scenes {
        for lang in Lang::ALL {
            out += &format!("<url><loc>{base}{}</loc></url>\n", folder(id, lang));
        }
    }
    out + "</urlset>\n"
}

#[cfg(test)]
mod tests {
    use super::{POLICY, Site, policy};

    #[test]
    fn the_origin_is_named_in_the_policy_where_it_is_known() {
        let of = |base: &str| {
            policy(&Site {
                base: Some(base.into()),
                ..Site::default()
            })
        };
        assert_eq!(policy(&Site::default()), POLICY);
        let named = of("https://kafka.example.org/steps/");
        let script = "script-src 'self' https://kafka.example.org 'wasm-unsafe-eval';";
        assert!(named.contains(script), "{named}");
        assert!(!named.contains("/steps"), "{named}");
        assert_eq!(named, of("https://kafka.example.org/"));
        assert_eq!(
            named.matches("https:").count(),
            POLICY.matches("'self'").count()
        );
    }
}
