#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('opencode', async () => (await import('../stand-ins/opencode/main.js')).opencode);
