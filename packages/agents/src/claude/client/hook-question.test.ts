import { expect, it } from 'vitest';
import { questionText, readAnswer, readQuestion } from './hook-question.js';

const INPUT = { session_id: 's', hook_event_name: 'Stop', last_assistant_message: 'It costs {5}.' };
const STOP = () => 'You are evaluating a stop-condition hook in Claude Code. Read the transcript.';

it('has the input of the hook where its text wants it, or at the end', () => {
  const json = JSON.stringify(INPUT);
  expect(questionText('Done? $ARGUMENTS Sure, $ARGUMENTS?', INPUT)).toBe(`Done? ${json} Sure, ${json}?`);
  expect(questionText('Done?', INPUT)).toBe(`Done?\n\nARGUMENTS: ${json}`);
});

it('is read from a request in the words of the hook', () => {
  const asked = `Based on the conversation transcript above, has it been met?\n\nCondition: ${questionText('Done?', INPUT)}`;
  expect(readQuestion(asked, STOP)).toEqual({
    ...{ kind: 'prompt', event: 'Stop', name: 'Stop', payload: INPUT },
    text: questionText('Done?', INPUT),
  });
  expect(readQuestion(asked, () => 'You are an agent.')).toBeUndefined();
  expect(readQuestion('Done?', STOP)).toBeUndefined();
});

it('takes only a verdict for an answer', () => {
  expect(readAnswer(' {"ok": true}\n')).toEqual({ ok: true, reason: 'undefined' });
  expect(readAnswer('{"ok":false,"reason":"no","impossible":true}')).toEqual({
    ok: false,
    reason: 'no',
    impossible: true,
  });
  expect(readAnswer('no')).toEqual({ problem: 'JSON validation failed' });
  expect(readAnswer('{"ok":"no"}')).toEqual({ problem: expect.stringContaining('expected boolean, received string') });
});
