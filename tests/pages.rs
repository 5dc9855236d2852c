//! The pages that are there before the program: drawn natively from every scene. Only with
//! `--features pages`, so that plain tests compile no user interface: `cargo xtask test` runs them.
#![cfg(feature = "pages")]

use highwater::app::pages::{self, Node, Site, board, poster::poster, scenes};
use highwater::text::Lang;

const CSS: &str = include_str!("../static/app.css");

fn site() -> Site {
    Site {
        styles: vec!["app.css".into()],
        boot: "boot.js".into(),
        steps: "steps.js".into(),
        program: "start.js".into(),
        practice: "worker.js".into(),
        icon: "icon.svg".into(),
        scenes: scenes(),
        base: None,
    }
}

#[test]
fn every_scene_has_a_page_of_all_its_steps_in_both_languages() {
    for id in scenes() {
        for lang in Lang::ALL {
            let board = board(&id, lang, false).expect("it is told");
            let written = pages::page(&board, &site());
            let nodes = Node::read(&written);
            let place = format!("{id} {lang:?}");
            let steps = Node::all(&nodes, &|n| n.is("beat"));
            assert_eq!(steps.len(), board.steps.len(), "{place}");
            for (step, told) in steps.iter().zip(&board.steps) {
                let heading = Node::find(step.content(), &|n| n.name() == "h2");
                let heading = heading.map(Node::words).unwrap_or_default();
                assert!(heading.len() > 5, "{place}: {}", told.heading);
                assert!(
                    Node::find(step.content(), &|n| n.name() == "svg").is_some(),
                    "{place}: no picture of {heading}"
                );
            }
            forbidden(&place, &nodes);
            links(&place, &nodes);
        }
    }
}

/// Nothing that the policy stops.
fn forbidden(place: &str, nodes: &[Node]) {
    for node in Node::all(nodes, &|_| true) {
        assert!(node.get("style").is_none(), "{place}: a style attribute");
        assert!(node.name() != "style", "{place}: an inline style");
        let inline = node.name() == "script" && node.get("src").is_none();
        assert!(!inline, "{place}: an inline script");
    }
}

/// Every link is relative; those within the page lead to something.
fn links(place: &str, nodes: &[Node]) {
    let all = Node::all(nodes, &|n| n.get("href").is_some());
    assert!(all.len() > 10, "{place}: few links");
    for link in all {
        let to = link.get("href").unwrap_or_default();
        if let Some(id) = to.strip_prefix('#') {
            let found = Node::find(nodes, &|n| n.get("id") == Some(id));
            // The gallery is the front page's.
            assert!(found.is_some() || id == "scenes", "{place}: {to}");
        } else {
            assert!(!to.starts_with('/') && !to.contains(':'), "{place}: {to}");
            let ends = to.starts_with("../") || to.ends_with(".css");
            assert!(ends, "{place}: {to} leads from the wrong folder");
        }
    }
}

#[test]
fn a_base_makes_what_others_read_absolute() {
    let board = board("acks1-loss", Lang::En, false).expect("it is told");
    let base = Some("https://example.org/k/".to_string());
    let page = pages::page(&board, &Site { base, ..site() });
    for line in [
        "<link rel=\"canonical\" href=\"https://example.org/k/s/acks1-loss/en/\">",
        "<meta property=\"og:image\" content=\"https://example.org/k/s/acks1-loss/poster.en.svg\">",
        "hreflang=\"ru\" href=\"https://example.org/k/s/acks1-loss/\"",
    ] {
        assert!(page.contains(line), "{line}");
    }
    let map = pages::sitemap("https://example.org/k/", &scenes());
    assert_eq!(map.matches("<url>").count(), 1 + 2 * scenes().len());
}

#[test]
fn posters_stand_alone() {
    for id in ["acks1-loss", "overview", "compare-acks", "lags"] {
        let board = board(id, Lang::Ru, false).expect("it is told");
        assert!(board.markers.contains(&0), "{id}");
        for step in &board.markers {
            let svg = poster(&board, *step as usize, CSS).expect("it is drawn");
            assert!(svg.contains("<text"), "{id} {step}: no words");
            assert!(
                !svg.contains("var(") && !svg.contains("href"),
                "{id} {step}"
            );
            assert!(svg.contains("prefers-color-scheme:dark"), "{id} {step}");
        }
    }
    let board = board("acks1-loss", Lang::Ru, false).expect("it is told");
    assert!(poster(&board, 999, CSS).is_none());
}

#[test]
fn the_one_file_asks_for_no_other() {
    let board = board("lags", Lang::En, false).expect("it is told");
    let file = pages::single(&board, &site(), "p{color:red}", "let x;");
    let nodes = Node::read(&file);
    let asks = Node::find(&nodes, &|n| n.get("src").is_some() || n.name() == "link");
    assert!(asks.is_none(), "it asks for {asks:?}");
    assert!(file.contains("p{color:red}") && file.contains("let x;"));
    let buttons = Node::all(&nodes, &|n| {
        n.name() == "button" && n.get("data-go").is_none()
    });
    assert!(buttons.is_empty(), "buttons that do nothing: {buttons:?}");
}

/// The picture that stands for a scene shows what the scene is about, and says what is what.
#[test]
fn a_poster_is_of_the_telling_step_and_explains_itself() {
    let drawn = |id: &str| {
        let board = board(id, Lang::Ru, false).expect("it is told");
        let svg = poster(&board, board.telling as usize, CSS).expect("it is drawn");
        let place = format!("Шаг {} из {}", board.telling, board.steps.len() - 1);
        assert!(svg.contains(&place) && svg.contains("Kafka 4.3.1"), "{id}");
        assert!(board.telling > 0, "{id}: an empty log");
        svg
    };
    let loss = drawn("acks1-loss");
    assert!(loss.contains("только тут"), "the lost record");
    let lanes = drawn("compare-acks");
    for words in ["Брокер 2", "живых копий", "продюсер", "потеряна"]
    {
        assert!(lanes.contains(words), "compare-acks: {words}");
    }
    let console = drawn("overview");
    for words in ["из 72", ">23<", "вне ISR", "лидер"] {
        assert!(console.contains(words), "overview: {words}");
    }
    for id in scenes() {
        drawn(&id);
    }
}
