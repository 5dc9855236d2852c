//! The glossary: each term in one sentence, with the rule behind it, and how to find it in a
//! sentence of the page.

use super::Lang;

/// A term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in addresses and attributes.
    pub id: &'static str,
    /// The term, in Russian and in English.
    term: [&'static str; 2],
    /// What it is, in one sentence.
    said: [&'static str; 2],
    /// How words that mean it begin, in small letters; several, by a bar.
    begins: [&'static str; 2],
    /// The rule of the project's rule sheet (or the setting) that decides it.
    pub rule: &'static str,
}

impl Entry {
    /// The term.
    pub fn term(&self, lang: Lang) -> &'static str {
        self.term[lang as usize]
    }

    /// What it is.
    pub fn said(&self, lang: Lang) -> &'static str {
        self.said[lang as usize]
    }
}

/// Every term, in the order in which one leads to the next.
pub const ENTRIES: [Entry; 32] = [
    Entry {
        id: "offset",
        term: ["offset (номер записи)", "offset"],
        said: [
            "Номер записи в партиции: лидер даёт их подряд; удаление и компакция номеров не меняют, а срезанный номер достанется другой записи.",
            "The number of a record in its partition: the leader hands them out one after another; deletion and compaction change none, a truncated number goes to another record.",
        ],
        begins: ["offset|номер", "offset"],
        rule: "R-OFF-1",
    },
    Entry {
        id: "boundary",
        term: ["граница", "boundary"],
        said: [
            "Место между записями: граница 6 стоит после записи 5 и перед записью 6, поэтому HW, LEO и коммит — границы, а не записи.",
            "A place between records: boundary 6 lies after record 5 and before record 6, so HW, LEO and a commit are boundaries, not records.",
        ],
        begins: ["границ", "boundar"],
        rule: "R-HW-1",
    },
    Entry {
        id: "log-start",
        term: ["начало лога", "log start"],
        said: [
            "Граница перед самой старой записью, которую ещё можно прочитать; её двигают удаление по сроку, по размеру и `DeleteRecords`.",
            "The boundary in front of the oldest record that can still be read; retention and `DeleteRecords` move it.",
        ],
        begins: ["начало лога|начала лога|началу лога", "log start"],
        rule: "R-DEL-1",
    },
    Entry {
        id: "leo",
        term: ["LEO, конец лога", "LEO, log end"],
        said: [
            "Граница после последней записи копии: сюда встанет следующая. У каждой копии свой LEO.",
            "The boundary after a replica’s last record, where the next one goes. Each replica has its own.",
        ],
        begins: ["leo", "leo|log end"],
        rule: "R-OFF-1",
    },
    Entry {
        id: "hw",
        term: ["HW, high watermark", "HW, high watermark"],
        said: [
            "Граница, до которой записи есть у всех копий, которых ждёт лидер: ниже неё потребители читают, выше — нет.",
            "The boundary up to which every replica the leader waits for has the records: consumers read below it, not above.",
        ],
        begins: ["hw|watermark", "hw|watermark|high watermark"],
        rule: "R-HW-10",
    },
    Entry {
        id: "lso",
        term: [
            "LSO, последняя стабильная граница",
            "LSO, last stable offset",
        ],
        said: [
            "Граница перед первой записью ещё не решённой транзакции (или HW, если таких нет): `read_committed` читает до неё.",
            "The boundary in front of the first record of an undecided transaction (or HW, if there is none): `read_committed` reads up to it.",
        ],
        begins: ["lso", "lso|last stable"],
        rule: "R-LSO-1",
    },
    Entry {
        id: "leader",
        term: ["лидер", "leader"],
        said: [
            "Копия партиции, через которую идут все записи; её назначает контроллер.",
            "The replica through which all writes go; the controller appoints it.",
        ],
        begins: ["лидер", "leader"],
        rule: "R-EPO-1",
    },
    Entry {
        id: "follower",
        term: ["реплика", "follower"],
        said: [
            "Копия, которая сама запрашивает записи у лидера; лидер никому ничего не рассылает.",
            "A replica that asks the leader for records; the leader pushes nothing.",
        ],
        begins: ["реплик", "follower"],
        rule: "R-REP-1",
    },
    Entry {
        id: "fetch",
        term: ["запрос Fetch", "fetch"],
        said: [
            "Запрос «дай записи с такой границы»: так читают и потребители, и реплики, а по запросам реплик лидер узнаёт, что у них есть.",
            "The request “records from this boundary on”: consumers and followers both use it, and from a follower’s fetches the leader learns what it has.",
        ],
        begins: ["fetch|запрашива|запроси", "fetch"],
        rule: "R-LDR-1",
    },
    Entry {
        id: "epoch",
        term: ["эпоха лидера", "leader epoch"],
        said: [
            "Номер срока лидера: растёт с каждым новым лидером, стоит в каждой записи и показывает, где логи копий разошлись.",
            "The number of a leader’s term: it grows with every new leader, stands in each record and tells where logs of replicas diverge.",
        ],
        begins: ["эпох", "epoch|leader epoch"],
        rule: "R-EPC-1",
    },
    Entry {
        id: "isr",
        term: ["ISR", "ISR, in-sync replicas"],
        said: [
            "Список копий, которые не отстают от лидера больше чем на `replica.lag.time.max.ms`: HW ждёт их всех.",
            "The list of replicas that are not behind the leader by more than `replica.lag.time.max.ms`: HW waits for all of them.",
        ],
        begins: ["isr", "isr|in-sync"],
        rule: "R-ISR-1",
    },
    Entry {
        id: "elr",
        term: ["ELR", "ELR, eligible leader replicas"],
        said: [
            "Копии, которые вышли из ISR, но точно имеют всё ниже HW: из них можно выбрать лидера без потерь.",
            "Replicas that left the ISR and are known to have all below HW: one of them can lead without a loss.",
        ],
        begins: ["elr", "elr|eligible"],
        rule: "R-ELR-1",
    },
    Entry {
        id: "min-isr",
        term: ["min.insync.replicas", "min.insync.replicas"],
        said: [
            "Наименьший ISR, при котором лидер принимает запись с `acks=all` и двигает HW.",
            "The smallest ISR with which the leader accepts a write with `acks=all` and moves HW.",
        ],
        begins: ["min.insync", "min.insync"],
        rule: "R-HW-13",
    },
    Entry {
        id: "acks",
        term: ["acks", "acks"],
        said: [
            "Чего ждёт продюсер: 0 — ничего, 1 — записи у лидера, `all` — пока HW не пройдёт запись.",
            "What the producer waits for: 0, nothing; 1, the leader’s own append; `all`, the HW passing the record.",
        ],
        begins: ["acks", "acks"],
        rule: "R-ACK-4",
    },
    Entry {
        id: "controller",
        term: ["контроллер", "controller"],
        said: [
            "Ведёт список живых брокеров, назначает лидеров и утверждает ISR; в сами логи он не смотрит.",
            "Keeps the list of live brokers, appoints leaders and approves the ISR; it never looks into the logs.",
        ],
        begins: ["контроллер", "controller"],
        rule: "R-ELE-1",
    },
    Entry {
        id: "fenced",
        term: ["отстранён (fenced)", "fenced"],
        said: [
            "Брокер, который контроллер не считает живым: heartbeat не было дольше времени сессии, или брокер только что запущен. Лидером и в ISR он быть не может.",
            "A broker the controller does not count as live: no heartbeat for a whole session, or it has only just started. It can neither lead nor be in an ISR.",
        ],
        begins: ["отстран|fenced", "fenced|fence"],
        rule: "R-FEN-1",
    },
    Entry {
        id: "unclean",
        term: ["unclean-выборы", "unclean election"],
        said: [
            "Лидером становится копия, в которой может не быть подтверждённых записей: партиция оживает, записи теряются.",
            "A replica that may lack confirmed records becomes leader: the partition is back, records are lost.",
        ],
        begins: ["unclean", "unclean"],
        rule: "R-ELE-3",
    },
    Entry {
        id: "truncate",
        term: ["срезать лог", "truncate"],
        said: [
            "Реплика убирает конец своего лога, который разошёлся с логом нового лидера, и читает его заново.",
            "A follower removes the end of its log that diverges from the new leader’s, and fetches it anew.",
        ],
        begins: ["среза|срез|обреза", "truncat"],
        rule: "R-TRU-1",
    },
    Entry {
        id: "idempotence",
        term: ["идемпотентный продюсер", "idempotent producer"],
        said: [
            "Продюсер, который нумерует пакеты: повтор того же пакета лидер узнаёт и не пишет второй раз.",
            "A producer that numbers its batches: the leader recognises a repeat and does not append it again.",
        ],
        begins: ["идемпотент", "idempoten"],
        rule: "R-IDM-1",
    },
    Entry {
        id: "group",
        term: ["группа", "consumer group"],
        said: [
            "Потребители с одним `group.id`: партиции делятся между ними, а коммиты у них общие.",
            "Consumers with one `group.id`: they share out the partitions and share their commits.",
        ],
        begins: ["групп", "group"],
        rule: "R-GRP-1",
    },
    Entry {
        id: "coordinator",
        term: ["координатор группы", "group coordinator"],
        said: [
            "Брокер, который ведёт партицию `__consumer_offsets` этой группы: хранит её состав и коммиты.",
            "The broker that leads the group’s partition of `__consumer_offsets`: it keeps its members and commits.",
        ],
        begins: ["координатор", "coordinator"],
        rule: "R-GRP-1",
    },
    Entry {
        id: "position",
        term: ["позиция чтения", "position"],
        said: [
            "Граница перед записью, которую вернёт следующий `poll()`; она живёт в памяти процесса.",
            "The boundary in front of the record that the next `poll()` returns; it lives in the process’s memory.",
        ],
        begins: ["позици|position", "position"],
        rule: "R-CON-1",
    },
    Entry {
        id: "processed",
        term: ["обработано", "processed"],
        said: [
            "Граница, до которой приложение сделало своё дело; Kafka о ней не знает.",
            "The boundary up to which the application has done its work; Kafka does not know it.",
        ],
        begins: ["обработан|processed", "processed"],
        rule: "R-COM-4",
    },
    Entry {
        id: "commit",
        term: ["коммит, сохранённая позиция", "committed offset"],
        said: [
            "Граница, с которой группа продолжит чтение: после коммита 5 она начнёт с записи 5.",
            "The next boundary to read, saved for a group: after commit 5 the group begins at record 5.",
        ],
        begins: ["коммит|commit|сохранён", "commit"],
        rule: "R-COM-1",
    },
    Entry {
        id: "lag",
        term: ["лаг", "lag"],
        said: [
            "Сколько номеров между двумя границами, например HW − коммит; у каждого инструмента границы свои.",
            "How many numbers lie between two boundaries, such as HW − commit; each instrument takes its own two.",
        ],
        begins: ["лаг", "lag"],
        rule: "R-LAG-1",
    },
    Entry {
        id: "rebalance",
        term: ["ребалансировка, поколение", "rebalance, generation"],
        said: [
            "Партиции делят заново, когда меняется состав группы; у каждого деления свой номер, и коммит прежнего владельца с прошлым номером не примут.",
            "Partitions are shared out again when the group changes; each sharing has a number, and a former owner’s commit with an old one is refused.",
        ],
        begins: ["ребаланс|поколени", "rebalanc|generation"],
        rule: "R-COM-6",
    },
    Entry {
        id: "reset",
        term: ["auto.offset.reset", "auto.offset.reset"],
        said: [
            "С какой границы начать, если коммита нет или он вне лога; на действующий коммит не влияет.",
            "Where to begin when there is no commit, or one outside the log; it does not touch a valid commit.",
        ],
        begins: ["auto.offset.reset", "auto.offset.reset"],
        rule: "R-RST-1",
    },
    Entry {
        id: "retention",
        term: ["удаление по сроку и размеру (retention)", "retention"],
        said: [
            "Старые сегменты лога удаляют целиком, когда они старше `retention.ms` или лог больше `retention.bytes`.",
            "Old segments of a log are deleted whole when they are older than `retention.ms` or the log is larger than `retention.bytes`.",
        ],
        begins: ["retention", "retention"],
        rule: "R-RET-4",
    },
    Entry {
        id: "compaction",
        term: ["компакция, tombstone", "compaction, tombstone"],
        said: [
            "От каждого ключа остаётся последняя запись, номера остальных пропадают; tombstone — запись без значения — убирает и ключ.",
            "Of each key the last record stays, the numbers of the others are left empty; a tombstone, a record without value, removes the key too.",
        ],
        begins: ["компакци|tombstone", "compact|tombstone"],
        rule: "R-CMP-3",
    },
    Entry {
        id: "transaction",
        term: ["транзакция", "transaction"],
        said: [
            "Записи нескольких партиций, которые станут видны все или ни одна — для читающих с `read_committed`.",
            "Records of several partitions that become visible all or none, to those who read with `read_committed`.",
        ],
        begins: ["транзакци", "transaction"],
        rule: "R-ISO-1",
    },
    Entry {
        id: "marker",
        term: ["маркер транзакции", "transaction marker"],
        said: [
            "Служебная запись COMMIT или ABORT в конце транзакции: занимает номер, но потребителю не выдаётся.",
            "The control record COMMIT or ABORT at a transaction’s end: it takes a number and is never given to a consumer.",
        ],
        begins: ["маркер", "marker"],
        rule: "R-OFF-3",
    },
    Entry {
        id: "isolation",
        term: ["isolation.level", "isolation.level"],
        said: [
            "`read_uncommitted` читает до HW, `read_committed` — до LSO и без отменённых транзакций.",
            "`read_uncommitted` reads up to HW, `read_committed` up to LSO and without aborted transactions.",
        ],
        begins: [
            "isolation|read_committed|read_uncommitted",
            "isolation|read_committed|read_uncommitted",
        ],
        rule: "R-ISO-1",
    },
];

/// The entry of this id.
pub fn entry(id: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|e| e.id == id)
}

/// A piece of a sentence; with the term that it stands for, if it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The text.
    pub text: &'a str,
    /// The term.
    pub entry: Option<&'static Entry>,
}

/// Takes a sentence apart at the terms in it. Each term counts once: those in `seen` no more.
pub fn pieces<'a>(lang: Lang, text: &'a str, seen: &mut Vec<&'static str>) -> Vec<Piece<'a>> {
    let mut all = vec![];
    let (mut rest, mut at) = (text, 0);
    while let Some(word) = next_word(rest, at) {
        let found = find(lang, &rest[word.0..]).filter(|(e, _)| !seen.contains(&e.id));
        let Some((entry, length)) = found else {
            at = word.1;
            continue;
        };
        let end = (word.0 + length).max(word.1);
        if word.0 > 0 {
            all.push(Piece {
                text: &rest[..word.0],
                entry: None,
            });
        }
        seen.push(entry.id);
        all.push(Piece {
            text: &rest[word.0..end],
            entry: Some(entry),
        });
        (rest, at) = (&rest[end..], 0);
    }
    if !rest.is_empty() {
        all.push(Piece {
            text: rest,
            entry: None,
        });
    }
    all
}

/// Where the next word at or behind a place begins and ends (bytes).
fn next_word(text: &str, from: usize) -> Option<(usize, usize)> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let start = from + text.get(from..)?.find(inside)?;
    let length = text[start..]
        .find(|c| !inside(c))
        .unwrap_or(text.len() - start);
    let word = text[start..start + length].trim_end_matches(['.', '-']);
    Some((start, start + word.len().max(1)))
}

/// The term with which a text begins, and how long its words are there (bytes).
fn find(lang: Lang, text: &str) -> Option<(&'static Entry, usize)> {
    let mut best: Option<(&Entry, usize)> = None;
    for entry in &ENTRIES {
        for begins in entry.begins[lang as usize]
            .split('|')
            .filter(|b| !b.is_empty())
        {
            let fits = begins_with(text, begins);
            if fits && best.is_none_or(|(_, length)| begins.len() > length) {
                best = Some((entry, begins.len()));
            }
        }
    }
    // A phrase of two words ends with the second one.
    best.map(|(entry, length)| {
        let tail = &text[length..];
        let more = tail
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(tail.len());
        (entry, length + more)
    })
}

/// Whether a text begins so, whatever the size of its letters. Short Latin words must be whole:
/// «lag» is no part of «lagoon».
fn begins_with(text: &str, begins: &str) -> bool {
    let mut of = text.chars().flat_map(char::to_lowercase);
    let same = begins.chars().all(|c| of.next() == Some(c));
    let whole = begins.len() <= 4 && begins.is_ascii();
    same && (!whole || of.next().is_none_or(|c| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lang: Lang, text: &str) -> Vec<(String, &'static str)> {
        let pieces = pieces(lang, text, &mut vec![]);
        let all: String = pieces.iter().map(|p| p.text).collect();
        assert_eq!(all, text);
        let terms = pieces
            .iter()
            .filter_map(|p| Some((p.text.into(), p.entry?.id)));
        terms.collect()
    }

    #[test]
    fn terms_are_found_in_any_form_and_once() {
        let ru = found(
            Lang::Ru,
            "Лидера 2 выбрал контроллер; эпоха 0 → 1, HW 3, а HW 4 позже.",
        );
        let ids: Vec<_> = ru.iter().map(|(text, id)| (text.as_str(), *id)).collect();
        assert_eq!(
            ids,
            [
                ("Лидера", "leader"),
                ("контроллер", "controller"),
                ("эпоха", "epoch"),
                ("HW", "hw")
            ]
        );
        let en = found(
            Lang::En,
            "The high watermark is min(7, 6): the leader epoch stays. Lagoons commit.",
        );
        let ids: Vec<_> = en.iter().map(|(text, id)| (text.as_str(), *id)).collect();
        assert_eq!(
            ids,
            [
                ("high watermark", "hw"),
                ("leader epoch", "epoch"),
                ("commit", "commit")
            ]
        );
    }

    #[test]
    fn every_term_is_one_sentence_in_each_language_with_its_rule() {
        let mut ids = vec![];
        for e in &ENTRIES {
            assert!(!ids.contains(&e.id), "{}", e.id);
            ids.push(e.id);
            assert!(!e.rule.is_empty());
            for lang in Lang::ALL {
                let said = e.said(lang);
                assert!(said.ends_with('.') && said.len() > 40, "{said}");
                assert_eq!(said.matches('`').count() % 2, 0, "{said}");
            }
        }
    }
}
