import type { CommandDefinition } from '@understudy/agents';
import type { Session } from './session.js';

/** Why a skill cannot be loaded: its guards would be silent. */
export function unplayedHooks({ parts }: Session, { name, hasHooks }: CommandDefinition): string | undefined {
  if (hasHooks === undefined || parts.settings['disableAllHooks'] === true) return undefined;
  return `The stand-in does not run the hooks in the front matter of ${name}.`;
}
