import { recognizeClient } from '@understudy/agents';
import { defined, isObject, type JsonObject } from '@understudy/kit';
import {
  type CassetteFile,
  type IndexedInteraction,
  type ReadAnswer,
  readRecordedAnswer as readAnswer,
  readTranscript,
  route,
  type Transcript,
} from '@understudy/model';
import type { SlashCommand } from '@understudy/script';

/** What the user said, and what the model answered until the turn was over. */
export interface RecordedTurn {
  prompt: string;
  command?: SlashCommand;
  /** The subagent that was asked. */
  agent?: string;
  conversation: string;
  /** The answers, with the tools that they called; each but the last is followed by tool results. */
  answers: ReadAnswer[];
  /** Attempts that failed before the first answer. */
  failures: { status: number; message: string }[];
}

/** The turns of all conversations of a cassette, in their order. */
export function turnsOf(cassette: CassetteFile): RecordedTurn[] {
  const open = new Map<string, RecordedTurn>();
  const turns: RecordedTurn[] = [];
  for (const entry of cassette.interactions) {
    if (entry.kind !== 'answer') continue;
    const asked = readExchange(cassette, entry);
    const { answer } = asked;
    let turn = open.get(entry.conversation);
    if (asked.prompt !== undefined && !(turn !== undefined && isRetry(turn, asked.prompt.text))) {
      turn = {
        ...{ prompt: asked.prompt.text, conversation: entry.conversation, answers: [], failures: [] },
        ...defined({ command: asked.prompt.command, agent: entry.agent }),
      };
      open.set(entry.conversation, turn);
      turns.push(turn);
    }
    if (turn === undefined) continue;
    if (answer.error === undefined) turn.answers.push(answer);
    else if (turn.answers.length === 0) turn.failures.push({ status: entry.status, message: answer.error });
  }
  return turns;
}

function isRetry({ prompt, answers, failures }: RecordedTurn, text: string): boolean {
  return prompt === text && answers.length === 0 && failures.length > 0;
}

interface RecordedExchange {
  answer: ReadAnswer;
  prompt: Transcript['prompt'] | undefined;
  results: Transcript['results'];
}

/** What an interaction asked, and what was answered. */
export function readExchange(cassette: CassetteFile, entry: IndexedInteraction): RecordedExchange {
  const { request, answer, protocol } = cassette.read(entry);
  const { method, path, headers, body } = request;
  const routed = route(method, path, headers);
  const read = readAnswer(protocol, answer);
  if (!isObject(body) || routed.want !== 'answer') return { answer: read, prompt: undefined, results: [] };
  const client = recognizeClient(headers);
  const { prompt, results } = readTranscript(routed.protocol.read(body as JsonObject, routed.target), client);
  return { answer: read, prompt, results };
}
