import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ConversationEvent } from '@understudy/agents';
import { defined, REHEARSAL_ENDING, UnderstudyError } from '@understudy/kit';
import { CASSETTE_ENDING, type CassetteFile, type ProjectFiles } from '@understudy/model';
import { builtInWorkflows, loadWorkflow, type Workflow } from '@understudy/stage';
import { expectationsOf, isOfTest, seenEvents } from './expectations.js';
import { rulesOf } from './rules.js';
import { tomlFields, tomlValue } from './toml-text.js';
import { type RecordedTurn, turnsOf } from './turns.js';

export interface FromCassetteOptions {
  /** Where the rehearsal will lie: its paths begin there. */
  file: string;
  name?: string | undefined;
}

/** As many files of a project, and letters of them, are worth to be written into a rehearsal. */
const MOST_FILES = 20;
const MOST_LETTERS = 20_000;

/** The text of a rehearsal that says what was recorded, and expects what held. */
export function rehearsalFromCassette(cassette: CassetteFile, { file, name }: FromCassetteOptions): string {
  const { header } = cassette;
  const turns = turnsOf(cassette);
  const own = turns.filter(({ agent }) => agent === undefined);
  if (own.length === 0) throw noPrompt(cassette.file);
  const events = seenEvents(cassette);
  const workflow = header.setting?.workflow;
  const followed = workflow === undefined ? undefined : loadedWorkflow(workflow, dirname(file));
  const agent = header.agents[0]?.agent ?? agentOf(cassette);
  const prompts = sentIn(events, own);
  const spoken = header.agents.map(({ agent, version }) => (version === undefined ? agent : `${agent} ${version}`));
  const plugins = pluginsOf(cassette, events, dirname(resolve(file)));
  const { files = {}, ...project } = (header.setting?.project ?? projectIn(cassette, plugins)) as {
    files?: Record<string, string>;
  };
  const head = {
    name: name ?? basename(file, REHEARSAL_ENDING),
    agent,
    ...(file === '' || isUsualPlace(cassette.file, file, agent)
      ? {}
      : { cassette: relative(dirname(resolve(file)), resolve(cassette.file)) }),
    ...(plugins.length === 0 ? {} : { plugins }),
    ...defined({ workflow }),
    ...(isInteractive(events) ? { terminal: { columns: 120, rows: 40 } } : {}),
    ...(Object.keys(project).length === 0 || Object.keys(files).length > 0 ? {} : { project }),
  };
  const date = header.recordedAt.slice(0, 10);
  return `${[
    `# What was recorded on ${date}${spoken.length === 0 ? '' : ` with ${spoken.join(', ')}`}. [[responses]] are what the model answered,`,
    '# [[steps]] what the user said and what held then. On the stage replay, the cassette answers instead.',
    ...tomlFields(head),
    ...(Object.keys(files).length === 0
      ? []
      : ['', ...projectFields(project), '[project.files]', ...tomlFields(files)]),
    ...rulesOf(turns, header.importedFrom).flatMap((rule) => ['', '[[responses]]', ...tomlFields(rule)]),
    ...own.flatMap((turn, index) => [
      '',
      '[[steps]]',
      `send = ${tomlValue(prompts[index] ?? sentText(turn))}`,
      '[steps.expect]',
      ...tomlFields(expectationsOf(turn, index + 1, events, followed)),
    ]),
  ].join('\n')}\n`;
}

function projectFields(project: Record<string, unknown>): string[] {
  return Object.keys(project).length === 0 ? [] : ['[project]', ...tomlFields(project)];
}

/** Where a rehearsal goes that is made from a cassette: the folder of cassettes is beside it. */
export function rehearsalFileFor(cassette: string): string {
  const name = basename(cassette)
    .replace(CASSETTE_ENDING, '')
    .replace(/\.[a-z]+$/, '');
  const folder = dirname(cassette);
  return join(basename(folder) === 'cassettes' ? dirname(folder) : folder, `${name}.rehearsal.toml`);
}

function isUsualPlace(cassette: string, file: string, agent: string): boolean {
  const name = basename(file).replace(/\.rehearsal\.toml$/, '');
  return resolve(cassette) === resolve(dirname(file), 'cassettes', `${name}.${agent}${CASSETTE_ENDING}`);
}

/** What the user typed, where that was seen; a command may look different on the wire. */
function sentIn(events: readonly ConversationEvent[], turns: readonly RecordedTurn[]): string[] {
  const typed = events.flatMap((event) => (event.type === 'prompt' && event.step === undefined ? [event.text] : []));
  return typed.length === turns.length ? typed : [];
}

function sentText({ prompt, command }: RecordedTurn): string {
  return command === undefined ? prompt : `/${command.name} ${command.args}`.trim();
}

function agentOf(cassette: CassetteFile): string {
  const client = cassette.interactions.find(({ kind }) => kind === 'answer')?.client ?? 'claude';
  return client === 'library' ? 'claude' : client;
}

/** The plugins that the setting names, or that stand in the recorded command. */
function pluginsOf(cassette: CassetteFile, events: readonly ConversationEvent[], from: string): string[] {
  const named = cassette.header.setting?.plugins;
  if (named !== undefined) return named;
  const words = events.flatMap((event) => (event.type === 'call' ? event.command : []));
  const folders = words.flatMap((word, index) => (words[index - 1] === '--plugin-dir' ? [word] : []));
  return [...new Set(folders)].map((path) => relative(from, resolve(path.replace('{{cwd}}', process.cwd()))));
}

/** The files of the project before the first turn, as far as they are few and short. */
function projectIn(cassette: CassetteFile, plugins: readonly string[]): Record<string, unknown> {
  for (const line of cassette.lines()) if (line.type === 'files') return shortFiles(line, plugins);
  return {};
}

function shortFiles({ files }: ProjectFiles, plugins: readonly string[]): Record<string, unknown> {
  const texts = files.flatMap(({ path, text }) =>
    text === undefined || isOfTest(path) || plugins.some((plugin) => path.startsWith(`${plugin}/`))
      ? []
      : [[path, text] as const],
  );
  const letters = texts.reduce((sum, [, text]) => sum + text.length, 0);
  if (texts.length === 0 || texts.length > MOST_FILES || letters > MOST_LETTERS) return {};
  return { files: Object.fromEntries(texts) };
}

/** Whether the agent was talked to in a terminal: without `-p`, Claude Code asks for the next prompt there. */
function isInteractive(events: readonly ConversationEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'call' &&
      event.agent === 'claude' &&
      !event.command.some((word) => word === '-p' || word === '--print' || word === '--input-format'),
  );
}

function loadedWorkflow(name: string, folder: string): Workflow {
  return loadWorkflow(Object.hasOwn(builtInWorkflows, name) ? name : resolve(folder, name));
}

function noPrompt(file: string): UnderstudyError {
  return new UnderstudyError('CASSETTE_INVALID', `${file} has no prompt of a user`, {
    fix: 'Record a conversation in which something is asked.',
  });
}
