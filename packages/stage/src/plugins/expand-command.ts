import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeSession, defaultDeadlines, type EventBody, type FoundAgent } from '@understudy/agents';
import { createScratch, UnderstudyError } from '@understudy/kit';
import { openStage } from '../conversation/open-stage.js';
import { portsOf } from '../isolation/isolation.js';
import type { Isolation } from '../isolation/provider.js';
import { isolateLook, type LookIsolation } from './loaded/isolate.js';

export interface ExpandOptions extends LookIsolation {
  agent: FoundAgent;
  /** Plugin folders. */
  plugins: readonly string[];
  /** As a user types it: `/explore the database`. */
  command: string;
  /** The project in which it is typed; absent, an empty folder. */
  cwd?: string;
}

/** What a command became, as the model got it. */
export interface Expansion {
  typed: string;
  /** As the CLI knows it: `agent-loop:explore`. */
  name: string;
  args: string;
  text: string;
}

/** Types a command into the real CLI and reads on the wire what the model was sent. */
export async function expandCommand(options: ExpandOptions): Promise<Expansion> {
  const { agent, plugins, command, cwd } = options;
  const scratch = createScratch('expand');
  const project = cwd ?? join(scratch.path, 'project');
  mkdirSync(project, { recursive: true });
  const model = await openStage('scripted', { scenario: { default_response: 'Understood.' }, agents: ['claude'] });
  const events: EventBody[] = [];
  let isolation: Isolation | undefined;
  try {
    isolation = await isolateLook(options, {
      writable: [project, scratch.path],
      readable: [...agent.command, ...plugins],
      ports: portsOf([model.server.url]),
    });
    const session = await ClaudeSession.start({
      found: agent,
      stage: 'scripted',
      model: model.access('claude', 0),
      cwd: realpathSync(project),
      home: join(scratch.path, 'home'),
      emit: (event) => events.push(event),
      permissions: () => ({ behavior: 'deny', message: 'no tool may run while a command is expanded' }),
      deadlines: defaultDeadlines,
      plugins,
      enclosure: isolation.enclosure,
    });
    const ended = await session.send(command).finally(() => session.end());
    const told = events.find((event) => event.type === 'command');
    if (told?.type !== 'command') throw notACommand(command, ended.message);
    if (told.status === 'unknown') throw unknownCommand(told.typed, told.similar ?? [], events);
    const sent = model.server.journal.entries().find((entry) => entry.command !== undefined);
    if (sent?.prompt === undefined) throw neverSent(told.typed, ended.message);
    return { typed: told.typed, name: told.name, args: told.args, text: sent.prompt };
  } finally {
    await model.close();
    await isolation?.close();
    await scratch.remove();
  }
}

function notACommand(command: string, why: string | undefined): UnderstudyError {
  return new UnderstudyError(
    'COMMAND_INVALID',
    `${command} is not a slash command${why === undefined ? '' : `: ${why}`}`,
    {
      fix: 'Begin it with a slash: /name arguments.',
    },
  );
}

function unknownCommand(typed: string, similar: readonly string[], events: readonly EventBody[]): UnderstudyError {
  const sessions = events.filter((event) => event.type === 'session');
  const known = [...new Set(sessions.flatMap(({ commands = [] }) => commands))].filter((name) => name.includes(':'));
  const near = similar.length > 0 ? `Did you mean ${similar.map((name) => `/${name}`).join(' or ')}?` : undefined;
  const list =
    known.length === 0
      ? 'Add a command: the plugins have none.'
      : `Use a command that the plugins have: ${known.map((name) => `/${name}`).join(', ')}.`;
  return new UnderstudyError(
    'COMMAND_UNKNOWN',
    `Claude Code does not know ${typed}, and sent it to the model as plain text`,
    {
      fix: near ?? list,
    },
  );
}

function neverSent(typed: string, why: string | undefined): UnderstudyError {
  return new UnderstudyError(
    'COMMAND_NOT_SENT',
    `${typed} was not sent to the model${why === undefined ? '' : `: ${why}`}`,
    {
      fix: 'Check whether the CLI answers the command itself (then it has no expansion), and whether a hook blocked it.',
    },
  );
}
