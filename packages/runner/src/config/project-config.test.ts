import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createScratch, type Scratch, searchConfigFor } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configJsonSchema, readProjectConfig } from './project-config.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('config');
});
afterEach(() => scratch.remove());

const here = (path: string) => relative('.', join(scratch.path, path));

function read(text: string) {
  const file = here('understudy.toml');
  writeFileSync(file, text);
  return readProjectConfig(file);
}

it('has the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/understudy.schema.json');
});

it('is empty without a file', () => {
  searchConfigFor([scratch.path]);
  expect(readProjectConfig()).toEqual({});
  searchConfigFor([]);
});

it('reads the defaults of a project', () => {
  expect(
    read('paths = ["a"]\nagents = ["claude"]\nstage = "sim"\nworkers = 2\nreporters = ["list", "junit=a.xml"]'),
  ).toEqual({
    ...{ paths: [here('a')], agents: ['claude'], stage: 'sim', workers: 2, file: here('understudy.toml') },
    reporters: [{ name: 'list' }, { name: 'junit', file: here('a.xml') }],
  });
});

it('gives its paths from the current folder; what is no path of it stays', () => {
  const config = read(
    'agents = ["mine.mjs"]\noutput = "/out"\nreporters = ["./own.mjs=3", "otlp=http://127.0.0.1:4318"]',
  );
  expect(config).toMatchObject({
    agents: [here('mine.mjs')],
    output: '/out',
    reporters: [
      { name: 'own', module: here('own.mjs'), file: '3' },
      { name: 'otlp', file: 'http://127.0.0.1:4318' },
    ],
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
