import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { type Contract, compare, judge } from '../contract/compare.js';
import { type Installed, packageAt, packageOfWorkingTree } from '../contract/package-at.js';
import { readBase, readDifferences } from '../contract/recorded.js';
import { Side } from '../contract/results.js';
import { SURFACE, takeSurface } from '../contract/surface.js';

const RESULTS = ['examples', 'orchestrators', 'vitest', 'pytest', 'left behind'];
const HOUR = { timeout: 3_600_000 };

const commit = process.env['UNDERSTUDY_AGAINST'] ?? readBase().commit;
const scratch = createScratch('contract');
let [before, after]: Installed[] = [];
let surface: Contract = {};

/** A package that was not made is the error of the hook that made it. */
const made = (one: Installed | undefined): Installed => one ?? expect.unreachable();

beforeAll(async () => {
  before = await packageAt(commit);
  after = await packageOfWorkingTree();
  surface = await takeSurface(before.root);
}, HOUR.timeout);

afterAll(async () => {
  after?.remove();
  await scratch.remove();
});

it(`the package of ${commit} has the recorded contract`, HOUR, async ({ skip }) => {
  if (process.env['UNDERSTUDY_AGAINST'] !== undefined) skip('another commit was asked for');
  expect(judge(compare(readBase().contract, surface), [], SURFACE)).toEqual([]);
});

it('the new package has it as well, but for the listed differences', HOUR, async () => {
  const found = compare(surface, await takeSurface(made(after).root));
  expect(judge(found, readDifferences(), SURFACE)).toEqual([]);
});

it('both give the same results, and open what the old one left behind', HOUR, async () => {
  const examples = resolve(made(before).root, 'examples');
  const sides = [before, after].map((one, at) => new Side(join(scratch.path, `side${at}`), made(one), examples));
  await sides[0]?.leaveBehind();
  const results: Contract[] = [];
  for (const side of sides) results.push(await timed(side));
  const [old = {}, fresh = {}] = results;
  // Sides that both see nothing would be equal, too.
  expect(JSON.stringify(old['left behind']).match(/Two, in the same session/g)).toHaveLength(5);
  for (const [name, least] of Object.entries({ examples: 55, orchestrators: 40, vitest: 3, pytest: 2 }))
    expect(JSON.stringify(old[name]).match(/passed|PASSED/g)?.length, name).toBeGreaterThanOrEqual(least);
  const found = compare(old, fresh);
  expect(judge(found, readDifferences(), RESULTS)).toEqual([]);
});

async function timed(side: Side): Promise<Contract> {
  const results: Contract = {};
  const parts = [
    () => side.examples(),
    () => side.orchestrators(),
    () => side.vitest(),
    () => side.pytest(),
    () => side.openLeft(),
  ];
  for (const [at, part] of parts.entries()) {
    const started = performance.now();
    results[RESULTS[at] ?? ''] = await part();
    console.log(`${RESULTS[at]}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  return results;
}
