#!/usr/bin/env node
import { opencodeAsking } from '@understudy/agents';
import { runStandIn } from './run-stand-in.js';

runStandIn('opencode', opencodeAsking, async () => {
  const { opencode } = await import('@understudy/stand-ins');
  const { ownStdin } = await import('@understudy/stand-ins');
  return (own) => opencode({ ...own, stdin: ownStdin() });
});
