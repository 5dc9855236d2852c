//! What is wrong with a scenario file: where, what was expected, and the nearest valid word.

use super::foreign::{Foreign, foreign, quoted};
use std::fmt;

/// A fault in a scenario file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A word that is none of those that may stand here.
    UnknownWord {
        /// What kind of word may stand here.
        kind: WordKind,
        /// The word.
        found: String,
        /// The nearest valid word, if one is near.
        nearest: Option<String>,
        /// All valid words, if they are few.
        valid: Vec<String>,
    },
    /// Something else has to stand here.
    Expected {
        /// What.
        what: Wanted,
        /// What stands here; `None`: the line ends.
        found: Option<String>,
    },
    /// The line is complete, but goes on.
    TooMuch {
        /// The first word too many.
        found: String,
    },
    /// A word that does not belong here, but elsewhere.
    Misplaced {
        /// The word.
        word: String,
        /// Where it stands.
        place: Place,
    },
    /// Something is missing.
    Missing {
        /// The word of the missing line.
        word: &'static str,
        /// Of what.
        place: Place,
    },
    /// Something is said a second time.
    Twice {
        /// The word.
        word: String,
    },
    /// A quote or bracket is not closed.
    Unclosed {
        /// The sign that closes it.
        sign: char,
    },
    /// A setting does not take this value.
    BadValue {
        /// The setting.
        setting: String,
        /// The value.
        value: String,
        /// What it takes, in the words of Kafka's documentation.
        expected: String,
    },
    /// A whole number or a time above the limit.
    TooLarge {
        /// It.
        found: String,
        /// The limit.
        most: String,
    },
    /// The lanes differ in nothing: no line of the story names the variable.
    UnusedVariable {
        /// Its name.
        variable: String,
    },
    /// A wrong answer of a question that is the right one.
    Contradiction {
        /// Its line.
        word: String,
    },
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// More than a scenario can be: over a million bytes.
    TooBig,
    /// So many lines are faulty that the rest is not read.
    TooManyFaults,
    /// There is not a word in the file.
    Empty,
    /// What stands here is only unknown because the line that names it is faulty itself. Never
    /// told: that line is.
    Follows,
    /// enable.idempotence=true with settings that rule it out: Kafka's client refuses it.
    IdempotenceConflict,
    /// Options that Kafka's own tool refuses, in its words.
    ToolRefuses {
        /// What it says.
        text: String,
    },
    /// A line for another kind of client.
    OtherKind {
        /// The client.
        client: String,
        /// What it is.
        is: ClientIs,
        /// The line that says so, from 1.
        line: u32,
        /// What is needed here.
        needs: ClientIs,
    },
    /// A call about transactions of a producer that has none.
    NoTransactionalId {
        /// The producer.
        client: String,
        /// The line that declares it, from 1.
        line: u32,
    },
    /// A broker that the cluster does not have.
    NoSuchBroker {
        /// The broker.
        broker: u8,
        /// Those it has.
        brokers: String,
    },
    /// A partition that its topic does not have.
    NoSuchPartition {
        /// The partition.
        partition: String,
        /// How many the topic has.
        partitions: u16,
    },
}

/// What a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientIs {
    /// It writes.
    Producer,
    /// It reads.
    Consumer,
}

impl ClientIs {
    fn russian(self) -> &'static str {
        match self {
            ClientIs::Producer => "продюсер",
            ClientIs::Consumer => "потребитель",
        }
    }
    fn english(self) -> &'static str {
        match self {
            ClientIs::Producer => "a producer",
            ClientIs::Consumer => "a consumer",
        }
    }
}

/// Kinds of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named by the phrases below")]
pub enum WordKind {
    HeadWord,
    Command,
    BeatWord,
    Fact,
    Condition,
    EventKind,
    EventField,
    ClusterWord,
    ServerSetting,
    TopicSetting,
    BrokerSetting,
    ProducerSetting,
    ConsumerSetting,
    Option,
    Switch,
    SwitchValue,
    Group,
    View,
    ErrorName,
    ProcessState,
    Role,
    Election,
    ConfigTarget,
    Lookup,
    Isolation,
    Place,
    GroupCall,
    GroupState,
    TransactionState,
    Instrument,
    Focus,
    Topic,
    Client,
    Variable,
    Lane,
    Language,
    Row,
    Run,
    QuestionKind,
}

/// What has to stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named by the phrases below")]
pub enum Wanted {
    Id,
    Name,
    Text,
    Broker,
    Brokers,
    Partition,
    Node,
    Link,
    Record,
    Value,
    Boundary,
    Number,
    Time,
    YesNo,
    Equals,
    Setting,
    GroupId,
    Position,
    Stamp,
    Difference,
    Boundaries,
    Lanes,
    Lane,
    Command,
    BrokerIds,
    Language,
}

/// Parts of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named by the phrases below")]
pub enum Place {
    Head,
    Setup,
    Beat,
    Scenario,
    Question,
}

impl WordKind {
    fn russian(self) -> &'static str {
        use WordKind::*;
        match self {
            HeadWord => "строка заголовка сценария",
            Command => "команда",
            BeatWord => "строка шага",
            Fact => "факт для expect",
            Condition => "условие для until",
            EventKind => "вид события",
            EventField => "поле этого события",
            ClusterWord => "параметр строки cluster",
            ServerSetting => "настройка брокера Kafka",
            TopicSetting => "настройка топика",
            BrokerSetting => "изменяемая настройка брокера",
            ProducerSetting => "настройка продюсера",
            ConsumerSetting => "настройка потребителя",
            Option => "параметр этой команды",
            Switch => "исторический переключатель",
            SwitchValue => "значение переключателя",
            Group => "раздел",
            View => "вид сцены",
            ErrorName => "имя ошибки Kafka",
            ProcessState => "состояние процесса",
            Role => "роль",
            Election => "вид выборов",
            ConfigTarget => "topic или broker",
            Lookup => "что искать",
            Isolation => "уровень изоляции",
            Place => "граница или слово, куда перейти",
            GroupCall => "запрос к координатору группы",
            GroupState => "состояние группы",
            TransactionState => "состояние транзакции",
            Instrument => "чем измерено отставание",
            Focus => "что выделить",
            Topic => "топик этого сценария",
            Client => "клиент этого сценария",
            Variable => "переменная строки lanes",
            Lane => "дорожка строки lanes",
            Language => "язык",
            Row => "строка требований",
            Run => "запись прогона Kafka",
            QuestionKind => "вид вопроса",
        }
    }
    fn english(self) -> &'static str {
        use WordKind::*;
        match self {
            HeadWord => "a line of the scenario's head",
            Command => "a command",
            BeatWord => "a line of a beat",
            Fact => "a fact for expect",
            Condition => "a condition for until",
            EventKind => "a kind of event",
            EventField => "a field of this event",
            ClusterWord => "an option of the cluster line",
            ServerSetting => "a broker setting of Kafka",
            TopicSetting => "a topic setting",
            BrokerSetting => "a dynamic broker setting",
            ProducerSetting => "a producer setting",
            ConsumerSetting => "a consumer setting",
            Option => "an option of this command",
            Switch => "a historic switch",
            SwitchValue => "a value of the switch",
            Group => "a group",
            View => "a view",
            ErrorName => "the name of a Kafka error",
            ProcessState => "a state of a process",
            Role => "a role",
            Election => "a kind of election",
            ConfigTarget => "topic or broker",
            Lookup => "what to look up",
            Isolation => "an isolation level",
            Place => "a boundary or a word for where to go",
            GroupCall => "a request to a group's coordinator",
            GroupState => "a state of a group",
            TransactionState => "a state of a transaction",
            Instrument => "an instrument that tells a lag",
            Focus => "what to stress",
            Topic => "a topic of this scenario",
            Client => "a client of this scenario",
            Variable => "the variable of the lanes line",
            Lane => "a lane of the lanes line",
            Language => "a language",
            Row => "a row of the requirements",
            Run => "a recorded run of Kafka",
            QuestionKind => "a kind of question",
        }
    }
}

impl Wanted {
    fn russian(self) -> &'static str {
        use Wanted::*;
        match self {
            Id => "имя из латинских букв, цифр и дефисов",
            Name => "имя",
            Text => "текст",
            Broker => "номер брокера от 0 до 63",
            Brokers => "список брокеров, например [1,2,3]",
            Partition => "партиция, например orders-0",
            Node => "номер брокера, controller или имя клиента",
            Link => "связь, например 1->2, 1<->2 или 1->controller",
            Record => "запись: значение в кавычках",
            Value => "значение в кавычках или none",
            Boundary => "граница: целое число от 0",
            Number => "целое число от 0",
            Time => "время, например 500ms или 9s",
            YesNo => "yes или no",
            Equals => "знак = и значение после пробела",
            Setting => "настройка вида имя=значение",
            GroupId => "настройка group.id=имя",
            Position => "следующая позиция, например orders-0=5",
            Difference => "целое число, может быть меньше 0, или none",
            Stamp => "время записи от начала сцены, не 0, например @5s или @-3h",
            Boundaries => "граница, ниже которой диск сохранил записи, например orders-0<2",
            Lane => "дорожка, например acks=all",
            Command => "команда",
            Lanes => "переменная и её значения, например acks=0,1,all",
            BrokerIds => "номера брокеров через запятую, например 1,2,3",
            Language => "язык и двоеточие перед текстом: «ru:» или «en:»",
        }
    }
    fn english(self) -> &'static str {
        use Wanted::*;
        match self {
            Id => "a name of Latin letters, digits and hyphens",
            Name => "a name",
            Text => "a text",
            Broker => "a broker's id from 0 to 63",
            Brokers => "a list of brokers, e.g. [1,2,3]",
            Partition => "a partition, e.g. orders-0",
            Node => "a broker's id, controller, or a client's name",
            Link => "a link, e.g. 1->2, 1<->2 or 1->controller",
            Record => "a record: its value in quotes",
            Value => "a value in quotes, or none",
            Boundary => "a boundary: a whole number from 0",
            Number => "a whole number from 0",
            Time => "a time, e.g. 500ms or 9s",
            YesNo => "yes or no",
            Equals => "the sign = and, after a space, a value",
            Setting => "a setting as name=value",
            GroupId => "the setting group.id=name",
            Position => "a next position, e.g. orders-0=5",
            Difference => "a whole number, which may be below 0, or none",
            Stamp => "a record's time from the start of the scene, not 0, e.g. @5s or @-3h",
            Boundaries => "the boundary below which the disk kept records, e.g. orders-0<2",
            Lane => "a lane, e.g. acks=all",
            Command => "a command",
            Lanes => "a variable and its values, e.g. acks=0,1,all",
            BrokerIds => "ids of brokers with commas between, e.g. 1,2,3",
            Language => "the language with a colon in front of the text: “ru:” or “en:”",
        }
    }
}

impl Place {
    fn russian(self) -> &'static str {
        match self {
            Place::Head => "в заголовке сценария",
            Place::Setup => "в блоке setup",
            Place::Beat => "в шаге (beat)",
            Place::Scenario => "в сценарии",
            Place::Question => "в вопросе (predict)",
        }
    }
    fn english(self) -> &'static str {
        match self {
            Place::Head => "in the scenario's head",
            Place::Setup => "in the setup block",
            Place::Beat => "in a beat",
            Place::Scenario => "in the scenario",
            Place::Question => "in the question (predict)",
        }
    }
}

impl Problem {
    /// The sentence in Russian.
    pub fn russian(&self) -> String {
        match self {
            Problem::UnknownWord {
                kind,
                found,
                nearest,
                valid,
            } => {
                let what = kind.russian();
                let mut text = format!("«{}»: здесь нужно другое — {what}.", quoted(found));
                text += &hint(found, nearest.as_deref(), Foreign::russian);
                if let Some(word) = nearest {
                    text += &format!(" Ближайшее слово: {word}.");
                }
                if !valid.is_empty() {
                    text += &format!(" Можно: {}.", valid.join(", "));
                }
                text
            }
            Problem::Expected { what, found } => match found {
                Some(found) => format!(
                    "Здесь нужно: {}. Стоит: «{}».{}",
                    what.russian(),
                    quoted(found),
                    hint(found, None, Foreign::russian)
                ),
                None => format!("Строка кончилась, а нужно ещё: {}.", what.russian()),
            },
            Problem::TooMuch { found } => {
                format!("Строка уже закончена, «{}» здесь лишнее.", quoted(found))
            }
            Problem::Misplaced { word, place } => {
                format!("Строка {word} не может стоять {}.", place.russian())
            }
            Problem::Missing { word, place } => {
                format!("Нет строки {word} {}.", place.russian())
            }
            Problem::Twice { word } => format!("Второй раз: {}.", quoted(word)),
            Problem::Unclosed { sign } => format!("Не закрыто: нужен знак {sign}."),
            Problem::BadValue {
                setting,
                value,
                expected,
            } => format!(
                "{setting} не принимает «{}». Нужно: {expected}.{}",
                quoted(value),
                hint(value, None, Foreign::russian)
            ),
            Problem::TooLarge { found, most } => {
                format!("Слишком много: {}. Не больше {most}.", quoted(found))
            }
            Problem::UnusedVariable { variable } => format!(
                "Дорожки ничем не различаются: ни одна команда не содержит ${variable}, ни одна строка не начинается с «in {variable}=»."
            ),
            Problem::Contradiction { word } => format!("{word}: по key это и есть верный ответ."),
            Problem::NotUtf8 => "Эти байты не в кодировке UTF-8. Сохраните файл в UTF-8.".into(),
            Problem::TooBig => "Файл больше 1 МБ: таких больших сценариев не бывает. Проверьте, тот ли это файл.".into(),
            Problem::TooManyFaults => "Ошибки уже в 50 строках, дальше файл не прочитан. Исправьте их и повторите.".into(),
            Problem::Empty => "Файл пуст. Первая строка сценария: «scenario имя».".into(),
            Problem::Follows => "Следствие ошибки выше.".into(),
            Problem::IdempotenceConflict => {
                "enable.idempotence=true требует acks=all, retries больше 0 и не больше 5 запросов в пути.".into()
            }
            Problem::ToolRefuses { text } => {
                format!("Так kafka-consumer-groups не запускают: {text}")
            }
            Problem::OtherKind {
                client,
                is,
                line,
                needs,
            } => format!(
                "{client} — {} (строка {line}), а здесь нужен {}.",
                is.russian(),
                needs.russian()
            ),
            Problem::NoTransactionalId { client, line } => format!(
                "У {client} нет transactional.id: такой продюсер не ведёт транзакций. Допишите transactional.id=имя в строке {line}, «producer {client}»."
            ),
            Problem::NoSuchBroker { broker, brokers } => {
                format!("Брокера {broker} в кластере нет. Есть: {brokers}.")
            }
            Problem::NoSuchPartition {
                partition,
                partitions,
            } => format!("Партиции {} нет. Партиций в топике: {partitions}, счёт с 0.", quoted(partition)),
        }
    }

    /// The sentence in English.
    pub fn english(&self) -> String {
        match self {
            Problem::UnknownWord {
                kind,
                found,
                nearest,
                valid,
            } => {
                let mut text = format!("“{}” is not {}.", quoted(found), kind.english());
                text += &hint(found, nearest.as_deref(), Foreign::english);
                if let Some(word) = nearest {
                    text += &format!(" The nearest valid word is {word}.");
                }
                if !valid.is_empty() {
                    text += &format!(" Valid: {}.", valid.join(", "));
                }
                text
            }
            Problem::Expected { what, found } => match found {
                Some(found) => format!(
                    "Expected {}, found “{}”.{}",
                    what.english(),
                    quoted(found),
                    hint(found, None, Foreign::english)
                ),
                None => format!("The line ends, but needs {}.", what.english()),
            },
            Problem::TooMuch { found } => {
                format!("The line is complete; “{}” is too much.", quoted(found))
            }
            Problem::Misplaced { word, place } => {
                format!("A {word} line cannot stand {}.", place.english())
            }
            Problem::Missing { word, place } => {
                format!("There is no {word} line {}.", place.english())
            }
            Problem::Twice { word } => format!("Said a second time: {}.", quoted(word)),
            Problem::Unclosed { sign } => format!("Not closed: the sign {sign} is missing."),
            Problem::BadValue {
                setting,
                value,
                expected,
            } => format!(
                "{setting} does not take “{}”. Expected {expected}.{}",
                quoted(value),
                hint(value, None, Foreign::english)
            ),
            Problem::TooLarge { found, most } => {
                format!("{} is too much: at most {most}.", quoted(found))
            }
            Problem::UnusedVariable { variable } => format!(
                "The lanes differ in nothing: no command has ${variable}, and no line begins with “in {variable}=”."
            ),
            Problem::Contradiction { word } => format!("{word}: by its key this is the right answer."),
            Problem::NotUtf8 => "These bytes are not UTF-8. Save the file as UTF-8.".into(),
            Problem::TooBig => "The file is larger than 1 MB, which no scenario is. Is it the right file?".into(),
            Problem::TooManyFaults => "50 lines have faults; the rest of the file was not read. Mend these and try again.".into(),
            Problem::Empty => "The file is empty. A scenario begins with “scenario name”.".into(),
            Problem::Follows => "This follows from an error above.".into(),
            Problem::IdempotenceConflict => {
                "enable.idempotence=true needs acks=all, retries above 0 and at most 5 requests in flight."
                    .into()
            }
            Problem::ToolRefuses { text } => {
                format!("kafka-consumer-groups does not take this: {text}")
            }
            Problem::OtherKind {
                client,
                is,
                line,
                needs,
            } => format!(
                "{client} is {} (line {line}); this line needs {}.",
                is.english(),
                needs.english()
            ),
            Problem::NoTransactionalId { client, line } => format!(
                "{client} has no transactional.id, so it has no transactions. Add transactional.id=name in line {line}, “producer {client}”."
            ),
            Problem::NoSuchBroker { broker, brokers } => {
                format!("The cluster has no broker {broker}. It has {brokers}.")
            }
            Problem::NoSuchPartition {
                partition,
                partitions,
            } => format!(
                "There is no {}. Partitions of the topic: {partitions}, counted from 0.",
                quoted(partition)
            ),
        }
    }
}

impl ScriptError {
    /// Place and sentence in Russian.
    pub fn russian(&self) -> String {
        format!(
            "строка {}, столбец {}: {}",
            self.line,
            self.column,
            self.problem.russian()
        )
    }
    /// Place and sentence in English.
    pub fn english(&self) -> String {
        format!(
            "line {}, column {}: {}",
            self.line,
            self.column,
            self.problem.english()
        )
    }
}

/// What character of the word is not what it looks like, if one is.
fn hint(word: &str, meant: Option<&str>, tell: fn(Foreign) -> String) -> String {
    foreign(word, meant).map_or_else(String::new, tell)
}

/// The sentences for a terminal, the first of them only.
pub fn told(errors: &[ScriptError]) -> Vec<String> {
    const MOST: usize = 20;
    let mut lines: Vec<String> = errors.iter().take(MOST).map(ToString::to_string).collect();
    let stopped = errors.last().map(|e| &e.problem) == Some(&Problem::TooManyFaults);
    if stopped && errors.len() > MOST {
        lines.push("and more".into());
    } else if errors.len() > MOST {
        lines.push(format!("and {} more", errors.len() - MOST));
    }
    lines
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english())
    }
}
impl std::error::Error for ScriptError {}
