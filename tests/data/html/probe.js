// Uses a page as a reader does, by events, and writes what it sees into the page: "name: value".
// tests/cli/html.sh adds it behind the page's own scripts, with `wanted`: colours of letters,
// cycles, an SM.
const lines = [];
const say = (name, value) => lines.push(name + ': ' + value);
const box = () => canvas.getBoundingClientRect();
const frame = () => new Promise((done) => setTimeout(done, 20));
const shown = () => byId('range').textContent;

function at(type, x, y, more) {
  const Kind = type === 'wheel' ? WheelEvent : PointerEvent;
  canvas.dispatchEvent(new Kind(type, { clientX: box().left + x, clientY: box().top + y,
    bubbles: true, cancelable: true, button: 0, ...more }));
}

function press(key, more) {
  canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
}

function distinctColours() {
  const data = new Uint32Array(ctx.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return new Set(data).size;
}

// Whether a pixel near the corner of a cell has the colour; the rest may be texture or letter.
function hasColour(x, y, hex) {
  const data = ctx.getImageData(Math.round(x * view.ratio) + 1, Math.round(y * view.ratio) + 1, 4,
    3).data;
  for (let i = 0; i < data.length; i += 4) {
    const found = [data[i], data[i + 1], data[i + 2]];
    if (found.map((v) => v.toString(16).padStart(2, '0')).join('') === hex) return true;
  }
  return false;
}

// Letters of a row, as the words about its cells name the states; '?' where the colour is another.
function letters(row, from, to) {
  let text = '';
  for (let cycle = from; cycle < to; cycle++) {
    const x = xOf(cycle);
    at('pointermove', x + 0.5 / view.shownPerPixel, row.y + row.h / 2);
    const title = byId('cell').textContent.split(' \u2014 ')[1].split(':')[0];
    const letter = run.states.find((state) => state.title === title).letter;
    text += hasColour(x, row.y, wanted.colours[letter].toLowerCase()) ? letter : '?';
  }
  return text;
}

async function zoomAndDrag() {
  const x = LABELS + 300;
  say('whole', shown());
  const before = cycleOf(x);
  const length = view.to - view.from;
  at('wheel', x, 60, { deltaY: -300 });
  await frame();
  say('zoomed', view.to - view.from < 0.6 * length);
  say('kept', Math.abs(cycleOf(x) - before) <= view.shownPerPixel);
  const from = view.from;
  at('pointerdown', x, 60);
  at('pointermove', x - 100, 60);
  at('pointerup', x - 100, 60);
  await frame();
  say('dragged', Math.abs(view.from - from - 100 * perPixel()) < 1);
  byId('whole').click();
  await frame();
  say('back', shown());
  const end = new WheelEvent('wheel', { deltaY: 300, cancelable: true, clientX: 400 });
  canvas.dispatchEvent(end);
  say('page scrolls on', !end.defaultPrevented);
}

// Two fingers that part zoom; one that is left does not drag.
async function touch() {
  const before = view.to - view.from;
  at('pointerdown', LABELS + 300, 60, { pointerId: 11 });
  at('pointerdown', LABELS + 340, 60, { pointerId: 12 });
  at('pointermove', LABELS + 420, 60, { pointerId: 12 });
  at('pointerup', LABELS + 420, 60, { pointerId: 12 });
  at('pointermove', LABELS + 100, 60, { pointerId: 11 });
  at('pointerup', LABELS + 100, 60, { pointerId: 11 });
  await frame();
  say('pinched', Math.round(before / (view.to - view.from)));
  press('z');
}

async function keys() {
  press('w');
  await frame();
  say('key zoomed', view.to - view.from < view.sm.end - view.sm.begin);
  press('z');
  await frame();
  say('key whole', view.to - view.from === view.sm.end - view.sm.begin);
  press('ArrowDown');
  press('ArrowDown');
  press('ArrowRight', { ctrlKey: true });
  await frame();
  const middle = Math.floor((view.sm.begin + view.sm.end) / 2);
  say('selected', 'row ' + selected.row + ', ' + (selected.cycle - middle) + ' from the middle' +
    (byId('mark').hidden ? '' : ', marked'));
}

async function cells() {
  show(wanted.from, wanted.from + 250); // cells too narrow for words: colours alone
  await frame();
  for (const row of view.rows.slice(0, wanted.rows))
    say('row ' + row.slot, letters(row, wanted.from, wanted.to));
}

// Why the warps of all slots are in their states, every some cycles and where one was not selected.
async function causes() {
  for (const [i, row] of view.rows.entries()) {
    const slot = view.sm.slots[row.slot];
    const passed = slot.states.findIndex((state) => run.states[state].name === 'not_selected');
    const cycles = [slot.starts[Math.max(0, passed)]];
    for (let cycle = wanted.from; cycle < wanted.to + 6000; cycle += 1500) cycles.push(cycle);
    for (const cycle of cycles) {
      select(i, cycle);
      const why = byId('cell').textContent.split('. Why: ')[1];
      if (why) say('why ' + row.slot + ' ' + cycle, why);
    }
  }
}

async function otherSm() {
  byId('sm').value = wanted.sm;
  byId('sm').dispatchEvent(new Event('change'));
  byId('whole').click();
  await frame();
  say('SMs', sms.length);
  say('other SM exact', view.sm.exact);
  say('note', !byId('coarse').hidden);
  say('other SM colours', distinctColours() > 4);
  at('pointermove', LABELS + view.timeWidth / 2, view.rows[0].y + 2);
  say('other SM says', byId('cell').textContent);
}

async function probe() {
  await frame();
  say('colours', distinctColours() > 8);
  for (const part of [zoomAndDrag, touch, keys, cells, causes, otherSm])
    await part().catch((error) => problems.push(part.name + ': ' + error.message));
  say('pictures', document.querySelectorAll('figure svg').length);
  say('foreign', document.querySelectorAll('img, iframe, link, script[src]').length);
  say('problems', problems.join(' | ') || 'none');
  const out = document.createElement('pre');
  out.id = 'probe';
  out.textContent = lines.join('\n');
  document.body.append(out);
}

probe();
