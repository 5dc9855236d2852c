//! Dates and spans as Kafka's tools write them (ISO 8601). Virtual time has no date of its own:
//! the caller says which moment its time 0 stands for.

use crate::kafka::ids::Ms;

/// The moment that time 0 of a scene stands for: 2026-11-01T00:00Z, in ms since 1970.
pub const SCENE_START: i64 = 1_793_491_200_000;

const DAY: i64 = 86_400_000;

/// `PT1H`, `P1DT2H30M`, `PT0.5S`; not negative.
pub fn duration(text: &str) -> Option<Ms> {
    let rest = text.strip_prefix('P')?;
    let (days, time) = match rest.split_once('T') {
        Some((_, "")) => return None,
        Some((days, time)) => (days, time),
        None => (rest, ""),
    };
    let mut total: i64 = 0;
    let mut any = false;
    let mut take = |text: &str, units: &[(char, i64)]| -> Option<()> {
        let mut rest = text;
        let mut units = units.iter();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let (number, tail) = rest.split_at(end);
            let unit = tail.chars().next()?;
            let (_, factor) = units.find(|(name, _)| *name == unit)?;
            total = total.checked_add(amount(number, *factor)?)?;
            any = true;
            rest = &tail[1..];
        }
        Some(())
    };
    take(days, &[('D', DAY)])?;
    take(time, &[('H', 3_600_000), ('M', 60_000), ('S', 1_000)])?;
    any.then_some(Ms(total))
}

/// `5`, and of seconds also `0.25`.
fn amount(number: &str, factor: i64) -> Option<i64> {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty();
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if !digits(whole) || !digits(part) || (number.contains('.') && factor != 1_000) {
        return None;
    }
    let thousandths: i64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    let whole: i64 = whole.parse().ok()?;
    whole.checked_mul(factor)?.checked_add(thousandths)
}

/// A span as [`duration`] reads it.
pub fn duration_text(span: Ms) -> String {
    let (seconds, ms) = (span.0 / 1_000, span.0 % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let mut text = String::from("PT");
    for (n, unit) in [(hours, 'H'), (minutes, 'M')] {
        if n > 0 {
            text += &format!("{n}{unit}");
        }
    }
    match (seconds, ms) {
        (0, 0) if text.len() > 2 => {}
        (s, 0) => text += &format!("{s}S"),
        (s, ms) => text += &format!("{s}.{ms:03}S"),
    }
    text
}

/// `2026-11-01T06:30:00.000`, with or without a zone (`Z`, `+03:00`), as virtual time.
pub fn datetime(text: &str, start: i64) -> Option<Ms> {
    let (date, time) = text.split_once('T')?;
    let mut date = date.splitn(3, '-').map(|n| number(n, 4));
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, zone) = match time.find(['Z', '+', '-']) {
        Some(at) => (&time[..at], minutes_of(&time[at..])?),
        None => (time, 0),
    };
    let mut time = time.splitn(3, ':');
    let (hour, minute) = (number(time.next()?, 2)?, number(time.next()?, 2)?);
    let ms = time.next().map_or(Some(0), |s| amount(s, 1_000))?;
    let sane = (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sane || hour > 23 || minute > 59 || ms >= 60_000 {
        return None;
    }
    let of_day = (hour * 60 + minute - zone) * 60_000 + ms;
    Some(Ms(days(year, month, day) * DAY + of_day - start))
}

fn number(text: &str, longest: usize) -> Option<i64> {
    let fine =
        !text.is_empty() && text.len() <= longest && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| fine)
}

/// Minutes east of Greenwich.
fn minutes_of(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let minutes = number(hours, 2)? * 60 + number(minutes, 2)?;
    Some(if zone.starts_with('-') {
        -minutes
    } else {
        minutes
    })
}

/// Days since 1970-01-01 of a date of the Gregorian calendar, counted in years from March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Virtual time as [`datetime`] reads it.
pub fn datetime_text(at: Ms, start: i64) -> String {
    let unix = at.0 + start;
    let (day, ms) = (unix.div_euclid(DAY) + 719_468, unix.rem_euclid(DAY));
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        10.. => (era * 400 + year + 1, month - 9),
        _ => (era * 400 + year, month + 3),
    };
    let (hour, minute, ms) = (ms / 3_600_000, ms / 60_000 % 60, ms % 60_000);
    format!(
        "{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{:02}.{:03}",
        ms / 1_000,
        ms % 1_000
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_and_written_back() {
        for (text, ms) in [
            ("PT1H", 3_600_000),
            ("PT705H", 705 * 3_600_000),
            ("PT5H30M", 19_800_000),
            ("PT0.250S", 250),
            ("PT0S", 0),
        ] {
            assert_eq!(duration(text), Some(Ms(ms)), "{text}");
            assert_eq!(duration_text(Ms(ms)), text);
        }
        assert_eq!(duration("P1DT2H"), Some(Ms(26 * 3_600_000)));
        for wrong in [
            "PT", "P", "1H", "-PT1H", "PT-1H", "PT1M1H", "PT1.5H", "PTH", "PT1",
        ] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn dates_are_read_in_their_zone_and_written_back() {
        let at = |text: &str| datetime(text, SCENE_START);
        assert_eq!(at("2026-11-01T00:00:00.000"), Some(Ms(0)));
        assert_eq!(
            at("2026-11-01T06:30:00.000+03:00"),
            Some(Ms(3 * 3_600_000 + 1_800_000))
        );
        assert_eq!(at("2026-10-31T23:59"), Some(Ms(-60_000)));
        assert_eq!(
            at("2028-02-29T00:00:00Z")
                .map(|t| datetime_text(t, SCENE_START))
                .as_deref(),
            Some("2028-02-29T00:00:00.000")
        );
        for ms in [0, -1, 1_234_567_890, 29 * DAY, -400 * DAY] {
            let text = datetime_text(Ms(ms), SCENE_START);
            assert_eq!(at(&text), Some(Ms(ms)), "{text}");
        }
        for wrong in [
            "2026-13-01T00:00:00",
            "2026-11-01",
            "2026-11-01T25:00:00",
            "x",
        ] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }
}
