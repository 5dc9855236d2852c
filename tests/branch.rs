//! A story left at one of its steps: what a reader may do there, and links to what was done.

use highwater::history::branch::{BadLink, Branch, Link, Move, Wait};
use highwater::kafka::ids::{Boundary, BrokerId};
use highwater::script::ast::{Scenario, Text};
use highwater::script::library::SCENES;
use highwater::script::{parse, print};
use highwater::world::picture::Picture;

fn scene(id: &str) -> Scenario {
    let (_, text) = SCENES.iter().find(|(name, _)| *name == id).unwrap();
    parse(text).unwrap()
}

fn picture(branch: &Branch) -> Picture {
    branch.run().picture(0).unwrap()
}

fn go(branch: &mut Branch, what: Move) {
    let offered = branch.possible();
    assert!(branch.go(what, Text::default()), "{what:?} of {offered:?}");
    assert_eq!(branch.run().failures(), []);
}

/// R9, told otherwise: with the order copied before the leader dies, nothing is lost.
#[test]
fn a_reader_finds_out_what_would_have_saved_the_order() {
    let story = scene("acks1-loss");
    let mut branch = Branch::new(&story, 1);
    go(&mut branch, Move::Wait(Wait::Calm));
    go(&mut branch, Move::Kill(BrokerId(1)));
    go(
        &mut branch,
        Move::Wait(Wait::For(highwater::kafka::ids::Ms(60_000))),
    );
    let now = picture(&branch);
    assert_eq!(now.partitions[0].reg.leader, Some(BrokerId(2)));
    assert_eq!(now.lost, []);
    let replica = now.replica(BrokerId(2), now.partitions[0].tp).unwrap();
    assert_eq!(replica.log_end, Boundary(4));

    // As the author tells it, it is lost.
    let mut told = Branch::new(&story, 1);
    go(&mut told, Move::Kill(BrokerId(1)));
    assert!(told.possible().contains(&Move::Start(BrokerId(1))));
    assert!(!told.possible().contains(&Move::Kill(BrokerId(1))));
}

/// One press, one thing to see: the wait ends with the first event that a person can see.
#[test]
fn waiting_for_the_next_change_shows_one_change() {
    let mut branch = Branch::new(&scene("first-write"), 1);
    go(&mut branch, Move::Produce(0));
    for _ in 0..6 {
        go(&mut branch, Move::Wait(Wait::Change));
        let run = branch.run();
        let seen = run.events(0).iter().filter(|e| e.kind.is_visible());
        assert!(seen.count() >= 1);
    }
}

/// From any step of any scene, whatever is offered can be done, and no invariant breaks.
#[test]
fn whatever_is_offered_can_be_done() {
    let mut made = 0;
    for (id, _) in SCENES {
        let story = scene(id);
        let steps = story.beats.len() as u32;
        for base in [0, steps / 2, steps] {
            let branch = Branch::new(&story, base);
            for what in branch.possible() {
                let mut one = branch.clone();
                assert!(one.go(what, Text::default()), "{id} {base} {what:?}");
                // What the story itself claims holds; what was done was taken.
                assert_eq!(one.run().failures(), [], "{id} step {base}, {what:?}");
                assert_eq!(picture(&one).violations, [], "{id} step {base}, {what:?}");
                made += 1;
            }
        }
    }
    assert!(made > 1_000, "{made}");
}

/// A branch is a scenario: as a file it is read again, and leads to the same place.
#[test]
fn a_branch_is_a_scenario_that_an_author_can_keep() {
    let mut branch = Branch::new(&scene("acks1-loss"), 2);
    for what in [
        Move::Wait(Wait::Change),
        Move::Start(BrokerId(1)),
        Move::Produce(0),
        Move::Wait(Wait::Calm),
    ] {
        let words = |text: &str| Some(text.into());
        let title = Text {
            ru: words("Ход"),
            en: words("A move"),
        };
        assert!(branch.go(what, title));
    }
    let file = print(branch.run().scenario());
    let again = parse(&file).unwrap_or_else(|e| panic!("{e:?}\n{file}"));
    let last = again.beats.len() as u32;
    let again = Branch::new(&again, last);
    assert_eq!(picture(&again), picture(&branch));
}

#[test]
fn a_branch_that_was_cut_goes_on_as_if_the_rest_had_never_been() {
    let story = scene("acks-all-waits");
    let mut one = Branch::new(&story, 1);
    for what in [
        Move::Freeze(BrokerId(1)),
        Move::Wait(Wait::Calm),
        Move::Kill(BrokerId(2)),
    ] {
        go(&mut one, what);
    }
    one.cut(1);
    go(&mut one, Move::Thaw(BrokerId(1)));
    let mut other = Branch::new(&story, 1);
    go(&mut other, Move::Freeze(BrokerId(1)));
    go(&mut other, Move::Thaw(BrokerId(1)));
    assert_eq!(picture(&one), picture(&other));
    assert_eq!(one.link(), other.link());
}

fn follow(story: &Scenario, link: &Link) -> highwater::history::branch::Followed {
    Branch::follow(story, link, &|_, _| Text::default())
}

#[test]
fn a_link_leads_back_and_one_that_does_not_stops_where_it_still_agrees() {
    let story = scene("leader-fails");
    let mut branch = Branch::new(&story, 3);
    let moves = [
        Move::Wait(Wait::Change),
        Move::Kill(BrokerId(3)),
        Move::Wait(Wait::Change),
        Move::Produce(0),
        Move::Wait(Wait::Change),
        Move::Start(BrokerId(3)),
        Move::Wait(Wait::Calm),
    ];
    for what in moves {
        go(&mut branch, what);
    }
    let link = branch.link();
    let followed = follow(&story, &link);
    assert!(followed.is_whole());
    assert_eq!(picture(&followed.branch), picture(&branch));

    // One move less within: the last look, behind the fourth, is as far as it is known to agree.
    let mut other = link.clone();
    other.moves[5] = Move::Freeze(BrokerId(1));
    let followed = follow(&story, &other);
    assert_eq!((followed.good, followed.asked), (4, 7));
    assert_eq!(followed.branch.moves(), &moves[..4]);

    // Another story: nothing of it is followed.
    let followed = follow(&scene("acks-all-waits"), &link);
    assert!(!followed.same_start);
    assert_eq!(followed.branch.moves(), []);
    assert_eq!(Link::read("k0.AAAA"), Err(BadLink::Version("k0".into())));
}

/// Links that were given out: each must lead where it led, for ever. A line is never changed or
/// taken away; one that no longer leads there is a fault of the program.
#[test]
fn links_once_given_out_lead_where_they_led() {
    let text = include_str!("data/links.txt");
    let mut checked = 0;
    for line in text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let (id, link) = line.split_once(' ').unwrap();
        let link = Link::read(link).unwrap_or_else(|e| panic!("{line}: {e:?}"));
        let followed = follow(&scene(id), &link);
        assert!(
            followed.is_whole(),
            "{line}: {} of {}",
            followed.good,
            followed.asked
        );
        checked += 1;
    }
    assert!(checked >= 4);
}
