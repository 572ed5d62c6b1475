import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, describeError } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { testCheck } from '../../../../../test/helpers/test-entry.js';
import { rehearsalEntries } from '../entries.js';
import { loadRows } from '../load.js';
import { loadRehearsals } from '../load-files.js';
import { checkLocator } from '../locate-checks.js';

const scratch = createScratch('bases');
afterAll(() => scratch.remove());
const at = (path: string) => join(scratch.path, path);

function put(path: string, text: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
}

// The project in which all of it is.
put('package.json', '{}');
put('plugin/.claude-plugin/plugin.json', '{ "name": "greeter" }');
put('more/.claude-plugin/plugin.json', '{ "name": "more" }');
put('shared/hello.txt', 'Hello from a file.');
put(
  'shared/base.toml',
  `name = "not inherited"
plugins = ["../plugin"]
workflow = "agent-loop"
env = { PATH = ["../more"], LEVEL = "1" }
default_response = { "$file" = "hello.txt" }

[[responses]]
pattern = { type = "contains", text = "bye" }
response = "Bye."
optional = true

[end.expect]
leftovers = "none"
`,
);

const STEPS = '[[steps]]\nsend = "hello"\n';

it('has what its base has, with paths of its own, and says the rest itself', () => {
  const rule = '[[responses]]\npattern = { type = "contains", text = "hi" }\nresponse = "Hi."\noptional = true\n';
  const file = put(
    'tests/a.rehearsal.toml',
    `extends = "../shared/base.toml"\nplugins = ["../more"]\nenv = { LEVEL = "2" }\n${rule}${STEPS}`,
  );
  const [rehearsal] = loadRows(file);
  expect(rehearsal).toMatchObject({
    name: file,
    document: {
      plugins: ['../more', '../plugin'],
      workflow: 'agent-loop',
      env: { LEVEL: '2', PATH: ['../more'] },
      end: { expect: { leftovers: 'none' } },
      default_response: 'Hello from a file.',
      responses: [{ response: 'Hi.' }, { response: 'Bye.' }],
    },
  });
  expect(rehearsalEntries(loadRehearsals([file]))[0]?.parts).toEqual([
    ...[file, at('more'), at('plugin')].map(String),
    at('shared/base.toml'),
  ]);
});

it('points at the file and line where a thing stands, in bases of bases, too', () => {
  put('shared/wrong.yaml', 'extends: base.toml\nresponses:\n  - pattern: { type: any }\n    respons: "x"\n');
  const file = put('tests/b.rehearsal.toml', `extends = "../shared/wrong.yaml"\n\n[[responses]]\nanswer = 1\n${STEPS}`);
  const told = (() => {
    try {
      loadRows(file);
      return '';
    } catch (error) {
      return describeError(error);
    }
  })();
  expect(told).toMatch(/shared\/wrong\.yaml:4:5 `respons` is not a field here/);
  expect(told).toMatch(/b\.rehearsal\.toml:4:1 `answer` is not a field here/);
  const [rehearsal] = loadRows(put('tests/c.rehearsal.toml', `extends = "../shared/base.toml"\n${STEPS}`));
  if (rehearsal === undefined) throw new Error('nothing was loaded');
  const locate = checkLocator(rehearsal);
  expect(locate(['responses', 0], [testCheck('failed')])[0]?.defined_at).toMatchObject({
    file: expect.stringMatching(/shared\/base\.toml$/),
    line: 7,
  });
  expect(locate(['steps', 0, 'send'], [testCheck('failed')])[0]?.defined_at).toMatchObject({
    file: rehearsal.file,
    line: 3,
  });
});

it('has the defaults of the project, at their lines', () => {
  put(
    'project/understudy.toml',
    'workers = 1\n\n[defaults]\nplugins = ["../plugin"]\ntags = ["all"]\nallow_unused = 1\n',
  );
  const file = put(
    'project/tests/a.rehearsal.toml',
    `extends = "../../shared/base.toml"\nallow_unused = true\n${STEPS}`,
  );
  const [rehearsal] = loadRows(file);
  expect(rehearsal?.document).toMatchObject({ plugins: ['../../plugin'], tags: ['all'] });
  expect(rehearsalEntries(loadRehearsals([file]))[0]?.parts).toContain(at('project/understudy.toml'));
  expect(() => loadRows(put('project/b.rehearsal.toml', STEPS))).toThrow(
    expect.objectContaining({
      location: expect.objectContaining({ file: expect.stringMatching(/project\/understudy\.toml$/), line: 6 }),
    }),
  );
  put('project/understudy.toml', 'defaults = 1\n');
  expect(() => loadRows(file)).toThrow(
    expect.objectContaining({ message: expect.stringContaining('understudy.toml') }),
  );
});

it.each([
  ['a base that is not there', 'extends = "none.toml"', /:1:1 there is no file none\.toml to extend/],
  ['no path', 'extends = 1', /:1:1 `extends` must be the path of a file/],
  [
    'a circle',
    'extends = "circle.toml"',
    /circle\.toml:1:1 this file extends itself: .*circle\.toml → .*d\.rehearsal\.toml/,
  ],
  ['a base with mistakes of syntax', 'extends = "syntax.toml"', /syntax\.toml:1:\d+ this is not valid TOML/],
])('refuses %s', (_what, line, told) => {
  put('tests/circle.toml', 'extends = "d.rehearsal.toml"\n');
  put('tests/syntax.toml', 'name = = 1\n');
  const file = put('tests/d.rehearsal.toml', `${line}\n${STEPS}`);
  try {
    loadRows(file);
  } catch (error) {
    expect(describeError(error)).toMatch(told);
    expect(describeError(error)).toMatch(/fix: [A-Z]/);
    return;
  }
  expect.unreachable('it was accepted');
});

it('does not mind what it inherits and has no use for, and refuses its own', () => {
  put('mixed/understudy.toml', '[defaults]\nplugins = ["../plugin"]\nmodel = "opus"\nretries = 2\n');
  const program = put('mixed/a.rehearsal.toml', '[[steps]]\nrun = "true"\n');
  const talk = put('mixed/b.rehearsal.toml', STEPS);
  expect(loadRows(program)[0]?.document.retries).toBe(2);
  expect(loadRows(talk)[0]?.document.model).toBe('opus');
  const own = put('mixed/c.rehearsal.toml', `retries = 1\n${STEPS}`);
  expect(() => loadRows(own)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ code: 'NO_EFFECT', path: 'retries' })] }),
  );
});
