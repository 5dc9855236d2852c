//! What a reader may do with a story: the words on a button, and those of the step it makes.

use super::phrase::phrases;

phrases! {
    /// Heading of the panel, closed.
    fn heading() { ru: "А что, если? Продолжите по-своему"; en: "What if? Continue your own way"; }
    /// Under it.
    fn about() {
        ru: "С этого шага история пойдёт так, как решите вы; считает та же модель Kafka. Назад можно в любой момент.";
        en: "From this step the story goes as you decide, computed by the same model of Kafka. You can step back at any time.";
    }
    /// Note on a branch: where it left the story.
    fn on_branch(step: u32) {
        ru: "Это ваша ветка: до шага {step} — сцена, дальше — ваши действия.";
        en: "This is your branch: the scene up to step {step}, your own moves from there.";
    }
    /// Back to the story.
    fn leave() { ru: "Вернуться к сцене"; en: "Back to the scene"; }
    /// No more moves fit.
    fn full() { ru: "Ветка слишком длинная: вернитесь к сцене и начните другую."; en: "The branch is too long: go back to the scene and begin another."; }
    /// Told once a branch begins.
    fn branch_from(step: u32) { ru: "Новая ветка от шага {step}."; en: "A new branch from step {step}."; }
    /// Saves the branch as a file of the scene language.
    fn save() { ru: "Сохранить ветку файлом сцены"; en: "Save the branch as a scene file"; }

    /// Group of moves.
    fn group_time() { ru: "Время"; en: "Time"; }
    /// Group of moves about the topic.
    fn group_topic() { ru: "Топик"; en: "Topic"; }
    /// Group of moves of a broker.
    fn group_broker(id: &str) { ru: "Брокер {id}"; en: "Broker {id}"; }

    /// Button.
    fn change() { ru: "До следующего события"; en: "To the next event"; }
    /// Title of its step.
    fn change_done() { ru: "Следующее событие"; en: "The next event"; }
    /// Button: lets so much time pass.
    fn pass(time: &str) { ru: "+ {time}"; en: "+ {time}"; }
    /// Title of its step.
    fn pass_done(time: &str) { ru: "Прошло {time}"; en: "{time} went by"; }
    /// Button.
    fn calm() { ru: "Пока всё не затихнет"; en: "Until all is quiet"; }
    /// Title of its step.
    fn calm_done() { ru: "Всё, что могло, произошло"; en: "All that was under way has happened"; }

    /// Button.
    fn produce() { ru: "Отправить запись"; en: "Send a record"; }
    /// Title of its step.
    fn produce_done(who: &str) { ru: "`{who}` отправляет запись"; en: "`{who}` sends a record"; }
    /// Button.
    fn kill() { ru: "Убить процесс"; en: "Kill the process"; }
    /// Title of its step.
    fn kill_done(id: &str) { ru: "Процесс брокера {id} убит, диск цел"; en: "Broker {id} is killed, its disk is intact"; }
    /// Button.
    fn power() { ru: "Выключить питание"; en: "Cut the power"; }
    /// Title of its step.
    fn power_done(id: &str) {
        ru: "Брокер {id} без питания: записи выше его HW не успели на диск";
        en: "Broker {id} lost power: records above its HW had not reached the disk";
    }
    /// Button.
    fn shutdown() { ru: "Остановить штатно"; en: "Shut down cleanly"; }
    /// Title of its step.
    fn shutdown_done(id: &str) { ru: "Брокер {id} останавливается штатно"; en: "Broker {id} shuts down cleanly"; }
    /// Button.
    fn start() { ru: "Запустить"; en: "Start"; }
    /// Title of its step.
    fn start_done(id: &str) { ru: "Брокер {id} запускается"; en: "Broker {id} starts"; }
    /// Button.
    fn freeze() { ru: "Подвесить процесс"; en: "Freeze"; }
    /// Title of its step.
    fn freeze_done(id: &str) { ru: "Брокер {id} завис: процесс есть, но не отвечает"; en: "Broker {id} is frozen: the process is there and does not answer"; }
    /// Button.
    fn thaw() { ru: "Отпустить процесс"; en: "Thaw"; }
    /// Title of its step.
    fn thaw_done(id: &str) { ru: "Брокер {id} снова работает"; en: "Broker {id} resumes"; }
    /// Button.
    fn isolate() { ru: "Отрезать от сети кластера"; en: "Cut off from the cluster"; }
    /// Title of its step.
    fn isolate_done(id: &str) { ru: "Брокер {id} не видит ни контроллера, ни других брокеров"; en: "Broker {id} reaches neither the controller nor other brokers"; }
    /// Button.
    fn rejoin() { ru: "Вернуть в сеть кластера"; en: "Connect to the cluster again"; }
    /// Title of its step.
    fn rejoin_done(id: &str) { ru: "Связь с брокером {id} есть"; en: "Broker {id} is reachable again"; }
    /// Button.
    fn slow() { ru: "Замедлить репликацию"; en: "Slow its fetching"; }
    /// Title of its step.
    fn slow_done(id: &str, time: &str) { ru: "Ответы брокеру {id} идут на {time} дольше"; en: "Answers to broker {id} take {time} longer"; }
    /// Button.
    fn fast() { ru: "Вернуть скорость"; en: "Fetch at full speed"; }
    /// Title of its step.
    fn fast_done(id: &str) { ru: "Репликация на брокер {id} снова быстрая"; en: "Broker {id} fetches at full speed again"; }
    /// Button.
    fn preferred() { ru: "Выбрать предпочтительных лидеров"; en: "Elect preferred leaders"; }
    /// Title of its step.
    fn preferred_done() { ru: "Выборы предпочтительного лидера"; en: "Preferred leader election"; }
    /// Button.
    fn unclean() { ru: "Unclean-выборы"; en: "Unclean election"; }
    /// Title of its step.
    fn unclean_done() { ru: "Unclean-выборы: лидером может стать и отставшая копия"; en: "Unclean election: a replica that is behind may lead"; }
    /// Title of its step.
    fn min_isr_done(n: u16) { ru: "`min.insync.replicas` теперь {n}"; en: "`min.insync.replicas` is now {n}"; }
    /// Title of its step.
    fn acks_done(who: &str, acks: &str) { ru: "`{who}` пишет с `acks={acks}`"; en: "`{who}` writes with `acks={acks}`"; }
    /// Button.
    fn poll() { ru: "`poll()`"; en: "`poll()`"; }
    /// Title of its step.
    fn poll_done(who: &str) { ru: "`{who}` вызывает `poll()`"; en: "`{who}` calls `poll()`"; }
    /// Button.
    fn process() { ru: "Обработать полученное"; en: "Process what it has"; }
    /// Title of its step.
    fn process_done(who: &str) { ru: "`{who}` обработал всё, что получил"; en: "`{who}` has processed everything it was given"; }
    /// Button.
    fn commit() { ru: "Сохранить обработанное"; en: "Commit what is processed"; }
    /// Title of its step.
    fn commit_done(who: &str) { ru: "`{who}` сохраняет обработанное"; en: "`{who}` commits what it has processed"; }
    /// Button.
    fn crash() { ru: "Уронить"; en: "Crash"; }
    /// Title of its step.
    fn crash_done(who: &str) { ru: "`{who}` упал"; en: "`{who}` has crashed"; }
    /// Button.
    fn close() { ru: "Закрыть штатно"; en: "Close the consumer"; }
    /// Title of its step.
    fn close_done(who: &str) { ru: "`{who}` закрыт штатно"; en: "`{who}` closes cleanly"; }
    /// Button.
    fn restart() { ru: "Запустить заново"; en: "Start again"; }
    /// Title of its step.
    fn restart_done(who: &str) { ru: "`{who}`: новый процесс"; en: "`{who}`: a new process"; }
    /// Button.
    fn begin() { ru: "Начать транзакцию"; en: "Begin a transaction"; }
    /// Title of its step.
    fn begin_done(who: &str) { ru: "`{who}` начинает транзакцию"; en: "`{who}` begins a transaction"; }
    /// Button.
    fn end() { ru: "Зафиксировать транзакцию"; en: "Commit the transaction"; }
    /// Title of its step.
    fn end_done(who: &str) { ru: "`{who}` фиксирует транзакцию"; en: "`{who}` commits the transaction"; }
    /// Button.
    fn abort() { ru: "Отменить транзакцию"; en: "Abort the transaction"; }
    /// Title of its step.
    fn abort_done(who: &str) { ru: "`{who}` отменяет транзакцию"; en: "`{who}` aborts the transaction"; }

    /// A link of a version that is not known.
    fn link_version(version: &str) {
        ru: "ссылка сделана версией «{version}», а эта программа её не знает";
        en: "the link is of version “{version}”, which this program does not know";
    }
    /// A link that lost its end.
    fn link_cut() { ru: "ссылка обрезана: скопируйте её целиком"; en: "the link was cut short: copy it whole"; }
    /// A link that is damaged.
    fn link_damaged() { ru: "ссылка повреждена"; en: "the link is damaged"; }
    /// A link that leads elsewhere now.
    fn link_parted(good: usize, asked: usize) {
        ru: "ссылка повреждена или создана в другой версии: совпали {good} из {asked} действий, дальше модель ведёт себя иначе";
        en: "the link is damaged or comes from another version: {good} of {asked} moves lead where they led, from there the model goes another way";
    }
    /// A link to a branch, opened where there are none.
    fn link_nowhere() {
        ru: "ссылка ведёт на чужую ветку, а здесь своих ходов нет";
        en: "the link leads to a reader’s own branch, and there are none here";
    }
    /// Above a scene that a branch was left in.
    fn left(count: u32) {
        ru: "Ваша ветка не пропала (ходов: {count}).";
        en: "Your branch is kept (moves: {count}).";
    }
    /// Button that opens it again.
    fn again() { ru: "Вернуться к ней"; en: "Return to it"; }
    /// A link whose scene has changed.
    fn link_scene() {
        ru: "ссылка создана в другой версии: сама сцена с тех пор изменилась";
        en: "the link comes from another version: the scene itself has changed since";
    }
}
