//! A step in which nothing happened but that a record was given to a producer that cannot send it.

use super::Step;
use crate::kafka::ids::Tp;
use crate::text::events;
use crate::view::stage::row::reg;
use crate::world::picture::{ClientKind, ClientPicture, SendPicture, SendState};

fn sends(client: &ClientPicture) -> &[SendPicture] {
    match &client.kind {
        ClientKind::Producer { sends, .. } => sends,
        _ => &[],
    }
}

/// The last record of the step that waits in its producer, and why.
pub(super) fn told(step: &Step, tp: Option<Tp>) -> Option<String> {
    let before = step.before?;
    let clients = step.now.clients.iter();
    let mut waiting = clients.flat_map(|client| {
        let known = before.clients.iter().find(|c| c.id == client.id);
        let known = known.map_or(0, |c| sends(c).len());
        let new = sends(client).iter().skip(known);
        new.map(move |send| (client, send))
    });
    let (client, send) = waiting.rfind(|(_, send)| {
        matches!(send.state, SendState::Queued(_)) && tp.is_none_or(|tp| tp == send.tp)
    })?;
    let what = send.values.last()?.as_deref().unwrap_or("null");
    let led = reg(step.now, send.tp).is_some_and(|reg| reg.leader.is_some());
    Some(match led {
        true => events::waits_queued(step.lang, what, &client.name),
        false => events::waits_no_leader(step.lang, what, &client.name),
    })
}
