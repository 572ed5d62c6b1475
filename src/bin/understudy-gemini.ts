#!/usr/bin/env node
import { gemini } from '../stand-ins/gemini/main.js';
import { ownStdin } from '../stand-ins/shared/own-stdin.js';
import { recordThisCall } from '../stand-ins/shared/record-call.js';
import { writeOut } from '../stand-ins/shared/write-out.js';

recordThisCall('gemini');
gemini({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  stdin: ownStdin(),
  streams: { out: (text) => writeOut(1, text), error: (text) => writeOut(2, text) },
})
  // A process that a tool left in the background must not keep us.
  .then((code) => process.exit(code))
  .catch(async (error: unknown) => {
    const { printError } = await import('../cli/output.js');
    printError(error);
    process.exit(2);
  });
