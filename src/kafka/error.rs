//! Kafka's error codes, by name and with the text that Kafka itself gives.

use std::fmt;

macro_rules! errors {
    ($($variant:ident $name:literal $text:literal;)*) => {
        /// A Kafka protocol error (`org.apache.kafka.common.protocol.Errors`), or one that only a
        /// client or a log reports (marked so).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum KafkaError {
            $(#[doc = $text] $variant,)*
        }

        impl KafkaError {
            /// Every error this engine can give.
            pub const ALL: &'static [KafkaError] = &[$(KafkaError::$variant,)*];

            /// The name as Kafka writes it, e.g. `NOT_LEADER_OR_FOLLOWER`.
            pub fn name(self) -> &'static str {
                match self { $(KafkaError::$variant => $name,)* }
            }

            /// The sentence Kafka gives with it.
            pub fn text(self) -> &'static str {
                match self { $(KafkaError::$variant => $text,)* }
            }

            /// The error with this name.
            pub fn from_name(name: &str) -> Option<KafkaError> {
                Self::ALL.iter().copied().find(|e| e.name() == name)
            }
        }
    };
}

errors! {
    UnknownServerError "UNKNOWN_SERVER_ERROR" "The server experienced an unexpected error when processing the request.";
    OffsetOutOfRange "OFFSET_OUT_OF_RANGE" "The requested offset is not within the range of offsets maintained by the server.";
    CorruptMessage "CORRUPT_MESSAGE" "This message has failed its CRC checksum, exceeds the valid size, has a null key for a compacted topic, or is otherwise corrupt.";
    UnknownTopicOrPartition "UNKNOWN_TOPIC_OR_PARTITION" "This server does not host this topic-partition.";
    LeaderNotAvailable "LEADER_NOT_AVAILABLE" "There is no leader for this topic-partition as we are in the middle of a leadership election.";
    NotLeaderOrFollower "NOT_LEADER_OR_FOLLOWER" "For requests intended only for the leader, this error indicates that the broker is not the current leader. For requests intended for any replica, this error indicates that the broker is not a replica of the topic partition.";
    RequestTimedOut "REQUEST_TIMED_OUT" "The request timed out.";
    ReplicaNotAvailable "REPLICA_NOT_AVAILABLE" "The replica is not available for the requested topic-partition. Produce/Fetch requests and other requests intended only for the leader or follower return NOT_LEADER_OR_FOLLOWER if the broker is not a replica of the topic-partition.";
    MessageTooLarge "MESSAGE_TOO_LARGE" "The request included a message larger than the max message size the server will accept.";
    RecordListTooLarge "RECORD_LIST_TOO_LARGE" "The request included message batch larger than the configured segment size on the server.";
    InvalidTimestamp "INVALID_TIMESTAMP" "The timestamp of the message is out of acceptable range.";
    NetworkException "NETWORK_EXCEPTION" "The server disconnected before a response was received.";
    InvalidTopic "INVALID_TOPIC_EXCEPTION" "The request attempted to perform an operation on an invalid topic.";
    NotEnoughReplicas "NOT_ENOUGH_REPLICAS" "Messages are rejected since there are fewer in-sync replicas than required.";
    NotEnoughReplicasAfterAppend "NOT_ENOUGH_REPLICAS_AFTER_APPEND" "Messages are written to the log, but to fewer in-sync replicas than required.";
    InvalidRequiredAcks "INVALID_REQUIRED_ACKS" "Produce request specified an invalid value for required acks.";
    TopicAlreadyExists "TOPIC_ALREADY_EXISTS" "Topic with this name already exists.";
    InvalidReplicationFactor "INVALID_REPLICATION_FACTOR" "Replication factor is below 1 or larger than the number of available brokers.";
    InvalidReplicaAssignment "INVALID_REPLICA_ASSIGNMENT" "Replica assignment is invalid.";
    InvalidConfig "INVALID_CONFIG" "Configuration is invalid.";
    NotController "NOT_CONTROLLER" "This is not the correct controller for this cluster.";
    InvalidRequest "INVALID_REQUEST" "This most likely occurs because of a request being malformed by the client library or the message was sent to an incompatible broker. See the broker logs for more details.";
    PolicyViolation "POLICY_VIOLATION" "Request parameters do not satisfy the configured policy.";
    OutOfOrderSequenceNumber "OUT_OF_ORDER_SEQUENCE_NUMBER" "The broker received an out of order sequence number.";
    InvalidProducerEpoch "INVALID_PRODUCER_EPOCH" "Producer attempted to produce with an old epoch.";
    KafkaStorageError "KAFKA_STORAGE_ERROR" "Disk error when trying to access log file on the disk.";
    FencedLeaderEpoch "FENCED_LEADER_EPOCH" "The leader epoch in the request is older than the epoch on the broker.";
    UnknownLeaderEpoch "UNKNOWN_LEADER_EPOCH" "The leader epoch in the request is newer than the epoch on the broker.";
    StaleBrokerEpoch "STALE_BROKER_EPOCH" "Broker epoch has changed.";
    OffsetNotAvailable "OFFSET_NOT_AVAILABLE" "The leader high watermark has not caught up from a recent leader election so the offsets cannot be guaranteed to be monotonically increasing.";
    PreferredLeaderNotAvailable "PREFERRED_LEADER_NOT_AVAILABLE" "The preferred leader was not available.";
    EligibleLeadersNotAvailable "ELIGIBLE_LEADERS_NOT_AVAILABLE" "Eligible topic partition leaders are not available.";
    ElectionNotNeeded "ELECTION_NOT_NEEDED" "Leader election not needed for topic partition.";
    NoReassignmentInProgress "NO_REASSIGNMENT_IN_PROGRESS" "No partition reassignment is in progress.";
    InvalidRecord "INVALID_RECORD" "This record has failed the validation on broker and hence will be rejected.";
    InvalidUpdateVersion "INVALID_UPDATE_VERSION" "The given update version was invalid.";
    DuplicateBrokerRegistration "DUPLICATE_BROKER_REGISTRATION" "This broker ID is already in use.";
    BrokerIdNotRegistered "BROKER_ID_NOT_REGISTERED" "The given broker ID was not registered.";
    UnknownTopicId "UNKNOWN_TOPIC_ID" "This server does not host this topic ID.";
    IneligibleReplica "INELIGIBLE_REPLICA" "The new ISR contains at least one ineligible replica.";
    NewLeaderElected "NEW_LEADER_ELECTED" "The AlterPartition request successfully updated the partition state but the leader has changed.";
    OperationNotAttempted "OPERATION_NOT_ATTEMPTED" "The broker did not attempt to execute this operation. This may happen for batched RPCs where some operations in the batch failed, causing the broker to respond without trying the rest.";
    OffsetMetadataTooLarge "OFFSET_METADATA_TOO_LARGE" "The metadata field of the offset request was too large.";
    CoordinatorLoadInProgress "COORDINATOR_LOAD_IN_PROGRESS" "The coordinator is loading and hence can't process requests.";
    CoordinatorNotAvailable "COORDINATOR_NOT_AVAILABLE" "The coordinator is not available.";
    NotCoordinator "NOT_COORDINATOR" "This is not the correct coordinator.";
    IllegalGeneration "ILLEGAL_GENERATION" "Specified group generation id is not valid.";
    InconsistentGroupProtocol "INCONSISTENT_GROUP_PROTOCOL" "The group member's supported protocols are incompatible with those of existing members or first group member tried to join with empty protocol type or empty protocol list.";
    InvalidGroupId "INVALID_GROUP_ID" "The group id is invalid.";
    UnknownMemberId "UNKNOWN_MEMBER_ID" "The coordinator is not aware of this member.";
    InvalidSessionTimeout "INVALID_SESSION_TIMEOUT" "The session timeout is not within the range allowed by the broker (as configured by group.min.session.timeout.ms and group.max.session.timeout.ms).";
    RebalanceInProgress "REBALANCE_IN_PROGRESS" "The group is rebalancing, so a rejoin is needed.";
    MemberIdRequired "MEMBER_ID_REQUIRED" "The group member needs to have a valid member id before actually entering a consumer group.";
    NonEmptyGroup "NON_EMPTY_GROUP" "The group is not empty.";
    GroupIdNotFound "GROUP_ID_NOT_FOUND" "The group id does not exist.";
    FencedInstanceId "FENCED_INSTANCE_ID" "The broker rejected this static consumer since another consumer with the same group.instance.id has registered with a different member.id.";
    GroupSubscribedToTopic "GROUP_SUBSCRIBED_TO_TOPIC" "Deleting offsets of a topic is forbidden while the consumer group is actively subscribed to it.";
    UnstableOffsetCommit "UNSTABLE_OFFSET_COMMIT" "There are unstable offsets that need to be cleared.";
    FencedMemberEpoch "FENCED_MEMBER_EPOCH" "The member epoch is fenced by the group coordinator. The member must abandon all its partitions and rejoin.";
    UnreleasedInstanceId "UNRELEASED_INSTANCE_ID" "The instance ID is still used by another member in the consumer group. That member must leave first.";
    UnsupportedAssignor "UNSUPPORTED_ASSIGNOR" "The assignor or its version range is not supported by the consumer group.";
    StaleMemberEpoch "STALE_MEMBER_EPOCH" "The member epoch is stale. The member must retry after receiving its updated member epoch via the ConsumerGroupHeartbeat API.";
    GroupMaxSizeReached "GROUP_MAX_SIZE_REACHED" "The consumer group has reached its max size.";
    ProducerFenced "PRODUCER_FENCED" "There is a newer producer with the same transactionalId which fences the current one.";
    InvalidTxnState "INVALID_TXN_STATE" "The producer attempted a transactional operation in an invalid state.";
    InvalidProducerIdMapping "INVALID_PRODUCER_ID_MAPPING" "The producer attempted to use a producer id which is not currently assigned to its transactional id.";
    InvalidTransactionTimeout "INVALID_TRANSACTION_TIMEOUT" "The transaction timeout is larger than the maximum value allowed by the broker (as configured by transaction.max.timeout.ms).";
    ConcurrentTransactions "CONCURRENT_TRANSACTIONS" "The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing.";
    TransactionCoordinatorFenced "TRANSACTION_COORDINATOR_FENCED" "Indicates that the transaction coordinator sending a WriteTxnMarker is no longer the current coordinator for a given producer.";
    TransactionalIdNotFound "TRANSACTIONAL_ID_NOT_FOUND" "The transactionalId could not be found.";
    TransactionAbortable "TRANSACTION_ABORTABLE" "The server encountered an error with the transaction. The client can abort the transaction to continue using this transactional ID.";
    UnknownProducerId "UNKNOWN_PRODUCER_ID" "This exception is raised by the broker if it could not locate the producer metadata associated with the producerId in question. This could happen if, for instance, the producer's records were deleted because their retention time had elapsed. Once the last records of the producerId are removed, the producer's metadata is removed from the broker, and future appends by the producer will return this exception.";
    // The three below never travel: a log or a client reports them.
    UnexpectedAppendOffset "UnexpectedAppendOffset" "Unexpected offset in append: the first offset of the batch is below the log end offset.";
    OffsetsOutOfOrder "OffsetsOutOfOrder" "Out of order offsets found in the append.";
    Timeout "TIMEOUT" "Expiring record(s): delivery.timeout.ms has passed since batch creation.";
}

impl fmt::Display for KafkaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
impl std::error::Error for KafkaError {}
