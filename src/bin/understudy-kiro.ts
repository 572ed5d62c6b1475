#!/usr/bin/env node
import { runStandIn } from './run-stand-in.js';

runStandIn('kiro-cli', async () => (await import('@understudy/stand-ins')).kiro);
