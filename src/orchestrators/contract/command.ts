import { resolve } from 'node:path';
import { ownProgram } from '../../process/own-program.js';
import type { Contract } from './load-contract.js';
import { UNDERSTUDY } from './placeholders.js';

/** The words of a command of a contract. A program with a relative path is beside the contract. */
export function commandIn(
  { folder }: Contract,
  words: readonly string[],
  fill: (text: string) => string = (text) => text,
): string[] {
  const [program = '', ...rest] = words.flatMap((word) =>
    word === UNDERSTUDY ? ownProgram('understudy.js') : [fill(word)],
  );
  return [/^[^/]+\//.test(program) ? resolve(folder, program) : program, ...rest];
}
