//! A query that solves each task.

use highwater::view::practice::tasks::Task;

/// The solution, in lines that fit into the editor of a phone.
pub fn solution(task: Task) -> &'static str {
    match task {
        Task::Lag => {
            "SELECT partition_id,
  log_end - committed_offset
    AS lag
FROM partition_state
ORDER BY partition_id;"
        }
        Task::Between => {
            "SELECT partition_id,
  fetch_position - processed_next
    AS not_processed,
  processed_next
    - committed_offset
    AS not_saved
FROM partition_state;"
        }
        Task::Deleted => {
            "SELECT r.request_id,
  p.log_start - r.from_position
    AS gone
FROM replay_requests AS r
JOIN partition_state AS p
  USING (partition_id)
WHERE
  r.from_position < p.log_start;"
        }
        Task::Reads => {
            "SELECT r.request_id,
  p.log_end
    - MAX(r.from_position,
          p.log_start) AS reads
FROM replay_requests AS r
JOIN partition_state AS p
  USING (partition_id)
ORDER BY reads DESC,
  r.request_id;"
        }
        Task::NothingNew => {
            "SELECT r.request_id,
  p.log_end
    - MAX(r.from_position,
          p.log_start) AS again
FROM replay_requests AS r
JOIN partition_state AS p
  USING (partition_id)
WHERE
  MAX(r.from_position,
      p.processed_next)
    >= p.log_end;"
        }
        Task::Holes => {
            "SELECT p.partition_id,
  p.log_end - p.committed_offset
    AS lag,
  COUNT(*) AS records,
  MIN(k.record_offset)
    AS next_record
FROM partition_state AS p
JOIN kept_records AS k
  USING (partition_id)
WHERE k.kind = 'data'
  AND k.record_offset
    >= p.committed_offset
GROUP BY p.partition_id;"
        }
        Task::Stable => {
            "SELECT p.partition_id,
  b.high_watermark
    - p.committed_offset AS lag,
  b.high_watermark
    - b.last_stable AS hidden
FROM partition_state AS p
JOIN log_bounds AS b
  USING (partition_id);"
        }
        Task::Retention => {
            "SELECT p.partition_id,
  MIN(s.base_offset)
    AS new_start,
  MAX(0, MIN(s.base_offset)
    - p.committed_offset) AS lost
FROM partition_state AS p
JOIN segments AS s
  USING (partition_id)
WHERE s.newest_age_min + 60 <= 120
GROUP BY p.partition_id;"
        }
    }
}

/// Whether the rows of a task have an order.
pub fn ordered(task: Task) -> bool {
    matches!(task, Task::Lag | Task::Reads)
}
