import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { defined, ownCommand, paint, shortenLine, UnderstudyError, USER_FILE, writeWhole } from '@understudy/kit';
import {
  CASSETTE_ENDING,
  CassetteFile,
  checkFree,
  type Edit,
  editedCopy,
  type IndexedInteraction,
  importFile,
  mergedCopy,
  problemsOf,
} from '@understudy/model';
import { readExchange, rehearsalFileFor, rehearsalFromCassette, turnsOf } from '@understudy/runner';
import { EXIT_FAILED } from './main.js';
import { print, printJson } from './output.js';

/** Prints what was asked and answered. */
export function showCassette(file: string, { json }: { json?: true }): number {
  const cassette = CassetteFile.open(file);
  const { header, interactions, isCut } = cassette;
  const shown = interactions.map((entry) => describe(cassette, entry));
  const turns = turnsOf(cassette).map(({ prompt, agent, conversation, answers }) => ({
    ...{ conversation, prompt: shortenLine(prompt, 100), answer: shortenLine(answers.at(-1)?.text ?? '', 100) },
    ...defined({ agent }),
  }));
  if (json === true) {
    printJson({ ...header, cut: isCut, interactions: shown, turns });
    return 0;
  }
  const agents = header.agents.map(({ agent, version }) => (version === undefined ? agent : `${agent} ${version}`));
  const origin = header.importedFrom === undefined ? 'recorded' : `imported from ${header.importedFrom}, recorded`;
  print(
    `${paint.bold(basename(file))}  ${origin} ${header.recordedAt.slice(0, 16).replace('T', ' ')}  ${agents.join(', ')}`,
  );
  for (const { number, conversation, kind, status, asked, answered, tools } of shown) {
    const place = conversation === '' ? kind : conversation;
    print(`${String(number).padStart(4)}  ${place.padEnd(9)} ${status}  ${asked}`);
    const answer = [answered, ...tools.map((tool) => `[${tool}]`)].filter((part) => part !== '').join(' ');
    if (answer !== '') print(paint.dim(`${' '.repeat(17)}→ ${answer}`));
  }
  if (isCut) print(paint.yellow('cut: its recorder was killed, so what came last may be missing'));
  return 0;
}

function describe(cassette: CassetteFile, entry: IndexedInteraction) {
  const { answer, prompt, results } = readExchange(cassette, entry);
  const { text, tools, error } = answer;
  const { number, conversation, kind, status, agent, protocol, method, path } = entry;
  const command = prompt?.command === undefined ? undefined : `/${prompt.command.name} ${prompt.command.args}`;
  const asked = command ?? prompt?.text ?? results.map((result) => result.text).join(' ');
  return {
    ...{ number, conversation, kind, protocol, status, path },
    ...defined({ agent }),
    asked: shortenLine(asked === '' ? `${method} ${path}` : asked, 100),
    answered: shortenLine(error ?? text, 100),
    tools: tools.map(({ name }) => name),
  };
}

/** Looks whether cassettes are sound. 1 if one is not. */
export function verifyCassettes(files: readonly string[], { json }: { json?: true }): number {
  const results = files.map((file) => ({ file, problems: problemsOf(file) }));
  if (json === true) printJson(results);
  else {
    for (const { file, problems } of results) {
      print(`${problems.length === 0 ? paint.green('✓') : paint.red('✗')} ${file}`);
      for (const problem of problems) print(`    ${problem}`);
    }
  }
  return results.some(({ problems }) => problems.length > 0) ? EXIT_FAILED : 0;
}

export interface EditOptions {
  output?: string;
  drop?: number[];
  dropConversation?: string[];
  replace?: string[];
  redact?: string[];
}

export function editCassette(file: string, options: EditOptions): number {
  const { output = file, drop, dropConversation, replace = [], redact = [] } = options;
  const edit: Edit = {
    ...defined({ drop, dropConversation }),
    replace: [...replace.map(pairOf), ...redact.map((text) => [text, '[secret]'] as const)],
  };
  const count = editedCopy(file, output, edit);
  print(`${output}: ${count} interactions`);
  return 0;
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UnderstudyError('CASSETTE_EDIT', `--replace ${text} has no "="`, { fix: 'Write `--replace OLD=NEW`.' });
}

export function mergeCassettes(files: readonly string[], output: string): number {
  checkFree(output);
  print(`${output}: ${mergedCopy(files, output)} interactions`);
  return 0;
}

export function importCassette(file: string, { output }: { output?: string }): number {
  const to = output ?? join(dirname(file), `${basename(file).replace(/\.\w+$/, '')}${CASSETTE_ENDING}`);
  checkFree(to);
  const { format, interactions } = importFile(file, to);
  print(`${to}: ${interactions} interactions from ${format}`);
  return 0;
}

export function cassetteToRehearsal(file: string, options: { output?: string; name?: string }): number {
  const cassette = file.endsWith(CASSETTE_ENDING) ? file : imported(file);
  const output = options.output ?? rehearsalFileFor(cassette);
  const toScreen = output === '-';
  if (!toScreen) checkFree(output);
  const opened = CassetteFile.open(cassette);
  const text = rehearsalFromCassette(opened, {
    file: toScreen ? rehearsalFileFor(cassette) : output,
    name: options.name,
  });
  opened.close();
  if (toScreen) print(text.trimEnd());
  else {
    writeWhole(output, text, USER_FILE);
    print(`${output}: run it with \`${ownCommand()} run ${output}\``);
  }
  return 0;
}

/** A file of another tool becomes a cassette first. */
function imported(file: string): string {
  const to = join(dirname(file), `${basename(file).replace(/\.\w+$/, '')}${CASSETTE_ENDING}`);
  if (!existsSync(to)) importFile(file, to);
  return to;
}
