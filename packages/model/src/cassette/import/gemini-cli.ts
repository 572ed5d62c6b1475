import { isObject } from '@understudy/kit';
import type { StreamEvent } from '../format.js';
import { readAnswer } from '../read-answer.js';
import type { Imported, ImportedStep, ImportedTurn } from './formats.js';

/** What Gemini CLI writes with `--record-responses`: the answers alone, each with the method that was called. */
export function readGeminiCli(lines: readonly Record<string, unknown>[]): Imported | undefined {
  const answers = lines.filter(({ method }) => method === 'generateContent' || method === 'generateContentStream');
  if (answers.length === 0 || !lines.every(({ method }) => typeof method === 'string')) return undefined;
  const turns: ImportedTurn[] = [];
  let open = false;
  for (const { response } of answers) {
    const step = stepOf([response].flat().filter(isObject));
    const turn = open ? turns.at(-1) : undefined;
    if (turn === undefined) {
      // The file does not say what was asked.
      turns.push({ conversation: 'c1', prompt: `prompt ${turns.length + 1}`, steps: [step] });
    } else turn.steps.push(step);
    open = step.tools.length > 0;
  }
  return { format: 'gemini-cli', agent: 'gemini', turns };
}

function stepOf(chunks: readonly Record<string, unknown>[]): ImportedStep {
  const events: StreamEvent[] = chunks.map((data) => ({ at: 0, data }));
  const { text, tools } = readAnswer('gemini', { status: 200, headers: {}, after: 0, form: 'stream', events });
  return { text, tools };
}
