import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { readMessages, writeMessage } from './json-lines.mjs';

/** Our names stay the same whichever server is behind them; on the right, what @playwright/mcp calls them. */
const THEIR_NAMES = { navigate: 'browser_navigate', screenshot: 'browser_take_screenshot' };
const OUR_NAMES = Object.fromEntries(Object.entries(THEIR_NAMES).map(([ours, theirs]) => [theirs, ours]));

/** Pictures go where the mock puts them. */
function inScreenshots({ filename, ...rest } = {}) {
  return filename === undefined ? rest : { ...rest, filename: join('screenshots', basename(String(filename))) };
}

function toServer(message) {
  const { name, arguments: args } = message.params ?? {};
  const theirs = message.method === 'tools/call' && THEIR_NAMES[name];
  if (!theirs) return message;
  return {
    ...message,
    params: { ...message.params, name: theirs, arguments: name === 'screenshot' ? inScreenshots(args) : args },
  };
}

function toClient(message) {
  const tools = message.result?.tools;
  if (!Array.isArray(tools)) return message;
  const renamed = tools.map((tool) => ({ ...tool, name: OUR_NAMES[tool.name] ?? tool.name }));
  return { ...message, result: { ...message.result, tools: renamed } };
}

/** Starts an MCP server on stdio and passes everything on, with the names of its tools translated. */
export function passOnTo([program, ...args], say) {
  const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  server.on('error', (error) => {
    say(`cannot start ${program}: ${error.message}`);
    process.exit(1);
  });
  server.on('exit', (code) => process.exit(code ?? 1));
  server.stdin.on('error', () => {});
  readMessages(process.stdin, (message) => writeMessage(server.stdin, toServer(message)), say).on('close', () =>
    server.stdin.end(),
  );
  readMessages(server.stdout, (message) => writeMessage(process.stdout, toClient(message)), say);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.kill(signal));
}
