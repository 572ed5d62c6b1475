import { casesWith, exec, json, NOTIFY, usage } from './codex-case.js';
import { printedEnvironment } from './printed-environment.js';
import type { ScriptedCase } from './scripted-case.js';

const CONFIG = '.codex/config.toml';
const WORK = '.codex/work.config.toml';
const PROFILE = { [WORK]: 'model = "gpt-work"\nmodel_reasoning_effort = "high"\n' };

const SCENARIO = {
  responses: [
    { pattern: { type: 'contains', text: 'thinks' }, response: { thinking: 'Deep.', text: 'Yes.', usage } },
    { pattern: { type: 'contains', text: 'fails' }, failure: { type: 'server_error' } },
    { pattern: { type: 'contains', text: 'mute' }, response: '' },
    { pattern: { type: 'any' }, response: '<{{prompt}}>' },
  ].map((rule) => ({ ...rule, optional: true })),
};

const one = casesWith({ scenario: SCENARIO });
const user = (text: string): Pick<ScriptedCase, 'home'> => ({ home: { [CONFIG]: text } });

const PROFILES = [
  one('a profile', exec('-p', 'work', 'said'), { home: PROFILE }),
  one('a profile, with events', json('--profile=work', 'said'), { home: PROFILE }),
  one('a profile before exec', { args: ['-p', 'work', ...exec('said').args] }, { home: PROFILE }),
  one('two profiles', { args: ['-p', 'none', ...exec('-p', 'work', 'said').args] }, { home: PROFILE }),
  one('a profile and a model', exec('-p', 'work', '-m', 'other', 'said'), { home: PROFILE }),
  one('a profile and a setting', exec('-p', 'work', '-c', 'model="other"', 'said'), { home: PROFILE }),
  one('a profile of a session', [json('said'), exec('-p', 'work', 'resume', '--last', 'said')], { home: PROFILE }),
  one('a profile that is not there', exec('-p', 'none', 'said')),
  one('a profile with a path', exec('-p', '../work', 'said')),
  one('a profile twice', exec('-p', 'work', '-p', 'work', 'said')),
  one('a profile of resume', exec('resume', '-p', 'work', '--last', 'said')),
  // The words are those of another parser.
  one('a profile that is no TOML', exec('-p', 'work', 'said'), { home: { [WORK]: 'model = [\n' }, onlyCode: true }),
  one('a profile that is a table', exec('-p', 'work', 'said'), {
    ...user('[profiles.work]\nmodel = "x"\n'),
    onlyCode: true,
  }),
  one('a profile of the settings', exec('said'), user('profile = "work"\n')),
  one('the tables of old profiles', exec('said'), user('[profiles.work]\nmodel = "x"\n')),
];

/** Settings of the user, and of the command line. */
const SETTINGS = [
  one('reasoning that is hidden', exec('thinks'), user('hide_agent_reasoning = true\n')),
  one('reasoning that is hidden, with events', json('thinks'), user('hide_agent_reasoning = true\n')),
  one('summaries of the reasoning', exec('thinks'), user('model_reasoning_summary = "detailed"\n')),
  one('an effort of the settings', exec('said'), user('model_reasoning_effort = "low"\n')),
  one('a setting twice', exec('-c', 'model_reasoning_effort=high', 'said'), user('model_reasoning_effort = "low"\n')),
  one('no settings of the user', exec('--ignore-user-config', 'said')),
  one('no settings of the user, but of the command line', exec('--ignore-user-config', '-c', 'model=x', 'said')),
  one('settings that are no TOML', exec('said'), { ...user('model_verbosity = [\n'), onlyCode: true }),
  one('a setting that is a number', exec('-c', 'model=3', 'said')),
  one('a setting that is a text', exec('-c', 'notify="x"', 'said')),
  one('a setting that is true', exec('-c', 'model_reasoning_effort=true', 'said')),
  one('a setting that is neither true nor false', exec('-c', 'hide_agent_reasoning=1', 'said')),
  one('a sandbox that does not exist', exec('-c', 'sandbox_mode=bogus', 'said')),
  one('summaries that do not exist', exec('-c', 'model_reasoning_summary=bogus', 'said')),
  one('an approval policy that does not exist', exec('-c', 'approval_policy=bogus', 'said')),
  ...['on-request', 'on-failure', 'untrusted'].map((policy) =>
    one(`the approval policy ${policy}`, exec('-c', `approval_policy=${policy}`, 'said')),
  ),
  one('an approval policy of a flag', { args: ['-a', 'on-request', ...exec('said').args] }),
  one('a setting without a value', exec('-c', 'model', 'said')),
  one('a setting without a name', exec('-c', '=1', 'said')),
];

const PROJECT = { files: { '.codex/config.toml': 'model = "ours"\n', 'sub/.codex/config.toml': 'model = "below"\n' } };

/** Settings of a project count from the second run on. */
const PROJECTS = [
  one('settings of a project', [exec('said'), exec('said'), exec('-c', 'model=x', 'said')], PROJECT),
  one(
    'settings of a repository',
    [
      { args: ['exec', 'said'], folder: 'sub' },
      { args: ['exec', 'said'], folder: 'sub' },
      { args: ['exec', '-p', 'work', 'said'] },
    ],
    { ...PROJECT, git: true, home: PROFILE },
  ),
  one(
    'settings of a project that is only read',
    [
      { args: ['exec', '-c', 'sandbox_mode=read-only', '--json', 'said'], folder: 'sub' },
      { args: ['exec', '--json', 'said'] },
    ],
    { ...PROJECT, git: true, onlyCode: true },
  ),
];

const POLICY = 'shell_environment_policy';
// Not PAGER and TERM: Codex takes them from a snapshot of the shell, which is not always there in time.
const GIVEN = { MY_KEY: 'k', FOO: 'f', FOOD: 'x', my_token: 't', LOGNAME: 'l', USER: 'u' };
const NAMES = 'CODEX_CI|FOO.*|GIT_PAGER|LOGNAME|MY_.*|my_.*|Q|USER';

const ENVIRONMENTS = Object.entries({
  'what it has': [],
  'the core of it': ['inherit="core"'],
  'all but some': ['exclude=["foo*"]'],
  'only some': ['include_only=["FOO", "HOME", "PA*", "q"]', 'set.Q="1"'],
  'no secrets': ['ignore_default_excludes=false'],
  'what is set': ['set={FOO="z", Q="1"}', 'exclude=["Q"]'],
}).map(([what, settings]) =>
  one(
    `the environment of a command: ${what}`,
    { ...json(...settings.flatMap((setting) => ['-c', `${POLICY}.${setting}`]), 'go'), env: GIVEN },
    printedEnvironment(usage, NAMES),
  ),
);

const NOTICES = [
  one('a program that hears of turns', [exec('said'), json('mute'), exec('fails')], {
    ...user(NOTIFY),
    written: ['told.txt'],
  }),
  one('a program that is not there hears of turns', exec('said'), user('notify = ["nosuch-program"]\n')),
];

export const SETTINGS_CASES: readonly ScriptedCase[] = [
  ...PROFILES,
  ...SETTINGS,
  ...PROJECTS,
  ...ENVIRONMENTS,
  one('an environment that nobody knows', exec('-c', `${POLICY}.inherit=bogus`, 'said')),
  ...NOTICES,
];
