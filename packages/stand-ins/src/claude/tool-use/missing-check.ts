import { writeOut } from '../../shared/write-out.js';
import type { Session } from '../session/session.js';

/** Says once that actions cannot be checked: to the host in a stream, to the user otherwise. */
export function warnOfMissingCheck(session: Session): void {
  if (!session.out.isFirst('no check')) return;
  const server = serverOf(session.parts.env['ANTHROPIC_BASE_URL']);
  const content =
    "Auto mode can't check actions in this session. Its safety check runs on the server, and your requests go through " +
    `${server}, which doesn't pass it through. Nobody can be asked to approve actions in this session, so every action ` +
    'that needs the check is refused. To run these actions, use another permission mode. To use auto mode, ask whoever ' +
    `runs ${server} to pass Claude Code's server-side safety check through: ` +
    'https://code.claude.com/docs/en/permission-modes#server-side-classifier-review';
  const about = { isMeta: false, timestamp: session.parts.clock.timestamp(), level: 'warning' };
  if (session.parts.options.outputFormat !== 'stream-json') writeOut(2, `${content}\n`);
  else session.out.system('informational', { content, ...about, tag: 'auto_mode_no_server_check' });
}

function serverOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : '127.0.0.1';
}
