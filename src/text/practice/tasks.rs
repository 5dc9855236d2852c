//! The tasks: their names, what is asked, two hints each, and what a right answer means.

use crate::text::phrase::phrases;

phrases! {
    /// Name.
    fn lag() { ru: "Лаг коммита"; en: "Committed lag"; }
    /// What is asked.
    fn lag_ask() { ru: "Посчитайте для каждой партиции, сколько позиций отделяет `committed_offset` от конца лога. Верните `partition_id` и `lag` по возрастанию `partition_id`."; en: "For each partition, work out how many positions lie between `committed_offset` and the log end. Return `partition_id` and `lag`, ordered by `partition_id`."; }
    /// First hint: a look.
    fn lag_look() { ru: "Конец 10 стоит после записи 9, коммит 5 — перед записью 5. Сколько ячеек между ними?"; en: "End 10 stands after record 9, commit 5 before record 5. How many cells lie between?"; }
    /// Second hint: the formula with a gap.
    fn lag_formula() { ru: "Обе величины — границы, поэтому поправки на единицу нет: `log_end - …`"; en: "Both are boundaries, so nothing is corrected by one: `log_end - …`"; }
    /// What a right answer means.
    fn lag_right() { ru: "5, 1 и 9. Конец лога и коммит — обе границы, поэтому вычитаем как есть. Из девяти позиций p2 шесть уже получены: 28 − 22 = 6. О них следующая задача."; en: "5, 1 and 9. Log end and commit are both boundaries, so subtract them as they are. Of p2’s nine positions six are already received: 28 − 22 = 6. The next task is about them."; }

    /// Name.
    fn between() { ru: "Между получением и коммитом"; en: "Between receipt and commit"; }
    /// What is asked.
    fn between_ask() { ru: "Для каждой партиции верните `partition_id`, `not_processed` — сколько позиций получено, но ещё не обработано, и `not_saved` — сколько обработано, но ещё не сохранено коммитом."; en: "For each partition, return `partition_id`, `not_processed`: how many positions are received but not processed yet, and `not_saved`: how many are processed but not saved by a commit yet."; }
    /// First hint.
    fn between_look() { ru: "На линейке p0 от коммита 5 до «получено» 10 — пять ячеек. Граница «обработано» 7 делит их на две части."; en: "On the ruler of p0 five cells lie between commit 5 and received 10. The boundary processed 7 cuts them in two."; }
    /// Second hint.
    fn between_formula() { ru: "`fetch_position - …` и `processed_next - …`: два расстояния, у них общая граница."; en: "`fetch_position - …` and `processed_next - …`: two distances with one boundary in common."; }
    /// What a right answer means.
    fn between_right() { ru: "В p0 три позиции получены и ждут обработки, ещё две обработаны и ждут коммита. После падения группа начнёт с коммита: две обработанные записи придут повторно."; en: "In p0 three positions are received and wait to be processed, two more are processed and wait for a commit. After a crash the group starts from its commit: two processed records will come again."; }

    /// Name.
    fn deleted() { ru: "Запросы к удалённой истории"; en: "Requests for deleted history"; }
    /// What is asked.
    fn deleted_ask() { ru: "`replay_requests` — кто хочет перечитать и с какой позиции. Верните `request_id` тех запросов, которые начинаются раньше начала лога, и `gone` — сколько запрошенных позиций уже удалено."; en: "`replay_requests` says who wishes to read again and from which position. Return the `request_id` of the requests that begin before the log start, and `gone`: how many of the positions they ask for are deleted."; }
    /// First hint.
    fn deleted_look() { ru: "Начало лога 4 означает, что запись 4 ещё есть. С какой позиции чтение уже невозможно?"; en: "Log start 4 means that record 4 is still there. From which position can one not read any more?"; }
    /// Second hint.
    fn deleted_formula() { ru: "Соедините таблицы по `partition_id` и оставьте строки, где `from_position` меньше `log_start`. Сколько удалено — разность этих двух границ."; en: "Join the tables by `partition_id` and keep the rows where `from_position` is less than `log_start`. What is gone is the difference of the two."; }
    /// What a right answer means.
    fn deleted_right() { ru: "r2 и r4: 2 и 5 позиций удалены. r3 стоит ровно на начале 20 и читается целиком. r5 стоит на конце: читать пока нечего, но ничего и не пропало."; en: "r2 and r4: 2 and 5 positions are gone. r3 stands exactly on the start, 20, and can be read whole. r5 stands on the end: nothing to read yet, but nothing is gone either."; }

    /// Name.
    fn reads() { ru: "Сколько прочитает каждый запрос"; en: "How much each request reads"; }
    /// What is asked.
    fn reads_ask() { ru: "Каждый запрос читает до конца лога. Если его начало удалено, он явно соглашается начать с начала лога. Верните `request_id` и `reads` — сколько позиций он пройдёт; сначала самые длинные, при равенстве — по `request_id`."; en: "Each request reads to the log end. If its beginning is deleted, it agrees to begin at the log start. Return `request_id` and `reads`: how many positions it goes through; the longest first, equal ones by `request_id`."; }
    /// First hint.
    fn reads_look() { ru: "r4 просит с 15, но первая доступная позиция — 20. От какой границы считать до конца 31?"; en: "r4 asks from 15, but the first position there is is 20. From which boundary is it counted to end 31?"; }
    /// Second hint.
    fn reads_formula() { ru: "Чтение начинается с большей из двух границ: `log_end - MAX(…, …)`. Порядок: `ORDER BY reads DESC, …`"; en: "Reading begins at the greater of two boundaries: `log_end - MAX(…, …)`. The order: `ORDER BY reads DESC, …`"; }
    /// What a right answer means.
    fn reads_right() { ru: "11, 11, 8, 7 и 0. r3 и r4 прочитают одно и то же, хотя просили разное: 15–19 уже нет. r5 прочитает 0 — это не ошибка, он ждёт новых записей."; en: "11, 11, 8, 7 and 0. r3 and r4 read the same although they asked for different things: 15 to 19 are gone. r5 reads 0, which is no error: it waits for new records."; }

    /// Name.
    fn nothing_new() { ru: "Кто не узнает ничего нового"; en: "Who learns nothing new"; }
    /// What is asked.
    fn nothing_new_ask() { ru: "Чтение идёт до конца лога. Какие запросы не дадут ни одной записи, которую приложение ещё не обработало? Верните `request_id` и `again` — сколько уже обработанных позиций запрос прочитает ещё раз (0, если читать нечего)."; en: "Reading goes to the log end. Which requests bring no record that the application has not processed yet? Return `request_id` and `again`: how many processed positions the request reads once more (0 if there is nothing to read)."; }
    /// First hint.
    fn nothing_new_look() { ru: "Новое для приложения лежит правее границы «обработано». В какой партиции правее неё ничего нет? И у кого нечего читать вовсе?"; en: "What is new to the application lies right of the boundary processed. In which partition is nothing right of it? And who has nothing to read at all?"; }
    /// Second hint.
    fn nothing_new_formula() { ru: "Первая новая позиция запроса — `MAX(from_position, processed_next)`. Сравните её с `log_end`; `again` считается как в прошлой задаче."; en: "A request’s first new position is `MAX(from_position, processed_next)`. Compare it with `log_end`; `again` is counted as in the task before."; }
    /// What a right answer means.
    fn nothing_new_right() { ru: "r2 и r5, по разным причинам. r2 прочитает 8 позиций, но p1 обработана до конца: все 8 — повтор. r5 стоит на конце и не прочитает ничего."; en: "r2 and r5, for different reasons. r2 reads 8 positions, but p1 is processed to its end: all 8 are a repeat. r5 stands on the end and reads nothing."; }

    /// Name.
    fn holes() { ru: "Лаг и число записей"; en: "Lag and the number of records"; }
    /// What is asked.
    fn holes_ask() { ru: "Добавилась таблица `kept_records`: представьте, что топик прошёл компакцию, и в ней — всё, что осталось: записи (`data`) и маркер транзакции (`marker`), которого приложение не получает. Границы и коммит прежние. Верните `partition_id`, `lag` до `log_end`, `records` — сколько записей осталось получить с коммита, и `next_record` — номер первой из них."; en: "There is one more table, `kept_records`: imagine that the topic was compacted, and it holds all that is left: records (`data`) and the marker of a transaction (`marker`), which the application does not receive. Boundaries and commit are as before. Return `partition_id`, `lag` to `log_end`, `records`: how many records are left to receive from the commit on, and `next_record`: the number of the first of them."; }
    /// First hint.
    fn holes_look() { ru: "В p0 остались 4, 8 и 9, коммит — 5. Чтение с 5 вернёт 8. Номера пропущены, а границы не сдвинулись."; en: "In p0 records 4, 8 and 9 are left, the commit is 5. A read from 5 returns 8. Numbers are missing, the boundaries did not move."; }
    /// Second hint.
    fn holes_formula() { ru: "Оставьте `kind = 'data'` и `record_offset >= committed_offset`, сгруппируйте по партиции: `COUNT(*)` и `MIN(…)`. Лаг по-прежнему разность границ."; en: "Keep `kind = 'data'` and `record_offset >= committed_offset`, group by partition: `COUNT(*)` and `MIN(…)`. The lag is the difference of boundaries as before."; }
    /// What a right answer means.
    fn holes_right() { ru: "Лаг 5, 1 и 9, а записей 2, 1 и 3. Лаг — расстояние между границами: пропуски и маркеры в нём считаются. Сколько событий осталось обработать, он не говорит."; en: "The lag is 5, 1 and 9, the records are 2, 1 and 3. Lag is a distance between boundaries: holes and markers count in it. How many events are left to process it does not say."; }

    /// Name.
    fn stable() { ru: "Лаг и видимость: HW и LSO"; en: "Lag and visibility: HW and LSO"; }
    /// What is asked.
    fn stable_ask() { ru: "Добавилась таблица `log_bounds`: те же партиции позже. Продюсеры писали, один не закрыл транзакцию, реплики отстают; коммит группы не сдвинулся. Верните `partition_id`, `lag` — то, что напечатает `kafka-consumer-groups`, и `hidden` — сколько из этих позиций пока не видит потребитель с `read_committed`."; en: "There is one more table, `log_bounds`: the same partitions later. Producers have written, one has not closed its transaction, replicas are behind; the group’s commit has not moved. Return `partition_id`, `lag`: what `kafka-consumer-groups` will print, and `hidden`: how many of these positions a consumer with `read_committed` cannot see yet."; }
    /// First hint.
    fn stable_look() { ru: "Записи выше high watermark ещё не на всех копиях из ISR: их не видит никто, и инструмент их не считает."; en: "Records above the high watermark are not yet on all replicas in the ISR: nobody sees them, and the tool does not count them."; }
    /// Second hint.
    fn stable_formula() { ru: "`lag` кончается на `high_watermark`, а `hidden` — расстояние от `last_stable` до той же границы."; en: "`lag` ends at `high_watermark`, and `hidden` is the distance from `last_stable` to the same boundary."; }
    /// What a right answer means.
    fn stable_right() { ru: "Лаг 9, 4 и 10, из них не видны 3, 0 и 1. Инструмент считает до HW, каким бы ни был уровень изоляции группы, а потребитель видит до LSO: лаг растёт, хотя читать ему нечего. Конец лога здесь ни при чём."; en: "The lag is 9, 4 and 10, of which 3, 0 and 1 are not visible. The tool counts to the HW whatever the group’s isolation level, the consumer sees up to the LSO: the lag grows although it has nothing to read. The log end plays no part."; }

    /// Name.
    fn retention() { ru: "Что удалит retention за час"; en: "What retention takes within an hour"; }
    /// What is asked.
    fn retention_ask() { ru: "Добавилась таблица `segments`: сегменты тех же логов и сколько минут их самой новой записи. `retention.ms` — два часа. Час никто не пишет и не читает, затем проходит проверка: она идёт от начала лога, удаляет сегмент целиком, если его самой новой записи больше двух часов, и останавливается на первом, который остаётся. Верните `partition_id`, `new_start` — новое начало лога, и `lost` — сколько позиций после коммита группа уже не прочитает."; en: "There is one more table, `segments`: the segments of the same logs and how many minutes old the newest record of each is. `retention.ms` is two hours. For an hour nobody writes or reads, then a check runs: it goes from the log start, deletes a segment whole if its newest record is more than two hours old, and stops at the first that stays. Return `partition_id`, `new_start`: the new log start, and `lost`: how many positions after its commit the group cannot read any more."; }
    /// First hint.
    fn retention_look() { ru: "Через час каждой записи станет на 60 минут больше. В p2 второй сегмент старше первого, но стоит за ним."; en: "In an hour every record is 60 minutes older. In p2 the second segment is older than the first, but stands behind it."; }
    /// Second hint.
    fn retention_formula() { ru: "Новое начало — наименьший `base_offset` среди тех, где `newest_age_min + 60 <= 120`. Потеря — `MAX(0, …)`: она не бывает отрицательной."; en: "The new start is the least `base_offset` of those with `newest_age_min + 60 <= 120`. The loss is `MAX(0, …)`: it is never negative."; }
    /// What a right answer means.
    fn retention_right() { ru: "Начало станет 8, 8 и 20. Теряет только p0: коммит 5 остался ниже нового начала 8, записи 5–7 пропали. В p2 молодой первый сегмент удержал второй, хотя тот старше двух часов."; en: "The start becomes 8, 8 and 20. Only p0 loses: commit 5 is below the new start 8, records 5 to 7 are gone. In p2 the young first segment kept the second, although that is older than two hours."; }
}
