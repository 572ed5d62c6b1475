import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FLAGS, MINOR_FLAGS } from '../../packages/agents/src/claude/command-line/flags.js';
import facts from '../../packages/agents/src/claude/facts/facts.json' with { type: 'json' };
import { hookEvents } from '../../packages/agents/src/claude/facts/hooks/events.js';
import { REFUSED_COMMANDS, REFUSED_FLAGS } from '../../packages/stand-ins/src/claude/cli/flags.js';
import { realAgent } from '../helpers/real-agents.js';
import { readClaudeFacts } from './read-claude-facts.js';
import { RECORDING } from './recordings.js';

const FILE = new URL('../../packages/agents/src/claude/facts/facts.json', import.meta.url);

it('is what the pinned Claude Code prints about itself', { timeout: 120_000 }, async (context) => {
  const { command } = await realAgent('claude', context);
  const now = await readClaudeFacts(command);
  if (RECORDING) writeFileSync(FILE, `${JSON.stringify(now, null, 2)}\n`);
  else expect(now).toEqual(facts);
});

it('knows every hook event, and which of them have a matcher', () => {
  // The CLI has two orders: this one in its listing for hosts, ours where it says which events there are.
  expect(Object.keys(hookEvents).sort()).toEqual(facts.hookEvents.map(({ name }) => name).sort());
  const matching = Object.entries(hookEvents).filter(([, { matches }]) => matches !== undefined);
  expect(matching.map(([name]) => name).sort()).toEqual(
    facts.hookEvents
      .filter(({ supportsMatcher }) => supportsMatcher)
      .map(({ name }) => name)
      .sort(),
  );
});

it('has a place on one side of the border for every flag and subcommand of the CLI', () => {
  const flags = [...[...FLAGS, ...MINOR_FLAGS].flatMap(({ names }) => names), ...REFUSED_FLAGS];
  expect(facts.flags.filter((flag) => !flags.includes(flag))).toEqual([]);
  expect(facts.subcommands.filter((name) => !REFUSED_COMMANDS.includes(name))).toEqual([]);
});
