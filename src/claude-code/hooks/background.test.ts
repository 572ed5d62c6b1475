import { expect, it } from 'vitest';
import { lateWords } from './background.js';
import type { Hook, HookRun } from './hook.js';
import { announcesBackground } from './output.js';

const HOOK: Hook = {
  event: 'SessionStart',
  matcher: '',
  source: 'projectSettings',
  run: { type: 'command', command: 'look' },
};
const INPUT = { hook_event_name: 'SessionStart', session_id: '', transcript_path: '', cwd: '/' } as const;
const CONTEXT = '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"late","other":1}}';

const ended = (more: Partial<HookRun>): HookRun => {
  return { hook: HOOK, stdout: '', stderr: '', exitCode: 0, outcome: 'success', durationMs: 1, ...more };
};
const said = (more: Partial<HookRun>) => lateWords('async_hook_1', 'SessionStart:startup', INPUT, ended(more));

it('a whole first line of JSON announces it', () => {
  expect(announcesBackground('{"async": true, "asyncTimeout": 180000}\n')).toBe(true);
  expect(announcesBackground('{"async": true}')).toBe(false);
  expect(announcesBackground('{"async": false}\n')).toBe(false);
  expect(announcesBackground('text\n{"async": true}\n')).toBe(false);
});

it('only what is JSON is told later', () => {
  expect(said({ stdout: `{"async":true}\n${CONTEXT}\n` })?.notes).toEqual(['late']);
  expect(said({ stdout: `words\n${CONTEXT}` })?.notes).toEqual(['late']);
  expect(said({ stdout: '{\n"systemMessage":"look"\n}\n' })?.notes).toEqual(['look']);
  expect(said({ stdout: 'plain words\n' })).toBeUndefined();
});

it('keeps the fields that the CLI knows, and a hook that failed', () => {
  const { attachment } = said({ stdout: `{"decision":"maybe","foo":1,${CONTEXT.slice(1)}` }) ?? {};
  expect(attachment).toMatchObject({ type: 'async_hook_response', command: 'look', exitCode: 0 });
  expect(attachment?.['response']).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'late' },
  });
  expect(said({ exitCode: 1 })).toMatchObject({ attachment: { response: {}, exitCode: 1 }, notes: [] });
  expect(said({ stdout: '{"foo":1}' })).toBeUndefined();
});
