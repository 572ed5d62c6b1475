import { defined, isObject, paint, parseJson, UnderstudyError } from '@understudy/kit';
import { type FiredEvent, type FiredHook, fireHooks } from '@understudy/stage';
import { describeIsolation } from '@understudy/verdict';
import { chosenIsolation } from './chosen-isolation.js';
import { print, printJson } from './output.js';

export interface FireHookOptions {
  tool: string;
  input?: string;
  fields?: string;
  cwd?: string;
  json?: true;
  isolation?: string;
}

/** Runs the hooks of an event and prints what each did. */
export async function fireHookCommand(path: string, event: string, options: FireHookOptions): Promise<number> {
  const { tool, cwd, json, isolation } = options;
  await chosenIsolation(isolation);
  const toolInput = options.input === undefined ? undefined : jsonObject('--input', options.input);
  const fields = options.fields === undefined ? undefined : jsonObject('--fields', options.fields);
  const result = await fireHooks({
    ...{ from: path, event, tool },
    ...defined({ toolInput, fields, cwd, isolation }),
  });
  if (json === true) printJson({ ok: noneFailed(result), ...result });
  else show(result);
  if (result.fired.length === 0) return 2;
  return noneFailed(result) ? 0 : 1;
}

/** Blocking (exit code 2) is a normal result; an attempt to leave the sandbox is none. Exit code 1 blocks nothing and is nearly always a mistake, as is wrong JSON. */
function noneFailed({ fired }: FiredEvent): boolean {
  return (
    fired.length > 0 &&
    fired.every(
      ({ exitCode, outcome, problem, tried }) =>
        outcome !== 'cancelled' && (exitCode === 0 || exitCode === 2) && problem === undefined && tried === undefined,
    )
  );
}

function show({ isolation, payload, fired, passedOver }: FiredEvent): void {
  print(`${describeIsolation(isolation)}\n`);
  print(`${paint.bold('stdin')} ${JSON.stringify(payload, null, 2)}\n`);
  fired.forEach(showHook);
  for (const { command, reason } of passedOver) print(`${paint.yellow('–')} ${command}\n  did not run: ${reason}\n`);
}

function showHook(hook: FiredHook): void {
  print(`${hook.blocked ? paint.red('■') : paint.green('▶')} ${hook.command} ${paint.dim(hook.file)}`);
  print(`  exit ${hook.exitCode} after ${hook.milliseconds} ms: ${paint.bold(verdictOf(hook))}`);
  if (hook.problem !== undefined) print(paint.red(`  the CLI cannot use what it said: ${hook.problem}`));
  for (const text of hook.tried ?? []) print(paint.red(`  tried outside of its sandbox: ${text}`));
  if (hook.reason !== undefined) print(`  reason: ${hook.reason}`);
  if (hook.additionalContext !== undefined) print(`  context for the model: ${hook.additionalContext}`);
  if (hook.updatedInput !== undefined) print(`  new tool input: ${JSON.stringify(hook.updatedInput)}`);
  if (hook.systemMessage !== undefined) print(`  message to the user: ${hook.systemMessage}`);
  if (hook.stdout !== '') print(indented('stdout', hook.stdout));
  if (hook.stderr !== '') print(indented('stderr', hook.stderr));
  print();
}

function verdictOf({ decision, blocked, exitCode, problem }: FiredHook): string {
  if (blocked) return `blocks (${decision})`;
  if (problem !== undefined) return 'continues: its output has no effect';
  if (decision !== 'none') return decision;
  return exitCode === 0 ? 'continues' : 'continues: only exit 2 blocks, or JSON on stdout with exit 0';
}

function indented(name: string, text: string): string {
  return `  ${name}:\n${text.trimEnd().replace(/^/gm, '    ')}`;
}

function jsonObject(flag: string, text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new UnderstudyError('BAD_FLAG', `${flag} is not a JSON object: ${text}`, {
    fix: `Write, for example, ${flag} '{"file_path":"a.txt"}'.`,
  });
}
