import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InvalidDocumentError, type Problem } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { loadScenario, toScenario } from './load.js';

/** What is wrong with it is reported, whatever its type says. */
const define = (value: unknown) => toScenario({ value: structuredClone(value) });

const folder = mkdtempSync(join(tmpdir(), 'understudy-load-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function problems(load: () => unknown): readonly Problem[] {
  try {
    load();
  } catch (error) {
    if (error instanceof InvalidDocumentError) return error.problems;
    throw error;
  }
  throw new Error('it loaded');
}

const brief = (found: readonly Problem[]) =>
  found.map(({ code, location }) => `${location.line}:${location.column} ${code}`);
const inToml = (text: string) => problems(() => loadScenario(file('bad.toml', text)));

it('reports all the mistakes of a file at once, each with its location and a fix', () => {
  const found = inToml(`nam = "typo"

[[responses]]
pattern = { type = "contain", text = "login" }
response = "hi"

[[responses]]
pattern = { type = "regex", pattern = "(?=x)y" }
response = { txt = "hi" }

[[responses]]
pattern = { type = "any" }
max_matches = "two"
turns = [
  { expect = { type = "any" } },
]
`);
  expect(brief(found)).toEqual([
    '1:1 UNKNOWN_FIELD',
    '4:13 UNKNOWN_VALUE',
    '8:29 PATTERN_REFUSED',
    '9:14 UNKNOWN_FIELD',
    '11:1 NOTHING_TO_SAY',
    '13:1 WRONG_TYPE',
    '15:3 NOTHING_TO_SAY',
  ]);
  expect(found.map((problem) => problem.fix)).toEqual([
    'Change it to `name`.',
    'Change it to "contains" (one of exact, contains, regex, glob, any, command).',
    'Rewrite it, or split it into two rules.',
    'Change it to `text`.',
    'Add `response = "…"`.',
    'Write a number, without quotation marks.',
    'Add `response = "…"`.',
  ]);
  expect(found[5]?.message).toBe('`max_matches` must be a number, not a string');
  expect(found[5]?.path).toBe('responses[2].max_matches');
  expect(found[5]?.frame).toBe(
    [
      '  11 | [[responses]]',
      '  12 | pattern = { type = "any" }',
      '> 13 | max_matches = "two"',
      '     | ^',
      '  14 | turns = [',
      '  15 |   { expect = { type = "any" } },',
    ].join('\n'),
  );
});

it('finds the places in JSON too', () => {
  const text = '{\n  "responses": [\n    { "pattern": { "type": "any" }, "respons": "x" }\n  ]\n}\n';
  const found = problems(() => loadScenario(file('bad.json', text)));
  expect(brief(found)).toEqual(['3:5 NOTHING_TO_SAY', '3:37 UNKNOWN_FIELD']);
});

it('points at a syntax error', () => {
  expect(brief(inToml('name = "x"\nresponses = [\n  { pattern = }\n]\n'))[0]).toMatch(/^3:\d+ DOCUMENT_SYNTAX$/);
  expect(brief(problems(() => loadScenario(file('cut.json', '{\n "name": "x",\n}'))))).toEqual(['3:1 DOCUMENT_SYNTAX']);
  expect(brief(problems(() => loadScenario(file('end.json', '{"name": '))))).toEqual(['1:10 DOCUMENT_SYNTAX']);
});

it('writes the old conversations form out as a rule with turns', () => {
  const [problem] = inToml(`[conversations.login]
turns = [
  { expect = { type = "contains", text = "login" }, response = "User:" },
  { expect = { type = "any" }, response = "Password:" },
]
`);
  expect(problem).toMatchObject({ code: 'CONVERSATIONS_REMOVED', location: { line: 1 } });
  const migrated = problem?.fix?.replace('write it as\n\n', '') ?? '';
  expect(loadScenario(file('migrated.toml', migrated)).document.responses).toEqual([
    {
      pattern: { type: 'contains', text: 'login' },
      response: 'User:',
      turns: [{ expect: { type: 'any' }, response: 'Password:' }],
    },
  ]);
});

it('puts the content of files into inputs, and does not take it for a template', () => {
  file('page.html', '<p>{{prompt}}</p>');
  const scenario = loadScenario(
    file(
      'files.toml',
      'default_response = { text = "x", tool_calls = [{ tool = "Write", input = { content = { "$file" = "page.html" } } }] }',
    ),
  );
  expect(scenario.document.default_response).toMatchObject({
    tool_calls: [{ input: { content: { text: '<p>{{prompt}}</p>' } } }],
  });
});

it('refuses a file reference that is missing, absolute or not a path', () => {
  for (const reference of ['"none.txt"', '"/etc/hosts"', '3', '"."']) {
    const text = `default_response = { text = "x", tool_calls = [{ tool = "W", input = { c = { "$file" = ${reference} } } }] }`;
    expect(brief(inToml(text)), reference).toEqual(['1:78 FILE_REFERENCE']);
  }
});

it('refuses a file reference that leads out of the project of the scenario, by a path or a link', () => {
  const load = (folder: string, reference: string) => {
    const input = `{ c = { "$file" = "${reference}" } }`;
    return () =>
      loadScenario(
        file(`${folder}/x.toml`, `default_response = { text = "x", tool_calls = [{ tool = "W", input = ${input} }] }`),
      );
  };
  const where = dirname(file('key.txt', 'secret'));
  for (const folder of ['alone', 'project/.git', 'project/flows']) mkdirSync(join(where, folder), { recursive: true });
  symlinkSync('../key.txt', join(where, 'alone', 'link.txt'));
  symlinkSync('../project/flows/own.txt', join(where, 'alone', 'other.txt'));
  file('project/shared.txt', 'ours');
  file('project/flows/own.txt', 'ours');
  for (const reference of ['../key.txt', 'link.txt', 'other.txt']) {
    expect(
      problems(load('alone', reference)).map(({ message }) => message),
      reference,
    ).toEqual([`\`$file\` leads out of the project of the scenario: ${reference}`]);
  }
  expect(problems(load('project/flows', '../../key.txt'))).toHaveLength(1);
  for (const reference of ['../shared.txt', 'own.txt']) expect(load('project/flows', reference)).not.toThrow();
});

it('refuses what has the right shape and no sense', () => {
  const rule = (response: object) => ({ responses: [{ pattern: { type: 'any' }, response }] });
  const code = (document: object) =>
    problems(() => define(document)).map((problem) => `${problem.path} ${problem.code}`);
  expect(code(rule({ text: 'x', then: 'y' }))).toEqual(['responses[0].response.then THEN_WITHOUT_TOOLS']);
  expect(code(rule({ text: 'x', blocks: [] }))).toEqual(['responses[0].response.text CONFLICTING_FIELDS']);
  expect(code(rule({ text: '{{1}}' }))).toEqual(['responses[0].response UNKNOWN_GROUP']);
  expect(code({ responses: [{ pattern: { type: 'any' }, failure: { type: 'overloaded', times: 1 } }] })).toEqual([
    'responses[0].failure.times NOTHING_TO_SAY',
  ]);
  expect(code({ faults: [{ failure: { type: 'overloaded' } }] })).toEqual(['faults[0] FAULT_WITHOUT_TARGET']);
  const forHook = (rule: object) => code({ responses: [{ when: { hook: 'Stop' }, ...rule }] });
  expect(forHook({ response: 'x', turns: [] })).toEqual(['responses[0].turns HOOK_ANSWER']);
  expect(forHook({ when: { hook: 'Stop', turn: 2 }, response: 'x' })).toEqual(['responses[0].when.turn HOOK_ANSWER']);
  expect(forHook({ failure: { type: 'overloaded' } })).toEqual(['responses[0].failure HOOK_ANSWER']);
  expect(forHook({ response: { tool_calls: [{ tool: 'Bash' }], then: 'x' } })).toEqual([
    'responses[0].response HOOK_ANSWER',
  ]);
  expect(code({ faults: [{ chance: 0.5, failure: { type: 'overloaded' } }] })).toEqual([
    'faults[0].chance CHANCE_WITHOUT_SEED',
  ]);
  expect(code({ session_id: 'mine', launch_timestamp: 'today' })).toEqual([
    'session_id INVALID_VALUE',
    'launch_timestamp INVALID_VALUE',
  ]);
});

it('warns of what is allowed but hardly meant', () => {
  const scenario = loadScenario(
    file(
      'odd.toml',
      `[[responses]]
pattern = { type = "any" }
response = { tool_calls = [{ tool = "Bash" }] }

[[responses]]
pattern = { type = "exact", text = "x" }
response = "hello {{promt}}"
`,
    ),
  );
  expect(brief(scenario.warnings)).toEqual(['3:1 SILENT_END', '5:1 UNREACHABLE_RULE', '7:1 UNKNOWN_PLACEHOLDER']);
});

it('does not warn of silence where a failure speaks', () => {
  const failing = { pattern: { type: 'any' }, response: '', failure: { type: 'overloaded' } };
  expect(define({ responses: [failing] }).warnings).toEqual([]);
});

it('warns of a field that is accepted and has no effect', () => {
  const { warnings } = loadScenario(file('hint.toml', 'default_response = "x"\n[timeouts]\nexit_hint_ms = 5\n'));
  expect(brief(warnings)).toEqual(['3:1 NO_EFFECT']);
});

it('takes a TOML date for the text that it is', () => {
  const scenario = loadScenario(
    file('date.toml', 'launch_timestamp = 2026-01-31T09:00:00+02:00\ndefault_response = "x"'),
  );
  expect(scenario.document.launch_timestamp).toBe('2026-01-31T09:00:00.000+02:00');
});

it('names a file that is not there', () => {
  expect(() => loadScenario(join(folder, 'none.toml'))).toThrowError(
    expect.objectContaining({ code: 'FILE_NOT_FOUND' }),
  );
});

it('does not let a document reach the prototype', () => {
  const text = '{"responses": [], "default_response": "x", "__proto__": {"polluted": true}}';
  expect(brief(problems(() => loadScenario(file('proto.json', text))))).toHaveLength(1);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('parses a JSON file for a field that does not hold text, and names one that is none', () => {
  file('todos.json', '[{ "content": "a" }]');
  file('broken.json', '[');
  const scenario = (input: string): string =>
    file(
      'json.toml',
      `[[responses]]\npattern = { type = "any" }\nresponse = { text = "x", tool_calls = [{ tool = "TodoWrite", input = ${input} }] }`,
    );
  const inputOf = (input: string): unknown => {
    const { response } = loadScenario(scenario(input)).document.responses?.[0] ?? {};
    return typeof response === 'object' ? response.tool_calls?.[0]?.input : undefined;
  };
  expect(inputOf('{ todos = { "$file" = "todos.json" } }')).toEqual({ todos: [{ content: 'a' }] });
  expect(inputOf('{ content = { "$file" = "todos.json" } }')).toMatchObject({
    content: { text: '[{ "content": "a" }]' },
  });
  expect(problems(() => loadScenario(scenario('{ todos = { "$file" = "broken.json" } }')))).toMatchObject([
    { code: 'FILE_REFERENCE', message: expect.stringContaining('broken.json is not valid JSON') },
  ]);
});

it('loads the files of claudeless: names with hyphens, and a notice for what only a screen shows', () => {
  const { document, warnings } = define({
    permission_mode: 'accept-edits',
    user_name: 'Bob',
    responses: [
      {
        pattern: { type: 'contains', text: 'rate-limit' },
        failure: { type: 'rate-limit', retry_after: 5 },
        turns: [{ expect: { type: 'any' }, failure: { type: 'network-unreachable' } }],
      },
    ],
  });
  expect(document.permission_mode).toBe('acceptEdits');
  expect(document.responses).toMatchObject([
    {
      pattern: { text: 'rate-limit' },
      failure: { type: 'rate_limit', retry_after: 5 },
      turns: [{ failure: { type: 'network_unreachable' } }],
    },
  ]);
  expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'NO_EFFECT `user_name` has no effect, because no stage shows an interactive screen',
  ]);
});

it('takes the text of a file wherever a text can stand', () => {
  file('answer.md', 'About {{prompt}}.\n');
  const { document } = loadScenario(
    file(
      'files.toml',
      `default_response = { "$file" = "answer.md" }
[[responses]]
pattern = { type = "contains", text = "a" }
response = { text = { "$file" = "answer.md" }, thinking = { "$file" = "answer.md" }, template = false }
[[responses]]
pattern = { type = "contains", text = "b" }
failure = { type = "server_error", message = { "$file" = "answer.md" } }
`,
    ),
  );
  const text = 'About {{prompt}}.\n';
  expect(document).toMatchObject({
    default_response: text,
    responses: [{ response: { text, thinking: text } }, { failure: { message: text } }],
  });
  expect(
    problems(() => loadScenario(file('no-file.toml', 'default_response = { "$file" = "none.md" }\n'))),
  ).toMatchObject([{ code: 'FILE_REFERENCE', message: 'there is no file none.md', location: { line: 1 } }]);
});

it('tells what is missing with an example, in the language of the document', () => {
  const fixes = (path: string) => problems(() => loadScenario(path)).map(({ fix }) => fix);
  const toml = '[[responses]]\npattern = { type = "any" }\nfailure = { type = "stall" }\n';
  expect(fixes(file('stall.toml', toml))).toEqual(['Add `after_ms = 1000`.']);
  const json = '{"responses":[{"pattern":{"type":"any"},"failure":{"type":"stall"}}]}';
  expect(fixes(file('stall.json', json))).toEqual(['Add `"after_ms": 1000`.']);
});

it('warns of every placeholder that does not exist', () => {
  const { warnings } = define({
    responses: [
      { pattern: { type: 'any' }, response: { text: '{{nonsense}} {{prompt}}' } },
      { pattern: { type: 'any' }, response: { text: '{{nonsense}}', template: false } },
    ],
  });
  const placeholders = warnings.filter(({ code }) => code === 'UNKNOWN_PLACEHOLDER');
  expect(placeholders.map(({ path, fix }) => [path, fix?.slice(0, 25)])).toEqual([
    ['responses[0].response', 'Use one of {{prompt}}, {{'],
  ]);
});

it('refuses chunks beside a text', () => {
  const response = { text: 'ab', chunks: ['a', 'b'] };
  expect(problems(() => define({ default_response: response }))).toMatchObject([{ code: 'CONFLICTING_FIELDS' }]);
});

it('warns of an answer to a hook that is no verdict, and takes its rule below one for every prompt', () => {
  const every = { pattern: { type: 'any' }, response: 'x' };
  const warnings = (response: string) =>
    define({ responses: [every, { when: { hook: 'Stop' }, response }] }).warnings.map(({ code }) => code);
  expect(warnings('fine')).toEqual(['HOOK_WITHOUT_VERDICT']);
  expect(warnings('{"decision": "block"}')).toEqual(['HOOK_WITHOUT_VERDICT']);
  expect(warnings('{"ok": true}')).toEqual([]);
});

it('says how a text is written as a pattern, where only a pattern is allowed', () => {
  const found = inToml(`[[responses]]
pattern = { type = "any" }
response = { text = "a", tool_calls = [{ tool = "Bash", input = { command = "ls" } }], then = [
  { expect = "text", response = "b" },
  { response = "c" },
] }
`);
  expect(found).toMatchObject([
    {
      code: 'WRONG_TYPE',
      message: '`expect` must be a table, not a string',
      fix: 'Write it as `{ type = "contains", text = "text" }`; `type` is one of exact, contains, regex, glob, any.',
    },
  ]);
});
