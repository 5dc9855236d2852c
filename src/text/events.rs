//! What happened: a sentence for each kind of event, past tense.

use super::Lang;
use super::number::{
    brokers, counted_records, named_brokers, named_records, partitions, partitions_of, records,
    set, they_have, time,
};
use super::phrase::phrases;
use crate::kafka::error::KafkaError;
use crate::kafka::ids::*;

phrases! {
    /// A process was started.
    fn started(broker: BrokerId) { ru: "Брокер {broker} запущен."; en: "Broker {broker} was started."; }
    /// A process was killed.
    fn power_lost(broker: BrokerId) { ru: "Брокер {broker} остался без питания: уцелело только то, что успело на диск."; en: "Broker {broker} lost power: only what had reached its disk is left."; }
    /// A broker crashed.
    fn killed(broker: BrokerId) { ru: "Брокер {broker} упал: его процесс убит."; en: "Broker {broker} crashed: its process was killed."; }
    /// A process ended cleanly.
    fn stopped(broker: BrokerId) { ru: "Брокер {broker} остановлен штатно."; en: "Broker {broker} shut down cleanly."; }
    /// A broker was told to stop.
    fn shutdown_asked(broker: BrokerId) { ru: "Брокеру {broker} дали команду остановиться."; en: "Broker {broker} was asked to shut down."; }
    /// A process stands still.
    fn frozen(broker: BrokerId) { ru: "Брокер {broker} завис: процесс стоит, но не убит."; en: "Broker {broker} froze: its process stands still, but was not killed."; }
    /// It runs again.
    fn thawed(broker: BrokerId) { ru: "Брокер {broker} снова работает."; en: "Broker {broker} resumed."; }
    /// An empty disk.
    fn disk_replaced(broker: BrokerId) { ru: "Брокер {broker} получил пустой диск."; en: "Broker {broker} got an empty disk."; }
    /// One way is cut.
    fn link_cut(from: &str, to: &str) { ru: "Связь оборвана: {from} → {to}."; en: "The link is cut: {from} → {to}."; }
    /// Both ways are cut.
    fn link_cut_both(from: &str, to: &str) { ru: "Связь оборвана: {from} ↔ {to}."; en: "The link is cut: {from} ↔ {to}."; }
    /// One way is back.
    fn link_healed(from: &str, to: &str) { ru: "Связь восстановлена: {from} → {to}."; en: "The link is back: {from} → {to}."; }
    /// Both ways are back.
    fn link_healed_both(from: &str, to: &str) { ru: "Связь восстановлена: {from} ↔ {to}."; en: "The link is back: {from} ↔ {to}."; }
    /// Messages take longer.
    fn link_delay(from: &str, to: &str, delay: Ms) { ru: "Сеть замедлилась ({from} → {to}): данные идут {}.", time(Lang::Ru, delay); en: "The network slowed down ({from} → {to}): data takes {}.", time(Lang::En, delay); }
    /// Messages to one party take longer.
    fn link_delay_to(to: &str, delay: Ms) { ru: "Сеть замедлилась ({to}): данные идут {}.", time(Lang::Ru, delay); en: "The network to {to} slowed down: data takes {}.", time(Lang::En, delay); }
    /// The same to a broker.
    fn link_delay_to_broker(to: BrokerId, delay: Ms) { ru: "Сеть к брокеру {to} замедлилась: данные от других брокеров идут {}.", time(Lang::Ru, delay); en: "The network to broker {to} slowed down: data from the other brokers takes {}.", time(Lang::En, delay); }
    /// They no longer do, to a broker.
    fn link_fast_to_broker(to: BrokerId) { ru: "Сеть к брокеру {to} снова быстрая."; en: "The network to broker {to} is fast again."; }
    /// They no longer do.
    fn link_fast(to: &str) { ru: "Сеть снова быстрая ({to})."; en: "The network to {to} is fast again."; }
    /// A message was lost.
    fn message_lost(what: &str, from: &str, to: &str) { ru: "Запрос `{what}` потерялся в сети: {from} → {to}."; en: "The `{what}` request was lost on its way: {from} → {to}."; }
    /// The answer to a request was lost.
    fn answer_lost(what: &str, from: &str, to: &str) { ru: "Ответ на `{what}` потерялся в сети: {from} → {to}."; en: "The answer to `{what}` was lost on its way: {from} → {to}."; }
    /// The same of an answer that has no name of its own.
    fn some_answer_lost(from: &str, to: &str) { ru: "Ответ потерялся в сети: {from} → {to}."; en: "The answer was lost on its way: {from} → {to}."; }
    /// A setting was changed.
    fn config_set(what: &str, name: &str, value: &str) { ru: "Изменена настройка ({what}): `{name}={value}`."; en: "A setting was changed ({what}): `{name}={value}`."; }
    /// A setting was taken back.
    fn config_unset(what: &str, name: &str) { ru: "Настройка возвращена к исходной ({what}): `{name}`."; en: "A setting went back to its default ({what}): `{name}`."; }
    /// An administrator's command was refused.
    fn admin_refused(what: &str, error: KafkaError) { ru: "Команда отклонена (`{what}`): `{error}`."; en: "The command was refused (`{what}`): `{error}`."; }

    /// A producer sent.
    fn produce_sent(client: &str, values: &str, broker: BrokerId, acks: &str) { ru: "Продюсер {client} отправил {values} на брокер {broker}, `acks={acks}`."; en: "Producer {client} sent {values} to broker {broker}, `acks={acks}`."; }
    /// A producer sent again.
    fn produce_again(client: &str, values: &str, broker: BrokerId, attempt: u32) { ru: "Продюсер {client} повторил {values} на брокер {broker}, попытка {attempt}."; en: "Producer {client} sent {values} again, to broker {broker}, attempt {attempt}."; }
    /// A producer has its answer.
    fn produce_confirmed(client: &str, from: Boundary, to: Boundary) { ru: "Продюсер {client} получил подтверждение: {}.", named_records(Lang::Ru, from, to); en: "Producer {client} got its confirmation: {}.", named_records(Lang::En, from, to); }
    /// acks=0: the producer goes on.
    fn produce_forgot(client: &str, values: &str) { ru: "Продюсер {client} отправил {values} и пошёл дальше: ответа нет, номер −1."; en: "Producer {client} sent {values} and went on: no answer, offset −1."; }
    /// A producer has its refusal.
    fn produce_failed(client: &str, values: &str, error: KafkaError) { ru: "Продюсер {client} получил отказ на {values}: `{error}`."; en: "Producer {client} got a refusal for {values}: `{error}`."; }
    /// An attempt failed.
    fn produce_retry(client: &str, error: KafkaError, after: Ms) { ru: "Попытка не удалась: `{error}`. Продюсер {client} повторит, `retry.backoff.ms` — {}.", time(Lang::Ru, after); en: "The attempt failed: `{error}`. Producer {client} will try again, `retry.backoff.ms` is {}.", time(Lang::En, after); }
    /// An attempt failed, and the new leader is known already.
    fn produce_redirected(client: &str, error: KafkaError) { ru: "Попытка не удалась: `{error}`. Новый лидер уже известен, и продюсер {client} повторит, не дожидаясь `retry.backoff.ms`."; en: "The attempt failed: `{error}`. The new leader is already known: producer {client} will try again without waiting for `retry.backoff.ms`."; }
    /// A producer still has no answer.
    fn produce_unanswered(client: &str, hw: Boundary, until: Boundary) { ru: "Продюсер {client} ответа не получил: HW осталась на {hw}, а нужно {until}."; en: "Producer {client} got no answer: HW stayed at {hw}, but has to reach {until}."; }
    /// A client learned who leads.
    fn metadata_leader(client: &str, from: BrokerId, leader: BrokerId, epoch: Epoch) { ru: "Клиент {client} узнал от брокера {from}: лидер — брокер {leader}, эпоха {epoch}."; en: "Client {client} learned from broker {from}: the leader is broker {leader}, epoch {epoch}."; }
    /// A client learned that nobody leads.
    fn metadata_no_leader(client: &str, from: BrokerId) { ru: "Клиент {client} узнал от брокера {from}: лидера нет."; en: "Client {client} learned from broker {from}: there is no leader."; }
    /// A consumer got records.
    fn consumed(client: &str, broker: BrokerId, from: Boundary, to: Boundary) { ru: "Потребитель {client} прочитал {} с брокера {broker}; его позиция теперь {to}.", named_records(Lang::Ru, from, to); en: "Consumer {client} read {} from broker {broker}; its position is now {to}.", named_records(Lang::En, from, to); }
    /// A poll ended without records.
    fn poll_leaderless(client: &str, at: Boundary) { ru: "`poll` потребителя {client} ничего не вернул: у партиции нет лидера; позиция осталась {at}."; en: "The `poll` of consumer {client} returned nothing: the partition has no leader; its position is still {at}."; }
    /// A poll without records.
    fn poll_empty(client: &str, at: Boundary) { ru: "`poll()` потребителя {client} с позиции {at} вернул 0 записей."; en: "`poll()` of consumer {client} from position {at} returned 0 records."; }
    /// A consumer was refused.
    fn consume_refused(client: &str, at: Boundary, error: KafkaError) { ru: "Потребитель {client} спросил с позиции {at} и получил `{error}`."; en: "Consumer {client} asked from position {at} and got `{error}`."; }
    /// A position was set anew.
    fn position_reset(client: &str, to: Boundary) { ru: "Потребитель {client} встал на позицию {to}."; en: "Consumer {client} moved to position {to}."; }

    /// The leader appended.
    fn appended(broker: BrokerId, from: Boundary, to: Boundary, values: &str) { ru: "Лидер, брокер {broker}, дописал {}: {values}.", named_records(Lang::Ru, from, to); en: "The leader, broker {broker}, appended {}: {values}.", named_records(Lang::En, from, to); }
    /// A repeated batch.
    fn duplicate(broker: BrokerId, at: Offset) { ru: "Брокер {broker} узнал повтор: это запись {at}, она у него уже есть. Второй раз не дописал."; en: "Broker {broker} recognised a repeat: this is record {at}, which it already has. Nothing was appended."; }
    /// A produce waits in the leader.
    fn produce_waits(broker: BrokerId, until: Boundary) { ru: "Брокер {broker} отложил ответ продюсеру, пока HW не дойдёт до {until}."; en: "Broker {broker} held back its answer until HW reaches {until}."; }
    /// The leader answered.
    fn answered(broker: BrokerId, at: Offset) { ru: "Брокер {broker} ответил продюсеру: принято, номер {at}."; en: "Broker {broker} answered the producer: accepted, offset {at}."; }
    /// The leader refused.
    fn refused(broker: BrokerId, error: KafkaError) { ru: "Брокер {broker} отказал: `{error}`."; en: "Broker {broker} refused: `{error}`."; }
    /// A fetch told the leader what the follower has.
    fn fetch_told(follower: BrokerId, at: Boundary, numbers: &str) { ru: "Брокер {follower} запросил данные с границы {at}: {} у него уже есть.", counted_records(Lang::Ru, numbers); en: "Broker {follower} fetched from boundary {at}: it already has {}.", counted_records(Lang::En, numbers); }
    /// A fetch from an empty log.
    fn fetch_first(follower: BrokerId, at: Boundary) { ru: "Брокер {follower} запросил данные с границы {at}: его лог пуст."; en: "Broker {follower} fetched from boundary {at}: its log is empty."; }
    /// A fetch was sent.
    fn fetch_sent(follower: BrokerId, leader: BrokerId, at: Boundary) { ru: "Брокер {follower} запросил у брокера {leader} данные с границы {at}."; en: "Broker {follower} asked broker {leader} for data from boundary {at}."; }
    /// Fetches to a broker that does not answer.
    fn fetch_in_vain(followers: BrokerSet, leader: BrokerId) { ru: "Реплики ({}) ждали ответа брокера {leader} и не дождались.", brokers(Lang::Ru, followers.iter()); en: "Followers ({}) waited for an answer from broker {leader}, which did not come.", brokers(Lang::En, followers.iter()); }
    /// The leader said where the logs diverge.
    fn divergence(leader: BrokerId, follower: BrokerId, epoch: Epoch, end: Boundary) { ru: "Брокер {leader} ответил брокеру {follower}: логи расходятся, эпоха {epoch} кончается на границе {end}."; en: "Broker {leader} told broker {follower} that the logs diverge: epoch {epoch} ends at boundary {end}."; }
    /// A fetch was refused.
    fn fetch_refused(broker: BrokerId, asker: &str, at: Boundary, error: KafkaError) { ru: "Брокер {broker} не дал данных с границы {at} ({asker}): `{error}`."; en: "Broker {broker} gave no data from boundary {at} ({asker}): `{error}`."; }
    /// The leader's HW moved.
    fn hw_moved(broker: BrokerId, from: Boundary, to: Boundary) { ru: "HW на лидере, брокере {broker}, сдвинулась: {from} → {to}."; en: "HW on the leader, broker {broker}, moved: {from} → {to}."; }
    /// It is held.
    fn hw_held(at: Boundary, isr: u32, min_isr: u32) { ru: "HW осталась на {at}: в ISR {isr}, а нужно {min_isr}."; en: "HW stayed at {at}: {isr} in the ISR, {min_isr} needed."; }
    /// A leader asks to let a replica in.
    fn expand_asked(leader: BrokerId, broker: BrokerId) { ru: "Брокер {leader} попросил контроллер вернуть брокер {broker} в ISR."; en: "Broker {leader} asked the controller to take broker {broker} into the ISR."; }
    /// A leader asks to take replicas out.
    fn shrink_asked(leader: BrokerId, out: BrokerSet) { ru: "Брокер {leader} попросил контроллер убрать {} из ISR.", named_brokers(Lang::Ru, out); en: "Broker {leader} asked the controller to take {} out of the ISR.", named_brokers(Lang::En, out); }
    /// The controller refused.
    fn isr_refused(leader: BrokerId, error: KafkaError) { ru: "Контроллер отказал брокеру {leader} в смене ISR: `{error}`."; en: "The controller refused broker {leader} the change of the ISR: `{error}`."; }
    /// The leader learned the ISR.
    fn isr_learned(leader: BrokerId, isr: BrokerSet) { ru: "Брокер {leader} узнал новый ISR: {}.", set(isr); en: "Broker {leader} learned the new ISR: {}.", set(isr); }
    /// Records were deleted.
    fn log_start_moved(broker: BrokerId, to: Boundary) { ru: "Брокер {broker} удалил записи ниже границы {to}."; en: "Broker {broker} deleted the records below boundary {to}."; }

    /// A follower appended.
    fn replicated(follower: BrokerId, from: Boundary, to: Boundary) { ru: "Брокер {follower} дописал себе {}.", named_records(Lang::Ru, from, to); en: "Broker {follower} appended {} to its own log.", named_records(Lang::En, from, to); }
    /// A follower learned the HW.
    fn follower_hw(follower: BrokerId, from: Boundary, to: Boundary) { ru: "Брокер {follower} узнал из ответа новую HW: {from} → {to}."; en: "Broker {follower} learned the new HW from the answer: {from} → {to}."; }
    /// A follower's HW went down.
    fn follower_hw_down(follower: BrokerId, from: Boundary, to: Boundary) { ru: "HW на брокере {follower} опустилась: {from} → {to}."; en: "HW on broker {follower} went down: {from} → {to}."; }
    /// Several followers appended the same.
    fn replicated_by(followers: BrokerSet, from: Boundary, to: Boundary) { ru: "Реплики {} дописали себе {}.", brokers(Lang::Ru, followers.iter()), named_records(Lang::Ru, from, to); en: "Followers {} appended {} to their own logs.", brokers(Lang::En, followers.iter()), named_records(Lang::En, from, to); }
    /// Several followers learned the same HW.
    fn follower_hw_by(followers: BrokerSet, to: Boundary) { ru: "Реплики {} узнали из ответов, что HW теперь {to}.", brokers(Lang::Ru, followers.iter()); en: "Followers {} learned from the answers that HW is {to} now.", brokers(Lang::En, followers.iter()); }
    /// Several followers asked from the same boundary.
    fn fetch_told_by(followers: BrokerSet, at: Boundary, numbers: &str) { ru: "Реплики {} запросили данные с границы {at}: {}.", brokers(Lang::Ru, followers.iter()), they_have(Lang::Ru, numbers); en: "Followers {} fetched from boundary {at}: {}.", brokers(Lang::En, followers.iter()), they_have(Lang::En, numbers); }
    /// A log was cut.
    fn truncated(broker: BrokerId, from: Boundary, to: Boundary, values: &str) { ru: "Брокер {broker} срезал {}: {values}.", named_records(Lang::Ru, from, to); en: "Broker {broker} truncated its log to {from}: {}.", gone_with(from, to, values); }
    /// A disk lost records.
    fn disk_lost(broker: BrokerId, from: Boundary, to: Boundary) { ru: "Диск брокера {broker} не сохранил {}.", named_records(Lang::Ru, from, to); en: "The disk of broker {broker} did not keep {}.", named_records(Lang::En, from, to); }
    /// A follower is throttled.
    fn throttled(follower: BrokerId) { ru: "Брокер {follower} упёрся в ограничение скорости и перестал запрашивать."; en: "Broker {follower} hit its replication throttle and stopped asking."; }

    /// A broker registered.
    fn registered(broker: BrokerId, epoch: BrokerEpoch) { ru: "Брокер {broker} зарегистрировался, эпоха брокера {epoch}; пока он отстранён (fenced)."; en: "Broker {broker} registered with broker epoch {epoch}; it is fenced for now."; }
    /// The same after a crash.
    fn registered_unclean(broker: BrokerId, epoch: BrokerEpoch) { ru: "Брокер {broker} зарегистрировался после сбоя, эпоха брокера {epoch}; пока он отстранён (fenced)."; en: "Broker {broker} registered after a crash with broker epoch {epoch}; it is fenced for now."; }
    /// A registration was refused.
    fn registration_refused(broker: BrokerId, error: KafkaError) { ru: "Контроллер не принял регистрацию брокера {broker}: `{error}`."; en: "The controller refused the registration of broker {broker}: `{error}`."; }
    /// A broker was fenced.
    fn fenced(broker: BrokerId, silent: Ms) { ru: "Контроллер {} не получал heartbeat от брокера {broker} и отстранил его (fenced).", time(Lang::Ru, silent); en: "The controller had no heartbeat from broker {broker} for {} and fenced it.", time(Lang::En, silent); }
    /// A broker was unfenced.
    fn unfenced(broker: BrokerId) { ru: "Контроллер вернул брокер {broker} в строй (unfenced)."; en: "The controller unfenced broker {broker}."; }
    /// A controlled shutdown was granted.
    fn shutdown_granted(broker: BrokerId) { ru: "Контроллер разрешил брокеру {broker} остановиться и сначала перенёс лидерство."; en: "The controller let broker {broker} go and moved leadership first."; }
    /// A partition was created.
    fn created(replicas: &str, leader: BrokerId) { ru: "Создана партиция: копии на {replicas}, лидер — брокер {leader}."; en: "The partition was created: replicas on {replicas}, leader broker {leader}."; }
    /// A leader was elected.
    fn elected(leader: BrokerId, epoch: Epoch) { ru: "Контроллер выбрал лидером брокер {leader}, эпоха {epoch}."; en: "The controller elected broker {leader} leader, epoch {epoch}."; }
    /// The same, unclean.
    fn elected_unclean(leader: BrokerId, epoch: Epoch) { ru: "Unclean-выборы: лидером стал брокер {leader}, эпоха {epoch}; его лог может быть короче."; en: "Unclean election: broker {leader} leads, epoch {epoch}; its log may be shorter."; }
    /// Nobody leads.
    fn no_leader(epoch: Epoch) { ru: "Лидера нет: выбрать некого, эпоха {epoch}."; en: "There is no leader: nobody can be elected, epoch {epoch}."; }
    /// The same leader in a new epoch.
    fn re_elected(leader: BrokerId, epoch: Epoch) { ru: "Лидер прежний, брокер {leader}, но эпоха новая: {epoch}."; en: "The leader is still broker {leader}, but the epoch is new: {epoch}."; }
    /// The ISR changed.
    fn isr_changed(old: BrokerSet, new: BrokerSet) { ru: "ISR изменился: {} → {}.", set(old), set(new); en: "The ISR changed: {} → {}.", set(old), set(new); }
    /// The ELR changed.
    fn elr_changed(new: BrokerSet) { ru: "ELR теперь {}: отсюда лидера можно выбрать без потерь.", set(new); en: "The ELR is {} now: whoever is in it can lead without loss.", set(new); }
    /// The last replicas left the ELR.
    fn elr_emptied(out: BrokerSet) { ru: "ELR опустел: {} → [].", set(out); en: "The ELR became empty: {} → [].", set(out); }
    /// The assignment changed.
    fn reassigned(replicas: &str) { ru: "Партиция назначена на {replicas}."; en: "The partition is assigned to {replicas}."; }
    /// Many ISRs changed.
    fn isr_changed_many(count: i64) { ru: "ISR изменился у {}.", partitions_of(Lang::Ru, count); en: "The ISR of {} changed.", partitions(Lang::En, count); }
    /// Many leaders changed.
    fn elected_many(count: i64) { ru: "Лидер сменился у {}.", partitions_of(Lang::Ru, count); en: "{} got a new leader.", partitions(Lang::En, count); }
    /// Many partitions have no leader.
    fn no_leader_many(count: i64) { ru: "Без лидера остались {}.", partitions(Lang::Ru, count); en: "{} were left without a leader.", partitions(Lang::En, count); }
    /// Many partitions were created.
    fn created_many(count: i64) { ru: "Создано: {}.", partitions(Lang::Ru, count); en: "Created: {}.", partitions(Lang::En, count); }
    /// Many sends were confirmed.
    fn confirmed_many(count: i64) { ru: "Продюсер получил подтверждение: {}.", records(Lang::Ru, count); en: "The producer got its confirmation: {}.", records(Lang::En, count); }
    /// Many sends failed.
    fn failed_many(count: i64) { ru: "Продюсер получил отказ: {}.", records(Lang::Ru, count); en: "The producer was refused: {}.", records(Lang::En, count); }
    /// The ELR was emptied.
    fn elr_cleared() { ru: "Контроллер очистил ELR: `min.insync.replicas` изменился."; en: "The controller emptied the ELR: `min.insync.replicas` changed."; }

    /// A broker applied metadata.
    fn metadata_applied(broker: BrokerId, at: MetaOffset) { ru: "Брокер {broker} применил метаданные до записи {at}."; en: "Broker {broker} applied the metadata up to record {at}."; }
    /// A broker knows that it leads.
    fn became_leader(broker: BrokerId, epoch: Epoch, start: Boundary) { ru: "Брокер {broker} узнал, что он лидер: эпоха {epoch} начинается у него с границы {start}."; en: "Broker {broker} learned that it leads: its epoch {epoch} begins at boundary {start}."; }
    /// A broker knows whom it follows.
    fn became_follower(broker: BrokerId, leader: BrokerId, epoch: Epoch) { ru: "Брокер {broker} узнал, что лидер — брокер {leader}, эпоха {epoch}: сам он теперь реплика."; en: "Broker {broker} learned that broker {leader} leads in epoch {epoch}: it is a follower now."; }
    /// A broker knows that nobody leads.
    fn became_leaderless(broker: BrokerId) { ru: "Брокер {broker} узнал, что лидера нет."; en: "Broker {broker} learned that there is no leader."; }
    /// A replica is gone.
    fn replica_deleted(broker: BrokerId) { ru: "Брокер {broker} удалил свою копию: она ему больше не назначена."; en: "Broker {broker} deleted its replica: it is no longer assigned."; }
    /// A confirmed record is gone.
    fn confirmed_lost(at: Offset, value: &str) { ru: "Подтверждённая запись {at} ({value}) потеряна: у лидера её нет."; en: "Confirmed record {at} ({value}) is lost: the leader does not have it."; }
    /// A violation.
    fn violation(id: &str) { ru: "Нарушен инвариант {id}."; en: "Invariant {id} does not hold."; }
    /// How a story begins.
    fn begins(leader: BrokerId, epoch: Epoch, isr: BrokerSet) { ru: "Лидер — брокер {leader}, эпоха {epoch}, ISR {}.", set(isr); en: "Broker {leader} leads in epoch {epoch}, the ISR is {}.", set(isr); }
    /// A record that has not left its producer: there is nobody to send it to.
    fn waits_no_leader(what: &str, who: &str) { ru: "Запись «{what}» ждёт в продюсере `{who}`: у партиции нет лидера, отправить её некому."; en: "Record “{what}” waits in producer `{who}`: the partition has no leader to send it to."; }
    /// A record that has not left its producer, for another reason.
    fn waits_queued(what: &str, who: &str) { ru: "Запись «{what}» ждёт в продюсере `{who}`: она ещё не отправлена."; en: "Record “{what}” waits in producer `{who}`: it has not been sent yet."; }
    /// Nothing worth telling.
    fn quiet() { ru: "Время прошло, видимых событий не было."; en: "Time passed; nothing visible happened."; }
}

/// `record 3, “a”, is gone`, for what was truncated.
fn gone_with(from: Boundary, to: Boundary, values: &str) -> String {
    let verb = if to.0 - from.0 == 1 { "is" } else { "are" };
    format!(
        "{}, {values}, {verb} gone",
        named_records(Lang::En, from, to)
    )
}
