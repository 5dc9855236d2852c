//! The page of the practice: headings, buttons, states.

use crate::text::number::NBSP;
use crate::text::phrase::phrases;

phrases! {
    /// Heading of the practice, and its card's link in the gallery.
    fn title() { ru: "SQL: посчитайте лаг трёх партиций"; en: "SQL: work out the lag of three partitions"; }
    /// Group of the gallery.
    fn group() { ru: "Практика"; en: "Practice"; }
    /// Its subheading.
    fn group_about() { ru: "запросы к снимку, настоящая SQLite прямо на странице"; en: "queries on a snapshot, real SQLite right in the page"; }
    /// On the card.
    fn card_about() { ru: "8 задач: лаг, работа между получением и коммитом, удалённая история, пропуски, LSO, retention"; en: "8 tasks: lag, work between receipt and commit, deleted history, holes, LSO, retention"; }
    /// Chip beside the heading.
    fn snapshot() { ru: "снимок трёх партиций, без пропусков и транзакций"; en: "snapshot of three partitions, no holes, no transactions"; }
    /// Chip beside the heading, for a task that brings in another table.
    fn snapshot_more(table: &str) { ru: "снимок трёх партиций и таблица {table}"; en: "snapshot of three partitions and table {table}"; }
    /// Name of the practice's section.
    fn region() { ru: "Практика по SQL"; en: "SQL practice"; }

    /// Name of the tasks' row.
    fn tasks() { ru: "Задачи"; en: "Tasks"; }
    /// Heading of a task.
    fn task(number: u32, name: &str) { ru: "Задача {number}. {name}"; en: "Task {number}. {name}"; }
    /// A task's button.
    fn task_button(number: u32, name: &str) { ru: "Задача {number}: {name}"; en: "Task {number}: {name}"; }
    /// The same of a task that is solved.
    fn task_solved(number: u32, name: &str) { ru: "Задача {number}, решена: {name}"; en: "Task {number}, solved: {name}"; }
    /// How many are solved.
    fn solved_of(solved: u32, of: u32) { ru: "Решено {solved} из {of}"; en: "{solved} of {of} solved"; }

    /// Label of the editor.
    fn editor() { ru: "Запрос SQL"; en: "SQL query"; }
    /// Under the editor.
    fn editor_keys() { ru: "Ctrl+Enter проверяет запрос, Tab выходит из поля"; en: "Ctrl+Enter checks the query, Tab leaves the field"; }
    /// Button.
    fn check() { ru: "Проверить"; en: "Check"; }
    /// Button while a query runs.
    fn stop() { ru: "Остановить"; en: "Stop"; }
    /// Button.
    fn hint() { ru: "Подсказка"; en: "Hint"; }
    /// Button that puts the first text back.
    fn reset() { ru: "Вернуть начальный запрос"; en: "Restore the starting query"; }
    /// Button after a right answer.
    fn to_task(number: u32) { ru: "К задаче {number}"; en: "To task {number}"; }
    /// Heading of the hints.
    fn hints() { ru: "Подсказки"; en: "Hints"; }
    /// One of them.
    fn hint_number(number: u32) { ru: "Подсказка {number}"; en: "Hint {number}"; }

    /// While the module is on its way.
    fn loading(percent: u32) { ru: "Загружаем SQLite: {percent}{NBSP}%"; en: "Loading SQLite: {percent}%"; }
    /// While it is being made ready.
    fn starting() { ru: "Запускаем SQLite"; en: "Starting SQLite"; }
    /// It can be used.
    fn ready(version: &str) { ru: "SQLite {version} готова к запросам"; en: "SQLite {version} is ready"; }
    /// A query runs.
    fn running() { ru: "Запрос выполняется. Если он не кончается, остановите его"; en: "The query is running. If it does not end, stop it"; }
    /// The query waits for the module.
    fn waiting() { ru: "Запрос выполнится, как только загрузится SQLite"; en: "The query will run as soon as SQLite has loaded"; }
    /// Heading after the reader stopped a query.
    fn stopped() { ru: "Запрос остановлен"; en: "The query was stopped"; }
    /// Under it.
    fn stopped_about() { ru: "Он не успел закончиться. SQLite запущена заново, таблицы прежние. Попытка не засчитана."; en: "It had not ended yet. SQLite was started again, the tables are as before. This does not count as an attempt."; }
    /// Heading when the module does not come.
    fn no_module() { ru: "SQLite не загрузилась"; en: "SQLite did not load"; }
    /// Under it, with what the browser said.
    fn no_module_about(why: &str) { ru: "Проверьте сеть и попробуйте ещё раз. Ответ браузера: {why}"; en: "Check the network and try again. The browser says: {why}"; }
    /// When the page was built without it.
    fn not_built() { ru: "эта страница собрана без модуля практики"; en: "this page was built without the practice’s module"; }
    /// Button.
    fn again() { ru: "Загрузить ещё раз"; en: "Load again"; }
    /// In place of a result.
    fn no_result_yet() { ru: "Здесь появится ответ на запрос"; en: "The answer to the query will appear here"; }

    /// Caption of the result.
    fn result() { ru: "Результат запроса"; en: "Result of the query"; }
    /// Head of the column with the comparison.
    fn comparison() { ru: "сверка"; en: "check"; }
    /// Fold with the solution.
    fn solution() { ru: "Показать решение"; en: "Show the solution"; }
    /// The same before the first attempt.
    fn solution_locked() { ru: "Решение откроется после первой попытки"; en: "The solution opens after the first attempt"; }
    /// Button in it.
    fn solution_copy() { ru: "Скопировать в редактор"; en: "Copy into the editor"; }
    /// Under everything.
    fn note() { ru: "Запрос считает этот снимок и ничего не меняет: ни коммита, ни сброса в Kafka он не делает. Каждый запуск получает свежую копию таблиц: их можно даже удалить, к следующему запуску они снова на месте. Все числа — следующие позиции."; en: "The query reads this snapshot and changes nothing: it commits and resets nothing in Kafka. Every run gets a fresh copy of the tables: you may even drop them, they are back for the next run. All numbers are next positions."; }

    /// Beside the name of the table that is drawn.
    fn as_drawing() { ru: "как рисунок"; en: "as a drawing"; }
    /// Caption of a table of the database.
    fn table(name: &str) { ru: "Таблица {name}"; en: "Table {name}"; }
    /// A partition's name on its ruler.
    fn partition(id: i64) { ru: "p{id}"; en: "p{id}"; }
    /// Beside the ages of segments.
    fn minutes() { ru: "мин"; en: "min"; }
    /// Flag.
    fn log_start(at: i64) { ru: "начало {at}"; en: "start {at}"; }
    /// Flag.
    fn log_end(at: i64) { ru: "конец {at}"; en: "end {at}"; }
    /// Flag.
    fn high_watermark(at: i64) { ru: "HW {at}"; en: "HW {at}"; }
    /// Flag.
    fn last_stable(at: i64) { ru: "LSO {at}"; en: "LSO {at}"; }
    /// Flag.
    fn committed(at: i64) { ru: "коммит {at}"; en: "committed {at}"; }
    /// Flag.
    fn processed(at: i64) { ru: "обраб. {at}"; en: "processed {at}"; }
    /// Flag.
    fn received(at: i64) { ru: "получ. {at}"; en: "received {at}"; }
}
