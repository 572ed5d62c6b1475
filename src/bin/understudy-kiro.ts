#!/usr/bin/env node
import { kiroAsking } from '@understudy/agents';
import { runStandIn } from './run-stand-in.js';

runStandIn('kiro-cli', kiroAsking, async () => (await import('@understudy/stand-ins')).kiro);
