import type { ConversationEvent, EventOf } from '@understudy/agents';
import { compileTextPattern, namesCommand, type TextPattern } from '@understudy/script';
import { ambiguousCommand } from './ambiguous-command.js';
import type { TriggerDocument } from './schema.js';

/** A trigger that can be held against an event. */
export interface CompiledTrigger {
  /** In words, for reports: `command /plan`. */
  description: string;
  /** Only commands are asked for by a person, so only they can be out of turn. */
  isCommand: boolean;
  matches(event: ConversationEvent, calls: CallInputs): boolean;
  /** Why the command that it was is not clear from its name, among those that are known. */
  ambiguity(event: ConversationEvent, known: readonly string[]): string | undefined;
}

/** The inputs of tool calls, by their id: a result does not repeat them. */
export type CallInputs = ReadonlyMap<string, Record<string, unknown>>;

type Test = (text: string) => boolean;

/** Compiles a trigger; a regex that is refused throws `RefusedPattern`. */
export function compileTrigger(trigger: TriggerDocument): CompiledTrigger {
  const parts = [
    ['command', commandTest(trigger)],
    ['tool', toolTest(trigger)],
    ['hook', hookTest(trigger)],
    ['commit', commitTest(trigger)],
    ['text', textTest(trigger)],
    ['file', fileTest(trigger)],
    ['turn', turnTest(trigger)],
  ] as const;
  const tests = parts.flatMap(([, test]) => (test === undefined ? [] : [test]));
  return {
    description: describeTrigger(trigger),
    isCommand: trigger.command !== undefined,
    matches: (event, calls) => tests.length > 0 && tests.every((test) => test(event, calls)),
    ambiguity: (event, known) => (event.type === 'command' ? ambiguityOf(trigger, event.name, known) : undefined),
  };
}

function ambiguityOf({ command }: TriggerDocument, called: string, known: readonly string[]): string | undefined {
  const names = list(command ?? []).map((name) => name.replace(/^\//, ''));
  const meant = names.filter((name) => namesCommand(name, { name: called, args: '' }));
  const reasons = meant.map((name) => ambiguousCommand(known, name, called));
  // One name that is clear is enough.
  return reasons.includes(undefined) ? undefined : reasons[0];
}

type EventTest = (event: ConversationEvent, calls: CallInputs) => boolean;

function commandTest({ command, args }: TriggerDocument): EventTest | undefined {
  if (command === undefined) return undefined;
  const names = list(command).map((name) => name.replace(/^\//, ''));
  const argsTest = patternTest(args);
  return (event) =>
    event.type === 'command' &&
    event.status !== 'unknown' &&
    names.some((name) => namesCommand(name, { name: event.name, args: event.args })) &&
    argsTest(event.args);
}

function toolTest({ tool, input, result, status }: TriggerDocument): EventTest | undefined {
  if (tool === undefined && input === undefined && result === undefined && status === undefined) return undefined;
  const inputTest = patternTest(input);
  const resultTest = patternTest(result);
  return (event, calls) =>
    event.type === 'tool_result' &&
    (tool === undefined || list(tool).includes(event.tool)) &&
    (status === undefined || event.status === status) &&
    resultTest(event.text) &&
    (input === undefined || inputTest(JSON.stringify(calls.get(event.id) ?? {})));
}

function hookTest({ hook, blocked }: TriggerDocument): EventTest | undefined {
  if (hook === undefined && blocked === undefined) return undefined;
  return (event) =>
    event.type === 'hook_finished' &&
    (hook === undefined || list(hook).some((name) => name === event.event || name === event.name)) &&
    (blocked === undefined || event.blocked === blocked);
}

function commitTest({ commit }: TriggerDocument): EventTest | undefined {
  if (commit === undefined) return undefined;
  const test = commit === true ? () => true : patternTest(commit);
  return (event) => event.type === 'commit' && test(event.message);
}

function textTest({ text }: TriggerDocument): EventTest | undefined {
  if (text === undefined) return undefined;
  const test = patternTest(text);
  // What a subagent says is not said to the user.
  return (event) => event.type === 'text' && event.parent === undefined && test(event.text);
}

function fileTest({ file, change }: TriggerDocument): EventTest | undefined {
  if (file === undefined && change === undefined) return undefined;
  const test = patternTest(file);
  return (event) =>
    event.type === 'file_changed' && (change === undefined || event.change === change) && test(event.path);
}

function turnTest({ turn }: TriggerDocument): EventTest | undefined {
  if (turn === undefined) return undefined;
  return (event): event is EventOf<'turn_ended'> => event.type === 'turn_ended' && event.outcome === turn;
}

function patternTest(pattern: string | TextPattern | undefined): Test {
  if (pattern === undefined) return () => true;
  const compiled = compileTextPattern(
    typeof pattern === 'string' ? { type: 'contains', text: pattern, ignore_case: true } : pattern,
  );
  return (text) => compiled.match(text) !== undefined;
}

function list(value: string | string[]): string[] {
  return Array.isArray(value) ? value : [value];
}

/** What a trigger waits for, in a few words. */
function describeTrigger(trigger: TriggerDocument): string {
  const words = [
    trigger.command === undefined
      ? []
      : [
          `command ${list(trigger.command)
            .map((name) => `/${name.replace(/^\//, '')}`)
            .join(' or ')}`,
        ],
    trigger.tool === undefined ? [] : [`tool ${list(trigger.tool).join(' or ')}`],
    trigger.status === undefined ? [] : [`that is ${trigger.status}`],
    trigger.hook === undefined ? [] : [`hook ${list(trigger.hook).join(' or ')}`],
    trigger.blocked === undefined ? [] : [trigger.blocked ? 'that blocks' : 'that lets pass'],
    trigger.commit === undefined ? [] : ['commit'],
    trigger.file === undefined ? [] : ['file changed'],
    trigger.text === undefined ? [] : ['text said'],
    trigger.turn === undefined ? [] : [`turn ${trigger.turn}`],
    ...(['args', 'input', 'result', 'commit', 'text', 'file'] as const).map((key) => {
      const pattern = trigger[key];
      return pattern === undefined || pattern === true ? [] : [`${key} ~ ${shown(pattern)}`];
    }),
  ].flat();
  return words.join(', ');
}

function shown(pattern: string | TextPattern): string {
  if (typeof pattern === 'string') return JSON.stringify(pattern);
  return 'text' in pattern ? JSON.stringify(pattern.text) : 'pattern' in pattern ? `/${pattern.pattern}/` : 'anything';
}
