// What is simulated: kernels, lessons, scenes of their commands (commands.js), dropped files.
'use strict';

const NARROW = 900; // pixels, as in page.css

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
    shell.file = { name: 'dropped' + file.name.slice(-5),
      bytes: new Uint8Array(await file.arrayBuffer()) };
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
