import { CLAUDE_FLAGS, CLAUDE_MINOR_FLAGS } from '@understudy/agents';
import { expect, it } from 'vitest';
import { REFUSED_FLAGS } from './flags.js';

it('says of each flag one thing', () => {
  const known = [...CLAUDE_FLAGS, ...CLAUDE_MINOR_FLAGS].flatMap(({ names }) => names);
  const all = [...known, ...REFUSED_FLAGS];
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
});
