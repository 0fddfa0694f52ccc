// Drives a headless Chromium over a pipe, for tests of pages: no port, no package.
'use strict';

const { spawn } = require('child_process');

async function startChromium(program, profile, size) {
  const child = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run',
    '--hide-scrollbars', '--remote-debugging-pipe', '--user-data-dir=' + profile,
    '--window-size=' + size.join(','), 'about:blank'],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const waiting = new Map();
  const problems = [];
  let number = 0, rest = '';
  const send = (method, params, sessionId) => new Promise((resolve, reject) => {
    const id = ++number;
    waiting.set(id, { resolve, reject });
    child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
  });
  child.stdio[4].setEncoding('utf8');
  child.stdio[4].on('data', (text) => {
    const parts = (rest + text).split('\0');
    rest = parts.pop();
    for (const message of parts.map((part) => JSON.parse(part))) {
      const wait = waiting.get(message.id);
      waiting.delete(message.id);
      if (wait && message.error) wait.reject(new Error(message.error.message));
      else if (wait) wait.resolve(message.result);
      else if (message.method === 'Runtime.exceptionThrown')
        problems.push(message.params.exceptionDetails.exception?.description ||
          message.params.exceptionDetails.text);
    }
  });
  const { targetInfos } = await send('Target.getTargets');
  const { targetId } = targetInfos.find((target) => target.type === 'page');
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method, params) => send(method, params || {}, sessionId);
  await page('Page.enable');
  await page('Runtime.enable');
  return {
    problems,
    page,
    open: (url) => page('Page.navigate', { url }),
    async evaluate(expression) {
      const answer = await page('Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true, userGesture: true });
      if (answer.exceptionDetails)
        throw new Error(answer.exceptionDetails.exception.description + ' in ' + expression);
      return answer.result.value;
    },
    async key(key, code, more) {
      const codes = { Tab: 9, Enter: 13, ArrowRight: 39, ArrowDown: 40, ArrowLeft: 37 };
      const event = { key, code, windowsVirtualKeyCode: codes[key] || key.charCodeAt(0),
        text: key.length === 1 ? key : undefined, ...more };
      await page('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await page('Input.dispatchKeyEvent', { type: 'keyUp', ...event, text: undefined });
    },
    async close() {
      await send('Browser.close').catch(() => {});
      child.kill();
    },
  };
}

module.exports = { startChromium };
