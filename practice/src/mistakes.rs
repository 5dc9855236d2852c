//! The mistakes that are known: each as a query that makes it, so that it is recognised by what
//! it returns, however it was written.

use highwater::text::Lang;
use highwater::text::practice::mistakes as says;
use highwater::view::practice::tasks::Task;

/// A mistake. Its query returns only the columns that it spoils; a result that agrees with it in
/// those was made by it.
pub struct Mistake {
    /// The query.
    pub query: &'static str,
    /// The sentence that names it.
    pub says: fn(Lang) -> String,
}

const fn mistake(query: &'static str, says: fn(Lang) -> String) -> Mistake {
    Mistake { query, says }
}

/// The mistakes of a task, the first that fits is named.
pub fn mistakes(task: Task) -> &'static [Mistake] {
    match task {
        Task::Lag => LAG,
        Task::Between => BETWEEN,
        Task::Deleted => DELETED,
        Task::Reads => READS,
        Task::NothingNew => NOTHING_NEW,
        Task::Holes => HOLES,
        Task::Stable => STABLE,
        Task::Retention => RETENTION,
    }
}

const LAG: &[Mistake] = &[
    mistake(
        "SELECT partition_id, log_end - 1 - committed_offset AS lag FROM partition_state",
        says::last_record,
    ),
    mistake(
        "SELECT partition_id, log_end - (committed_offset - 1) AS lag FROM partition_state",
        says::commit_minus_one,
    ),
    mistake(
        "SELECT partition_id, log_end - fetch_position AS lag FROM partition_state",
        says::from_received,
    ),
    mistake(
        "SELECT partition_id, log_end - processed_next AS lag FROM partition_state",
        says::from_processed,
    ),
    mistake(
        "SELECT partition_id, log_end - log_start AS lag FROM partition_state",
        says::whole_log,
    ),
    mistake(
        "SELECT partition_id, committed_offset - log_end AS lag FROM partition_state",
        says::other_way_round,
    ),
];

const BETWEEN: &[Mistake] = &[
    mistake(
        "SELECT partition_id, fetch_position - committed_offset AS work FROM partition_state",
        says::two_in_one,
    ),
    mistake(
        "SELECT partition_id, processed_next - committed_offset AS not_processed, \
         fetch_position - processed_next AS not_saved FROM partition_state",
        says::swapped,
    ),
    mistake(
        "SELECT partition_id, fetch_position - processed_next - 1 AS not_processed \
         FROM partition_state",
        says::not_processed_less_one,
    ),
    mistake(
        "SELECT partition_id, processed_next - committed_offset - 1 AS not_saved \
         FROM partition_state",
        says::not_saved_less_one,
    ),
    mistake(
        "SELECT partition_id, fetch_position - committed_offset AS not_saved FROM partition_state",
        says::saved_from_received,
    ),
    mistake(
        "SELECT partition_id, log_end - processed_next AS not_processed FROM partition_state",
        says::processed_to_end,
    ),
    mistake(
        "SELECT partition_id, processed_next - fetch_position AS not_processed FROM partition_state",
        says::other_way_round,
    ),
    mistake(
        "SELECT partition_id, committed_offset - processed_next AS not_saved FROM partition_state",
        says::other_way_round,
    ),
];

const DELETED: &[Mistake] = &[
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE from_position <= log_start",
        says::start_included,
    ),
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE from_position < log_start OR from_position >= log_end",
        says::end_is_no_loss,
    ),
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE from_position < committed_offset",
        says::before_commit,
    ),
    mistake(
        "SELECT request_id, log_start - from_position - 1 AS gone FROM replay_requests \
         JOIN partition_state USING (partition_id) WHERE from_position < log_start",
        says::gone_less_one,
    ),
    mistake(
        "SELECT request_id, log_start - from_position + 1 AS gone FROM replay_requests \
         JOIN partition_state USING (partition_id) WHERE from_position < log_start",
        says::gone_plus_one,
    ),
    mistake(
        "SELECT request_id, from_position - log_start AS gone FROM replay_requests \
         JOIN partition_state USING (partition_id) WHERE from_position < log_start",
        says::other_way_round,
    ),
];

const READS: &[Mistake] = &[
    mistake(
        "SELECT request_id, log_end - from_position AS reads FROM replay_requests \
         JOIN partition_state USING (partition_id)",
        says::deleted_counted,
    ),
    mistake(
        "SELECT request_id, log_end - 1 - MAX(from_position, log_start) AS reads \
         FROM replay_requests JOIN partition_state USING (partition_id)",
        says::reads_less_one,
    ),
    mistake(
        "SELECT request_id, log_end - from_position AS reads FROM replay_requests \
         JOIN partition_state USING (partition_id) WHERE from_position < log_end",
        says::deleted_counted,
    ),
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE from_position < log_end",
        says::empty_left_out,
    ),
    mistake(
        "SELECT request_id, log_end - log_start AS reads FROM replay_requests \
         JOIN partition_state USING (partition_id)",
        says::from_start,
    ),
];

const NOTHING_NEW: &[Mistake] = &[
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE from_position >= log_end",
        says::only_empty,
    ),
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE MAX(from_position, fetch_position) >= log_end",
        says::received_is_not_processed,
    ),
    mistake(
        "SELECT request_id FROM replay_requests JOIN partition_state USING (partition_id) \
         WHERE processed_next >= log_end",
        says::empty_is_nothing_new,
    ),
    mistake(
        "SELECT request_id, log_end - from_position AS again FROM replay_requests \
         JOIN partition_state USING (partition_id) \
         WHERE MAX(from_position, processed_next) >= log_end",
        says::again_with_deleted,
    ),
];

const HOLES: &[Mistake] = &[
    mistake(
        "SELECT partition_id, COUNT(*) AS records FROM partition_state \
         JOIN kept_records USING (partition_id) WHERE record_offset >= committed_offset \
         GROUP BY partition_id",
        says::marker_counted,
    ),
    mistake(
        "SELECT partition_id, COUNT(*) AS records FROM partition_state \
         JOIN kept_records USING (partition_id) \
         WHERE record_offset > committed_offset AND kind = 'data' GROUP BY partition_id",
        says::commit_passed_over,
    ),
    mistake(
        "SELECT partition_id, COUNT(*) AS records FROM partition_state \
         JOIN kept_records USING (partition_id) WHERE kind = 'data' GROUP BY partition_id",
        says::whole_kept,
    ),
    mistake(
        "SELECT partition_id, COUNT(*) AS records FROM partition_state \
         JOIN kept_records USING (partition_id) GROUP BY partition_id",
        says::whole_kept,
    ),
    mistake(
        "SELECT partition_id, log_end - committed_offset AS records FROM partition_state",
        says::records_by_subtraction,
    ),
    mistake(
        "SELECT partition_id, COUNT(*) AS lag FROM partition_state \
         JOIN kept_records USING (partition_id) \
         WHERE record_offset >= committed_offset AND kind = 'data' GROUP BY partition_id",
        says::lag_by_counting,
    ),
    mistake(
        "SELECT partition_id, COUNT(*) AS lag FROM partition_state \
         JOIN kept_records USING (partition_id) \
         WHERE record_offset >= committed_offset GROUP BY partition_id",
        says::lag_by_counting,
    ),
    mistake(
        "SELECT partition_id, log_end - 1 - committed_offset AS lag FROM partition_state",
        says::last_record,
    ),
    mistake(
        "SELECT partition_id, committed_offset AS next_record FROM partition_state",
        says::next_is_commit,
    ),
];

const STABLE: &[Mistake] = &[
    mistake(
        "SELECT b.partition_id, b.log_end - committed_offset AS lag FROM log_bounds AS b \
         JOIN partition_state USING (partition_id)",
        says::end_for_high_watermark,
    ),
    mistake(
        "SELECT b.partition_id, last_stable - committed_offset AS lag FROM log_bounds AS b \
         JOIN partition_state USING (partition_id)",
        says::stable_for_high_watermark,
    ),
    mistake(
        "SELECT partition_id, log_end - committed_offset AS lag FROM partition_state",
        says::old_end,
    ),
    mistake(
        "SELECT b.partition_id, high_watermark - 1 - committed_offset AS lag \
         FROM log_bounds AS b JOIN partition_state USING (partition_id)",
        says::watermark_less_one,
    ),
    mistake(
        "SELECT partition_id, log_end - last_stable AS hidden FROM log_bounds",
        says::hidden_to_end,
    ),
    mistake(
        "SELECT partition_id, last_stable - high_watermark AS hidden FROM log_bounds",
        says::other_way_round,
    ),
];

const RETENTION: &[Mistake] = &[
    mistake(
        "SELECT partition_id, MIN(base_offset) AS new_start FROM segments \
         WHERE newest_age_min <= 120 GROUP BY partition_id",
        says::without_the_hour,
    ),
    mistake(
        "SELECT partition_id, MIN(base_offset) AS new_start FROM segments \
         WHERE newest_age_min + 60 < 120 GROUP BY partition_id",
        says::exactly_two_hours,
    ),
    mistake(
        "SELECT partition_id, MAX(next_offset) AS new_start FROM segments \
         WHERE newest_age_min + 60 > 120 GROUP BY partition_id",
        says::not_from_the_start,
    ),
    mistake(
        "SELECT p.partition_id, MIN(base_offset) - log_start AS lost FROM segments \
         JOIN partition_state AS p USING (partition_id) \
         WHERE newest_age_min + 60 <= 120 GROUP BY p.partition_id",
        says::deleted_is_not_lost,
    ),
    mistake(
        "SELECT p.partition_id, MIN(base_offset) - committed_offset AS lost FROM segments \
         JOIN partition_state AS p USING (partition_id) \
         WHERE newest_age_min + 60 <= 120 GROUP BY p.partition_id",
        says::negative_loss,
    ),
];
