import { createInterface } from 'node:readline';
import { paint, UnderstudyError } from '@understudy/kit';
import { type Block, createSimulator, type SimulatedTurn, type Simulator, type UnusedPart } from '@understudy/script';
import { EXIT_INTERRUPTED } from './main.js';
import { print, printJson } from './output.js';

/** Plays a scenario, one prompt per line. The exit code is 1 if a prompt had no answer. */
export async function playScenario(file: string, { json = false }: { json?: boolean }): Promise<number> {
  const simulator = createSimulator(file);
  const interactive = process.stdin.isTTY === true && !json;
  if (interactive) print(paint.dim(`${simulator.scenario.document.name ?? file} — type a prompt, :quit to end`));
  const lines = createInterface({
    input: process.stdin,
    ...(interactive ? { output: process.stdout } : {}),
    prompt: '> ',
  });
  let interrupted = false;
  lines.on('SIGINT', () => {
    interrupted = true;
    lines.close();
  });
  if (interactive) lines.prompt();
  for await (const line of lines) {
    const said = line.trim();
    if (interactive && said === ':quit') break;
    if (said !== '') handleLine(said, simulator, { interactive, json });
    if (interactive) lines.prompt();
  }
  lines.close();
  if (interactive) print();
  if (interrupted) return EXIT_INTERRUPTED;
  const { history, unused, unmatched } = simulator;
  if (history.length === 0 && !interactive) {
    throw new UnderstudyError('NOTHING_PLAYED', 'there was no prompt', {
      fix: `Pipe prompts into it: printf 'hello\\n' | understudy play ${file}`,
    });
  }
  if (json) printJson({ ok: unmatched.length === 0, turns: history, unused, unmatched });
  else printUnused(unused);
  return unmatched.length === 0 ? 0 : 1;
}

function handleLine(
  said: string,
  simulator: Simulator,
  { interactive, json }: { interactive: boolean; json: boolean },
): void {
  if (interactive && said === ':reset') {
    simulator.reset();
    return;
  }
  if (interactive && said === ':unused') {
    printUnused(simulator.unused);
    return;
  }
  const turn = simulator.send(said);
  if (json) return;
  if (!interactive) print(paint.dim(`> ${said}`));
  printTurn(turn);
}

function printTurn(turn: SimulatedTurn): void {
  let tools = 0;
  for (const block of turn.blocks) {
    print(formatBlock(block));
    if (block.type !== 'tool_use') continue;
    const result = turn.tools[tools++];
    if (result?.text) print(paint.dim(`  ${result.isError ? '✗' : '→'} ${result.text.split('\n').join('\n    ')}`));
  }
  if (turn.failure !== undefined) print(paint.red(`✗ ${describeFailure(turn.failure)}`));
  if (turn.unanswered !== undefined) {
    print(paint.red(`✗ ${turn.unanswered.message}`));
    print(`  ${paint.green('fix')}: ${turn.unanswered.fix}`);
  }
  if (turn.matched !== undefined) {
    const retries = turn.retries === 0 ? '' : `, after ${turn.retries} failed ${turn.retries === 1 ? 'try' : 'tries'}`;
    print(paint.dim(`  [${turn.matched}${retries}]`));
  }
}

function formatBlock(block: Block): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return paint.dim(paint.italic(`(${block.text})`));
  return paint.cyan(`• ${block.tool} ${JSON.stringify(block.input)}`);
}

function describeFailure({ type, ...details }: { type: string }): string {
  const rest = Object.entries(details).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return rest.length === 0 ? type : `${type}: ${rest.join(', ')}`;
}

function printUnused(unused: readonly UnusedPart[]): void {
  for (const { rulePath, pattern, kind, optional } of unused) {
    if (!optional) print(paint.yellow(`unused ${kind} ${rulePath} (${pattern})`));
  }
}
