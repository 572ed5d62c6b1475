import { expect, it } from 'vitest';
import { unreadName } from './unread-name.js';

const inner = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

it.each([
  [
    { permissionDecision: 'deny', reason: 'no' },
    'permissionDecision: did you mean hookSpecificOutput.permissionDecision?',
  ],
  [inner({ permissionDecison: 'deny' }), 'hookSpecificOutput.permissionDecison: did you mean hookSpecificOutput.perm'],
  [inner({ permission_decision: 'deny' }), 'hookSpecificOutput.permission_decision: did you mean'],
  [inner({ decision: 'block', reason: 'no' }), 'hookSpecificOutput.decision: did you mean decision?'],
  [{ continue: true, additionalContext: 'x' }, 'additionalContext: did you mean hookSpecificOutput.additionalContext?'],
])('names what is lost of %j', (json, lost) => {
  expect(unreadName('PreToolUse', json)).toContain(`it does not read ${lost}`);
});

it.each([
  {},
  { status: 'ok', message: 'for another program' },
  { decision: 'block', permissionDecision: 'deny' },
  { continue: false, stopReason: 'no', systemMesage: 'x' },
  // It speaks to other hosts, too.
  { additional_context: 'x', ...inner({ additionalContext: 'x' }) },
  // It gives back what it was given.
  {
    session_id: 's',
    cwd: '/',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: {},
  },
])('has nothing to say of %j', (json) => {
  expect(unreadName('PreToolUse', json)).toBeUndefined();
  expect(unreadName('SessionStart', json)).toBeUndefined();
});
