#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('gemini', async () => {
  const { gemini } = await import('@understudy/stand-ins');
  const { ownStdin } = await import('@understudy/stand-ins');
  return (own) => gemini({ ...own, stdin: ownStdin() });
});
