import { describe, expect, it } from 'vitest';
import { AgentAtWork } from './agent-at-work.js';
import { Relay } from './relay.js';

function start() {
  const relay = new Relay();
  const seen: string[] = [];
  const works = (name: string, steps: number) => () => {
    const agent = new AgentAtWork();
    return relay.letWork(agent, async () => {
      for (let step = 1; step <= steps; step++) {
        await new Promise((resolve) => setTimeout(resolve, name === 'slow' ? 5 : 0));
        seen.push(`${name} ${step}${relay.atWork === agent ? '' : ' as another'}`);
        await relay.pass();
      }
    });
  };
  return { relay, seen, works };
}

describe('agents that work at the same time', () => {
  it('take turns in the order in which they began, however long each takes', async () => {
    const { relay, seen, works } = start();
    const { atWork } = relay;
    await relay.run([works('slow', 3), works('quick', 2)]);
    expect(seen).toEqual(['slow 1', 'quick 1', 'slow 2', 'quick 2', 'slow 3']);
    expect(relay.atWork).toBe(atWork);
  });

  it('let those of one of them work beside the others', async () => {
    const { relay, seen, works } = start();
    const outer = async () => {
      await relay.run([works('inner', 2)]);
      seen.push('outer');
    };
    await relay.run([outer, works('other', 3)]);
    expect(seen).toEqual(['other 1', 'inner 1', 'other 2', 'inner 2', 'other 3', 'outer']);
  });

  it('go on when one of them fails', async () => {
    const { relay, seen, works } = start();
    const ends = await relay.run([() => Promise.reject(new Error('no')), works('other', 1)]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(seen).toEqual(['other 1']);
    await relay.pass();
  });
});
