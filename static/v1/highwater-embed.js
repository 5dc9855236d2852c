// <high-water scenario="…">: a scene of Highwater in any page; what it does: docs/embedding.md.
// Without this script the element is what stands inside it: a picture with a link.

if (!customElements.get('high-water')) {
  const app = new URL('../index.html', import.meta.url);
  const PASSED = 'scenario step from to view lang theme contrast motion speed autoplay controls hide lock predict seed strict';
  // Methods that are commands, with the names of their arguments.
  const METHODS = 'next back first last pause getInfo getState play:rate load:scenario:step getPermalink:form '
    + 'export:format:step announce:text ask:question reveal:question setMotion:motion';
  const put = (tag, into, about) => into.appendChild(Object.assign(document.createElement(tag), about));
  const fault = (told) => Object.assign(new Error(), told);
  const idle = { code: 'not-ready', message: 'no scene runs' };
  const all = new Set();
  // Those with a frame, the least recently used first.
  const live = new Set();
  const LIVE = 2;
  let timer, warmed;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host{display:block;position:relative;max-width:100%}
    :host([hidden]),[hidden],.print{display:none!important}
    .box{display:grid}
    .box>*{grid-area:1/1;min-width:0}
    slot{display:block}
    .pic,iframe{width:100%;border:0}
    ::slotted(*){max-width:100%}
    iframe:not(.on){opacity:0}
    button{align-self:end;justify-self:center;z-index:1;margin:12px;min-height:44px;padding:8px 16px;
      font:600 16px system-ui,sans-serif;color:#fff;background:#0b57d0;border:2px solid;border-radius:8px;cursor:pointer}
    button:focus-visible{outline:3px solid #0b57d0}
    @media print{
      .box{min-height:0!important}
      iframe,button,.pic{display:none!important}
      .box slot{display:block!important}
      .print{display:block!important;overflow-wrap:anywhere}
      :host([print=link]) slot{display:none!important}
    }`);

  // The message's window tells whose it is; a sandboxed frame's origin tells nothing.
  addEventListener('message', (e) => { for (const el of live) el._hear(e); });

  class HighWater extends HTMLElement {
    static observedAttributes = ['scenario', 'step', 'lang', 'theme'];

    // Starts what the reader looks at, once scrolling rests.
    static #eye = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        target.#near = isIntersecting;
        target.#seen = intersectionRatio >= 0.5;
      }
      clearTimeout(timer);
      timer = setTimeout(() => { for (const el of all) if (el.#seen && el.#auto) el.#start(); }, 300);
    }, { threshold: [0, 0.5] });

    #root = this.attachShadow({ mode: 'open' });
    #box; #slot; #pic; #button; #note; #frame; #port; #nonce; #info; #yes; #no;
    #near = false; #seen = false; #auto = false;
    #rid = 0; #waiting = new Map(); #sizes = []; #where = []; #hash = '';
    #ready = this.#hope(); #tall;

    constructor() {
      super();
      this.#root.adoptedStyleSheets = [sheet];
      this.#box = put('div', this.#root, { className: 'box' });
      this.#slot = put('slot', this.#box);
      // The page's policy may forbid the picture; what stands inside may be seen anywhere.
      const onerror = () => { this.#pic.removeAttribute('src'); this.#poster(); };
      this.#pic = put('img', this.#box, { onerror, className: 'pic' });
      const warm = () => {
        if (!warmed) put('link', document.head, { rel: 'preconnect', href: app.origin });
        warmed = true;
      };
      this.#button = put('button', this.#box,
        { type: 'button', onclick: () => this.#start(true), onpointerover: warm, onfocus: warm });
      this.#note = put('p', this.#root, { className: 'print' });
    }

    connectedCallback() {
      all.add(this);
      const start = this.getAttribute('start');
      this.#auto ||= start === 'visible' || start === 'load';
      if (this.#auto && !this.#pic.src) this.#box.style.minHeight = `${this.#height()}px`;
      // The parser may not have come to what stands inside.
      queueMicrotask(() => this.#poster());
      HighWater.#eye.observe(this);
      if (start === 'load' && live.size < LIVE) this.#start();
    }
    disconnectedCallback() {
      all.delete(this);
      HighWater.#eye.unobserve(this);
      this.#auto ||= !!this.#frame;
      this.#drop();
    }
    attributeChangedCallback(name, was, is) {
      if (was === is || is === null) return;
      this.#where = this.#where.filter(([key]) => key !== name);
      this.#hash = '';
      if (!this.#info) return;
      const done = name === 'step' ? this.seek(is) : name === 'scenario' ? this.load(is)
        : this.command(name === 'lang' ? 'setLang' : 'setTheme', { [name]: is });
      done.catch(({ code, message }) => this.#tell('error', { code, message }));
    }

    #hope() {
      const hope = new Promise((yes, no) => { this.#yes = yes; this.#no = no; });
      hope.catch(() => {});
      return hope;
    }
    #lang() {
      return (this.closest('[lang]')?.lang || navigator.language).slice(0, 2).toLowerCase();
    }
    #title() {
      return this.title || this.querySelector('img')?.alt || this.textContent.trim()
        || this.getAttribute('scenario') || 'Highwater';
    }
    #poster() {
      const ru = this.#lang() === 'ru';
      this.#button.lang = ru ? 'ru' : 'en';
      this.#button.textContent = (ru ? 'Запустить: ' : 'Run: ') + this.#title();
      const runs = !!this.#frame?.className;
      this.#button.hidden = runs;
      this.#pic.hidden = runs || !this.#pic.src;
      this.#slot.hidden = runs || !this.#pic.hidden;
      this.#note.textContent = `${this.#title()}: ${this.#address()}`;
    }
    #address(frame) {
      const url = new URL(frame ? 'index.html' : '.', app);
      const put = (pairs) => pairs.map(([name, value]) => value !== null && url.searchParams.set(name, value));
      put(PASSED.split(' ').map((name) => [name, this.getAttribute(name)]));
      if (/ru|en/.test(this.#lang())) put([['lang', this.#lang()]]);
      put(this.#where);
      if (frame) put([['start', 'load'], ['resize', 'highwater'], ['origin', /^https/.test(origin) ? origin : null]]);
      url.hash = this.#hash || this.getAttribute('branch') || '';
      return url.href;
    }
    // What a scene takes, until it says so itself.
    #height() {
      const width = this.clientWidth || 960;
      const [a, b] = (this.getAttribute('ratio') || '16/9').split('/');
      return Math.round(Math.min(1600, Math.max(width < 480 ? 740 : 480, (width * b) / a || 0)));
    }

    async #start(byHand) {
      if (live.has(this)) return;
      if (live.size >= LIVE) {
        // Nothing that is looked at goes for what nobody pressed.
        const out = [...live].find((el) => !el.#near) ?? (byHand && [...live][0]);
        if (!out) return;
        live.delete(out);
        live.add(this);
        await out.#rest();
        out.#auto = true;
        if (!live.has(this) || !this.isConnected) return;
      }
      live.add(this);
      this.#auto = false;
      const shown = () => {
        if (frame.className || frame !== this.#frame) return;
        const focus = this.#root.activeElement;
        frame.className = 'on';
        this.#box.style.minHeight = '';
        this.#poster();
        // Only from the button that was pressed, and that is gone now.
        if (focus) frame.focus({ preventScroll: true });
      };
      const frame = Object.assign(document.createElement('iframe'), {
        title: this.#title(),
        sandbox: 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads',
        allow: 'fullscreen; clipboard-write',
        referrerPolicy: 'no-referrer',
        loading: byHand ? 'eager' : 'lazy',
        height: this.#tall ??= this.#height(),
        src: this.#address(true),
        onload: shown,
      });
      // theme=auto follows the frame's own scheme: what the page declares, or how it looks.
      const { colorScheme, color } = getComputedStyle(this);
      const theme = this.getAttribute('theme');
      frame.style.colorScheme = /light|dark/.test(theme) ? theme
        : colorScheme !== 'normal' ? colorScheme : color.match(/\d+/) > 127 ? 'dark' : 'light';
      this.#frame = frame;
      this.#box.append(frame);
    }

    // Starts the scene.
    run() {
      this.#start(true);
      return this.#ready;
    }
    // What it showed stays as a picture, and it goes on from there.
    async stop() {
      this.#auto = false;
      await this.#rest();
      live.delete(this);
    }
    async #rest() {
      if (!this.#frame) return;
      const [link, shot] = await Promise.allSettled([
        this.#ask('getPermalink', { form: 'full' }, 400), this.#ask('export', { format: 'svg' }, 400)]);
      if (link.value) {
        const url = new URL(link.value.url, app);
        this.#where = [...url.searchParams];
        this.#hash = url.hash;
      }
      if (typeof shot.value?.data === 'string') {
        this.#pic.src = `data:image/svg+xml,${encodeURIComponent(shot.value.data)}`;
        this.#pic.alt = `${this.#title()}, ${this.step}`;
      }
      this.#drop();
    }
    #drop() {
      live.delete(this);
      if (!this.#frame) return;
      const { step, scenario } = this.#info ?? {};
      if (step !== undefined && !this.#where.length) this.#where = Object.entries({ scenario, step });
      this.#port?.close();
      this.#frame.remove();
      this.#frame = this.#port = this.#nonce = this.#info = null;
      for (const { no } of this.#waiting.values()) no(fault(idle));
      this.#waiting.clear();
      this.#no(fault(idle));
      this.#ready = this.#hope();
      this.#poster();
    }

    _hear({ source, data }) {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.highwater !== 1) return;
      if (data.type === 'size') this.#size(data.height);
      if (data.type !== 'hello' || data.nonce === this.#nonce || !Array.isArray(data.v) || !data.v.includes(1)) return;
      // A frame that has loaded anew says another nonce.
      this.#port?.close();
      this.#nonce = data.nonce;
      const { port1, port2 } = new MessageChannel();
      this.#port = port1;
      port1.onmessage = (e) => this.#took(e.data);
      source.postMessage({ highwater: 1, type: 'connect', v: 1, nonce: this.#nonce }, '*', [port2]);
    }
    #took(told) {
      if (told?.highwater !== 1) return;
      if ('rid' in told) {
        const asked = this.#waiting.get(told.rid);
        this.#waiting.delete(told.rid);
        if (told.ok) asked?.yes(told.result);
        else asked?.no(fault(told.error));
        return;
      }
      const { ev, data } = told;
      if (ev === 'ready') { this.#info = data; this.#where = []; this.#yes(data); }
      if (ev === 'size') this.#size(data?.height);
      if (ev === 'step') {
        if (this.#info) this.#info.step = data.step;
        live.delete(this);
        live.add(this);
      }
      if (ev === 'error') this.#no(fault(data));
      this.#tell(ev, data);
    }
    #tell(ev, detail) {
      this.dispatchEvent(new CustomEvent(`highwater-${ev}`, { detail, bubbles: true }));
    }
    #size(told) {
      const height = Math.min(1600, Math.max(160, Math.ceil(told)));
      const now = performance.now();
      this.#sizes = this.#sizes.filter((at) => now - at < 2000);
      if (!height || height === this.#tall || this.hasAttribute('fixed') || this.#sizes.length >= 10) return;
      this.#sizes.push(now);
      this.#frame.height = this.#tall = height;
    }
    #ask(cmd, args = {}, patience = 5000) {
      if (!this.#port) return Promise.reject(fault(idle));
      const rid = `${++this.#rid}`;
      return new Promise((yes, no) => {
        this.#waiting.set(rid, { yes, no });
        setTimeout(() => this.#waiting.delete(rid) && no(fault(idle)), patience);
        this.#port.postMessage({ highwater: 1, rid, cmd, args });
      });
    }

    // Any command of the protocol.
    async command(cmd, args) {
      if (!this.#frame) throw fault(idle);
      await this.#ready;
      return this.#ask(cmd, args);
    }
    get ready() { return this.#ready; }
    get step() { return this.#info?.step; }
    set step(to) { this.setAttribute('step', to); }
    get steps() { return this.#info?.steps; }
    seek(to, args) { return this.command('seek', { ...args, ...(/^\d+$/.test(to) ? { step: +to } : { marker: `${to}` }) }); }
  }
  for (const method of METHODS.split(' ')) {
    const [name, ...keys] = method.split(':');
    HighWater.prototype[name] = function (...given) {
      return this.command(name, Object.fromEntries(given.map((value, i) => [keys[i], value]).filter((arg) => arg[1] !== undefined)));
    };
  }
  customElements.define('high-water', HighWater);
}
