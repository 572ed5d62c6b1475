#!/usr/bin/env node
import { kiro } from '../simulator/kiro/main.js';

process.exitCode = await kiro({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  streams: { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) },
});
