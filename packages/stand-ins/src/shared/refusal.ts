import { recordUnsupported } from './record-call.js';

/** The stand-in could not do its job: no scenario, a bad one, or something that it refuses. */
export const EXIT_HARNESS_ERROR = 2;

/** Something that the real CLI does and its stand-in does not: its message is a sentence of the border. */
export class NotSupported extends Error {}

/** Reports a refusal, and returns the exit code. */
export function refuse(program: string, { message }: NotSupported, error: (text: string) => void): number {
  recordUnsupported(message);
  error(`understudy-${program}: ${message}\nUse the real CLI (\`--stage scripted\`).\n`);
  return EXIT_HARNESS_ERROR;
}
