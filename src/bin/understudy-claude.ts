#!/usr/bin/env node
import { runClaude } from '../stand-ins/claude/main.js';

runClaude(process.argv.slice(2), process.env)
  .catch(async (error: unknown) => {
    const { printError } = await import('../cli/output.js');
    printError(error);
    return 2;
  })
  // What a tool left running in the background must not keep us.
  .then((code) => process.exit(code));
