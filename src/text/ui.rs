//! Words of the page itself: buttons, headings, messages.

use super::Lang;
use super::number::steps;
use super::phrase::phrases;

phrases! {
    /// Site heading.
    fn site_heading() { ru: "Kafka по шагам: копии и позиции"; en: "Kafka step by step: copies and offsets"; }
    /// Beside the site heading.
    fn nudge() { ru: "Это не картинка: нажмите «Далее»."; en: "This is not a picture: press Next."; }
    /// Title of the document with a scene open.
    fn document_title(scene: &str) { ru: "{scene} · Highwater"; en: "{scene} · Highwater"; }
    /// Link over the page for keyboards.
    fn skip_to_scenes() { ru: "К сценам"; en: "To the scenes"; }
    /// Group of replication scenes.
    fn group_replication() { ru: "Репликация"; en: "Replication"; }
    /// Its subheading.
    fn group_replication_about() { ru: "где лежат копии и кто за них отвечает"; en: "where the copies are and who answers for them"; }
    /// Group of scenes about offsets.
    fn group_offsets() { ru: "Позиции и лаг"; en: "Offsets and lag"; }
    /// Its subheading.
    fn group_offsets_about() { ru: "докуда дочитано, что сохранено и сколько осталось"; en: "how far a reader has got, what is saved and what is left"; }
    /// Heading of the gallery.
    fn gallery() { ru: "Сцены"; en: "Scenes"; }
    /// Link from a scene to the one after it (its question follows).
    fn next_scene() { ru: "Следующая сцена:"; en: "Next scene:"; }
    /// Link back from a scene.
    fn back_to_gallery() { ru: "Все сцены"; en: "All scenes"; }
    /// On a card: how long a scene is.
    fn length(count: i64) { ru: "{}", steps(Lang::Ru, count); en: "{}", steps(Lang::En, count); }

    /// Button.
    fn back() { ru: "Назад"; en: "Back"; }
    /// Button.
    fn next() { ru: "Далее"; en: "Next"; }
    /// Button (icon with this name).
    fn first() { ru: "В начало"; en: "First step"; }
    /// Button (icon with this name).
    fn last() { ru: "В конец"; en: "Last step"; }
    /// Button.
    fn play() { ru: "Авто"; en: "Play"; }
    /// Button while playing.
    fn pause() { ru: "Пауза"; en: "Pause"; }
    /// Name of the speed button; its text is the value.
    fn speed(value: &str) { ru: "Скорость {value}"; en: "Speed {value}"; }
    /// Text of the speed button.
    fn speed_value(value: &str) { ru: "{value}×"; en: "{value}×"; }
    /// After copying.
    fn link_copied() { ru: "Ссылка скопирована"; en: "Link copied"; }
    /// When the clipboard is refused.
    fn link_refused() { ru: "Скопируйте адрес из строки браузера"; en: "Copy the address from the address bar"; }
    /// Button (icon with this name).
    fn key_help() { ru: "Клавиши"; en: "Keys"; }
    /// The glossary: its heading, and the name of its key.
    fn glossary() { ru: "Словарь"; en: "Glossary"; }
    /// Opens the list of all terms.
    fn all_terms() { ru: "Все термины"; en: "All terms"; }
    /// Closes a dialog.
    fn close() { ru: "Закрыть"; en: "Close"; }
    /// Chip beside the buttons.
    fn step_of(number: u32, of: u32) { ru: "Шаг {number} из {of}"; en: "Step {number} of {of}"; }
    /// The same on a phone.
    fn step_of_short(number: u32, of: u32) { ru: "{number}/{of}"; en: "{number}/{of}"; }
    /// Name of the group of buttons.
    fn controls() { ru: "Управление шагами"; en: "Step controls"; }
    /// Name of the drawing, which takes arrow keys.
    fn stage() { ru: "Рисунок: стрелки листают шаги"; en: "Drawing: arrow keys turn the steps"; }
    /// Name of the timeline's slider.
    fn timeline() { ru: "Шаги сцены"; en: "Steps of the scene"; }
    /// A cause's chip.
    fn cause_chip(number: u32) { ru: "шаг {number}"; en: "step {number}"; }
    /// Name of the chips' group.
    fn causes() { ru: "Что привело к этому"; en: "What led to this"; }

    /// Name of the scene's section.
    fn scene_region(title: &str, count: i64) { ru: "{title}, {}", steps(Lang::Ru, count); en: "{title}, {}", steps(Lang::En, count); }
    /// Name of the card.
    fn explanation() { ru: "Пояснение к шагу"; en: "Explanation of the step"; }
    /// Card label.
    fn what_happened() { ru: "Что произошло"; en: "What happened"; }
    /// Card label.
    fn why() { ru: "Почему"; en: "Why"; }
    /// Card label.
    fn so_what() { ru: "Следствие"; en: "So what"; }
    /// Mark of a simplified rule.
    fn simplified() { ru: "упрощённо"; en: "simplified"; }
    /// Fold with the whole rule.
    fn full_rule() { ru: "Правило целиком"; en: "The full rule"; }
    /// Name of a rule's link.
    fn rule(id: &str) { ru: "Правило {id}"; en: "Rule {id}"; }
    /// Heading of the tables.
    fn state() { ru: "Состояние"; en: "State"; }
    /// Heading of the list of differences.
    fn what_changed() { ru: "Что изменилось"; en: "What changed"; }
    /// Nothing differs.
    fn nothing_changed() { ru: "Ничего видимого не изменилось."; en: "Nothing visible has changed."; }
    /// Heading of the list of all steps.
    fn all_steps() { ru: "Все шаги"; en: "All steps"; }
    /// Opens the text form.
    fn in_words() { ru: "То же словами"; en: "The same in words"; }
    /// Opens what the controller knows.
    fn who_knows_what() { ru: "Кто что знает"; en: "Who knows what"; }
    /// Opens the stage of a partition out of the overview.
    fn tab_what() { ru: "Что случилось"; en: "What happened"; }

    /// The mark of a scene that was compared with a recording.
    fn checked(version: &str) { ru: "сверено с Apache Kafka {version}"; en: "checked against Apache Kafka {version}"; }
    /// A scene whose parts were compared.
    fn checked_in_parts() { ru: "сверено по частям"; en: "checked in parts"; }
    /// A scene without a report.
    fn not_checked() { ru: "ещё не сверено"; en: "not checked yet"; }
    /// What the mark opens: the heading.
    fn checked_heading() { ru: "Что сверено"; en: "What was compared"; }
    /// What the mark opens: a sentence.
    fn checked_about(run: &str, count: i64) { ru: "Прогон {run} на живом кластере, {}: движок этой сцены выполнил те же команды, и всё записанное совпало — лидер, эпоха, ISR, ELR, границы, логи копий (где их записали), ответы клиентам. Времена и выданные номера не сравнивались.", steps(Lang::Ru, count); en: "Run {run} on a live cluster, {}: the engine of this scene carried out the same commands and agreed in all that was recorded: leader, epoch, ISR, ELR, boundaries, replicas’ logs (where recorded), answers to clients. Times and ids given out were not compared.", steps(Lang::En, count); }

    /// What the mark opens: how many facts.
    fn checked_facts(count: i64) { ru: "Сверено фактов: {count}. Сцена рассказывает похожую историю со своими записями, настройками и паузами."; en: "Facts compared: {count}. The scene tells the same kind of story with records, settings and pauses of its own."; }

    /// Name of the language switch.
    fn language() { ru: "Язык"; en: "Language"; }
    /// Said when the language was switched.
    fn language_is() { ru: "Язык: русский"; en: "Language: English"; }
    /// Name of the theme switch.
    fn theme() { ru: "Тема"; en: "Theme"; }
    /// Theme.
    fn theme_light() { ru: "Светлая"; en: "Light"; }
    /// Theme.
    fn theme_dark() { ru: "Тёмная"; en: "Dark"; }
    /// Theme.
    fn theme_auto() { ru: "Как в системе"; en: "As in the system"; }
    /// Button that opens the other buttons, where there is no room for them.
    fn menu() { ru: "Ещё"; en: "More"; }

    /// Line under the title: parameters that were not accepted (a list follows).
    fn parameters_not_taken(list: &str) { ru: "Не приняты параметры: {list}"; en: "Parameters not accepted: {list}"; }
    /// One of them: a value that is not one of some.
    fn bad_value(name: &str, given: &str, known: &str) { ru: "`{name}={given}` (есть {known})"; en: "`{name}={given}` (there are {known})"; }
    /// One of them: a name given again; the last value is used.
    fn twice(name: &str) { ru: "`{name}` дважды (взято последнее)"; en: "`{name}` twice (the last one is used)"; }
    /// One of them: a scene that does not exist; the nearest are named.
    fn bad_scene(given: &str, nearest: &str) { ru: "`scenario={given}` (похожие: {nearest})"; en: "`scenario={given}` (nearest: {nearest})"; }
    /// Files dropped on the page that were not taken (why).
    fn not_opened(why: &str) { ru: "Не открыто: {why}"; en: "Not opened: {why}"; }
    /// After some faults of the address have been named.
    fn and_more(count: u32) { ru: "и ещё {count}"; en: "and {count} more"; }
    /// In a scene's place; links to those with the nearest names follow.
    fn no_such_scene(given: &str) { ru: "Сцены `{given}` здесь нет. Похожие названия:"; en: "There is no scene `{given}` here. The nearest names:"; }
    /// Button that takes the line away.
    fn dismiss() { ru: "Убрать"; en: "Dismiss"; }
    /// A scene could not be read.
    fn scene_broken(what: &str) { ru: "Сцена не открылась: {what}"; en: "The scene did not open: {what}"; }
    /// A beat's figure is not what the engine found.
    fn expectation_failed(what: &str) { ru: "Шаг не сошёлся с ожиданием автора: {what}"; en: "This step is not what its author expected: {what}"; }
    /// The program itself failed (its message follows).
    fn program_failed() { ru: "Программа остановилась из-за своей ошибки. Откройте страницу заново."; en: "The program stopped because of a fault of its own. Open the page anew."; }
    /// Link to the step at which the program failed.
    fn open_step_anew() { ru: "Открыть этот шаг заново"; en: "Open this step anew"; }
    /// An invariant does not hold.
    fn violation(id: &str, text: &str) { ru: "Нарушен инвариант {id}: {text}"; en: "Invariant {id} does not hold: {text}"; }
    /// When scripts are off.
    fn interactive_off() { ru: "Интерактив отключён политикой безопасности страницы"; en: "The page’s security policy switches interaction off"; }
    /// While the program loads.
    fn loading() { ru: "Загрузка"; en: "Loading"; }

    /// Keys.
    fn key_next() { ru: "следующий шаг"; en: "next step"; }
    /// Keys.
    fn key_back() { ru: "предыдущий шаг"; en: "previous step"; }
    /// Keys.
    fn key_first_last() { ru: "первый и последний шаг"; en: "first and last step"; }
    /// Keys.
    fn key_markers() { ru: "предыдущий и следующий важный шаг"; en: "previous and next key step"; }
    /// Keys.
    fn key_play() { ru: "авто и пауза"; en: "play and pause"; }
    /// Keys.
    fn key_explain() { ru: "к пояснению"; en: "to the explanation"; }
    /// Keys.
    fn key_link() { ru: "скопировать ссылку"; en: "copy a link"; }
    /// Keys.
    fn key_this() { ru: "эта справка"; en: "this help"; }
    /// Keys.
    fn key_escape() { ru: "закрыть, выйти из сцены"; en: "close, leave the scene"; }
    /// Under the list of keys.
    fn key_note() { ru: "Клавиши работают, пока фокус внутри сцены, и в русской раскладке тоже. Стрелки, Home и End работают и тогда, когда на странице сцены ничто не в фокусе."; en: "Keys work while the focus is inside the scene, in the Russian layout too. Arrows, Home and End also work while nothing on a scene’s page has the focus."; }

    /// Link at the foot of the page, to the page that builds an embed.
    fn foot_embed() { ru: "Вставить сцену в урок"; en: "Put a scene into a lesson"; }
    /// Foot of the page.
    fn foot_privacy() { ru: "Ничего не запоминаем и никуда не отправляем"; en: "Nothing is stored and nothing is sent"; }
    /// Foot of the page.
    fn foot_checked(done: u32, of: u32, version: &str) { ru: "Движок сверен с Apache Kafka {version}: сцен {done} из {of}"; en: "Engine checked against Apache Kafka {version}: {done} of {of} scenes"; }
    /// Page for machines without JavaScript.
    fn no_script() { ru: "Для показа нужен JavaScript с WebAssembly."; en: "This page needs JavaScript with WebAssembly."; }
}
