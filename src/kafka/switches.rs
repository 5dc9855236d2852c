//! One switch per historic fix (docs: correctness 4.1). All on is Kafka 4.3. A node asks a
//! switch at exactly the line where the old code differed.

/// How a follower decides where to cut its log after a leader change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Truncation {
    /// To its own high watermark (before Kafka 0.11).
    HighWatermark,
    /// To the leader's end of the follower's last epoch (KIP-101).
    Kip101,
    /// To the largest common epoch (KIP-279), asked for by a separate request.
    Kip279,
    /// By the diverging epoch in a fetch answer (KIP-595 and on): Kafka 4.3.
    #[default]
    OnFetch,
}

/// The fixes. `Default` is Kafka 4.3: all on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Switches {
    /// See [`Truncation`].
    pub truncation: Truncation,
    /// A follower checks for truncation on every leader epoch change, also if the leader's id
    /// stayed (KAFKA-7164).
    pub truncate_on_epoch_change: bool,
    /// A fetch carries the follower's leader epoch and the leader checks it (KIP-320, KAFKA-6880).
    pub fetch_epoch_check: bool,
    /// A replica may join the ISR only once it has reached the start of the leader's epoch (KAFKA-7128).
    pub expand_requires_epoch_start: bool,
    /// The leader does not note the position of a follower that it told to truncate (KAFKA-13141).
    pub ignore_position_on_divergence: bool,
    /// The high watermark waits for the maximal ISR (KIP-497).
    pub maximal_isr: bool,
    /// A change of the ISR names each member's broker epoch (KIP-903).
    pub broker_epoch_check: bool,
    /// A restarted broker replays metadata up to its own registration before it acts.
    pub restart_catches_up_metadata: bool,
    /// The high watermark stands still while the ISR is below min.insync.replicas (KIP-966).
    pub strict_min_isr: bool,
    /// Eligible leader replicas are kept (KIP-966).
    pub elr: bool,
    /// A new leader does not tell its log end before its high watermark has reached the start of
    /// its epoch (KIP-207).
    pub list_offsets_guard: bool,
    /// A consumer asks after a change of leader whether the log up to its position is still the one
    /// it has read (KIP-320, R-TRD-1).
    pub consumer_truncation_detection: bool,
    /// Metadata of the partition epoch that the leader knows already leaves a change of the ISR
    /// under way alone. Not a fix of Kafka's: Kafka 4.3 forgets the change, so that for a moment
    /// its leader counts fewer replicas than the controller (docs/invariants.md).
    pub metadata_keeps_pending_change: bool,
    /// A classic group refuses a commit of another generation than its own (R-COM-6).
    pub group_generation_fence: bool,
    /// Commits count their age from when their group became empty (KIP-211); off: each from when
    /// it was made, whoever is in the group.
    pub offset_expiry: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Switches {
            truncation: Truncation::OnFetch,
            truncate_on_epoch_change: true,
            fetch_epoch_check: true,
            expand_requires_epoch_start: true,
            ignore_position_on_divergence: true,
            maximal_isr: true,
            broker_epoch_check: true,
            restart_catches_up_metadata: true,
            strict_min_isr: true,
            elr: true,
            list_offsets_guard: true,
            consumer_truncation_detection: true,
            metadata_keeps_pending_change: true,
            group_generation_fence: true,
            offset_expiry: true,
        }
    }
}
