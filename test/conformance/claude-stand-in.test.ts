import { afterAll, describe, expect, it } from 'vitest';
import { standInCommand } from '../../src/agents/stand-in.js';
import { AcceptedDifferences } from '../../src/drift/accepted.js';
import { STREAM, say, tool } from '../../src/drift/case.js';
import { CONFORMANCE_CASES as cases } from '../../src/drift/cases/index.js';
import { JUDGE_SOURCE } from '../../src/drift/cases/parts.js';
import { differencesIn } from '../../src/drift/differences.js';
import { type Behavior, observe, type Program } from '../../src/drift/observe.js';
import { COMPILED_TIMEOUT, differingCases, notCompiled } from '../helpers/native.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, sample, seedOr, sixthInCi } from '../helpers/seeded.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { recordable } from './claude-recording.js';
import { pinnedVersion, RECORDING, Recordings } from './recordings.js';

const VERSION = pinnedVersion('claude');
const SEED = seedOr(Date.now() % 1_000_000);

const accepted = new AcceptedDifferences();
const names = cases.map(({ name }) => name);
let compared = 0;

const found = await realAgent(`claude@${VERSION}`);
const real: Program = { kind: 'real', command: found?.command ?? [] };
const standIn: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };
const compiled: Program = { kind: 'stand-in', command: standInCommand('claude') };
/** What this run plays. The recording itself is looked at whole. */
const played = sixthInCi(cases, SEED);
/** Each case is played once: by the JavaScript build, or by the compiled one, which takes a third of the time. */
const inJavaScript = new Set(notCompiled === undefined && !LONG ? sample(played, played.length / 6, SEED) : played);
const recordings = new Recordings<Behavior>(`claude-${VERSION}`);

if (RECORDING)
  describe('a recording of the real Claude Code', () => {
    afterAll(() => recordings.save(names));

    it.each(cases)('$name', async (test) => {
      recordings.write(test.name, test, recordable(test, await observe(real, test)));
    });
  });

describe(`the claude stand-in does as Claude Code ${VERSION} did`, () => {
  it('has a recording of every case, and of no other', () => {
    expect(recordings.names).toEqual(names);
  });

  const differencesOf = async (program: Program, test: (typeof cases)[number]) =>
    accepted.unaccepted(test.name, differencesIn(recordings.read(test.name, test), await observe(program, test)));

  it.each(played)('$name', async (test) => {
    compared++;
    const [program, build] = inJavaScript.has(test) ? [standIn, 'in JavaScript'] : [compiled, 'compiled'];
    expect(await differencesOf(program, test), `${build}, by seed ${SEED}`).toEqual([]);
  });

  it('has a compiled program to play them', ({ skip }) => {
    if (notCompiled !== undefined) skip(notCompiled);
    expect(compiled.command[0]).toMatch(/understudy-stand-ins$/);
  });

  // In a short run, five of six cases are played by it.
  if (LONG)
    it('does the same when it is compiled', COMPILED_TIMEOUT, async ({ skip }) => {
      if (notCompiled !== undefined) skip(notCompiled);
      expect(await differingCases(cases, (test) => differencesOf(compiled, test))).toEqual({});
    });

  // Some of the cases do not show all of them.
  if (played.length === cases.length)
    it('has no accepted difference that no longer occurs', ({ skip }) => {
      if (compared < cases.length) skip('only some of the cases ran');
      expect(accepted.unmet).toEqual([]);
    });

  it('gives a reason for each accepted difference', () => {
    for (const { reason } of accepted.all) expect(reason.length).toBeGreaterThan(20);
  });

  it('accepts no value without naming it', () => {
    for (const { difference } of accepted.all) expect(difference).not.toMatch(/\*.* became | became .*\*|^\w+: .*\*/);
  });
});

it('waits for a server that a busy machine starts late', async () => {
  const test = {
    name: 'late',
    args: [...STREAM, 'go'],
    files: {
      'server.mjs': JUDGE_SOURCE,
      'late.mjs': "setTimeout(() => import('./server.mjs'), 2500);",
      '.mcp.json': { mcpServers: { late: { command: 'node', args: ['late.mjs'] } } },
    },
    turns: [[say('done')]],
  };
  const { events } = await observe(standIn, test);
  expect(events[0]).toMatchObject({ subtype: 'init', mcp_servers: [{ name: 'late', status: 'connected' }] });
});

describe.skipIf(found === undefined)(`the real Claude Code ${VERSION}`, () => {
  it.each(sample(cases, 2, SEED))(`still does what was recorded (seed ${SEED}): $name`, async (test) => {
    expect(differencesIn(recordings.read(test.name, test), await observe(real, test))).toEqual([]);
  });

  it('goes on with a session of the stand-in, and the stand-in with one of its own', async () => {
    const id = '55555555-5555-4555-8555-555555555555';
    const before = [
      { args: ['-p', 'first', '--session-id', id], turns: [[tool('Bash', { command: 'ls' }), say('one')]] },
    ];
    const resume = { name: 'resume', args: ['-p', 'second', '--resume', id], turns: [[say('two')]], before };
    for (const [program, earlier] of [
      [real, standIn],
      [standIn, real],
    ] as const) {
      expect(await observe(program, resume, { earlier })).toMatchObject({ exitCode: 0, stdout: 'two\n', stderr: '' });
    }
  });
});
