//! Words of the ruler: boundaries, lags, what follows from them.

use super::Lang;
use super::number::{NBSP, no_records};
use super::offset_events::gone;
use super::phrase::phrases;
use crate::kafka::ids::*;

phrases! {
    /// Flag.
    fn log_start(at: Boundary) { ru: "начало лога {at}"; en: "log start {at}"; }
    /// Flag.
    fn last_stable(at: Boundary) { ru: "LSO {at}"; en: "LSO {at}"; }
    /// Flag.
    fn committed(at: Boundary) { ru: "коммит {at}"; en: "committed {at}"; }
    /// Flag.
    fn processed(at: Boundary) { ru: "обработано {at}"; en: "processed {at}"; }
    /// Flag, short.
    fn processed_short(at: Boundary) { ru: "обраб. {at}"; en: "proc. {at}"; }
    /// Flag.
    fn position(at: Boundary) { ru: "позиция {at}"; en: "position {at}"; }
    /// Flag.
    fn outside(at: Boundary) { ru: "чекпойнт {at}"; en: "checkpoint {at}"; }

    /// A lag's name.
    fn lag_committed() { ru: "лаг коммита"; en: "committed lag"; }
    /// A lag's name.
    fn lag_processing() { ru: "лаг обработки"; en: "processing lag"; }
    /// A lag's name.
    fn lag_fetch() { ru: "лаг чтения"; en: "fetch lag"; }
    /// The classic mistake's name.
    fn lag_mistaken() { ru: "ошибка"; en: "mistake"; }
    /// A distance's name.
    fn in_hand() { ru: "получено, не обработано"; en: "received, not processed"; }
    /// A distance's name.
    fn unsaved() { ru: "обработано, не сохранено"; en: "processed, not saved"; }
    /// Who counts: nobody in Kafka.
    fn by_application() { ru: "само приложение, не Kafka"; en: "the application, not Kafka"; }
    /// Who counts, in a drawing.
    fn by_application_short() { ru: "приложение"; en: "application"; }
    /// A lag that has no value.
    fn no_lag(name: &str) { ru: "{name}: нет (не 0)"; en: "{name}: none (not 0)"; }
    /// Of a group that has no lag at all yet.
    fn no_lags() { ru: "лаги: нет (не 0)"; en: "lags: none (not 0)"; }
    /// Without a group, where nothing is counted.
    fn no_group() { ru: "группы нет · лаги: нет (не 0)"; en: "no group · lags: none (not 0)"; }
    /// A lag without a value, in a table.
    fn no_value() { ru: "нет (не 0)"; en: "none (not 0)"; }

    /// What would come again.
    fn repeat() { ru: "повтор"; en: "again"; }
    /// What would be passed over.
    fn loss() { ru: "потеря"; en: "lost"; }
    /// A saved position below the log.
    fn out_of_range(reset: &str) { ru: "вне лога → {reset}"; en: "out of range → {reset}"; }
    /// A folded run.
    fn folded(first: i64, last: i64) { ru: "{first}…{last}"; en: "{first}…{last}"; }
    /// Head of a ruler.
    fn head(partition: &str, client: &str) { ru: "{partition} · потребитель {client}"; en: "{partition} · consumer {client}"; }
    /// Head of a ruler with a group.
    fn head_group(partition: &str, client: &str, group: &str) { ru: "{partition} · потребитель {client} · группа {group}"; en: "{partition} · consumer {client} · group {group}"; }
    /// The same where the room is short.
    fn head_short(partition: &str, group: &str) { ru: "{partition} · группа {group}"; en: "{partition} · group {group}"; }

    /// A log start in words: nothing was deleted.
    fn start_none(at: Boundary) { ru: "Начало лога {at}: ничего не удалено, первая запись — {at}"; en: "Log start {at}: nothing is deleted, the first record is {at}"; }
    /// The same of a log without records.
    fn start_empty(at: Boundary) { ru: "Начало лога {at}: записей ещё нет"; en: "Log start {at}: there are no records yet"; }
    /// The same where compaction took records away and left the boundary.
    fn start_kept(at: Boundary, first: Offset) { ru: "Начало лога {at}: граница на месте, первая оставшаяся запись — {first}"; en: "Log start {at}: the boundary is where it was, the first record left is {first}"; }
    /// The same where nothing is left for an application.
    fn start_bare(at: Boundary) { ru: "Начало лога {at}: граница на месте, записей для приложения в логе нет"; en: "Log start {at}: the boundary is where it was, the log holds no record for an application"; }
    /// A log start in words: the number itself has no record.
    fn start_then(at: Boundary, from: Boundary, first: Offset) { ru: "Начало лога {at}: {} уже нет, первая оставшаяся — {first}", no_records(Lang::Ru, from, at.max(from.plus(1))); en: "Log start {at}: {} no longer there, the first one left is {first}", gone(from, at.max(from.plus(1))); }
    /// A log start in words: nothing is left.
    fn start_gone(at: Boundary, from: Boundary) { ru: "Начало лога {at}: {} уже нет, других в логе нет", no_records(Lang::Ru, from, at.max(from.plus(1))); en: "Log start {at}: {} no longer there, the log holds no others", gone(from, at.max(from.plus(1))); }
    /// A log start in words.
    fn start_some(at: Boundary, from: Boundary) { ru: "Начало лога {at}: {} уже нет, первая — {at}", no_records(Lang::Ru, from, at.max(from.plus(1))); en: "Log start {at}: {} no longer there, the first is {at}", gone(from, at.max(from.plus(1))); }
    /// A last stable offset in words, with nothing open below the high watermark.
    fn stable_all(at: Boundary) { ru: "Последняя стабильная граница (LSO) {at}: ниже неё все транзакции решены; открытых до HW нет"; en: "Last stable offset (LSO) {at}: all transactions below it are decided, none is open up to HW"; }
    /// A last stable offset in words, below the high watermark.
    fn stable_held(at: Boundary) { ru: "Последняя стабильная граница (LSO) {at}: ниже неё все транзакции решены; запись {at} уже не видна читателю с `read_committed`"; en: "Last stable offset (LSO) {at}: all transactions below it are decided; record {at} is the first that a `read_committed` reader cannot see yet"; }
    /// A committed offset in words.
    fn committed_means(at: Boundary) { ru: "Коммит {at}: преемник начнёт с {at}"; en: "Committed {at}: a successor begins with {at}"; }
    /// A checkpoint in words.
    fn outside_means(at: Boundary) { ru: "Чекпойнт во внешнем хранилище {at}: приложение само начнёт с {at}; Kafka о нём не знает"; en: "Checkpoint in an outside store {at}: the application itself begins with {at}; Kafka does not know of it"; }
    /// A processed boundary in words.
    fn processed_means(at: Boundary) { ru: "Обработано {at}: следующей приложение обработает {at}"; en: "Processed {at}: the next record to be processed is {at}"; }
    /// The same before a number that has no record for the application.
    fn processed_hole(at: Boundary, next: Offset) { ru: "Обработано {at}: с этим номером обрабатывать нечего, следующей приложение обработает {next}"; en: "Processed {at}: there is nothing to process under this number, the next record to be processed is {next}"; }
    /// The same where nothing can be read behind it yet.
    fn processed_all(at: Boundary) { ru: "Обработано {at}: дальше приложению пока нечего обрабатывать"; en: "Processed {at}: there is nothing more to process yet"; }
    /// A position in words.
    fn position_means(at: Boundary) { ru: "Позиция {at}: следующей потребитель получит {at}"; en: "Position {at}: the next record to be handed out is {at}"; }
    /// A position before a number that has no record for the application.
    fn position_hole(at: Boundary, next: Offset) { ru: "Позиция {at}: с этим номером отдавать нечего, следующей потребитель получит {next}"; en: "Position {at}: there is nothing to hand out under this number, the next record handed out is {next}"; }
    /// A position before numbers of which none has a record for the application.
    fn position_nothing(at: Boundary, end: Boundary) { ru: "Позиция {at}: до {end} отдавать нечего, следующая запись придёт не раньше номера {end}"; en: "Position {at}: there is nothing to hand out below {end}, the next record can only come from {end} on"; }
    /// A position before a record that this reader may not see yet.
    fn position_waits(at: Boundary) { ru: "Позиция {at}: отдавать пока нечего, потребитель ждёт"; en: "Position {at}: there is nothing to hand out yet, the consumer waits"; }
    /// Added to a boundary below the log start.
    fn below_start() { ru: "ниже начала лога"; en: "below the log start"; }
    /// Added to a boundary above the log end.
    fn above_end() { ru: "дальше конца лога"; en: "beyond the log end"; }

    /// Name of a boundary in a table.
    fn name_start() { ru: "Начало лога"; en: "Log start"; }
    /// Name of a boundary in a table.
    fn name_committed() { ru: "Коммит"; en: "Committed"; }
    /// Name of a boundary in a table.
    fn name_processed() { ru: "Обработано"; en: "Processed"; }
    /// Name of a boundary in a table.
    fn name_position() { ru: "Позиция"; en: "Position"; }
    /// Name of a boundary in a table.
    fn name_outside() { ru: "Чекпойнт"; en: "Checkpoint"; }
    /// Caption.
    fn boundaries_caption(partition: &str) { ru: "Границы партиции {partition}"; en: "Boundaries of partition {partition}"; }
    /// Caption.
    fn lags_caption() { ru: "Расстояния: каждое — своя разность и свой счётчик"; en: "Distances: each its own subtraction and its own counter"; }
    /// Caption.
    fn effects_caption() { ru: "Следы обработки в приложении"; en: "Effects of processing"; }
    /// Column heading.
    fn head_lag() { ru: "Что"; en: "What"; }
    /// Column heading.
    fn head_formula() { ru: "Разность"; en: "Subtraction"; }
    /// Column heading.
    fn head_counted_by() { ru: "Кто считает"; en: "Counted by"; }
    /// Column heading.
    fn head_record() { ru: "Запись"; en: "Record"; }
    /// Column heading.
    fn head_effect() { ru: "Эффект"; en: "Effect"; }
    /// Column heading.
    fn head_times() { ru: "Сколько раз"; en: "How often"; }
    /// An effect that took place once.
    fn once() { ru: "один раз"; en: "once"; }
    /// An effect that took place again.
    fn many_times(times: u32) { ru: "{}", times_ru(times); en: "{}: repeated", times_en(times); }
    /// An effect that never took place and never will.
    fn never() { ru: "ни разу: запись потеряна для приложения"; en: "never: the record is lost to the application"; }

    /// What a crash would do.
    fn would_repeat(numbers: &str, at: Boundary) { ru: "Если потребитель упадёт сейчас, чтение продолжится с {at}; повторно: {numbers}"; en: "If the consumer crashes now, reading goes on from {at}: {numbers} will come again"; }
    /// What a crash would do.
    fn would_lose(numbers: &str, at: Boundary) { ru: "Если потребитель упадёт сейчас, чтение продолжится с {at}; останутся без обработки: {numbers}"; en: "If the consumer crashes now, reading goes on from {at}: {numbers} will never be processed"; }
    /// What a crash would do.
    fn would_be_exact(at: Boundary) { ru: "Если потребитель упадёт сейчас, чтение продолжится с {at}: ни повторов, ни потерь"; en: "If the consumer crashes now, reading goes on from {at}: nothing repeated, nothing lost"; }
    /// Clause: what auto.offset.reset does; it is not `none`.
    fn policy_decides(reset: &str) { ru: "решит `auto.offset.reset={reset}`"; en: "`auto.offset.reset={reset}` decides"; }
    /// Clause: with auto.offset.reset=none nothing decides.
    fn policy_throws() { ru: "`poll` завершится исключением (`auto.offset.reset=none`)"; en: "`poll` throws (`auto.offset.reset=none`)"; }
    /// What a crash would do: nothing is committed. `then`: a clause.
    fn would_reset(then: &str) { ru: "Коммита нет: после падения {then}"; en: "Nothing is committed: after a crash {then}"; }
    /// The same beside a checkpoint in an outside store.
    fn would_reset_or_seek(then: &str, at: Boundary) { ru: "Коммита в Kafka нет: после падения {then}, если приложение само не вызовет `seek({at})`"; en: "Nothing is committed in Kafka: after a crash {then}, unless the application itself calls `seek({at})`"; }
    /// What a start from an outside checkpoint would do.
    fn outside_repeat(numbers: &str, at: Boundary) { ru: "Если приложение начнёт с чекпойнта, `seek({at})`, повторно придут: {numbers}"; en: "If the application starts from its checkpoint, `seek({at})`: {numbers} will come again"; }
    /// What a start from an outside checkpoint would do.
    fn outside_lose(numbers: &str, at: Boundary) { ru: "Если приложение начнёт с чекпойнта, `seek({at})`, останутся без обработки: {numbers}"; en: "If the application starts from its checkpoint, `seek({at})`: {numbers} will never be processed"; }
    /// What a start from an outside checkpoint would do.
    fn outside_exact(at: Boundary) { ru: "Если приложение начнёт с чекпойнта, `seek({at})`: ни повторов, ни потерь"; en: "If the application starts from its checkpoint, `seek({at})`: nothing repeated, nothing lost"; }
    /// What a start from an outside checkpoint would do: it is below the log (R-RST-4).
    fn outside_below(at: Boundary, start: Boundary, then: &str) { ru: "Чекпойнт {at} ниже начала лога {start}: записей между ними уже нет, после `seek({at})` {then}"; en: "Checkpoint {at} is below the log start {start}: the records between are gone, after `seek({at})` {then}"; }
    /// What a start from an outside checkpoint would do: it is beyond the log (R-RST-4).
    fn outside_beyond(at: Boundary, end: Boundary, then: &str) { ru: "Чекпойнт {at} дальше конца лога {end}: таких записей нет, после `seek({at})` {then}"; en: "Checkpoint {at} is beyond the log end {end}: there are no such records, after `seek({at})` {then}"; }
    /// What a crash would do: the committed position is below the log (R-RST-4).
    fn would_be_out_of_range(at: Boundary, start: Boundary, then: &str) { ru: "Коммит {at} ниже начала лога {start}: записей между ними уже нет, {then}"; en: "Commit {at} is below the log start {start}: the records between are gone, {then}"; }
    /// What a crash would do: the committed position is beyond the log (R-RST-4).
    fn would_be_beyond(at: Boundary, end: Boundary, then: &str) { ru: "Коммит {at} дальше конца лога {end}: таких записей нет, {then}"; en: "Commit {at} is beyond the log end {end}: there are no such records, {then}"; }
    /// The classic mistake explained.
    fn mistake(last: i64, from: Boundary, wrong: i64, end: i64, right: i64) { ru: "Ошибка на единицу: {last} − {from} = {wrong}. {last} — номер последней записи, а коммит {from} — граница. Вычитают границу из границы: {end} − {from} = {right}."; en: "Off by one: {last} − {from} = {wrong}. {last} is the number of the last record, while committed {from} is a boundary. Subtract a boundary from a boundary: {end} − {from} = {right}."; }
    /// Why the brackets end at different places.
    fn two_ends(hw: Boundary, end: Boundary) { ru: "Инструмент считает до HW {hw}, потребитель видит до LSO {end}: после LSO есть открытая транзакция."; en: "The tool counts up to HW {hw}, the consumer sees up to LSO {end}: an open transaction begins at the LSO."; }
    /// Why a lag may be negative.
    fn negative() { ru: "Лаг ниже нуля: коммит стоит дальше конца. Так бывает, когда лог уже не тот, для которого его сохраняли."; en: "A lag below zero: the commit lies beyond the end. The log is no longer the one it was saved for."; }
    /// Where a counter is known from.
    fn by_description() { ru: "`consumer_lag` взят из описания статистики `librdkafka`: на настоящем кластере он здесь не записан."; en: "`consumer_lag` is taken from the description of the statistics of `librdkafka`: it was not recorded on a real cluster."; }
    /// A lag counts numbers.
    fn numbers_not_records() { ru: "Лаг считает номера, а не записи: маркеры, отменённые записи и пропуски в него входят."; en: "Lag counts offsets, not records: markers, aborted records and holes are in it."; }
    /// A marker in the table of records.
    fn holes(numbers: &str) { ru: "Пропуски в номерах: {numbers}"; en: "Holes: {numbers}"; }
    /// Markers.
    fn markers(numbers: &str) { ru: "Маркеры транзакций: {numbers}"; en: "Transaction markers: {numbers}"; }
    /// Records of open transactions.
    fn open(numbers: &str) { ru: "В открытых транзакциях: {numbers}"; en: "In open transactions: {numbers}"; }
    /// Records of aborted transactions.
    fn aborted(numbers: &str) { ru: "В отменённых транзакциях: {numbers}"; en: "In aborted transactions: {numbers}"; }
    /// Records that this reader is not given yet.
    fn not_given_yet(numbers: &str) { ru: "Потребителю ещё не видны: {numbers}"; en: "Not visible to the consumer yet: {numbers}"; }

    /// A consumer and its group.
    fn member(client: &str, group: &str) { ru: "потребитель {client} ({group})"; en: "consumer {client} ({group})"; }
    /// A consumer that ended cleanly.
    fn closed() { ru: "закрыт"; en: "closed"; }
    /// A boundary that is not there.
    fn no_boundary() { ru: "нет"; en: "none"; }
    /// What changed: a boundary.
    fn moved(name: &str, from: &str, to: Boundary) { ru: "{name}: {from} → {to}"; en: "{name}: {from} → {to}"; }
    /// What changed: a client's boundary.
    fn moved_of(client: &str, name: &str, from: &str, to: Boundary) { ru: "{client}, {name}: {from} → {to}"; en: "{client}, {name}: {from} → {to}"; }

    /// Name of the switch.
    fn view() { ru: "Вид"; en: "View"; }
    /// View.
    fn view_replicas() { ru: "Копии"; en: "Replicas"; }
    /// View.
    fn view_ruler() { ru: "Линейка"; en: "Ruler"; }
    /// View.
    fn view_both() { ru: "Вместе"; en: "Both"; }
    /// Name of the switch.
    fn counts() { ru: "Лаг коммита"; en: "Committed lag"; }
    /// Choice of the switch.
    fn counts_mistake() { ru: "последняя запись − коммит"; en: "last record − committed"; }
    /// Name of the ruler, which takes arrow keys.
    fn ruler() { ru: "Линейка: стрелки листают шаги"; en: "Ruler: arrow keys turn the steps"; }
    /// After copying.
    fn copied() { ru: "Линейка скопирована текстом"; en: "The ruler is copied as text"; }
    /// When the clipboard is refused.
    fn copy_refused() { ru: "Буфер обмена недоступен: линейка есть текстом в «То же словами»"; en: "The clipboard is not available: the ruler is there as text under “The same in words”"; }
    /// Keys.
    fn key_view() { ru: "копии, линейка или вместе"; en: "replicas, ruler or both"; }
    /// Keys.
    fn key_copy() { ru: "скопировать линейку текстом"; en: "copy the ruler as text"; }
    /// The ruler has nobody to show.
    fn no_reader() { ru: "потребителя ещё нет"; en: "no consumer yet"; }
}

fn times_en(times: u32) -> String {
    if times == 2 {
        "twice".into()
    } else {
        format!("{times} times")
    }
}

fn times_ru(times: u32) -> String {
    let word = super::number::ru(i64::from(times), "раз", "раза", "раз");
    format!("{times}{NBSP}{word}: повтор")
}

/// A lag's subtraction: `12 − 4 = 8`, `4 − 6 = −2`.
pub fn subtraction(end: i64, from: i64) -> String {
    let mut out = signed(end);
    out.push_str(" − ");
    out.push_str(&signed(from));
    out.push_str(" = ");
    out.push_str(&signed(end - from));
    out
}

/// A number with a true minus sign.
pub fn signed(n: i64) -> String {
    if n < 0 {
        let mut out = String::from("−");
        out.push_str(&n.unsigned_abs().to_string());
        out
    } else {
        n.to_string()
    }
}
