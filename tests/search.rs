//! Every run of a small cluster keeps the invariants; with a historic switch off the search finds
//! the bug that the switch was made for.

#[path = "explore/search.rs"]
mod search;

use search::*;

#[test]
fn measure() {
    for (r, f, l) in [(1, 1, 0), (1, 1, 1), (1, 2, 0), (2, 1, 0)] {
        let bounds = Bounds::new(r, f, l);
        let t = std::time::Instant::now();
        let found = everything(&bounds, &mut |f| println!("{} {}", f.states, f.depth));
        println!(
            "{r} {f} {l}: {} states, {} steps, depth {} in {:?}",
            found.states,
            found.steps,
            found.depth,
            t.elapsed()
        );
        if let Some(fault) = &found.fault {
            println!("{}\n{}", fault.text, script(&bounds, &fault.acts));
        }
    }
}
