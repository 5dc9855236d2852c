//! What is said of a result: right, or what differs.

use crate::text::Lang;
use crate::text::number::{en, ru};
use crate::text::phrase::phrases;

fn differ(n: i64) -> String {
    let verb = ru(n, "не сошлась", "не сошлись", "не сошлись");
    format!("{verb} {n} {}", ru(n, "строка", "строки", "строк"))
}

fn rows_of(lang: Lang, n: i64) -> String {
    match lang {
        Lang::Ru => format!("{n} {}", ru(n, "строка", "строки", "строк")),
        Lang::En => format!("{n} {}", en(n, "row", "rows")),
    }
}

phrases! {
    /// Heading.
    fn right() { ru: "Верно"; en: "Right"; }
    /// Heading: some rows of the expected ones differ.
    fn wrong_rows(count: i64, of: i64) { ru: "Пока нет: {} из {of}", differ(count); en: "Not yet: {count} of {of} {}", if count == 1 { "rows differs" } else { "rows differ" }; }
    /// Heading: rows that should not be there, all others are right.
    fn extra_rows(count: i64) { ru: "Пока нет: {count} {}", ru(count, "лишняя строка", "лишние строки", "лишних строк"); en: "Not yet: {} too many", rows_of(Lang::En, count); }
    /// Heading: the order is another one.
    fn wrong_order() { ru: "Пока нет: строки те, но порядок другой"; en: "Not yet: the rows are right, their order is not"; }
    /// Heading: columns.
    fn wrong_columns() { ru: "Пока нет: нужны другие столбцы"; en: "Not yet: other columns are wanted"; }
    /// Heading: nothing came back.
    fn no_result() { ru: "Запрос выполнен, но ничего не вернул"; en: "The query ran, but returned nothing"; }
    /// Under it.
    fn no_result_about() { ru: "Проверяется результат последнего `SELECT`: добавьте его."; en: "What is checked is the result of the last `SELECT`: add one."; }

    /// The columns that are wanted.
    fn columns_wanted(list: &str) { ru: "Нужны столбцы {list}; имена можно не писать, если порядок тот же."; en: "The columns wanted are {list}; names may be left out if the order is the same."; }
    /// One that is missing.
    fn column_missing(list: &str) { ru: "Не хватает: {list}."; en: "Missing: {list}."; }
    /// One that is too many.
    fn column_extra(list: &str) { ru: "Лишнее: {list}."; en: "Not asked for: {list}."; }

    /// The first row that differs.
    fn row_differs(row: &str, column: &str, got: &str, expected: &str) { ru: "Строка {row}: в `{column}` получилось {got}, а нужно {expected}."; en: "Row {row}: `{column}` is {got}, expected {expected}."; }
    /// A row that is missing.
    fn row_missing(row: &str) { ru: "Не хватает строки {row}."; en: "Row {row} is missing."; }
    /// A row that is too many.
    fn row_extra(row: &str) { ru: "Строки {row} быть не должно."; en: "Row {row} should not be there."; }
    /// A row that came twice.
    fn row_twice(row: &str) { ru: "Строка {row} вернулась больше одного раза."; en: "Row {row} came more than once."; }
    /// The order that was found first.
    fn order_first(row: &str, wanted: &str) { ru: "На этом месте стоит {row}, а должна стоять {wanted}."; en: "{row} stands where {wanted} should."; }
    /// When no known mistake gives this result.
    fn look_at_boundaries() { ru: "Проверьте, от какой границы до какой вы считаете."; en: "Check from which boundary to which you count."; }
    /// Every row differs by one in a column, for no known reason.
    fn off_by_one(column: &str) { ru: "В `{column}` каждый раз ошибка на единицу: похоже, вместо границы взят номер записи."; en: "`{column}` is off by one each time: it looks as if a record’s number was taken for a boundary."; }

    /// In the column of comparison.
    fn same() { ru: "верно"; en: "same"; }
    /// In the column of comparison: too little.
    fn less(column: &str, by: i64, expected: &str) { ru: "{column}: нужно {expected}, меньше на {by}"; en: "{column}: expected {expected}, {by} less"; }
    /// In the column of comparison: too much.
    fn more(column: &str, by: i64, expected: &str) { ru: "{column}: нужно {expected}, больше на {by}"; en: "{column}: expected {expected}, {by} more"; }
    /// In the column of comparison: something else.
    fn other(column: &str, expected: &str) { ru: "{column}: нужно {expected}"; en: "{column}: expected {expected}"; }
    /// In the column of comparison.
    fn extra() { ru: "лишняя"; en: "not expected"; }
    /// In the column of comparison.
    fn missing() { ru: "не хватает"; en: "missing"; }

    /// More rows than are read.
    fn rows_cut(limit: i64) { ru: "Прочитаны только первые {}: больше страница не показывает и не проверяет.", rows_of(Lang::Ru, limit); en: "Only the first {} were read: the page shows and checks no more.", rows_of(Lang::En, limit); }
    /// A text longer than is shown.
    fn text_cut(limit: i64) { ru: "Длинные значения показаны до {limit}-го знака."; en: "Long values are shown up to character {limit}."; }
    /// The query changed its copy.
    fn changed() { ru: "Запрос изменил свою копию таблиц. К следующему запуску они снова прежние."; en: "The query changed its copy of the tables. They are as before for the next run."; }
}
