import type { Part } from './part.js';
import { bareKey, inline, quote } from './toml.js';

export interface RehearsalOptions {
  /** For editors. */
  schemaLine: string;
  plugin: string;
  /** The path from the rehearsal to the plugin. */
  path: string;
  parts: readonly Part[];
  /** Events whose hooks run when the session starts or ends. */
  startHooks: readonly string[];
  endHooks: readonly string[];
  /** MCP servers that are left out, with the reason. */
  absentServers: readonly { name: string; reason: string }[];
  /** What the author should know, one line each. */
  notes: readonly string[];
  /** Why the stage sim cannot play it. */
  notOnSim?: string;
}

/** The project in which the plugin works. */
export const PROJECT = { type: 'cli', language: 'python', git: true } as const;

/** The text of a first rehearsal: one step for each thing that the plugin has, with its checks. */
export function rehearsalText({
  schemaLine,
  plugin,
  path,
  parts,
  startHooks,
  endHooks,
  absentServers,
  notes,
  notOnSim,
}: RehearsalOptions): string {
  const files = Object.assign({}, ...parts.map((part) => part.files ?? {})) as Record<string, string>;
  const project = { ...PROJECT, ...(Object.keys(files).length === 0 ? {} : { files }) };
  return `${[
    schemaLine,
    comment(`A first rehearsal of ${plugin}. [[responses]] are what the model answers. [[steps]] are what the user`),
    comment('says, and what must be true after the turn.'),
    `name = ${quote(`${plugin} does what it declares`)}`,
    'agent = "claude"',
    `plugins = [${quote(path)}]`,
    `project = ${inline(project)}`,
    ...(notOnSim === undefined ? [] : [`skip = { sim = ${quote(notOnSim)} }`]),
    ...hooksTable('start', startHooks),
    ...hooksTable('end', endHooks),
    ...absentServers.flatMap(({ name, reason }) => ['', comment(reason), `[mcp.${bareKey(name)}]`, 'absent = true']),
    ...parts.flatMap(partText),
    ...(notes.length === 0 ? [] : ['', ...notes.map(comment)]),
  ].join('\n')}\n`;
}

function hooksTable(name: 'start' | 'end', events: readonly string[]): string[] {
  if (events.length === 0) return [];
  return ['', `[${name}.expect]`, `hooks = ${inline(events.map((event) => ({ event })))}`];
}

function partText({ name, comments = [], rules, send, permissions, expect }: Part): string[] {
  const { told, told_not: toldNot, ...rest } = expect;
  return [
    '',
    ...comments.map(comment),
    ...rules.flatMap((rule) => ['[[responses]]', ...fields({ ...rule }), '']),
    '[[steps]]',
    ...fields({ name, send, permissions }),
    '[steps.expect]',
    ...fields(rest),
    ...table('told', told),
    ...table('told_not', toldNot),
  ];
}

/** A comment has no control characters: TOML does not allow them. */
function comment(text: string): string {
  return `# ${text.replace(/\p{Cc}+/gu, ' ')}`;
}

function table(name: string, value: object | undefined): string[] {
  return value === undefined ? [] : [`[steps.expect.${name}]`, ...fields(value)];
}

function fields(value: object): string[] {
  return Object.entries(value).flatMap(([key, field]) => (field === undefined ? [] : [`${key} = ${inline(field)}`]));
}
