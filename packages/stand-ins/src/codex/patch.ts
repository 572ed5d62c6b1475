import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { formatPatch, structuredPatch } from 'diff';
import { NotSupported } from '../shared/refusal.js';
import { writeText } from '../shared/tools/files.js';
import type { FileChange, LiveResult } from '../shared/tools/plain-tools.js';
import { REFUSED } from './refused.js';

/** What a patch wants to do with one file. */
export interface PatchStep {
  kind: FileChange['kind'];
  path: string;
  /** The lines of an added file. */
  added: string[];
  hunks: Hunk[];
}

interface Hunk {
  /** A line that stands above the place. */
  context?: string;
  before: string[];
  after: string[];
}

/** A file before and after a patch; absent where there is none. */
interface ChangedFile extends FileChange {
  name: string;
  before?: string;
  after?: string;
}

class UnusablePatch extends Error {}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const KINDS = { Add: 'add', Delete: 'delete', Update: 'update' } as const;

/** Reads a patch. */
function readPatch(patch: string): PatchStep[] {
  const lines = patch.trim().split('\n');
  if (lines[0]?.trim() !== BEGIN)
    throw new UnusablePatch(`invalid patch: The first line of the patch must be '${BEGIN}'`);
  if (lines.at(-1)?.trim() !== END)
    throw new UnusablePatch(`invalid patch: The last line of the patch must be '${END}'`);
  const steps: PatchStep[] = [];
  for (const line of lines.slice(1, -1)) {
    const header = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line);
    const step = steps.at(-1);
    if (header !== null) {
      const kind = KINDS[header[1] as keyof typeof KINDS];
      steps.push({ kind, path: (header[2] ?? '').trim(), added: [], hunks: [] });
    } else if (step !== undefined) readLine(step, line);
  }
  return steps;
}

function readLine(step: PatchStep, line: string): void {
  if (line.startsWith('*** ')) throw new NotSupported(`${REFUSED.patch} ${line}`);
  if (step.kind === 'add') step.added.push(line.slice(1));
  else if (line.startsWith('@@')) {
    const context = line.slice(2).trim();
    step.hunks.push({ ...(context === '' ? {} : { context }), before: [], after: [] });
  } else {
    if (step.hunks.length === 0) step.hunks.push({ before: [], after: [] });
    const hunk = step.hunks.at(-1) as Hunk;
    if (!line.startsWith('+')) hunk.before.push(line.slice(1));
    if (!line.startsWith('-')) hunk.after.push(line.slice(1));
  }
}

/** Applies a patch in a folder, or returns why it cannot be applied; then nothing is changed. */
export function applyPatch(patch: string, cwd: string): LiveResult {
  let files: ChangedFile[];
  try {
    files = readPatch(patch).map((step) => changeOf(step, cwd));
  } catch (error) {
    if (!(error instanceof UnusablePatch)) throw error;
    return { text: `apply_patch verification failed: ${error.message}`, isError: true };
  }
  for (const { path, after } of files) {
    if (after === undefined) rmSync(path, { force: true });
    else writeText(path, after);
  }
  const letters = { add: 'A', update: 'M', delete: 'D' };
  const updated = (['add', 'update', 'delete'] as const).flatMap((kind) =>
    files.filter((file) => file.kind === kind).map(({ name }) => `${letters[kind]} ${name}\n`),
  );
  const sorted = files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    text: `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n${updated.join('')}`,
    isError: false,
    patch: {
      changes: sorted.map(({ path, kind }) => ({ path, kind })),
      diff: sorted.map((file) => diffOf(file, cwd)).join(''),
    },
  };
}

function changeOf(step: PatchStep, cwd: string): ChangedFile {
  const path = resolve(cwd, step.path);
  const file: ChangedFile = { path, name: step.path, kind: step.kind };
  if (step.kind === 'add') return { ...file, after: step.added.map((line) => `${line}\n`).join('') };
  const before = readToChange(path, step.kind);
  if (step.kind === 'delete') return { ...file, before };
  return { ...file, before, after: replaceHunks(before, step.hunks, path) };
}

function readToChange(path: string, kind: 'delete' | 'update'): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UnusablePatch(`Failed to read file to ${kind} ${path}: No such file or directory (os error 2)`);
  }
}

function replaceHunks(content: string, hunks: readonly Hunk[], path: string): string {
  const lines = content.replace(/\n$/, '').split('\n');
  let from = 0;
  for (const { context, before, after } of hunks) {
    if (context !== undefined) {
      const above = findLines(lines, [context], from);
      if (above < 0) throw new UnusablePatch(`Failed to find context '${context}' in ${path}`);
      from = above + 1;
    }
    const at = before.length === 0 ? lines.length : findLines(lines, before, from);
    if (at < 0) throw new UnusablePatch(`Failed to find expected lines in ${path}:\n${before.join('\n')}`);
    lines.splice(at, before.length, ...after);
    from = at + after.length;
  }
  return `${lines.join('\n')}\n`;
}

/** Where lines stand. Codex also takes lines with other spaces around them. */
function findLines(lines: readonly string[], wanted: readonly string[], from: number): number {
  const find = (same: (line: string) => string): number =>
    lines.findIndex(
      (_, at) =>
        at >= from &&
        at + wanted.length <= lines.length &&
        wanted.every((line, index) => same(lines[at + index] ?? '') === same(line)),
    );
  const at = find((line) => line);
  if (at < 0 && find((line) => line.trim()) >= 0) throw new NotSupported(`${REFUSED.patch} ${wanted[0]}`);
  return at;
}

/** The change of a file as git shows it. */
function diffOf({ path, kind, before, after }: ChangedFile, cwd: string): string {
  const name = relative(cwd, path);
  const mode = kind === 'add' ? 'new file mode 100644\n' : kind === 'delete' ? 'deleted file mode 100644\n' : '';
  const patch = structuredPatch(
    before === undefined ? '/dev/null' : `a/${name}`,
    after === undefined ? '/dev/null' : `b/${name}`,
    ...[before ?? '', after ?? '', undefined, undefined, { context: 3 }],
  );
  const [, , ...hunks] = formatPatch(patch)
    .split('\n')
    .filter((line) => !/^={3,}$/.test(line));
  const body = hunks.join('\n').replace(/^@@ .* @@$/gm, (head) => head.replace(/(\d+),1(?= )/g, '$1'));
  return `diff --git a/${name} b/${name}\n${mode}index ${blobName(before)}..${blobName(after)}\n--- ${patch.oldFileName}\n+++ ${patch.newFileName}\n${body}`;
}

/** The name of a file's content in git. */
function blobName(content: string | undefined): string {
  if (content === undefined) return '0'.repeat(40);
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
