#!/usr/bin/env node
// `understudy orchestrator loop`, and nothing else: the suite starts it hundreds of times.
import { tolerateClosedOutput } from '../cli/closed-output.js';
import { register as loop } from '../cli/commands/loop.js';
import { start } from '../cli/main.js';
// Every run needs them, so they belong into the same file.
import '../cli/loop-memory.js';
import '../cli/run-loop.js';

tolerateClosedOutput();
start({ Commands: { loop } });
