import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type Part, readForModel, sizeLimit } from '../files/file-content.js';
import { IgnoreRules } from '../files/ignore-rules.js';
import type { Workspace } from '../files/workspace.js';
import { NotSupported } from '../options.js';
import type { Streams } from '../view.js';
import { injectionsIn } from './injections.js';

interface FileContext {
  /** The command as it was called. */
  called: string;
  workspace: Workspace;
  streams: Streams;
}

/** Puts files into a prompt where `@{…}` names them. */
export function injectFiles(parts: readonly Part[], command: string, context: FileContext): Part[] {
  return parts.flatMap((part) => {
    if (!('text' in part)) return [part];
    const { text } = part;
    let from = 0;
    const all: Part[] = [];
    for (const { content, start, end } of injectionsIn(text, '@{', command)) {
      all.push({ text: text.slice(from, start) }, ...fileParts(content, context));
      from = end;
    }
    return [...all, { text: text.slice(from) }].filter((one) => !('text' in one) || one.text !== '');
  });
}

function fileParts(given: string, { called, workspace, streams }: FileContext): Part[] {
  const path = pathOf(given, workspace);
  if (typeof path !== 'string') {
    const problem = `Failed to inject content for '@{${given}}': ${path.problem}`;
    streams.error(`Error while loading custom command (${called}) ${problem}. Leaving placeholder in prompt.\n`);
    streams.error(`Error: ${problem}\n`);
    return [{ text: `@{${given}}` }];
  }
  const stats = statSync(path);
  if (stats.isDirectory()) throw new NotSupported(`a folder in a command (@{${given}})`);
  if (sizeLimit(path, stats.size) !== undefined) throw new NotSupported(`a huge file in a command (@{${given}})`);
  if (new IgnoreRules(workspace.root).isIgnored(path, 'both')) {
    streams.out(`File '@{${given}}' was ignored by .gitignore or .geminiignore and was not included in the prompt.\n`);
    return [];
  }
  const content = readForModel(path, workspace.root);
  return ['part' in content ? content.part : { text: content.text }];
}

function pathOf(given: string, workspace: Workspace): string | { problem: string } {
  const isInside = (path: string): boolean => workspace.problemOf(path) === undefined;
  if (isAbsolute(given))
    return isInside(given) && existsSync(given)
      ? given
      : { problem: `Absolute path is outside of the allowed workspace: ${given}` };
  const path = workspace.folders
    .map((folder) => resolve(folder, given))
    .find((candidate) => isInside(candidate) && existsSync(candidate));
  return path ?? { problem: `Path not found in workspace: ${given}` };
}
