#!/usr/bin/env node
import { opencode } from '../stand-ins/opencode/main.js';
import { runStandIn } from './run-stand-in.js';

runStandIn('opencode', opencode);
