import { UnderstudyError } from '../errors.js';

/** How far a command is kept apart from this machine. */
const isolationLevels = ['none', 'sandbox', 'docker'] as const;

export type IsolationLevel = (typeof isolationLevels)[number];

/** What was asked for: `auto` is the best that works here. */
export type IsolationChoice = { level: 'auto' | 'none' | 'sandbox' } | { level: 'docker'; image?: string };

/** What `auto` is taken from if nobody says anything. */
export const ISOLATION_VARIABLE = 'UNDERSTUDY_ISOLATION';

/** Reads `auto`, `none`, `sandbox`, `docker` or `docker=IMAGE`. */
export function parseIsolation(text: string): IsolationChoice {
  const [level, image] = text.split(/=(.*)/s);
  if (level === 'docker' && image !== '') return image === undefined ? { level } : { level, image };
  if (image === undefined && (level === 'auto' || level === 'none' || level === 'sandbox')) return { level };
  throw new UnderstudyError('BAD_FLAG', `"${text}" is not an isolation`, {
    fix: 'Use auto, none, sandbox, docker or docker=IMAGE.',
  });
}

/** What was asked for: in words, by a variable, or nothing. */
export function askedIsolation(text: string | undefined): IsolationChoice {
  return parseIsolation(text ?? (process.env[ISOLATION_VARIABLE] || 'auto'));
}
