import { describe, expect, it } from 'vitest';
import { type CommandDefinition, expandSlashCommand } from './slash-commands.js';

describe('a command', () => {
  const command = (body: string): CommandDefinition => ({
    name: 'c',
    kind: 'command',
    source: 'project',
    description: '',
    argumentHint: '',
    allowedTools: [],
    body,
  });
  const expand = (body: string, args: string): string =>
    expandSlashCommand(command(body), args, (line) => `ran ${line}`);

  it('is given its arguments, all or one by one', () => {
    expect(expand('all $ARGUMENTS, first $0, second $1', 'a b')).toBe('all a b, first a, second b');
    expect(expand('one $ARGUMENTS[1]', 'a b')).toBe('one b');
  });

  it('keeps what stands for an argument that is not there', () => {
    expect(expand('$0 $1 $ARGUMENTS[2] [$ARGUMENTS]', 'a')).toBe('a $1 $ARGUMENTS[2] [a]');
    expect(expand('only $1', 'a')).toBe('only $1\n\nARGUMENTS: a');
    expect(expand('$0 and $1', '"a b" c')).toBe('a b and c');
  });

  it('knows its arguments by their names', () => {
    const named = { ...command('[$first] [$firstly] [${first}] [$second]'), argumentNames: ['first', 'second'] };
    expect(expandSlashCommand(named, 'x', (line) => line)).toBe('[x] [$firstly] [${first}] []');
  });

  it('that asks for none gets them at its end', () => {
    expect(expand('body', 'a b')).toBe('body\n\nARGUMENTS: a b');
    expect(expand('body', '')).toBe('body');
  });

  it('runs what is in backquotes after an exclamation mark', () => {
    expect(expand('now: !`echo run`', '')).toBe('now: ran echo run');
  });

  it('runs a fenced block that begins with an exclamation mark, and no other', () => {
    expect(expand('a\n```!\none $0\ntwo\n```\nb', 'x')).toBe('a\nran one x\ntwo\nb');
    expect(expand('```sh\necho no\n```', '')).toBe('```sh\necho no\n```');
  });
});
