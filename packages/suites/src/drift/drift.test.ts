import { expect, it } from 'vitest';
import { AcceptedDifferences } from './accepted.js';
import { areaOf } from './areas.js';
import type { Case } from './case.js';
import type { SeenChange } from './change.js';
import { changesBetween } from './changes.js';
import { type DriftOptions, findDrift, type Side } from './drift.js';
import { driftMarkdown } from './markdown.js';
import { normalize } from './normalize.js';
import type { Observed } from './observe.js';

const nothing: Observed = {
  ...{
    exitCode: 0,
    stdout: '',
    stderr: '',
    events: [],
    transcripts: [],
    told: [],
    wire: [],
    payloads: [],
    refused: [],
  },
};
const side = (version: string): Side => ({ name: `claude@${version}`, version, kind: 'real', command: [version] });
const standIn: Side = { name: 'stand-in', version: '', kind: 'stand-in', command: ['stand-in'] };
const cases: Case[] = ['one', 'two', 'three'].map((name) => ({ name, args: [] }));
const init = (fields: object): Observed => ({ ...nothing, events: [{ type: 'system', subtype: 'init', ...fields }] });
const request = (body: object, headers: Record<string, string> = {}): Observed => ({
  ...nothing,
  wire: [{ headers, body: { model: 'm', ...body } }],
});
const tool = (name: string, properties: object): object => ({
  tools: [{ name, description: 'd', input_schema: { type: 'object', properties } }],
});

const result = (...events: object[]): Observed => ({
  ...nothing,
  events: events.map((fields) => ({ type: 'result', ...fields })),
});
const toolResult = (content: string): Observed => ({
  ...nothing,
  events: [{ type: 'user', message: { content: [{ type: 'tool_result', content }] } }],
});

it.each<[string, Observed, Observed, object[]]>([
  ['an exit code', nothing, { ...nothing, exitCode: 1 }, [{ kind: 'exit code', before: '0', after: '1' }]],
  ['an event that is new', nothing, init({}), [{ kind: 'event', subject: 'system/init', after: '1 ×' }]],
  ['a field', init({}), init({ a: 1 }), [{ kind: 'event field', subject: 'system/init', after: 'a: number' }]],
  ['an object, once', init({}), init({ a: { b: { c: 1 } } }), [{ kind: 'event field', after: 'a: object' }]],
  [
    'an item of a list',
    init({ tools: ['Bash', 'LS'] }),
    init({ tools: ['Read', 'Bash'] }),
    [
      { kind: 'event value', subject: 'system/init tools', before: 'LS' },
      { kind: 'event value', subject: 'system/init tools', after: 'Read' },
    ],
  ],
  [
    'the payload of a hook',
    { ...nothing, payloads: [{ hook_event_name: 'Stop', cwd: '/a' }] },
    { ...nothing, payloads: [{ hook_event_name: 'Stop', cwd: 7 }] },
    [
      { kind: 'hook payload', subject: 'Stop', before: 'cwd: string' },
      { kind: 'hook payload', subject: 'Stop', after: 'cwd: number' },
    ],
  ],
  ['a tool', request(tool('A', {})), request({}), [{ kind: 'tool', before: 'A' }]],
  [
    'the schema of a tool',
    request(tool('A', { x: { type: 'string', description: 'one' } })),
    request(tool('A', { x: { type: 'number', description: 'two' } })),
    [
      { kind: 'tool schema', subject: 'A', before: 'properties.x.type = "string"' },
      { kind: 'tool schema', subject: 'A', after: 'properties.x.type = "number"' },
    ],
  ],
  ['a field of a request', request({}), request({ thinking: 1 }), [{ kind: 'request', after: 'thinking: number' }]],
  [
    'a beta',
    request({}, { 'anthropic-beta': 'a' }),
    request({}, { 'anthropic-beta': 'b-2026-01-01,a' }),
    [{ kind: 'request', subject: 'anthropic-beta', after: 'b-2026-01-01' }],
  ],
  [
    'a paragraph of the system prompt',
    request({ system: [{ type: 'text', text: 'one\n\ntwo' }] }),
    request({ system: [{ type: 'text', text: 'two\n\none\n\nthree' }] }),
    [{ kind: 'prompt', after: 'three' }],
  ],
  [
    'a field of a request with all that is in it, once',
    request({}),
    request({ safeguards: [{ type: 'a', context: { v: 1 } }] }),
    [{ kind: 'request', subject: 'field', after: 'safeguards: array' }],
  ],
  [
    'requests that are gone, once',
    { ...request({ ...tool('A', {}), system: 'be kind' }), told: ['hi'] },
    nothing,
    [{ kind: 'request', subject: 'number of requests', before: '1', after: '0' }],
  ],
  [
    'a new field, and not of its value',
    result({}),
    result({ result_index: 0 }),
    [{ kind: 'event field', after: 'result_index: number' }],
  ],
  [
    'a cost that is there or not, and not of its amount',
    result({ total_cost_usd: 0.5 }, { total_cost_usd: 0 }),
    result({ total_cost_usd: 0.25 }, { total_cost_usd: 0.1 }),
    [{ kind: 'event value', subject: 'result total_cost_usd', before: '0', after: 'more than 0' }],
  ],
  [
    'what a tool gave back, once',
    { ...toolResult('no "way"'), told: ['no "way"'] },
    { ...toolResult('hook error: no'), told: ['hook error: no'] },
    [{ kind: 'event value', subject: 'user[tool_result] content' }],
  ],
])('tells of %s', (_, before, after, expected) => {
  expect(changesBetween(normalize(before, '1'), normalize(after, '2'))).toEqual(
    expected.map((change) => expect.objectContaining(change)),
  );
  expect(changesBetween(after, after)).toEqual([]);
});

it('does not tell of what is of the moment or only names the version', () => {
  const at = (version: string, second: number): Observed =>
    normalize(
      {
        ...nothing,
        stdout: `${version} took ${second}ms`,
        events: [{ type: 'system', subtype: 'init', claude_code_version: version, cwd: '/ROOT' }],
        wire: [{ headers: {}, body: { system: [{ text: `cc_version=${version}.a0${second}; cch=0${second};` }] } }],
        told: [`at 2026-01-01T00:00:0${second}.000Z by 00000000-0000-4000-8000-00000000000${second}`],
      },
      version,
    );
  expect(changesBetween(at('2.1.197', 1), at('2.1.325', 2))).toEqual([]);
});

function drift(sides: readonly Side[], play: DriftOptions['play'], more: Partial<DriftOptions> = {}) {
  const accepted = new AcceptedDifferences([]);
  return findDrift({ ...{ sides, cases, probes: [], accepted, play, workers: 2 }, ...more });
}

it('tells of a change once, with its cases, and not of what happened only once', async () => {
  let accidents = 0;
  const play: DriftOptions['play'] = async ({ command: [version] }, { name }) => {
    const accident = name === 'two' && version === '2' && accidents++ === 0;
    return { ...init({ ...(version === '2' ? { a: 1 } : {}) }), stderr: accident ? 'slow' : '' };
  };
  const [found] = await drift([side('1'), side('2')], play);
  expect(found).toEqual({
    ...{ before: 'claude@1', after: 'claude@2', cases: 3, unjudged: [] },
    changes: [{ kind: 'event field', subject: 'system/init', after: 'a: number', cases: ['one', 'two', 'three'] }],
  });
  expect(driftMarkdown(found === undefined ? [] : [found])).toBe(`# Drift

## claude@1 → claude@2

1 change in 3 cases.

- hooks: no change
- permissions: no change
- commands, skills and plugins: no change
- tools: no change
- output: 1 change (\`system/init\`)
- other: no change

### output (1)

- event field \`system/init\`: new \`a: number\` *(one, two, three)*
`);
});

it.each<[Partial<SeenChange>, string]>([
  [{ kind: 'hook payload', subject: 'Stop' }, 'hooks'],
  [{ kind: 'event value', subject: 'user[tool_result] content', after: 'PreToolUse hook error: no' }, 'hooks'],
  [{ kind: 'exit code', cases: ['hook: it fails', 'probe: exit code 2 of a hook'] }, 'hooks'],
  [{ kind: 'exit code', cases: ['hook: it fails', 'unknown flag'] }, 'output'],
  [{ kind: 'event', subject: 'system/permission_denied' }, 'permissions'],
  [{ kind: 'event value', subject: 'system/init slash_commands', before: 'review' }, 'commands, skills and plugins'],
  [{ kind: 'tool schema', subject: 'Read' }, 'tools'],
  [{ kind: 'told', subject: 'the model is told', after: 'hello' }, 'other'],
  [{ kind: 'prompt', subject: 'system prompt', after: 'Hooks are commands.' }, 'other'],
])('sorts %o by what it is about', (change, area) => {
  expect(areaOf({ kind: 'event', subject: 'exit code', cases: ['one'], ...change })).toBe(area);
});

it('compares what was played before an interruption, and says that it is a part', async () => {
  const ending = new AbortController();
  const told: string[] = [];
  const comparisons = await drift(
    [side('1'), side('2')],
    async ({ command: [version] }, { name }) => {
      if (name === 'three') ending.abort();
      return version === '2' ? init({}) : nothing;
    },
    {
      workers: 1,
      signal: ending.signal,
      onProgress: ({ done, total, name }) => told.push(`${done} of ${total} ${name}`),
    },
  );
  expect(comparisons).toMatchObject([{ cases: 2, interruptedOf: 3, changes: [{ cases: ['one', 'two'] }] }]);
  expect(driftMarkdown(comparisons)).toContain('**Only a part: it was interrupted after 2 of 3 cases.**');
  expect(told).toEqual(['0 of 3 one', '1 of 3 one', '1 of 3 two', '2 of 3 two', '2 of 3 three']);
});

it('takes a field of many lines, and the words of a tool, for one change each', async () => {
  const play: DriftOptions['play'] = async ({ command: [version] }, { name }) => ({
    ...nothing,
    events: ['one', 'two'].map((subtype) => ({ type: 'system', subtype, ...(version === '2' ? { at: 'now' } : {}) })),
    wire: [
      {
        headers: {},
        body: { model: 'm', tools: [{ name: 'A', description: `${version === '2' ? 'new' : 'old'} ${name}` }] },
      },
    ],
  });
  const [found] = await drift([side('1'), side('2')], play);
  expect(found?.changes).toEqual([
    {
      ...{ kind: 'event field', subject: 'system/one, system/two', after: 'at: string' },
      cases: ['one', 'two', 'three'],
    },
    {
      ...{ kind: 'tool description', subject: 'A', before: 'old one', after: 'new one' },
      cases: ['one', 'two', 'three'],
    },
  ]);
});

it('keeps a change of a single case that comes again', async () => {
  const [found] = await drift([side('1'), side('2')], async ({ command: [version] }, { name }) => ({
    ...nothing,
    exitCode: version === '2' && name === 'two' ? 1 : 0,
  }));
  expect(found?.changes).toEqual([
    { kind: 'exit code', subject: 'exit code', before: '0', after: '1', cases: ['two'] },
  ]);
});

it('does not judge a case that a program did not end', async () => {
  const [found] = await drift([side('1'), side('2')], async (_, { name }) => ({
    ...nothing,
    exitCode: name === 'one' ? null : 0,
  }));
  expect(found).toMatchObject({ cases: 2, changes: [], unjudged: ['one'] });
});

it('compares with the stand-in what is not accepted, and plays no probe on it', async () => {
  const played: string[] = [];
  const [versions, own] = await drift(
    [side('1'), side('2'), standIn],
    async ({ command: [program] }, { name }) => {
      played.push(`${program} ${name}`);
      return program === 'stand-in' ? { ...nothing, stderr: 'other', told: ['x'] } : nothing;
    },
    {
      probes: [{ name: 'probe', args: [] }],
      accepted: new AcceptedDifferences([{ difference: 'stderr: "" became "other"', reason: 'it is so' }]),
    },
  );
  expect(played).not.toContain('stand-in probe');
  expect(versions?.changes).toEqual([]);
  expect(own?.changes).toEqual([{ kind: 'told', subject: 'told: "x"', cases: ['one', 'two', 'three'] }]);
});
