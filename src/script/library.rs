//! The built-in scenes, in the order of the gallery; the first stands at the top of the front
//! page.

/// Each scene's id (for addresses: `?scenario=acks1-loss`) and text.
pub const SCENES: &[(&str, &str)] = &[
    (
        "acks1-loss",
        include_str!("../../static/scenarios/acks1-loss.txt"),
    ),
    (
        "acks-all-waits",
        include_str!("../../static/scenarios/acks-all-waits.txt"),
    ),
    (
        "first-write",
        include_str!("../../static/scenarios/first-write.txt"),
    ),
    ("outbox", include_str!("../../static/scenarios/outbox.txt")),
    (
        "overview",
        include_str!("../../static/scenarios/overview.txt"),
    ),
    (
        "compare-acks",
        include_str!("../../static/scenarios/compare-acks.txt"),
    ),
    (
        "leader-fails",
        include_str!("../../static/scenarios/leader-fails.txt"),
    ),
    (
        "paid-order",
        include_str!("../../static/scenarios/paid-order.txt"),
    ),
    (
        "slow-follower",
        include_str!("../../static/scenarios/slow-follower.txt"),
    ),
    (
        "old-leader-returns",
        include_str!("../../static/scenarios/old-leader-returns.txt"),
    ),
    (
        "telemetry",
        include_str!("../../static/scenarios/telemetry.txt"),
    ),
    (
        "address",
        include_str!("../../static/scenarios/address.txt"),
    ),
    (
        "boundaries",
        include_str!("../../static/scenarios/boundaries.txt"),
    ),
    (
        "three-speeds",
        include_str!("../../static/scenarios/three-speeds.txt"),
    ),
    (
        "next-position",
        include_str!("../../static/scenarios/next-position.txt"),
    ),
    (
        "restart-repeats",
        include_str!("../../static/scenarios/restart-repeats.txt"),
    ),
    (
        "where-commits-live",
        include_str!("../../static/scenarios/where-commits-live.txt"),
    ),
    ("lags", include_str!("../../static/scenarios/lags.txt")),
    (
        "reset-policy",
        include_str!("../../static/scenarios/reset-policy.txt"),
    ),
    ("replay", include_str!("../../static/scenarios/replay.txt")),
    (
        "deleted-history",
        include_str!("../../static/scenarios/deleted-history.txt"),
    ),
    ("holes", include_str!("../../static/scenarios/holes.txt")),
    (
        "lag-is-distance",
        include_str!("../../static/scenarios/lag-is-distance.txt"),
    ),
    (
        "open-transaction",
        include_str!("../../static/scenarios/open-transaction.txt"),
    ),
];

/// The text of the scene of this id.
pub fn scene(id: &str) -> Option<&'static str> {
    SCENES
        .iter()
        .find(|(name, _)| *name == id)
        .map(|(_, text)| *text)
}

/// The id nearest to one that no scene has, if one is near.
pub fn nearest(id: &str) -> Option<String> {
    super::nearest::nearest(id, SCENES.iter().map(|(name, _)| *name))
}
