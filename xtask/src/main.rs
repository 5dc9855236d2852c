//! `cargo xtask VERB`: everything a person does with the project, one small file a verb.

mod apt;
mod browser;
mod clang;
mod dist;
mod embed;
mod example;
mod measure;
mod npm;
mod page;
mod pages;
mod practice;
mod run;
mod scorm;
mod serve;
mod sha384;
mod size;
mod size_pages;
mod small;
mod smoke;
mod test;
mod tools;
mod zip;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask VERB

  serve [ARGS]     set everything up and serve the app on http://127.0.0.1:8080/
                   (ARGS go to `trunk serve`, for example --port 9000 or --open)
  test [PART...]   set everything up and run every test, or only the named parts;
                   --browsers all adds a short list of tests in Firefox and WebKitGTK
  dist [ARGS]      write dist/: a folder any static server can serve, at any path
                   (--base URL: its pages name their addresses; --single SCENE --lang LANG:
                   of the pages only these, quickly)
                   (--scorm SCENE|all [--lang ru|en]: and SCORM 1.2 packages in dist/scorm/)
  size             print the size of dist/ against its budget
  measure          what a reader of dist/ waits for on a slow phone, beside a trivial page
  conform PATH...  run recorded Kafka runs and test vectors (files or folders) on the engine
  play FILE        play a scenario file: each step, and which of its claims do not hold
                   (play FILE events tells what happened instead)
  explore [ARGS]   search every interleaving of small clusters
  bench            measure the engine's speed
  bench browser    measure in Chromium how long going to any step takes
  setup            only the set-up: wasm target, trunk, wasm-bindgen, clang
  help             this text

The tools are kept in $HIGHWATER_TOOLS, or else in highwater/tools in the cache folder.
";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let verb = words.next().unwrap_or_else(|| "help".into());
    let rest: Vec<String> = words.collect();
    let done = match verb.as_str() {
        "serve" => serve::serve(&rest),
        "test" => test::test(&rest),
        "dist" => scorm::asked(&rest).and_then(|packages| {
            dist::dist(&rest)?;
            packages.map_or(Ok(()), |(scene, langs)| scorm::scorm(&scene, &langs))
        }),
        "size" => size::size(),
        "measure" => measure::measure(),
        "bench" if rest == ["browser"] => test::seek_in_browser(),
        "conform" | "play" | "explore" | "bench" => return example::example(&verb, &rest),
        "practice" => practice::practice(),
        "embed" => embed::embed(),
        "setup" => tools::set_up().and_then(|_| clang::clang()).map(|_| ()),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!(
                "xtask: no verb `{verb}`; there are serve, test, dist, size, measure, conform, play, \
                 explore, bench, setup, help"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask {verb}: {why}");
            ExitCode::FAILURE
        }
    }
}
