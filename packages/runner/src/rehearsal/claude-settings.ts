import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseAgentSpec } from '@understudy/agents';
import { readSource, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import type { Scenario } from '@understudy/script';
import type { RehearsalDocument } from './schema.js';

const FIELDS = { settings: '--settings', managed_settings: '--managed-settings' } as const;
const NAMES = ['settings', 'managed_settings'] as const;

/** The arguments that start Claude Code in a permission mode, and with settings besides those of the project. */
export function settingArguments(
  { file, document, scenario }: { file: string; document: RehearsalDocument; scenario: Scenario },
  agent: string,
): string[] {
  const { permission_mode: mode } = scenario.document;
  const given = NAMES.filter((name) => document[name] !== undefined);
  const read = (value: unknown) =>
    typeof value === 'string' ? readSource(resolve(dirname(file), value)).value : value;
  const isClaude = parseAgentSpec(agent).agent === 'claude';
  if (given.length > 0 && !isClaude) {
    throw new UnderstudyError('AGENT_IGNORES_OPTION', `${agent} would ignore \`${given[0]}\``, {
      fix: `Leave \`${given[0]}\` out for ${agent}, or use claude.`,
    });
  }
  return [
    ...(mode === undefined || !isClaude ? [] : ['--permission-mode', mode]),
    ...given.flatMap((name) => [FIELDS[name], JSON.stringify(read(document[name]))]),
  ];
}

/** Files of settings that are not there. */
export function reviewSettings(document: RehearsalDocument, file: string): UnlocatedProblem[] {
  return NAMES.flatMap((name) => {
    const given = document[name];
    if (typeof given !== 'string' || existsSync(resolve(dirname(file), given))) return [];
    const message = `there is no file ${given} beside the rehearsal`;
    const fix = 'Check the path; it is relative to the rehearsal.';
    return [{ code: 'FILE_NOT_FOUND' as const, message, fix, path: [name] }];
  });
}
