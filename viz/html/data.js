// The timeline's data: unpacked as described in pack.h, and turned into columns at any zoom.
'use strict';

const run = JSON.parse(document.getElementById('run').textContent);

// Returns the words in the language of the page (script_words.c), with values in place of %1, %2.
function inLanguage(english, ...values) {
  const words = (run.words && run.words[english]) || english;
  return words.replace(/%([1-9])/g, (all, number) => values[number - 1]);
}

const LEAST_SHIFT = 6;
const MOST_CELLS = 4 << 20;

// A cell: main state, second state (5 bits each), their shares and the share of issues (7 bits
// each).
const mainOf = (cell) => cell & 31;
const secondOf = (cell) => cell >> 5 & 31;
const shareOf = (cell) => cell >> 10 & 127;
const secondShareOf = (cell) => cell >> 17 & 127;
const issueShareOf = (cell) => cell >> 24 & 127;

function reader(text) {
  const raw = atob(text.trim());
  let at = 0;
  const byte = () => raw.charCodeAt(at++);
  return {
    byte,
    // Reads numbers up to 2^53, so it multiplies and does not shift.
    varint() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const next = byte();
        value += (next & 127) * scale;
        if (!(next & 128)) return value;
      }
    },
  };
}

function unpackSpans(from, begin) {
  const warps = { cycle: [], block: [], warp: [] };
  let cycle = 0;
  for (let left = from.varint(); left > 0; left--) {
    cycle += from.varint();
    warps.cycle.push(cycle);
    warps.block.push(from.varint());
    warps.warp.push(from.varint());
  }
  const count = from.varint();
  const slot = { warps, starts: new Float64Array(count + 1), states: new Uint8Array(count),
    pcs: new Uint32Array(count) };
  let at = begin;
  let expected = 0;
  for (let i = 0; i < count; i++) {
    const head = from.varint();
    const length = Math.floor(head / 64);
    const state = head & 31;
    let pc = expected;
    if (head & 32) {
      const zigzag = from.varint();
      pc += zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
    }
    slot.starts[i] = at;
    slot.states[i] = state;
    slot.pcs[i] = pc;
    at += length;
    expected = pc + (state === run.issued ? length : 0);
  }
  slot.starts[count] = at;
  slot.flights = unpackFlights(from);
  return slot;
}

function unpackFlights(from) {
  const count = from.varint();
  const flights = { issued: new Float64Array(count), done: new Float64Array(count),
    level: new Uint8Array(count) };
  for (let i = 0, at = 0; i < count; i++) {
    at += from.varint();
    const answer = from.varint();
    flights.issued[i] = at;
    flights.done[i] = answer ? at + Math.floor(answer / 4) : 0;
    flights.level[i] = answer % 4;
  }
  return flights;
}

function unpackBuckets(from, count) {
  const cells = new Uint32Array(count);
  let at = 0;
  for (let runs = from.varint(); runs > 0; runs--) {
    const equal = from.varint();
    let cell = 0;
    for (let i = 0; i < 4; i++) cell |= from.byte() << 8 * i;
    cells.fill(cell, at, at + equal);
    at += equal;
  }
  return cells;
}

function unpackSm(element) {
  const from = reader(element.textContent);
  const sm = { number: Number(element.dataset.sm), exact: from.varint() === 0 };
  sm.shift = from.varint();
  sm.begin = from.varint();
  sm.end = sm.begin + from.varint();
  sm.slots = [];
  const slots = from.varint();
  if (sm.exact) {
    for (let s = 0; s < slots; s++) sm.slots.push(unpackSpans(from, sm.begin));
    sm.shift = LEAST_SHIFT;
    while ((sm.end - sm.begin) / 2 ** sm.shift * slots > MOST_CELLS) sm.shift++;
  }
  sm.first = Math.floor(sm.begin / 2 ** sm.shift);
  const buckets = Math.floor((sm.end - 1) / 2 ** sm.shift) - sm.first + 1;
  sm.levels = [[]];
  for (let s = 0; s < slots; s++)
    sm.levels[0].push(sm.exact ? null : unpackBuckets(from, buckets));
  sm.buckets = buckets;
  sm.used = usedSlots(sm);
  return sm;
}

function usedSlots(sm) {
  const used = [];
  const slots = sm.levels[0].length;
  for (let s = 0; s < slots; s++)
    used.push(sm.exact ? sm.slots[s].states.some((state) => state !== run.empty)
      : sm.levels[0][s].some((cell) => mainOf(cell) !== run.empty || secondShareOf(cell)));
  return used;
}

// ---- Time by state of a column that is not full yet ----

const time = new Float64Array(32);

function share7(part, whole) {
  return part > 0 ? Math.max(1, Math.round(127 * part / whole)) : 0;
}

// Returns the cell of all that was added, and empties the sums.
function closeCell() {
  let main = 0, second = 0, whole = 0;
  let most = 0, next = 0;
  const issues = time[run.issued];
  for (let s = 0; s < 32; s++) {
    const t = time[s];
    if (t === 0) continue;
    time[s] = 0;
    whole += t;
    if (t > most) {
      second = main; next = most;
      main = s; most = t;
    } else if (t > next) {
      second = s; next = t;
    }
  }
  if (whole === 0) return 0;
  return main | second << 5 | share7(most, whole) << 10 | share7(next, whole) << 17 |
    share7(issues, whole) << 24;
}

function addCell(cell, cycles) {
  const issues = issueShareOf(cell);
  time[mainOf(cell)] += cycles * shareOf(cell);
  if (secondShareOf(cell)) time[secondOf(cell)] += cycles * secondShareOf(cell);
  if (issues && mainOf(cell) !== run.issued &&
      (secondOf(cell) !== run.issued || !secondShareOf(cell)))
    time[run.issued] += cycles * issues;
}

// ---- Columns ----

// Returns the index of the slot's span that holds the cycle.
function spanAt(slot, cycle) {
  let low = 0, high = slot.states.length - 1;
  while (low < high) {
    const middle = low + high + 1 >> 1;
    if (slot.starts[middle] <= cycle) low = middle;
    else high = middle - 1;
  }
  return low;
}

function exactCells(sm, s, edges, cells) {
  const slot = sm.slots[s];
  if (!slot.states.length) return;
  let span = spanAt(slot, edges[0]);
  for (let i = 0; i < cells.length; i++) {
    const from = Math.max(edges[i], sm.begin), to = Math.min(edges[i + 1], sm.end);
    if (from >= to) continue;
    while (slot.starts[span + 1] <= from) span++;
    for (let at = from, k = span; at < to; k++) {
      const until = Math.min(slot.starts[k + 1], to);
      time[slot.states[k]] += until - at;
      at = until;
    }
    cells[i] = closeCell();
  }
}

function level0(sm, s) {
  if (sm.levels[0][s]) return sm.levels[0][s];
  const edges = new Float64Array(sm.buckets + 1);
  for (let i = 0; i <= sm.buckets; i++) edges[i] = (sm.first + i) * 2 ** sm.shift;
  const cells = new Uint32Array(sm.buckets);
  exactCells(sm, s, edges, cells);
  sm.levels[0][s] = cells;
  return cells;
}

// Returns buckets of 2^(shift + level) cycles, counted from cycle 0. They are made when first used.
function levelOf(sm, level, s) {
  if (level === 0) return level0(sm, s);
  if (!sm.levels[level]) sm.levels[level] = [];
  if (sm.levels[level][s]) return sm.levels[level][s];
  const below = levelOf(sm, level - 1, s);
  const odd = Math.floor(sm.first / 2 ** (level - 1)) % 2;
  const cells = new Uint32Array((below.length + odd + 1) >> 1);
  for (let i = 0; i < cells.length; i++) {
    for (let part = 2 * i - odd; part < 2 * i - odd + 2; part++)
      if (part >= 0 && part < below.length && below[part]) addCell(below[part], 1);
    cells[i] = closeCell();
  }
  sm.levels[level][s] = cells;
  return cells;
}

function bucketCells(sm, s, edges, cells, width) {
  let level = 0;
  while (2 ** (sm.shift + level + 1) <= width && sm.buckets >> level > 1) level++;
  const size = 2 ** (sm.shift + level);
  const first = Math.floor(sm.first / 2 ** level);
  const buckets = levelOf(sm, level, s);
  for (let i = 0; i < cells.length; i++) {
    const from = Math.max(edges[i], sm.begin), to = Math.min(edges[i + 1], sm.end);
    for (let b = Math.floor(from / size); b * size < to && from < to; b++) {
      const cell = buckets[b - first];
      if (cell) addCell(cell, Math.min((b + 1) * size, to) - Math.max(b * size, from));
    }
    cells[i] = closeCell();
  }
}

// Returns `count` columns of `width` cycles. Columns are counted from cycle 0, so that panning does
// not shimmer.
function columns(sm, s, first, width, count) {
  const edges = new Float64Array(count + 1);
  for (let i = 0; i <= count; i++) edges[i] = Math.floor((first + i) * width);
  const cells = new Uint32Array(count);
  if (sm.exact && width < 2 ** sm.shift) exactCells(sm, s, edges, cells);
  else bucketCells(sm, s, edges, cells, width);
  return cells;
}
