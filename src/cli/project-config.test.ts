import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configJsonSchema, readProjectConfig, withConfig } from './project-config.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('config');
});
afterEach(() => scratch.remove());

function read(text: string) {
  const file = join(scratch.path, 'understudy.toml');
  writeFileSync(file, text);
  return readProjectConfig(file);
}

it('has the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schema/understudy.schema.json');
});

it('is empty without a file', () => {
  expect(readProjectConfig(join(scratch.path, 'understudy.toml'))).toEqual({});
});

it('reads the defaults of a project', () => {
  expect(
    read('paths = ["a"]\nagents = ["claude"]\nstage = "sim"\nworkers = 2\nreporters = ["list", "junit=a.xml"]'),
  ).toEqual({
    ...{ paths: ['a'], agents: ['claude'], stage: 'sim', workers: 2 },
    reporters: [{ name: 'list' }, { name: 'junit', file: 'a.xml' }],
  });
});

it.each([
  ['path = ["a"]', { path: 'path', fix: expect.stringContaining('paths') }],
  ['stage = "simulated"', { path: 'stage' }],
  ['workers = 0', { path: 'workers' }],
  ['isolation = "sandboks"', { path: 'isolation', fix: expect.stringContaining('sandbox') }],
  ['reporters = ["list", "junti"]', { path: 'reporters[1]', fix: expect.stringContaining('junit') }],
])('refuses %j, and says where and what to do', (text, problem) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      problems: [expect.objectContaining({ ...problem, location: expect.objectContaining({ line: 1 }) })],
    }),
  );
});

it('takes the isolation of the project, unless a flag or the variable says another', () => {
  const config = read('isolation = "docker=image:1"');
  expect(withConfig({}, config, {})).toEqual({ isolation: 'docker=image:1' });
  expect(withConfig({ isolation: 'none' }, config, {})).toEqual({ isolation: 'none' });
  expect(withConfig({}, config, { UNDERSTUDY_ISOLATION: 'none' })).toEqual({});
});

it('fills in only what the flags do not say', () => {
  const config = { workers: 2, output: 'out', reporters: [{ name: 'dot' as const }] };
  expect(withConfig({}, config)).toEqual({ workers: 2, output: 'out', reporter: [{ name: 'dot' }] });
  expect(withConfig({ workers: 5, json: true }, config)).toEqual({ workers: 5, json: true, output: 'out' });
});
