#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('claude', async () => {
  const { runClaude } = await import('@understudy/stand-ins');
  return ({ argv, env }) => runClaude(argv, env);
});
