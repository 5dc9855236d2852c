//! The coordinator of groups, rule by rule and by the recorded runs o07, o13e, o13f, o13h, o13i,
//! o16 and o17: each is carried out request by request on a coordinator by itself.

#[allow(
    dead_code,
    reason = "shared with other tests, which use other parts of it"
)]
#[path = "conform/group_bench.rs"]
mod group_bench;

#[path = "groups/classic.rs"]
mod classic;
#[path = "groups/modern.rs"]
mod modern;
#[path = "groups/offsets.rs"]
mod offsets;
