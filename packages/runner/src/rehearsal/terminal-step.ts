import { join } from 'node:path';
import { describeAction, type EventBody, isKey, KEY_NAMES, type TerminalAction } from '@understudy/agents';
import { defined, nearestWord, type Path, shellWord, type UnlocatedProblem, writeWhole } from '@understudy/kit';
import { asTextPattern, compileTextPattern, describePattern } from '@understudy/script';
import type { Conversation, Turn } from '@understudy/stage';
import type { RunStep } from './run-schema.js';
import { hasTerminalProgram, isRunStep, type RehearsalDocument, type SendStep, type Step } from './schema.js';

/** What a step does at a terminal; nothing where it only says something. */
export function actionOf({
  type,
  press,
  wait_for,
}: Pick<SendStep, 'type' | 'press' | 'wait_for'>): TerminalAction | undefined {
  if (type === undefined && press === undefined && wait_for === undefined) return undefined;
  const pattern = wait_for === undefined ? undefined : asTextPattern(wait_for);
  const compiled = pattern === undefined ? undefined : compileTextPattern(pattern);
  return defined({
    type,
    press: press === undefined ? undefined : [press].flat().filter(isKey),
    waitFor:
      pattern === undefined
        ? undefined
        : {
            describe: describePattern(pattern),
            isIn: (screen: string) => compiled?.match(screen) !== undefined,
          },
  });
}

/** The step in words. */
export function describeStep(step: Step): string {
  if (isRunStep(step)) return typeof step.run === 'string' ? step.run : step.run.map(shellWord).join(' ');
  const action = actionOf(step);
  return step.send ?? (action === undefined ? '' : describeAction(action));
}

/** Does what the step says, and gives the turn. */
export function takeTurn(conversation: Conversation, step: SendStep): Promise<Turn> {
  const options = step.timeout_ms === undefined ? {} : { deadlineMs: step.timeout_ms };
  const action = actionOf(step);
  return action === undefined
    ? conversation.send(step.send ?? '', options)
    : conversation.act({ ...action, ...sent(step) }, options);
}

/** What a step does at the terminal of a program. */
export function actionAtProgram(step: SendStep): TerminalAction {
  return { ...actionOf(step), ...sent(step) };
}

/** Keeps the screen after a step, as text and as a picture. */
export function keepScreen(
  { events, number }: { events: readonly EventBody[]; number: number },
  picture: string | undefined,
  folder: string,
): void {
  const screen = events.findLast((event) => event.type === 'screen');
  if (picture === undefined || screen === undefined) return;
  const file = join(folder, 'screens', `step-${number}`);
  writeWhole(`${file}.txt`, `${screen.text}\n`);
  writeWhole(`${file}.svg`, picture);
}

/** A step that says something and waits: the text, then Enter, then the keys that are given. */
function sent({ send, press }: SendStep): TerminalAction {
  if (send === undefined) return {};
  return { type: send, press: ['enter', ...[press ?? []].flat().filter(isKey)] };
}

/** Steps that do nothing, or do what only a terminal can. */
export function reviewTerminalSteps(document: RehearsalDocument): UnlocatedProblem[] {
  const { terminal, steps } = document;
  return steps.flatMap((step, index): UnlocatedProblem[] => {
    const path = ['steps', index];
    if (isRunStep(step)) return reviewTerminalRun(step, terminal !== undefined, path);
    const misplaced = hasTerminalProgram(document) ? reviewAtProgram(step, steps.slice(0, index), path) : [];
    if (misplaced.length > 0) return misplaced;
    const keys = (['type', 'press', 'wait_for'] as const).filter((key) => step[key] !== undefined);
    if (step.send === undefined && keys.length === 0) {
      return [{ code: 'MISSING_FIELD', message: 'the step has no `send`', fix: 'Add `send = "…"`.', path }];
    }
    const [key] = keys;
    if (terminal === undefined && key !== undefined) {
      const message = `\`${key}\` needs a terminal, and the rehearsal has none`;
      const fix = 'Add `terminal = { columns = 100, rows = 30 }` at the top, or use `send`.';
      return [{ code: 'CONFLICTING_FIELDS', message, fix, path: [...path, key] }];
    }
    if (terminal === undefined && step.expect?.screen !== undefined) {
      const message = '`screen` needs a terminal, and the rehearsal has none';
      const fix = 'Add `terminal = { columns = 100, rows = 30 }` at the top, or expect what the agent `says`.';
      return [{ code: 'CONFLICTING_FIELDS', message, fix, path: [...path, 'expect', 'screen'] }];
    }
    if (step.send !== undefined && step.type !== undefined) {
      const message = '`send` and `type` cannot both be given: `send` types, too, and presses Enter';
      return [{ code: 'CONFLICTING_FIELDS', message, fix: 'Keep one of them.', path: [...path, 'type'] }];
    }
    return [step.press ?? []]
      .flat()
      .filter((name) => !isKey(name))
      .map((name) => unknownKey(name, [...path, 'press']));
  });
}

const ONLY_STREAMS = ['stdin', 'signal'] as const;

/** What a program in a terminal does not have, and what only such a program has. */
function reviewTerminalRun(step: RunStep, inTerminal: boolean, path: Path): UnlocatedProblem[] {
  const { expect = {} } = step;
  const conflict = (message: string, fix: string, ...at: string[]): UnlocatedProblem => {
    return { code: 'CONFLICTING_FIELDS', message, fix, path: [...path, ...at] };
  };
  if (!inTerminal) {
    const fix = 'Add `terminal = { columns = 100, rows = 30 }` at the top.';
    const needs = (name: string) => `\`${name}\` needs a terminal, and the rehearsal has none`;
    return [
      ...(step.wait_for === undefined ? [] : [conflict(needs('wait_for'), fix, 'wait_for')]),
      ...(expect.screen === undefined ? [] : [conflict(needs('screen'), fix, 'expect', 'screen')]),
    ];
  }
  return [
    ...ONLY_STREAMS.filter((name) => step[name] !== undefined).map((name) =>
      conflict(`\`${name}\` is for programs without a terminal`, 'Use steps with `type` and `press`.', name),
    ),
    ...(['stdout', 'stderr'] as const)
      .filter((name) => expect[name] !== undefined)
      .map((name) => conflict(`a terminal has no \`${name}\``, 'Expect a `screen`.', 'expect', name)),
  ];
}

const AT_PROGRAM = ['screen', 'files', 'commits', 'outcome', 'reason'];

/** A step at a program that does not run yet, or that expects what only an agent has. */
function reviewAtProgram({ expect = {} }: SendStep, before: readonly Step[], path: Path): UnlocatedProblem[] {
  if (!before.some(isRunStep)) {
    const message = 'there is no program to type at: the terminal is that of the `run` step';
    return [{ code: 'CONFLICTING_FIELDS', message, fix: 'Put the `run` step before it.', path }];
  }
  return Object.keys(expect)
    .filter((name) => !AT_PROGRAM.includes(name))
    .map((name) => ({
      code: 'CONFLICTING_FIELDS',
      message: `\`${name}\` is not known of a program`,
      fix: 'Expect it of a call: `[[steps.expect.call]]` of the `run` step.',
      path: [...path, 'expect', name],
    }));
}

function unknownKey(name: string, path: (string | number)[]): UnlocatedProblem {
  const near = nearestWord(name.toLowerCase(), KEY_NAMES);
  return {
    code: 'UNKNOWN_VALUE',
    message: `there is no key ${JSON.stringify(name)}`,
    fix:
      near === undefined
        ? `Use one of ${KEY_NAMES.join(', ')}, or ctrl+ or alt+ with a letter.`
        : `Change it to "${near}".`,
    path,
  };
}
