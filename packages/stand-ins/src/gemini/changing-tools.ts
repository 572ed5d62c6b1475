import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { diffLines } from 'diff';
import { countOccurrences, replaceText, writeText } from '../shared/tools/files.js';
import type { LiveResult, ToolInput } from '../shared/tools/plain-tools.js';
import { ToolError, type ToolReport } from './tool-result.js';
import { realPath } from './workspace.js';

/** How many lines around a change are shown. */
const AROUND = 5;

/** Nobody can be asked about these, so they cannot be changed in any mode. */
const BUILD_FILES = new Set(
  (
    'BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel .bazelrc .blazerc Makefile makefile GNUmakefile ' +
    'CMakeLists.txt package.json package-lock.json pnpm-lock.yaml yarn.lock bun.lockb setup.py setup.cfg pyproject.toml ' +
    'go.mod go.sum Cargo.toml Cargo.lock pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts ' +
    'Dockerfile Containerfile'
  ).split(' '),
);
const BUILD_FILE_KINDS = new Set(['.bzl', '.bazel', '.bzlmod', '.mk', '.cmake']);

/** What becomes of a call that changes a file of a build, whoever would answer it. */
export function refusalOf(tool: string, input: ToolInput, root: string): LiveResult | undefined {
  const given = input['file_path'];
  if (!['write_file', 'replace'].includes(tool) || typeof given !== 'string') return undefined;
  const name = basename(realPath(resolve(root, given)));
  const isBuildFile =
    BUILD_FILES.has(name) ||
    /^(?:Docker|Container)file\./.test(name) ||
    BUILD_FILE_KINDS.has(extname(name).toLowerCase());
  if (!isBuildFile) return undefined;
  const text =
    'Tool execution denied by policy. Modifying build configuration files requires explicit user confirmation';
  return { text, isError: true, shown: text, errorType: 'policy_violation' };
}

/** `write_file` */
export function writeFile(path: string, { content }: ToolInput): ToolReport {
  const written = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const before = withPlainEnds(written ?? '');
  const after = String(content ?? '');
  writeText(path, withEndsOf(written ?? '', after));
  const did = written === undefined ? 'created and wrote to new' : 'overwrote';
  return {
    text: `Successfully ${did} file: ${path}. Here is the updated code:\n${changedPart(before, after)}`,
    lines: countLines(before, after),
  };
}

/** `replace` */
export function replace(path: string, { old_string, new_string, allow_multiple }: ToolInput): ToolReport {
  const old = String(old_string ?? '');
  const now = String(new_string ?? '');
  if (old === '' && !existsSync(path)) {
    writeText(path, now);
    const text = `Created new file: ${path} with provided content. Here is the updated code:\n${now}`;
    return { text, shown: `Created ${basename(path)}` };
  }
  const missing = 'Error: File not found. Cannot apply edit. Use an empty old_string to create a new file.';
  if (!existsSync(path)) throw new ToolError('file_not_found', `File not found: ${path}`, missing);
  const written = readFileSync(path, 'utf8');
  const before = withPlainEnds(written);
  const found = countOccurrences(before, old);
  if (found === 0)
    throw new ToolError(
      'edit_no_occurrence_found',
      `Could not find an exact match for 'old_string' in '${path}'. If previous edits modified the file or you are modifying lines outside your recent read window, please use ReadFile to inspect the target lines before retrying with an exact 'old_string'.`,
      `Error: Could not find an exact match for old_string in '${path}'.`,
    );
  if (found > 1 && allow_multiple !== true)
    throw new ToolError(
      'edit_expected_occurrence_mismatch',
      `Failed to edit, Expected 1 occurrence but found ${found} for old_string in file: ${path}. If you intended to replace multiple occurrences, set 'allow_multiple' to true.`,
      `Error: Failed to edit, expected 1 occurrence but found ${found}.`,
    );
  const after = replaceText(before, old, now, allow_multiple === true);
  writeText(path, withEndsOf(written, after));
  const text = `Successfully modified file: ${path} (${found} replacements). Here is the updated code:\n${changedPart(before, after)}`;
  return { text, lines: countLines(before, after) };
}

/** The lines of a file that have changed, and those around them. */
function changedPart(before: string, after: string): string {
  if (before === '' || before === after) return after;
  const lines = after.split('\n');
  const isShown = new Set<number>();
  let at = 0;
  for (const { added, removed, count = 0 } of diffLines(before, after)) {
    const length = removed ? 0 : count;
    if (added || removed) for (let line = at - AROUND; line < at + length + AROUND; line++) isShown.add(line);
    at += length;
  }
  const shown = lines.flatMap((line, index) => {
    if (isShown.has(index)) return [line];
    return index === 0 || isShown.has(index - 1) ? ['...'] : [];
  });
  return shown.join('\n');
}

function withPlainEnds(content: string): string {
  return content.replaceAll('\r\n', '\n');
}

/** A file keeps its line ends. */
function withEndsOf(written: string, content: string): string {
  return written.includes('\r\n') ? withPlainEnds(content).replaceAll('\n', '\r\n') : content;
}

function countLines(before: string, after: string): { added: number; removed: number } {
  const changes = diffLines(before, after);
  const total = (kind: 'added' | 'removed') =>
    changes.filter((change) => change[kind]).reduce((sum, { count }) => sum + (count ?? 0), 0);
  return { added: total('added'), removed: total('removed') };
}
