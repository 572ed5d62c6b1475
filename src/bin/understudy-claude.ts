#!/usr/bin/env node
import { runClaude } from '../stand-ins/claude/main.js';
import { runStandIn } from './run-stand-in.js';

runStandIn('claude', ({ argv, env }) => runClaude(argv, env));
