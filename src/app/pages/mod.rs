//! The page drawn natively, by its own components: what a reader has before the program is there,
//! and where it never comes. Nothing here draws; it renders, takes apart and puts together.

mod board;
pub mod poster;
mod tree;
mod write;

pub use board::{Board, Told, board, question, scenes};
pub use tree::Node;
pub use write::{POLICY, Site, body, folder, page, single, single_name, sitemap, stated};

use super::page::Page;
use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use yew::LocalServerRenderer;

/// Who is supposed to look at the page.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    /// The query of the address, with its question mark.
    pub query: String,
    /// Width of the window, px.
    pub width: i32,
}

thread_local! {
    static READER: RefCell<Reader> = RefCell::default();
}

/// The reader the page is rendered for just now.
pub(super) fn reader() -> Reader {
    READER.with_borrow(Reader::clone)
}

/// The whole page as such a reader has it at first, as markup.
pub fn render(reader: Reader) -> String {
    READER.set(reader);
    let page = LocalServerRenderer::<Page>::new().hydratable(false);
    let mut page = pin!(page.render());
    // No component waits for anything: polled again and again, it comes to its end.
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(markup) = page.as_mut().poll(&mut context) {
            return markup;
        }
    }
}
