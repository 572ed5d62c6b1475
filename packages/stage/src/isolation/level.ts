import { UnderstudyError } from '@understudy/kit';

/** How far a command is kept apart from this machine. */
export const isolationLevels = ['none', 'sandbox', 'docker'] as const;

export type IsolationLevel = (typeof isolationLevels)[number];

/** What was asked for: `auto` is the best that works here, `required` the same and never `none`. */
export type IsolationChoice = { level: 'auto' | 'required' | 'none' | 'sandbox' } | { level: 'docker'; image?: string };

/** What a command has around it, and why not something better. */
export interface IsolationState {
  level: IsolationLevel;
  reason?: string | undefined;
}

/** What `auto` is taken from if nobody says anything. */
export const ISOLATION_VARIABLE = 'UNDERSTUDY_ISOLATION';

const PLAIN = ['auto', 'required', 'none', 'sandbox'] as const;

/** Reads `auto`, `required`, `none`, `sandbox`, `docker` or `docker=IMAGE`. */
export function parseIsolation(text: string): IsolationChoice {
  const [level, image] = text.split(/=(.*)/s);
  if (level === 'docker' && image !== '') return image === undefined ? { level } : { level, image };
  const plain = PLAIN.find((one) => one === text);
  if (plain !== undefined) return { level: plain };
  throw new UnderstudyError('BAD_FLAG', `"${text}" is not an isolation`, {
    fix: 'Use auto, required, none, sandbox, docker or docker=IMAGE.',
  });
}

/** What was asked for: in words, by a variable, or nothing. */
export function requestedIsolation(text: string | undefined): IsolationChoice {
  return parseIsolation(text ?? (process.env[ISOLATION_VARIABLE] || 'auto'));
}
