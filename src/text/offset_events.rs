//! What happened to consumers, groups, transactions and a log's life: past tense.

use super::Lang;
use super::number::{NBSP, counted_records, named_records, no_records};
use super::phrase::phrases;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;

phrases! {
    /// A client learned who coordinates.
    fn coordinator_found(client: &str, broker: BrokerId, key: &str) { ru: "Клиент {client} узнал координатора для `{key}`: это брокер {broker}."; en: "Client {client} learned who coordinates `{key}`: broker {broker}."; }
    /// A coordinator has read its partition.
    fn coordinator_loaded(broker: BrokerId) { ru: "Брокер {broker} прочитал свою партицию внутреннего топика и теперь координатор."; en: "Broker {broker} has read its partition of the internal topic and now coordinates."; }
    /// A commit was sent.
    fn commit_sent(client: &str, at: Boundary) { ru: "Потребитель {client} отправил коммит {at}."; en: "Consumer {client} sent commit {at}."; }
    /// A commit was accepted, as the client sees it.
    fn commit_done(client: &str, at: Boundary) { ru: "Потребитель {client} получил ответ: коммит {at} принят."; en: "Consumer {client} got the answer: commit {at} is accepted."; }
    /// A commit was refused.
    fn commit_failed(client: &str, at: Boundary, error: KafkaError) { ru: "Потребитель {client} получил отказ на коммит {at}: `{error}`."; en: "Consumer {client} got a refusal for commit {at}: `{error}`."; }
    /// A group's first commit.
    fn committed_first(group: &str, to: Boundary) { ru: "Группа {group} сохранила позицию {to}: раньше коммита не было."; en: "Group {group} saved position {to}: there was no commit before."; }
    /// A group's commit moved.
    fn committed(group: &str, from: Boundary, to: Boundary) { ru: "Коммит группы {group} сдвинулся: {from} → {to}."; en: "The commit of group {group} moved: {from} → {to}."; }
    /// A commit stays where it was.
    fn committed_same(group: &str, to: Boundary) { ru: "Группа {group} снова сохранила {to}: коммит не сдвинулся."; en: "Group {group} saved {to} again: the commit did not move."; }
    /// A commit expired.
    fn expired(group: &str, at: Boundary) { ru: "Коммит {at} группы {group} удалён по сроку `offsets.retention.minutes`."; en: "Commit {at} of group {group} expired after `offsets.retention.minutes`."; }
    /// A commit was deleted.
    fn forgotten(group: &str, at: Boundary) { ru: "Коммит {at} группы {group} удалён."; en: "Commit {at} of group {group} was deleted."; }
    /// A position taken from a commit.
    fn restored(client: &str, to: Boundary) { ru: "Потребитель {client} взял позицию {to} из коммита группы."; en: "Consumer {client} took position {to} from its group’s commit."; }

    /// A group's state.
    fn group_changed(group: &str, from: &str, to: &str) { ru: "Группа {group}: `{from}` → `{to}`."; en: "Group {group}: `{from}` → `{to}`."; }
    /// A group is stable again.
    fn group_stable(group: &str, generation: i64) { ru: "Группа {group} снова стабильна, поколение {generation}."; en: "Group {group} is stable again, generation {generation}."; }
    /// A group rebalances.
    fn group_rebalances(group: &str) { ru: "В группе {group} началась ребалансировка."; en: "Group {group} began to rebalance."; }
    /// A group has no members.
    fn group_empty(group: &str) { ru: "В группе {group} не осталось участников; её коммиты остались."; en: "Group {group} has no members left; its commits stay."; }
    /// A group is gone.
    fn group_dead(group: &str) { ru: "Группы {group} больше нет."; en: "Group {group} no longer exists."; }
    /// A member is in.
    fn joined(client: &str, group: &str) { ru: "Потребитель {client} вошёл в группу {group}."; en: "Consumer {client} joined group {group}."; }
    /// A member left.
    fn left(client: &str, group: &str) { ru: "Потребитель {client} вышел из группы {group}."; en: "Consumer {client} left group {group}."; }
    /// A member's session ended.
    fn left_session(client: &str, group: &str) { ru: "Потребитель {client} молчал дольше `session.timeout.ms` и исключён из группы {group}."; en: "Consumer {client} was silent for more than `session.timeout.ms` and is out of group {group}."; }
    /// A member did not poll.
    fn left_poll(client: &str, group: &str) { ru: "Потребитель {client} не вызывал `poll` дольше `max.poll.interval.ms` и сам вышел из группы {group}."; en: "Consumer {client} did not call `poll` for `max.poll.interval.ms` and left group {group} by itself."; }
    /// A member did not rejoin in time.
    fn left_rebalance(client: &str, group: &str) { ru: "Потребитель {client} не успел в ребалансировку и исключён из группы {group}."; en: "Consumer {client} was late for the rebalance and is out of group {group}."; }
    /// A member was replaced.
    fn left_replaced(client: &str, group: &str) { ru: "Потребителя {client} в группе {group} заменил другой процесс с тем же `group.instance.id`."; en: "Consumer {client} was replaced in group {group} by another process of the same `group.instance.id`."; }
    /// Partitions were given.
    fn assigned(client: &str, partitions: &str) { ru: "Потребитель {client} получил партиции: {partitions}."; en: "Consumer {client} was given partitions: {partitions}."; }
    /// No partition was given.
    fn assigned_none(client: &str) { ru: "Потребителю {client} партиций не досталось."; en: "Consumer {client} was given no partition."; }
    /// Partitions were given up.
    fn revoked(client: &str, partitions: &str) { ru: "Потребитель {client} отдал партиции: {partitions}."; en: "Consumer {client} gave up partitions: {partitions}."; }
    /// Partitions were lost.
    fn lost_partitions(client: &str, partitions: &str) { ru: "Потребитель {client} лишился партиций без коммита: {partitions}."; en: "Consumer {client} lost partitions without a chance to commit: {partitions}."; }
    /// A consumer closed.
    fn closed(client: &str) { ru: "Потребитель {client} закрыт штатно."; en: "Consumer {client} closed cleanly."; }
    /// A consumer crashed.
    fn crashed(client: &str) { ru: "Потребитель {client} упал: ни коммита, ни прощания с группой."; en: "Consumer {client} crashed: no commit, no word to its group."; }

    /// A consumer read some of the numbers that its position passed.
    fn consumed_some(client: &str, numbers: &str, from: Boundary, to: Boundary) { ru: "Потребитель {client} прочитал {}; позиция прошла с {from} на {to}.", counted_records(Lang::Ru, numbers); en: "Consumer {client} read {}; its position went from {from} to {to}.", counted_records(Lang::En, numbers); }
    /// A consumer's position passed numbers without a record for it.
    fn passed(client: &str, from: Boundary, to: Boundary) { ru: "Потребитель {client} не получил ни одной записи, а его позиция прошла с {from} на {to}."; en: "Consumer {client} was given no record, yet its position went from {from} to {to}."; }
    /// auto.offset.reset decided: nothing is committed (R-RST-1).
    fn reset_without_commit(client: &str, to: Boundary) { ru: "Коммита нет: по `auto.offset.reset` потребитель {client} встал на {to}."; en: "There is no commit: by `auto.offset.reset` consumer {client} started at {to}."; }
    /// auto.offset.reset decided: the position is outside the log (R-RST-4).
    fn reset_out_of_range(client: &str, from: Boundary, to: Boundary) { ru: "Позиция {from} вне лога: по `auto.offset.reset` потребитель {client} перешёл на {to}."; en: "Position {from} is outside the log: by `auto.offset.reset` consumer {client} moved to {to}."; }

    /// Nothing is committed, and nothing shall decide instead.
    fn no_offset(client: &str) { ru: "`poll()` потребителя {client} завершился исключением `NoOffsetForPartitionException`: коммита нет, позиции тоже."; en: "`poll()` of consumer {client} threw `NoOffsetForPartitionException`: there is no commit and no position."; }

    /// An application processed.
    fn processed(client: &str, from: Boundary, to: Boundary) { ru: "Приложение {client} обработало {}; следующая — {to}.", named_records(Lang::Ru, from, to); en: "Application {client} processed {}; next is {to}.", named_records(Lang::En, from, to); }
    /// The same with holes between: the numbers that were records.
    fn processed_some(client: &str, numbers: &str, to: Boundary) { ru: "Приложение {client} обработало {}; следующая — {to}.", counted_records(Lang::Ru, numbers); en: "Application {client} processed {}; next is {to}.", counted_records(Lang::En, numbers); }
    /// An effect took place again.
    fn repeated(client: &str, at: Offset, key: &str, times: u32) { ru: "Повтор: запись {at} ({key}) обработана уже {}, в этот раз — приложением {client}.", times_ru(times); en: "A repeat: record {at} ({key}) has now been processed {}, this time by application {client}.", times_en(times); }
    /// Effects in a row took place again.
    fn repeated_run(client: &str, from: Boundary, to: Boundary, times: u32) { ru: "Повтор: {} обработаны уже {}, в этот раз — приложением {client}.", named_records(Lang::Ru, from, to), times_ru(times); en: "A repeat: {} have now been processed {}, this time by application {client}.", named_records(Lang::En, from, to), times_en(times); }
    /// A first checkpoint outside.
    fn saved_first(client: &str, to: Boundary) { ru: "Приложение {client} сохранило чекпойнт {to} в своём хранилище, не в Kafka."; en: "Application {client} saved checkpoint {to} in its own store, not in Kafka."; }
    /// A checkpoint outside moved.
    fn saved(client: &str, from: Boundary, to: Boundary) { ru: "Чекпойнт приложения {client} во внешнем хранилище: {from} → {to}."; en: "The checkpoint of application {client} in its outside store: {from} → {to}."; }

    /// A transaction began.
    fn txn_begun(client: &str, id: &str) { ru: "Продюсер {client} начал транзакцию `{id}`: пока о ней знает только он."; en: "Producer {client} began transaction `{id}`: so far only it knows."; }
    /// A transaction was committed, as the producer sees it.
    fn txn_committed(client: &str, id: &str) { ru: "Продюсер {client} зафиксировал транзакцию `{id}`."; en: "Producer {client} committed transaction `{id}`."; }
    /// A transaction was aborted, as the producer sees it.
    fn txn_aborted(client: &str, id: &str) { ru: "Продюсер {client} отменил транзакцию `{id}`."; en: "Producer {client} aborted transaction `{id}`."; }
    /// A transaction could not be ended.
    fn txn_refused(client: &str, id: &str, error: KafkaError) { ru: "Продюсер {client} получил отказ при завершении транзакции `{id}`: `{error}`."; en: "Producer {client} was refused the end of transaction `{id}`: `{error}`."; }
    /// A transaction's state.
    fn txn_changed(id: &str, from: &str, to: &str) { ru: "Координатор: транзакция `{id}`, `{from}` → `{to}`."; en: "The coordinator: transaction `{id}`, `{from}` → `{to}`."; }
    /// A marker.
    fn marker_commit(broker: BrokerId, at: Offset) { ru: "Лидер, брокер {broker}, дописал маркер COMMIT: номер {at} занят, записи для приложения в нём нет."; en: "The leader, broker {broker}, appended a COMMIT marker: it takes offset {at} and holds no record for an application."; }
    /// A marker.
    fn marker_abort(broker: BrokerId, at: Offset) { ru: "Лидер, брокер {broker}, дописал маркер ABORT: номер {at} занят, записи для приложения в нём нет."; en: "The leader, broker {broker}, appended an ABORT marker: it takes offset {at} and holds no record for an application."; }
    /// The last stable offset moved.
    fn stable_moved(broker: BrokerId, from: Boundary, to: Boundary) { ru: "LSO на лидере, брокере {broker}, сдвинулась: {from} → {to}."; en: "LSO on the leader, broker {broker}, moved: {from} → {to}."; }

    /// A new segment.
    fn rolled(broker: BrokerId, at: Boundary) { ru: "Брокер {broker} начал новый сегмент с {at}."; en: "Broker {broker} began a new segment at {at}."; }
    /// Segments below the log start were deleted.
    fn segments_start(broker: BrokerId, from: Boundary, to: Boundary) { ru: "Брокер {broker} удалил сегменты ниже начала лога: {}.", named_records(Lang::Ru, from, to); en: "Broker {broker} deleted segments below the log start: {}.", named_records(Lang::En, from, to); }
    /// Segments went by size.
    fn segments_size(broker: BrokerId, from: Boundary, to: Boundary) { ru: "Брокер {broker} удалил сегменты по размеру (`retention.bytes`): {} больше нет.", no_records(Lang::Ru, from, to); en: "Broker {broker} deleted segments by size (`retention.bytes`): {} gone.", gone(from, to); }
    /// Segments went by time.
    fn segments_time(broker: BrokerId, from: Boundary, to: Boundary) { ru: "Брокер {broker} удалил сегменты по сроку (`retention.ms`): {} больше нет.", no_records(Lang::Ru, from, to); en: "Broker {broker} deleted segments by age (`retention.ms`): {} gone.", gone(from, to); }
    /// The cleaner removed records.
    fn compacted(broker: BrokerId, to: Boundary, numbers: &str) { ru: "Компакция на брокере {broker} прошла до {to} и убрала {}; номера остальных не изменились.", counted_records(Lang::Ru, numbers); en: "Compaction on broker {broker} went up to {to} and removed {}; the others keep their offsets.", counted_records(Lang::En, numbers); }
    /// The cleaner removed nothing.
    fn compacted_nothing(broker: BrokerId, to: Boundary) { ru: "Компакция на брокере {broker} прошла до {to} и ничего не убрала."; en: "Compaction on broker {broker} went up to {to} and removed nothing."; }

    /// A reset was planned.
    fn reset_planned(group: &str, from: &str, to: Boundary) { ru: "План сброса группы {group}: {from} → {to}. Ничего не изменено."; en: "Reset plan of group {group}: {from} → {to}. Nothing is changed."; }
    /// A reset was planned, and what was asked for lies outside the log (R-RSO-4).
    fn reset_clamped(group: &str, from: &str, asked: Boundary, to: Boundary) { ru: "План сброса группы {group}: {from} → {to}. Просили {asked}: такого места в логе нет. Ничего не изменено."; en: "Reset plan of group {group}: {from} → {to}. Asked for was {asked}, which is outside the log. Nothing is changed."; }
    /// The same, carried out.
    fn reset_done_clamped(group: &str, from: &str, asked: Boundary, to: Boundary) { ru: "Сброс выполнен: коммит группы {group} {from} → {to}. Просили {asked}: такого места в логе нет."; en: "The reset is done: the commit of group {group}, {from} → {to}. Asked for was {asked}, which is outside the log."; }
    /// A reset was carried out.
    fn reset_done(group: &str, from: &str, to: Boundary) { ru: "Сброс выполнен: коммит группы {group} {from} → {to}."; en: "The reset is done: the commit of group {group}, {from} → {to}."; }
    /// A reset was refused. Kafka's own sentence.
    fn reset_refused(group: &str, state: &str) { ru: "Сброс отклонён: группа {group} не пуста, состояние `{state}`. Текст Kafka: `Error: Assignments can only be reset if the group '{group}' is inactive, but the current state is {state}.`"; en: "The reset is refused: group {group} is not empty, its state is `{state}`. Kafka’s own words: `Error: Assignments can only be reset if the group '{group}' is inactive, but the current state is {state}.`"; }
    /// Nothing was committed before.
    fn nothing_saved() { ru: "нет коммита"; en: "no commit"; }
}

fn times_ru(times: u32) -> String {
    let word = super::number::ru(i64::from(times), "раз", "раза", "раз");
    format!("{times}{NBSP}{word}")
}

fn times_en(times: u32) -> String {
    if times == 2 {
        "twice".into()
    } else {
        format!("{times} times")
    }
}

/// `records 2 to 3 are`, for what is gone.
pub(super) fn gone(from: Boundary, to: Boundary) -> String {
    let verb = if to.0 - from.0 == 1 { "is" } else { "are" };
    format!("{} {verb}", named_records(Lang::En, from, to))
}
