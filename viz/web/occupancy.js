// The occupancy calculator: the command's own text and curves.
'use strict';

const calculator = {
  fields: {},
  config: () => 't4',

  begin(changed) {
    const box = document.getElementById('calculator');
    box.innerHTML = '<div class="row"></div><div role="status"></div><div class="curves"></div>' +
      '<pre></pre>';
    const fields = [['threads', mark('Threads per block'), 256, 1024],
      ['registers', mark('Registers per thread'), 40, 255],
      ['shared', mark('Shared memory per block, bytes'), 0, 1 << 20]];
    for (const [name, title, value, most] of fields) {
      const label = document.createElement('label');
      const input = document.createElement('input');
      Object.assign(input, { type: 'number', min: name === 'shared' ? 0 : 1, max: most, value,
        id: 'calc-' + name });
      const words = make('span', tr(title));
      words.dataset.tr = title;
      label.append(words, ' ', input);
      box.firstChild.append(label);
      input.addEventListener('input', () => { this.update(); changed(); });
      this.fields[name] = input;
    }
  },

  get state() {
    return Object.values(this.fields).map((input) => input.value).join(' ');
  },
  set state(text) {
    const values = String(text).split(' ');
    Object.values(this.fields).forEach((input, i) => { input.value = values[i] || input.value; });
  },

  async update() {
    const numbers = {};
    for (const [name, input] of Object.entries(this.fields))
      numbers[name] = Math.max(0, Math.floor(Number(input.value)) || 0);
    const answer = await artist.ask({ kind: 'occupancy', config: this.config(), ...numbers });
    if (!answer) return;
    const [, status, curves, text] = document.getElementById('calculator').children;
    status.textContent = answer.error ? answer.error.message : '';
    status.className = answer.error ? 'wrong' : '';
    curves.hidden = text.hidden = Boolean(answer.error);
    if (answer.error) return;
    curves.innerHTML = answer.svg.slice(answer.svg.indexOf('<svg'));
    text.textContent = answer.text;
  },
};
