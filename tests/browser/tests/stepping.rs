//! Going through a scene: by buttons, by keys, by the timeline; forwards, back, and at rest.

use highwater_browser_tests::{Page, with_page};
use serde_json::json;

const SCENE: &str = "?scenario=leader-fails&step=0&lang=ru";

/// Waits until the page shows a step.
async fn at(page: &Page, step: &str) {
    page.until(
        &format!("the step is {step}"),
        &format!("hw.step() === {step}"),
    )
    .await;
}

#[test]
fn the_buttons_step_forwards_and_back() {
    with_page(async |page| {
        page.load(SCENE).await;
        assert_eq!(page.text("hw.button('Назад').ariaDisabled").await, "true");
        page.click(Page::NEXT).await;
        at(page, "1").await;
        page.click(Page::NEXT).await;
        at(page, "2").await;
        page.click("hw.button('Назад')").await;
        at(page, "1").await;
        page.click("hw.button('В конец')").await;
        at(page, "hw.last()").await;
        assert_eq!(page.text("hw.button('Далее').ariaDisabled").await, "true");
        page.click("hw.button('В начало')").await;
        at(page, "0").await;
    });
}

/// A press while something still moves is not lost.
#[test]
fn presses_in_quick_succession_all_count() {
    with_page(async |page| {
        page.load(SCENE).await;
        for _ in 0..5 {
            page.eval("hw.button('Далее').click()").await;
        }
        at(page, "5").await;
        for _ in 0..5 {
            page.eval("hw.button('Назад').click()").await;
        }
        at(page, "0").await;
    });
}

#[test]
fn keys_step_in_both_layouts_while_the_focus_is_inside() {
    with_page(async |page| {
        page.load(SCENE).await;
        // Outside the scene they mean nothing.
        page.eval("document.querySelector('header a').focus()")
            .await;
        page.press(".", "Period").await;
        page.press("ArrowRight", "ArrowRight").await;
        assert_eq!(page.eval("hw.step()").await, json!(0));

        page.eval("document.querySelector('.stage').focus()").await;
        for (key, code, step) in [
            ("ArrowRight", "ArrowRight", "1"),
            (".", "Period", "2"),
            ("ю", "Period", "3"),
            ("б", "Comma", "2"),
            (",", "Comma", "1"),
            ("ArrowLeft", "ArrowLeft", "0"),
            ("End", "End", "hw.last()"),
            ("Home", "Home", "0"),
        ] {
            page.press(key, code).await;
            at(page, step).await;
        }
        // The markers, in Russian: there and back again.
        page.press("ъ", "BracketRight").await;
        page.until("a marker is reached", "hw.step() > 0").await;
        page.press("х", "BracketLeft").await;
        at(page, "0").await;
        // Help opens and gives the focus back.
        page.press("?", "Digit7").await;
        page.until("help is open", "!!document.querySelector('dialog[open]')")
            .await;
        page.press("Escape", "Escape").await;
        page.until("help is closed", "!document.querySelector('dialog[open]')")
            .await;
        assert_eq!(
            page.eval("document.activeElement.className").await,
            json!("stage")
        );
    });
}

/// Arrows work wherever in the scene the focus is, but where they have work of their own.
#[test]
fn arrows_step_from_all_over_the_scene() {
    with_page(async |page| {
        // Nothing has the focus yet.
        page.load(SCENE).await;
        page.press("ArrowRight", "ArrowRight").await;
        at(page, "1").await;
        page.press(".", "Period").await;
        assert_eq!(page.eval("hw.step()").await, json!(1));
        for focus in [
            "document.querySelector('.scene').focus()",
            "document.querySelector('.card').focus()",
            "hw.button('Далее').focus()",
            "document.querySelector('summary').focus()",
        ] {
            page.eval(&format!("({focus}, true)")).await;
            for (key, step) in [("ArrowRight", "2"), ("ArrowLeft", "1")] {
                page.press(key, key).await;
                at(page, step).await;
            }
        }
        // As a newcomer does it: Next by the mouse, then the arrow.
        page.click(Page::NEXT).await;
        at(page, "2").await;
        page.press("ArrowRight", "ArrowRight").await;
        at(page, "3").await;
        page.press("Home", "Home").await;
        at(page, "0").await;
        // A grid keeps its arrows.
        page.load("?scenario=overview&step=2&lang=ru").await;
        page.eval("(document.querySelector('[data-cell=\"0-0\"]').focus(), true)")
            .await;
        page.press("ArrowRight", "ArrowRight").await;
        page.until(
            "the next cell has the focus",
            "document.activeElement.dataset.cell === '0-1'",
        )
        .await;
        assert_eq!(page.eval("hw.step()").await, json!(2));
    });
}

/// On a phone the buttons there is no room for are in a menu.
#[test]
fn a_narrow_page_has_all_buttons_in_a_menu() {
    with_page(async |page| {
        page.load(SCENE).await;
        page.resize(360, 740).await;
        let menu = "document.querySelector('.bar .menu')";
        let open = "!!document.querySelector('.extras[open]')";
        let closed = "!document.querySelector('.extras[open]')";
        page.click(menu).await;
        page.until("the menu is open", open).await;
        let names = page
            .text("[...document.querySelectorAll('.extras[open] button')].map(b => b.innerText.trim()).join('|')")
            .await;
        for name in [
            "В начало",
            "В конец",
            "Скорость 1×",
            "Поделиться: ссылка или код для урока",
            "Клавиши",
        ] {
            assert!(names.contains(name), "{name} is not in {names}");
        }
        page.click("hw.button('В конец')").await;
        at(page, "hw.last()").await;
        page.until("the menu is closed", closed).await;
        // By keys: open, close, and the focus is back.
        page.eval(&format!("({menu}.focus(), true)")).await;
        page.eval(&format!("({menu}.click(), true)")).await;
        page.until("the menu is open", open).await;
        page.press("Escape", "Escape").await;
        page.until("the menu is closed", closed).await;
        assert_eq!(
            page.eval(&format!("document.activeElement === {menu}"))
                .await,
            json!(true)
        );
        page.click(menu).await;
        page.until("the menu is open", open).await;
        page.click("hw.button('Клавиши')").await;
        page.until(
            "help is open",
            "!!document.querySelector('dialog[open] dl')",
        )
        .await;
    });
}

#[test]
fn the_timeline_is_scrubbed_by_mouse_and_keys() {
    with_page(async |page| {
        page.load(SCENE).await;
        page.click("document.querySelector('input[type=range]')")
            .await;
        page.until(
            "it is about the middle",
            "Math.abs(hw.step() - hw.last() / 2) <= 1",
        )
        .await;
        let middle = page.eval("hw.step()").await;
        page.press("ArrowRight", "ArrowRight").await;
        page.until("one more", &format!("hw.step() === {middle} + 1"))
            .await;
        page.press("End", "End").await;
        at(page, "hw.last()").await;
        let said = page
            .text("document.querySelector('input[type=range]').ariaValueText")
            .await;
        assert!(
            said.contains(&page.eval("hw.last()").await.to_string()),
            "{said}"
        );
    });
}

/// Playing goes on by itself; paused, nothing in the page is waiting for anything.
#[test]
fn a_paused_page_is_at_rest() {
    with_page(async |page| {
        page.before_load(COUNT_WHAT_IS_PENDING).await;
        page.load(SCENE).await;
        page.until("the page is at rest after loading", "pending.size === 0")
            .await;
        page.click("hw.button('Авто')").await;
        at(page, "1").await;
        page.click("hw.button('Пауза')").await;
        page.until("the page is at rest after playing", "pending.size === 0")
            .await;
        let still = "document.getAnimations().every(a => a.playState === 'finished')";
        page.until("nothing moves", still).await;
    });
}

/// Keeps the set of timers and animation frames that are still to come.
const COUNT_WHAT_IS_PENDING: &str = "
    window.pending = new Set();
    for (const [start, stop] of [['setTimeout', 'clearTimeout'], ['requestAnimationFrame', 'cancelAnimationFrame']]) {
        const begin = window[start], end = window[stop];
        window[start] = (then, ...rest) => {
            const id = begin.call(window, (...a) => { pending.delete(start + id); then(...a); }, ...rest);
            pending.add(start + id);
            return id;
        };
        window[stop] = id => { pending.delete(start + id); end.call(window, id); };
    }
    const every = window.setInterval;
    window.setInterval = (...a) => { const id = every.apply(window, a); pending.add('setInterval' + id); return id; };
    const never = window.clearInterval;
    window.clearInterval = id => { pending.delete('setInterval' + id); never.call(window, id); };
";

#[test]
fn reduced_motion_moves_nothing() {
    with_page(async |page| {
        page.prefer("prefers-reduced-motion", "reduce").await;
        page.load(SCENE).await;
        for step in 1..=4 {
            page.click(Page::NEXT).await;
            at(page, &step.to_string()).await;
            assert_eq!(page.eval("document.getAnimations().length").await, json!(0));
        }
    });
}

/// What is said aloud after a step, and nothing before the reader has done anything.
#[test]
fn a_step_is_said_aloud() {
    with_page(async |page| {
        page.load(SCENE).await;
        let said =
            "[...document.querySelectorAll('[aria-live]')].map(e => e.innerText).join('').trim()";
        assert_eq!(page.text(said).await, "");
        page.click(Page::NEXT).await;
        page.until("it is said", &format!("({said}).length > 0"))
            .await;
    });
}
