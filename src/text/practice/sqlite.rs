//! What SQLite says of a query that did not run, in the reader's language.

use crate::text::phrase::phrases;

phrases! {
    /// Heading, with the line of the place.
    fn failed_at(line: u32) { ru: "Запрос не выполнился: строка {line}"; en: "The query did not run: line {line}"; }
    /// Heading.
    fn failed() { ru: "Запрос не выполнился"; en: "The query did not run"; }
    /// Under every error.
    fn no_attempt() { ru: "Попытка не засчитана."; en: "This does not count as an attempt."; }

    /// There is no query.
    fn empty() { ru: "В поле нет запроса: только пробелы или примечания."; en: "There is no query in the field: only spaces or comments."; }
    /// The place to fill in was left.
    fn gap() { ru: "Здесь стоит многоточие: напишите вместо него выражение."; en: "There is an ellipsis here: write an expression in its place."; }
    /// A name that is none of a column.
    fn no_column(name: &str) { ru: "Нет столбца `{name}`."; en: "There is no column `{name}`."; }
    /// A name that is none of a table.
    fn no_table(name: &str) { ru: "Нет таблицы `{name}`."; en: "There is no table `{name}`."; }
    /// A name that is none of a function.
    fn no_function(name: &str) { ru: "Нет функции `{name}`."; en: "There is no function `{name}`."; }
    /// The nearest name there is.
    fn similar(name: &str) { ru: "Есть похожее имя: `{name}`."; en: "There is a similar name: `{name}`."; }
    /// A column of two tables.
    fn ambiguous(name: &str) { ru: "Столбец `{name}` есть в нескольких таблицах: напишите, из какой, например `p.{name}`."; en: "Several tables have a column `{name}`: say which one is meant, for example `p.{name}`."; }
    /// A word where SQL does not expect it.
    fn near(word: &str) { ru: "SQL не ожидает здесь `{word}`. Часто ошибка стоит чуть раньше: лишняя или забытая запятая, скобка, слово."; en: "SQL does not expect `{word}` here. Often the fault is just before: a comma, bracket or word too many or too few."; }
    /// The query ends too early.
    fn incomplete() { ru: "Запрос обрывается: чего-то не хватает в конце, может быть закрывающей скобки."; en: "The query breaks off: something is missing at its end, maybe a closing bracket."; }
    /// A sign that is none of SQL.
    fn no_token(sign: &str) { ru: "SQL не знает знака `{sign}`. Если это текст, проверьте кавычки."; en: "SQL does not know the sign `{sign}`. If it is a text, look at its quotes."; }
    /// An aggregate where none may stand.
    fn aggregate(name: &str) { ru: "`{name}` считает по группе строк, и в этом месте его не бывает. Условие на группы пишется в `HAVING`."; en: "`{name}` counts over a group of rows and cannot stand in this place. A condition on groups goes into `HAVING`."; }
    /// A number of arguments that a function does not take.
    fn arguments(name: &str) { ru: "У функции `{name}` другое число аргументов."; en: "The function `{name}` takes another number of arguments."; }
    /// Forbidden by us.
    fn forbidden() { ru: "Это здесь не разрешено: запросам доступны только таблицы задачи, без `ATTACH` и `PRAGMA`."; en: "This is not allowed here: a query has the tables of the task alone, without `ATTACH` and `PRAGMA`."; }
    /// Too long.
    fn too_long(limit: i64) { ru: "Запрос длиннее {limit} знаков: столько практика не берёт."; en: "The query is longer than {limit} characters: the practice takes no more."; }
    /// A value or a result beyond the limits.
    fn too_big() { ru: "Запросу не хватило памяти: в практике её немного, чтобы страница не зависла."; en: "The query ran out of memory: the practice has little, so that the page does not hang."; }
    /// A parameter that nobody gives.
    fn parameter() { ru: "В запросе есть параметр (`?` или `:имя`), а подставить его некому: напишите значение."; en: "The query has a parameter (`?` or `:name`) and nobody fills it in: write a value."; }
    /// Anything else, in SQLite's own words.
    fn own_words(message: &str) { ru: "Ответ SQLite: `{message}`."; en: "SQLite says: `{message}`."; }
}
