import { describe, expect, it, vi } from 'vitest';
import { decide } from '../../packages/agents/src/claude/facts/permissions/decide.js';
import { noRules } from '../../packages/agents/src/claude/facts/permissions/rules.js';
import { tool } from '../../packages/suites/src/drift/case.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, sample, seedOr } from '../helpers/seeded.js';
import { askClaude } from './claude-answers.js';
import { RECORDING, RecordedAnswers } from './recordings.js';

const SEED = seedOr(9);

/**
 * What the real CLI says to each of 3,577 command lines in a session without rules: by its words, the lines that get
 * them; those under the empty words it runs. Home is /H, the project /H/work.
 */
const recordings = new RecordedAnswers<Record<string, string[]>>('bash');
const recorded = new Map(
  Object.entries(recordings.said).flatMap(([words, lines]) => lines.map((line) => [line, words] as const)),
);

/** Lines that the stand-in judges otherwise: what a nested command does, and options where none are expected. */
const KNOWN = new Set([
  'A=$(ls)',
  'cat <<< $HOME',
  'cd --version',
  'echo "a $USER b"',
  'for i in $(ls); do echo a; done',
  "sed -n '1p' -e '2p' README.md",
  'test --version',
]);
/** Lines that both refuse, in other words. */
const OTHER_WORDS = 76;

const ask = (command: string) =>
  decide('Bash', { command }, { mode: 'default', rules: noRules(), cwd: '/H/work', directories: ['/H/work'] });

/** What a real CLI says to a few lines: nothing where it runs one. */
async function askReal(command: readonly string[], lines: readonly string[]): Promise<Map<string, string>> {
  const answers = await askClaude(command, {
    name: 'lines of the shell',
    files: { 'README.md': 'hello\n', 'a.json': { a: 1 }, 'sub/x': 'x\n' },
    // As long as nothing has run, the CLI judges lines that set variables otherwise.
    uses: ['true', ...lines].map((line) => tool('Bash', { command: line, timeout: 5000 })),
  });
  const [, ...own] = answers;
  return new Map(lines.map((line, at) => [line, own[at]?.isRefused === true ? own[at].text : '']));
}

/** Without the folders, which are others each time. */
const plain = (words: string) => words.replace(/'\/[^']*'/g, "'…'");

describe('which commands need approval', () => {
  it('is decided as the real Claude Code does', () => {
    vi.stubEnv('HOME', '/H');
    const wrong: string[] = [];
    let otherWords = 0;
    const undecided: string[] = [];
    for (const [line, words] of recorded) {
      const { behavior, message, ...decision } = ask(line);
      if (decision.undecided !== undefined) undecided.push(line);
      else if ((behavior === 'allow') !== (words === '')) wrong.push(line);
      else if (words !== '' && message !== words) otherWords++;
    }
    expect(wrong.filter((line) => !KNOWN.has(line))).toEqual([]);
    expect(
      [...KNOWN].filter((line) => !wrong.includes(line)),
      'judged rightly now: take it off the list',
    ).toEqual([]);
    expect(otherWords).toBeLessThanOrEqual(OTHER_WORDS);
    expect(undecided, 'refused by name now: it needs no recording').toEqual([]);
  });

  const some = LONG || RECORDING ? [...recorded.keys()] : sample([...recorded.keys()], 40, SEED);
  it(`the real one still says so (${some.length} by seed ${SEED})`, { timeout: 1_800_000 }, async (context) => {
    const { command } = await realAgent('claude', context);
    const said = new Map<string, string>();
    // A change of the folder stays in a session: it comes last.
    some.sort((one, other) => Number(/\bcd\b/.test(one)) - Number(/\bcd\b/.test(other)));
    for (let at = 0; at < some.length; at += 40)
      for (const [line, words] of await askReal(command, some.slice(at, at + 40))) said.set(line, words);
    if (RECORDING) save(said);
    const now = Object.fromEntries([...said].map(([line, words]) => [line, plain(words)]));
    expect(now).toEqual(Object.fromEntries(some.map((line) => [line, plain(recorded.get(line) ?? '')])));
  });
});

/** New words are written down; folders stay as they were. */
function save(said: ReadonlyMap<string, string>): void {
  const byWords = new Map<string, string[]>();
  for (const [line, words] of said) {
    const before = recorded.get(line) ?? '';
    const kept = plain(before) === plain(words) ? before : words;
    byWords.set(kept, [...(byWords.get(kept) ?? []), line]);
  }
  const sorted = [...byWords.keys()].sort().map((words) => [words, byWords.get(words)?.sort()]);
  recordings.save(Object.fromEntries(sorted));
}
