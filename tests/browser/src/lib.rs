//! The built page in a real Chromium: a static server, the driver, and what a person can do.
//!
//! Each test gets a browser of its own. Whatever the test is about, at its end the page must not
//! have logged an error, broken its content policy, asked another origin for anything, or stored
//! anything: see [`manners`].

mod browser;
mod display;
mod driver;
mod json;
pub mod lesson;
mod manners;
mod page;
mod server;

pub use browser::Browser;
pub use page::Page;
pub use server::{DEEP, Server, built};

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

/// How long a whole test may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs one test in a browser of its own.
pub fn with_page<F>(body: F)
where
    F: AsyncFnOnce(&Page),
{
    run(Browser::Chromium, false, body, true);
}

/// The same of a page that is kept from starting, and says so in the console too.
pub fn with_broken_page<F>(body: F)
where
    F: AsyncFnOnce(&Page),
{
    run(Browser::Chromium, false, body, false);
}

/// Measures in a browser of its own: the page comes compressed, as from a good host, and may do
/// what it likes.
pub fn measure<F>(body: F)
where
    F: AsyncFnOnce(&Page),
{
    let server = Server::compressed(server::built());
    run_from(server, Browser::Chromium, false, body, false);
}

/// Runs one test in each of the browsers that are asked for, by what every driver can do.
pub fn in_each_browser<F>(body: F)
where
    F: AsyncFnMut(&Page),
{
    in_each(body, true);
}

/// The same of a file on the disk, which has no server to be well-mannered to.
pub fn from_disk_in_each_browser<F>(body: F)
where
    F: AsyncFnMut(&Page),
{
    in_each(body, false);
}

fn in_each<F>(mut body: F, well_mannered: bool)
where
    F: AsyncFnMut(&Page),
{
    for browser in Browser::chosen() {
        println!("in {browser:?}");
        run(browser, true, async |page| body(page).await, well_mannered);
    }
}

fn run<F>(browser: Browser, plain: bool, body: F, well_mannered: bool)
where
    F: AsyncFnOnce(&Page),
{
    let server = Server::start(server::built());
    run_from(server, browser, plain, body, well_mannered);
}

fn run_from<F>(server: Server, browser: Browser, plain: bool, body: F, well_mannered: bool)
where
    F: AsyncFnOnce(&Page),
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    let driver = driver::Driver::start(browser);
    let page = runtime.block_on(Page::open(browser, plain, &driver, server));
    // The browser is closed whether or not the test holds: the driver does not take it along.
    let held = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            let test = async {
                body(&page).await;
                if well_mannered {
                    manners::check(&page).await;
                }
            };
            if tokio::time::timeout(PATIENCE, test).await.is_err() {
                panic!("the test took more than {} s", PATIENCE.as_secs());
            }
        });
    }));
    runtime.block_on(page.close());
    if let Err(why) = held {
        resume_unwind(why);
    }
}
