// The editor: a text area over the same text in colours, with line numbers and the place of an
// error.
'use strict';

const TOKENS = [
  ['comment', /(?:#|\/\/).*/y],
  ['guard', /@!?U?P[0-9T]+/y],
  ['register', /-?\b(?:U?R(?:\d+|Z)|U?P(?:\d|T)|SR_[A-Z0-9_.]+)\b(?:\.[\w]+)*/y],
  ['constant', /\bc\[[^\]]*\]\[[^\]]*\]/y],
  ['header', new RegExp('\\b(?:kernel|grid|block|registers|shared|dynamic|local|carveout|param|' +
    'let|buffer)\\b(?=\\s)', 'y')],
  ['structure', /\b(?:loop|repeat|if|else|lanes|warps|as)\b/y],
  ['opcode', /\b[A-Z][A-Z0-9]+(?:\.[A-Za-z0-9_]+)*\b/y],
  ['number', /\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:e-?\d+)?)(?:[KMG](?:iB)?)?\b/y],
  ['word', /[A-Za-z_]\w*/y],
  ['other', /\s+|[^\s\w]/y],
];

function escapeText(text) {
  return text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);
}

// Returns a line as HTML, each token in a span of its kind.
function colourLine(line) {
  let html = '';
  for (let at = 0; at < line.length;) {
    const found = TOKENS.find(([, pattern]) => ((pattern.lastIndex = at), pattern.test(line)));
    const end = found ? found[1].lastIndex : at + 1;
    const text = escapeText(line.slice(at, end));
    html += !found || found[0] === 'other' || found[0] === 'word' ? text
      : '<span class="t-' + found[0] + '">' + text + '</span>';
    at = end;
  }
  return html;
}

const editor = {
  area: document.getElementById('text'),
  colours: document.getElementById('colours'),
  gutter: document.getElementById('gutter'),
  error: null,

  get text() { return this.area.value; },
  set text(value) {
    this.area.value = value;
    this.error = null;
    this.draw();
  },

  draw() {
    const lines = this.text.split('\n');
    const wrong = this.error && this.error.line ? this.error.line - 1 : -1;
    this.colours.innerHTML = lines.map((line, i) =>
      i === wrong ? '<mark>' + (colourLine(line) || ' ') + '</mark>' : colourLine(line))
      .join('\n') + '\n';
    this.gutter.innerHTML = lines.map((line, i) =>
      '<span' + (i === wrong ? ' class="wrong"' : '') + '>' + (i + 1) + '</span>').join('\n');
    const rows = Math.max(12, lines.length + 1);
    this.area.rows = rows;
  },

  // Shows an error at its line; null: there is none.
  showError(error) {
    this.error = error;
    this.draw();
    const note = document.getElementById('error');
    note.hidden = !error;
    this.area.setAttribute('aria-invalid', error ? 'true' : 'false');
    if (!error) {
      note.textContent = '';
      return;
    }
    const line = error.line ? this.text.split('\n')[error.line - 1] || '' : '';
    const place = error.line ? tr('line %s, column %s: ', error.line, error.column) : '';
    note.textContent = place + error.message;
    if (line) {
      const column = Math.max(1, error.column || 1);
      const code = document.createElement('pre');
      const margin = String(error.line).padStart(4) + ' | ';
      code.textContent = margin + line.replace(/\t/g, ' ') + '\n' +
        ' '.repeat(margin.length + column - 1) + '^';
      note.append(code);
    }
  },

  begin(changed) {
    this.area.addEventListener('input', () => {
      this.error = null;
      this.draw();
      changed();
    });
    this.area.addEventListener('scroll', () => {
      this.colours.style.transform = 'translateX(' + -this.area.scrollLeft + 'px)';
    });
  },
};
