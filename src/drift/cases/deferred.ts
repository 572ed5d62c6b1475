import { type Case, LIVING, RECORD_PAYLOAD, STREAM, type Step, say, tool } from '../case.js';
import { says } from './parts.js';

const decides = (decision: string): string =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision } })}'`;
const line = (command: string) => ({ tool: 'Bash', input: { command } });
const ONE: Step = { tools: [line('echo one')] };
const BOTH: Step = { tools: [line('echo one'), line('echo two')] };
const ARGS = [...STREAM, 'go', '--allowedTools', 'Bash'];

/** A tool that hooks of PreToolUse see; those of other events keep what they are told. */
function deferred(name: string, commands: string[], step: Step, more: Partial<Case> = {}, others: string[] = []): Case {
  const ran = (list: string[]) => [{ hooks: list.map((command) => ({ type: 'command', command })) }];
  const kept = Object.fromEntries(others.map((event) => [event, ran([RECORD_PAYLOAD])]));
  return {
    name: `left for later: ${name}`,
    args: ARGS,
    files: { 'HOME/.claude/settings.json': { hooks: { PreToolUse: ran(commands), ...kept } } },
    turns: [[step, say('after')]],
    ...more,
  };
}
const DEFER = decides('defer');
const ifOf = (word: string): string => `grep -q ${word} && ${DEFER} || true`;

/** What happens when a hook says `defer`. */
export const DEFERRED_CASES: readonly Case[] = [
  deferred('a tool', [DEFER], ONE),
  deferred('told as text', [DEFER], ONE, { args: ['-p', 'go'] }),
  deferred('told as JSON', [DEFER], ONE, { args: ['-p', 'go', '--output-format', 'json'] }),
  deferred('a file', [DEFER], tool('Write', { file_path: 'x', content: 'y' })),
  deferred('two tools', [DEFER], BOTH),
  deferred('the first of two', [ifOf('one')], BOTH),
  deferred('the second of two', [ifOf('two')], BOTH),
  deferred('what a rule denies', [DEFER], ONE, { args: [...STREAM, 'go', '--disallowedTools', 'Bash(echo:*)'] }),
  deferred('what another hook denies', [DEFER, decides('deny')], ONE),
  deferred('what another hook asks about', [DEFER, decides('ask')], ONE),
  deferred('what another hook allows', [DEFER, decides('allow')], ONE),
  deferred('what another hook objects to', [DEFER, 'echo no >&2; exit 2'], ONE),
  deferred('what other hooks hear', [DEFER], ONE, {}, ['PostToolUse', 'PostToolBatch', 'Stop', 'SessionEnd']),
  deferred('and a prompt after it', [DEFER], ONE, {
    args: LIVING,
    turns: [[ONE, say('after')], [say('then')]],
    talk: says('first', 'second'),
  }),
];
