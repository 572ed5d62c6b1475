import { readShellLine } from '@understudy/agents';

/** Programs with which an exit code of 1 is an answer, and what it says. */
const ANSWERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    grep: 'No matches found',
    egrep: 'No matches found',
    fgrep: 'No matches found',
    rg: 'No matches found',
    diff: 'Files differ',
    'git diff': 'Files differ',
    'git grep': 'No matches found',
    find: 'Some directories were inaccessible',
    test: 'Condition is false',
    '[': 'Condition is false',
  }),
);

/** What an exit code of a command says, if it is no failure. Only the name of the last program counts. */
export function answerOf(command: string, exitCode: number): string | undefined {
  if (exitCode !== 1) return undefined;
  // What is turned around is no answer any more.
  if (/(?:^|[;&|\n])\s*!\s[^;&|\n]*$/.test(command)) return undefined;
  const [name = '', ...rest] = readShellLine(command).commands.at(-1)?.words ?? [];
  return ANSWERS.get(name === 'git' ? `git ${subcommandOf(rest)}` : name);
}

/** Options of git itself stand before it, some with a word of their own. */
function subcommandOf([word = '', ...rest]: readonly string[]): string {
  if (!word.startsWith('-')) return word;
  return subcommandOf(word === '-C' || word === '-c' ? rest.slice(1) : rest);
}
