//! The scenes of the library: they read, they come true to the last claim, they can be walked
//! both ways, and their texts keep to the house's measures.

use highwater::history::Run;
use highwater::script::ast::{Scenario, Text, View};
use highwater::script::{library, parse, print};
use highwater::text::Lang;
use highwater::view::trouble::failure_words;
use highwater::world::World;
use std::collections::BTreeSet;
use std::rc::Rc;

fn scenes() -> impl Iterator<Item = Rc<Scenario>> {
    library::SCENES.iter().map(|(id, text)| {
        let scenario = parse(text).unwrap_or_else(|errors| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{id}: {}", lines.join("\n"))
        });
        Rc::new(scenario)
    })
}

fn run(scenario: &Rc<Scenario>) -> Run<World> {
    Run::new(scenario.clone(), World::new(scenario.cluster.setup()))
}

#[test]
fn the_library_knows_each_scene_by_the_id_in_its_file() {
    for ((id, text), scenario) in library::SCENES.iter().zip(scenes()) {
        assert_eq!(**id, *scenario.id);
        assert_eq!(library::scene(id), Some(*text));
    }
    assert_eq!(library::nearest("acks1-los").as_deref(), Some("acks1-loss"));
}

/// Every figure that a text claims is an `expect` line.
#[test]
fn every_claim_of_every_scene_holds() {
    let mut failures = Vec::new();
    for scenario in scenes() {
        let mut run = run(&scenario);
        run.seek(run.steps());
        let failed = run.failures().iter();
        failures
            .extend(failed.map(|f| format!("{}.txt:{}: {:?}", scenario.id, f.at.line, f.trouble)));
        for lane in 0..run.lanes() {
            let picture = run.picture(lane).unwrap();
            assert!(picture.violations.is_empty(), "{}", scenario.id);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Back, and from anywhere to anywhere, a step is what it was when first reached.
#[test]
fn every_step_is_the_same_from_either_side() {
    for scenario in scenes() {
        let mut run = run(&scenario);
        let mut reached = Vec::new();
        for step in 0..=run.steps() {
            run.seek(step);
            let lanes = (0..run.lanes()).map(|lane| {
                let world = run.machine(lane).unwrap().clone();
                (world, run.picture(lane), run.events(lane).to_vec())
            });
            reached.push(lanes.collect::<Vec<_>>());
        }
        let back = (0..run.steps()).rev();
        let jumps = [run.steps(), 0, run.steps() / 2, 1, run.steps()];
        for step in back.chain(jumps) {
            run.seek(step);
            assert_eq!(run.at(), step);
            for (lane, (world, picture, events)) in (0..).zip(&reached[step as usize]) {
                let place = format!("{} step {step} lane {lane}", scenario.id);
                assert!(run.machine(lane) == Some(world), "{place}");
                assert!(run.picture(lane) == *picture, "{place}");
                assert!(run.events(lane) == events, "{place}");
            }
        }
    }
}

/// A step that shows nothing new is not worth a press of a key.
#[test]
fn every_step_shows_something() {
    for scenario in scenes() {
        let mut run = run(&scenario);
        for step in 1..=run.steps() {
            let before: Vec<_> = (0..run.lanes()).map(|lane| run.picture(lane)).collect();
            run.seek(step);
            let after: Vec<_> = (0..run.lanes()).map(|lane| run.picture(lane)).collect();
            let seen = before != after || (0..run.lanes()).any(|l| !run.events(l).is_empty());
            assert!(seen, "{} step {step}", scenario.id);
        }
    }
}

/// Lanes stand on one clock at every step, or they could not be compared.
#[test]
fn lanes_are_on_one_clock() {
    let mut compared = 0;
    for scenario in scenes().filter(|scenario| scenario.lanes.is_some()) {
        assert_eq!(scenario.view, View::Compare);
        let mut run = run(&scenario);
        for step in 0..=run.steps() {
            run.seek(step);
            let times: BTreeSet<i64> = (0..run.lanes())
                .filter_map(|lane| run.picture(lane))
                .map(|picture| picture.now.0)
                .collect();
            assert_eq!(times.len(), 1, "{} step {step}", scenario.id);
        }
        compared += 1;
    }
    assert_eq!(compared, 1);
}

#[test]
fn every_scene_prints_and_reads_the_same() {
    for scenario in scenes() {
        let text = print(&scenario);
        assert_eq!(parse(&text).as_ref(), Ok(&*scenario), "{}", scenario.id);
        assert_eq!(parse(&text).map(|s| print(&s)), Ok(text));
    }
}

/// Rows of the requirements, each shown by a scene at least.
#[test]
fn every_row_has_a_scene() {
    let shown: BTreeSet<String> = scenes()
        .flat_map(|scenario| scenario.rows.clone())
        .map(|row| row.to_string())
        .collect();
    // O14 is the practice: a page of its own.
    let rows = (1..=12).map(|n| format!("R{n}"));
    let rows: BTreeSet<String> = rows.chain((1..=13).map(|n| format!("O{n}"))).collect();
    assert_eq!(shown, rows);
}

/// Both languages, headings up to 60 characters, consequences up to 140, in the house's words.
#[test]
fn texts_keep_to_measure_and_words() {
    let mut wrong = Vec::new();
    for scenario in scenes() {
        let beats = scenario.beats.len();
        if !(8..=20).contains(&beats) {
            wrong.push(format!("{}: {beats} beats", scenario.id));
        }
        let mut text = |place: String, text: &Text, most: usize| {
            for (language, text) in [("ru", &text.ru), ("en", &text.en)] {
                let Some(text) = text else {
                    wrong.push(format!("{place}: nothing in {language}"));
                    continue;
                };
                let length = text.chars().count();
                if length > most {
                    wrong.push(format!("{place}: {length} characters: {text}"));
                }
                for word in NEVER {
                    if text.to_lowercase().contains(word) {
                        wrong.push(format!("{place}: “{word}” in: {text}"));
                    }
                }
                let cyrillic = text.chars().any(|c| ('а'..='я').contains(&c));
                if cyrillic != (language == "ru") {
                    wrong.push(format!("{place}: not in {language}: {text}"));
                }
            }
        };
        text(format!("{} title", scenario.id), &scenario.title, 60);
        text(format!("{} question", scenario.id), &scenario.question, 60);
        text(format!("{} summary", scenario.id), &scenario.summary, 240);
        for (step, beat) in (1..).zip(&scenario.beats) {
            let place = format!("{} step {step}", scenario.id);
            text(format!("{place} title"), &beat.title, 60);
            text(format!("{place} so"), &beat.so, 140);
        }
        let marks = scenario.beats.iter().filter(|beat| beat.mark.is_some());
        if marks.count() != beats {
            wrong.push(format!("{}: a step without a mark", scenario.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words of the list's last column, and signs that are not used.
const NEVER: &[&str] = &[
    "!",
    "журнал",
    "ватерлини",
    "мастер",
    "слейв",
    "фоловер",
    "консюмер",
    "раздел",
    "ноды",
    "сообщени",
    "message",
    "slave",
    "закоммит",
];

/// The known ways to lose or repeat records with a consumer, and to be held up by a transaction:
/// each is a script whose claims are what it comes to (C01 to C20, T01 to T05).
#[test]
fn every_script_of_consumers_and_transactions_comes_to_what_it_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/offsets");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut failures = Vec::new();
    let mut claims = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy();
        let scenario = Rc::new(parse(&text).unwrap_or_else(|e| panic!("{name}: {}", e[0])));
        assert_eq!(*name, *scenario.id);
        claims += text.matches("  expect ").count();
        let mut run = run(&scenario);
        run.seek(run.steps());
        let failed = run.failures().iter();
        failures.extend(failed.map(|f| format!("{name}.txt:{}: {:?}", f.at.line, f.trouble)));
        assert!(run.picture(0).unwrap().violations.is_empty(), "{name}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(files.len(), 26);
    assert!(claims > 80, "{claims} claims");
}

/// What does not come true of a story, in both languages.
fn troubles(lines: &str) -> Vec<[String; 2]> {
    let head = "scenario x\ntitle en: X\ncluster brokers=1,2,3\nsetup\n  topic orders [1,2,3]\n  \
                topic pay [1]\nbeat\n  title en: B\n";
    let scenario = Rc::new(parse(&format!("{head}{lines}")).unwrap_or_else(|e| panic!("{}", e[0])));
    let mut run = run(&scenario);
    run.seek(run.steps());
    let said = |f| [Lang::Ru, Lang::En].map(|lang| failure_words(lang, f));
    run.failures().iter().map(said).collect()
}

/// A call that Kafka's producer throws IllegalStateException out of has done nothing, so a story
/// does not pass over it (R-TXN-1 to R-TXN-7 are of calls that were made).
#[test]
fn a_call_about_transactions_out_of_turn_is_told_with_what_to_do() {
    let producer = "producer t transactional.id=t linger.ms=0\n";
    let ready = "init-transactions t\nuntil answered t\n";
    for (lines, line, what) in [
        ("begin t", 10, "`init-transactions t`"),
        ("commit-transaction t", 10, "`init-transactions t`"),
        ("abort t", 10, "`init-transactions t`"),
        ("send-offsets t g orders-0=1", 10, "`init-transactions t`"),
        ("init-transactions t\nbegin t", 11, "`until answered t`"),
        ("READY commit-transaction t", 12, "`begin t`"),
        ("READY abort t", 12, "`begin t`"),
        ("READY init-transactions t", 12, "`begin t`"),
        ("READY begin t\nbegin t", 13, "`commit-transaction t`"),
    ] {
        let told = troubles(&format!("{producer}{}", lines.replace("READY ", ready)));
        assert_eq!(told.len(), 1, "{lines}: {told:?}");
        let [ru, en] = &told[0];
        assert!(ru.starts_with(&format!("строка {line}: ")), "{lines}: {ru}");
        assert!(en.starts_with(&format!("line {line}: ")), "{lines}: {en}");
        assert!(ru.contains(what) && en.contains(what), "{lines}: {en}");
    }
    let whole = "begin t\nproduce t orders-0 \"a\"\ncommit-transaction t\nsettle";
    assert_eq!(troubles(&format!("{producer}{ready}{whole}")).len(), 0);
}

#[test]
fn a_refused_command_is_told_for_its_own_cause() {
    let assign = "assign c1 orders-0 seek=0";
    for (lines, cause) in [
        ("crash c1\npoll c1", "has crashed"),
        ("close c1\nsettle\npoll c1", "has been closed"),
        ("seek c1 pay-0 1", "`pay-0` is not assigned to `c1`"),
        ("pause c1 pay-0", "`pay-0` is not assigned to `c1`"),
        ("process c1 pay-0 to 1", "`pay-0` is not assigned to `c1`"),
        ("save c1 pay-0 1", "`pay-0` is not assigned to `c1`"),
        (
            "subscribe c1 orders group.id=g",
            "has its partitions by `assign`",
        ),
        (
            "produce-raw c1 1 orders-0 acks=1 \"x\"",
            "is not a producer",
        ),
    ] {
        let told = troubles(&format!("{assign}\n{lines}"));
        let all: Vec<&String> = told.iter().map(|[_, en]| en).collect();
        assert_eq!(told.len(), 1, "{lines}: {all:?}");
        assert!(all[0].contains(cause), "{lines}: {all:?}");
        assert_ne!(told[0][0], told[0][1]);
    }
    // After its end a client of the same name is another process, of any kind.
    let again = "crash c1\nproducer c1 acks=1 linger.ms=0\nproduce c1 orders-0 \"x\"\nsettle";
    assert_eq!(troubles(&format!("{assign}\n{again}")).len(), 0);
}
