#!/usr/bin/env node
import { commands } from '../cli/commands/index.js';
import { main } from '../cli/main.js';

process.exitCode = await main(process.argv, commands);
