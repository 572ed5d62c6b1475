import { type Stats, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Part } from './files/file-content.js';
import { findMatching } from './files/find-files.js';
import { IgnoreRules } from './files/ignore-rules.js';
import { isBelow } from './files/is-below.js';
import { readMany, type Wanted } from './files/read-many.js';
import { realPath, type Workspace } from './files/workspace.js';

/** A piece of a prompt: words, or what stands behind an @. */
interface Piece {
  text: string;
  reference?: string;
}

/** What a reference stands for. */
interface Resolved extends Wanted {
  piece: Piece;
  /** How the prompt names it in the end. */
  spec: string;
  label: string;
}

/** The agents that every Gemini CLI has. */
const AGENTS = new Set(['codebase_investigator', 'generalist', 'cli_help']);

const HEAD = '\n--- Content from referenced files ---';

/** The parts of a prompt as the model gets them: with the content of files whose names stand behind an @. */
export function partsOf(prompt: string, workspace: Workspace): Part[] {
  const pieces = piecesOf(prompt);
  const rules = new IgnoreRules(workspace.root);
  const agents = pieces.flatMap(({ reference = '' }) => (AGENTS.has(reference) ? [reference] : []));
  const resolved = pieces.flatMap((piece) =>
    piece.reference === undefined || AGENTS.has(piece.reference) ? [] : resolveReference(piece, workspace, rules),
  );
  if (agents.length === 0 && resolved.length === 0) return [{ text: prompt }];
  const label = (path: string): string =>
    resolved.find((one) => one.path === path)?.label ??
    relative(workspace.folders.find((folder) => path.startsWith(folder)) ?? '', path);
  return [
    { text: joined(pieces, resolved) },
    ...(agents.length === 0 ? [] : [agentNote(agents)]),
    ...(resolved.length === 0 ? [] : [{ text: HEAD }, ...readMany(resolved, workspace, rules, label)]),
  ];
}

function piecesOf(prompt: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = prompt.indexOf('@'); at !== -1; at = prompt.indexOf('@', at + 1)) {
    const end = prompt[at - 1] === '\\' ? at + 1 : referenceEnd(prompt, at + 1);
    if (end === at + 1) continue;
    const reference = prompt.slice(at + 1, end).replace(/\\(.)/g, '$1');
    pieces.push({ text: prompt.slice(from, at) }, { text: `@${reference}`, reference });
    from = end;
    at = end - 1;
  }
  pieces.push({ text: prompt.slice(from) });
  return pieces.filter(({ text }) => text.trim() !== '');
}

/** Where a reference ends: at a space or a sign, but for what is quoted or stands behind a backslash. */
function referenceEnd(prompt: string, from: number): number {
  let at = from;
  while (at < prompt.length) {
    const character = prompt[at] ?? '';
    const next = prompt[at + 1] ?? ' ';
    const quote = character === '"' ? prompt.indexOf('"', at + 1) : -1;
    if (quote !== -1) at = quote + 1;
    else if (character === '\\' && at + 1 < prompt.length && !/[\n\r\u2028\u2029]/.test(next)) at += 2;
    else if (/[ \t\n\r,;!?()[\]{}]/.test(character)) break;
    else if (character === '.' && /[ \t\n\r]/.test(next)) break;
    else at++;
  }
  return at;
}

/** The prompt again, with the paths that were found. */
function joined(pieces: readonly Piece[], resolved: readonly Resolved[]): string {
  let text = '';
  for (const piece of pieces) {
    const { spec } = resolved.find((one) => one.piece === piece) ?? {};
    if (piece.reference !== undefined && text !== '' && !text.endsWith(' ')) text += ' ';
    text += spec === undefined ? piece.text : `@${spec}`;
  }
  return text.trim();
}

function agentNote(agents: readonly string[]): Part {
  const tools = agents.map((name) => `'${name}'`).join(', ');
  return {
    text: `\n<system_note>\nThe user has explicitly selected the following agent(s): ${agents.join(', ')}. Please use the following tool(s) to delegate the task: ${tools}.\n</system_note>\n`,
  };
}

/** A file or folder of that path, else the first file that has the reference in its path. */
function resolveReference(piece: Piece, workspace: Workspace, rules: IgnoreRules): Resolved[] {
  const { reference = '' } = piece;
  if (rules.isIgnored(reference, 'git') || rules.isIgnored(reference, 'gemini')) return [];
  const direct = workspace.folders
    .map((folder) => resolve(folder, reference))
    .flatMap((path) => (workspace.problemOf(path) === undefined ? [{ path, stats: statOf(path) }] : []))
    .find(({ stats }) => stats !== undefined);
  if (direct !== undefined) {
    const { path, stats } = direct;
    const isFolder = stats?.isDirectory() === true;
    const name = isAbsolute(reference) ? pathFrom(workspace, path) : reference;
    return [{ piece, path, isFolder, spec: isFolder ? join(name, '**') : name, label: name }];
  }
  const [found] = findMatching(workspace.folders, `**/*${reference}*`, rules).found;
  if (found === undefined) return [];
  const path = realPath(found);
  const spec = relative(workspace.root, path);
  return [{ piece, path, isFolder: false, spec, label: isAbsolute(reference) ? spec : reference }];
}

function pathFrom({ folders }: Workspace, path: string): string {
  const folder = folders.find((candidate) => isBelow(candidate, path));
  return folder === undefined ? path : relative(folder, path);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
