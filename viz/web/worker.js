// Runs in the worker, behind the simulator (engine.js joins both): takes requests of the page one
// by one. A request names its kind; the answer has the request's id.
'use strict';

const started = createSimulator();

function writeConfigs(fs, configs) {
  fs.mkdir('/configs');
  for (const name of Object.keys(configs)) fs.writeFile('/configs/' + name + '.yaml', configs[name]);
}

const readText = (fs, path) => fs.readFile(path, { encoding: 'utf8' });

function failure(simulator, answer) {
  if (answer.status) answer.error = JSON.parse(readText(simulator.FS, '/error.json'));
  return answer;
}

function makePage(simulator, timeline, whole, answer) {
  answer.status = simulator.ccall('web_page', 'number', ['string', 'number'], [timeline, whole]);
  if (!answer.status) answer.page = readText(simulator.FS, '/page.html');
  return failure(simulator, answer);
}

// Simulates request.input, a file with the name request.file, and makes a page without pictures.
function simulate(simulator, request, answer) {
  const fs = simulator.FS;
  fs.writeFile(request.file, request.input);
  answer.status = simulator.ccall('web_simulate', 'number', ['string', 'string', 'string'],
    [request.config, request.file, request.words]);
  if (answer.status) return failure(simulator, answer);
  answer.short = readText(fs, '/short.txt');
  answer.full = readText(fs, '/full.txt');
  answer.timeline = fs.readFile('/run.smtl');
  return makePage(simulator, '/run.smtl', 0, answer);
}

const kinds = {
  simulate,
  timeline(simulator, request, answer) {
    simulator.FS.writeFile('/run.smtl', request.input);
    return makePage(simulator, '/run.smtl', 0, answer);
  },
  pictures(simulator, request, answer) {
    simulator.FS.writeFile('/run.smtl', request.input);
    return makePage(simulator, '/run.smtl', 1, answer);
  },
  occupancy(simulator, request, answer) {
    answer.status = simulator.ccall('web_occupancy', 'number',
      ['string', 'number', 'number', 'number'],
      [request.config, request.threads, request.registers, request.shared]);
    if (!answer.status) {
      answer.text = readText(simulator.FS, '/occupancy.txt');
      answer.svg = readText(simulator.FS, '/occupancy.svg');
    }
    return failure(simulator, answer);
  },
};

self.onmessage = async (event) => {
  const request = event.data;
  try {
    const simulator = await started;
    if (request.configs) writeConfigs(simulator.FS, request.configs);
    if (!kinds[request.kind]) return;
    const begin = performance.now();
    const answer = kinds[request.kind](simulator, request, { id: request.id });
    answer.milliseconds = performance.now() - begin;
    self.postMessage(answer);
  } catch (error) {
    const text = /memory/.test(String(error)) ? 'out of memory: a page has at most 2 GB'
      : 'the simulator has stopped: ' + error;
    self.postMessage({ id: request.id, status: 1, broken: true,
      error: { message: text, file: '', line: 0, column: 0 } });
  }
};
