//! Words of the page in somebody else's page: the way out of the frame, and what a host's program
//! is told.

use super::phrase::phrases;

phrases! {
    /// Link in a frame to the same step on a page of its own.
    fn own_tab() { ru: "Открыть в отдельной вкладке"; en: "Open in its own tab"; }
    /// Button in the scene's place until it is started (title, number of steps in words).
    fn start(title: &str) { ru: "Запустить: {title}"; en: "Start: {title}"; }
    /// In a frame, when the clipboard is refused (the address follows).
    fn link_by_hand() { ru: "Скопируйте адрес отсюда:"; en: "Copy the address from here:"; }
    /// In the scene's place after the host has ended it.
    fn ended() { ru: "Сцену закрыла страница, в которую она встроена."; en: "The page that embeds this scene has closed it."; }

    /// A message that is not of the form agreed on.
    fn bad_message() { ru: "сообщение не той формы"; en: "the message is not of the agreed form"; }
    /// An argument is missing or wrong (its name; what may stand there).
    fn bad_argument(name: &str, known: &str) { ru: "`{name}`: нужно {known}"; en: "`{name}` has to be {known}"; }
    /// No such command.
    fn unknown_command(name: &str) { ru: "команды `{name}` нет"; en: "there is no command `{name}`"; }
    /// No such marker, scene or step.
    fn no_such(name: &str, value: &str) { ru: "`{name}={value}`: такого нет"; en: "`{name}={value}`: there is none"; }
    /// A question that does not exist.
    fn no_such_question(name: &str) { ru: "вопроса `{name}` в сцене нет"; en: "there is no question `{name}` in the scene"; }
    /// A command before the scene has begun.
    fn not_ready() { ru: "сцена ещё не запущена"; en: "the scene has not started yet"; }
    /// Too many commands.
    fn too_many(limit: u32) { ru: "больше {limit} сообщений за секунду"; en: "more than {limit} messages within a second"; }
    /// A command too long.
    fn too_long(limit: u32) { ru: "сообщение длиннее {limit} знаков"; en: "a message of more than {limit} characters"; }
    /// A drawing of another step than the one on the screen.
    fn only_shown(step: u32) { ru: "рисунок есть только у показанного шага {step}"; en: "there is a drawing of the step shown only, step {step}"; }
    /// The scene cannot do it here.
    fn cannot() { ru: "здесь это невозможно"; en: "this cannot be done here"; }
    /// A colour under which some text could not be read (names of the tokens).
    fn pale(names: &str) { ru: "{names}: контраст текста был бы ниже 4,5 к 1"; en: "{names}: the contrast of text would be under 4.5 to 1"; }
}
