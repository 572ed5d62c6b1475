#!/usr/bin/env node
import { kiro } from '../stand-ins/kiro/main.js';

kiro({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  streams: { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) },
})
  .then((code) => {
    process.exitCode = code;
  })
  .catch(async (error: unknown) => {
    const { printError } = await import('../cli/output.js');
    printError(error);
    process.exitCode = 2;
  });
