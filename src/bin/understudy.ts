#!/usr/bin/env node
import { tolerateClosedOutput } from '../cli/closed-output.js';
import { keepHeapSmall } from '../cli/small-heap.js';
import { version } from '../cli/version.js';
import { useCodeCache } from './code-cache.js';

const [first, ...others] = process.argv.slice(2);

tolerateClosedOutput();
// Scripts and editors ask for the version often: nothing else is loaded for it.
if (others.length === 0 && ['--version', '-V', '-v'].includes(first ?? '')) process.stdout.write(`${version}\n`);
else {
  // Before any code is taken from the cache, which is only good for the same settings of the engine.
  if (['run', 'test', 'e2e', 'orchestrator', 'worker'].includes(first ?? '')) keepHeapSmall();
  useCodeCache(first ?? '');
  import('../cli/commands/index.js').then(
    ({ startCommands }) => startCommands(),
    // A file of ours is missing or damaged, so what prints errors may be, too.
    (error: unknown) => {
      process.stderr.write(`understudy is not installed completely: ${String(error)}\n`);
      process.exitCode = 2;
    },
  );
}
