#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('codex', async () => {
  const { codex } = await import('../stand-ins/codex/main.js');
  const { ownStdin } = await import('../stand-ins/shared/own-stdin.js');
  return (own) => codex({ ...own, stdin: ownStdin() });
});
