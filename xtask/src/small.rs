//! A script made small for who downloads it: comments that have a line to themselves, indentation
//! and spaces around signs are left out. Names and line ends stay, so it can still be read.

/// The script without what only its authors need.
pub fn small(script: &str) -> String {
    let mut out = String::new();
    // What the text is inside of at the start of a line: a template goes over several.
    let mut template = false;
    for line in script.lines() {
        let line = line.trim();
        if line.is_empty() || !template && line.starts_with("//") {
            continue;
        }
        template = squeeze(line, template, &mut out);
        out.push('\n');
    }
    out
}

/// Adds a line without spaces around signs. What is quoted stays as it is, and so does the rest of
/// a line behind a `/`, which may begin a pattern. Returns whether a template is open at its end.
fn squeeze(line: &str, open: bool, out: &mut String) -> bool {
    let mut quote = open.then_some('`');
    let mut letters = line.chars().peekable();
    let mut verbatim = false;
    while let Some(letter) = letters.next() {
        match quote {
            _ if verbatim => {}
            Some('`') if letter == '\\' => {
                out.push(letter);
                out.extend(letters.next());
                continue;
            }
            Some(end) if letter == end => quote = None,
            Some(_) if letter == '\\' => {
                out.push(letter);
                out.extend(letters.next());
                continue;
            }
            Some(_) => {}
            None if matches!(letter, '\'' | '"' | '`') => quote = Some(letter),
            None if letter == '/' => verbatim = true,
            None if letter == ' ' => {
                let sign = |c: char| "{}()[];,:=?<>&|!".contains(c);
                let beside = out.ends_with(sign) || letters.peek().is_some_and(|c| sign(*c));
                if beside {
                    continue;
                }
            }
            None => {}
        }
        out.push(letter);
    }
    quote == Some('`')
}

#[cfg(test)]
mod tests {
    use super::small;

    #[test]
    fn comments_and_spaces_go_and_quoted_text_stays() {
        let script = "// Says why.\n\nif (a === 1) {\n  b = 'x = y // z';\n}\n";
        assert_eq!(small(script), "if(a===1){\nb='x = y // z';\n}\n");
    }

    #[test]
    fn patterns_and_templates_stay() {
        let script = "const p = /a = b/.test(q) ? c : d;\nconst t = `a = b\n  // no comment, c`;\n";
        assert_eq!(
            small(script),
            "const p=/a = b/.test(q) ? c : d;\nconst t=`a = b\n// no comment, c`;\n"
        );
        assert_eq!(small("f('it\\'s = 1', 2);"), "f('it\\'s = 1',2);\n");
    }
}
