// Drives a headless Firefox by Marionette, for tests of pages; the same functions as chromium.js.
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');

async function connect(port) {
  for (let left = 150; ; left--) {
    const socket = net.connect(port, '127.0.0.1');
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (open) return socket;
    if (!left) throw new Error('Firefox does not answer');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function startFirefox(program, profile, size) {
  const port = await freePort();
  fs.mkdirSync(profile, { recursive: true });
  fs.writeFileSync(profile + '/user.js', 'user_pref("marionette.port", ' + port + ');\n');
  const child = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile,
    '--width', String(size[0]), '--height', String(size[1])],
  { stdio: 'ignore', env: { ...process.env, MOZ_HEADLESS: '1', HOME: profile } });
  const socket = await connect(port);
  const waiting = new Map();
  let rest = Buffer.alloc(0), number = 0;
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const colon = rest.indexOf(58);
      if (colon < 0) return;
      const length = Number(rest.subarray(0, colon));
      if (rest.length < colon + 1 + length) return;
      const message = JSON.parse(rest.subarray(colon + 1, colon + 1 + length));
      rest = rest.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, id, error, answer] = message;
      const wait = waiting.get(id);
      waiting.delete(id);
      if (wait && error) wait.reject(new Error(error.message));
      else if (wait) wait.resolve(answer);
    }
  });
  const send = (name, params) => new Promise((resolve, reject) => {
    const id = ++number;
    waiting.set(id, { resolve, reject });
    const text = JSON.stringify([0, id, name, params || {}]);
    socket.write(Buffer.byteLength(text) + ':' + text);
  });
  await send('WebDriver:NewSession', {});
  const keys = { Tab: '\ue004', Enter: '\ue007', ArrowRight: '\ue014', ArrowLeft: '\ue012',
    ArrowDown: '\ue015' };
  return {
    problems: [],
    open: (url) => send('WebDriver:Navigate', { url }),
    async evaluate(expression) {
      const answer = await send('WebDriver:ExecuteAsyncScript', { sandbox: null, newSandbox: false,
        args: [], script: 'const done = arguments[arguments.length - 1]; ' +
          'const script = document.createElement("script"); window.__done = done; ' +
          'script.textContent = ' + JSON.stringify(
          '(async () => ' + '{ try { window.__done({ value: await (' + expression + ') }) }' +
          ' catch (error) { window.__done({ error: String(error) }) } })()') +
          '; document.documentElement.append(script); script.remove();' });
      if (answer.value && answer.value.error)
        throw new Error(answer.value.error + ' in ' + expression);
      return answer.value && answer.value.value;
    },
    async key(key, code, more) {
      const value = keys[key] || key;
      const shift = more && more.modifiers === 8;
      const actions = [{ type: 'keyDown', value }, { type: 'keyUp', value }];
      if (shift) {
        actions.unshift({ type: 'keyDown', value: '\ue008' });
        actions.push({ type: 'keyUp', value: '\ue008' });
      }
      await send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] });
    },
    async screenshot() {
      return Buffer.from((await send('WebDriver:TakeScreenshot', { full: false })).value, 'base64');
    },
    async close() {
      await send('Marionette:Quit', {}).catch(() => {});
      child.kill();
      socket.destroy();
    },
  };
}

module.exports = { startFirefox };
