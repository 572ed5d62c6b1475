import { ANSWERED, calling, JSON_RUN, type OpenCodeCase, settings, TEXT_RUN } from './opencode-case.js';

const told = (name: string, args: string[], more: Partial<OpenCodeCase>): OpenCodeCase => ({
  ...{ name, args, told: true },
  ...ANSWERED,
  ...more,
});

/** What the model is told: instructions, prompts of agents, skills, files. */
export const OPENCODE_TOLD_CASES: readonly OpenCodeCase[] = [
  told('told: a message', [...JSON_RUN, 'hello', 'there you', 'say "x y"'], {}),
  told('told: AGENTS.md of the project and the user', [...JSON_RUN, 'hi'], {
    files: { 'AGENTS.md': 'Be brief.\n', 'CLAUDE.md': 'Be long.\n' },
    home: { '.config/opencode/AGENTS.md': 'Be kind.\n', '.claude/CLAUDE.md': 'Be rude.\n' },
  }),
  told('told: instructions of the folders above', [...JSON_RUN, 'hi'], {
    git: true,
    folder: 'a/b',
    files: { 'AGENTS.md': 'Top.', 'a/AGENTS.md': 'A.', 'a/b/AGENTS.md': 'B.', 'a/b/c.txt': 'c\n' },
    home: { 'AGENTS.md': 'Outside.', '.claude/CLAUDE.md': 'Of the user.' },
  }),
  told('told: instructions of the folders above, without a repository', [...JSON_RUN, 'hi'], {
    folder: 'a',
    files: { 'CLAUDE.md': 'Top.', 'a/CONTEXT.md': 'Not this.' },
    home: { 'CLAUDE.md': 'Outside.' },
  }),
  told('told: instructions of the settings', [...JSON_RUN, 'hi'], {
    folder: 'a',
    files: {
      'opencode.json': JSON.stringify({ instructions: ['docs/*.md', 'none.md', '~/own.md'] }),
      'a/opencode.jsonc': '{ "instructions": ["rules.txt"], /* */ }',
      'docs/one.md': 'One.\n',
      'a/docs/two.md': 'Two.\n',
      'a/rules.txt': 'Rules.\n',
    },
    home: { 'own.md': 'Own.\n' },
  }),
  told('told: instructions beside a file that is read', [...JSON_RUN, 'hi'], {
    files: { 'AGENTS.md': 'Top.', 'sub/AGENTS.md': 'Sub.', 'sub/deep/f.txt': 'data\n' },
    ...calling(['read', { filePath: 'sub/deep/f.txt' }], ['read', { filePath: 'sub/deep/f.txt' }]),
  }),
  told('told: files of the command line', [...JSON_RUN, '-f', 'a.txt', '-f', 'sub', '--', 'look', '@a.txt'], {
    files: { 'a.txt': 'AAA\n', 'sub/b.txt': 'B\n' },
  }),
  told('told: skills', [...JSON_RUN, 'hi'], {
    files: {
      '.opencode/skill/s/SKILL.md': '---\nname: s\ndescription: Does s\n---\nBody of s',
      '.claude/skills/c/SKILL.md': '---\nname: c\ndescription: Does c\n---\nBody',
    },
    home: { '.agents/skills/a/SKILL.md': '---\nname: a\ndescription: Does a\n---\nBody' },
  }),
  told('told: an agent of the project', [...TEXT_RUN, '--agent', 'writer', 'hi'], {
    files: {
      'AGENTS.md': 'Rules.',
      '.opencode/agent/writer.md':
        '---\ndescription: Writes.\nmode: primary\nmodel: fake/other-model\ntools:\n  bash: false\n  write: false\npermission:\n  webfetch: deny\n---\nYou write.\n',
    },
  }),
  told('told: an agent of settings with references', [...TEXT_RUN, '--agent', 'w', 'hi'], {
    files: { ...settings({ agent: { w: { prompt: 'In {env:HOME} {file:./p.txt}' } } }), 'p.txt': 'from "a file"\n' },
  }),
  told('told: an agent of a folder above', [...TEXT_RUN, '--agent', 'w', 'hi'], {
    git: true,
    folder: 'pkg',
    files: {
      'opencode.json': '{"agent":{"w":{"prompt":"Settings"}},"model":"fake/nope"}',
      'pkg/opencode.jsonc': '{"model":"fake/other-model"}',
      '.opencode/agent/w.md': 'Root',
      'pkg/.opencode/agent/w.md': 'Package',
    },
  }),
  told('told: a mode', [...TEXT_RUN, '--agent', 'm', 'hi'], { files: { '.opencode/mode/m.md': 'Mode prompt' } }),
  told('told: the agent by default', [...TEXT_RUN, 'hi'], {
    files: { ...settings({ default_agent: 'w' }), '.opencode/agents/w.md': 'You write.' },
  }),
  {
    name: 'an agent by default that is not there',
    args: [...JSON_RUN, 'hi'],
    files: settings({ default_agent: 'w' }),
    ...ANSWERED,
  },
  {
    name: 'an agent that is switched off',
    args: [...TEXT_RUN, '--agent', 'plan', 'hi'],
    files: settings({ agent: { plan: { disable: true } } }),
    ...ANSWERED,
  },
  {
    name: 'files that OpenCode leaves in a project',
    args: [...TEXT_RUN, 'hi'],
    files: {
      'opencode.jsonc': '// ours\n{ "username": "me" }\n',
      'sub/opencode.json': '{ "username": "me" }',
      '.opencode/agent/w.md': 'W',
    },
    folder: 'sub',
    ...calling(['bash', { command: 'cat opencode.json ../opencode.jsonc ../.opencode/.gitignore' }]),
  },
  {
    name: 'settings that are no JSON',
    args: [...TEXT_RUN, 'hi'],
    files: { 'opencode.json': '{ "model": ' },
    onlyCode: true,
    ...ANSWERED,
  },
  {
    name: 'instructions that are no list',
    args: [...TEXT_RUN, 'hi'],
    files: settings({ instructions: 'x.md' }),
    ...ANSWERED,
  },
  {
    name: 'a permission that there is not',
    args: [...JSON_RUN, 'hi'],
    files: settings({ permission: { bash: 'maybe' } }),
    ...ANSWERED,
  },
  {
    name: 'an agent with a wrong mode',
    args: [...TEXT_RUN, 'hi'],
    files: { '.opencode/agent/w.md': '---\nmode: bogus\n---\nx' },
    ...ANSWERED,
  },
  {
    name: 'a setting that nobody knows',
    args: [...TEXT_RUN, 'hi'],
    files: settings({ bogus: 1, permissions: { bash: 'deny' } }),
    ...ANSWERED,
  },
];
