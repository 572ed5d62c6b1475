import { isAbsolute, normalize, relative } from 'node:path';
import type { ConversationEvent, EventOf } from '@understudy/agents';

/** A change of a file in one turn. */
export interface FileChange {
  turn: number;
  change: EventOf<'file_changed'>['change'];
  before?: string;
  after?: string;
}

/** What a conversation has to do with one file; paths are relative to the project. */
export interface FileContext {
  path: string;
  /** Turns in which the user named it. */
  mentionedByUser: number[];
  /** Turns in which the agent named it in its text. */
  mentionedByAgent: number[];
  /** Turns in which a tool read it. */
  read: number[];
  changes: FileChange[];
  /** It turned up somewhere: a prompt, a tool's input or result, a change. */
  seen: boolean;
}

const READERS = /^(read|read_file|read_many_files|fs_read|view|notebookread)$/i;
const PATH_KEYS = ['file_path', 'path', 'filePath', 'absolute_path', 'notebook_path', 'file'] as const;
/** A name with an extension, or a path: `src/app.ts`, `README.md`, `./x/y.py`. Not `e.g.` and not `1.5`. */
const FILE_NAME = /(?<![\w/.@-])(?:\.{0,2}\/)?(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/-])/g;

/** The files of a conversation, in the order in which they turned up. */
export function fileContext(events: readonly ConversationEvent[], cwd: string): FileContext[] {
  const files = new Map<string, FileContext>();
  const calls = new Map<string, EventOf<'tool_call'>>();
  const known: string[] = [];
  const at = (path: string): FileContext => {
    const name = relativeTo(cwd, path);
    let file = files.get(name);
    if (file === undefined) {
      file = { path: name, mentionedByUser: [], mentionedByAgent: [], read: [], changes: [], seen: false };
      files.set(name, file);
    }
    return file;
  };

  for (const event of events) {
    switch (event.type) {
      case 'prompt':
        known.push(event.text);
        for (const path of namesIn(event.text)) note(at(path).mentionedByUser, event.turn);
        break;
      case 'expansion':
        known.push(event.text);
        break;
      case 'tool_call':
        calls.set(event.id, event as EventOf<'tool_call'>);
        known.push(JSON.stringify(event.input));
        break;
      case 'tool_result': {
        known.push(event.text);
        const path = pathOf(calls.get(event.id)?.input);
        if (path !== undefined && event.status === 'ok' && READERS.test(event.tool)) note(at(path).read, event.turn);
        break;
      }
      case 'file_changed': {
        const { turn, change, before, after } = event;
        at(event.path).changes.push({
          turn,
          change,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        });
        break;
      }
      case 'text':
        for (const path of namesIn(event.text)) {
          const file = at(path);
          note(file.mentionedByAgent, event.turn);
          // By now it must have turned up somewhere: naming it first and reading it later is a guess.
          file.seen ||= known.some((text) => text.includes(file.path));
        }
        break;
      default:
        break;
    }
  }
  for (const file of files.values()) {
    file.seen ||= file.mentionedByUser.length > 0 || file.read.length > 0 || file.changes.length > 0;
  }
  return [...files.values()];
}

/** Files that the agent spoke of without having seen them anywhere. */
export function neverSeen(files: readonly FileContext[]): string[] {
  return files.filter(({ seen, mentionedByAgent }) => !seen && mentionedByAgent.length > 0).map(({ path }) => path);
}

function note(turns: number[], turn: number): void {
  if (turns.at(-1) !== turn) turns.push(turn);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(FILE_NAME)].map(([name]) => name);
}

function pathOf(input: Record<string, unknown> | undefined): string | undefined {
  for (const key of PATH_KEYS) {
    const value = input?.[key];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function relativeTo(cwd: string, path: string): string {
  const name = isAbsolute(path) ? relative(cwd, path) : normalize(path);
  return name.startsWith('..') ? path : name;
}
