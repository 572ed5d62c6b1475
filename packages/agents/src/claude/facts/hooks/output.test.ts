import { describe, expect, it } from 'vitest';
import { readOutput } from './output.js';

const read = (output: unknown, event = 'PreToolUse') =>
  readOutput(event, typeof output === 'string' ? output : JSON.stringify(output));
const specific = (fields: object) => ({ hookSpecificOutput: fields });
const decided = (decision: unknown) => specific({ hookEventName: 'PermissionRequest', decision });

describe('what a hook said', () => {
  it.each(['', 'hello', '[1]', '"x"', '{"a": 1', '{}\nmore', 'text {"continue":"no"}'])('is plain text: %j', (text) => {
    expect(read(text)).toEqual({});
  });

  it.each([
    {},
    { more: 1, permissionDecision: 'deny' },
    { decision: 'block', reason: 'no' },
    specific({ hookEventName: 'PreToolUse', permissionDecision: 'defer', more: 1 }),
  ])('counts: %j', (json) => {
    expect(read(` ${JSON.stringify(json)}\n`)).toEqual({ json });
  });

  it.each([
    [{ continue: 'no', decision: 1 }, 'continue: expected boolean, received string'],
    [{ systemMessage: null }, 'systemMessage: expected string, received null'],
    [{ decision: 'no' }, 'decision: Invalid option: expected one of "approve"|"block"'],
    [{ decision: 'deny' }, /^decision: Invalid option: .* \(top-level decision .* \{"behavior": "deny"\} in a Perm/],
    [{ decision: 'ask' }, /^decision: Invalid option: .* for "ask" use hook.* in a PreToolUse hook\)$/],
    [specific({ permissionDecision: 'deny' }), 'hookSpecificOutput is missing required field "hookEventName"'],
    [specific([]), 'hookSpecificOutput: expected object, received array'],
    [
      specific({ hookEventName: 'BeforeTool' }),
      'hookSpecificOutput.hookEventName: expected one of "PreToolUse" | "UserPromptSubmit" | "UserPromptExpansion" | "SessionStart" | "Setup" | "PreModelSwitch" | …',
    ],
    [
      specific({ hookEventName: 'PreToolUse', permissionDecision: 'no' }),
      'hookSpecificOutput.permissionDecision: Invalid option: expected one of "allow"|"deny"|"ask"|"defer"',
    ],
    [
      specific({ hookEventName: 'PreToolUse', updatedInput: 'x' }),
      'hookSpecificOutput.updatedInput: expected record, received string',
    ],
    [
      specific({ hookEventName: 'CwdChanged', watchPaths: [3] }),
      'hookSpecificOutput.watchPaths.0: expected string, received number',
    ],
    [decided('allow'), /^hookSpecificOutput\.decision: expected object, received string \(PermissionRequest decision /],
    [decided({ behavior: 'ask' }), 'hookSpecificOutput.decision.behavior: expected one of "allow" | "deny"'],
    [
      decided({ behavior: 'allow', updatedPermissions: [{ type: 'allowAll' }] }),
      /updatedPermissions\.0\.type: Invalid discriminator value\. Expected 'addRules' \| 'replaceRules' \| /,
    ],
    [
      decided({ behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'off', destination: 'session' }] }),
      /updatedPermissions\.0\.mode: Invalid option: expected one of "acceptEdits"\|/,
    ],
    [
      decided({ behavior: 'allow', updatedPermissions: [{ type: 'addRules', rules: [], destination: 'session' }] }),
      'hookSpecificOutput.decision.updatedPermissions.0.behavior: expected one of "allow" | "deny" | "ask"',
    ],
    [
      decided({ behavior: 'allow', updatedPermissions: [{ type: 'addDirectories', directories: ['x'] }] }),
      /updatedPermissions\.0\.destination: Invalid option: expected one of "userSettings"\|/,
    ],
    [
      decided({ behavior: 'deny', message: 3 }),
      'hookSpecificOutput.decision.message: expected string, received number',
    ],
  ])('counts for nothing: %j', (output, why) => {
    const { json, problem } = read(output);
    expect(json).toBeUndefined();
    const said = 'Hook JSON output validation failed — ';
    expect(problem?.what.startsWith(said)).toBe(true);
    expect(problem?.what.slice(said.length)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
    expect(problem?.message).toBe(`${problem?.what}\n\nThe hook's output was: ${JSON.stringify(output, null, 2)}`);
    expect(problem?.isFailure).toBe(false);
  });

  it('is no verdict of a hook that goes on by itself', () => {
    expect(read('{"async": true}\n{"decision": "block"}\n')).toEqual({ json: {} });
    expect(read({ async: true, continue: 'no' }).problem).toBeUndefined();
  });

  it('counts for nothing if it is not quite JSON', () => {
    expect(read('{"decision" "block"}').problem?.what).toContain('is not valid JSON');
  });

  it('is a failure if it is about another event', () => {
    expect(read(specific({ hookEventName: 'Stop' })).problem).toMatchObject({
      what: "Failed to run: Hook returned incorrect event name: expected 'PreToolUse' but got 'Stop'",
      isFailure: true,
    });
  });
});
