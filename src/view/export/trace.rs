//! The trace: every step with what it says, what happened with its causes, and the state behind
//! it. `docs/trace.schema.json` is its schema.

use super::json::Json;
use super::{Story, Told};
use crate::kafka::event::{Event, EventKind};
use crate::kafka::ids::{BrokerSet, Tp};
use crate::world::picture::{ClientKind, Picture, ReplicaPicture};

/// The version of the format: it goes up only when a member goes or changes its meaning.
const FORMAT: i64 = 1;

/// A story as JSON. Offsets of boundaries and record numbers are numbers, times are ms.
pub fn trace(story: &Story) -> String {
    let mut json = Json::default();
    json.object(|o| {
        o.key("highwater").text("trace");
        o.key("format").number(FORMAT);
        o.key("kafka").text("4.3.1");
        o.key("scenario").text(story.id);
        o.key("lang").text(story.lang.code());
        o.key("title").text(story.title);
        o.key("question").text(story.question);
        o.key("steps")
            .list(&story.steps, |list, told| step(list, story, told));
    });
    json.into_text()
}

fn step(list: &mut Json, story: &Story, told: &Told) {
    list.object(|o| {
        o.key("step").number(told.number);
        o.key("mark").text_or_null(told.mark);
        o.key("link").text(&story.at(told.number));
        o.key("time").number(told.picture.now.0);
        o.key("heading").text(&plain(&told.card.heading));
        o.key("what")
            .list(&told.card.what, |l, s| l.text(&plain(s)));
        o.key("why").list(&told.card.why, |l, why| {
            l.object(|o| {
                o.key("text").text(&plain(&why.text));
                o.key("rules").list(&why.rules, |l, id| l.text(id));
            });
        });
        o.key("so").text(&plain(&told.card.so));
        o.key("events")
            .list(told.events, |l, e| event(l, told.picture, e));
        o.key("state").object(|o| state(o, told.picture));
    });
}

/// A sentence without the marks of code type.
pub(super) fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn event(list: &mut Json, picture: &Picture, event: &Event) {
    list.object(|o| {
        o.key("id").number(event.id.0);
        o.key("at").number(event.at.0);
        o.key("causes").list(&event.causes, |l, id| l.number(id.0));
        o.key("kind").text(event.kind.name());
        o.key("fields").object(|o| {
            for field in EventKind::fields_of(event.kind.name()).unwrap_or(&[]) {
                if let Some(value) = event.kind.field_named(field, picture) {
                    o.key(field).text(&value);
                }
            }
        });
    });
}

fn brokers(o: &mut Json, key: &str, set: &BrokerSet) {
    o.key(key).list(set.iter(), |l, id| l.number(id.0));
}

fn name(picture: &Picture, tp: Tp) -> String {
    let known = picture.partitions.iter().find(|p| p.tp == tp);
    known.map_or_else(String::new, |p| {
        format!("{}-{}", p.name.topic, p.name.partition)
    })
}

fn state(o: &mut Json, picture: &Picture) {
    o.key("partitions").list(&picture.partitions, |l, p| {
        l.object(|o| {
            o.key("name").text(&name(picture, p.tp));
            o.key("leader").number_or_null(p.reg.leader.map(|b| b.0));
            o.key("leaderEpoch").number(p.reg.leader_epoch.0);
            brokers(o, "isr", &p.reg.isr);
            brokers(o, "elr", &p.reg.elr);
            let replicas = picture.brokers.iter().filter_map(|b| {
                let replica = b.replicas.iter().find(|r| r.tp == p.tp)?;
                Some((b.id, replica))
            });
            o.key("replicas")
                .list(replicas, |l, (id, r)| replica(l, id.0, r));
        });
    });
    o.key("consumers").list(&picture.clients, |l, c| {
        let ClientKind::Consumer {
            positions, member, ..
        } = &c.kind
        else {
            return;
        };
        l.object(|o| {
            o.key("name").text(&c.name);
            o.key("group").text_or_null(member.group.as_deref());
            o.key("partitions").list(positions, |l, (tp, position)| {
                let of = |all: &[(Tp, _)]| all.iter().find(|(t, _)| t == tp).map(|(_, at)| *at);
                let committed = member.committed.iter().find(|(t, _)| t == tp);
                l.object(|o| {
                    o.key("name").text(&name(picture, *tp));
                    o.key("position").number_or_null(position.map(|b| b.0));
                    o.key("processed").number_or_null(
                        of(&member.processed_next).map(|b: crate::kafka::ids::Boundary| b.0),
                    );
                    o.key("committed")
                        .number_or_null(committed.map(|(_, c)| c.offset.0));
                });
            });
        });
    });
    o.key("lost").list(&picture.lost, |l, lost| {
        l.object(|o| {
            o.key("name").text(&name(picture, lost.tp));
            o.key("offset").number(lost.offset.0);
            o.key("value").text_or_null(lost.value.as_deref());
        });
    });
}

fn replica(list: &mut Json, broker: u8, r: &ReplicaPicture) {
    list.object(|o| {
        o.key("broker").number(broker);
        o.key("logStart").number(r.log_start.0);
        o.key("lastStable").number(r.last_stable.0);
        o.key("highWatermark").number(r.high_watermark.0);
        o.key("logEnd").number(r.log_end.0);
        o.key("records").list(&r.records, |l, record| {
            l.object(|o| {
                o.key("offset").number(record.offset.0);
                o.key("epoch").number(record.epoch.0);
                o.key("value").text_or_null(record.value.as_deref());
            });
        });
    });
}
