//! The ruler in words and tables: each boundary with what lies on both sides, each distance with
//! its subtraction and who counts it, what the processing has brought about.

use super::brackets::name;
use super::lags::{self, Consequence, Instrument, Lag, LagKind, consequence_from};
use super::{Isolation, Look, Next, Reader, RulerInput, Txn};
use crate::kafka::ids::{Boundary, Offset};
use crate::text::number::counted_records;
use crate::text::{Lang, ruler as say, words};
use crate::view::stage::clients::runs;
use crate::view::tables::{Table, high_watermark, log_end};

/// A ruler in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Boundaries × value, what lies on both sides.
    pub boundaries: Table,
    /// Distances × subtraction, who counts.
    pub lags: Table,
    /// Records × effect, how often.
    pub effects: Table,
    /// What follows: what a crash would do, why two figures differ.
    pub notes: Vec<String>,
}

/// A ruler in words.
pub fn words(lang: Lang, input: &RulerInput, look: &Look) -> Words {
    let mut boundaries = server(lang, input);
    let (mut lags, mut notes) = (Vec::new(), Vec::new());
    let several = input.readers.len() > 1;
    for reader in &input.readers {
        let isolation = look.isolation_of(reader);
        // With several readers each name carries whose it is.
        let named = |what: String| match several {
            false => what,
            true => [&what, " (", &*reader.name, ")"].concat(),
        };
        client(lang, input, reader, isolation, &named, &mut boundaries);
        distances(lang, input, reader, look, &named, &mut lags);
        let what_if = what_if(lang, input, reader, isolation);
        notes.extend(what_if.into_iter().map(named));
        notes.extend(remarks(lang, input, reader, look));
    }
    notes.extend(odd(lang, input));
    Words {
        boundaries: Table {
            caption: say::boundaries_caption(lang, &input.name),
            head: vec![
                words::head_boundary(lang),
                words::head_value(lang),
                words::head_meaning(lang),
            ],
            rows: boundaries,
        },
        lags: Table {
            caption: say::lags_caption(lang),
            head: vec![
                say::head_lag(lang),
                say::head_formula(lang),
                say::head_counted_by(lang),
            ],
            rows: lags,
        },
        effects: Table {
            caption: say::effects_caption(lang),
            head: vec![
                say::head_record(lang),
                say::head_effect(lang),
                say::head_times(lang),
            ],
            rows: input
                .effects
                .iter()
                .map(|e| {
                    let times = match e.times {
                        0 => say::never(lang),
                        1 => say::once(lang),
                        n => say::many_times(lang, n),
                    };
                    vec![e.offset.to_string(), e.key.to_string(), times]
                })
                .collect(),
        },
        notes,
    }
}

fn row(name: String, at: Boundary, meaning: String) -> Vec<String> {
    // A table has no code type.
    vec![name, at.to_string(), meaning.replace('`', "")]
}

fn server(lang: Lang, input: &RulerInput) -> Vec<Vec<String>> {
    let (start, end) = (input.log_start, input.log_end);
    let (hw, stable) = (input.high_watermark, input.last_stable);
    let from = Boundary(0);
    let first = input
        .given(Isolation::Uncommitted, start, end)
        .first()
        .copied();
    let whole = input.kept().len() as i64 == end.0 - start.0;
    let means = match (start.0, first) {
        (..=0, None) if start == end => say::start_empty(lang, start),
        (..=0, None) => say::start_bare(lang, start),
        (..=0, Some(first)) if whole && first.0 == start.0 => say::start_none(lang, start),
        (..=0, Some(first)) => say::start_kept(lang, start, first),
        (_, None) => say::start_gone(lang, start, from),
        (_, Some(first)) if first.0 == start.0 => say::start_some(lang, start, from),
        (_, Some(first)) => say::start_then(lang, start, from, first),
    };
    let decided = match stable < hw {
        true => say::stable_held(lang, stable),
        false => say::stable_all(lang, stable),
    };
    vec![
        row(say::name_start(lang), start, means),
        row("LSO".into(), stable, decided),
        row("HW".into(), hw, high_watermark(lang, input)),
        row("LEO".into(), end, log_end(lang, input)),
    ]
}

fn client(
    lang: Lang,
    input: &RulerInput,
    reader: &Reader,
    isolation: Isolation,
    named: &dyn Fn(String) -> String,
    rows: &mut Vec<Vec<String>>,
) {
    // A boundary outside the log says so.
    let outside = |at: Boundary, means: String| {
        let more = if at < input.log_start {
            say::below_start(lang)
        } else if at > input.log_end {
            say::above_end(lang)
        } else {
            return means;
        };
        [&means, "; ", &*more].concat()
    };
    let mut add = |name: String, at: Option<Boundary>, means: &dyn Fn(Boundary) -> String| {
        if let Some(at) = at {
            rows.push(row(named(name), at, outside(at, means(at))));
        }
    };
    add(say::name_committed(lang), reader.committed, &|at| {
        say::committed_means(lang, at)
    });
    add(say::name_outside(lang), reader.outside, &|at| {
        say::outside_means(lang, at)
    });
    add(
        say::name_processed(lang),
        reader.processed,
        &|at| match input.next(isolation, at) {
            Next::Here => say::processed_means(lang, at),
            Next::At(next) => say::processed_hole(lang, at, next),
            Next::Nothing(_) | Next::Waits => say::processed_all(lang, at),
        },
    );
    add(
        say::name_position(lang),
        reader.position,
        &|at| match input.next(isolation, at) {
            Next::Here => say::position_means(lang, at),
            Next::At(next) => say::position_hole(lang, at, next),
            Next::Nothing(end) => say::position_nothing(lang, at, end),
            Next::Waits => say::position_waits(lang, at),
        },
    );
}

fn distances(
    lang: Lang,
    input: &RulerInput,
    reader: &Reader,
    look: &Look,
    named: &dyn Fn(String) -> String,
    rows: &mut Vec<Vec<String>>,
) {
    let isolation = look.isolation_of(reader);
    let mut add = |name: String, lag: Lag, by: String| {
        let formula = match (lag.end, lag.from) {
            (Some(end), Some(from)) => say::subtraction(end, from.0),
            _ => say::no_value(lang),
        };
        rows.push(vec![named(name), formula, by]);
    };
    let of = |instrument, kind| lags::lag(input, reader, isolation, instrument, kind);
    let by = |instrument, kind| super::brackets::counted_by(lang, kind, instrument);
    for instrument in Instrument::ALL {
        let lag = of(instrument, LagKind::Committed);
        // The second instrument only where it counts to another end.
        let same = instrument == Instrument::Librdkafka
            && lag == of(Instrument::GroupTool, LagKind::Committed);
        let asked = instrument != Instrument::LastRecord || instrument == look.instrument;
        if asked && !same {
            let name = name(lang, LagKind::Committed, instrument);
            add(name, lag, by(instrument, LagKind::Committed));
        }
    }
    let tool = Instrument::GroupTool;
    let own = say::by_application(lang);
    add(
        say::lag_processing(lang),
        of(tool, LagKind::Processing),
        own.clone(),
    );
    add(
        say::lag_fetch(lang),
        of(tool, LagKind::Fetch),
        by(tool, LagKind::Fetch),
    );
    add(say::in_hand(lang), lags::in_hand(reader), own.clone());
    add(say::unsaved(lang), lags::unsaved(reader), own);
}

/// What a crash of the reader would do now: by its group's commit, and by the checkpoint that
/// its application keeps elsewhere, which Kafka knows nothing of.
pub fn what_if(
    lang: Lang,
    input: &RulerInput,
    reader: &Reader,
    isolation: Isolation,
) -> Vec<String> {
    let then = &match reader.reset.as_deref().unwrap_or("latest") {
        "none" => say::policy_throws(lang),
        reset => say::policy_decides(lang, reset),
    };
    let records = |from, to| counted_records(lang, &runs(&input.given(isolation, from, to)));
    let mut all = Vec::new();
    match (reader.committed, reader.outside) {
        (None, Some(at)) => all.push(say::would_reset_or_seek(lang, then, at)),
        (None, None) if reader.position.is_some() => all.push(say::would_reset(lang, then)),
        (None, None) => {}
        (Some(saved), _) => match consequence_from(input, reader, isolation, saved) {
            Consequence::Unknown => {}
            Consequence::OutOfRange(at) if at < input.log_start => {
                all.push(say::would_be_out_of_range(lang, at, input.log_start, then));
            }
            Consequence::OutOfRange(at) => {
                all.push(say::would_be_beyond(lang, at, input.log_end, then));
            }
            Consequence::Exact => all.push(say::would_be_exact(lang, saved)),
            Consequence::Repeat(from, to) => {
                all.push(say::would_repeat(lang, &records(from, to), saved));
            }
            Consequence::Loss(from, to) => {
                all.push(say::would_lose(lang, &records(from, to), saved));
            }
        },
    }
    let Some(at) = reader.outside else { return all };
    match consequence_from(input, reader, isolation, at) {
        Consequence::Unknown => {}
        Consequence::OutOfRange(_) if at < input.log_start => {
            all.push(say::outside_below(lang, at, input.log_start, then));
        }
        Consequence::OutOfRange(_) => {
            all.push(say::outside_beyond(lang, at, input.log_end, then));
        }
        Consequence::Exact => all.push(say::outside_exact(lang, at)),
        Consequence::Repeat(from, to) => {
            all.push(say::outside_repeat(lang, &records(from, to), at));
        }
        Consequence::Loss(from, to) => all.push(say::outside_lose(lang, &records(from, to), at)),
    }
    all
}

/// Why figures differ, and what is wrong with one.
fn remarks(lang: Lang, input: &RulerInput, reader: &Reader, look: &Look) -> Vec<String> {
    let isolation = look.isolation_of(reader);
    let mut all = Vec::new();
    let (hw, end) = (input.high_watermark, input.visible_end(isolation));
    if end < hw {
        all.push(say::two_ends(lang, hw, end));
    }
    let of = |instrument| lags::lag(input, reader, isolation, instrument, LagKind::Committed);
    let right = of(Instrument::GroupTool);
    let wrong = of(Instrument::LastRecord);
    if look.instrument == Instrument::LastRecord
        && let (Some(last), Some(from)) = (wrong.end, wrong.from)
    {
        let (was, is) = (last - from.0, hw.0 - from.0);
        all.push(say::mistake(lang, last, from, was, hw.0, is));
    }
    let other = of(Instrument::Librdkafka);
    if look.instrument == Instrument::Librdkafka || (other != right && !input.leaderless) {
        all.push(say::by_description(lang));
    }
    if right.value().is_some_and(|v| v < 0) {
        all.push(say::negative(lang));
    }
    if let Some(from) = right.from {
        let span = from.0.max(input.log_start.0)..hw.0;
        if span.end > span.start
            && (input.given(isolation, from, hw).len() as i64) < span.end - span.start
        {
            all.push(say::numbers_not_records(lang));
        }
    }
    all
}

/// What differs from the step before, beside what the replicas tell.
pub fn changed(lang: Lang, before: &RulerInput, now: &RulerInput) -> Vec<String> {
    type Of = fn(&Reader) -> Option<Boundary>;
    let mut all = Vec::new();
    // Without transactions it goes where the high watermark goes, and is told with it.
    let with_hw = |i: &RulerInput| i.last_stable == i.high_watermark;
    if before.last_stable != now.last_stable && !(with_hw(before) && with_hw(now)) {
        let from = before.last_stable.to_string();
        all.push(say::moved(lang, "LSO", &from, now.last_stable));
    }
    for reader in &now.readers {
        // What is saved belongs to the group, whoever reads; what is processed to the process.
        let saver = |r: &Reader| r.group.clone().unwrap_or_else(|| r.name.clone());
        let group = before.readers.iter().find(|r| saver(r) == saver(reader));
        let process = before.readers.iter().find(|r| r.name == reader.name);
        let mut add = |old: Option<&Reader>, name: String, of: Of| {
            let was = old.and_then(of);
            if let Some(is) = of(reader).filter(|is| Some(*is) != was) {
                let from = was.map_or_else(|| say::no_boundary(lang), |b| b.to_string());
                all.push(say::moved_of(lang, &reader.name, &name, &from, is));
            }
        };
        let name = |of: fn(Lang) -> String| of(lang).to_lowercase();
        add(group, name(say::name_committed), |r| r.committed);
        add(group, name(say::name_outside), |r| r.outside);
        add(process, name(say::name_processed), |r| r.processed);
    }
    all
}

/// Numbers that are not plain visible records.
fn odd(lang: Lang, input: &RulerInput) -> Vec<String> {
    let live = || (input.log_start.0.max(0)..input.log_end.0).map(Offset);
    // A log of thousands is told by its boundaries.
    if input.log_end.0 - input.log_start.0 > 2000 {
        return Vec::new();
    }
    let list = |of: &dyn Fn(Offset) -> bool, words: &dyn Fn(&str) -> String| {
        let found: Vec<Offset> = live().filter(|o| of(*o)).collect();
        (!found.is_empty()).then(|| words(&runs(&found)))
    };
    let txn = |o: Offset, wanted: Txn| {
        input
            .record(o)
            .is_some_and(|r| r.txn == wanted && !r.removed && r.control.is_none())
    };
    [
        list(&|o| input.record(o).is_none_or(|r| r.removed), &|n| {
            say::holes(lang, n)
        }),
        list(
            &|o| input.record(o).is_some_and(|r| r.control.is_some()),
            &|n| say::markers(lang, n),
        ),
        list(&|o| txn(o, Txn::Open), &|n| say::open(lang, n)),
        list(&|o| txn(o, Txn::Aborted), &|n| say::aborted(lang, n)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
