//! With the picture hidden a scene can still be followed: whatever fact the drawing of a step
//! shows, the parallel text of that step has too (ux.md 3.7).

use crate::scenes::{scenes, steps};
use highwater::script::ast::View;
use highwater::text::Lang;
use highwater::view::ruler::{Instrument, Look, Needs, RulerInput, input, ruler, words};
use highwater::view::stage::{CellKind, Layout, MarkKind, stage};
use highwater::view::tables::described;

/// The columns of the table of replicas.
const RECORDS: usize = 4;
const HW: usize = 5;
const LEO: usize = 6;

#[test]
fn each_replicas_boundaries_role_and_records_are_in_its_row_of_the_table() {
    let mut facts = 0;
    for scene in scenes().iter().filter(|s| s.view != View::Overview) {
        for lang in Lang::ALL {
            steps(scene, lang, |name, _, step| {
                let drawn = stage(&step, scene.tp, Layout::Wide);
                let told = described(&step, scene.tp);
                let table = &told.tables[0];
                let all = |said: &str| {
                    let tables = told.tables.iter().flat_map(|t| t.rows.iter().flatten());
                    tables.chain(&told.clients).any(|cell| cell.contains(said))
                };
                for row in &drawn.rows {
                    let of = table.rows.iter().find(|r| r[0] == row.name.text);
                    // A broker without a replica of the partition has no row in the table.
                    let Some(of) = of else {
                        assert!(row.marks.is_empty() && row.cells.is_empty(), "{name}");
                        continue;
                    };
                    for mark in &row.marks {
                        let (column, at) = match mark.kind {
                            MarkKind::HighWatermark => (Some(HW), mark.at),
                            MarkKind::LogEnd => (Some(LEO), mark.at),
                            _ => (None, mark.at),
                        };
                        let value = at.to_string();
                        match column {
                            Some(column) => assert_eq!(of[column], value, "{name}: {of:?}"),
                            None => assert!(
                                all(&mark.flag.label.text),
                                "{name}: {}",
                                mark.flag.label.text
                            ),
                        }
                        facts += 1;
                    }
                    let cells = row.cells.iter().filter(|c| c.kind != CellKind::Cut);
                    if let Some(last) = cells.map(|c| c.offset).max() {
                        let number = last.to_string();
                        assert!(
                            of[RECORDS].contains(&number),
                            "{name}: {of:?} has no {number}"
                        );
                        facts += 1;
                    }
                    for badge in &row.badges {
                        let word = badge.text.trim();
                        let row_says = of.iter().any(|cell| cell.contains(word));
                        assert!(
                            row_says || word.is_empty(),
                            "{name}: {word} is not in {of:?}"
                        );
                        facts += 1;
                    }
                }
                for line in &drawn.clients {
                    for part in &line.parts {
                        assert!(all(part.text.trim()), "{name}: {}", part.text);
                        facts += 1;
                    }
                }
            });
        }
    }
    assert!(facts > 5_000, "{facts}");
}

#[test]
fn each_flag_and_bracket_of_a_ruler_is_in_its_tables() {
    let mut facts = 0;
    for scene in scenes()
        .iter()
        .filter(|s| matches!(s.view, View::Ruler | View::Both))
    {
        for lang in Lang::ALL {
            steps(scene, lang, |name, _, step| {
                let Some(of): Option<RulerInput> = input(step.now, scene.tp) else {
                    return;
                };
                let look = Look {
                    layout: Layout::Wide,
                    isolation: None,
                    instrument: Instrument::GroupTool,
                    needs: Needs::default(),
                };
                let drawn = ruler(lang, None, &of, &look);
                let told = words(lang, &of, &look);
                let tables = [&told.boundaries, &told.lags, &told.effects];
                let cells: Vec<&String> = tables
                    .iter()
                    .flat_map(|t| t.rows.iter().flatten())
                    .collect();
                for track in &drawn.tracks {
                    for mark in &track.marks {
                        let value = mark.at.to_string();
                        let said = told.boundaries.rows.iter().any(|row| row[1] == value);
                        assert!(
                            said,
                            "{name}: {} is not among {:?}",
                            mark.flag.label.text, told.boundaries.rows
                        );
                        facts += 1;
                    }
                    for bracket in &track.brackets {
                        // «лаг коммита = 10 − 5 = 5»: the subtraction is the fact.
                        let label = &bracket.label.text.text;
                        let sum = label
                            .split_once(" = ")
                            .or(label.split_once(": "))
                            .map_or(&**label, |(_, sum)| sum);
                        let said = cells.iter().any(|c| c.contains(sum));
                        assert!(said, "{name}: {label} is not in {cells:?}");
                        facts += 1;
                    }
                }
            });
        }
    }
    assert!(facts > 2_000, "{facts}");
}
