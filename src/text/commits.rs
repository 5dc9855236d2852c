//! Words around the log in which commits lie.

use super::phrase::phrases;
use crate::kafka::ids::*;

phrases! {
    /// Over the log: the leader of the partition.
    fn coordinator(broker: BrokerId) { ru: "лидер и координатор: брокер {broker}"; en: "leader and coordinator: broker {broker}"; }
    /// Over the log: its leader is gone, no other is elected.
    fn nobody() { ru: "лидера нет: группа без координатора"; en: "no leader: the group has no coordinator"; }
    /// Over the log: the leader named is down.
    fn coordinator_down(broker: BrokerId) { ru: "координатор, брокер {broker}, не отвечает"; en: "the coordinator, broker {broker}, does not answer"; }
    /// Instead of the log.
    fn not_made() { ru: "партиции ещё нет"; en: "not made yet"; }
    /// Over the log: nothing in it.
    fn empty() { ru: "записей ещё нет"; en: "no records yet"; }
    /// Beside the first line of the records' labels.
    fn row_group() { ru: "ключ: группа,"; en: "key: group,"; }
    /// Beside the second line of the records' labels.
    fn row_partition() { ru: "топик и партиция"; en: "topic and partition"; }
    /// Beside the third line of the records' labels.
    fn row_value() { ru: "значение: коммит"; en: "value: the commit"; }
    /// A record that is no commit: what a coordinator remembers of its group.
    fn of_group() { ru: "состав"; en: "members"; }
    /// A commit that was deleted.
    fn deleted() { ru: "удалён"; en: "deleted"; }

    /// A table's caption.
    fn caption(partition: &str) { ru: "Записи {partition}"; en: "Records of {partition}"; }
    /// A column's heading.
    fn head_number() { ru: "Запись"; en: "Record"; }
    /// A column's heading.
    fn head_key() { ru: "Ключ: группа, топик, партиция"; en: "Key: group, topic, partition"; }
    /// A column's heading.
    fn head_value() { ru: "Значение: следующая позиция"; en: "Value: next position"; }
    /// A column's heading.
    fn head_state() { ru: "Состояние"; en: "State"; }
    /// The last record of its key, below the high watermark.
    fn in_force() { ru: "в силе"; en: "in force"; }
    /// A later record has the same key.
    fn outdated() { ru: "устарел: есть запись с тем же ключом новее"; en: "out of date: a later record has the same key"; }
    /// Above the high watermark.
    fn unconfirmed() { ru: "ещё не подтверждён: запись не ниже HW"; en: "not confirmed yet: the record is not below HW"; }
}
