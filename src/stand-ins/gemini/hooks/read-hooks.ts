import { inspect } from 'node:util';
import { isObject, isStringList, type JsonObject } from '../../../document/json.js';
import { NotSupported } from '../options.js';

/** The events that come in a run without a terminal. */
export type HookEvent = (typeof FIRED)[number];

const FIRED = [
  ...(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'SessionStart', 'SessionEnd'] as const),
  // It comes before each request, whether anything is compressed or not.
  'PreCompress',
] as const;

/** It comes only where somebody can be asked. */
const NEVER_FIRED = new Set(['Notification']);
/** The order in which settings are read. */
const ORDER: readonly string[] = [...FIRED.slice(0, 4), 'Notification', ...FIRED.slice(4)];
/** They are told every word of the conversation with the model, which the stand-in does not have. */
const REFUSED = new Set(['BeforeModel', 'AfterModel', 'BeforeToolSelection']);
/** They stood beside the events once. */
const FIELDS = new Set(['enabled', 'disabled', 'notifications']);

export interface Hook {
  event: HookEvent;
  /** What it is called in messages. */
  name: string;
  /** Hooks with the same key run once. */
  key: string;
  command: string;
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  matcher: string;
  sequential: boolean;
}

const TIMEOUT_MS = 60_000;

/** The hooks of settings or of an extension, in their order; what is wrong with them is told as by the real CLI. */
export function readHooks(
  hooks: JsonObject,
  { disabled, source, warn }: { disabled: readonly string[]; source: string; warn(line: string): void },
): Hook[] {
  return inOrder(hooks).flatMap(([event, definitions]) => {
    if (FIELDS.has(event)) return [];
    if (REFUSED.has(event)) throw new NotSupported(`hooks of ${event}`);
    if (!ORDER.includes(event)) {
      warn(`Invalid hook event name: "${event}" from ${source} config. Skipping.`);
      return [];
    }
    if (!Array.isArray(definitions)) throw new NotSupported(`hooks of ${event} that are no list`);
    return definitions.flatMap((definition: unknown) => {
      if (!isObject(definition) || !Array.isArray(definition['hooks']))
        throw new NotSupported(`a hook of ${event} without a list of hooks`);
      return definition['hooks'].flatMap((hook: unknown) => {
        const read = readHook(event as HookEvent, definition, hook, (line) => warn(line.replace('SOURCE', source)));
        return read === undefined || NEVER_FIRED.has(event) || disabled.includes(read.name) ? [] : [read];
      });
    });
  });
}

/** The events in the order of the real CLI's settings; those that it does not know come last. */
function inOrder(hooks: JsonObject): [string, unknown][] {
  const rank = (event: string): number => (ORDER.includes(event) ? ORDER.indexOf(event) : ORDER.length);
  return Object.entries(hooks).sort(([a], [b]) => rank(a) - rank(b));
}

function readHook(
  event: HookEvent,
  { matcher, sequential }: JsonObject,
  hook: unknown,
  warn: (line: string) => void,
): Hook | undefined {
  if (!isObject(hook)) throw new NotSupported(`a hook of ${event} that is no object`);
  const { type, command, name, env = {}, timeout } = hook;
  if (type === 'plugin' || type === 'runtime') throw new NotSupported(`a hook of ${event} of the type ${type}`);
  if (type !== 'command' || !command) {
    if (type === 'command') warn(`Command hook ${event} from SOURCE missing command field`);
    else warn(`Invalid hook ${event} from SOURCE type: ${String(type)}`);
    warn(`Discarding invalid hook configuration for ${event} from SOURCE: ${inspect(hook)}`);
    return undefined;
  }
  if (typeof command !== 'string') throw new NotSupported(`a hook of ${event} with this \`command\``);
  const given = typeof name === 'string' ? name : '';
  if (!isObject(env) || !isStringList(Object.values(env)))
    throw new NotSupported(`a hook of ${event} with this \`env\``);
  if (timeout !== undefined && typeof timeout !== 'number')
    throw new NotSupported(`a hook of ${event} with this \`timeout\``);
  return {
    ...{ event, command, name: given || command, key: `${given}:${command}` },
    env: env as Record<string, string>,
    timeoutMs: timeout ?? TIMEOUT_MS,
    matcher: typeof matcher === 'string' ? matcher.trim() : '',
    sequential: sequential === true,
  };
}

/** The commands of a project that its user has not seen yet. */
export function commandsOf(hooks: JsonObject): { key: string; name: string }[] {
  return inOrder(hooks)
    .flatMap(([, definitions]) => (Array.isArray(definitions) ? definitions : []))
    .flatMap((definition: unknown) =>
      isObject(definition) && Array.isArray(definition['hooks']) ? definition['hooks'] : [],
    )
    .filter(isObject)
    .map(({ name, command }) => ({
      key: `${typeof name === 'string' ? name : ''}:${typeof command === 'string' ? command : ''}`,
      name: String(name || command || 'unknown-hook'),
    }));
}
