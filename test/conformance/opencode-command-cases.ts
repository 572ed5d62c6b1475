import { ANSWERED, JSON_RUN, type OpenCodeCase, settings, TEXT_RUN } from './opencode-case.js';

const command = (name: string, args: string[], more: Partial<OpenCodeCase>): OpenCodeCase => ({
  ...{ name: `command: ${name}`, args: [...JSON_RUN, '--command', ...args], told: true },
  ...ANSWERED,
  ...more,
});

const file = (text: string, path = 'go'): Record<string, string> => ({ [`.opencode/command/${path}.md`]: text });

const failing = (name: string, args: string[], files: Record<string, string>): OpenCodeCase => ({
  ...{ name: `command: ${name}`, args, files },
  ...ANSWERED,
});

/** Commands of users and projects. */
export const OPENCODE_COMMAND_CASES: readonly OpenCodeCase[] = [
  command('with arguments', ['go', 'one', 'two three', 'four', 'five'], {
    files: file('---\ndescription: Go\n---\nAll: $ARGUMENTS\n1: $1 2: $2 3: $3\n'),
  }),
  command('that has no place for its arguments', ['go', 'one', 'two'], { files: file('Just do it\n') }),
  command('without arguments', ['go'], { files: file('Do $1 and $2 [$ARGUMENTS]\n') }),
  command('with a shell', ['go', 'x'], { files: file('Out: !`echo hi $1; pwd; echo no >&2` and !`exit 3`.\n') }),
  command('with a file', ['go', 'one'], {
    git: true,
    files: {
      ...file('See @a.txt and @none.txt, `@b.txt` x@b.txt'),
      ...{ 'a.txt': 'AAA\n', 'b.txt': 'B\n' },
    },
  }),
  command('with a folder', ['go'], { git: true, files: { ...file('See @./sub, please.'), 'sub/c.txt': 'C\n' } }),
  command('with a subagent', ['go'], { git: true, files: file('Ask @explore about @build.') }),
  command('with files, without a repository', ['go'], { files: { ...file('See @a.txt'), 'a.txt': 'AAA\n' } }),
  command('with an agent and a model', ['go'], {
    args: [...TEXT_RUN, '--command', 'go'],
    files: {
      ...file('---\nagent: writer\nmodel: fake/other-model\n---\nDo it'),
      '.opencode/agent/writer.md': '---\nmode: primary\n---\nYou write.',
    },
  }),
  command('with an agent that has a model', ['go', '-m', 'fake/fake-model'], {
    args: [...TEXT_RUN, '--command', 'go', '-m', 'fake/fake-model'],
    files: { ...file('---\nagent: w\n---\nDo it'), '.opencode/agent/w.md': '---\nmodel: fake/other-model\n---\nW' },
  }),
  command('of the settings', ['go', 'x'], { files: settings({ command: { go: { template: 'Set $ARGUMENTS' } } }) }),
  command('of the user', ['go', 'x'], { home: { '.config/opencode/commands/go.md': 'Home $ARGUMENTS' } }),
  command('of the project and the user', ['go'], {
    files: file('Project'),
    home: { '.config/opencode/command/go.md': 'User' },
  }),
  command('in a folder', ['a/b', 'x'], { files: file('Nested $ARGUMENTS', 'a/b') }),
  command('with words in quotes', ['go', 'say "it now"', "and 'this'"], {
    files: file('1: $1\n2: $2\nAll: $ARGUMENTS'),
  }),
  failing('that is not there', [...JSON_RUN, '--command', 'go'], file('Do', 'other')),
  failing('that is not there, as text', [...TEXT_RUN, '--command', 'go'], {}),
  failing('with an agent that is not there', [...JSON_RUN, '--command', 'go'], file('---\nagent: nobody\n---\nDo')),
  {
    name: 'a message that looks like a command',
    args: [...JSON_RUN, '/go', 'x'],
    files: file('Do $ARGUMENTS'),
    told: true,
    ...ANSWERED,
  },
];
