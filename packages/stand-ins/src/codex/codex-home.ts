import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './process.js';

/** The folder of Codex's settings and sessions. */
export function codexHome(env: NodeJS.ProcessEnv, here: string): string {
  const named = env['CODEX_HOME'];
  if (!named) return join(env['HOME'] ?? here, '.codex');
  if (existsSync(named)) return named;
  const why = `CODEX_HOME points to ${JSON.stringify(named)}, but that path does not exist`;
  throw new Refusal(
    `WARNING: proceeding, even though we could not create PATH aliases: ${why}\nError finding codex home: ${why}`,
  );
}
