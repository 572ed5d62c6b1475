import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { writeFiles } from '../helpers/write-files.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('permit-test');
  writeFiles(scratch.path, {
    'project/.claude/settings.json':
      '{\n  "permissions": {\n    "deny": ["Read(./.env)"],\n    "ask": ["Bash(git push:*)"]\n  }\n}',
    'more.json': { permissions: { allow: ['Bash(touch:*)'] } },
  });
});
afterAll(() => scratch.remove());

async function permit(use: string, ...args: string[]) {
  const { code, stdout } = await runUnderstudy(['permit', use, ...args, '--json'], { cwd: scratch.path });
  return { code, ...(JSON.parse(stdout) as object) };
}

it('gives the answer of the real CLI, with the rule or hook that decided, and its line', async () => {
  const file = '.claude/settings.json';
  const touch = 'Bash(touch x)';
  const [cat, push, asked, allowed, unasked, hook] = await Promise.all([
    permit('Bash(cat .env)', 'project'),
    permit('Bash(git push origin)', 'project'),
    permit(touch, 'project'),
    permit(touch, 'project', '--settings', 'more.json'),
    permit(touch, 'project', '--mode', 'bypassPermissions'),
    permit('Bash(git push --force)', resolve('examples/guard/holds')),
  ]);
  expect(cat).toMatchObject({
    ...{ code: 0, answer: 'denied', reason: 'Permission to use Bash with command cat .env has been denied.' },
    by: [{ kind: 'rule', text: 'deny Read(./.env)', file, line: 3 }],
  });
  expect(push).toMatchObject({
    answer: 'asked',
    reason: 'a rule asks',
    by: [{ text: 'ask Bash(git push:*)', line: 4 }],
  });
  expect(asked).toMatchObject({ answer: 'asked', reason: 'no rule allows it', by: [] });
  expect(allowed).toMatchObject({ answer: 'allowed', by: [{ text: 'allow Bash(touch:*)', file: 'more.json' }] });
  expect(unasked).toMatchObject({ answer: 'allowed', by: [], evidence: ['x was created'] });
  expect(hook).toMatchObject({
    ...{ answer: 'denied', by: [{ kind: 'hook', file: 'hooks/hooks.json', line: 6 }] },
    reason: expect.stringContaining('Never by force.'),
  });
}, 120_000);

it('refuses what is no question', async () => {
  const refused: [string[], string][] = [
    [['Bash('], 'is no use of a tool'],
    [['Read(x)', 'gone'], 'FOLDER_NOT_FOUND'],
    [['Read(x)', '--settings', 'gone.json'], '--settings gone.json is not there'],
    [['Read(x)', '--mode', 'plam'], 'plan'],
    [['Read(x)', '--stage', 'sim'], 'scripted alone'],
  ];
  await Promise.all(
    refused.map(async ([args, words]) => {
      const { code, stderr } = await runUnderstudy(['permit', ...args], { cwd: join(scratch.path, 'project') });
      expect({ code, stderr }, args.join(' ')).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    }),
  );
}, 60_000);
