#!/usr/bin/env node
import { kiro } from '../stand-ins/kiro/main.js';
import { runStandIn } from './run-stand-in.js';

runStandIn('kiro-cli', kiro);
