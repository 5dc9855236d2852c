//! A partition as text, for tests: one line a replica.

use crate::kafka::batch::Control;
use crate::kafka::ids::{BrokerSet, Tp};
use crate::world::command::Process;
use crate::world::picture::{Picture, RecordPicture, RolePicture};
use std::fmt::Write;

/// One line a replica: `b1 L e0 leo=2 hw=2 [m0 m1]`. `L` leads, `F` follows, in their own belief,
/// `x` is down, `z` stands still. Hidden records (at or above the own HW) stand behind a bar:
/// `[m0 | m1]`; a record of another epoch than the one before it carries that: `[m0 e1:m1]`.
/// The first line is the controller's: `leader=1 e0 isr=[1, 2, 3]`.
pub fn text_picture(picture: &Picture, tp: Tp) -> String {
    let mut out = String::new();
    if let Some(p) = picture.partitions.iter().find(|p| p.tp == tp) {
        let leader = p.reg.leader.map_or("-1".to_string(), |b| b.to_string());
        let _ = write!(
            out,
            "leader={leader} e{} isr={}",
            p.reg.leader_epoch, p.reg.isr
        );
        if p.reg.elr != BrokerSet::EMPTY {
            let _ = write!(out, " elr={}", p.reg.elr);
        }
        out.push('\n');
    }
    for broker in &picture.brokers {
        let Some(r) = broker.replicas.iter().find(|r| r.tp == tp) else {
            continue;
        };
        let role = match (broker.process, &r.role) {
            (Process::Killed | Process::Stopped, _) => 'x',
            (Process::Frozen, _) => 'z',
            (_, RolePicture::Leader(_)) => 'L',
            (_, RolePicture::Follower(_)) => 'F',
            (_, RolePicture::Down) => 'x',
        };
        let _ = write!(
            out,
            "b{} {role} e{} leo={} hw={}",
            broker.id, r.leader_epoch, r.log_end, r.high_watermark
        );
        if r.log_start.0 > 0 {
            let _ = write!(out, " start={}", r.log_start);
        }
        let mut said: Vec<String> = Vec::new();
        let mut epoch = None;
        let mut bar = false;
        for record in r.records.iter().filter(|x| !r.log_start.covers(x.offset)) {
            if !bar && !r.high_watermark.covers(record.offset) {
                bar = true;
                said.push("|".into());
            }
            let value = value(record);
            said.push(match epoch {
                Some(e) if e != record.epoch => format!("e{}:{value}", record.epoch),
                _ => value,
            });
            epoch = Some(record.epoch);
        }
        let _ = writeln!(out, " [{}]", said.join(" "));
    }
    out
}

fn value(record: &RecordPicture) -> String {
    match (record.control, &record.value) {
        (Some(Control::Commit), _) => "COMMIT".into(),
        (Some(Control::Abort), _) => "ABORT".into(),
        (None, Some(value)) => value.to_string(),
        (None, None) => "null".into(),
    }
}
