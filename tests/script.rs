//! The scenario language: what an author may write, what is printed back, and what is said of a
//! mistake.

use highwater::history::Run;
use highwater::script::ast::{Act, LineKind, Scenario};
use highwater::script::error::{self, Problem};
use highwater::script::{parse, parse_bytes, print};
use highwater::world::World;
use highwater::world::command::Command;
use std::rc::Rc;

const EVERYTHING: &str = r#"
# Every line of the language once.
scenario everything
rows R1 R2
group offsets
view compare
run r01-baseline r03-acks1-loss-and-divergence
title ru: Всё сразу
title en: Everything
question ru: Что умеет язык?
question en: What can the language say?
summary ru: Каждая строка по разу.
summary en: Each line once.
cluster brokers=1,2,3 racks=a,b,c link-delay=2ms link-jitter=1ms seed=7
config broker.session.timeout.ms=9000 min.insync.replicas=1
switch elr=off truncation=kip101
lanes acks=0,1,all

setup
  topic orders [1,2,3] [2,3,1] times=2 min.insync.replicas=2
  topic mail [ 3 ]
  producer p1 acks=$acks linger.ms=0
  producer p2 retries=3 delivery.timeout.ms=30000 request.timeout.ms=20000 enable.idempotence=false
  produce p1 orders-0 "OrderCreated 1" k="a \"quoted\" value" null
  produce p2 orders-0..3 "hello"
  settle quiet=1s within=20s
  expect records 1 mail-0 = none

beat first-step
  title ru: Раз
  title en: One
  so ru: И что
  so en: So what
  focus record orders-0 3
  focus controller
  focus broker 2
  focus client p2
  focus partition orders-1
  # A remark.
  alter-config topic orders min.insync.replicas=1
  delete-config topic orders min.insync.replicas
  alter-config broker 2 follower.replication.throttled.rate=1024
  delete-config broker 2 follower.replication.throttled.rate
  elect preferred
  elect unclean orders-0 orders-1
  reassign orders-0 [2,3,1]
  reassign orders-0 cancel
  delete-records orders-0 before 4
  delete-records orders-0 before high-watermark timeout=5s
  kill 1
  kill 2 keep orders-0<2 orders-1<0
  shutdown 1
  start 1
  freeze 1
  thaw 1
  new-disk 1
  cut 1->2
  cut 1<->controller
  heal 1<->controller
  delay 1->2 100ms
  delay-fetch-answers 3 2s
  hold p1->1
  release p1->1
  lose 1->p1
  produce-raw x 1 orders-0 acks=all "direct"
  produce-raw x 1 orders-0 acks=1 timeout=2s "direct"
  assign c1 orders-0 orders-1 seek=0 auto.offset.reset=earliest client.rack=a
  poll c1
  poll c1 timeout=3s
  fetch-raw x 1 orders-0 offset=2 rack=b leader-epoch=1
  list-offsets x orders-0 latest
  list-offsets x orders-0 timestamp=5 isolation=read_committed
  advance 500ms
  step
  until leader orders-0 = 2
  until leader orders-0 = none within 15s
  until isr orders-0 = [2,3]
  until fenced 1 = yes
  until process 1 = stopped
  until log-end 2 orders-0 = 3
  until high-watermark 2 orders-0 = 3
  until log-start 2 orders-0 = 0
  until last-stable 2 orders-0 = 3
  until cleaned-to 2 orders-0 = 0
  until answered p1
  until event appended broker=1 tp=orders-0 values="a b" within 2min
  in acks=all until answered p1
  ask 2
  deliver 1->2
  fetch 2
  apply-metadata 2
  fence 1
  unfence 1
  lapse 2 at 1

beat
  title en: Only in English
  expect leader orders-0 = none
  expect leader-epoch orders-0 = 1
  expect isr orders-0 = [2,3]
  expect elr orders-0 = []
  expect log-start 1 orders-0 = 0
  expect log-end 1 orders-0 = 4
  expect high-watermark 2 orders-0 = 3
  expect last-stable 2 orders-0 = 3
  expect records 1 orders-0 = "OrderCreated 1" null
  expect role 1 orders-0 = leader
  expect process 1 = up
  expect fenced 1 = no
  expect acks=all confirmed p1 "OrderCreated 3" = 3
  expect acks=0 confirmed p1 "OrderCreated 3" = none
  expect failed p1 "x" = NOT_ENOUGH_REPLICAS
  expect pending p1 "x"
  expect attempts p1 "x" = 2
  expect waited p1 "x" = 9604ms
  expect waited p1 "x" = 9.6s
  expect waited p1 "x" = 10s
  expect lost = "OrderCreated 3"
  expect lost = none
  expect received c1 = "a" "b"
  expect position c1 orders-0 = 4
  expect in-sync-replicas = 72
  expect replicas = 72
  expect under-replicated = 24
  expect offline = 0
  expect under-min-isr = 0
  expect at-min-isr = 24
  expect leads 2 = 8
  expect event fenced-broker broker=1
  expect no event truncated
"#;

fn read(text: &str) -> Scenario {
    parse(text).unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}", lines.join("\n"))
    })
}

#[test]
fn everything_reads_and_prints_and_reads_the_same() {
    let scenario = read(EVERYTHING);
    let text = print(&scenario);
    assert_eq!(read(&text), scenario);
    assert_eq!(print(&read(&text)), text);
    // Nothing is lost on the way: all but these lines are canonical already.
    let changed: Vec<&str> = EVERYTHING
        .lines()
        .filter(|line| !line.trim().is_empty() && !text.contains(line.trim()))
        .collect();
    assert_eq!(
        changed,
        [
            "config broker.session.timeout.ms=9000 min.insync.replicas=1",
            "switch elr=off truncation=kip101",
            "  topic mail [ 3 ]",
            "  producer p2 retries=3 delivery.timeout.ms=30000 request.timeout.ms=20000 enable.idempotence=false",
        ]
    );
}

#[test]
fn a_variable_is_another_word_in_each_lane() {
    let scenario = read(EVERYTHING);
    let LineKind::Do(act @ Act::PerLane { .. }) = &scenario.setup[2].what else {
        panic!("{:?}", scenario.setup[2]);
    };
    let acks = [0, 1, 2].map(|lane| match act.commands(lane) {
        [Command::Producer { settings, .. }] => {
            (format!("{:?}", settings.acks), settings.idempotent)
        }
        other => panic!("{other:?}"),
    });
    // Kafka's producer is idempotent under acks=all alone.
    let expected = [("None", false), ("Leader", false), ("All", true)];
    assert_eq!(acks, expected.map(|(acks, on)| (acks.to_owned(), on)));
}

/// What is said of the lines, put at the end of a sound scenario; lines count from its end.
fn faults(lines: &str) -> Vec<String> {
    const HEAD: &str = "scenario x\ntitle en: X\ncluster brokers=1,2,3\nsetup\n\
                        topic orders [1,2,3]\nproducer p1 acks=1\nbeat\ntitle en: B\n";
    let errors = parse(&format!("{HEAD}{lines}")).expect_err(lines);
    errors
        .iter()
        .map(|e| {
            assert!(!e.russian().is_empty() && e.russian() != e.english());
            format!("{}:{} {}", e.line - 8, e.column, e.problem.english())
        })
        .collect()
}

/// Every way to go wrong within a line, with what is said of it.
const FAULTS: &[(&str, &str)] = &[
    (
        "begin p1",
        "1:7 p1 has no transactional.id, so it has no transactions. Add transactional.id=name in line 6, “producer p1”.",
    ),
    (
        "init-transactions p1",
        "1:19 p1 has no transactional.id, so it has no transactions. Add transactional.id=name in line 6, “producer p1”.",
    ),
    (
        "producer p1 acks=0",
        "1:10 Said a second time: producer p1.",
    ),
    (
        "poll p1",
        "1:6 p1 is a producer (line 6); this line needs a consumer.",
    ),
    (
        "assign p1 orders-0",
        "1:8 p1 is a producer (line 6); this line needs a consumer.",
    ),
    (
        "assign c1 orders-0\nproduce c1 orders-0 \"x\"",
        "2:9 c1 is a consumer (line 9); this line needs a producer.",
    ),
    (
        "kіll 1",
        "1:1 “kіll” is not a line of a beat. Character 2 is the Cyrillic і (U+0456), not i. The nearest valid word is kill.",
    ),
    (
        "ki\u{200b}ll 1",
        "1:1 “ki<U+200B>ll” is not a line of a beat. Character 3 is invisible: U+200B. Delete it. The nearest valid word is kill.",
    ),
    (
        "produce p1 orders-0 “a”",
        "1:21 Expected a record: its value in quotes, found ““a””. Character 1 is “ (U+201C), not \".",
    ),
    (
        "kil 1",
        "1:1 “kil” is not a line of a beat. The nearest valid word is kill.",
    ),
    ("  xyzzy", "1:3 “xyzzy” is not a line of a beat."),
    (
        "kill",
        "1:5 The line ends, but needs a broker's id from 0 to 63.",
    ),
    ("kill 4", "1:6 The cluster has no broker 4. It has 1, 2, 3."),
    (
        "kill one",
        "1:6 Expected a broker's id from 0 to 63, found “one”.",
    ),
    (
        "kill 99",
        "1:6 Expected a broker's id from 0 to 63, found “99”.",
    ),
    (
        "kill 1 2",
        "1:8 “2” is not an option of this command. Valid: keep.",
    ),
    (
        "kill 1 keep orders-0",
        "1:13 Expected the boundary below which the disk kept records, e.g. orders-0<2, found “orders-0”.",
    ),
    ("start 1 2", "1:9 The line is complete; “2” is too much."),
    (
        "produce p1 order-0 \"x\"",
        "1:12 “order” is not a topic of this scenario. The nearest valid word is orders. Valid: orders.",
    ),
    (
        "produce p1 orders-1 \"x\"",
        "1:12 There is no orders-1. Partitions of the topic: 1, counted from 0.",
    ),
    (
        "produce p1 orders \"x\"",
        "1:12 Expected a partition, e.g. orders-0, found “orders”.",
    ),
    (
        "produce p1 orders-0 x",
        "1:21 Expected a record: its value in quotes, found “x”.",
    ),
    (
        "produce p1 orders-0",
        "1:20 The line ends, but needs a record: its value in quotes.",
    ),
    (
        "produce p1 orders-0 \"x",
        "1:21 Not closed: the sign \" is missing.",
    ),
    (
        "reassign orders-0 [1,2",
        "1:19 Not closed: the sign ] is missing.",
    ),
    (
        "reassign orders-0 1,2",
        "1:19 Expected a list of brokers, e.g. [1,2,3], found “1,2”.",
    ),
    (
        "elect prefered",
        "1:7 “prefered” is not a kind of election. The nearest valid word is preferred. Valid: preferred, unclean.",
    ),
    (
        "cut 1-2",
        "1:5 Expected a link, e.g. 1->2, 1<->2 or 1->controller, found “1-2”.",
    ),
    (
        "cut 1->controler",
        "1:5 “controler” is not a client of this scenario. The nearest valid word is controller. Valid: p1, controller.",
    ),
    (
        "advance 500",
        "1:9 Expected a time, e.g. 500ms or 9s, found “500”.",
    ),
    (
        "producer p2 ack=1",
        "1:13 “ack” is not a producer setting. The nearest valid word is acks.",
    ),
    (
        "producer p2 acks=2",
        "1:18 acks does not take “2”. Expected 0, 1 or all.",
    ),
    (
        "producer p2 acks=1 enable.idempotence=true",
        "1:39 enable.idempotence=true needs acks=all, retries above 0 and at most 5 requests in flight.",
    ),
    (
        "producer p2 linger.ms=1 linger.ms=2",
        "1:25 Said a second time: linger.ms.",
    ),
    (
        "producer p2 linger.ms",
        "1:13 Expected a setting as name=value, found “linger.ms”.",
    ),
    (
        "assign c1 orders-0 auto.offset.reset=begin",
        "1:38 auto.offset.reset does not take “begin”. Expected latest, earliest, none or by_duration:PnDTnHnMnS.",
    ),
    (
        "poll c9",
        "1:6 “c9” is not a client of this scenario. Valid: p1.",
    ),
    (
        "assign c1 orders-0\npoll c1 timeout=1",
        "2:17 Expected a time, e.g. 500ms or 9s, found “1”.",
    ),
    (
        "alter-config topic orders min.insync.replica=1",
        "1:27 “min.insync.replica” is not a topic setting. The nearest valid word is min.insync.replicas.",
    ),
    (
        "alter-config topic orders min.insync.replicas=0",
        "1:47 min.insync.replicas does not take “0”. Expected a whole number from 1.",
    ),
    (
        "alter-config tpoic orders x=1",
        "1:14 “tpoic” is not topic or broker. The nearest valid word is topic. Valid: topic, broker.",
    ),
    (
        "list-offsets x orders-0 lastest",
        "1:25 “lastest” is not what to look up. The nearest valid word is latest. Valid: earliest, latest, max-timestamp.",
    ),
    (
        "delete-records orders-0 below 2",
        "1:25 “below” is not an option of this command. Valid: before.",
    ),
    (
        "delete-records orders-0 before -2",
        "1:32 Expected a boundary: a whole number from 0, found “-2”.",
    ),
    (
        "until leadr orders-0 = 2",
        "1:7 “leadr” is not a condition for until. The nearest valid word is leader.",
    ),
    (
        "until leader orders-0 2",
        "1:23 Expected the sign = and, after a space, a value, found “2”.",
    ),
    (
        "until fenced 1 = true",
        "1:18 Expected yes or no, found “true”.",
    ),
    (
        "until process 1 = dead",
        "1:19 “dead” is not a state of a process. Valid: up, stopping, frozen, killed, stopped.",
    ),
    (
        "until event apended",
        "1:13 “apended” is not a kind of event. The nearest valid word is appended.",
    ),
    (
        "until event appended brokr=1",
        "1:22 “brokr” is not a field of this event. The nearest valid word is broker. Valid: broker, tp, base, last, epoch, values.",
    ),
    (
        "until event produce-sent client=p2",
        "1:33 “p2” is not a client of this scenario. The nearest valid word is p1. Valid: p1.",
    ),
    (
        "expect hw 1 orders-0 = 3",
        "1:8 “hw” is not a fact for expect.",
    ),
    (
        "expect log-end 1 orders-0 = four",
        "1:29 Expected a boundary: a whole number from 0, found “four”.",
    ),
    (
        "expect role 1 orders-0 = master",
        "1:26 “master” is not a role. Valid: leader, follower, down.",
    ),
    (
        "expect failed p1 \"x\" = NOT_ENOUGH_REPLICA",
        "1:24 “NOT_ENOUGH_REPLICA” is not the name of a Kafka error. The nearest valid word is NOT_ENOUGH_REPLICAS.",
    ),
    (
        "expect confirmed p1 x = 3",
        "1:21 Expected a record: its value in quotes, found “x”.",
    ),
    (
        "expect lost = x",
        "1:15 Expected a value in quotes, or none, found “x”.",
    ),
    (
        "expect acks=all lost = none",
        "1:8 “acks” is not the variable of the lanes line.",
    ),
    (
        "producer p2 acks=$acks",
        "1:13 “acks” is not the variable of the lanes line.",
    ),
    (
        "focus brokers 1",
        "1:7 “brokers” is not what to stress. The nearest valid word is broker. Valid: broker, controller, client, partition, record, mistake.",
    ),
    (
        "so de: Also",
        "1:4 “de:” is not a language. Valid: ru:, en:.",
    ),
    ("so ru:", "1:7 The line ends, but needs a text."),
    ("title en: Again", "1:1 Said a second time: title en:."),
    (
        "question en: Why?",
        "1:1 A question line cannot stand in a beat.",
    ),
    ("setup", "1:1 A setup line cannot stand in a beat."),
    ("view replicas", "1:1 A view line cannot stand in a beat."),
    ("topic orders [1]", "1:1 Said a second time: topic orders."),
    (
        "beat a b\ntitle en: C",
        "1:8 The line is complete; “b” is too much.",
    ),
    (
        "beat ä\ntitle en: C",
        "1:6 Expected a name of Latin letters, digits and hyphens, found “ä”.",
    ),
];

#[test]
fn each_mistake_is_told_with_its_place_and_the_nearest_word() {
    let told: Vec<(String, &str)> = FAULTS
        .iter()
        .map(|(lines, said)| (faults(lines)[0].clone(), *said))
        .filter(|(found, said)| found != said)
        .collect();
    assert_eq!(told, []);
}

#[test]
fn every_faulty_line_is_told_and_the_good_ones_are_not() {
    let told = faults("kil 1\nstart 1\nadvance soon\nexpect leader orders-0 = 9");
    let places: Vec<&str> = told.iter().filter_map(|t| t.split(' ').next()).collect();
    assert_eq!(places, ["1:1", "3:9", "4:26"]);
}

fn said(text: &str) -> Vec<String> {
    let errors = parse(text).expect_err(text);
    errors.iter().map(ToString::to_string).collect()
}

#[test]
fn an_incomplete_scenario_is_told_what_it_lacks() {
    assert_eq!(
        said("\u{feff}\n "),
        ["line 1, column 1: The file is empty. A scenario begins with “scenario name”."]
    );
    assert_eq!(
        said("view replicas"),
        [
            "line 1, column 1: There is no scenario line in the scenario's head.",
            "line 1, column 1: There is no cluster line in the scenario's head.",
            "line 1, column 1: There is no title line in the scenario's head.",
            "line 1, column 1: There is no beat line in the scenario.",
        ]
    );
    const HEAD: &str = "scenario x\ntitle en: X\ncluster brokers=1\n";
    assert_eq!(
        said(&format!("{HEAD}beat\nkill 1")),
        ["line 4, column 1: There is no title line in a beat."]
    );
    assert_eq!(
        said(&format!("{HEAD}setup\nfocus broker 1\nbeat\ntitle en: B")),
        ["line 5, column 1: A focus line cannot stand in the setup block."]
    );
    assert_eq!(
        said(
            "scenario x\ntitle en: X\ncluster brokers=1 \nlanes acks=0,all\nbeat\ntitle en: B\nexpect acks=1 lost = none"
        ),
        [
            "line 7, column 13: “1” is not a lane of the lanes line. The nearest valid word is 0. Valid: 0, all."
        ]
    );
}

/// Every way to go wrong in the head, with what is said of it.
const HEAD_FAULTS: &[(&str, &str)] = &[
    (
        "veiw replicas",
        "3:1 “veiw” is not a line of the scenario's head. The nearest valid word is view.",
    ),
    (
        "view grid",
        "3:6 “grid” is not a view. Valid: replicas, overview, compare, ruler, both.",
    ),
    (
        "group replicatoin",
        "3:7 “replicatoin” is not a group. The nearest valid word is replication. Valid: replication, offsets, practice.",
    ),
    (
        "kill 1",
        "3:1 A kill line cannot stand in the scenario's head.",
    ),
    (
        "so en: x",
        "3:1 A so line cannot stand in the scenario's head.",
    ),
    ("scenario y", "3:1 Said a second time: scenario."),
    (
        "cluster broker=1",
        "3:9 “broker” is not an option of the cluster line. The nearest valid word is brokers. Valid: brokers, racks, link-delay, link-jitter, seed, by-hand, started.",
    ),
    ("cluster brokers=1,1", "3:17 Said a second time: broker 1."),
    (
        "cluster racks=a",
        "3:15 racks does not take “a”. Expected a rack for each broker: a,b,c.",
    ),
    (
        "cluster link-delay=1",
        "3:20 Expected a time, e.g. 500ms or 9s, found “1”.",
    ),
    ("cluster by-hand=on", "3:17 Expected yes or no, found “on”."),
    (
        "config broker.sesion.timeout.ms=1",
        "3:8 “broker.sesion.timeout.ms” is not a broker setting of Kafka. The nearest valid word is broker.session.timeout.ms.",
    ),
    (
        "config broker.session.timeout.ms=9s",
        "3:34 broker.session.timeout.ms does not take “9s”. Expected a whole number of ms from 1.",
    ),
    (
        "switch elr=0",
        "3:12 “0” is not a value of the switch. Valid: on, off.",
    ),
    (
        "switch truncation=kip100",
        "3:19 “kip100” is not a value of the switch. The nearest valid word is kip101. Valid: hw, kip101, kip279, fetch.",
    ),
    (
        "switch elc=off",
        "3:8 “elc” is not a historic switch. The nearest valid word is elr.",
    ),
    (
        "lanes acks",
        "3:7 Expected a variable and its values, e.g. acks=0,1,all, found “acks”.",
    ),
];

#[test]
fn a_mistake_in_the_head_is_told_with_its_place_and_the_nearest_word() {
    let told: Vec<(String, &str)> = HEAD_FAULTS
        .iter()
        .map(|(line, said)| {
            let cluster = match line.starts_with("cluster") {
                true => "",
                false => "cluster brokers=1,2,3",
            };
            let text = format!("scenario x\ntitle en: X\n{line}\n{cluster}\nbeat\ntitle en: B");
            let error = parse(&text).expect_err(line).remove(0);
            let found = format!(
                "{}:{} {}",
                error.line,
                error.column,
                error.problem.english()
            );
            (found, *said)
        })
        .filter(|(found, said)| found != said)
        .collect();
    assert_eq!(told, []);
}

#[test]
fn the_example_in_the_documentation_is_a_scenario() {
    let text = include_str!("../docs/scenarios.md");
    let blocks = text.split("```scenario\n").skip(1);
    let mut read_blocks = 0;
    for block in blocks {
        let block = block.split("```").next().unwrap_or_default();
        let scenario = Rc::new(read(block));
        let world = World::new(scenario.cluster.setup());
        let mut run = Run::new(scenario, world);
        run.seek(run.steps());
        assert_eq!(run.failures(), []);
        read_blocks += 1;
    }
    assert_eq!(read_blocks, 1);
}

#[test]
fn line_ends_of_any_system_are_line_ends() {
    let text = EXAMPLE_OF_ENDS;
    assert_eq!(parse(&text.replace('\n', "\r")), parse(text));
    assert_eq!(parse(&text.replace('\n', "\r\n")), parse(text));
    assert!(parse(text).is_ok());
}

const EXAMPLE_OF_ENDS: &str = "# A remark.\nscenario x\ntitle en: X\ncluster brokers=1,2,3\n\
                               beat\n  title en: B\n  kill 1\n";

#[test]
fn a_heap_of_faults_is_cut_short() {
    let told = said(&"xyzzy 1\n".repeat(100_000));
    assert_eq!(told.len(), 51);
    assert!(
        told[50].starts_with("line 51, column 1: 50 lines have faults"),
        "{}",
        told[50]
    );
    let lines = told_on_a_terminal(&"xyzzy 1\n".repeat(100));
    assert_eq!(lines.len(), 21);
    assert_eq!(lines[20], "and more");
    let long = said(&format!("{EXAMPLE_OF_ENDS}{}", "x".repeat(400_000)));
    assert!(long[0].chars().count() < 120, "{}", long[0].len());
    let big = said(&"x".repeat(1_000_001));
    assert_eq!(big.len(), 1);
    assert!(big[0].contains("1 MB"), "{}", big[0]);
    assert!(parse_bytes(&vec![0xff; 1_000_001]).is_err_and(|e| e[0].problem == Problem::TooBig));
}

fn told_on_a_terminal(text: &str) -> Vec<String> {
    error::told(&parse(text).expect_err("faults"))
}
