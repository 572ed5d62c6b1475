import { type Call, chain, contains, usage } from './gemini-runs.js';
import type { ScriptedCase, ScriptedRun } from './scripted-case.js';

const CALLS: readonly Call[] = [
  ['shell', { command: 'echo one' }],
  ['read', { path: '../more/b.txt' }],
  ['glob', { pattern: '*.txt' }],
];

const SCENARIO = {
  responses: [
    { pattern: contains('said'), response: { text: '<{{prompt}}>', usage } },
    { pattern: contains('peek'), response: chain(CALLS.slice(2)) },
    { pattern: { type: 'any' }, response: chain(CALLS) },
  ],
};

const FILES = { 'home/a.txt': 'a\n', 'home/x.log': 'x\n', 'home/.geminiignore': '*.log\n', 'more/b.txt': 'b\n' };
const events = (...args: string[]): ScriptedRun => ({ args: ['-o', 'stream-json', ...args], folder: 'home' });
const set = (name: string, settings: object, run: ScriptedRun, more: Partial<ScriptedCase> = {}): ScriptedCase => ({
  ...{ name, runs: [run], scenario: SCENARIO },
  files: { ...FILES, 'home/.gemini/settings.json': JSON.stringify(settings) },
  ...more,
});

/** What settings of a project change. */
export const GEMINI_SETTINGS_CASES: readonly ScriptedCase[] = [
  set('settings: allowed tools', { tools: { allowed: ['run_shell_command'] } }, events('-p', 'go')),
  set('settings: other folders', { context: { includeDirectories: ['../more'] } }, events('-y', '-p', 'go')),
  set('settings: an approval mode', { general: { defaultApprovalMode: 'plan' } }, events('-p', 'peek')),
  set('settings: an output format', { output: { format: 'json' } }, { args: ['-p', 'peek'], folder: 'home' }),
  set('settings: a model', { model: { name: 'other' } }, { ...events('-p', 'peek'), env: { GEMINI_MODEL: '' } }),
  set('settings: excluded tools', { tools: { exclude: ['glob'] } }, events('-p', 'peek')),
  set('settings: core tools', { tools: { core: ['read_file'] } }, events('-p', 'peek')),
  set('settings: with comments', {}, events('-p', 'said'), {
    files: { ...FILES, 'home/.gemini/settings.json': '// mine\n{ "output": { "format": "json" /* so */ } }\n' },
  }),
];
