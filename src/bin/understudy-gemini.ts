#!/usr/bin/env node
import { gemini } from '../stand-ins/gemini/main.js';
import { ownStdin } from '../stand-ins/shared/own-stdin.js';
import { runStandIn } from './run-stand-in.js';

runStandIn('gemini', (own) => gemini({ ...own, stdin: ownStdin() }));
