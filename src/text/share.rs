//! Words of the dialog that copies a scene for others.

use super::number::{en, ru};
use super::phrase::phrases;

phrases! {
    /// Its heading.
    fn heading() { ru: "Поделиться сценой"; en: "Share the scene"; }
    /// Button that opens it (icon with this name).
    fn open() { ru: "Поделиться: ссылка или код для урока"; en: "Share: a link, or code for a lesson"; }
    /// Name of the group of forms.
    fn form() { ru: "Что скопировать"; en: "What to copy"; }
    /// A form.
    fn link() { ru: "ссылка"; en: "link"; }
    /// A form: the element of the page's own.
    fn element() { ru: "свой тег"; en: "custom tag"; }
    /// Tick: the copy opens at the step that is shown.
    fn from_here(step: u32) { ru: "с этого шага ({step})"; en: "from this step ({step})"; }
    /// How long the text is.
    fn length(count: i64) { ru: "{count} {}", ru(count, "знак", "знака", "знаков"); en: "{count} {}", en(count, "character", "characters"); }
    /// Button.
    fn copy() { ru: "Скопировать"; en: "Copy"; }
    /// After copying, with the length in words.
    fn copied(length: &str) { ru: "Скопировано, {length}"; en: "Copied, {length}"; }
    /// When the clipboard is refused.
    fn by_hand() { ru: "Буфер обмена недоступен: текст выделен, нажмите Ctrl+C"; en: "The clipboard is not available: the text is selected, press Ctrl+C"; }
    /// Link to the page that builds an embed.
    fn more() { ru: "Настроить вставку"; en: "Set up an embed"; }
    /// In its place on a branch of the reader's own.
    fn own_branch() { ru: "В коде ваша ветка"; en: "The code holds your branch"; }
    /// Line under the frame's code.
    fn in_new_tab() { ru: "Открыть сцену в новой вкладке"; en: "Open the scene in a new tab"; }
}
