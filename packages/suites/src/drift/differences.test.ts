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

  it('offers another change of the permissions, or expects another output', () => {
    const offered = (mode: string): Json => used({ permission_suggestions: [{ type: 'setMode', mode }] });
    expect(differencesIn(behavior(offered('acceptEdits')), behavior(offered('plan')))).toEqual([
      'payload PreToolUse(Bash): permission_suggestions [{"type":"setMode","mode":"acceptEdits"}] became [{"type":"setMode","mode":"plan"}]',
    ]);
    const expected = (interrupted: boolean): Json => used({ tool_response: { interrupted } });
    expect(differencesIn(behavior(expected(true)), behavior(expected(false)))).toEqual([
      'payload PreToolUse(Bash): tool_response.interrupted true became false',
    ]);
  });
});

describe('what a host was asked', () => {
  it('offers another change of the permissions', () => {
    const asked = (mode: string): Behavior => ({
      ...behavior(),
      events: [
        {
          type: 'control_request',
          request: { subtype: 'can_use_tool', permission_suggestions: [{ type: 'setMode', mode }] },
        },
      ],
    });
    expect(differencesIn(asked('acceptEdits'), asked('plan'))).toEqual([
      'event control_request/can_use_tool: request.permission_suggestions [{"type":"setMode","mode":"acceptEdits"}] became [{"type":"setMode","mode":"plan"}]',
    ]);
  });
});
