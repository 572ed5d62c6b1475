import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../results/run-result.js';
import { writeMarkdown } from './markdown/write-markdown.js';
import type { Reporter } from './reporter.js';

export const reportFormats = ['markdown', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

const WRITERS: Record<ReportFormat, { name: string; write(run: RunResult, file: string): string }> = {
  markdown: { name: 'report.md', write: writeMarkdown },
  json: { name: 'report.json', write: (run) => `${JSON.stringify(run, null, 2)}\n` },
};

/** Writes the result into a folder when the run has ended. `files` are the files that it writes. */
export function fileReporter(folder: string, formats: readonly ReportFormat[]): Reporter & { files: string[] } {
  const files = formats.map((format) => join(folder, WRITERS[format].name));
  return {
    files,
    start() {
      // So that nobody takes the reports of an earlier run for those of this run.
      for (const { name } of Object.values(WRITERS)) rmSync(join(folder, name), { force: true });
    },
    begin() {},
    step() {},
    end() {},
    finish(run) {
      const own = files.map((path, index) => ({ path, description: `this report as ${formats[index]}` }));
      const whole = { ...run, artifacts: [...own, ...(run.artifacts ?? [])] };
      mkdirSync(folder, { recursive: true });
      for (const format of formats) {
        const { name, write } = WRITERS[format];
        const file = join(folder, name);
        // A rename, so that no reader ever sees half of it.
        const unfinished = `${file}.${process.pid}.new`;
        writeFileSync(unfinished, write(whole, file));
        renameSync(unfinished, file);
      }
    },
  };
}
