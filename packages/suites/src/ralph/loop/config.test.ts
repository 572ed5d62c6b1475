import { InvalidDocumentError } from '@understudy/kit';
import { expect, it } from 'vitest';
import { parseConfig } from './config.js';

function problemsOf(text: string): string[] {
  try {
    parseConfig(text, 'ralph.yml');
  } catch (error) {
    if (error instanceof InvalidDocumentError) {
      return error.problems.map(({ location, message }) => `${location.line}:${location.column} ${message}`);
    }
    throw error;
  }
  return [];
}

it('fills in the defaults of an empty file', () => {
  expect(parseConfig('')).toMatchObject({
    backend: { name: 'claude' },
    idleTimeoutSeconds: undefined,
    event_loop: {
      prompt_file: 'PROMPT.md',
      completion_promise: 'LOOP_COMPLETE',
      max_iterations: 100,
      max_runtime_seconds: 14_400,
      max_consecutive_failures: 5,
    },
    core: { scratchpad: '.ralph/agent/scratchpad.md' },
    hats: [],
    memories: { enabled: true, inject: 'auto', budget: 2000 },
    backpressure: { enabled: true, evidence: ['tests', 'lint', 'typecheck'] },
  });
});

it('reads hats with their backends in every form', () => {
  const { hats } = parseConfig(`
hats:
  a: { backend: kiro }
  b: { backend: { type: kiro, agent: reviewer } }
  c: { backend: { type: claude, args: [--model, opus] } }
  d: { backend: { command: ./mine, args: [-x] } }
`);
  expect(hats.map(({ backend }) => backend)).toEqual([
    { name: 'kiro', args: [] },
    { name: 'kiro', args: [], agent: 'reviewer' },
    { name: 'claude', args: ['--model', 'opus'] },
    { name: 'custom', command: './mine', args: ['-x'] },
  ]);
});

it('tells a typo with its location', () => {
  expect(problemsOf('event_loop:\n  max_iteration: 3\n')).toEqual(['2:3 `max_iteration` is not a field here']);
  expect(problemsOf('cli:\n  backend: cluade\n')).toEqual(['2:3 `backend` cannot be "cluade"']);
});

it('tells a syntax error with its location', () => {
  const [problem] = problemsOf('hats:\n  a: [1\nb: 2');
  expect(problem).toMatch(/^\d+:\d+ this is not valid YAML/);
});

it('refuses reserved and doubled triggers, an empty promise, and a custom backend without a command', () => {
  const text = `cli: { backend: custom }
event_loop: { completion_promise: '  ' }
hats:
  a: { triggers: [task.start] }
  b: { triggers: [x] }
  c: { triggers: [x] }
`;
  expect(problemsOf(text).map((problem) => problem.replace(/^\S+ /, ''))).toEqual([
    'a custom backend needs `command`',
    'the completion promise is empty',
    '`task.start` is reserved for the coordinator',
    '`x` already triggers the hat `b`',
  ]);
});

it('takes sections of Ralph that it has no use for, and says which', () => {
  expect(parseConfig('skills: { enabled: true }\ntasks: {}').ignored).toEqual(['tasks', 'skills']);
});
