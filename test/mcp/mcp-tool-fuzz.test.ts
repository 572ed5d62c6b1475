import { expect, it } from 'vitest';
import { toolCategories } from '../../src/mcp/tools/index.js';
import { tally } from '../helpers/attack.js';
import { oddValue } from '../helpers/malformed-rpc.js';
import { fuzzInputs, seeded, seedOr } from '../helpers/seeded.js';

const SEED = seedOr(20_261_115);
const INPUTS = fuzzInputs(200);
const tools = (await Promise.all(Object.values(toolCategories).map((load) => load()))).flat();

it.each(tools)(
  `$name refuses ${INPUTS} odd arguments by name (seed ${SEED})`,
  { timeout: 300_000 },
  async ({ name, input, call }) => {
    const random = seeded(SEED);
    const names = [...Object.keys(input.shape), '__proto__', 'constructor', 'x'];
    const failures: string[] = [];
    const context = {
      harness: () => Promise.reject(new Error('an odd argument must not get so far')),
      signal: new AbortController().signal,
      progress: () => {},
    };
    let refused = 0;
    for (let count = 0; count < INPUTS; count++) {
      const args = random() < 0.1 ? oddValue(random) : oddArguments(names, random);
      // What fits by chance would be done.
      if (input.safeParse(args ?? {}).success) continue;
      refused++;
      const answer = await call(args, context).catch((error: unknown) => String(error));
      const told = JSON.stringify(answer);
      if (!told.includes('MCP_BAD_INPUT') || told.length > 50_000) failures.push(`${JSON.stringify(args)}: ${told}`);
    }
    expect(refused).toBeGreaterThan(INPUTS / 3);
    tally('odd arguments for an MCP tool', name, refused, failures);
  },
);

function oddArguments(names: readonly string[], random: () => number): Record<string, unknown> {
  const some = names.filter(() => random() < 0.6);
  // Not by assignment: `__proto__` is to be a name like any other.
  return Object.fromEntries(some.map((name) => [name, oddValue(random)]));
}
