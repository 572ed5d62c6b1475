import { countOf, defined, ownCommand, paint, visibleOnOneLine } from '@understudy/kit';
import { scaffoldProgram } from '../scaffold/program-rehearsal.js';
import { print, printJson } from './output.js';
import { version } from './version.js';

/** Writes a first rehearsal of a program that calls agents or models, and prints how to run it. */
export async function initProgram(text: string, folder: string, { force = false, json = false }): Promise<number> {
  const { file, calls, exitCode, complaint } = await scaffoldProgram(text, folder, { force, version });
  const next = `${ownCommand()} run ${file} --stage sim`;
  if (json) {
    printJson({ ok: true, file, calls, exit_code: exitCode, ...defined({ complaint }), written: [file], next });
    return 0;
  }
  print(`${paint.green('✓')} ${text} ${paint.dim(`${countOf(calls.length, 'call')}, exit code ${exitCode}`)}`);
  for (const { agent, prompt } of calls)
    print(`  ${paint.dim('·')} ${agent} ${visibleOnOneLine(prompt).slice(0, 100)}`);
  if (exitCode !== 0) {
    const said =
      complaint === undefined || complaint === '' ? 'it said nothing on stderr' : visibleOnOneLine(complaint);
    print(
      `  ${paint.yellow('problem')} it ended with ${exitCode}: ${said}. If that is right, keep exit_code = ${exitCode}.`,
    );
  }
  print(`  wrote ${file}`);
  print(`\nNext: ${paint.bold(next)}`);
  return 0;
}
