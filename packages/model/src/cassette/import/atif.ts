import { defined, isObject } from '@understudy/kit';
import { objectOf, objectsIn, stringOf } from '../../server/wire/json.js';
import type { Imported, ImportedStep, ImportedTurn } from './formats.js';

type Fields = Record<string, unknown>;

/** The names that trajectories have for agents, where they are not ours. */
export const atifNames: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  copilot: 'copilot-cli',
  gemini: 'gemini-cli',
};

const OURS = ['claude', 'codex', 'copilot', 'gemini', 'kiro', 'opencode'];

/** A trajectory in the Agent Trajectory Interchange Format: a step is what one of them said, with the results of tools. */
export function readAtif(document: unknown): Imported | undefined {
  if (!isObject(document) || stringOf(document['schema_version'])?.startsWith('ATIF-v') !== true) return undefined;
  const steps = objectsIn(document['steps']);
  const turns: ImportedTurn[] = [];
  for (const step of steps) {
    const text = textOf(step['message']);
    if (step['source'] === 'user') turns.push({ conversation: 'c1', prompt: text, steps: [] });
    // What no model said is no answer of one.
    else if (step['source'] === 'agent' && step['llm_call_count'] !== 0) turns.at(-1)?.steps.push(stepOf(step, text));
  }
  const agent = objectOf(document['agent']);
  const models = [agent, ...steps].flatMap(({ model_name: name }) => stringOf(name) ?? []);
  return {
    ...{ format: 'atif', turns: turns.filter((turn) => turn.steps.length > 0) },
    ...defined({
      agent: OURS.find((name) => name === agent['name'] || atifNames[name] === agent['name']),
      version: stringOf(agent['version']),
      model: models[0],
      cwd: stringOf(objectOf(agent['extra'])['cwd']),
      recordedAt: timeOf(steps[0]),
    }),
  };
}

function stepOf(step: Fields, text: string): ImportedStep {
  const results = objectsIn(objectOf(step['observation'])['results']);
  const tools = objectsIn(step['tool_calls']).map((call) => {
    const result = results.find(({ source_call_id: id }) => id === call['tool_call_id']);
    return {
      ...{ id: stringOf(call['tool_call_id']) ?? '', name: stringOf(call['function_name']) ?? '' },
      ...{ input: objectOf(call['arguments']), result: textOf(result?.['content']) },
      failed: objectOf(result?.['extra'])['status'] === 'error',
    };
  });
  return { text, tools };
}

/** A text, or parts of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .flatMap((part) => stringOf(part['text']) ?? [])
    .join('\n');
}

function timeOf(step: Fields | undefined): string | undefined {
  const time = Date.parse(stringOf(step?.['timestamp']) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
