//! The card: what happened and why come from the events, with the values they had.

use crate::hand::*;
use highwater::kafka::error::KafkaError;
use highwater::kafka::event::*;
use highwater::kafka::ids::*;
use highwater::kafka::message::{Acks, NodeId};
use highwater::kafka::metadata::ChangeReason;
use highwater::script::ast::Focus;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::Target;
use highwater::view::card::{Author, Card, TokenKind, Why, card};
use highwater::world::picture::{Picture, SendState};
use std::rc::Rc;

fn made(lang: Lang, now: &Picture, events: &[Event]) -> Card {
    card(
        &step(lang, Some(now), now, events),
        Some(TP),
        Author::default(),
        7,
        &|id| (id.0 < 20).then_some(id.0 / 2),
    )
}

fn plain(text: &str) -> String {
    text.replace(NBSP, " ")
}

fn formula(why: &Why) -> Vec<String> {
    let formula = why.formula.as_ref().expect("a formula");
    formula
        .lines
        .iter()
        .map(|l| l.iter().map(|t| &*t.text).collect())
        .collect()
}

#[test]
fn the_mock_of_a_moved_high_watermark() {
    let m = moved();
    let c = made(Lang::Ru, &m.now, &m.events);
    assert_eq!(
        c.what.iter().map(|w| plain(w)).collect::<Vec<_>>(),
        [
            "Брокер 3 запросил данные с границы 6: записи 0–5 у него уже есть.",
            "HW на лидере, брокере 1, сдвинулась: 5 → 6."
        ]
    );
    assert_eq!(
        formula(&c.why[0]),
        ["HW = min(LEO из ISR)", "= min(7, 6, 6) = 6"]
    );
    assert_eq!(c.why[0].rules, ["R-HW-10"]);
    let tokens = &c.why[0].formula.as_ref().expect("a formula").lines[1];
    let bold: Vec<_> = tokens
        .iter()
        .filter(|t| t.kind == TokenKind::Limiting)
        .map(|t| t.target)
        .collect();
    assert_eq!(
        bold,
        [Some(Target::LogEnd(b(3)))],
        "the one whose fetch made the difference"
    );
    // Event 11 was in step 5, event 12 in step 6; events 20 and 21 are of this step.
    assert_eq!(c.causes.iter().map(|c| c.step).collect::<Vec<_>>(), [5, 6]);
    assert_eq!(c.causes[0].label, "шаг 5");
    let en = made(Lang::En, &m.now, &m.events);
    assert_eq!(
        formula(&en.why[0]),
        ["HW = min(LEO of ISR)", "= min(7, 6, 6) = 6"]
    );
}

#[test]
fn a_caught_up_outsider_is_a_term_and_is_named() {
    let m = moved();
    let events = [event(
        30,
        &[],
        EventKind::HighWatermarkMoved {
            broker: b(1),
            tp: TP,
            from: Boundary(5),
            to: Boundary(6),
            terms: terms(&[
                (1, Some(7), TermKind::Leader),
                (2, Some(7), TermKind::InIsr),
                (3, Some(6), TermKind::CaughtUpOutsider),
            ]),
        },
    )];
    for (lang, head, note) in [
        (
            Lang::Ru,
            "HW = min(LEO из ISR и догнавших)",
            "6 у брокера 3: вне ISR, но догнал",
        ),
        (
            Lang::En,
            "HW = min(LEO of ISR and caught-up)",
            "6 on broker 3: outside the ISR but caught up",
        ),
    ] {
        let c = made(lang, &m.now, &events);
        assert_eq!(formula(&c.why[0]), [head, "= min(7, 7, 6) = 6"]);
        assert_eq!(
            c.why[0].formula.as_ref().map(|f| f.notes.clone()),
            Some(vec![note.to_string()])
        );
        assert_eq!(c.why[0].rules, ["R-HW-10", "R-HW-11"]);
    }
}

#[test]
fn an_isr_that_is_too_small_holds_the_high_watermark() {
    let m = moved();
    let c = made(
        Lang::Ru,
        &m.now,
        &[event(
            30,
            &[],
            EventKind::HighWatermarkHeld {
                broker: b(1),
                tp: TP,
                at: Boundary(5),
                isr: 1,
                min_isr: 2,
            },
        )],
    );
    assert_eq!(formula(&c.why[0]), ["ISR 1 < min.insync.replicas 2"]);
    assert_eq!(c.why[0].rules, ["R-HW-13"]);
}

#[test]
fn an_election_shows_the_order_of_assignment() {
    let p = lost();
    let old = reg(&[1, 2, 3], Some(1), 0, &[1, 2, 3]);
    let events = [
        event(
            30,
            &[],
            EventKind::FencedBroker {
                broker: b(1),
                silent: Ms(9_400),
            },
        ),
        event(
            31,
            &[30],
            EventKind::PartitionChanged {
                tp: TP,
                old: Some(Rc::new(old)),
                new: p.partitions[0].reg.clone(),
                why: ChangeReason::Fenced(b(1)),
            },
        ),
    ];
    let c = made(Lang::Ru, &p, &events);
    assert_eq!(
        c.what.iter().map(|w| plain(w)).collect::<Vec<_>>(),
        [
            "Контроллер 9,4 с не получал heartbeat от брокера 1 и отстранил его (fenced).",
            "Контроллер выбрал лидером брокер 2, эпоха 1.",
        ],
        "the election outweighs the change of the ISR that came with it"
    );
    assert_eq!(formula(&c.why[0]), ["по назначению: 1 ✕ · 2 ★ · 3"]);
    assert_eq!(c.why[0].rules, ["R-ELE-2"]);
}

#[test]
fn acks_have_their_own_rules() {
    let p = lost();
    let done = |acks, outcome| {
        [event(
            30,
            &[],
            EventKind::ProduceDone {
                client: ClientId(0),
                tp: TP,
                values: vec![Some("mail".into())],
                acks,
                attempts: 1,
                outcome,
            },
        )]
    };
    let rule = |acks, outcome| {
        made(Lang::En, &p, &done(acks, outcome)).why[0]
            .rules
            .clone()
    };
    assert_eq!(rule(Acks::None, Outcome::Confirmed(None)), ["R-ACK-2"]);
    assert_eq!(
        rule(Acks::Leader, Outcome::Confirmed(Some(Offset(3)))),
        ["R-ACK-3"]
    );
    assert_eq!(
        rule(Acks::All, Outcome::Confirmed(Some(Offset(2)))),
        ["R-ACK-4"]
    );
    let refused = made(
        Lang::Ru,
        &p,
        &done(Acks::All, Outcome::Failed(KafkaError::NotEnoughReplicas)),
    );
    assert_eq!(
        refused.what,
        ["Продюсер shop получил отказ на «mail»: `NOT_ENOUGH_REPLICAS`."]
    );
    assert_eq!(refused.why[0].rules, ["R-ACK-4"]);
}

#[test]
fn two_sentences_at_most_and_never_an_empty_card() {
    let m = moved();
    let many: Vec<Event> = (30..60)
        .map(|n| {
            event(
                n,
                &[],
                EventKind::MetadataLearned {
                    client: ClientId(0),
                    from: b(1),
                    tp: TP,
                    leader: Some(b(2)),
                    epoch: Epoch(n as i32),
                },
            )
        })
        .collect();
    assert_eq!(made(Lang::Ru, &m.now, &many).what.len(), 2);
    let quiet = made(Lang::Ru, &m.now, &[]);
    assert_eq!(quiet.what, ["Время прошло, видимых событий не было."]);
    assert_eq!(quiet.heading, "Время прошло, видимых событий не было");
}

#[test]
fn both_ways_of_a_cut_link_are_one_sentence() {
    let m = moved();
    let (x, y) = (NodeId::Broker(b(1)), NodeId::Controller);
    let c = made(
        Lang::Ru,
        &m.now,
        &[
            event(30, &[], EventKind::LinkCut { from: x, to: y }),
            event(31, &[], EventKind::LinkCut { from: y, to: x }),
        ],
    );
    assert_eq!(c.what, ["Связь оборвана: брокер 1 ↔ контроллер."]);
    assert_eq!(c.why[0].rules, ["R-FEN-7"]);
}

#[test]
fn a_minute_of_idle_fetches_is_not_told_one_by_one() {
    let m = moved();
    let fetches: Vec<Event> = (30..90)
        .map(|n| {
            event(
                n,
                &[],
                EventKind::FetchSent {
                    follower: b(2 + (n % 2) as u8),
                    leader: b(1),
                    tp: TP,
                    offset: Boundary(6),
                },
            )
        })
        .collect();
    assert_eq!(
        made(Lang::En, &m.now, &fetches).what.len(),
        2,
        "each follower once"
    );
    // A dead leader does not answer: that is worth a word, and only one.
    let c = made(Lang::Ru, &lost(), &fetches);
    assert_eq!(
        c.what,
        ["Реплики (2 и 3) ждали ответа брокера 1 и не дождались."]
    );
}

#[test]
fn many_partitions_are_counted() {
    let p = lost();
    let change = |n: u16| {
        event(
            30 + u32::from(n),
            &[],
            EventKind::PartitionChanged {
                tp: Tp {
                    topic: TopicId(0),
                    partition: n,
                },
                old: Some(Rc::new(reg(&[2, 3, 1], Some(2), 0, &[1, 2, 3]))),
                new: Rc::new(reg(&[2, 3, 1], Some(3), 1, &[1, 3])),
                why: ChangeReason::Fenced(b(2)),
            },
        )
    };
    let events: Vec<Event> = (0..8).map(change).collect();
    let c = card(
        &step(Lang::Ru, Some(&p), &p, &events),
        None,
        Author::default(),
        2,
        &|_| None,
    );
    let what: Vec<String> = c.what.iter().map(|w| plain(w)).collect();
    assert_eq!(
        what,
        [
            "Лидер сменился у 8 партиций.",
            "ISR изменился у 8 партиций."
        ]
    );
    assert_eq!(formula(&c.why[0])[0], "по назначению: 2 ✕ · 3 ★ · 1");
}

#[test]
fn what_was_cut_is_told_from_its_first_record_to_its_last() {
    let p = diverged();
    let cut = |from: i64, to: i64| {
        event(
            30,
            &[],
            EventKind::Truncated {
                broker: b(1),
                tp: TP,
                from: Boundary(from),
                to: Boundary(to),
                values: vec![Some("old".into())],
                reason: TruncateReason::Diverging {
                    epoch: Epoch(0),
                    end: Boundary(3),
                },
            },
        )
    };
    // From the old end to the new one, or from the first record to the last: the same words.
    for event in [cut(4, 3), cut(3, 4)] {
        let c = made(Lang::Ru, &p, &[event]);
        assert_eq!(plain(&c.what[0]), "Брокер 1 срезал запись 3: «old».");
        assert_eq!(c.why[0].rules, ["R-TRU-1", "R-TRU-5"]);
    }
}

#[test]
fn what_the_beat_looks_at_is_told_first() {
    // The high watermark moves while the client learns its leader: the author looks at the client.
    let m = moved();
    let mut events = m.events.clone();
    events.push(event(
        40,
        &[],
        EventKind::MetadataLearned {
            client: ClientId(0),
            from: b(1),
            tp: TP,
            leader: Some(b(2)),
            epoch: Epoch(1),
        },
    ));
    let rules = |focus: &[Focus]| {
        let author = Author {
            focus,
            ..Author::default()
        };
        let now = step(Lang::En, Some(&m.now), &m.now, &events);
        card(&now, Some(TP), author, 7, &|_| None).why[0]
            .rules
            .clone()
    };
    assert_eq!(rules(&[]), ["R-HW-10"]);
    let name = m.now.clients[0].name.clone();
    assert_eq!(rules(&[Focus::Client(name)]), ["R-PRD-4"]);
}

#[test]
fn a_poll_that_gets_nothing_says_so_with_the_high_watermark() {
    let m = moved();
    let events = [event(
        30,
        &[],
        EventKind::PollEmpty {
            client: ClientId(0),
            tp: TP,
            position: Boundary(6),
        },
    )];
    let c = made(Lang::En, &m.now, &events);
    assert_eq!(
        plain(&c.what[0]),
        "`poll()` of consumer shop from position 6 returned 0 records."
    );
    assert_eq!(c.why[0].rules, ["R-READ-3"]);
    assert_eq!(formula(&c.why[0]), ["position 6 ≥ HW 6"]);
}

#[test]
fn an_elr_that_is_emptied_is_told() {
    let p = lost();
    let mut old = (*p.partitions[0].reg).clone();
    old.elr = [b(1)].into_iter().collect();
    let events = [event(
        30,
        &[],
        EventKind::PartitionChanged {
            tp: TP,
            old: Some(Rc::new(old)),
            new: p.partitions[0].reg.clone(),
            why: ChangeReason::UncleanRegistration(b(1)),
        },
    )];
    let c = made(Lang::Ru, &p, &events);
    assert_eq!(plain(&c.what[0]), "ELR опустел: [1] → [].");
    assert_eq!(c.why[0].rules, ["R-FEN-8"]);
}

/// A record that cannot be sent makes no event, but it was given to the producer.
#[test]
fn a_record_that_waits_in_its_producer_is_told() {
    let queued = || send("my 1", Acks::All, 5, SendState::Queued(None));
    let at = |leader, sends| {
        let isr: &[u8] = &[1];
        let mut picture = picture(reg(&[1], leader, 3, isr), vec![]);
        picture.clients = vec![producer("shop", Acks::All, sends)];
        picture
    };
    let told = |lang, before: &Picture, now: &Picture| {
        let step = step(lang, Some(before), now, &[]);
        card(&step, Some(TP), Author::default(), 7, &|_| None).what
    };
    let (before, now) = (at(None, vec![]), at(None, vec![queued()]));
    let en = "Record “my 1” waits in producer `shop`: the partition has no leader to send it to.";
    assert_eq!(told(Lang::En, &before, &now), [en]);
    let ru = "Запись «my 1» ждёт в продюсере `shop`: у партиции нет лидера, отправить её некому.";
    assert_eq!(told(Lang::Ru, &before, &now), [ru]);
    let led = at(Some(1), vec![queued()]);
    assert!(told(Lang::En, &before, &led)[0].ends_with("it has not been sent yet."));
    // It is said when it was given, not at every step after.
    let quiet = "Time passed; nothing visible happened.";
    assert_eq!(told(Lang::En, &now, &now), [quiet]);
}
