import { type Flag, IGNORED_FLAGS, SUPPORTED_FLAGS } from './flags.js';

/** What `--help` prints: the flags that are acted on, then those that have nothing to act on. */
export function helpText(): string {
  const line = ({ names, label, choices }: Flag): string => {
    const flag = `${names.join(', ')}${label === undefined ? '' : ` ${label}`}`;
    return `  ${flag}${choices === undefined ? '' : `  (choices: ${choices.join(', ')})`}`;
  };
  return [
    'Usage: claude [options] [prompt]',
    '',
    'A stand-in for Claude Code: it plays a scenario file instead of asking a model.',
    'Without -p it answers and exits too; there is no screen.',
    '',
    'Options:',
    ...SUPPORTED_FLAGS.map(line),
    '',
    'Accepted, and without effect here:',
    ...IGNORED_FLAGS.map(line),
    '',
    'Environment:',
    '  UNDERSTUDY_SCENARIO  the scenario, where --scenario does not name one',
    '  UNDERSTUDY_FAILURE   a failure to serve instead of every answer',
    '  UNDERSTUDY_LOG       a file that gets a JSON line for every prompt',
    '',
  ].join('\n');
}
