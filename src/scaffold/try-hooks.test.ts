import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { type DeclaredHook, readPlugin } from '@understudy/stage';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hookParts } from './hook-parts.js';
import { HookTrial, type TrialLimits } from './try-hooks.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('try-hooks');
});
afterEach(() => scratch.remove());

/** Tries hooks that count their runs, and take a given time. */
async function tryHooks(events: readonly string[], seconds: number, limits: TrialLimits, condition?: string) {
  const command = `echo run >> '${scratch.path}/runs'; sleep ${seconds}`;
  const hook = { type: 'command', command, ...(condition === undefined ? {} : { if: condition }) };
  const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]]));
  for (const [folder, file, value] of [
    ['.claude-plugin', 'plugin.json', { name: 'slow' }],
    ['hooks', 'hooks.json', { hooks }],
  ] as const) {
    mkdirSync(join(scratch.path, folder));
    writeFileSync(join(scratch.path, folder, file), JSON.stringify(value));
  }
  const plugin = readPlugin(scratch.path);
  const said: string[] = [];
  const trial = new HookTrial(plugin.root, { limits, say: (what) => said.push(what) });
  try {
    const declared = plugin.components.filter((part): part is DeclaredHook => part.kind === 'hook');
    const found = await hookParts(declared, trial);
    const runs = readFileSync(join(scratch.path, 'runs'), 'utf8').trim().split('\n').length;
    return { ...found, said, runs, steps: found.parts.map(({ name }) => name) };
  } finally {
    await trial.remove();
  }
}

const NO_LIMITS: TrialLimits = { firing: 600, tool: 600, plugin: 600 };

// Some sixty processes, one after the other: on a busy machine a minute is not enough.
it('tries all inputs of a quick hook, and says what it tries', { timeout: 300_000 }, async () => {
  const { skipped, notes, said, runs } = await tryHooks(['SessionStart', 'PreToolUse'], 0, NO_LIMITS);
  expect([skipped, notes]).toEqual([[], []]);
  expect(said).toEqual(['hooks of SessionStart', 'hooks of PreToolUse on Bash', 'hooks of PreToolUse on Write']);
  expect(runs).toBeGreaterThan(20);
});

it('tries a hook with a condition where that holds', async () => {
  const { notes, steps, parts, runs } = await tryHooks(['PostToolUse'], 0, NO_LIMITS, 'Bash(git *)');
  expect(runs).toBe(1);
  expect(steps).toEqual(['PostToolUse runs after Bash']);
  expect(JSON.stringify(parts)).toContain('git status');
  expect(notes).toEqual([
    'PostToolUse on Write was not tried: its hook is for none of our inputs, or for the CLI alone.',
  ]);
});

it('leaves a tool whose hooks take too long, and says so', async () => {
  const { skipped, notes, steps, runs } = await tryHooks(['PreToolUse'], 0.3, { ...NO_LIMITS, tool: 0.2 });
  expect(runs).toBe(2);
  expect(steps).toEqual(['PreToolUse lets a harmless Bash through', 'PreToolUse lets a harmless Write through']);
  expect(skipped).toMatchObject([
    {
      name: 'hook PreToolUse on Bash',
      reason: 'tried once: the hooks took more than 0.2 s for it.',
      fix: 'Fire it by hand: understudy hook . PreToolUse',
    },
    { name: 'hook PreToolUse on Write' },
  ]);
  expect(notes[0]).toBe(
    'PreToolUse on Bash was tried once: the hooks took more than 0.2 s for it. ' +
      'Fire it by hand: understudy hook . PreToolUse',
  );
});

it('leaves all that follows when the hooks of a plugin take too long', async () => {
  const events = ['SessionStart', 'PreToolUse', 'UserPromptSubmit', 'Stop'];
  const { skipped, steps, everyTurn, runs } = await tryHooks(events, 0.3, { ...NO_LIMITS, plugin: 0.2 });
  expect(runs).toBe(1);
  expect(steps).toEqual([]);
  const reason = 'not tried: the hooks of this plugin took more than 0.2 s.';
  expect(skipped.map(({ name, reason: why }) => [name, why])).toEqual([
    ['hook PreToolUse on Bash', reason],
    ['hook PreToolUse on Write', reason],
    ['hook UserPromptSubmit', reason],
    ['hook Stop', reason],
  ]);
  // They still run by themselves, and the rehearsal still expects them.
  expect(everyTurn.hooks).toEqual([{ event: 'UserPromptSubmit' }, { event: 'Stop' }]);
});

it('does not wait for a hook that does not end', async () => {
  const { skipped, runs } = await tryHooks(['PreToolUse', 'Stop'], 600, { ...NO_LIMITS, firing: 0.2 });
  expect(runs).toBe(3);
  const reason = 'tried once: a hook did not end in 0.2 s.';
  expect(skipped).toMatchObject([{ reason }, { reason }, { name: 'hook Stop', reason }]);
});
