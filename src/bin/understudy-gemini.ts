#!/usr/bin/env node
import { geminiAsking } from '@understudy/agents';
import { runStandIn } from './run-stand-in.js';

runStandIn('gemini', geminiAsking, async () => {
  const { gemini } = await import('@understudy/stand-ins');
  const { ownStdin } = await import('@understudy/stand-ins');
  return (own) => gemini({ ...own, stdin: ownStdin() });
});
