#!/usr/bin/env node
// `understudy loop`, and nothing else: the suite starts it hundreds of times.
import { register } from '../cli/commands/loop.js';
import { main } from '../cli/main.js';
import { printError } from '../cli/output.js';
// Every run needs them, so they belong into the same file.
import '../cli/loop-memory.js';
import '../cli/run-loop.js';

main(process.argv, [register])
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    printError(error);
    process.exitCode = 2;
  });
