import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenForCanary } from './canary.js';
import { sandboxProblem } from './probe-sandbox.js';

const problem = await sandboxProblem();

describe.skipIf(problem !== undefined)('the canary', () => {
  let scratch: Scratch;
  let cwd: string;
  beforeAll(() => {
    scratch = createScratch('canary');
    cwd = join(scratch.path, 'project');
    mkdirSync(cwd);
  });
  afterAll(() => scratch.remove());

  it('is seen by every witness', async () => {
    expect(await listenForCanary(cwd)).toEqual({ blind: [] });
  });

  it('names the witnesses that do not see it', async () => {
    // In the network of the machine, nobody stands between an agent and the model, and packets find their way.
    expect(await listenForCanary(cwd, 'host')).toEqual({ blind: ['kernel', 'wire'] });
  });
});
