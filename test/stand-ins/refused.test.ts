import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { redChecks } from '../../packages/verdict/src/results/red-checks.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import type { Row } from './refused/row.js';

/** How many rows the real CLI plays: every tenth. */
const SAMPLED = 10;

const folder = fileURLToPath(new URL('./refused', import.meta.url));
const ROWS: Row[] = [];
for (const file of readdirSync(folder).sort()) {
  if (file === 'row.ts') continue;
  const { ROWS: own } = (await import(join(folder, file))) as { ROWS: Row[] };
  ROWS.push(...own);
}

const named = ROWS.map((row, index) => ({ row, id: `r${index}` }));
const agentOf = ({ rehearsal: { agent, agents = [] } }: Row): string =>
  String(agent ?? (agents as string[])[0] ?? 'claude');

function write(scratch: Scratch, rows: typeof named): void {
  for (const { row, id } of rows) {
    const { capability, rehearsal, files = {} } = row;
    const text = JSON.stringify({ name: `${agentOf(row)}: ${capability}`, ...rehearsal });
    writeFiles(join(scratch.path, id), { 'a.rehearsal.json': text, ...files });
  }
}

function entryOf(entries: readonly EntryResult[], id: string): EntryResult | undefined {
  return entries.find(({ file }) => file?.includes(`${id}/a.rehearsal.json`));
}

describe('what a stand-in refuses', () => {
  let scratch: Scratch;
  let entries: readonly EntryResult[];

  beforeAll(async () => {
    scratch = createScratch('refused');
    write(scratch, named);
    entries = (await runRehearsals(['.'], 'sim', scratch.path)).entries;
  });
  afterAll(() => scratch.remove());

  it('is named once', () => {
    const names = ROWS.map((row) => `${agentOf(row)}: ${row.capability}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(named)('$row.capability: is red on sim, with the way out', ({ id }) => {
    const entry = entryOf(entries, id);
    const red = entry === undefined ? [] : redChecks(entry).map(({ check }) => check);
    const refusal = red.find(({ name }) => name === 'unsupported');
    expect(refusal, JSON.stringify(entry, null, 1)).toMatchObject({
      status: 'failed',
      suggestion: expect.stringContaining('--stage scripted'),
    });
  });
});

const sampled = named.filter(({ row }, index) => index % SAMPLED === 0 && row.onlySim === undefined);
const present = new Set<string>();
for (const agent of new Set(sampled.map(({ row }) => agentOf(row))))
  if ((await realAgent(agent)) !== undefined) present.add(agent);

describe('the real CLI does what its stand-in refuses', () => {
  let scratch: Scratch;
  let entries: readonly EntryResult[];

  beforeAll(async () => {
    scratch = createScratch('refused-real');
    const rows = sampled.filter(({ row }) => present.has(agentOf(row)));
    write(scratch, rows);
    entries = rows.length === 0 ? [] : (await runRehearsals(['.'], 'scripted', scratch.path)).entries;
  });
  afterAll(() => scratch.remove());

  it.for(sampled)('$row.capability', async ({ row, id }, context) => {
    await realAgent(agentOf(row), context);
    const entry = entryOf(entries, id);
    expect(entry?.status, JSON.stringify(entry, null, 1)).toBe('passed');
  });
});
