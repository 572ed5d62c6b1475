import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteReport } from '../results/schema.js';
import { writeMarkdown } from './markdown/write-markdown.js';

export const reportFormats = ['markdown', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

const WRITERS: Record<ReportFormat, { name: string; write(report: SuiteReport, file: string): string }> = {
  markdown: { name: 'report.md', write: writeMarkdown },
  json: { name: 'report.json', write: (report) => `${JSON.stringify(report, null, 2)}\n` },
};

/** Removes the reports of an earlier run, so that nobody takes them for those of this one. */
export function clearReports(folder: string): void {
  for (const { name } of Object.values(WRITERS)) rmSync(join(folder, name), { force: true });
}

/** Writes the reports into a folder, and gives their files. */
export function writeReports(report: SuiteReport, folder: string, formats: readonly ReportFormat[]): string[] {
  mkdirSync(folder, { recursive: true });
  const own = formats.map((format) => ({
    path: join(folder, WRITERS[format].name),
    description: `this report as ${format}`,
  }));
  const whole = { ...report, artifacts: [...own, ...report.artifacts] };
  return formats.map((format) => {
    const { name, write } = WRITERS[format];
    const file = join(folder, name);
    // A rename, so that nobody ever reads half of it.
    const unfinished = `${file}.${process.pid}.new`;
    writeFileSync(unfinished, write(whole, file));
    renameSync(unfinished, file);
    return file;
  });
}
