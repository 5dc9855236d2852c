//! The mistakes that are known, each with the sentence that names it. Figures are those of the
//! snapshot.

use crate::text::phrase::phrases;

phrases! {
    /// 9 − 5.
    fn last_record() { ru: "Вы отняли от номера последней записи (9), а не от границы конца (10). Коммит 5 — тоже граница: он указывает на следующую запись, а не на обработанную."; en: "You subtracted from the number of the last record (9), not from the end boundary (10). Commit 5 is a boundary too: it points to the next record, not to the one processed."; }
    /// 10 − 4.
    fn commit_minus_one() { ru: "Вы отняли от коммита единицу: взяли последнюю сохранённую запись (4) вместо следующей позиции (5)."; en: "You took one off the commit: the last saved record (4) instead of the next position (5)."; }
    /// 10 − 10.
    fn from_received() { ru: "Вы посчитали от полученной позиции (`fetch_position`). В p0 получено всё, но сохранён только коммит 5: лаг чтения 0 скрывает работу, застрявшую в приёмнике."; en: "You counted from the position received (`fetch_position`). In p0 everything is received, but only commit 5 is saved: a fetch lag of 0 hides work that is stuck in the receiver."; }
    /// 10 − 7.
    fn from_processed() { ru: "Вы посчитали от обработанного (`processed_next`). После падения группа начнёт не с 7, а с коммита 5."; en: "You counted from what is processed (`processed_next`). After a crash the group starts from commit 5, not from 7."; }
    /// 10 − 0.
    fn whole_log() { ru: "Это длина всего лога, от начала до конца. Лаг считается от коммита."; en: "This is the length of the whole log, from start to end. Lag is counted from the commit."; }
    /// 5 − 10.
    fn other_way_round() { ru: "Вы вычли в обратную сторону: из меньшей границы большую. Отсюда минус."; en: "You subtracted the other way round: the greater boundary from the lesser. Hence the minus."; }

    /// 5, 1, 6 in one column.
    fn two_in_one() { ru: "Вы сложили два расстояния в одно: от коммита до полученного. Какая часть ждёт обработки, а какая коммита, теперь не видно."; en: "You added two distances into one: from the commit to what is received. Which part waits to be processed and which for a commit cannot be seen any more."; }
    /// 2 and 3.
    fn swapped() { ru: "Два расстояния поменялись местами: от коммита до обработанного — «не сохранено», от обработанного до полученного — «не обработано»."; en: "The two distances changed places: from the commit to what is processed is not saved, from there to what is received is not processed."; }
    /// fetch − processed − 1.
    fn not_processed_less_one() { ru: "`fetch_position` 10 — следующая позиция: получены записи до 9 включительно. Вычитать ещё единицу не нужно."; en: "`fetch_position` 10 is the next position: records up to and including 9 are received. Nothing more is to be taken off."; }
    /// processed − committed − 1.
    fn not_saved_less_one() { ru: "`processed_next` 7 — следующая позиция: обработаны записи до 6 включительно. Вычитать ещё единицу не нужно."; en: "`processed_next` 7 is the next position: records up to and including 6 are processed. Nothing more is to be taken off."; }
    /// fetch − committed for what is not saved.
    fn saved_from_received() { ru: "В «не сохранено» попало и то, что ещё не обработано: вы посчитали от коммита до полученного, а не до обработанного."; en: "What is not processed yet got into not saved: you counted from the commit to what is received, not to what is processed."; }
    /// end − processed for what is not processed.
    fn processed_to_end() { ru: "Вы посчитали до конца лога. В p2 записи с 28-й ещё не получены: до приложения они не дошли."; en: "You counted to the log end. In p2 records from 28 on are not received yet: they did not reach the application."; }

    /// `<=`.
    fn start_included() { ru: "Начало лога 20 — первая позиция, которую ещё можно прочитать, поэтому r3 обслужат целиком. Сравнение должно быть строгим."; en: "Log start 20 is the first position that can still be read, so r3 is served whole. The comparison has to be strict."; }
    /// r5 too.
    fn end_is_no_loss() { ru: "r5 просит с позиции 10, а это конец лога: читать пока нечего, но ничего не удалено."; en: "r5 asks from position 10, which is the log end: nothing to read yet, but nothing is deleted."; }
    /// Less than the commit.
    fn before_commit() { ru: "Вы сравнили с коммитом. Запрос ниже коммита — это повтор того, что есть в логе; удалено только то, что ниже начала лога."; en: "You compared with the commit. A request below the commit repeats what is in the log; deleted is only what lies below the log start."; }
    /// start − from − 1.
    fn gone_less_one() { ru: "r2 просит с 2, начало лога 4: пропали записи 2 и 3, то есть две. Обе величины — границы, поправка на единицу не нужна."; en: "r2 asks from 2, the log starts at 4: records 2 and 3 are gone, which is two. Both are boundaries, nothing is corrected by one."; }
    /// start − from + 1.
    fn gone_plus_one() { ru: "Запись на позиции начала лога ещё есть: у r2 пропали только 2 и 3. Прибавлять единицу не нужно."; en: "The record at the log start is still there: of r2 only 2 and 3 are gone. Nothing is to be added."; }

    /// end − from.
    fn deleted_counted() { ru: "Вы посчитали и удалённое: r2 просит с 2, но первая позиция p1 — 4. Чтение начинается с большей из двух границ."; en: "You counted what is deleted too: r2 asks from 2, but the first position of p1 is 4. Reading begins at the greater of the two boundaries."; }
    /// end − 1 − max.
    fn reads_less_one() { ru: "Конец лога — граница после последней записи. Отнимая единицу, вы теряете последнюю запись, а у r5 выходит −1."; en: "The log end is the boundary after the last record. Taking one off loses the last record, and r5 comes out at −1."; }
    /// r5 filtered.
    fn empty_left_out() { ru: "Пропал r5: он прочитает 0 позиций, но это тоже ответ. Спросили про каждый запрос."; en: "r5 is missing: it reads 0 positions, which is an answer too. The question is about each request."; }
    /// All but the end counted from the start.
    fn from_start() { ru: "Вы посчитали от начала лога до конца, хотя r1 и r5 просят с более поздней позиции. Нужна большая из двух границ."; en: "You counted from the log start to the end, though r1 and r5 ask from a later position. The greater of the two boundaries is wanted."; }

    /// Only r5.
    fn only_empty() { ru: "Не хватает r2. Он прочитает записи 4–11, но `processed_next` 12 стоит на конце p1: все они уже обработаны, хотя последняя ещё не сохранена коммитом."; en: "r2 is missing. It reads records 4 to 11, but `processed_next` 12 stands on the end of p1: all of them are processed, though the last is not saved by a commit yet."; }
    /// Fetch for processed.
    fn received_is_not_processed() { ru: "Вы сравнили с `fetch_position`. В p0 получено всё, но записи 7–9 ещё не обработаны: для приложения они новые, и r1 их принесёт."; en: "You compared with `fetch_position`. In p0 everything is received, but records 7 to 9 are not processed yet: they are new to the application, and r1 brings them."; }
    /// r2 from 2.
    fn again_with_deleted() { ru: "r2 просит с 2, но читать можно с 4: повторятся 8 позиций, а не 10."; en: "r2 asks from 2, but can read from 4: 8 positions are repeated, not 10."; }
    /// r2 alone.
    fn empty_is_nothing_new() { ru: "Не хватает r5: он стоит на конце лога, читать ему нечего — значит, и нового ничего."; en: "r5 is missing: it stands on the log end and has nothing to read, so nothing new either."; }

    /// Markers counted.
    fn marker_counted() { ru: "Вы посчитали и маркер транзакции на 30. Он занимает номер и входит в лаг, но приложение его не получает."; en: "You counted the marker of a transaction at 30 too. It has a number and is part of the lag, but the application does not receive it."; }
    /// `>` for `>=`.
    fn commit_passed_over() { ru: "Вы пропустили запись на самой позиции коммита. Коммит 11 означает, что запись 11 — следующая, она ещё не прочитана."; en: "You passed over the record at the commit itself. Commit 11 means that record 11 is next, it is not read yet."; }
    /// records = lag.
    fn records_by_subtraction() { ru: "Разность границ — это лаг, а не число записей: после компакции часть номеров пуста. Записи надо пересчитать."; en: "A difference of boundaries is a lag, not a number of records: after compaction some numbers are empty. The records have to be counted."; }
    /// lag = count.
    fn lag_by_counting() { ru: "Лаг — расстояние между границами, он считает и пустые номера, и маркеры. Вы посчитали записи."; en: "A lag is a distance between boundaries, it counts empty numbers and markers too. You counted records."; }
    /// next = commit.
    fn next_is_commit() { ru: "Коммит говорит, откуда читать, но записи с таким номером может не быть. В p0 чтение с 5 вернёт запись 8."; en: "The commit says from where to read, but there may be no record of that number. In p0 a read from 5 returns record 8."; }
    /// No commit in the condition.
    fn whole_kept() { ru: "Вы взяли весь лог, и то, что уже ниже коммита. Осталось получить записи с `committed_offset`."; en: "You took the whole log, with what lies below the commit. What is left to receive begins at `committed_offset`."; }

    /// LEO for HW.
    fn end_for_high_watermark() { ru: "Вы посчитали до конца лога. Инструмент считает до high watermark: в p2 запись 32 ещё не на всех копиях из ISR, и прочитать её не может никто."; en: "You counted to the log end. The tool counts to the high watermark: in p2 record 32 is not yet on all replicas in the ISR, and nobody can read it."; }
    /// LSO for HW.
    fn stable_for_high_watermark() { ru: "Вы посчитали до LSO, как метрика потребителя с `read_committed`. `kafka-consumer-groups` всегда считает до high watermark."; en: "You counted to the LSO, as the metric of a consumer with `read_committed` does. `kafka-consumer-groups` always counts to the high watermark."; }
    /// The first snapshot's end.
    fn old_end() { ru: "Вы взяли `log_end` из первого снимка. С тех пор лог вырос: новые границы — в `log_bounds`."; en: "You took `log_end` from the first snapshot. The log has grown since: the new boundaries are in `log_bounds`."; }
    /// hw − 1.
    fn watermark_less_one() { ru: "Вы отняли единицу от HW. HW — граница: записи ниже 14 видны, последняя из них 13."; en: "You took one off the high watermark. It is a boundary: records below 14 are visible, the last of them is 13."; }
    /// hidden up to LEO.
    fn hidden_to_end() { ru: "Вы посчитали от LSO до конца лога. Спросили о позициях, которые инструмент включил в лаг, а он кончается на high watermark."; en: "You counted from the LSO to the log end. The question is about positions the tool has put into the lag, and that ends at the high watermark."; }

    /// Today's ages.
    fn without_the_hour() { ru: "Вы взяли возраст на сейчас. Через час каждой записи станет на 60 минут больше."; en: "You took the ages as they are now. In an hour every record is 60 minutes older."; }
    /// `>=`.
    fn exactly_two_hours() { ru: "В p1 второму сегменту через час исполнится ровно два часа. Удаляется то, что старше, поэтому он остаётся."; en: "In an hour the second segment of p1 is exactly two hours old. What is older is deleted, so it stays."; }
    /// The last expired segment decides.
    fn not_from_the_start() { ru: "В p2 второй сегмент старше двух часов, но перед ним стоит первый, который остаётся. Проверка на нём и остановится: новое начало — 20."; en: "In p2 the second segment is older than two hours, but before it stands the first, which stays. The check stops there: the new start is 20."; }
    /// new_start − log_start.
    fn deleted_is_not_lost() { ru: "Вы посчитали всё удалённое. Группа теряет только то, чего не успела прочитать: от коммита до нового начала."; en: "You counted all that is deleted. The group loses only what it had not read yet: from its commit to the new start."; }
    /// Without MAX.
    fn negative_loss() { ru: "В p1 коммит 11 правее нового начала 8, поэтому потери нет: она 0, а не −3."; en: "In p1 commit 11 lies right of the new start 8, so nothing is lost: 0, not −3."; }
}
