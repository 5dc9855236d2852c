//! A step, or a whole scene, as Markdown: for a wiki or lecture notes.

use super::{Story, Told};
use crate::kafka::ids::Tp;
use crate::text::export as words;
use crate::view::Step;
use crate::view::tables::{Table, described};

/// A story as Markdown: title, question, then a section a step with its table of state.
pub fn markdown(story: &Story, tp: impl Fn(u32) -> Option<Tp>) -> String {
    let mut out = format!("# {}\n\n{}\n", marked(story.title), marked(story.question));
    if !story.branch.is_empty() {
        out.push_str(&format!("\n{}\n", words::own_branch(story.lang)));
    }
    for told in &story.steps {
        step(&mut out, story, told, tp(told.number));
    }
    out.push_str(&format!("\n{}\n", words::source(story.lang, story.address)));
    out
}

fn step(out: &mut String, story: &Story, told: &Told, tp: Option<Tp>) {
    let lang = story.lang;
    let card = told.card;
    out.push_str(&format!(
        "\n## [{}. {}]({})\n",
        told.number,
        marked(&card.heading),
        story.at(told.number)
    ));
    for said in &card.what {
        out.push_str(&format!("\n{}\n", marked(said)));
    }
    for why in &card.why {
        let rules = why.rules.join(", ");
        out.push_str(&format!(
            "\n**{}** {} ({rules})\n",
            label(words::why(lang)),
            marked(&why.text)
        ));
    }
    if !card.so.is_empty() {
        out.push_str(&format!(
            "\n**{}** {}\n",
            label(words::so_what(lang)),
            marked(&card.so)
        ));
    }
    let Some(tp) = tp else { return };
    let now = Step {
        lang,
        before: None,
        now: told.picture,
        events: &[],
    };
    for table in described(&now, tp).tables.iter().take(1) {
        table_of(out, table);
    }
}

fn label(word: String) -> String {
    format!("{word}:")
}

fn table_of(out: &mut String, table: &Table) {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .map(|c| marked(c).replace('|', "\\|"))
            .collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push('\n');
    out.push_str(&row(&table.head));
    out.push_str(&format!("|{}\n", " --- |".repeat(table.head.len())));
    for cells in &table.rows {
        out.push_str(&row(cells));
    }
}

/// A sentence of the page: its code is Markdown's code already.
fn marked(text: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '`' => code = !code,
            '*' | '_' | '<' | '[' | ']' if !code => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn signs_of_markdown_are_kept_as_signs() {
        assert_eq!(marked("a_b `a_b` [1, 2] *"), "a\\_b `a_b` \\[1, 2\\] \\*");
    }
}
