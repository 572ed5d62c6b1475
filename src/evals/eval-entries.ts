import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { prepareClaude } from '../agents/claude/home.js';
import type { ModelAccess, Stage } from '../agents/driver.js';
import { loginKeys } from '../agents/login.js';
import { parseAgentSpec } from '../agents/spec.js';
import { compareVersions } from '../agents/store/compare-versions.js';
import { findAgent } from '../agents/store/find-agent.js';
import { UnderstudyError } from '../errors.js';
import { startModelServer } from '../model-server/server.js';
import { ownCommand } from '../process/own-command.js';
import { runToEnd } from '../process/run-to-end.js';
import { createTempFolder } from '../process/scratch.js';
import { shellWord } from '../process/shell-word.js';
import type { Entry, PlayContext, Played } from '../runner/entry.js';
import { defineScenario } from '../scenario/load.js';
import { liveChecks, readArms, scriptedChecks } from './eval-result.js';
import type { EvalCase } from './find-evals.js';

/** The first version with `claude plugin eval`. */
const FIRST_VERSION = '2.1.269';
const DEADLINE_MS = 30 * 60_000;

export interface EvalOptions {
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
  isolation?: string | undefined;
}

/** Eval cases as entries of a run: each on each version of Claude Code. */
export function evalEntries(
  cases: readonly EvalCase[],
  { agents = ['claude'], stage = 'scripted', isolation = 'none' }: EvalOptions,
): Entry[] {
  return cases.flatMap((test) => agents.map((agent) => evalEntry(test, agent, stage, isolation)));
}

function evalEntry(test: EvalCase, agent: string, stage: Stage, isolation: string): Entry {
  const file = relative('.', resolve(test.file));
  return {
    id: `${file} ${agent} ${stage}`,
    kind: 'rehearsal',
    ...{ name: test.name, file, agent, stage, round: 1 },
    tags: ['eval'],
    rerun: `${ownCommand()} run ${shellWord(test.plugin)} --filter ${shellWord(test.name)} --agent ${agent} --stage ${stage}`,
    folderName: `${file.replace(/[\\/]+/g, '-')}.${agent}.${stage}`.replace(/[^\w.@-]/g, '-'),
    // One run with the plugin and one without it. Graders that ask a model come on top.
    calls: { expected: 2, most: 4 },
    mayMiss: true,
    skipReason: () => skipReason(agent, stage, isolation),
    play: (context) => playEval(test, agent, stage, context),
  };
}

async function skipReason(agent: string, stage: Stage, isolation: string): Promise<string | undefined> {
  if (parseAgentSpec(agent).agent !== 'claude') return 'it is a case of `claude plugin eval`';
  if (stage !== 'scripted' && stage !== 'live') return `\`claude plugin eval\` is not on the stage ${stage}`;
  if (isolation !== 'none') return 'evals are not played in isolation';
  const { version } = await findAgent(agent);
  return compareVersions(version, FIRST_VERSION) < 0 ? `Claude Code has evals since ${FIRST_VERSION}` : undefined;
}

async function playEval(
  test: EvalCase,
  agent: string,
  stage: Stage,
  { folder, signal, output }: PlayContext,
): Promise<Played> {
  const { command } = await findAgent(agent);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const result = join(folder, 'result.json');
  const temp = createTempFolder();
  const { model, close } = await modelFor(stage);
  try {
    const flags = ['--trust-plugin', '--no-publish', '--runs', '1', '--case', test.name];
    const outcome = await runToEnd({
      command: [...command, 'plugin', 'eval', resolve(test.plugin), ...flags, '--json', result, '--output-dir', folder],
      cwd: folder,
      env: prepareClaude({ home, cwd: folder, model }, temp.path),
      deadlineMs: DEADLINE_MS,
      interrupted: signal,
      ...(output === undefined ? {} : { output }),
    });
    const complaint = complaintAbout(test, `${outcome.stdout}\n${outcome.stderr}`);
    const arms = readArms(readResult(result, complaint), test);
    if (stage === 'scripted') return { steps: [], checks: scriptedChecks(arms, complaint) };
    if (arms === undefined) throw new UnderstudyError('EVAL_NOT_RUN', `the case does not load: ${complaint}`);
    const cost = [arms.with, arms.without].reduce(
      (sum, run) => sum + (run?.costUsd ?? 0) + (run?.judgeCostUsd ?? 0),
      0,
    );
    const calls = [arms.with, arms.without].reduce((sum, run) => sum + (run?.turns ?? 0), 0);
    return { steps: [], checks: liveChecks(arms), usage: { calls, cost_usd: cost } };
  } finally {
    await close();
    await temp.remove();
  }
}

async function modelFor(stage: Stage): Promise<{ model: ModelAccess; close: () => Promise<void> }> {
  if (stage === 'live') {
    const environment = loginKeys('claude', process.env);
    if (Object.keys(environment).length === 0) {
      throw new UnderstudyError('AGENT_NOT_AUTHENTICATED', 'the environment has no credentials for claude');
    }
    return { model: { kind: 'live', environment }, close: async () => {} };
  }
  const server = await startModelServer({ scenario: defineScenario({ default_response: 'Done.' }) });
  return {
    model: { kind: 'loopback', url: server.url, key: server.key, retries: 0 },
    close: async () => {
      await server.close();
    },
  };
}

function readResult(file: string, complaint: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    // Nothing of the suite could be loaded: then there is no result.
    if (complaint !== '') return { cases: [] };
    throw new UnderstudyError('EVAL_UNREADABLE', '`claude plugin eval` has written no result', { cause });
  }
}

/** What the CLI says is wrong with the file of the case. */
function complaintAbout({ folder }: EvalCase, text: string): string {
  const line = text.split('\n').find((one) => one.startsWith('✗') && one.includes(`${resolve(folder)}/`));
  return line === undefined
    ? ''
    : line
        .replace(/^✗\s*/, '')
        .replaceAll(`${resolve(folder)}/`, '')
        .trim();
}
