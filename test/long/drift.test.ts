import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import versions from '../../packages/agents/src/versions.json' with { type: 'json' };
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import type { Comparison } from '../../packages/suites/src/drift/drift.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const OLD = '2.1.197';
const NEW = versions.claude;

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('drift');
});
afterEach(() => scratch.remove());

async function drift(agents: readonly string[], only: readonly string[]) {
  const file = join(scratch.path, 'drift.json');
  const ran = await runUnderstudy([
    'drift',
    ...agents.flatMap((agent) => ['--agent', agent]),
    ...only.flatMap((text) => ['--grep', text]),
    ...['--reporter', `json=${file}`],
  ]);
  const { comparisons } = JSON.parse(readFileSync(file, 'utf8')) as { comparisons: Comparison[] };
  return { code: ran.code, comparisons };
}

it('finds the known differences between two versions', { timeout: 900_000 }, async (context) => {
  for (const version of [OLD, NEW]) await realAgent(`claude@${version}`, context);
  const { code, comparisons } = await drift([`claude@${OLD}`, `claude@${NEW}`], ['probe:', 'unknown slash']);
  expect(code).toBe(1);
  const changes = comparisons[0]?.changes ?? [];
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'event', subject: 'control_response/hooks/error', before: '1 ×' }),
      expect.objectContaining({ kind: 'event', subject: 'control_response/hooks/success', after: '1 ×' }),
      expect.objectContaining({ kind: 'event value', subject: 'result result', before: 'Unknown command: /nosuch' }),
      expect.objectContaining({
        ...{ kind: 'event value', subject: 'user[tool_result] content', cases: ['probe: JSON deny of a hook'] },
        before: expect.stringContaining('not now'),
      }),
      expect.objectContaining({ kind: 'tool', after: 'ToolSearch' }),
      expect.objectContaining({ kind: 'hook payload', subject: 'PermissionRequest' }),
    ]),
  );
});

it('says nothing about a version and itself, and nothing new about its stand-in', {
  timeout: 3_600_000,
}, async (context) => {
  await realAgent(`claude@${NEW}`, context);
  const { code, comparisons } = await drift([`claude@${NEW}`, `claude@${NEW}`, 'stand-in'], ['']);
  expect(comparisons.map(({ changes }) => changes)).toEqual([[], []]);
  expect(code).toBe(0);
});

const REHEARSAL = `name = "a command that is not there"
responses = []
[[steps]]
send = "/nosuch"
[steps.expect]
outcome = "failed"
`;

it('finds the release that broke a rehearsal', { timeout: 1_800_000 }, async (context) => {
  for (const version of [OLD, NEW]) await realAgent(`claude@${version}`, context);
  writeFileSync(join(scratch.path, 'unknown.rehearsal.toml'), REHEARSAL);
  const versions = [OLD, '2.1.260', NEW];
  const bin = join(scratch.path, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$1" = view ] && { echo '${JSON.stringify(versions)}'; exit; }\nPATH='${process.env['PATH']}' exec npm "$@"\n`,
  );
  chmodSync(join(bin, 'npm'), 0o755);
  const ran = await runUnderstudy(['bisect', 'unknown.rehearsal.toml', '--good', OLD, '--bad', NEW, '--json'], {
    cwd: scratch.path,
    // Npm needs the settings of this machine: its registry, its proxy.
    env: { ...(process.env as Record<string, string>), PATH: `${bin}${delimiter}${process.env['PATH']}` },
  });
  const found = JSON.parse(ran.stdout) as { judged: { version: string }[]; firstBad: string };
  expect(found.judged.map(({ version }) => version)).toEqual([OLD, NEW, '2.1.260']);
  expect(versions.slice(1)).toContain(found.firstBad);
});
