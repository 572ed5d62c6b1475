import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sampleReport, sampleResult } from '../../test/helpers/suite-report.js';
import { clearReports, writeReports } from './write-report.js';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'report-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, '.e2e-tests');
}

const report = sampleReport([sampleResult('a@claude', 'failed')]);

it('writes what was asked for, and nothing else', () => {
  const root = folder();
  expect(writeReports(report, root, ['json'])).toEqual([join(root, 'report.json')]);
  expect(readdirSync(root)).toEqual(['report.json']);
  expect(writeReports(report, root, ['markdown', 'json'])).toEqual([
    join(root, 'report.md'),
    join(root, 'report.json'),
  ]);
  expect(readdirSync(root).sort()).toEqual(['report.json', 'report.md']);
});

it('names its files among the artifacts, and in the prompt for an agent', () => {
  const root = folder();
  const [markdown = '', json = ''] = writeReports(report, root, ['markdown', 'json']).map((file) =>
    readFileSync(file, 'utf8'),
  );
  expect((JSON.parse(json) as typeof report).artifacts.map(({ path }) => path)).toEqual([
    join(root, 'report.md'),
    join(root, 'report.json'),
  ]);
  expect(markdown).toContain(`Read the report of the orchestrator suite in \`${join(root, 'report.md')}\``);
});

it('leaves no report of an earlier run, and everything else', () => {
  const root = folder();
  writeReports(report, root, ['markdown', 'json']);
  writeFileSync(join(root, 'notes.md'), 'mine');
  clearReports(root);
  clearReports(root);
  expect(readdirSync(root)).toEqual(['notes.md']);
});
