//! Words of what can be taken away: the menu and the files themselves.

use super::phrase::phrases;

phrases! {
    /// Heading of the fold.
    fn heading() { ru: "Забрать с собой"; en: "Take it with you"; }
    /// Under it.
    fn about() {
        ru: "Картинка несёт внутри ссылку на свой шаг: бросьте файл на эту страницу, и шаг откроется.";
        en: "A picture carries the link to its step: drop the file on this page and the step opens.";
    }
    /// Button.
    fn svg() { ru: "Картинка SVG"; en: "Picture, SVG"; }
    /// Button: PNG of single or double size.
    fn png(times: u32) { ru: "Картинка PNG ×{times}"; en: "Picture, PNG ×{times}"; }
    /// Button.
    fn markdown() { ru: "Markdown"; en: "Markdown"; }
    /// Button.
    fn mermaid() { ru: "Диаграмма Mermaid"; en: "Mermaid diagram"; }
    /// Button.
    fn json() { ru: "Трасса JSON"; en: "Trace, JSON"; }
    /// The text of an export, to be copied where files cannot be saved.
    fn as_text(what: &str) { ru: "{what}: скопируйте отсюда, если файл не сохранился"; en: "{what}: copy it from here if no file was saved"; }
    /// After an export.
    fn saved(name: &str) { ru: "Файл {name} готов"; en: "{name} is ready"; }
    /// A file was dropped that is no picture of ours.
    fn not_ours(name: &str) {
        ru: "В файле {name} нет ссылки на шаг: нужен SVG, сохранённый этой страницей";
        en: "{name} holds no link to a step: it takes an SVG saved by this page";
    }
    /// A picture of a scene that this site does not have.
    fn no_scene_of(id: &str) {
        ru: "картинка сделана в сцене `{id}`, а здесь такой нет";
        en: "the picture is of the scene `{id}`, which is not here";
    }
    /// A picture could not be made.
    fn no_picture() { ru: "Браузер не смог нарисовать PNG; SVG сохраняется всегда"; en: "The browser could not draw the PNG; SVG can always be saved"; }
    /// Before the reason.
    fn why() { ru: "Почему"; en: "Why"; }
    /// Before the consequence.
    fn so_what() { ru: "Следствие"; en: "So what"; }
    /// Under the question, where the reader has made moves of their own.
    fn own_branch() { ru: "*Своя ветка: сцена продолжена другими ходами.*"; en: "*An own branch: the scene was taken on by other moves.*"; }
    /// Last line of a Markdown file.
    fn source(address: &str) { ru: "Источник: [Highwater]({address})"; en: "Source: [Highwater]({address})"; }
}
