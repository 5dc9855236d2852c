//! Labels: short words on the drawing and in the heads of tables (words.md).

use super::Lang;
use super::number::{copies as copies_of, label_no_records, label_records};
use super::phrase::phrases;
use crate::kafka::ids::*;

phrases! {
    /// A broker's name.
    fn broker(id: BrokerId) { ru: "Брокер {id}"; en: "Broker {id}"; }
    /// In a row of words.
    fn broker_lower(id: BrokerId) { ru: "брокер {id}"; en: "broker {id}"; }
    /// The controller's name.
    fn controller() { ru: "Контроллер"; en: "Controller"; }
    /// In a row of words.
    fn controller_lower() { ru: "контроллер"; en: "controller"; }
    /// A producer's name.
    fn producer(name: &str) { ru: "продюсер {name}"; en: "producer {name}"; }
    /// A producer's name and setting.
    fn producer_acks(name: &str, acks: &str) { ru: "продюсер {name}, acks={acks}"; en: "producer {name}, acks={acks}"; }
    /// A consumer's name.
    fn consumer(name: &str) { ru: "потребитель {name}"; en: "consumer {name}"; }
    /// A client that sends raw requests.
    fn requester(name: &str) { ru: "клиент {name}"; en: "client {name}"; }

    /// The high watermark's flag.
    fn hw(at: Boundary) { ru: "HW {at}"; en: "HW {at}"; }
    /// The log end's flag.
    fn leo(at: Boundary) { ru: "LEO {at}"; en: "LEO {at}"; }
    /// The log start's flag.
    fn log_start(at: Boundary) { ru: "начало {at}"; en: "start {at}"; }
    /// An epoch's tab.
    fn epoch_tab(epoch: Epoch) { ru: "e{epoch}"; en: "e{epoch}"; }
    /// The folded front of a log.
    fn folded(last: i64) { ru: "0…{last}"; en: "0…{last}"; }

    /// Role of a replica.
    fn leader() { ru: "лидер"; en: "leader"; }
    /// Role with epoch.
    fn leader_epoch(epoch: Epoch) { ru: "лидер · эпоха {epoch}"; en: "leader · epoch {epoch}"; }
    /// Leads in its own belief only.
    fn stale_leader(epoch: Epoch) { ru: "старый лидер · э{epoch}"; en: "stale leader · e{epoch}"; }
    /// Elected, but does not know yet.
    fn elected(epoch: Epoch) { ru: "избран · эпоха {epoch}"; en: "elected · epoch {epoch}"; }
    /// Role of a replica.
    fn follower() { ru: "реплика"; en: "follower"; }
    /// Its partition has no leader.
    fn no_leader() { ru: "без лидера"; en: "no leader"; }
    /// There is a leader, and it has not been told which one.
    fn leader_unknown() { ru: "лидера не знает"; en: "leader unknown"; }
    /// It is not in the assignment or has no data.
    fn no_replica() { ru: "нет копии"; en: "no replica"; }

    /// ISR badge.
    fn in_isr() { ru: "в ISR"; en: "in ISR"; }
    /// ISR badge.
    fn out_of_isr() { ru: "вне ISR"; en: "out of ISR"; }
    /// Out of the ISR, but may lead without loss.
    fn in_elr() { ru: "вне ISR, в ELR"; en: "in ELR"; }
    /// Held fenced while its process runs.
    fn fenced() { ru: "отстранён"; en: "fenced"; }

    /// Process.
    fn up() { ru: "работает"; en: "up"; }
    /// Process.
    fn crashed() { ru: "упал"; en: "crashed"; }
    /// Process.
    fn frozen() { ru: "завис"; en: "frozen"; }
    /// Process.
    fn stopping() { ru: "останавливается"; en: "shutting down"; }
    /// Process.
    fn stopped() { ru: "остановлен штатно"; en: "shut down"; }
    /// A dead or frozen broker that the controller still holds for the leader.
    fn crashed_leader() { ru: "упал, ещё лидер"; en: "crashed, still leader"; }
    /// The same.
    fn frozen_leader() { ru: "завис, ещё лидер"; en: "frozen, still leader"; }
    /// Cannot reach the controller.
    fn cut_off() { ru: "без контроллера"; en: "no controller"; }

    /// Records that stand on no other replica.
    fn only_here(from: Boundary, to: Boundary) { ru: "{} только тут", super::number::numbers(from, to); en: "{} only here", super::number::numbers(from, to); }
    /// Records that went in this step.
    fn was_cut(from: Boundary, to: Boundary) { ru: "срезано: {}", super::number::numbers(from, to); en: "truncated: {}", super::number::numbers(from, to); }
    /// One record that will go.
    fn will_be_cut() { ru: "будет срезана"; en: "will be truncated"; }
    /// Records that will go.
    fn will_be_cut_many() { ru: "будут срезаны"; en: "will be truncated"; }
    /// Records of the leader that this replica lacks.
    fn not_here_yet(from: Boundary, to: Boundary) { ru: "{} здесь ещё нет", label_no_records(Lang::Ru, from, to); en: "{} not here yet", label_records(Lang::En, from, to); }
    /// The same, short.
    fn not_here(from: Boundary, to: Boundary) { ru: "{} нет", label_no_records(Lang::Ru, from, to); en: "no {}", label_no_records(Lang::En, from, to); }
    /// Beside one hidden record of the leader.
    fn replicas_only() { ru: "видна только репликам"; en: "replicas only"; }
    /// Beside hidden records of the leader.
    fn replicas_only_many() { ru: "видны только репликам"; en: "replicas only"; }
    /// The same, short.
    fn replicas_only_short() { ru: "только репликам"; en: "replicas only"; }
    /// The same, shorter.
    fn hidden_yet() { ru: "пока скрыта"; en: "hidden yet"; }
    /// The same of several.
    fn hidden_yet_many() { ru: "пока скрыты"; en: "hidden yet"; }
    /// Records that will go, short.
    fn to_be_cut() { ru: "срежется"; en: "to be truncated"; }
    /// The same of several.
    fn to_be_cut_many() { ru: "срежутся"; en: "to be truncated"; }
    /// An empty log.
    fn empty() { ru: "лог пуст"; en: "empty log"; }

    /// A message: first line.
    fn fetch() { ru: "Fetch"; en: "Fetch"; }
    /// A message: second line.
    fn fetch_offset(at: Boundary) { ru: "offset={at}"; en: "offset={at}"; }
    /// A message on a phone.
    fn fetch_caption(from: BrokerId, to: BrokerId, at: Boundary) { ru: "Брокер {from} → Брокер {to}: Fetch(offset={at})"; en: "Broker {from} → Broker {to}: Fetch(offset={at})"; }
    /// A message: first line.
    fn answer() { ru: "ответ"; en: "answer"; }
    /// A message: second line.
    fn answer_records(from: Boundary, to: Boundary) { ru: "{}", label_records(Lang::Ru, from, to); en: "{}", super::number::numbers(from, to); }
    /// A message on a phone.
    fn answer_caption(from: BrokerId, to: BrokerId, first: Boundary, end: Boundary) { ru: "Брокер {from} → Брокер {to}: {}", label_records(Lang::Ru, first, end); en: "Broker {from} → Broker {to}: {}", label_records(Lang::En, first, end); }
    /// A message: second line.
    fn answer_hw(at: Boundary) { ru: "HW={at}"; en: "HW={at}"; }
    /// A message on a phone.
    fn answer_hw_caption(from: BrokerId, to: BrokerId, at: Boundary) { ru: "Брокер {from} → Брокер {to}: HW={at}"; en: "Broker {from} → Broker {to}: HW={at}"; }
    /// A message: first line.
    fn diverging() { ru: "расходятся"; en: "diverging"; }
    /// A message: second line.
    fn diverging_at(epoch: Epoch, end: Boundary) { ru: "e{epoch} до {end}"; en: "e{epoch} to {end}"; }
    /// A message on a phone.
    fn diverging_caption(from: BrokerId, to: BrokerId, epoch: Epoch, end: Boundary) { ru: "Брокер {from} → Брокер {to}: эпоха {epoch} кончается на {end}"; en: "Broker {from} → Broker {to}: epoch {epoch} ends at {end}"; }
    /// The same where that is too long.
    fn diverging_caption_short(from: BrokerId, to: BrokerId, epoch: Epoch, end: Boundary) { ru: "{from} → {to}: эпоха {epoch} кончается на {end}"; en: "{from} → {to}: epoch {epoch} ends at {end}"; }
    /// A message that did not arrive.
    fn lost_message() { ru: "не дошло"; en: "lost"; }
    /// A message that is still on its way.
    fn on_its_way() { ru: "в пути"; en: "in flight"; }

    /// A confirmed run of records in the producer's strip.
    fn confirmed(numbers: &str) { ru: "подтверждено: {numbers}"; en: "confirmed: {numbers}"; }
    /// A send that waits.
    fn waits(what: &str) { ru: "ждёт ответа: {what}"; en: "waits: {what}"; }
    /// A send that is repeated.
    fn retries(what: &str, attempts: u32) { ru: "попытка {attempts}: {what}"; en: "attempt {attempts}: {what}"; }
    /// A send that waits to be tried again.
    fn to_retry(what: &str) { ru: "повторит: {what}"; en: "to retry: {what}"; }
    /// A send that has not left yet.
    fn queued(what: &str) { ru: "в очереди: {what}"; en: "queued: {what}"; }
    /// A send that failed.
    fn refused(what: &str) { ru: "отказ: {what}"; en: "failed: {what}"; }
    /// Many sends that failed, and the error of the last.
    fn refused_many(count: i64, last: &str) { ru: "отказ ×{count}: последний {last}"; en: "failed ×{count}: the last {last}"; }
    /// A send that nobody answers.
    fn unanswered(what: &str) { ru: "без ответа: {what}"; en: "no answer: {what}"; }
    /// Confirmed records that are gone.
    fn lost(numbers: &str) { ru: "потеряно: {numbers}"; en: "lost: {numbers}"; }
    /// A consumer's position.
    fn position(at: Boundary) { ru: "позиция {at}"; en: "position {at}"; }
    /// What a consumer was given.
    fn received(numbers: &str) { ru: "прочитано: {numbers}"; en: "read: {numbers}"; }

    /// Live copies on a strip.
    fn copies(count: i64) { ru: "{}", copies_of(Lang::Ru, count); en: "{}", copies_of(Lang::En, count); }

    /// Table head.
    fn head_broker() { ru: "Брокер"; en: "Broker"; }
    /// Table head.
    fn head_role() { ru: "Роль"; en: "Role"; }
    /// Table head.
    fn head_epoch() { ru: "Эпоха"; en: "Epoch"; }
    /// Table head.
    fn head_isr() { ru: "ISR"; en: "ISR"; }
    /// Table head.
    fn head_records() { ru: "Записи"; en: "Records"; }
    /// Table head.
    fn head_hw() { ru: "HW"; en: "HW"; }
    /// Table head.
    fn head_leo() { ru: "LEO"; en: "LEO"; }
    /// Table head.
    fn head_boundary() { ru: "Граница"; en: "Boundary"; }
    /// Table head.
    fn head_value() { ru: "Значение"; en: "Value"; }
    /// Table head.
    fn head_meaning() { ru: "Что по сторонам"; en: "What lies on each side"; }
    /// Table head.
    fn head_who() { ru: "Кто"; en: "Who"; }
    /// Table head.
    fn head_leader() { ru: "Лидер"; en: "Leader"; }
    /// Table head.
    fn head_metadata() { ru: "Метаданные: до записи"; en: "Metadata up to"; }
    /// Table head.
    fn head_process() { ru: "Процесс"; en: "Process"; }
    /// An unknown or absent value.
    fn none() { ru: "нет"; en: "none"; }
    /// A list of both.
    fn yes() { ru: "да"; en: "yes"; }

    /// Overview counter.
    fn count_in_isr() { ru: "Копии в ISR"; en: "Replicas in ISR"; }
    /// Overview counter.
    fn count_under() { ru: "Копий меньше RF"; en: "Under-replicated"; }
    /// Overview counter.
    fn count_offline() { ru: "Без лидера"; en: "Offline"; }
    /// Overview counter.
    fn count_under_min() { ru: "ISR меньше min"; en: "Under min ISR"; }
    /// Overview counter.
    fn count_leaders(ids: &str) { ru: "Лидеров на брокерах {ids}"; en: "Leaders on brokers {ids}"; }
    /// Beside a counter's value.
    fn of(all: usize) { ru: "из {all}"; en: "of {all}"; }
    /// Below a counter's value.
    fn was(value: &str) { ru: "было {value}"; en: "was {value}"; }
    /// Below the counter of ISRs under the minimum.
    fn at_min(count: usize) { ru: "на пределе {count}"; en: "at the limit {count}"; }
    /// Over the names of the brokers.
    fn partition_corner() { ru: "партиция"; en: "partition"; }
    /// A partition's name.
    fn partition(number: u16) { ru: "Партиция {number}"; en: "Partition {number}"; }
    /// Where it is assigned to.
    fn assigned(ids: &str) { ru: "назначена на {ids}"; en: "assigned to {ids}"; }
    /// Legend.
    fn legend_isr() { ru: "реплика в ISR"; en: "in ISR"; }
    /// Legend.
    fn legend_down() { ru: "не работает"; en: "down"; }
    /// Legend.
    fn legend_elected() { ru: "избран сейчас"; en: "newly elected"; }
    /// Legend.
    fn legend_led() { ru: "был лидером"; en: "led before"; }
}
