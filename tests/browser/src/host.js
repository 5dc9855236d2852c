// The page around the frames: what a course's own script would do, and what an intruder would.
globalThis.host = (() => {
  const frames = () => [...document.querySelectorAll('iframe')];
  const all = [];       // every message on this window from a frame: {at, data, origin}
  const links = [];     // per frame: {hello, port, events, answers}
  const link = at => links[at] ??= { hello: null, port: null, events: [], answers: {} };
  addEventListener('message', e => {
    const at = frames().findIndex(f => f.contentWindow === e.source);
    if (at < 0) return;
    all.push({ at, data: e.data, origin: e.origin });
    if (e.data?.type === 'hello') link(at).hello = e.data;
  });
  let next = 0;
  return {
    frames, all, link,
    offer: (at, change = {}, ports = 1) => {
      const own = link(at);
      const made = Array.from({ length: ports }, () => new MessageChannel());
      const offer = { highwater: 1, type: 'connect', v: 1, nonce: own.hello?.nonce, ...change };
      frames()[at].contentWindow.postMessage(offer, '*', made.map(m => m.port2));
      for (const { port1 } of made) port1.onmessage = e => {
        own.port = port1;
        if ('ev' in e.data) own.events.push(e.data);
        else own.answers[e.data.rid] = e.data;
      };
      own.last = made[0]?.port1;
    },
    ask: (at, cmd, args) => new Promise(done => {
      const own = link(at), rid = `r${next++}`;
      own.last.postMessage({ highwater: 1, rid, cmd, args });
      const look = () => own.answers[rid] ? done(own.answers[rid]) : setTimeout(look, 5);
      look();
    }),
    raw: (at, message, rid = '') => new Promise(done => {
      const own = link(at);
      delete own.answers[rid];
      own.last.postMessage(message);
      const look = () => own.answers[rid] ? done(own.answers[rid]) : setTimeout(look, 5);
      look();
    }),
    events: (at, ev) => link(at).events.filter(e => !ev || e.ev === ev),
  };
})();
