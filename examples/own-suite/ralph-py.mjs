// A suite of your own for a public orchestrator, ralph-py 0.4.0 from PyPI: what it must do with its agent, case by case.
import { defineSuite } from 'agent-understudy';

const TASK = 'Mend the parser.';
const WORKING = 'Half of it is done.';
const DONE = 'It is done.\nRALPH_COMPLETE';
const HOPING = 'I will print RALPH_COMPLETE when it is done.';

/** What the agent says, call by call, and how the loop must end. */
const cases = {
  'stops at the promise': { says: [WORKING, DONE], limit: 5, ends: 'completed' },
  'stops at its limit': { says: [WORKING, WORKING, WORKING], limit: 3, ends: 'stopped' },
  'a promise in the last iteration counts': { says: [WORKING, DONE], limit: 2, ends: 'completed' },
  'a promise inside of a sentence is none': { says: [HOPING, HOPING], limit: 2, ends: 'stopped' },
  'goes on after an agent that failed': {
    says: [{ failure: { type: 'auth_error' } }, DONE],
    limit: 3,
    ends: 'completed',
  },
  'the agent works in the project': {
    says: [
      { response: { text: DONE, tool_calls: [{ tool: 'Write', input: { file_path: 'parser.py', content: '' } }] } },
    ],
    limit: 1,
    ends: 'completed',
    expect: { files: [{ path: 'parser.py', change: 'created' }] },
  },
  'hands its memory on': {
    says: [
      {
        pattern: { type: 'regex', pattern: 'memory file at (\\S+)' },
        response: {
          text: WORKING,
          tool_calls: [{ tool: 'Bash', input: { command: "echo 'Only tests are missing.' >> {{1}}" } }],
        },
      },
      DONE,
    ],
    limit: 2,
    ends: 'completed',
    tells: 'Only tests are missing.',
  },
};

/** One rule for each call. */
function scenarioOf(says) {
  const rules = says.map((one) => (typeof one === 'string' ? { response: one } : one));
  return { responses: rules.map((rule) => ({ pattern: { type: 'any' }, max_matches: 1, ...rule })) };
}

const check = (name, passed, expected, seen, fix) => ({ name, passed, expected, seen, fix });

/** What `ralph` says of its end. */
function ending(stdout, wanted) {
  const [, seen = 'nothing', count = '?'] = /Loop (\w+) after (\d+) iterations/.exec(stdout) ?? [];
  return [seen, Number(count), seen === wanted];
}

export default defineSuite({
  name: 'ralph-py',
  entries: Object.entries(cases).map(([name, data]) => ({ name, data })),
  timeoutMs: 120_000,
  async play({ agent, data: { says, limit, ends, tells, expect = {} } }, tools) {
    const words = ['run', TASK, '--provider', agent, '--max-iter', String(limit), '--delay', '0'];
    const result = await tools.runProgram(['ralph', ...words], { scenario: scenarioOf(says), timeoutMs: 60_000 });
    const { calls, stdout } = result;
    const [seen, count, isRight] = ending(stdout, ends);
    const silent = calls.filter(({ prompt }) => !prompt.includes(TASK));
    return [
      ...tools.checkRun(result, { exit_code: 0, calls: { count: says.length }, ...expect }),
      check('ending', isRight, `the loop is ${ends}`, seen, 'Look for what sets `status`.'),
      check('count', count === calls.length, `it counts ${calls.length} iterations`, String(count)),
      check('task', silent.length === 0, 'each call has the task', `${silent.length} calls have not`),
      ...(tells === undefined
        ? []
        : [check('memory', calls.at(-1)?.prompt.includes(tells) === true, tells, calls.at(-1)?.prompt ?? 'no call')]),
    ];
  },
});
