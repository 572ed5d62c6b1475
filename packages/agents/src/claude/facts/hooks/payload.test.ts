import { expect, it } from 'vitest';
import { hookEventNames, hookEvents } from './events.js';
import { hookPayload } from './payload.js';

it.each(hookEventNames)('makes a payload of %s that has what a matcher is held against', (event) => {
  const payload = hookPayload(event, { cwd: '/w' });
  expect(payload).toMatchObject({ hook_event_name: event, cwd: '/w' });
  expect(payload.session_id).not.toBe('');
  const field = hookEvents[event].matches;
  if (field !== undefined) expect(payload[field]).toMatch(/\w/);
});

it('knows all 33 events', () => {
  expect(new Set(hookEventNames).size).toBe(33);
});

it('takes every field from the caller', () => {
  const payload = hookPayload('PreToolUse', {
    ...{ cwd: '/w', sessionId: 's', tool: 'Bash', toolInput: { command: 'ls' } },
    fields: { permission_mode: 'plan', agent_type: 'reviewer' },
  });
  expect(payload).toMatchObject({
    ...{ session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } },
    ...{ permission_mode: 'plan', agent_type: 'reviewer' },
  });
});
