//! Numbers, plurals, times and lists as each language writes them.

use super::Lang;
use crate::kafka::ids::{Boundary, BrokerId, BrokerSet, Ms};

/// A space that does not break: between a number and its unit.
pub const NBSP: char = '\u{a0}';

/// The Russian form for a number: one (1, 21), few (2-4, 22), many (0, 5-20, 11-14).
pub fn ru<'a>(n: i64, one: &'a str, few: &'a str, many: &'a str) -> &'a str {
    let n = n.unsigned_abs();
    match (n % 10, n % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    }
}

/// The English form for a number.
pub fn en<'a>(n: i64, one: &'a str, many: &'a str) -> &'a str {
    if n == 1 { one } else { many }
}

fn counted(lang: Lang, n: i64, one_few_many: [&str; 3], one_many: [&str; 2]) -> String {
    let word = match lang {
        Lang::Ru => ru(n, one_few_many[0], one_few_many[1], one_few_many[2]),
        Lang::En => en(n, one_many[0], one_many[1]),
    };
    format!("{n}{NBSP}{word}")
}

/// «5 записей», "5 records".
pub fn records(lang: Lang, n: i64) -> String {
    counted(
        lang,
        n,
        ["запись", "записи", "записей"],
        ["record", "records"],
    )
}

/// «2 копии», "2 copies".
pub fn copies(lang: Lang, n: i64) -> String {
    counted(lang, n, ["копия", "копии", "копий"], ["copy", "copies"])
}

/// «24 партиции», "24 partitions".
pub fn partitions(lang: Lang, n: i64) -> String {
    counted(
        lang,
        n,
        ["партиция", "партиции", "партиций"],
        ["partition", "partitions"],
    )
}

/// «21 партиции» after "of, from": genitive.
pub fn partitions_of(lang: Lang, n: i64) -> String {
    counted(
        lang,
        n,
        ["партиции", "партиций", "партиций"],
        ["partition", "partitions"],
    )
}

/// «13 шагов», "13 steps".
pub fn steps(lang: Lang, n: i64) -> String {
    counted(lang, n, ["шаг", "шага", "шагов"], ["step", "steps"])
}

/// A span of time: «3 мс», «9 с», «9,4 с»; "9.4 s".
pub fn time(lang: Lang, span: Ms) -> String {
    let (ms, s) = match lang {
        Lang::Ru => ("мс", "с"),
        Lang::En => ("ms", "s"),
    };
    if span.0.abs() < 1000 {
        return format!("{}{NBSP}{ms}", span.0);
    }
    let tenths = (span.0 + 50) / 100;
    if tenths % 10 == 0 {
        format!("{}{NBSP}{s}", tenths / 10)
    } else {
        let comma = if lang == Lang::Ru { ',' } else { '.' };
        format!("{}{comma}{}{NBSP}{s}", tenths / 10, tenths % 10)
    }
}

/// The numbers of the records between two boundaries: `3`, `0–5`; empty if there is none.
pub fn numbers(from: Boundary, to: Boundary) -> String {
    match to.0 - from.0 {
        n if n <= 0 => String::new(),
        1 => from.0.to_string(),
        _ => format!("{}–{}", from.0, to.0 - 1),
    }
}

/// The same of numbers as [`numbers`] writes them, or of several runs (`4, 8–10`): two in a row are
/// named, more are a run.
pub fn counted_records(lang: Lang, numbers: &str) -> String {
    let runs = items(lang, numbers);
    let word = match (lang, several(numbers)) {
        (Lang::Ru, false) => "запись",
        (Lang::Ru, true) => "записи",
        (Lang::En, false) => "record",
        (Lang::En, true) => "records",
    };
    counted_by(lang, word, &runs)
}

/// Whether these numbers, as [`numbers`] writes them, are of more than one record.
pub fn several(numbers: &str) -> bool {
    numbers.contains(['–', ','])
}

/// `0–3, 5–6` as the runs and numbers that a sentence names: `0–3`, `5`, `6`.
fn items(lang: Lang, numbers: &str) -> Vec<String> {
    let mut all = Vec::new();
    for run in numbers.split(", ") {
        let ends = run.split_once('–');
        let ends = ends.and_then(|(a, b)| Some((a.parse::<i64>().ok()?, b.parse::<i64>().ok()?)));
        match (lang, ends) {
            (_, None) => all.push(run.into()),
            (_, Some((first, last))) if last == first + 1 => {
                all.extend([first.to_string(), last.to_string()]);
            }
            (Lang::Ru, Some(_)) => all.push(run.into()),
            (Lang::En, Some((first, last))) => all.push(format!("{first} to {last}")),
        }
    }
    all
}

/// «записи 0–5», «записи 5 и 6»: one item stays with its word on the line.
fn counted_by(lang: Lang, word: &str, items: &[String]) -> String {
    match items {
        [one] if !one.contains(' ') => format!("{word}{NBSP}{one}"),
        _ => format!("{word} {}", listed(lang, items)),
    }
}

/// What several followers have: these records, or nothing.
pub fn they_have(lang: Lang, numbers: &str) -> String {
    let records = counted_records(lang, numbers);
    match (lang, numbers.is_empty()) {
        (Lang::Ru, true) => "их логи пусты".into(),
        (Lang::Ru, false) => format!("{records} у них уже есть"),
        (Lang::En, true) => "their logs are empty".into(),
        (Lang::En, false) => format!("they already have {records}"),
    }
}

/// «запись 3», «записи 5 и 6», «записи 0–5»; "record 3", "records 5 and 6", "records 0 to 5".
/// Nominative and accusative.
pub fn named_records(lang: Lang, from: Boundary, to: Boundary) -> String {
    counted_records(lang, &numbers(from, to))
}

/// «записи 3 нет», «записей 3–5 нет»: genitive; "record 3".
pub fn no_records(lang: Lang, from: Boundary, to: Boundary) -> String {
    counted_no_records(lang, &numbers(from, to))
}

/// The same of numbers as [`numbers`] writes them.
pub fn counted_no_records(lang: Lang, numbers: &str) -> String {
    let word = match (lang, several(numbers)) {
        (Lang::En, _) => return counted_records(lang, numbers),
        (Lang::Ru, false) => "записи",
        (Lang::Ru, true) => "записей",
    };
    counted_by(lang, word, &items(lang, numbers))
}

/// [`named_records`] where there is little room: a run of two is a run.
pub fn label_records(lang: Lang, from: Boundary, to: Boundary) -> String {
    let (first, last) = (from.0, to.0 - 1);
    match (lang, first == last) {
        (_, true) => named_records(lang, from, to),
        (Lang::Ru, false) => format!("записи{NBSP}{first}–{last}"),
        (Lang::En, false) => format!("records {first} to {last}"),
    }
}

/// [`no_records`] where there is little room.
pub fn label_no_records(lang: Lang, from: Boundary, to: Boundary) -> String {
    let (first, last) = (from.0, to.0 - 1);
    match (lang, first == last) {
        (Lang::Ru, false) => format!("записей{NBSP}{first}–{last}"),
        (Lang::Ru, true) => no_records(lang, from, to),
        (Lang::En, _) => label_records(lang, from, to),
    }
}

/// Brokers by number: «1, 2 и 3», "1, 2 and 3"; «никого», "nobody".
pub fn brokers(lang: Lang, of: impl IntoIterator<Item = BrokerId>) -> String {
    let ids: Vec<String> = of.into_iter().map(|b| b.to_string()).collect();
    match (ids.is_empty(), lang) {
        (false, _) => listed(lang, &ids),
        (true, Lang::Ru) => "никого".into(),
        (true, Lang::En) => "nobody".into(),
    }
}

/// «1, 2 и 3», "1, 2 and 3".
fn listed(lang: Lang, items: &[String]) -> String {
    match (items, lang) {
        ([], _) => String::new(),
        ([only], _) => only.clone(),
        ([rest @ .., last], Lang::Ru) => format!("{} и {last}", rest.join(", ")),
        ([rest @ .., last], Lang::En) => format!("{} and {last}", rest.join(", ")),
    }
}

/// «брокер 3», «брокеры 1 и 3»; accusative and nominative.
pub fn named_brokers(lang: Lang, of: BrokerSet) -> String {
    let ids = brokers(lang, of.iter());
    match (lang, of.len() > 1) {
        (Lang::Ru, false) => format!("брокер{NBSP}{ids}"),
        (Lang::Ru, true) => format!("брокеры {ids}"),
        (Lang::En, false) => format!("broker{NBSP}{ids}"),
        (Lang::En, true) => format!("brokers {ids}"),
    }
}

/// A set as Kafka's tools write one: `[1, 2]`; empty `[]`.
pub fn set(of: BrokerSet) -> String {
    of.to_string()
}

/// The value of a record, quoted as the language does: «paid», "paid"; a tombstone by its name.
pub fn value(lang: Lang, value: Option<&str>) -> String {
    match (value, lang) {
        (None, _) => "tombstone".into(),
        (Some(v), Lang::Ru) => format!("«{v}»"),
        (Some(v), Lang::En) => format!("“{v}”"),
    }
}

/// Values in a row; a long row is cut to its ends.
pub fn values<'a>(lang: Lang, of: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let all: Vec<String> = of.into_iter().map(|v| value(lang, v)).collect();
    match all.as_slice() {
        [first, .., last] if all.len() > 3 => format!("{first} … {last}"),
        _ => all.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn russian_takes_three_forms() {
        let said: Vec<String> = [0, 1, 2, 4, 5, 11, 12, 21, 24, 111]
            .map(|n| records(Lang::Ru, n).replace(NBSP, " "))
            .into();
        assert_eq!(
            said,
            [
                "0 записей",
                "1 запись",
                "2 записи",
                "4 записи",
                "5 записей",
                "11 записей",
                "12 записей",
                "21 запись",
                "24 записи",
                "111 записей"
            ]
        );
    }

    #[test]
    fn times_have_a_unit_and_the_languages_own_comma() {
        let said = |lang, ms| time(lang, Ms(ms)).replace(NBSP, " ");
        assert_eq!(said(Lang::Ru, 3), "3 мс");
        assert_eq!(said(Lang::En, 999), "999 ms");
        assert_eq!(said(Lang::Ru, 9_000), "9 с");
        assert_eq!(said(Lang::Ru, 9_412), "9,4 с");
        assert_eq!(said(Lang::En, 9_412), "9.4 s");
        assert_eq!(said(Lang::En, 9_960), "10 s");
    }

    #[test]
    fn sets_read_as_lists() {
        let set: BrokerSet = [BrokerId(1), BrokerId(2), BrokerId(3)]
            .into_iter()
            .collect();
        assert_eq!(brokers(Lang::Ru, set.iter()), "1, 2 и 3");
        assert_eq!(brokers(Lang::En, BrokerSet::EMPTY.iter()), "nobody");
        assert_eq!(numbers(Boundary(0), Boundary(6)), "0–5");
        assert_eq!(numbers(Boundary(3), Boundary(3)), "");
        let have = |lang, end| they_have(lang, &numbers(Boundary(0), Boundary(end)));
        assert_eq!(have(Lang::Ru, 0), "их логи пусты");
        assert_eq!(have(Lang::En, 1), "they already have record\u{a0}0");
        assert_eq!(have(Lang::Ru, 3), "записи\u{a0}0–2 у них уже есть");
        assert_eq!(have(Lang::En, 3), "they already have records 0 to 2");
        let some = |lang| counted_records(lang, "4, 8–10");
        assert_eq!(some(Lang::Ru), "записи 4 и 8–10");
        assert_eq!(some(Lang::En), "records 4 and 8 to 10");
        let two = |lang| counted_records(lang, "0–3, 5–6");
        assert_eq!(two(Lang::Ru), "записи 0–3, 5 и 6");
        assert_eq!(two(Lang::En), "records 0 to 3, 5 and 6");
        let gone = |lang, to| no_records(lang, Boundary(5), Boundary(to)).replace(NBSP, " ");
        assert_eq!(gone(Lang::Ru, 6), "записи 5");
        assert_eq!(gone(Lang::Ru, 7), "записей 5 и 6");
        assert_eq!(gone(Lang::En, 7), "records 5 and 6");
        assert_eq!(gone(Lang::Ru, 8), "записей 5–7");
    }
}
