//! The ruler: its figures and its laws.

use highwater::kafka::batch::Control;
use highwater::kafka::ids::*;
use highwater::text::Lang;
use highwater::view::ruler::*;
use highwater::view::stage::{CellKind, Layout, MarkKind};
use highwater::view::width::width;
use highwater::view::{Anchor, Rect, Text};

fn at(n: i64) -> Boundary {
    Boundary(n)
}

/// A log of plain records with all its ends at one place.
pub fn plain(start: i64, end: i64) -> RulerInput {
    RulerInput {
        name: "orders-0".into(),
        log_start: at(start),
        last_stable: at(end),
        high_watermark: at(end),
        log_end: at(end),
        records: (start..end)
            .map(|n| InputRecord {
                offset: Offset(n),
                value: Some(format!("m{n}").into()),
                ..InputRecord::default()
            })
            .collect(),
        ..RulerInput::default()
    }
}

/// A consumer that has fetched to the log's end.
pub fn reader(position: i64, processed: i64, committed: i64, seen: i64) -> Reader {
    Reader {
        name: "c1".into(),
        group: Some("billing".into()),
        position: Some(at(position)),
        processed: Some(at(processed)),
        committed: Some(at(committed)),
        seen: Some(Seen {
            high_watermark: at(seen),
            last_stable: None,
        }),
        ..Reader::default()
    }
}

/// Ten received, seven processed, five saved.
pub fn ten_seven_five() -> RulerInput {
    RulerInput {
        readers: vec![reader(10, 7, 5, 10)],
        ..plain(0, 10)
    }
}

/// The state of the drawing that the others were measured against: start 2, a marker at 8, an
/// open transaction from 10 on, one record not yet replicated.
pub fn all_kinds(committed: i64) -> RulerInput {
    let mut input = plain(2, 13);
    input.last_stable = at(10);
    input.high_watermark = at(12);
    input.records[6].control = Some(Control::Commit);
    input.records[8].txn = Txn::Open;
    input.readers = vec![Reader {
        isolation: Isolation::Committed,
        ..reader(9, 6, committed, 12)
    }];
    input
}

/// What compaction leaves of ten records: 4, 8 and 9.
pub fn holes() -> RulerInput {
    let mut input = plain(0, 10);
    input.records.retain(|r| [4, 8, 9].contains(&r.offset.0));
    input.readers = vec![reader(5, 5, 5, 10)];
    input
}

/// A commit beyond the end of the log.
pub fn negative() -> RulerInput {
    RulerInput {
        readers: vec![reader(4, 4, 6, 4)],
        ..plain(0, 4)
    }
}

/// Retention took what a checkpoint in an outside store points to.
pub fn below_start() -> RulerInput {
    let mut input = plain(4, 9);
    input.readers = vec![Reader {
        committed: None,
        outside: Some(at(2)),
        reset: Some("earliest".into()),
        ..reader(2, 2, 0, 9)
    }];
    input
}

pub fn everything() -> Vec<(&'static str, RulerInput)> {
    let mut long = plain(90, 9_000);
    long.readers = vec![reader(8_000, 7_990, 120, 8_999)];
    let mut scattered = plain(10, 100_000);
    scattered.last_stable = at(80_000);
    scattered.high_watermark = at(90_000);
    scattered.readers = vec![reader(70_000, 50_000, 30_000, 85_000)];
    let mut none = plain(0, 3);
    none.readers = vec![Reader {
        name: "c1".into(),
        position: Some(at(0)),
        ..Reader::default()
    }];
    let mut two = ten_seven_five();
    two.readers.push(Reader {
        name: "c2".into(),
        group: Some("reports".into()),
        ..reader(2, 1, 0, 10)
    });
    vec![
        ("10, 7, 5", ten_seven_five()),
        ("all kinds", all_kinds(4)),
        ("a loss", all_kinds(9)),
        ("holes", holes()),
        ("negative", negative()),
        ("below start", below_start()),
        ("long", long),
        ("scattered", scattered),
        ("no commit", none),
        ("two groups", two),
        ("empty", plain(0, 0)),
        ("nobody", plain(3, 5)),
    ]
}

fn looks(input: &RulerInput) -> Vec<Look> {
    let mut needs = Needs::default();
    needs.take(input);
    let mut all = Vec::new();
    for layout in [Layout::Wide, Layout::Phone, Layout::Narrow] {
        for isolation in [
            None,
            Some(Isolation::Uncommitted),
            Some(Isolation::Committed),
        ] {
            for instrument in Instrument::ALL {
                all.push(Look {
                    layout,
                    isolation,
                    instrument,
                    needs,
                });
            }
        }
    }
    all
}

pub fn look(input: &RulerInput) -> Look {
    looks(input)[0]
}

fn value(input: &RulerInput, instrument: Instrument, kind: LagKind) -> Option<i64> {
    let reader = &input.readers[0];
    lag(input, reader, reader.isolation, instrument, kind).value()
}

#[test]
fn each_lag_is_its_own_subtraction() {
    let input = ten_seven_five();
    let tool = Instrument::GroupTool;
    assert_eq!(value(&input, tool, LagKind::Committed), Some(5));
    assert_eq!(value(&input, tool, LagKind::Fetch), Some(0));
    assert_eq!(value(&input, tool, LagKind::Processing), Some(3));
    assert_eq!(in_hand(&input.readers[0]).value(), Some(3));
    assert_eq!(unsaved(&input.readers[0]).value(), Some(2));
    // From the last record it is one less, and the sentence names the mistake.
    let mistaken = Look {
        instrument: Instrument::LastRecord,
        ..look(&input)
    };
    assert_eq!(
        value(&input, Instrument::LastRecord, LagKind::Committed),
        Some(4)
    );
    let notes = words(Lang::Ru, &input, &mistaken).notes.join("\n");
    assert!(notes.contains("9 − 5 = 4"), "{notes}");
    assert!(notes.contains("10 − 5 = 5"), "{notes}");
}

/// R-LAG-1 and R-LAG-2: an open transaction makes the tool's lag grow while the metric says 1.
#[test]
fn isolation_moves_only_what_depends_on_it() {
    let input = all_kinds(4);
    let reader = &input.readers[0];
    let of = |isolation, instrument, kind| lag(&input, reader, isolation, instrument, kind).value();
    let (rc, ru) = (Isolation::Committed, Isolation::Uncommitted);
    let (tool, client) = (Instrument::GroupTool, Instrument::Librdkafka);
    assert_eq!(of(rc, tool, LagKind::Committed), Some(8));
    assert_eq!(of(ru, tool, LagKind::Committed), Some(8));
    assert_eq!(of(rc, client, LagKind::Committed), Some(6));
    assert_eq!(of(rc, tool, LagKind::Processing), Some(4));
    assert_eq!(of(ru, tool, LagKind::Processing), Some(6));
    assert_eq!(of(rc, tool, LagKind::Fetch), Some(1));
    assert_eq!(of(ru, tool, LagKind::Fetch), Some(3));
    // On the drawing the first bracket stays where it is, and so does every flag.
    let [committed, uncommitted] = [rc, ru].map(|isolation| {
        let look = Look {
            isolation: Some(isolation),
            ..look(&input)
        };
        ruler(Lang::Ru, None, &input, &look).tracks.remove(0)
    });
    assert_eq!(committed.marks, uncommitted.marks);
    assert_eq!(committed.brackets[0], uncommitted.brackets[0]);
    assert_ne!(committed.brackets[1].line, uncommitted.brackets[1].line);
    assert_ne!(committed.brackets[2].line, uncommitted.brackets[2].line);
}

/// Every bracket is recomputed from the boundaries, not from the drawing.
#[test]
fn brackets_end_where_they_are_counted_to() {
    let input = all_kinds(4);
    let track = ruler(Lang::Ru, None, &input, &look(&input))
        .tracks
        .remove(0);
    let x = |kind: MarkKind| {
        let mark = track.marks.iter().find(|m| m.kind == kind).unwrap();
        mark.flag.rect.x + mark.flag.rect.w
    };
    let ends: Vec<(i32, i32)> = track
        .brackets
        .iter()
        .map(|b| b.line.map(|l| (l.x1, l.x2)).unwrap())
        .collect();
    assert_eq!(
        ends,
        [
            (x(MarkKind::Committed), x(MarkKind::HighWatermark)),
            (x(MarkKind::Processed), x(MarkKind::LastStable)),
            (x(MarkKind::Position), x(MarkKind::LastStable)),
        ]
    );
    assert!(
        track
            .brackets
            .iter()
            .all(|b| b.label.text.anchor == Anchor::End)
    );
}

#[test]
fn a_negative_lag_is_drawn_not_clamped() {
    let input = negative();
    assert_eq!(
        value(&input, Instrument::GroupTool, LagKind::Committed),
        Some(-2)
    );
    for look in looks(&input) {
        if look.instrument != Instrument::GroupTool {
            continue;
        }
        let track = ruler(Lang::En, None, &input, &look).tracks.remove(0);
        let first = &track.brackets[0];
        assert!(first.negative);
        assert!(first.line.is_some_and(|l| l.x2 > l.x1));
        assert!(first.label.text.text.contains("−2"), "{:?}", first.label);
    }
    let notes = words(Lang::En, &input, &look(&input)).notes.join("\n");
    assert!(notes.contains("below zero"), "{notes}");
}

#[test]
fn no_commit_is_not_a_lag_of_zero() {
    let mut input = plain(0, 3);
    input.readers = vec![Reader {
        name: "c1".into(),
        ..Reader::default()
    }];
    let track = ruler(Lang::Ru, None, &input, &look(&input))
        .tracks
        .remove(0);
    assert!(track.brackets.iter().all(|b| b.line.is_none()));
    assert!(track.brackets[0].label.text.text.contains("нет (не 0)"));
}

#[test]
fn holes_keep_their_places() {
    let input = holes();
    let track = ruler(Lang::Ru, None, &input, &look(&input))
        .tracks
        .remove(0);
    let kept: Vec<i64> = track
        .cells
        .iter()
        .filter(|c| c.kind != CellKind::Ghost)
        .map(|c| c.offset.0)
        .collect();
    assert_eq!(kept, [4, 8, 9]);
    assert_eq!(track.cells.len(), 10);
    // A read from 5 is handed 8, and the lag counts the numbers between.
    let said = words(Lang::Ru, &input, &look(&input));
    let position = said.boundaries.rows.iter().find(|r| r[0] == "Позиция");
    assert!(position.is_some_and(|r| r[2].ends_with("получит 8")));
    assert_eq!(
        value(&input, Instrument::GroupTool, LagKind::Committed),
        Some(5)
    );
    assert!(said.notes.iter().any(|n| n.contains("не записи")));
}

/// What is gone, or is for nobody, is not called visible; nothing is promised under its number.
#[test]
fn tables_name_only_records_that_are_there() {
    let said = |lang, input: &RulerInput| {
        let rows = words(lang, input, &look(input)).boundaries.rows;
        rows.into_iter().map(|r| r[2].clone()).collect::<Vec<_>>()
    };
    let empty = said(Lang::En, &plain(0, 0));
    assert_eq!(empty[0], "Log start 0: there are no records yet");
    let gone = said(Lang::En, &holes());
    assert_eq!(
        gone[0],
        "Log start 0: the boundary is where it was, the first record left is 4"
    );
    assert_eq!(gone[2], "HW 10: records 4, 8–9 are visible, next is 10");
    assert_eq!(
        gone[3],
        "LEO 10: records 4, 8–9 are in the log, next will be 10"
    );
    assert!(gone[5].ends_with("the next record to be processed is 8"));
    assert!(gone[6].ends_with("the next record handed out is 8"));
    assert!(said(Lang::Ru, &holes())[2].contains("записи 4, 8–9 видны"));
    // A marker at 8, an open transaction from 10 on, of which `read_committed` sees nothing.
    let open = said(Lang::En, &all_kinds(4));
    assert_eq!(
        open[2],
        "HW 12: with read_uncommitted records 2 to 7 and 9 to 11 can be seen, next is 12"
    );
    let mut at_marker = all_kinds(4);
    at_marker.readers[0].position = Some(at(10));
    assert!(said(Lang::En, &at_marker)[6].ends_with("the consumer waits"));
    let mut all_gone = plain(4, 10);
    all_gone.records.clear();
    assert!(said(Lang::En, &all_gone)[0].ends_with("the log holds no others"));
}

#[test]
fn a_crash_repeats_what_is_not_saved_and_loses_what_is_not_processed() {
    let said =
        |input: &RulerInput| words(Lang::Ru, input, &look(input)).notes[0].replace('\u{a0}', " ");
    assert!(said(&ten_seven_five()).ends_with("повторно: записи 5 и 6"));
    assert!(
        said(&all_kinds(9)).ends_with("останутся без обработки: записи 6 и 7"),
        "{}",
        said(&all_kinds(9))
    );
    let notes = words(Lang::Ru, &below_start(), &look(&below_start())).notes;
    assert!(notes[0].starts_with("Коммита в Kafka нет"), "{notes:?}");
    assert!(
        notes[1].contains("Чекпойнт 2 ниже начала лога 4"),
        "{notes:?}"
    );
    // A checkpoint beside a commit: two ways on, and the commit is Kafka's.
    let mut both = ten_seven_five();
    both.readers[0].outside = Some(at(7));
    let notes = words(Lang::En, &both, &look(&both)).notes;
    assert!(notes[0].contains("reading goes on from 5"), "{notes:?}");
    assert!(
        notes[1].contains("`seek(7)`: nothing repeated"),
        "{notes:?}"
    );
    let band = |input: &RulerInput| {
        let track = ruler(Lang::Ru, None, input, &look(input)).tracks.remove(0);
        track.band.map(|b| b.loss)
    };
    assert_eq!(band(&ten_seven_five()), Some(false));
    assert_eq!(band(&all_kinds(9)), Some(true));
    assert_eq!(band(&holes()), None);
    assert_eq!(band(&negative()), None);
    assert!(said(&negative()).contains("6 дальше конца лога 4"));
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

fn box_of(t: &Text) -> Rect {
    let w = width(&t.text, t.role);
    Rect {
        x: match t.anchor {
            Anchor::Start => t.x,
            Anchor::Middle => t.x - w / 2,
            Anchor::End => t.x - w,
        },
        y: t.y - 10,
        w,
        h: 12,
    }
}

/// Over every ruler, width, level, instrument and language.
fn over_all(law: &dyn Fn(&str, &Ruler)) {
    for (name, input) in everything() {
        for look in looks(&input) {
            for lang in Lang::ALL {
                let name = format!("{name} {:?} {lang:?} {:?}", look.layout, look.instrument);
                law(&name, &ruler(lang, None, &input, &look));
            }
        }
    }
}

#[test]
fn flags_stand_in_gaps_and_lanes_never_overlap() {
    over_all(&|name, ruler| {
        for track in &ruler.tracks {
            for mark in &track.marks {
                for line in &mark.lines {
                    for cell in &track.cells {
                        let inside = line.x1 > cell.rect.x && line.x1 < cell.rect.x + cell.rect.w;
                        assert!(!inside, "{name}: {:?} on {}", mark.kind, cell.offset);
                    }
                    let fold = track
                        .folds
                        .iter()
                        .find(|f| line.x1 > f.rect.x && line.x1 < f.rect.x + f.rect.w);
                    assert!(fold.is_none(), "{name}: {:?} in a fold", mark.kind);
                }
            }
        }
        let flags: Vec<(MarkKind, Rect)> = ruler
            .tracks
            .iter()
            .flat_map(|t| &t.marks)
            .map(|m| (m.kind, m.flag.rect))
            .collect();
        for (i, a) in flags.iter().enumerate() {
            for b in &flags[i + 1..] {
                assert!(!overlap(a.1, b.1), "{name}: {:?} over {:?}", a.0, b.0);
            }
        }
    });
}

#[test]
fn a_ruler_has_at_most_600_elements() {
    over_all(&|name, ruler| {
        let elements: usize = ruler
            .tracks
            .iter()
            .map(|t| {
                let marks: usize = t.marks.iter().map(|m| 4 + m.lines.len()).sum();
                12 + 5 * t.cells.len()
                    + 2 * t.folds.len()
                    + marks
                    + 3 * t.ghosts.len()
                    + 9 * t.brackets.len()
                    + 8
            })
            .sum();
        assert!(elements <= 600, "{name}: {elements}");
    });
}

#[test]
fn brokers_flags_are_above_the_log_and_clients_below() {
    over_all(&|name, ruler| {
        for track in &ruler.tracks {
            let Some(cell) = track.cells.first() else {
                continue;
            };
            for mark in &track.marks {
                let above = mark.flag.rect.y + mark.flag.rect.h <= cell.rect.y;
                let below = mark.flag.rect.y >= cell.rect.y + cell.rect.h;
                let server = matches!(
                    mark.kind,
                    MarkKind::LogEnd
                        | MarkKind::HighWatermark
                        | MarkKind::LastStable
                        | MarkKind::LogStart
                );
                assert!(
                    if server { above } else { below },
                    "{name}: {:?}",
                    mark.kind
                );
            }
        }
    });
}

#[test]
fn words_are_inside_and_apart() {
    over_all(&|name, ruler| {
        let mut texts: Vec<&Text> = Vec::new();
        for track in &ruler.tracks {
            texts.push(&track.head);
            texts.extend(track.cells.iter().map(|c| &c.label));
            texts.extend(track.folds.iter().map(|f| &f.label));
            texts.extend(track.marks.iter().map(|m| &m.flag.label));
            texts.extend(track.band.iter().map(|b| &b.label.text));
            for b in &track.brackets {
                texts.push(&b.label.text);
                texts.extend(b.by.iter().map(|t| &t.text));
            }
            texts.extend(track.notes.iter().map(|n| &n.text));
            for cell in &track.cells {
                let b = box_of(&cell.label);
                assert!(b.w <= cell.rect.w, "{name}: {} in its cell", cell.offset);
            }
        }
        texts.retain(|t| !t.text.is_empty());
        for (i, a) in texts.iter().enumerate() {
            let of = box_of(a);
            assert!(
                of.x >= 0 && of.x + of.w <= ruler.width && of.y >= 0 && of.y + of.h <= ruler.height,
                "{name}: “{}” at {of:?} leaves {} × {}",
                a.text,
                ruler.width,
                ruler.height
            );
            for b in &texts[i + 1..] {
                assert!(
                    !overlap(of, box_of(b)),
                    "{name}: “{}” over “{}”",
                    a.text,
                    b.text
                );
            }
        }
    });
}

#[test]
fn nothing_moves_but_what_has_moved() {
    let before = ten_seven_five();
    let mut now = before.clone();
    now.readers[0].committed = Some(at(7));
    let look = look(&now);
    let [old, new] = [&before, &now].map(|i| ruler(Lang::Ru, None, i, &look));
    assert_eq!((old.width, old.height), (new.width, new.height));
    let stepped = ruler(Lang::Ru, Some(&before), &now, &look).tracks.remove(0);
    assert_eq!(old.tracks[0].cells, stepped.cells);
    let moved: Vec<MarkKind> = stepped
        .marks
        .iter()
        .filter(|m| m.moved)
        .map(|m| m.kind)
        .collect();
    assert_eq!(moved, [MarkKind::Committed]);
    assert_eq!(stepped.ghosts.len(), 1);
    assert!(stepped.ghosts[0].arrow.is_some_and(|a| a.x1 < a.x2));
}

#[test]
fn a_record_that_comes_leaves_the_others_where_they_are() {
    let (before, now) = (plain(0, 9), plain(0, 12));
    let mut needs = Needs::default();
    needs.take(&before);
    needs.take(&now);
    for layout in [Layout::Wide, Layout::Phone] {
        let look = Look {
            layout,
            needs,
            ..Look::default()
        };
        let old = ruler(Lang::Ru, None, &before, &look).tracks.remove(0);
        let new = ruler(Lang::Ru, Some(&before), &now, &look).tracks.remove(0);
        for (a, b) in old.cells.iter().zip(&new.cells) {
            assert_eq!(a.rect, b.rect);
        }
        assert_eq!(new.cells.iter().filter(|c| c.fresh).count(), 3);
    }
}
