// A run: what is chosen on the page becomes a request, and the answer becomes what is shown.
'use strict';

const TYPING = 120; // milliseconds without a key until the simulation begins
const RESTING = 400; // until the pictures are drawn
const SLOW = 400; // until a run that has not ended shows how far it is
const byName = (id) => document.getElementById(id);
const shell = { file: null, extra: {}, timers: {}, linked: false };

// Returns the options, one a line, as the command takes them.
function words() {
  const list = [];
  if (byName('memory').value) list.push('--memory ' + byName('memory').value);
  for (const id of ['scheduler', 'divergence'])
    if (byName(id).value) list.push('--set ' + switchKeys[id] + '=' + byName(id).value);
  for (const line of byName('settings').value.split('\n'))
    if (line.trim()) list.push('--set ' + line.trim().replace(/^--set +/, ''));
  for (const [name, value] of Object.entries(shell.extra))
    if (value !== '') list.push('--param ' + name + '=' + value);
  return list.join('\n');
}

function later(name, milliseconds, action) {
  clearTimeout(shell.timers[name]);
  shell.timers[name] = setTimeout(action, milliseconds);
}

// Shows the rows of the short report that a reader needs first. The report may cut the meaning of a
// state; the glossary has all of it.
function summarize(answer) {
  const found = (name) =>
    answer.short.match(new RegExp('^  ' + name + ' +(.*(?:\\n {16}.*)*)', 'm')) || ['', ''];
  const row = (name) => found(name)[1].replace(/\s+/g, ' ');
  const first = (name, pattern) => (row(name).match(pattern) || [''])[0];
  const facts = [row('time') && tr('%s cycles', first('time', /\d+(?= cycles)/)),
    row('occupancy') && tr('occupancy %s', first('occupancy', /^[\d.]+ %/)),
    row('IPC') && tr('%s instructions per cycle', row('IPC').split(' ')[0])];
  const lines = [facts.filter(Boolean).join(' · '),
    row('warps mostly').replace(/^([\d.]+ %) ([^:]*): (.*)/, (_, share, state, meaning) =>
      tr('Warps mostly: %s (%s): %s', tr(state), share, meaningOf(tr(state)) || meaning)),
    row('try') && tr('Try: %s', row('try').replace(/^1 (.*?) 2 .*/, '$1'))];
  byName('numbers').replaceChildren(...lines.filter(Boolean).map((line) => make('span', line)));
}

function summary(headline, detail) {
  byName('summary').textContent = headline;
  const rest = document.createElement('span');
  rest.textContent = detail ? ' ' + detail : '';
  byName('summary').append(rest);
}

// The first clause says what limits the kernel; the rest is detail.
function showVerdict(sentence) {
  const [first, ...rest] = sentence.split(/; |；/);
  if (!rest.length) summary(sentence);
  else {
    const detail = rest.join('; ');
    summary(first + (/[\u4e00-\u9fff]/.test(first) ? '。' : '.'),
      detail[0].toUpperCase() + detail.slice(1));
  }
}

async function shown(answer) {
  document.body.classList.toggle('stale', Boolean(answer.error));
  editor.showError(answer.error && !shell.file ? answer.error : null);
  if (answer.error) {
    byName('error').hidden = false;
    if (shell.file) byName('error').textContent = answer.error.message;
    const { line, message } = answer.error;
    summary((line ? tr('Line %s: ', line) : '') + message,
      result.frame ? tr('Below is the run before this change.') : '');
    return;
  }
  byName('error').hidden = true;
  byName('report').textContent = answer.short ? answer.short + '\n' + answer.full
    : tr('A timeline has no text report; the tab "Figures" has its numbers.');
  shell.timeline = answer.timeline || shell.file.bytes;
  await result.show(answer.page);
  if (answer.stopped) summary(tr('You stopped the run.'), tr('All figures cover only what ran.'));
  else showVerdict(result.verdict() || tr('The run is complete.'));
  if (answer.short) summarize(answer);
  else byName('numbers').textContent = '';
  byName('time').textContent = tr('Simulated and drawn in %s ms.',
    Math.round(performance.now() - shell.began));
  document.documentElement.dataset.ready = String(++shell.count);
  later('pictures', RESTING, drawPictures);
}
shell.count = 0;

async function drawPictures() {
  if (result.pictures || !shell.timeline) return;
  const { count } = shell;
  const answer = await artist.ask({ kind: 'pictures', input: shell.timeline });
  if (answer && answer.page && count === shell.count) result.addPictures(answer.page);
}

// Shows how far a run is, once it takes a while. null: there is none.
function showProgress(message) {
  const box = byName('progress');
  box.hidden = !message;
  if (!message) return;
  byName('sofar').textContent = message.drawing ? tr('Drawing ...') : message.cycles
    ? tr('Simulating: %s cycles so far.', message.cycles.toLocaleString('en'))
    : tr('Simulating ...');
  byName('stop').textContent = message.drawing ? tr('Give up') : tr('Stop');
  box.dataset.drawing = message.drawing ? 'yes' : '';
}

// Ends a run: it is shown as far as it has come; while it is being drawn, it is given up.
function stopRun() {
  if (byName('progress').dataset.drawing) engine.kill();
  else engine.stop();
}

async function simulate() {
  if (lessons.open) return; // the learner predicts first
  shell.began = performance.now();
  const number = shell.runs = (shell.runs || 0) + 1;
  const request = shell.file
    ? { kind: shell.file.name.endsWith('.smtl') ? 'timeline' : 'simulate', input: shell.file.bytes,
      file: shell.file.name }
    : { kind: 'simulate', input: editor.text, file: 'kernel.trace' };
  showProgress(null);
  later('progress', SLOW, () => showProgress(shell.progress || {}));
  shell.progress = null;
  const answer = await engine.ask({ ...request, config: byName('config').value, words: words() });
  if (number !== shell.runs) return; // a newer run has replaced this one
  clearTimeout(shell.timers.progress);
  showProgress(null);
  if (answer) await shown(answer);
  else summary(tr('You gave the run up.'), result.frame ? tr('Below is the run before it.') : '');
  changed();
}
