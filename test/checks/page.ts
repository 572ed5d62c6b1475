import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { expectationSchema } from '../../packages/runner/src/rehearsal/expectation-schema.js';
import type { Check, CheckScope } from '../../packages/verdict/src/checks/define-check.js';
import { expectations, turnChecks } from '../../packages/verdict/src/checks/expectation.js';
import { callsSchema } from '../../packages/verdict/src/checks/program/call-checks.js';
import { callChecks, callSchema } from '../../packages/verdict/src/checks/program/calls-made.js';
import { runChecks, runExpectationSchema } from '../../packages/verdict/src/checks/program/run-expectation.js';

type Shape = Readonly<Record<string, z.core.$ZodType>>;
const ofTurn: readonly Check[] = turnChecks as readonly unknown[] as Check[];
const ofCall: readonly Check[] = callChecks as readonly unknown[] as Check[];
const ofRun: readonly Check[] = runChecks as readonly unknown[] as Check[];

/** Of what something can be expected, in words. */
const PLACES: Record<CheckScope, string> = { step: 'turn', call: 'call', start: 'start', end: 'end', run: 'program' };

const TABLES: Readonly<Record<string, () => string>> = {
  turn: () =>
    table(
      ['field', 'what must hold', 'of'],
      rowsOf({ ...expectationSchema.shape, ...expectations.end.shape }, ofTurn, true),
    ),
  program: () =>
    table(['in `[steps.expect]`', 'what must hold'], rowsOf(own(runExpectationSchema.shape, ofTurn), ofRun)),
  calls: () => table(['in `calls`', 'what must hold'], rowsOf(callsSchema.shape, [])),
  call: () => table(['in `[[steps.expect.call]]`', 'what must hold'], rowsOf(own(callSchema.shape, ofTurn), ofCall)),
};

export const pages = ['docs/rehearsals.md', 'docs/programs.md'];

/** A page with the tables of today; each stands between `<!-- checks: turn -->` and `<!-- /checks -->`. */
export function pageWithTables(file: string): string {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return page.replace(
    /(<!-- checks: (\w+) -->\n)[\s\S]*?(<!-- \/checks -->)/g,
    (_, from: string, name: string, to: string) => `${from}${TABLES[name]?.()}${to}`,
  );
}

/** The fields that are not those of a turn. */
function own(shape: Shape, others: readonly Check[]): Shape {
  const ofOthers = new Set(others.flatMap(({ fields }) => Object.values(fields)));
  return Object.fromEntries(Object.entries(shape).filter(([, field]) => !ofOthers.has(field as z.ZodMiniType)));
}

function rowsOf(shape: Shape, checks: readonly Check[], withPlaces = false): string[][] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const check = checks.find(({ fields }) => fields[name] === field);
    if (defOf(field).type === 'never') return [];
    const words = z.globalRegistry.get(field)?.description ?? '';
    const more = check?.page === undefined ? '' : ` ([more](${check.page}))`;
    const places = (check?.scopes ?? ['step']).map((scope) => PLACES[scope]);
    return [[`\`${name} = ${shapeOf(field)}\``, `${words}${more}`, ...(withPlaces ? [places.join(', ')] : [])]];
  });
}

function table(head: string[], rows: string[][]): string {
  return [head, ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`)
    .toSpliced(1, 0, `|${head.map(() => '---|').join('')}\n`)
    .join('');
}

function defOf(schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return 'innerType' in def ? defOf(def.innerType) : def;
}

/** How a value is written: `"…"`, `[{ tool, input }]`. That a pattern may take the place of a text is said elsewhere. */
function shapeOf(schema: z.core.$ZodType): string {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return namesOf(def.shape);
    case 'array':
      return `[${shapeOf(def.element)}]`;
    case 'union':
      return [...new Set(def.options.map(shapeOf))].filter((form) => form !== '').join(' | ');
    case 'enum':
      return eitherOf(Object.values(def.entries));
    case 'literal':
      return eitherOf(def.values);
    case 'record':
      return '{ … }';
    case 'boolean':
      return 'true';
    case 'number':
      return '1';
    default:
      return '"…"';
  }
}

const MOST = 9;

function namesOf(shape: Shape): string {
  const names = Object.keys(shape);
  if (names.includes('type')) return '';
  return names.length > MOST ? '{ … }' : `{ ${names.join(', ')} }`;
}

function eitherOf(values: readonly unknown[]): string {
  return values.length > MOST ? '"…"' : values.map((value) => JSON.stringify(value)).join(' | ');
}
