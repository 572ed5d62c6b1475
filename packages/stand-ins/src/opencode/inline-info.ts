import { isAbsolute, relative } from 'node:path';
import { isObject } from '@understudy/kit';
import type { ToolCall } from '../shared/play-turn.js';

/** How the default format shows a call: one line, or a block with a body. */
interface InlineInfo {
  mark: string;
  title: string;
  note?: string;
  body?: string;
}

const TODO_MARKS: Record<string, string> = { completed: '✓', in_progress: '•', cancelled: '✗' };

export function inlineInfo(
  name: string,
  input: ToolCall['input'],
  { text, metadata }: ToolCall['result'],
  cwd: string,
): InlineInfo {
  const said = (key: string): string => (typeof input[key] === 'string' ? input[key] : '');
  const path = isAbsolute(said('filePath')) ? relative(cwd, said('filePath')) : said('filePath');
  switch (name) {
    case 'bash':
      return { mark: '$', title: said('command'), body: text.trim() };
    case 'read':
      return { mark: '→', title: `Read ${path}`, note: argumentsIn(input) };
    case 'write':
      return { mark: '←', title: `Write ${path}`, body: text.trim() };
    case 'edit':
      return { mark: '←', title: `Edit ${path}`, body: String(metadata?.['diff'] ?? text) };
    case 'glob':
      return { mark: '✱', title: `Glob "${said('pattern')}"` };
    case 'grep':
      return { mark: '✱', title: `Grep "${said('pattern')}"` };
    case 'todowrite':
      return { mark: '#', title: 'Todos', body: todosIn(input) };
    case 'invalid':
      return { mark: '✗', title: 'Invalid Tool', body: text };
    default:
      return { mark: '⚙', title: `${name} ${Object.keys(input).length === 0 ? 'Unknown' : JSON.stringify(input)}` };
  }
}

function argumentsIn(input: ToolCall['input']): string {
  const given = ['offset', 'limit'].filter((key) => input[key] !== undefined).map((key) => `${key}=${input[key]}`);
  return given.length === 0 ? '' : `[${given.join(', ')}]`;
}

function todosIn({ todos }: ToolCall['input']): string {
  return (Array.isArray(todos) ? todos.filter(isObject) : [])
    .map(({ status, content }) => `[${TODO_MARKS[String(status)] ?? ' '}] ${content}`)
    .join('\n');
}
