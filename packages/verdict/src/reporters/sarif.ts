import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { visible } from '@understudy/kit';

/** Something that is wrong in a file, for editors and code scanners. */
export interface Finding {
  /** The same word for the same kind of mistake: `UNKNOWN_FIELD`, `hook-failed`. */
  rule: string;
  level: 'error' | 'warning';
  message: string;
  fix?: string | undefined;
  file: string;
  line?: number | undefined;
  column?: number | undefined;
}

/** Findings as SARIF 2.1.0. Paths are relative to this folder, as scanners want them. */
export function writeSarif(findings: readonly Finding[], version: string): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'understudy', version, rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: rules.indexOf(finding.rule),
          level: finding.level,
          message: { text: visible([finding.message, ...(finding.fix === undefined ? [] : [finding.fix])].join('\n')) },
          locations: [{ physicalLocation: placeOf(finding) }],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function placeOf({ file, line, column }: Finding) {
  const path = relative('.', file);
  const isBelow = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  const uri = isBelow ? path.split(sep).map(encodeURIComponent).join('/') : pathToFileURL(resolve(file)).href;
  return {
    artifactLocation: { uri },
    ...(line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } }),
  };
}
