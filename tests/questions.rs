//! Questions before steps: read, printed, held against the engine, and what is said of an answer.

use highwater::history::Run;
use highwater::script::ast::{Scenario, Text};
use highwater::script::question::Kind;
use highwater::script::{library, parse, print};
use highwater::text::Lang;
use highwater::view::question::{AskedKind, Given, question, verdict};
use highwater::world::World;
use highwater::world::picture::ClientKind;
use std::rc::Rc;

const SCENE: &str = "scenario x\ntitle en: X\ncluster brokers=1\nsetup\n  topic orders [1]\n  producer shop\n\
beat one\n  title en: One\n  predict gap orders-0\n  asks ru: Где?\n  asks en: Where?\n  wrong 3\n  because en: No.\n  \
wrong 0\n  because ru: Нет.\n  because en: Never.\n  produce shop orders-0 \"a\"\n  until log-end 1 orders-0 = 1\n  \
key log-end 1 orders-0 = 1\n\
beat two\n  title en: Two\n  predict multi\n  asks en: Which?\n  right en: A\n  right en: B\n  wrong en: C\n  because en: Not C.\n  \
advance 1s\n  key isr orders-0 = [1]\n";

fn read(text: &str) -> Rc<Scenario> {
    Rc::new(parse(text).unwrap_or_else(|e| panic!("{}", e[0])))
}

#[test]
fn a_question_reads_and_prints_the_same() {
    let scenario = read(SCENE);
    let printed = print(&scenario);
    assert_eq!(parse(&printed).as_ref(), Ok(&*scenario), "{printed}");
    let q = scenario.beats[0].question.as_ref().unwrap();
    assert!(matches!(&q.kind, Kind::Gap(p) if &*p.topic == "orders"));
    assert_eq!(q.right(), Some(1));
    let multi = scenario.beats[1].question.as_ref().unwrap();
    let right: Vec<bool> = multi.options.iter().map(|o| o.right).collect();
    assert_eq!(right, [true, true, false]);
}

#[test]
fn what_a_question_lacks_is_told() {
    for (without, said) in [
        (
            "  asks ru: Где?\n  asks en: Where?\n",
            "There is no asks line in the question (predict).",
        ),
        (
            "  because en: No.\n",
            "There is no because line in the question (predict).",
        ),
        (
            "  key log-end 1 orders-0 = 1\n",
            "There is no key line in the question (predict).",
        ),
        (
            "  right en: A\n  right en: B\n",
            "There is no right line in the question (predict).",
        ),
    ] {
        let text = SCENE.replace(without, "");
        assert_ne!(text, SCENE);
        let errors: Vec<String> = parse(&text)
            .unwrap_err()
            .iter()
            .map(|e| e.problem.english())
            .collect();
        assert_eq!(errors, [said]);
    }
    let same = parse(&SCENE.replace("wrong 3", "wrong 1")).unwrap_err();
    assert_eq!(
        same[0].problem.english(),
        "wrong 1: by its key this is the right answer."
    );
    let twice = parse(&SCENE.replace("multi", "choice")).unwrap_err();
    assert_eq!(twice[0].problem.english(), "Said a second time: right.");
    let kind = parse(&SCENE.replace("predict multi", "predict many")).unwrap_err();
    assert!(
        kind[0]
            .problem
            .english()
            .contains("Valid: choice, multi, number, gap.")
    );
    let nowhere = parse(&SCENE.replace("setup\n", "setup\n  predict choice\n")).unwrap_err();
    assert_eq!(
        nowhere[0].problem.english(),
        "A predict line cannot stand in the setup block."
    );
}

/// A wrong key fails the scene as a wrong claim does.
#[test]
fn a_key_is_held_against_the_engine() {
    let play = |text: &str| {
        let scenario = read(text);
        let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
        run.seek(run.steps());
        run.failures().to_vec()
    };
    assert_eq!(play(SCENE), []);
    let wrong = play(&SCENE.replace("key log-end 1 orders-0 = 1", "key log-end 1 orders-0 = 2"));
    assert_eq!(wrong.len(), 1);
    assert_eq!((wrong[0].step, wrong[0].at.line), (1, 19));
}

#[test]
fn a_verdict_names_why_the_chosen_answer_is_wrong_and_what_is_right() {
    let scenario = read(SCENE);
    let gap = question(Lang::En, &scenario.beats[0]).unwrap();
    let words: Vec<&str> = gap.options.iter().map(|o| &*o.words).collect();
    assert_eq!(words, ["before 0", "before 1", "before 3"]);
    let ids: Vec<&str> = gap.options.iter().map(|o| &*o.id).collect();
    assert_eq!(ids, ["gap-0", "gap-1", "gap-3"]);
    let wrong = verdict(Lang::En, &gap, &Given::Chosen(vec![2]));
    assert_eq!((wrong.correct, &*wrong.word), (Some(false), "Not so"));
    assert_eq!(wrong.yours.as_deref(), Some("your answer: before 3"));
    assert_eq!(wrong.sentences, ["No.", "The right answer: before 1."]);
    assert_eq!(gap.gap(&Given::Chosen(vec![2])), Some(3));
    let right = verdict(Lang::Ru, &gap, &Given::Chosen(vec![1]));
    assert_eq!((right.correct, &*right.word), (Some(true), "Верно"));
    assert_eq!(right.sentences, [""; 0]);
    let shown = verdict(Lang::En, &gap, &Given::Shown);
    assert_eq!((shown.correct, shown.yours), (None, None));
    assert_eq!(shown.sentences, ["The right answer: before 1."]);
    let multi = question(Lang::En, &scenario.beats[1]).unwrap();
    assert_eq!(multi.correct(&Given::Chosen(vec![0])), Some(false));
    assert_eq!(multi.correct(&Given::Chosen(vec![0, 1])), Some(true));
    assert_eq!(multi.correct(&Given::Chosen(vec![0, 1, 2])), Some(false));
    let told = verdict(Lang::En, &multi, &Given::Chosen(vec![0, 2]));
    assert_eq!(told.sentences, ["Not C.", "The right answer: A; B."]);
}

/// Where a known misconception sits a scene asks first; each wrong answer has its sentence in
/// both languages, and none is too long for the card.
#[test]
fn scenes_ask_in_both_languages_and_keep_to_measure() {
    let mut kinds = vec![];
    let mut scenes = 0;
    for (id, text) in library::SCENES {
        let scenario = read(text);
        let before = kinds.len();
        for (step, beat) in (1..).zip(&scenario.beats) {
            let Some(q) = &beat.question else { continue };
            let place = format!("{id} step {step}");
            let whole = |text: &Text, most: usize| {
                for text in [&text.ru, &text.en] {
                    let length = text.as_ref().map_or(0, |t| t.chars().count());
                    assert!((1..=most).contains(&length), "{place}: {text:?}");
                }
            };
            whole(&q.asks, 140);
            for option in &q.options {
                if option.value.is_none() {
                    whole(&option.text, 60);
                }
                if !option.right {
                    whole(&option.because, 140);
                }
            }
            assert!(
                (3..=5).contains(&question(Lang::Ru, beat).unwrap().options.len()),
                "{place}"
            );
            assert!(
                !q.keys.is_empty(),
                "{place}: nothing holds the key against the engine"
            );
            kinds.push(question(Lang::En, beat).unwrap().kind);
        }
        scenes += usize::from(kinds.len() > before);
    }
    assert!(scenes >= 6, "{scenes}");
    for kind in [
        AskedKind::Choice,
        AskedKind::Multi,
        AskedKind::Number,
        AskedKind::Gap,
    ] {
        assert!(kinds.contains(&kind), "{}", kind.word());
    }
}

const DECISION: &str = "scenario x\ntitle en: X\ncluster brokers=1\nsetup\n  topic orders [1]\n\
beat one\n  title en: One\n  predict choice\n  asks en: What now?\n  right en: Stop\n  price en: Lost 0.\n  \
right en: Go on\n  price en: Lost 2.\n  wrong en: Look away\n  because en: No.\n  price en: Lost 8.\n  \
advance 1s\n  key isr orders-0 = [1]\n";

/// Of a decision several answers may do, and every price is shown, whatever was chosen.
#[test]
fn a_decision_says_what_each_choice_costs() {
    let scenario = read(DECISION);
    assert_eq!(parse(&print(&scenario)).as_ref(), Ok(&*scenario));
    let asked = question(Lang::En, &scenario.beats[0]).unwrap();
    for (given, correct, sentences) in [
        (Given::Chosen(vec![0]), Some(true), vec![]),
        (Given::Chosen(vec![1]), Some(true), vec![]),
        (
            Given::Chosen(vec![2]),
            Some(false),
            vec!["No.", "These would do: Stop; Go on."],
        ),
        (Given::Shown, None, vec!["These would do: Stop; Go on."]),
    ] {
        let told = verdict(Lang::En, &asked, &given);
        assert_eq!(
            (told.correct, told.sentences),
            (correct, sentences.iter().map(ToString::to_string).collect())
        );
        let prices: Vec<&str> = told.prices.iter().map(|p| &*p.price).collect();
        assert_eq!(prices, ["Lost 0.", "Lost 2.", "Lost 8."]);
        let yours: Vec<bool> = told.prices.iter().map(|p| p.yours).collect();
        let chosen = |n: u32| given == Given::Chosen(vec![n]);
        assert_eq!(yours, [0, 1, 2].map(chosen));
    }
    let without = parse(&DECISION.replace("  price en: Lost 2.\n", "")).unwrap_err();
    assert_eq!(
        without[0].problem.english(),
        "There is no price line in the question (predict)."
    );
    let none = DECISION.lines().filter(|l| !l.contains("price"));
    let none = parse(&none.collect::<Vec<_>>().join("\n")).unwrap_err();
    assert_eq!(none[0].problem.english(), "Said a second time: right.");
}

/// The figures of the prices are those the engine comes to (R-RST-4): of the records 2 to 9 that
/// the checkpoint still needs, what each reader was never given; of 0 and 1, what came again.
#[test]
fn the_prices_of_deleted_history_are_what_the_readers_lost() {
    let (_, text) = library::SCENES
        .iter()
        .find(|(id, _)| *id == "deleted-history")
        .expect("O13");
    let scenario = read(text);
    let at = scenario.beats.iter().position(|b| b.question.is_some());
    let at = at.expect("the choice comes before its price");
    let first = scenario
        .beats
        .iter()
        .position(|b| b.mark.as_deref() == Some("first-way"));
    assert_eq!(Some(at), first);
    let mut run = Run::new(scenario.clone(), World::new(scenario.cluster.setup()));
    run.seek(run.steps());
    assert_eq!(run.failures(), []);
    let picture = run.picture(0).unwrap();
    let tp = picture.partitions[0].tp;
    let cost = |client: &str| {
        let of = picture
            .clients
            .iter()
            .find(|c| &*c.name == client)
            .expect(client);
        let ClientKind::Consumer { received, .. } = &of.kind else {
            panic!("{client} reads");
        };
        let has = |n: i64| received.iter().any(|r| r.0 == tp && r.1.0 == n);
        let lost = (2..10).filter(|n| !has(*n)).count();
        let repeated = (0..2).filter(|n| has(*n)).count();
        (lost, repeated)
    };
    // By option: what stops and waits loses nothing; the others as their readers have it.
    let costs = [(0, 0), cost("report"), cost("other"), cost("last")];
    assert_eq!(costs, [(0, 0), (2, 0), (2, 0), (8, 0)]);
    for lang in Lang::ALL {
        let asked = question(lang, &scenario.beats[at]).unwrap();
        for (option, (lost, repeated)) in asked.options.iter().zip(costs) {
            let said = match lang {
                Lang::Ru => format!("Потеряно {lost}, повторено {repeated}. "),
                Lang::En => format!("Lost {lost}, repeated {repeated}"),
            };
            assert!(option.price.starts_with(&said), "{}", option.price);
        }
    }
}
