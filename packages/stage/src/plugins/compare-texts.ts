import { join, sep } from 'node:path';
import { compareListed } from './compare-listed.js';
import type { DeclaredPlugin, DeclaredText } from './declared/component.js';
import { UNREADABLE_WORKFLOW } from './declared/markdown.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { ComponentReport } from './report.js';

interface Found {
  name: string;
  description?: string | undefined;
}

/** Compares commands, agents and skills with what the CLI has. A name belongs to one file only. */
export function compareTexts(plugin: DeclaredPlugin, state: LoadedState): ComponentReport[] {
  const texts = plugin.components.filter((component) => 'names' in component);
  const taken = new Map<string, DeclaredText>();
  const found = new Map<DeclaredText, Found>();
  // Files whose name the CLI reports come first: there is nothing to guess.
  for (const text of texts) {
    const loaded = byFile(plugin, text, state);
    if (loaded !== undefined && !isRival(plugin, text, loaded, texts)) claim(text, loaded, taken, found);
  }
  for (const text of texts) if (!found.has(text)) claim(text, byName(plugin, text, state, taken), taken, found);
  return [
    ...texts.map((text) => reportText(plugin, text, found.get(text), taken, state)),
    ...undeclared(plugin, state, taken),
  ];
}

function claim(
  text: DeclaredText,
  loaded: Found | undefined,
  taken: Map<string, DeclaredText>,
  found: Map<DeclaredText, Found>,
): void {
  if (loaded === undefined) return;
  found.set(text, loaded);
  taken.set(key(text.kind, loaded.name), text);
}

/** Commands and skills share their names; agents have their own. */
function key(kind: DeclaredText['kind'], name: string): string {
  return `${kind === 'agent' ? 'agent' : 'command'} ${name}`;
}

function byFile(plugin: DeclaredPlugin, { kind, file }: DeclaredText, state: LoadedState): Found | undefined {
  // Plugins of one marketplace can share a file.
  const names = state.namesByFile.get(join(plugin.root, file)) ?? [];
  const name = names.find((one) => one.startsWith(`${plugin.name}:`)) ?? names[0];
  return name === undefined ? undefined : describe(kind, name, state);
}

/** Where a command and a skill share a name, the description shows which of them a user gets. */
function isRival(plugin: DeclaredPlugin, text: DeclaredText, loaded: Found, texts: readonly DeclaredText[]): boolean {
  if (text.kind !== 'skill' || loaded.description === undefined) return false;
  const shared = texts.some(
    ({ kind, names }) => kind === 'command' && names.some((name) => `${plugin.name}:${name}` === loaded.name),
  );
  return shared && loaded.description !== `(${plugin.name}) ${text.description ?? ''}`;
}

function byName(
  plugin: DeclaredPlugin,
  text: DeclaredText,
  state: LoadedState,
  taken: ReadonlyMap<string, DeclaredText>,
): Found | undefined {
  for (const name of text.names.map((short) => `${plugin.name}:${short}`)) {
    const loaded = describe(text.kind, name, state);
    if (loaded !== undefined && !taken.has(key(text.kind, loaded.name))) return loaded;
  }
  return undefined;
}

function describe(kind: DeclaredText['kind'], name: string, state: LoadedState): Found | undefined {
  if (kind === 'agent') return state.agents.find((agent) => agent.name === name);
  // What has the name counts before what can be typed so.
  const command =
    state.commands.find((one) => one.name === name) ?? state.commands.find((one) => one.aliases?.includes(name));
  // A workflow takes the place of a command of the same name.
  const isWorkflow = command?.description?.endsWith('(dynamic workflow)') ?? kind === 'workflow';
  if (isWorkflow !== (kind === 'workflow')) return undefined;
  if (command !== undefined) return command;
  return state.skills.includes(name) ? { name } : undefined;
}

function reportText(
  plugin: DeclaredPlugin,
  text: DeclaredText,
  loaded: Found | undefined,
  taken: ReadonlyMap<string, DeclaredText>,
  state: LoadedState,
): ComponentReport {
  const { kind, file } = text;
  const expected = `${plugin.name}:${text.names[0]}`;
  const base = { kind, file, warnings: text.warning === undefined ? [] : [text.warning] };
  if (loaded === undefined) {
    const issue = text.issue ?? notLoadedReason(plugin, text, taken);
    return { ...base, name: expected, status: 'failed', ...issue };
  }
  const defect =
    text.defect ?? invented(plugin, text, loaded, state) ?? compareListed(plugin.name, text, loaded, state);
  if (defect !== undefined) return { ...base, name: loaded.name, status: 'failed', ...defect };
  if (loaded.name !== expected) base.warnings.push(`the CLI names it ${loaded.name}; its path says ${expected}`);
  return { ...base, name: loaded.name, status: 'loaded' };
}

function notLoadedReason(plugin: DeclaredPlugin, text: DeclaredText, taken: ReadonlyMap<string, DeclaredText>) {
  if (text.kind === 'workflow') return UNREADABLE_WORKFLOW;
  const rival = text.names
    .map((name) => taken.get(key(text.kind, `${plugin.name}:${name}`)))
    .find((other) => other !== undefined && other !== text);
  if (rival !== undefined) {
    return {
      reason: `${rival.file} has the same name, and the CLI loaded that one`,
      fix: 'Give one of the two another name.',
    };
  }
  return {
    reason: 'the file exists, and the CLI did not load it',
    fix: 'Check whether the manifest names other paths, and whether a SKILL.md in the same folder makes that folder a skill.',
  };
}

/** It has no description, so the model cannot know when to use it. */
function invented(plugin: DeclaredPlugin, text: DeclaredText, loaded: Found, state: LoadedState) {
  if (text.kind === 'agent' && text.description === undefined) {
    return {
      reason: `it has no description: the model sees "${loaded.description ?? ''}" and cannot know when to use it`,
      fix: fixOfAgent(text),
    };
  }
  const isSkill = [loaded.name, ...text.names.map((name) => `${plugin.name}:${name}`)].some((name) =>
    state.skills.includes(name),
  );
  if (text.kind === 'skill' && !isSkill && !text.hidesFromModel) {
    return {
      reason: 'without a description the CLI takes it for a command only, and does not list it for the model',
      fix: `Begin ${text.file} with front matter that has a description.`,
    };
  }
  return undefined;
}

/** The CLI takes every Markdown file below agents/ for an agent: also notes and examples. */
export function fixOfAgent({ file, isBare }: DeclaredText): string {
  const written = `${file} with front matter that has a name and a description.`;
  const [folder, ...path] = file.split(sep);
  if (isBare !== true && path.length < 2) return `Begin ${written}`;
  return `Move it out of ${folder}/ if it is no agent, else begin ${written}`;
}

/** What the CLI has under the plugin's name, and no file declares. */
function undeclared(
  plugin: DeclaredPlugin,
  state: LoadedState,
  taken: ReadonlyMap<string, DeclaredText>,
): ComponentReport[] {
  const own = ({ name }: Found) => name.startsWith(`${plugin.name}:`);
  const known = new Set([...taken.values()].flatMap(({ names }) => names.map((name) => `${plugin.name}:${name}`)));
  const extra = (kind: 'command' | 'agent', list: readonly Found[]) =>
    list
      .filter((one) => own(one) && !taken.has(key(kind, one.name)) && !known.has(one.name))
      .map(
        ({ name }): ComponentReport => ({
          kind,
          name,
          status: 'loaded',
          warnings: ['the CLI has it, but no file of the plugin that we know declares it'],
        }),
      );
  return [...extra('command', state.commands), ...extra('agent', state.agents)];
}
