//! What course platforms keep of a scene: SCORM 1.2 by the adapter of a package, xAPI by the
//! mapper. The platform is a mock; the scene is the small page that speaks the protocol.

use highwater_browser_tests::{Page, built, with_page};
use serde_json::{Value, json};

fn serve(page: &Page) {
    let script = |name: &str| {
        std::fs::read_to_string(built().join("v1").join(name)).expect("the built app has it")
    };
    let server = &page.server;
    server.add_page("/mock/index.html", include_str!("../src/frame.html"));
    server.add_page("/mock/scorm12.js", &script("scorm12.js"));
    for name in ["highwater-embed.js", "highwater-xapi.js"] {
        server.add_page(&format!("/mock/v1/{name}"), &script(name));
    }
    let launch = include_str!("../../../static/scorm/launch.html")
        .replace("{lang}", "en")
        .replace("{title}", "T")
        .replace("{src}", "index.html?scenario=s&amp;lang=en&amp;hide=share");
    server.add_page("/mock/launch.html", &launch);
    server.add_page("/mock/launch.css", "iframe{width:600px;height:400px}");
}

/// A platform that keeps what it is told, and every call in order.
async fn platform(page: &Page, kept: Value) {
    let html = format!(
        "<!doctype html><title>LMS</title><link rel=icon href='data:,'><script>
        kept = {kept}; calls = [];
        API = {{
          LMSInitialize: () => (calls.push('init'), 'true'),
          LMSGetValue: name => kept[name] ?? '',
          LMSSetValue: (name, value) => (kept[name] = value, 'true'),
          LMSCommit: () => (calls.push('commit'), 'true'),
          LMSFinish: () => (calls.push('finish'), 'true'),
        }};
        </script><iframe src=/mock/launch.html width=700 height=500></iframe>"
    );
    page.server.add_page("/lms.html", &html);
    page.goto(&format!("{}/lms.html", page.server.origin()))
        .await;
}

/// Does something in the scene, two frames deep.
async fn inside(page: &Page, deed: &str) {
    page.enter_frame().await;
    page.until(
        "the scene is opened",
        "document.querySelector('iframe')?.src",
    )
    .await;
    page.enter_frame().await;
    page.until("the scene is connected", "typeof port === 'object'")
        .await;
    page.eval(&format!("({deed}, 0)")).await;
    page.leave_frame().await;
    page.leave_frame().await;
}

#[test]
fn a_package_tells_the_platform_step_state_answers_completion_and_time() {
    with_page(async |page| {
        serve(page);
        platform(page, json!({"cmi.interactions._count": "2"})).await;
        inside(page, "go(4)").await;
        page.until("the state is kept", "kept['cmi.suspend_data']")
            .await;
        assert_eq!(page.text("kept['cmi.core.lesson_location']").await, "4");
        assert_eq!(
            page.text("kept['cmi.core.lesson_status']").await,
            "incomplete"
        );
        let state = page.text("kept['cmi.suspend_data']").await;
        assert!(
            state.starts_with("?scenario=s&") && state.contains("step=4"),
            "{state}"
        );
        assert!(state.ends_with("#k1.abc"), "{state}");

        inside(page, "act('answer')").await;
        page.until("the answer is kept", "kept['cmi.interactions.2.id']")
            .await;
        for (name, value) in [
            ("id", "where"),
            ("type", "choice"),
            ("student_response", "5"),
            ("result", "wrong"),
            ("latency", "0000:00:02.35"),
        ] {
            let told = format!("kept['cmi.interactions.2.{name}']");
            assert_eq!(page.text(&told).await, value, "{name}");
        }
        inside(page, "act('completed')").await;
        page.until(
            "it is completed",
            "kept['cmi.core.lesson_status'] === 'completed'",
        )
        .await;
        assert_eq!(page.text("kept['cmi.core.score.raw']").await, "50");
        // Leaving the page ends the session, once.
        page.eval("(document.querySelector('iframe').src = 'about:blank', 0)")
            .await;
        page.until("the session is over", "calls.at(-1) === 'finish'")
            .await;
        assert_eq!(
            page.eval("calls.filter(c => c === 'finish').length").await,
            json!(1)
        );
        assert_eq!(page.text("calls[0]").await, "init");
        let time = "/^\\d{4}:\\d\\d:\\d\\d\\.\\d\\d$/.test(kept['cmi.core.session_time'])";
        assert_eq!(page.eval(time).await, json!(true));
    });
}

#[test]
fn a_package_goes_on_where_the_learner_was_and_runs_without_a_platform() {
    with_page(async |page| {
        serve(page);
        let kept = json!({
            "cmi.core.lesson_location": "7",
            "cmi.suspend_data": "?scenario=s&lang=en&step=6#k1.abc",
            "cmi.core.lesson_status": "completed",
        });
        platform(page, kept).await;
        inside(page, "0").await;
        page.enter_frame().await;
        let address = page.text("document.querySelector('iframe').src").await;
        page.leave_frame().await;
        assert!(
            address.contains("step=7") && address.ends_with("#k1.abc"),
            "{address}"
        );
        assert!(address.contains("hide=share"), "{address}");
        // What is completed stays completed.
        assert_eq!(
            page.text("kept['cmi.core.lesson_status']").await,
            "completed"
        );

        page.goto(&format!("{}/mock/launch.html", page.server.origin()))
            .await;
        page.until(
            "the scene is opened",
            "document.querySelector('iframe')?.src",
        )
        .await;
        page.enter_frame().await;
        page.until("the scene is connected", "typeof port === 'object'")
            .await;
        page.leave_frame().await;
    });
}

#[test]
fn statements_have_no_actor_and_the_forms_of_xapi() {
    with_page(async |page| {
        serve(page);
        let html = "<!doctype html><title>Lesson</title><link rel=icon href='data:,'>\
            <script type=module src=/mock/v1/highwater-embed.js></script>\
            <high-water scenario=s start=load></high-water>\
            <script type=module>
              import { statements } from '/mock/v1/highwater-xapi.js';
              window.sent = [];
              window.stop = statements(document.querySelector('high-water'), { id: 'https://school.example/7' }, s => sent.push(s));
            </script>";
        page.server.add_page("/lesson.html", html);
        page.goto(&format!("{}/lesson.html", page.server.origin()))
            .await;
        page.until("it has begun", "window.sent?.length").await;
        for what in ["progress", "answer", "completed"] {
            page.eval(&format!(
                "(document.querySelector('high-water').announce('{what}'), 0)"
            ))
            .await;
        }
        page.until("all are told", "sent.length === 4").await;
        let sent = page.eval("sent").await;
        let verbs: Vec<&str> = (0..4)
            .filter_map(|n| sent[n]["verb"]["id"].as_str()?.rsplit('/').next())
            .collect();
        assert_eq!(verbs, ["attempted", "progressed", "answered", "completed"]);
        let told = sent.to_string();
        assert!(!told.contains("actor") && !told.contains("mbox"), "{told}");
        assert_eq!(sent[2]["result"]["response"], "gap-5");
        assert_eq!(sent[2]["result"]["success"], false);
        assert_eq!(sent[2]["result"]["duration"], "PT2.35S");
        assert_eq!(sent[2]["object"]["id"], "https://school.example/7#where");
        assert_eq!(sent[2]["object"]["definition"]["interactionType"], "choice");
        assert_eq!(sent[3]["result"]["score"]["scaled"], 0.5);
        assert_eq!(sent[3]["result"]["duration"], "PT61.23S");
        // Told to stop, it says no more.
        page.eval("(stop(), document.querySelector('high-water').announce('answer'), 0)")
            .await;
        page.eval("document.querySelector('high-water').getInfo().then(() => 0)")
            .await;
        assert_eq!(page.eval("sent.length").await, json!(4));
    });
}
