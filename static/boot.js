// Says why the page does not start, where the program cannot say it itself: in the language of the
// address, or else in both.
// A script of its own: it runs where modules, WebAssembly or requests are refused.
(() => {
  const say = (what, ru, en) => {
    const place = document.getElementById('app');
    // A fault of the program's own has been told already, and better.
    if (!place || document.querySelector('.fatal:not(.boot)')) return;
    const note = document.createElement('div');
    note.className = 'fatal boot';
    note.setAttribute('role', 'alert');
    const add = (tag, textContent, lang = '') =>
      note.appendChild(Object.assign(document.createElement(tag), { textContent, lang }));
    const asked = new URLSearchParams(location.search).get('lang') ?? '';
    if (asked !== 'en') add('p', ru, 'ru');
    if (asked !== 'ru') add('p', en, 'en');
    if (what) add('code', what);
    add('a', `↻ ${{ ru: 'Открыть заново', en: 'Open anew' }[asked] ?? 'Открыть заново / Open anew'}`).href = location.href;
    // What is drawn already, and can be stepped, stays.
    if (place.querySelector('.scene')) place.before(note);
    else place.replaceChildren(note);
  };
  const why = what => {
    clearTimeout(slow);
    if (location.protocol === 'file:') {
      say('python3 -m http.server',
        'Страница открыта прямо с диска, а так браузеры не запускают WebAssembly. Отдайте её папку любым веб-сервером, например командой ниже, и откройте http://127.0.0.1:8000/.',
        'The page is opened straight from disk, where browsers do not start WebAssembly. Serve its folder with any web server, for instance by the command below, and open http://127.0.0.1:8000/.');
    } else if (typeof WebAssembly !== 'object') {
      say(what,
        'В этом браузере WebAssembly нет или он выключен. Включите его или откройте страницу в другом браузере.',
        'This browser has no WebAssembly, or it is switched off. Switch it on, or open the page in another browser.');
    } else if (/content security policy|unsafe-eval/i.test(what)) {
      say(what,
        'Интерактив отключён политикой безопасности страницы. Чтобы программа работала, нужны script-src \'self\' \'wasm-unsafe-eval\' и connect-src \'self\'.',
        'The interactive is switched off by the page’s security policy. For the program to work it takes script-src \'self\' \'wasm-unsafe-eval\' and connect-src \'self\'.');
    } else if (origin === 'null') {
      say(what,
        'Файлы страницы не загрузились в рамку с sandbox. Сервер должен отдавать их с заголовком Access-Control-Allow-Origin: *.',
        'The page’s files did not load in a sandboxed frame. The server has to send them with the header Access-Control-Allow-Origin: *.');
    } else {
      say(what,
        'Программа страницы не загрузилась. Откройте страницу заново. Если не поможет, на сервере не все её файлы или они повреждены.',
        'The page’s program did not load. Open the page anew. If that does not help, some of its files are missing or damaged on the server.');
    }
  };
  const all = {
    securitypolicyviolation: e => {
      // No page of ours has a script in its markup: what is stopped there is somebody else's.
      if (/^(script|connect)/.test(e.effectiveDirective) && e.blockedURI !== 'inline') why(`Content Security Policy, ${e.effectiveDirective}: ${e.blockedURI}`);
    },
    error: e => {
      const file = e.target.src ?? e.target.href;
      if (file ? file.endsWith('.js') : e.message) why(file || e.message);
    },
    unhandledrejection: e => why(String(e.reason?.message ?? e.reason)),
  };
  const slow = setTimeout((...what) => document.querySelector('#app .scene') || say(...what), 15000, '',
    'Загрузка идёт дольше обычного. Если связь медленная, подождите, иначе откройте страницу заново.',
    'Loading takes longer than usual. If the connection is slow, wait, or else open the page anew.');
  for (const name in all) addEventListener(name, all[name], true);
  addEventListener('TrunkApplicationStarted', () => {
    clearTimeout(slow);
    for (const name in all) removeEventListener(name, all[name], true);
  });
})();
