// Runs the simulator of the page in node:
//   web_reports.js ENGINE CONFIGS OUT TRACE CONFIG [OPTION...]
// An option is one line of web_open(). Writes short, full and timeline into the folder OUT.
'use strict';

const fs = require('fs');
const [engine, configs, out, trace, config, ...words] = process.argv.slice(2);

async function run() {
  const source = fs.readFileSync(engine, 'utf8');
  const messages = [];
  // The worker as the page starts it, with node in place of the browser's worker.
  const self = { postMessage: (message) => messages.push(message) };
  const make = new Function('self', 'require', '__dirname', '__filename', 'module', 'exports',
    source + '\nreturn simulatorEngine;');
  make(self, require, __dirname, __filename, {}, {})();
  const table = {};
  for (const name of fs.readdirSync(configs))
    table[name.replace(/\.yaml$/, '')] = fs.readFileSync(configs + '/' + name, 'utf8');
  await self.onmessage({ data: { configs: table } });
  await self.onmessage({ data: { kind: 'simulate', id: 1, config, words: words.join('\n'),
    file: trace.endsWith('.smtr') ? 'kernel.smtr' : 'kernel.trace',
    input: fs.readFileSync(trace) } });
  const answer = messages.pop();
  if (answer.error) {
    process.stdout.write(JSON.stringify(answer.error) + '\n');
    process.exit(answer.status);
  }
  fs.writeFileSync(out + '/short.txt', answer.short);
  fs.writeFileSync(out + '/full.txt', answer.full);
  fs.writeFileSync(out + '/page.html', answer.page);
  process.stdout.write('milliseconds ' + Math.round(answer.milliseconds) + '\n');
  process.exit(0);
}

run().catch((error) => {
  console.error(error);
  process.exit(1);
});
