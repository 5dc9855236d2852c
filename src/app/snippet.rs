//! What is pasted elsewhere to show a scene: a link, a frame, the element, Markdown. The page in
//! `static/embed/` offers the same with more to choose.

use crate::text::{Lang, share};

/// A form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The address alone.
    Link,
    /// An `<iframe>` with a link under it.
    Frame,
    /// `<high-water>` with its script.
    Element,
    /// A link in Markdown.
    Markdown,
}

/// What the frame may do (docs/embedding.md).
const SANDBOX: &str = "allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads";

/// The text to paste. `address` is absolute and of a step; without `here` it opens at the start.
/// `mark`: the step's own word, which stays right when steps are added before it.
pub fn write(
    form: Form,
    lang: Lang,
    address: &str,
    title: &str,
    mark: Option<&str>,
    here: bool,
) -> String {
    let link = match (here, mark) {
        (false, _) => from_the_start(address),
        (true, Some(mark)) if !address.contains('#') => marked(address, mark),
        (true, _) => address.to_string(),
    };
    match form {
        Form::Link => link,
        Form::Markdown => {
            let title = title
                .replace('\\', "\\\\")
                .replace('[', "\\[")
                .replace(']', "\\]");
            format!("[{title}]({link})")
        }
        Form::Frame => format!(
            "<iframe src=\"{src}\" width=\"100%\" height=\"540\"\n title=\"Kafka: {}\" \
             loading=\"lazy\" referrerpolicy=\"no-referrer\"\n sandbox=\"{SANDBOX}\"\n \
             allow=\"fullscreen; clipboard-write\"></iframe>\n<p><a href=\"{src}\" \
             target=\"_blank\">{}</a></p>",
            escape(title),
            share::in_new_tab(lang),
            src = escape(&link),
        ),
        Form::Element => {
            let (page, query, branch) = parts(&link);
            let mut attributes: String = query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .map(|(name, value)| format!(" {name}=\"{}\"", escape(value)))
                .collect();
            if !branch.is_empty() {
                attributes.push_str(&format!(" branch=\"{}\"", escape(branch)));
            }
            // What is seen before it runs, on paper and where no script is.
            let scene = query
                .split('&')
                .find_map(|pair| pair.strip_prefix("scenario="));
            let picture = scene.map_or_else(
                || escape(title),
                |scene| {
                    format!(
                        "<img src=\"{}s/{}/poster.{}.svg\" alt=\"{}\" width=\"100%\">",
                        escape(folder(page)),
                        escape(scene),
                        lang.code(),
                        escape(title)
                    )
                },
            );
            format!(
                "<script type=\"module\" src=\"{}v1/highwater-embed.js\"></script>\n\
                 <high-water{attributes} title=\"{title}\">\n <a href=\"{}\">{picture}</a>\n\
                 </high-water>",
                escape(folder(page)),
                escape(&link),
                title = escape(title),
            )
        }
    }
}

/// The page that builds an embed, with this scene in it.
pub fn builder(lang: Lang, address: &str) -> String {
    let (page, query, _) = parts(address);
    format!("{}embed/?{query}&ui={}", folder(page), lang.code())
}

/// The address with its step by its mark.
fn marked(address: &str, mark: &str) -> String {
    let (page, query, _) = parts(address);
    let pairs: Vec<String> = query
        .split('&')
        .map(|pair| match pair.starts_with("step=") {
            true => format!("step={mark}"),
            false => pair.to_string(),
        })
        .collect();
    format!("{page}?{}", pairs.join("&"))
}

/// The address without its step, and without a branch that begins somewhere.
fn from_the_start(address: &str) -> String {
    let (page, query, _) = parts(address);
    let rest: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.starts_with("step=") && !pair.is_empty())
        .collect();
    format!("{page}?{}", rest.join("&"))
}

/// Page, query and fragment, without their signs.
fn parts(address: &str) -> (&str, &str, &str) {
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (page, query) = address.split_once('?').unwrap_or((address, ""));
    (page, query, fragment)
}

/// The folder of a page, with its slash.
fn folder(page: &str) -> &str {
    page.rfind('/').map_or("", |end| &page[..=end])
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "https://host.example/k/index.html?scenario=lags&step=4&lang=en#k1.a";

    #[test]
    fn a_link_opens_here_or_at_the_start() {
        let link = |here| write(Form::Link, Lang::En, HERE, "T", None, here);
        assert_eq!(link(true), HERE);
        assert_eq!(
            link(false),
            "https://host.example/k/index.html?scenario=lags&lang=en"
        );
    }

    #[test]
    fn a_step_is_named_by_its_mark_but_on_a_branch() {
        let plain = "https://host.example/k/?scenario=lags&step=4&lang=en";
        let link = |address| write(Form::Link, Lang::En, address, "T", Some("behind"), true);
        assert_eq!(
            link(plain),
            "https://host.example/k/?scenario=lags&step=behind&lang=en"
        );
        assert_eq!(link(HERE), HERE);
    }

    #[test]
    fn markup_in_a_title_stays_text() {
        let title = "a \"b\" <c> [d]";
        let frame = write(Form::Frame, Lang::En, HERE, title, None, true);
        assert!(
            frame.contains("title=\"Kafka: a &quot;b&quot; &lt;c> [d]\""),
            "{frame}"
        );
        assert!(
            frame.contains("scenario=lags&amp;step=4&amp;lang=en#k1.a\""),
            "{frame}"
        );
        let line = write(Form::Markdown, Lang::En, HERE, title, None, false);
        assert!(line.starts_with("[a \"b\" <c> \\[d\\]](https://"), "{line}");
    }

    #[test]
    fn the_element_has_the_querys_pairs_and_its_script() {
        let text = write(Form::Element, Lang::Ru, HERE, "T", None, true);
        assert!(
            text.contains("src=\"https://host.example/k/v1/highwater-embed.js\""),
            "{text}"
        );
        assert!(text.contains(
            "<high-water scenario=\"lags\" step=\"4\" lang=\"en\" branch=\"k1.a\" title=\"T\">"
        ));
        let picture = "<img src=\"https://host.example/k/s/lags/poster.ru.svg\" alt=\"T\"";
        assert!(text.contains(picture), "{text}");
        assert_eq!(
            builder(Lang::Ru, HERE),
            "https://host.example/k/embed/?scenario=lags&step=4&lang=en&ui=ru"
        );
    }
}
