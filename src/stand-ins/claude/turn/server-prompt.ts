import { isObject, type JsonObject } from '../../../document/json.js';
import type { SlashCommand } from '../../../scenario/prompt.js';
import type { PromptCommand } from '../session/connect-mcp.js';
import type { Session } from '../session/session.js';
import { readBlocks } from '../tool-use/server-result.js';
import { failCommand } from './local-lines.js';
import type { TurnOutcome } from './speaker.js';

/** What the model reads of a prompt of a server, or how the command ended without it. */
export async function expandServerPrompt(
  session: Session,
  found: PromptCommand,
  command: SlashCommand,
): Promise<JsonObject[] | TurnOutcome> {
  const words = command.args.split(/\s+/).filter(Boolean);
  const missing = found.arguments.find(({ required }, at) => required && words[at] === undefined);
  if (missing !== undefined) {
    const usage = [`/${found.command}`, ...found.arguments.map(({ name }) => name)].join(' ');
    return fail(session, found, command, `Error: Missing required argument: ${missing.name}. Usage: ${usage}`);
  }
  const given = found.arguments.flatMap(({ name }, at) => (words[at] === undefined ? [] : [[name, words[at]]]));
  try {
    const asked = { name: found.name, arguments: Object.fromEntries(given) };
    const { messages } = await found.server.request('prompts/get', asked);
    const blocks = (Array.isArray(messages) ? messages : [])
      .map((message) => (isObject(message) ? message['content'] : undefined))
      .filter(isObject);
    return readBlocks(session, found.server.name, blocks);
  } catch (error) {
    return fail(session, found, command, `ProtocolError: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(session: Session, { server, name, command: typed }: PromptCommand, { args }: SlashCommand, why: string) {
  if (args !== '') session.lastPrompt = `/${typed} ${args}`;
  const shown = { name: `${server.name}:${name} (MCP)`, args };
  const outcome = failCommand(session, shown, why, { typed });
  return { ...outcome, ending: { kind: 'local' as const, text: why, command: 'mcp' } };
}
