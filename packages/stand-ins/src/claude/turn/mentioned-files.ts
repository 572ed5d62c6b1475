import { readdirSync, statSync } from 'node:fs';
import { deniedFile, fullPath } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { Session } from '../session/session.js';
import { toolContext } from '../tool-use/use-tool.js';
import type { ToolRun } from '../tools/live-tool.js';

/** The files and folders that a prompt names with an @: what the CLI sends the model of them, as if it had used a tool. */
export async function sendMentioned(session: Session, text: string): Promise<string[]> {
  const told: string[] = [];
  const seen = new Set<string>();
  for (const mention of mentionedFiles(text)) {
    const path = fullPath(session.folder, mention.file);
    if (seen.has(path)) continue;
    seen.add(path);
    if (deniedFile('Read', { file_path: mention.file }, session.permissionContext()) !== undefined) continue;
    const shown = await show(session, path, mention);
    if (shown === undefined) continue;
    told.push(...shown);
    session.atWork.touched.push(path);
  }
  return told;
}

async function show(session: Session, path: string, mention: Mention): Promise<string[] | undefined> {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined) return undefined;
  if (about.isDirectory()) {
    const input = { command: `ls ${path}`, description: `Lists files in ${path}` };
    return asUse('Bash', input, readdirSync(path).sort().join('\n'));
  }
  const { read } = await import('../tools/read.js');
  const { first, last } = mention;
  const lines = first === undefined ? {} : { offset: first, limit: (last ?? first) - first + 1 };
  const input = { file_path: path };
  const context = toolContext(session, new AbortController().signal);
  if (read.check?.(input, context) !== undefined) return undefined;
  const { content } = await read
    .run({ ...input, ...lines }, context)
    .catch((): Pick<ToolRun, 'content'> => ({ content: [] }));
  return typeof content === 'string' ? asUse('Read', input, content) : undefined;
}

function asUse(tool: string, input: JsonObject, result: string): string[] {
  return [
    `Called the ${tool} tool with the following input: ${JSON.stringify(input)}`,
    `Result of calling the ${tool} tool:\n${result}`,
  ];
}

/** A file that a prompt names, perhaps with the lines that are meant. */
interface Mention {
  file: string;
  first?: number;
  last?: number;
}

/** The names of files in a prompt: `@a.txt`, `@"a b.txt"`, `@a.txt#L2-3`. A mark behind a name does not belong to it. */
function mentionedFiles(prompt: string): Mention[] {
  return [...prompt.matchAll(/(?<=^|\s)@(?:"([^"]+)"|(\S*[\w/~]))/g)].map(([, quoted, bare = '']) => {
    const [, file = '', first, last] = /^(.*?)(?:#L(\d+)(?:-L?(\d+))?)?$/s.exec(quoted ?? bare) ?? [];
    if (first === undefined) return { file };
    return { file, first: Number(first), ...(last === undefined ? {} : { last: Number(last) }) };
  });
}
