#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('opencode', async () => {
  const { opencode } = await import('@understudy/stand-ins');
  const { ownStdin } = await import('@understudy/stand-ins');
  return (own) => opencode({ ...own, stdin: ownStdin() });
});
