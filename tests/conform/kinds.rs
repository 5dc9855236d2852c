//! What kind of value a field of a vector is. One of another kind would be guessed at or passed
//! over where it is read, so it is told before.

use serde_json::Value;

/// Fields that are a whole number wherever they stand.
const NUMBERS: &[&str] = &[
    "at",
    "broker_epoch",
    "broker_epoch_in_metadata",
    "broker_epoch_known",
    "checkpoint",
    "checkpoint_hw",
    "cleaner_checkpoint",
    "commit_markers",
    "commit_time",
    "controlled_shutdown_offset",
    "data_records",
    "delete_retention_ms",
    "dirty_from",
    "end",
    "epoch",
    "epoch_start",
    "first",
    "first_unstable",
    "generation",
    "generation_before",
    "id",
    "joining",
    "key",
    "lag_time_max_ms",
    "last",
    "last_acked",
    "last_caught_up_ms",
    "last_contact_ns",
    "last_fetched_epoch",
    "last_seq",
    "leader_epoch",
    "leader_epoch_before",
    "leader_leo",
    "list_offsets_answer",
    "log_start",
    "lso",
    "map_capacity",
    "max_poll_records",
    "max_wait_ms",
    "member_epoch",
    "metadata_offset",
    "min_bytes",
    "min_compaction_lag_ms",
    "min_isr",
    "n",
    "next_seq",
    "now_ns",
    "o",
    "offset",
    "partition_epoch",
    "per_segment",
    "pid",
    "preferred_replica",
    "previous_epoch",
    "producer_id_expiration_ms",
    "registration_offset",
    "replica_lag_time_max_ms",
    "retention_bytes_as_records",
    "retention_ms",
    "retries",
    "segments",
    "sender",
    "session_timeout_ns",
    "start",
    "times",
    "txn_open_at",
];
/// Fields that are a text.
const TEXTS: &[&str] = &[
    "args",
    "as",
    "auto_offset_reset",
    "broker_error",
    "commit_response",
    "error",
    "group",
    "instance",
    "marker",
    "member",
    "new_member",
    "op",
    "policy",
    "rack",
    "recovery",
    "result",
    "retry_backoff",
    "role",
    "state",
    "time",
    "tp",
    "type",
    "version",
];
/// Fields that are true or false.
const FLAGS: &[&str] = &[
    "active_segment_empty",
    "auto_commit",
    "elr_enabled",
    "has_leaderships",
    "idempotent",
    "in_isr",
    "last_known_leader_enabled",
    "leader_only",
    "new_leader",
    "require_stable",
    "rolled",
    "single_record_batches",
    "txn",
    "want_fence",
    "want_shutdown",
];
/// Fields that are a list.
const LISTS: &[&str] = &[
    "aborted",
    "alive",
    "appended",
    "batches",
    "buffered",
    "check_times_ms",
    "commits",
    "elr",
    "epoch_ranges",
    "epochs",
    "ids",
    "in_flight",
    "keys_by_offset",
    "last_known_elr",
    "leaving",
    "log_offsets",
    "offsets",
    "present",
    "replicas",
    "rows",
    "segments_of_appends",
    "shutting_down",
    "subscribed",
    "target_isr",
    "topics",
];
/// Fields that are an object.
const OBJECTS: &[&str] = &[
    "assigned",
    "batch",
    "client",
    "commit_sent_with",
    "current",
    "end_offset_for",
    "fetch",
    "follower",
    "leader_log",
    "log",
    "partition_assigned_at_epoch",
    "producer",
    "producer_state",
    "racks",
    "remote_leo",
];

/// The first value that is of another kind than its field.
pub fn wrong(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(key, inner)| {
            let path = format!("{path}.{key}");
            of(key, inner)
                .map(|what| format!("{path}: not {what}"))
                .or_else(|| wrong(inner, &path))
        }),
        Value::Array(all) => {
            let mut all = all.iter().enumerate();
            all.find_map(|(i, inner)| wrong(inner, &format!("{path}[{i}]")))
        }
        _ => None,
    }
}

/// What the field would have to be, if it is not.
fn of(key: &str, value: &Value) -> Option<&'static str> {
    let kinds: [(&[&str], bool, &str); 5] = [
        (NUMBERS, value.is_i64(), "a whole number"),
        (TEXTS, value.is_string(), "a text"),
        (FLAGS, value.is_boolean(), "true or false"),
        (LISTS, value.is_array(), "a list"),
        (OBJECTS, value.is_object(), "an object"),
    ];
    let wrong = |(names, fits, _): &&(&[&str], bool, &str)| !fits && names.contains(&key);
    kinds.iter().find(wrong).map(|(_, _, what)| *what)
}
