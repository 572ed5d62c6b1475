import { randomUUID } from 'node:crypto';
import {
  type AgentDriver,
  type AgentName,
  type EventBody,
  promptOfCall,
  type RecordedCall,
  type Reportable,
  type Stage,
  type TurnVerdict,
} from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { Told } from '../conversation/told.js';
import type { SeenOnWire } from '../conversation/wire-witness.js';

/** What is known of a call besides its output: from the stand-in's log, or from the requests to the model server. */
export interface CallDetails {
  /** The prompt, as the model got it. */
  prompt?: string;
  events: readonly EventBody[];
  verdict?: TurnVerdict;
  told: Told;
  /** How often the request was sent that was sent most often. */
  attempts?: number;
}

/** One call of an agent by a program: a conversation of its own. */
export interface AgentCall {
  number: number;
  /** The agent; for a program that asks the model itself, the protocol that it uses. */
  agent: string;
  /** The program's name and its arguments; of a request, the method and the path. */
  command: readonly string[];
  cwd?: string;
  pid?: number;
  /** The process that started it; the command is empty where it is not known. */
  parent?: { pid: number; command: string };
  /** What the CLI took for its prompt. */
  prompt: string;
  /** Streams that were recorded. A terminal is not. */
  stdin?: string;
  stdout?: string;
  stderr?: string;
  startedAt: number;
  /** Absent for a call that had not ended, or was killed. */
  endedAt?: number;
  code?: number | null;
  signal?: string | null;
  /** How often the request to the model was sent that was sent most often, where the requests are known. */
  attempts?: number;
  /** What happened in it, as in any conversation. */
  events: readonly EventBody[];
  told: Told;
  /** What was on the wire in it, where what the agent prints can be held against that. */
  wire?: SeenOnWire;
}

/** All that the agent said in a call. */
export function textOfCall({ events }: Pick<AgentCall, 'events'>): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(' ');
}

/** Makes a conversation of a recorded call. */
export function toAgentCall(
  call: RecordedCall & { number: number },
  agent: AgentName,
  {
    stage,
    version,
    known,
    driver,
    wire,
  }: {
    stage: Stage;
    version?: string | undefined;
    known: CallDetails | undefined;
    driver: AgentDriver | undefined;
    wire?: SeenOnWire | undefined;
  },
): AgentCall {
  const { words: command, cwd, pid, parent, number, startedAt, ended, stdin, stdout, stderr } = call;
  const args = command.slice(1);
  const prompt = promptOfCall(agent, args, stdin ?? '') || (known?.prompt ?? '');
  const { events, reports, verdict } = happened(call, driver, stage, known);
  const milliseconds = ended === undefined ? 0 : Math.max(0, ended.at - startedAt);
  const session: EventBody = { type: 'session', agent, stage, cwd, reports: [...reports], ...defined({ version }) };
  return {
    ...{ number, agent, command, cwd, pid, parent, prompt, startedAt },
    ...defined({ stdin, stdout, stderr, endedAt: ended?.at, code: ended?.code, signal: ended?.signal }),
    ...defined({ attempts: known?.attempts, wire }),
    events: [
      session,
      { type: 'prompt', id: randomUUID(), text: prompt },
      ...events.map((event) => (event.type === 'session' ? { ...event, reports: [...reports] } : event)),
      {
        type: 'process_ended',
        code: ended?.code ?? null,
        signal: ended?.signal ?? null,
        unexpected: ended?.code === undefined || ended.code === null,
        ...defined({ stderr: stderr === '' ? undefined : stderr?.slice(-4000) }),
      },
      { type: 'turn_ended', milliseconds, ...endOf(call, verdict) },
    ],
    told: known?.told ?? { unknown: 'the requests of this call are not known' },
  };
}

interface Happened {
  events: readonly EventBody[];
  reports: readonly Reportable[];
  verdict: TurnVerdict | undefined;
}

/** By the CLI's own output where that contains everything, else by what is known otherwise, else by what it printed. */
function happened(
  call: RecordedCall,
  driver: AgentDriver | undefined,
  stage: Stage,
  known: CallDetails | undefined,
): Happened {
  const { words, stdout, stderr = '', ended } = call;
  const own = stdout === undefined ? undefined : driver?.readCall(words.slice(1), stage);
  if (own !== undefined && stdout !== undefined) {
    const lines = stdout.split('\n').filter((line) => line !== '');
    const events = lines.flatMap((line) => own.reader.read(line));
    const exit = { code: ended?.code ?? null, signal: (ended?.signal ?? null) as NodeJS.Signals | null };
    return { events, reports: own.reports, verdict: own.reader.verdict(exit, stderr) };
  }
  if (known !== undefined) return { events: known.events, reports: ['tools'], verdict: known.verdict };
  const text = stdout?.trim() ?? '';
  return { events: text === '' ? [] : [{ type: 'text', text }], reports: [], verdict: undefined };
}

function endOf({ ended, stderr }: RecordedCall, verdict: TurnVerdict | undefined) {
  if (ended?.code === undefined || ended.code === null) {
    const how = ended?.signal === undefined || ended.signal === null ? 'was killed' : `ended by ${ended.signal}`;
    return { outcome: 'died', reason: 'died', message: `the agent ${how}` } as const;
  }
  if (verdict !== undefined) return verdict;
  if (ended.code === 0) return { outcome: 'completed' } as const;
  const said = stderr?.trim().slice(-1000);
  return { outcome: 'failed', reason: 'exit_code', message: `exit code ${ended.code} ${said ?? ''}`.trim() } as const;
}
