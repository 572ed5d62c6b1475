import { join } from 'node:path';
import { removeIfPossible, writeWhole } from '@understudy/kit';
import type { RunResult } from '../results/run-result.js';
import { contextFiles, contextFolder } from './markdown/context-file.js';
import { writeMarkdown } from './markdown/write-markdown.js';
import type { Reporter } from './reporter.js';

export const reportFormats = ['markdown', 'json'] as const;

export type ReportFormat = (typeof reportFormats)[number];

interface Writer {
  name: string;
  write(run: RunResult, file: string): string;
  /** Files next to it. */
  extraFiles?(run: RunResult, file: string): { file: string; text: string }[];
}

const WRITERS: Record<ReportFormat, Writer> = {
  markdown: { name: 'report.md', write: writeMarkdown, extraFiles: contextFiles },
  json: { name: 'report.json', write: (run) => `${JSON.stringify(run, null, 2)}\n` },
};

/** What became of the reports. One that could not be written is here as text, so that it is not lost. */
export interface FileReporter extends Reporter {
  written: string[];
  unwritten: { file: string; text: string; error: unknown }[];
}

/** Writes the result into a folder when the run has ended. */
export function fileReporter(folder: string, formats: readonly ReportFormat[]): FileReporter {
  const files = formats.map((format) => join(folder, WRITERS[format].name));
  const written: FileReporter['written'] = [];
  const unwritten: FileReporter['unwritten'] = [];
  return {
    written,
    unwritten,
    start() {
      // So that nobody takes the reports of an earlier run for those of this run.
      for (const { name } of Object.values(WRITERS)) removeIfPossible(join(folder, name));
      removeIfPossible(join(folder, contextFolder(WRITERS.markdown.name)), { recursive: true });
    },
    begin() {},
    step() {},
    end() {},
    finish(run) {
      const own = files.map((path, index) => ({ path, description: `this report as ${formats[index]}` }));
      const whole = { ...run, artifacts: [...own, ...(run.artifacts ?? [])] };
      for (const format of formats) {
        const { name, write, extraFiles } = WRITERS[format];
        const file = join(folder, name);
        const text = write(whole, file);
        try {
          for (const other of extraFiles?.(whole, file) ?? []) writeWhole(other.file, other.text);
          writeWhole(file, text);
          written.push(file);
        } catch (error) {
          unwritten.push({ file, text, error });
        }
      }
    },
  };
}
