//! What the author of a scene meets: slips that are told where they are, follow-ups that are not,
//! limits by name, and a played scene in the language of scenes itself.

use highwater::history::{Run, Trouble};
use highwater::kafka::event::EventKind;
use highwater::script::ast::{LineKind, Scenario};
use highwater::script::check::check;
use highwater::script::error::told;
use highwater::script::known::{ROWS, RUNS};
use highwater::script::{library, parse, parse_bytes, print};
use highwater::text::Lang;
use highwater::view::report;
use highwater::view::trouble::refusal_words;
use highwater::world::World;
use highwater::world::command::{Process, Refusal};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A sound scenario with one line of its head, its setup and its beat replaceable.
fn scene(head: &str, setup: &str, beat: &str) -> String {
    format!(
        "scenario x\ntitle en: X\ncluster brokers=1,2,3\n{head}\nsetup\n  topic orders [1,2,3]\n  \
         producer shop acks=1\n  {setup}\nbeat one\n  title en: B\n  {beat}\n"
    )
}

fn said(text: &str) -> Vec<String> {
    match parse(text) {
        Ok(_) => vec![],
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn a_name_that_no_line_has_declared_is_told_where_it_stands() {
    assert_eq!(said(&scene("", "", "kill 1")), [""; 0]);
    for (beat, expected) in [
        (
            "produce shopp orders-0 \"b\"",
            "line 11, column 11: “shopp” is not a client of this scenario. The nearest valid word is shop. Valid: shop.",
        ),
        (
            "produce mail orders-0 \"b\"",
            "line 11, column 11: “mail” is not a client of this scenario. Valid: shop.",
        ),
        (
            "poll shopp",
            "line 11, column 8: “shopp” is not a client of this scenario. The nearest valid word is shop. Valid: shop.",
        ),
    ] {
        assert_eq!(said(&scene("", "", beat)), [expected]);
    }
}

#[test]
fn a_scene_points_to_nothing_that_is_not_there() {
    for (head, expected) in [
        (
            "run r03-acks1-loss",
            "line 4, column 5: “r03-acks1-loss” is not a recorded run of Kafka. The nearest valid word is r03-acks1-loss-and-divergence.",
        ),
        (
            "lanes acks=0,0",
            "line 4, column 12: Said a second time: acks=0.",
        ),
        (
            "lanes acks=0,1",
            "line 4, column 7: The lanes differ in nothing: no command has $acks, and no line begins with “in acks=”.",
        ),
    ] {
        let found = said(&scene(head, "", "kill 1"));
        assert_eq!(found.len(), 1, "{head}: {found:?}");
        assert!(
            found[0].starts_with(expected.split(" Valid").next().unwrap()),
            "{found:?}"
        );
    }
    let rows = said(&scene("rows R1 R99", "", "kill 1"));
    assert!(rows[0].starts_with("line 4, column 9: “R99” is not a row of the requirements. The nearest valid word is R9."), "{rows:?}");
    let nothing = said(&scene("run r99-nothing", "", "kill 1"));
    assert!(
        nothing[0].contains("is not a recorded run of Kafka"),
        "{nothing:?}"
    );
    assert!(nothing[0].contains("r01-baseline"), "{nothing:?}");
    let text = scene("", "", "kill 1").replace("cluster brokers=1,2,3\n", "\n");
    assert_eq!(
        said(&text),
        ["line 1, column 1: There is no cluster line in the scenario's head."]
    );
}

/// The lists in the program are those of the folder of recordings and of the scenes.
#[test]
fn runs_and_rows_are_those_there_are() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/runs");
    let names = std::fs::read_dir(folder).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        Some(name.strip_suffix(".json")?.to_owned())
    });
    let names: BTreeSet<String> = names.collect();
    let known: BTreeSet<String> = RUNS.iter().map(|r| (*r).to_owned()).collect();
    assert_eq!(known, names);
    assert_eq!(known.len(), RUNS.len());
    let shown = library::SCENES
        .iter()
        .flat_map(|(_, text)| parse(text).unwrap().rows);
    let shown: BTreeSet<Rc<str>> = shown.collect();
    for row in ROWS.iter().filter(|row| **row != "O14") {
        assert!(shown.contains(*row), "{row}");
    }
}

#[test]
fn a_kind_of_event_that_is_not_one_brings_those_that_are() {
    let kind = said(&scene("", "", "expect event isr-changed"));
    for word in ["partition-changed", "isr-change-asked", "isr-learned"] {
        assert!(kind[0].contains(word), "{kind:?}");
    }
    let near = said(&scene("", "", "until event fenced broker=1"));
    assert!(
        near[0].contains("The nearest valid word is fenced-broker."),
        "{near:?}"
    );
    let none = said(&scene("", "", "expect event xyzzy"));
    for (word, _) in EventKind::KINDS {
        assert!(none[0].contains(word), "{word}");
    }
    let field = said(&scene(
        "",
        "",
        "expect event partition-changed reason=fenced",
    ));
    assert_eq!(
        field,
        [
            "line 11, column 34: “reason” is not a field of this event. Valid: tp, why, leader, leader-epoch, partition-epoch, isr, elr, old-leader, old-isr."
        ]
    );
}

/// The documentation's table of events is the program's.
#[test]
fn the_table_of_events_in_the_documentation_is_that_of_the_program() {
    let text = include_str!("../docs/scenarios.md");
    let (_, table) = text
        .split_once("| event | fields |\n|---|---|\n")
        .expect("a table");
    let rows: Vec<&str> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    let expected: Vec<String> = EventKind::KINDS
        .iter()
        .map(|(kind, fields)| {
            let fields: Vec<String> = fields.iter().map(|f| format!("`{f}`")).collect();
            format!("| `{kind}` | {} |", fields.join(" "))
        })
        .collect();
    assert_eq!(rows, expected);
}

#[test]
fn an_error_says_what_is_wrong_and_what_follows_from_it_is_not_told() {
    let beat = |beat: &str| said(&scene("", "", beat));
    // A missing colon, and only it.
    let text = scene("", "", "kill 1").replace("  title en: B", "  title Broker 3 freezes");
    assert_eq!(
        said(&text),
        [
            "line 10, column 9: Expected the language with a colon in front of the text: “ru:” or “en:”, found “Broker”."
        ]
    );
    // A faulty topic line, and not each line that names its topic.
    for topic in [
        "topic orders [1,2,3] min.insync.replica=2",
        "topic заказы [1]",
    ] {
        let name = topic.split(' ').nth(1).unwrap();
        let text = scene("", "", "kill 1")
            .replace("topic orders [1,2,3]", topic)
            .replace(
                "kill 1",
                &format!("produce shop {name}-0 \"a\"\n  until leader {name}-0 = 2"),
            );
        assert_eq!(said(&text).len(), 1, "{topic}: {:?}", said(&text));
    }
    let producer = scene("", "", "produce mail orders-0 \"a\"")
        .replace("producer shop acks=1", "producer mail ack=1");
    assert_eq!(said(&producer).len(), 1, "{:?}", said(&producer));
    // Limits by name.
    for (line, expected) in [
        (
            "advance 300000000000s",
            "300000000000s is too much: at most 1440min.",
        ),
        (
            "advance 99999999999999999999ms",
            "99999999999999999999ms is too much: at most 1440min.",
        ),
        (
            "topic b [1] times=2000000000",
            "2000000000 is too much: at most 65535.",
        ),
        ("topic b [1] times=2000", "2000 is too much: at most 1000."),
        (
            "kill 3000",
            "Expected a broker's id from 0 to 63, found “3000”.",
        ),
        (
            "expect leads 1 = 99999999999",
            "99999999999 is too much: at most 4294967295.",
        ),
    ] {
        let found = beat(line);
        assert!(
            found.len() == 1 && found[0].ends_with(expected),
            "{line}: {found:?}"
        );
    }
    for (cluster, expected) in [
        (
            "brokers=1-3",
            "Expected ids of brokers with commas between, e.g. 1,2,3, found “1-3”.",
        ),
        ("brokers=1,1,3", "Said a second time: broker 1."),
        (
            "brokers=1,99999999999",
            "Expected a broker's id from 0 to 63, found “99999999999”.",
        ),
        (
            "brokers=1,2,3 seed=99999999999999999999",
            "99999999999999999999 is too much: at most 18446744073709551615.",
        ),
        (
            "brokers=1,2,3 link-delay=2000min",
            "2000min is too much: at most 1440min.",
        ),
    ] {
        let text = scene("", "", "kill 1").replace("brokers=1,2,3", cluster);
        let found = said(&text);
        assert!(
            found.len() == 1 && found[0].ends_with(expected),
            "{cluster}: {found:?}"
        );
    }
}

#[test]
fn a_file_may_begin_with_a_mark_and_must_be_utf8() {
    let text = scene("", "", "kill 1");
    assert_eq!(parse(&format!("\u{feff}{text}")), parse(&text));
    assert_eq!(parse_bytes(text.as_bytes()), parse(&text));
    let mut bytes = b"scenario x\ntitle ru: ".to_vec();
    bytes.extend([0xce, 0xf1, 0xe0]);
    let errors = parse_bytes(&bytes).unwrap_err();
    assert_eq!(
        told(&errors),
        ["line 2, column 11: These bytes are not UTF-8. Save the file as UTF-8."]
    );
}

#[test]
fn a_terminal_gets_twenty_errors_and_a_count() {
    let text = scene("", "", &"xyzzy\n".repeat(5_000));
    let errors = parse(&text).unwrap_err();
    // The rest is not read: how many more there are is not known.
    assert_eq!(errors.len(), 51);
    let lines = told(&errors);
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], "and more");
    assert_eq!(told(&errors[..30])[20], "and 10 more");
    assert_eq!(told(&errors[..20]).len(), 20);
}

fn run(text: &str) -> Run<World> {
    let scenario = Rc::new(parse(text).unwrap_or_else(|e| panic!("{}", told(&e).join("\n"))));
    let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
    run.seek(run.steps());
    run
}

/// Rust's own way to print values.
fn debug_in(text: &str) -> bool {
    [
        "Some(",
        "None",
        " { ",
        "PartitionName",
        "BrokerId(",
        "Ms(",
        "Offset(",
        "Ok(",
        "\\\"",
    ]
    .iter()
    .any(|sign| text.contains(sign))
}

/// What is told of a step are claims that hold there, so that an author may copy them; what
/// happened are claims about events that did happen.
#[test]
fn a_played_scene_is_told_in_claims_that_hold() {
    let mut told = 0;
    for (id, text) in library::SCENES {
        let scenario: Rc<Scenario> = Rc::new(parse(text).unwrap());
        let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
        // The head and setup as they are; then what is told, as the story.
        let head = Scenario {
            beats: vec![],
            ..(*scenario).clone()
        };
        let head = print(&head);
        for step in 0..=run.steps() {
            run.seek(step);
            for with_events in [false, true] {
                let lines = report::step(&run, with_events);
                let text = lines.join("\n");
                assert!(!debug_in(&text), "{id} {step}: {text}");
                // Clients that appear in beats are known to the parser by those beats.
                let before: String = scenario.beats[..step as usize]
                    .iter()
                    .map(|b| {
                        let one = Scenario {
                            beats: vec![b.clone()],
                            ..(*scenario).clone()
                        };
                        let all = print(&one);
                        format!("\nbeat{}", all.split("\nbeat").nth(1).unwrap_or_default())
                    })
                    .collect();
                let body = lines.iter().skip(1).cloned().collect::<Vec<_>>().join("\n");
                let whole = format!("{head}{before}\nbeat told\n  title en: T\n{body}\n");
                let read =
                    parse(&whole).unwrap_or_else(|e| panic!("{id} {step}: {}\n{whole}", e[0]));
                for line in &read.beats.last().unwrap().lines {
                    let LineKind::Expect(e) = &line.what else {
                        continue;
                    };
                    let lane = u32::from(e.lane.unwrap_or(0));
                    let picture = run.picture(lane).unwrap();
                    assert_eq!(
                        check(&e.fact, &picture, run.events(lane)),
                        Ok(()),
                        "{id} {step}"
                    );
                    told += 1;
                }
            }
        }
    }
    assert!(told > 10_000, "{told}");
}

#[test]
fn the_end_says_how_many_claims_hold_and_what_may_follow_from_what() {
    let good = scene("", "", "expect leader orders-0 = 1\n  expect lost = none");
    assert_eq!(
        report::outcome(&run(&good), "f.txt"),
        ["Steps: 1. Claims: 2, and every one holds."]
    );
    let bad = scene(
        "",
        "",
        "freeze 3\n  until isr orders-0 = [1,2] within 2s\n  freeze 3\n  expect isr orders-0 = [1,2]\n  \
         expect event partition-changed why=fenced\n  expect lost = \"a\"\n  expect position shop orders-0 = 1",
    );
    let found = report::outcome(&run(&bad), "f.txt");
    assert_eq!(
        found,
        [
            "f.txt:12:3: step 1: `isr orders-0 = [1,2]` did not come about within 2\u{a0}s",
            "f.txt:13:3: step 1: broker 3 is `frozen`: the command does not fit (may follow from line 12)",
            "f.txt:14:3: step 1: expected `isr orders-0 = [1,2]`, found `[1,2,3]` (may follow from line 12)",
            "f.txt:15:3: step 1: expected `event partition-changed why=fenced`, found `no such event in this beat` (may follow from line 12)",
            "f.txt:16:3: step 1: expected `lost = \"a\"`, found `none` (may follow from line 12)",
            "f.txt:17:3: step 1: expected `position shop orders-0 = 1`, found `nothing of that name` (may follow from line 12)",
            "Steps: 1. Claims: 4, of which 4 do not hold. Commands that were not taken: 2.",
        ]
    );
}

#[test]
fn every_refusal_is_told_without_rust() {
    let text = scene(
        "",
        "",
        "kill 1\n  kill 1\n  thaw 2\n  assign c1 orders-0\n  process c1 orders-0 to 1\n  step\n  deliver 1->2",
    );
    let run = run(&text);
    let mut seen = 0;
    for failure in run.failures() {
        let Trouble::Refused(refusal) = &failure.trouble else {
            continue;
        };
        for lang in [Lang::Ru, Lang::En] {
            assert!(!debug_in(&refusal_words(lang, refusal)));
        }
        seen += 1;
    }
    assert!(seen >= 4, "{seen}");
    let killed = Refusal::WrongState {
        broker: highwater::kafka::ids::BrokerId(3),
        is: Process::Killed,
    };
    assert_eq!(
        refusal_words(Lang::En, &killed),
        "broker 3 is `killed`: the command does not fit"
    );
}

/// Retries without pause over links without delay: the line at which time stops is told.
#[test]
fn a_scene_in_which_time_stands_still_says_so() {
    let text = "scenario x\ntitle en: X\ncluster brokers=1,2 link-delay=0ms\nsetup\n  \
        topic orders [1,2] min.insync.replicas=2\n  \
        producer shop linger.ms=0 retry.backoff.ms=0 retry.backoff.max.ms=0\n  \
        kill 2\n  until isr orders-0 = [1] within 2min\nbeat one\n  title en: B\n  \
        produce shop orders-0 \"a\"\n  advance 1s\n";
    let scenario = Rc::new(parse(text).unwrap_or_else(|e| panic!("{}", e[0])));
    let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
    run.seek(run.steps());
    let failures = run.failures();
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert_eq!(failures[0].at.line, 12);
    let Trouble::Refused(refusal @ Refusal::StandsStill { .. }) = &failures[0].trouble else {
        panic!("{failures:?}");
    };
    let says = refusal_words(Lang::En, refusal);
    assert!(says.contains("link-delay"), "{says}");
}
