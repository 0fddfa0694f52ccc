// Writes the page's files: site.js SOURCE SITE SIMULATOR SIMSM. SOURCE is the tree, SITE the folder
// of the page, SIMULATOR the folder with simulator.js and simulator.wasm, SIMSM the command, which
// prints the lessons.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const [source, site, simulator, simsm] = process.argv.slice(2);
const SCRIPTS = ['engine_client', 'editor', 'link', 'result', 'occupancy', 'commands',
  'markdown', 'lessons', 'run', 'launch', 'scenes', 'visitor', 'shell'];
const read = (file) => fs.readFileSync(file, 'utf8');
const write = (name, text) => fs.writeFileSync(path.join(site, name), text);

// Returns the texts of the files in a folder of the tree, by their names without the ending.
function texts(folder, ending) {
  const names = fs.readdirSync(path.join(source, folder)).filter((name) => name.endsWith(ending));
  return Object.fromEntries(names.sort().map((name) =>
    [name.slice(0, -ending.length), read(path.join(source, folder, name))]));
}

function configs() {
  const all = texts('configs', '.yaml');
  for (const name of Object.keys(all)) all[name] = all[name].replace(/\n *#.*/g, '');
  return all;
}

// Returns the lessons' pictures as addresses that hold them, by name.
function pictures() {
  const folder = path.join(source, 'docs/pictures');
  const names = fs.readdirSync(folder).filter((name) => /^lesson-.*\.(svg|png)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, 'data:image/' +
    (name.endsWith('.svg') ? 'svg+xml' : 'png') + ';base64,' +
    fs.readFileSync(path.join(folder, name)).toString('base64')]));
}

// Returns the entries of a catalogue of sim/language as pairs of texts. A text of a .po file is
// spelled as in JSON.
function catalogue(po) {
  const text = (entry, word) => ((entry.match(new RegExp('^' + word + ' ((?:".*"\\n?)+)', 'm')) ||
    ['', '""'])[1].match(/".*"/g)).map((part) => JSON.parse(part)).join('');
  return po.split(/\n\n+/).map((entry) => [text(entry, 'msgid'), text(entry, 'msgstr')]);
}

// Returns the translations of what stands in the page's own files, and of the states that it names,
// by language. Texts in several parts, '...' + '...' and "..." "...", are joined.
function translations() {
  const files = [...SCRIPTS.map((name) => name + '.js'), 'language.js', 'index.html']
    .map((name) => read(path.join(source, 'viz/web', name)));
  const said = [...files, read(path.join(source, 'include/simsm/defs/warp_states.def'))].join('\n')
    .replace(/' \+\s*'/g, '').replace(/"\s*\n\s*"/g, '').replace(/\\(['"])/g, '$1');
  const known = (po) => catalogue(po).filter(([english]) => english && said.includes(english));
  return Object.fromEntries(Object.entries(texts('sim/language', '.po')).map(([name, po]) =>
    [name, Object.fromEntries(known(po))]));
}

// Returns the lessons in each language that has pages of its own.
function lessons() {
  const folder = path.join(source, 'docs/lessons');
  const count = fs.readdirSync(folder).filter((name) => /^\d/.test(name));
  const languages = ['en', 'zh'].filter((name) =>
    name === 'en' || fs.existsSync(path.join(folder, name)));
  return Object.fromEntries(languages.map((name) => [name, count.map((_, i) =>
    JSON.parse(execFileSync(simsm, ['learn', String(i + 1), '--json',
      ...(name === 'en' ? [] : ['--lang', name])], { encoding: 'utf8' })))]));
}

// Returns the glossary that `simsm explain --markdown` prints, in each language: meanings of words
// and of states of warps, by the word in small letters. Meanings in Chinese begin with the word.
function glossary() {
  const language = (name) => Object.fromEntries(execFileSync(simsm,
    ['explain', '--markdown', '--lang', name], { encoding: 'utf8' }).split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim())).filter((cells) => cells.length > 5)
    .flatMap((cells) => {
      const meaning = cells.length > 6 ? cells[4] : cells[3];
      const [own] = meaning.split('。');
      return [[cells[1].toLowerCase(), meaning], [own.toLowerCase(), meaning]];
    }));
  return { en: language('en'), zh: language('zh') };
}

const data = { configs: configs(),
  examples: { ...texts('viz/web', '.trace'), ...texts('traces', '.trace') },
  traces: texts('traces/lessons', '.trace'), lessons: lessons(), pictures: pictures(),
  glossary: glossary() };
const wasm = zlib.deflateRawSync(fs.readFileSync(path.join(simulator, 'simulator.wasm')),
  { level: 9 });
const web = (name) => read(path.join(source, 'viz/web', name));

fs.mkdirSync(site, { recursive: true });
write('data.js', "'use strict';\nconst site = " + JSON.stringify(data) + ';\n');
write('words.js', "'use strict';\nconst translations = " + JSON.stringify(translations()) + ';\n' +
  web('language.js'));
write('engine.js', 'function simulatorEngine() {\n' + read(path.join(simulator, 'simulator.js')) +
  "\nconst packedSimulator = '" + wasm.toString('base64') + "';\n" + web('worker.js') + '}\n');
write('page.js', SCRIPTS.map((name) => web(name + '.js')).join(''));
write('page.css', web('page.css'));
write('index.html', web('index.html'));
