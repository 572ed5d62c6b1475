import { expect, it } from 'vitest';
import { writeAgentReport } from '../../packages/verdict/src/reporters/agent.js';
import { createReporter } from '../../packages/verdict/src/reporters/create-reporter.js';
import { writeCtrf } from '../../packages/verdict/src/reporters/ctrf.js';
import { githubAnnotations, githubSummary } from '../../packages/verdict/src/reporters/github.js';
import { htmlPieces } from '../../packages/verdict/src/reporters/html/write-html.js';
import { writeJson } from '../../packages/verdict/src/reporters/json.js';
import { writeJunit } from '../../packages/verdict/src/reporters/junit.js';
import { writeMarkdown } from '../../packages/verdict/src/reporters/markdown/write-markdown.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { HOSTILE_PARTS, harmfulIn } from '../helpers/hostile-text.js';
import { oneOfEach, rehearsalRun } from '../helpers/sample-runs.js';
import { LONG, seeded, seedOr } from '../helpers/seeded.js';
import { ctrfProblems, junitProblems } from '../helpers/validate-reports.js';

const SEED = seedOr(20261115);
/** Every run has this many texts. */
const PER_RUN = 50;
const RUNS = (LONG ? 10_000 : 1_000) / PER_RUN;

const PIECES = [
  ...Object.values(HOSTILE_PARTS),
  ...['</script>', '<script>alert(1)</script>', '<!--', '-->', ']]>', '<![CDATA[', '&amp;', '&#x1b;', '"', "'"],
  ...['\n::error::x', '\n  ::add-mask::y', '##[set-env]', '%0A', '|', '`', '````', '\n# a', '\n---\n', '</details>'],
  ...[
    '\u0000',
    '\uD800',
    '\uDC00',
    '\uFFFE',
    '\uFFFF',
    '\r\n',
    '\t',
    '😀',
    'ß',
    '世',
    ' ',
    'word',
    '\\u{1b}',
    '$&',
    '${x}',
  ],
];

function texts(random: () => number): string {
  const length = 1 + Math.floor(random() * 12);
  const text = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  return random() < 0.01 ? text + 'long '.repeat(5_000) : text;
}

function* runs(): Generator<RunResult> {
  const random = seeded(SEED);
  for (let number = 0; number < RUNS; number++) {
    const entries = Array.from({ length: PER_RUN }, () => {
      const each = oneOfEach(texts(random));
      return each[Math.floor(random() * each.length)] ?? [];
    }).flat();
    yield rehearsalRun(entries);
  }
}

/** What one choice of reporters writes to a terminal that is none. */
function printed(choice: 'list' | 'dot', run: RunResult, environment: NodeJS.ProcessEnv = {}): string {
  let out = '';
  const reporter = createReporter([{ name: choice }], {
    output: { write: (text: string) => (out += text) } as unknown as NodeJS.WriteStream,
    ...{ environment, verbose: true, onUnwritten: () => {}, html: { write: () => '', file: '' } },
    ...{ sendTraces: async () => {}, onPending: () => {} },
  });
  reporter.start({ command: 'run', understudy_version: '1', entries: run.entries });
  for (const entry of run.entries) reporter.end(entry, entry);
  reporter.finish(run);
  return out;
}

it(`shows hostile text as text, in every reporter (seed ${SEED})`, async () => {
  let number = 0;
  for (const run of runs()) {
    const reports = {
      list: printed('list', run),
      dot: printed('dot', run),
      json: writeJson(run),
      junit: writeJunit(run),
      ctrf: writeCtrf(run),
      markdown: writeMarkdown(run, 'report.md'),
      agent: writeAgentReport(run),
      annotations: githubAnnotations(run, '.'),
      summary: githubSummary(run),
      html: [...htmlPieces(run, undefined, '<body><!--data--></body>')].join(''),
    };
    for (const [name, text] of Object.entries(reports)) {
      const harmful = harmfulIn(text).filter((character) => character !== '"\\t"' && character !== '"\u200d"');
      expect(harmful, `run ${number}, ${name}`).toEqual([]);
    }
    expect(JSON.parse(reports.json)).toEqual(JSON.parse(JSON.stringify(run)));
    expect(ctrfProblems(reports.ctrf)).toEqual([]);
    // A tenth is enough for the slow validator; the quick look is the same for all.
    if (number % 10 === 0) expect(await junitProblems(reports.junit)).toEqual([]);
    expect(reports.junit.match(/<[^>]*/g)?.filter((tag) => !OUR_TAG.test(tag))).toEqual([]);
    expect(reports.annotations.split('\n').filter((line) => !/^(?:::(?:error|warning) |$)/.test(line))).toEqual([]);
    expect(reports.agent.split('\n').filter((line) => line.length > 5_000)).toEqual([]);
    expect(
      reports.html.replace(/<script type="application\/gzip" id="[a-z]+(?:-\d+)?">[A-Za-z0-9+/=]*<\/script>\n?/g, ''),
    ).toBe('<body></body>');
    const inActions = printed('list', run, { GITHUB_ACTIONS: 'true' });
    const commands = inActions.split('\n').filter((line) => /^\s*::/.test(line) && !/^::(?:error|warning) /.test(line));
    expect(commands).toEqual([]);
    number++;
  }
  expect(number).toBe(RUNS);
});

const OUR_TAG =
  /^<(?:\?xml version="1.0" encoding="UTF-8"\?|\/?(?:testsuites|testsuite|testcase|failure|error|skipped|system-out)(?: [a-z]+="[^"<>]*")*\/?)$/;
