// The commands in the lessons' texts, as what the page can show: `simsm [view] CONFIG TRACE ...`,
// each point of `simsm sweep ...`, and `simsm occupancy GPU --threads N ...`.
'use strict';

const MOST_POINTS = 12; // of a sweep: as many buttons
const FLAGS = /^--(full|quiet|no-plot)$/;
const SCREEN_TABS = { overview: 'why' };
// Keys of the configuration that the page has as switches, by the switch.
const switchKeys = {
  memory: 'memory.model', scheduler: 'sm.scheduler', divergence: 'divergence.first',
};

// Splits a command into options (pairs of name and value) and other words; null if it is none.
function splitCommand(line) {
  const words = line.trim().replace(/^\$ /, '').split(/\s+/);
  if (words.shift() !== 'simsm') return null;
  const command = { verb: '', options: [], others: [] };
  if (['view', 'sweep', 'occupancy'].includes(words[0])) command.verb = words.shift();
  while (words.length) {
    const word = words.shift();
    if (FLAGS.test(word)) continue;
    if (word.startsWith('--')) command.options.push([word.slice(2), words.shift()]);
    else command.others.push(word);
  }
  return command;
}

// Returns the values of `--vary NAME=1,2,4` or `--vary NAME=FROM:TO:STEP`, thinned out.
function variedValues(text) {
  let values = text.split(',');
  const range = text.match(/^(\d+):(\d+):(\d+)$/);
  if (range) {
    const [from, to, step] = range.slice(1).map(Number);
    const count = Math.floor((to - from) / step) + 1;
    values = Array.from({ length: count }, (_, i) => String(from + i * step));
  }
  const every = Math.ceil(values.length / MOST_POINTS);
  return values.filter((_, i) => i % every === 0);
}

// Puts an assignment to the configuration where the page has it: in a switch or in the other keys.
function assign(scene, assignment) {
  const [key, value] = assignment.split('=');
  const id = Object.keys(switchKeys).find((name) => switchKeys[name] === key);
  if (id) scene[id] = value;
  else scene.settings = [scene.settings, assignment].filter(Boolean).join('\n');
}

function applyOption(scene, [name, value]) {
  if (name === 'param') {
    const [key, number] = value.split('=');
    scene.params[key] = number;
  } else if (name === 'set') assign(scene, value);
  else if (name === 'sms') assign(scene, 'gpu.sms=' + value);
  else if (name === 'memory') scene.memory = value;
  else if (name === 'screen') scene.tab = SCREEN_TABS[value] || value;
  else if (name === 'cycles') {
    const [from, to] = value.split(':').map(Number);
    scene.place = { sm: 0, from, to, row: -1 };
  }
}

function calculatorScene(command) {
  const given = Object.fromEntries(command.options);
  if (!given.threads || !(command.others[0] in site.configs)) return [];
  return [{ config: command.others[0], tab: 'calculator',
    calculator: [given.threads, given.regs || 32, given.smem || 0].join(' ') }];
}

// Returns what the page can show of a command: scenes, each with a title if there are several. A
// scene has config, trace, params, the switches, settings, tab, place; or calculator.
function scenesOf(line) {
  const command = splitCommand(line);
  if (!command) return [];
  if (command.verb === 'occupancy') return calculatorScene(command);
  const [config, file] = command.others;
  const trace = file && (file.match(/^traces\/lessons\/(\w+)\.trace$/) || [])[1];
  if (!(config in site.configs) || !(trace in site.traces)) return [];
  let points = [[]];
  for (const [, varied] of command.options.filter(([name]) => name === 'vary')) {
    const [key, values] = varied.split('=');
    points = points.flatMap((point) =>
      variedValues(values).map((value) => [...point, [key, value]]));
  }
  return points.map((point) => {
    const scene = { config, trace, params: {} };
    for (const option of command.options) applyOption(scene, option);
    for (const [key, value] of point)
      applyOption(scene, key.startsWith('param.') ? ['param', key.slice(6) + '=' + value]
        : ['set', key + '=' + value]);
    scene.title = point.map(([key, value]) => key.replace('param.', '') + ' = ' + value).join(', ');
    return scene;
  });
}
