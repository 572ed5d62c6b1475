import {
  type Case,
  LIVING,
  type ModelStep,
  type Run,
  STREAM,
  say,
  user,
} from '../../../packages/suites/src/drift/case.js';

/** One thing that a generated invocation has. A difference is minimised by leaving parts out. */
export interface Part {
  args?: readonly string[];
  /** A prompt; with several there is a living session. */
  prompt?: string;
  /** The prompt comes on stdin. */
  piped?: true;
  /** The session stays alive, and gets its prompts one after the other. */
  living?: true;
  /** Events instead of text. */
  stream?: true;
  settings?: Settings;
  files?: Record<string, string | object>;
  env?: Record<string, string>;
  /** What the model does before its last word. */
  steps?: readonly ModelStep[];
  before?: Run;
}

export interface Settings {
  hooks?: Record<string, object[]>;
  permissions?: Record<string, string[] | string>;
  [name: string]: unknown;
}

const SETTINGS = 'HOME/.claude/settings.json';

/** The case that these parts make together. */
export function compose(name: string, parts: readonly Part[]): Case {
  const prompts = parts.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]));
  const living = parts.some((part) => part.living);
  const streaming = living || parts.some((part) => part.stream);
  const piped = parts.some((part) => part.piped);
  const steps = parts.flatMap((part) => part.steps ?? []);
  const settings = joined(parts.flatMap((part) => (part.settings === undefined ? [] : [part.settings])));
  const files = Object.assign({}, ...parts.map((part) => part.files ?? {})) as Record<string, string | object>;
  if (settings !== undefined) files[SETTINGS] = settings;
  const env = Object.assign({}, ...parts.map((part) => part.env ?? {})) as Record<string, string>;
  const before = parts.flatMap((part) => (part.before === undefined ? [] : [part.before]));
  const [first = 'hi'] = prompts;
  const args = [
    ...(living ? LIVING : streaming ? STREAM : ['-p']),
    ...(living || piped ? [] : [first]),
    ...parts.flatMap((part) => part.args ?? []),
  ];
  // A failure that does not pass answers every prompt.
  const fails = steps.at(-1)?.fail !== undefined;
  const turns = (living && prompts.length > 0 && !fails ? prompts : [first]).map((_, index) =>
    index === 0 ? [...steps, ...lastWord(steps, 'done')] : [say(`answer ${index + 1}`)],
  );
  // For a Stop hook that wants more.
  if (!fails) turns.push([say('more')]);
  return {
    name,
    args,
    turns,
    ...(piped && !living ? { stdin: first } : {}),
    ...(living
      ? { talk: (prompts.length === 0 ? [first] : prompts).flatMap((text) => [user(text), { until: 'result' }]) }
      : {}),
    ...(Object.keys(files).length > 0 ? { files } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(before.length > 0 ? { before } : {}),
  };
}

/** A turn that ends in a failure or with a word needs no other. */
function lastWord(steps: readonly ModelStep[], text: string): ModelStep[] {
  const last = steps.at(-1);
  return last === undefined || last.tools !== undefined ? [say(text)] : [];
}

function joined(all: readonly Settings[]): Settings | undefined {
  if (all.length === 0) return undefined;
  const hooks: Record<string, object[]> = {};
  const permissions: Record<string, string[] | string> = {};
  for (const one of all) {
    for (const [event, groups] of Object.entries(one.hooks ?? {})) hooks[event] = [...(hooks[event] ?? []), ...groups];
    for (const [list, rules] of Object.entries(one.permissions ?? {})) {
      const old = permissions[list];
      permissions[list] = Array.isArray(rules) && Array.isArray(old) ? [...old, ...rules] : rules;
    }
  }
  return {
    ...(Object.assign({}, ...all) as Settings),
    ...(Object.keys(hooks).length > 0 ? { hooks } : {}),
    ...(Object.keys(permissions).length > 0 ? { permissions } : {}),
  };
}
