//! The console of 24 partitions (R6) and the comparison of three settings (R12).

use crate::hand::*;
use highwater::kafka::ids::*;
use highwater::kafka::message::Acks;
use highwater::text::Lang;
use highwater::text::number::NBSP;
use highwater::view::compare::{BarKind, Compare, LaneInput, compare_of};
use highwater::view::mini;
use highwater::view::overview::{CounterKind, Overview, Sign, overview};
use highwater::view::stage::MarkKind;
use highwater::view::width::width;
use highwater::view::{Icon, Role};
use highwater::world::command::Process;
use highwater::world::picture::*;
use std::rc::Rc;

const TOPIC: TopicId = TopicId(0);

/// 24 partitions of [1,2,3],[2,3,1],[3,1,2] × 8; with `down`, that broker is out and the next in
/// the order of assignment leads.
fn console(down: Option<u8>) -> Picture {
    let mut p = empty();
    let tp = |n: u16| Tp {
        topic: TOPIC,
        partition: n,
    };
    p.partitions = (0..24u16)
        .map(|n| {
            let order: [u8; 3] = [[1, 2, 3], [2, 3, 1], [3, 1, 2]][usize::from(n % 3)];
            let isr: Vec<u8> = order.into_iter().filter(|b| Some(*b) != down).collect();
            let mut one = p.partitions[0].clone();
            one.tp = tp(n);
            one.name.partition = n;
            one.reg = Rc::new(reg(
                &order,
                Some(isr[0]),
                i32::from(isr[0] != order[0]),
                &isr,
            ));
            one
        })
        .collect();
    for b in &mut p.brokers {
        if Some(b.id.0) == down {
            b.process = Process::Killed;
            b.fenced = Some(true);
        }
    }
    let log = |b: u8, hw: i64, values: &[(i32, &str)]| {
        let role = if down.is_some() && b == 3 {
            leads(&[1, 3], &[])
        } else {
            follows(3)
        };
        let mut r = replica(role, 1, hw, values);
        r.tp = tp(7);
        r
    };
    let six = [(0, "a"), (0, "b"), (0, "c"), (0, "d"), (0, "e"), (1, "f")];
    p.brokers[0].replicas = vec![log(1, 5, &six)];
    p.brokers[1].replicas = vec![log(2, 5, &six[..5])];
    p.brokers[2].replicas = vec![log(3, 6, &six)];
    p
}

fn shown(lang: Lang, before: Option<&Picture>, now: &Picture) -> Overview {
    overview(
        &step(lang, before, now, &[]),
        TOPIC,
        Tp {
            topic: TOPIC,
            partition: 7,
        },
    )
}

fn value(o: &Overview, kind: CounterKind) -> (String, String, String) {
    let c = o
        .counters
        .iter()
        .find(|c| c.kind == kind)
        .expect("a counter");
    (c.value.clone(), c.of.clone(), c.was.clone())
}

#[test]
fn seventy_two_of_72_and_48_of_72() {
    let (all, down) = (console(None), console(Some(2)));
    let o = shown(Lang::Ru, None, &all);
    assert_eq!(
        value(&o, CounterKind::InSync),
        ("72".into(), "из 72".into(), String::new())
    );
    assert_eq!(value(&o, CounterKind::Leaders).0, "8 · 8 · 8");
    let o = shown(Lang::Ru, Some(&all), &down);
    assert_eq!(
        value(&o, CounterKind::InSync),
        ("48".into(), "из 72".into(), "было 72".into())
    );
    assert_eq!(value(&o, CounterKind::UnderReplicated).0, "24");
    assert_eq!(value(&o, CounterKind::Offline).0, "0");
    assert_eq!(
        value(&o, CounterKind::UnderMinIsr),
        ("0".into(), String::new(), "на пределе 24".into())
    );
    assert_eq!(
        value(&o, CounterKind::Leaders),
        ("8 · — · 16".into(), String::new(), "было 8 · 8 · 8".into())
    );
    assert!(o.counters.iter().all(|c| !c.alert));
}

#[test]
fn the_grid_shows_who_leads_and_who_led() {
    let (all, down) = (console(None), console(Some(2)));
    let o = shown(Lang::Ru, Some(&all), &down);
    let cell = |broker: usize| o.rows[broker].cells[7].clone().expect("a replica");
    assert_eq!(
        (cell(0).sign, cell(1).sign, cell(2).sign),
        (Sign::InIsr, Sign::Down, Sign::Leader)
    );
    assert!(cell(1).led && cell(2).elected && !cell(0).elected);
    assert_eq!(cell(1).spoken, "Партиция 7, брокер 2: упал, был лидером");
    assert_eq!(
        o.columns[7].spoken,
        "Партиция 7: лидер 3, ISR 1 и 3, эпоха 1"
    );
    // Before it is fenced the console knows nothing of the crash (R-FEN-2).
    let mut crashed = console(None);
    crashed.brokers[1].process = Process::Killed;
    let o = shown(Lang::Ru, Some(&all), &crashed);
    assert_eq!(value(&o, CounterKind::InSync).0, "72");
    assert_eq!(
        o.rows[1].cells[7].as_ref().map(|c| c.sign),
        Some(Sign::Leader)
    );
    assert_eq!(o.rows[1].away.as_deref(), Some("упал"));
}

#[test]
fn the_panel_shows_each_replicas_own_high_watermark() {
    let down = console(Some(2));
    for lang in Lang::ALL {
        let o = shown(lang, None, &down);
        let hw: Vec<Boundary> = o
            .panel
            .rows
            .iter()
            .flat_map(|r| &r.marks)
            .filter(|m| m.kind == MarkKind::HighWatermark)
            .map(|m| m.at)
            .collect();
        assert_eq!(hw, [Boundary(5), Boundary(5), Boundary(6)]);
        for flag in o
            .panel
            .rows
            .iter()
            .flat_map(|r| &r.marks)
            .map(|m| m.flag.rect)
        {
            assert!(flag.x >= 0 && flag.x + flag.w <= o.panel.width, "{flag:?}");
        }
        assert!(!o.panel.note.is_empty());
    }
    assert_eq!(
        shown(Lang::Ru, None, &down).panel.assigned,
        "назначена на 2,\u{a0}3,\u{a0}1"
    );
}

#[test]
fn a_partition_without_leader_alarms() {
    let mut p = console(None);
    p.partitions[3].reg = Rc::new(reg(&[1, 2, 3], None, 1, &[1]));
    let o = shown(Lang::En, None, &p);
    let c = o
        .counters
        .iter()
        .find(|c| c.kind == CounterKind::Offline)
        .expect("a counter");
    assert!(c.alert && c.value == "1" && c.cells.len() == 3);
    assert!(o.columns[3].offline);
}

/// A lane of R12 at its moments: sent, appended, (answered), leader dead, elected, late.
fn lane(acks: Acks) -> Vec<Picture> {
    let three = [(0, "a"), (0, "b"), (0, "c")];
    let four = [(0, "a"), (0, "b"), (0, "c"), (0, "paid")];
    let again = [(0, "a"), (0, "b"), (0, "c"), (1, "paid")];
    let at = |now: i64,
              dead: bool,
              elected: bool,
              first: &[(i32, &str)],
              rest: &[(i32, &str)],
              state: Option<SendState>| {
        let (leader, epoch, isr): (u8, i32, &[u8]) = if elected {
            (2, 1, &[2, 3])
        } else {
            (1, 0, &[1, 2, 3])
        };
        let process = if dead { Process::Killed } else { Process::Up };
        let role = |b: u8| {
            if b == leader {
                leads(isr, &[])
            } else {
                follows(leader)
            }
        };
        let mut p = picture(
            reg(&[1, 2, 3], Some(leader), epoch, isr),
            vec![
                (
                    1,
                    process,
                    replica(if dead { RolePicture::Down } else { role(1) }, 0, 3, first),
                ),
                (
                    2,
                    Process::Up,
                    replica(role(2), epoch, rest.len() as i64, rest),
                ),
                (
                    3,
                    Process::Up,
                    replica(role(3), epoch, rest.len() as i64, rest),
                ),
            ],
        );
        p.now = Ms(now);
        let sends = state.into_iter().map(|s| {
            let attempts = if acks == Acks::All && now > 9_000 {
                2
            } else {
                1
            };
            SendPicture {
                attempts,
                ..send("paid", acks, 0, s)
            }
        });
        p.clients.push(producer("shop", acks, sends.collect()));
        p
    };
    let sent = match acks {
        Acks::None => SendState::Confirmed(None, Ms(0)),
        _ => SendState::InFlight(b(1)),
    };
    let answered = match acks {
        Acks::Leader => SendState::Confirmed(Some(Offset(3)), Ms(3)),
        _ => sent.clone(),
    };
    let (late, end) = match acks {
        Acks::All => (&again[..], SendState::Confirmed(Some(Offset(3)), Ms(9_600))),
        _ => (&three[..], answered.clone()),
    };
    vec![
        at(0, false, false, &three, &three, None),
        at(1, false, false, &three, &three, Some(sent.clone())),
        at(2, false, false, &four, &three, Some(sent)),
        at(3, false, false, &four, &three, Some(answered.clone())),
        at(4, true, false, &four, &three, Some(answered.clone())),
        at(9_400, true, true, &four, &three, Some(answered)),
        at(10_500, true, true, &four, late, Some(end)),
    ]
}

fn compared(lang: Lang, upto: usize) -> Compare {
    let lanes = [
        ("acks=0", lane(Acks::None)),
        ("acks=1", lane(Acks::Leader)),
        ("acks=all", lane(Acks::All)),
    ];
    let pictures: Vec<Vec<&Picture>> = lanes
        .iter()
        .map(|l| l.1.iter().take(upto).collect())
        .collect();
    let input: Vec<LaneInput> = lanes
        .iter()
        .zip(&pictures)
        .map(|(l, p)| LaneInput {
            name: l.0,
            pictures: p,
        })
        .collect();
    compare_of(lang, TP, &input, 7)
}

#[test]
fn verdicts_come_from_what_happened() {
    let c = compared(Lang::Ru, 7);
    assert_eq!(c.record.replace(NBSP, " "), "запись 3");
    let said: Vec<(String, String, String, String)> = c
        .lanes
        .iter()
        .map(|l| [&l.verdict, &l.confirmed, &l.waited, &l.lost].map(|s| s.replace(NBSP, " ")))
        .map(|[a, b, c, d]| (a, b, c, d))
        .collect();
    let row = |a: &str, b: &str, c: &str, d: &str| (a.into(), b.into(), c.into(), d.into());
    assert_eq!(
        said,
        [
            row(
                "Потеряна, никто не узнал",
                "никем, номера нет (−1)",
                "0 мс",
                "запись 3"
            ),
            row(
                "Подтверждена и потеряна",
                "лидером, запись 3",
                "3 мс",
                "запись 3, подтверждённая"
            ),
            row(
                "Цела: пришла позже",
                "ISR [2, 3], запись 3",
                "9,6 с, с повтором",
                "ничего"
            ),
        ]
    );
    assert_eq!(
        c.lanes.iter().map(|l| l.role).collect::<Vec<_>>(),
        [Role::Alert, Role::Alert, Role::Strong]
    );
}

#[test]
fn before_the_fault_nothing_is_known_and_a_survivor_is_not_called_lost() {
    let c = compared(Lang::En, 5);
    assert!(
        c.lanes.iter().all(|l| l.verdict == "Not known yet"),
        "the leader is dead, nobody else leads"
    );
    // acks=1, and the new leader has the record after all: the lane's name decides nothing.
    let mut run = lane(Acks::Leader);
    let last = run.last_mut().expect("a picture");
    last.brokers[1].replicas[0] = replica(
        leads(&[2, 3], &[]),
        1,
        4,
        &[(0, "a"), (0, "b"), (0, "c"), (0, "paid")],
    );
    let verdict = |run: &[Picture]| {
        let pictures: Vec<&Picture> = run.iter().collect();
        let lane = LaneInput {
            name: "acks=1",
            pictures: &pictures,
        };
        let mut c = compare_of(Lang::En, TP, &[lane], 7);
        c.lanes.remove(0).verdict
    };
    assert_eq!(verdict(&run), "One copy, while it lives");
    let last = run.last_mut().expect("a picture");
    let record = last.brokers[1].replicas[0].records[3].clone();
    last.brokers[2].replicas[0].records.push(record);
    assert_eq!(verdict(&run), "Safe and confirmed");
}

#[test]
fn strips_say_when_the_last_copy_went_and_what_the_producer_thought() {
    let c = compared(Lang::Ru, 7);
    let kinds = |n: usize| -> (Vec<BarKind>, Vec<BarKind>) {
        (
            c.lanes[n].copies.iter().map(|b| b.kind).collect(),
            c.lanes[n].thoughts.iter().map(|b| b.kind).collect(),
        )
    };
    use BarKind::*;
    assert_eq!(kinds(0), (vec![Copies, NoCopiesAlert], vec![Forgot]));
    assert_eq!(
        kinds(1),
        (vec![Copies, NoCopiesAlert], vec![Waits, Safe, SafeFalse])
    );
    // It waits: no promise is broken (screens.md 6.11).
    assert_eq!(kinds(2).0, vec![Copies, NoCopies, Copies]);
    assert_eq!(kinds(2).1.last(), Some(&Safe));
    let signs: Vec<Option<Icon>> = c
        .clock
        .ticks
        .iter()
        .filter_map(|t| t.icon.map(Some))
        .collect();
    assert_eq!(signs, [Some(Icon::Cross), Some(Icon::Star)]);
    assert_eq!(c.clock.breaks.len(), 2);
    // A step keeps its place when more is known.
    let earlier = compared(Lang::Ru, 5);
    assert_eq!(earlier.lanes[1].copies[0], c.lanes[1].copies[0]);
}

#[test]
fn bars_hold_their_words_in_both_languages() {
    for lang in Lang::ALL {
        for lane in compared(lang, 7).lanes {
            for bar in lane.copies.iter().chain(&lane.thoughts) {
                // In the bar, or behind it where nothing else stands.
                let room = if bar.beside {
                    1000 - bar.to
                } else {
                    bar.to - bar.from
                };
                assert!(
                    width(&bar.label, Role::Strong) <= (room * 241 / 1000).max(1)
                        || bar.label.is_empty(),
                    "{}",
                    bar.label
                );
            }
            for mark in lane.rows.iter().flat_map(|r| &r.marks) {
                let f = mark.flag.rect;
                assert!(f.x >= 0 && f.x + f.w <= lane.width, "{f:?}");
            }
        }
    }
}

#[test]
fn little_pictures_stay_in_their_frame() {
    let lanes: Vec<(&str, Picture)> = [
        ("acks=0", Acks::None),
        ("acks=1", Acks::Leader),
        ("acks=all", Acks::All),
    ]
    .into_iter()
    .map(|(n, a)| (n, lane(a).pop().expect("a picture")))
    .collect();
    let by_name: Vec<(&str, &Picture)> = lanes.iter().map(|(n, p)| (*n, p)).collect();
    let grid = console(Some(2));
    let mut minis = vec![
        mini::grid(Lang::Ru, &grid, TOPIC),
        mini::lanes(Lang::Ru, &by_name, TP),
    ];
    assert_eq!(minis[0].grid.len(), 72);
    minis.extend(all().iter().map(|(_, p)| mini::logs(Lang::Ru, p, TP)));
    for m in minis {
        let rects = m
            .cells
            .iter()
            .map(|c| c.0)
            .chain(m.grid.iter().map(|c| c.0));
        for r in rects {
            assert!(
                r.x >= 0 && r.x + r.w <= m.width && r.y >= 0 && r.y + r.h <= m.height,
                "{r:?}"
            );
        }
    }
}
