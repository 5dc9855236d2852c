//! The little picture of a scene: its most telling step.

use super::commits;
use super::show::{Form, Show};
use crate::kafka::ids::Tp;
use crate::script::ast::View;
use crate::text::Lang;
use crate::view::mini::{self, Mini, boundaries};

/// The little picture of a scene.
pub fn little(lang: Lang, show: &Show) -> Mini {
    if let (Form::Replicas(first), View::Ruler | View::Both) = (show.form, show.scenario.view) {
        return of_offsets(lang, show, first);
    }
    let end = |lane: usize| show.frame(lane, show.telling()).map(|f| &f.picture);
    let Some(now) = end(0) else {
        return Mini::default();
    };
    match show.form {
        Form::Replicas(tp) => mini::logs(lang, now, tp),
        Form::Overview(topic) => mini::grid(lang, now, topic),
        Form::Compare(tp) => {
            let lanes: Vec<_> = show
                .lanes
                .iter()
                .enumerate()
                .filter_map(|(i, lane)| Some((&*lane.name, end(i)?)))
                .collect();
            mini::lanes(lang, &lanes, tp)
        }
    }
}

/// Of the steps at which most is to be told apart, the first.
fn of_offsets(lang: Lang, show: &Show, first: Tp) -> Mini {
    let told = |step: u32| {
        let tp = show.shown(step).unwrap_or(first);
        let picture = &show.frame(0, step)?.picture;
        let reader = show.reader(step, tp);
        Some((boundaries::telling(picture, tp, reader.as_deref()), step))
    };
    let steps = (1..=show.last()).filter_map(told);
    let best = steps.max_by_key(|(worth, step)| (*worth, u32::MAX - step));
    // Where nobody reads, the replicas are what there is to see.
    let Some((_, step)) = best.filter(|best| best.0 > 0) else {
        let last = show.frame(0, show.telling());
        return last.map_or_else(Mini::default, |f| mini::logs(lang, &f.picture, first));
    };
    let tp = show.shown(step).unwrap_or(first);
    let Some(frame) = show.frame(0, step) else {
        return Mini::default();
    };
    let reader = show.reader(step, tp);
    match commits::needs(show) {
        Some(needs) => {
            boundaries::with_commits(lang, &frame.picture, tp, &needs, reader.as_deref())
        }
        None => {
            let lags = show.scenario.compares_lags();
            boundaries::boundaries(&frame.picture, tp, reader.as_deref(), lags)
        }
    }
}
