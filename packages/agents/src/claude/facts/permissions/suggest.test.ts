import { expect, it } from 'vitest';
import { decide } from './decide.js';
import type { PermissionContext } from './decision.js';
import { ACCEPT_EDITS, addRules, type PermissionUpdate } from './permission-update.js';
import { noRules } from './rules.js';
import { suggest } from './suggest.js';

const context: PermissionContext = { mode: 'default', rules: noRules(), cwd: '/project', directories: ['/project'] };

const offered = (command: string, hasHost: boolean): PermissionUpdate[] | undefined =>
  suggest('Bash', { command }, decide('Bash', { command }, context), context, hasHost);

const bash = (...rules: string[]): PermissionUpdate =>
  addRules(rules.map((ruleContent) => ({ toolName: 'Bash', ruleContent })));
const PROJECT: PermissionUpdate = { type: 'addDirectories', directories: ['/project'], destination: 'session' };

// Each line as the real CLI answers it: `--permission-prompt-tool stdio` is a host.
it.for<[string, PermissionUpdate[] | undefined, PermissionUpdate[] | undefined]>([
  ['make a', [bash('make a *')], [bash('make a *')]],
  ['mkdir x', [PROJECT, ACCEPT_EDITS], [bash('mkdir x *'), PROJECT, ACCEPT_EDITS]],
  ['cd sub && mkdir x', [ACCEPT_EDITS], [bash('cd sub *'), ACCEPT_EDITS]],
  ["cat > x.txt <<'EOF'\nhi\nEOF", [PROJECT], [bash('cat > *'), PROJECT]],
  ['mkdir x && touch y', [bash('mkdir x *', 'touch y *')], [bash('mkdir x *', 'touch y *')]],
  ['echo a > x && echo b > y', [bash('echo a *', 'echo b *')], undefined],
  ['make a &', [bash('make a *')], undefined],
  ['rm -rf .', [], []],
])('offers changes of the permissions for %j', ([command, alone, withHost]) => {
  expect(offered(command, false)).toEqual(alone);
  expect(offered(command, true)).toEqual(withHost);
});

it.for(['make a | ', 'make a && ', 'touch a; '])('reads a long line of %j at once', (part) => {
  // The time of the processor: others may be at work beside us.
  const started = process.cpuUsage();
  expect(offered(part.repeat(3000), true)).not.toEqual([]);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(4);
});

it('offers the folder of a skill', () => {
  const input = { file_path: '.claude/skills/x/SKILL.md' };
  expect(suggest('Write', input, decide('Write', input, context), context, false)).toEqual([
    addRules([{ toolName: 'Edit', ruleContent: '/.claude/skills/x/**' }], 'session'),
  ]);
});
