// Checks the lessons of the page: web_lessons.js SITE SIMSM SCRATCH. What a lesson says of its run
// (its row `shows`) must be in the report of the command.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const [site, simsm, scratch] = process.argv.slice(2);
const table = new Function(fs.readFileSync(site + '/data.js', 'utf8') + '\nreturn site;')();
let failed = 0;

for (const lesson of table.lessons) {
  const complain = (what) => {
    console.error('lesson ' + lesson.id + ': ' + what);
    failed = 1;
  };
  if (!table.traces[lesson.trace] || !table.configs[lesson.config]) {
    complain('its kernel or its GPU does not exist');
    continue;
  }
  for (const part of ['title', 'question', 'why', 'next'])
    if (!lesson[part]) complain('it has no ' + part);
  if (!(lesson.choices.length > 1 && lesson.choices[lesson.right])) complain('no choice is right');
  fs.writeFileSync(scratch + '/lesson.trace', table.traces[lesson.trace]);
  const options = Object.entries(lesson.params || {}).flatMap(([name, value]) =>
    ['--param', name + '=' + value]);
  if (lesson.memory) options.push('--memory', lesson.memory);
  const run = (...more) => execFileSync(simsm,
    [lesson.config, scratch + '/lesson.trace', ...options, ...more], { encoding: 'utf8' });
  const report = run() + run('--full');
  for (const text of lesson.shows)
    if (!new RegExp(text).test(report)) complain('its report has no "' + text + '"');
}
console.log(table.lessons.length + ' lessons');
process.exit(failed);
