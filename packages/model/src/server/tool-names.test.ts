import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameTools } from '@understudy/script';
import { afterAll, describe, expect, it } from 'vitest';
import { asShellCommand } from './shell-fallback.js';
import { translateCall } from './tool-names.js';
import type { OfferedTool } from './wire/protocol.js';

const tool = (name: string, properties: string[], required: string[] = []): OfferedTool => ({
  name,
  description: '',
  properties: new Set(properties),
  required,
});

const claude = [
  tool('Bash', ['command', 'description']),
  tool('Write', ['file_path', 'content']),
  tool('Edit', ['file_path', 'old_string', 'new_string', 'replace_all']),
];
const opencode = [
  tool('write', ['filePath', 'content'], ['filePath', 'content']),
  tool('grep', ['pattern', 'path', 'include']),
];
const gemini = [
  tool('write_file', ['file_path', 'content']),
  tool(
    'replace',
    ['file_path', 'old_string', 'new_string', 'instruction', 'allow_multiple'],
    ['file_path', 'instruction'],
  ),
  tool('read_file', ['file_path', 'start_line', 'end_line']),
  tool('glob', ['pattern', 'dir_path']),
];
const codex = [tool('exec_command', ['cmd'])];

function translate(name: string, input: Record<string, unknown>, offered: OfferedTool[], folder = '/w') {
  const called = translateCall(name, input, offered, folder);
  return called && [called.tool.name, called.input];
}

describe('a generic tool', () => {
  it('gets the name and the arguments of the agent at hand', () => {
    const write = { path: 'a.txt', content: 'x' };
    expect(translate('write', write, claude)).toEqual(['Write', { file_path: '/w/a.txt', content: 'x' }]);
    expect(translate('write', write, opencode)).toEqual(['write', { filePath: '/w/a.txt', content: 'x' }]);
    expect(translate('write', write, gemini)).toEqual(['write_file', { file_path: '/w/a.txt', content: 'x' }]);
    expect(translate('write', write, codex)).toEqual([
      'exec_command',
      { cmd: "mkdir -p /w && printf '%s' x > /w/a.txt" },
    ]);
  });

  it('keeps an absolute path, and a relative one where no folder is known', () => {
    expect(translate('write', { path: '/etc/a', content: '' }, claude)).toEqual([
      'Write',
      { file_path: '/etc/a', content: '' },
    ]);
    expect(translateCall('write', { path: 'a', content: '' }, claude)?.input).toEqual({ file_path: 'a', content: '' });
  });

  it('fills in what an agent insists on, and turns a count into a last line', () => {
    expect(translate('edit', { path: '/a', old: 'x', new: 'y', all: true }, gemini)).toEqual([
      'replace',
      { file_path: '/a', old_string: 'x', new_string: 'y', allow_multiple: true, instruction: 'as scripted' },
    ]);
    expect(translate('read', { path: '/a', offset: 3, limit: 2 }, gemini)).toEqual([
      'read_file',
      { file_path: '/a', start_line: 3, end_line: 4 },
    ]);
    expect(translate('glob', { pattern: '*', path: '/a' }, gemini)).toEqual(['glob', { pattern: '*', dir_path: '/a' }]);
  });
});

describe('a tool by its own name', () => {
  it('is called as it is', () => {
    expect(translate('Write', { file_path: 'a', extra: 1 }, claude)).toEqual(['Write', { file_path: 'a', extra: 1 }]);
    expect(translate('write', { filePath: 'a', content: '' }, opencode)).toEqual([
      'write',
      { filePath: 'a', content: '' },
    ]);
  });

  it('of another agent is understood', () => {
    expect(translate('Write', { file_path: 'a', content: 'x' }, gemini)).toEqual([
      'write_file',
      { file_path: '/w/a', content: 'x' },
    ]);
    expect(translate('Bash', { command: 'ls' }, codex)).toEqual(['exec_command', { cmd: 'ls' }]);
  });

  it('is not done in the shell when the agent lacks it: whoever names it so wants to see it', () => {
    expect(translate('Grep', { pattern: 'x' }, claude)).toBeUndefined();
    expect(translate('grep', { pattern: 'x' }, claude)).toEqual(['Bash', { command: 'grep -rnE -e x .' }]);
  });

  it('that nobody has is not offered', () => {
    expect(translate('Teleport', {}, claude)).toBeUndefined();
    expect(translate('write', { path: 'a' }, [tool('Other', [])])).toBeUndefined();
  });
});

describe('in the shell', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shell-fallback-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (generic: Parameters<typeof asShellCommand>[0], input: Record<string, unknown>) =>
    execFileSync('/bin/sh', ['-c', asShellCommand(generic, input) ?? 'false'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const path = join(folder, "it's a folder/file $HOME.txt");
  const content = 'a "quoted" line\nit\'s $5 \\n\n\tthird%s\n';

  it('writes, reads and edits exactly', () => {
    run('write', { path, content });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(run('read', { path })).toBe(content);
    expect(run('read', { path, offset: 2, limit: 1 })).toBe("it's $5 \\n\n");
    expect(run('read', { path, offset: 3 })).toBe('\tthird%s\n');
    run('edit', { path, old: '$5 \\n', new: '$6/@x' });
    expect(readFileSync(path, 'utf8')).toBe(content.replace('$5 \\n', () => '$6/@x'));
    expect(() => run('edit', { path, old: 'not there', new: '' })).toThrow();
  });

  it('replaces once, or everywhere', () => {
    const file = join(folder, 'twice.txt');
    writeFileSync(file, 'a.a');
    run('edit', { path: file, old: 'a', new: 'b' });
    expect(readFileSync(file, 'utf8')).toBe('b.a');
    writeFileSync(file, 'a.a');
    run('edit', { path: file, old: 'a', new: 'b', all: true });
    expect(readFileSync(file, 'utf8')).toBe('b.b');
  });

  it('finds files by glob and by content', () => {
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    writeFileSync(join(folder, 'src/deep/a.ts'), 'one\ntwo');
    writeFileSync(join(folder, 'src/b.tsx'), 'two');
    expect(run('glob', { pattern: '**/*.ts' })).toBe('./src/deep/a.ts\n');
    expect(run('glob', { pattern: 'src/?.ts*' })).toBe('./src/b.tsx\n');
    expect(run('grep', { pattern: 'tw(o|x)', include: '*.ts' })).toBe('./src/deep/a.ts:2:two\n');
  });
});

it('finds the tool of an MCP server by its full name, too', () => {
  const echo = { name: 'echo', description: '', properties: new Set(['text']), required: [], namespace: 'mcp__s' };
  expect(translateCall('mcp__s__echo', { text: 'x' }, [echo])).toEqual({ tool: echo, input: { text: 'x' } });
  expect(translateCall('mcp__t__echo', { text: 'x' }, [echo])).toBeUndefined();
});

it('knows the names that the definition of an agent adds', () => {
  const own = [tool('jot', ['where', 'what'])];
  const write = { path: 'a.txt', content: 'x' };
  expect(translate('write', write, own)).toBeUndefined();
  nameTools({ tools: { write: 'jot' }, arguments: { path: 'where', content: 'what' } });
  expect(translate('write', write, own)).toEqual(['jot', { where: '/w/a.txt', what: 'x' }]);
  expect(translate('jot', { where: 'a.txt', what: 'x' }, claude)).toEqual([
    'Write',
    { file_path: '/w/a.txt', content: 'x' },
  ]);
});
