//! The messages between a lesson and a frame: every command, every event, every refusal.

use highwater_browser_tests::lesson::{ask, connected, inside, lesson, started};
use highwater_browser_tests::with_page;
use serde_json::{Value, json};

const SCENE: &str = "scenario=acks1-loss&lang=en&start=load";

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
