//! The language of consumers, groups, transactions and tools: every line reads and prints as it
//! stands, and a mistake is told with its place and the nearest word.

use highwater::script::ast::{Act, LineKind, Scenario};
use highwater::script::error::ScriptError;
use highwater::script::{parse, print};

/// Lines as they are printed; each reads back as the same command.
const LINES: &str = r#"
subscribe c1 orders group.id=reports
subscribe c2 orders mail group.id=reports group.protocol=consumer group.remote.assignor=range group.instance.id=pod-1
subscribe c3 orders group.id=отчёт partition.assignment.strategy=cooperative-sticky enable.auto.commit=false auto.commit.interval.ms=1000 session.timeout.ms=10000 heartbeat.interval.ms=1000 max.poll.interval.ms=20000 default.api.timeout.ms=2000
assign c4 orders-0 group.id=reports auto.offset.reset=by_duration:PT1H isolation.level=read_committed max.poll.records=3
seek c1 orders-0 5
seek c1 orders-0 beginning
seek c1 orders-0 end
seek c1 orders-0 outside
pause c1 orders-0 orders-1
resume c1 orders-0
process c1 orders-0 to 7
save c1 orders-0 7
commit c1
commit c1 orders-0=5 leader-epoch=0 metadata="batch 17" orders-1=7
commit-async c1 orders-0=5
committed c1 orders-0 orders-1
close c1
crash c1
producer p1 acks=all transactional.id=mailer-1 transaction.timeout.ms=3000
init-transactions p1
begin p1
produce p1 orders-0 "a" @5s k="b" @-3h null @-12d
send-offsets p1 reports orders-0=5
send-offsets p1 reports member=m-1 generation=3 instance=pod-1 orders-0=5
commit-transaction p1
abort p1
init-producer x transactional.id=mailer-1 transaction.timeout.ms=3000
init-producer x
produce-raw x 1 orders-0 acks=all producer-id=7 producer-epoch=1 sequence=5 "a" k="b"
call x commit reports nosuch-7=-5
call x commit reports member=m-1 generation=3 orders-0=5 metadata="m"
call x offsets reports
call x offsets reports require-stable=yes orders-0
call x join reports orders mail
call x join reports orders member=m-1 instance=pod-1 session=10s rebalance=20s
call x sync reports member=m-1 generation=1 assign m-1=orders-0,orders-1 m-2=none
call x sync reports member=m-2 generation=1
call x beat reports member=m-1 generation=1
call x leave reports member=m-1
call x consumer-beat reports member=m-1 epoch=0 topics=orders,mail owned=none
call x consumer-beat reports member=m-1 epoch=-2 owned=orders-0
call x describe reports
reset-offsets reports --topic orders --to-earliest
reset-offsets reports --topic orders:0,1 --topic mail --to-offset 5 --execute
reset-offsets reports as ops --all-topics --to-latest --execute
reset-offsets reports --topic orders --to-current
reset-offsets reports --topic orders --shift-by -3
reset-offsets reports --topic orders --to-datetime 2026-11-01T06:30:00.000
reset-offsets reports --topic orders --by-duration PT5H30M
reset-offsets reports --from-file orders-0=8 orders-1 --execute
delete-group reports
delete-offsets reports as ops orders-0 orders-1
delete-topic mail
"#;

/// Claims, in the same way.
const CLAIMS: &str = r#"
expect assignment r = orders-0 orders-1
expect assignment r = none
expect processed r orders-0 = 7
expect processed r orders-0 = none
expect saved r orders-0 = 7
expect effect r "a \"b\"" = 2
expect committed reports orders-0 = 5
expect committed отчёт orders-0 = none
expect metadata reports orders-0 = "batch 17"
expect group-state reports = preparing-rebalance
expect members reports = 2
expect generation reports = 3
expect transaction mailer-1 = complete-abort
expect lag commit reports orders-0 = -6
expect lag fetch r orders-0 = none
expect lag process r orders-0 = 3
"#;

fn with(lines: &str) -> Result<Scenario, Vec<ScriptError>> {
    let mut text = String::from(
        "scenario x\ntitle en: X\ncluster brokers=1\nsetup\n  topic orders [1] times=2\n  topic mail [1]\n  producer p\n  assign r orders-0\nbeat\n  title en: B\n",
    );
    for line in lines.lines().filter(|line| !line.is_empty()) {
        text += &format!("  {line}\n");
    }
    parse(&text)
}

#[test]
fn every_line_reads_and_prints_as_it_stands() {
    let scenario = with(LINES).unwrap_or_else(|errors| panic!("{errors:?}"));
    let printed = print(&scenario);
    assert_eq!(parse(&printed), Ok(scenario.clone()));
    let printed: Vec<&str> = printed.lines().map(str::trim).collect();
    let lines: Vec<&str> = LINES.lines().filter(|line| !line.is_empty()).collect();
    for line in &lines {
        // What a line prints may be another of these.
        let canonical = match *line {
            "delete-offsets reports as ops orders-0 orders-1" => {
                "call ops delete-offsets reports orders-0 orders-1"
            }
            line => line,
        };
        assert!(printed.contains(&canonical), "{line}\n{printed:#?}");
    }
    let commands = scenario.beats[0].lines.iter().filter(
        |line| matches!(&line.what, LineKind::Do(Act::Same(commands)) if commands.len() == 1),
    );
    assert_eq!(commands.count(), lines.len());
}

#[test]
fn every_claim_reads_and_prints_as_it_stands() {
    let scenario = with(CLAIMS).unwrap_or_else(|errors| panic!("{errors:?}"));
    let printed = print(&scenario);
    for line in CLAIMS.lines().filter(|line| !line.is_empty()) {
        assert!(
            printed.contains(&format!("  {line}\n")),
            "{line}\n{printed}"
        );
    }
    assert_eq!(parse(&printed), Ok(scenario));
}

/// Each line, the column of its fault, and a part of the sentence.
const MISTAKES: &[(&str, u32, &str)] = &[
    ("subscribe c1 orders", 22, "needs the setting group.id=name"),
    (
        "subscribe c1 ordres group.id=g",
        16,
        "nearest valid word is orders",
    ),
    (
        "subscribe c1 orders group.idd=g",
        23,
        "nearest valid word is group.id",
    ),
    (
        "subscribe c1 orders group.id=g group.protocol=new",
        49,
        "classic or consumer",
    ),
    (
        "subscribe c1 orders group.id=g partition.assignment.strategy=rage",
        64,
        "range, roundrobin",
    ),
    (
        "assign c1 orders-0 auto.offset.reset=by_duration:-PT1H",
        40,
        "by_duration:PnDTnHnMnS",
    ),
    (
        "seek r orders-0 begining",
        19,
        "nearest valid word is beginning",
    ),
    ("seek r orders-0", 18, "boundary"),
    ("process r orders-0 7", 22, "“7” is not an option"),
    ("commit r orders-7=1", 12, "There is no orders-7"),
    ("commit r orders-0=-1", 21, "a boundary"),
    ("commit r metadata=x", 12, "a next position"),
    ("commit r orders-0=1 orders-0=2", 23, "second time"),
    ("commit nobody", 10, "not a client of this scenario"),
    ("produce p orders-0 \"a\" @5", 26, "a record's time"),
    ("produce p orders-0 \"a\" @0s", 26, "a record's time"),
    (
        "producer q transactional.id=t acks=1",
        38,
        "enable.idempotence",
    ),
    (
        "call x comit reports orders-0=1",
        10,
        "nearest valid word is commit",
    ),
    (
        "call x offsets reports require-stable=maybe",
        41,
        "yes or no",
    ),
    (
        "reset-offsets g --topic orders --to-earlist",
        34,
        "nearest valid word is --to-earliest",
    ),
    (
        "reset-offsets g --topic ordrs --to-latest",
        27,
        "nearest valid word is orders",
    ),
    (
        "reset-offsets g --topic orders --to-offset x",
        46,
        "a whole number",
    ),
    (
        "reset-offsets g --topic orders --to-latest --to-earliest",
        19,
        "can't be used with option",
    ),
    ("reset-offsets g --to-latest", 19, "One of the reset scopes"),
    (
        "reset-offsets g --topic orders",
        19,
        "requires one of the following scenarios",
    ),
    (
        "expect group-state g = stabel",
        26,
        "nearest valid word is stable",
    ),
    (
        "expect lag comit g orders-0 = 1",
        14,
        "nearest valid word is commit",
    ),
    ("expect lag commit g orders-0 = x", 34, "may be below 0"),
    (
        "expect comitted g orders-0 = 1",
        10,
        "nearest valid word is committed",
    ),
    ("delete-topic ordes", 16, "nearest valid word is orders"),
];

#[test]
fn a_mistake_is_told_with_its_place_and_the_nearest_word() {
    for (line, column, part) in MISTAKES {
        let errors = with(line)
            .err()
            .unwrap_or_else(|| panic!("{line}: is read"));
        assert_eq!(errors.len(), 1, "{line}: {errors:?}");
        let said = errors[0].english();
        assert_eq!(
            (errors[0].line, errors[0].column),
            (11, *column),
            "{line}: {said}"
        );
        assert!(said.contains(part), "{line}: {said}");
        let russian = errors[0].russian();
        assert!(russian.starts_with("строка 11, столбец"), "{russian}");
    }
}
