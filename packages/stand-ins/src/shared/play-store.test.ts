import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineScenario, type Play, Script } from '@understudy/script';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { playFor } from './play-store.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'play-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = new Script(
  defineScenario({
    default_response: 'later',
    responses: [
      { pattern: { type: 'any' }, when: { turn: 1 }, response: 'one' },
      {
        pattern: { type: 'exact', text: 'begin' },
        response: 'begun',
        turns: [{ expect: { type: 'any' }, response: 'next' }],
      },
      { pattern: { type: 'exact', text: 'once' }, response: 'only once', max_matches: 1 },
    ],
  }),
);
const say = (play: Play, text: string) => {
  const reply = play.answer({ text });
  const block = reply.kind === 'message' ? reply.message.blocks[0] : undefined;
  return block?.type === 'text' ? block.text : reply.kind;
};

it('counts turns, matches and sequences over fresh sessions', () => {
  const env = { UNDERSTUDY_STATE: join(folder, 'deep/state.json') };
  const said = ['x', 'x', 'once', 'once', 'begin', 'whatever'].map((text) => say(playFor(script, env), text));
  expect(said).toEqual(['one', 'later', 'only once', 'later', 'begun', 'next']);
  expect(playFor(script, env).state.turn).toBe(6);
});

it('leaves sessions their own state when no file is named', () => {
  expect([say(playFor(script, {}), 'x'), say(playFor(script, { UNDERSTUDY_STATE: '' }), 'x')]).toEqual(['one', 'one']);
  expect(say(playFor(script, {}, { turn: 1, matches: {} }), 'x')).toBe('later');
});

it('starts anew from a torn file', () => {
  const file = join(folder, 'state.json');
  writeFileSync(file, '{"tur');
  expect(say(playFor(script, { UNDERSTUDY_STATE: file }), 'x')).toBe('one');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ turn: 1 });
});
