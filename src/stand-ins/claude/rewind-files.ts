import { CliError } from '../../claude-code/cli-error.js';
import { writeOut } from '../shared/write-out.js';
import { type StartRequest, startSession } from './start.js';

/** `--rewind-files`: makes the files what they were at a message, and does nothing else. */
export async function rewindFiles(start: StartRequest, messageId: string): Promise<number> {
  const { options, checked } = start;
  if (options.resume === undefined) throw new CliError('Error: --rewind-files requires --resume');
  if (options.prompt !== undefined)
    throw new CliError('Error: --rewind-files is a standalone operation and cannot be used with a prompt');
  const { fileHistory } = await startSession(start);
  if (fileHistory === undefined) throw new CliError('Error: File rewinding is not enabled.');
  if (!checked.stored?.lines.some(({ type, uuid }) => type === 'user' && uuid === messageId))
    throw new CliError(
      `Error: --rewind-files requires a user message UUID, but ${messageId} is not a user message in this session`,
    );
  fileHistory.rewind(messageId);
  const said = `Files rewound to state at message ${messageId}\n`;
  // A stream has lines of its own only.
  if (options.outputFormat === 'stream-json') writeOut(2, `[stdout-guard] ${said}`);
  else writeOut(1, said);
  return 0;
}
