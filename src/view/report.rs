//! A run told to an author: each step as claims that hold there, in the language of scenes, so
//! that a line can be copied into the scene; and what of the story did not come true.

use super::trouble::trouble_words;
use crate::history::{Failure, Run, Trouble};
use crate::kafka::event::Event;
use crate::kafka::ids::*;
use crate::script::ast::*;
use crate::script::check::{actual, sent_as};
use crate::script::{event_line, fact_text};
use crate::text::Lang;
use crate::world::World;
use crate::world::command::PartitionName;
use crate::world::picture::*;
use std::rc::Rc;

/// With more partitions than this a step is told by counts.
const FEW: usize = 3;

/// The step a run is at: its beat line, its titles and time as comments, then claims, or the
/// events that led to it. The text reads as part of a scenario.
pub fn step(run: &Run<World>, with_events: bool) -> Vec<String> {
    let scenario = run.scenario();
    let mut lines = vec![match run.beat() {
        Some(beat) => format!("beat {}", beat.mark.as_deref().unwrap_or_default())
            .trim_end()
            .into(),
        None => String::from("# Step 0: behind the setup."),
    }];
    let title = run.beat().map_or(&scenario.title, |beat| &beat.title);
    lines.extend(
        [&title.ru, &title.en]
            .into_iter()
            .flatten()
            .map(|t| format!("  # {t}")),
    );
    for lane in 0..run.lanes() {
        let Some(picture) = run.picture(lane) else {
            continue;
        };
        let at = format!("step {}, {} ms", run.at(), picture.now.since(run.start()));
        let name = lane_name(scenario, lane);
        lines.push(match &name {
            Some(name) => format!("  # {at}, lane {name}"),
            None => format!("  # {at}"),
        });
        let told = if with_events {
            events(run.events(lane), &picture, run.start(), name.as_deref())
        } else {
            let claims = claims(&picture).into_iter();
            let only = name.map_or_else(String::new, |name| format!("{name} "));
            claims
                .map(|fact| format!("  expect {only}{}", fact_text(&fact)))
                .collect()
        };
        lines.extend(told);
        let broken = picture.violations.iter();
        lines.extend(broken.map(|(id, text)| format!("  # invariant {id} does not hold: {text}")));
    }
    lines
}

/// `acks=1`, where there are lanes.
fn lane_name(scenario: &Scenario, lane: u32) -> Option<String> {
    let lanes = scenario.lanes.as_ref()?;
    let value = lanes.values.get(lane as usize)?;
    Some(format!("{}={value}", lanes.variable))
}

/// Events as claims, under the times at which they happened.
fn events(events: &[Event], picture: &Picture, start: Ms, lane: Option<&str>) -> Vec<String> {
    let mut lines = vec![];
    let mut last = None;
    let only = lane.map_or_else(String::new, |lane| format!("{lane} "));
    for event in events {
        if last.replace(event.at) != Some(event.at) {
            lines.push(format!("  # at {} ms", event.at.since(start)));
        }
        lines.push(format!(
            "  expect {only}{}",
            event_line(&event.kind, picture)
        ));
    }
    lines
}

/// What holds in a picture: every claim the language has words for, where it says something.
pub fn claims(picture: &Picture) -> Vec<Fact> {
    let mut facts = vec![];
    let names: Vec<_> = picture.partitions.iter().map(|p| p.name.clone()).collect();
    let names: Vec<_> = names
        .into_iter()
        .filter(|n| !n.topic.starts_with("__"))
        .collect();
    if names.len() > FEW {
        facts.extend(Count::WORDS.iter().map(|(_, count)| Fact::Count(*count, 0)));
        facts.extend(picture.brokers.iter().map(|b| Fact::Leads(b.id, 0)));
    }
    for b in &picture.brokers {
        facts.push(Fact::Process(b.id, b.process));
        facts.push(Fact::Fenced(b.id, false));
    }
    if names.len() <= FEW {
        for name in &names {
            partition(name, picture, &mut facts);
        }
    }
    for client in &picture.clients {
        client_claims(client, picture, names.len() <= FEW, &mut facts);
    }
    for group in &picture.groups {
        group_claims(&group.view.group, picture, &names, &mut facts);
    }
    for t in &picture.transactions {
        facts.push(Fact::Transaction(
            t.view.transactional_id.clone(),
            t.view.state,
        ));
    }
    facts.push(Fact::Lost(vec![]));
    let mut told: Vec<Fact> = vec![];
    for fact in facts.iter().filter_map(|fact| actual(fact, picture)) {
        if !told.contains(&fact) {
            told.push(fact);
        }
    }
    told
}

fn partition(name: &PartitionName, picture: &Picture, facts: &mut Vec<Fact>) {
    let p = || name.clone();
    facts.push(Fact::Leader(p(), None));
    facts.push(Fact::LeaderEpoch(p(), Epoch(0)));
    facts.push(Fact::Isr(p(), BrokerSet::EMPTY));
    let elr = picture.partition(name).map(|p| p.reg.elr);
    if elr.is_some_and(|elr| !elr.is_empty()) {
        facts.push(Fact::Elr(p(), BrokerSet::EMPTY));
    }
    for b in &picture.brokers {
        facts.push(Fact::Role(b.id, p(), Role::Down));
        for (_, bound) in Bound::WORDS {
            facts.push(Fact::Bound(*bound, b.id, p(), Boundary(0)));
        }
        facts.push(Fact::Records(b.id, p(), vec![]));
    }
}

fn client_claims(client: &ClientPicture, picture: &Picture, sent: bool, facts: &mut Vec<Fact>) {
    let name = &client.name;
    match &client.kind {
        ClientKind::Producer { sends, .. } | ClientKind::Raw { sends } if sent => {
            for send in sends {
                for value in send.values.iter().flatten() {
                    let (c, v) = (name.clone(), value.clone());
                    facts.push(Fact::Sent(c.clone(), v.clone(), sent_as(&send.state)));
                    if send.attempts > 1 {
                        facts.push(Fact::Attempts(c, v, 0));
                    }
                }
            }
        }
        ClientKind::Consumer {
            positions,
            member,
            received,
            ..
        } => {
            if member.subscribed {
                facts.push(Fact::Assignment(name.clone(), vec![]));
            }
            if sent || received.len() <= 20 {
                facts.push(Fact::Received(name.clone(), vec![]));
            }
            let named = |tp: &Tp| picture.partitions.iter().find(|p| p.tp == *tp);
            for p in positions.iter().filter_map(|(tp, _)| named(tp)) {
                facts.push(Fact::At(name.clone(), p.name.clone(), Boundary(0)));
                facts.push(Fact::Processed(name.clone(), p.name.clone(), None));
                facts.push(Fact::Lag(
                    Instrument::Fetch,
                    name.clone(),
                    p.name.clone(),
                    None,
                ));
            }
            let store = member.group.as_ref().unwrap_or(name);
            let outside = picture.stores.iter().filter(|s| s.name == *store);
            for p in outside
                .flat_map(|s| &s.outside)
                .filter_map(|(tp, _)| named(tp))
            {
                facts.push(Fact::Saved(name.clone(), p.name.clone(), None));
            }
        }
        _ => {}
    }
}

fn group_claims(
    group: &Rc<str>,
    picture: &Picture,
    names: &[PartitionName],
    facts: &mut Vec<Fact>,
) {
    let state = crate::kafka::group::message::GroupState::Dead;
    facts.push(Fact::GroupState(group.clone(), state));
    facts.push(Fact::Members(group.clone(), 0));
    facts.push(Fact::Generation(group.clone(), 0));
    let view = picture.group(group).map(|g| &g.view);
    for name in names {
        let tp = picture.partition(name).map(|p| p.tp);
        let committed = view.and_then(|v| v.committed.iter().find(|(t, _)| Some(*t) == tp));
        if committed.is_some() {
            facts.push(Fact::Committed(group.clone(), name.clone(), None));
            facts.push(Fact::Lag(
                Instrument::Commit,
                group.clone(),
                name.clone(),
                None,
            ));
        }
    }
}

/// What of a played story did not come true, a line each with its place in the file; at the end
/// how much of it did.
pub fn outcome(run: &Run<World>, file: &str) -> Vec<String> {
    let scenario = run.scenario();
    let mut lines = vec![];
    // The first line of each lane that was not carried out: what comes behind it may follow.
    let mut first: Vec<(u32, u32)> = vec![];
    let failures = run.failures();
    for failure in failures {
        let Failure { step, lane, at, .. } = failure;
        let name = lane_name(scenario, *lane).map_or_else(String::new, |n| format!(", {n}"));
        let what = trouble_words(Lang::En, &failure.trouble);
        let mut line = format!(
            "{file}:{}:{}: step {step}{name}: {what}",
            at.line, at.column
        );
        match first.iter().find(|(of, _)| of == lane) {
            Some((_, cause)) => line += &format!(" (may follow from line {cause})"),
            None if matches!(failure.trouble, Trouble::Refused(_)) => first.push((*lane, at.line)),
            None => {}
        }
        lines.push(line);
    }
    let stories = scenario.beats.iter().map(|beat| &beat.lines);
    let said = [&scenario.setup].into_iter().chain(stories).flatten();
    let claims = said.filter_map(|line| match &line.what {
        LineKind::Expect(e) if e.lane.is_none() => Some(run.lanes() as usize),
        LineKind::Expect(_) => Some(1),
        _ => None,
    });
    let claims: usize = claims.sum();
    let wrong = |f: &&Failure| matches!(f.trouble, Trouble::Mismatch(_));
    let wrong = failures.iter().filter(wrong).count();
    let untaken = failures.len() - wrong;
    let steps = run.steps();
    lines.push(if failures.is_empty() {
        format!("Steps: {steps}. Claims: {claims}, and every one holds.")
    } else {
        format!(
            "Steps: {steps}. Claims: {claims}, of which {wrong} do not hold. Commands that were not taken: {untaken}."
        )
    });
    lines
}
