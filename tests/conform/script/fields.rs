//! Fields of a JSON object, each to be asked for by name.

use super::Res;
use highwater::kafka::ids::BrokerId;
use highwater::world::command::PartitionName;
use serde_json::{Map, Value};
use std::rc::Rc;

/// A JSON object of which every field must be asked for.
pub struct Fields<'a> {
    of: &'a Map<String, Value>,
    pub what: String,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub fn new(value: &'a Value, what: String) -> Res<Self> {
        let of = value
            .as_object()
            .ok_or_else(|| format!("{what} is not an object"))?;
        Ok(Fields {
            of,
            what,
            asked: Vec::new(),
        })
    }
    pub fn get(&mut self, name: &'static str) -> Option<&'a Value> {
        self.asked.push(name);
        self.of.get(name).filter(|v| !v.is_null())
    }
    pub fn has(&self, name: &str) -> bool {
        self.of.contains_key(name)
    }
    pub fn need(&mut self, name: &'static str) -> Res<&'a Value> {
        let what = self.what.clone();
        self.get(name)
            .ok_or_else(|| format!("{what} needs \"{name}\""))
    }
    pub fn text(&mut self, name: &'static str) -> Res<Rc<str>> {
        let v = self.need(name)?;
        scalar(v).ok_or_else(|| format!("{}: \"{name}\" is not a text", self.what))
    }
    pub fn number(&mut self, name: &'static str) -> Res<i64> {
        let v = self.need(name)?;
        v.as_i64()
            .ok_or_else(|| format!("{}: \"{name}\" is not a whole number", self.what))
    }
    pub fn number_or(&mut self, name: &'static str) -> Res<Option<i64>> {
        if self.get(name).is_none() {
            return Ok(None);
        }
        self.number(name).map(Some)
    }
    pub fn broker(&mut self, name: &'static str) -> Res<BrokerId> {
        let v = self.need(name)?;
        broker(v).ok_or_else(|| format!("{}: \"{name}\" is not a broker", self.what))
    }
    pub fn partition(&mut self, name: &'static str) -> Res<PartitionName> {
        let v = self.need(name)?;
        v.as_str()
            .and_then(partition_name)
            .ok_or_else(|| format!("{}: \"{name}\" is not a partition", self.what))
    }
    /// Nothing may be left over: what is not understood is not passed over.
    pub fn done(self) -> Res<()> {
        match self.of.keys().find(|k| !self.asked.contains(&k.as_str())) {
            Some(k) => Err(format!("{}: field \"{k}\" is not known here", self.what)),
            None => Ok(()),
        }
    }
}

/// A text, number or truth value as text.
pub fn scalar(v: &Value) -> Option<Rc<str>> {
    match v {
        Value::String(s) => Some(s.as_str().into()),
        Value::Number(_) | Value::Bool(_) => Some(v.to_string().into()),
        _ => None,
    }
}

pub fn broker(v: &Value) -> Option<BrokerId> {
    v.as_u64().filter(|b| *b < 64).map(|b| BrokerId(b as u8))
}

/// `orders-0`
pub fn partition_name(text: &str) -> Option<PartitionName> {
    let (topic, partition) = text.rsplit_once('-')?;
    Some(PartitionName {
        topic: topic.into(),
        partition: partition.parse().ok()?,
    })
}
