//! Questions before a step: the words around them.

use super::phrase::phrases;

phrases! {
    /// Over a question.
    fn eyebrow() { ru: "Вопрос перед шагом"; en: "A question before the step"; }
    /// Button.
    fn answer() { ru: "Ответить"; en: "Answer"; }
    /// Button: the step without an answer.
    fn show() { ru: "Показать без ответа"; en: "Show without answering"; }
    /// Of several answers.
    fn mark_all() { ru: "Отметьте все верные ответы."; en: "Mark every right answer."; }
    /// Name of the field for a number.
    fn number() { ru: "Ваш ответ, целое число"; en: "Your answer, a whole number"; }
    /// A boundary as an answer.
    fn before(number: i64) { ru: "перед {number}"; en: "before {number}"; }
    /// Asked to answer when there is nothing to take.
    fn nothing_chosen() { ru: "Сначала дайте ответ."; en: "Give an answer first."; }
    /// Verdict.
    fn right() { ru: "Верно"; en: "Right"; }
    /// Verdict.
    fn wrong() { ru: "Неверно"; en: "Not so"; }
    /// Instead of a verdict: the reader did not answer.
    fn shown() { ru: "Показано без ответа"; en: "Shown without an answer"; }
    /// At the predicted boundary in the drawing.
    fn your_answer() { ru: "ваш ответ"; en: "your answer"; }
    /// What the reader predicted, beside what came.
    fn yours(answer: &str) { ru: "ваш ответ: {answer}"; en: "your answer: {answer}"; }
    /// What came.
    fn right_answer(answer: &str) { ru: "Верный ответ: {answer}."; en: "The right answer: {answer}."; }
    /// Which choices of a decision will do.
    fn honest(answers: &str) { ru: "Так можно: {answers}."; en: "These would do: {answers}."; }
    /// Over what each choice of a decision costs.
    fn prices() { ru: "Цена каждого выбора"; en: "What each choice costs"; }
}
