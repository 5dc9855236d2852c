//! The snapshot: what a group of one consumer and its three partitions were at one moment, and
//! the further tables of the harder tasks. One truth for the drawing, the page's tables and the
//! database.

/// A row of `partition_state`. Every figure is a boundary: the next position, never the number
/// of the last record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartitionState {
    /// The partition's number.
    pub id: i64,
    /// The first position that can be read.
    pub log_start: i64,
    /// The position after the last record.
    pub log_end: i64,
    /// The next position the consumer will ask for.
    pub fetch_position: i64,
    /// The next position after the records whose processing is done.
    pub processed_next: i64,
    /// The position saved for the group.
    pub committed_offset: i64,
}

/// A row of `replay_requests`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its name.
    pub id: &'static str,
    /// Whose records.
    pub partition: i64,
    /// The position from which somebody wishes to read again.
    pub from: i64,
}

/// `partition_state`: three logs without holes and without transactions.
pub const PARTITIONS: [PartitionState; 3] = [
    partition(0, [0, 10, 10, 7, 5]),
    partition(1, [4, 12, 12, 12, 11]),
    partition(2, [20, 31, 28, 26, 22]),
];

/// `replay_requests`.
pub const REQUESTS: [Request; 5] = [
    request("r1", 0, 3),
    request("r2", 1, 2),
    request("r3", 2, 20),
    request("r4", 2, 15),
    request("r5", 0, 10),
];

/// `kept_records`: what compaction left of the three logs; the last record of p2 is the marker of
/// a transaction.
pub const KEPT: [(i64, i64, &str); 11] = [
    (0, 4, "data"),
    (0, 8, "data"),
    (0, 9, "data"),
    (1, 4, "data"),
    (1, 7, "data"),
    (1, 11, "data"),
    (2, 21, "data"),
    (2, 25, "data"),
    (2, 27, "data"),
    (2, 29, "data"),
    (2, 30, "marker"),
];

/// `log_bounds`: partition, last stable offset, high watermark, log end, a while later.
pub const BOUNDS: [[i64; 4]; 3] = [[0, 11, 14, 14], [1, 15, 15, 16], [2, 31, 32, 33]];

/// `segments`: partition, first position, position after the last record, minutes since the
/// newest record. The clock of p2's producer was slow for a while.
pub const SEGMENTS: [[i64; 4]; 9] = [
    [0, 0, 4, 100],
    [0, 4, 8, 70],
    [0, 8, 10, 5],
    [1, 4, 8, 90],
    [1, 8, 11, 60],
    [1, 11, 12, 10],
    [2, 20, 25, 45],
    [2, 25, 29, 65],
    [2, 29, 31, 15],
];

const fn partition(id: i64, [start, end, fetch, processed, committed]: [i64; 5]) -> PartitionState {
    PartitionState {
        id,
        log_start: start,
        log_end: end,
        fetch_position: fetch,
        processed_next: processed,
        committed_offset: committed,
    }
}

const fn request(id: &'static str, partition: i64, from: i64) -> Request {
    Request {
        id,
        partition,
        from,
    }
}

/// A value of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A text.
    Text(&'static str),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Int(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

/// A table of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// Where the group is in each partition.
    PartitionState,
    /// Who wishes to read again, and from where.
    ReplayRequests,
    /// What compaction left.
    KeptRecords,
    /// The brokers' boundaries, later.
    LogBounds,
    /// The segments of the logs.
    Segments,
}

impl Table {
    /// All of them.
    pub const ALL: [Table; 5] = [
        Table::PartitionState,
        Table::ReplayRequests,
        Table::KeptRecords,
        Table::LogBounds,
        Table::Segments,
    ];

    /// Its name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Table::PartitionState => "partition_state",
            Table::ReplayRequests => "replay_requests",
            Table::KeptRecords => "kept_records",
            Table::LogBounds => "log_bounds",
            Table::Segments => "segments",
        }
    }

    /// The names of its columns.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Table::PartitionState => &[
                "partition_id",
                "log_start",
                "log_end",
                "fetch_position",
                "processed_next",
                "committed_offset",
            ],
            Table::ReplayRequests => &["request_id", "partition_id", "from_position"],
            Table::KeptRecords => &["partition_id", "record_offset", "kind"],
            Table::LogBounds => &["partition_id", "last_stable", "high_watermark", "log_end"],
            Table::Segments => &[
                "partition_id",
                "base_offset",
                "next_offset",
                "newest_age_min",
            ],
        }
    }

    /// Its rows.
    pub fn rows(self) -> Vec<Vec<Value>> {
        use Value::{Int, Text};
        let whole = |rows: &[[i64; 4]]| rows.iter().map(|r| r.map(Int).to_vec()).collect();
        match self {
            Table::PartitionState => PARTITIONS
                .iter()
                .map(|p| {
                    [
                        p.id,
                        p.log_start,
                        p.log_end,
                        p.fetch_position,
                        p.processed_next,
                        p.committed_offset,
                    ]
                    .map(Int)
                    .to_vec()
                })
                .collect(),
            Table::ReplayRequests => REQUESTS
                .iter()
                .map(|r| vec![Text(r.id), Int(r.partition), Int(r.from)])
                .collect(),
            Table::KeptRecords => KEPT
                .iter()
                .map(|(partition, offset, kind)| vec![Int(*partition), Int(*offset), Text(kind)])
                .collect(),
            Table::LogBounds => whole(&BOUNDS),
            Table::Segments => whole(&SEGMENTS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_as_wide_as_its_table() {
        for table in Table::ALL {
            for row in table.rows() {
                assert_eq!(row.len(), table.columns().len(), "{}", table.name());
            }
        }
    }

    /// The figures that the story of the practice rests on.
    #[test]
    fn the_snapshot_is_the_one_that_was_agreed() {
        for p in PARTITIONS {
            assert!(p.log_start <= p.committed_offset && p.committed_offset <= p.processed_next);
            assert!(p.processed_next <= p.fetch_position && p.fetch_position <= p.log_end);
        }
        let lags: Vec<i64> = PARTITIONS
            .iter()
            .map(|p| p.log_end - p.committed_offset)
            .collect();
        assert_eq!(lags, [5, 1, 9]);
        assert_eq!(
            PARTITIONS[0].fetch_position - PARTITIONS[0].processed_next,
            3
        );
        assert_eq!(
            PARTITIONS[0].processed_next - PARTITIONS[0].committed_offset,
            2
        );
    }

    /// R-LSO-1: the stable boundary is never beyond the high watermark, nor that beyond the end;
    /// and no log ends before the place where the group had already been.
    #[test]
    fn later_boundaries_are_in_order() {
        for ([id, stable, hw, end], p) in BOUNDS.into_iter().zip(PARTITIONS) {
            assert_eq!(id, p.id);
            assert!(p.log_end <= stable && stable <= hw && hw <= end);
        }
    }

    #[test]
    fn segments_cover_their_logs() {
        for p in PARTITIONS {
            let mut at = p.log_start;
            for [_, base, next, _] in SEGMENTS.into_iter().filter(|s| s[0] == p.id) {
                assert_eq!(base, at);
                at = next;
            }
            assert_eq!(at, p.log_end);
        }
    }
}
