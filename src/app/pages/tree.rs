//! Markup as a tree, to take parts of a rendered page out of it. It reads what Yew writes: every
//! element closed, every attribute in double quotes.

/// A piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// An element: its name, its attributes as they were written, what is in it.
    Element(String, Vec<(String, String)>, Vec<Node>),
    /// Text as it was written, with its entities.
    Text(String),
}

/// Elements without an end.
const VOID: [&str; 8] = ["area", "br", "hr", "img", "input", "link", "meta", "wbr"];

impl Node {
    /// Reads markup. What stands after an end that nothing began is left out.
    pub fn read(markup: &str) -> Vec<Node> {
        let mut rest = markup;
        children(&mut rest)
    }

    /// An element with attributes and content.
    pub fn new(name: &str, attributes: &[(&str, &str)], content: Vec<Node>) -> Node {
        let own = |&(name, value): &(&str, &str)| (name.to_string(), value.to_string());
        Node::Element(name.into(), attributes.iter().map(own).collect(), content)
    }

    /// Its name; empty for text.
    pub fn name(&self) -> &str {
        match self {
            Node::Element(name, ..) => name,
            Node::Text(_) => "",
        }
    }

    /// An attribute's value.
    pub fn get(&self, attribute: &str) -> Option<&str> {
        match self {
            Node::Element(_, all, _) => all
                .iter()
                .find(|(name, _)| name == attribute)
                .map(|(_, value)| value.as_str()),
            Node::Text(_) => None,
        }
    }

    /// Sets an attribute, or takes it away.
    pub fn set(&mut self, attribute: &str, value: Option<&str>) {
        if let Node::Element(_, all, _) = self {
            all.retain(|(name, _)| name != attribute);
            all.extend(value.map(|value| (attribute.to_string(), value.to_string())));
        }
    }

    /// Whether it has all these classes (separated by spaces).
    pub fn is(&self, classes: &str) -> bool {
        let own = self.get("class").unwrap_or_default();
        classes
            .split(' ')
            .all(|class| own.split_ascii_whitespace().any(|c| c == class))
    }

    /// What is in it.
    pub fn content(&self) -> &[Node] {
        match self {
            Node::Element(.., content) => content,
            Node::Text(_) => &[],
        }
    }

    /// What is in it, to be changed.
    pub fn content_mut(&mut self) -> Option<&mut Vec<Node>> {
        match self {
            Node::Element(.., content) => Some(content),
            Node::Text(_) => None,
        }
    }

    /// Every element in these, from outside inwards, that passes.
    pub fn all<'a>(nodes: &'a [Node], pass: &dyn Fn(&Node) -> bool) -> Vec<&'a Node> {
        let mut found = Vec::new();
        for node in nodes {
            if pass(node) {
                found.push(node);
            }
            found.extend(Node::all(node.content(), pass));
        }
        found
    }

    /// The first of them.
    pub fn find<'a>(nodes: &'a [Node], pass: &dyn Fn(&Node) -> bool) -> Option<&'a Node> {
        nodes.iter().find_map(|node| match pass(node) {
            true => Some(node),
            false => Node::find(node.content(), pass),
        })
    }

    /// Changes every element in these, from outside inwards.
    pub fn each(nodes: &mut [Node], change: &mut dyn FnMut(&mut Node)) {
        for node in nodes {
            change(node);
            if let Some(content) = node.content_mut() {
                Node::each(content, change);
            }
        }
    }

    /// Takes out every element that passes.
    pub fn drop_all(nodes: &mut Vec<Node>, pass: &dyn Fn(&Node) -> bool) {
        nodes.retain(|node| !pass(node));
        for node in nodes {
            if let Some(content) = node.content_mut() {
                Node::drop_all(content, pass);
            }
        }
    }

    /// Its words, entities as they are.
    pub fn words(&self) -> String {
        match self {
            Node::Text(text) => text.clone(),
            Node::Element(.., content) => content.iter().map(Node::words).collect(),
        }
    }

    /// These as markup again.
    pub fn write(nodes: &[Node]) -> String {
        let mut out = String::new();
        for node in nodes {
            node.print(&mut out);
        }
        out
    }

    fn print(&self, out: &mut String) {
        let (name, attributes, content) = match self {
            Node::Text(text) => return out.push_str(text),
            Node::Element(name, attributes, content) => (name, attributes, content),
        };
        out.push('<');
        out.push_str(name);
        for (name, value) in attributes {
            out.push(' ');
            out.push_str(name);
            if !value.is_empty() {
                out.push_str("=\"");
                out.push_str(value);
                out.push('"');
            }
        }
        out.push('>');
        if VOID.contains(&name.as_str()) {
            return;
        }
        for node in content {
            node.print(out);
        }
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }
}

/// What stands up to the next end that is not its own.
fn children(rest: &mut &str) -> Vec<Node> {
    let mut nodes = Vec::new();
    while !rest.is_empty() {
        if let Some(end) = rest.strip_prefix("</") {
            *rest = end.split_once('>').map_or("", |(_, after)| after);
            return nodes;
        }
        if let Some(comment) = rest.strip_prefix("<!--") {
            *rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        if let Some(tag) = rest.strip_prefix('<') {
            *rest = tag;
            nodes.push(element(rest));
            continue;
        }
        let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        nodes.push(Node::Text(text.into()));
        *rest = after;
    }
    nodes
}

fn element(rest: &mut &str) -> Node {
    let end = rest.find([' ', '>', '/']).unwrap_or(rest.len());
    let (name, mut after) = rest.split_at(end);
    let mut attributes = Vec::new();
    let closed = loop {
        after = after.trim_start();
        if let Some(out) = after.strip_prefix("/>") {
            after = out;
            break true;
        }
        if let Some(out) = after.strip_prefix('>') {
            after = out;
            break VOID.contains(&name);
        }
        let end = after.find(['=', ' ', '>', '/']).unwrap_or(after.len());
        if end == 0 {
            // A stray sign: passed over, so that this comes to an end.
            after = after.get(1..).unwrap_or_default();
            if after.is_empty() {
                break true;
            }
            continue;
        }
        let (key, out) = after.split_at(end);
        let (value, out) = match out.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => ("", out),
        };
        attributes.push((key.to_string(), value.to_string()));
        after = out;
    };
    *rest = after;
    let content = match closed {
        true => Vec::new(),
        false => children(rest),
    };
    Node::Element(name.into(), attributes, content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKUP: &str = "<p class=\"a b\" hidden>x &amp; <b id=\"1\">y</b><input value=\"2\"></p>";

    #[test]
    fn markup_comes_back_as_it_was() {
        assert_eq!(Node::write(&Node::read(MARKUP)), MARKUP);
        let closed = "<svg><path d=\"M0 0\" /><!-- no --></svg>";
        assert_eq!(
            Node::write(&Node::read(closed)),
            "<svg><path d=\"M0 0\"></path></svg>"
        );
    }

    #[test]
    fn parts_are_found_changed_and_taken_out() {
        let mut nodes = Node::read(MARKUP);
        assert_eq!(
            Node::find(&nodes, &|n| n.name() == "b").map(Node::words),
            Some("y".into())
        );
        assert!(nodes[0].is("b a") && !nodes[0].is("a c"));
        Node::each(&mut nodes, &mut |n| n.set("id", Some("3")));
        assert_eq!(Node::all(&nodes, &|n| n.get("id") == Some("3")).len(), 3);
        Node::drop_all(&mut nodes, &|n| n.name() != "p");
        assert_eq!(Node::write(&nodes), "<p class=\"a b\" hidden id=\"3\"></p>");
    }
}
