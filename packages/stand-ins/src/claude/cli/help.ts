import { CLAUDE_FLAGS, CLAUDE_MINOR_FLAGS, type ClaudeFlag } from '@understudy/agents';

/** What `--help` prints: the supported flags, then those without effect. */
export function helpText(): string {
  const line = ({ names, label, choices }: ClaudeFlag): string => {
    const flag = `${names.join(', ')}${label === undefined ? '' : ` ${label}`}`;
    return `  ${flag}${choices === undefined ? '' : `  (choices: ${choices.join(', ')})`}`;
  };
  return [
    'Usage: claude [options] [prompt]',
    '',
    'A stand-in for Claude Code: the answers come from a scenario file, not from a model.',
    'Without -p it answers and exits too. There is no terminal interface.',
    '',
    'Options:',
    ...CLAUDE_FLAGS.map(line),
    '',
    'Accepted, without effect:',
    ...CLAUDE_MINOR_FLAGS.map(line),
    '',
    'Environment:',
    '  UNDERSTUDY_SCENARIO  the scenario file, if there is no --scenario',
    '  UNDERSTUDY_FAILURE   a failure that replaces every answer',
    '  UNDERSTUDY_LOG       a file that gets a JSON line for every prompt',
    '',
  ].join('\n');
}
