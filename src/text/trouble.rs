//! Why a story did not go on: the engine's refusals, for a person. An author's mistake or the
//! program's, so these are rare; they name the line of the scene's file.

use super::Lang;
use super::number::time;
use super::phrase::phrases;
use crate::kafka::ids::*;

phrases! {
    /// A line that did not come true (why follows).
    fn line(line: u32, what: &str) { ru: "строка {line}: {what}"; en: "line {line}: {what}"; }
    /// A claim of the author's is not so.
    fn claim(claim: &str, found: &str) { ru: "ожидалось `{claim}`, получилось `{found}`"; en: "expected `{claim}`, found `{found}`"; }
    /// No such broker.
    fn no_broker(broker: BrokerId) { ru: "брокера {broker} в сцене нет"; en: "there is no broker {broker} in this scene"; }
    /// No such partition.
    fn no_partition(partition: &str) { ru: "партиции `{partition}` в сцене нет"; en: "there is no partition `{partition}` in this scene"; }
    /// No client of this name and kind.
    fn no_client(client: &str) { ru: "клиента `{client}` нужного вида в сцене нет"; en: "there is no client `{client}` of the right kind in this scene"; }
    /// A producer, where a consumer is needed, or the other way about.
    fn is_producer(client: &str) { ru: "`{client}` — продюсер: команда не для него"; en: "`{client}` is a producer: the command is not for one"; }
    /// The same of another client.
    fn no_producer(client: &str) { ru: "`{client}` — не продюсер и в этой команде не подходит"; en: "`{client}` is not a producer: the command does not fit it"; }
    /// The client's process has crashed.
    fn crashed(client: &str) { ru: "`{client}` упал. Запустите его снова: потребителя — строкой `assign` или `subscribe`, продюсера — `producer`"; en: "`{client}` has crashed. Start it again: a consumer by `assign` or `subscribe`, a producer by `producer`"; }
    /// The client's process has ended in good order.
    fn closed(client: &str) { ru: "`{client}` закрыт. Запустите его снова строкой `assign` или `subscribe`"; en: "`{client}` has been closed. Start it again by `assign` or `subscribe`"; }
    /// Assigned by hand, then subscribed.
    fn subscribes(client: &str) { ru: "`{client}` подписан через `subscribe`, партиции ему назначает группа: `assign` вместе с подпиской Kafka не позволяет"; en: "`{client}` subscribes by `subscribe`, so its group assigns the partitions: Kafka does not allow `assign` as well"; }
    /// Subscribed, then assigned by hand.
    fn chose_partitions(client: &str) { ru: "`{client}` получил партиции через `assign`: `subscribe` вместе с этим Kafka не позволяет"; en: "`{client}` has its partitions by `assign`: Kafka does not allow `subscribe` as well"; }
    /// The partition is not assigned to the consumer.
    fn not_assigned(client: &str, partition: &str) { ru: "партиция `{partition}` не назначена потребителю `{client}`"; en: "`{partition}` is not assigned to `{client}`"; }
    /// A call about transactions out of turn: no transactional.id.
    fn no_transactions(client: &str) { ru: "у `{client}` нет `transactional.id`: допишите его в строке `producer {client}`"; en: "`{client}` has no `transactional.id`: add it in the line `producer {client}`"; }
    /// Before initTransactions.
    fn not_initialised(client: &str) { ru: "`{client}` ещё не готов к транзакциям: поставьте выше `init-transactions {client}`"; en: "`{client}` is not ready for transactions: put `init-transactions {client}` before this line"; }
    /// initTransactions is under way.
    fn still_initialising(client: &str) { ru: "`init-transactions {client}` ещё не завершился: поставьте между ними `until answered {client}`"; en: "`init-transactions {client}` has not ended yet: put `until answered {client}` between"; }
    /// No transaction is open.
    fn none_open(client: &str) { ru: "у `{client}` нет открытой транзакции: `init-transactions` делают один раз, а транзакцию открывает `begin {client}`"; en: "`{client}` has no open transaction: `init-transactions` is done once, and `begin {client}` opens a transaction"; }
    /// One is open.
    fn one_open(client: &str) { ru: "у `{client}` уже открыта транзакция: завершите её строкой `commit-transaction {client}` или `abort {client}`"; en: "`{client}` has a transaction open: end it by `commit-transaction {client}` or `abort {client}`"; }
    /// One is coming to its end.
    fn still_ending(client: &str) { ru: "транзакция `{client}` ещё завершается: поставьте выше `until answered {client}`"; en: "the transaction of `{client}` is still being ended: put `until answered {client}` before this line"; }
    /// The application cannot have got that far.
    fn not_received(client: &str, partition: &str, position: Option<Boundary>) {
        ru: "`{client}` ещё не получил этих записей партиции `{partition}`: его позиция {}", position.map_or_else(|| "не определена".into(), |p| p.to_string());
        en: "`{client}` has not been given these records of `{partition}`: its position is {}", position.map_or_else(|| "not known yet".into(), |p| p.to_string());
    }
    /// A subscription or commit without a group.
    fn no_group(client: &str) { ru: "у клиента `{client}` не задан `group.id`: без группы нельзя ни подписаться, ни сохранить позицию в Kafka"; en: "client `{client}` has no `group.id`: without a group it can neither subscribe nor commit to Kafka"; }
    /// A broker is in another state than the command needs.
    fn wrong_state(broker: BrokerId, state: &str) { ru: "брокер {broker} в состоянии `{state}`: команда к нему не подходит"; en: "broker {broker} is `{state}`: the command does not fit"; }
    /// A setting was not taken.
    fn setting(name: &str) { ru: "настройка `{name}` не принята"; en: "the setting `{name}` was not taken"; }
    /// Waited in vain.
    fn time_out(condition: &str, waited: Ms) { ru: "за {} не наступило `{condition}`", time(Lang::Ru, waited); en: "`{condition}` did not come about within {}", time(Lang::En, waited); }
    /// No message to take.
    fn no_message() { ru: "такого сообщения в пути нет"; en: "there is no such message on its way"; }
    /// Messages without delay go round in a circle.
    fn stands_still(at: Ms) { ru: "на отметке {} время не идёт дальше: сообщения без задержки без конца вызывают друг друга. Задайте `link-delay=1ms` или больше", time(Lang::Ru, at); en: "time does not get on at {}: messages without delay keep causing one another. Set `link-delay=1ms` or more", time(Lang::En, at); }
    /// A command for the other kind of time.
    fn wrong_mode() { ru: "команда не подходит к тому, как в сцене идёт время"; en: "the command does not fit how time passes in this scene"; }
    /// Nothing came of a scene.
    fn nothing_to_show() { ru: "в ней нет ни одной партиции"; en: "there is no partition in it"; }
}
