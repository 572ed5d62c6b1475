import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import type { ScenarioDocument } from '../../packages/script/src/schema.js';
import { type AnalyzeOptions, analyzeRun } from '../../packages/suites/src/orchestrators/analysis/analyze-run.js';
import { backends } from '../../packages/suites/src/orchestrators/case.js';
import type { Orchestrator } from '../../packages/suites/src/orchestrators/orchestrator.js';
import type { CaseStage } from '../../packages/suites/src/orchestrators/stage.js';
import { suiteStage } from '../../packages/suites/src/orchestrators/suite-stage.js';
import { Workspaces } from '../../packages/suites/src/orchestrators/workspace.js';
import { referenceDialect } from '../../packages/suites/src/ralph/dialect.js';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { ANALYZER, diagnosis, publishing } from '../helpers/analyzer.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { sampleEntry, sampleRun } from '../helpers/sample-results.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

const run = sampleRun([sampleEntry('hat-single@claude', 'failed'), sampleEntry('hat-topology@claude', 'passed')]);

const reference: Orchestrator = {
  kind: 'reference',
  command: [process.execPath, UNDERSTUDY, 'orchestrator', 'loop'],
  version: '0.0.0',
  dialect: referenceDialect,
};

function sim(): CaseStage {
  return suiteStage('sim', { version: '0.0.0' });
}

/** Analyses the sample report in a folder of its own, with an analyzer whose model says what the scenario says. */
async function analysed(
  scenario: ScenarioDocument | undefined,
  { config = ANALYZER, ...options }: Partial<AnalyzeOptions> & { config?: string } = {},
): Promise<{ cwd: string; result: RunResult }> {
  const cwd = loopWorkspace({ 'mine.yml': config });
  if (scenario !== undefined) writeFileSync(join(cwd, 'mine.scenario.json'), JSON.stringify(scenario));
  const result = await analyzeRun(run, {
    orchestrator: reference,
    stage: sim(),
    workspaces: new Workspaces(cwd),
    backends,
    analyzer: join(cwd, 'mine.yml'),
    ...options,
  });
  expect(runResultSchema.safeParse(result).error).toBeUndefined();
  return { cwd, result };
}

/** The run as it was, but for what it says about the analysis. */
function expectUntouched({ analysis: _, artifacts: _kept, ...rest }: RunResult): void {
  const { analysis: _m, artifacts: _a, ...before } = run;
  expect(rest).toEqual(before);
}

it.each(backends)('is answered by %s', async (backend) => {
  const answer = { failed_analyses: [diagnosis] };
  const { result } = await analysed(publishing(`\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`), {
    backends: [backend],
  });
  expect(result.analysis).toEqual({ status: 'merged', detail: '1 part of the answer merged', problems: [] });
  expect(result.entries[0]?.diagnosis?.root_cause_hypothesis).toBe('The hat was never asked.');
  expect(result.entries[0]?.diagnosis?.evidence).toContain('no build.done among 2 events');
});

it('has an analyzer of its own for models that think', async () => {
  const answer = publishing(JSON.stringify({ failed_analyses: [diagnosis] })).default_response ?? '';
  const scenario: ScenarioDocument = {
    default_response: 'no request',
    responses: [
      { pattern: { type: 'regex', pattern: '(?s)You are Run Analyzer.*ANALYSIS_COMPLETE' }, response: answer },
    ],
  };
  const stage = sim();
  // A stage that calls itself live, with a stand-in for whoever thinks there.
  const live: CaseStage = {
    ...stage,
    name: 'live',
    prepare(preparation) {
      const { workspace, setup } = preparation;
      expect(setup.scenario).toEqual({});
      writeFileSync(join(workspace, 'scenario.json'), JSON.stringify(scenario));
      return stage.prepare(preparation);
    },
  };
  const { result } = await analysed(undefined, { stage: live, analyzer: undefined });
  expect(result.analysis).toMatchObject({ status: 'merged', problems: [] });
  expect(result.entries[0]?.diagnosis?.source).toBe('agent');
});

it('is asked with the whole prompt, whatever the backend takes as an argument', async () => {
  const output = 'x'.repeat(20_000);
  const entries = Array.from({ length: 60 }, (_, n) => {
    const result = sampleEntry(`hat-${n}@kiro`, 'failed');
    if (result.context !== undefined) result.context = { ...result.context, stdout: output, stderr: output };
    return result;
  });
  const scenario: ScenarioDocument = {
    default_response: 'no request',
    responses: [
      {
        pattern: { type: 'regex', pattern: '(?s)Event: analyze.request.*## What to answer' },
        response: publishing('{"patterns": [{"description": "All of it."}]}').default_response ?? '',
      },
    ],
  };
  // What the analyzer's own file says of a prompt does not count.
  const config = ANALYZER.replace('{ completion', '{ prompt: Something else., completion');
  const cwd = loopWorkspace({ 'mine.yml': config, 'mine.scenario.json': JSON.stringify(scenario) });
  for (const backend of backends) {
    const result = await analyzeRun(sampleRun(entries), {
      ...{ orchestrator: reference, stage: sim(), workspaces: new Workspaces(cwd), backends: [backend] },
      analyzer: join(cwd, 'mine.yml'),
    });
    expect(result.analysis?.status, `${backend}: ${result.analysis?.detail}`).toBe('merged');
  }
});

it.each<[string, ScenarioDocument, string, string?]>([
  ['no event', { default_response: 'All is well.\nANALYSIS_COMPLETE' }, 'did not publish analyze.complete'],
  ['a promise to write one', { default_response: 'I will write the event later.' }, 'ended with 2'],
  ['broken JSON', publishing('{"failed_analyses": ['), 'the answer cannot be used', 'the answer is not JSON: '],
  ['an empty event', publishing(''), 'the answer cannot be used', 'the answer is empty'],
  ['invented tests', publishing('{"patterns": [{"description": "x", "affected_tests": ["y"]}]}'), 'nothing of'],
  ['a model that fails', { faults: [{ every: 1, failure: { type: 'auth_error' } }] }, 'did not publish'],
])('loses nothing to %s', async (_name, scenario, detail, problem) => {
  const { cwd, result } = await analysed(scenario, { backends: ['kiro'] });
  expectUntouched(result);
  expect(result.analysis?.status).toBe('failed');
  expect(result.analysis?.detail).toContain(detail);
  if (problem !== undefined) expect(result.analysis?.problems[0]).toContain(problem);
  expect(existsSync(join(cwd, '.e2e-tests/analysis/ralph.yml'))).toBe(true);
});

/** An orchestrator that is a shell script. */
function scriptedOrchestrator(body: string): Orchestrator {
  const folder = loopWorkspace({
    orchestrator: `#!/bin/sh\nmkdir -p .ralph; echo .ralph/e.jsonl > .ralph/current-events\n${body}`,
  });
  return { ...reference, command: [join(folder, 'orchestrator')] };
}

const ANSWERED = JSON.stringify({ topic: 'analyze.complete', payload: { failed_analyses: [diagnosis] } });

it('ends an analyzer that hangs, with everything that it started', async () => {
  const orchestrator = scriptedOrchestrator(
    `setsid sh -c 'echo $$ > pid; exec sleep 987' &\nsleep 25\necho '${ANSWERED}' > .ralph/e.jsonl\n`,
  );
  const { cwd, result } = await analysed({}, { orchestrator, timeoutMs: 5000 });
  expectUntouched(result);
  expect(result.analysis).toMatchObject({
    status: 'failed',
    detail: 'the analyzer did not answer in time and was stopped',
  });
  // Killed it is; a busy machine may need a moment to bury it.
  await expect
    .poll(() => isAlive(Number(readFileSync(join(cwd, '.e2e-tests/analysis/pid'), 'utf8'))), { timeout: 10_000 })
    .toBe(false);
});

it('ends with the run when somebody interrupts it, and so does its agent', { timeout: 180_000 }, async () => {
  const hang = 'sh -c "echo \\$\\$ > pid; exec sleep 984"';
  const cwd = loopWorkspace({});
  const pid = join(cwd, '.e2e-tests/analysis/pid');
  const interruption = new AbortController();
  const scenario: ScenarioDocument = {
    default_response: { text: 'Let me see.', tool_calls: [{ tool: 'Bash', input: { command: hang } }] },
    tool_execution: { mode: 'live' },
  };
  const ending = analysed(scenario, {
    ...{ backends: ['kiro'], workspaces: new Workspaces(cwd), signal: interruption.signal, timeoutMs: 120_000 },
  });
  await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'), { timeout: 100_000 }).toBe(true);
  interruption.abort();
  const { result } = await ending;
  expectUntouched(result);
  expect(result.analysis).toMatchObject({
    status: 'failed',
    detail: 'it was interrupted before the analyzer answered',
  });
  // Killed it is; a busy machine may need a moment to bury it.
  await expect.poll(() => isAlive(Number(readFileSync(pid, 'utf8'))), { timeout: 10_000 }).toBe(false);
});

it('takes an answer that came in time of an analyzer that did not end', async () => {
  const orchestrator = scriptedOrchestrator(`echo '${ANSWERED}' > .ralph/e.jsonl\necho $$ > pid\nsleep 986\n`);
  const { cwd, result } = await analysed({}, { orchestrator, timeoutMs: 5000, keepWorkspace: true });
  expect(result.analysis).toMatchObject({
    status: 'merged',
    problems: ['the analyzer did not end in time and was stopped'],
  });
  // Killed it is; a busy machine may need a moment to bury it.
  await expect
    .poll(() => isAlive(Number(readFileSync(join(cwd, '.e2e-tests/analysis/pid'), 'utf8'))), { timeout: 10_000 })
    .toBe(false);
});

it('reads past lines that are no events, and takes the last answer', async () => {
  const first = JSON.stringify({ topic: 'analyze.complete', payload: 'Soon.' });
  const lines = ['null', '7', '{"topic":3}', '[]', first, '{"topic":"x","payload":{"y":1}}', ANSWERED, '{"top'];
  const orchestrator = scriptedOrchestrator(`cat > .ralph/e.jsonl <<'END'\n${lines.join('\n')}\nEND\n`);
  const { result } = await analysed({}, { orchestrator });
  expect(result.analysis).toMatchObject({
    status: 'merged',
    problems: ['there were 2 answers; the last one is used'],
  });
});

it('takes a payload that the log has cut from what the agent said', async () => {
  const payload = JSON.stringify({ failed_analyses: [diagnosis] });
  const cut = `${payload.slice(0, 50)}... [truncated, ${payload.length} chars total]`;
  const said = { type: 'iteration_end', iteration: 1, output: publishing(payload).default_response };
  const records = [
    { type: 'iteration_start', iteration: 1, hat: 'critic', backend: 'kiro', command: [], prompt: '' },
    said,
  ];
  const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
  const orchestrator = scriptedOrchestrator(
    [
      `cat > .ralph/e.jsonl <<'END'\n${lines({ topic: 'analyze.complete', payload: cut })}\nEND`,
      `cat > .ralph/i.jsonl <<'END'\n${lines(...records)}\nEND`,
      'echo .ralph/i.jsonl > .ralph/current-iterations\n',
    ].join('\n'),
  );
  const { result } = await analysed({}, { orchestrator });
  expect(result.analysis).toMatchObject({ status: 'merged', problems: [] });
});

it('survives an answer of 50 MB', async () => {
  const orchestrator = scriptedOrchestrator(
    `(printf '{"topic":"analyze.complete","payload":"'; head -c 50000000 /dev/zero | tr '\\0' x; echo '"}') > .ralph/e.jsonl\n`,
  );
  const { result } = await analysed({}, { orchestrator });
  expectUntouched(result);
  expect(result.analysis).toMatchObject({
    status: 'failed',
    problems: ['the answer has 50000000 characters; no more than 1000000 are read'],
  });
});

it.runIf(process.platform === 'linux')('names whoever an analyzer leaves behind', async () => {
  const started = 'until grep -q ^sleep /proc/$!/cmdline; do :; done';
  const orchestrator = scriptedOrchestrator(`sleep 985 & ${started}\necho '${ANSWERED}' > .ralph/e.jsonl\n`);
  const { result } = await analysed({}, { orchestrator });
  expect(result.analysis?.status).toBe('merged');
  expect(result.analysis?.problems).toEqual([
    expect.stringMatching(/^the analyzer left processes behind: sleep 985 \(\d+\)$/),
  ]);
});

it('keeps secrets of the environment out of what comes back', async () => {
  const secret = 'hunter2-hunter2';
  const leak = { ...diagnosis, root_cause_hypothesis: `The key is ${secret}.`, failure_typ: secret };
  const { result } = await analysed(publishing(JSON.stringify({ failed_analyses: [leak], [secret]: 1 })), {
    backends: ['kiro'],
    environment: { SOME_API_KEY: secret },
  });
  expect(result.entries[0]?.diagnosis?.root_cause_hypothesis).toBe('The key is [secret].');
  expect(JSON.stringify(result)).not.toContain(secret);
});

it.each<[string, string, Partial<AnalyzeOptions>, string, string]>([
  ['a wrong config', 'hats: { critic: { trigers: [x] } }', {}, 'failed', 'Change it to `triggers`'],
  ['no such config', ANALYZER, { analyzer: '/nowhere/mine.yml' }, 'failed', 'there is no file /nowhere/mine.yml'],
  ['a backend of its own', `${ANALYZER}cli: { backend: gemini }\n`, {}, 'skipped', "the analyzer's backend is gemini"],
  [
    'no backend that can be used',
    ANALYZER,
    {
      backends: ['claude'],
      stage: {
        ...sim(),
        state: async (backend) => ({
          ...{ agent: backend, version: null, available: true, authenticated: false, detail: 'not signed in' },
        }),
      },
    },
    'skipped',
    'no backend can be asked (claude: not signed in)',
  ],
  [
    'no orchestrator',
    ANALYZER,
    { orchestrator: { ...reference, command: ['/nowhere/ralph'] } },
    'failed',
    'cannot start /nowhere/ralph',
  ],
])('says so where there is %s', async (_name, config, options, status, detail) => {
  const { result } = await analysed(publishing('{"patterns": []}'), { config, ...options });
  expectUntouched(result);
  expect(result.analysis?.status).toBe(status);
  expect(result.analysis?.detail).toContain(detail);
});
