#!/usr/bin/env node
import { runClaude } from '../stand-ins/claude/main.js';
import { recordThisCall } from '../stand-ins/shared/record-call.js';

recordThisCall('claude');
runClaude(process.argv.slice(2), process.env)
  // A process that a tool left in the background must not keep us.
  .then((code) => process.exit(code))
  .catch(async (error: unknown) => {
    const { printError } = await import('../cli/output.js');
    printError(error);
    process.exit(2);
  });
