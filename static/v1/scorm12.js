// A scene in a SCORM 1.2 package. It finds the LMS's API, opens the scene where the learner was,
// and tells the LMS what happens: step, state, answers, completion, time. Without an API the scene
// simply runs. Nothing of the learner is read, and nothing goes anywhere but to the LMS.
(() => {
  const frame = document.querySelector('iframe[data-src]');
  const started = Date.now();

  // Up to ten windows around this one, then around the one that opened it. Foreign ones throw.
  const find = (from) => {
    for (let at = from, n = 0; at && n < 10; n++) {
      try { if (at.API) return at.API; } catch { return null; }
      if (at.parent === at) return null;
      at = at.parent;
    }
    return null;
  };
  const found = () => { try { return find(window) ?? (window.opener && find(window.opener)); } catch { return null; } };
  const api = found();
  // An LMS answers in texts: "true" when it has done it.
  let open = false;
  try { open = String(api?.LMSInitialize('')) === 'true'; } catch { open = false; }
  const get = (name) => { try { return open ? String(api.LMSGetValue(name)) : ''; } catch { return ''; } };
  const set = (name, value) => { try { if (open) api.LMSSetValue(name, String(value)); } catch { /* the scene goes on */ } };
  let dirty = false;
  const commit = () => {
    if (!dirty) return;
    dirty = false;
    set('cmi.core.session_time', time(Date.now() - started));
    try { if (open) api.LMSCommit(''); } catch { /* tried again with the next step */ }
  };
  // HHHH:MM:SS.SS
  const time = (ms) => {
    const all = Math.round(ms / 10);
    const two = (n) => String(n).padStart(2, '0');
    return `${String(Math.floor(all / 360000)).padStart(4, '0')}:${two(Math.floor(all / 6000) % 60)}:${two(Math.floor(all / 100) % 60)}.${two(all % 100)}`;
  };

  const status = get('cmi.core.lesson_status');
  let done = status === 'completed' || status === 'passed';
  if (!done) set('cmi.core.lesson_status', 'incomplete');
  let answers = Number(get('cmi.interactions._count')) || 0;

  // Where the learner was: the state is a query and a fragment of the scene's own address.
  const source = new URL(frame.dataset.src, location.href);
  const state = get('cmi.suspend_data');
  const step = get('cmi.core.lesson_location');
  if (/^[?#]/.test(state)) {
    const kept = new URL(state, source);
    for (const [name, value] of kept.searchParams) source.searchParams.set(name, value);
    source.hash = kept.hash;
  }
  if (/^\d+$/.test(step)) source.searchParams.set('step', step);
  source.searchParams.set('start', 'load');

  let port, nonce, rid = 0, asked;
  const heard = {
    step: ({ step }) => {
      set('cmi.core.lesson_location', step);
      dirty = true;
      clearTimeout(asked);
      // The address of this state; once steps come slower than ten a second.
      asked = setTimeout(() => port.postMessage({ highwater: 1, rid: `link-${++rid}`, cmd: 'getPermalink', args: { form: 'full' } }), 100);
    },
    answer: ({ id, kind, response, correct, ms }) => {
      const at = `cmi.interactions.${answers++}.`;
      set(`${at}id`, id);
      set(`${at}type`, { number: 'numeric', order: 'sequencing' }[kind] ?? 'choice');
      set(`${at}student_response`, [].concat(response).join(','));
      set(`${at}result`, correct ? 'correct' : 'wrong');
      set(`${at}latency`, time(ms));
      dirty = true;
      commit();
    },
    completed: ({ correct, of }) => {
      done = true;
      if (of > 0) {
        set('cmi.core.score.min', 0);
        set('cmi.core.score.max', 100);
        set('cmi.core.score.raw', Math.round((correct / of) * 100));
      }
      set('cmi.core.lesson_status', 'completed');
      dirty = true;
      commit();
    },
  };
  addEventListener('message', ({ source: from, data }) => {
    if (from !== frame.contentWindow || data?.highwater !== 1) return;
    if (data.type !== 'hello' || data.nonce === nonce || !Array.isArray(data.v) || !data.v.includes(1)) return;
    nonce = data.nonce;
    port?.close();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = ({ data: told }) => {
      if (told?.highwater !== 1) return;
      if (told.ev) heard[told.ev]?.(told.data);
      else if (told.ok && told.result?.url) {
        const url = new URL(told.result.url, source);
        const kept = `${url.search}${url.hash}`;
        // SCORM 1.2 keeps 4096 characters; a longer state is its step alone.
        if (kept.length <= 4096) set('cmi.suspend_data', kept);
        dirty = true;
        commit();
      }
    };
    from.postMessage({ highwater: 1, type: 'connect', v: 1, nonce }, '*', [port2]);
  });
  const finish = () => {
    if (!open) return;
    dirty = true;
    set('cmi.core.exit', done ? '' : 'suspend');
    commit();
    open = false;
    try { api.LMSFinish(''); } catch { /* the LMS is gone */ }
  };
  addEventListener('pagehide', finish);
  addEventListener('beforeunload', finish);
  frame.src = source.href;
})();
