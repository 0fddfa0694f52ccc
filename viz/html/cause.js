// Why a warp is in its state at a cycle, by the rules of sim/timeline/explain_data.c.

const LOOK_BACK = 512; // issues
const answers = ['long_scoreboard', 'short_scoreboard', 'wait'];
// Register numbers of R, P, UR and UP in a timeline (docs/timeline-format.md).
const FILES = [[328, 'UP'], [264, 'UR'], [256, 'P'], [0, 'R']];

function registerName(first) {
  const [base, name] = FILES.find(([from]) => first >= from);
  return name + (first - base);
}

// Returns the first register in both lists of ranges (first, count, first, count, ...), or -1.
function common(a, b) {
  for (let i = 0; i < a.length; i += 2)
    for (let k = 0; k < b.length; k += 2) {
      const first = Math.max(a[i], b[k]);
      if (first < Math.min(a[i] + a[i + 1], b[k] + b[k + 1])) return first;
    }
  return -1;
}

// Returns the words of a dependence and its register; null: there is none.
function dependence(head, earlier) {
  const needs = 'it needs %1 from %2, issued at cycle %3';
  const overwrites = 'it overwrites %1 behind %2, issued at cycle %3';
  for (const [words, mine, its] of [[needs, head.src, earlier.dst],
    [overwrites, head.dst, earlier.dst], [overwrites, head.dst, earlier.src]]) {
    const register = common(mine, its);
    if (register >= 0) return [words, registerName(register)];
  }
  return null;
}

// Returns the flight of the issue at a cycle, or undefined.
function flightAt(slot, cycle) {
  const { issued } = slot.flights;
  let low = 0, high = issued.length - 1;
  while (low < high) {
    const middle = low + high >> 1;
    if (issued[middle] < cycle) low = middle + 1;
    else high = middle;
  }
  return issued[low] === cycle ? { done: slot.flights.done[low], level: slot.flights.level[low] }
    : undefined;
}

function outstanding(line, issued, flight, cycle) {
  if (line.memory) return !flight || flight.done === 0 || flight.done > cycle;
  return issued + 8 * line.latency + 64 > cycle;
}

function fits(line, state) {
  if (state === 'long_scoreboard') return line.route === 2;
  if (state === 'short_scoreboard') return line.route === 1 || line.route === 2;
  return line.route === 0;
}

// Calls `take(cycle, pc)` for the warp's issues before a cycle, the latest first, until `take`
// returns true.
function issuesBefore(slot, cycle, take) {
  const since = warpSince(slot, cycle);
  let left = LOOK_BACK;
  for (let i = spanAt(slot, cycle); i >= 0 && slot.starts[i + 1] > since; i--) {
    if (slot.states[i] !== run.issued) continue;
    const first = Math.max(slot.starts[i], since);
    for (let at = Math.min(slot.starts[i + 1], cycle) - 1; at >= first; at--)
      if (left-- === 0 || take(at, slot.pcs[i] + at - slot.starts[i])) return;
  }
}

function warpSince(slot, cycle) {
  let i = slot.warps.cycle.length - 1;
  while (i >= 0 && slot.warps.cycle[i] > cycle) i--;
  return i < 0 ? 0 : slot.warps.cycle[i];
}

function producer(slot, cycle, state) {
  const head = run.code[slot.pcs[spanAt(slot, cycle)]];
  let best = null;
  if (head) issuesBefore(slot, cycle, (issued, pc) => {
    const line = run.code[pc];
    if (!line || !fits(line, state)) return false;
    const flight = line.memory ? flightAt(slot, issued) : undefined;
    if (!outstanding(line, issued, flight, cycle)) return false;
    const found = { issued, pc, flight, verb: dependence(head, line) };
    const later = best && flight && best.flight && flight.done > best.flight.done;
    if (!best || (found.verb && (!best.verb || later))) best = found;
    return false;
  });
  return best;
}

function producerWords(slot, cycle, state) {
  const found = producer(slot, cycle, state);
  if (!found) return '';
  const line = run.lines[found.pc], issued = groups(found.issued);
  let text = found.verb ? inLanguage(found.verb[0], found.verb[1], line, issued)
    : inLanguage('it waits for a barrier of %1, issued at cycle %2', line, issued);
  if (found.flight && found.flight.done)
    text += inLanguage('; %1 answers at cycle %2',
      run.levels[found.flight.level] || inLanguage('the memory'), groups(found.flight.done));
  return text;
}

// Says which slot of the sub-partition issued instead.
function chosenWords(s, cycle) {
  for (let other = s % run.subs; other < view.sm.slots.length; other += run.subs) {
    const slot = view.sm.slots[other];
    const i = slot.states.length ? spanAt(slot, cycle) : -1;
    if (i >= 0 && slot.states[i] === run.issued)
      return inLanguage('the scheduler chose slot %1, %2', Math.floor(other / run.subs),
        run.lines[slot.pcs[i] + cycle - slot.starts[i]]);
  }
  return '';
}

function tenant(slot, cycle) {
  let i = slot.warps.cycle.length - 1;
  while (i >= 0 && slot.warps.cycle[i] > cycle) i--;
  return i < 0 ? { block: -1, warp: -1 } : { block: slot.warps.block[i], warp: slot.warps.warp[i] };
}

// Says which warps of the block have not reached the barrier.
function barrierWords(s, cycle) {
  const { block } = tenant(view.sm.slots[s], cycle);
  const missing = [];
  for (const slot of view.sm.slots) {
    if (!slot.states.length || tenant(slot, cycle).block !== block) continue;
    const state = run.states[slot.states[spanAt(slot, cycle)]];
    if (!['barrier', 'exited', 'empty'].includes(state.name))
      missing.push(tenant(slot, cycle).warp + ' (' + state.title + ')');
  }
  if (!missing.length) return '';
  return inLanguage('of block %1 it waits for warp %2', block, missing.join(', '));
}

// Returns a sentence, or ''.
function causeWords(s, cycle) {
  const slot = view.sm.slots[s];
  const { name } = run.states[slot.states[spanAt(slot, cycle)]];
  if (answers.includes(name)) return producerWords(slot, cycle, name);
  if (name === 'not_selected') return chosenWords(s, cycle);
  return name === 'barrier' ? barrierWords(s, cycle) : '';
}
