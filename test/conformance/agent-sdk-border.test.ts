import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { border } from '../../packages/stand-ins/src/claude/border.js';
import { loadAgentSdk, SDK_TYPES } from './agent-sdk/install.js';

const sdk = await loadAgentSdk();

/** What Claude Code asks its host. */
const FROM_THE_CLI = ['can_use_tool', 'elicitation', 'hook_callback', 'mcp_message', 'request_user_dialog'];

it.skipIf(sdk === undefined)('has a place for every control request of the Agent SDK’s types', () => {
  const types = readFileSync(SDK_TYPES, 'utf8');
  const [, members = ''] = /type SDKControlRequestInner = ([^;]+);/.exec(types) ?? [];
  const names = members.split('|').map((member) => {
    const [, name] = new RegExp(`type ${member.trim()} = \\{\\s+subtype: '(\\w+)'`).exec(types) ?? [];
    return name ?? member;
  });
  expect(names.length).toBeGreaterThan(30);
  const { played = [], refused = [] } = border.names['control request'] ?? {};
  expect(names.filter((name) => ![...played, ...refused, ...FROM_THE_CLI].includes(name))).toEqual([]);
});
