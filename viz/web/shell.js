// The page begins: its parts are filled and joined.
'use strict';

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
