//! The reader's own way through a scene, and the link to it.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

/// Presses a button of the panel, in the group of this name.
async fn make(page: &Page, group: &str, button: &str) {
    let found = format!(
        "[...document.querySelector('.moves-of[aria-label=\"{group}\"]').querySelectorAll('button')].find(b => b.textContent === {button:?})"
    );
    page.click(&found).await;
}

/// The order was copied before the leader died: nothing is lost, and the link tells it again.
#[test]
fn a_reader_tries_another_end_and_gives_the_link_away() {
    with_page(async |page| {
        page.load("?scenario=acks1-loss&step=1&lang=en").await;
        page.click("document.querySelector('.what-if > summary')")
            .await;
        make(page, "Time", "Until all is quiet").await;
        make(page, "Broker 1", "Kill the process").await;
        make(page, "Time", "+ 60\u{a0}s").await;
        page.until("three moves were made", "hw.step() === 4").await;
        let said = page
            .text("document.querySelector('.note.own').textContent")
            .await;
        assert!(said.contains("the scene up to step 1"), "{said}");
        let stage = "document.querySelector('.stage').textContent";
        let drawn = page.text(stage).await;
        assert!(!drawn.contains("lost"), "{drawn}");

        // Back is a look, not an undo; the moves are still there.
        page.click("hw.button('Back')").await;
        page.until("a step back", "hw.step() === 3").await;
        page.click(Page::NEXT).await;
        page.until("forwards again", "hw.step() === 4").await;
        assert_eq!(page.text(stage).await, drawn);

        page.until(
            "the address has the branch",
            "location.hash.startsWith('#k1.') && location.search.includes('step=4')",
        )
        .await;
        let link = page.text("location.search + location.hash").await;
        page.load("?").await;
        page.load(&link).await;
        page.until("the link is followed", "hw.step() === 4").await;
        assert_eq!(page.text(stage).await, drawn);

        page.click("hw.button('Back to the scene')").await;
        page.until("the scene again", "hw.step() === 1 && hw.last() > 4")
            .await;
        page.until("no branch in the address", "location.hash === ''")
            .await;
        // One press does not lose what took many.
        page.click("hw.button('Return to it')").await;
        page.until(
            "the branch again",
            "hw.step() === 4 && location.hash.startsWith('#k1.')",
        )
        .await;
        assert_eq!(page.text(stage).await, drawn);
    });
}

/// A link that is damaged, of another version, or leads elsewhere says so; the scene is there.
#[test]
fn a_link_that_cannot_be_followed_says_why() {
    with_page(async |page| {
        for (link, words) in [
            ("k9.AAAA", "does not know"),
            ("k1.AQztMwAAAEY7", "cut short"),
            ("k1.AQ*", "damaged"),
            // A move taken out of the middle of a good one.
            ("k1.AQztMwAAAEY7AFIAIQgAIwAAAA", "8 of 12"),
        ] {
            page.load(&format!("?scenario=acks1-loss&step=0&lang=en#{link}"))
                .await;
            let said = page
                .text("document.querySelector('.note').textContent")
                .await;
            assert!(said.contains(words), "{link}: {said}");
            assert_eq!(
                page.eval("!!document.querySelector('.stage svg')").await,
                json!(true)
            );
        }
        // Where there are no branches that is said; an anchor that is none of ours is let be.
        for place in [
            "?scenario=acks1-loss&step=0&lang=en&lock=1",
            "?scenario=replay-sql&lang=en",
        ] {
            page.load(&format!("{place}#k1.AQztMwAAAEY7")).await;
            let said = page
                .text("document.querySelector('.note').textContent")
                .await;
            assert!(said.contains("there are none here"), "{place}: {said}");
        }
        page.load("?scenario=acks1-loss&step=2&lang=en#_=_").await;
        assert_eq!(
            page.eval("document.querySelector('.note')").await,
            json!(null)
        );
        assert_eq!(page.eval("hw.step()").await, json!(2));
    });
}
