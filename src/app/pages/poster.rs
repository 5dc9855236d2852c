//! A picture of one step as a file of its own: the drawing of the page with its colours written
//! out, so that it is the same in an `<img>`, in a feed or in a picture viewer.

use super::board::{Board, Told};
use super::tree::Node;
use super::write::escape;
use crate::app::checked::KAFKA;
use crate::text::ui;
use crate::view::Role;
use crate::view::width::width;

const MARGIN: i32 = 12;
/// Height of a line of the heading.
const LINE: i32 = 20;
/// Letters that fit into 600 px of the heading.
const LETTERS: i32 = 72;

/// The picture of a step, as SVG; `css` is the page's sheet.
pub fn poster(board: &Board, number: usize, css: &str) -> Option<String> {
    let step = board.steps.get(number)?;
    let parts = match board.form.as_str() {
        "overview" => console(board, step),
        "lanes" => lanes(step),
        _ => stage(step),
    };
    let width = parts.iter().map(|p| p.x + p.w).max()? + MARGIN;
    let heading = wrapped(&plain(&step.heading), LETTERS * (width - 2 * MARGIN) / 600);
    let top = MARGIN + LINE * heading.len() as i32;
    let foot = parts.iter().map(|p| p.y + p.h).max()? + top + LINE;
    let height = foot + MARGIN;
    let defs = Node::find(&board.page, &|n| n.name() == "defs").cloned();
    let mut inside: Vec<Node> = defs.into_iter().collect();
    for (at, line) in heading.iter().enumerate() {
        let y = (MARGIN + LINE * at as i32 + 12).to_string();
        let place = [("x", "12"), ("y", y.as_str()), ("class", "t-name")];
        inside.push(Node::new("text", &place, vec![Node::Text(line.clone())]));
    }
    for part in parts {
        let mut svg = part.svg;
        for (name, value) in [
            ("x", part.x),
            ("y", part.y + top),
            ("width", part.w),
            ("height", part.h),
        ] {
            svg.set(name, Some(&value.to_string()));
        }
        svg.set("aria-hidden", None);
        inside.push(svg);
    }
    let place = ui::step_of(board.lang, number as u32, board.steps.len() as u32 - 1);
    let source = format!(
        "Highwater · Kafka {KAFKA} · {} · {place}",
        escape(&board.title)
    );
    inside.push(said(MARGIN, foot, "t-muted", source));
    let rules = Rules::read(css);
    let classes = classes(&inside);
    let alt = plain(&step.heading);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"draw\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif\" lang=\"{}\"><title>{}: {alt}</title><style>{}</style><rect class=\"paper\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\"/>{}</svg>\n",
        board.lang.code(),
        escape(&board.title),
        rules.write(&classes),
        width - 1,
        height - 1,
        Node::write(&inside),
    ))
}

struct Part {
    x: i32,
    y: i32,
    w: i32,
    h: i32,
    svg: Node,
}

fn slot<'a>(step: &'a Told, name: &str) -> Vec<&'a Node> {
    let own = |n: &&Node| {
        n.get("data-s")
            .is_some_and(|s| s.trim_end_matches(|c: char| c.is_ascii_digit()) == name)
            && n.get("data-l").is_none_or(|l| l == "wide")
    };
    step.slots.iter().filter(own).collect()
}

fn drawings(of: &Node, class: &str) -> Vec<Node> {
    let found = Node::all(of.content(), &|n| n.name() == "svg" && n.is(class));
    found.into_iter().cloned().collect()
}

/// A drawing in its own size.
fn placed(svg: Node, x: i32, y: i32) -> Option<Part> {
    let mut size = svg.get("viewBox")?.split(' ').skip(2);
    let w = size.next()?.parse().ok()?;
    let h = size.next()?.parse().ok()?;
    Some(Part { x, y, w, h, svg })
}

fn stage(step: &Told) -> Vec<Part> {
    let mut y = 0;
    let mut parts = Vec::new();
    for svg in slot(step, "stage").iter().flat_map(|s| drawings(s, "draw")) {
        if let Some(part) = placed(svg, 0, y) {
            y += part.h;
            parts.push(part);
        }
    }
    parts
}

/// Words as a text of the drawing.
fn said(x: i32, y: i32, class: &str, words: String) -> Node {
    let (x, y) = (x.to_string(), y.to_string());
    let place = [("x", x.as_str()), ("y", y.as_str()), ("class", class)];
    Node::new("text", &place, vec![Node::Text(words)])
}

/// Words as a part of their own: left, top, width.
fn label(x: i32, y: i32, w: i32, class: &str, words: String) -> Part {
    let svg = Node::new("svg", &[("class", "draw")], vec![said(0, 16, class, words)]);
    Part {
        x,
        y,
        w,
        h: 24,
        svg,
    }
}

/// How many of the replicas are in sync; signs of the grid, 24 px apart, with their brokers and
/// partitions; and what the signs mean.
fn console(board: &Board, step: &Told) -> Vec<Part> {
    let mut parts = Vec::new();
    for counters in slot(step, "kpi") {
        if let Some(counter) = Node::find(counters.content(), &|n| n.is("counter")) {
            let words = |class: &str, name: &str| {
                let own = |n: &Node| n.is(class) || n.name() == name;
                Node::find(counter.content(), &own).map_or_else(String::new, Node::words)
            };
            let figure = format!("{}: {}", words("t-eb", ""), words("value", "b"));
            parts.push(label(MARGIN, 4, 300, "t-strong", figure));
        }
    }
    let mut bottom = 0;
    let mut right = 0;
    for grid in slot(step, "blocks") {
        let blocks = Node::all(grid.content(), &|n| n.is("block"));
        let mut left = 88;
        for (at, block) in blocks.iter().enumerate() {
            let mut width = 0;
            for (row, line) in Node::all(block.content(), &|n| n.is("line"))
                .iter()
                .enumerate()
            {
                let y = 32 + row as i32 * 32;
                if let (0, Some(who)) = (at, Node::find(line.content(), &|n| n.is("long"))) {
                    let gone = Node::find(line.content(), &|n| n.is("gone"));
                    let lift = if gone.is_some() { 7 } else { 0 };
                    parts.push(label(MARGIN, y - lift, 72, "t-strong", who.words()));
                    parts.extend(gone.map(|g| label(MARGIN, y + 7, 60, "t-muted", g.words())));
                }
                for (n, number) in Node::all(line.content(), &|n| n.is("no"))
                    .iter()
                    .enumerate()
                {
                    let x = left + n as i32 * 24 + 3;
                    parts.push(label(x, y + 6, 20, "t-muted", number.words()));
                }
                let cells = Node::all(line.content(), &|n| n.is("gcell"));
                for (column, cell) in cells.iter().enumerate() {
                    let x = left + column as i32 * 24;
                    width = width.max(column as i32 * 24 + 24);
                    let sign = drawings(cell, "sign-box").into_iter().next();
                    parts.extend(sign.and_then(|svg| placed(svg, x, y)));
                    bottom = bottom.max(y + 32);
                }
            }
            left += width + 8;
        }
        right = right.max(left);
    }
    let legend = Node::find(&board.page, &|n| n.is("legend")).map_or(&[][..], Node::content);
    let (mut x, mut y) = (MARGIN, bottom);
    for item in legend {
        let words = item.words();
        let w = 28 + width(&words, Role::Muted);
        if x + w > right {
            (x, y) = (MARGIN, y + 28);
        }
        let sign = drawings(item, "sign-box").into_iter().next();
        parts.extend(sign.and_then(|svg| placed(svg, x, y)));
        parts.push(label(x + 26, y, w - 26, "t-muted", words));
        x += w + 14;
    }
    parts
}

/// Lanes side by side: strips above, logs under them, what came of it; left of them whose row is
/// whose.
fn lanes(step: &Told) -> Vec<Part> {
    const NAMES: i32 = 96;
    const STRIPS: [i32; 2] = [24, 50];
    let mut parts = Vec::new();
    for tops in slot(step, "tops") {
        let all = Node::all(tops.content(), &|n| n.is("l-strip"));
        for (strip, y) in all.iter().zip(STRIPS) {
            let class = if strip.is("server") {
                "t-server"
            } else {
                "t-client"
            };
            parts.push(label(MARGIN, y, NAMES, class, strip.words()));
        }
    }
    let lows = slot(step, "low-half");
    let (mut logs, mut rows) = (0, 0);
    for (at, top) in slot(step, "top-half").into_iter().enumerate() {
        let x = NAMES + at as i32 * 281;
        let name = Node::find(top.content(), &|n| n.name() == "b").map(Node::words);
        parts.push(label(x + 12, 0, 257, "t-name", name.unwrap_or_default()));
        let mut y = 24;
        let low = lows.get(at);
        let below = low.into_iter().flat_map(|low| drawings(low, "draw"));
        for svg in drawings(top, "draw").into_iter().chain(below) {
            if let Some(part) = placed(svg, x, y) {
                (logs, rows) = (y, part.h);
                y += part.h;
                parts.push(part);
            }
        }
        if let Some(verdict) = low.and_then(|l| Node::find(l.content(), &|n| n.is("verdict"))) {
            let class = if verdict.is("alert") {
                "t-alert"
            } else {
                "t-strong"
            };
            parts.push(label(x + 14, y, 255, class, verdict.words()));
        }
    }
    for rests in slot(step, "rests") {
        let names = Node::find(rests.content(), &|n| n.is("l-rows"));
        let names = names.map_or(&[][..], Node::content);
        for (n, name) in names.iter().enumerate() {
            let y = logs + rows * n as i32 / names.len() as i32 + 14;
            let own = Node::find(name.content(), &|n| n.name() == "b").map(Node::words);
            let word = Node::find(name.content(), &|n| n.is("sign")).map(Node::words);
            parts.push(label(MARGIN, y, NAMES, "t-strong", own.unwrap_or_default()));
            parts.push(label(
                MARGIN,
                y + 15,
                NAMES,
                "t-muted",
                word.unwrap_or_default(),
            ));
        }
    }
    parts
}

/// Without elements.
fn plain(markup: &str) -> String {
    Node::read(markup).iter().map(Node::words).collect()
}

fn wrapped(text: &str, letters: i32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one at first");
        if !line.is_empty()
            && line.chars().count() + word.chars().count() >= letters.max(20) as usize
        {
            lines.push(word.into());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn classes(nodes: &[Node]) -> Vec<String> {
    let mut all: Vec<String> = vec!["draw".into()];
    for node in Node::all(nodes, &|n| n.get("class").is_some()) {
        let own = node.get("class").unwrap_or_default();
        all.extend(own.split_ascii_whitespace().map(str::to_string));
    }
    all.sort();
    all.dedup();
    all
}

/// The sheet's rules outside of any condition, and its colours by day and by night.
struct Rules<'a> {
    plain: Vec<(&'a str, &'a str)>,
    day: Vec<(&'a str, &'a str)>,
    night: Vec<(&'a str, &'a str)>,
}

impl<'a> Rules<'a> {
    fn read(css: &'a str) -> Rules<'a> {
        let mut rules = Rules {
            plain: Vec::new(),
            day: Vec::new(),
            night: Vec::new(),
        };
        let mut rest = css;
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix("/*") {
                rest = comment.split_once("*/").map_or("", |(_, after)| after);
                continue;
            }
            let Some((selector, after)) = rest.split_once('{') else {
                break;
            };
            if selector.trim_start().starts_with('@') {
                rest = skip(after);
                continue;
            }
            let Some((body, after)) = after.split_once('}') else {
                break;
            };
            rest = after;
            match selector.trim() {
                ":root" => rules.day = tokens(body),
                ":root[data-theme=\"dark\"]" => rules.night = tokens(body),
                selector => rules.plain.push((selector, body.trim())),
            }
        }
        rules
    }

    /// The rules for these classes: by day, and what of them is otherwise by night.
    fn write(&self, classes: &[String]) -> String {
        let mut day = self.paper(&self.day);
        let mut night = self.paper(&self.night);
        for (selector, body) in &self.plain {
            let own: Vec<&str> = selector
                .split(',')
                .map(str::trim)
                .filter(|s| applies(s, classes))
                .collect();
            if own.is_empty() {
                continue;
            }
            let own = own.join(",");
            let (mut by_day, mut by_night) = (String::new(), String::new());
            for line in body.split(';').filter_map(|d| d.split_once(':')) {
                let (name, value) = (line.0.trim(), line.1.trim());
                if !DRAWN.contains(&name) {
                    continue;
                }
                by_day += &format!("{name}:{};", self.resolved(value, &self.day));
                if value.contains("var(--") && value != "var(--mono)" {
                    by_night += &format!("{name}:{};", self.resolved(value, &self.night));
                }
            }
            if !by_day.is_empty() {
                day += &format!("{own}{{{}}}", by_day.trim_end_matches(';'));
            }
            if !by_night.is_empty() {
                night += &format!("{own}{{{}}}", by_night.trim_end_matches(';'));
            }
        }
        format!("{day}@media (prefers-color-scheme:dark){{{night}}}")
    }

    fn paper(&self, of: &[(&'a str, &'a str)]) -> String {
        let (ground, edge) = (self.value("--bg", of), self.value("--hair", of));
        format!(".paper{{fill:{ground};stroke:{edge}}}")
    }

    fn value(&self, name: &str, of: &[(&'a str, &'a str)]) -> &'a str {
        let own = of.iter().chain(&self.day).find(|(n, _)| *n == name);
        own.map_or("", |(_, value)| value)
    }

    fn resolved(&self, value: &str, of: &[(&'a str, &'a str)]) -> String {
        match value.strip_prefix("var(").and_then(|v| v.strip_suffix(')')) {
            Some(name) => self.value(name, of).replace('"', "'"),
            None => value.into(),
        }
    }
}

/// What a drawing needs of a rule.
const DRAWN: [&str; 14] = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "marker-end",
    "font-size",
    "font-weight",
    "font-family",
    "display",
    "overflow",
    "opacity",
];

/// Whether a selector is made of these classes and of elements of a drawing alone.
fn applies(selector: &str, classes: &[String]) -> bool {
    if selector.contains(['[', '+', '*', '>']) || selector.contains("::") {
        return false;
    }
    if let Some((_, inner)) = selector.split_once(':')
        && !inner.starts_with("not(")
    {
        return false;
    }
    let mut any = false;
    for word in selector.split([' ', ':', '(', ')']) {
        let mut parts = word.split('.');
        let element = parts.next().unwrap_or_default();
        let known = ["", "not", "path", "text", "rect", "line", "polygon", "svg"];
        if !known.contains(&element) || element == "svg" {
            return false;
        }
        for class in parts {
            any = true;
            let negated = selector.contains(&format!("not(.{class})"));
            if !negated && !classes.iter().any(|c| c == class) {
                return false;
            }
        }
    }
    any
}

fn tokens(body: &str) -> Vec<(&str, &str)> {
    let pairs = body.split(';').filter_map(|line| line.split_once(':'));
    pairs
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect()
}

/// What follows a block whose first bracket is read.
fn skip(mut rest: &str) -> &str {
    let mut depth = 1;
    while depth > 0 {
        let Some(at) = rest.find(['{', '}']) else {
            return "";
        };
        depth += if rest.as_bytes()[at] == b'{' { 1 } else { -1 };
        rest = &rest[at + 1..];
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_written_out_by_day_and_by_night() {
        let css = "/* x */:root { --bg: #fff; --text: #111; --hair: #ddd } :root[data-theme=\"dark\"] { --bg: #000; --text: #eee; --hair: #333 }\
                   @media print { .cell { fill: red } } .cell .body, .button { fill: var(--text); padding: 4px } .cell:hover { fill: blue }";
        let written = Rules::read(css).write(&["cell".into(), "body".into()]);
        assert_eq!(
            written,
            ".paper{fill:#fff;stroke:#ddd}.cell .body{fill:#111}@media (prefers-color-scheme:dark){.paper{fill:#000;stroke:#333}.cell .body{fill:#eee}}"
        );
    }

    #[test]
    fn a_long_heading_is_broken_at_spaces() {
        assert_eq!(
            wrapped("one two three four five", 20),
            ["one two three four", "five"]
        );
    }
}
