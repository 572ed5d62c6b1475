import { expect, it } from 'vitest';
import { HOSTILE, harmfulIn } from '../../../../test/helpers/hostile-text.js';
import { sampleEntry, sampleRun } from '../../../../test/helpers/sample-results.js';
import { failedRehearsal, oneOfEach, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { ctrfProblems, junitProblems } from '../../../../test/helpers/validate-reports.js';
import { mergeRuns } from '../results/merge-runs.js';
import type { RunResult } from '../results/run-result.js';
import { writeAgentReport } from './agent.js';
import { writeCtrf } from './ctrf.js';
import { githubAnnotations, githubSummary, withoutWorkflowCommands } from './github.js';
import { writeJson } from './json.js';
import { writeJunit } from './junit.js';
import { writeMarkdown } from './markdown/write-markdown.js';

const all = rehearsalRun(oneOfEach());
const cases = sampleRun([sampleEntry('a@claude', 'failed'), sampleEntry('b@kiro', 'skipped')]);
const shards = [1, 2, 3].map((index) => {
  const places = [...all.entries.keys()].filter((place) => place % 3 === index - 1);
  return rehearsalRun(
    places.flatMap((place) => all.entries[place] ?? []),
    { shard: { index, count: 3, cut: 'in turn', places } },
  );
});
const merged = mergeRuns(shards);
const hostile = rehearsalRun(oneOfEach(`${HOSTILE}</script>]]>--><b a="\u0000\uD800\uFFFF">`));

it.each<[string, (run: RunResult) => string]>([
  ['junit', writeJunit],
  ['ctrf', writeCtrf],
  ['agent', writeAgentReport],
  ['markdown', (run) => writeMarkdown(run, 'report.md')],
  ['github', (run) => githubAnnotations(run, '.') + githubSummary(run)],
  ['json', (run) => writeJson(run)],
])('%s is the same of a run and of its shards, and names every failure', (_name, write) => {
  const whole = { ...all, duration_ms: merged.duration_ms };
  expect(write(merged)).toBe(write(whole));
  for (const name of ['a rehearsal about Glob', 'unjudged Glob', 'error Glob']) expect(write(all)).toContain(name);
  expect(harmfulIn(write(hostile))).toEqual([]);
});

it('writes JUnit that its schema allows', async () => {
  for (const run of [all, merged, cases, hostile, rehearsalRun([])]) {
    expect(await junitProblems(writeJunit(run))).toEqual([]);
  }
  const xml = writeJunit(all);
  expect(xml).toContain('<testsuites name="understudy run" tests="8" failures="2" errors="2" time="4.200">');
  expect(xml).toContain('message="step 1, tools: Glob: expected one of Glob, seen no tool but Glob"');
  expect(xml).toContain('<skipped>no Glob</skipped>');
  expect(xml).toContain('status="failed" file="tests/a.rehearsal.toml" line="14">');
  expect(xml).toContain('<property name="agent" value="claude"/>');
  expect(await junitProblems(xml.replace('<testsuites ', '<testsuites wrong="1" '))).not.toEqual([]);
});

it('writes CTRF that its schema allows', () => {
  for (const run of [all, merged, cases, hostile, rehearsalRun([])]) expect(ctrfProblems(writeCtrf(run))).toEqual([]);
  const report = JSON.parse(writeCtrf(all)) as { results: { summary: object; tests: object[] } };
  expect(report.results.summary).toMatchObject({ tests: 8, passed: 2, failed: 3, skipped: 1, other: 2, flaky: 1 });
  expect(report.results.tests[0]).toMatchObject({ filePath: 'tests/a.rehearsal.toml', line: 14, rawStatus: 'failed' });
  expect(ctrfProblems('{"results":{}}')).not.toEqual([]);
});

it('writes short and whole text for an agent', () => {
  expect(writeAgentReport(all)).toMatchInlineSnapshot(`
    "NO VERDICT: interrupted: there is no verdict (8 in all, 4.2 s, exit code 130)

    1. failed: a rehearsal about Glob [claude sim] tests/a.rehearsal.toml:14:1
       step 1 sent: /explore Glob
       step 1 agent said: I looked at Glob.
       failed check: tools: Glob
         expected: one of Glob
         seen: no tool but Glob
         evidence: Read Glob → ok
         fix: Use Glob.
       unjudged check: event build.done
         expected: build.done
         seen: only: task.start
       steps not reached, the conversation had ended: 2
       events, requests and project: .understudy/artifacts/Glob
       run again: understudy run 'Glob'

    2. unjudged: unjudged Glob [claude sim] tests/a.rehearsal.toml
       run again: understudy run 'Glob'

    3. error: error Glob [claude sim] tests/a.rehearsal.toml
       error AGENT_NOT_FOUND: there is no Glob
       fix: Install Glob.
       run again: understudy run 'Glob'
    flaky: flaky Glob passed at attempt 2
    failed as expected 1: Glob is broken
    skipped 1: no Glob
    "
  `);
  expect(writeAgentReport(rehearsalRun([{ ...failedRehearsal(), status: 'passed' }]))).toBe(
    'PASSED: all rehearsals passed (1 in all, 4.2 s, exit code 0)\n',
  );
});

it('puts annotations at the lines of the expectations', () => {
  expect(githubAnnotations(all, process.cwd())).toMatchInlineSnapshot(`
    "::error file=tests/a.rehearsal.toml,line=14,col=1,title=a rehearsal about Glob [claude sim]::step 1, tools: Glob: expected one of Glob, seen no tool but Glob%0AUse Glob.%0ARun it again: understudy run 'Glob'
    ::error file=tests/a.rehearsal.toml,title=a rehearsal about Glob [claude sim]::step 1, event build.done: expected build.done, seen only: task.start%0ARun it again: understudy run 'Glob'
    ::warning file=tests/a.rehearsal.toml,title=flaky Glob [claude sim]::passed at attempt 2%0ARun it again: understudy run 'Glob'
    ::error file=tests/a.rehearsal.toml,title=unjudged Glob [claude sim]::nothing was checked%0ARun it again: understudy run 'Glob'
    ::error file=tests/a.rehearsal.toml,title=error Glob [claude sim]::AGENT_NOT_FOUND: there is no Glob%0ARun it again: understudy run 'Glob'
    "
  `);
  const inFolder = githubAnnotations(all, `${process.cwd()}/..`);
  expect(inFolder).toMatch(/file=[^,]+\/tests\/a.rehearsal.toml,line=14/);
});

it('writes the summary of a job', () => {
  expect(githubSummary(all)).toMatchInlineSnapshot(`
    "## ⚪ understudy run: interrupted: there is no verdict

    | total | passed | failed | unjudged | flaky | expected_failures | skipped | errors | interrupted |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | 8 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |

    ### a rehearsal about Glob (claude sim)

    \`\`\`
    step 1, tools: Glob: expected one of Glob, seen no tool but Glob
    step 1, event build.done: expected build.done, seen only: task.start
    \`\`\`

    \`tests/a.rehearsal.toml:14\`

    \`\`\`
    > 14 | tools = ["Glob"]
    \`\`\`

    Run it again: \`understudy run 'Glob'\`

    ### unjudged Glob (claude sim)

    \`\`\`
    nothing was checked
    \`\`\`

    Run it again: \`understudy run 'Glob'\`

    ### error Glob (claude sim)

    \`\`\`
    AGENT_NOT_FOUND: there is no Glob
    \`\`\`

    Run it again: \`understudy run 'Glob'\`

    ### interrupted Glob (claude sim)

    \`\`\`
    the run was interrupted
    \`\`\`

    Run it again: \`understudy run 'Glob'\`

    <details>
    <summary>Skipped, flaky, and failed as expected</summary>

    | Test | Agent | Status | Reason |
    | --- | --- | --- | --- |
    | \`flaky Glob\` | claude | flaky | passed at attempt 2 |
    | \`expected_failure Glob\` | claude | expected_failure | Glob is broken |
    | \`skipped Glob\` | claude | skipped | no Glob |

    </details>

    "
  `);
});

it('lets no text of an agent be a command of GitHub Actions', () => {
  const attack = 'ok\n::add-mask::x\n  ::set-env name=a::b\nx ##[set-env name=PATH]y\na::b';
  expect(withoutWorkflowCommands(attack)).toBe(
    'ok\n: :add-mask::x\n  : :set-env name=a::b\nx ## [set-env name=PATH]y\na::b',
  );
  const lines = githubAnnotations(rehearsalRun([failedRehearsal('\n::add-mask::x')]), '.')
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.every((line) => line.startsWith('::error '))).toBe(true);
});

it('cuts huge texts, with a notice', () => {
  const huge = rehearsalRun([failedRehearsal('x'.repeat(1_000_000))]);
  for (const write of [writeJunit, writeCtrf, writeAgentReport, githubSummary]) {
    const text = write(huge);
    expect(text).toMatch(/more characters]/);
    expect(text.length).toBeLessThan(100_000);
  }
});
