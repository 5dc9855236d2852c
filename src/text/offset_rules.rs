//! Why, of offsets: the rules, each one permanent sentence in the present tense.

use super::phrase::phrases;

phrases! {
    /// R-COM-1
    fn commit_is_next() { ru: "Коммит хранит не номер записи, а границу: с неё начнёт преемник."; en: "A commit stores a boundary, not the number of a record: a successor begins there."; }
    /// R-GRP-2, R-GRP-3
    fn commit_is_a_record() { ru: "Коммит — это запись в `__consumer_offsets`: он действует, когда HW этого топика её прошла."; en: "A commit is a record in `__consumer_offsets`: it counts once that topic’s HW has passed it."; }
    /// Position and commit.
    fn position_is_not_commit() { ru: "Позиция — откуда этот процесс получит следующую запись; коммит — откуда начнёт преемник. Падение переживает только коммит."; en: "Position is where this process gets its next record; the commit is where a successor begins. Only the commit survives a crash."; }
    /// R-COM-3
    fn auto_commit() { ru: "Автокоммит сохраняет внутри `poll` то, что вернули прежние `poll`, а не то, что обработано."; en: "Auto commit saves, inside `poll`, what earlier polls returned, not what was processed."; }
    /// R-COM-4
    fn repeat_or_loss() { ru: "Коммит позади обработки — следующий запуск повторит записи; коммит впереди обработки — пропустит."; en: "A commit behind processing: the next start repeats records. A commit ahead of it: they are skipped."; }
    /// R-COM-6, R-COM-9
    fn commit_refused() { ru: "Коммит принимают только от участника текущего поколения: у старого владельца партицию уже забрали."; en: "A commit is accepted only from a member of the current generation: the old owner’s partition was taken away."; }
    /// R-GRP-1
    fn coordinator_is() { ru: "Координатор группы — лидер той партиции `__consumer_offsets`, номер которой следует из имени группы."; en: "A group’s coordinator is the leader of the partition of `__consumer_offsets` whose number follows from the group’s name."; }
    /// R-GRP-2: commits outlive the members.
    fn group_keeps() { ru: "Коммит принадлежит группе, а не участнику: он остаётся, когда участников нет."; en: "A commit belongs to the group, not to a member: it stays when there are no members."; }
    /// R-REB-1, R-REB-2
    fn members_change() { ru: "Когда меняется состав группы, партиции раздают заново; номер поколения растёт."; en: "When a group’s members change, partitions are given out anew, under a new generation."; }
    /// R-REB-6
    fn given_up_first() { ru: "Прежний владелец отдаёт партицию до нового, и сохранить позицию он может только до этого."; en: "The old owner gives a partition up before the new one gets it; until then it may still commit."; }
    /// R-REB-6
    fn lost_at_once() { ru: "Кого группа уже исключила, тот теряет партиции сразу: коммит от него больше не примут."; en: "A member that is already out of the group loses its partitions at once: its commits are no longer accepted."; }
    /// R-LSO-2
    fn begins_alone() { ru: "Для лога транзакция открыта с её первой записи: до неё LSO ничто не держит."; en: "To a log a transaction is open from its first record on: before that nothing holds LSO."; }
    /// R-GRP-5
    fn coordinator_loads() { ru: "Координатор группы — лидер её партиции в `__consumer_offsets`; прежде чем отвечать, он читает её целиком."; en: "A group’s coordinator is the leader of its partition of `__consumer_offsets`; it reads all of it before it answers."; }
    /// R-RST-1
    fn commit_wins() { ru: "Есть коммит — читают с него; `auto.offset.reset` действует, только когда коммита нет или он вне лога."; en: "Where there is a commit, reading begins there; `auto.offset.reset` applies only where there is none or it is out of range."; }
    /// R-RST-1, R-RST-2
    fn reset_policy() { ru: "Нет коммита — решает `auto.offset.reset`: `earliest` — начало лога, `latest` — HW (у `read_committed` — LSO), `by_duration` — первая запись не старше срока, `none` — исключение."; en: "Without a commit `auto.offset.reset` decides: `earliest` is the log start, `latest` is HW (LSO for `read_committed`), `by_duration` the first record not older than that, `none` an exception."; }
    /// R-RST-4
    fn out_of_range() { ru: "На позицию вне лога отвечают `OFFSET_OUT_OF_RANGE`: дальше решает `auto.offset.reset`, а с `none` — исключение, и позиция остаётся."; en: "A position outside the log is answered with `OFFSET_OUT_OF_RANGE`: `auto.offset.reset` decides, and with `none` there is an exception and the position stays."; }
    /// R-CON-1
    fn position_moves() { ru: "Позиция сдвигается, когда `poll` отдаёт записи: она — номер за последней отданной."; en: "The position moves when `poll` hands records over: it is the number after the last of them."; }
    /// R-CON-4
    fn poll_is_limited() { ru: "`max.poll.records` ограничивает то, что отдаёт `poll`; остальное из полученного ждёт следующего вызова."; en: "`max.poll.records` limits what `poll` hands over; the rest of what was fetched waits for the next call."; }
    /// R-READ-5, R-CON-2
    fn next_existing() { ru: "На месте пропуска чтение отдаёт следующую запись, какая есть, и позиция встаёт за ней: это не ошибка."; en: "At a hole a read returns the next record there is, and the position goes past it: that is no error."; }
    /// R-CON-1, R-CON-2
    fn position_passes() { ru: "Позиция — номер за последней отданной записью, сколько бы пропусков она ни прошла."; en: "The position is the number after the last record handed over, however many holes it has passed."; }
    /// R-READ-2
    fn empty_is_no_error() { ru: "Чтение с границы видимого — не ошибка: ответ пуст, и потребитель ждёт."; en: "Reading from the end of what is visible is no error: the answer is empty, and the consumer waits."; }
    /// R-ISO-2
    fn uncommitted_sees() { ru: "`read_uncommitted` получает и записи открытых и отменённых транзакций; маркеры не получает никто."; en: "`read_uncommitted` is given records of open and aborted transactions, too; markers are given to nobody."; }
    /// R-TRD-3
    fn asks_again() { ru: "Нет лидера или он не тот — клиент обновляет метаданные и спрашивает снова; позиция не меняется."; en: "Without a leader, or with the wrong one, the client refreshes its metadata and asks again; its position does not change."; }
    /// R-COM-3: of a consumer that ends in good order.
    fn closing() { ru: "Закрытие сохраняет позицию только при автокоммите; без него у группы остаётся прежний коммит."; en: "Closing commits the position only with auto commit; without it the group keeps the commit it had."; }
    /// R-COM-1, R-RST-1
    fn read_again() { ru: "Новый запуск читает с коммита: всё от него и дальше придёт снова, даже если уже обработано."; en: "A new start reads from the commit: all from there on comes again, processed or not."; }
    /// R-LAG-1
    fn metric_is_old() { ru: "Лаг чтения клиент считает от последнего ответа: пока он не вызывает `poll`, число стоит."; en: "A client counts its fetch lag from the last answer: while it does not call `poll`, the number stands still."; }
    /// R-IDM-7
    fn sent_twice() { ru: "Содержимое Kafka не сравнивает: второй `send()` того же события — новая запись с новым номером."; en: "Kafka does not compare contents: a second `send()` of the same event is a new record with a new number."; }
    /// R-CMP-1
    fn active_stays() { ru: "Компакция берёт только закрытые сегменты ниже LSO: активный она не трогает."; en: "Compaction takes closed segments below LSO only: it never touches the active one."; }
    /// R-CMP-5
    fn tombstone() { ru: "Запись с `null` остаётся последней у ключа; убрать её может только более поздняя компакция, когда пройдёт `delete.retention.ms`."; en: "A tombstone stays as its key’s last record; only a later compaction can remove it, once `delete.retention.ms` has passed."; }
    /// R-RSO-4
    fn reset_is_clamped() { ru: "Позицию за пределами лога инструмент с предупреждением заменяет его ближайшей границей."; en: "The tool replaces a position outside the log by the log’s nearest end, with a warning."; }
    /// R-TXN-1
    fn end_has_markers() { ru: "Фиксация и отмена пишут маркер в каждую партицию транзакции; эпоха продюсера при этом растёт на единицу."; en: "Commit and abort write a marker to each partition of the transaction; the producer’s epoch goes up by one."; }
    /// R-TXN-2
    fn end_keeps_epoch() { ru: "Фиксация и отмена пишут маркер в каждую партицию транзакции; эпоха продюсера остаётся прежней."; en: "Commit and abort write a marker to each partition of the transaction; the producer’s epoch stays."; }
    /// R-EXP-1
    fn expiry() { ru: "Коммиты неактивной группы живут `offsets.retention.minutes` (по умолчанию 7 суток)."; en: "Commits of an inactive group live for `offsets.retention.minutes` (7 days by default)."; }
    /// R-REB-5
    fn session() { ru: "Участник жив, пока шлёт heartbeat; молчит дольше `session.timeout.ms` — его партиции отдают другим."; en: "A member lives while it sends heartbeats; silent for `session.timeout.ms`, it loses its partitions to others."; }
    /// R-REB-5
    fn poll_interval() { ru: "Если между `poll` прошло больше `max.poll.interval.ms`, клиент сам выходит из группы."; en: "If more than `max.poll.interval.ms` passes between polls, the client itself leaves the group."; }
    /// R-REB-7
    fn new_owner() { ru: "Новый владелец начинает с коммита: что прежний обработал и не сохранил, придёт ещё раз."; en: "A new owner begins at the commit: what the old one processed and did not save comes again."; }
    /// One owner.
    fn one_owner() { ru: "Внутри группы у партиции один владелец; другие группы читают её сами по себе."; en: "Within a group a partition has one owner; other groups read it on their own."; }
    /// Processing is the application's.
    fn processed_is_ours() { ru: "Обработано — понятие приложения: Kafka видит только выданное и сохранённое."; en: "Processed is the application’s own notion: Kafka sees only what was handed out and what was saved."; }
    /// An outside store.
    fn outside() { ru: "Чекпойнт в своём хранилище и коммит в Kafka — разные вещи: Kafka о чекпойнте не знает и лаг по нему не считает."; en: "A checkpoint in the application’s own store and a commit in Kafka are two different things: Kafka does not know of the checkpoint and counts no lag from it."; }
    /// R-LSO-1
    fn stable() { ru: "LSO — меньшее из HW и начала первой открытой транзакции."; en: "LSO is the lesser of HW and the start of the first open transaction."; }
    /// R-LSO-4
    fn stable_blocks() { ru: "Открытая транзакция закрывает от `read_committed` всё, начиная со своей первой записи, даже чужое."; en: "An open transaction hides from `read_committed` everything from its first record on, others’ records too."; }
    /// R-LSO-3
    fn stable_waits() { ru: "Завершённая транзакция держит LSO, пока HW не пройдёт её маркер."; en: "A finished transaction holds LSO until HW has passed its marker."; }
    /// R-OFF-3
    fn marker() { ru: "Маркер занимает номер в логе, но приложению не выдаётся; лаг его считает."; en: "A marker takes an offset in the log but is never handed to an application; lag counts it."; }
    /// R-RET-2
    fn retention() { ru: "Удаление по сроку и размеру (`retention`) берёт целые сегменты с начала лога; начало лога переходит к первому оставшемуся."; en: "Retention deletes whole segments from the front; log start moves to the first that is left."; }
    /// R-CMP-3, R-CMP-8
    fn compaction() { ru: "Компакция оставляет последнюю запись ключа и не меняет номеров: в них появляются пропуски."; en: "Compaction keeps the last record of a key and changes no offset: holes appear."; }
    /// R-OFF-9
    fn segments() { ru: "Пишут только в последний сегмент; компакция берёт только закрытые."; en: "Only the last segment is written to; compaction takes closed ones only."; }
    /// R-RSO-1
    fn reset_needs_empty() { ru: "Позиции сбрасывают только у группы без участников: живой участник перезаписал бы их своим коммитом."; en: "Offsets are reset only for a group without members: a live one would overwrite them with its own commit."; }
    /// R-RSO-2
    fn reset_is_a_plan() { ru: "Без `--execute` инструмент показывает план и ничего не пишет."; en: "Without `--execute` the tool shows a plan and writes nothing."; }
    /// R-OFF-1
    fn numbers() { ru: "Номер даёт лидер: запись получает номер, на котором стоял конец лога, и конец сдвигается за неё."; en: "The leader gives the number: a record gets the one at which the log end stood, and the end moves past it."; }
    /// R-ISO-1
    fn below_stable() { ru: "`read_committed` получает записи ниже LSO; отменённые записи и маркеры позиция проходит молча."; en: "`read_committed` is given records below LSO; aborted records and markers are passed over in silence."; }
    /// Nothing moved: where all stands.
    fn stand(ends: &str) { ru: "Границы на месте: {ends}."; en: "No boundary moved: {ends}."; }
    /// A distance's name, short.
    fn not_processed() { ru: "не обработано"; en: "not processed"; }
    /// A distance's name, short.
    fn not_saved() { ru: "не сохранено"; en: "not saved"; }
    /// A distance's name.
    fn missing() { ru: "удалено непрочитанных"; en: "deleted unread"; }
    /// R-LAG-2
    fn lag_has_two_ends() { ru: "Лаг — разность двух границ. У каждого лага своя пара, поэтому называют обе."; en: "A lag is the difference of two boundaries. Each lag has its own pair, so both are named."; }
    /// R-RET-2, R-DEL-1
    fn deleted_is_gone() { ru: "Номера ниже начала лога не вернуть: из топика их не прочитает никто."; en: "Offsets below the log start do not come back: nobody can read them from the topic."; }
    /// R-LAG-2, as the head of a formula.
    fn tool_lag() { ru: "лаг коммита"; en: "committed lag"; }
    /// R-LAG-1, as the head of a formula.
    fn metric_lag() { ru: "лаг чтения"; en: "fetch lag"; }
    /// First unstable offset, in a formula.
    fn first_open() { ru: "открытая с "; en: "open from "; }
    /// No transaction is open, in a formula.
    fn none_open() { ru: "открытых нет"; en: "none open"; }
}
