// The launch and the parameters of the kernel: fields for numbers that are lines of its text.
'use strict';

const launchLine = (word) =>
  new RegExp('^([ \\t]*' + word + '[ \\t]+)(\\d+)(?![\\d,]|[ \\t]*[,*+/-])', 'm');

function readLaunch() {
  for (const [id, word] of [['blocks', 'grid'], ['threads', 'block']]) {
    const found = editor.text.match(launchLine(word));
    byName(id).disabled = !found;
    byName(id).title = found ? '' : tr('the kernel computes it: change the line "%s"', word);
    if (document.activeElement !== byName(id)) byName(id).value = found ? found[2] : '';
  }
  const threads = Number(byName('threads').value), blocks = Number(byName('blocks').value);
  const warps = blocks * Math.ceil(threads / 32);
  byName('warps').textContent = !warps ? ''
    : warps === 1 ? tr('= 1 warp') : tr('= %s warps', warps);
  readParameters();
}

function writeLaunch(word, value) {
  if (!/^\d+$/.test(value)) return;
  const { text } = editor;
  editor.text = text.replace(launchLine(word), '$1' + value);
  readLaunch();
  later('type', TYPING, simulate);
}

// Makes a field for each parameter of the kernel.
function readParameters() {
  const box = byName('parameters');
  const found = [...editor.text.matchAll(/^[ \t]*param[ \t]+(\w+)[ \t]*=[ \t]*([^#\n]*)/gm)];
  const key = found.map((match) => match[1] + '=' + match[2]).join();
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.hidden = !found.length;
  box.querySelectorAll('label').forEach((label) => label.remove());
  for (const name of Object.keys(shell.extra))
    if (!found.some((match) => match[1] === name)) delete shell.extra[name];
  for (const [, name, value] of found) {
    const label = document.createElement('label');
    const input = document.createElement('input');
    input.value = shell.extra[name] || value.trim();
    input.inputMode = 'numeric';
    label.append(name + ' ', input);
    input.addEventListener('input', () => {
      if (input.value.trim() === value.trim()) delete shell.extra[name];
      else shell.extra[name] = input.value.trim();
      later('type', TYPING, simulate);
    });
    box.append(label);
  }
}
