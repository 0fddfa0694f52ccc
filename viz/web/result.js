// The result: the report's page in a frame, of which a tab shows some sections; and the report as
// text. The page comes in two steps: timeline and figures at once, the pictures when nobody types.
'use strict';

// id of the tab, title, question, sections of the report's page, whether they are pictures.
const TABS = [
  ['timeline', mark('Timeline'), mark('A row is a place for a warp, a column is time, the colour ' +
    'is what the warp does: point at a cell, or tap it, to read it, and why.'), ['explore']],
  ['why', mark('Where time goes'),
    mark('In which states and at which lines do warps spend their cycles?'),
    ['limits', 'states', 'losses', 'lines']],
  ['lanes', mark('Lanes'), '', ['screen-lanes'], true],
  ['waves', mark('Waves'), '', ['screen-waves'], true],
  ['occupancy', mark('Occupancy'), '', ['screen-occupancy'], true],
  ['latency', mark('Latency hiding'), '', ['screen-latency'], true],
  ['source', mark('Source'), '', ['screen-source'], true],
  ['memory', mark('Memory'), '', ['screen-memory'], true],
  ['figures', mark('Figures'), '', ['what', 'figures']],
  ['report', mark('Report'), mark('What does the command say?'), []],
  ['calculator', mark('Calculator'),
    mark('How many warps of another kernel would fit, and what limits them?'), []],
];
const FRAME_STYLE = 'body{padding:0;max-width:none;overflow:hidden}body>header,nav,.aside,' +
  'main>p,#explore h2,.question{display:none}h2{margin-top:1rem}main>section{display:none}' +
  '@media(min-width:701px){figure svg,.picture{min-width:0}}';

const result = {
  frame: null, tab: 'timeline', pictures: false, place: null, observer: null,
  changed: () => {}, // called when the view has changed
  wantPictures: () => {},

  begin() {
    const tabs = document.getElementById('tabs');
    for (const [id, title] of TABS) {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', id: 'tab-' + id, textContent: tr(title) });
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', 'panel');
      button.addEventListener('click', () => this.choose(id));
      tabs.append(button);
    }
    tabs.addEventListener('keydown', (event) => this.onKey(event));
    this.choose(this.tab);
  },

  // Writes the titles anew, in another language.
  retitle() {
    for (const [id, title] of TABS) document.getElementById('tab-' + id).textContent = tr(title);
    this.choose(this.tab);
  },

  onKey(event) {
    const at = TABS.findIndex(([id]) => id === this.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const [id] = TABS[(to + TABS.length) % TABS.length];
    this.choose(id);
    document.getElementById('tab-' + id).focus();
  },

  choose(id) {
    const tab = TABS.find(([known]) => known === id) || TABS[0];
    this.tab = tab[0];
    for (const [known] of TABS) {
      const button = document.getElementById('tab-' + known);
      button.setAttribute('aria-selected', known === this.tab ? 'true' : 'false');
      button.tabIndex = known === this.tab ? 0 : -1;
    }
    document.getElementById('panel').setAttribute('aria-labelledby', 'tab-' + this.tab);
    document.getElementById('question').textContent = tab[2] && tr(tab[2]);
    document.getElementById('question').hidden = !tab[2];
    document.getElementById('stage').hidden = !tab[3].length;
    document.getElementById('drawing').hidden = !tab[4] || this.pictures || !this.frame;
    document.getElementById('report').hidden = this.tab !== 'report';
    document.getElementById('calculator').hidden = this.tab !== 'calculator';
    if (tab[4] && !this.pictures) this.wantPictures();
    if (this.frame) this.dress(this.frame);
    this.changed();
  },

  // Shows the sections of the tab, in the chosen theme.
  dress(frame) {
    const doc = frame.contentDocument;
    if (!doc || !doc.body) return;
    let style = doc.getElementById('shell');
    if (!style) {
      style = doc.createElement('style');
      style.id = 'shell';
      doc.head.append(style);
    }
    const tab = TABS.find(([id]) => id === this.tab);
    const shown = tab[3].map((id) => '#' + id).join(',') || '#none';
    const question = tab[4] ? '.question{display:block}' : '';
    style.textContent = FRAME_STYLE + question + shown.replace(/#[\w-]+/g, 'main>$&') +
      '{display:block}' + (tab[3].length === 1 ? 'main>section>h2{display:none}' : '');
    this.colour(doc);
    if (this.tab === 'timeline' && frame.contentWindow.relayout && doc.querySelector('.sm'))
      frame.contentWindow.relayout();
    this.fit();
  },

  // The report follows what the browser prefers; here it follows the page's switch.
  colour(doc) {
    const theme = document.documentElement.dataset.theme;
    for (const rule of doc.styleSheets[0] ? doc.styleSheets[0].cssRules : []) {
      if (!rule.media || !(rule.darkRule || /prefers-color-scheme/.test(rule.media.mediaText)))
        continue;
      rule.darkRule = true;
      doc.darkRule = rule;
    }
    if (doc.darkRule)
      doc.darkRule.media.mediaText = theme === 'dark' ? 'screen' : theme === 'light' ? 'not all'
        : 'screen and (prefers-color-scheme: dark)';
    doc.documentElement.style.colorScheme = theme || 'light dark';
  },

  fit() {
    const doc = this.frame && this.frame.contentDocument;
    if (doc && doc.body) this.frame.style.height = Math.ceil(doc.body.scrollHeight) + 4 + 'px';
  },

  // Shows a page in a new frame, which replaces the old one once it has been drawn.
  show(html) {
    return new Promise((resolve) => {
      const stage = document.getElementById('stage');
      const frame = document.createElement('iframe');
      const before = this.frame && this.frame.contentWindow.place
        ? this.frame.contentWindow.place() : this.place;
      frame.className = 'coming';
      frame.title = tr('Report of the run');
      frame.addEventListener('load', () => {
        for (const old of stage.querySelectorAll('iframe')) if (old !== frame) old.remove();
        this.frame = frame;
        this.pictures = false;
        if (this.observer) this.observer.disconnect();
        this.observer = new ResizeObserver(() => this.fit());
        this.observer.observe(frame.contentDocument.body);
        this.dress(frame);
        const { goTo } = frame.contentWindow;
        if (before && goTo) goTo(before);
        frame.className = '';
        for (const type of ['pointerup', 'keyup', 'wheel'])
          frame.contentDocument.addEventListener(type, () => this.changed(), { passive: true });
        this.watchDrops(frame.contentDocument);
        this.choose(this.tab);
        resolve();
      }, { once: true });
      frame.srcdoc = html;
      stage.append(frame);
    });
  },

  watchDrops: () => {},

  // Puts the pictures of a whole page into the page that is shown.
  addPictures(html) {
    const doc = this.frame && this.frame.contentDocument;
    if (!doc) return;
    const whole = new DOMParser().parseFromString(html, 'text/html');
    doc.querySelector('style').textContent = whole.querySelector('style').textContent;
    doc.darkRule = null;
    for (const section of whole.querySelectorAll('section[id^=screen-]')) {
      const old = doc.getElementById(section.id);
      if (old) old.remove();
      doc.querySelector('main').append(doc.adoptNode(section));
    }
    this.pictures = true;
    document.getElementById('drawing').hidden = true;
    this.dress(this.frame);
  },

  // Returns what of the run is shown, for a link.
  placeNow() {
    const window_ = this.frame && this.frame.contentWindow;
    return window_ && window_.place ? window_.place() : this.place;
  },

  // The sentence that says what limits the kernel, as the report has it.
  verdict() {
    const words = this.frame && this.frame.contentDocument.querySelector('.verdict');
    return words ? words.textContent : '';
  },
};
