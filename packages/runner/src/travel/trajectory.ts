import { agents, type ConversationEvent, type EventOf } from '@understudy/agents';
import { defined, shellWord, UnderstudyError } from '@understudy/kit';
import { atifNames } from '@understudy/model';
import { type EntryResult, readLogs } from '@understudy/verdict';
import type { StoredRun } from '../run/run-folder.js';

/** The version of the format that is written: the first with embedded trajectories. */
const ATIF = 'ATIF-v1.7';

interface Step {
  step_id: number;
  timestamp: string;
  source: 'system' | 'user' | 'agent';
  message: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: Result[] };
  llm_call_count?: number;
  extra?: Record<string, unknown>;
}

interface Result {
  source_call_id?: string;
  content: string;
  subagent_trajectory_ref?: { trajectory_id: string }[];
  extra?: Record<string, unknown>;
}

/** A conversation in the Agent Trajectory Interchange Format of Harbor. */
export interface Trajectory {
  schema_version: typeof ATIF;
  session_id?: string;
  trajectory_id?: string;
  agent: { name: string; version: string; model_name?: string; extra?: Record<string, unknown> };
  steps: Step[];
  notes?: string;
  final_metrics?: Record<string, number>;
  extra?: Record<string, unknown>;
  subagent_trajectories?: Trajectory[];
}

/** The conversation of a test, or a program with the conversations of its calls. */
export function makeTrajectory(entry: EntryResult, { run, folder }: StoredRun): Trajectory {
  const { events } = readLogs(entry, folder);
  const own = events.filter(({ call, step }) => call === undefined && step === undefined);
  const trajectory = own.some(({ type }) => type === 'prompt') ? ofConversation(own) : ofPrograms(events);
  if (trajectory === undefined) {
    throw new UnderstudyError('EXPORT_REFUSED', `nothing was said in ${entry.name}`, {
      fix: 'Export a test in which an agent was asked, of a run whose logs are there.',
    });
  }
  return {
    ...trajectory,
    // Nobody is to take the words of a script for those of a model.
    ...(entry.stage === 'live' ? {} : { notes: `Played on the stage ${entry.stage}: ${SOURCES[entry.stage]}` }),
    extra: {
      understudy: { version: run.understudy_version, test: entry.name, stage: entry.stage, status: entry.status },
    },
  };
}

const SOURCES: Record<string, string> = {
  sim: 'a stand-in said what its script says. Neither the agent nor the model is real.',
  scripted: 'the agent is real, and a script said what the model says.',
  replay: 'the agent is real, and a recording of the model answered.',
};

function ofConversation(events: readonly ConversationEvent[]): Trajectory | undefined {
  const own = events.filter((event) => parentOf(event) === undefined);
  const subagents = subagentsIn(events);
  const steps = stepsOf(own, new Set(subagents.map(({ trajectory_id: id }) => id)));
  if (steps.length === 0) return undefined;
  const sessions = events.filter((event) => event.type === 'session');
  const session = sessions.at(-1);
  return {
    schema_version: ATIF,
    ...defined({ session_id: sessions.find(({ sessionId }) => sessionId !== undefined)?.sessionId }),
    agent: agentOf(events),
    steps,
    ...metricsOf(events, session?.agent ?? '', steps.length),
    ...(subagents.length === 0 ? {} : { subagent_trajectories: subagents }),
  };
}

function agentOf(events: readonly ConversationEvent[]): Trajectory['agent'] {
  const sessions = events.filter((event) => event.type === 'session');
  const name = sessions[0]?.agent ?? 'unknown';
  return {
    name: atifNames[name] ?? name,
    version: sessions.find(({ version }) => version !== undefined)?.version ?? 'unknown',
    ...defined({ model_name: sessions.find(({ model }) => model !== undefined)?.model }),
    ...(sessions[0] === undefined ? {} : { extra: { cwd: sessions[0].cwd } }),
  };
}

/** A step of the agent is one answer of the model and the results of the tools that it called. */
function stepsOf(events: readonly ConversationEvent[], subagents: ReadonlySet<string | undefined>): Step[] {
  const steps: Step[] = [];
  let open: Step | undefined;
  const add = (at: string, source: Step['source'], message: string): Step => {
    const step: Step = { step_id: steps.length + 1, timestamp: at, source, message };
    steps.push(step);
    open = undefined;
    return step;
  };
  /** Where the results of an answer are there, what comes next is another one. */
  const answer = (at: string): Step => {
    if (open === undefined || open.observation !== undefined) open = add(at, 'agent', '');
    return open;
  };
  for (const event of events) {
    const { at } = event;
    if (event.type === 'prompt') add(at, 'user', event.text);
    else if (event.type === 'text') {
      const step = answer(at);
      step.message += step.message === '' ? event.text : `\n${event.text}`;
    } else if (event.type === 'thinking') {
      const step = answer(at);
      step.reasoning_content = [step.reasoning_content, event.text].filter(Boolean).join('\n');
    } else if (event.type === 'tool_call') {
      const step = answer(at);
      step.tool_calls = [
        ...(step.tool_calls ?? []),
        { tool_call_id: event.id, function_name: event.tool, arguments: event.input },
      ];
    } else if (event.type === 'tool_result') addResult(steps, event, subagents);
    else if (event.type === 'turn_ended' && event.outcome !== 'completed') {
      const last = steps.at(-1);
      // Where no model answered, the CLI says why in its place.
      if (last?.source === 'agent' && last.message === event.message) last.llm_call_count = 0;
      const why = [event.reason, event.message].filter(Boolean).join(': ');
      add(at, 'system', `The turn ${event.outcome.replace('_', ' ')}${why === '' ? '' : `: ${why}`}`);
    }
  }
  return steps;
}

function addResult(steps: readonly Step[], event: EventOf<'tool_result'>, subagents: ReadonlySet<string | undefined>) {
  const step = steps.findLast(({ tool_calls: calls }) => calls?.some(({ tool_call_id: id }) => id === event.id));
  if (step === undefined) return;
  const { id, text, status, exitCode } = event;
  step.observation ??= { results: [] };
  step.observation.results.push({
    ...{ source_call_id: id, content: text },
    ...(subagents.has(id) ? { subagent_trajectory_ref: [{ trajectory_id: id }] } : {}),
    extra: { status, ...defined({ exit_code: exitCode }) },
  });
}

/** What subagents said and did, each as a trajectory with the id of the call that started it. */
function subagentsIn(events: readonly ConversationEvent[]): Trajectory[] {
  const started = events.filter((event) => event.type === 'subagent_started');
  const calls = new Set([
    ...started.map(({ callId, id }) => callId ?? id),
    ...events.flatMap((event) => parentOf(event) ?? []),
  ]);
  return [...calls].flatMap((call) => {
    const start = started.find(({ callId, id }) => (callId ?? id) === call);
    const end = events.find((event) => event.type === 'subagent_finished' && event.id === start?.id);
    const own = events.filter((event) => parentOf(event) === call);
    if (start?.prompt !== undefined) own.unshift({ ...placeOf(start), type: 'prompt', id: call, text: start.prompt });
    // Of one that was waited for, the CLI tells the last words in its end alone.
    const last = end?.type === 'subagent_finished' ? end.summary : undefined;
    const isThere = own.some((event) => event.type === 'text' && event.text === last);
    if (end !== undefined && last !== undefined && !isThere) own.push({ ...placeOf(end), type: 'text', text: last });
    const steps = stepsOf(own, new Set());
    if (steps.length === 0) return [];
    const agent = { ...agentOf(events), name: start?.agent ?? 'subagent' };
    return [{ schema_version: ATIF, trajectory_id: call, agent, steps }];
  });
}

/** The call that started the subagent whose event it is. */
function parentOf(event: ConversationEvent): string | undefined {
  return 'parent' in event && typeof event.parent === 'string' ? event.parent : undefined;
}

function placeOf({ seq, at, turn }: ConversationEvent): { seq: number; at: string; turn: number } {
  return { seq, at, turn };
}

/** The trajectory of a test of programs: each program is a step that no model made, with the conversations of its calls. */
function ofPrograms(events: readonly ConversationEvent[]): Trajectory | undefined {
  const programs = events.filter((event) => event.type === 'program');
  const subagents: Trajectory[] = [];
  const steps = programs.flatMap((program, index): Step[] => {
    const { at, step = index + 1, command, stdout, stderr, code } = program;
    const calls = [...new Set(events.flatMap((event) => (event.step === program.step ? (event.call ?? []) : [])))];
    const conversations = calls.flatMap((call) => {
      const made = ofConversation(events.filter((event) => event.step === program.step && event.call === call));
      return made === undefined ? [] : [{ ...made, trajectory_id: `step-${step}-call-${call}` }];
    });
    subagents.push(...conversations);
    const results: Result[] = [
      { content: [stdout, stderr].filter((text) => text !== '').join('\n'), extra: { exit_code: code } },
      ...conversations.map(({ trajectory_id: id }) => ({
        content: '',
        subagent_trajectory_ref: [{ trajectory_id: id }],
      })),
    ];
    const line = command.map(shellWord).join(' ');
    return [
      { step_id: index * 2 + 1, timestamp: at, source: 'user', message: line },
      {
        step_id: index * 2 + 2,
        timestamp: at,
        source: 'agent',
        message: '',
        llm_call_count: 0,
        observation: { results },
      },
    ];
  });
  if (subagents.length === 0) return undefined;
  return {
    schema_version: ATIF,
    agent: { name: 'program', version: 'unknown' },
    steps,
    subagent_trajectories: subagents,
  };
}

/** Anthropic counts what came from a cache by itself, the others as a part of the input. */
function metricsOf(
  events: readonly ConversationEvent[],
  agent: string,
  total_steps: number,
): Pick<Trajectory, 'final_metrics'> {
  const ended = events.filter((event) => event.type === 'turn_ended');
  const used = ended.flatMap(({ usage }) => usage ?? []);
  const costs = ended.flatMap(({ costUsd }) => costUsd ?? []);
  const isApart = Object.values(agents).find(({ name }) => name === agent)?.provider === 'anthropic';
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const cached = sum(used.map(({ cacheReadTokens = 0 }) => cacheReadTokens));
  const written = sum(used.map(({ cacheWriteTokens = 0 }) => cacheWriteTokens));
  return {
    final_metrics: {
      total_steps,
      ...(used.length === 0
        ? {}
        : {
            total_prompt_tokens: sum(used.map(({ inputTokens }) => inputTokens)) + (isApart ? cached + written : 0),
            total_completion_tokens: sum(used.map(({ outputTokens }) => outputTokens)),
            total_cached_tokens: cached,
          }),
      ...(costs.length === 0 ? {} : { total_cost_usd: sum(costs) }),
    },
  };
}
