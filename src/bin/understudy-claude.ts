#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('claude', async () => {
  const { runClaude } = await import('../stand-ins/claude/main.js');
  return ({ argv, env }) => runClaude(argv, env);
});
