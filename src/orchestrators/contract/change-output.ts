import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { writeProgram } from '../../calls/programs.js';
import { shellWord } from '../../process/shell-word.js';
import type { OutputChange } from './generic-case.js';

/** Words of an answer that become bytes on their way out of the agent. */
export const BAD_BYTES = 'UNDERSTUDY-BAD-BYTES';

const CHANGES: Readonly<Record<OutputChange, string>> = {
  'no-newline': 'text.replace(/\\n+$/, "")',
  'bad-bytes': `text.replaceAll("${BAD_BYTES}", "\\xff\\xfe\\xc3")`,
};

/** Puts a filter behind an agent's program that changes what it prints. Exit codes are lost: it is for agents that work. */
export function changeOutput(bin: string, program: string, change: OutputChange): void {
  const file = join(bin, program);
  const unchanged = join(bin, `${program}.unchanged`);
  renameSync(file, unchanged);
  const filter = `const parts = [];
process.stdin.on("data", (part) => parts.push(part)).on("end", () => {
  const text = Buffer.concat(parts).toString("latin1");
  process.stdout.write(Buffer.from(${CHANGES[change]}, "latin1"));
});`;
  const filtered = `${shellWord(unchanged)} "$@" | ${shellWord(process.execPath)} -e ${shellWord(filter)}\nexit 0\n`;
  writeProgram(file, ['true'], filtered);
}
