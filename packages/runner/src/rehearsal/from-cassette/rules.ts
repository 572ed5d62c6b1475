import type { ReadAnswer } from '@understudy/model';
import type { RecordedTurn } from './turns.js';

type Fields = Record<string, unknown>;

const LONG_PROMPT = 160;
const BEGINNING = 80;

/** The rules that answer what the model answered in these turns. */
export function rulesOf(turns: readonly RecordedTurn[], importedFrom?: string): Fields[] {
  const rules = turns.map((turn) => ruleOf(turn, turns, importedFrom));
  return rules.map((rule, index) => {
    const same = (other: Fields) =>
      JSON.stringify([other['pattern'], other['when']]) === JSON.stringify([rule['pattern'], rule['when']]);
    // What is asked again gets the next answer.
    return rules.slice(index + 1).some(same) ? { ...rule, max_matches: 1 } : rule;
  });
}

function ruleOf(turn: RecordedTurn, turns: readonly RecordedTurn[], importedFrom: string | undefined): Fields {
  const [first, ...rest] = turn.answers;
  return {
    // A fixture of aimock matches a part of the prompt.
    pattern: importedFrom === 'aimock' ? { type: 'contains', text: turn.prompt } : patternOf(turn, turns),
    ...(turn.agent === undefined || turn.agent === 'subagent' ? {} : { when: { agent: turn.agent } }),
    ...failureOf(turn),
    ...(first === undefined ? {} : { response: responseOf(first, rest) }),
  };
}

function patternOf({ prompt, command }: RecordedTurn, turns: readonly RecordedTurn[]): Fields {
  if (command !== undefined) {
    const others = turns.filter((turn) => turn.command?.name === command.name && turn.command.args !== command.args);
    return {
      ...{ type: 'command', name: command.name },
      ...(others.length > 0 && command.args !== '' ? { args: { type: 'exact', text: command.args } } : {}),
    };
  }
  const text = withFolders(prompt);
  const beginning = text.split('\n')[0]?.slice(0, BEGINNING) ?? '';
  const isUnique = turns.filter((turn) => turn.prompt.includes(beginning)).length === 1;
  if ((text.length > LONG_PROMPT || prompt.includes('{{')) && isUnique) return { type: 'contains', text: beginning };
  return { type: 'exact', text };
}

const FAILURES: readonly [number, string][] = [
  [401, 'auth_error'],
  [403, 'forbidden'],
  [429, 'rate_limit'],
  [529, 'overloaded'],
];

function failureOf({ failures, answers }: RecordedTurn): Fields {
  const [first] = failures;
  if (first === undefined) return {};
  const [, type = 'server_error'] = FAILURES.find(([status]) => status === first.status) ?? [];
  return { failure: { type, ...(answers.length === 0 ? {} : { times: failures.length }) } };
}

/** Without anything said before the tools, the shortest form: tools first, then the text. */
function responseOf(answer: ReadAnswer, rest: readonly ReadAnswer[]): unknown {
  const { text, tools } = answer;
  const said = withFolders(text);
  const [next] = rest;
  if (tools.length === 0) return said;
  const tool_calls = tools.map(({ name, input }) => ({ tool: name, input: withFoldersIn(input) }));
  if (next === undefined) return { ...(said === '' ? {} : { text: said }), tool_calls };
  if (said === '' && next.tools.length === 0) return { text: withFolders(next.text), tool_calls };
  return { ...(said === '' ? {} : { text: said }), tool_calls, then: responseOf(next, rest.slice(1)) };
}

/** Scripts know only the name of the project's folder. */
function withFolders(text: string): string {
  return text.replaceAll('{{home}}', '~').replaceAll('{{user_home}}', '~').replaceAll('{{tmp}}', '/tmp');
}

function withFoldersIn(value: unknown): unknown {
  return JSON.parse(withFolders(JSON.stringify(value))) as unknown;
}
