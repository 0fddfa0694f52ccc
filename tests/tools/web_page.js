// Uses the page as a person would: web_page.js chromium|firefox PROGRAM SITE SCRATCH. SCRATCH has
// first.smtl and first.smtr of the page's first kernel.
'use strict';

const fs = require('fs');
const { startChromium } = require('./chromium.js');
const { startFirefox } = require('./firefox.js');
const [kind, program, site, scratch] = process.argv.slice(2);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let browser, checks = 0;

function check(what, value) {
  checks++;
  if (!value) throw new Error(what);
}

// Waits until an expression is true in the page.
async function until(expression, what) {
  for (let left = 300; left; left--) {
    if (await browser.evaluate(expression).catch(() => false)) return;
    await sleep(50);
  }
  throw new Error('this never came: ' + (what || expression));
}

const untilReady = (what) => until(
  'document.documentElement && Number(document.documentElement.dataset.ready) > 0', what);
const words = (id) => browser.evaluate(`document.getElementById('${id}').textContent`);
const frame = 'document.querySelector("#stage iframe:not(.coming)")';
const count = () => browser.evaluate('Number(document.documentElement.dataset.ready || 0)');

// Does something that simulates, and waits for the result.
async function rerun(expression) {
  const before = await count();
  await browser.evaluate(expression);
  await until(`Number(document.documentElement.dataset.ready) > ${before}`, expression);
}

const setText = (change) => `(() => { const area = document.getElementById('text');
  area.focus(); area.value = ${change};
  area.dispatchEvent(new Event('input', { bubbles: true })); })()`;
const choose = (id, value) => `(() => { const field = document.getElementById('${id}');
  field.value = '${value}'; field.dispatchEvent(new Event('${id === 'blocks' || id === 'threads' ||
  id.startsWith('calc') ? 'input' : 'change'}', { bubbles: true })); })()`;
const cyclesOf = async () => Number((await words('numbers')).match(/(\d+) cycles/)[1]);

async function firstScreen() {
  await browser.open('file://' + site + '/index.html');
  await untilReady('the first result');
  const ms = await browser.evaluate('performance.now()');
  console.log(kind + ': first result after ' + Math.round(ms) + ' ms or less');
  check('the first sentence', /Divergent branches/.test(await words('summary')));
  await until(`(() => { const canvas =
    ${frame}.contentDocument.getElementById('timeline');
    return new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width,
      canvas.height).data.buffer)).size > 5; })()`, 'the timeline');
  check('colours of the editor',
    await browser.evaluate("document.querySelectorAll('#colours .t-opcode').length > 3"));
}

async function typing() {
  const before = await cyclesOf();
  await rerun(setText("area.value.replace('repeat 60', 'repeat 90')"));
  check('a longer loop takes longer', await cyclesOf() > before);
  let best = Infinity;
  for (const times of [91, 92, 93, 94, 90]) { // other programs may run beside: the best of five
    await rerun(setText(`area.value.replace(/repeat 9./, 'repeat ${times}')`));
    best = Math.min(best, Number((await words('time')).match(/(\d+) ms/)[1]));
  }
  console.log(kind + ': simulated and drawn as one types in ' + best + ' ms');
  check('within 200 ms: ' + best, best < 200);
  await browser.evaluate(setText("area.value.replace('FFMA', 'FFMAA')"));
  await until("!document.getElementById('error').hidden", 'the error');
  const error = await words('error');
  check('the error names its place: ' + error,
    /line 13, column 17/.test(error) && /FFMAA/.test(error));
  check('it is said first', /unknown instruction/.test(await words('summary')));
  check('the line is marked',
    await browser.evaluate("document.querySelector('#gutter .wrong').textContent === '13'"));
  await rerun(setText("area.value.replace('FFMAA', 'FFMA')"));
  check('the error is gone', await browser.evaluate("document.getElementById('error').hidden"));
}

async function switches() {
  const before = await cyclesOf();
  await rerun(choose('memory', 'ideal'));
  check('ideal memory is faster', await cyclesOf() < before);
  check('the report names the switch', /--memory ideal/.test(await words('report')));
  await rerun(choose('memory', ''));
  check('and back', await cyclesOf() === before);
  await rerun(choose('scheduler', 'lrr'));
  check('the scheduler is another', await cyclesOf() !== before);
  const field = "document.querySelector('#parameters input')";
  await rerun(
    `${field}.value = '32', ${field}.dispatchEvent(new Event('input', { bubbles: true }))`);
  check('the parameter is set', /--param split=32/.test(await words('report')));
  await rerun(
    `${field}.value = '8', ${field}.dispatchEvent(new Event('input', { bubbles: true }))`);
  check('and set back', !/--param/.test(await words('report')));
  await rerun(choose('blocks', '4'));
  check('blocks are in the kernel',
    /grid 4 /.test(await browser.evaluate("document.getElementById('text').value")));
  check('warps are counted', /= 16 warps/.test(await words('warps')));
  await rerun(choose('config', 't4'));
  check('another GPU', /T4/.test(await words('report')));
  await rerun(choose('config', 'teaching8'));
}

async function views() {
  for (const tab of ['lanes', 'waves', 'occupancy', 'latency', 'memory', 'source']) {
    await browser.evaluate(`document.getElementById('tab-${tab}').click()`);
    await until(`(() => { const doc = ${frame}.contentDocument;
      const display = (element) => doc.defaultView.getComputedStyle(element).display;
      const shown = doc.getElementById('screen-${tab}');
      return shown && display(shown) === 'block' && shown.querySelector('svg') &&
        display(doc.getElementById('explore')) === 'none'; })()`, tab);
  }
  await browser.evaluate("document.getElementById('tab-calculator').click()");
  await browser.evaluate(choose('calc-threads', '96'));
  await until("/blocks of 96 threads/.test(document.getElementById('calculator').textContent)",
    'occupancy');
  check('curves',
    await browser.evaluate("document.querySelectorAll('#calculator svg').length === 1"));
  await browser.evaluate("document.getElementById('tab-timeline').click()");
}

// Keys alone: from tab to tab, into the timeline, to the cause of a state.
async function keyboard() {
  await browser.evaluate("document.getElementById('tab-timeline').focus()");
  await browser.key('ArrowRight', 'ArrowRight');
  check('the next view has the focus',
    await browser.evaluate("document.activeElement.id === 'tab-why'"));
  await browser.key('ArrowLeft', 'ArrowLeft');
  await browser.evaluate("document.getElementById('text').focus()");
  await browser.key('Tab', 'Tab');
  check('Tab leaves the editor', await browser.evaluate("document.activeElement.id !== 'text'"));
  await browser.evaluate(`${frame}.contentWindow.goTo({ sm: 0, whole: true, row: 1, cycle: 200 })`);
  await until(`/Why: /.test(${frame}.contentDocument.getElementById('cell').textContent)`,
    'why the warp waits');
  const missing = await browser.evaluate(`
    [...document.querySelectorAll('button, select, input, textarea')]
    .filter((e) => !e.labels?.length && !e.textContent.trim() && !e.getAttribute('aria-label') &&
      !e.hidden)
    .map((e) => e.id).join()`);
  check('every control has a name: ' + missing, missing === '');
}

async function links() {
  await rerun(choose('config', 'teaching'));
  await browser.evaluate(
    `${frame}.contentWindow.goTo({ sm: 0, from: 100, to: 300, row: 2, cycle: 150 })`);
  await browser.evaluate('share()');
  await until("location.hash.length > 20", 'the link');
  await sleep(600);
  const link = await browser.evaluate('location.href');
  const [text, report] = [await browser.evaluate('editor.text'), await words('report')];
  await browser.open('about:blank');
  await browser.open(link);
  await untilReady('the link opens');
  check('the link has the kernel', await browser.evaluate('editor.text') === text);
  check('and the result', await words('report') === report);
  const place = JSON.stringify(await browser.evaluate('result.placeNow()'));
  check('and the view: ' + place, /"from":100,"to":300,"row":2,"cycle":150/.test(place));
  console.log(kind + ': a link has ' + link.length + ' characters');
}

// Drops a file onto the page.
const drop = (path, name) => `(() => {
  const packed = '${fs.readFileSync(path).toString('base64')}';
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], '${name}'));
  document.dispatchEvent(new DragEvent('drop',
    { dataTransfer: data, bubbles: true, cancelable: true })); })()`;

async function files() {
  await rerun(drop(site + '/../../../traces/lessons/two_paths.trace', 'two_paths.trace'));
  check('a trace is in the editor', /kernel two_paths/.test(await browser.evaluate('editor.text')));
  check('and simulated', /two_paths/.test(await words('report')));
  await rerun(drop(scratch + '/first.smtl', 'first.smtl'));
  check('a timeline is shown',
    await browser.evaluate(`/first_look/.test(${frame}.contentDocument.title)`));
  await rerun(drop(scratch + '/first.smtr', 'first.smtr'));
  check('a recording is simulated', /first_look: 2 blocks/.test(await words('report')));
  check('what a link cannot carry is said', /link cannot carry/.test(await words('dropped')));
  check('and no link is offered',
    await browser.evaluate("document.getElementById('share').disabled"));
}

// A link to other parameters of the kernel that is shown, and to a lesson.
async function moreLinks() {
  await browser.evaluate(choose('scenario', 'trace/latency'));
  await until('/latency/.test(document.getElementById("report").textContent)',
    'the kernel latency');
  check('the GPU of its lesson',
    await browser.evaluate("document.getElementById('config').value") === 'teaching');
  await browser.evaluate('share()');
  await sleep(600);
  const field = "document.querySelector('#parameters input')";
  const links = [];
  for (const value of [3, 5]) {
    const before = await browser.evaluate('location.hash');
    await rerun(
      `${field}.value = '${value}', ${field}.dispatchEvent(new Event('input', { bubbles: true }))`);
    await until(`location.hash !== '${before}'`, 'the link of another parameter');
    links.push(await browser.evaluate('location.hash'));
  }
  await rerun(`location.hash = '${links[0]}'`);
  check('the field has the parameter of the link',
    await browser.evaluate(`${field}.value`) === '3');
  check('and so has the run', /--param n=3/.test(await words('report')));
}

async function lesson() {
  await browser.evaluate(choose('scenario', 'lesson/2'));
  await until("document.querySelectorAll('#lesson .choices button').length > 1", 'the question');
  check('nothing is shown before', !/cycles/.test(await words('numbers')));
  await rerun("document.querySelector('#lesson .choices button').click()");
  check('the answer', /You predicted/.test(await words('lesson')));
  check('its run: ' + await words('numbers'), await cyclesOf() === 107);
  await rerun("[...document.querySelectorAll('#lesson .run')].at(-1).click()");
  check('the kernel of an exercise',
    /kernel sum_thread0/.test(await browser.evaluate('editor.text')));
  await browser.evaluate('share()');
  await sleep(600);
  const link = await browser.evaluate('location.href');
  await browser.open('about:blank');
  await browser.open(link);
  await untilReady('the lesson opens');
  check('the link has the lesson', /What does a branch cost/.test(await words('lesson')));
  await browser.evaluate(choose('scenario', 'lesson/8'));
  await browser.evaluate("document.querySelector('#lesson .choices button').click()");
  await until("/blocks of 128 threads/.test(document.getElementById('calculator').textContent)",
    'the calculator of a lesson');
}

// A long run says how far it is, the page stays usable, and what has run is shown when it is
// stopped.
async function stopping() {
  await browser.evaluate(choose('scenario', 'trace/latency'));
  await until('/latency/.test(document.getElementById("report").textContent)',
    'the kernel latency');
  await browser.evaluate("result.choose('timeline')");
  await browser.evaluate(setText("area.value.replace('rounds = 1000', 'rounds = 100000000')"));
  await until("/cycles so far/.test(document.getElementById('sofar').textContent)", 'progress');
  await browser.evaluate("document.getElementById('tab-calculator').click()");
  await browser.evaluate(choose('calc-threads', '64'));
  await until("/blocks of 64 threads/.test(document.getElementById('calculator').textContent)",
    'the calculator meanwhile');
  const began = Date.now();
  await rerun("document.getElementById('stop').click()");
  console.log(kind + ': stopped and drawn within ' + (Date.now() - began) + ' ms');
  check('it says that it was stopped', /You stopped the run/.test(await words('summary')));
  check('and what ran',
    /stopped by the user after/.test(await words('report')) && await cyclesOf() > 1000);
  check('no progress remains',
    await browser.evaluate("document.getElementById('progress').hidden"));
}

// Texts of the page that are not in Chinese.
const englishTexts = `[...document.querySelectorAll(
  'button, label > span, legend, summary, optgroup, [data-tr], #summary')]
  .map((e) => e.label || e.textContent).filter((text) => /^[ -~]*[a-z]{4}[ -~]*$/.test(text) &&
    text !== 'English' && text !== 'lane').join()`;

// The page is in Chinese before the simulator has been loaded, and can be painted so.
async function firstPaint() {
  const empty = scratch + '/first-paint';
  fs.mkdirSync(empty, { recursive: true });
  for (const name of ['index.html', 'words.js', 'page.css'])
    fs.copyFileSync(site + '/' + name, empty + '/' + name);
  await browser.open('about:blank');
  await browser.open('file://' + empty + '/index.html?lang=zh');
  await until('document.readyState === "complete"', 'the page without a simulator');
  const english = await browser.evaluate(englishTexts);
  check('nothing is English at first: ' + english, english === '');
  check('the first words', /正在启动/.test(await words('summary')));
}

// In Chinese, then back in English.
async function chinese() {
  await browser.open('about:blank');
  await browser.open('file://' + site + '/index.html?lang=zh');
  await untilReady('the page in Chinese');
  const english = await browser.evaluate(englishTexts);
  check('all is in Chinese: ' + english, english === '');
  check('the state, too', /线程束主要处于：.*[一-鿿].* %/.test(await words('numbers')));
  check('and its meaning', !/[a-z]{4} [a-z]{3}/.test(await words('numbers')));
  await rerun("document.getElementById('language').click()");
  check('and back',
    /Warps mostly/.test(await words('numbers')) && /Where time goes/.test(await words('tabs')));
}

async function narrow() {
  if (!browser.page) return;
  await browser.page('Emulation.setDeviceMetricsOverride',
    { width: 360, height: 780, deviceScaleFactor: 2, mobile: true });
  await sleep(200);
  check('it fits a phone', await browser.evaluate('document.documentElement.scrollWidth <= 360'));
}

async function run() {
  const start = kind === 'firefox' ? startFirefox : startChromium;
  browser = await start(program, scratch + '/profile-' + kind, [1280, 800]);
  for (const part of [firstScreen, typing, switches, views, keyboard, links, files, moreLinks,
    lesson, stopping, firstPaint, chinese, narrow]) {
    await part();
    check(part.name + ': ' + browser.problems.join(), !browser.problems.length);
  }
  console.log(kind + ': ' + checks + ' checks');
}

run().then(() => 0, (error) => {
  console.error(error.message);
  return 1;
}).then(async (status) => {
  if (browser) await browser.close();
  process.exit(status);
});
