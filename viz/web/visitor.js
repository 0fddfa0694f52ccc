// What a visitor takes along and has once chosen: the link, the theme, the language.
'use strict';

function stateNow() {
  const state = { text: editor.text, config: byName('config').value, tab: result.tab,
    params: shell.extra, place: result.placeNow(),
    lesson: lessons.current && lessons.current.number, calculator: calculator.state };
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
  for (const element of document.querySelectorAll('optgroup'))
    element.label = tr(element.dataset.title);
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
