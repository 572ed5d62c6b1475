import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { STAND_IN } from '../helpers/stand-in.js';
import { say, tool } from './claude-case.js';
import { CASES } from './claude-cases.js';
import { PLUGIN_CASES } from './claude-plugin-cases.js';
import { observe, type Program } from './claude-run.js';
import { TOOL_CASES } from './claude-tool-cases.js';
import { findDifferences, findTranscriptDifferences } from './differences.js';

interface Accepted {
  /** The case that it is about; any, when absent. */
  case?: string;
  /** The difference, in which `*` stands for anything. */
  difference: string;
  reason: string;
}

const accepted = JSON.parse(
  readFileSync(new URL('./accepted-differences.json', import.meta.url), 'utf8'),
) as Accepted[];
const met = new Set<Accepted>();
const cases = [...CASES, ...TOOL_CASES, ...PLUGIN_CASES];
let ran = 0;

function isAccepted(name: string, difference: string): boolean {
  const found = accepted.filter(
    (one) => (one.case === undefined || matches(one.case, name)) && matches(one.difference, difference),
  );
  for (const one of found) met.add(one);
  return found.length > 0;
}

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(text);
}

const claude = await realAgent('claude@2.1.325');
const standIn: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };

describe.skipIf(claude === undefined)('the claude stand-in does as the real Claude Code', () => {
  let real: Program;
  beforeAll(() => {
    real = { kind: 'real', command: claude?.command ?? [] };
  });

  it.each(cases)('$name', async (test) => {
    ran++;
    const [theirs, ours] = await Promise.all([observe(real, test), observe(standIn, test)]);
    const differences = [
      ...findDifferences(theirs, ours),
      ...(test.transcript ? findTranscriptDifferences(theirs, ours) : []),
    ];
    expect(differences.filter((difference) => !isAccepted(test.name, difference))).toEqual([]);
  });

  it('goes on with a session of the real one, and lets it go on with its own', async () => {
    const id = '55555555-5555-4555-8555-555555555555';
    const before = [
      { args: ['-p', 'first', '--session-id', id], turns: [[tool('Bash', { command: 'ls' }), say('one')]] },
    ];
    const resume = { name: 'resume', args: ['-p', 'second', '--resume', id], turns: [[say('two')]], before };
    for (const [program, earlier] of [
      [real, standIn],
      [standIn, real],
    ] as const) {
      expect(await observe(program, resume, earlier)).toMatchObject({ exitCode: 0, stdout: 'two\n', stderr: '' });
    }
  });

  it('has no accepted difference that no longer occurs', ({ skip }) => {
    if (ran < cases.length) skip('only some of the cases ran');
    expect(accepted.filter((one) => !met.has(one)).map(({ difference }) => difference)).toEqual([]);
  });
});

describe('the list of accepted differences', () => {
  it('gives a reason for each', () => {
    for (const { reason } of accepted) expect(reason.length).toBeGreaterThan(20);
  });
});
