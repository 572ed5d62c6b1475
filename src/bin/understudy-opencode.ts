#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('opencode', async () => {
  const { opencode } = await import('../stand-ins/opencode/main.js');
  const { ownStdin } = await import('../stand-ins/shared/own-stdin.js');
  return (own) => opencode({ ...own, stdin: ownStdin() });
});
