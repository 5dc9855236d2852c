//! Why: the rules, each one permanent sentence in the present tense, the same wording every time.

use super::phrase::phrases;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;

phrases! {
    /// R-HW-10
    fn hw_is_min() { ru: "HW — наименьший LEO в ISR, насколько лидер знает их из запросов реплик."; en: "HW is the lowest LEO in the ISR, as far as the leader knows them from fetches."; }
    /// R-HW-10 and R-HW-11 in full.
    fn hw_is_min_full() { ru: "Лидер берёт минимум из своего LEO и LEO, который каждая копия назвала в последнем запросе. Считаются все из ISR (пока его меняют — и из старого, и из нового), а также догнавшие копии вне ISR, если они не отстранены и не останавливаются. HW лидера только растёт, а пока ISR меньше `min.insync.replicas`, стоит."; en: "The leader takes the minimum of its own LEO and the LEO that each replica named in its last fetch. Everyone in the ISR counts (of the old and the new one while it changes), and so do caught-up replicas outside it, unless fenced or shutting down. The leader’s HW only grows, and stands still while the ISR is smaller than `min.insync.replicas`."; }
    /// R-HW-11
    fn outsider_holds() { ru: "Лидер ждёт и копию вне ISR, если она догнала его и не отстранена."; en: "The leader also waits for a replica outside the ISR that has caught up and is not fenced."; }
    /// Note of an outsider's term.
    fn outsider(broker: BrokerId, end: Boundary) { ru: "{end} у брокера {broker}: вне ISR, но догнал"; en: "{end} on broker {broker}: outside the ISR but caught up"; }
    /// Note of a joining replica's term.
    fn joining(broker: BrokerId, end: Boundary) { ru: "{end} у брокера {broker}: его вводят в ISR"; en: "{end} on broker {broker}: on its way into the ISR"; }
    /// Note of an unknown term (R-HW-16).
    fn not_fetched(broker: BrokerId) { ru: "брокер {broker} ещё не запрашивал у этого лидера: HW стоит"; en: "broker {broker} has not fetched from this leader yet: HW stays"; }
    /// Heading line of the formula.
    fn formula_isr() { ru: "min(LEO из ISR)"; en: "min(LEO of ISR)"; }
    /// The same with an outsider.
    fn formula_caught_up() { ru: "min(LEO из ISR и догнавших)"; en: "min(LEO of ISR and caught-up)"; }
    /// R-HW-12
    fn maximal_isr() { ru: "Пока контроллер не принял новый ISR, лидер ждёт и старых, и новых членов."; en: "Until the controller accepts a new ISR, the leader waits for old and new members alike."; }
    /// R-HW-13
    fn hw_held() { ru: "Пока ISR меньше `min.insync.replicas`, HW не двигается совсем."; en: "While the ISR is smaller than `min.insync.replicas`, HW does not move at all."; }
    /// R-LDR-1
    fn leader_learns() { ru: "Что есть у реплики, лидер узнаёт только из её следующего запроса."; en: "The leader learns what a follower has only from its next fetch."; }
    /// R-REP-5, R-HW-4
    fn follower_learns() { ru: "Реплика узнаёт HW из ответа на следующий запрос и берёт не больше своего LEO."; en: "A follower learns HW from the answer to its next fetch, and takes no more than its own LEO."; }
    /// R-REP-1
    fn pull() { ru: "Лидер ничего не рассылает: реплики сами запрашивают данные с конца своего лога."; en: "The leader pushes nothing: followers fetch from the end of their own log."; }
    /// R-HW-17
    fn new_leader_hw() { ru: "Новый лидер начинает с той HW, которую знал как реплика; она растёт, когда члены ISR запросят у него данные."; en: "A new leader begins with the HW it knew as a follower; it grows as members of the ISR fetch."; }

    /// R-ACK-2
    fn acks_none() { ru: "При `acks=0` продюсер не ждёт никого и не узнаёт даже об ошибке."; en: "With `acks=0` the producer waits for nobody and is not even told of an error."; }
    /// R-ACK-3
    fn acks_leader() { ru: "При `acks=1` лидер отвечает сразу, как допишет в свой лог: хватает одной копии."; en: "With `acks=1` the leader answers as soon as its own log has the record: one copy is enough."; }
    /// R-ACK-4
    fn acks_all() { ru: "При `acks=all` лидер отвечает, когда HW проходит запись: она есть у всех в ISR."; en: "With `acks=all` the leader answers once HW has passed the record: everyone in the ISR has it."; }
    /// R-ACK-4 (1)
    fn not_enough() { ru: "При `acks=all` лидер не принимает запись, если в ISR меньше `min.insync.replicas`. В лог не попадает ничего."; en: "With `acks=all` the leader accepts no record while the ISR is smaller than `min.insync.replicas`. Nothing is appended."; }
    /// R-ACK-5
    fn not_enough_after() { ru: "Отказ после записи не значит, что её нет: она в логе лидера и может остаться."; en: "A refusal after the append does not mean that the record is gone: the leader’s log has it and it may stay."; }
    /// R-ACK-6
    fn timed_out() { ru: "Отказ по времени не значит «не записано»: запись может быть в логе лидера, просто HW её не прошла."; en: "A time-out does not mean “not written”: the leader’s log may have the record, only HW has not passed it."; }
    /// R-ACK-9
    fn not_leader() { ru: "Пишут только лидеру. Другой брокер отвечает ошибкой, и клиент ищет лидера заново."; en: "Only the leader accepts writes. Any other broker answers with an error, and the client looks for the leader anew."; }
    /// R-PRD-4
    fn metadata() { ru: "Клиент узнаёт из метаданных, кто лидер. Метаданные даёт любой брокер — те, что уже применил сам."; en: "A client learns from metadata who the leader is. Any broker gives it, as far as that broker has applied it itself."; }
    /// R-ACK-9, said of a first attempt.
    fn writes_to_leader() { ru: "Записи принимает только лидер: продюсер шлёт ему, а реплики берут их у лидера сами."; en: "Only the leader accepts records: a producer sends them to it, and followers fetch them from it."; }
    /// Any other error of a client: Kafka's own sentence.
    fn kafka_says(error: KafkaError) { ru: "Текст Kafka: `{}`", error.text(); en: "Kafka’s own words: `{}`", error.text(); }
    /// A connection broke.
    fn disconnected() { ru: "Соединение порвалось до ответа: продюсер не знает, записано ли, и повторяет."; en: "The connection broke before an answer: the producer cannot know whether it was written, and tries again."; }
    /// R-IDM-1
    fn idempotent() { ru: "Идемпотентный продюсер нумерует пакеты: повтор узнают по номеру и не дописывают."; en: "An idempotent producer numbers its batches: a repeat is recognised by its number and not appended."; }
    /// R-READ-3
    fn reads_below_hw() { ru: "Потребителю отдают только записи ниже HW того брокера, с которого он читает."; en: "A consumer is given only records below the HW of the broker it reads from."; }
    /// R-READ-1
    fn out_of_range() { ru: "Читать можно от начала лога до его конца, и нигде больше."; en: "Reading is possible from log start to log end, nowhere else."; }

    /// R-FEN-1, R-FEN-2
    fn session() { ru: "Контроллер судит о брокере по молчанию: heartbeat нет дольше `broker.session.timeout.ms` (по умолчанию 9 с)."; en: "The controller judges a broker by its silence: no heartbeat for more than `broker.session.timeout.ms` (9 s by default)."; }
    /// R-FEN-2
    fn not_known_yet() { ru: "Контроллер ещё не знает: он ждёт heartbeat до конца сессии, по умолчанию 9–10 с."; en: "The controller does not know yet: it waits for a heartbeat until the session ends, 9 to 10 s by default."; }
    /// R-FEN-3
    fn fenced_leaves_isr() { ru: "Отстранённый брокер выходит из всех ISR; где он был лидером, выбирают нового."; en: "A fenced broker leaves every ISR; where it led, a new leader is elected."; }
    /// R-FEN-5
    fn starts_fenced() { ru: "Запущенный брокер сначала отстранён: он должен догнать метаданные до своей регистрации."; en: "A started broker is fenced at first: it has to catch up with the metadata up to its own registration."; }
    /// R-FEN-8
    fn unclean_start() { ru: "Упавший брокер мог потерять записи, поэтому, регистрируясь снова, он выбывает из ISR и ELR."; en: "A crashed broker may have lost records, so by registering anew it leaves the ISR and the ELR."; }
    /// R-FEN-6
    fn unfencing() { ru: "Возвращение в строй не даёт ни лидерства, ни места в ISR: в ISR вводит лидер, когда копия его догонит."; en: "Unfencing gives back neither leadership nor a place in the ISR: the leader lets a replica in once it has caught up."; }
    /// R-FEN-6 in full.
    fn unfencing_full() { ru: "Где лидер есть, всё остаётся как было. Если же у партиции лидера нет и вернувшийся брокер может её вести (он в ISR или в ELR, а при пустых ISR и ELR — последний известный лидер), контроллер сразу выбирает его."; en: "A partition that has a leader stays as it is. A partition without one gets this broker as leader at once if it may lead: it is in the ISR or the ELR or, when both are empty, it is the last known leader."; }
    /// R-FEN-7
    fn cut_off() { ru: "Брокер без связи с контроллером будет отстранён, хотя сам считает себя лидером."; en: "A broker cut from the controller will be fenced, though it still believes that it leads."; }
    /// R-CSD: leadership first.
    fn controlled() { ru: "При штатной остановке контроллер переносит лидерство сразу, не дожидаясь конца сессии."; en: "In a controlled shutdown the controller moves leadership at once, without waiting for a session to end."; }
    /// R-ELE-2
    fn election() { ru: "Лидером становится первый живой член ISR в порядке назначения."; en: "The first live member of the ISR in assignment order becomes leader."; }
    /// R-ELE-8
    fn logs_not_compared() { ru: "Контроллер не сравнивает логи. Без потерь обходится потому, что у членов ISR есть всё ниже HW."; en: "The controller does not compare logs. Nothing is lost because members of the ISR have everything below HW."; }
    /// R-ELE-3
    fn unclean() { ru: "Unclean-выборы берут первую живую копию, каким бы ни был её лог; чего в нём нет, то потеряно."; en: "An unclean election takes the first live replica whatever its log; what it lacks is lost."; }
    /// R-ELE-4
    fn preferred() { ru: "Предпочтительный лидер — первый в порядке назначения; ему возвращают лидерство, если он в ISR."; en: "The preferred leader is the first in assignment order; leadership goes back to it if it is in the ISR."; }
    /// R-ELE-5
    fn last_known() { ru: "ISR и ELR пусты, и лидером становится последний известный лидер, когда он вернулся."; en: "With ISR and ELR empty, the last known leader leads again once it is back."; }
    /// R-ELE-6
    fn nobody() { ru: "Ни одного живого члена ISR и ELR нет: партиция ждёт, чтобы не терять подтверждённое."; en: "No member of ISR or ELR is alive: the partition waits rather than lose what was confirmed."; }
    /// R-ELR-1, R-ELR-3
    fn elr() { ru: "Копия попадает в ELR, когда ISR становится меньше min: с этого мгновения HW стоит, и у копии есть всё ниже HW."; en: "A replica moves to the ELR when the ISR falls below the minimum: from then on HW stands still, so it has everything below HW."; }
    /// R-ELE-10
    fn first_leader() { ru: "Лидер новой партиции — первый живой брокер в назначении, в ISR входят все живые."; en: "A new partition is led by the first live broker of the assignment; all live ones are in the ISR."; }
    /// Formula of an election: label.
    fn in_order() { ru: "по назначению: "; en: "in order: "; }

    /// R-ISR-1
    fn shrink() { ru: "Из ISR выходит реплика, которая не догоняла лидера дольше `replica.lag.time.max.ms` (по умолчанию 30 с)."; en: "A follower leaves the ISR when it has not caught up for `replica.lag.time.max.ms` (30 s by default)."; }
    /// R-ISR-3
    fn expand() { ru: "Реплика возвращается в ISR, когда её LEO дошёл до HW и до начала эпохи лидера."; en: "A follower returns to the ISR once its LEO has reached HW and the start of the leader’s epoch."; }
    /// R-ISR-7
    fn isr_by_controller() { ru: "ISR меняет и сам контроллер; лидер узнаёт об этом из метаданных."; en: "The controller changes the ISR by itself, too; the leader learns of it from the metadata."; }
    /// R-ALT-1
    fn alter_partition() { ru: "ISR меняет только контроллер: лидер просит, контроллер сверяет эпохи."; en: "Only the controller changes the ISR: the leader asks, the controller checks epochs."; }
    /// R-EPO-3
    fn epochs_fence() { ru: "Эпоха в запросе отсекает тех, кто верит в прежнего лидера."; en: "The epoch in a request keeps out those who believe in a former leader."; }
    /// R-TRU-1
    fn truncation() { ru: "Режут по эпохе: реплика оставляет только то, что есть у лидера в той же эпохе."; en: "Logs are cut by epoch: a follower keeps only what the leader has in the same epoch."; }
    /// R-TRU-5
    fn not_by_hw() { ru: "До HW не режут: записи выше HW остаются, если они есть и у лидера."; en: "Nothing is cut at HW: records above it stay if the leader has them, too."; }
    /// R-TRU-7
    fn truncation_to_end() { ru: "Если у лидера лог короче, реплика отрезает всё, чего у него нет."; en: "When the leader’s log is shorter, the follower cuts what the leader does not have."; }
    /// A disk that forgets.
    fn page_cache() { ru: "Kafka подтверждает запись в памяти копий, а не на диске: выключение питания отнимает хвост."; en: "Kafka confirms what is in the replicas’ memory, not on disk: a power cut takes the tail."; }
    /// R-ZOM-1
    fn comes_back() { ru: "Прежний лидер возвращается репликой: сам он лидерство не забирает."; en: "A former leader comes back as a follower: it does not take leadership by itself."; }
    /// R-ZOM-3
    fn zombie() { ru: "Лидер, о котором забыли, подтвердит `acks=1`, но HW не сдвинет: запись потом срежут."; en: "A leader that has been replaced confirms `acks=1`, but cannot move HW: the record will be truncated."; }
    /// R-REP-8
    fn throttle() { ru: "Ограничение скорости держит только отставшую реплику: лишнего она не просит."; en: "The throttle holds back only a follower that is behind: it does not ask while over its quota."; }
    /// R-DEL-1
    fn deleted() { ru: "Начало лога только растёт; удалённые номера не выдают заново."; en: "Log start only grows; deleted offsets are never given out again."; }
    /// A confirmed record lost under acks=1.
    fn lost_one_copy() { ru: "Подтверждение при `acks=1` обещает одну копию; нет этой копии — нет и записи."; en: "A confirmation under `acks=1` promises one copy; without that copy there is no record."; }
}
