//! What of the page's address was not taken. The words follow the name and value as given.

use super::phrase::phrases;

phrases! {
    /// A step that is not shown.
    fn bad_step(given: &str, first: u32, last: u32) { ru: "`step={given}` (есть {first}…{last})"; en: "`step={given}` (there are {first}…{last})"; }
    /// A mark that is not there, and the one that was taken for it.
    fn step_taken(given: &str, mark: &str, step: u32) { ru: "`step={given}` (такой метки нет; показан шаг {step}, `{mark}`)"; en: "`step={given}` (there is no such mark; step {step}, `{mark}`, is shown)"; }
    /// Bounds the wrong way round, or outside the scene.
    fn bad_bounds(given: &str) { ru: "`{given}` (нужно, чтобы `from` стоял раньше `to` и оба были в сцене)"; en: "`{given}` (`from` must come before `to`, and both must be in the scene)"; }
    /// A name that the page does not know; the nearest are named.
    fn bad_name(given: &str, nearest: &str) { ru: "`{given}` (похожие: {nearest})"; en: "`{given}` (nearest: {nearest})"; }
    /// Not an origin; only course authors see this.
    fn bad_origin(given: &str) { ru: "`origin={given}` (нужен вид `https://lms.example.org`; страница ни с кем не связывается)"; en: "`origin={given}` (it has to look like `https://lms.example.org`; the page connects with nobody)"; }
    /// In the scene's place with `strict=1` (the list follows).
    fn strict(list: &str) { ru: "Задано `strict=1`, поэтому сцена не показана. Не приняты параметры: {list}"; en: "`strict=1` is set, so the scene is not shown. Parameters not taken: {list}"; }
}
