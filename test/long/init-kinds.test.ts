import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { EXPECTED_KITS, runScaffoldedKits } from '../helpers/scaffolded-kits.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('init-kinds');
});
afterEach(() => scratch.remove());

it('what init writes passes on the real Claude Code, and fails for the fault that it names', async (context) => {
  await realAgent('claude', context);
  expect(await runScaffoldedKits(scratch.path, 'scripted')).toEqual(EXPECTED_KITS);
}, 600_000);
