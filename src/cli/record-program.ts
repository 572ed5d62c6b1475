import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { KEEP_KEY, loadTerminalPackages } from '@understudy/agents';
import { defined, ownCommand, paint, REHEARSAL_ENDING, UnderstudyError, USER_FILE, writeWhole } from '@understudy/kit';
import { CASSETTE_ENDING, CassetteFile } from '@understudy/model';
import { rehearsalFromCassette } from '@understudy/runner';
import { agentOfProgram } from '@understudy/stage';
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
  let kept = false;
  const attended = await isAttended(options);
  const onKept = () => {
    const file = writeRehearsal(options.rehearsal ?? '', cassette);
    kept = true;
    return `kept: ${file}; press ${KEEP_KEY} again to keep more, or leave`;
  };
  if (attended) printNote(`${paint.bold('recording')}: press ${KEEP_KEY} to keep the conversation as it is then`);
  const code = await execProgram(command, {
    ...(attended ? { onKept } : {}),
    ...{ stage: 'live', state: 'session', cassette, allowUnused: true },
    ...defined({ agent, json }),
  });
  if (code === EXIT_COULD_NOT || code === 127) return code;
  try {
    if (!existsSync(cassette) || CassetteFile.open(cassette).header.recordedAt === before) {
      printNote(`${paint.red('nothing recorded')}: the command asked no model through the recorder`);
      return code === 0 ? EXIT_FAILED : code;
    }
    const { interactions } = CassetteFile.open(cassette);
    printNote(`${paint.green('recorded')}: ${cassette} (${interactions.length} interactions)`);
    if (options.rehearsal !== undefined && !kept) await keepRehearsal(options.rehearsal, cassette);
    if (options.rehearsal !== undefined && kept) printRehearsal(rehearsalFile(options.rehearsal));
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

/** Whether a person sits at this terminal who can press the key. The packages for it are optional. */
async function isAttended({ rehearsal, json }: RecordOptions): Promise<boolean> {
  if (rehearsal === undefined || json === true || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  try {
    loadTerminalPackages();
    return true;
  } catch (error) {
    printNote(
      paint.dim(`it is asked at the end whether to keep it; for a key, ${(error as UnderstudyError).fix ?? ''}`),
    );
    return false;
  }
}

function rehearsalFile(name: string): string {
  return `${name}${REHEARSAL_ENDING}`;
}

function writeRehearsal(name: string, cassette: string): string {
  const file = rehearsalFile(name);
  writeWhole(file, rehearsalFromCassette(CassetteFile.open(cassette), { file, name }), USER_FILE);
  return file;
}

function printRehearsal(file: string): void {
  printNote(
    `${paint.green('written')}: ${file}; run it with \`${ownCommand()} run ${file}\`, also with --stage replay`,
  );
}

/** A person at a terminal says whether to keep it; elsewhere it is kept, unless there is one already. */
async function keepRehearsal(name: string, cassette: string): Promise<void> {
  const file = rehearsalFile(name);
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
  printRehearsal(writeRehearsal(name, cassette));
}
