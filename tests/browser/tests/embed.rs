//! The page inside another page: its manners, its height, and how its author sets it up.

use highwater_browser_tests::lesson::{ask, connected, inside, lesson, started};
use highwater_browser_tests::{with_broken_page, with_page};
use serde_json::{Value, json};

const SCENE: &str = "scenario=acks1-loss&lang=en&start=load";

#[test]
fn a_frame_shows_the_scene_and_nothing_of_the_site() {
    with_page(async |page| {
        lesson(page, &[(SCENE, "width=960 height=700")]).await;
        started(page, 0).await;
        for gone in [".top", ".onward", ".gal", "[autofocus]"] {
            let found = inside(0, &format!("document.querySelector('{gone}')"));
            assert_eq!(page.eval(&found).await, Value::Null, "{gone}");
        }
        let away = page
            .text(&inside(0, "document.querySelector('a.away').href"))
            .await;
        assert!(away.contains("?scenario=acks1-loss&step=0"), "{away}");
        assert!(!away.contains("start="), "{away}");
    });
}

#[test]
fn a_frame_with_nothing_but_scripts_allowed_runs_and_talks() {
    with_page(async |page| {
        lesson(
            page,
            &[(SCENE, "sandbox='allow-scripts' width=960 height=700")],
        )
        .await;
        page.until("it says hello", "host.link(0).hello").await;
        let origin = "host.all.find(m => m.data.type === 'hello').origin";
        assert_eq!(page.text(origin).await, "null");
        page.eval("host.offer(0)").await;
        page.until("it is ready", "host.events(0, 'ready').length === 1")
            .await;
        let answer = ask(page, "next", json!({})).await;
        assert_eq!(answer["result"], json!({"step": 1}));
        page.until("the step is told", "host.events(0, 'step').length === 1")
            .await;
    });
}

/// Six frames: the lesson stays where it is, and so does the focus; arrows move one of them.
#[test]
fn frames_leave_the_lesson_alone_and_arrows_move_one() {
    with_page(async |page| {
        let frames = [(SCENE, "width=720 height=480"); 6];
        lesson(page, &frames).await;
        page.eval(
            "document.body.prepend(Object.assign(document.createElement('input'), {id: 'own'}))",
        )
        .await;
        page.eval("document.querySelector('#own').focus()").await;
        for at in 0..6 {
            started(page, at).await;
        }
        assert_eq!(
            page.text("[document.activeElement.id, scrollY].join(' ')")
                .await,
            "own 0"
        );
        for at in 0..6 {
            let active = inside(at, "document.activeElement.tagName");
            assert_eq!(page.text(&active).await, "BODY");
        }
        page.eval(&inside(1, "document.querySelector('.stage').focus()"))
            .await;
        page.press("ArrowRight", "ArrowRight").await;
        page.until("one has moved", &inside(1, "hw.step() === 1"))
            .await;
        for at in [0, 2, 3, 4, 5] {
            assert_eq!(page.eval(&inside(at, "hw.step()")).await, json!(0), "{at}");
        }
    });
}

/// Height depends on scene, width and language, never on the step.
#[test]
fn the_height_is_the_same_at_every_step() {
    with_page(async |page| {
        for width in [960, 720, 360] {
            for (scene, langs) in [
                ("acks1-loss", &["ru", "en"][..]),
                ("overview", &["ru"]),
                ("compare-acks", &["ru"]),
            ] {
                for lang in langs {
                    let query = format!("scenario={scene}&lang={lang}&start=load&motion=none");
                    let attributes = format!("width={width} height=900");
                    lesson(page, &[(&query, &attributes)]).await;
                    started(page, 0).await;
                    let heights = page
                        .eval(
                            "(async () => {
                                const w = host.frames()[0].contentWindow;
                                const frame = () => new Promise(w.requestAnimationFrame);
                                const heights = {};
                                for (let i = 0; i < 5; i++) await frame();
                                for (let step = 0; step <= w.hw.last(); step++) {
                                    w.hw.go(step);
                                    do { await frame(); } while (w.hw.step() !== step);
                                    await frame();
                                    const h = Math.ceil(w.document.getElementById('app').getBoundingClientRect().height);
                                    (heights[h] ??= []).push(step);
                                }
                                return heights;
                            })()",
                        )
                        .await;
                    let count = heights.as_object().map_or(0, |h| h.len());
                    assert_eq!(count, 1, "{scene} {lang} at {width}: {heights}");
                }
            }
        }
    });
}

#[test]
fn the_host_hears_of_the_height_once_a_width() {
    with_page(async |page| {
        lesson(
            page,
            &[(&format!("{SCENE}&id=mine"), "width=960 height=700")],
        )
        .await;
        page.until(
            "the height is told in both forms",
            "host.all.some(m => m.data.type === 'size') && host.all.some(m => m.data.subject === 'lti.frameResize')",
        )
        .await;
        let size = page
            .eval("host.all.find(m => m.data.type === 'size').data")
            .await;
        assert_eq!(
            (&size["highwater"], &size["id"]),
            (&json!(1), &json!("mine"))
        );
        let real = inside(
            0,
            "document.getElementById('app').getBoundingClientRect().height",
        );
        let told = size["height"].as_f64().unwrap_or_default();
        let real = page.eval(&real).await.as_f64().unwrap_or_default();
        assert!((told - real).abs() < 2.0, "{told} {real}");

        // Steps tell nothing more; another width does.
        let count = "host.all.filter(m => m.data.type === 'size').length";
        let before = page.eval(count).await.as_u64().unwrap_or_default();
        for step in 1..4 {
            page.eval(&inside(0, &format!("hw.go({step})"))).await;
            page.until(
                "the step is there",
                &inside(0, &format!("hw.step() === {step}")),
            )
            .await;
        }
        page.eval("host.frames()[0].width = 360").await;
        page.until("the new height is told", &format!("{count} > {before}"))
            .await;
        let heights = page
            .eval("host.all.filter(m => m.data.type === 'size').map(m => m.data.height)")
            .await;
        let heights = heights.as_array().cloned().unwrap_or_default();
        assert!(heights.len() <= before as usize + 2, "{heights:?}");
    });
}

#[test]
fn a_scene_begins_when_it_is_asked_for() {
    with_page(async |page| {
        let scene = "scenario=acks1-loss&lang=en";
        lesson(
            page,
            &[(&format!("{scene}&start=click"), "width=960 height=700")],
        )
        .await;
        let button = "document.querySelector('.gate button')";
        page.until("there is a button", &inside(0, button)).await;
        page.until("it says hello", "host.link(0).hello").await;
        page.eval("host.offer(0)").await;
        let early = ask(page, "next", json!({})).await;
        assert_eq!(early["error"]["code"], "not-ready");
        page.eval(&inside(0, &format!("{button}.click()"))).await;
        started(page, 0).await;
        page.until("it is ready", "host.events(0, 'ready').length === 1")
            .await;

        // Below the fold nothing begins until it is seen.
        page.eval("document.body.style.paddingTop = '3000px'").await;
        page.eval(&format!(
            "document.body.append(Object.assign(document.createElement('iframe'), \
             {{width: 960, height: 600, src: '{}?{scene}'}}))",
            page.server.app()
        ))
        .await;
        page.until("it waits", &inside(1, "document.querySelector('.gate')"))
            .await;
        assert_eq!(
            page.eval(&inside(1, "document.querySelector('.stage')"))
                .await,
            Value::Null
        );
        page.eval("host.frames()[1].scrollIntoView()").await;
        started(page, 1).await;
    });
}

#[test]
fn an_author_bounds_hides_and_locks() {
    with_page(async |page| {
        let query = format!(
            "{SCENE}&from=2&to=4&step=9&hide=title,timeline,config&controls=compact&lock=1"
        );
        lesson(page, &[(&query, "width=960 height=700")]).await;
        started(page, 0).await;
        assert_eq!(page.eval(&inside(0, "hw.step()")).await, json!(4));
        let note = page
            .text(&inside(0, "document.querySelector('.note').innerText"))
            .await;
        assert!(note.contains("2…4"), "{note}");
        page.eval(&inside(0, "document.querySelector('.bar .back').click()"))
            .await;
        page.until("one back", &inside(0, "hw.step() === 3")).await;
        page.eval(&inside(0, "hw.go(2)")).await;
        page.until(
            "at its beginning",
            &inside(
                0,
                "document.querySelector('.bar .back').ariaDisabled === 'true'",
            ),
        )
        .await;
        for hidden in [".track", ".chips .chip:first-child", ".bar .share"] {
            let seen = inside(
                0,
                &format!("document.querySelector('{hidden}').checkVisibility()"),
            );
            assert_eq!(page.eval(&seen).await, json!(false), "{hidden}");
        }
    });
}

#[test]
fn a_strict_address_stops_the_scene() {
    with_page(async |page| {
        page.goto(&format!(
            "{}?scenario=acks1-loss&lang=en&speed=fast&strict=1",
            page.server.app()
        ))
        .await;
        page.until("the card is there", "document.querySelector('.fatal')")
            .await;
        let text = page
            .text("document.querySelector('.fatal').innerText")
            .await;
        assert!(text.contains("speed=fast"), "{text}");
        assert_eq!(
            page.eval("document.querySelector('.stage')").await,
            Value::Null
        );
    });
}

/// The program's own fault: the browser is made to refuse one change of the document, which the
/// page's library takes for impossible.
#[test]
fn a_fault_of_the_program_is_said_with_a_link_and_a_way_on() {
    with_broken_page(async |page| {
        connected(page, SCENE).await;
        ask(page, "next", json!({})).await;
        page.until(
            "the address is written",
            &inside(0, "location.search.includes('step=1')"),
        )
        .await;
        page.eval(
            "(w => { const of = w.Node.prototype, insert = of.insertBefore;
               of.insertBefore = function () { of.insertBefore = insert; throw new w.Error('refused'); };
             })(host.frames()[0].contentWindow)",
        )
        .await;
        for cmd in ["next", "last", "first"] {
            page.eval(&format!(
                "host.link(0).last.postMessage({{highwater: 1, rid: 'p', cmd: '{cmd}'}})"
            ))
            .await;
        }
        page.until(
            "the fault is said",
            &inside(0, "document.querySelector('.fatal')"),
        )
        .await;
        let text = page
            .text(&inside(0, "document.querySelector('.fatal').innerText"))
            .await;
        assert!(text.contains("?scenario=acks1-loss&step="), "{text}");
        page.until(
            "the host is told",
            "host.events(0, 'error').some(e => e.data.code === 'panic')",
        )
        .await;
        page.eval(&inside(0, "document.querySelector('.fatal a').click()"))
            .await;
        page.until(
            "the step is open again",
            &inside(
                0,
                "document.querySelector('#app .bar button') && !document.querySelector('.fatal')",
            ),
        )
        .await;
    });
}
