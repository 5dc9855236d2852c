//! The messages of some steps as a Mermaid sequence diagram, which GitHub and many wikis draw.

use super::Story;
use super::trace::plain;
use crate::kafka::event::{Event, EventKind};
use crate::text::words;
use crate::world::picture::{ClientKind, Picture};
use std::fmt::Write;

/// A story as a `sequenceDiagram`: who sends what to whom, a note at each step.
pub fn mermaid(story: &Story) -> String {
    let mut out = String::from("sequenceDiagram\n");
    let Some(last) = story.steps.last().map(|s| s.picture) else {
        return out;
    };
    let mut first = None;
    for client in &last.clients {
        if !matches!(client.kind, ClientKind::Raw { .. }) {
            let id = format!("C{}", client.id.0);
            let _ = writeln!(out, "  participant {id} as {}", sign(&client.name));
            first.get_or_insert(id);
        }
    }
    for broker in &last.brokers {
        let id = format!("B{}", broker.id);
        let _ = writeln!(
            out,
            "  participant {id} as {}",
            words::broker(story.lang, broker.id)
        );
        first.get_or_insert(id);
    }
    let end = last.brokers.last().map(|b| format!("B{}", b.id));
    let (Some(first), Some(end)) = (first, end) else {
        return out;
    };
    for told in &story.steps {
        let heading = sign(&plain(&told.card.heading));
        let _ = writeln!(out, "  Note over {first},{end}: {}. {heading}", told.number);
        for event in told.events {
            message(&mut out, told.picture, event);
        }
    }
    out
}

fn message(out: &mut String, picture: &Picture, event: &Event) {
    let of = |field: &str| event.kind.field_named(field, picture).unwrap_or_default();
    let client = |out: &mut String, id: u16, arrow: &str, broker: String, said: String| {
        let raw = picture.clients.get(usize::from(id)).map(|c| &c.kind);
        // A client without a line of its own has no end for an arrow.
        if !matches!(raw, Some(ClientKind::Raw { .. }) | None) {
            let (from, to) = match arrow {
                "->>" => (format!("C{id}"), format!("B{broker}")),
                _ => (format!("B{broker}"), format!("C{id}")),
            };
            let _ = writeln!(out, "  {from}{arrow}{to}: {}", sign(&said));
        }
    };
    match &event.kind {
        EventKind::ProduceSent {
            client: id,
            broker,
            values,
            acks,
            ..
        } => {
            let said = format!("Produce {} × acks={}", values.len(), acks.as_str());
            client(out, id.0, "->>", broker.to_string(), said);
        }
        EventKind::ProduceAnswered {
            broker, client: id, ..
        } => {
            let said = format!("{} {}", of("result"), of("offset"));
            client(out, id.0, "-->>", broker.to_string(), said);
        }
        EventKind::Consumed {
            client: id,
            broker,
            from,
            to,
            ..
        } => {
            let said = format!("Fetch {from}: {from} → {to}");
            client(out, id.0, "-->>", broker.to_string(), said);
        }
        EventKind::FetchHandled {
            leader,
            follower,
            offset,
            ..
        } if event.kind.is_visible() => {
            let _ = writeln!(out, "  B{follower}->>B{leader}: Fetch {offset}");
        }
        EventKind::Replicated {
            follower,
            leader,
            from,
            to,
            ..
        } => {
            let _ = writeln!(out, "  B{leader}-->>B{follower}: {from} → {to}");
        }
        EventKind::DivergenceFound {
            leader,
            follower,
            epoch,
            end,
            ..
        } => {
            let _ = writeln!(
                out,
                "  B{leader}-->>B{follower}: diverging epoch {epoch} end {end}"
            );
        }
        EventKind::HighWatermarkMoved {
            broker, from, to, ..
        } => {
            let _ = writeln!(out, "  Note right of B{broker}: HW {from} → {to}");
        }
        EventKind::Stopped { broker, .. } => {
            let _ = writeln!(out, "  Note over B{broker}: ✕");
        }
        EventKind::BecameLeader { broker, epoch, .. } => {
            let _ = writeln!(out, "  Note over B{broker}: leader, epoch {epoch}");
        }
        _ => {}
    }
}

/// Words that Mermaid does not take for its own: no line break, no `;`, no `#`.
fn sign(text: &str) -> String {
    text.replace(['\n', ';'], ",").replace('#', "＃")
}
