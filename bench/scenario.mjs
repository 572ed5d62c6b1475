import { createSimulator } from '../dist/index.js';

export const title = 'Scenario engine';

const WORDS = ['database', 'login', 'review', 'deploy', 'refactor', 'test', 'plan', 'explore', 'commit', 'schema'];

/** Rules of every kind in the shares that scenarios have: mostly literals, some globs, a few regexes. */
function rules(count, { literalsOnly = false } = {}) {
  return Array.from({ length: count }, (_, i) => {
    const word = WORDS[i % WORDS.length];
    const kind = literalsOnly ? i % 2 : i % 10;
    const pattern =
      kind === 9
        ? { type: 'regex', pattern: `${word} number ${i}\\b` }
        : kind === 8
          ? { type: 'glob', pattern: `please ${word} * item ${i}` }
          : kind % 2 === 0
            ? { type: 'exact', text: `${word} item ${i}` }
            : { type: 'contains', text: `${word} the ${i}th part` };
    return { pattern, response: `answer ${i}` };
  });
}

function prompts(count, howMany) {
  return Array.from({ length: howMany }, (_, n) => {
    const i = (n * 7919) % count;
    return n % 3 === 0
      ? `${WORDS[i % 10]} item ${i}`
      : n % 3 === 1
        ? `Could you ${WORDS[i % 10]} the ${i}th part of it, and tell me what you saw?`
        : `nothing fits this prompt ${n}`;
  });
}

function measure(count, options, turns) {
  const said = prompts(count, turns);
  const start = performance.now();
  const simulator = createSimulator({ responses: rules(count, options), default_response: 'none' });
  const loadMs = performance.now() - start;
  for (const prompt of said.slice(0, turns / 4)) simulator.send(prompt);
  simulator.reset();
  const times = new Float64Array(turns);
  const began = performance.now();
  for (let i = 0; i < turns; i++) {
    const before = performance.now();
    simulator.send(said[i]);
    times[i] = performance.now() - before;
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort();
  return {
    loadMs,
    perSecond: turns / seconds,
    p50: times[Math.floor(turns * 0.5)],
    p99: times[Math.floor(turns * 0.99)],
  };
}

export async function bench() {
  const hundred = measure(100, {}, 40_000);
  const literals = measure(10_000, { literalsOnly: true }, 20_000);
  const mixed = measure(10_000, {}, 4_000);
  const row = (name, { loadMs, perSecond, p50, p99 }) => [name, loadMs, perSecond, p50, p99];
  return {
    columns: ['scenario', 'load ms', 'turns/s', 'p50 ms', 'p99 ms'],
    rows: [
      row('100 rules, mixed', hundred),
      row('10,000 rules, literals', literals),
      row('10,000 rules, 10 % regex, 10 % glob', mixed),
    ],
    ratios: [
      { name: 'turns a second on 100 rules', value: hundred.perSecond, target: 20_000, better: 'higher' },
      { name: 'p99 ms of a turn on 10,000 literal rules', value: literals.p99, target: 0.5, better: 'lower' },
      { name: 'p99 ms of a turn on 10,000 mixed rules', value: mixed.p99, target: 0.5, better: 'lower' },
    ],
  };
}
