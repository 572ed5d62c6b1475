import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '@understudy/kit';
import { writeProgram } from '@understudy/stage';
import type { OutputChange } from './generic-case.js';

/** Words of an answer that become bytes on their way out of the agent. */
export const BAD_BYTES = 'UNDERSTUDY-BAD-BYTES';

const CHANGES: Readonly<Record<Exclude<OutputChange, 'then-fails'>, string>> = {
  'no-newline': 'text.replace(/\\n+$/, "")',
  'bad-bytes': `text.replaceAll("${BAD_BYTES}", "\\xff\\xfe\\xc3")`,
};

/** Puts a program around an agent's that changes what it prints, or its exit code. Its own is lost: it is for agents that work. */
export function changeOutput(bin: string, program: string, change: OutputChange): void {
  const file = join(bin, program);
  const unchanged = join(bin, `${program}.unchanged`);
  renameSync(file, unchanged);
  const asIs = `${shellWord(unchanged)} "$@"`;
  const script = change === 'then-fails' ? `${asIs}\nexit 1\n` : `${asIs} | ${filterOf(CHANGES[change])}\nexit 0\n`;
  writeProgram(file, ['true'], script);
}

function filterOf(change: string): string {
  const filter = `const parts = [];
process.stdin.on("data", (part) => parts.push(part)).on("end", () => {
  const text = Buffer.concat(parts).toString("latin1");
  process.stdout.write(Buffer.from(${change}, "latin1"));
});`;
  return `${shellWord(process.execPath)} -e ${shellWord(filter)}`;
}
