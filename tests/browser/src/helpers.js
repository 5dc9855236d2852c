// What the tests ask a page, loaded before its own scripts.
globalThis.hw = (() => {
  const slider = () => document.querySelector('.scene input[type=range]');
  const visible = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;
  const name = e => (e.getAttribute('aria-label')
    ?? document.getElementById(e.getAttribute('aria-labelledby'))?.textContent
    ?? e.labels?.[0]?.textContent ?? e.textContent ?? '').trim();
  const controls = () => [...document.querySelectorAll('button, a[href], input, select, summary, [tabindex="0"]')]
    .filter(visible).filter(e => !e.matches('.skip'));

  // Colours as [red, green, blue, opacity], whatever way they are written.
  const canvas = () => Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  let pen;
  const colour = text => {
    pen ??= canvas();
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, ground) => top.slice(0, 3).map((c, i) => c * top[3] + ground[i] * (1 - top[3]));
  const ground = e => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) layers.push(colour(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const light = rgb => {
    const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dark + 0.05);
  };

  return {
    name, controls, visible,
    say: e => `<${e.tagName.toLowerCase()} class="${e.getAttribute('class') ?? ''}"> ${name(e).slice(0, 40)}`,
    step: () => Number(slider().value),
    last: () => Number(slider().max),
    heading: () => document.querySelector('.face.now h3')?.innerText ?? '',
    button: text => controls().find(e => e.tagName === 'BUTTON' && name(e) === text),
    go: step => {
      const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
      setter.call(slider(), step);
      slider().dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    // Everything a step shows, without what says which way the reader came. Attributes are in the
    // order of their names: the order of the page's own depends on what was there before.
    shown: () => {
      const write = e => {
        if (e.nodeType === Node.TEXT_NODE) return e.data;
        if (e.nodeType !== Node.ELEMENT_NODE || e.matches('.said, dialog')) return '';
        const attributes = [...e.attributes].filter(a => a.name !== 'data-how')
          .map(a => ` ${a.name}="${a.value}"`).sort().join('');
        return `\n<${e.tagName.toLowerCase()}${attributes}>${[...e.childNodes].map(write).join('')}`;
      };
      return write(document.querySelector('.scene'));
    },
    focus: () => {
      const e = document.activeElement;
      if (!e || e === document.body) return '';
      return `${[...document.querySelectorAll('*')].indexOf(e)} ${name(e).slice(0, 40)}`;
    },
    ring: () => {
      // Around the control, or around the card or track that it stands for.
      for (let at = document.activeElement; at; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) return 'there';
      }
      return 'none';
    },
    faint: () => {
      const found = new Set();
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const e = text.parentElement;
        const svg = e.closest('svg');
        if (!text.data.trim() || svg || !visible(e) || e.closest('[aria-disabled=true], [aria-hidden=true]')) continue;
        const style = getComputedStyle(e);
        const below = ground(e);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        const ratio = contrast(over(colour(style.color), below), below);
        if (ratio < (large ? 3 : 4.5)) found.add(`${ratio.toFixed(2)}: ${text.data.trim().slice(0, 40)}`);
      }
      return [...found];
    },
  };
})();
