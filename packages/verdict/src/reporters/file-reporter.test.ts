import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sampleEntry, sampleRun } from '../../../../test/helpers/sample-results.js';
import { fileReporter } from './file-reporter.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'report-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, '.e2e-tests');
}

const run = sampleRun([sampleEntry('a@claude', 'failed')]);

it('writes what was asked for, and nothing else', () => {
  const root = folder();
  fileReporter(root, ['json']).finish(run);
  expect(readdirSync(root)).toEqual(['report.json']);
  const both = fileReporter(root, ['markdown', 'json']);
  both.finish(run);
  expect(both.written).toEqual([join(root, 'report.md'), join(root, 'report.json')]);
  expect(readdirSync(root).sort()).toEqual(['report-contexts', 'report.json', 'report.md']);
  expect(readdirSync(join(root, 'report-contexts'))).toEqual(['a@claude.md']);
});

it('names its files among the artifacts, and in the prompt for an agent', () => {
  const root = folder();
  const reporter = fileReporter(root, ['markdown', 'json']);
  reporter.finish(run);
  const [markdown = '', json = ''] = reporter.written.map((file) => readFileSync(file, 'utf8'));
  expect((JSON.parse(json) as typeof run).artifacts?.map(({ path }) => path)).toEqual(reporter.written);
  expect(markdown).toContain(`Read the Understudy report in \`${join(root, 'report.md')}\``);
});

it('leaves no report of an earlier run, and everything else', () => {
  const root = folder();
  const reporter = fileReporter(root, ['markdown', 'json']);
  reporter.finish(run);
  writeFileSync(join(root, 'notes.md'), 'mine');
  const { command, understudy_version } = run;
  reporter.start({ command, understudy_version, entries: [] });
  reporter.start({ command, understudy_version, entries: [] });
  expect(readdirSync(root)).toEqual(['notes.md']);
});

it('keeps the text of a report that cannot be written', () => {
  const root = folder();
  writeFileSync(root, 'a file in the place of the folder');
  const reporter = fileReporter(root, ['markdown']);
  const { command, understudy_version } = run;
  reporter.start({ command, understudy_version, entries: [] });
  reporter.finish(run);
  expect(reporter.written).toEqual([]);
  expect(reporter.unwritten).toMatchObject([
    {
      file: join(root, 'report.md'),
      text: expect.stringContaining('# Understudy report'),
      error: { syscall: 'mkdir' },
    },
  ]);
});
