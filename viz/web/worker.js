// Runs in the worker, behind the simulator (engine.js joins both): takes requests of the page one
// by one. A request names its kind; the answer has the request's id. During a long simulation the
// worker posts how far it is, and hears whether it should stop.
'use strict';

const SLICE = 100; // milliseconds between two looks at what the page has posted
const LIMIT = 3;   // SIMSM_LIMIT: the launch goes on
let stopped = 0;   // the request that the user has stopped

// The simulator is packed: see site.js.
async function unpackSimulator() {
  const packed = Uint8Array.from(atob(packedSimulator), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return createSimulator({ wasmBinary: await new Response(stream).arrayBuffer() });
}

const started = unpackSimulator();
started.catch(() => {}); // each request says it

function writeConfigs(fs, configs) {
  fs.mkdir('/configs');
  for (const name of Object.keys(configs))
    fs.writeFile('/configs/' + name + '.yaml', configs[name]);
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

// Simulates what web_open() has opened, until it ends or the user stops it. Returns its status.
async function advance(simulator, request) {
  for (;;) {
    const status = simulator.ccall('web_advance', 'number', ['number'], [SLICE]);
    if (status !== LIMIT) return status;
    self.postMessage({ id: request.id, cycles: simulator.ccall('web_cycles', 'number') });
    await new Promise((resolve) => setTimeout(resolve));
    if (stopped === request.id) return 0;
  }
}

// Simulates request.input, a file with the name request.file, and makes a page without pictures.
async function simulate(simulator, request, answer) {
  const fs = simulator.FS;
  fs.writeFile(request.file, request.input);
  answer.status = simulator.ccall('web_open', 'number', ['string', 'string', 'string'],
    [request.config, request.file, request.words]);
  if (!answer.status) answer.status = await advance(simulator, request);
  failure(simulator, answer);
  const written = simulator.ccall('web_finish', 'number');
  if (answer.status) return answer;
  answer.status = written;
  if (answer.status) return failure(simulator, answer);
  self.postMessage({ id: request.id, drawing: true });
  answer.stopped = stopped === request.id;
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
  if (request.stop) stopped = request.stop;
  try {
    const simulator = await started;
    if (request.configs) writeConfigs(simulator.FS, request.configs);
    if (!kinds[request.kind]) return;
    simulator.ccall('web_language', 'number', ['string'], [request.language]);
    const begin = performance.now();
    const answer = await kinds[request.kind](simulator, request, { id: request.id });
    answer.milliseconds = performance.now() - begin;
    self.postMessage(answer);
  } catch (error) {
    const text = /memory/.test(String(error)) ? 'out of memory: a page has at most 2 GB'
      : 'the simulator has stopped: ' + error;
    self.postMessage({ id: request.id, status: 1, broken: true,
      error: { message: text, file: '', line: 0, column: 0 } });
  }
};
