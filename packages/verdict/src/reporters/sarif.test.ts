import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { writeSarif } from './sarif.js';

it('has a result for each finding, at its place, with its rule', () => {
  const { version, runs } = JSON.parse(
    writeSarif(
      [
        {
          rule: 'UNKNOWN_FIELD',
          level: 'error',
          message: 'bad\u001b[31m',
          fix: 'Mend it.',
          file: 'a b/c.toml',
          line: 3,
          column: 2,
        },
        { rule: 'hook', level: 'warning', message: 'late', file: '/elsewhere/hooks.json' },
        { rule: 'hook', level: 'error', message: 'dead', file: resolve('hooks.json') },
      ],
      '1.2.3',
    ),
  );
  expect(version).toBe('2.1.0');
  expect(runs).toHaveLength(1);
  const [{ tool, results }] = runs;
  expect(tool.driver).toEqual({
    name: 'understudy',
    version: '1.2.3',
    rules: [{ id: 'UNKNOWN_FIELD' }, { id: 'hook' }],
  });
  expect(results[0].message.text).toBe('bad\\u{1b}[31m\nMend it.');
  expect(results.map(({ ruleId, ruleIndex, level }: Record<string, unknown>) => [ruleId, ruleIndex, level])).toEqual([
    ['UNKNOWN_FIELD', 0, 'error'],
    ['hook', 1, 'warning'],
    ['hook', 1, 'error'],
  ]);
  const places = results.map(
    ({ locations }: { locations: { physicalLocation: unknown }[] }) => locations[0]?.physicalLocation,
  );
  expect(places).toEqual([
    { artifactLocation: { uri: 'a%20b/c.toml' }, region: { startLine: 3, startColumn: 2 } },
    { artifactLocation: { uri: pathToFileURL('/elsewhere/hooks.json').href } },
    { artifactLocation: { uri: 'hooks.json' } },
  ]);
});
