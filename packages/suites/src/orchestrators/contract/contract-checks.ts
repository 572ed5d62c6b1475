import { countOf, defined } from '@understudy/kit';
import { type CheckResult, describeEnd, statusOf } from '@understudy/verdict';
import type { EndState } from './ending.js';
import type { SeenRun } from './generic-case.js';

type Runs = readonly SeenRun[];

const prefix = (number: number | undefined) => (number === undefined ? '' : `run ${number}: `);

function seen(runs: Runs, number: number | undefined): SeenRun | undefined {
  return runs[(number ?? 1) - 1];
}

function describeState(run: SeenRun | undefined): string {
  if (run === undefined) return 'it was not started';
  const how = run.timedOut
    ? describeEnd(run)
    : run.signal === null
      ? `exit code ${run.code}`
      : `ended by ${run.signal}`;
  return run.state === 'killed'
    ? how
    : `${run.state === 'unclear' ? 'none of the endings of the contract' : run.state} (${how})`;
}

function ends(runs: Runs, wanted: readonly EndState[], name: string, number: number | undefined): CheckResult {
  const run = seen(runs, number);
  const passed = run !== undefined && wanted.includes(run.state);
  return {
    name: `${prefix(number)}${name}`,
    category: 'termination',
    subject: { kind: 'termination', reason: wanted.join(' or ') },
    status: statusOf(passed),
    expected: `it ends, and says by its contract: ${wanted.join(' or ')}`,
    actual: describeState(run),
    evidence:
      passed || run === undefined ? [] : [run.stdout, run.stderr].map((text) => text.slice(-1000)).filter(Boolean),
  };
}

/** It says that the work is done. */
export function saysComplete(runs: Runs, number?: number): CheckResult {
  return ends(runs, ['complete'], 'says complete', number);
}

/** It ends by itself, and does not say that the work is done. */
export function saysNotComplete(runs: Runs, number?: number): CheckResult {
  return ends(runs, ['stopped', 'failed'], 'ends, and does not say complete', number);
}

/** It says that it failed: neither that the work is done, nor that all is well but for a limit. */
export function saysFailed(runs: Runs): CheckResult {
  return ends(runs, ['failed'], 'says failed', undefined);
}

/** It says that it reached a limit. */
export function saysStopped(runs: Runs, wanted: readonly EndState[]): CheckResult {
  return ends(runs, wanted, 'says stopped', undefined);
}

/** After Ctrl-C it ends: by the signal, or by any ending but `complete`. */
export function endsInterrupted(runs: Runs): CheckResult {
  const check = ends(runs, ['stopped', 'failed', 'unclear', 'killed'], 'ends after Ctrl-C', 1);
  const run = runs[0];
  const expected = 'it ends at once, and does not say complete';
  return { ...check, expected, status: run?.timedOut === true ? 'failed' : check.status };
}

/** How often agents were called. */
export function callCount(
  runs: Runs,
  { min, max }: { min: number; max: number },
  name = min === max ? countOf(min, 'call') : `${min} to ${max} calls`,
  number?: number,
): CheckResult {
  const calls = seen(runs, number)?.calls ?? [];
  return {
    name: `${prefix(number)}${name}`,
    category: 'calls',
    subject: { kind: 'calls' },
    status: statusOf(calls.length >= min && calls.length <= max),
    expected:
      min === max
        ? countOf(min, 'call')
        : max === Number.POSITIVE_INFINITY
          ? `at least ${countOf(min, 'call')}`
          : `${min} to ${max} calls`,
    actual: calls.length === 0 ? 'no call' : countOf(calls.length, 'call'),
    evidence: calls.map(({ number: of, command, pid, code, signal }) => {
      if (pid === undefined) return `call ${of}: ${command.join(' ')}, asked by the program itself`;
      const ended = signal ?? (code === undefined || code === null ? 'it was killed' : `exit code ${code}`);
      return `call ${of}: ${command[0]}, ${ended}`;
    }),
  };
}

/** Every call, and at least one, gets these words. */
export function callsGetPrompt(runs: Runs, words: string, number?: number): CheckResult {
  const calls = seen(runs, number)?.calls ?? [];
  const without = calls.find(({ prompt }) => !prompt.includes(words));
  return {
    name: `${prefix(number)}the agent gets the prompt`,
    category: 'prompt',
    subject: { kind: 'calls', ...defined({ number: without?.number }) },
    status: statusOf(calls.length > 0 && without === undefined),
    expected: `every call has "${words}" in its prompt`,
    actual:
      calls.length === 0
        ? 'no call'
        : without === undefined
          ? 'every call has it'
          : `call ${without.number} was asked: ${without.prompt.slice(0, 300) || 'nothing'}`,
    evidence: without === undefined ? [] : [without.command.join(' ').slice(0, 1000)],
  };
}

/** All calls are of this agent. */
export function callsAgent(runs: Runs, agent: string, number?: number): CheckResult {
  const agents = [...new Set((seen(runs, number)?.calls ?? []).map((call) => call.agent))];
  return {
    name: `${prefix(number)}only ${agent} is called`,
    category: 'calls',
    subject: { kind: 'calls' },
    status: statusOf(agents.length === 1 && agents[0] === agent),
    expected: agent,
    actual: agents.join(', ') || 'no call',
    evidence: [],
  };
}

/** All calls run in the folder with this name. */
export function callsRunIn(runs: Runs, folder: string, number?: number): CheckResult {
  const folders = [...new Set((seen(runs, number)?.calls ?? []).map(({ cwd = '' }) => cwd))];
  return {
    name: `${prefix(number)}the agent runs in "${folder}"`,
    category: 'calls',
    subject: { kind: 'calls' },
    status: statusOf(folders.length === 1 && folders[0]?.endsWith(`/${folder}`) === true),
    expected: `the working folder of every call ends with /${folder}`,
    actual: folders.join(', ') || 'no call',
    evidence: [],
  };
}

/** The first call was killed, as the case wants it. Without permission to use tools it cannot be. */
export function firstCallKilled(runs: Runs): CheckResult {
  const call = runs[0]?.calls[0];
  const killed = call !== undefined && (call.code === undefined || call.code === null || call.code > 128);
  return {
    name: 'call 1 was killed',
    category: 'calls',
    subject: { kind: 'calls', number: 1 },
    status: call === undefined ? 'failed' : killed ? 'passed' : 'unjudged',
    expected: 'the agent kills itself with a tool',
    actual:
      call === undefined
        ? 'no call'
        : killed
          ? (call.signal ?? 'it was killed')
          : `exit code ${call.code}: it may not use tools`,
    evidence: [],
  };
}

/** What holds in every case: no process is left, and no real agent was called. */
export function alwaysChecks(runs: Runs): CheckResult[] {
  const left = runs.flatMap(({ leftovers }) => leftovers);
  const killed = runs.find(({ timedOut }) => timedOut);
  const refused = [...new Set(runs.flatMap((run) => run.refused))];
  return [
    {
      name: 'no process left',
      category: 'processes',
      subject: { kind: 'processes' },
      status: statusOf(left.length === 0 && killed === undefined),
      expected: 'none',
      actual: killed === undefined ? left.join(', ') || 'none' : describeEnd(killed),
      evidence: left,
    },
    {
      name: 'no other agent',
      category: 'calls',
      subject: { kind: 'service', names: refused },
      status: statusOf(refused.length === 0),
      expected: 'only the agents of the contract are called',
      actual: refused.join(', ') || 'none',
      evidence: [],
    },
  ];
}
