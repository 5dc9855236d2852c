//! The parallel text, what is said aloud, and who believes what.

use crate::hand::*;
use expect_test::expect;
use highwater::kafka::ids::*;
use highwater::kafka::metadata::Image;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::card::{Card, Why};
use highwater::view::controller::beliefs;
use highwater::view::tables::{Table, Way, described, high_watermark, narration, value_text};
use highwater::world::command::Process;
use std::rc::Rc;

fn lines(table: &Table) -> String {
    [&table.head]
        .into_iter()
        .chain(&table.rows)
        .map(|r| r.join(" | ") + "\n")
        .collect::<String>()
        .replace(NBSP, " ")
}

#[test]
fn a_boundary_is_read_out_with_both_sides() {
    let said = |lang, at| high_watermark(lang, &crate::ruler::plain(0, at));
    assert_eq!(said(Lang::Ru, 6), "HW 6: записи 0–5 видны, следующая — 6");
    assert_eq!(
        said(Lang::En, 6),
        "HW 6: records 0 to 5 are visible, next is 6"
    );
    assert_eq!(said(Lang::Ru, 1), "HW 1: запись 0 видна, следующая — 1");
    assert_eq!(said(Lang::En, 0), "HW 0: no record is visible, next is 0");
}

#[test]
fn the_state_as_tables() {
    let m = moved();
    let d = described(&step(Lang::Ru, Some(&m.before), &m.now, &m.events), TP);
    expect![[r#"
        Брокер | Роль | Эпоха | ISR | Записи | HW | LEO
        Брокер 1 | лидер · эпоха 5 | 5 | в ISR | 0–6 | 6 | 7
        Брокер 2 | реплика | 5 | в ISR | 0–5 | 5 | 6
        Брокер 3 | реплика | 5 | в ISR | 0–5 | 5 | 6
    "#]]
    .assert_eq(&lines(&d.tables[0]));
    expect![[r#"
        Граница | Значение | Что по сторонам
        HW, брокер 1 | 6 | HW 6: записи 0–5 видны, следующая — 6
        LEO, брокер 1 | 7 | LEO 7: записи 0–6 в логе, следующая будет 7
        HW, брокер 2 | 5 | HW 5: записи 0–4 видны, следующая — 5
        LEO, брокер 2 | 6 | LEO 6: записи 0–5 в логе, следующая будет 6
        HW, брокер 3 | 5 | HW 5: записи 0–4 видны, следующая — 5
        LEO, брокер 3 | 6 | LEO 6: записи 0–5 в логе, следующая будет 6
    "#]]
    .assert_eq(&lines(&d.tables[1]));
    assert_eq!(
        d.clients,
        ["продюсер shop, acks=all; подтверждено: 4–5; ждёт ответа: g"]
    );
    assert_eq!(
        d.changed,
        [
            "HW, брокер 1: 5 → 6",
            "Брокер 3 → Брокер 1: Fetch(offset=6)",
            "Продюсер shop: подтверждено: 5"
        ]
    );
}

#[test]
fn a_changed_leader_is_in_the_differences() {
    let m = moved();
    let now = lost();
    let d = described(&step(Lang::En, Some(&m.before), &now, &[]), TP);
    for said in [
        "Leader: 1 → 2",
        "Leader epoch: 5 → 1",
        "ISR: [1, 2, 3] → [2, 3]",
        "Broker 1: up → crashed",
        "Broker 1 is fenced",
        "Confirmed record 3 is lost",
    ] {
        assert!(
            d.changed.iter().any(|c| c == said),
            "{said} in {:?}",
            d.changed
        );
    }
}

#[test]
fn narration_has_at_most_25_words() {
    let m = moved();
    let s = step(Lang::Ru, Some(&m.before), &m.now, &m.events);
    let card = |why: &str| Card {
        heading: "HW сдвинулась: 5 → 6".into(),
        why: vec![Why {
            text: why.into(),
            rules: vec![],
            formula: None,
            full: None,
        }],
        ..Card::default()
    };
    let short = card("Все в `ISR` дошли до границы 6.");
    assert_eq!(
        narration(&s, &short, 7, 18, Way::Next),
        "Шаг 7 из 18. HW сдвинулась: 5 → 6. Все в ISR дошли до границы 6."
    );
    assert_eq!(
        narration(&s, &short, 6, 18, Way::Back),
        "Назад. Шаг 6. HW сдвинулась: 5 → 6."
    );
    let long = card(&"слово ".repeat(30));
    for card in [short, long] {
        assert!(
            narration(&s, &card, 7, 18, Way::Next)
                .split_whitespace()
                .count()
                <= 25
        );
    }
    assert_eq!(
        value_text(&s, "лидер сменился", 9, 18),
        "шаг 9 из 18, лидер сменился"
    );
}

#[test]
fn a_broker_that_believes_otherwise_is_marked() {
    let mut p = lost();
    // Broker 3 has not heard of the election yet.
    let mut old = Image::empty();
    old.offset = MetaOffset(3);
    old.partitions
        .insert(TP, Rc::new(reg(&[1, 2, 3], Some(1), 0, &[1, 2, 3])));
    p.brokers[2].image = Some(Rc::new(old));
    let b = beliefs(&step(Lang::En, None, &p, &[]), TP);
    let said: Vec<String> = b
        .rows
        .iter()
        .map(|r| {
            let cells = r.cells.iter().map(|c| {
                if c.differs {
                    format!("{}✕", c.text)
                } else {
                    c.text.clone()
                }
            });
            [r.who.clone()]
                .into_iter()
                .chain(cells)
                .collect::<Vec<_>>()
                .join(" | ")
        })
        .collect();
    assert_eq!(
        said,
        [
            "Controller | 2 | 1 | [2, 3] | decides | -1",
            "Broker 1 |  |  |  | crashed | ",
            "Broker 2 | 2 | 1 | [2, 3] | leader | -1",
            "Broker 3 | 1✕ | 0✕ | [1, 2, 3]✕ | follower | 3",
            "producer shop | 1✕ |  |  |  | ",
        ]
    );
    assert!(b.rows.iter().all(|r| r.cells.len() + 1 == b.head.len()));
    assert_eq!(b.brokers[0], "Broker 1: fenced, broker epoch 1");
    assert_eq!(p.brokers[0].process, Process::Killed);
}
