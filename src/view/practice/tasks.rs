//! The tasks, as the page shows them before anything was tried.

use super::tables::Table;
use crate::text::Lang;
use crate::text::practice::tasks as words;

/// A task. Its words are in `text::practice`, its solution in `practice/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// From the commit to the end of the log.
    Lag,
    /// Received, not processed; processed, not saved.
    Between,
    /// Requests for records that retention took.
    Deleted,
    /// How much each request reads.
    Reads,
    /// Requests that bring no record the application has not processed.
    NothingNew,
    /// Positions against records, after compaction.
    Holes,
    /// The lag of the tool, and what a reader of committed data does not see yet.
    Stable,
    /// What retention will take within an hour.
    Retention,
}

impl Task {
    /// All, the easiest first.
    pub const ALL: [Task; 8] = [
        Task::Lag,
        Task::Between,
        Task::Deleted,
        Task::Reads,
        Task::NothingNew,
        Task::Holes,
        Task::Stable,
        Task::Retention,
    ];

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The task of a number; there is one from 1 to the last.
    pub fn of_number(number: u32) -> Option<Task> {
        Task::ALL.into_iter().find(|t| t.number() == number)
    }

    /// The task after it.
    pub fn after(self) -> Option<Task> {
        Task::of_number(self.number() + 1)
    }

    /// Its name.
    pub fn name(self, lang: Lang) -> String {
        match self {
            Task::Lag => words::lag(lang),
            Task::Between => words::between(lang),
            Task::Deleted => words::deleted(lang),
            Task::Reads => words::reads(lang),
            Task::NothingNew => words::nothing_new(lang),
            Task::Holes => words::holes(lang),
            Task::Stable => words::stable(lang),
            Task::Retention => words::retention(lang),
        }
    }

    /// What is asked.
    pub fn ask(self, lang: Lang) -> String {
        match self {
            Task::Lag => words::lag_ask(lang),
            Task::Between => words::between_ask(lang),
            Task::Deleted => words::deleted_ask(lang),
            Task::Reads => words::reads_ask(lang),
            Task::NothingNew => words::nothing_new_ask(lang),
            Task::Holes => words::holes_ask(lang),
            Task::Stable => words::stable_ask(lang),
            Task::Retention => words::retention_ask(lang),
        }
    }

    /// The hints: a look at the ruler, then the formula with a gap.
    pub fn hints(self, lang: Lang) -> [String; 2] {
        let [look, formula]: [fn(Lang) -> String; 2] = match self {
            Task::Lag => [words::lag_look, words::lag_formula],
            Task::Between => [words::between_look, words::between_formula],
            Task::Deleted => [words::deleted_look, words::deleted_formula],
            Task::Reads => [words::reads_look, words::reads_formula],
            Task::NothingNew => [words::nothing_new_look, words::nothing_new_formula],
            Task::Holes => [words::holes_look, words::holes_formula],
            Task::Stable => [words::stable_look, words::stable_formula],
            Task::Retention => [words::retention_look, words::retention_formula],
        };
        [look(lang), formula(lang)]
    }

    /// The columns that are asked for; the first names the row.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Task::Lag => &["partition_id", "lag"],
            Task::Between => &["partition_id", "not_processed", "not_saved"],
            Task::Deleted => &["request_id", "gone"],
            Task::Reads => &["request_id", "reads"],
            Task::NothingNew => &["request_id", "again"],
            Task::Holes => &["partition_id", "lag", "records", "next_record"],
            Task::Stable => &["partition_id", "lag", "hidden"],
            Task::Retention => &["partition_id", "new_start", "lost"],
        }
    }

    /// The tables that it is about; the others are there too.
    pub fn tables(self) -> Vec<Table> {
        let more = match self {
            Task::Lag | Task::Between => None,
            Task::Deleted | Task::Reads | Task::NothingNew => Some(Table::ReplayRequests),
            Task::Holes | Task::Stable | Task::Retention => self.table(),
        };
        [Table::PartitionState].into_iter().chain(more).collect()
    }

    /// The table it brings in besides the two of the snapshot.
    pub fn table(self) -> Option<Table> {
        match self {
            Task::Holes => Some(Table::KeptRecords),
            Task::Stable => Some(Table::LogBounds),
            Task::Retention => Some(Table::Segments),
            _ => None,
        }
    }

    /// What the editor holds at first.
    pub fn starter(self) -> &'static str {
        match self {
            Task::Lag => {
                "SELECT partition_id,\n  …\n    AS lag\nFROM partition_state\nORDER BY partition_id;"
            }
            Task::Between => {
                "SELECT partition_id,\n  … AS not_processed,\n  … AS not_saved\nFROM partition_state;"
            }
            Task::Deleted => {
                "SELECT r.request_id,\n  … AS gone\nFROM replay_requests AS r\nJOIN partition_state AS p\n  USING (partition_id)\nWHERE …;"
            }
            Task::Reads => {
                "SELECT r.request_id,\n  … AS reads\nFROM replay_requests AS r\nJOIN partition_state AS p\n  USING (partition_id)\nORDER BY …;"
            }
            Task::NothingNew => {
                "SELECT r.request_id,\n  … AS again\nFROM replay_requests AS r\nJOIN partition_state AS p\n  USING (partition_id)\nWHERE …;"
            }
            Task::Holes => {
                "SELECT p.partition_id,\n  … AS lag,\n  … AS records,\n  … AS next_record\nFROM partition_state AS p\nJOIN kept_records AS k\n  USING (partition_id)\nWHERE …\nGROUP BY p.partition_id;"
            }
            Task::Stable => {
                "SELECT p.partition_id,\n  … AS lag,\n  … AS hidden\nFROM partition_state AS p\nJOIN log_bounds AS b\n  USING (partition_id);"
            }
            Task::Retention => {
                "SELECT p.partition_id,\n  … AS new_start,\n  … AS lost\nFROM partition_state AS p\nJOIN segments AS s\n  USING (partition_id)\nWHERE …\nGROUP BY p.partition_id;"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that is longer runs out of the editor on a phone.
    #[test]
    fn no_starter_is_too_wide_for_a_phone() {
        for task in Task::ALL {
            for line in task.starter().lines() {
                assert!(line.chars().count() <= 34, "{line}");
            }
        }
    }

    #[test]
    fn tasks_are_numbered_from_one() {
        assert_eq!(Task::of_number(1), Some(Task::Lag));
        assert_eq!(Task::of_number(8), Some(Task::Retention));
        assert_eq!(Task::of_number(9), None);
        assert_eq!(Task::Retention.after(), None);
        assert_eq!(Task::Lag.after(), Some(Task::Between));
    }
}
