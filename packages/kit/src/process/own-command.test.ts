import { expect, it } from 'vitest';
import { ownCommand } from './own-command.js';

it.each([
  ['/usr/local/bin/understudy', 'understudy'],
  ['/usr/lib/node_modules/agent-understudy/dist/bin/understudy.js', 'understudy'],
  ['/home/me/project/node_modules/.bin/understudy', 'npx agent-understudy'],
  ['/home/me/project/node_modules/.bin/agent-understudy', 'npx agent-understudy'],
  ['/home/me/project/node_modules/agent-understudy/dist/bin/understudy.js', 'npx agent-understudy'],
  ['/home/me/.npm/_npx/0123/node_modules/.bin/understudy', 'npx agent-understudy'],
  ['/home/me/project/node_modules/vitest/vitest.mjs', 'understudy'],
  ['/home/me/understudy/dist/bin/understudy.js', 'understudy'],
])('%s is started again as %s', (started, command) => {
  expect(ownCommand(started)).toBe(command);
});
