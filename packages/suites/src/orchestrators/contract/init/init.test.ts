import { expect, it } from 'vitest';
import { runWords } from './contract-text.js';
import { compareEnds } from './learn-endings.js';
import { readHelp } from './read-help.js';

it('finds flags in the help of a parser with columns', () => {
  const help = `usage: looper [-h] [--backend NAME]

Goes on until LOOPER_COMPLETE.

options:
  -h, --help            show this
  -b NAME, --backend NAME
                        claude or codex
  -p TEXT, --prompt TEXT
                        path of the task
  --max-iterations N    how often
  --iteration-timeout S seconds
`;
  const found = readHelp(help);
  expect(found).toEqual({
    agents: ['claude', 'codex'],
    prompt: '--prompt {{prompt_file}}',
    backend: '--backend {{agent}}',
    iterations: '--max-iterations {{iterations}}',
    deadline: '--iteration-timeout {{deadline}}',
    promiseText: 'LOOPER_COMPLETE',
  });
  expect(runWords(['looper', 'go'], { ...found, deadline: '' })).toEqual(
    'looper go --prompt {{prompt_file}} --backend {{agent}} --max-iterations {{iterations}}'.split(' '),
  );
});

it('finds flags in a table, a prompt without a flag, and one flag for each agent', () => {
  const table = `Usage: looper [options] [task]
┃ --claude             ┃ asks Claude  ┃
┃ --gemini             ┃ asks Gemini  ┃
┃ --completion-promise ┃ the last word┃
`;
  expect(readHelp(table)).toEqual({
    agents: ['claude', 'gemini'],
    prompt: '{{prompt}}',
    backend: '--{{agent}}',
    promise: '--completion-promise {{promise}}',
  });
});

it('takes a flag of the text for no flag, and a path for no agent', () => {
  expect(readHelp('See ~/.claude/x. Never use --prompt here.\n')).toEqual({ agents: ['claude'] });
});

const ended = (code: number | null, stdout = '') => ({ code, stdout, stderr: '', timedOut: false });

it('tells ends apart by the exit code, or by words without numbers and paths', () => {
  expect(compareEnds(ended(0), ended(2))).toEqual({ complete: { exit_code: 0 }, stopped: { exit_code: 2 } });
  expect(
    compareEnds(
      ended(0, 'start 1\nAll is done after 3\nlog: /tmp/1'),
      ended(0, 'start 1\nGave up after 3\nlog: /tmp/2'),
    ),
  ).toEqual({
    complete: { exit_code: 0, stdout: 'All is done after' },
    stopped: { exit_code: 0, stdout: 'Gave up after' },
  });
  expect(compareEnds(ended(0, 'same'), ended(0, 'same'))).toEqual({ complete: { exit_code: 0 } });
  expect(compareEnds(ended(0), ended(null))).toEqual({ complete: { exit_code: 0 } });
});
