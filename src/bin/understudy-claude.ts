#!/usr/bin/env node
import { claudeAsking } from '@understudy/agents';
import { runStandIn } from './run-stand-in.js';

runStandIn('claude', claudeAsking, async () => {
  const { runClaude } = await import('@understudy/stand-ins');
  return ({ argv, env }) => runClaude(argv, env);
});
