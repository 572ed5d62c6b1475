import { describe, expect, it } from 'vitest';
import { differencesIn } from './differences.js';
import type { Behavior, Json } from './observe.js';

const behavior = (...payloads: Json[]): Behavior => ({
  ...{ exitCode: 0, stdout: '', stderr: '', events: [], transcripts: [], told: [], payloads },
});

const used = (more: Json = {}): Json => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  ...more,
});

describe('what hooks were given', () => {
  it('is the same', () => {
    expect(differencesIn(behavior(used()), behavior(used()))).toEqual([]);
  });

  it('lacks a hook', () => {
    expect(differencesIn(behavior(used(), { hook_event_name: 'Stop' }), behavior(used()))).toEqual([
      'payloads: PreToolUse(Bash), Stop became PreToolUse(Bash)',
    ]);
  });

  it('lacks a field, or has one too many', () => {
    expect(differencesIn(behavior(used({ agent_id: 'a1' })), behavior(used({ other: 1 })))).toEqual([
      'payload PreToolUse(Bash): lacks agent_id: string',
      'payload PreToolUse(Bash): adds other: number',
    ]);
  });

  it('has another value', () => {
    expect(differencesIn(behavior(used()), behavior(used({ tool_input: { command: 'pwd' } })))).toEqual([
      'payload PreToolUse(Bash): tool_input {"command":"ls"} became {"command":"pwd"}',
    ]);
  });
});
