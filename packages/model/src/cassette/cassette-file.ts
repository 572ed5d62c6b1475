import { existsSync } from 'node:fs';
import { UnderstudyError } from '@understudy/kit';

/** The ending of files that hold a cassette. */
export const CASSETTE_ENDING = '.cassette.jsonl';

/** Whether there is something to replay. */
export function hasCassette(file: string): boolean {
  return existsSync(file);
}

export function notLive(stage: string): UnderstudyError {
  return new UnderstudyError('RECORD_NOT_LIVE', `on the stage "${stage}" there is no real model to record`, {
    fix: 'Use `--stage live --record`; or `--stage replay --record`, which records what has no cassette yet.',
  });
}
