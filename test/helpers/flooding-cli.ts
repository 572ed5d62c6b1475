import { join } from 'node:path';
import { writeFiles } from './rehearsal-files.js';

/**
 * A program that speaks like Claude Code and answers `hello`; to `flood KIND` it writes without end: messages, short
 * lines, one line, or lines on stderr. It never waits for its reader to want more than the pipe holds. To `die` it ends with a
 * stack on stderr, and to `stray` it says something when its turn is over.
 */
const PROGRAM = `
const readline = require('node:readline');
if (process.argv.includes('--version')) { console.log('2.1.325 (Claude Code)'); process.exit(0); }
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const message = (text) => ({ type: 'assistant', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] }, parent_tool_use_id: null, session_id: 's' });
const result = { type: 'result', subtype: 'success', is_error: false, result: 'ok', num_turns: 1, duration_ms: 1, session_id: 's', usage: { input_tokens: 1, output_tokens: 1 } };
const BLOCKS = {
  messages: JSON.stringify(message('x'.repeat(10_000))) + '\\n',
  lines: 'y\\n'.repeat(5_000),
  line: 'x'.repeat(10_000),
  errors: 'oh no\\n'.repeat(2_000),
};
function flood(kind) {
  const stream = kind === 'errors' ? process.stderr : process.stdout;
  const more = () => { while (stream.write(BLOCKS[kind])); stream.once('drain', more); };
  more();
}
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const told = JSON.parse(line);
  if (told.type === 'control_request') {
    const response = told.request.subtype === 'initialize' ? { commands: [], agents: [] } : { mcpServers: [] };
    say({ type: 'control_response', response: { subtype: 'success', request_id: told.request_id, response } });
    return;
  }
  const text = JSON.stringify(told.message.content);
  const kind = /flood (\\w+)/.exec(text)?.[1];
  if (kind !== undefined) return flood(kind);
  if (text.includes('die')) {
    console.error("node:internal/modules/cjs/loader:1228\\n  throw err;\\n  ^\\n\\nError: Cannot find module 're2js'\\n    at x (y.js:1:2)\\n\\nNode.js v20.20.2");
    process.exitCode = 2;
    return process.stdin.destroy();
  }
  say(message('Hello, I have a plan.'));
  say(result);
  if (text.includes('stray')) setTimeout(() => say(message('FORGED: all tests passed')), 50);
});
`;

export const FLOODS = ['messages', 'lines', 'line', 'errors'] as const;

/** Writes the program; `UNDERSTUDY_CLAUDE` names it. */
export function writeFloodingCli(folder: string): string {
  writeFiles(folder, { 'flooding-cli.cjs': PROGRAM });
  return join(folder, 'flooding-cli.cjs');
}
