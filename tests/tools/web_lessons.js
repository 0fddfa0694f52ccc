// Checks the lessons of the page: web_lessons.js SITE SIMSM COMMANDS SCRATCH. All are there, and each
// begins with a run that the command accepts as the page does. COMMANDS is viz/web/commands.js.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const [pages, simsm, commands, scratch] = process.argv.slice(2);
const [site, scenesOf] = new Function(fs.readFileSync(pages + '/data.js', 'utf8') +
  fs.readFileSync(commands, 'utf8') + `
const switchKeys = { memory: 'memory.model', scheduler: 'sm.scheduler', divergence: 'divergence.first' };
return [site, scenesOf];`)();
let failed = 0, buttons = 0;

function check(lesson, what, value) {
  if (value) return;
  console.error('lesson ' + lesson.number + ': ' + what);
  failed = 1;
}

// The command takes what the page takes of a scene.
function runs(scene) {
  if (scene.calculator) return true;
  fs.writeFileSync(scratch + '/lesson.trace', site.traces[scene.trace]);
  const options = Object.entries(scene.params).map(([name, value]) => '--param=' + name + '=' + value);
  if (scene.settings) options.push(...scene.settings.split('\n').map((line) => '--set=' + line));
  if (scene.memory) options.push('--memory=' + scene.memory);
  return / cycles/.test(execFileSync(simsm, [scene.config, scratch + '/lesson.trace', ...options], { encoding: 'utf8' }));
}

for (const lesson of site.lessons.en) {
  const { answers, answer } = lesson.predict;
  check(lesson, 'it has no right answer', answers.length > 1 && answers[answer - 1]);
  const scenes = scenesOf(lesson.run || '');
  check(lesson, 'the page cannot run: ' + lesson.run, scenes.length === 1 && runs(scenes[0]));
  for (const line of (lesson.why + '\n' + lesson.experiment).split('\n'))
    if (line.startsWith('$ ')) buttons += scenesOf(line).length;
}
if (site.lessons.en.map(({ number }) => number).join() !== Array.from({ length: 13 }, (_, i) => i + 1).join()) {
  console.error('not all lessons are there');
  failed = 1;
}
if (buttons < 80) {
  console.error('only ' + buttons + ' runs of the lessons are buttons');
  failed = 1;
}
console.log(site.lessons.en.length + ' lessons, ' + buttons + ' runs');
process.exit(failed);
