import type { Authored, Client } from './client.js';
import { header } from './headers.js';
import { factIn, withoutReminders } from './reminders.js';

const COMMAND =
  /^\s*<command-message>[\s\S]*?<\/command-message>\s*<command-name>\/?([\s\S]*?)<\/command-name>(?:\s*<command-args>([\s\S]*?)<\/command-args>)?/;
/** What Claude Code did itself and only tells the model of. */
const LOCAL = /^\s*<(?:local-command-|bash-(?:input|stdout|stderr)|command-name>)/;
const INTERRUPTED = /^\s*\[Request interrupted by user/;

/** Claude Code: reminders, slash commands, and messages that were joined into one. */
export const claudeCode: Client = {
  name: 'claude',

  recognizes: (headers) => header(headers, 'user-agent')?.startsWith('claude-cli/') ?? false,

  identify: (headers) => ({
    session: header(headers, 'x-claude-code-session-id'),
    agentId: header(headers, 'x-claude-code-agent-id'),
  }),

  authored(texts) {
    const messages: Authored[] = [];
    let command: Authored['command'];
    for (const parts of joinedMessages(texts)) {
      const text = parts.join('\n').trim();
      const tags = COMMAND.exec(text);
      if (tags !== null) {
        command = { name: (tags[1] ?? '').trim(), args: (tags[2] ?? '').trim() };
        const body = text.slice(tags[0].length).trim();
        if (body === '') continue;
        messages.push({ text: body, command });
      } else if (text !== '' && !LOCAL.test(text) && !INTERRUPTED.test(text)) {
        messages.push({ text, ...(command === undefined ? {} : { command }) });
      }
      command = undefined;
    }
    // A command that expands to nothing is still something that the user said.
    if (command !== undefined) messages.push({ text: `/${command.name} ${command.args}`.trim(), command });
    return messages;
  },

  workingFolder: (request) => factIn(request, /Primary working directory: (.+)/),

  tellsFailure: () => false,

  interrupts: (texts) => texts.some((text) => INTERRUPTED.test(text)),
};

/**
 * Takes apart user messages that stand in one entry because no answer came between them (a failed
 * turn, a local command, a slash command and its body): each but the last ends with a line break.
 */
function joinedMessages(texts: readonly string[]): string[][] {
  const messages: string[][] = [[]];
  texts.forEach((text, index) => {
    const own = withoutReminders(text);
    if (own.trim() !== '') messages.at(-1)?.push(own);
    if (text.endsWith('\n') && index < texts.length - 1) messages.push([]);
  });
  return messages.filter((parts) => parts.length > 0);
}
