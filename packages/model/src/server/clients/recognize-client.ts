import type { IncomingHttpHeaders } from 'node:http';
import { claudeCode } from './claude/claude-code.js';
import type { Client } from './client.js';
import { codex } from './codex.js';
import { geminiCli } from './gemini-cli.js';
import { library } from './library.js';
import { opencode } from './opencode.js';

const clients: readonly Client[] = [claudeCode, opencode, codex, geminiCli];

/** Which CLI sent this; anything else is a program that uses a client library. */
export function recognizeClient(headers: IncomingHttpHeaders): Client {
  return clients.find((client) => client.recognizes(headers)) ?? library;
}
