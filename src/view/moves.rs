//! What a reader may do at a moment, in words and groups: time, topic, each broker, each client.

use crate::history::branch::{Move, SLOW, Wait, client_name};
use crate::kafka::message::Acks;
use crate::script::ast::Text;
use crate::text::Lang;
use crate::text::moves as words;
use crate::text::number::time as duration;
use crate::world::picture::Picture;

/// Moves that have something in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What: «Брокер 2».
    pub name: String,
    /// Each with the words of its button.
    pub moves: Vec<(Move, String)>,
}

/// Moves in groups, in the order in which they come.
pub fn groups(lang: Lang, picture: &Picture, moves: &[Move]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    for what in moves {
        let name = group(lang, picture, *what);
        let button = (*what, button(lang, *what));
        match groups.iter_mut().find(|g| g.name == name) {
            Some(group) => group.moves.push(button),
            None => groups.push(Group {
                name,
                moves: vec![button],
            }),
        }
    }
    groups
}

fn group(lang: Lang, picture: &Picture, what: Move) -> String {
    match what {
        Move::Wait(_) => words::group_time(lang),
        Move::ElectPreferred | Move::ElectUnclean | Move::MinIsr(_) => words::group_topic(lang),
        Move::Kill(id)
        | Move::PowerLoss(id)
        | Move::Shutdown(id)
        | Move::Start(id)
        | Move::Freeze(id)
        | Move::Thaw(id)
        | Move::Isolate(id)
        | Move::Rejoin(id)
        | Move::Slow(id)
        | Move::Fast(id) => words::group_broker(lang, &id.to_string()),
        Move::Produce(n)
        | Move::Acks(n, _)
        | Move::Poll(n)
        | Move::Process(n)
        | Move::Commit(n)
        | Move::Crash(n)
        | Move::Close(n)
        | Move::Restart(n)
        | Move::Begin(n)
        | Move::CommitTransaction(n)
        | Move::Abort(n) => client_name(picture, n).to_string(),
    }
}

fn button(lang: Lang, what: Move) -> String {
    match what {
        Move::Wait(Wait::Change) => words::change(lang),
        Move::Wait(Wait::For(time)) => words::pass(lang, &duration(lang, time)),
        Move::Wait(Wait::Calm) => words::calm(lang),
        Move::Produce(_) => words::produce(lang),
        Move::Kill(_) => words::kill(lang),
        Move::PowerLoss(_) => words::power(lang),
        Move::Shutdown(_) => words::shutdown(lang),
        Move::Start(_) => words::start(lang),
        Move::Freeze(_) => words::freeze(lang),
        Move::Thaw(_) => words::thaw(lang),
        Move::Isolate(_) => words::isolate(lang),
        Move::Rejoin(_) => words::rejoin(lang),
        Move::Slow(_) => words::slow(lang),
        Move::Fast(_) => words::fast(lang),
        Move::ElectPreferred => words::preferred(lang),
        Move::ElectUnclean => words::unclean(lang),
        Move::MinIsr(n) => format!("min.insync.replicas={n}"),
        Move::Acks(_, acks) => format!("acks={}", word(acks)),
        Move::Poll(_) => "poll()".into(),
        Move::Process(_) => words::process(lang),
        Move::Commit(_) => words::commit(lang),
        Move::Crash(_) => words::crash(lang),
        Move::Close(_) => words::close(lang),
        Move::Restart(_) => words::restart(lang),
        Move::Begin(_) => words::begin(lang),
        Move::CommitTransaction(_) => words::end(lang),
        Move::Abort(_) => words::abort(lang),
    }
}

fn word(acks: Acks) -> &'static str {
    acks.as_str()
}

/// The heading of the step that a move makes, at the moment before it.
pub fn title(picture: &Picture, what: Move) -> Text {
    both(&|lang| {
        let who = |n| client_name(picture, n).to_string();
        match what {
            Move::Wait(Wait::Change) => words::change_done(lang),
            Move::Wait(Wait::For(time)) => words::pass_done(lang, &duration(lang, time)),
            Move::Wait(Wait::Calm) => words::calm_done(lang),
            Move::Produce(n) => words::produce_done(lang, &who(n)),
            Move::Kill(id) => words::kill_done(lang, &id.to_string()),
            Move::PowerLoss(id) => words::power_done(lang, &id.to_string()),
            Move::Shutdown(id) => words::shutdown_done(lang, &id.to_string()),
            Move::Start(id) => words::start_done(lang, &id.to_string()),
            Move::Freeze(id) => words::freeze_done(lang, &id.to_string()),
            Move::Thaw(id) => words::thaw_done(lang, &id.to_string()),
            Move::Isolate(id) => words::isolate_done(lang, &id.to_string()),
            Move::Rejoin(id) => words::rejoin_done(lang, &id.to_string()),
            Move::Slow(id) => words::slow_done(lang, &id.to_string(), &duration(lang, SLOW)),
            Move::Fast(id) => words::fast_done(lang, &id.to_string()),
            Move::ElectPreferred => words::preferred_done(lang),
            Move::ElectUnclean => words::unclean_done(lang),
            Move::MinIsr(n) => words::min_isr_done(lang, n),
            Move::Acks(n, acks) => words::acks_done(lang, &who(n), word(acks)),
            Move::Poll(n) => words::poll_done(lang, &who(n)),
            Move::Process(n) => words::process_done(lang, &who(n)),
            Move::Commit(n) => words::commit_done(lang, &who(n)),
            Move::Crash(n) => words::crash_done(lang, &who(n)),
            Move::Close(n) => words::close_done(lang, &who(n)),
            Move::Restart(n) => words::restart_done(lang, &who(n)),
            Move::Begin(n) => words::begin_done(lang, &who(n)),
            Move::CommitTransaction(n) => words::end_done(lang, &who(n)),
            Move::Abort(n) => words::abort_done(lang, &who(n)),
        }
    })
}

fn both(words: &dyn Fn(Lang) -> String) -> Text {
    Text {
        ru: Some(words(Lang::Ru).into()),
        en: Some(words(Lang::En).into()),
    }
}
