import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnderstudyError } from '../../errors.js';

/** How to start the understudy that this is a part of, with this Node. */
export function ownProgram(from: string = dirname(fileURLToPath(import.meta.url))): string[] {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    for (const file of [join(folder, 'bin', 'understudy.js'), join(folder, 'dist', 'bin', 'understudy.js')]) {
      if (existsSync(file)) return [process.execPath, file];
    }
  }
  throw new UnderstudyError('PROGRAM_NOT_BUILT', 'there is no built understudy to start', {
    fix: 'Build it first: npm run build.',
  });
}
