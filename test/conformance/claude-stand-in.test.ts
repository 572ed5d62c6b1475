import { afterAll, describe, expect, it } from 'vitest';
import { standInCommand } from '../../packages/agents/src/stand-in.js';
import { AcceptedDifferences } from '../../packages/suites/src/drift/accepted.js';
import { type Case, STREAM, say, tool } from '../../packages/suites/src/drift/case.js';
import { differencesIn } from '../../packages/suites/src/drift/differences.js';
import { DRIFT_INPUTS } from '../../packages/suites/src/drift/inputs.js';
import { type Behavior, observe, type Program } from '../../packages/suites/src/drift/observe.js';
import { notCompiled } from '../helpers/native.js';
import { PING_SERVER } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { readCases } from './cases/read-cases.js';
import { recordable } from './claude-recording.js';
import { RECORDING, Recordings } from './recordings.js';

/** Those of `understudy drift` are cases, too. */
const cases: readonly Case[] = [...DRIFT_INPUTS, ...readCases<Case>('claude')];
const accepted = new AcceptedDifferences();
const names = cases.map(({ name }) => name);
let compared = 0;

const found = await realAgent('claude');
const real: Program = { kind: 'real', command: found?.command ?? [] };
const standIn: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };
const compiled: Program = { kind: 'stand-in', command: standInCommand('claude') };
/** Every case is played, by the compiled program where it is there: that takes a third of the time. A few are played by both. */
const both = new Set(cases.filter((_, index) => index % 10 === 0));
const recordings = new Recordings<Behavior>('claude');

if (RECORDING)
  describe('a recording of the real Claude Code', () => {
    afterAll(() => recordings.save(names));

    it.each(cases)('$name', async (test) => {
      recordings.write(test.name, test, recordable(test, await observe(real, test)));
    });
  });

describe('the claude stand-in does as the pinned Claude Code did', () => {
  it('has a recording of every case, and of no other', () => {
    expect(recordings.names).toEqual(names);
  });

  const programs = (test: Case): Program[] =>
    notCompiled !== undefined ? [standIn] : both.has(test) ? [compiled, standIn] : [compiled];

  it.each(cases)('$name', async (test) => {
    compared++;
    for (const program of programs(test)) {
      const differences = differencesIn(recordings.read(test.name, test), await observe(program, test));
      expect(accepted.unaccepted(test.name, differences), program.command[0]).toEqual([]);
    }
  });

  it('has a compiled program to play them', ({ skip }) => {
    if (notCompiled !== undefined) skip(notCompiled);
    expect(compiled.command[0]).toMatch(/understudy-stand-ins$/);
  });

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
    args: [...STREAM, 'go', '--mcp-config', 'servers.json'],
    files: {
      'server.mjs': PING_SERVER,
      'late.mjs': "setTimeout(() => import('./server.mjs'), 2500);",
      'servers.json': { mcpServers: { late: { command: 'node', args: ['late.mjs'] } } },
    },
    turns: [[say('done')]],
  };
  const { events } = await observe(standIn, test);
  expect(events[0]).toMatchObject({ subtype: 'init', mcp_servers: [{ name: 'late', status: 'connected' }] });
});

/** A few by which a recording of another version would be seen. */
const STILL = ['stream-json', 'hook: deny', 'failure rate_limit'];

describe.skipIf(found === undefined)('the real Claude Code', () => {
  it.each(cases.filter(({ name }) => STILL.includes(name)))('still does what was recorded: $name', async (test) => {
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
