import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { agentOfProgram } from '../calls/programs.js';
import { CASSETTE_ENDING } from '../cassette/format.js';
import { CassetteFile } from '../cassette/reader.js';
import { REHEARSAL_ENDING } from '../document/endings.js';
import { UnderstudyError } from '../errors.js';
import { rehearsalFromCassette } from '../rehearsal/from-cassette/from-cassette.js';
import { paint } from '../terminal/paint.js';
import { execProgram } from './exec-program.js';
import { EXIT_FAILED } from './main.js';
import { printError, printNote } from './output.js';

export interface RecordOptions {
  output?: string;
  rehearsal?: string;
  agent?: string[];
  json?: true;
}

const EXIT_COULD_NOT = 125;

/** Runs a command on the real model through the recorder, and writes the cassette. */
export async function recordProgram(command: readonly string[], options: RecordOptions): Promise<number> {
  const { agent, json } = options;
  const cassette = cassetteFor(command, options);
  const before = existsSync(cassette) ? CassetteFile.open(cassette).header.recordedAt : undefined;
  const code = await execProgram(command, {
    ...{ stage: 'live', state: 'session', cassette, allowUnused: true },
    ...(agent === undefined ? {} : { agent }),
    ...(json === undefined ? {} : { json }),
  });
  if (code === EXIT_COULD_NOT || code === 127) return code;
  try {
    if (!existsSync(cassette) || CassetteFile.open(cassette).header.recordedAt === before) {
      printNote(`${paint.red('nothing recorded')}: the command asked no model through the recorder`);
      return code === 0 ? EXIT_FAILED : code;
    }
    const { interactions } = CassetteFile.open(cassette);
    printNote(`${paint.green('recorded')}: ${cassette} (${interactions.length} interactions)`);
    if (options.rehearsal !== undefined) await keepRehearsal(options.rehearsal, cassette);
    return code;
  } catch (error) {
    printError(error, { json: json === true });
    return EXIT_COULD_NOT;
  }
}

function cassetteFor([program = 'program']: readonly string[], { output, rehearsal }: RecordOptions): string {
  const name = basename(program).replace(/\.\w+$/, '');
  if (output !== undefined) return output;
  if (rehearsal === undefined) return `${name}${CASSETTE_ENDING}`;
  return join('cassettes', `${rehearsal}.${agentOfProgram(name) ?? 'claude'}${CASSETTE_ENDING}`);
}

/** A person at a terminal says whether to keep it; elsewhere it is kept, unless there is one already. */
async function keepRehearsal(name: string, cassette: string): Promise<void> {
  const file = `${name}${REHEARSAL_ENDING}`;
  const isThere = existsSync(file);
  if (process.stdin.isTTY === true && process.stderr.isTTY === true) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const question = isThere ? `${file} exists. Replace it? [y/N] ` : `Keep it as ${file}? [Y/n] `;
    const answer = (await lines.question(question)).trim().toLowerCase();
    lines.close();
    if (isThere ? !answer.startsWith('y') : answer.startsWith('n')) return;
  } else if (isThere) {
    throw new UnderstudyError('CASSETTE_EDIT', `${file} exists already`, {
      fix: 'Choose another name, or remove the file.',
    });
  }
  writeFileSync(file, rehearsalFromCassette(CassetteFile.open(cassette), { file, name }));
  printNote(`${paint.green('written')}: ${file}; run it with \`understudy run ${file}\`, also with --stage replay`);
}
