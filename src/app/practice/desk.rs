//! What the reader of the practice has on the desk: a sheet for each task, and the module with
//! the database, which comes, answers, is stopped or does not come. Pure: presses and messages go
//! in, and what is to be asked of the module comes out.

use crate::view::practice::reply::{Asked, Outcome, Reply};
use crate::view::practice::tasks::Task;
use std::rc::Rc;

/// The module with the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// On its way: how much of it is here, percent.
    Loading(u32),
    /// It can be asked; SQLite's version.
    Ready(String),
    /// It does not come, in the browser's words; empty: it was never built.
    Failed(String),
}

/// What the module, or its worker, says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// So many percent of it are here.
    Loading(u32),
    /// It can be asked.
    Ready(String),
    /// An answer.
    Answer(Box<Reply>),
    /// It failed.
    Failed(String),
}

impl Heard {
    /// A message of the worker; `None` if it is none of ours.
    pub fn read(message: &str) -> Option<Heard> {
        let rest = message.get(1..)?;
        match message.as_bytes().first()? {
            b'p' => rest.parse().ok().map(Heard::Loading),
            b'r' => Some(Heard::Ready(rest.into())),
            b'a' => Reply::decode(rest).map(|reply| Heard::Answer(Box::new(reply))),
            b'x' => Some(Heard::Failed(rest.into())),
            _ => None,
        }
    }
}

/// What was said of the last query of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet.
    #[default]
    None,
    /// The reader stopped it.
    Stopped,
    /// The answer.
    Reply(Rc<Reply>),
}

/// The sheet of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What the editor holds.
    pub text: String,
    /// The query that the answer is about.
    pub judged: String,
    /// What was said of it.
    pub answer: Answer,
    /// How many hints are open.
    pub hints: usize,
    /// A query that solves it, once there was an attempt.
    pub solution: String,
    /// It was solved.
    pub solved: bool,
}

impl Sheet {
    /// The bytes of the text that are to blame, as long as the text is the one that was judged.
    pub fn place(&self) -> Option<(usize, usize)> {
        let Answer::Reply(reply) = &self.answer else {
            return None;
        };
        let (from, to) = reply.place?;
        let place = (from as usize, to as usize);
        let known = self.text == self.judged && self.text.get(place.0..place.1).is_some();
        known.then_some(place)
    }
}

/// Hints of a task.
pub const HINTS: usize = 2;

/// Everything on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    sheets: Vec<Sheet>,
    /// The module.
    pub engine: Engine,
    /// The query that was asked and is not answered.
    pub asked: Option<Asked>,
    /// Goes up with every query, and with every answer that has no query.
    pub turn: u32,
    /// How many queries were answered.
    pub answered: u32,
    /// How often the module was started; it is started anew when this changes.
    pub started: u32,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Act {
    /// The editor has another text.
    Edit(Task, String),
    /// The first text comes back.
    Reset(Task),
    /// One more hint.
    Hint(Task),
    /// The query is to be judged.
    Check(Task),
    /// The query that runs is given up.
    Stop,
    /// The module did not come; once more.
    Again,
    /// Something the module said.
    Heard(Heard),
}

impl Default for Desk {
    fn default() -> Self {
        let sheet = |task: Task| Sheet {
            text: task.starter().into(),
            ..Sheet::default()
        };
        Desk {
            sheets: Task::ALL.into_iter().map(sheet).collect(),
            engine: Engine::Loading(0),
            asked: None,
            turn: 0,
            answered: 0,
            started: 0,
        }
    }
}

impl Desk {
    /// The sheet of a task.
    pub fn sheet(&self, task: Task) -> &Sheet {
        &self.sheets[task as usize]
    }

    fn sheet_mut(&mut self, task: Task) -> &mut Sheet {
        &mut self.sheets[task as usize]
    }

    /// How many tasks are solved.
    pub fn solved(&self) -> u32 {
        self.sheets
            .iter()
            .map(|sheet| u32::from(sheet.solved))
            .sum()
    }

    /// Whether the module is at work on a query.
    pub fn running(&self) -> bool {
        self.asked.is_some() && matches!(self.engine, Engine::Ready(_))
    }

    /// Takes in what happens.
    pub fn act(&mut self, act: Act) {
        match act {
            Act::Edit(task, text) => self.sheet_mut(task).text = text,
            Act::Reset(task) => {
                let sheet = self.sheet_mut(task);
                sheet.text = task.starter().into();
                sheet.answer = Answer::None;
            }
            Act::Hint(task) => {
                let sheet = self.sheet_mut(task);
                sheet.hints = (sheet.hints + 1).min(HINTS);
            }
            Act::Check(task) => {
                if self.asked.is_some() {
                    return;
                }
                self.turn += 1;
                let query = self.sheet(task).text.clone();
                self.asked = Some(Asked {
                    turn: self.turn,
                    task,
                    query,
                });
            }
            Act::Stop => {
                let Some(asked) = self.asked.take() else {
                    return;
                };
                self.turn += 1;
                let sheet = self.sheet_mut(asked.task);
                sheet.judged = asked.query;
                sheet.answer = Answer::Stopped;
                self.start_anew();
            }
            Act::Again => self.start_anew(),
            Act::Heard(heard) => self.hear(heard),
        }
    }

    fn start_anew(&mut self) {
        self.started += 1;
        self.engine = Engine::Loading(0);
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Loading(percent) => self.engine = Engine::Loading(percent),
            Heard::Ready(version) => self.engine = Engine::Ready(version),
            Heard::Failed(why) => {
                self.engine = Engine::Failed(why);
                self.asked = None;
                self.turn += 1;
            }
            Heard::Answer(reply) => {
                // An answer that nobody waits for any more is passed over.
                let Some(asked) = self.asked.take_if(|asked| asked.turn == reply.turn) else {
                    return;
                };
                self.answered += 1;
                let sheet = self.sheet_mut(asked.task);
                sheet.judged = asked.query;
                sheet.solved |= reply.outcome == Outcome::Right;
                if reply.outcome != Outcome::Error {
                    sheet.solution = reply.solution.clone();
                }
                sheet.answer = Answer::Reply(Rc::new(*reply));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::practice::reply::Both;

    fn reply(turn: u32, outcome: Outcome) -> Heard {
        Heard::Answer(Box::new(Reply {
            turn,
            task: Task::Lag,
            outcome,
            heading: Both::default(),
            lines: Vec::new(),
            place: Some((0, 6)),
            columns: Vec::new(),
            rows: Vec::new(),
            solution: "SELECT 5;".into(),
        }))
    }

    fn desk(acts: Vec<Act>) -> Desk {
        let mut desk = Desk::default();
        acts.into_iter().for_each(|act| desk.act(act));
        desk
    }

    #[test]
    fn a_query_asked_before_the_module_is_there_waits_for_it() {
        let mut desk = desk(vec![Act::Check(Task::Lag)]);
        assert!(desk.asked.is_some() && !desk.running());
        desk.act(Act::Heard(Heard::Ready("3".into())));
        assert!(desk.running());
        desk.act(Act::Heard(reply(1, Outcome::Right)));
        assert!(!desk.running());
        assert_eq!((desk.solved(), desk.sheet(Task::Lag).solved), (1, true));
    }

    #[test]
    fn a_stopped_query_starts_the_module_anew_and_its_late_answer_is_passed_over() {
        let ready = || Act::Heard(Heard::Ready("3".into()));
        let mut desk = desk(vec![ready(), Act::Check(Task::Lag), Act::Stop]);
        assert_eq!(desk.started, 1);
        assert_eq!(desk.engine, Engine::Loading(0));
        assert_eq!(desk.sheet(Task::Lag).answer, Answer::Stopped);
        desk.act(Act::Heard(reply(1, Outcome::Right)));
        assert_eq!(desk.sheet(Task::Lag).answer, Answer::Stopped);
        desk.act(ready());
        desk.act(Act::Check(Task::Lag));
        let turn = desk.asked.as_ref().map(|asked| asked.turn);
        desk.act(Act::Heard(reply(turn.unwrap_or_default(), Outcome::Wrong)));
        assert_eq!(desk.sheet(Task::Lag).solution, "SELECT 5;");
        assert!(!desk.sheet(Task::Lag).solved);
    }

    #[test]
    fn an_error_points_only_into_the_text_it_is_about_and_opens_no_solution() {
        let ready = Act::Heard(Heard::Ready("3".into()));
        let mut desk = desk(vec![ready, Act::Check(Task::Lag)]);
        desk.act(Act::Heard(reply(1, Outcome::Error)));
        assert_eq!(desk.sheet(Task::Lag).place(), Some((0, 6)));
        assert_eq!(desk.sheet(Task::Lag).solution, "");
        desk.act(Act::Edit(Task::Lag, "SELECT 1".into()));
        assert_eq!(desk.sheet(Task::Lag).place(), None);
        desk.act(Act::Reset(Task::Lag));
        assert_eq!(desk.sheet(Task::Lag).answer, Answer::None);
    }

    #[test]
    fn a_module_that_does_not_come_is_said_and_can_be_asked_for_again() {
        let failed = Act::Heard(Heard::Failed("404".into()));
        let mut desk = desk(vec![Act::Check(Task::Lag), failed]);
        assert_eq!(desk.engine, Engine::Failed("404".into()));
        assert_eq!(desk.asked, None);
        desk.act(Act::Again);
        assert_eq!((desk.started, desk.engine), (1, Engine::Loading(0)));
    }

    #[test]
    fn messages_are_told_apart() {
        assert_eq!(Heard::read("p42"), Some(Heard::Loading(42)));
        assert_eq!(Heard::read("r3.54"), Some(Heard::Ready("3.54".into())));
        assert_eq!(Heard::read("xgone"), Some(Heard::Failed("gone".into())));
        for none in ["", "p", "?", "a1:1", "яя"] {
            assert_eq!(Heard::read(none), None, "{none}");
        }
    }
}
