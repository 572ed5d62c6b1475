// Claude Code gives the call on stdin; exit code 2 stops it, with the reason on stderr.
import { readFileSync } from 'node:fs';

const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
const RULES = [/\brm\s+-\w*r/, /\bgit\s+push\b.*(--force|-f)\b/, /\bgit\s+reset\s+--hard\b/, /\bchmod\s+-R\s+777\b/];

if (RULES.some((rule) => rule.test(input.command))) {
  process.stderr.write('This cannot be taken back. Ask the user.\n');
  process.exitCode = 2;
}
