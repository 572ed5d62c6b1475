#!/usr/bin/env node
import { codex } from '../stand-ins/codex/main.js';
import { ownStdin } from '../stand-ins/shared/own-stdin.js';
import { runStandIn } from './run-stand-in.js';

runStandIn('codex', (own) => codex({ ...own, stdin: ownStdin() }));
