import { escapeReminders, matcherCovers } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { DeclaredHook } from '@understudy/stage';
import { type Candidate, EXAMPLE_TEXT, mayObject, TOOL_CANDIDATES } from '@understudy/suites';
import type { Expectation } from '@understudy/verdict';
import { askingStopPart, askingToolPart, asksModel } from './asking-hook-parts.js';
import { type Part, type RuleDraft, ruleFor, type Skipped } from './part.js';
import { compactionPart, SESSION_EVENTS, subagentPart } from './session-hook-parts.js';
import { type HookTrial, type HookTry, wordsOf } from './try-hooks.js';
import { type Unproven, unprovenGuard, unprovenLoop } from './unproven.js';

type HookExpectation = NonNullable<Expectation['hooks']>[number];

/** What the hooks of a plugin add to the rehearsal. */
export interface HookParts {
  parts: Part[];
  startHooks: string[];
  endHooks: string[];
  /** What must be true of every first turn: the hooks that run on each prompt, and what they add for the model. */
  everyTurn: { hooks: HookExpectation[]; told: string[]; rules: RuleDraft[] };
  notes: string[];
  /** Hooks that were too slow to be tried with everything. */
  skipped: Skipped[];
}

const TOOL_EVENTS = ['PreToolUse', 'PostToolUse'];
/** How the CLI begins the prompt in which a Stop hook says why the agent may not stop. */
const STOP_FEEDBACK = 'Stop hook feedback:';

const TURN_EVENTS = ['UserPromptSubmit', 'Stop'];

/** Writes the parts of hooks. Without a trial the hooks are not fired, and only the ones that run by themselves are expected. */
export async function hookParts(hooks: readonly DeclaredHook[], trial: HookTrial | undefined): Promise<HookParts> {
  const awaited = hooks.filter((hook) => hook.background !== true && !asksServer(hook));
  const events = [...new Set(awaited.map(({ event }) => event))];
  const fired = awaited.filter((hook) => !asksModel(hook));
  const found: HookParts = {
    parts: [],
    startHooks: fired.some(runsAtStart) ? ['SessionStart'] : [],
    endHooks: fired.some(runsAtEnd) ? ['SessionEnd'] : [],
    everyTurn: { hooks: [], told: [], rules: [] },
    notes: [...new Set(hooks.filter(({ background }) => background === true).map(backgroundHint))],
    skipped: hooks.filter(asksServer).flatMap((hook) => skippedHook(hook) ?? []),
  };
  for (const event of events) {
    const all = awaited.filter((hook) => hook.event === event);
    const own = all.filter((hook) => !asksModel(hook));
    addAsking(found, event, all.filter(asksModel));
    if (own.length === 0) continue;
    if (TOOL_EVENTS.includes(event)) await addToolParts(found, event, own, trial);
    else if (TURN_EVENTS.includes(event)) await addTurnHook(found, event, own, trial);
    else if (event === 'SessionStart') await addContext(found, event, own.filter(runsAtStart), trial);
    else if (event !== 'SessionEnd' && !SESSION_EVENTS.includes(event)) found.notes.push(hint(event, own));
  }
  await addSessionParts(found, fired, trial);
  return found;
}

/** Of SessionStart, the hooks that run when a session begins, not only when it is resumed, cleared or compacted. */
function runsAtStart(hook: DeclaredHook): boolean {
  return hook.event === 'SessionStart' && matcherCovers(hook.matcher, 'startup');
}

function runsAtEnd({ event, matcher }: DeclaredHook): boolean {
  return event === 'SessionEnd' && matcherCovers(matcher, 'other');
}

/** Steps for hooks around a compaction and around a subagent; a hint for those that such a step does not reach. */
async function addSessionParts(
  found: HookParts,
  hooks: readonly DeclaredHook[],
  trial: HookTrial | undefined,
): Promise<void> {
  const parts = [subagentPart(hooks), await compactionPart(hooks, trial)].filter((part) => part !== undefined);
  found.parts.push(...parts);
  const reached = parts.flatMap(({ expect }) => expect.hooks ?? []).map(({ event }) => event);
  const others = hooks.filter(({ event }) => SESSION_EVENTS.includes(event) && !reached.includes(event));
  found.notes.push(...new Set(others.map((hook) => hint(hook.event, [hook]))));
}

function asksServer({ type }: DeclaredHook): boolean {
  return type === 'http' || type === 'mcp_tool';
}

/** Why a hook that asks a server has no step: its answer is not known. A defect is reported anyway. */
function skippedHook({ event, type, text, defect }: DeclaredHook): Skipped | undefined {
  if (defect !== undefined) return undefined;
  const name = `hook ${event}`;
  return type === 'http'
    ? {
        ...{ name, reason: `it asks the server at ${text}, which is not there in a sandbox.` },
        fix: 'Start it, use --isolation none, and add a step for the hook. A rehearsal in which it gets no answer fails.',
      }
    : {
        ...{ name, reason: `it calls ${text}, and what that answers is not known.` },
        fix: 'Add a step for the hook. [mcp.NAME.tools] of the rehearsal can answer for its server.',
      };
}

/** Hooks that ask a model: the rehearsal says what it answers. */
function addAsking(found: HookParts, event: string, hooks: readonly DeclaredHook[]): void {
  const [hook] = hooks;
  if (hook === undefined) return;
  if (event === 'Stop') {
    found.parts.push(askingStopPart(STOP_FEEDBACK));
    return;
  }
  if (event === 'UserPromptSubmit') {
    found.everyTurn.hooks.push({ event, blocked: false });
    return;
  }
  for (const one of hooks) {
    const part = askingToolPart(one);
    if (part === undefined)
      found.notes.push(`${event} has no step here: a rule with when = { hook = "${event}" } answers it.`);
    // Two hooks about one tool are asked in the same step.
    else if (!found.parts.some(({ name }) => name === part.name)) found.parts.push(part);
  }
}

async function addToolParts(
  found: HookParts,
  event: string,
  hooks: readonly DeclaredHook[],
  trial: HookTrial | undefined,
): Promise<void> {
  const tools = toolsOf(hooks);
  if (tools.length === 0 || trial === undefined) {
    found.notes.push(...hooks.map((hook) => hint(event, [hook])));
    return;
  }
  for (const tool of tools) {
    const { passed, stopped, slow, inputs, changed } = await trial.tryTool(event, tool);
    noteSlow(found, event, { what: `${event} on ${tool}`, slow, inputs });
    if (inputs === 0 && slow === undefined)
      found.notes.push(`${event} on ${tool} was not tried: its hook is for none of our inputs, or for the CLI alone.`);
    if (inputs === 0) continue;
    if (event === 'PreToolUse') {
      const own = hooks.filter(({ matcher }) => matcherCovers(matcher, tool));
      const text = own.map((hook) => trial.textOf(hook)).join('\n');
      addUnproven(found, unprovenGuard(tool, text, { isStopping: stopped !== undefined, changed }));
    }
    if (event === 'PostToolUse') found.parts.push(runsAfter(tool, passed?.candidate));
    else {
      if (passed !== undefined) found.parts.push(passes(tool, passed, stopped === undefined));
      if (stopped !== undefined) found.parts.push(stops(tool, stopped));
    }
  }
}

/** The tools that are tried: those that a matcher covers. One that covers all tools is tried with two of them. */
function toolsOf(hooks: readonly DeclaredHook[]): string[] {
  const known = Object.keys(TOOL_CANDIDATES);
  const tools = hooks.flatMap(({ matcher }) => {
    const covered = known.filter((tool) => matcherCovers(matcher, tool));
    return covered.length === known.length ? ['Bash', 'Write'] : covered;
  });
  return known.filter((tool) => tools.includes(tool));
}

function passes(tool: string, { candidate }: HookTry, isOnlyOne: boolean): Part {
  const send = `Try ${tool} with something harmless.`;
  return {
    name: `PreToolUse lets a harmless ${tool} through`,
    comments: isOnlyOne
      ? [
          `None of the inputs that were tried for ${tool} is stopped by the hook. If it should stop something, add a step`,
          `like this one with that input, and expect: hooks = [{ event = "PreToolUse", on = "${tool}", blocked = true }]`,
        ]
      : [],
    rules: [ruleFor(send, callOf(tool, candidate))],
    send,
    expect: {
      tools: { calls: [{ tool, status: 'ok' }] },
      hooks: [{ event: 'PreToolUse', on: tool, blocked: false }],
    },
    ...filesOf(candidate),
  };
}

function stops(tool: string, { candidate, reason }: HookTry): Part {
  const send = `Try ${tool} with something dangerous.`;
  return {
    name: `PreToolUse stops a dangerous ${tool}`,
    comments: [
      'If no hook stops it, the user refuses it. If a hook allows it, it runs without a question: it harms nothing.',
    ],
    rules: [ruleFor(send, callOf(tool, candidate))],
    send,
    permissions: { [tool]: 'deny' },
    expect: {
      tools: { calls: [{ tool, status: 'blocked' }] },
      hooks: [{ event: 'PreToolUse', on: tool, blocked: true, ...defined({ reason }) }],
    },
    ...filesOf(candidate),
  };
}

function runsAfter(tool: string, candidate = TOOL_CANDIDATES[tool]?.harmless[0]): Part {
  const send = `Use ${tool}.`;
  return {
    name: `PostToolUse runs after ${tool}`,
    rules: candidate === undefined ? [] : [ruleFor(send, callOf(tool, candidate))],
    send,
    expect: { hooks: [{ event: 'PostToolUse', on: tool }] },
    ...(candidate === undefined ? {} : filesOf(candidate)),
  };
}

/** The model calls the tool. A file that it edits is read before, as the CLI wants it. */
function callOf(tool: string, { input, edits }: Candidate): unknown {
  const call = { tool_calls: [{ tool, input }], then: 'Done.' };
  if (edits === undefined || tool === 'Read') return call;
  return { tool_calls: [{ tool: 'Read', input: { file_path: input['file_path'] } }], then: call };
}

function filesOf({ edits }: Candidate): Pick<Part, 'files'> {
  return edits === undefined ? {} : { files: { [edits]: EXAMPLE_TEXT } };
}

async function addTurnHook(
  found: HookParts,
  event: string,
  hooks: readonly DeclaredHook[],
  trial: HookTrial | undefined,
): Promise<void> {
  if (event === 'UserPromptSubmit') {
    found.everyTurn.hooks.push({ event });
    return addContext(found, event, hooks, trial);
  }
  const { fired = [], slow } = (await trial?.tryEvent(event)) ?? {};
  noteSlow(found, event, { what: event, slow, inputs: Math.min(fired.length, 1) });
  const stopper = fired.find(({ blocked }) => blocked);
  found.everyTurn.hooks.push(stopper === undefined ? { event } : { event, blocked: true });
  if (trial !== undefined && stopper === undefined && hooks.some((hook) => mayObject(trial.textOf(hook))))
    addUnproven(found, unprovenLoop(event));
  const [reason] = (stopper === undefined ? undefined : wordsOf(stopper))?.split('\n') ?? [];
  // The agent may not stop yet: what the hook says is the next thing that the model answers.
  found.everyTurn.rules.push(
    reason === undefined || reason.trim() === ''
      ? { pattern: { type: 'contains', text: STOP_FEEDBACK }, optional: true, response: 'Now it is done.' }
      : { pattern: { type: 'contains', text: reason.trim() }, response: 'Now it is done.' },
  );
}

/** What a hook adds for the model when a session or a turn begins. */
async function addContext(
  found: HookParts,
  event: string,
  hooks: readonly DeclaredHook[],
  trial: HookTrial | undefined,
): Promise<void> {
  if (trial === undefined || hooks.every(({ type }) => type !== 'command')) return;
  const { fired, context, slow } = await trial.tryEvent(event);
  noteSlow(found, event, { what: event, slow, inputs: Math.min(fired.length, 1) });
  // The CLI writes what could begin or end a reminder of its own in another way.
  if (context !== undefined) found.everyTurn.told.push(escapeReminders(context));
}

/** Says in the rehearsal and to the user what nothing here proves of a hook. */
function addUnproven(found: HookParts, { notes, skipped }: Unproven): void {
  found.notes.push(...notes);
  found.skipped.push(...skipped);
}

/** Says in the rehearsal and to the user that slow hooks were not tried with everything. */
function noteSlow(
  found: HookParts,
  event: string,
  { what, slow, inputs }: { what: string; slow: string | undefined; inputs: number },
): void {
  if (slow === undefined) return;
  const tried = ['not tried', 'tried once'][inputs] ?? `tried with ${inputs} inputs only`;
  const fix = `Fire it by hand: understudy hook . ${event}`;
  found.notes.push(`${what} was ${tried}: ${slow}. ${fix}`);
  found.skipped.push({ name: `hook ${what}`, reason: `${tried}: ${slow}.`, fix });
}

function backgroundHint({ event }: DeclaredHook): string {
  return `${event} has no step here: the CLI does not wait for its hook. Fire it by hand: understudy hook . ${event}`;
}

function hint(event: string, [hook]: readonly DeclaredHook[]): string {
  const on = hook === undefined || ['', '*'].includes(hook.matcher) ? '' : ` on ${hook.matcher}`;
  return `${event}${on} has no step here. Fire it by hand: understudy hook . ${event}`;
}
