import type { ContractDocument, Ending } from '../contract-schema.js';
import type { Answers } from './read-help.js';

/** The words of the command, with all values that it takes. */
export function runWords(command: readonly string[], answers: Answers): string[] {
  const { prompt, iterations, backend, deadline, promise } = answers;
  const given = [prompt, backend, iterations, deadline, promise].filter((words) => words !== undefined);
  return [...command, ...given.flatMap((words) => words.split(/\s+/).filter((word) => word !== ''))];
}

/** A contract as a file. JSON texts and lists are TOML, too. */
export function contractText(contract: Pick<ContractDocument, 'agents' | 'run' | 'promise'> & Endings): string {
  const { agents, run, promise, complete, stopped } = contract;
  return [
    `agents = ${list(agents)}`,
    `run = ${list(run)}`,
    `promise = ${JSON.stringify(promise)}`,
    '# What it does when an agent fails: "retry", "fallback" or "stop".',
    'on_agent_failure = "retry"',
    ...endingText('complete', complete),
    ...(stopped === undefined ? [] : endingText('stopped', stopped)),
    '',
  ].join('\n');
}

/** How the program was seen to end. */
export interface Endings {
  complete: Ending;
  stopped?: Ending;
}

function endingText(name: string, { exit_code: code, stdout }: Ending): string[] {
  return [
    '',
    `[${name}]`,
    ...(code === undefined ? [] : [`exit_code = ${JSON.stringify(code)}`]),
    ...(stdout === undefined ? [] : [`stdout = ${JSON.stringify(stdout)}`]),
  ];
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}
