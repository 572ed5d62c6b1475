#!/usr/bin/env node
import { codexAsking } from '@understudy/agents';
import { runStandIn } from './run-stand-in.js';

runStandIn('codex', codexAsking, async () => {
  const { codex } = await import('@understudy/stand-ins');
  const { ownStdin } = await import('@understudy/stand-ins');
  return (own) => codex({ ...own, stdin: ownStdin() });
});
