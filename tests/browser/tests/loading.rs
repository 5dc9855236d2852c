//! The page as it comes: from any folder, under the strict policy, without taking anything.

use highwater_browser_tests::with_page;

#[test]
fn the_page_loads_from_a_deep_folder_under_the_policy() {
    with_page(async |page| {
        page.load("").await;
        assert!(page.text("document.title").await.contains("Highwater"));
    });
}
