//! The published types against what is really said: every command with every kind of argument, every
//! event, both answers, checked by the TypeScript compiler.

use highwater_browser_tests::lesson::{inside, lesson};
use highwater_browser_tests::{Page, with_page};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const TYPES: &str = include_str!("../../../static/v1/highwater-embed.d.ts");
/// A scene with a question, and one of its steps is named.
const SCENE: &str = "scenario=acks1-loss&lang=en&start=load&motion=none&colour=red";

/// The names of an interface's members in the published types.
fn members(interface: &str) -> Vec<&'static str> {
    let (_, body) = TYPES
        .split_once(&format!("export interface {interface} {{\n"))
        .expect("the interface is published");
    let (body, _) = body.split_once("\n}").expect("it ends");
    let own = body
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    own.filter_map(|l| l.trim().split_once(':'))
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(char::is_alphanumeric))
        .collect()
}

/// Opens a lesson with one frame, connects with it, and waits for whether there is a scene.
async fn connected(page: &Page, query: &str) {
    lesson(page, &[(query, "width=960 height=700")]).await;
    page.until("the frame says hello", "host.link(0).hello")
        .await;
    page.eval("host.offer(0)").await;
    page.until(
        "it answers",
        "host.events(0, 'ready').length + host.events(0, 'error').length > 0",
    )
    .await;
}

/// One value as TypeScript; what JSON cannot say stands in it as its own words.
fn literal(value: &Value) -> String {
    value.to_string().replace("\"(a Blob)\"", "new Blob()")
}

/// What was said so far, as lines that compile if the published types are right.
async fn heard(page: &Page, asked: &mut Vec<String>) {
    let said = page
        .eval("host.all.map(m => m.data).filter(m => m.highwater === 1)")
        .await;
    for message in said.as_array().into_iter().flatten() {
        let name = match message["type"].as_str() {
            Some("hello") => "Hello",
            _ => "Size",
        };
        asked.push(format!("check<T.{name}>({});", literal(message)));
    }
    for event in page
        .eval("host.events(0)")
        .await
        .as_array()
        .into_iter()
        .flatten()
    {
        asked.push(format!("check<T.Event>({});", literal(event)));
    }
}

/// Asks, and writes both the question and the answer down.
async fn ask(page: &Page, asked: &mut Vec<String>, cmd: &str, args: Value) -> Value {
    // A frame takes twenty messages a second; what it refused for that is asked again.
    let answer = page
        .eval(&format!(
            "(async () => {{
                let a;
                do a = await host.ask(0, '{cmd}', {args});
                while (a.error?.code === 'too-many');
                if (a.result?.data instanceof Blob) a.result.data = '(a Blob)';
                return a;
            }})()"
        ))
        .await;
    let question = json!({"highwater": 1, "rid": "r", "cmd": cmd, "args": args});
    if members("Commands").contains(&cmd) {
        if answer["ok"] == json!(true) {
            asked.push(format!("check<T.Request>({});", literal(&question)));
        }
        asked.push(format!("check<T.Answer<'{cmd}'>>({});", literal(&answer)));
    } else {
        asked.push(format!("check<T.Answer>({});", literal(&answer)));
    }
    answer
}

/// What the compiler says of a script; nothing, if it is content.
fn compiled(script: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("types");
    std::fs::create_dir_all(&folder).expect("there is room");
    let project = json!({
        "compilerOptions": {
            "noEmit": true,
            "strict": true,
            "exactOptionalPropertyTypes": true,
            "target": "es2022",
            "lib": ["es2022", "dom"],
            "types": [],
        },
        "files": ["highwater-embed.d.ts", "said.ts"],
    })
    .to_string();
    for (name, text) in [
        ("highwater-embed.d.ts", TYPES),
        ("said.ts", script),
        ("tsconfig.json", &*project),
    ] {
        std::fs::write(folder.join(name), text).expect("it is written");
    }
    let compiler = std::env::var("TSC").expect("TSC names the script of the TypeScript compiler");
    let ran = Command::new("node")
        .arg(compiler)
        .args(["--project", "."])
        .current_dir(&folder)
        .output()
        .expect("node runs");
    String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr)
}

const HEAD: &str = "import type * as T from './highwater-embed';\n\
                    declare function check<M>(message: M): void;\n";

#[test]
fn tsc_the_types_are_those_of_every_real_message() {
    with_page(async |page| {
        let mut said = Vec::new();
        connected(page, SCENE).await;
        let question = page
            .text("host.events(0, 'ready')[0].data.questions[0].id")
            .await;
        let marker = page
            .text("host.events(0, 'ready')[0].data.markers[0].id")
            .await;
        // What a person does: answers.
        ask(page, &mut said, "ask", json!({"question": question})).await;
        let inside = |expression: &str| inside(0, expression);
        page.until(
            "it asks",
            &inside("document.querySelector('.question.now input')"),
        )
        .await;
        page.eval(&inside(
            "document.querySelector('.question.now input').click()",
        ))
        .await;
        page.eval(&inside(
            "document.querySelector('.question.now [type=submit]').click()",
        ))
        .await;
        page.until("an answer is told", "host.events(0, 'answer').length > 0")
            .await;
        let commands = [
            ("getInfo", json!({})),
            ("next", json!({})),
            ("back", json!({})),
            ("seek", json!({"step": 2})),
            ("seek", json!({"step": 999, "animate": false})),
            ("seek", json!({"marker": marker})),
            ("seek", json!({"step": "two"})),
            ("first", json!({})),
            ("ask", json!({"question": question})),
            ("reveal", json!({"question": question})),
            ("ask", json!({"question": "none-such"})),
            ("setLang", json!({"lang": "ru"})),
            (
                "setTheme",
                json!({"theme": "dark", "tokens": {"accent": "#ffffff", "font-scale": 1.2}}),
            ),
            ("setTheme", json!({"tokens": {"accent": null, "radius": 4}})),
            ("setMotion", json!({"motion": "none"})),
            ("getPermalink", json!({})),
            ("getPermalink", json!({"form": "full"})),
            ("getState", json!({})),
            ("export", json!({"format": "svg"})),
            ("export", json!({"format": "png", "step": 1})),
            ("export", json!({"format": "json"})),
            ("export", json!({"format": "md"})),
            ("announce", json!({"text": "Look here"})),
            ("dance", json!({})),
            ("play", json!({"rate": 2})),
            ("pause", json!({})),
        ];
        for (cmd, args) in commands {
            ask(page, &mut said, cmd, args).await;
        }
        // What a person does: makes a move of their own.
        ask(
            page,
            &mut said,
            "load",
            json!({"scenario": "first-write", "step": 1}),
        )
        .await;
        ask(page, &mut said, "last", json!({})).await;
        page.until("it is completed", "host.events(0, 'completed').length > 0")
            .await;
        page.eval(&inside(
            "document.querySelector('.what-if > summary').click()",
        ))
        .await;
        page.until(
            "moves are offered",
            &inside("document.querySelector('.moves-of button')"),
        )
        .await;
        page.eval(&inside(
            "document.querySelector('.moves-of button').click()",
        ))
        .await;
        page.until("the move is told", "host.events(0, 'fork').length > 0")
            .await;
        ask(page, &mut said, "destroy", json!({})).await;
        heard(page, &mut said).await;
        connected(page, "scenario=none-such&start=load").await;
        heard(page, &mut said).await;
        said.push("check<T.Connect>({highwater: 1, type: 'connect', v: 1, nonce: 'n'});".into());

        for cmd in members("Commands") {
            let asked = said.iter().any(|l| {
                l.contains("T.Request>({\"args\":{") && l.contains(&format!("\"cmd\":\"{cmd}\""))
            });
            assert!(asked, "{cmd} was never carried out");
        }
        for event in members("Events") {
            let told = said
                .iter()
                .any(|l| l.contains(&format!("\"ev\":\"{event}\"")));
            assert!(
                told,
                "{event} was never told: {:#?}",
                &said[said.len() - 6..]
            );
        }
        let script = format!("{HEAD}{}\n", said.join("\n"));
        assert_eq!(compiled(&script), "", "{script}");
        // The compiler does look: a field too many, one too few and a wrong kind are three errors.
        let wrong = format!(
            "{HEAD}check<T.Answer<'next'>>({{highwater: 1, rid: 'r', ok: true, result: {{step: 1, of: 2}}}});\n\
             check<T.Hello>({{highwater: 1, type: 'hello', id: '', v: [1], scenario: 'x'}});\n\
             check<T.Request>({{highwater: 1, rid: 'r', cmd: 'setLang', args: {{lang: 'de'}}}});\n"
        );
        let errors = compiled(&wrong);
        assert_eq!(errors.matches("error TS").count(), 3, "{errors}");
    });
}
