// Turns the steps of a scene whose page was drawn beforehand, before the program is there, where
// it never comes, and in a file from disk. Puts what the program would draw where it would; when
// the program has come, it takes over at the step that the address names.
(() => {
  const root = document.documentElement;
  const by = (of, what) => of.querySelector(what);
  const all = (of, what) => [...of.querySelectorAll(what)];
  const query = new URLSearchParams(location.search);
  const alone = 'alone' in root.dataset;
  const meta = name => by(document, `meta[name=${name}]`)?.content;
  const program = meta('program') && new URL(meta('program'), location.href).href;
  const own = !meta('scenes');
  let app, items = [], last = 0, now = 0, drawn = false, started = false, done = false, asked = false, held, wrote = 0, later, quiet;

  const layout = () => {
    const stage = by(app, '.stage');
    // By the reader's type, as the program does.
    const width = stage ? stage.clientWidth * 16 / parseFloat(getComputedStyle(document.documentElement).fontSize) : 0;
    return !stage ? '' : width < 332 ? 'narrow' : width < 620 ? 'phone' : 'wide';
  };
  const put = slots => {
    const size = layout();
    const stay = new Set();
    for (const slot of slots) {
      if (size && slot.dataset.l !== size) continue;
      const name = slot.dataset.s;
      stay.add(name);
      let place = by(app, `[data-s=${name}]`);
      if (!place) {
        place = document.createElement(slot.tagName);
        place.dataset.s = name;
        by(app, '.card').after(place);
      }
      place.className = slot.className;
      place.replaceChildren(...[...slot.childNodes].map(node => node.cloneNode(true)));
    }
    for (const place of all(app, '.looks[data-s]')) if (!stay.has(place.dataset.s)) place.remove();
  };
  const line = () => {
    const track = by(app, '.track');
    const svg = by(track, 'svg');
    const width = track.clientWidth;
    const x = n => 10 + Math.floor((width - 20) * n / last);
    svg.setAttribute('width', width);
    by(svg, '.base').setAttribute('x2', width - 10);
    by(svg, '.done').setAttribute('x2', x(now));
    all(svg, '.dot').forEach((dot, n) => {
      dot.setAttribute('cx', x(n));
      dot.setAttribute('r', n === now ? 8 : 3);
      dot.setAttribute('class', `dot ${n < now ? 'past' : n > now ? 'ahead' : 'here'}`);
      dot.nextElementSibling?.setAttribute('d', `M${x(n)} 24v6`);
    });
    all(svg, '.cause').forEach(arc => arc.remove());
  };
  const draw = () => {
    const item = items[now];
    put(item ? all(item, '.shot > [data-s]') : [...by(app, 'template').content.children]);
    last = +by(app, '.slider').max;
    for (const faces of [all(app, '.card:not(.tells) > .face:not(.question)'), all(app, '.tells > .face'), all(app, '.told > p')])
      faces.forEach((face, n) => {
        const here = n === now - (last + 1 - faces.length);
        face.classList.toggle('now', here);
        here ? face.removeAttribute('aria-hidden') : face.setAttribute('aria-hidden', 'true');
      });
    const slider = by(app, '.slider');
    slider.value = now;
    if (item) slider.setAttribute('aria-valuetext', item.dataset.said);
    for (const chip of all(app, '.chip.count, .bar .chip.more')) chip.textContent = chip.textContent.replace(/\d+/, now);
    for (const [go, off] of [['first', now === 0], ['back', now === 0], ['next', now === last], ['last', now === last]])
      for (const button of all(app, `[data-go=${go}]`))
        off ? button.setAttribute('aria-disabled', 'true') : button.removeAttribute('aria-disabled');
    const words = by(app, '.words');
    if (words && item) {
      const parts = all(item, '.text, details > .scroll').map(part => part.cloneNode(true));
      words.replaceChildren(by(words, 'summary'), ...parts);
    }
    line();
    drawn = true;
  };
  // At once, for the program may come at any moment; browsers refuse more than some hundreds.
  const address = () => {
    clearTimeout(later);
    query.set('step', now);
    const put = () => { try { history.replaceState(null, '', '?' + query + location.hash); } catch { /* a sandbox may refuse */ } };
    wrote++ < 100 ? put() : later = setTimeout(put, 250);
  };
  const go = (to, how) => {
    if (!items.length || Number.isNaN(to)) return;
    to = Math.max(0, Math.min(last, to));
    if (to === now) return;
    now = to;
    by(app, '.scene').dataset.how = how;
    draw();
    address();
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      const said = by(app, '[role=status]');
      if (said && !done) said.textContent = items[now].dataset.said;
    }, 300);
  };
  // A question stands before the next step: the program asks it, if it comes.
  const next = how => {
    if (!program || alone || by(document, '.fatal') || !('asks' in (items[now]?.dataset ?? {}))) return go(now + 1, how);
    asked = true;
    start();
  };
  const turn = (where, held) => ({
    next: () => next(held ? 'jump' : 'next'), back: () => go(now - 1, held ? 'jump' : 'back'),
    first: () => go(0, 'jump'), last: () => go(last, 'jump'),
    ru: () => language('ru'), en: () => language('en'),
  })[where]?.() ?? go(parseInt(where), 'jump');
  const language = lang => {
    if (lang === root.lang || alone) return;
    query.set('lang', lang);
    query.set('step', now);
    location.search = query;
  };

  // The program: never before what is drawn already can be turned.
  const start = () => {
    if (started || !program) return;
    started = true;
    if (own) {
      // What is relative would lead elsewhere from the program's address.
      for (const link of all(document, 'a[href], link[rel=icon]')) if (!link.closest('#board')) link.href = link.href;
      query.set('scenario', by(document, '#board').dataset.scene);
      query.set('lang', root.lang);
      try { history.replaceState(null, '', new URL('?' + query, new URL('.', program))); } catch { return; }
    }
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: program }));
  };

  const heard = {
    click: e => {
      const button = e.target.closest?.('#app button, #app summary');
      if (!button) return;
      const where = button.dataset.go;
      if (where) button.closest('dialog')?.close();
      if (where && button.getAttribute('aria-disabled') !== 'true') turn(where);
      if (!where) start();
    },
    input: e => e.target.matches('#app .slider') && go(+e.target.value, 'jump'),
    keydown: e => {
      if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented || e.target.closest('dialog, [role=grid], .scroll')) return;
      const free = e.target === document.body;
      if (!free && !e.target.closest('#app .scene')) return;
      const where = { ArrowRight: 'next', ArrowLeft: 'back', Home: 'first', End: 'last' }[e.key]
        ?? (free ? undefined : { Period: 'next', Comma: 'back' }[/^[.,юб]$/i.test(e.key) && (e.key === '.' ? 'Period' : e.key === ',' ? 'Comma' : { ю: 'Period', б: 'Comma' }[e.key.toLowerCase()])]);
      if (!where) return;
      e.preventDefault();
      turn(where, e.repeat);
    },
    focusin: e => { held = ['.bar .primary', '.bar .back', '.slider', '.stage', '.card', '.scene'].find(s => e.target.matches('#app ' + s)); },
  };
  const resized = () => drawn && draw();

  const print = () => {
    const board = by(document, '#board');
    if (!board) return;
    const shown = new URLSearchParams(location.search).get('scenario');
    // The reader has gone on to another scene, a branch or a language: this is not what is printed.
    if (done && (shown && shown !== board.dataset.scene || root.lang !== board.lang || location.hash.length > 1)) board.remove();
    else by(board, '.where').textContent = location.href;
  };

  const ready = () => {
    app = document.getElementById('app');
    items = all(document, '#board > ol > li');
    if (!items.length) return start();
    root.classList.add('live');
    last = items.length - 1;
    const wanted = query.get('step');
    now = Math.max(0, Math.min(last, parseInt(wanted) || 0));
    if (!drawn || now) draw();
    for (const name in heard) addEventListener(name, heard[name]);
    addEventListener('resize', resized);
    if (query.get('print') === '1') {
      root.classList.add('paper');
      return void setTimeout(() => window.print());
    }
    (window.requestIdleCallback ?? setTimeout)(start, { timeout: 1000 });
  };

  addEventListener('beforeprint', print);
  matchMedia('print').addEventListener('change', print);
  addEventListener('TrunkApplicationStarted', () => {
    done = true;
    root.dataset.program = 'here';
    clearTimeout(later);
    for (const name in heard) removeEventListener(name, heard[name]);
    removeEventListener('resize', resized);
    // Whoever had the focus in what was drawn beforehand has it in what the program drew.
    setTimeout(() => {
      if (held && document.activeElement === document.body) by(document, '#app ' + held)?.focus({ preventScroll: true });
      if (asked) by(document, '#app .bar .primary')?.click();
    });
  });

  const theme = query.get('theme');
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  if (own) {
    const lang = query.get('lang');
    const other = by(document, `link[hreflang=${lang === 'en' ? 'en' : 'ru'}]`);
    if ((lang === 'en' || lang === 'ru') && lang !== root.lang && other && !alone) return location.replace(other.href + location.search);
    // Drawn as soon as its place is there, before it is painted.
    root.classList.add('live');
    const seen = new MutationObserver(() => {
      app = document.getElementById('app');
      if (drawn || !app || !by(app, '.time .bar')) return;
      seen.disconnect();
      if (by(app, 'template')) draw();
    });
    seen.observe(document, { childList: true, subtree: true });
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', ready);
    else ready();
    return;
  }
  // The program's own page: the scene is fetched, if it is one, and asked for by nothing but steps.
  const scene = query.get('scenario');
  const known = ['scenario', 'step', 'lang', 'theme', 'print', 'id', 'origin', 'resize', 'history', 'speed', 'motion'];
  // In a frame the program decides when the scene begins.
  const plain = parent === window && !location.hash && [...query.keys()].every(name => known.includes(name))
    && (scene === null || meta('scenes').split(' ').includes(scene)) && /^\d*$/.test(query.get('step') ?? '')
    && /^(ru|en)?$/.test(query.get('lang') ?? '');
  if (!plain) return start();
  const lang = query.get('lang') ?? (navigator.language.startsWith('ru') ? 'ru' : 'en');
  const from = new URL(scene ? `./s/${scene}/${lang === 'en' ? 'en/' : ''}index.html` : `./front.${lang}.html`, location.href);
  if (scene && query.get('print') === '1') return location.replace(new URL('./?print=1', from));
  fetch(from).then(got => got.ok ? got.text() : '').then(text => {
    const page = new DOMParser().parseFromString(text, 'text/html');
    for (const link of all(page, '[href]:not([href^="#"])')) link.setAttribute('href', new URL(link.getAttribute('href'), from).href);
    const [app, board] = ['app', 'board'].map(id => page.getElementById(id));
    if (app && board) {
      root.lang = lang;
      document.getElementById('app').replaceChildren(...app.childNodes);
      document.getElementById('app').after(board);
      if (page.title) document.title = page.title;
    }
  }).catch(() => {}).then(ready);
})();
