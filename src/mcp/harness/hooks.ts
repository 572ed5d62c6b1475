import { existsSync } from 'node:fs';
import { defined, UnderstudyError } from '@understudy/kit';
import { type FiredEvent, fireHooks, activeHooks as hooksOfCli, readHooksOf } from '@understudy/stage';
import type { Harness } from './harness.js';

/** A hook that is wired. */
export interface ActiveHook {
  /** `PreToolUse:Write`, or the event alone where it is for everything. */
  name: string;
  event: string;
  matcher: string;
  type: string;
  command: string;
  plugin?: string;
  /** `cli`: the CLI of a conversation reports it. `files`: it is declared in a plugin's files. */
  reportedBy: 'cli' | 'files';
}

/** The hooks of a conversation by its CLI's own account; without one, those that installed plugins declare. */
export async function activeHooks(harness: Harness, sessionId: string | undefined): Promise<ActiveHook[]> {
  const { living } = harness.conversations;
  if (sessionId === undefined && living.length === 0) return declaredHooks(await harness.plugins.folders());
  const held = harness.conversations.findOrOnly(sessionId);
  if (held.ended !== undefined || held.facts.stage === 'sim') return declaredHooks(held.facts.plugins);
  const hooks = await hooksOfCli(held.conversation);
  return hooks.map(({ event, matcher, type, commandText, pluginName }) => ({
    name: nameOf(event, matcher),
    ...{ event, matcher, type, command: commandText },
    ...defined({ plugin: pluginName }),
    reportedBy: 'cli',
  }));
}

function declaredHooks(folders: readonly string[]): ActiveHook[] {
  return folders.flatMap((folder) => {
    const { hooks, plugin } = readHooksOf(folder);
    return hooks
      .filter(({ issue }) => issue === undefined)
      .map(({ event, matcher, type, text }) => ({
        name: nameOf(event, matcher),
        ...{ event, matcher, type, command: text },
        ...defined({ plugin }),
        reportedBy: 'files' as const,
      }));
  });
}

function nameOf(event: string, matcher: string): string {
  return matcher === '' || matcher === '*' ? event : `${event}:${matcher}`;
}

export interface TriggerOptions {
  /** `PreToolUse`, or with the tool `PreToolUse:Write`. */
  name: string;
  payload: Record<string, unknown>;
  /** A plugin's name or folder; by default, all plugins of the conversation, or all installed ones. */
  plugin?: string;
  sessionId?: string;
  /** As `--isolation`. */
  isolation?: string;
}

/** Runs the hooks of an event as the CLI would. Those of every plugin that has some for it. */
export async function triggerHook(harness: Harness, options: TriggerOptions): Promise<FiredEvent[]> {
  const [event = '', tool] = options.name.split(':');
  const held = options.sessionId === undefined ? undefined : harness.conversations.find(options.sessionId);
  const folders = await sources(harness, options, held?.facts.plugins);
  const own = folders.filter((folder) => readHooksOf(folder).hooks.some((hook) => hook.event === event));
  // Where none has any, the error of the first one says what there is.
  const from = own.length > 0 ? own : folders.slice(0, 1);
  const fired: FiredEvent[] = [];
  for (const folder of from) {
    const result = await fireHooks({
      from: folder,
      event,
      fields: options.payload,
      ...defined({ tool, cwd: held?.facts.project, isolation: options.isolation }),
    });
    fired.push(result);
    harness.triggered.push(...result.fired);
  }
  return fired;
}

async function sources(
  harness: Harness,
  { plugin }: TriggerOptions,
  ofConversation: readonly string[] | undefined,
): Promise<readonly string[]> {
  const known = ofConversation ?? (await harness.plugins.folders());
  if (plugin !== undefined) {
    const named = known.find((folder) => folder === plugin || readHooksOf(folder).plugin === plugin);
    if (named !== undefined) return [named];
    if (existsSync(plugin)) return [plugin];
  } else if (known.length > 0) return known;
  throw new UnderstudyError(
    'HARNESS_NO_HOOKS',
    plugin === undefined ? 'there is no plugin whose hooks could run' : `there is no plugin ${JSON.stringify(plugin)}`,
    { fix: 'Name a plugin folder as plugin, or a conversation as session_id, or install the plugin first.' },
  );
}
