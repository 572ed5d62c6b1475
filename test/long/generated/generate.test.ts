import { expect, it } from 'vitest';
import { differencesIn } from '../../../packages/suites/src/drift/differences.js';
import { observe, type Program } from '../../../packages/suites/src/drift/observe.js';
import { STAND_IN } from '../../helpers/stand-in.js';
import { generateParts } from './generate.js';
import { minimise } from './minimise.js';
import { compose, type Part } from './parts.js';

it('makes the same invocation of the same seed and number, and others of others', () => {
  const made = (seed: number, index: number): string => JSON.stringify(compose('x', generateParts(seed, index)));
  expect(made(1, 2)).toBe(made(1, 2));
  expect(new Set(Array.from({ length: 200 }, (_, index) => made(1, index))).size).toBeGreaterThan(190);
  expect(made(1, 2)).not.toBe(made(2, 2));
});

it('leaves out what a difference does not need', async () => {
  const parts: Part[] = [{ stream: true }, { prompt: 'hi' }, { args: ['--a'] }, { args: ['--b'] }];
  const compare = async (some: readonly Part[]): Promise<string[]> =>
    some.some(({ args }) => args?.[0] === '--b') ? ['exit code: 0 became 1'] : [];
  expect(await minimise(parts, ['exit code: 0 became 1'], compare)).toEqual({
    parts: [{ args: ['--b'] }],
    differences: ['exit code: 0 became 1'],
  });
});

it('finds a fault that was seeded into a program, and what is needed to see it', async () => {
  const sound: Program = { kind: 'stand-in', command: [process.execPath, STAND_IN] };
  const faulty: Program = { kind: 'stand-in', command: [...sound.command, '--claude-version', '9.9.9'] };
  const compare = async (parts: readonly Part[]): Promise<string[]> => {
    const test = compose('seeded', parts);
    return differencesIn(await observe(sound, test), await observe(faulty, test));
  };
  const parts: Part[] = [
    { args: ['--model', 'haiku'] },
    { settings: { model: 'sonnet' } },
    { stream: true },
    { prompt: 'go on' },
    { files: { 'a.txt': 'one\n' } },
  ];
  const least = await minimise(parts, await compare(parts), compare);
  expect(least.parts).toEqual([{ stream: true }]);
  expect(least.differences).toEqual(['event system/init: claude_code_version "2.1.325" became "9.9.9"']);
});
