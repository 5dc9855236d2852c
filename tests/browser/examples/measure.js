// What is noted in the page itself; loaded before its own scripts.
globalThis.measured = (() => {
  const notes = { ready: 0, program: 0, wasm: null, timers: 0, frames: 0, long: 0 };
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame']) {
    const own = window[name].bind(window);
    notes[name] = own;
    window[name] = (...a) => { notes[name === 'requestAnimationFrame' ? 'frames' : 'timers'] += 1; return own(...a); };
  }
  addEventListener('TrunkApplicationStarted', e => { notes.wasm = e.detail.wasm; notes.program = performance.now(); });
  new PerformanceObserver(list => { notes.long += list.getEntries().length; }).observe({ type: 'longtask' });
  // Ready once it can be stepped, by the program or by the script before it: `live` and `data-program`
  // stand for what listens.
  const look = () => {
    const { classList, dataset } = document.documentElement;
    if (!classList.contains('live') && !dataset.program || !document.querySelector('#app .bar button')) return;
    notes.ready ||= performance.now();
    watch.disconnect();
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['class', 'data-program'] });

  const paint = () => new Promise(go => notes.requestAnimationFrame(() => notes.setTimeout(() => go(performance.now()), 0)));
  const wait = ms => new Promise(go => notes.setTimeout(go, ms));
  const changed = what => new Promise(go => {
    const seen = new MutationObserver(() => { seen.disconnect(); go(); });
    seen.observe(document.querySelector(what), { childList: true, subtree: true, characterData: true, attributes: true });
    notes.setTimeout(() => { seen.disconnect(); go(); }, 2000);
  });

  return {
    notes,
    paints: () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    loaded: () => performance.getEntriesByType('resource').length,
    bytes: () => performance.getEntriesByType('resource').reduce((sum, e) => sum + e.encodedBodySize, 0),
    // From a press until what it changed has been painted, of each step of a scene, ms.
    presses: async () => {
      const all = [];
      for (let step = hw.step(); step < hw.last(); step++) {
        const start = performance.now();
        const change = changed('.scene');
        document.querySelector('.bar .primary').click();
        await change;
        all.push(await paint() - start);
        await wait(900);
      }
      return all;
    },
    // Gaps between frames while each step moves, ms.
    gaps: async ms => {
      const all = [];
      for (let step = hw.step(); step < hw.last(); step++) {
        document.querySelector('.bar .primary').click();
        const start = performance.now();
        let before = 0;
        for (;;) {
          const now = await new Promise(go => notes.requestAnimationFrame(go));
          if (before) all.push(now - before);
          before = now;
          if (performance.now() - start > ms) break;
        }
      }
      return all;
    },
    // The same of a page that does next to nothing.
    trivial: async () => {
      const [line] = document.querySelectorAll('p'), all = [], gaps = [];
      for (let n = 0; n < 11; n++) {
        const start = performance.now();
        line.textContent = n;
        all.push(await paint() - start);
        let before = 0;
        while (performance.now() - start < 700) {
          const now = await new Promise(go => notes.requestAnimationFrame(go));
          line.textContent = now;
          if (before) gaps.push(now - before);
          before = now;
        }
      }
      return [all, gaps];
    },
    // From a jump until the page shows the step, without painting it, ms.
    seeks: async () => {
      const last = hw.last(), all = [];
      // Back and forth, so that no step is beside the one before.
      const order = Array.from({ length: last + 1 }, (_, n) => n % 2 ? n : last - n);
      for (const step of order.filter(step => step !== hw.step())) {
        const start = performance.now();
        const change = changed('.scene');
        hw.go(step);
        await change;
        all.push(performance.now() - start);
        await paint();
      }
      return all;
    },
    // Stands still for a while: what was asked for meanwhile.
    idle: async ms => {
      await wait(1500);
      const { timers, frames } = notes;
      await wait(ms);
      return { timers: notes.timers - timers, frames: notes.frames - frames };
    },
    rest: wait,
    memory: () => ({ heap: performance.memory.usedJSHeapSize, wasm: notes.wasm?.memory.buffer.byteLength ?? 0 }),
  };
})();
