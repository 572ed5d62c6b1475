import { basename, dirname, extname, join } from 'node:path';
import { type EntryResult, isRed } from '../../results/entry-result.js';
import type { RunResult } from '../../results/run-result.js';
import { type ReportSection, suiteView } from '../suite-view.js';
import { allChecks, baselineSection, pressureSection } from './entry-sections.js';
import { code, folded, sections } from './text.js';

/** Where the context of an entry is, from the folder of the report. */
export type ContextPath = (entry: EntryResult) => string | undefined;

/** The folder beside a report, for what would make it too long to read. */
export function contextFolder(reportFile: string): string {
  return `${basename(reportFile, extname(reportFile))}-contexts`;
}

/** The paths of the contexts of a run: one file for each entry that needs a look. */
export function contextPaths({ entries }: RunResult, reportFile: string): ContextPath {
  const folder = contextFolder(reportFile);
  const taken = new Set<string>();
  const paths = new Map(
    entries.filter(needsContext).map((entry) => {
      const wanted = entry.id.replaceAll(/[^\w.@-]+/g, '_').slice(0, 100);
      let name = wanted;
      for (let more = 2; taken.has(name.toLowerCase()); more++) name = `${wanted}-${more}`;
      taken.add(name.toLowerCase());
      return [entry, `${folder}/${name}.md`] as const;
    }),
  );
  return (entry) => paths.get(entry);
}

/** What passed as it should needs no second look. */
function needsContext(entry: EntryResult): boolean {
  return entry.context !== undefined && (isRed(entry) || (entry.quality?.quality_score ?? 'Optimal') !== 'Optimal');
}

/** The files with the contexts, beside the report. */
export function contextFiles(run: RunResult, reportFile: string): { file: string; text: string }[] {
  const pathOf = contextPaths(run, reportFile);
  return run.entries.flatMap((entry) => {
    const path = pathOf(entry);
    return path === undefined ? [] : [{ file: join(dirname(reportFile), path), text: contextDocument(entry) }];
  });
}

function contextDocument(entry: EntryResult): string {
  const { id, context } = entry;
  return `${sections([
    `# Context of ${code(id)}`,
    allChecks(entry),
    baselineSection(entry.baselines ?? []),
    pressureSection(entry),
    context === undefined
      ? ''
      : `## What was observed\n\n${suiteView().sections(entry).map(printSection).join('\n\n')}`,
  ])}\n`;
}

function printSection({ title, markdown }: ReportSection): string {
  return markdown === undefined ? title : folded(title, markdown);
}
