//! Words of the pages that are there before the program is: the storyboard of a scene.

use super::phrase::phrases;

phrases! {
    /// Over the storyboard where no script runs.
    fn no_scripts() {
        ru: "Интерактив отключён политикой безопасности страницы или настройкой браузера. Ниже — вся сцена: каждый шаг с рисунком и пояснением.";
        en: "The interactive is switched off by the page’s security policy or by the browser’s settings. Below is the whole scene: each step with its picture and explanation.";
    }
    /// In a file that a reader keeps: what it cannot do.
    fn in_a_file() {
        ru: "Это сцена одним файлом: шаги листаются без сети. Движка в файле нет, поэтому своих ходов и автоматического показа здесь нет.";
        en: "This is a scene in one file: its steps turn without a network. The engine is not in it, so there are no moves of your own here, and nothing plays by itself.";
    }
    /// Opens the scene in the full program.
    fn open_program() { ru: "Открыть в программе"; en: "Open in the program"; }
    /// Downloads the scene as one file.
    fn download() { ru: "Скачать одним файлом"; en: "Download as one file"; }
    /// The fold with the tables of a step.
    fn state_of_step() { ru: "Состояние в этом шаге"; en: "The state at this step"; }
    /// Name of a step's picture.
    fn picture(number: u32, heading: &str) { ru: "Рисунок шага {number}: {heading}"; en: "Picture of step {number}: {heading}"; }
    /// Under the printed storyboard; its address follows.
    fn printed(version: &str) { ru: "Highwater {version}, повторяет поведение Apache Kafka 4.3"; en: "Highwater {version}, modelled on Apache Kafka 4.3"; }
    /// Steps that changed nothing are left out on paper.
    fn left_out() { ru: "Шаги, в которых ничего не изменилось, на бумаге пропущены."; en: "Steps that changed nothing are left out on paper."; }
}

/// The link to the page in the other language, in that language.
pub fn other_language(lang: super::Lang) -> String {
    match lang {
        super::Lang::Ru => "English",
        super::Lang::En => "По-русски",
    }
    .into()
}
