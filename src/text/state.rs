//! States and differences in words: tables, what changed, what is said aloud, the overview and
//! the comparison.

use super::Lang;
use super::number::{
    NBSP, brokers, counted_no_records, counted_records, named_records, partitions, set, several,
    time,
};
use super::phrase::phrases;
use crate::kafka::ids::*;

phrases! {
    /// Caption of the table of replicas.
    fn replicas_caption() { ru: "Копии партиции"; en: "Replicas of the partition"; }
    /// Caption of the table of boundaries.
    fn boundaries_caption() { ru: "Границы"; en: "Boundaries"; }
    /// A high watermark with records below it. The wording is fixed (ux.md 3.7).
    fn hw_many(at: Boundary, from: Offset, last: Offset) { ru: "HW {at}: записи {from}–{last} видны, следующая — {at}"; en: "HW {at}: records {from} to {last} are visible, next is {at}"; }
    /// The same with numbers between that have no record.
    fn hw_runs(at: Boundary, numbers: &str) { ru: "HW {at}: записи {numbers} видны, следующая — {at}"; en: "HW {at}: records {numbers} are visible, next is {at}"; }
    /// With one record below it.
    fn hw_one(at: Boundary, record: Offset) { ru: "HW {at}: запись {record} видна, следующая — {at}"; en: "HW {at}: record {record} is visible, next is {at}"; }
    /// With none.
    fn hw_none(at: Boundary) { ru: "HW {at}: видимых записей нет, следующая — {at}"; en: "HW {at}: no record is visible, next is {at}"; }
    /// With records that `read_committed` is not given (R-LSO-4, R-ISO-2).
    fn hw_uncommitted(at: Boundary, numbers: &str) { ru: "HW {at}: с `read_uncommitted` видны {}, следующая — {at}", counted_records(Lang::Ru, numbers); en: "HW {at}: with `read_uncommitted` {} can be seen, next is {at}", counted_records(Lang::En, numbers); }
    /// A log end with records in front of it.
    fn leo_many(at: Boundary, from: Offset, last: Offset) { ru: "LEO {at}: записи {from}–{last} в логе, следующая будет {at}"; en: "LEO {at}: records {from} to {last} are in the log, next will be {at}"; }
    /// The same with numbers between that have no record.
    fn leo_runs(at: Boundary, numbers: &str) { ru: "LEO {at}: записи {numbers} в логе, следующая будет {at}"; en: "LEO {at}: records {numbers} are in the log, next will be {at}"; }
    /// With one.
    fn leo_one(at: Boundary, record: Offset) { ru: "LEO {at}: запись {record} в логе, следующая будет {at}"; en: "LEO {at}: record {record} is in the log, next will be {at}"; }
    /// With none.
    fn leo_none(at: Boundary) { ru: "LEO {at}: лог пуст, следующая будет {at}"; en: "LEO {at}: the log is empty, next will be {at}"; }
    /// A log start above 0.
    fn log_start(at: Boundary) { ru: "Начало лога {at}: записи ниже удалены, первая — {at}"; en: "Log start {at}: records below are deleted, the first is {at}"; }
    /// The same where the number itself has no record.
    fn log_start_then(at: Boundary, first: Offset) { ru: "Начало лога {at}: записи ниже удалены, первая оставшаяся — {first}"; en: "Log start {at}: records below are deleted, the first one left is {first}"; }
    /// The same where no record is left.
    fn log_start_bare(at: Boundary) { ru: "Начало лога {at}: записи ниже удалены, других в логе нет"; en: "Log start {at}: records below are deleted, the log holds no others"; }
    /// A replica's boundary in a table.
    fn of_broker(what: &str, broker: BrokerId) { ru: "{what}, брокер {broker}"; en: "{what}, broker {broker}"; }
    /// Records cell: under these numbers the leader has other records.
    fn records_other(all: &str, numbers: &str) { ru: "{all}; {} у лидера {}", counted_records(Lang::Ru, numbers), if several(numbers) { "другие" } else { "другая" }; en: "{all}; {} {} on the leader", counted_records(Lang::En, numbers), if several(numbers) { "differ" } else { "differs" }; }
    /// Records cell: under these numbers the leader has no records.
    fn records_absent(all: &str, numbers: &str) { ru: "{all}; {} у лидера нет", counted_no_records(Lang::Ru, numbers); en: "{all}; {} {} not on the leader", counted_records(Lang::En, numbers), if several(numbers) { "are" } else { "is" }; }
    /// The high watermark of a follower that still stands below all its records.
    fn hw_untold(at: Boundary) { ru: "HW {at} у этой копии: она ещё не знает новой HW"; en: "HW {at} on this replica: it has not been told the new HW yet"; }
    /// Caption of the console's counters.
    fn counters_caption() { ru: "Счётчики топика"; en: "Counters of the topic"; }
    /// Caption of the console's brokers.
    fn brokers_caption() { ru: "Брокеры и их копии"; en: "Brokers and their replicas"; }
    /// Table head.
    fn head_counter() { ru: "Счётчик"; en: "Counter"; }
    /// Table head.
    fn head_note() { ru: "Примечание"; en: "Note"; }
    /// Table head: of how many partitions a broker is the leader.
    fn head_leads() { ru: "Ведёт партиций"; en: "Leads partitions"; }
    /// Table head: how many of its replicas are in their ISR.
    fn head_in_isr() { ru: "Копий в ISR"; en: "Replicas in ISR"; }
    /// Table head.
    fn head_out_of_isr() { ru: "Копий вне ISR"; en: "Replicas out of ISR"; }
    /// Process cell: a broker that runs and is held fenced.
    fn process_fenced(process: &str) { ru: "{process}, отстранён (fenced)"; en: "{process}, fenced"; }
    /// Role cell.
    fn role_leader() { ru: "лидер"; en: "leader"; }
    /// Role cell: (role), (process).
    fn role_and(role: &str, process: &str) { ru: "{role}, {process}"; en: "{role}, {process}"; }

    /// What changed: the leader.
    fn leader_changed(from: &str, to: &str) { ru: "Лидер: {from} → {to}"; en: "Leader: {from} → {to}"; }
    /// What changed: the epoch.
    fn epoch_changed(from: Epoch, to: Epoch) { ru: "Эпоха лидера: {from} → {to}"; en: "Leader epoch: {from} → {to}"; }
    /// What changed: the ISR.
    fn isr_changed(from: BrokerSet, to: BrokerSet) { ru: "ISR: {} → {}", set(from), set(to); en: "ISR: {} → {}", set(from), set(to); }
    /// What changed: the ELR.
    fn elr_changed(from: BrokerSet, to: BrokerSet) { ru: "ELR: {} → {}", set(from), set(to); en: "ELR: {} → {}", set(from), set(to); }
    /// What changed: a process.
    fn process_changed(broker: BrokerId, from: &str, to: &str) { ru: "Брокер {broker}: {from} → {to}"; en: "Broker {broker}: {from} → {to}"; }
    /// What changed: fenced.
    fn now_fenced(broker: BrokerId) { ru: "Брокер {broker} отстранён (fenced)"; en: "Broker {broker} is fenced"; }
    /// What changed: unfenced.
    fn now_unfenced(broker: BrokerId) { ru: "Брокер {broker} возвращён в строй (unfenced)"; en: "Broker {broker} is unfenced"; }
    /// What changed: a log end grew.
    fn leo_changed(broker: BrokerId, from: Boundary, to: Boundary) { ru: "LEO, брокер {broker}: {from} → {to}"; en: "LEO, broker {broker}: {from} → {to}"; }
    /// What changed: a high watermark.
    fn hw_changed(broker: BrokerId, from: Boundary, to: Boundary) { ru: "HW, брокер {broker}: {from} → {to}"; en: "HW, broker {broker}: {from} → {to}"; }
    /// What changed: a log start.
    fn start_changed(broker: BrokerId, from: Boundary, to: Boundary) { ru: "Начало лога, брокер {broker}: {from} → {to}"; en: "Log start, broker {broker}: {from} → {to}"; }
    /// What changed: a send.
    fn send_changed(client: &str, what: &str) { ru: "Продюсер {client}: {what}"; en: "Producer {client}: {what}"; }
    /// What changed: a consumer's position.
    fn position_changed(client: &str, to: Boundary) { ru: "Потребитель {client}: позиция {to}"; en: "Consumer {client}: position {to}"; }
    /// What changed: the ISR that a leader counts with.
    fn leaders_isr(leader: BrokerId, isr: &str) { ru: "Лидер, брокер {leader}: ISR {isr}"; en: "The leader, broker {leader}: ISR {isr}"; }
    /// What changed: other records stand in the place of those that were there.
    fn records_changed(broker: BrokerId, numbers: &str) { ru: "Брокер {broker}: под номерами {numbers} теперь другие записи"; en: "Broker {broker}: other records have numbers {numbers} now"; }
    /// What changed: records were taken out of the log, their numbers stay.
    fn records_gone(broker: BrokerId, numbers: &str) { ru: "Брокер {broker}: записей {numbers} больше нет, номера остались пропуском"; en: "Broker {broker}: records {numbers} are gone, their numbers stay unused"; }
    /// What changed: a client's process has ended in good order.
    fn client_closed(client: &str) { ru: "Потребитель {client} закрыт"; en: "Consumer {client} is closed"; }
    /// What changed: a client's process has crashed; its position went with it.
    fn client_crashed(client: &str) { ru: "Потребитель {client} упал: позиции больше нет"; en: "Consumer {client} has crashed: its position is gone"; }
    /// What changed: a new process under the old name.
    fn client_restarted(client: &str) { ru: "Потребитель {client} запущен заново: это новый процесс"; en: "Consumer {client} is started again: a new process"; }
    /// What changed: a client has come.
    fn client_came(client: &str) { ru: "Новый клиент: {client}"; en: "A new client: {client}"; }
    /// What changed: a client is gone from this partition.
    fn client_left(client: &str) { ru: "Клиента {client} здесь больше нет"; en: "Client {client} is no longer here"; }
    /// What changed: what a consumer has read.
    fn received_changed(client: &str, numbers: &str) { ru: "Потребитель {client}: прочитано {numbers}"; en: "Consumer {client}: read {numbers}"; }
    /// What changed: a figure or a word under its label.
    fn figure_changed(label: &str, from: &str, to: &str) { ru: "{label}: {from} → {to}"; en: "{label}: {from} → {to}"; }
    /// A figure or a word under its label.
    fn figure(label: &str, value: &str) { ru: "{label}: {value}"; en: "{label}: {value}"; }
    /// What changed: the leader of some partitions.
    fn leaders_moved(from: &str, to: &str, of: &str) { ru: "Лидер {from} → {to}, партиции {of}"; en: "Leader {from} → {to}, partitions {of}"; }
    /// What changed: the ISR of some partitions.
    fn isrs_moved(from: BrokerSet, to: BrokerSet, of: &str) { ru: "ISR {} → {}, партиции {of}", set(from), set(to); en: "ISR {} → {}, partitions {of}", set(from), set(to); }
    /// What changed in the partition that is open.
    fn of_partition(partition: u16, what: &str) { ru: "Партиция {partition}: {what}"; en: "Partition {partition}: {what}"; }
    /// What changed: how much time has passed since the comparison began.
    fn clock_changed(from: Ms, to: Ms) { ru: "Прошло: {} → {}", time(Lang::Ru, from), time(Lang::Ru, to); en: "Time passed: {} → {}", time(Lang::En, from), time(Lang::En, to); }
    /// What changed: a confirmed record is gone.
    fn now_lost(at: Offset) { ru: "Подтверждённая запись {at} потеряна"; en: "Confirmed record {at} is lost"; }
    /// What changed: a link with the controller.
    fn now_cut(broker: BrokerId) { ru: "Брокер {broker} без связи с контроллером"; en: "Broker {broker} is cut from the controller"; }
    /// The same, back.
    fn now_joined(broker: BrokerId) { ru: "Брокер {broker} снова на связи с контроллером"; en: "Broker {broker} reaches the controller again"; }

    /// Said on next; the heading ends as a sentence does.
    fn spoken_next(number: u32, of: u32, heading: &str) { ru: "Шаг {number} из {of}. {heading}"; en: "Step {number} of {of}. {heading}"; }
    /// Said on back; the same.
    fn spoken_back(number: u32, heading: &str) { ru: "Назад. Шаг {number}. {heading}"; en: "Back. Step {number}. {heading}"; }
    /// The slider's value.
    fn slider(number: u32, of: u32, heading: &str) { ru: "шаг {number} из {of}, {heading}"; en: "step {number} of {of}, {heading}"; }

    /// A partition's column, spoken.
    fn column(partition: u16, leader: BrokerId, isr: BrokerSet, epoch: Epoch) { ru: "Партиция {partition}: лидер {leader}, ISR {}, эпоха {epoch}", brokers(Lang::Ru, isr.iter()); en: "Partition {partition}: leader {leader}, ISR {}, epoch {epoch}", brokers(Lang::En, isr.iter()); }
    /// The same without a leader.
    fn column_offline(partition: u16, epoch: Epoch) { ru: "Партиция {partition}: лидера нет, эпоха {epoch}"; en: "Partition {partition}: no leader, epoch {epoch}"; }
    /// A cell, spoken.
    fn cell(partition: u16, broker: BrokerId, what: &str) { ru: "Партиция {partition}, брокер {broker}: {what}"; en: "Partition {partition}, broker {broker}: {what}"; }
    /// A cell, spoken, of a broker that led before.
    fn cell_led(partition: u16, broker: BrokerId, what: &str) { ru: "Партиция {partition}, брокер {broker}: {what}, был лидером"; en: "Partition {partition}, broker {broker}: {what}, led before"; }
    /// A counter, spoken.
    fn counter(label: &str, value: &str, of: &str) { ru: "{label}: {value} {of}"; en: "{label}: {value} {of}"; }
    /// A counter of partitions, spoken.
    fn counter_partitions(label: &str, count: i64) { ru: "{label}: {}", partitions(Lang::Ru, count); en: "{label}: {}", partitions(Lang::En, count); }
    /// Note beside the rows of a partition: a follower's own high watermark.
    fn own_hw(broker: BrokerId, own: Boundary, leaders: Boundary) { ru: "HW у брокера {broker} своя и пока {own}: о {leaders} он узнает из следующего ответа."; en: "HW on broker {broker} is its own and still {own}: it learns of {leaders} from the next answer."; }

    /// Caption of the table of beliefs.
    fn beliefs() { ru: "Что знает контроллер и во что верит каждый брокер"; en: "What the controller knows and what each broker believes"; }
    /// Role in one's own belief: column heading.
    fn head_own_role() { ru: "Кем себя считает"; en: "Sees itself as"; }
    /// The controller's role.
    fn decides() { ru: "решает"; en: "decides"; }
    /// A leader that has asked for another ISR.
    fn isr_asked(isr: BrokerSet, asked: BrokerSet) { ru: "{}, просит {}", set(isr), set(asked); en: "{}, asks for {}", set(isr), set(asked); }
    /// The controller's list of brokers.
    fn registered(broker: BrokerId, epoch: BrokerEpoch) { ru: "Брокер {broker}: в строю, эпоха брокера {epoch}"; en: "Broker {broker}: unfenced, broker epoch {epoch}"; }
    /// The same, fenced.
    fn registered_fenced(broker: BrokerId, epoch: BrokerEpoch) { ru: "Брокер {broker}: отстранён (fenced), эпоха брокера {epoch}"; en: "Broker {broker}: fenced, broker epoch {epoch}"; }
    /// The same, on its way out.
    fn registered_leaving(broker: BrokerId, epoch: BrokerEpoch) { ru: "Брокер {broker}: останавливается, эпоха брокера {epoch}"; en: "Broker {broker}: shutting down, broker epoch {epoch}"; }
    /// Who may lead without loss.
    fn elr(of: BrokerSet) { ru: "ELR {}: эти копии могут стать лидером без потерь", set(of); en: "ELR {}: these replicas can lead without loss", set(of); }

    /// The record that a comparison follows.
    fn record(at: Offset) { ru: "запись{NBSP}{at}"; en: "record{NBSP}{at}"; }
    /// The same while it has no number.
    fn record_unnumbered(value: &str) { ru: "запись {value}"; en: "record {value}"; }
    /// Strip.
    fn strip_copies() { ru: "живых копий"; en: "live copies"; }
    /// Strip.
    fn strip_producer() { ru: "продюсер"; en: "producer"; }
    /// Axis.
    fn one_clock() { ru: "общее время"; en: "shared clock"; }
    /// Outcome row: what came of it.
    fn row_outcome() { ru: "Исход"; en: "Outcome"; }
    /// Outcome row.
    fn row_confirmed() { ru: "Подтверждено"; en: "Confirmed"; }
    /// Outcome row.
    fn row_waited() { ru: "Ждал"; en: "Waited"; }
    /// Outcome row.
    fn row_lost() { ru: "Потеряно"; en: "Lost"; }
    /// On the clock.
    fn fault() { ru: "сбой лидера"; en: "leader fails"; }
    /// On the clock.
    fn new_leader() { ru: "новый лидер"; en: "new leader"; }
    /// Rule of a lane.
    fn waits_for_nobody() { ru: "не ждёт никого"; en: "waits for nobody"; }
    /// Rule of a lane.
    fn waits_for_leader() { ru: "ждёт только лидера"; en: "waits for the leader"; }
    /// Rule of a lane.
    fn waits_for_isr() { ru: "ждёт всех в ISR"; en: "waits for the whole ISR"; }
    /// Thought.
    fn forgot() { ru: "отправил и забыл"; en: "sent and forgot"; }
    /// Thought.
    fn waits() { ru: "ждёт"; en: "waits"; }
    /// Thought.
    fn waits_retries() { ru: "ждёт и повторяет"; en: "waits, then retries"; }
    /// Thought.
    fn thinks_safe() { ru: "считает сохранённой"; en: "thinks it is safe"; }
    /// The same in a narrow bar.
    fn forgot_short() { ru: "забыл"; en: "forgot"; }
    /// The same in a narrow bar.
    fn retries_short() { ru: "повтор"; en: "retry"; }
    /// The same in a narrow bar.
    fn sure_short() { ru: "уверен"; en: "sure"; }
    /// The same in a narrow bar.
    fn error_short() { ru: "отказ"; en: "error"; }
    /// What it knows while the record lives: not that it will.
    fn answered() { ru: "ответ получен"; en: "got the answer"; }
    /// The same in a narrow bar.
    fn answered_short() { ru: "ответ"; en: "answer"; }
    /// Thought.
    fn has_error() { ru: "получил отказ"; en: "was refused"; }
    /// Verdict.
    fn verdict_unsent() { ru: "Ещё не отправлена"; en: "Not sent yet"; }
    /// Verdict.
    fn verdict_open() { ru: "Пока не известно"; en: "Not known yet"; }
    /// Verdict.
    fn verdict_one_copy() { ru: "Одна копия, пока цела"; en: "One copy, while it lives"; }
    /// Verdict.
    fn verdict_unnoticed() { ru: "Потеряна, никто не узнал"; en: "Lost, and nobody noticed"; }
    /// Verdict.
    fn verdict_confirmed_lost() { ru: "Подтверждена и потеряна"; en: "Confirmed, and lost"; }
    /// Verdict.
    fn verdict_safe() { ru: "Цела и подтверждена"; en: "Safe and confirmed"; }
    /// Verdict.
    fn verdict_safe_later() { ru: "Цела: пришла позже"; en: "Safe: it came later"; }
    /// Verdict.
    fn verdict_safe_unanswered() { ru: "Цела, но без ответа"; en: "Safe, but unanswered"; }
    /// Verdict.
    fn verdict_refused() { ru: "Отказ, и продюсер знает"; en: "Refused, and the producer knows"; }
    /// Verdict in a word.
    fn short_open() { ru: "ждём"; en: "open"; }
    /// Verdict in a word.
    fn short_lost() { ru: "потеря"; en: "lost"; }
    /// Verdict in a word.
    fn short_safe() { ru: "цела"; en: "safe"; }
    /// Verdict in a word.
    fn short_refused() { ru: "отказ"; en: "refused"; }
    /// Confirmed by.
    fn by_nobody() { ru: "никем, номера нет (−1)"; en: "by nobody, no offset (−1)"; }
    /// Confirmed by.
    fn by_leader(at: Offset) { ru: "лидером, запись{NBSP}{at}"; en: "by the leader, record{NBSP}{at}"; }
    /// Confirmed by.
    fn by_isr(isr: BrokerSet, at: Offset) { ru: "ISR {}, запись{NBSP}{at}", set(isr); en: "by ISR {}, record{NBSP}{at}", set(isr); }
    /// Confirmed by.
    fn not_yet() { ru: "пока нет"; en: "not yet"; }
    /// Confirmed by.
    fn refused_with(error: &str) { ru: "отказ `{error}`"; en: "refused, `{error}`"; }
    /// Waited.
    fn waited(span: Ms) { ru: "{}", time(Lang::Ru, span); en: "{}", time(Lang::En, span); }
    /// Waited.
    fn waited_retry(span: Ms) { ru: "{}, с повтором", time(Lang::Ru, span); en: "{}, with a retry", time(Lang::En, span); }
    /// Waited so far.
    fn still_waits(span: Ms) { ru: "пока {}", time(Lang::Ru, span); en: "{} so far", time(Lang::En, span); }
    /// Lost.
    fn lost_record(from: Boundary, to: Boundary) { ru: "{}", named_records(Lang::Ru, from, to); en: "{}", named_records(Lang::En, from, to); }
    /// Lost.
    fn lost_confirmed(at: Offset) { ru: "запись{NBSP}{at}, подтверждённая"; en: "the confirmed record{NBSP}{at}"; }
    /// Lost.
    fn nothing() { ru: "ничего"; en: "nothing"; }
    /// A lane, spoken.
    fn lane(name: &str, verdict: &str) { ru: "{name}: {verdict}."; en: "{name}: {verdict}."; }
}
