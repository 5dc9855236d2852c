//! `name=value name=value`: what separates is written as `%` and its number.

use std::fmt::{Display, Write};
use std::rc::Rc;

/// Characters that cannot stand in a value: they separate.
const SEPARATES: &[char] = &[' ', '=', ',', '%', '\n'];

fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        if SEPARATES.contains(&c) {
            // Writing into a string does not fail.
            let _ = write!(into, "%{};", u32::from(c));
        } else {
            into.push(c);
        }
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, escaped)) = rest.split_once('%') {
        plain.push_str(before);
        let (number, after) = escaped.split_once(';')?;
        plain.push(char::from_u32(number.parse().ok()?)?);
        rest = after;
    }
    plain.push_str(rest);
    Some(plain)
}

/// A line under construction.
#[derive(Default)]
pub struct Line(String);

impl Line {
    pub fn new(kind: &str) -> Self {
        Line(kind.to_string())
    }

    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.name(name);
        escape(&value.to_string(), &mut self.0);
        self
    }

    pub fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub fn list(mut self, name: &str, values: impl Iterator<Item = impl Display>) -> Self {
        self.name(name);
        for (at, value) in values.enumerate() {
            if at > 0 {
                self.0.push(',');
            }
            escape(&value.to_string(), &mut self.0);
        }
        self
    }

    fn name(&mut self, name: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(name);
        self.0.push('=');
    }

    pub fn end(self) -> Rc<str> {
        self.0.into()
    }
}

/// The fields of a line.
#[derive(Clone, Copy)]
pub struct Fields<'a>(pub &'a str);

impl<'a> Fields<'a> {
    fn raw(&self, name: &str) -> Option<&'a str> {
        self.0
            .split(' ')
            .find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
    }

    /// The first field of this name.
    pub fn get(&self, name: &str) -> Option<String> {
        unescape(self.raw(name)?)
    }

    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.raw(name)?.parse().ok()
    }

    pub fn list<T>(&self, name: &str, f: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        let raw = self.raw(name)?;
        if raw.is_empty() {
            return Some(Vec::new());
        }
        raw.split(',').map(f).collect()
    }

    /// The parts of the line that begin with a field of this name.
    pub fn sections(&self, name: &str) -> Vec<Fields<'a>> {
        let mut starts = Vec::new();
        let mut at = 0;
        for field in self.0.split(' ') {
            if field.strip_prefix(name).is_some_and(|f| f.starts_with('=')) {
                starts.push(at);
            }
            at += field.len() + 1;
        }
        let ends = starts.iter().skip(1).map(|e| e - 1).chain([self.0.len()]);
        starts
            .iter()
            .zip(ends)
            .map(|(from, to)| Fields(&self.0[*from..to]))
            .collect()
    }
}
