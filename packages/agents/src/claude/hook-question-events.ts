import { randomUUID } from 'node:crypto';
import type { HookQuestion } from '@understudy/model';
import type { EventBody } from '../events.js';
import { endByAnswer, interpretHook, isBlocking } from './facts/hooks/verdict.js';

/** A hook that asked the model, as events: the CLI itself does not report it. */
export function hookQuestionEvents({ kind, event, name, payload }: HookQuestion, answer: string): EventBody[] {
  const ended = endByAnswer(event, answer);
  const verdict = interpretHook({ ...ended, event, label: '', modelHook: { type: kind } });
  const id = randomUUID();
  const { exitCode, stderr } = ended;
  const outcome = exitCode === 1 ? 'error' : 'success';
  return [
    { type: 'hook_started', id, name, event },
    {
      ...{ type: 'hook_finished', id, name, event, payload, stdout: answer, stderr: '', outcome },
      blocked: isBlocking(event, verdict),
      ...(exitCode === 2 ? { reason: stderr } : {}),
      // An answer that is no verdict decides nothing.
      ...(exitCode === 1 ? { exitCode, stderr } : {}),
    },
  ];
}
