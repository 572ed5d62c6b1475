import { afterAll, describe, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, partInCi, sample, seedOr } from '../helpers/seeded.js';
import { catalogues } from './catalogue/index.js';
import type { Fault, RehearsedStage } from './fault.js';
import { type Planted, playAll, type Verdict } from './play.js';

/**
 * The test of the tests: faults are planted, each into a copy of its own, and exactly the right rehearsals must
 * turn red, by the right check. What is unusual but sound must stay green.
 */
/** The first one waits for all of them. */
const PATIENCE = { timeout: LONG ? 1_200_000 : 600_000 };
const seed = seedOr(1);

interface Listed extends Planted {
  red: Record<string, string>;
  green: string[];
  unseen: Fault['unseen'];
}

const all: Listed[] = catalogues.flatMap(({ base, subject, faults, sound }) => [
  ...Object.entries(faults).map(([name, { plant, red, green = [], unseen }]) => ({
    name: `${subject}: ${name}`,
    base,
    plant,
    red,
    green,
    unseen,
    rehearsals: [...Object.keys(red), ...green],
  })),
  ...Object.entries(sound).map(([name, { plant, green, unseen }]) => ({
    name: `sound ${subject}: ${name}`,
    base,
    plant,
    red: {},
    green,
    unseen,
    rehearsals: green,
  })),
]);

const scratch = createScratch('faults');
afterAll(() => scratch.remove());

/** Runs all of them when the first verdict is asked for. */
function verdictsOn(stage: RehearsedStage, listed: readonly Listed[]): (name: string) => Promise<Map<string, Verdict>> {
  let pending: Promise<Map<string, Map<string, Verdict>>> | undefined;
  return async (name) => {
    pending ??= playAll(listed, stage, scratch.path);
    return (await pending).get(name) ?? new Map();
  };
}

/** What the run found, told at its end. */
class Tally {
  readonly #tried = { fault: 0, sound: 0 };
  readonly #right = { fault: 0, sound: 0 };

  constructor(readonly name: string) {}

  judge(verdicts: Map<string, Verdict>, fault: Listed): void {
    this.#tried[kindOf(fault)] += 1;
    expectVerdicts(verdicts, fault);
    this.#right[kindOf(fault)] += 1;
  }

  tell(): void {
    const { fault, sound } = this.#right;
    const found = `${this.#tried.fault} faults, ${fault} found, ${this.#tried.fault - fault} missed`;
    console.log(`${this.name}: ${found}; ${this.#tried.sound} sound, ${this.#tried.sound - sound} false alarms`);
  }
}

function kindOf({ red }: Listed): 'fault' | 'sound' {
  return Object.keys(red).length === 0 ? 'sound' : 'fault';
}

function expectVerdicts(verdicts: Map<string, Verdict>, { red, green }: Listed): void {
  const seen = Object.fromEntries(
    [...verdicts].map(([rehearsal, { status, failed }]) => [
      rehearsal,
      // One failed check is named by the fault; the others may follow from it.
      red[rehearsal] !== undefined && failed.includes(red[rehearsal])
        ? `${status}: ${red[rehearsal]}`
        : `${status}: ${failed.join(', ')}`,
    ]),
  );
  expect(seen).toEqual({
    ...Object.fromEntries(Object.entries(red).map(([rehearsal, check]) => [rehearsal, `failed: ${check}`])),
    ...Object.fromEntries(green.map((rehearsal) => [rehearsal, 'passed: '])),
  });
}

const byName = (listed: readonly Listed[]) => listed.map((fault) => [fault.name, fault] as const);

const shownOn = (stage: RehearsedStage) => all.filter(({ unseen }) => unseen?.[stage] === undefined);

const onStandIn = partInCi(shownOn('sim'), 6, seed);
const simPart = `on the stand-in${onStandIn.length < shownOn('sim').length ? `, a sixth of them` : ''}`;
describe(simPart, () => {
  const listed = onStandIn;
  const verdicts = verdictsOn('sim', listed);
  const tally = new Tally(simPart);
  afterAll(() => tally.tell());
  it.for(byName(listed))('%s', PATIENCE, async ([, fault]) => tally.judge(await verdicts(fault.name), fault));
});

const part = `on the real Claude Code${LONG ? '' : `, a fortieth`}`;
describe(part, () => {
  const listed = sample(shownOn('scripted'), Math.ceil(all.length / 40), seed);
  const verdicts = verdictsOn('scripted', listed);
  const tally = new Tally(part);
  afterAll(() => tally.tell());
  it.for(byName(listed))('%s', PATIENCE, async ([, fault], context) => {
    await realAgent('claude', context);
    tally.judge(await verdicts(fault.name), fault);
  });
});
