import { readableNextTo } from '@understudy/stage';
import type { Rehearsal } from './load.js';
import type { ProgramFields } from './run-schema.js';
import { isRunStep } from './schema.js';

/** What agents and programs may read beside a rehearsal: its folder, or in a home itself what the rehearsal names there. */
export function readableNextToRehearsal({ file, document }: Rehearsal): string[] {
  const { before = [], after = [], services = [] } = document;
  const steps: (ProgramFields & { stdin?: string | undefined })[] = [
    ...[...document.steps.filter(isRunStep), ...before, ...after],
    ...services,
  ];
  const values = [document, ...steps].flatMap(({ env = {} }) => Object.values(env));
  const programs = steps.flatMap(({ run }) => (typeof run === 'string' ? [] : run.slice(0, 1)));
  const servers = Object.values(document.mcp ?? {}).flatMap(({ command = '', args = [] }) => [command, ...args]);
  return readableNextTo(file, {
    paths: [
      ...values.flatMap((value) => (Array.isArray(value) ? value : [])),
      ...programs.filter((program) => /^[^/]+\//.test(program)),
      ...servers.filter((word) => /^\.\.?\//.test(word)),
    ],
    texts: [...values.flat(), ...steps.flatMap(({ run, stdin = '' }) => [run, stdin].flat())],
  });
}
