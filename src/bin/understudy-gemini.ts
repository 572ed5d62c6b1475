#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('gemini', async () => {
  const { gemini } = await import('../stand-ins/gemini/main.js');
  const { ownStdin } = await import('../stand-ins/shared/own-stdin.js');
  return (own) => gemini({ ...own, stdin: ownStdin() });
});
