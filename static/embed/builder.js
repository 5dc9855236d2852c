// Put a scene into a lesson: choose, see it in three frames, copy. What is chosen is in the page's
// own address, so a choice can be kept as a bookmark. The contract: docs/embedding.md.

const TEXT = {
  ru: {
    title: 'Вставить сцену в урок', about: 'Выберите, проверьте рамки, скопируйте код.', scenes: 'Все сцены',
    scene: 'Сцена', steps: 'Шаги', from: 'с', to: 'по', step: 'открыть на', start: 'начало', first: 'там же, где начало отрезка',
    lang: 'Язык', theme: 'Тема', controls: 'Кнопки', predict: 'Вопросы по ходу', hide: 'Спрятать', size: 'Размер рамки в коде',
    values: { auto: 'авто', ru: 'RU', en: 'EN', light: 'светлая', dark: 'тёмная', full: 'все', compact: 'главные', none: 'без кнопок',
      off: 'нет', on: 'есть', required: 'обязательны', title: 'заголовок', card: 'пояснение', timeline: 'шкалу шагов', lags: 'лаги',
      config: 'настройки кластера', share: '«поделиться»', settings: 'язык и тему' },
    lock: 'Только по сценарию: студент не может сам ломать брокеры',
    preview: 'Предпросмотр', wide: 'урок во всю ширину', narrow: 'узкая колонка', phone: 'телефон',
    live: (scale) => `Рамки работают: нажмите внутрь. Масштаб ${scale}\u00a0%.`,
    fits: (frame) => `${frame}: помещается целиком`, tall: (frame, height) => `${frame}: нужно ${height} px в высоту, внутри появится прокрутка`,
    waits: (frame) => `${frame}: сцена загружается`,
    lost: (frame) => `${frame}: сцена не загрузилась`,
    unsure: 'Скопировать можно, но в рамке этой страницы сцена не открылась: проверьте адрес и заголовки сервера',
    groups: { replication: 'Репликация', offsets: 'Позиции и лаг' },
    whole: 'вся сцена',
    address: (n) => `Адрес: ${n} ${plural('ru', n, ['знак', 'знака', 'знаков'])} из 1900`,
    long: 'Адрес длиннее 1900 знаков: некоторые чаты и LMS его обрежут',
    order: 'с должно быть меньше по: код остался прежним', bare: 'Студент увидит только рисунок и кнопки',
    gone: (id, near) => `Сцены «${id}» нет. Похожие: ${near}.`,
    as: { iframe: 'iframe', element: 'свой тег', link: 'ссылка', markdown: 'Markdown' }, code: 'Код для вставки',
    chars: (n) => `${n} ${plural('ru', n, ['знак', 'знака', 'знаков'])}`, copy: 'Скопировать', copied: '✓ Скопировано', press: 'Нажмите Ctrl+C',
    told: (n) => `Код скопирован, ${n} ${plural('ru', n, ['знак', 'знака', 'знаков'])}`,
    foot: 'Работает без cookie, входа и хранилища. Если платформа вырезает iframe, возьмите ссылку: она откроет ту же сцену.',
    open: 'Открыть сцену в новой вкладке', failed: 'Список сцен не загрузился. Откройте страницу заново.',
    count: (n) => `${n} ${plural('ru', n, ['шаг', 'шага', 'шагов'])}`,
  },
  en: {
    title: 'Put a scene into a lesson', about: 'Choose, check the frames, copy the code.', scenes: 'All scenes',
    scene: 'Scene', steps: 'Steps', from: 'from', to: 'to', step: 'open at', start: 'the start', first: 'where the range begins',
    lang: 'Language', theme: 'Theme', controls: 'Buttons', predict: 'Questions', hide: 'Hide', size: 'Size of the frame in the code',
    values: { auto: 'auto', ru: 'RU', en: 'EN', light: 'light', dark: 'dark', full: 'all', compact: 'main buttons', none: 'none',
      off: 'off', on: 'on', required: 'required', title: 'title', card: 'explanation', timeline: 'step line', lags: 'lags',
      config: 'cluster settings', share: 'sharing', settings: 'language and theme' },
    lock: 'Scripted steps only: the student cannot break brokers at will',
    preview: 'Preview', wide: 'full-width lesson', narrow: 'narrow column', phone: 'phone',
    live: (scale) => `The frames are live: press inside. Scale ${scale}%.`,
    fits: (frame) => `${frame}: fits as a whole`, tall: (frame, height) => `${frame}: takes ${height} px of height, it will scroll inside`,
    waits: (frame) => `${frame}: the scene is loading`,
    lost: (frame) => `${frame}: the scene did not load`,
    unsure: 'You can copy it, but the scene did not open in this page’s own frame: check the address and the server’s headers',
    groups: { replication: 'Replication', offsets: 'Offsets and lag' },
    whole: 'the whole scene',
    address: (n) => `Address: ${n} of 1900 characters`,
    long: 'The address is longer than 1900 characters: some chats and LMSs will cut it',
    order: '“from” must be before “to”: the code is as it was', bare: 'The student will see the picture and the buttons only',
    gone: (id, near) => `There is no scene “${id}”. Similar ones: ${near}.`,
    as: { iframe: 'iframe', element: 'custom tag', link: 'link', markdown: 'Markdown' }, code: 'Embed code',
    chars: (n) => `${n} ${n === 1 ? 'character' : 'characters'}`, copy: 'Copy', copied: '✓ Copied', press: 'Press Ctrl+C',
    told: (n) => `Code copied, ${n} characters`,
    foot: 'Needs no cookies, sign-in or storage. If your platform strips iframe, take the link: it opens the same scene.',
    open: 'Open the scene in a new tab', failed: 'The list of scenes did not load. Open the page anew.',
    count: (n) => `${n} ${n === 1 ? 'step' : 'steps'}`,
  },
};
const CHOICES = { lang: ['auto', 'ru', 'en'], theme: ['auto', 'light', 'dark'], controls: ['full', 'compact', 'none'], predict: ['off', 'on', 'required'] };
const USUAL = { lang: 'auto', theme: 'auto', controls: 'full', predict: 'on' };
const HIDDEN = ['title', 'card', 'timeline', 'lags', 'config', 'share', 'settings'];
const FRAMES = [[960, 540, 'wide'], [720, 480, 'narrow'], [360, 740, 'phone']];
// The size that is as high as the scene has said to be at full width.
const WHOLE = FRAMES.length;
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';
// How long a frame that has loaded may say nothing, ms.
const SILENCE = 12000;
const app = new URL('../', location.href.split(/[?#]/)[0]);

function plural(lang, n, [one, few, many]) {
  const rule = new Intl.PluralRules(lang).select(n);
  return rule === 'one' ? one : rule === 'few' ? few : many;
}
const make = (tag, about = {}, ...inside) => {
  const { attrs = {}, ...own } = about;
  const element = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(attrs)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
};
const escape = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

const query = new URLSearchParams(location.search);
const speaks = query.get('ui') ?? ['ru', 'en'].find((known) => known === query.get('lang'));
const ui = (speaks ?? navigator.language).startsWith('ru') ? 'ru' : 'en';
const text = TEXT[ui];
const main = document.getElementById('builder');
document.documentElement.lang = ui;
document.title = `${text.title} · Highwater`;

const get = async (path, read) => {
  const answer = await fetch(new URL(path, app));
  if (!answer.ok) throw new Error(path);
  return answer[read]();
};
const [scenes, hashes] = await Promise.all([get('embed/scenes.json', 'json'), get('v1/integrity.txt', 'text')])
  .catch(() => { main.replaceChildren(make('p', { className: 'alert', attrs: { role: 'alert' } }, text.failed)); return []; });
if (scenes) build();

function build() {
  const integrity = hashes.match(/^highwater-embed\.js (\S+)/m)?.[1] ?? '';
  const words = (id) => new Set(id.split('-'));
  const near = (id) => scenes.map((s) => [[...words(s.id)].filter((w) => words(id).has(w)).length, s])
    .sort((a, b) => b[0] - a[0]).slice(0, 3).map(([, s]) => s);
  const asked = query.get('scenario');
  let scene = scenes.find((s) => s.id === asked) ?? (asked ? near(asked)[0] : scenes[0]);
  const chosen = {
    from: query.get('from') ?? '', to: query.get('to') ?? '', step: query.get('step') ?? '',
    hide: new Set((query.get('hide') ?? '').split(',').filter((w) => HIDDEN.includes(w))), lock: query.get('lock') === '1',
    as: text.as[query.get('as')] ? query.get('as') : 'iframe', size: 0, seen: 0,
  };
  for (const [name, values] of Object.entries(CHOICES)) {
    chosen[name] = values.includes(query.get(name)) ? query.get(name) : name === 'lang' ? ui : USUAL[name];
  }
  let good = '';

  // A group of native radio buttons.
  const segment = (name, label, options, on, then) => {
    const box = make('fieldset', {}, make('legend', {}, label));
    const row = box.appendChild(make('div', { className: 'seg' }));
    for (const [value, word] of options) {
      const input = make('input', { type: 'radio', name, value, checked: value === on });
      input.onchange = () => then(value);
      row.append(make('label', {}, input, word));
    }
    return box;
  };
  const choice = (name) => segment(name, text[name], CHOICES[name].map((v) => [v, text.values[v]]), chosen[name],
    (value) => { chosen[name] = value; change(); });

  // By the questions that the gallery knows scenes by; the statement of the chosen one stands under it.
  const pickScene = make('select', { id: 'scene' });
  for (const group of new Set(scenes.map((s) => s.group))) {
    pickScene.append(make('optgroup', { label: text.groups[group] ?? group }, ...scenes.filter((s) => s.group === group)
      .map((s) => make('option', { value: s.id }, `${(s.question ?? s.title)[ui].replaceAll('`', '')} · ${s.id}`))));
  }
  pickScene.value = scene.id;
  const about = make('p', { className: 'muted small' });
  pickScene.onchange = () => {
    scene = scenes.find((s) => s.id === pickScene.value);
    Object.assign(chosen, { from: '', to: '', step: '' });
    fillSteps();
    change();
  };
  const picks = Object.fromEntries(['from', 'to', 'step'].map((name) => {
    const select = make('select', { name });
    select.onchange = () => { chosen[name] = select.value; change(); };
    return [name, select];
  }));
  // A mark survives when steps are added to the scene; a number would not.
  const word = (n) => n === 0 ? '0' : scene.steps[n - 1].mark ?? String(n);
  const number = (value, otherwise) => {
    const at = scene.steps.findIndex((s) => s.mark === value) + 1;
    const n = at || (/^\d+$/.test(value) ? Number(value) : otherwise);
    return n >= 0 && n <= scene.steps.length ? n : otherwise;
  };
  function fillSteps() {
    const last = scene.steps.length;
    const name = (n) => `${n} · ${n === 0 ? text.start : scene.steps[n - 1].title[ui]}`;
    for (const [which, select] of Object.entries(picks)) {
      select.replaceChildren();
      if (which === 'step') select.append(make('option', { value: '' }, text.first));
      for (let n = 0; n <= last; n++) select.append(make('option', { value: word(n) }, name(n)));
    }
    picks.from.value = word(number(chosen.from, 0));
    picks.to.value = word(number(chosen.to, last));
    picks.step.value = chosen.step === '' ? '' : word(number(chosen.step, 0));
  }
  const labelled = (label, select) => make('label', {}, make('span', { className: 'label' }, label), select);
  const wrong = make('p', { className: 'alert', hidden: true, id: 'wrong', attrs: { role: 'status' } }, text.order);
  const boxes = make('div', { className: 'checks' }, ...HIDDEN.map((name) => {
    const input = make('input', { type: 'checkbox', name: 'hide', value: name, checked: chosen.hide.has(name) });
    input.onchange = () => { chosen.hide[input.checked ? 'add' : 'delete'](name); change(); };
    return make('label', { className: 'check' }, input, text.values[name]);
  }));
  const lock = make('input', { type: 'checkbox', name: 'lock', checked: chosen.lock });
  lock.onchange = () => { chosen.lock = lock.checked; change(); };
  const form = make('form', { onsubmit: (e) => e.preventDefault() },
    make('div', {}, labelled(text.scene, pickScene), about),
    make('fieldset', {}, make('legend', {}, text.steps), make('div', { className: 'steps' },
      labelled(text.from, picks.from), labelled(text.to, picks.to), labelled(text.step, picks.step), wrong)),
    ...['lang', 'theme', 'controls'].map(choice),
    ...(scenes.some((s) => s.questions) ? [choice('predict')] : []),
    make('fieldset', {}, make('legend', {}, text.hide), boxes),
    make('label', { className: 'check' }, lock, text.lock),
    segment('size', text.size, [...FRAMES.map(([w, h], i) => [String(i), i ? `${w} × ${h}` : `100 % × ${h}`]), [String(WHOLE), text.whole]], '0',
      (value) => { chosen.size = Number(value); change(); }));

  // The frames load the address of the snippet, and begin at once: how high a scene is, is known
  // when it is there.
  const shots = FRAMES.map(([width, height, which]) => {
    const name = `${width} × ${height}`;
    const frame = make('iframe', { title: `${text.preview} ${name}`, width, height, allow: 'fullscreen; clipboard-write', referrerPolicy: 'no-referrer' });
    frame.setAttribute('sandbox', SANDBOX);
    const shot = make('div', { className: 'shot' }, frame);
    const figure = make('figure', {}, make('figcaption', {}, make('b', {}, name), ` ${text[which]}`), shot);
    const own = { width, height, name, frame, shot, figure, told: 0, lost: false, timer: 0 };
    // A frame that is there and says nothing holds no scene.
    frame.onload = () => {
      clearTimeout(own.timer);
      own.timer = setTimeout(() => { own.lost = !own.told; judge(); }, SILENCE);
    };
    return own;
  });
  const scaled = make('p', { className: 'muted' });
  const checks = make('ul');
  const bare = make('li', { className: 'alert' }, text.bare);
  const pick = segment('seen', text.preview, FRAMES.map(([w], i) => [String(i), String(w)]), '0',
    (value) => { chosen.seen = Number(value); place(); });
  pick.className = 'pick';
  const frames = make('section', { className: 'frames', attrs: { 'aria-label': text.preview } }, pick,
    ...shots.map((s) => s.figure), make('div', { className: 'notes' }, scaled, checks));

  const tabs = segment('as', text.code, Object.entries(text.as), chosen.as, (value) => { chosen.as = value; change(); });
  const count = make('span', { className: 'muted' });
  const said = make('span', { className: 'muted', attrs: { role: 'status' } });
  const copy = make('button', { type: 'button' }, text.copy);
  const code = make('pre', { tabIndex: 0, id: 'code', attrs: { 'aria-label': text.code } });
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      copy.textContent = text.copied;
      said.textContent = text.told([...code.textContent].length);
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = said.textContent = text.press;
    }
    setTimeout(() => { copy.textContent = text.copy; }, 2000);
  };
  const other = ui === 'ru' ? 'en' : 'ru';
  const swap = make('a', { lang: other, hreflang: other }, { ru: 'Русский', en: 'English' }[other]);
  main.replaceChildren(
    make('header', {}, make('h1', {}, text.title), make('span', { className: 'muted grow' }, text.about),
      make('a', { href: `../?lang=${ui}` }, text.scenes), swap,
      ...(asked && asked !== scene.id ? [make('p', { className: 'alert', attrs: { role: 'status' } },
        text.gone(asked.slice(0, 40), near(asked).map((s) => s.title[ui]).join('; ')))] : [])),
    form, frames,
    make('section', { className: 'code', attrs: { 'aria-label': text.code } },
      make('div', { className: 'bar' }, tabs, make('span', { className: 'grow' }), count, copy),
      code, make('p', { className: 'foot muted' }, text.foot), said));
  said.className = 'foot muted';

  // What is as usual is left out of the address.
  function parameters() {
    const all = [['scenario', scene.id]];
    const [from, to] = [number(picks.from.value, 0), number(picks.to.value, scene.steps.length)];
    if (from > 0) all.push(['from', word(from)]);
    if (to < scene.steps.length) all.push(['to', word(to)]);
    if (picks.step.value !== '' && picks.step.value !== word(from)) all.push(['step', picks.step.value]);
    for (const name of Object.keys(CHOICES)) if (chosen[name] !== USUAL[name]) all.push([name, chosen[name]]);
    if (chosen.hide.size) all.push(['hide', HIDDEN.filter((w) => chosen.hide.has(w)).join(',')]);
    if (chosen.lock) all.push(['lock', '1']);
    return all;
  }
  function snippet(all) {
    const ask = (pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&');
    const frame = `${app.href}index.html?${ask(all)}`;
    // A link leads to the whole scene: what is hidden in a lesson is not hidden there.
    const link = `${app.href}?${ask(all.filter(([name]) => ['scenario', 'step', 'lang', 'theme'].includes(name)))}`;
    const lang = chosen.lang === 'auto' ? ui : chosen.lang;
    const title = `${scene.title[lang]} (${TEXT[lang].count(scene.steps.length)})`;
    const [width, least] = FRAMES[chosen.size] ?? FRAMES[0];
    const height = chosen.size === WHOLE ? Math.max(least, shots[0].told) : least;
    const wide = width === FRAMES[0][0] ? '100%' : width;
    const code = {
      iframe: `<iframe src="${escape(frame)}" width="${wide}" height="${height}"\n title="Kafka: ${escape(title)}" loading="lazy" referrerpolicy="no-referrer"\n sandbox="${SANDBOX}"\n allow="fullscreen; clipboard-write"></iframe>\n<p><a href="${escape(link)}" target="_blank">${TEXT[lang].open}</a></p>`,
      element: `<script type="module" src="${app.href}v1/highwater-embed.js"\n integrity="${integrity}" crossorigin></script>\n<high-water ${all.map(([name, value]) => `${name}="${value}"`).join(' ')} start="visible"\n title="${escape(title)}">\n <a href="${escape(link)}"><img src="${app.href}s/${scene.id}/poster.${lang}.svg" alt="${escape(title)}" width="100%"></a>\n</high-water>`,
      link,
      markdown: `[${title.replace(/[[\]\\]/g, '\\$&')}](${link})`,
    }[chosen.as];
    return { frame, code };
  }

  let timer;
  function change() {
    clearTimeout(timer);
    timer = setTimeout(show, 150);
  }
  function show() {
    const from = number(picks.from.value, 0);
    const inOrder = from < number(picks.to.value, scene.steps.length);
    wrong.hidden = inOrder;
    for (const name of ['from', 'to']) {
      picks[name].setAttribute('aria-invalid', String(!inOrder));
      if (!inOrder) picks[name].setAttribute('aria-describedby', 'wrong');
    }
    if (!inOrder) return;
    about.textContent = `${scene.title[ui].replaceAll('`', '')} · ${text.count(scene.steps.length)}`;
    const all = parameters();
    const made = snippet(all);
    code.textContent = made.code;
    count.textContent = text.chars([...made.code].length);
    if (good !== made.frame) for (const shot of shots) Object.assign(shot, { told: 0, lost: false });
    good = made.frame;
    const own = new URLSearchParams([...all, ['as', chosen.as], ['ui', ui]]);
    history.replaceState(null, '', `?${own}`);
    own.set('ui', other);
    swap.href = `?${own}`;
    place();
  }
  // All frames at one scale, so that sizes compare; on a phone the chosen one, as wide as the page.
  function place() {
    const many = matchMedia('(min-width: 900px)').matches;
    const width = frames.clientWidth;
    const scale = many ? Math.min(1, (width - 12) / (960 + 360 + 8)) : Math.min(1, width / FRAMES[chosen.seen][0]);
    shots.forEach((shot, i) => {
      const seen = many || i === chosen.seen;
      shot.figure.hidden = !seen;
      const src = `${good}&start=load`;
      if (seen && shot.frame.src !== src) shot.frame.src = src;
      shot.frame.style.transform = `scale(${scale})`;
      shot.shot.style.width = `${Math.floor(shot.width * scale)}px`;
      shot.shot.style.height = `${Math.floor(shot.height * scale)}px`;
    });
    if (many) frames.style.gridTemplateColumns = `${Math.ceil(960 * scale) + 2}px minmax(0, 1fr)`;
    else frames.style.gridTemplateColumns = '';
    scaled.textContent = text.live(Math.round(scale * 100));
    judge();
  }
  function judge() {
    const lines = shots.filter((s) => s.frame.src && !s.figure.hidden).map((s) => [
      s.told ? s.told <= s.height : s.lost ? false : null,
      s.told ? s.told <= s.height ? text.fits(s.name) : text.tall(s.name, s.told) : s.lost ? text.lost(s.name) : text.waits(s.name)]);
    const lost = shots.some((s) => s.lost);
    scaled.hidden = lost;
    if (lost !== (said.textContent === text.unsure)) said.textContent = lost ? text.unsure : '';
    lines.push(good.length <= 1900 ? [true, text.address(good.length)] : [false, text.long]);
    checks.replaceChildren(...lines.map(([ok, line]) =>
      make('li', { className: ok === false ? 'alert' : '' }, `${ok === null ? '…' : ok ? '✓' : '✕'} ${line}`)));
    if (chosen.hide.has('title') && chosen.hide.has('card')) checks.append(bare);
  }
  addEventListener('message', ({ source, data }) => {
    const shot = shots.find((s) => s.frame.contentWindow === source);
    if (!shot || data?.highwater !== 1) return;
    if (data.type === 'error') shot.lost = !shot.told;
    else if (data.type === 'size' && Number.isFinite(data.height)) Object.assign(shot, { told: Math.ceil(data.height), lost: false });
    else return;
    if (chosen.size === WHOLE && data.type === 'size') change();
    judge();
  });
  new ResizeObserver(place).observe(main);
  fillSteps();
  show();
}
