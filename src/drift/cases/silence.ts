import { type Case, LIVING, STREAM, type Step, say, tool } from '../case.js';
import { agent, recorded, says } from './parts.js';

const LOOK = tool('Bash', { command: 'echo looked' });
const NOTHING: Step = {};
const silent = (name: string, steps: Step[], more: Partial<Case> = {}): Case => ({
  name: `silence: ${name}`,
  args: [...STREAM, 'go'],
  files: recorded(['UserPromptSubmit', 'Stop', 'SubagentStop']),
  turns: [steps],
  ...more,
});

/** What becomes of a model that says nothing. */
export const SILENCE_CASES: readonly Case[] = [
  silent('at once', [NOTHING]),
  silent('after a tool', [LOOK, NOTHING]),
  silent('with thoughts', [{ thinking: 'I think' }]),
  silent('of a subagent', [agent('look', { run_in_background: false }, [NOTHING]), say('done')]),
  silent('with no turn left', [NOTHING], { args: [...STREAM, 'go', '--max-turns', '1'] }),
  silent('in print', [NOTHING], { args: ['-p', 'go'] }),
  silent('between two prompts', [NOTHING], { args: LIVING, turns: [[NOTHING], [say('second')]], talk: says('a', 'b') }),
];
