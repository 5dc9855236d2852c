//! What a reader waits for, measured in Chromium: `cargo xtask measure`.
//!
//! A slow line and a slow processor, as a phone on a train has them, and a trivial page beside each
//! figure of loading, so that a busy machine shows as such. It says where each figure stands against
//! what is aimed at, and fails for none of them: time on a shared machine proves nothing.

use highwater_browser_tests::{Page, measure};
use serde_json::{Value, json};

/// 1.6 Mbit/s.
const BYTES_A_SECOND: u32 = 200_000;
/// There and back, ms.
const LATENCY: u32 = 150;
/// How much slower the processor is made.
const SLOWER: u32 = 4;
/// Loads of a page; the middle one counts.
const LOADS: usize = 3;

fn main() {
    println!(
        "{BYTES_A_SECOND} bytes a second, {LATENCY} ms, processor ÷ {SLOWER}; middle of {LOADS} loads\n"
    );
    println!(
        "{:<58} {:>9}  {:<11} {:<8} beside",
        "", "measured", "aimed at", ""
    );
    measure(loading);
    measure(embedding);
    measure(stepping);
    measure(resting);
}

/// What is aimed at.
enum Aim {
    AtMost(f64),
    AtLeast(f64),
    None,
}

/// A line of the report.
fn say(what: &str, measured: f64, unit: &str, aim: Aim, beside: &str) {
    let number = |of: f64| match of < 10.0 && of.fract() > 0.05 {
        true => format!("{of:.1} {unit}"),
        false => format!("{of:.0} {unit}"),
    };
    // What is not a number has met nothing.
    let (aim, met) = match aim {
        Aim::AtMost(most) => (format!("≤ {}", number(most)), Some(measured <= most)),
        Aim::AtLeast(least) => (format!("≥ {}", number(least)), Some(measured >= least)),
        Aim::None => (String::new(), None),
    };
    let met = met.map_or("", |met| if met { "met" } else { "NOT MET" });
    let measured = number(measured);
    println!("{what:<58} {measured:>9}  {aim:<11} {met:<8} {beside}");
}

fn ms(of: f64) -> String {
    format!("{of:.0} ms")
}

/// The value that so many per cent lie below.
fn part(all: &[f64], per_cent: usize) -> f64 {
    let mut all = all.to_vec();
    all.sort_by(f64::total_cmp);
    all.get((all.len().saturating_sub(1)) * per_cent / 100)
        .copied()
        .unwrap_or(f64::NAN)
}

fn numbers(of: &Value) -> Vec<f64> {
    let list = of.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_f64).collect()
}

async fn number(page: &Page, expression: &str) -> f64 {
    page.eval(expression).await.as_f64().unwrap_or(f64::NAN)
}

/// A slow line, or the machine's own, and the slow processor.
async fn slow(page: &Page, line: bool) {
    let (bytes, latency) = if line {
        (BYTES_A_SECOND as i32, LATENCY)
    } else {
        (-1, 0)
    };
    page.devtools("Network.enable", json!({})).await;
    page.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true }))
        .await;
    let conditions = json!({
        "offline": false, "latency": latency, "downloadThroughput": bytes, "uploadThroughput": bytes,
    });
    page.devtools("Network.emulateNetworkConditions", conditions)
        .await;
    page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": SLOWER }))
        .await;
}

async fn prepare(page: &Page, line: bool) {
    page.before_load(include_str!("measure.js")).await;
    page.server.add_page(
        "/trivial.html",
        "<!doctype html><meta charset=utf-8><title>Trivial</title><link rel=icon href='data:,'><p>One line.",
    );
    slow(page, line).await;
}

/// First paint, the moment it can be stepped and the moment the program has taken over, ms.
async fn load(page: &Page, address: &str, app: bool) -> (f64, f64, f64) {
    let (mut paints, mut readies, mut programs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..LOADS {
        page.goto("about:blank").await;
        page.goto(address).await;
        page.until("it is painted", "measured.paints() > 0").await;
        if app {
            page.until(
                "the program is there",
                "measured.notes.ready > 0 && measured.notes.program > 0",
            )
            .await;
        }
        paints.push(number(page, "measured.paints()").await);
        readies.push(number(page, "measured.notes.ready").await);
        programs.push(number(page, "measured.notes.program").await);
    }
    (part(&paints, 50), part(&readies, 50), part(&programs, 50))
}

async fn loading(page: &Page) {
    prepare(page, true).await;
    let trivial = format!("{}/trivial.html", page.server.origin());
    let (nothing, ..) = load(page, &trivial, false).await;
    let app = page.server.app();
    let places = [
        ("front page", format!("{app}?lang=en")),
        ("a scene", format!("{app}?scenario=leader-fails&lang=en")),
        ("a scene's own page", format!("{app}s/leader-fails/en/")),
    ];
    for (name, address) in places {
        if name.ends_with("own page") && page.server.lacks("s/leader-fails/en/index.html") {
            println!("{name} is not built");
            continue;
        }
        let (paint, ready, program) = load(page, &address, true).await;
        say(
            &format!("{name}: first contentful paint"),
            paint,
            "ms",
            Aim::AtMost(1500.0),
            &format!("{:.1} × a trivial page ({})", paint / nothing, ms(nothing)),
        );
        say(
            &format!("{name}: from there to interactive"),
            ready - paint,
            "ms",
            Aim::AtMost(1000.0),
            &format!(
                "{:.0} files, {:.0} KB",
                number(page, "measured.loaded()").await,
                number(page, "measured.bytes()").await / 1024.0
            ),
        );
        say(
            &format!("{name}: from there until the program has taken over"),
            program - paint,
            "ms",
            Aim::None,
            "",
        );
    }
    slow(page, false).await;
    let (nothing, ..) = load(page, &trivial, false).await;
    let (paint, _, program) =
        load(page, &format!("{app}?scenario=leader-fails&lang=en"), true).await;
    say(
        "a scene from this machine: the processor's part of that",
        program - paint,
        "ms",
        Aim::AtMost(400.0),
        &format!(
            "painted at {}, a trivial page at {}",
            ms(paint),
            ms(nothing)
        ),
    );
}

async fn embedding(page: &Page) {
    prepare(page, true).await;
    let app = page.server.app();
    let lesson = |count: usize, start: &str| {
        let element = format!(
            "<high-water scenario=leader-fails lang=en {start}><a href='{app}?scenario=leader-fails'>A</a></high-water>"
        );
        let script = format!("<script type=module src='{app}v1/highwater-embed.js'></script>");
        format!(
            "<!doctype html><meta charset=utf-8><title>Lesson</title><link rel=icon href='data:,'>{}{}",
            if count > 0 { script } else { String::new() },
            element.repeat(count)
        )
    };
    let origin = page.server.origin();
    page.server.add_page("/none.html", &lesson(0, ""));
    page.server
        .add_page("/twenty.html", &lesson(20, "start=click"));
    let mut files = Vec::new();
    for path in ["/none.html", "/twenty.html"] {
        page.goto(&format!("{origin}{path}")).await;
        page.settled("measured.rest(3000)").await;
        files.push(number(page, "measured.loaded()").await);
    }
    say(
        "20 embeds: files more than without",
        files[1] - files[0],
        "",
        Aim::AtMost(1.0),
        &format!("{:.1} KB", number(page, "measured.bytes()").await / 1024.0),
    );
    page.server.add_page("/one.html", &lesson(1, "start=click"));
    let mut all = Vec::new();
    for _ in 0..LOADS {
        page.goto("about:blank").await;
        page.goto(&format!("{origin}/one.html")).await;
        page.until(
            "it can be started",
            "document.querySelector('high-water').shadowRoot?.querySelector('button')",
        )
        .await;
        let took = page
            .settled(
                "(async e => { const start = performance.now(); e.run(); await e.ready; \
             return performance.now() - start; })(document.querySelector('high-water'))",
            )
            .await;
        all.push(took.as_f64().unwrap_or(f64::NAN));
    }
    // Chromium gives a frame with a sandbox a process of its own, which its driver slows no more.
    say(
        "an embed, not slowed: from press to interactive",
        part(&all, 50),
        "ms",
        Aim::AtMost(1000.0),
        "",
    );
}

async fn stepping(page: &Page) {
    prepare(page, false).await;
    page.goto(&format!("{}/trivial.html", page.server.origin()))
        .await;
    let trivial = page.settled("measured.trivial()").await;
    let [a_press, a_gap] = [(0, 50), (1, 95)].map(|(n, at)| part(&numbers(&trivial[n]), at));
    page.load("?scenario=leader-fails&step=0&lang=en&predict=off")
        .await;
    let presses = numbers(&page.settled("measured.presses()").await);
    say(
        "from press to what it changed, painted: middle",
        part(&presses, 50),
        "ms",
        Aim::AtMost(50.0),
        &format!(
            "worst {}, {} presses; a trivial page {}",
            ms(part(&presses, 100)),
            presses.len(),
            ms(a_press)
        ),
    );
    // No scene has 5 brokers × 3 partitions (15 replicas); three clusters side by side have 9.
    page.load("?scenario=compare-acks&step=0&lang=en&predict=off")
        .await;
    let gaps = numbers(&page.settled("measured.gaps(700)").await);
    say(
        "between frames while 9 replicas move (compare-acks), p95",
        part(&gaps, 95),
        "ms",
        Aim::AtMost(17.0),
        &format!(
            "worst {}, {} frames; a trivial page {}",
            ms(part(&gaps, 100)),
            gaps.len(),
            ms(a_gap)
        ),
    );
    page.load("?scenario=overview&step=0&lang=en&predict=off")
        .await;
    let gaps = numbers(&page.settled("measured.gaps(700)").await);
    say(
        "24 × 3 console: frames a second while it is stepped",
        gaps.len() as f64 * 1000.0 / gaps.iter().sum::<f64>(),
        "",
        Aim::AtLeast(30.0),
        &format!("p95 {}", ms(part(&gaps, 95))),
    );
    let (mut longest, mut steps) = (String::new(), 0.0);
    page.load("?lang=en").await;
    let ids = page
        .eval(
            "[...new Set([...document.querySelectorAll('#scenes a[href*=\"scenario=\"]')]\
             .map(a => new URL(a.href).searchParams.get('scenario')))]",
        )
        .await;
    for id in ids
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        page.load(&format!("?scenario={id}&step=0&lang=en")).await;
        let last = number(page, "hw.last()").await;
        if last > steps {
            (longest, steps) = (id.into(), last);
        }
    }
    page.load(&format!("?scenario={longest}&step=0&lang=en&predict=off"))
        .await;
    let seeks = numbers(&page.settled("measured.seeks()").await);
    say(
        &format!("a jump to each step of {longest} ({steps} steps), average"),
        seeks.iter().sum::<f64>() / seeks.len() as f64,
        "ms",
        Aim::AtMost(16.0),
        &format!(
            "worst {:.1} ms (2,000 steps: cargo xtask bench)",
            part(&seeks, 100)
        ),
    );
}

async fn resting(page: &Page) {
    prepare(page, false).await;
    page.load("?scenario=compare-acks&step=3&lang=en").await;
    page.devtools("Performance.enable", json!({})).await;
    page.settled("measured.rest(2000)").await;
    let before = script(page).await;
    let asked = page.settled("measured.idle(5000)").await;
    // The waiting of this program itself runs a line of script or two.
    let spent = (script(page).await - before) * 1000.0;
    say(
        "5 s at rest: timers and frames asked for",
        asked["timers"].as_f64().unwrap_or(f64::NAN) + asked["frames"].as_f64().unwrap_or(f64::NAN),
        "",
        Aim::AtMost(0.0),
        &format!("{spent:.1} ms of script, with those of the measuring"),
    );
    page.settled("measured.seeks()").await;
    let memory = page.eval("measured.memory()").await;
    let mb = |name: &str| memory[name].as_f64().unwrap_or(f64::NAN) / 1_048_576.0;
    say(
        "memory of a live frame, after a walk through it",
        mb("heap") + mb("wasm"),
        "MB",
        Aim::AtMost(40.0),
        &format!("script {:.0}, WebAssembly {:.0}", mb("heap"), mb("wasm")),
    );
    let nodes = number(page, "document.querySelectorAll('.scene svg *').length").await;
    say(
        "elements of the drawings of compare-acks",
        nodes,
        "",
        Aim::None,
        "",
    );
}

/// Seconds of script so far.
async fn script(page: &Page) -> f64 {
    let told = page.devtools("Performance.getMetrics", json!({})).await;
    let all = told["metrics"].as_array().cloned().unwrap_or_default();
    let of = all.iter().find(|m| m["name"] == "ScriptDuration");
    of.and_then(|m| m["value"].as_f64()).unwrap_or(f64::NAN)
}
