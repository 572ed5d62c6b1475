import { resolve } from 'node:path';
import { ownProgram } from '@understudy/kit';
import { readableNextTo } from '@understudy/stage';
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
  return [isRelativeProgram(program) ? resolve(folder, program) : program, ...rest];
}

/** What an orchestrator may read next to its contract: the folder, or in a home itself what the contract names there. */
export function readableNextToContract({ file, run, resume = [], env = {} }: Contract): string[] {
  return readableNextTo(file, {
    paths: [run, resume].flatMap(([program = '']) => (isRelativeProgram(program) ? [program] : [])),
    texts: [...run, ...resume, ...Object.values(env)],
  });
}

function isRelativeProgram(program: string): boolean {
  return /^[^/]+\//.test(program);
}
