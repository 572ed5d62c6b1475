import { dirname } from 'node:path';
import { type JsonObject, shellWord } from '@understudy/kit';
import type { GenericTool } from '@understudy/script';

/**
 * The shell command for a generic tool, for agents without such a tool (Codex writes files in its shell, Claude Code
 * on Linux searches in it). It uses POSIX tools, and perl to edit.
 */
export function asShellCommand(generic: GenericTool, input: JsonObject): string | undefined {
  const text = (key: string): string | undefined => (input[key] === undefined ? undefined : String(input[key]));
  const path = text('path');
  switch (generic) {
    case 'shell':
      return text('command');
    case 'read':
      return path === undefined ? undefined : readCommand(path, input);
    case 'write':
      if (path === undefined) return undefined;
      return `mkdir -p ${shellWord(dirname(path))} && printf '%s' ${shellWord(text('content') ?? '')} > ${shellWord(path)}`;
    case 'edit':
      return path === undefined
        ? undefined
        : editCommand(path, text('old') ?? '', text('new') ?? '', input['all'] === true);
    case 'glob':
      return `find ${shellWord(path ?? '.')} -type f | grep -E ${shellWord(`(^|/)${globAsRegex(text('pattern') ?? '*')}$`)}`;
    case 'grep': {
      const include = text('include');
      const only = include === undefined ? '' : ` --include=${shellWord(include)}`;
      return `grep -rnE${only} -e ${shellWord(text('pattern') ?? '')} ${shellWord(path ?? '.')}`;
    }
  }
}

function readCommand(path: string, input: JsonObject): string {
  const first = Number(input['offset'] ?? 1);
  if (input['limit'] === undefined)
    return first > 1 ? `tail -n +${first} ${shellWord(path)}` : `cat ${shellWord(path)}`;
  return `sed -n ${first},${first + Number(input['limit']) - 1}p ${shellWord(path)}`;
}

/** Fails if the old text is missing, as the agents' own tools do. */
function editCommand(path: string, before: string, after: string, all: boolean): string {
  const program = `$n = s/\\Q$ENV{OLD}\\E/$ENV{NEW}/${all ? 'g' : ''}; END { exit 1 unless $n }`;
  return `OLD=${shellWord(before)} NEW=${shellWord(after)} perl -0777 -i -pe ${shellWord(program)} ${shellWord(path)}`;
}

function globAsRegex(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|\*|\?|[.+^$()[\]{}|\\]/g, (sign) => {
    if (sign === '**/') return '(.*/)?';
    if (sign === '**') return '.*';
    if (sign === '*') return '[^/]*';
    return sign === '?' ? '[^/]' : `\\${sign}`;
  });
}
