import { expect, it } from 'vitest';
import type { DeclaredComponent, DeclaredPlugin } from './declared/component.js';
import { reportPlugin } from './inspect.js';
import type { LoadedState } from './loaded/loaded-state.js';
import type { PluginReport } from './report.js';

const command: DeclaredComponent = { kind: 'command', names: ['a'], file: 'commands/a.md', hidesFromModel: false };
const hook: DeclaredComponent = {
  kind: 'hook',
  event: 'Stop',
  matcher: '',
  type: 'command',
  text: 'true',
  file: 'hooks/hooks.json',
};
const server: DeclaredComponent = { kind: 'server', name: 's', file: '.mcp.json', how: 'node s.js' };

function declared(...components: DeclaredComponent[]): DeclaredPlugin {
  return { root: '/p', name: 'p', components, issues: [], refusals: [], notes: [], notCompared: [] };
}

const listedHook = { event: 'Stop', matcher: '', type: 'command', commandText: 'true', pluginName: 'p@inline' };

const state: LoadedState = {
  version: '1.0.0',
  folders: ['/p'],
  plugins: [{ name: 'p', path: '/p' }],
  errors: [],
  commands: [{ name: 'p:a' }],
  agents: [],
  skills: [],
  hooks: [listedHook],
  servers: [{ name: 'plugin:p:s', status: 'connected' }],
  namesByFile: new Map(),
  listedAgents: new Map(),
  ran: [],
};

const all = declared(command, hook, server);
const failedOf = ({ components }: PluginReport) => components.find(({ status }) => status === 'failed');

it('is content when everything that is declared is there', () => {
  expect(reportPlugin(all, state)).toMatchObject({ ok: true, loaded: true, problems: [] });
});

it.each([
  ['a command', { commands: [] }, 'p:a'],
  ['a hook', { hooks: [] }, 'true'],
  ['a hook that an old CLI cannot list', { hooks: undefined }, 'true'],
  ['a hook of another plugin', { hooks: [{ ...listedHook, pluginName: 'q@inline' }] }, 'true'],
  ['a hook of another event', { hooks: [{ ...listedHook, event: 'SessionEnd' }] }, 'true'],
  ['a hook with another matcher', { hooks: [{ ...listedHook, matcher: 'Write' }] }, 'true'],
  ['a server', { servers: [] }, 'plugin:p:s'],
  ['a server that failed', { servers: [{ name: 'plugin:p:s', status: 'failed', error: 'boom' }] }, 'plugin:p:s'],
  ['a server that still starts', { servers: [{ name: 'plugin:p:s', status: 'pending' }] }, 'plugin:p:s'],
])('misses %s', (_what, missing, name) => {
  const report = reportPlugin(all, { ...state, ...missing } as LoadedState);
  expect(report.ok).toBe(false);
  expect(report.components.filter(({ status }) => status === 'failed').map((one) => one.name)).toEqual([name]);
});

it.each([
  ['npx -y some-server', { status: 'pending' }, /fetched from the network/, /^Install what it runs beforehand.*npx -y/],
  ['npx -y some-server', { status: 'failed', error: 'npm error code ENOTCACHED' }, /ENOTCACHED/, /^Install/],
  [
    'npx -y some-server',
    { status: 'failed', error: 'TypeError: x' },
    /TypeError/,
    /^Make it start. Try it by hand: npx/,
  ],
  ['node s.js', { status: 'pending' }, /in time$/, /^Make it answer sooner. Try it by hand: node s.js$/],
  [
    'https://x.test/mcp',
    { status: 'failed', error: 'x' },
    /x$/,
    /^Look whether this machine reaches https:\S+ .*\[mcp\.s\]/,
  ],
])('says what helps a server that does not come up: %s, %j', (how, found, reason, fix) => {
  const remote = { ...state, servers: [{ name: 'plugin:p:s', ...found }] };
  const component = failedOf(reportPlugin(declared({ ...server, how }), remote));
  expect(component).toMatchObject({
    reason: expect.stringMatching(reason),
    fix: expect.stringMatching(fix),
  });
  expect(component?.fix).not.toContain('by hand: http');
});

it('quotes the line of a hook that says why it died', () => {
  const stderr = 'Error: Bun not found. Please install Bun\n\nAfter installation, restart your terminal.\n';
  const ran = [{ event: 'Stop', command: 'true', exitCode: 1, stdout: '', stderr }];
  expect(failedOf(reportPlugin(declared(hook), { ...state, ran }))?.reason).toContain('code 1: Error: Bun not found');
});

it.each([
  ['without an exit code', { stdout: '' }, 'failed'],
  ['by a signal', { exitCode: 143, stdout: '' }, 'failed'],
  ['in the background, as it said', { stdout: '{"async": true}' }, 'loaded'],
])('fails a hook that the CLI waited for in vain: %s', (_how, run, status) => {
  const atPrompt = { ...hook, event: 'UserPromptSubmit' } as DeclaredComponent;
  const hooks = [{ ...listedHook, event: 'UserPromptSubmit' }];
  const ran = [{ event: 'UserPromptSubmit', command: 'true', stderr: '', ...run }];
  const { components } = reportPlugin(declared(atPrompt), { ...state, hooks, ran });
  expect(components.find(({ kind }) => kind === 'hook')?.status).toBe(status);
});

it('does not blame a hook for the end of the session', () => {
  const ran = [{ event: 'Stop', command: 'true', exitCode: 143, stdout: '', stderr: '' }];
  expect(failedOf(reportPlugin(declared(hook), { ...state, ran }))).toBeUndefined();
});

it('names the folder for what a server cannot write into the plugin', () => {
  const servers = [{ name: 'plugin:p:s', status: 'failed' as const, error: 'Read-only file system: /p/.venv' }];
  expect(failedOf(reportPlugin(declared(server), { ...state, servers }))?.fix).toContain('${CLAUDE_PLUGIN_DATA}');
});

it('takes the errors of the plugin, and not those of another', () => {
  const error = (plugin: string) => ({ ...state, errors: [{ plugin, message: 'Hook load failed: x' }] });
  expect(reportPlugin(all, error('p@inline'))).toMatchObject({
    ok: false,
    problems: [{ reason: 'Hook load failed: x' }],
  });
  expect(reportPlugin(all, error('inline[0]')).problems).toHaveLength(1);
  expect(reportPlugin(all, error('inline[1]')).ok).toBe(true);
  expect(reportPlugin(all, error('q@inline')).ok).toBe(true);
  expect(reportPlugin(all, state, ['from the list']).problems[0]?.reason).toBe('from the list');
});

it('fails all of a plugin that is not there, and says so when the CLI does not', () => {
  const report = reportPlugin(all, { ...state, plugins: [] });
  expect(report).toMatchObject({ ok: false, loaded: false, counts: { hook: { loaded: 0, failed: 1 } } });
  expect(report.problems[0]?.reason).toContain('gave no reason');
});

it('tells what loaded under another name, and what nobody declared', () => {
  const file = new Map([['/p/commands/a.md', ['p:b']]]);
  const renamed = reportPlugin(declared(command), {
    ...state,
    commands: [{ name: 'p:b' }, { name: 'p:c' }],
    namesByFile: file,
    hooks: [],
    servers: [],
  });
  expect(renamed.components).toMatchObject([
    { name: 'p:b', status: 'loaded', warnings: ['the CLI names it p:b; its path says p:a'] },
    { name: 'p:c', status: 'loaded', warnings: ['the CLI has it, but no file of the plugin that we know declares it'] },
  ]);
});

it('gives a name to one file only', () => {
  const twice = declared(command, { ...command, file: 'commands/again.md' });
  const { components } = reportPlugin(twice, { ...state, hooks: [], servers: [] });
  expect(components.map(({ status }) => status)).toEqual(['loaded', 'failed']);
  expect(components[1]?.reason).toContain('commands/a.md has the same name');
});

it('warns of a matcher where there is nothing to match, and of a hook that is there twice', () => {
  const matched = { ...hook, matcher: 'Write' } as DeclaredComponent;
  const listed = { ...listedHook, matcher: 'Write' };
  const { ok, components } = reportPlugin(declared(matched, matched), {
    ...state,
    hooks: [listed, listed],
    commands: [],
    servers: [],
  });
  expect(ok).toBe(true);
  expect(components[0]?.warnings[0]).toContain('the matcher is ignored');
  expect(components[1]?.warnings[0]).toContain('declared twice');
});

it('finds out by the description whether a user gets the command or the skill of one name', () => {
  const skill: DeclaredComponent = { ...command, kind: 'skill', file: 'skills/a/SKILL.md', description: 'As a skill' };
  const seen = (description: string) => {
    const loaded = { ...state, commands: [{ name: 'p:a', description }], skills: ['p:a'], hooks: [], servers: [] };
    const namesByFile = new Map([['/p/skills/a/SKILL.md', ['p:a']]]);
    return reportPlugin(declared(command, skill), { ...loaded, namesByFile }).components;
  };
  expect(seen('(p) A').map(({ kind, status }) => [kind, status])).toEqual([
    ['command', 'loaded'],
    ['skill', 'failed'],
  ]);
  expect(seen('(p) As a skill').map(({ kind, status }) => [kind, status])).toEqual([
    ['command', 'failed'],
    ['skill', 'loaded'],
  ]);
});
