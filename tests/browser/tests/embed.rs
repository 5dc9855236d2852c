//! The page inside another page: manners, height, and the messages between the two.

use highwater_browser_tests::{Page, with_broken_page, with_page};
use serde_json::{Value, json};

const SCENE: &str = "scenario=acks1-loss&lang=en&start=load";

/// Opens a lesson with frames, each a query and a tag's attributes.
async fn lesson(page: &Page, frames: &[(&str, &str)]) {
    let tags: String = frames
        .iter()
        .map(|(query, attributes)| {
            let app = page.server.app();
            format!("<iframe {attributes} src='{app}?{query}'></iframe>")
        })
        .collect();
    let html = format!(
        "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
         <script>{}</script><p>Above</p>{tags}<p>Below</p>",
        include_str!("host.js")
    );
    page.server.add_page("/lesson.html", &html);
    page.goto(&format!("{}/lesson.html", page.server.origin()))
        .await;
}

/// The same, and connects with the first frame.
async fn connected(page: &Page, query: &str) {
    lesson(page, &[(query, "width=960 height=700")]).await;
    page.until("the frame says hello", "host.link(0).hello")
        .await;
    page.eval("host.offer(0)").await;
    page.until("it is ready", "host.events(0, 'ready').length === 1")
        .await;
}

/// Asks the first frame, and waits for its answer.
async fn ask(page: &Page, cmd: &str, args: Value) -> Value {
    page.eval(&format!("host.ask(0, '{cmd}', {args})")).await
}

/// A JavaScript expression inside a frame of the same origin.
fn inside(at: usize, expression: &str) -> String {
    format!("(({{ document, hw, location }}) => ({expression}))(host.frames()[{at}].contentWindow)")
}

async fn started(page: &Page, at: usize) {
    let ready = inside(at, "document.querySelector('#app .bar button')");
    page.until("the frame has started", &ready).await;
}

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
fn every_command_is_carried_out() {
    with_page(async |page| {
        connected(page, SCENE).await;
        let info = page.eval("host.events(0, 'ready')[0].data").await;
        assert_eq!(info["scenario"], "acks1-loss");
        let last = info["steps"].as_u64().unwrap_or_default();

        for (cmd, args, wanted) in [
            ("next", json!({}), json!({"step": 1})),
            ("next", json!({}), json!({"step": 2})),
            ("back", json!({}), json!({"step": 1})),
            ("last", json!({}), json!({"step": last})),
            ("first", json!({}), json!({"step": 0})),
            ("back", json!({}), json!({"step": 0})),
            ("seek", json!({"step": 3}), json!({"step": 3})),
            (
                "seek",
                json!({"step": 999, "animate": false}),
                json!({"step": last, "clamped": true}),
            ),
            ("setLang", json!({"lang": "ru"}), json!({"lang": "ru"})),
            (
                "setMotion",
                json!({"motion": "none"}),
                json!({"motion": "none"}),
            ),
            (
                "setTheme",
                json!({"theme": "dark"}),
                json!({"theme": "dark", "rejected": []}),
            ),
            ("announce", json!({"text": "Look here"}), json!({})),
            (
                "load",
                json!({"scenario": "first-write", "step": 2}),
                json!({"scenario": "first-write", "step": 2}),
            ),
        ] {
            let answer = ask(page, cmd, args.clone()).await;
            assert_eq!(answer["result"], wanted, "{cmd} {args}: {answer}");
        }
        let root = inside(0, "document.documentElement");
        for (what, condition) in [
            ("the language", format!("{root}.lang === 'ru'")),
            ("the theme", format!("{root}.dataset.theme === 'dark'")),
            ("the motion", format!("{root}.dataset.motion === 'none'")),
            ("the scene", inside(0, "hw.step() === 2")),
        ] {
            page.until(what, &condition).await;
        }
        let said = "[...document.querySelectorAll('[aria-live]')].some(e => e.textContent === 'Look here')";
        let said = inside(0, said);
        page.until("it is said", &said).await;

        let link = ask(page, "getPermalink", json!({})).await;
        let url = link["result"]["url"]
            .as_str()
            .unwrap_or_default()
            .to_string();
        assert!(
            url.contains("?scenario=first-write&step=2&lang=ru&theme=dark&motion=none"),
            "{url}"
        );
        assert_eq!(link["result"]["length"], json!(url.len()));
        let state = ask(page, "getState", json!({})).await;
        assert_eq!(state["result"]["schema"], json!(1));
        assert!(
            state["result"]["facts"]
                .as_object()
                .is_some_and(|f| f.len() > 20)
        );
        let md = ask(page, "export", json!({"format": "md"})).await;
        assert!(
            md["result"]["data"]
                .as_str()
                .is_some_and(|t| t.starts_with("# ")),
            "{md}"
        );

        page.eval("host.ask(0, 'setMotion', {motion: 'full'})")
            .await;
        let play = ask(page, "play", json!({"rate": 2})).await;
        assert_eq!(play["result"], json!({"step": 3, "playing": true}));
        page.until("it plays", &inside(0, "hw.step() === 3")).await;
        let pause = ask(page, "pause", json!({})).await;
        assert_eq!(pause["result"]["playing"], json!(false));

        let ended = ask(page, "destroy", json!({})).await;
        assert_eq!(ended["ok"], json!(true));
        page.until(
            "the scene is gone",
            &inside(0, "document.querySelector('.scene') === null"),
        )
        .await;
    });
}

#[test]
fn every_event_is_told_in_order() {
    with_page(async |page| {
        connected(page, SCENE).await;
        ask(page, "next", json!({})).await;
        page.until(
            "it has come to rest",
            "host.events(0, 'settled').length === 1",
        )
        .await;
        page.eval(&inside(0, "hw.button('Next').click()")).await;
        page.until(
            "the second step is told",
            "host.events(0, 'step').length === 2",
        )
        .await;
        page.eval(&inside(0, "hw.button('Back').click()")).await;
        page.until(
            "the third step is told",
            "host.events(0, 'step').length === 3",
        )
        .await;
        page.eval(&inside(0, "hw.button('Last step').click()"))
            .await;
        page.until(
            "the end is told",
            "host.events(0, 'completed').length === 1",
        )
        .await;
        let steps = page
            .eval("host.events(0, 'step').map(e => [e.data.step, e.data.cause])")
            .await;
        let last = page.eval(&inside(0, "hw.last()")).await;
        assert_eq!(
            steps,
            json!([[1, "host"], [2, "next"], [1, "back"], [last, "seek"]])
        );
        let first = page.eval("host.events(0, 'step')[0].data").await;
        assert!(
            first["changes"].as_array().is_some_and(|c| !c.is_empty()),
            "{first}"
        );
        assert!(
            first["what"].as_str().is_some_and(|w| !w.is_empty()),
            "{first}"
        );
        let seq = page.eval("host.events(0).map((e, i) => e.seq - i)").await;
        assert!(
            seq.as_array()
                .is_some_and(|s| s.iter().all(|n| *n == json!(1))),
            "{seq}"
        );
        assert!(page.eval("host.events(0, 'progress').length > 0").await == json!(true));
    });
}

/// Who is not the host, or does not know the nonce, is not heard, and is named in the console.
#[test]
fn a_stranger_is_not_connected() {
    with_page(async |page| {
        lesson(
            page,
            &[
                (SCENE, "width=960 height=700"),
                (
                    "scenario=overview&lang=en&start=load",
                    "width=960 height=700",
                ),
            ],
        )
        .await;
        page.until("both say hello", "host.link(0).hello && host.link(1).hello")
            .await;
        started(page, 0).await;
        started(page, 1).await;
        page.eval("host.offer(0, {nonce: 'f'.repeat(32)})").await;
        page.eval("host.offer(0, {v: 2})").await;
        page.eval("host.offer(0, {}, 0)").await;
        page.eval("host.offer(0, {}, 2)").await;
        page.eval(
            "(() => { const frame = document.createElement('iframe');
               frame.srcdoc = `<script>parent.frames[0].postMessage({highwater: 1, type: 'connect', v: 1,
                 nonce: '${host.link(0).hello.nonce}'}, '*', [new MessageChannel().port2]); parent.done = true</script>`;
               document.body.append(frame); })()",
        )
        .await;
        page.until("the stranger has spoken", "window.done").await;
        let mut named = String::new();
        while !["wrong-nonce", "bad-args", "wrong-window"]
            .iter()
            .all(|w| named.contains(w))
        {
            for entry in page.log("browser").await {
                named += &entry["message"].to_string();
            }
            page.until("the page is there", "document.body").await;
        }
        assert_eq!(page.eval("host.events(0).length").await, json!(0));
        assert_eq!(page.eval(&inside(0, "hw.step()")).await, json!(0));
        // The host itself still can.
        page.eval("host.offer(0)").await;
        page.until(
            "the host is connected",
            "host.events(0, 'ready').length === 1",
        )
        .await;
    });
}

#[test]
fn only_the_named_origin_hears_and_speaks() {
    with_page(async |page| {
        let own = page.server.origin();
        lesson(
            page,
            &[
                (&format!("{SCENE}&origin={own}"), "width=960 height=700"),
                (
                    &format!("{SCENE}&origin=https://lms.example.org"),
                    "width=960 height=700",
                ),
                (&format!("{SCENE}&origin=nonsense"), "width=960 height=700"),
            ],
        )
        .await;
        page.until("the first says hello", "host.link(0).hello")
            .await;
        page.eval("host.offer(0)").await;
        page.until("it is connected", "host.events(0, 'ready').length === 1")
            .await;
        for at in [1, 2] {
            started(page, at).await;
            page.eval(&format!(
                "host.offer({at}, {{nonce: host.link(0).hello.nonce}})"
            ))
            .await;
        }
        // Messages keep their order: what was sent before this has been heard.
        ask(page, "getInfo", json!({})).await;
        let heard = page
            .eval("host.all.filter(m => m.at > 0 && m.data.type === 'hello').length")
            .await;
        assert_eq!(heard, json!(0));
        assert_eq!(
            page.eval("host.events(1).length + host.events(2).length")
                .await,
            json!(0)
        );
        // A browser remarks on a message whose receiver has another origin.
        page.log("browser").await;
    });
}

#[test]
fn what_is_asked_wrongly_is_refused_by_name_and_changes_nothing() {
    with_page(async |page| {
        connected(page, SCENE).await;
        let code =
            async |cmd: &str, args: Value| ask(page, cmd, args).await["error"]["code"].clone();
        assert_eq!(code("explode", json!({})).await, "unknown-cmd");
        assert_eq!(code("seek", json!({"step": "<b>"})).await, "bad-args");
        assert_eq!(
            code("seek", json!({"marker": "nowhere"})).await,
            "out-of-range"
        );
        assert_eq!(
            code("load", json!({"scenario": "nowhere"})).await,
            "out-of-range"
        );
        assert_eq!(
            code("load", json!({"scenario": "https://example.org/x"})).await,
            "bad-args"
        );
        assert_eq!(code("ask", json!({"question": "q"})).await, "bad-args");
        assert_eq!(code("reveal", json!({"question": "q"})).await, "bad-args");
        for raw in [
            "5",
            "'x'",
            "null",
            "{}",
            "{highwater: 1, cmd: 'next'}",
            "[1, 2]",
        ] {
            let answer = page.eval(&format!("host.raw(0, {raw})")).await;
            assert_eq!(answer["error"]["code"], "bad-args", "{raw}");
        }
        let long = "{highwater: 1, rid: 'x', cmd: 'next', args: {a: 'x'.repeat(20000)}}";
        let answer = page.eval(&format!("host.raw(0, {long}, 'x')")).await;
        assert_eq!(answer["error"]["code"], "too-many");

        // A second later: twenty are answered, the rest refused.
        page.until(
            "a second has passed",
            "(window.since ??= performance.now(), performance.now() - since > 1100)",
        )
        .await;
        let codes = page
            .eval(
                "Promise.all(Array.from({length: 30}, () => host.ask(0, 'getInfo')))
                   .then(all => all.map(a => a.ok ? 'ok' : a.error.code))",
            )
            .await;
        let codes = codes.as_array().cloned().unwrap_or_default();
        let count = |word: &str| codes.iter().filter(|c| **c == json!(word)).count();
        assert_eq!((count("ok"), count("too-many")), (20, 10));
        assert_eq!(page.eval(&inside(0, "hw.step()")).await, json!(0));
        assert_eq!(page.eval("host.events(0, 'step').length").await, json!(0));
    });
}

#[test]
fn a_colour_that_cannot_be_read_is_refused() {
    with_page(async |page| {
        connected(page, &format!("{SCENE}&theme=light")).await;
        let answer = ask(
            page,
            "setTheme",
            json!({"tokens": {"text": "#aaaaaa", "radius": 2}}),
        )
        .await;
        assert_eq!(answer["result"]["rejected"], json!(["text"]));
        page.until(
            "the host is warned",
            "host.events(0, 'warning').length === 1",
        )
        .await;
        let warning = page.eval("host.events(0, 'warning')[0].data").await;
        assert_eq!(
            (&warning["code"], &warning["param"]),
            (&json!("bad-token"), &json!("text"))
        );
        let answer = ask(
            page,
            "setTheme",
            json!({"tokens": {"bg": "url(//x)", "style": "x"}}),
        )
        .await;
        assert_eq!(answer["result"]["rejected"], json!(["bg", "style"]));
        let answer = ask(
            page,
            "setTheme",
            json!({"tokens": {"bg": "#fffaf0", "text": "#000", "font-scale": 1.2}}),
        )
        .await;
        assert_eq!(answer["result"]["rejected"], json!([]));
        let ground = "(w => w.getComputedStyle(w.document.body).backgroundColor)(host.frames()[0].contentWindow)";
        page.until(
            "the ground is the host's",
            &format!("{ground} === 'rgb(255, 250, 240)'"),
        )
        .await;
        assert_eq!(page.eval(&inside(0, "hw.faint()")).await, json!([]));
        let styles = inside(0, "document.querySelectorAll('body [style]').length");
        assert_eq!(page.eval(&styles).await, json!(0));
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
