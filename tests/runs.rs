//! Every recorded run of Apache Kafka 4.3.1, carried out on the engine, step by step equal.

#[allow(
    dead_code,
    reason = "shared with other tests, which use other parts of it"
)]
mod conform;

use conform::incidental::TABLE;
use conform::run::{Report, play};
use conform::script::Script;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/runs")
}

fn read(id: &str) -> Script {
    let file = folder().join(format!("{id}.json"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let doc = serde_json::from_str(&text).expect("a recorded run is JSON");
    Script::parse(&doc).unwrap_or_else(|why| panic!("{id}: {why}"))
}

fn check(id: &str) {
    let script = read(id);
    assert_eq!(script.id, id, "a run's id is its file name");
    assert_eq!(script.kafka, "4.3.1", "{id}: the page names this version");
    let report = play(&script);
    if let Some((step, diffs)) = &report.failed {
        let texts: Vec<String> = diffs.iter().map(|d| d.text()).collect();
        panic!("{id} step {step}:\n  {}", texts.join("\n  "));
    }
    // An exception that is not needed hides what a later change may break.
    let stale = |(i, e): (usize, &conform::incidental::Entry)| {
        (e.run == id && !report.excepted.contains(&i))
            .then(|| format!("step {} {}", e.step, e.path))
    };
    let stale: Vec<String> = TABLE.iter().enumerate().filter_map(stale).collect();
    assert!(stale.is_empty(), "{id}: exceptions not needed: {stale:?}");
    check_mark(id, &report);
}

/// The line by which the page shows that a scene's run was compared with Apache Kafka 4.3.1.
/// `REWRITE=1 cargo test --test runs` writes them anew.
fn check_mark(id: &str, report: &Report) {
    static FILE: Mutex<()> = Mutex::new(());
    let _one_at_a_time = FILE.lock();
    let mark = format!("{id} {} steps, {} facts", report.steps, report.facts);
    let mut lines = marks();
    if std::env::var_os("REWRITE").is_some() {
        lines.retain(|l| !l.starts_with(&format!("{id} ")));
        lines.push(mark.clone());
        lines.sort();
        std::fs::write(marks_file(), lines.join("\n") + "\n").expect("the marks are written");
    }
    let file = marks_file();
    assert!(
        lines.contains(&mark),
        "{} is out of date: it has not \"{mark}\"; REWRITE=1 writes it",
        file.display()
    );
}

fn marks_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("static/checked.txt")
}

fn marks() -> Vec<String> {
    let text = std::fs::read_to_string(marks_file()).unwrap_or_default();
    text.lines().map(String::from).collect()
}

macro_rules! runs {
    ($($name:ident $id:literal)*) => {
        $(#[test]
        fn $name() {
            check($id);
        })*

        const IDS: &[&str] = &[$($id),*];
    };
}

runs! {
    r01_baseline "r01-baseline"
    r02_acks0_lost "r02-acks0-lost"
    r03_acks1_loss_and_divergence "r03-acks1-loss-and-divergence"
    r04_acksall_leader_killed "r04-acksall-leader-killed"
    r05_slow_follower "r05-slow-follower"
    r06_min_isr_refused "r06-min-isr-refused"
    r06b_min_isr_refused_shutdown "r06b-min-isr-refused-shutdown"
    r07_refused_after_append "r07-refused-after-append"
    r08_overview_24x3 "r08-overview-24x3"
    r09_unclean "r09-unclean"
    r09b_unclean_by_config "r09b-unclean-by-config"
    r09c_unclean_with_elr "r09c-unclean-with-elr"
    r09d_unclean_enabled_from_start "r09d-unclean-enabled-from-start"
    r10_elr_controlled "r10-elr-controlled"
    r10c_elr_last_known_returns_first "r10c-elr-last-known-returns-first"
    r11_controlled_shutdown "r11-controlled-shutdown"
    r12_commit_waits_for_slow_isr_member "r12-commit-waits-for-slow-isr-member"
    r13_hw_bounds_reads "r13-hw-bounds-reads"
    r14_zombie_leader "r14-zombie-leader"
    r15_two_failovers_epochs "r15-two-failovers-epochs"
    r15b_epoch_unknown_to_leader "r15b-epoch-unknown-to-leader"
    r16_throttled_follower "r16-throttled-follower"
    r16b_slow_network "r16b-slow-network"
    r17_idempotent_retry "r17-idempotent-retry"
    r17b_retry_without_idempotence "r17b-retry-without-idempotence"
    r18_follower_fetch "r18-follower-fetch"
    r19_reassign "r19-reassign"
    r20_all_down_min2 "r20-all-down-min2"
    r20c_all_restart_before_fencing "r20c-all-restart-before-fencing"
    r21_delete_records "r21-delete-records"
    r22_leadership_moves_while_waiting "r22-leadership-moves-while-waiting"
    r23_min_isr_changed "r23-min-isr-changed"
    r24_quick_restart "r24-quick-restart"
    r25_new_leader_below_its_high_watermark "r25-new-leader-below-its-high-watermark"
    r27_leader_cut_off_from_controller "r27-leader-cut-off-from-controller"
    r27b_lone_leader_cut_off "r27b-lone-leader-cut-off"
    r29_reassign_cancelled "r29-reassign-cancelled"
    r30_isr_change_needs_controller "r30-isr-change-needs-controller"
    r31_disk_lost "r31-disk-lost"
    r32_elr_member_elected "r32-elr-member-elected"
    x05_leader_killed_leader_shutdown "x05-leader-killed-leader-shutdown"
    x10_refused_follower_frozen "x10-refused-follower-frozen"
    x15_diverged_killed_leader_killed "x15-diverged-killed-leader-killed"
    x20_pending_at_death_diverged_killed "x20-pending-at-death-diverged-killed"
    x25_follower_frozen_follower_killed "x25-follower-frozen-follower-killed"
    x30_diverged_killed_leader_killed "x30-diverged-killed-leader-killed"
    x35_lag_refused "x35-lag-refused"
    x40_diverged_killed_waits_for_frozen "x40-diverged-killed-waits-for-frozen"
    x45_unclean_leader_killed "x45-unclean-leader-killed"
    o01_address "o01-address"
    o02_boundaries "o02-boundaries"
    o02b_retention_size "o02b-retention-size"
    o02c_retention_time "o02c-retention-time"
    o03_compaction_holes "o03-compaction-holes"
    o03b_compaction_idempotent "o03b-compaction-idempotent"
    o04_position_processed_committed "o04-position-processed-committed"
    o05_commit_last_processed "o05-commit-last-processed"
    o06_lag "o06-lag"
    o07_offsets_topic "o07-offsets-topic"
    o08_read_committed "o08-read-committed"
    o08b_transaction_timeout "o08b-transaction-timeout"
    o09_reset_tool "o09-reset-tool"
    o10_auto_offset_reset "o10-auto-offset-reset"
    o10b_auto_offset_reset_consumer_protocol "o10b-auto-offset-reset-consumer-protocol"
    o11_retention_passed_checkpoint "o11-retention-passed-checkpoint"
    o12_replay_new_group "o12-replay-new-group"
    o13a_commit_race_classic "o13a-commit-race-classic"
    o13b_commit_race_consumer_protocol "o13b-commit-race-consumer-protocol"
    o13c_rebalance_resume_range "o13c-rebalance-resume-range"
    o13d_rebalance_resume_cooperative "o13d-rebalance-resume-cooperative"
    o13e_rebalance_resume_consumer_protocol "o13e-rebalance-resume-consumer-protocol"
    o13f_commit_codes_classic "o13f-commit-codes-classic"
    o13h_static_members "o13h-static-members"
    o13i_static_members_consumer_protocol "o13i-static-members-consumer-protocol"
    o13j_auto_commit "o13j-auto-commit"
    o13k_auto_commit_consumer_protocol "o13k-auto-commit-consumer-protocol"
    o13l_commit_async_order "o13l-commit-async-order"
    o14_txn_consume_produce "o14-txn-consume-produce"
    o15_idempotent "o15-idempotent"
    o16_commit_values "o16-commit-values"
    o17_offset_expiration "o17-offset-expiration"
    o18_timestamps "o18-timestamps"
}

#[test]
fn no_recorded_run_is_left_out() {
    let files: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder of runs")
        .filter_map(|e| e.ok()?.path().file_stem()?.to_str().map(String::from))
        .collect();
    let tested: BTreeSet<String> = IDS.iter().map(ToString::to_string).collect();
    assert_eq!(files, tested);
    assert!(TABLE.iter().all(|e| IDS.contains(&e.run)));
}

#[test]
fn no_mark_is_shown_for_a_run_that_is_not_tested() {
    for line in marks() {
        let id = line.split(' ').next().unwrap_or_default();
        assert!(IDS.contains(&id), "static/checked.txt: {line}");
    }
}

/// The comparison itself: a recording in which one field is other than Kafka had it is not equal.
#[test]
fn a_recording_with_one_wrong_field_does_not_pass() {
    let text = std::fs::read_to_string(folder().join("r03-acks1-loss-and-divergence.json"))
        .expect("a recorded run");
    let whole: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let wrong = |step: usize, pointer: &str, value: serde_json::Value| {
        let mut doc = whole.clone();
        let field = doc["steps"][step - 1].pointer_mut(pointer);
        *field.unwrap_or_else(|| panic!("no {pointer} in step {step}")) = value;
        let script = Script::parse(&doc).expect("still a script");
        let report = play(&script);
        let (n, diffs) = report.failed.expect("not equal any more");
        assert_eq!(n as usize, step, "{pointer}");
        let path: String = pointer[1..].replace('/', ".");
        // A list of numbers or of records is told as a whole.
        let near = |d: &conform::compare::Diff| {
            let flat = d.path.replace('[', ".").replace(']', "");
            path.starts_with(&flat) || flat.starts_with(&path)
        };
        assert!(diffs.iter().any(near), "{pointer}: {diffs:?}");
    };
    let tp = "/after/partitions/orders-0";
    wrong(2, "/result/records/0/offset", 7.into());
    wrong(5, &format!("{tp}/high_watermark"), 2.into());
    wrong(5, &format!("{tp}/logs/1/checkpointed_hw"), 2.into());
    wrong(6, "/after/brokers/1", "up".into());
    wrong(9, "/after/fenced", serde_json::json!([]));
    wrong(9, &format!("{tp}/isr"), serde_json::json!([2]));
    wrong(9, &format!("{tp}/changes/0/leader_epoch"), 2.into());
    wrong(
        10,
        &format!("{tp}/logs/3/epochs"),
        serde_json::json!([[0, 0]]),
    );
    wrong(
        11,
        &format!("{tp}/logs/1/records/1/value"),
        "OrderCreated 2".into(),
    );
    wrong(13, "/result/position", 1.into());
}
