// The page: what is chosen on it becomes a request, and the answer becomes what is shown.
'use strict';

const TYPING = 120; // milliseconds without a key until the simulation begins
const RESTING = 400; // until the pictures are drawn
const SLOW = 400; // until a run that has not ended shows how far it is
const NARROW = 900; // pixels, as in page.css
const byName = (id) => document.getElementById(id);
const shell = { file: null, extra: {}, timers: {}, linked: false };

// ---- What is chosen ----

const switchKeys = { memory: 'memory.model', scheduler: 'sm.scheduler', divergence: 'divergence.first' };

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

// ---- Simulating ----

// Shows the rows of the short report that a reader needs first.
function summarize(answer) {
  const row = (name) => ((answer.short.match(new RegExp('^  ' + name + ' +(.*(?:\\n {16}.*)*)', 'm')) ||
    [])[1] || '').replace(/\s+/g, ' ');
  const first = (name, pattern) => (row(name).match(pattern) || [''])[0];
  const facts = [row('time') && tr('%s cycles', first('time', /\d+(?= cycles)/)),
    row('occupancy') && tr('occupancy %s', first('occupancy', /^[\d.]+ %/)),
    row('IPC') && tr('%s instructions per cycle', row('IPC').split(' ')[0])];
  const lines = [facts.filter(Boolean).join(' · '),
    row('warps mostly').replace(/^([\d.]+ %) ([^:]*): (.*)/, (_, share, state, meaning) =>
      tr('Warps mostly: %s (%s): %s', tr(state), share, tr(meaning))),
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
    summary(first + (/[\u4e00-\u9fff]/.test(first) ? '。' : '.'), detail[0].toUpperCase() + detail.slice(1));
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
    ? tr('Simulating: %s cycles so far.', message.cycles.toLocaleString('en')) : tr('Simulating ...');
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

// ---- The launch: numbers that are lines of the kernel ----

const launchLine = (word) => new RegExp('^([ \\t]*' + word + '[ \\t]+)(\\d+)(?![\\d,]|[ \\t]*[,*+/-])', 'm');

function readLaunch() {
  for (const [id, word] of [['blocks', 'grid'], ['threads', 'block']]) {
    const found = editor.text.match(launchLine(word));
    byName(id).disabled = !found;
    byName(id).title = found ? '' : tr('the kernel computes it: change the line "%s"', word);
    if (document.activeElement !== byName(id)) byName(id).value = found ? found[2] : '';
  }
  const threads = Number(byName('threads').value), blocks = Number(byName('blocks').value);
  const warps = blocks * Math.ceil(threads / 32);
  byName('warps').textContent = !warps ? '' : warps === 1 ? tr('= 1 warp') : tr('= %s warps', warps);
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

// ---- Kernels, lessons, files ----

function fillLists() {
  const group = (title, pairs) => {
    const element = document.createElement('optgroup');
    element.label = tr(title);
    element.dataset.title = title;
    for (const [value, text] of pairs) element.append(new Option(text, value));
    byName('scenario').append(element);
  };
  const plain = (name) => name.replace(/_/g, ' ');
  group(mark('Start here'), Object.keys(site.examples).sort((a) => (a === 'first_look' ? -1 : 1))
    .map((name) => ['example/' + name, plain(name)]));
  group(mark('Lessons'), lessons.all().map(({ number, title }) => ['lesson/' + number, title]));
  group(mark('Kernels of the lessons'), Object.keys(site.traces).map((name) => ['trace/' + name,
    plain(name)]));
  const names = Object.keys(site.configs).sort((a, b) =>
    b.startsWith('teaching') - a.startsWith('teaching') || a.localeCompare(b));
  for (const name of names) {
    const gpu = site.configs[name].match(/^ +name: *"?([^"\n]*)"?/m);
    byName('config').append(new Option(gpu ? gpu[1] : name, name));
  }
}

function setParameters(values) {
  shell.extra = { ...values };
  byName('parameters').dataset.key = '?';
}

function setSwitches(values) {
  for (const id of ['memory', 'scheduler', 'divergence', 'settings'])
    byName(id).value = values[id] || '';
  byName('keys').open = Boolean(values.settings);
}

// Empties the result: the run to come has nothing to do with the one that is shown.
function forgetRun() {
  result.place = null;
  if (result.frame) result.frame.remove();
  result.frame = null;
}

// Puts a scene (commands.js) into the controls, without running it.
function setScene(scene) {
  closeFile();
  if (scene.trace) editor.text = site.traces[scene.trace];
  setParameters(scene.params);
  setSwitches(scene);
  byName('config').value = scene.config;
  forgetRun();
  result.place = scene.place || null;
  if (scene.calculator) calculator.state = scene.calculator;
  if (scene.tab) result.choose(scene.tab);
  readLaunch();
}

function showScene(scene) {
  setScene(scene);
  if (innerWidth <= NARROW) byName('result').scrollIntoView();
  simulate();
}

function openLesson(number) {
  byName('scenario').value = 'lesson/' + number;
  chooseScenario('lesson/' + number);
}

function chooseScenario(value) {
  const [kind, name] = value.split('/');
  const lesson = kind === 'lesson' ? lessons.find(name) : null;
  lessons.show(lesson, () => simulate());
  if (lesson) {
    setScene({ tab: 'timeline', ...lessons.begin(lesson) });
    summary('');
    byName('numbers').textContent = byName('report').textContent = '';
    return;
  }
  closeFile();
  editor.text = kind === 'example' ? site.examples[name] : site.traces[name];
  if (kind === 'trace') byName('config').value = lessons.gpuOf(name) || byName('config').value;
  setParameters({});
  setSwitches({});
  forgetRun();
  readLaunch();
  simulate();
}

function closeFile() {
  shell.file = null;
  byName('dropped').hidden = true;
  byName('share').disabled = false;
  byName('editor').hidden = byName('switches').hidden = byName('keys').hidden = false;
}

// Opens a file: a trace goes into the editor, a recording is simulated, a timeline is shown.
async function openFile(file) {
  lessons.show(null);
  setParameters({});
  result.place = null;
  if (!/\.sm(tr|tl)$/.test(file.name)) {
    closeFile();
    editor.text = await file.text();
    readLaunch();
  } else {
    const timeline = file.name.endsWith('.smtl');
    shell.file = { name: 'dropped' + file.name.slice(-5), bytes: new Uint8Array(await file.arrayBuffer()) };
    const box = byName('dropped');
    box.textContent = (timeline ? tr('Timeline') : tr('Recording')) + ' ' + file.name + ' ';
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: tr('Back to the editor') });
    button.addEventListener('click', () => { closeFile(); readLaunch(); simulate(); });
    box.append(button);
    if (!timeline) {
      const label = document.createElement('label');
      const input = document.createElement('input');
      Object.assign(input, { type: 'number', min: 1, value: 1 });
      label.append(tr('Launch') + ' ', input);
      input.addEventListener('input', () => {
        shell.extra = { launch: input.value };
        later('type', TYPING, simulate);
      });
      shell.extra = { launch: '1' };
      box.append(label);
    }
    box.append(make('p', tr('A link cannot carry the file: send the file itself.')));
    byName('share').disabled = true;
    box.hidden = false;
    byName('editor').hidden = byName('parameters').hidden = true;
    byName('switches').hidden = byName('keys').hidden = timeline;
    for (const id of ['blocks', 'threads']) byName(id).disabled = true;
  }
  await simulate();
}

function watchDrops(target) {
  target.addEventListener('dragover', (event) => {
    event.preventDefault();
    byName('drop').hidden = false;
    later('drop', 300, () => { byName('drop').hidden = true; });
  });
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    byName('drop').hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) openFile(file);
  });
}

// ---- The link and the theme ----

function stateNow() {
  const state = { text: editor.text, config: byName('config').value, tab: result.tab,
    params: shell.extra, place: result.placeNow(), lesson: lessons.current && lessons.current.number,
    calculator: calculator.state };
  for (const id of ['memory', 'scheduler', 'divergence', 'settings', 'scenario'])
    state[id] = byName(id).value;
  return state;
}

function changed() {
  if (shell.linked && !shell.file) later('link', 300, writeLink);
}

async function writeLink() {
  history.replaceState(null, '', await packLink(stateNow()));
}

async function share() {
  const button = byName('share');
  shell.linked = true;
  await writeLink();
  button.textContent = await (navigator.clipboard ? navigator.clipboard.writeText(location.href)
    : Promise.reject()).then(() => tr('Copied'), () => tr('It is in the address bar'));
  setTimeout(() => { button.textContent = tr('Copy link'); }, 1800);
}

function restore(state) {
  closeFile();
  byName('scenario').value = state.scenario || 'example/first_look';
  if (state.config in site.configs) byName('config').value = state.config;
  setSwitches(state);
  setParameters(state.params);
  editor.text = state.text || '';
  forgetRun();
  result.place = state.place;
  if (state.calculator) calculator.state = state.calculator;
  result.choose(state.tab);
  lessons.show(lessons.find(state.lesson) || null, null);
  readLaunch();
  simulate();
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  byName('theme').textContent = { light: tr('Theme: light'), dark: tr('Theme: dark') }[theme] ||
    tr('Theme: system');
  if (result.frame) result.dress(result.frame);
}

function nextTheme() {
  const themes = ['', 'light', 'dark'];
  const now = document.documentElement.dataset.theme || '';
  const theme = themes[(themes.indexOf(now) + 1) % 3];
  remember('theme', theme);
  setTheme(theme);
}

// Shows the page in a language, as far as it has been filled.
function speak(name) {
  language.choose(name);
  language.translatePage();
  result.retitle();
  setTheme(document.documentElement.dataset.theme || '');
  for (const element of document.querySelectorAll('optgroup')) element.label = tr(element.dataset.title);
  for (const { number, title } of lessons.all())
    document.querySelector('option[value="lesson/' + number + '"]').textContent = title;
}

function nextLanguage() {
  const name = language.name === 'zh' ? 'en' : 'zh';
  remember('language', name);
  speak(name);
  if (lessons.current)
    lessons.show(lessons.find(lessons.current.number), lessons.open ? () => simulate() : null);
  if (result.tab === 'calculator') calculator.update();
  readLaunch();
  simulate();
}

// ---- Beginning ----

async function begin() {
  fillLists();
  calculator.config = () => byName('config').value;
  calculator.begin(changed);
  result.changed = () => {
    if (result.tab === 'calculator') calculator.update();
    changed();
  };
  result.wantPictures = () => later('pictures', 0, drawPictures);
  result.watchDrops = watchDrops;
  result.begin();
  editor.begin(() => { readLaunch(); later('type', TYPING, simulate); });
  for (const id of ['memory', 'scheduler', 'divergence', 'config'])
    byName(id).addEventListener('change', () => {
      if (id === 'config' && result.tab === 'calculator') calculator.update();
      simulate();
    });
  byName('settings').addEventListener('input', () => later('type', TYPING, simulate));
  byName('scenario').addEventListener('change', () => chooseScenario(byName('scenario').value));
  byName('blocks').addEventListener('input', () => writeLaunch('grid', byName('blocks').value));
  byName('threads').addEventListener('input', () => writeLaunch('block', byName('threads').value));
  byName('stop').addEventListener('click', stopRun);
  engine.progress = (message) => {
    shell.progress = message;
    if (!byName('progress').hidden) showProgress(message);
  };
  lessons.load = showScene;
  byName('share').addEventListener('click', share);
  byName('theme').addEventListener('click', nextTheme);
  byName('open').addEventListener('click', () => byName('file').click());
  byName('file').addEventListener('change', () => openFile(byName('file').files[0]));
  watchDrops(document);
  setTheme(recall('theme'));
  byName('language').addEventListener('click', nextLanguage);
  const state = await unpackLink(location.hash);
  shell.linked = Boolean(state);
  if (state) {
    restore(state);
    return;
  }
  byName('config').value = 'teaching8';
  chooseScenario('example/first_look');
}

window.addEventListener('hashchange', async () => {
  const state = await unpackLink(location.hash);
  if (state) restore(state);
});
begin();
