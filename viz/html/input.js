// Mouse, keyboard and buttons.

const sms = Array.from(document.querySelectorAll('script.sm'));
const unpacked = new Map();
const selected = { row: -1, cycle: 0 };
const byId = (id) => document.getElementById(id);
let planned = false;

// Draws once a frame, however many events there are.
function redraw() {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    draw();
    placeMark();
    const { from, to } = view;
    byId('range').textContent = inLanguage('cycles %1 to %2', groups(from), groups(Math.ceil(to))) +
      (view.shownPerPixel < 1 ? ''
        : inLanguage(', %1 per pixel', view.shownPerPixel.toPrecision(3)));
  });
}

// Shows a range of cycles: at most the whole run, and so many cycles that a cycle, or a bucket, has
// at most 64 pixels. Returns whether the view has changed.
function show(from, to) {
  const { sm } = view;
  const least = view.timeWidth / 64 * (sm.exact ? 1 : 2 ** sm.shift / 4);
  const length = Math.min(Math.max(to - from, Math.min(least, sm.end - sm.begin)),
    sm.end - sm.begin);
  const start = Math.max(sm.begin, Math.min(from, sm.end - length));
  const changed = start !== view.from || start + length !== view.to;
  view.from = start;
  view.to = start + length;
  redraw();
  return changed;
}

// Zooms. The cycle at x keeps its place.
function zoom(factor, x) {
  const share = Math.max(0, Math.min(1, (x - LABELS) / view.timeWidth));
  const cycle = view.from + share * (view.to - view.from);
  const { sm } = view;
  const least = view.timeWidth / 64 * (sm.exact ? 1 : 2 ** sm.shift / 4);
  const length = Math.max((view.to - view.from) * factor, Math.min(least, sm.end - sm.begin));
  return show(cycle - share * length, cycle + (1 - share) * length);
}

const pan = (cycles) => show(view.from + cycles, view.to + cycles);
const middle = () => LABELS + view.timeWidth / 2;
const whole = () => show(view.sm.begin, view.sm.end);

// ---- Words ----

function cellUnder(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const row = view.rows.findIndex((r) => y >= r.y && y < r.y + r.h);
  const cycle = Math.floor(cycleOf(x));
  if (row < 0 || x < LABELS || cycle < view.sm.begin || cycle >= view.sm.end) return null;
  return { row, cycle };
}

function warpAt(slot, cycle) {
  let i = slot.warps.cycle.length - 1;
  while (i >= 0 && slot.warps.cycle[i] > cycle) i--;
  return i < 0 ? '' : inLanguage(', block %1, warp %2', slot.warps.block[i], slot.warps.warp[i]);
}

function exactWords(slot, cycle) {
  const i = spanAt(slot, cycle);
  const state = slot.states[i];
  const info = run.states[state];
  const pc = slot.pcs[i] + (state === run.issued ? cycle - slot.starts[i] : 0);
  const lives = state !== run.empty;
  let text = (lives ? warpAt(slot, cycle) : '') + ' \u2014 ' + info.title + ': ' + info.meaning;
  text += inLanguage('; cycles %1 to %2', groups(slot.starts[i]), groups(slot.starts[i + 1] - 1));
  if (lives && run.lines[pc] !== undefined && state !== run.exited)
    text += inLanguage('; at %1', run.lines[pc]);
  return text;
}

function exactCause(s, cycle) {
  const words = causeWords(s, cycle);
  return words ? inLanguage('. Why: %1', words) : '';
}

function coarseWords(s, cycle) {
  const bucket = Math.floor(cycle / 2 ** view.sm.shift);
  const cell = level0(view.sm, s)[bucket - view.sm.first];
  const percent = (share) => Math.round(share / 1.27) + ' %';
  let text = ' \u2014 ' + inLanguage('of cycles %1 to %2', groups(bucket * 2 ** view.sm.shift),
    groups((bucket + 1) * 2 ** view.sm.shift - 1)) + ': ' + run.states[mainOf(cell)].title + ' ' +
    percent(shareOf(cell));
  if (secondShareOf(cell))
    text += ', ' + run.states[secondOf(cell)].title + ' ' + percent(secondShareOf(cell));
  return text + inLanguage('; issued in %1', percent(issueShareOf(cell)));
}

function describe(cell) {
  const s = view.rows[cell.row].slot;
  byId('cell').textContent = inLanguage('cycle %1, SM %2, sub-partition %3, slot %4',
    groups(cell.cycle), view.sm.number, s % run.subs, Math.floor(s / run.subs)) +
    (view.sm.exact ? exactWords(view.sm.slots[s], cell.cycle) + exactCause(s, cell.cycle)
      : coarseWords(s, cell.cycle));
}

// Places the frame around the selected cell.
function placeMark() {
  const mark = byId('mark');
  const row = view.rows[selected.row];
  mark.hidden = !row || selected.cycle + 1 <= view.from || selected.cycle >= view.to;
  if (mark.hidden) return;
  const x = xOf(selected.cycle);
  const w = Math.max(4, xOf(selected.cycle + 1) - x + 2);
  Object.assign(mark.style, { left: x - 1 + 'px', top: row.y - 2 + 'px', width: w + 'px',
    height: row.h + 3 + 'px' });
}

function select(row, cycle) {
  if (!view.rows.length) return;
  selected.row = Math.max(0, Math.min(view.rows.length - 1, row));
  selected.cycle = Math.max(view.sm.begin, Math.min(view.sm.end - 1, cycle));
  const half = (view.to - view.from) / 2;
  if (selected.cycle < view.from || selected.cycle + 1 > view.to)
    show(selected.cycle - half, selected.cycle + half);
  describe(selected);
  redraw();
}

// ---- Events ----

function onWheel(event) {
  const box = canvas.getBoundingClientRect();
  const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const delta = sideways ? event.deltaX || event.deltaY : event.deltaY;
  const pixels = delta * (event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1);
  const changed = sideways ? pan(pixels * perPixel())
    : zoom(1.25 ** (Math.max(-300, Math.min(300, pixels)) / 100), event.clientX - box.left);
  if (changed) event.preventDefault(); // else the page scrolls
}

let drag = null;
const fingers = new Map(); // x of each pointer that touches
let spread = 0; // pixels between two pointers

function pinch() {
  const [a, b] = fingers.values();
  const box = canvas.getBoundingClientRect();
  const now = Math.max(20, Math.abs(a - b));
  if (spread) zoom(spread / now, (a + b) / 2 - box.left);
  spread = now;
}

function onDown(event) {
  if (event.button !== 0) return;
  fingers.set(event.pointerId, event.clientX);
  if (fingers.size === 2) {
    drag = null;
    spread = 0;
    pinch();
    return;
  }
  drag = { x: event.clientX, from: view.from, to: view.to, moved: false };
  if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
}

function onMove(event) {
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
  if (fingers.size === 2) {
    pinch();
    return;
  }
  if (!drag) {
    const cell = cellUnder(event);
    if (cell) describe(cell);
    return;
  }
  const dx = event.clientX - drag.x;
  drag.moved = drag.moved || Math.abs(dx) > 3;
  canvas.classList.toggle('drag', drag.moved);
  if (drag.moved) show(drag.from - dx * perPixel(), drag.to - dx * perPixel());
}

function onUp(event) {
  fingers.delete(event.pointerId);
  const cell = drag && !drag.moved ? cellUnder(event) : null;
  drag = null;
  canvas.classList.remove('drag');
  if (cell) select(cell.row, cell.cycle);
}

function onKey(event) {
  if (event.altKey || event.metaKey) return;
  const step = event.ctrlKey ? 10 : 1;
  const shown = view.to - view.from;
  const start = selected.row < 0 ? () => select(0, Math.floor(view.from + shown / 2)) : null;
  const actions = {
    ArrowLeft: start || (() => select(selected.row, selected.cycle - step)),
    ArrowRight: start || (() => select(selected.row, selected.cycle + step)),
    ArrowUp: start || (() => select(selected.row - 1, selected.cycle)),
    ArrowDown: start || (() => select(selected.row + 1, selected.cycle)),
    '+': () => zoom(1 / 1.25, middle()), '=': () => zoom(1 / 1.25, middle()),
    w: () => zoom(1 / 1.25, middle()), '-': () => zoom(1.25, middle()),
    s: () => zoom(1.25, middle()), a: () => pan(-shown / 4), d: () => pan(shown / 4),
    z: whole, Home: whole,
  };
  const arrow = event.key.startsWith('Arrow');
  if (!actions[event.key] || (event.ctrlKey && !arrow)) return; // Ctrl and + zooms the browser
  actions[event.key]();
  event.preventDefault();
}

// ---- Beginning ----

function chooseSm(index, keep) {
  if (!unpacked.has(index)) unpacked.set(index, unpackSm(sms[index]));
  view.sm = unpacked.get(index);
  selected.row = -1;
  byId('cell').textContent = view.sm.used.includes(true)
    ? inLanguage('Point at a cell to read what the warp does, and why.')
    : inLanguage('No warp ran on this SM.');
  byId('coarse').hidden = view.sm.exact;
  byId('coarse').textContent = inLanguage('This SM is here in steps of %1 cycles, so that the ' +
    'page stays small; simsm-view shows the file in single cycles.', groups(2 ** view.sm.shift));
  layout();
  if (keep) show(view.from, view.to);
  else whole();
}

function relayout() {
  readColours();
  layout();
  show(view.from, view.to);
}

// For a page that has this one in a frame: what is shown, and the way back to it.
function place() {
  return { sm: view.sm && view.sm.number, from: view.from, to: view.to, row: selected.row,
    cycle: selected.cycle, whole: view.sm && view.to - view.from >= view.sm.end - view.sm.begin };
}

function goTo(wanted) {
  const index = sms.findIndex((element) => element.dataset.sm === String(wanted.sm));
  if (index < 0 || !view.sm) return;
  byId('sm').value = index;
  chooseSm(index, false);
  if (!wanted.whole) show(wanted.from, wanted.to);
  if (wanted.row >= 0 && wanted.row < view.rows.length) select(wanted.row, wanted.cycle);
}

function begin() {
  const choice = byId('sm');
  if (!sms.length) {
    byId('cell').textContent = inLanguage('The file holds no cycles of any SM.');
    return;
  }
  sms.forEach((element, i) => choice.add(new Option(element.dataset.sm, i)));
  choice.addEventListener('change', () => chooseSm(Number(choice.value), true));
  const buttons = { in: () => zoom(1 / 1.5, middle()), out: () => zoom(1.5, middle()),
    left: () => pan((view.from - view.to) / 4), right: () => pan((view.to - view.from) / 4),
    whole };
  for (const id of Object.keys(buttons)) byId(id).addEventListener('click', buttons[id]);
  canvas.addEventListener('wheel', onWheel, { passive: false });
  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  canvas.addEventListener('keydown', onKey);
  window.addEventListener('resize', relayout);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', relayout);
  window.addEventListener('beforeprint', () => { relayout(); draw(); });
  window.addEventListener('afterprint', relayout);
  readColours();
  chooseSm(0, false);
}

begin();
