// The page's side of the worker: one request at a time. A newer request of the same kind replaces
// one that waits; a simulation that takes too long is given up when a newer one comes.
'use strict';

const PATIENCE = 400; // milliseconds that a running request has once a newer one of its kind waits

const makeEngine = () => ({
  worker: null, running: null, waiting: [], number: 0, timer: 0,
  progress: () => {}, // called with { cycles } or { drawing } while a request runs

  start() {
    const source = '(' + simulatorEngine.toString() + ')()';
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event) => this.heard(event.data);
    this.worker.onerror = (event) => this.answered({ status: 1, broken: true,
      error: { message: event.message || tr('the simulator cannot be started'), line: 0 } });
    this.worker.postMessage({ configs: site.configs });
  },

  // Asks for something; resolves to the answer, or to null if a newer request has replaced it.
  ask(request) {
    return new Promise((resolve) => {
      for (const old of this.waiting.filter((r) => r.kind === request.kind)) old.resolve(null);
      this.waiting = this.waiting.filter((r) => r.kind !== request.kind);
      this.waiting.push({ language: language.name, ...request, id: ++this.number, resolve });
      if (this.running && this.running.kind === request.kind && !this.timer)
        this.timer = setTimeout(() => this.giveUp(), PATIENCE);
      this.next();
    });
  },

  next() {
    if (this.running || !this.waiting.length) return;
    if (!this.worker) this.start();
    this.running = this.waiting.shift();
    const { resolve, ...request } = this.running;
    this.worker.postMessage(request);
  },

  // Lets the running simulation end where it is; its answer covers what was simulated.
  stop() {
    if (this.running) this.worker.postMessage({ stop: this.running.id });
  },

  kill() {
    if (this.worker) this.worker.terminate();
    this.worker = null;
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.running) this.running.resolve(null);
    this.running = null;
  },

  giveUp() {
    this.kill();
    this.next();
  },

  heard(message) {
    if ('status' in message) this.answered(message);
    else if (this.running && message.id === this.running.id) this.progress(message);
  },

  answered(answer) {
    const { running } = this;
    clearTimeout(this.timer);
    this.timer = 0;
    this.running = null;
    if (answer.broken) this.kill();
    if (running) running.resolve(answer);
    this.next();
  },
});

// Pictures and the calculator have a worker of their own, so that no edit waits for them.
const engine = makeEngine(), artist = makeEngine();
