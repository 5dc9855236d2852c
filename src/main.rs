//! The program: mounts the page. Outside a browser it only says where the page is.

fn main() {
    #[cfg(target_arch = "wasm32")]
    highwater::app::mount();
    #[cfg(not(target_arch = "wasm32"))]
    println!("Highwater is a page: `cargo xtask serve` opens it.");
}
