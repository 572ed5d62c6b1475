import { expect, it } from 'vitest';
import { createLocator } from './locate.js';
import { formatPath, type Path } from './path.js';
import { renameField } from './rename-field.js';
import type { Format } from './source.js';

function renamed(text: string, path: Path, format: Format = 'toml'): string | undefined {
  const place = createLocator({ text, format })(path);
  return place && renameField(text, place, formatPath(path), 'workflow');
}

it.each<[string, string, Path, Format?]>([
  ['a = 1 # stage\nstage = 2\n', 'a = 1 # stage\nworkflow = 2\n', ['stage']],
  ['"stage" = 2', '"workflow" = 2', ['stage']],
  ['x = { b = 1, stage = { stage = 1 } }', 'x = { b = 1, workflow = { stage = 1 } }', ['x', 'stage']],
  ['x.stage.from = "stage"', 'x.workflow.from = "stage"', ['x', 'stage']],
  ['[stage.stage] # stage\nto = 1\n', '[stage.workflow] # stage\nto = 1\n', ['stage', 'stage']],
  ['[[steps]]\n  [ steps . "stage" ]\n', '[[steps]]\n  [ steps . "workflow" ]\n', ['steps', 0, 'stage']],
  ['[[stage]]\r\na = 1\r\n', '[[workflow]]\r\na = 1\r\n', ['stage', 0]],
  ['steps:\n  - stage: a # stage\n', 'steps:\n  - workflow: a # stage\n', ['steps', 0, 'stage'], 'yaml'],
  ['{ "a": [{ "stage": "stage" }] }', '{ "a": [{ "workflow": "stage" }] }', ['a', 0, 'stage'], 'json'],
])('changes the name alone: %j', (before, after, path, format) => {
  expect(renamed(before, path, format)).toBe(after);
});

it('keeps a byte order mark, and changes nothing where the field does not stand', () => {
  expect(renameField('\uFEFFstage = 1', { line: 1, column: 1 }, 'stage', 'workflow')).toBe('\uFEFFworkflow = 1');
  for (const text of ['stages = 1', 'a = 1', '']) {
    expect(renameField(text, { line: 1, column: 1 }, 'stage', 'workflow')).toBeUndefined();
  }
  expect(renameField('stage = 1', { line: 7, column: 1 }, 'stage', 'workflow')).toBeUndefined();
});
