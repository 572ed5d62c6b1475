import { realpathSync } from 'node:fs';
import type { ConfigPaths } from '@understudy/agents';
import { isObject, parseJson, readIfThere } from '@understudy/kit';
import { writeOut } from '../../shared/write-out.js';

/** Whether the user has said that the project may be trusted. */
export function isTrusted(paths: ConfigPaths, cwd: string): boolean {
  const state = parseJson(readIfThere(paths.state) ?? '');
  const projects = isObject(state) ? state['projects'] : undefined;
  const project = isObject(projects) ? (projects[cwd] ?? projects[realpathSync(cwd)]) : undefined;
  return isObject(project) && project['hasTrustDialogAccepted'] === true;
}

/** Says which rules of a project do not count, because nobody trusts it. */
export function complainOfTrust(ignored: number, file: string, { state }: ConfigPaths, cwd: string): void {
  writeOut(
    2,
    `Ignoring ${ignored} permissions.allow ${ignored === 1 ? 'entry' : 'entries'} from .claude/${file}: this workspace has not been trusted. ` +
      `Run Claude Code interactively here once and accept the trust dialog, or set projects["${cwd}"].hasTrustDialogAccepted: true in ${state}.\n`,
  );
}
