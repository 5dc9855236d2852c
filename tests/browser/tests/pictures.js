// What is drawn, as text, and what of its words is not where it belongs.
globalThis.pictures = (() => {
  const drawings = () => [...document.querySelectorAll('.scene svg.draw:not(.mini)')].filter(e => e.checkVisibility());
  const signs = () => [...document.querySelectorAll('.scene svg.sign-box')].filter(e => e.closest('.gcell'));
  const number = (e, name) => Math.round(Number(e.getAttribute(name) ?? 0));
  const own = e => e.getAttribute('class') ?? '';

  // Lines of text, one for each thing drawn; words last, after a tab. Attributes alone: what a
  // machine's fonts make of the words is not in it.
  const describe = (e, [dx, dy], group) => {
    const at = (x, y) => `${number(e, x) + dx},${number(e, y) + dy}`;
    const box = () => `${at('x', 'y')} ${number(e, 'width')}x${number(e, 'height')}`;
    const say = (kind, ...rest) => [[kind, group, own(e), ...rest].filter(Boolean).join(' ')];
    switch (e.tagName) {
      case 'rect': return own(e) === 'foot' ? [] : say('rect', box());
      case 'line': return say('line', at('x1', 'y1'), at('x2', 'y2'));
      case 'circle': return say('circle', at('cx', 'cy'), number(e, 'r'));
      case 'text': return say('text', at('x', 'y'), e.getAttribute('text-anchor') ?? '').map(line => `${line}\t${e.textContent}`);
      case 'polygon': {
        const points = e.getAttribute('points').split(' ').map(p => p.split(',').map(Number));
        const [xs, ys] = [0, 1].map(n => points.map(p => Math.round(p[n])));
        const [x, y] = [Math.min(...xs), Math.min(...ys)];
        return say('shape', `${x + dx},${y + dy} ${Math.max(...xs) - x}x${Math.max(...ys) - y}`);
      }
      case 'path': return e.closest('.icon') ? [] : say('path', dx || dy ? `from ${dx},${dy}` : '', e.getAttribute('d'));
      case 'g': {
        const moved = e.getAttribute('transform') ?? '';
        const [, x, y] = /^translate\((-?\d+) (-?\d+)\)$/.exec(moved) ?? [0, 0, 0];
        // A sign: where it is, and how its line begins.
        if (moved && !x) return say('sign', moved, e.querySelector('path')?.getAttribute('d').slice(0, 12));
        const inner = own(e) ? `${group ? `${group}/` : ''}${own(e)}` : group;
        const to = [dx + Number(x), dy + Number(y)];
        // A cell is one thing.
        if (e.matches('.cell')) {
          const body = e.querySelector('.body');
          const words = [...e.querySelectorAll('text')].map(t => t.textContent).join(' ');
          return [`${inner} ${number(body, 'x') + to[0]},${number(body, 'y') + to[1]} ${number(body, 'width')}x${number(body, 'height')}\t${words}`];
        }
        return [...e.children].flatMap(child => describe(child, to, inner));
      }
      case 'svg': return e.matches('.icon') ? say('sign', box()) : [...e.children].flatMap(child => describe(child, [dx, dy], group));
      default: return [...e.children].flatMap(child => describe(child, [dx, dy], group));
    }
  };
  const picture = () => {
    const grid = signs().map(e => own(e).replace('sign-box ', '') + (e.closest('.chosen') ? ' chosen' : ''));
    return [
      ...(grid.length ? [`grid ${grid.join(', ')}`] : []),
      ...drawings().flatMap((e, n) => [`drawing ${n + 1}: ${e.getAttribute('viewBox')}`, ...describe(e, [0, 0], '')]),
    ];
  };

  // The words of a drawing as boxes on the page: a letter is as high as a capital, about 0.72 em.
  const seen = t => t.textContent.trim() && Number(getComputedStyle(t).opacity) > 0 && t.checkVisibility({ opacityProperty: true });
  const words = svg => [...svg.querySelectorAll('text')].filter(seen).map(t => {
    const box = t.getBoundingClientRect();
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const size = parseFloat(getComputedStyle(t).fontSize) * scale;
    const base = t.getCTM().f + number(t, 'y') * scale + svg.getBoundingClientRect().top;
    return { t, left: box.left, right: box.right, top: base - 0.72 * size, bottom: base };
  });
  // Around what a word must keep to: its cell, the box of its message, its flag, the ground of its tag.
  const home = t => t.closest('.cell')?.querySelector('.body')
    ?? t.closest('.msg')?.querySelector('rect') ?? t.closest('.flag')?.querySelector('polygon') ?? t.ownerSVGElement;
  const out = () => drawings().flatMap(svg => {
    const all = words(svg), faults = [];
    all.forEach(({ t, left, right, top, bottom }, n) => {
      const box = home(t).getBoundingClientRect();
      const by = Math.max(box.left - left, right - box.right, box.top - top, bottom - box.bottom);
      if (by > 1) faults.push(`“${t.textContent}” leaves its ${home(t).tagName} by ${by.toFixed(1)} px`);
      for (const b of all.slice(n + 1)) {
        const across = Math.min(right, b.right) - Math.max(left, b.left), down = Math.min(bottom, b.bottom) - Math.max(top, b.top);
        if (across > 1 && down > 1) faults.push(`“${t.textContent}” and “${b.t.textContent}” overlap by ${across.toFixed(1)} × ${down.toFixed(1)} px`);
      }
    });
    return faults;
  });

  const frame = () => new Promise(go => requestAnimationFrame(() => setTimeout(go)));
  // The slider shows a step as soon as it is told to; the line of steps, when it is drawn.
  const drawn = () => [...document.querySelectorAll('#app .track .dot')].findIndex(dot => dot.classList.contains('here'));
  // Until nothing changes any more from one frame to the next.
  const settle = async () => {
    await frame();
    for (let n = 0, before = ''; n < 100; n++) {
      const now = JSON.stringify([drawn(), picture(), document.querySelector('#app .face.now')?.innerText]);
      if (now === before) return;
      before = now;
      await frame();
    }
    throw new Error('the drawing does not come to rest');
  };
  const go = async step => {
    hw.go(step);
    for (let n = 0; n < 200 && drawn() !== step; n++) await frame();
    if (drawn() !== step) throw new Error(`step ${step} is not reached`);
    await settle();
  };

  // Walks the whole scene: the pictures of some of its steps, and the faults of all.
  const walk = async telling => {
    const told = {}, faults = [];
    for (let step = 0; step <= hw.last(); step++) {
      await go(step);
      faults.push(...out().map(fault => `step ${step}: ${fault}`));
      if (!telling.includes(step)) continue;
      told[step] = picture();
      // The look is colours alone.
      const place = () => JSON.stringify([picture(), drawings().map(e => e.getBoundingClientRect())]);
      const before = place(), { theme } = document.documentElement.dataset;
      document.documentElement.dataset.theme = 'dark';
      if (place() !== before) faults.push(`step ${step}: it is drawn otherwise in the dark`);
      document.documentElement.dataset.theme = theme;
    }
    return { told, faults };
  };
  return { walk, out, settle };
})();
