// Checks the lessons of the page: web_lessons.js SITE SIMSM SCRIPTS SCRATCH. All lessons
// are there, and all that a lesson offers runs as the page runs it: its first run, each run of its
// commands, the kernel of each exercise. So do the kernels of the list, on the GPU that the page
// chooses.
// The glossary knows the words that lessons link to. SCRIPTS is viz/web.
'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const [pages, simsm, scripts, scratch] = process.argv.slice(2);
const script = (name) => fs.readFileSync(scripts + '/' + name + '.js', 'utf8');
const [site, scenesOf, lessons, language, meaningOf] =
  new Function(fs.readFileSync(pages + '/data.js', 'utf8') + script('commands') +
    script('lessons') + script('markdown') + `
const language = { name: 'en' };
return [site, scenesOf, lessons, language, meaningOf];`)();
const began = Date.now();
const runs = new Map(); // what offers each command, by its words
let failed = 0, buttons = 0;

function check(where, what, value) {
  if (value) return;
  console.error(where + ': ' + what);
  failed = 1;
}

const allTraces = { ...site.examples, ...site.traces };

// Returns the words of the command that does what the page does of a scene.
function wordsOf(scene) {
  if (scene.calculator) {
    const [threads, regs, smem] = scene.calculator.split(' ');
    return ['occupancy', scene.config, '--threads', threads, '--regs', regs, '--smem', smem];
  }
  const path = scratch + '/' + scene.trace + '.trace';
  fs.writeFileSync(path, allTraces[scene.trace]);
  return [scene.config, path,
    ...Object.entries(scene.params).map(([name, value]) => '--param=' + name + '=' + value),
    ...(scene.settings ? scene.settings.split('\n') : []).map((line) => '--set=' + line),
    ...(scene.memory ? ['--memory=' + scene.memory] : []),
    ...(scene.scheduler ? ['--set=sm.scheduler=' + scene.scheduler] : []),
    ...(scene.divergence ? ['--set=divergence.first=' + scene.divergence] : [])];
}

function offer(where, scene) {
  runs.set(wordsOf(scene).join('\n'), where);
}

function run(words) {
  return new Promise((resolve) => {
    execFile(simsm, words.split('\n'), { encoding: 'utf8' }, (error, out) => {
      check(runs.get(words), 'the page cannot run: ' + words.replace(/\n/g, ' '),
        !error && /^  (time|occupancy) /m.test(out));
      resolve();
    });
  });
}

// Simulates one after the other from a list that several calls share.
async function work(list) {
  while (list.length) await run(list.pop());
}

for (const lesson of site.lessons.en) {
  const where = 'lesson ' + lesson.number;
  const { answers, answer } = lesson.predict;
  check(where, 'it has no right answer', answers.length > 1 && answers[answer - 1]);
  check(where, 'the page cannot run: ' + lesson.run, scenesOf(lesson.run || '').length === 1);
  const scenes = lessons.scenes(lesson);
  for (const scene of scenes) offer(where, scene);
  buttons += scenes.length;
}
for (const trace of Object.keys(allTraces))
  offer('the list', { config: lessons.gpuOf(trace) || 'teaching8', trace, params: {} });
for (language.name of Object.keys(site.lessons))
  for (const [, word] of JSON.stringify(site.lessons[language.name]).matchAll(
    /\[\*([^\]]+)\*\]\([^)]*glossary/g))
    check(language.name, 'the glossary does not know: ' + word,
      meaningOf(word.replace(/\\n */g, ' ')));
language.name = 'en';
const numbers = site.lessons.en.map(({ number }) => number);
if (numbers.join() !== Array.from({ length: 13 }, (_, i) => i + 1).join()) {
  console.error('not all lessons are there');
  failed = 1;
}
if (buttons < 150) {
  console.error('only ' + buttons + ' runs of the lessons are buttons');
  failed = 1;
}
const list = [...runs.keys()];
Promise.all(os.cpus().map(() => work(list))).then(() => {
  console.log(site.lessons.en.length + ' lessons, ' + buttons + ' runs, ' + runs.size +
    ' different ones with the list of kernels, in ' +
    ((Date.now() - began) / 1000).toFixed(1) + ' s');
  process.exit(failed);
});
