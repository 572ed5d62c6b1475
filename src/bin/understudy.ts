#!/usr/bin/env node
import { commands } from '../cli/commands/index.js';
import { EXIT_HARNESS_ERROR, main } from '../cli/main.js';
import { printError } from '../cli/output.js';

main(process.argv, commands).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    printError(error);
    process.exitCode = EXIT_HARNESS_ERROR;
  },
);
