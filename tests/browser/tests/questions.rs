//! A question before a step: answered wrong, told why; answered right; stepped on and back.

use highwater_browser_tests::{Page, with_page};

const FORM: &str = "document.querySelector('.question.now')";
const FACE: &str = "document.querySelector('.card > .face.now').innerText";

/// To the step before the question, then Next.
async fn asked(page: &Page, query: &str, step: u32) {
    page.load(query).await;
    page.click(Page::NEXT).await;
    page.until("the question stands", &format!("{FORM} !== null"))
        .await;
    // A question is no step.
    assert_eq!(page.eval("hw.step()").await, step);
}

async fn choose(page: &Page, value: &str) {
    page.eval(&format!(
        "{FORM}.querySelector('input[value={value}]').click()"
    ))
    .await;
    page.eval(&format!("{FORM}.querySelector('[type=submit]').click()"))
        .await;
}

#[test]
fn a_wrong_answer_gets_its_sentence_and_a_right_one_its_word() {
    with_page(async |page| {
        let query = "?scenario=next-position&step=4&lang=en";
        asked(page, query, 4).await;
        // Next does not go past it, and it asks for an answer.
        page.click(Page::NEXT).await;
        page.until(
            "Next says why it does not go on",
            &format!("{FORM}.querySelector('[role=alert]') !== null && {FORM}.contains(document.activeElement)"),
        )
        .await;
        page.eval(&format!("{FORM}.querySelector('[type=submit]').click()"))
            .await;
        page.until(
            "an answer is asked for",
            &format!("{FORM}.querySelector('[role=alert]') !== null"),
        )
        .await;
        assert_eq!(page.eval("hw.step()").await, 4);
        choose(page, "gap-5").await;
        page.until("the step runs", "hw.step() === 5").await;
        let told = page.text(FACE).await;
        for words in [
            "Not so",
            "your answer: before 5",
            "A commit names the next record, not the last.",
            "The right answer: before 4.",
        ] {
            assert!(told.contains(words), "{words}: {told}");
        }
        assert_eq!(
            page.text("document.querySelector('.guess-label').textContent")
                .await,
            "your answer"
        );
        // The prediction goes with the next step and is there again behind it.
        page.click(Page::NEXT).await;
        page.until("the next step", "hw.step() === 6").await;
        assert!(!page.text(FACE).await.contains("your answer"));
        page.click("hw.button('Back')").await;
        page.until("back", "hw.step() === 5").await;
        assert!(page.text(FACE).await.contains("your answer: before 5"));
        // Nothing of it is kept: a fresh page asks again.
        assert_eq!(
            page.eval("localStorage.length + sessionStorage.length")
                .await,
            0
        );
        asked(page, query, 4).await;
        choose(page, "gap-4").await;
        page.until("the step runs", "hw.step() === 5").await;
        assert!(page.text(FACE).await.starts_with("Right"));
    });
}

#[test]
fn a_reader_may_go_back_or_on_without_an_answer_unless_it_is_required() {
    with_page(async |page| {
        asked(page, "?scenario=acks1-loss&step=3&lang=ru", 3).await;
        page.click("hw.button('Назад')").await;
        page.until("the card is back", &format!("{FORM} === null"))
            .await;
        assert_eq!(page.eval("hw.step()").await, 3);
        page.click(Page::NEXT).await;
        page.until("the question stands again", &format!("{FORM} !== null"))
            .await;
        page.eval(&format!(
            "[...{FORM}.querySelectorAll('button')].find(b => b.innerText === 'Показать без ответа').click()"
        ))
        .await;
        page.until("the step runs", "hw.step() === 4").await;
        assert!(page.text(FACE).await.contains("Верный ответ: Потеряна."));

        asked(
            page,
            "?scenario=acks1-loss&step=3&lang=ru&predict=required",
            3,
        )
        .await;
        let buttons = page
            .text(&format!(
                "[...{FORM}.querySelectorAll('button')].map(b => b.innerText).join('|')"
            ))
            .await;
        assert_eq!(buttons, "Ответить|Назад");

        page.load("?scenario=acks1-loss&step=3&lang=ru&predict=off")
            .await;
        page.click(Page::NEXT).await;
        page.until("the step runs unasked", "hw.step() === 4").await;
    });
}

#[test]
fn a_number_is_typed_and_several_are_ticked_by_the_keyboard() {
    with_page(async |page| {
        asked(page, "?scenario=lags&step=1&lang=en", 1).await;
        let field = format!("{FORM}.querySelector('input[type=number]')");
        page.eval(&format!(
            "{field}.value = '4', {field}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ))
        .await;
        page.eval(&format!("{FORM}.requestSubmit()")).await;
        page.until("the step runs", "hw.step() === 2").await;
        assert!(
            page.text(FACE)
                .await
                .contains("9 − 5 counts from the last record’s number.")
        );

        page.load("?scenario=open-transaction&step=3&lang=en").await;
        page.click(Page::NEXT).await;
        page.until("the question stands", &format!("{FORM} !== null"))
            .await;
        for at in [0, 1] {
            page.eval(&format!(
                "{FORM}.querySelectorAll('input[type=checkbox]')[{at}].focus()"
            ))
            .await;
            page.press(" ", "Space").await;
        }
        page.eval(&format!("{FORM}.requestSubmit()")).await;
        page.until("the step runs", "hw.step() === 4").await;
        assert!(page.text(FACE).await.starts_with("Right"));
    });
}
