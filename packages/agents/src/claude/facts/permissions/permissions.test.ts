import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../modes.js';
import type { CommandDefinition } from '../slash-commands.js';
import { readShellLine, splitWords } from './bash-command.js';
import { namesOf } from './command-forms.js';
import { decide } from './decide.js';
import type { PermissionContext } from './decision.js';
import { deniedFile } from './denied.js';
import { coversCommand, coversPath, coversUrl } from './match-rule.js';
import { addRules, isAboutTool, noRules, type PermissionRule, parseRule } from './rules.js';

const rule = (text: string): PermissionRule => {
  const parsed = parseRule(text, 'cliArg', '/project');
  if (parsed === undefined) throw new Error(`${text} is no rule`);
  return parsed;
};

function context(
  rules: { allow?: string[]; deny?: string[]; ask?: string[] },
  mode: PermissionContext['mode'] = 'default',
): PermissionContext {
  const all = noRules();
  for (const list of ['allow', 'deny', 'ask'] as const) addRules(all[list], rules[list] ?? [], 'cliArg', '/project');
  return { mode, rules: all, cwd: '/project', directories: ['/project'] };
}

const bash = (command: string, rules: Parameters<typeof context>[0] = {}, mode?: PermissionContext['mode']): string =>
  decide('Bash', { command }, context(rules, mode)).behavior;

describe('rules about commands', () => {
  it('compares many stars with a long command at once', () => {
    expect(coversCommand(rule(`Bash(${'*a'.repeat(30)}b)`), namesOf('a'.repeat(50_000)))).toBe(false);
    expect(coversCommand(rule('Bash(a*b*c)'), namesOf('axxbxxc'))).toBe(true);
    expect(coversCommand(rule('Bash(a*bc*c)'), namesOf('abc'))).toBe(false);
  });

  it.each([
    ['Bash(git *)', 'git push origin', true],
    ['Bash(git *)', 'git', true],
    ['Bash(git *)', 'gitk', false],
    ['Bash(npm run test:*)', 'npm run test -- x', true],
    ['Bash(npm run test:*)', 'npm run test:unit', false],
    ['Bash(npm test)', 'npm test', true],
    ['Bash(npm test)', 'npm test x', false],
    ['Bash(* --help)', 'git --help', true],
    ['Bash', 'anything', true],
  ])('%s on %s is %s', (text, command, covered) => {
    expect(coversCommand(rule(text), namesOf(command))).toBe(covered);
  });
});

it.each([
  'while ',
  "<<'A' ",
  '{a',
  '\\',
  '"',
  '$((',
  'cd a && ',
  'done < ',
  '@{a ',
  '; case ',
  'f() ',
  'sed s/a/b/ | ',
  '\n',
  '(',
  '$(',
  '"$(',
  '`',
  '<(a ',
  '<<A ',
  'nohup ',
  'env -i ',
  'setsid ',
  '\r',
])('reads a long line of %j at once', (part) => {
  for (const line of [part.repeat(5000), `while true; ${part.repeat(5000)}`])
    expect(bash(line, { deny: ['Bash(no:*)'], ask: ['Bash(no such *)'] })).toMatch(/^(?:allow|ask)$/);
});

it.each(['constructor', 'toString x', 'git constructor', 'git stash constructor', '__proto__', 'hasOwnProperty --x'])(
  'asks for %s, which no list has',
  (line) => expect(bash(line)).toBe('ask'),
);

it('does not look into the text of a heredoc', () => {
  const line = "cat > a.js <<'EOF'\nfunction f() { return [1, {a,b}] & 2; }\nEOF\nls";
  expect(bash(line, {}, 'acceptEdits')).toBe('allow');
  expect(decide('Bash', { command: line }, context({})).message).toContain('Output redirection');
  expect(bash(`echo "<<'EOF'"\nrm a.js`)).toBe('ask');
});

it('asks for changes in a folder that a command has changed to, whatever the mode', () => {
  for (const line of ['cd sub && touch x', 'mkdir a && cd a', 'cd sub && ls > out.txt']) {
    expect(bash(line, {}, 'acceptEdits')).toBe('ask');
  }
  expect(bash('cd . && touch x', {}, 'acceptEdits')).toBe('allow');
});

describe('rules about paths', () => {
  it.each([
    ['Read(//etc/**)', '/etc/hosts', true],
    ['Read(/src/**)', '/project/src/a.ts', true],
    ['Read(src/**)', '/project/src/deep/a.ts', true],
    ['Read(src/**)', '/other/src/a.ts', false],
    ['Read(*.env)', '/project/sub/x.env', true],
    ['Read(./secret.txt)', '/project/secret.txt', true],
    // As `secret.txt`: so does the real CLI (test/conformance/claude-paths.test.ts, `./x.txt`).
    ['Read(./secret.txt)', '/project/sub/secret.txt', true],
  ])('%s on %s is %s', (text, file, covered) => {
    expect(coversPath(rule(text), file, '/project')).toBe(covered);
  });
});

it.each([
  ['WebFetch(domain:a.test)', 'http://a.test/x', true],
  ['WebFetch(domain:a.test)', 'http://x.a.test/x', false],
  ['WebFetch(domain:*.a.test)', 'http://x.a.test/x', true],
  ['WebFetch(domain:A.test)', 'http://a.test', true],
  ['WebFetch(http://a.test)', 'http://a.test', false],
  ['WebFetch(domain:a.test)', 'no address', false],
])('%s on %s is %s', (text, url, covered) => {
  expect(coversUrl(rule(text), url)).toBe(covered);
});

it('takes mcp__server for all tools of that server, and no other', () => {
  expect(isAboutTool(rule('mcp__srv'), 'mcp__srv__echo')).toBe(true);
  expect(isAboutTool(rule('mcp__srv'), 'mcp__srv2__echo')).toBe(false);
});

describe('shell lines', () => {
  it('are split at operators that are not quoted', () => {
    expect(readShellLine(`echo "a && b" && ls; cat x | wc 2>&1`).commands.map(({ text }) => text)).toEqual([
      'echo "a && b"',
      'ls',
      'cat x',
      'wc 2>&1',
    ]);
  });

  it('tell the files that they write to', () => {
    expect(readShellLine('echo hi > a.txt 2>/dev/null >>b').commands[0]?.writesTo).toEqual(['a.txt', 'b']);
  });

  it('are nested where a command runs inside', () => {
    expect(readShellLine('echo $(rm x)').hidden).toBe('A nested command');
    expect(readShellLine("echo '$(rm x)'").hidden).toBeUndefined();
  });

  it('hide what only the shell can fill in, but for the home', () => {
    const hidden = (line: string) => readShellLine(line).hidden;
    expect(hidden('echo $HOME')).toBeUndefined();
    expect(hidden("echo '$X'")).toBeUndefined();
    expect(hidden('echo "$X"')).toBe('A variable');
    expect(hidden('echo $?')).toBe('A variable');
    expect(hidden('echo ${X:-a}')).toBe('A variable in braces');
    expect(hidden('X=1; echo $X')).toBe('A variable set');
  });

  it('never lose a quoted word', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z ;&|]+$/), { minLength: 1 }), (words) => {
        const quoted = words.map((word) => `'${word}'`).join(' ');
        expect(splitWords(quoted)).toEqual(words);
        expect(readShellLine(quoted).commands).toHaveLength(1);
      }),
    );
  });
});

describe('a decision', () => {
  it('lets commands look, and asks for those that change', () => {
    expect(bash('ls -la && git status')).toBe('allow');
    expect(bash('cat /etc/passwd')).toBe('ask');
    expect(bash('rm -rf x')).toBe('ask');
    expect(bash('touch x', {}, 'acceptEdits')).toBe('allow');
    expect(bash('touch /x', {}, 'acceptEdits')).toBe('ask');
  });

  it('denies a line of which one command is denied, in every mode', () => {
    expect(bash('ls; git push', { deny: ['Bash(git push:*)'] }, 'bypassPermissions')).toBe('deny');
    expect(bash('FORCE=1 git push', { deny: ['Bash(git push:*)'] })).toBe('deny');
  });

  it('lets no command ride along with an allowed one', () => {
    expect(bash('git status && curl x | sh', { allow: ['Bash(git *)'] })).toBe('ask');
    expect(bash('git log $(curl x)', { allow: ['Bash(git *)'] })).toBe('ask');
  });

  it('takes the name of a program with or without its quotes, and its arguments as they are written', () => {
    const allow = ['Bash(/plug/my tool:*)', 'Bash(npm run a:*)'];
    expect(['"/plug/my tool" x', "'/plug/my tool' x"].map((line) => bash(line, { allow }))).toEqual(['allow', 'allow']);
    // The real CLI asks wherever a space is escaped.
    expect(bash('"/plug"/my\\ tool x', { allow })).toBe('ask');
    expect(bash('"npm" run a', { allow })).toBe('allow');
    expect(bash('npm run "a"', { allow })).toBe('ask');
    expect(bash('"/plug/other tool" x', { allow })).toBe('ask');
  });

  it('asks where a rule asks, whatever is allowed', () => {
    expect(bash('"git" commit -m x', { allow: ['Bash'], ask: ['Bash(git commit:*)'] })).toBe('ask');
    expect(bash('git commit -m x', { allow: ['Bash'], ask: ['Bash(git commit:*)'] })).toBe('ask');
  });

  it('is no instead of a question in the mode that does not ask', () => {
    expect(decide('Write', { file_path: 'a' }, context({}, 'dontAsk')).behavior).toBe('deny');
    expect(decide('Write', { file_path: 'a' }, context({ allow: ['Edit(a)'] }, 'dontAsk')).behavior).toBe('allow');
  });

  it('takes path rules of Edit for all tools that edit', () => {
    expect(decide('Write', { file_path: 'src/a' }, context({ allow: ['Edit(src/**)'] })).behavior).toBe('allow');
  });

  it('takes a rule about the whole of Edit for Edit alone, and asks by it only where nothing else does', () => {
    const decided = (tool: string, rules: Parameters<typeof context>[0], mode?: PermissionMode) =>
      decide(tool, { file_path: 'a' }, context(rules, mode));
    expect(decided('Edit', { allow: ['Edit'] }).behavior).toBe('allow');
    expect(decided('Write', { allow: ['Edit'] }).behavior).toBe('ask');
    expect(decided('Write', { ask: ['Edit'] }, 'acceptEdits').behavior).toBe('allow');
    expect(decided('Edit', { ask: ['Edit'] }, 'acceptEdits').message).toContain('to use Edit');
    expect(decided('Edit', { ask: ['Edit'] }).message).toContain('to write to');
  });

  it('keeps files from tools by rules about paths, in every mode', () => {
    const denied = (tool: string, file: string, ...deny: string[]) =>
      deniedFile(tool, { file_path: file }, context({ deny }, 'bypassPermissions'));
    expect(denied('Write', 'src/a', 'Edit(src/**)')).toContain('in a directory that is denied');
    expect(denied('Write', 'a.txt', 'Read(a.txt)')).toContain('cannot be written');
    expect(denied('Edit', 'a.txt', 'Read(a.txt)')).toContain('cannot be edited');
    expect(denied('Read', 'a.txt', 'Read(a.txt)')).toContain('in a directory that is denied');
    expect(denied('Read', 'a.txt', 'Edit(a.txt)')).toBeUndefined();
    expect(denied('Bash', 'a.txt', 'Read(a.txt)')).toBeUndefined();
  });

  it('asks for a skill that brings permissions along, under whichever name', () => {
    const skill = (name: string, allowedTools: string[]): CommandDefinition => ({
      name: `demo:${name}`,
      aliases: [name],
      kind: 'skill',
      source: 'plugin',
      plugin: { id: 'demo@inline', name: 'demo', root: '/plug' },
      description: '',
      argumentHint: '',
      body: '',
      allowedTools,
    });
    const commands = [skill('plain', []), skill('strong', ['Write'])];
    const decided = (name: string, allow: string[] = []): string =>
      decide('Skill', { skill: name }, { ...context({ allow }), commands }).behavior;
    expect(decided('demo:plain')).toBe('allow');
    expect(['demo:strong', '/demo:strong', 'strong'].map((name) => decided(name))).toEqual(['ask', 'ask', 'ask']);
    expect(decided('demo:strong', ['Skill(demo:strong)'])).toBe('allow');
  });
});
