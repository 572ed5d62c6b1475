import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { failedRehearsal, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { createReporter, defaultReporters, type ReporterContext } from './create-reporter.js';
import { parseReporters } from './reporter-names.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'reporters-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const run = rehearsalRun([failedRehearsal()]);

/** Everything that a choice of reporters writes to the standard output. */
function report(choice: string, parts: Partial<ReporterContext> = {}): { out: string; unwritten: string[] } {
  let out = '';
  const unwritten: string[] = [];
  const context: ReporterContext = {
    output: { write: (text: string) => (out += text) } as unknown as NodeJS.WriteStream,
    environment: {},
    html: { write: () => '<html>', file: '/nowhere/report.html' },
    sendTraces: async () => {},
    onPending: () => {},
    onUnwritten: (file) => unwritten.push(file),
    ...parts,
  };
  const reporter = createReporter(parseReporters(choice), context);
  const [entry = failedRehearsal()] = run.entries;
  reporter.start({ command: 'run', understudy_version: '1', entries: [entry] });
  reporter.begin(entry);
  reporter.step(entry, 1, 1, 'hello');
  reporter.end(entry, entry);
  reporter.finish(run);
  return { out, unwritten };
}

it('writes several reports at once, each where it belongs', () => {
  const root = folder();
  const files = ['list', 'dot', 'json', 'junit', 'ctrf', 'markdown', 'agent', 'html'];
  const { out } = report(`list,${files.map((name) => `${name}=${root}/${name}`).join(',')}`);
  expect(out).toContain('✗ a rehearsal about Glob');
  const starts = files.map((name) => readFileSync(join(root, name), 'utf8').slice(0, 14));
  expect(starts).toEqual([
    'sim: claude\n✗ ',
    'sim: claude\nF\n',
    '{\n  "schema_ve',
    '<?xml version=',
    '{\n  "reportFor',
    '# Understudy r',
    'FAILED: 1 fail',
    '<html>',
  ]);
});

it('refuses reporters that it does not know, and two for one output', () => {
  expect(() => parseReporters('list,junt')).toThrow('there is no reporter "junt"');
  expect(() => parseReporters('junit=')).toThrow('has no file');
  expect(() => parseReporters('github=x')).toThrow('writes to no file');
  expect(() => report('list,json')).toThrow('both write to the standard output');
  expect(parseReporters('junit=a=b.xml,html')).toEqual([{ name: 'junit', file: 'a=b.xml' }, { name: 'html' }]);
});

it('adds annotations and a summary by itself in GitHub Actions, and lets no agent write a command', () => {
  const summary = join(folder(), 'summary.md');
  writeFileSync(summary, 'of an earlier step\n');
  const { out } = report('list', { environment: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary } });
  expect(out.split('\n').filter((line) => line.startsWith('::'))).toEqual([
    expect.stringContaining('::error file=tests/a.rehearsal.toml,line=14,col=1,title='),
    expect.stringContaining('::error file=tests/a.rehearsal.toml,title='),
  ]);
  expect(readFileSync(summary, 'utf8')).toMatch(/^of an earlier step\n## 🔴 understudy run/);
  expect(report('list').out).not.toContain('::error');
});

it('shows an agent what an agent needs, unless a person looks', () => {
  const context = (environment: NodeJS.ProcessEnv, isTTY: boolean) =>
    ({ environment, output: { isTTY } }) as unknown as ReporterContext;
  expect(defaultReporters(context({ CLAUDECODE: '1' }, false))).toEqual([{ name: 'agent' }]);
  expect(defaultReporters(context({ GEMINI_CLI: '1' }, false))).toEqual([{ name: 'agent' }]);
  expect(defaultReporters(context({ CLAUDECODE: '1' }, true))).toEqual([{ name: 'list' }]);
  expect(defaultReporters(context({ CLAUDECODE: '' }, false))).toEqual([{ name: 'list' }]);
});

it('tells of a report that cannot be written, and writes the others', () => {
  const file = join(folder(), 'file');
  writeFileSync(file, '');
  const { out, unwritten } = report(`list,junit=${file}/x.xml,html=${file}/y.html`);
  expect(unwritten).toEqual([`${file}/x.xml`, `${file}/y.html`]);
  expect(out).toContain('1 failed');
});

it('refuses a collector without an address before anything runs', () => {
  expect(() => report('otlp=nowhere')).toThrow('"nowhere" is no address of a collector');
  expect(() => report('otlp')).toThrow('"" is no address of a collector');
  expect(report('otlp', { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } }).out).toBe('');
});
