// Draws the timeline, by the rules of the viewer's Timeline screen (viz/view/view_timeline.c,
// rows.c).

const STRIP = 16, GAP = 6, LABELS = 78, AXIS = 18, TEXTURE = 6, LETTER = 7, LETTER_ROW = 12,
  ADVANCE = 7;
const canvas = document.getElementById('timeline');
const ctx = canvas.getContext('2d');
const view = { sm: null, from: 0, to: 1, rows: [], row: 10, looks: [], colours: {} };

// Reads the colours from the page's style, so that they follow the browser's preference.
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  for (const name of ['ground', 'panel', 'line', 'text', 'quiet', 'accent', 'issue'])
    view.colours[name] = colour('--' + name);
  view.looks = run.states.map((state, s) => {
    const fill = colour('--s' + s);
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(fill.slice(i, i + 2), 16));
    return { fill, ink: colour('--i' + s), hatch: pattern(state.hatch, colour('--h' + s)),
      letter: state.letter, pixel: (255 << 24 | b << 16 | g << 8 | r) >>> 0 };
  });
}

// The textures of in_hatch in viz/canvas/pixels.c.
const HATCHES = [
  null,
  (x, y) => (x + y) % 6 < 1,
  (x, y) => x % 3 < 1 && y % 3 < 1,
  (x) => x % 4 < 1,
  (x, y) => (x + (y % 6 < 3 ? y % 6 : 6 - y % 6)) % 6 < 1,
  (x, y) => (x + y) % 6 < 1 || (x - y + 24) % 6 < 1,
];

function pattern(hatch, colour) {
  if (!HATCHES[hatch]) return null;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 12;
  const c = tile.getContext('2d');
  c.fillStyle = colour;
  for (let y = 0; y < 12; y++)
    for (let x = 0; x < 12; x++) if (HATCHES[hatch](x, y)) c.fillRect(x, y, 1, 1);
  return ctx.createPattern(tile, 'repeat');
}

// Places the rows of the slots that are ever used, by sub-partition. Heights are in CSS pixels.
function layout() {
  const shown = view.sm.used.map((used, s) => s).filter((s) => view.sm.used[s]);
  view.row = Math.max(5, Math.min(18, Math.floor(640 / Math.max(1, shown.length))));
  view.rows = [];
  view.strips = [];
  let y = AXIS;
  for (let sub = 0; sub < run.subs; sub++) {
    const slots = shown.filter((s) => s % run.subs === sub);
    if (!slots.length) continue;
    view.strips.push({ sub, y, slots });
    y += STRIP;
    for (const slot of slots) {
      view.rows.push({ slot, y, h: view.row });
      y += view.row;
    }
    y += GAP;
  }
  view.height = Math.max(y, AXIS + 40);
  view.width = Math.max(200, canvas.parentElement.clientWidth);
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = view.height + 'px';
  canvas.width = Math.round(view.width * ratio);
  canvas.height = Math.round(view.height * ratio);
  view.ratio = canvas.width / view.width;
  view.timeWidth = view.width - LABELS;
}

const perPixel = () => (view.to - view.from) / view.timeWidth;
const xOf = (cycle) => LABELS + (cycle - view.shownFrom) / view.shownPerPixel;
const cycleOf = (x) => view.shownFrom + (x - LABELS) * view.shownPerPixel;

// Aligns the view to whole columns of device pixels where a column is longer than a cycle.
function snap() {
  view.shownPerPixel = perPixel();
  view.shownFrom = view.from;
  const column = view.shownPerPixel / view.ratio;
  view.coarse = column >= 1 || !view.sm.exact;
  view.column = column;
  if (!view.coarse || column < 1) return;
  view.firstColumn = Math.floor(view.from / column);
  view.shownFrom = view.firstColumn * column;
}

function drawAxis() {
  const step = axisStep(view.to - view.from, Math.max(2, Math.floor(view.timeWidth / 110)));
  ctx.font = '11px "DejaVu Sans Mono", Consolas, Menlo, monospace';
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  ctx.fillStyle = view.colours.quiet;
  ctx.fillText(inLanguage('cycle'), LABELS - 6, AXIS / 2);
  ctx.textAlign = 'left';
  for (let at = Math.ceil(view.shownFrom / step) * step; at < view.to; at += step) {
    const x = Math.round(xOf(at));
    ctx.fillStyle = view.colours.line;
    ctx.fillRect(x, 0, 1, view.height);
    ctx.fillStyle = view.colours.quiet;
    const text = groups(at);
    if (x + 3 + ADVANCE * text.length < view.width) ctx.fillText(text, x + 3, AXIS / 2);
  }
}

// Returns 1, 2 or 5 times a power of ten, at least one cycle, with at most `most` steps in the
// range.
function axisStep(range, most) {
  for (let power = 1; ; power *= 10)
    for (const factor of [1, 2, 5])
      if (range <= factor * power * most) return factor * power;
}

const groups = (number) => String(Math.floor(number)).replace(/\B(?=(\d{3})+$)/g, ',');

function drawLabels() {
  const every = Math.max(1, Math.ceil(11 / view.row));
  for (const strip of view.strips) {
    ctx.textAlign = 'left';
    ctx.fillStyle = view.colours.text;
    ctx.fillText(inLanguage('sub %1', strip.sub), 4, strip.y + STRIP / 2);
  }
  ctx.textAlign = 'right';
  ctx.fillStyle = view.colours.quiet;
  for (const row of view.rows) {
    const index = Math.floor(row.slot / run.subs);
    if (index % every === 0)
      ctx.fillText(inLanguage('slot %1', index), LABELS - 6, row.y + view.row / 2);
  }
}

// Draws a column: its main state, below it the second state, and at the foot a tick as high as the
// share of issues, which would be invisible among waits of hundreds of cycles.
function paintColumn(pixels, stride, x, top, h, cell) {
  const { looks } = view;
  const share = shareOf(cell), second = secondShareOf(cell), issues = issueShareOf(cell);
  if (!share) return;
  const tick = issues && h >= 4 ? 1 + Math.floor((0.3 * h - 1) * issues / 127) : 0;
  const lower = second > 12 && h >= 4 ? Math.floor(h * second / (share + second)) : 0;
  for (let y = 0; y < h; y++) {
    const left = h - y;
    const state = left <= tick ? run.issued : left <= lower ? secondOf(cell) : mainOf(cell);
    pixels[(top + y) * stride + x] = looks[state].pixel;
  }
}

// Draws all rows as columns of device pixels. Returns the share of issues of each sub-partition.
function drawCoarse() {
  const left = Math.round(LABELS * view.ratio);
  const w = canvas.width - left;
  const image = ctx.getImageData(left, 0, w, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const issues = new Map(view.strips.map((strip) => [strip.sub, new Float32Array(w)]));
  for (const row of view.rows) {
    const cells = cellsOf(row.slot, w);
    const sum = issues.get(row.slot % run.subs);
    const top = Math.round(row.y * view.ratio);
    const h = Math.round((row.y + row.h) * view.ratio) - top - (view.row >= 6 ? 1 : 0);
    for (let x = 0; x < w; x++) {
      paintColumn(pixels, w, x, top, h, cells[x]);
      sum[x] += issueShareOf(cells[x]) / 127;
    }
  }
  ctx.putImageData(image, left, 0);
  return issues;
}

// Returns the cells of a row. If the page has only buckets and they are wider than a pixel, a
// bucket fills several columns.
function cellsOf(slot, w) {
  if (view.column >= 1) return columns(view.sm, slot, view.firstColumn, view.column, w);
  const cells = new Uint32Array(w);
  const buckets = level0(view.sm, slot);
  for (let x = 0; x < w; x++)
    cells[x] = buckets[Math.floor((view.from + x * view.column) / 2 ** view.sm.shift) -
      view.sm.first] || 0;
  return cells;
}

function drawExact() {
  const issues = new Map(view.strips.map((strip) => [strip.sub, []]));
  const perCycle = 1 / view.shownPerPixel;
  for (const row of view.rows) {
    const slot = view.sm.slots[row.slot];
    const h = row.h - (view.row >= 6 ? 1 : 0);
    for (let i = slot.states.length ? spanAt(slot, view.from) : 0;
      i < slot.states.length && slot.starts[i] < view.to; i++) {
      if (slot.states[i] === run.issued)
        issues.get(row.slot % run.subs).push([slot.starts[i], slot.starts[i + 1]]);
      drawSpan(slot, i, row.y, h, perCycle);
    }
    drawWarps(slot, row.y, h);
  }
  return issues;
}

function drawSpan(slot, i, y, h, perCycle) {
  const look = view.looks[slot.states[i]];
  const x = Math.max(LABELS, snapped(xOf(slot.starts[i])));
  const w = Math.min(view.width, snapped(xOf(slot.starts[i + 1]))) - x;
  if (w <= 0) return;
  ctx.fillStyle = look.fill;
  ctx.fillRect(x, y, w, h);
  if (look.hatch && w >= TEXTURE && h >= TEXTURE) {
    ctx.fillStyle = look.hatch;
    ctx.fillRect(x, y, w, h);
  }
  if (perCycle >= LETTER && h >= LETTER_ROW && slot.states[i] !== run.empty)
    drawWords(slot, i, { x, y, w, h }, perCycle);
}

// Draws the letters of the state, and the operation that the warp issues or has next. The operation
// replaces the letter of an issue; in other states it follows the first letter.
function drawWords(slot, i, cell, perCycle) {
  const state = slot.states[i], look = view.looks[state];
  const op = state === run.exited ? '' : operation(slot.pcs[i]);
  const issued = state === run.issued;
  const first = issued ? 0 : perCycle;
  const from = cell.x + first, wide = ADVANCE * op.length + 2;
  const written = op && from + wide + first <= cell.x + cell.w;
  const middle = cell.y + cell.h / 2 + 0.5;
  const end = Math.min(slot.starts[i + 1], view.to);
  ctx.textAlign = 'center';
  ctx.fillStyle = look.ink;
  for (let cycle = Math.max(slot.starts[i], Math.floor(view.from)); cycle < end; cycle++) {
    const x = xOf(cycle);
    const covered = written && (issued || (x + perCycle > from + 1 && x < from + wide));
    if (x >= LABELS && !covered) ctx.fillText(look.letter, x + perCycle / 2, middle);
  }
  if (!written) return;
  if (!issued) {
    ctx.globalAlpha = 0.7;
    ctx.fillStyle = view.colours.ground;
    ctx.fillRect(from, cell.y, wide, cell.h);
    ctx.globalAlpha = 1;
    ctx.fillStyle = view.colours.text;
  }
  ctx.fillText(op, issued ? cell.x + cell.w / 2 : from + wide / 2, middle);
}

// Returns the operation of a static instruction, without guard and operands.
function operation(pc) {
  const text = (run.lines[pc] || '').replace(/^@!?\([^)]*\) *|^@[^ ]* +/, '');
  return text.split(/[ ;]/)[0];
}

const snapped = (x) => Math.floor(x * view.ratio) / view.ratio;

// Draws a line where a warp takes the slot, with the name of its block if there is room.
function drawWarps(slot, y, h) {
  const { cycle, block, warp } = slot.warps;
  for (let i = 0; i < cycle.length; i++) {
    if (cycle[i] < view.from || cycle[i] >= view.to) continue;
    const x = snapped(xOf(cycle[i]));
    const text = inLanguage('block %1 warp %2', block[i], warp[i]);
    const room = (i + 1 < cycle.length ? xOf(cycle[i + 1]) : view.width) - x;
    const w = 7 * text.length + 4;
    ctx.fillStyle = view.colours.text;
    ctx.fillRect(x, y, 1, h);
    if (h < LETTER_ROW || room < 2 * w) continue;
    ctx.fillStyle = view.colours.ground;
    ctx.fillRect(x + 1, y, w, h);
    ctx.fillStyle = view.colours.text;
    ctx.textAlign = 'left';
    ctx.fillText(text, x + 3, y + h / 2 + 0.5);
  }
}

function drawStrips(issues) {
  const colour = view.colours.issue;
  for (const strip of view.strips) {
    const known = issues.get(strip.sub);
    ctx.fillStyle = view.colours.panel;
    ctx.fillRect(LABELS, strip.y, view.timeWidth, STRIP - 2);
    ctx.fillStyle = colour;
    if (view.coarse)
      known.forEach((share, x) => {
        const h = Math.min(1, share) * (STRIP - 2);
        if (h > 0)
          ctx.fillRect(LABELS + x / view.ratio, strip.y + STRIP - 2 - h, 1 / view.ratio, h);
      });
    else
      for (const [from, to] of known) {
        const x = Math.max(LABELS, snapped(xOf(from)));
        ctx.fillRect(x, strip.y, Math.max(snapped(xOf(to)) - x, 1 / view.ratio), STRIP - 2);
      }
  }
}

function draw() {
  snap();
  ctx.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
  ctx.fillStyle = view.colours.ground;
  ctx.fillRect(0, 0, view.width, view.height);
  drawAxis();
  drawStrips(view.coarse ? drawCoarse() : drawExact());
  ctx.fillStyle = view.colours.ground;
  ctx.fillRect(0, AXIS, LABELS, view.height);
  drawLabels();
}
